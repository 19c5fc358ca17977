"""Presenting in the real window, with mouse and keyboard, at the sizes of rooms."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from explorer.resources import lessons
from explorer.session import Role, Selection, Space, Stage
from explorer.session.intents import ShowStage
from explorer.views.motion import Glide, finish_motions
from explorer.views.theme import contrast

SIZES = ((1024, 768), (1280, 720), (1920, 1080))
LEFT, NO_KEY = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
SOFTMAX = next(path for path in lessons() if path.stem.startswith("08-"))


class Speaker:
    """Somebody who presents."""

    def __init__(self, person) -> None:
        self.person, self.session = person, person.session
        self.page.plane.set_motion(False)

    @property
    def audience(self):
        return self.person.window.presenting.audience

    @property
    def page(self):
        return self.audience.page

    def settle(self) -> None:
        self.person.settle()
        if self.audience is not None:
            finish_motions(self.audience)
            self.page.plane.finish_motion()
        QApplication.processEvents()

    def key(self, key: Qt.Key) -> None:
        QTest.keyClick(self.page, key)
        self.settle()

    def resize(self, width: int, height: int) -> None:
        self.audience.showNormal()
        self.audience.resize(width, height)
        self.settle()
        assert self.page.size().toTuple() == (width, height)

    def push(self, button: QWidget) -> None:
        QTest.mouseClick(button, LEFT, NO_KEY, button.rect().center())
        self.settle()

    def point(self, space: Space, index: int) -> QPoint:
        return self.page.plane.screen_point(space, index).toPoint()

    def drag(self, widget: QWidget, start: QPoint, end: QPoint) -> None:
        QTest.mousePress(widget, LEFT, NO_KEY, start)
        # An event of its own: QTest's has no button held, and this platform moves no cursor.
        for place in ((start + end) / 2, end):
            QTest.mouseMove(widget, place)
            QApplication.processEvents()
        QTest.mouseRelease(widget, LEFT, NO_KEY, end)
        self.settle()

    def seen(self) -> QImage:
        self.settle()
        return self.audience.grab().toImage()


@pytest.fixture
def speaker(person):
    QTest.keyClick(person.window, Qt.Key.Key_F5)
    person.settle()
    return Speaker(person)


@pytest.fixture
def teacher(person):
    """Somebody who presents a lesson."""
    assert person.window.open_file(SOFTMAX)
    person.settle()
    QTest.keyClick(person.window, Qt.Key.Key_F5)
    person.settle()
    return Speaker(person)


def labels(page) -> list[QLabel]:
    return [label for label in page.findChildren(QLabel) if label.isVisible() and label.text()]


# --- coming and going ----------------------------------------------------------------------------


def test_f5_fills_the_screen_and_esc_leaves_everything_as_it_was(person):
    person.plane.viewport().setFocus()
    person.settle()
    window, before = person.window, person.session.undo_name
    focused, size = QApplication.focusWidget(), window.size()
    QTest.keyClick(window, Qt.Key.Key_F5)
    person.settle()
    audience = window.presenting.audience
    assert audience.isFullScreen()
    assert audience.geometry() == window.screen().geometry()
    QTest.keyClick(audience.page, Qt.Key.Key_Escape)
    person.settle()
    assert window.presenting.audience is None
    assert QApplication.focusWidget() is focused
    assert window.size() == size
    assert person.session.undo_name == before


def test_the_cross_leaves(speaker):
    speaker.push(speaker.page.cross)
    assert speaker.audience is None


def test_train_has_nothing_to_present(person):
    person.window.show_train(warm=False)
    assert not person.window.actions_by_name["present"].isEnabled()
    person.window.pages.show_explore()
    assert person.window.actions_by_name["present"].isEnabled()
    person.window.train.close()


# --- pages ---------------------------------------------------------------------------------------


def test_a_scene_is_presented_by_its_stages(speaker):
    shown = [speaker.session.look.stage]
    turns = (
        Qt.Key.Key_PageDown, Qt.Key.Key_Right, Qt.Key.Key_Down,
        Qt.Key.Key_Space, Qt.Key.Key_PageDown, Qt.Key.Key_PageDown,
    )  # fmt: skip
    texts = {speaker.page.text.text()}
    for key in turns:
        speaker.key(key)
        shown.append(speaker.session.look.stage)
        texts.add(speaker.page.text.text())
    assert shown == [Stage.X, Stage.Q, Stage.K, Stage.V, Stage.S, Stage.A, Stage.O]
    assert len(texts) == len(shown)
    speaker.key(Qt.Key.Key_PageDown)
    assert speaker.session.look.stage is Stage.O
    for key in (Qt.Key.Key_PageUp, Qt.Key.Key_Left, Qt.Key.Key_Up):
        speaker.key(key)
    assert speaker.session.look.stage is Stage.V


def test_the_chain_is_clicked_and_says_where_one_is(speaker):
    steps = speaker.page.steps
    speaker.push(steps.letters[Stage.A])
    assert speaker.session.look.stage is Stage.A
    assert [stage for stage, key in steps.letters.items() if key.isChecked()] == [Stage.A]
    speaker.push(steps.next)
    assert speaker.session.look.stage is Stage.O
    assert not steps.next.isEnabled()
    speaker.push(steps.previous)
    assert speaker.session.look.stage is Stage.A


def test_a_lesson_is_presented_by_its_short_texts(teacher):
    assert teacher.page.title.text() == "Scores become shares"
    assert "Scores are any numbers" in teacher.page.text.text()
    assert not teacher.page.formula.isVisible()
    teacher.key(Qt.Key.Key_Space)
    assert "always positive" in teacher.page.text.text()
    assert teacher.page.formula.tex == "e^{s_{ij}}"
    teacher.key(Qt.Key.Key_PageUp)
    assert "Scores are any numbers" in teacher.page.text.text()


def test_shares_are_the_computed_weights_and_hidden_before_they_are_predicted(teacher):
    for _page in range(2):
        teacher.key(Qt.Key.Key_PageDown)
    assert teacher.session.look.veiled
    assert not teacher.page.bar.isVisible()
    teacher.key(Qt.Key.Key_PageDown)
    bar, frame = teacher.page.bar, teacher.session.frame
    assert bar.isVisible()
    weights = frame.weights[frame.selection.query]
    parts = bar.segments()
    widths = [part.width() / (parts[-1].right() - parts[0].left()) for part in parts]
    np.testing.assert_allclose(widths, weights, atol=1e-9)


def test_a_point_is_dragged_as_in_explore(speaker):
    viewport, start = speaker.page.plane.viewport(), speaker.point(Space.X, 0)
    before = speaker.session.scene
    speaker.drag(viewport, start, start + QPoint(-60, 20))
    assert speaker.session.scene is not before
    assert speaker.session.undo_name is not None
    speaker.session.undo()
    assert speaker.session.scene is before


@pytest.mark.parametrize("moves", [True, False])
def test_another_page_comes_within_a_quarter_of_a_second_or_at_once(speaker, moves):
    speaker.person.window.presenting.let_move(moves)
    QTest.keyClick(speaker.page, Qt.Key.Key_PageDown)
    fading = [glide.duration() for glide in speaker.page.left.findChildren(Glide)]
    assert fading == ([250] if moves else [])


# --- the presenter's keys ------------------------------------------------------------------------


def test_b_shows_black_until_any_key(speaker):
    speaker.key(Qt.Key.Key_B)
    picture = speaker.seen()
    middle = picture.pixelColor(picture.width() // 2, picture.height() // 2)
    assert middle == QColor("black")
    stage = speaker.session.look.stage
    speaker.key(Qt.Key.Key_PageDown)
    assert speaker.session.look.stage is stage
    assert speaker.seen().pixelColor(3, 3) != QColor("black")


def test_a_key_that_is_held_switches_once(speaker):
    for repeated in (False, True, True):
        press = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_B, NO_KEY, "b", repeated)
        QApplication.sendEvent(speaker.page, press)
    assert speaker.audience.veil.blank


def test_the_pen_draws_until_it_is_wiped_or_the_page_is_left(speaker):
    veil, clean = speaker.audience.veil, speaker.seen()
    for wipe in (Qt.Key.Key_C, Qt.Key.Key_PageDown):
        speaker.key(Qt.Key.Key_P)
        speaker.drag(veil, QPoint(100, 300), QPoint(300, 320))
        assert speaker.seen() != clean
        speaker.key(Qt.Key.Key_P)
        assert len(veil.strokes) == 1
        speaker.key(wipe)
        assert not veil.strokes
    speaker.key(Qt.Key.Key_PageUp)
    assert speaker.seen() == clean


def test_the_spotlight_darkens_all_but_a_circle_at_the_mouse(speaker):
    clean = speaker.seen()
    speaker.key(Qt.Key.Key_L)
    viewport = speaker.page.plane.viewport()
    QTest.mouseMove(viewport, QPoint(5, 5))
    QTest.mouseMove(viewport, viewport.rect().center())
    QApplication.processEvents()
    at = viewport.mapTo(speaker.audience, viewport.rect().center()) + QPoint(30, 30)
    lit = speaker.seen()
    assert lit.pixelColor(at) == clean.pixelColor(at)
    assert lit.pixelColor(4, 4).lightness() < clean.pixelColor(4, 4).lightness() / 2
    speaker.key(Qt.Key.Key_L)
    assert speaker.seen().pixelColor(4, 4) == clean.pixelColor(4, 4)


def test_f_keeps_the_picture_while_the_next_is_prepared(speaker):
    before = speaker.seen()
    speaker.key(Qt.Key.Key_F)
    speaker.session.select(Selection(Role.X, 1))
    speaker.person.window.explore.handle(ShowStage(Stage.A))
    assert speaker.seen() == before
    assert speaker.person.window.actions_by_name["freeze"].isChecked()
    speaker.person.window.activateWindow()
    speaker.settle()
    QTest.keyClick(speaker.person.window, Qt.Key.Key_F6)
    assert speaker.seen() != before


@pytest.mark.parametrize("end", [Qt.Key.Key_W, Qt.Key.Key_PageDown, Qt.Key.Key_Escape])
def test_w_lets_a_number_move_by_itself_and_leaves_no_trace(speaker, end):
    session, before = speaker.session, speaker.session.scene
    session.select(Selection(Role.X, 1, None, 0))
    speaker.key(Qt.Key.Key_W)
    wiggle = speaker.audience.wiggle
    wiggle.go_to(0.25)
    moved = session.scene.X - before.X
    assert moved[1, 0] > 0.1
    assert np.count_nonzero(moved) == 1
    wiggle.go_to(0.75)
    assert session.scene.X[1, 0] < before.X[1, 0]
    speaker.key(end)
    assert session.scene is before
    assert not session.in_gesture
    assert session.undo_name is None
    assert not session.modified


def test_a_hand_that_takes_over_ends_what_moves_by_itself(speaker):
    session, before = speaker.session, speaker.session.scene
    speaker.key(Qt.Key.Key_W)
    speaker.audience.wiggle.go_to(0.25)
    assert session.scene is not before
    viewport, start = speaker.page.plane.viewport(), QPoint(4, 4)
    QTest.mousePress(viewport, LEFT, NO_KEY, start)
    assert session.scene is before
    QTest.mouseRelease(viewport, LEFT, NO_KEY, start)
    assert session.undo_name is None


# --- legible from the last row -------------------------------------------------------------------


def stages_of(speaker):
    """Show a few telling pages, one after the other."""
    speaker.session.select(Selection(Role.X, 0))
    for stage in (Stage.X, Stage.Q, Stage.S, Stage.A, Stage.O):
        speaker.push(speaker.page.steps.letters[stage])
        yield stage


@pytest.mark.parametrize("size", SIZES)
def test_no_text_is_below_20_px_or_clipped(speaker, size):
    speaker.resize(*size)
    page = speaker.page
    for stage in stages_of(speaker):
        for label in labels(page):
            assert label.font().pixelSize() >= 20, label.text()
            assert label.heightForWidth(label.width()) <= label.height(), label.text()
            assert page.rect().contains(label.geometry())
        for key in page.steps.letters.values():
            assert key.font().pixelSize() >= 20
            assert QFontMetricsF(key.font()).horizontalAdvance(key.letter) <= key.width()
        assert page.formula.isVisible(), stage
        assert page.formula.smallest >= 20
        assert page.formula.sizeHint().width() <= page.formula.width() + 1
        drawing = page.plane.viewport().shown
        words = [*(text.word for text in drawing.texts), *(chip.word for chip in drawing.chips)]
        assert words
        assert min(word.font.pixelSize() for word in words) >= 20
        for chip in drawing.chips:
            left, _top, right, _bottom = chip.rect
            assert chip.word.width <= right - left
        parts = [
            part for part in (page.title, page.formula, page.text, page.bar) if part.isVisible()
        ]
        bottoms = [part.geometry().bottom() for part in parts]
        tops = [part.geometry().top() for part in parts]
        assert all(a < b for a, b in zip(bottoms, [*tops[1:], page.steps.y()], strict=True))


def inside(x: float, y: float, word) -> QRect:
    """Return the whole pixels of a word at its corner."""
    left, top = math.ceil(x), math.ceil(y)
    return QRect(left, top, int(x + word.width) - left, int(y + word.height) - top)


def worst(colour: QColor, picture: QImage, box: QRect) -> float:
    """Return the contrast of a colour against the worst pixel of a box."""
    box = box.intersected(picture.rect())
    whole = picture.convertToFormat(QImage.Format.Format_RGB888)
    lines = np.frombuffer(whole.constBits(), np.uint8).reshape(whole.height(), -1)
    pixels = lines[:, : 3 * whole.width()].reshape(whole.height(), whole.width(), 3)
    behind = pixels[box.top() : box.bottom() + 1, box.left() : box.right() + 1]
    return float(contrast(np.array(colour.getRgb()[:3]), behind).min())


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("size", SIZES)
def test_every_text_stands_out_from_the_worst_pixel_behind_it(speaker, size, dark):
    if speaker.person.window.theme.dark is not dark:
        speaker.person.window.appearance.toggle_theme()
    speaker.resize(*size)
    page, palette = speaker.page, speaker.person.window.theme.palette
    for _stage in stages_of(speaker):
        canvas = page.plane.viewport()
        drawing, clear = canvas.shown, QColor(0, 0, 0, 0)
        bare = drawing._replace(
            texts=tuple(text._replace(colour=clear) for text in drawing.texts),
            chips=tuple(chip._replace(colour=clear) for chip in drawing.chips),
        )
        canvas.show_drawing(bare, page.plane.theme)
        behind = canvas.grab().toImage()
        canvas.show_drawing(drawing, page.plane.theme)
        for text in (text for text in drawing.texts if text.colour.alpha()):
            box = inside(text.x, text.y, text.word)
            assert worst(text.colour, behind, box) >= 4.5, text.word.text
        for chip in drawing.chips:
            left, top, right, bottom = chip.rect
            word = chip.word
            box = inside((left + right - word.width) / 2, (top + bottom - word.height) / 2, word)
            assert worst(chip.colour, behind, box) >= 4.5, chip.word.text
        parts = [part for part in (page.title, page.text, page.formula) if part.isVisible()]
        written = [(QColor(palette.ink1), part.geometry()) for part in parts]
        if page.bar.isVisible():
            written += [
                (QColor(share.colour.ink), box.toRect().translated(page.bar.pos()))
                for share, box in page.bar.names()
            ]
            parts.append(page.bar)
        for part in parts:
            part.hide()
        left = page.grab().toImage()
        for colour, box in written:
            assert worst(colour, left, box) >= 4.5
        for part in parts:
            part.show()


TWO_SCREENS = """
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from explorer.app.main import make_window

application = QApplication([])
first, second = application.screens()
window = make_window()
window.setGeometry(first.availableGeometry())
window.show()
application.processEvents()
QTest.keyClick(window, Qt.Key.Key_F5)
application.processEvents()
audience = window.presenting.audience
print(window.screen() is first, audience.screen() is second)
print(audience.geometry() == second.geometry(), audience.page.size() == second.size())
stage = window.session.look.stage
QTest.keyClick(audience.page, Qt.Key.Key_F)
seen = audience.grab().toImage()
window.activateWindow()
QTest.keyClick(window.workspace.plane.viewport(), Qt.Key.Key_6)
application.processEvents()
print(window.session.look.stage is not stage, audience.grab().toImage() == seen)
QTest.keyClick(window, Qt.Key.Key_F6)
application.processEvents()
print(audience.grab().toImage() != seen)
audience.close()
window.close()
"""


def test_with_two_screens_the_audience_has_the_other_one(tmp_path):
    screens = [
        {"name": name, "x": x, "y": 0, "width": width, "height": height, "logicalDpi": 96,
         "logicalBaseDpi": 96, "dpr": 1}
        for name, x, width, height in (("laptop", 0, 1440, 900), ("wall", 1440, 1280, 720))
    ]  # fmt: skip
    config = tmp_path / "screens.json"
    config.write_text(json.dumps({"screens": screens}))
    made = subprocess.run(
        [sys.executable, "-c", TWO_SCREENS],
        env={
            **os.environ,
            "QT_QPA_PLATFORM": f"offscreen:configfile={config}",
            "XDG_CONFIG_HOME": str(tmp_path),
            "XDG_DATA_HOME": str(tmp_path),
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    assert made.stdout.split() == ["True"] * 7, made.stdout + made.stderr
