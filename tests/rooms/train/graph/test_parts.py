"""The word graph's pure parts: camera, edges, colours and the drawing."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QApplication

from explorer.kit.canvas import text
from explorer.kit.canvas.drawing import Disc, Drawing, Line
from explorer.kit.run_words import word_colours
from explorer.kit.theme import Theme
from explorer.rooms.train.graph.camera import (
    OVERHEAD,
    Cloud,
    OrbitCamera,
    Stance,
    Viewport,
    extent_of,
    turn_matrix,
)
from explorer.rooms.train.graph.compose import Composed, compose
from explorer.rooms.train.graph.graph_edges import (
    MOST_FAINT,
    GraphEdge,
    Kind,
    Pointed,
    graph_edges_of,
    pointed,
    selection_of,
)
from explorer.rooms.train.graph.placed_frame import Content, Layout, PlacedFrame
from explorer.session.look import Role, Selection
from explorer.session.train import Cursor, TrainFrame
from explorer.traces import Config
from tests.train_frames import MemoryTrace, recorded_run, sentences, train_frame

ROOM = Viewport(844.0, 590.0, 54.0, 46.0, 22.0)
ANGLES = st.floats(0, 360), st.floats(0, 90)
POINTS = st.lists(st.tuples(*[st.floats(-50, 50)] * 3), min_size=1, max_size=8).map(np.array)


def with_look(frame: TrainFrame, **look: Any) -> TrainFrame:
    return replace(frame, look=replace(frame.look, **look))


def composed(
    frame: TrainFrame,
    stance: Stance | None = None,
    hover: Pointed | None = None,
    keep: Layout | None = None,
    theme: Theme | None = None,
) -> Composed:
    content = Content.of(frame, theme or Theme())
    places = frame.points
    assert places is not None
    extent = Cloud().extent(frame, places)
    camera = OrbitCamera.of(stance or Stance(), extent, ROOM, flat=False)
    placed = PlacedFrame.of(content, camera, places, extent, 3, hover, ROOM)
    return compose(placed, ROOM.width, ROOM.height, keep or Layout(), moving=False)


# --- camera --------------------------------------------------------------------------------------


def test_seen_from_above_the_floor_is_a_map() -> None:
    np.testing.assert_allclose(turn_matrix(OVERHEAD), np.eye(3), atol=1e-6)


def test_seen_from_the_side_the_third_axis_points_up() -> None:
    right, up, near = turn_matrix(Stance(azimuth=0.0, elevation=0.0))
    np.testing.assert_allclose(right, (1, 0, 0), atol=1e-6)
    np.testing.assert_allclose(up, (0, 0, 1), atol=1e-6)
    np.testing.assert_allclose(near, (0, -1, 0), atol=1e-6)


@given(*ANGLES)
def test_a_turn_is_what_trigonometry_says(azimuth: float, elevation: float) -> None:
    a, e = math.radians(azimuth), math.radians(elevation)
    x, y, z = 0.3, -1.2, 0.7
    across, back = x * math.cos(a) - y * math.sin(a), x * math.sin(a) + y * math.cos(a)
    wanted = (
        across,
        back * math.sin(e) + z * math.cos(e),
        z * math.sin(e) - back * math.cos(e),
    )
    found = turn_matrix(Stance(azimuth, elevation)) @ np.array([x, y, z])
    np.testing.assert_allclose(found, wanted, atol=1e-5)


def test_a_picture_begins_with_the_floor_as_drawn() -> None:
    """One corner left, one at the back, one right and one in front, as in the design."""
    extent = extent_of(np.array([(-3.0, -2.0, -1.0), (3.0, 2.0, 1.0)]))
    camera = OrbitCamera.of(Stance(), extent, ROOM, flat=False)
    (x0, y0, z), (x1, y1, _top) = extent.low, extent.high
    corners = np.array([(x0, y1, z), (x1, y1, z), (x1, y0, z), (x0, y0, z)])
    left, back, right, front = camera.to_screen(corners)[:, :2]
    assert left[0] < back[0] < front[0] < right[0]
    assert back[1] < right[1] < left[1] < front[1]


@given(POINTS, *ANGLES)
def test_turning_never_resizes_and_all_fits_at_the_first_elevation(
    points: np.ndarray[Any, np.dtype[np.float64]], azimuth: float, elevation: float
) -> None:
    extent = extent_of(points)
    start = OrbitCamera.of(Stance(), extent, ROOM, flat=False)
    turned = OrbitCamera.of(Stance(azimuth, elevation), extent, ROOM, flat=False)
    assert turned.scale == start.scale
    level = OrbitCamera.of(Stance(azimuth), extent, ROOM, flat=False)
    x, y, _near = level.to_screen(points).T
    assert (x >= ROOM.side - 1).all()
    assert (x <= ROOM.width - ROOM.side + 1).all()
    assert (y >= ROOM.above - 1).all()
    assert (y <= ROOM.height - ROOM.below + 1).all()


@given(st.floats(0.5, 2), st.floats(-300, 300), st.floats(-300, 300), st.floats(-90, 90))
def test_zooming_keeps_what_is_under_the_pointer(
    factor: float, x: float, y: float, pan: float
) -> None:
    extent = extent_of(np.array([(-3.0, -2.0, -1.0), (3.0, 2.0, 1.0)]))
    stance = Stance().panned(pan, -pan)
    before = OrbitCamera.of(stance, extent, ROOM, flat=False)
    home_x, home_y = before.x - stance.pan_x, before.y - stance.pan_y
    # The point of the screen's plane that lies under the pointer.
    right, up, _near = before.matrix
    under = before.middle + (x - pan) / before.scale * right - (y + pan) / before.scale * up
    after = OrbitCamera.of(stance.zoomed(factor, x, y), extent, ROOM, flat=False)
    for camera in (before, after):
        seen = camera.to_screen(under[None])[0]
        np.testing.assert_allclose(seen[:2], (home_x + x, home_y + y), atol=1e-2)


def test_words_in_one_place_are_seen() -> None:
    for place in ((0.0, 0.0, 0.0), (5.0, 5.0, 5.0), (0.0, 1e-308, 0.0), (1e30, -1e30, 3.0)):
        extent = extent_of(np.array([place, np.nextafter(place, 9.0)]))
        seen = OrbitCamera.of(Stance(), extent, ROOM, flat=False).to_screen(np.array([place]))
        assert 0 < seen[0, 0] < ROOM.width
        assert 0 < seen[0, 1] < ROOM.height


def test_the_extent_is_the_same_at_every_step_of_a_run() -> None:
    trace, cloud = recorded_run(steps=9), Cloud()
    extents = []
    for step in (0, 8, 3, 5):
        frame = train_frame(trace, Cursor(step=step))
        if step == 0:
            basis = frame.basis
        frame = replace(frame, basis=basis)
        assert frame.points is not None
        extents.append(cloud.extent(frame, frame.points))
    assert all(extent is extents[0] for extent in extents)


def test_however_one_comes_to_a_step_the_extent_is_the_same() -> None:
    """One step of a run of usual length lies far beyond those around it."""
    run = recorded_run(steps=41)
    embedding = run.arrays["param.embedding"].copy()
    embedding[33] *= 5
    trace = MemoryTrace(run.run, {**run.arrays, "param.embedding": embedding})
    extents = []
    for way in ((40, 33, 20), (40, 20)):
        cloud, basis = Cloud(), train_frame(trace).basis
        for step in way:
            frame = replace(train_frame(trace, Cursor(step=step)), basis=basis)
            assert frame.points is not None
            extent = cloud.extent(frame, frame.points)
        extents.append(np.concatenate([extent.low, extent.high]))
    np.testing.assert_array_equal(*extents)


def test_the_extent_grows_for_words_that_leave_it_and_never_shrinks() -> None:
    frame, cloud = train_frame(), Cloud()
    assert frame.points is not None
    first = cloud.extent(frame, frame.points)
    far = cloud.extent(frame, frame.points * 10)
    assert (far.high > first.high).all()
    assert cloud.extent(frame, frame.points) is far


# --- edges ---------------------------------------------------------------------------------------


@settings(max_examples=25)
@given(
    threshold=st.sampled_from([0.0, 0.1, 0.2, 0.5, 0.8, 1.0]),
    sample=st.integers(0, 5),
    head=st.sampled_from([None, 0, 1]),
    causal=st.booleans(),
)
def test_only_edges_from_the_threshold_on_are_drawn(
    threshold: float, sample: int, head: int | None, causal: bool
) -> None:
    trace = recorded_run(config=Config(causal=causal), steps=3)
    frame = with_look(train_frame(trace, Cursor(1, sample, 0, head)), threshold=threshold)
    assert frame.values is not None
    assert frame.values.probabilities is not None
    graph_edges = graph_edges_of(frame)
    assert all(
        graph_edge.weight >= threshold and graph_edge.weight > 0 for graph_edge in graph_edges.all
    )
    own = frame.values.links(sample, head)
    bold = {graph_edge[:3] for graph_edge in graph_edges.all if graph_edge.kind is Kind.BOLD}
    assert bold == {tuple(link) for link in own if link.weight >= threshold and link.weight > 0}
    faint = {graph_edge[:2] for graph_edge in graph_edges.all if graph_edge.kind is Kind.FAINT}
    assert not faint & {graph_edge[:2] for graph_edge in bold}
    others = frame.values.other_links(sample, head)
    wanted = {link[:2] for link in others if link.weight >= threshold and link.weight > 0}
    assert faint == wanted - {graph_edge[:2] for graph_edge in bold}
    predicted = [graph_edge for graph_edge in graph_edges.all if graph_edge.kind is Kind.PREDICTED]
    chance = float(frame.values.probabilities[sample].max())
    assert len(predicted) == (chance >= threshold)
    for graph_edge in predicted:
        assert graph_edge.query == trace.tokens[sample, trace.lengths[sample] - 1]
        assert graph_edge.key == frame.values.probabilities[sample].argmax()


def test_with_a_word_selected_its_edges_alone_are_bold() -> None:
    frame = with_look(train_frame(), threshold=0.0)
    word = frame.vocabulary.index("eats")  # in other samples than the chosen one
    graph_edges = graph_edges_of(replace(frame, word=word)).all
    bold = [graph_edge for graph_edge in graph_edges if graph_edge.kind is Kind.BOLD]
    assert bold
    assert all(word in (graph_edge.query, graph_edge.key) for graph_edge in bold)
    assert all(
        word not in (graph_edge.query, graph_edge.key)
        for graph_edge in graph_edges
        if graph_edge.kind is Kind.FAINT
    )


def test_of_too_many_faint_edges_the_strongest_are_drawn() -> None:
    frame = with_look(train_frame(recorded_run(sentences(200, 64, 9), steps=2)), threshold=0.0)
    assert frame.values is not None
    # Of so many sentences the chosen one's edges alone, until those of all are asked for.
    assert {edge.kind for edge in graph_edges_of(frame).all} == {Kind.BOLD, Kind.PREDICTED}
    of_word = graph_edges_of(replace(frame, word=frame.vocabulary.index("w3")))
    ends = {word for edge in of_word.all if edge.kind is Kind.BOLD for word in edge[:2]}
    assert len(ends) > 1
    frame = with_look(frame, others=True)
    graph_edges = graph_edges_of(frame)
    faint = sorted(
        graph_edge.weight for graph_edge in graph_edges.all if graph_edge.kind is Kind.FAINT
    )
    assert graph_edges.cut
    assert MOST_FAINT - 80 < len(faint) <= MOST_FAINT
    others = sorted((link.weight for link in frame.values.other_links(0, None)), reverse=True)
    assert faint[0] >= others[MOST_FAINT - 1]


def test_an_edge_is_selected_where_its_weight_is_largest() -> None:
    frame = train_frame(recorded_run("a b a c\nb a c", steps=2))
    assert frame.values is not None
    weights = frame.values.sample_weights(0, None)
    a, b = frame.vocabulary.index("a"), frame.vocabulary.index("b")
    larger = 0 if weights[0, 1] > weights[2, 1] else 2
    assert selection_of(frame, a, b) == Selection(Role.A, query=larger, key=1)
    assert selection_of(frame, a, frame.vocabulary.index("c")) is None


def test_what_is_pointed_at_elsewhere_is_found_in_the_graph() -> None:
    frame = train_frame()
    words = [frame.vocabulary.index(word) for word in frame.words]
    assert pointed(Selection(Role.A, 0, 1), frame) == Pointed(words[0], words[1])
    assert pointed(Selection(Role.K, key=1), frame) == Pointed(None, words[1])
    assert pointed(Selection(Role.WQ, 0, column=1), frame) is None
    assert pointed(Selection(Role.A, 9, 9), frame) is None
    edge = GraphEdge(words[0], words[1], 0.5, Kind.BOLD)
    assert Pointed(words[0]).touches(edge)
    assert Pointed(None, words[1]).touches(edge)
    assert not Pointed(words[1], words[0]).touches(edge)


# --- drawing -------------------------------------------------------------------------------------


def distance(drawing: Drawing, kind: Kind, frame: TrainFrame, theme: Theme) -> list[float]:
    """Return how far the edges of a kind are from the canvas, 1 for the full colour."""
    canvas = np.array(theme.color("canvas").getRgb()[:3])
    found = []
    for edge, graph_edge in zip(drawing.edges, graph_edges_of(frame).all, strict=True):
        if graph_edge.kind is kind:
            full = np.array(
                theme.color(word_colours(theme, frame)[graph_edge.query].fill).getRgb()[:3]
            )
            own = np.array(edge.colour.getRgb()[:3])
            found.append(float(np.abs(own - canvas).sum() / np.abs(full - canvas).sum()))
    return found


@pytest.mark.parametrize("theme", [Theme(), Theme(dark=True)])
def test_edges_have_the_colour_of_the_word_they_leave(qapp: QApplication, theme: Theme) -> None:
    frame = with_look(train_frame(), threshold=0.0)
    drawing = composed(frame, theme=theme).drawing
    assert distance(drawing, Kind.BOLD, frame, theme) == pytest.approx([1.0] * 4)
    faint = distance(drawing, Kind.FAINT, frame, theme)
    assert faint
    assert all(0.1 < share <= 0.21 for share in faint)


def test_stronger_edges_are_wider(qapp: QApplication) -> None:
    frame = with_look(train_frame(), threshold=0.0)
    drawing = composed(frame).drawing
    for kind in (Kind.FAINT, Kind.BOLD):
        rows = [
            (graph_edge.weight, edge.width)
            for edge, graph_edge in zip(drawing.edges, graph_edges_of(frame).all, strict=True)
            if graph_edge.kind is kind and graph_edge.query != graph_edge.key
        ]
        assert [width for _weight, width in sorted(rows)] == sorted(w for _weight, w in rows)


def test_an_edge_to_oneself_is_a_ring_around_the_marker(qapp: QApplication) -> None:
    drawing = composed(with_look(train_frame(), threshold=0.0)).drawing
    markers = {marker.row: marker for marker in drawing.markers}
    rings = [edge for edge in drawing.edges if edge.query == edge.key and not edge.dashed]
    assert rings
    for ring in rings:
        marker = markers[ring.query]
        assert ring.points == ((marker.x, marker.y),)
        assert ring.radius - ring.width / 2 > marker.diameter / 2


def test_bold_edges_carry_their_weight_and_faint_ones_nothing(qapp: QApplication) -> None:
    frame = train_frame()
    drawing, graph_edges = composed(frame).drawing, graph_edges_of(frame).all
    weights = {
        graph_edge[:2]: graph_edge.weight
        for graph_edge in graph_edges
        if graph_edge.kind is not Kind.FAINT
    }
    assert drawing.chips
    for chip in drawing.chips:
        assert chip.word.text == f"{weights[chip.query, chip.key]:.2f}"
    pills = [chip for chip in drawing.chips if chip.pill]
    assert [(chip.query, chip.key) for chip in pills] == [
        graph_edge[:2] for graph_edge in graph_edges if graph_edge.kind is Kind.PREDICTED
    ]


def test_names_and_values_do_not_cover_one_another(qapp: QApplication) -> None:
    drawing = composed(train_frame()).drawing
    boxes = [chip.rect for chip in drawing.chips]
    boxes += [(t.x, t.y, t.x + t.word.width, t.y + t.word.height) for t in drawing.texts]
    for n, (left, top, right, bottom) in enumerate(boxes):
        for other in boxes[:n]:
            apart = left >= other[2] or right <= other[0] or top >= other[3] or bottom <= other[1]
            assert apart


def test_the_samples_words_are_larger(qapp: QApplication) -> None:
    frame = train_frame()
    drawing = composed(frame).drawing
    weights = {t.word.text: t.word.font.weight() for t in drawing.texts}
    predicted = graph_edges_of(frame).predicted
    assert predicted is not None
    said = {*frame.words, frame.vocabulary[predicted]}
    assert {name for name in frame.vocabulary if weights[name] == 600} == said


def test_the_axes_say_what_they_explain(qapp: QApplication) -> None:
    frame = train_frame()
    assert frame.basis is not None
    shares = [round(100 * float(share)) for share in frame.basis.explained]
    texts = {t.word.text for t in composed(frame).drawing.texts}
    assert {f"PC{n + 1} {share}%" for n, share in enumerate(shares)} <= texts


@pytest.mark.parametrize(("stance", "unseen"), [(OVERHEAD, "PC3"), (Stance(0.0, 0.0), "PC2")])
def test_an_axis_seen_from_its_end_has_no_name(
    qapp: QApplication, stance: Stance, unseen: str
) -> None:
    texts = {t.word.text[:3] for t in composed(train_frame(), stance).drawing.texts}
    assert {"PC1", "PC2", "PC3"} - texts == {unseen}


def test_hovering_fades_what_is_unrelated_and_moves_nothing(qapp: QApplication) -> None:
    frame = train_frame()
    calm = composed(frame)
    words = [frame.vocabulary.index(word) for word in frame.words]
    hovered = composed(frame, hover=Pointed(words[0], words[1]), keep=calm.layout)
    for before, after in zip(calm.drawing.markers, hovered.drawing.markers, strict=True):
        assert (before.x, before.y, before.diameter) == (after.x, after.y, after.diameter)
        assert (before.colour == after.colour) == (before.row in words)
    assert [t.x for t in calm.drawing.texts] == [t.x for t in hovered.drawing.texts]
    assert {c.rect for c in calm.drawing.chips} <= {c.rect for c in hovered.drawing.chips}


def test_turning_lays_no_text_out_anew(qapp: QApplication) -> None:
    frame = train_frame(recorded_run(sentences(30, 20, 3)))
    layout = composed(frame).layout
    before = text._word.cache_info().misses
    for turn in range(20):
        composed(frame, Stance().turned(turn * 3.0, 1.0), keep=layout)
    assert text._word.cache_info().misses == before


def test_of_many_words_those_concerned_are_named_and_others_where_nothing_is_covered(
    qapp: QApplication,
) -> None:
    frame = train_frame(recorded_run(sentences(200, 64, 6), steps=2))
    drawing = composed(frame).drawing
    at = {t.word.text: t for t in drawing.texts if t.word.text in frame.vocabulary}
    predicted = graph_edges_of(frame).predicted
    assert frame.trace is not None
    assert predicted is not None
    concerned = {*frame.words, frame.trace.target(0), frame.vocabulary[predicted]}
    assert set(frame.words) <= at.keys()
    more = at.keys() - concerned
    assert more
    for name in more:
        text = at[name]
        box = QRectF(text.x, text.y, text.word.width, text.word.height).adjusted(1, 1, -1, -1)
        assert not any(box.contains(m.x, m.y) for m in drawing.markers), name
        assert not any(box.intersects(QRectF(*c.rect[:2], 1, 1)) for c in drawing.chips), name
    # One that was concerned before is still tied to the distant place that it keeps.
    row = frame.vocabulary.index(min(more))
    kept = composed(frame, keep=Layout({row: 8 + 24 * 6})).drawing
    [marker] = [m for m in kept.markers if m.row == row]
    starts = [line.points[0] for line in kept.shapes if isinstance(line, Line)]
    away = [math.hypot(x - marker.x, y - marker.y) for x, y in starts]
    assert marker.diameter / 2 == pytest.approx(min(away))
    named = composed(frame, hover=Pointed(frame.vocabulary.index("w3"))).drawing.texts
    assert "w3" in {t.word.text for t in named}


def test_notes_are_broken_between_words(qapp: QApplication) -> None:
    note = "Distances between far groups mean nothing"
    lines = text.wrapped(Theme(), note, 13, 120.0)
    assert len(lines) > 1
    assert " ".join(line.text for line in lines) == note
    assert all(line.width <= 120 for line in lines)
    [whole] = text.wrapped(Theme(), "x" * 80, 13, 50.0)
    assert whole.text == "x" * 80


def test_from_one_stance_to_another_the_way_is_the_shorter_one_round() -> None:
    start, end = Stance(350.0, 20.0, 1.0, 8.0, 4.0), Stance(30.0, 60.0, 2.0)
    assert start.towards(end, 0.0) == start
    assert start.towards(end, 1.0) == end
    assert start.towards(end, 0.25) == Stance(0.0, 30.0, 1.25, 6.0, 3.0)
    assert end.towards(start, 0.75).azimuth == 0.0


def test_a_trail_leads_from_where_a_word_began(qapp: QApplication) -> None:
    frame = train_frame(cursor=Cursor(6))
    assert frame.trace is not None
    assert frame.basis is not None
    content = Content.of(frame, Theme())
    rows = [frame.basis.project(frame.trace.array("param.embedding", at)) for at in range(6)]
    np.testing.assert_allclose(content.trail, rows)
    drawing = composed(frame).drawing
    for name in frame.words:
        n = frame.vocabulary.index(name)
        here = next((m.x, m.y) for m in drawing.markers if m.row == n)
        way = next(s for s in drawing.shapes if isinstance(s, Line) and s.points[-1] == here)
        assert len(way.points) == 7
        assert any(isinstance(s, Disc) and s.centre == way.points[0] for s in drawing.shapes)
    assert not len(Content.of(with_look(frame, tsne=True), Theme()).trail)
    assert not len(Content.of(replace(frame, cursor=Cursor(0)), Theme()).trail)
