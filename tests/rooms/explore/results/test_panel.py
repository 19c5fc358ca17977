"""The results panel as a whole: its pages, its heads, its code, and what holds for every scene."""

from __future__ import annotations

import gc
import weakref
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QAccessible
from pytestqt.qtbot import QtBot

from explorer.exporters import FORMATS
from explorer.exporters.code import code
from explorer.kit.motion import finish_motions
from explorer.kit.preview import SAMPLE
from explorer.kit.theme import SCALES, Theme
from explorer.rooms.explore.results import ResultsView
from explorer.session import (
    Look,
    Options,
    ResultsTab,
    Role,
    Scene,
    Selection,
    Stage,
    compute,
    resolve,
    stages_of,
)
from explorer.session.intents import ChangeLook, CopyText, ShowHead
from tests.rooms.explore.results.panel import (
    HOLED,
    LARGE,
    LEFT,
    PAIR,
    panel,
    picture,
    scene_of,
    texts,
    value_of,
)

CROSSED = scene_of(3, 2, keys=5)
HEADS = scene_of(4, 3, heads=4)


AWKWARD = {
    "one": Scene(("cat",), np.array([[0.3]])),
    "holed": HOLED,
    "all masked": SAMPLE.replace(options=Options(mask=np.zeros((4, 4), dtype=bool))),
    "huge": SAMPLE.replace(X=SAMPLE.X * 1e25),
    "tiny": SAMPLE.replace(X=SAMPLE.X * 1e-30),
    "equal tokens": SAMPLE.replace(tokens=("cat",) * 4, X=np.ones((4, 2))),
    "strange tokens": SAMPLE.replace(tokens=("w" * 40, "早上好", "<b>&amp;", "🐟\u202e!")),
    "8": scene_of(8, 3),
    "12": scene_of(12, 3),
    "64": LARGE,
    "crossed": CROSSED,
    "flat": scene_of(3, 2, keys=64),
    "tall": scene_of(64, 2, keys=3),
    "heads": HEADS,
}


# --- the panel -----------------------------------------------------------------------------------


def test_tabs_ask_for_a_page(qtbot: QtBot) -> None:
    shown = panel(qtbot)
    for tab in (ResultsTab.POINTS, ResultsTab.PAIRS, ResultsTab.CODE):
        qtbot.mouseClick(shown.view.tabs.button(tab), LEFT)
        assert shown.last() == ChangeLook({"tab": tab})
        shown.draw(look=Look(tab=tab))
        assert not shown.s.isVisible()


def test_a_head_is_chosen(qtbot: QtBot) -> None:
    shown = panel(qtbot, HEADS)
    heads = shown.view.heads
    assert heads.isVisible()
    names = [button.accessibleName() for button in heads.buttons]
    assert names == ["Head 1", "Head 2", "Head 3", "Head 4", "Average"]
    assert [button.isChecked() for button in heads.buttons] == [True, False, False, False, False]
    qtbot.mouseClick(heads.buttons[2], LEFT)
    assert shown.last() == ShowHead(2)
    qtbot.keyClick(heads.buttons[0], Qt.Key.Key_Right)
    assert shown.last() == ShowHead(1)
    qtbot.keyClick(heads.buttons[0], Qt.Key.Key_End)
    assert shown.last() == ChangeLook({"average": True})
    shown.draw(look=Look(head=2))
    result = compute(HEADS)
    assert texts(shown.a)[0][0] == f"{result.weights[2, 0, 0]:.3f}"
    assert value_of(texts(shown.o)[0][0]) == pytest.approx(result.head_output[2, 0, 0], abs=5e-4)
    assert not panel(qtbot).view.heads.isVisible()


def test_everything_fits_at_the_design_size(qtbot: QtBot) -> None:
    shown = panel(qtbot, size=(348, 680))
    assert shown.view.area.verticalScrollBar().maximum() == 0


def test_the_active_stages_table_comes_into_view_when_its_numbers_are_revealed(
    qtbot: QtBot,
) -> None:
    shown = panel(qtbot, scene_of(8, 2), size=(332, 420))
    look = Look(stage=Stage.O)
    shown.draw(look=replace(look, veiled=True))
    shown.view.area.verticalScrollBar().setValue(0)
    shown.draw(look=look)
    port = shown.view.area.viewport()
    qtbot.waitUntil(lambda: port.rect().contains(shown.o.mapTo(port, shown.o.rect().center())))


def test_compact_rows_are_lower(qtbot: QtBot) -> None:
    shown = panel(qtbot, size=(332, 572))
    assert shown.s.grid.cell(0, 0).height() == 33
    shown.view.set_compact(True)
    assert shown.s.grid.cell(0, 0).height() == 29
    qtbot.waitUntil(lambda: shown.view.area.verticalScrollBar().maximum() == 0)


def test_a_narrow_window_shows_one_table_at_a_time(qtbot: QtBot) -> None:
    shown = panel(qtbot, size=(300, 500))
    shown.view.set_tabbed(True)
    tables = (shown.s, shown.a, shown.o)
    assert [table.isVisible() for table in tables] == [True, False, False]
    shown.draw(look=Look(stage=Stage.O))
    assert [table.isVisible() for table in tables] == [False, False, True]
    button = shown.view.matrices.tabs.button(Stage.A)
    qtbot.mouseClick(button, LEFT)
    assert [table.isVisible() for table in tables] == [False, True, False]


# --- holds for every scene -----------------------------------------------------------------------


@pytest.mark.parametrize("tab", list(ResultsTab))
@pytest.mark.parametrize("name", AWKWARD)
def test_awkward_scenes_are_drawn_twice_alike_and_silently(
    qtbot: QtBot, name: str, tab: ResultsTab
) -> None:
    scene = AWKWARD[name]
    shown = panel(qtbot, scene, Theme(dark=True))
    last = len(scene.tokens) - 1, len(scene.key_tokens) - 1
    selection, hover = Selection(Role.A, *last), Selection(Role.O, last[0], column=0)
    pictures = []
    for _ in range(2):
        shown.draw(selection, hover, Look(tab=tab, scaled=True))
        pictures.append(picture(shown.view))
    assert pictures[0] == pictures[1]
    assert shown.intents == []


@pytest.mark.parametrize("percent", SCALES)
@pytest.mark.parametrize("dark", [False, True])
def test_another_theme_or_text_scale_is_taken(qtbot: QtBot, percent: int, dark: bool) -> None:
    fresh = panel(qtbot, theme=Theme(dark, percent), size=(700, 1400))
    shown = panel(qtbot, size=(700, 1400))
    shown.view.retheme(fresh.theme)
    for each in (shown, fresh):
        each.view.setFocus()  # away from the buttons, so that none wears the ring of the focus
        each.draw(PAIR)
    assert picture(shown.view) == picture(fresh.view)


def test_a_stale_selection_marks_nothing(qtbot: QtBot) -> None:
    shown = panel(qtbot)
    nothing = picture(shown.view)
    shown.draw(Selection(Role.S, 7, 9), Selection(Role.O, 12, column=5))
    assert picture(shown.view) == nothing


def test_every_table_and_cell_has_an_accessible_name(qtbot: QtBot) -> None:
    shown = panel(qtbot)
    names = []
    for table in (shown.s, shown.a, shown.o):
        interface = QAccessible.queryAccessibleInterface(table)
        names.append(interface.text(QAccessible.Text.Name))
        assert interface.childCount() > table.model().rowCount() * table.model().columnCount()
    assert names == ["S, scores", "A, attention", "O, output"]
    spoken = Qt.ItemDataRole.AccessibleTextRole
    assert shown.s.model().index(0, 3).data(spoken) == "S, cat to cloud, −0.62"
    assert shown.o.model().index(3, 0).data(spoken) == "O, cloud, column 1, −0.029"
    assert shown.o.model().index(3, 2).data(spoken) == "O, cloud made of cat, 0.114"


def test_a_closed_panel_leaves_nothing_behind(qtbot: QtBot) -> None:
    view = ResultsView(Theme(), code=code, copy_as=FORMATS)
    view.show()
    view.draw(resolve(SAMPLE))
    gone = weakref.ref(view)
    view.close()
    view.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    del view
    gc.collect()
    assert gone() is None


# --- code ----------------------------------------------------------------------------------------


def test_the_code_page_marks_the_active_stage(qtbot: QtBot) -> None:
    shown = panel(qtbot)
    page = shown.view.code
    assert page is not None
    program = code(SAMPLE)
    for stage in stages_of(SAMPLE):
        shown.draw(look=Look(tab=ResultsTab.CODE, stage=stage))
        assert page.text.toPlainText() == "\n".join(program.lines)
        expected = [i for i, stages in enumerate(program.stages) if stage in stages]
        assert expected
        assert list(page.text.marked) == expected
    image = picture(page.text.viewport())
    ink = shown.theme.color("ink1")
    bars = {y for y in range(image.height()) if image.pixelColor(1, y) == ink}
    assert bars


def test_the_code_page_asks_for_the_other_language_and_copies(qtbot: QtBot) -> None:
    shown = panel(qtbot)
    page = shown.view.code
    assert page is not None
    shown.draw(look=Look(tab=ResultsTab.CODE))
    qtbot.mouseClick(page.languages.button(True), LEFT)
    assert shown.last() == ChangeLook({"torch_code": True})
    shown.draw(look=Look(tab=ResultsTab.CODE, torch_code=True))
    assert "import torch" in page.text.toPlainText()
    qtbot.mouseClick(page.copy, LEFT)
    assert shown.last() == CopyText(code(SAMPLE, True).text)


def test_heads_of_many_tokens_are_drawn_one_after_the_other(qtbot: QtBot) -> None:
    scene = scene_of(200, 6, heads=4)
    rng = np.random.default_rng(2)
    made = panel(qtbot, scene)
    view, heads = made.view, made.view.heads
    for look in (Look(head=2), Look(head=2, average=True)):
        before = resolve(scene, look)
        view.draw(before)
        finish_motions(view)
        moved = resolve(scene.replace(X=rng.normal(size=scene.X.shape)), look, previous=before)
        view.draw(moved)
        chosen = heads.tiles[heads.chosen]
        np.testing.assert_array_equal(chosen.weights, moved.weights)
        stale = heads.tiles[0].weights
        np.testing.assert_array_equal(stale, before.attention.of_head(0).weights)
        # Left to the events, the rest follows; what takes a picture does not wait for them.
        qtbot.waitUntil(lambda stale=stale: heads.tiles[0].weights is not stale)
        finish_motions(view)
        every = [*moved.attention.weights, moved.attention.mean_weights]
        for tile, weights in zip(heads.tiles, every, strict=True):
            np.testing.assert_array_equal(tile.weights, weights)
        assert [tile.head for tile in heads.tiles] == [0, 1, 2, 3, None]
