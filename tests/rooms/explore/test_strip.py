"""The strip as a widget: real mouse and keyboard in, intents and pixels out."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QContextMenuEvent, QImage
from PySide6.QtWidgets import QApplication, QMenu, QPlainTextEdit, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from explorer.kit.all_terms import AllTerms
from explorer.kit.preview import SAMPLE
from explorer.kit.theme import SCALES, Theme
from explorer.rooms.explore.strip import StripView
from explorer.session import Blank, Look, Options, Role, Scene, Selection, Stage, resolve
from explorer.session.intents import CopyText, Hover, Select

PAIR = Selection(Role.S, 0, 3)
LONG = SAMPLE.replace(tokens=("a" * 40, "早上好" * 8, "🐟" * 12, "w" * 64))
MASKED = SAMPLE.replace(options=Options(mask="causal"))


def wide_scene(tokens: int, width: int) -> Scene:
    rng = np.random.default_rng(3)
    return Scene(
        tuple(f"token{i}" for i in range(tokens)),
        rng.normal(size=(tokens, width)),
        *(rng.normal(size=(width, width)) for _ in range(3)),
    )


WIDE = wide_scene(64, 64)


def strip(
    qtbot: QtBot,
    scene: Scene = SAMPLE,
    selection: Selection | None = PAIR,
    *,
    width: int = 1440,
    theme: Theme | None = None,
    look: Look | None = None,
) -> tuple[StripView, list[object]]:
    view = StripView(theme or Theme())
    qtbot.addWidget(view)
    view.resize(width, view.height())
    intents: list[object] = []
    view.intent.connect(intents.append)
    with qtbot.waitExposed(view):
        view.show()
    view.draw(resolve(scene, look, selection))
    return view, intents


def chip_point(view: StripView, index: int) -> QPoint:
    return view.chips()[index][1].center().toPoint()


def picture(view: QWidget) -> QImage:
    return view.grab().toImage()


def colour_at(image: QImage, at: QPointF) -> QColor:
    return image.pixelColor(at.toPoint())


# --- the mouse -----------------------------------------------------------------------------------


def test_a_click_on_a_chip_selects_its_cell(qtbot: QtBot) -> None:
    view, intents = strip(qtbot, selection=Selection(Role.O, 0))
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=chip_point(view, 2))
    assert [i for i in intents if isinstance(i, Select)] == [Select(Selection(Role.A, 0, 2))]


def test_a_press_that_is_dragged_off_selects_nothing(qtbot: QtBot) -> None:
    view, intents = strip(qtbot)
    qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=chip_point(view, 0))
    qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=QPoint(20, 20))
    assert not [i for i in intents if isinstance(i, Select)]


def test_a_chip_under_the_pointer_is_pointed_at_once(qtbot: QtBot) -> None:
    view, intents = strip(qtbot, selection=Selection(Role.O, 0))
    at, pointed = chip_point(view, 1), Hover(Selection(Role.A, 0, 1))
    # Moves may be delivered late, and of several only the last.
    for pos, told in (
        (QPoint(5, 5), []),
        (at, [pointed]),
        (at + QPoint(1, 0), [pointed]),
        (at + QPoint(2, 1), [pointed]),
        (QPoint(5, 5), [pointed, Hover(None)]),
    ):
        qtbot.mouseMove(view, pos)
        qtbot.waitUntil(lambda told=told: intents == told)


def test_the_context_menu_copies(qtbot: QtBot) -> None:
    view, intents = strip(qtbot)
    event = QContextMenuEvent(
        QContextMenuEvent.Reason.Mouse, QPoint(30, 30), view.mapToGlobal(QPoint(30, 30))
    )
    QApplication.sendEvent(view, event)
    menu = view.findChildren(QMenu)[-1]
    menu.actions()[0].trigger()
    menu.close()
    assert intents == [CopyText(view.plain_text())]


# --- the keyboard --------------------------------------------------------------------------------


def test_the_copy_key_copies_plain_text_with_the_ascii_minus(qtbot: QtBot) -> None:
    view, intents = strip(qtbot)
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    [copied] = intents
    assert isinstance(copied, CopyText)
    assert "q_cat · k_cloud = 1.0 × -0.62 + 0.0 × 0.74 = -0.62" in copied.text
    assert "\u2212" not in copied.text


def test_the_copied_sum_has_every_term(qtbot: QtBot) -> None:
    view, _intents = strip(qtbot, WIDE)
    dot_product = view.plain_text().split("\n")[1]
    assert "…" not in dot_product
    assert dot_product.count("×") == 64


def test_arrow_keys_and_enter_select_a_chip(qtbot: QtBot) -> None:
    view, intents = strip(qtbot, selection=Selection(Role.O, 0))
    for _press in range(3):
        qtbot.keyClick(view, Qt.Key.Key_Right)
    qtbot.keyClick(view, Qt.Key.Key_Left)
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert intents == [Select(Selection(Role.A, 0, 2))]


# --- all terms -----------------------------------------------------------------------------------


def test_the_button_shows_every_term_and_esc_closes(qtbot: QtBot) -> None:
    view, intents = strip(qtbot, WIDE)
    button = view.findChild(QToolButton)
    assert button.isVisible()
    assert button.text() == "all 64 terms"
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    sheet = view.findChild(AllTerms)
    assert sheet.isVisible()
    lines = sheet.findChild(QPlainTextEdit).toPlainText().split("\n")
    assert len(lines) == 66
    raw = resolve(WIDE).attention.raw[0, 0, 3]
    assert lines[-1] == f"= {raw:.3f}".replace("-", "\u2212")
    with qtbot.waitSignal(sheet.finished):
        qtbot.keyClick(sheet.text, Qt.Key.Key_Escape)
    assert intents == []


def test_there_is_no_button_where_nothing_is_folded(qtbot: QtBot) -> None:
    view, _intents = strip(qtbot)
    assert not view.findChild(QToolButton).isVisible()


# --- what it looks like --------------------------------------------------------------------------


@pytest.mark.parametrize("dark", [False, True])
def test_chips_have_the_table_s_colours_and_the_selected_one_an_outline(
    qtbot: QtBot, dark: bool
) -> None:
    theme = Theme(dark=dark)
    view, _intents = strip(qtbot, theme=theme)
    frame = resolve(SAMPLE, None, PAIR)
    image = picture(view)
    (_score, score_box), (_weight, weight_box) = view.chips()
    inside = QPointF(3, 3)
    fill = theme.scores_map.fill(frame.shown_scores[0, 3], frame.score_domain)
    assert colour_at(image, score_box.topLeft() + inside) == fill
    fill = theme.weights_map.fill(frame.weights[0, 3], frame.weight_domain)
    assert colour_at(image, weight_box.topLeft() + inside) == fill
    for box in (score_box, weight_box):
        above = QPointF(box.center().x(), box.top() - 2)
        assert colour_at(image, above) == theme.color("ink1")


def test_hovering_a_cell_outlines_its_chip_and_moves_nothing(qtbot: QtBot) -> None:
    theme = Theme()
    selection = Selection(Role.O, 0)
    view, _intents = strip(qtbot, selection=selection)
    before, boxes = picture(view), view.chips()
    view.draw(resolve(SAMPLE, None, selection, Selection(Role.A, 0, 2)))
    assert view.chips() == boxes
    _chip, box = boxes[2]
    edge = QPointF(box.center().x(), round(box.top()))
    assert colour_at(picture(view), edge).lightness() < colour_at(before, edge).lightness()
    view.draw(resolve(SAMPLE, None, selection))
    assert picture(view) == before
    assert theme == view.theme


@pytest.mark.parametrize("percent", SCALES[:3])
@pytest.mark.parametrize("width", [960, 1024, 1440])
@pytest.mark.parametrize(
    "scene", [SAMPLE, LONG, MASKED, WIDE], ids=["sample", "long", "masked", "wide"]
)
def test_nothing_is_clipped(qtbot: QtBot, scene: Scene, width: int, percent: int) -> None:
    view, _intents = strip(qtbot, scene, None, width=width, theme=Theme(percent=percent))
    for compact in (False, True):
        view.set_compact(compact)
        for selection in (
            None,
            PAIR,
            Selection(Role.A, 2, 1),
            Selection(Role.X, 1),
            Selection(Role.X, 1, column=1),
            Selection(Role.Q, 3),
            Selection(Role.K, key=2, column=0),
            Selection(Role.V, key=2),
            Selection(Role.O, 3),
            Selection(Role.O, 2, column=1),
        ):
            view.draw(resolve(scene, None, selection))
            shown = list(view.runs())
            assert shown
            for run, rect in shown:
                assert view.rect().contains(rect.toAlignedRect()), (selection, run)
            boxes = [box for _chip, box in view.chips()]
            button = view.findChild(QToolButton)
            if button.isVisible():
                boxes.append(QRectF(button.geometry()))
            for box in boxes:
                assert view.rect().contains(box.toAlignedRect().adjusted(-3, -3, 3, 3))
            for one, other in combinations(boxes, 2):
                assert not one.intersects(other)


def test_at_full_size_no_part_of_the_design_is_missing(qtbot: QtBot) -> None:
    view, _intents = strip(qtbot, width=1440)
    assert "Adds to" in view.accessibleDescription()
    view.set_compact(True)
    said = view.accessibleDescription()
    assert "Adds to" not in said
    assert "Scale: ÷ √2 = -0.438\nSoftmax: e^-0.438" in said  # from one number to the next


def test_at_960_the_text_can_be_125_percent(qtbot: QtBot) -> None:
    view, _intents = strip(qtbot, width=960, theme=Theme(percent=125))
    view.set_compact(True)
    assert view.accessibleDescription().split("\n") == [
        "Dot product: q_cat · k_cloud = 1.0 × -0.62 + 0.0 × 0.74 = -0.62",
        "Softmax: e^-0.438 ÷ 5.354 = 0.120",
    ]
    assert not view.findChild(QToolButton).isVisible()


def test_at_1024_the_sum_is_spelled_out_at_150_percent(qtbot: QtBot) -> None:
    view, _intents = strip(qtbot, width=1024, theme=Theme(percent=150))
    view.set_compact(True)
    assert not view.findChild(QToolButton).isVisible()
    assert [chip.text for chip, _box in view.chips()] == ["\u22120.62", "0.120"]


def test_another_text_scale_is_taken_at_the_next_draw(qtbot: QtBot) -> None:
    view, _intents = strip(qtbot)
    assert view.height() == 92
    view.retheme(Theme(dark=True, percent=150))
    view.draw(resolve(SAMPLE, None, PAIR))
    assert view.height() == 138
    assert colour_at(picture(view), QPointF(3, 130)) == Theme(dark=True).color("win")


def test_drawing_emits_nothing_and_draws_twice_alike(qtbot: QtBot) -> None:
    view, intents = strip(qtbot)
    first = picture(view)
    view.draw(resolve(SAMPLE, None, Selection(Role.O, 1)))
    assert picture(view) != first
    view.draw(resolve(SAMPLE, None, PAIR))
    assert picture(view) == first
    assert intents == []


def test_a_dragged_token_changes_the_numbers(qtbot: QtBot) -> None:
    view, _intents = strip(qtbot)
    X = SAMPLE.X.copy()
    X[0] = 0.5, 0.25
    view.draw(resolve(SAMPLE.replace(X=X), None, PAIR))
    assert "= 0.5 × -0.62 + 0.25 × 0.74 = -0.125" in view.plain_text()


def test_it_is_named_and_described_for_screen_readers(qtbot: QtBot) -> None:
    view, _intents = strip(qtbot)
    assert view.accessibleName() == "Arithmetic"
    assert view.accessibleDescription() == view.plain_text()
    view.draw(resolve(WIDE, None, PAIR))
    assert len(view.accessibleDescription()) < len(view.plain_text())


def test_what_was_hidden_is_not_said_to_be_so_any_longer(qtbot: QtBot) -> None:
    blank = Blank(Stage.S)
    view, _intents = strip(qtbot, selection=None, look=Look(blank=blank))
    assert "filled in" in view.plain_text()
    hidden = picture(view)
    view.draw(resolve(SAMPLE))
    assert picture(view) != hidden
    assert "Choose" in view.accessibleDescription()
