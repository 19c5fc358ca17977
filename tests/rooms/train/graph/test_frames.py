"""What the word graph shows of a frame."""

from __future__ import annotations

import gc
import re
import weakref
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QBuffer, QIODevice, QPoint, QPointF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QStackedWidget
from pytestqt.qtbot import QtBot

from explorer.kit.canvas.widget import NameList
from explorer.kit.theme import Theme
from explorer.rooms.train.beside import BesideView
from explorer.rooms.train.graph import GraphView
from explorer.rooms.train.graph.camera import OVERHEAD
from explorer.rooms.train.graph.placed_frame import Content
from explorer.rooms.train.graph.words import word_names
from explorer.session.train import (
    Compared,
    Cursor,
    Playback,
    Progress,
    RunState,
    StepValues,
    TrainCentre,
    TrainFrame,
)
from explorer.session.train.intents import Train
from explorer.traces import Config, fit_basis
from tests.rooms.train.graph.conftest import EMPTY, LEFT, Table
from tests.train_frames import MemoryTrace, recorded_run, sentences, train_frame


def floor_of(view: GraphView) -> Any:
    return view.drawing.grid[0].points


def test_the_scale_stands_still_from_step_to_step(qtbot: QtBot) -> None:
    trace = recorded_run(steps=9)
    first = train_frame(trace, Cursor(step=0))
    table = Table(qtbot, first)
    floor, places = floor_of(table.view), set()
    for step in range(8):
        frame = train_frame(trace, Cursor(step=step))
        for between in (0.0, 0.5):
            playing = Playback(playing=True, between=between)
            table.view.draw(replace(frame, basis=first.basis, playback=playing))
            assert floor_of(table.view) == floor
            places.add(table.word("cat").toTuple())
    assert len(places) > 8


def test_two_graphs_side_by_side_show_as_much_of_the_axes(qtbot: QtBot) -> None:
    """The second run is followed: when its graph is made, it has few steps."""
    run, theme = recorded_run(steps=9), Theme()
    embedding = run.arrays["param.embedding"].copy()
    embedding[5] *= 5
    arrays = {**run.arrays, "param.embedding": embedding, "epochs": run.arrays["epochs"][:3]}
    second, basis = MemoryTrace(run.run, arrays), fit_basis(run)
    views = QStackedWidget()
    graph = GraphView(theme)
    views.addWidget(graph)
    beside = BesideView(theme, views, graph)
    qtbot.addWidget(beside)
    beside.resize(1000, 600)

    def show(step: int) -> tuple[GraphView, GraphView]:
        spread = ((run, basis), (second, basis))
        one, other = (
            replace(
                train_frame(trace, Cursor(step=step)),
                basis=basis,
                spread=spread,
                values=StepValues(trace.step(step), 0, basis),
            )
            for trace in (run, second)
        )
        frame = replace(one, other=other, look=replace(one.look, compared=Compared.BOTH))
        graph.draw(frame)
        beside.draw(frame)
        twin = beside.others[TrainCentre.GRAPH]
        assert isinstance(twin, GraphView)
        return graph, twin

    with qtbot.waitExposed(beside):
        beside.show()
    show(1)
    arrays["epochs"] = run.arrays["epochs"]
    assert len({floor_of(view) for view in show(5)}) == 1
    first, twin = show(1)
    assert first.screen_point(0) == twin.screen_point(0)


def test_between_two_steps_a_word_is_half_way(qtbot: QtBot) -> None:
    trace = recorded_run(steps=9)
    at = []
    table = Table(qtbot, train_frame(trace, Cursor(step=4)))
    for step, between in ((4, 0.0), (4, 0.5), (5, 0.0)):
        frame = train_frame(trace, Cursor(step=step))
        table.view.draw(replace(frame, playback=Playback(playing=True, between=between)))
        at.append(table.view.screen_point(0))
    middle = (at[0] + at[2]) / 2
    assert (at[1] - middle).manhattanLength() < 0.01


def test_names_keep_their_side_while_the_playhead_is_dragged(qtbot: QtBot) -> None:
    trace = recorded_run(steps=9)
    frames = [train_frame(trace, Cursor(step=step)) for step in range(9)]
    frames = [replace(frame, basis=frames[0].basis) for frame in frames]
    table, last = Table(qtbot, frames[0]), Table(qtbot, frames[-1])

    def sides(view: GraphView) -> dict[str, tuple[bool, bool]]:
        """Return for each word whether its name begins right of its middle, and below it."""
        names = {text.word.text: text for text in view.drawing.texts}
        at = {table.frame.vocabulary[m.row]: m for m in view.drawing.markers}
        return {n: (names[n].x > m.x, names[n].y > m.y) for n, m in at.items() if n in names}

    begun = sides(table.view)
    for frame in frames:
        table.view.draw(replace(frame, playback=Playback(scrubbing=True)))
        assert sides(table.view) == begun
    assert sides(last.view) != begun
    table.view.draw(frames[-1])  # it is let go
    assert sides(table.view) == sides(last.view)


def test_the_same_frame_is_not_drawn_again(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[object] = []
    monkeypatch.setattr(table.view, "_redraw", lambda keep: drawn.append(keep))
    table.view.draw(replace(table.frame, progress=Progress(epoch=9)))
    assert drawn == []
    table.view.draw(replace(table.frame, look=replace(table.frame.look, threshold=0.5)))
    assert len(drawn) == 1


def test_two_dimensions_are_a_plane(qtbot: QtBot) -> None:
    table = Table(qtbot, train_frame(recorded_run(config=Config(d_model=2, heads=1))))
    assert table.view.stance == OVERHEAD
    texts = [t.word.text for t in table.view.drawing.texts]
    assert any(text.startswith("Dimension 1 ") for text in texts)
    assert not any(text.startswith("Dimension 3") for text in texts)
    # Neither shadows nor dotted lines to a floor: the trails alone, each a disc and its line.
    discs, lines = table.view.drawing.shapes[::2], table.view.drawing.shapes[1::2]
    assert [each.centre for each in discs] == [each.points[0] for each in lines]
    assert all(len(each.points) > 2 for each in lines)
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
    table = Table(qtbot, TrainFrame())
    assert notice(table.view) == "No run yet"
    button = table.view.findChild(QPushButton)
    assert isinstance(button, QPushButton)
    QTest.mouseClick(button, LEFT)
    assert table.intents == [Train()]
    table.key(Qt.Key.Key_R)
    table.drag(EMPTY, QPoint(40, 40))
    table.view.draw(TrainFrame(progress=Progress(RunState.STARTING)))
    assert "starting" in notice(table.view)
    table.view.draw(train_frame())
    assert notice(table.view) == ""
    assert not button.isVisible()


def test_a_trace_without_an_embedding_says_so(qtbot: QtBot) -> None:
    table = Table(qtbot, train_frame(recorded_run(only=())))
    assert "holds no embedding" in notice(table.view)
    assert table.view.viewport().accessibleDescription() == notice(table.view)


def test_a_step_that_cannot_be_read_says_so(qtbot: QtBot) -> None:
    trace = recorded_run(steps=5)
    frame = train_frame(trace, Cursor(step=2))
    embedding = trace.arrays["param.embedding"].copy()
    embedding[2, 0, 0] = np.nan
    trace.arrays["param.embedding"] = embedding
    table = Table(qtbot, frame)
    assert "not numbers" in notice(table.view)
    assert table.view.drawing.markers == ()


def test_until_the_axes_are_known_it_says_so(qtbot: QtBot) -> None:
    frame = train_frame()
    assert frame.values is not None
    table = Table(qtbot, replace(frame, basis=None, values=replace(frame.values, basis=None)))
    assert notice(table.view) == "Laying out…"


def test_without_logits_nothing_is_predicted(qtbot: QtBot) -> None:
    table = Table(qtbot, train_frame(recorded_run(without={"logits"})))
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
    frame = train_frame(AWKWARD[name]())
    table = Table(qtbot, frame, theme)
    first = table.view.grab().toImage()
    table.view.draw(TrainFrame())
    table.view.draw(frame)
    assert table.view.grab().toImage() == first
    assert table.intents == []


def test_pixels_show_the_words_in_their_colours(qtbot: QtBot) -> None:
    for theme in (Theme(), Theme(dark=True)):
        table = Table(qtbot, train_frame(), theme)
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
    with QPainter(generator) as painter:
        table.view.render(painter, QPoint())
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
    view.draw(train_frame())
    view.set_turning(True)
    reference = weakref.ref(view)
    view.close()
    view.deleteLater()
    del view
    qtbot.waitUntil(lambda: gc.collect() >= 0 and reference() is None)
