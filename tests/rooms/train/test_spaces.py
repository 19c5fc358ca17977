"""The Q K V spaces: points where the recorded numbers put them, on axes that stand still."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.kit.run_words import word_colours
from explorer.kit.theme import Theme
from explorer.rooms.train.space_pane import SpacePane
from explorer.rooms.train.spaces import SpacesView
from explorer.session import Role, Selection, Space
from explorer.session import Stage as ChainLink
from explorer.session.intents import Hover, Select
from explorer.session.train import Cursor, Playback, Progress, RunState, TrainFrame
from explorer.traces import Config
from tests.train_frames import MemoryTrace, recorded_run, train_frame
from tests.train_views import Stage, click, colour_at, leave, move, picture, stage

PAIR = Selection(Role.A, 1, 0)
PLANAR = Config(d_model=4, heads=2)  # d_k = 2


def page(
    qtbot: QtBot,
    frame: TrainFrame | None = None,
    theme: Theme | None = None,
    size: tuple[int, int] = (844, 648),
) -> Stage[SpacesView]:
    frame = train_frame(cursor=Cursor(3, head=0)) if frame is None else frame
    return stage(qtbot, SpacesView(theme or Theme()), frame, size, theme)


def at(pane: SpacePane, space: Space) -> NDArray[np.float64]:
    """Return where a space's points are drawn, in the order of the tokens."""
    found = {
        marker.row: (marker.x, marker.y) for marker in pane.drawing.markers if marker.space is space
    }
    return np.array([found[row] for row in sorted(found)])


def is_similar(drawn: NDArray[np.float64], points: NDArray[Any]) -> bool:
    """Return whether points lie as drawn, but for one scale and place (y runs downwards)."""
    flipped = drawn * [1, -1]
    a, b = flipped - flipped[0], points - points[0]
    scale = np.linalg.norm(a) / np.linalg.norm(b)
    return bool(np.allclose(a, scale * b, atol=0.01))


def texts(pane: SpacePane) -> str:
    return " ".join(text.word.text for text in pane.drawing.texts)


# --- where points are ----------------------------------------------------------------------------


def test_each_pane_has_its_points(qtbot: QtBot) -> None:
    shown = page(qtbot)
    spaces = [{marker.space for marker in pane.drawing.markers} for pane in shown.view.panes]
    assert spaces == [{Space.Q}, {Space.K}, {Space.Q, Space.K}, {Space.V, Space.O}]
    assert len(at(shown.view.panes[0], Space.Q)) == len(at(shown.view.panes[3], Space.O)) == 2


def test_two_dimensions_are_drawn_as_they_are(qtbot: QtBot) -> None:
    trace = recorded_run("a b c d e", PLANAR, steps=4)
    shown = page(qtbot, train_frame(trace, Cursor(2, head=1)))
    for pane, space, name in (
        (0, Space.Q, "q"),
        (1, Space.K, "k"),
        (3, Space.V, "v"),
        (3, Space.O, "head_output"),
    ):
        drawn = at(shown.view.panes[pane], space)
        assert is_similar(drawn, trace.array(name, 2, 0, 0, 1))
    assert "PCA" not in texts(shown.view.panes[0])


def test_more_dimensions_are_projected_and_say_so(qtbot: QtBot) -> None:
    trace = recorded_run("a b c d e", steps=4)
    shown = page(qtbot, train_frame(trace, Cursor(2, head=1)))
    assert "PCA of 8 dimensions, " in texts(shown.view.panes[0])
    q, k = (trace.array(name, 2, 0, 0, 1) for name in "qk")
    every = np.concatenate(
        [trace.array(name, step, 0, 0, 1) for step in range(4) for name in "qk"]
    ).astype(float)
    centred = every - every.mean(axis=0)
    _u, s, axes = np.linalg.svd(centred, full_matrices=False)
    share = round(100 * float((s[:2] ** 2).sum() / (s**2).sum()))
    assert f"{share} % of the variance" in texts(shown.view.panes[0])
    plane = np.concatenate([q, k]) @ axes[:2].T
    flow = shown.view.panes[2]
    drawn = np.concatenate([at(flow, Space.Q), at(flow, Space.K)])
    # A principal axis may point either way.
    signs = ((1, 1), (1, -1), (-1, 1), (-1, -1))
    assert any(is_similar(drawn, plane * sign) for sign in signs)


def test_a_query_lies_in_the_flow_where_it_lies_alone(qtbot: QtBot) -> None:
    panes = page(qtbot).view.panes
    # But for a pixel that cannot be halved.
    np.testing.assert_allclose(at(panes[0], Space.Q), at(panes[2], Space.Q), atol=1)
    np.testing.assert_allclose(at(panes[1], Space.K), at(panes[2], Space.K), atol=1)


def test_scrubbing_keeps_axes_and_scale(qtbot: QtBot) -> None:
    trace = recorded_run("a b c d", PLANAR, steps=20)
    shown = page(qtbot, train_frame(trace, Cursor(0, head=0)))
    places = []
    for step in range(20):
        frame = train_frame(trace, Cursor(step, head=0))
        shown.draw(values=frame.values, cursor=frame.cursor)
        places.append(at(shown.view.panes[0], Space.Q))
    # The recorded rows move evenly; so do the points, in one scale.
    steps = np.stack([trace.array("q", step, 0, 0, 0) for step in range(20)])
    drawn = (np.stack(places) - places[0]).reshape(-1, 2) * [1, -1]
    assert is_similar(drawn * [1, -1], (steps - steps[0]).reshape(-1, 2))


def test_after_a_drag_of_the_playhead_names_lie_as_after_a_press(qtbot: QtBot) -> None:
    trace = recorded_run(" ".join("abcdefghijklmn"), PLANAR, steps=4)
    frames = [train_frame(trace, Cursor(step, head=0)) for step in range(4)]

    def names(view: SpacesView) -> list[tuple[float, float]]:
        return [(text.x, text.y) for pane in view.panes for text in pane.drawing.texts]

    shown = page(qtbot, frames[0])
    for frame in frames:
        held = Playback(scrubbing=True)
        shown.draw(values=frame.values, cursor=frame.cursor, playback=held)
    shown.draw(playback=Playback())
    assert names(shown.view) == names(page(qtbot, frames[3]).view)


def test_a_growing_run_turns_its_axes_only_when_it_has_doubled(qtbot: QtBot) -> None:
    trace = recorded_run("a b c d", steps=16)

    def frame(recorded: int) -> TrainFrame:
        grown = MemoryTrace(trace.run, trace.arrays)
        found = train_frame(trace, Cursor(2, head=0))
        return replace(
            found,
            trace=trace,
            recorded=grown.epochs[:recorded],
            progress=Progress(RunState.RUNNING),
        )

    shown = page(qtbot, frame(4))
    first = at(shown.view.panes[0], Space.Q)
    shown.draw(recorded=trace.epochs[:7])
    np.testing.assert_allclose(at(shown.view.panes[0], Space.Q), first)
    shown.draw(recorded=trace.epochs[:8])
    after = at(shown.view.panes[0], Space.Q)
    assert not np.allclose(after, first)
    # Turned as little as can be: nothing is mirrored.
    a, b = first - first.mean(axis=0), after - after.mean(axis=0)
    assert (a * b).sum() > 0.5 * np.linalg.norm(a) * np.linalg.norm(b)


def test_a_run_that_was_followed_lies_as_when_it_is_opened_again(qtbot: QtBot) -> None:
    trace = recorded_run("a b c d e f", steps=40)
    last = train_frame(trace, Cursor(39, head=0))
    shown = page(qtbot, replace(train_frame(trace, Cursor(0, head=0)), recorded=trace.epochs[:1]))
    for step in (0, 1, 2, 5, 11, 23, 39):
        values = train_frame(trace, Cursor(step, head=0))
        shown.draw(
            cursor=values.cursor,
            values=values.values,
            recorded=trace.epochs[: step + 1],
            progress=Progress(RunState.RUNNING),
        )
    shown.draw(progress=Progress(RunState.FINISHED))
    again = page(qtbot, last)
    for followed, opened in zip(shown.view.panes, again.view.panes, strict=True):
        for space in {marker.space for marker in opened.drawing.markers}:
            np.testing.assert_allclose(at(followed, space), at(opened, space))


def test_points_move_evenly_while_playing(qtbot: QtBot) -> None:
    trace = recorded_run("a b c d", PLANAR, steps=6)
    shown = page(qtbot, train_frame(trace, Cursor(2, head=0)))
    here = at(shown.view.panes[0], Space.Q)
    shown.draw(playback=Playback(playing=True, between=0.5))
    half = at(shown.view.panes[0], Space.Q)
    following = train_frame(trace, Cursor(3, head=0))
    shown.draw(cursor=following.cursor, values=following.values, playback=Playback(playing=True))
    there = at(shown.view.panes[0], Space.Q)
    np.testing.assert_allclose(half, (here + there) / 2, atol=1e-6)
    assert np.abs(there - here).max() > 1


# --- the flow ------------------------------------------------------------------------------------


def test_edges_are_as_wide_as_their_weights(qtbot: QtBot) -> None:
    trace = recorded_run("a b c d", steps=3)
    shown = page(qtbot, train_frame(trace, Cursor(1, head=1)))
    weights = trace.array("weights", 1, 0, 0, 1)
    edges = shown.view.panes[2].drawing.edges
    assert {(edge.query, edge.key) for edge in edges} == set(np.ndindex(3, 3))
    for edge in edges:
        # As on the plane, times what leaves room in a quarter of it.
        wide = 0.55 * (1.5 + 22 * float(weights[edge.query, edge.key]))
        assert edge.width == pytest.approx(wide)
    assert shown.view.panes[0].drawing.edges == ()


def test_what_an_output_is_mixed_of_is_drawn_for_a_chosen_query(qtbot: QtBot) -> None:
    shown = page(qtbot)
    assert shown.view.panes[3].drawing.edges == ()
    shown.draw(selection=Selection(Role.O, query=1))
    assert {(e.query, e.key) for e in shown.view.panes[3].drawing.edges} == {(1, 0), (1, 1)}


def test_points_have_the_colours_of_their_words(qtbot: QtBot) -> None:
    shown = page(qtbot, train_frame(cursor=Cursor(3, sample=4, head=0)))
    trace = shown.frame.trace
    assert trace is not None
    every = word_colours(Theme(), shown.frame)
    for pane in shown.view.panes:
        for marker in pane.drawing.markers:
            assert marker.colour == every[int(trace.tokens[4, marker.row])]
    point = QPointF(*at(shown.view.panes[1], Space.K)[0])
    wanted = QColor(every[int(trace.tokens[4, 0])].fill)
    assert colour_at(shown.view.panes[1], point) == wanted


def test_a_word_that_stands_twice_in_a_sentence_has_its_places(qtbot: QtBot) -> None:
    shown = page(
        qtbot, train_frame(recorded_run("the cat sees the dog", steps=2), Cursor(1, head=1))
    )
    places = [
        each.word.text for each in shown.view.panes[0].drawing.texts if "\u2009" in each.word.text
    ]
    assert sorted(places) == ["\u20091", "\u20094"], "their colour is the same"


# --- selecting -----------------------------------------------------------------------------------


def test_a_click_on_a_point_selects_its_token(qtbot: QtBot) -> None:
    shown = page(qtbot)
    panes = shown.view.panes
    click(panes[0], QPointF(*at(panes[0], Space.Q)[1]))
    assert Select(Selection(Role.Q, query=1)) in shown.asked()
    click(panes[1], QPointF(*at(panes[1], Space.K)[0]))
    assert Select(Selection(Role.K, key=0)) in shown.asked()
    click(panes[0], QPointF(3, panes[0].height() - 3))
    assert Select(None) in shown.asked()


def test_a_key_after_a_query_is_their_weight(qtbot: QtBot) -> None:
    shown = page(qtbot)
    shown.draw(selection=Selection(Role.Q, query=1))
    pane = shown.view.panes[1]
    click(pane, QPointF(*at(pane, Space.K)[0]))
    assert Select(PAIR) in shown.asked()


def test_a_value_on_an_edge_is_its_pair_in_every_view(qtbot: QtBot) -> None:
    shown = page(qtbot)
    flow = shown.view.panes[2]
    chip = flow.drawing.chips[0]
    middle = QPointF((chip.rect[0] + chip.rect[2]) / 2, (chip.rect[1] + chip.rect[3]) / 2)
    move(flow, middle)
    move(flow, middle + QPointF(1, 0))
    wanted = Selection(Role.A, chip.query, chip.key)
    assert shown.asked() == [Hover(wanted)]
    shown.draw(hover=wanted)
    hovered = [c for c in flow.drawing.chips if c.hovered]
    assert [(c.query, c.key) for c in hovered] == [wanted.pair]
    leave(flow)
    assert shown.asked() == [Hover(None)]
    click(flow, middle)
    assert Select(wanted) in shown.asked()


def test_hovering_moves_nothing(qtbot: QtBot) -> None:
    shown = page(qtbot)
    flow = shown.view.panes[2]
    before = [(t.word.text, t.x, t.y) for t in flow.drawing.texts]
    shown.draw(hover=PAIR)
    assert [(t.word.text, t.x, t.y) for t in flow.drawing.texts] == before


def test_arrow_keys_move_the_pair(qtbot: QtBot) -> None:
    shown = page(qtbot, train_frame(cursor=Cursor(3, head=0), selection=PAIR))
    qtbot.keyClick(shown.view.panes[2], Qt.Key.Key_Right)
    assert shown.asked() == [Select(Selection(Role.A, 1, 1))]
    qtbot.keyClick(shown.view.panes[2], Qt.Key.Key_F)
    assert shown.asked() == []


# --- what is said --------------------------------------------------------------------------------


def test_the_average_shows_the_first_head_and_says_why(qtbot: QtBot) -> None:
    shown = page(qtbot, train_frame(cursor=Cursor(6)))
    assert "Head 1 of 2, epoch 30" in shown.view.heading.visible_text
    assert "belong to one head" in shown.view.heading.visible_text


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        (TrainFrame(), "No run yet."),
        (train_frame(recorded_run(only=(), steps=2), Cursor(1)), "does not hold x, q, k, v"),
    ],
)
def test_what_is_not_there_is_said(qtbot: QtBot, frame: TrainFrame, said: str) -> None:
    shown = page(qtbot, frame)
    assert said in shown.view.heading.visible_text
    assert not any(pane.isVisible() for pane in shown.view.panes)
    found = train_frame(cursor=Cursor(1, head=0))
    shown.draw(trace=found.trace, values=found.values, recorded=found.recorded)
    assert all(pane.isVisible() for pane in shown.view.panes)
    assert len(at(shown.view.panes[0], Space.Q)) == 2


def test_steps_without_numbers_are_left_out_of_the_axes(qtbot: QtBot) -> None:
    trace = recorded_run(steps=4)
    arrays = {"q": trace.arrays["q"].copy()}
    arrays["q"][2] = np.nan
    broken = MemoryTrace(trace.run, {**trace.arrays, **arrays})
    shown = page(qtbot, train_frame(broken, Cursor(1, head=0)))
    assert np.isfinite(at(shown.view.panes[0], Space.Q)).all()
    bad = train_frame(broken, Cursor(2, head=0))
    shown.draw(values=bad.values, cursor=bad.cursor)
    assert "q of epoch 10 holds values that are not numbers" in shown.view.heading.visible_text


@pytest.mark.parametrize(
    "config", [Config(), PLANAR, Config(d_model=2), Config(d_model=2, heads=1)]
)
@pytest.mark.parametrize("text", ["a b", "a a a b", " ".join(f"w{i}" for i in range(33))])
def test_every_shape_can_be_drawn(qtbot: QtBot, config: Config, text: str) -> None:
    theme = Theme(dark=True, percent=150)
    frame = train_frame(recorded_run(text, config, steps=2), Cursor(1, head=0), selection=None)
    shown = page(qtbot, frame, theme, (620, 500))
    first = picture(shown.view)
    shown.draw()
    assert picture(shown.view) == first
    assert shown.asked() == []


# --- little room ---------------------------------------------------------------------------------


def visible(spaces: SpacesView) -> list[int]:
    return [number for number, pane in enumerate(spaces.panes) if pane.isVisible()]


def test_where_it_is_low_one_pane_is_shown_that_is_chosen(qtbot: QtBot) -> None:
    shown = page(qtbot, size=(528, 340))
    spaces = shown.view
    choice = spaces.grid.choice
    assert choice.isVisible()
    assert visible(spaces) == [2]
    assert spaces.panes[2].height() > 250
    texts_of = [choice.button(number).text() for number in range(4)]
    assert texts_of == ["Q", "K", "Q→K", "V→O"]
    assert choice.button(0).accessibleName() == "Q: what each token asks"
    for number in (0, 1, 3, 2):
        click(choice.button(number), QPointF(choice.button(number).rect().center()))
        assert visible(spaces) == [number]
        assert choice.button(number).isChecked()
        assert spaces.panes[number].drawing.markers
    assert shown.asked() == []

    spaces.resize(528, 640)
    QApplication.processEvents()
    assert visible(spaces) == [0, 1, 2, 3]
    assert not choice.isVisible()
    heights = [pane.geometry().bottom() for pane in spaces.panes]
    assert max(heights) == spaces.grid.rect().bottom()


def test_where_it_is_low_the_station_of_the_chain_chooses_the_pane(qtbot: QtBot) -> None:
    frame = train_frame(cursor=Cursor(3, head=0))
    shown = page(qtbot, frame, size=(528, 340))
    stations = {
        ChainLink.Q: 0,
        ChainLink.K: 1,
        ChainLink.V: 3,
        ChainLink.A: 2,
        ChainLink.O: 3,
        ChainLink.S: 2,
    }
    for station, number in stations.items():
        shown.view.draw(replace(frame, look=replace(frame.look, stage=station)))
        assert visible(shown.view) == [number]


def test_a_title_leaves_the_choice_its_place(qtbot: QtBot) -> None:
    spaces = page(qtbot, size=(420, 340)).view
    choice, pane = spaces.grid.choice, spaces.panes[2]
    image = picture(pane)
    canvas = QColor(spaces.theme.palette.canvas)
    left = choice.mapTo(spaces.grid, choice.rect().topLeft()).x()
    for x in range(left - 6, pane.width()):
        assert all(image.pixelColor(x, y) == canvas for y in range(34))
