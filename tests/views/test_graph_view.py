"""The word graph under a real mouse and keyboard: intents out, and what is seen."""

from __future__ import annotations

import gc
import re
import weakref
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QBuffer, QEvent, QIODevice, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QWheelEvent
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from explorer.session.intents import Hover, Select
from explorer.session.lab import Cursor, LabFrame, Playback, Progress, RunState
from explorer.session.lab.intents import HoverWord, SelectWord, ShowLabStage, Train
from explorer.session.look import Role, Selection, Stage
from explorer.traces import Config
from explorer.views.canvas.name_list import NameList
from explorer.views.lab.graph import GraphView
from explorer.views.lab.graph.camera import OVERHEAD, Stance
from explorer.views.lab.graph.setting import Content
from explorer.views.lab.graph.twin import word_names
from explorer.views.motion import finish_motions, let_move
from explorer.views.theme import Theme
from tests.lab_frames import MemoryTrace, lab_frame, recorded_run, sentences

LEFT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton
NONE, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
EMPTY = QPoint(6, 6)


class Table:
    """A shown graph, the intents it emitted, and a hand."""

    def __init__(self, qtbot: QtBot, frame: LabFrame, theme: Theme | None = None) -> None:
        self.view = GraphView(theme or Theme())
        qtbot.addWidget(self.view)
        self.view.resize(844, 590)
        with qtbot.waitExposed(self.view):
            self.view.show()
        self.view.draw(frame)
        self.intents: list[object] = []
        self.view.intent.connect(self.intents.append)
        self.frame = frame

    def word(self, name: str) -> QPoint:
        return self.view.screen_point(self.frame.vocabulary.index(name)).toPoint()

    def mouse(
        self, kind: QEvent.Type, at: QPoint, button: Qt.MouseButton, keys: Qt.KeyboardModifier
    ) -> None:
        changed = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseMove else button
        held = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseButtonRelease else button
        canvas, place = self.view.viewport(), QPointF(at)
        event = QMouseEvent(kind, place, canvas.mapToGlobal(place), changed, held, keys)
        QApplication.sendEvent(canvas, event)

    def drag(
        self,
        start: QPoint,
        step: QPoint,
        button: Qt.MouseButton = LEFT,
        keys: Qt.KeyboardModifier = NONE,
    ) -> None:
        self.mouse(QEvent.Type.MouseButtonPress, start, button, keys)
        for n in range(1, 5):
            self.mouse(QEvent.Type.MouseMove, start + step * n / 4, button, keys)
        self.mouse(QEvent.Type.MouseButtonRelease, start + step, button, keys)

    def hover(self, at: QPoint) -> None:
        self.mouse(QEvent.Type.MouseMove, at, Qt.MouseButton.NoButton, NONE)

    def wheel(self, at: QPoint, notches: int) -> None:
        canvas, place = self.view.viewport(), QPointF(at)
        event = QWheelEvent(
            place,
            canvas.mapToGlobal(place),
            QPoint(),
            QPoint(0, 120 * notches),
            Qt.MouseButton.NoButton,
            NONE,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(canvas, event)

    def click(self, at: QPoint) -> None:
        QTest.mouseClick(self.view.viewport(), LEFT, NONE, at)

    def key(self, key: Qt.Key, keys: Qt.KeyboardModifier = NONE) -> None:
        QTest.keyClick(self.view.viewport(), key, keys)

    def chip(self) -> tuple[int, int, QPoint]:
        """Return the words of an edge between two of the sample's words, and where its value is."""
        chip = next(c for c in self.view.drawing.chips if not c.pill and c.query != c.key)
        return chip.query, chip.key, self.view.chip_rect(chip.query, chip.key).center().toPoint()


@pytest.fixture
def table(qtbot: QtBot) -> Table:
    return Table(qtbot, lab_frame())


def positions(table: Table, *words: int) -> tuple[int, ...]:
    """Return the places in the sample of words of the vocabulary."""
    names = [table.frame.vocabulary[word] for word in words]
    return tuple(table.frame.words.index(name) for name in names)


# --- turning, zooming, moving --------------------------------------------------------------------


def test_a_drag_turns_the_graph(table: Table) -> None:
    table.drag(EMPTY, QPoint(80, 40))
    stance = table.view.stance
    assert stance.azimuth > Stance().azimuth
    assert stance.elevation > Stance().elevation
    assert (stance.pan_x, stance.pan_y, stance.zoom) == (0, 0, 1)
    assert table.intents == []


def test_what_is_near_follows_the_hand(table: Table) -> None:
    nearest = table.view.drawing.markers[-1]  # painted last
    table.drag(EMPTY, QPoint(20, 0))
    after = next(m for m in table.view.drawing.markers if m.row == nearest.row)
    assert after.x > nearest.x


def test_the_floor_is_never_seen_from_below(table: Table) -> None:
    table.drag(QPoint(6, 560), QPoint(0, -500))
    assert table.view.stance.elevation == 0
    table.drag(EMPTY, QPoint(0, 570))
    assert table.view.stance.elevation == 90


@pytest.mark.parametrize(("button", "keys"), [(LEFT, SHIFT), (MIDDLE, NONE)])
def test_shift_or_the_middle_button_moves_it(
    table: Table, button: Qt.MouseButton, keys: Qt.KeyboardModifier
) -> None:
    before = table.word("cat")
    table.drag(EMPTY, QPoint(60, -20), button, keys)
    assert table.word("cat") - before == QPoint(60, -20)
    assert table.view.stance.azimuth == Stance().azimuth


def test_the_wheel_zooms_about_the_pointer(table: Table) -> None:
    cat, dog = table.word("cat"), table.word("dog")
    table.wheel(cat, 3)
    assert (table.word("cat") - cat).manhattanLength() <= 2
    assert (table.word("dog") - cat).manhattanLength() > (dog - cat).manhattanLength() * 1.5


@pytest.mark.parametrize("how", ["key", "double click", "button"])
def test_reset_looks_from_the_start_again(table: Table, how: str) -> None:
    table.drag(EMPTY, QPoint(80, 40))
    table.wheel(EMPTY, 2)
    if how == "key":
        table.key(Qt.Key.Key_R)
    elif how == "double click":
        QTest.mouseDClick(table.view.viewport(), LEFT, NONE, EMPTY)
    else:
        table.view.reset()
    assert table.view.stance == Stance()


def test_keys_turn_move_and_zoom(table: Table) -> None:
    table.key(Qt.Key.Key_Right)
    table.key(Qt.Key.Key_Down)
    assert (table.view.stance.azimuth, table.view.stance.elevation) == (65, 27)
    table.key(Qt.Key.Key_Left, SHIFT)
    assert table.view.stance.pan_x < 0
    table.key(Qt.Key.Key_Plus)
    assert table.view.stance.zoom > 1
    table.key(Qt.Key.Key_Minus)
    assert table.view.stance.zoom == pytest.approx(1)
    table.key(Qt.Key.Key_6)
    assert table.intents == [ShowLabStage(Stage.A)]


def test_it_turns_by_itself_and_stops(qtbot: QtBot, table: Table) -> None:
    told: list[bool] = []
    table.view.turning_changed.connect(told.append)
    table.key(Qt.Key.Key_A)
    assert table.view.turning
    qtbot.waitUntil(lambda: table.view.stance.azimuth > Stance().azimuth + 1)
    assert table.view.stance.elevation == Stance().elevation
    table.key(Qt.Key.Key_A)
    assert told == [True, False]
    assert not table.view.turning


def test_with_reduced_motion_it_does_not_turn(table: Table) -> None:
    table.view.set_turning(True)
    table.view.reduce_motion(True)
    assert not table.view.turning
    table.key(Qt.Key.Key_A)
    assert not table.view.turning
    table.view.reduce_motion(False)
    table.key(Qt.Key.Key_A)
    assert table.view.turning


def test_names_and_values_stay_put_while_it_turns_and_settle_then(
    qtbot: QtBot, table: Table
) -> None:
    table.mouse(QEvent.Type.MouseButtonPress, EMPTY, LEFT, NONE)
    table.mouse(QEvent.Type.MouseMove, EMPTY + QPoint(5, 0), LEFT, NONE)
    offsets = []
    for n in range(2, 30):
        table.mouse(QEvent.Type.MouseMove, EMPTY + QPoint(5 * n, 0), LEFT, NONE)
        marker = next(m for m in table.view.drawing.markers if m.row == 0)
        text = next(t for t in table.view.drawing.texts if t.word.text == table.frame.vocabulary[0])
        offsets.append((text.x - marker.x, text.y - marker.y))
    assert np.ptp(np.array(offsets), axis=0).max() < 6
    assert table.view.drawing.many_edges == 150
    table.mouse(QEvent.Type.MouseButtonRelease, EMPTY + QPoint(150, 0), LEFT, NONE)
    qtbot.waitUntil(lambda: table.view.drawing.many_edges > 150)


# --- pointing and selecting ----------------------------------------------------------------------


def test_a_click_selects_a_word_once(table: Table) -> None:
    table.click(table.word("dog"))
    dog = table.frame.vocabulary.index("dog")
    assert table.intents == [SelectWord(dog)]
    table.view.draw(replace(table.frame, word=dog))
    table.click(table.word("dog"))
    assert table.intents == [SelectWord(dog)]


def test_a_click_on_an_edge_selects_its_cell(table: Table) -> None:
    query, key, at = table.chip()
    table.click(at)
    i, j = positions(table, query, key)
    assert table.intents == [Select(Selection(Role.A, query=i, key=j))]


@pytest.mark.parametrize("how", ["click", "escape"])
def test_an_empty_click_clears(table: Table, how: str) -> None:
    table.view.draw(replace(table.frame, word=2, selection=Selection(Role.A, 0, 1)))
    if how == "click":
        table.click(EMPTY)
    else:
        table.key(Qt.Key.Key_Escape)
    assert table.intents == [SelectWord(None), Select(None)]
    table.intents.clear()
    table.view.draw(table.frame)
    table.click(EMPTY)
    assert table.intents == []


def test_hovering_an_edge_tells_the_others_and_leaving_takes_it_back(table: Table) -> None:
    query, key, at = table.chip()
    before = table.view.drawing
    table.hover(at)
    i, j = positions(table, query, key)
    assert table.intents == [Hover(Selection(Role.A, query=i, key=j))]
    faded = [
        a.row
        for a, b in zip(before.markers, table.view.drawing.markers, strict=True)
        if a.colour != b.colour
    ]
    assert set(faded) == set(range(8)) - {query, key}
    QApplication.sendEvent(table.view.viewport(), QEvent(QEvent.Type.Leave))
    assert table.intents[-1] == Hover(None)
    assert table.view.drawing == before


def test_hovering_a_word_tells_the_others_once_and_leaving_takes_it_back(table: Table) -> None:
    at = table.word("dog")
    table.hover(at)
    table.hover(at + QPoint(1, 0))
    dog = table.frame.vocabulary.index("dog")
    assert table.intents == [HoverWord(dog)]
    assert [m.row for m in table.view.drawing.markers if m.hovered] == [dog]
    QApplication.sendEvent(table.view.viewport(), QEvent(QEvent.Type.Leave))
    assert table.intents == [HoverWord(dog), HoverWord(None)]


def test_a_word_hovered_elsewhere_is_seen_here(table: Table) -> None:
    before = table.view.drawing
    table.view.draw(replace(table.frame, hover_word=3))
    assert [m.row for m in table.view.drawing.markers if m.hovered] == [3]
    assert [t.x for t in table.view.drawing.texts] == [t.x for t in before.texts]
    table.view.draw(table.frame)
    assert table.view.drawing == before


def test_what_is_hovered_elsewhere_is_seen_here(table: Table) -> None:
    before = table.view.drawing
    table.view.draw(replace(table.frame, hover=Selection(Role.A, 0, 1)))
    assert table.view.drawing.markers != before.markers
    assert [t.x for t in table.view.drawing.texts] == [t.x for t in before.texts]
    table.view.draw(table.frame)
    assert table.view.drawing == before


def test_page_keys_go_through_the_words(table: Table) -> None:
    table.key(Qt.Key.Key_PageDown)
    table.view.draw(replace(table.frame, word=0))
    table.key(Qt.Key.Key_PageDown)
    table.key(Qt.Key.Key_PageUp)
    assert table.intents == [SelectWord(0), SelectWord(1), SelectWord(7)]


def test_a_selected_edge_is_outlined(table: Table) -> None:
    query, key, _at = table.chip()
    thing = Selection(Role.A, *positions(table, query, key))
    table.view.draw(replace(table.frame, selection=thing))
    chips = [c for c in table.view.drawing.chips if c.selected]
    assert [(chip.query, chip.key) for chip in chips] == [(query, key)]


# --- frames --------------------------------------------------------------------------------------


def floor_of(view: GraphView) -> Any:
    return view.drawing.grid[0].points


def test_the_scale_stands_still_from_step_to_step(qtbot: QtBot) -> None:
    trace = recorded_run(steps=9)
    first = lab_frame(trace, Cursor(step=0))
    table = Table(qtbot, first)
    floor, places = floor_of(table.view), set()
    for step in range(8):
        frame = lab_frame(trace, Cursor(step=step))
        for between in (0.0, 0.5):
            playing = Playback(playing=True, between=between)
            table.view.draw(replace(frame, basis=first.basis, playback=playing))
            assert floor_of(table.view) == floor
            places.add(table.word("cat").toTuple())
    assert len(places) > 8


def test_between_two_steps_a_word_is_half_way(qtbot: QtBot) -> None:
    trace = recorded_run(steps=9)
    at = []
    table = Table(qtbot, lab_frame(trace, Cursor(step=4)))
    for step, between in ((4, 0.0), (4, 0.5), (5, 0.0)):
        frame = lab_frame(trace, Cursor(step=step))
        table.view.draw(replace(frame, playback=Playback(playing=True, between=between)))
        at.append(table.view.screen_point(0))
    middle = (at[0] + at[2]) / 2
    assert (at[1] - middle).manhattanLength() < 0.01


def test_the_same_frame_is_not_drawn_again(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[object] = []
    monkeypatch.setattr(table.view, "_redraw", lambda keep: drawn.append(keep))
    table.view.draw(replace(table.frame, progress=Progress(epoch=9)))
    assert drawn == []
    table.view.draw(replace(table.frame, look=replace(table.frame.look, threshold=0.5)))
    assert len(drawn) == 1


def test_two_dimensions_are_a_plane(qtbot: QtBot) -> None:
    table = Table(qtbot, lab_frame(recorded_run(config=Config(d_model=2, heads=1))))
    assert table.view.stance == OVERHEAD
    texts = [t.word.text for t in table.view.drawing.texts]
    assert any(text.startswith("Dimension 1 ") for text in texts)
    assert not any(text.startswith("Dimension 3") for text in texts)
    assert table.view.drawing.shapes == ()
    points = table.frame.points
    assert points is not None
    markers = sorted(table.view.drawing.markers, key=lambda m: m.row)
    order = np.argsort([m.x for m in markers]).tolist()
    assert order == np.argsort(points[:, 0]).tolist()
    before = table.word("cat")
    table.drag(EMPTY, QPoint(40, 30))
    assert table.word("cat") - before == QPoint(40, 30)


def test_tsne_is_flat_and_says_what_it_is_not(table: Table) -> None:
    look = replace(table.frame.look, tsne=True)
    table.view.draw(replace(table.frame, look=look))
    assert "Laying out…" in notice(table.view)
    assert table.view.drawing.markers == ()
    layout = np.random.default_rng(0).normal(size=(8, 2)) * 30
    table.view.draw(replace(table.frame, look=look, layout=layout))
    assert notice(table.view) == ""
    assert table.view.drawing.grid == ()
    texts = [t.word.text for t in table.view.drawing.texts]
    assert "Distances between far groups mean nothing in t-SNE" in texts
    assert not any(text.startswith("PC") for text in texts)
    markers = sorted(table.view.drawing.markers, key=lambda m: m.row)
    assert np.argsort([m.x for m in markers]).tolist() == np.argsort(layout[:, 0]).tolist()
    assert np.argsort([-m.y for m in markers]).tolist() == np.argsort(layout[:, 1]).tolist()


def notice(view: GraphView) -> str:
    return " ".join(
        label.text() for label in view.viewport().findChildren(QLabel) if label.isVisible()
    )


def test_without_a_run_it_offers_to_train(qtbot: QtBot) -> None:
    table = Table(qtbot, LabFrame())
    assert notice(table.view) == "No run yet"
    button = table.view.findChild(QPushButton)
    assert isinstance(button, QPushButton)
    QTest.mouseClick(button, LEFT)
    assert table.intents == [Train()]
    table.key(Qt.Key.Key_R)
    table.drag(EMPTY, QPoint(40, 40))
    table.view.draw(LabFrame(progress=Progress(RunState.STARTING)))
    assert "starting" in notice(table.view)
    table.view.draw(lab_frame())
    assert notice(table.view) == ""
    assert not button.isVisible()


def test_a_trace_without_an_embedding_says_so(qtbot: QtBot) -> None:
    table = Table(qtbot, lab_frame(recorded_run(only=())))
    assert "holds no embedding" in notice(table.view)
    assert table.view.viewport().accessibleDescription() == notice(table.view)


def test_a_step_that_cannot_be_read_says_so(qtbot: QtBot) -> None:
    trace = recorded_run(steps=5)
    frame = lab_frame(trace, Cursor(step=2))
    trace.arrays["param.embedding"][2, 0, 0] = np.nan
    table = Table(qtbot, frame)
    assert "no numbers" in notice(table.view)
    assert table.view.drawing.markers == ()


def test_until_the_axes_are_known_it_says_so(qtbot: QtBot) -> None:
    frame = lab_frame()
    assert frame.values is not None
    table = Table(qtbot, replace(frame, basis=None, values=replace(frame.values, basis=None)))
    assert notice(table.view) == "Laying out…"


def test_without_logits_nothing_is_predicted(qtbot: QtBot) -> None:
    table = Table(qtbot, lab_frame(recorded_run(without={"logits"})))
    assert table.view.drawing.markers
    assert not any(chip.pill for chip in table.view.drawing.chips)


AWKWARD: dict[str, Callable[[], MemoryTrace]] = {
    "default": recorded_run,
    "two words": lambda: recorded_run("a b", steps=1),
    "one word": lambda: recorded_run("a a", steps=2),
    "200 words": lambda: recorded_run(sentences(200, 64, 6), steps=2),
    "scripts": lambda: recorded_run("👩‍👩‍👧 早上好 مرحبا\n<b>s</b> &amp; \u202eabc", steps=2),
    "long": lambda: recorded_run(" ".join("W" * 40 + str(n) for n in range(12)), steps=2),
    "plane": lambda: recorded_run(config=Config(d_model=2, heads=2), steps=2),
    "space": lambda: recorded_run(config=Config(d_model=3, heads=3), steps=2),
}


@pytest.mark.parametrize("theme", [Theme(), Theme(dark=True, percent=150)])
@pytest.mark.parametrize("name", list(AWKWARD))
def test_a_frame_is_drawn_twice_alike_and_emits_nothing(
    qtbot: QtBot, name: str, theme: Theme
) -> None:
    frame = lab_frame(AWKWARD[name]())
    table = Table(qtbot, frame, theme)
    first = table.view.grab().toImage()
    table.view.draw(LabFrame())
    table.view.draw(frame)
    assert table.view.grab().toImage() == first
    assert table.intents == []


def test_pixels_show_the_words_in_their_colours(qtbot: QtBot) -> None:
    for theme in (Theme(), Theme(dark=True)):
        table = Table(qtbot, lab_frame(), theme)
        image = table.view.grab().toImage()
        ratio = image.devicePixelRatio()
        for name, slot in (("cat", 0), ("likes", 1), ("fish", 2), ("worm", 6)):
            at = QPointF(table.word(name)) * ratio
            assert image.pixelColor(at.toPoint()).name().upper() == theme.slot(slot).fill


def test_a_picture_of_it_is_made_of_vectors(table: Table) -> None:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setSize(table.view.size())
    painter = QPainter(generator)
    table.view.render(painter, QPoint())
    painter.end()
    svg = buffer.data().data().decode()
    assert "<image" not in svg
    for name in table.frame.vocabulary:
        assert re.search(rf"<text[^>]*>{name}", svg)


def test_it_is_said_in_words(table: Table) -> None:
    said = table.view.viewport().accessibleDescription()
    assert table.view.viewport().accessibleName() == "Word graph"
    assert f"Epoch {table.frame.epoch}" in said
    assert "average over heads" in said
    for chip in table.view.drawing.chips:
        if not chip.pill:
            names = (table.frame.vocabulary[n] for n in (chip.query, chip.key))
            assert f"{' to '.join(names)} {chip.word.text}" in said
    names = word_names(Content.of(replace(table.frame, word=0), Theme()))
    assert len(names) == 8
    assert names[0].endswith("selected")
    listed = table.view.findChild(NameList)
    assert isinstance(listed, NameList)


def test_a_closed_graph_dies(qtbot: QtBot) -> None:
    view = GraphView(Theme())
    with qtbot.waitExposed(view):
        view.show()
    view.draw(lab_frame())
    view.set_turning(True)
    reference = weakref.ref(view)
    view.close()
    view.deleteLater()
    del view
    qtbot.waitUntil(lambda: gc.collect() >= 0 and reference() is None)


def test_it_goes_to_a_stance_at_once_or_by_and_by_until_a_hand_takes_it(
    table: Table,
) -> None:
    view, above = table.view, Stance(0.0, 90.0, 1.5)
    view.look_from(0.0, 90.0, 1.5)
    assert view.stance == above
    let_move(view, True)
    view.look_from(60.0, 22.0, 1.0)
    assert view.stance == above
    finish_motions(view)
    assert view.stance == Stance()
    view.look_from(0.0, 90.0, 1.5)
    moved: list[None] = []
    view.moved.connect(lambda: moved.append(None))
    QTest.keyClick(view.viewport(), Qt.Key.Key_Left)
    taken = view.stance
    finish_motions(view)
    assert view.stance == taken != above
    assert len(moved) == 1
