"""The plane's pure parts: camera, grid, curves, relations, picking."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from PySide6.QtGui import QColor

from explorer.kit.canvas.curves import choose_bends, positions, trimmed
from explorer.kit.canvas.drawing import Chip, Drawing, Edge, Marker, text_box
from explorer.kit.canvas.placement import overlaps
from explorer.kit.plane.camera import Camera, Margins, fit
from explorer.kit.plane.compose import compose
from explorer.kit.plane.grid import grid, grid_step, tick_text
from explorer.kit.plane.picking import PairHit, PointHit, meaning, pick
from explorer.kit.plane.relations import Flow, pairs, possible_flow
from explorer.kit.preview import SAMPLE
from explorer.kit.theme import Theme
from explorer.session import (
    Context,
    Edges,
    Look,
    Options,
    Role,
    Scene,
    Selection,
    Space,
    resolve,
)

pytestmark = pytest.mark.usefixtures("qapp")  # words are laid out with real fonts

MARGINS = Margins(60, 90, 60, 70)
POINTS = st.integers(1, 6).flatmap(
    lambda n: arrays(np.float64, (n, 2), elements=st.floats(-1e50, 1e50, allow_subnormal=False))
)
QK = frozenset({Space.Q, Space.K})
VO = frozenset({Space.V, Space.O})


@given(POINTS)
def test_fitted_points_lie_between_the_margins(points: np.ndarray) -> None:
    camera = fit(points, 836, 704, MARGINS)
    screen = camera.to_screen(points)
    assert (screen >= (60 - 1e-3, 90 - 1e-3)).all()
    assert (screen <= (836 - 60 + 1e-3, 704 - 70 + 1e-3)).all()


@given(st.floats(-5, 5), st.floats(-5, 5), st.floats(0, 836), st.floats(0, 704), st.floats(0.2, 5))
def test_zoom_keeps_what_is_under_the_pointer(
    x: float, y: float, at_x: float, at_y: float, factor: float
) -> None:
    camera = Camera(x, y, 300, 836, 704)
    zoomed = camera.zoomed(factor, at_x, at_y)
    assert zoomed.to_plane(at_x, at_y) == pytest.approx(camera.to_plane(at_x, at_y), abs=1e-9)
    assert zoomed.scale == pytest.approx(camera.scale * factor)


@given(st.floats(0, 836), st.floats(0, 704))
def test_screen_and_plane_are_each_other_inverse(x: float, y: float) -> None:
    camera = Camera(0.3, -0.2, 250, 836, 704).panned(12, -7)
    assert camera.to_screen(np.array([camera.to_plane(x, y)]))[0] == pytest.approx((x, y))


def test_panning_moves_the_content_with_the_hand() -> None:
    camera = Camera(0, 0, 100, 800, 600)
    point = np.array([[1.0, 1.0]])
    moved = camera.panned(30, 20).to_screen(point) - camera.to_screen(point)
    assert moved[0] == pytest.approx((30, 20))


def test_y_points_upwards() -> None:
    camera = Camera(0, 0, 100, 800, 600)
    assert camera.to_screen(np.array([[0.0, 1.0]]))[0] == pytest.approx((400, 200))


@given(st.floats(1e-60, 1e60))
def test_grid_steps_are_round_and_neither_dense_nor_sparse(scale: float) -> None:
    step = grid_step(scale, 90)
    assert 90 * (1 - 1e-6) <= step * scale <= 90 * 2.5 * (1 + 1e-6)
    digit = step / 10.0 ** math.floor(math.log10(step) + 1e-9)
    assert min(abs(digit - d) for d in (1, 2, 5)) < 1e-6


def test_the_default_zoom_has_half_steps() -> None:
    assert grid_step(364, 90) == 0.5


@pytest.mark.parametrize(
    ("value", "step", "text"),
    [(0.5, 0.5, "0.5"), (-0.5, 0.5, "−0.5"), (1.0, 0.5, "1"), (0.0, 0.5, "0"), (20.0, 10, "20")],
)
def test_ticks_have_no_idle_decimals(value: float, step: float, text: str) -> None:
    assert tick_text(value, step) == text


def test_an_edge_stops_outside_its_markers() -> None:
    start, end = np.array([[0.0, 0.0]]), np.array([[300.0, 40.0]])
    for bend in (0.0, 0.17, -0.17):
        curves = trimmed(
            start, end, np.array([bend]), np.array([6.0]), np.array([20.0]), np.array([30.0])
        )
        assert curves.clear.all()
        assert math.dist(curves.points[0, 0], start[0]) == pytest.approx(20, abs=1.5)
        assert math.dist(curves.heads[0, 0], end[0]) == pytest.approx(30, abs=1.5)


def test_there_is_no_room_between_touching_markers() -> None:
    curves = trimmed(
        np.zeros((1, 2)), np.full((1, 2), 3.0), np.zeros(1), np.ones(1), np.ones(1), np.ones(1)
    )
    assert not curves.clear.any()
    assert np.isfinite(curves.points).all()


def test_an_edge_bends_around_a_marker_in_its_way() -> None:
    start, end = np.array([[0.0, 0.0]]), np.array([[400.0, 0.0]])
    in_the_way = np.array([[0.0, 0.0], [200.0, 0.0], [400.0, 0.0]])
    radii = np.full(3, 12.0)
    bend = choose_bends(start, end, in_the_way, radii)
    assert 0 < abs(bend[0]) <= 0.17
    dots = positions(start, end, bend, np.linspace(0, 1, 50))[0]
    assert np.hypot(*(dots - in_the_way[1]).T).min() > 12
    assert choose_bends(start, end, in_the_way[[0, 2]], radii[:2])[0] == 0


def test_edges_run_between_the_spaces_that_are_shown() -> None:
    def flow(spaces: frozenset[Space], edges: Edges, scene: Scene = SAMPLE) -> Flow | None:
        return possible_flow(resolve(scene, Look(spaces=spaces, edges=edges)), edges)

    x = frozenset({Space.X})
    assert flow(QK, Edges.SCORES) == flow(QK, Edges.ATTENTION) == (Space.Q, Space.K)
    assert flow(VO, Edges.ATTENTION) == (Space.O, Space.V)
    assert flow(VO, Edges.SCORES) is None
    assert flow(x, Edges.SCORES) == (Space.X, Space.X)
    assert flow(QK, Edges.NONE) is None
    crossed = SAMPLE.replace(context=Context(("sea",), np.ones((1, 2))))
    assert flow(x, Edges.SCORES, crossed) is None


def test_edges_of_the_selected_token_or_of_all() -> None:
    look = Look(spaces=QK, edges=Edges.SCORES)
    frame = resolve(SAMPLE, look)
    assert len(pairs(frame, None)) == 16
    assert pairs(frame, Selection(Role.X, 1)) == [(1, j) for j in range(4)]
    assert pairs(frame, Selection(Role.S, 1, 3)) == [(1, j) for j in range(4)]
    assert pairs(frame, Selection(Role.K, key=2)) == [(i, 2) for i in range(4)]
    assert len(pairs(frame, Selection(Role.WQ, 0, column=0))) == 16


@pytest.mark.parametrize("most", [1, 5, 8])
def test_beyond_eight_tokens_only_the_strongest_edges_are_drawn(most: int) -> None:
    X = np.random.default_rng(3).normal(size=(9, 2))
    look = Look(spaces=QK, edges=Edges.ATTENTION, strongest=most)
    frame = resolve(Scene(tuple("abcdefghi"), X), look)
    weights = frame.weights
    assert {weights[pair] for pair in pairs(frame, None)} == set(np.sort(weights.ravel())[-most:])
    for i in range(9):
        keys = {j for _query, j in pairs(frame, Selection(Role.X, i))}
        assert keys == set(np.argsort(weights[i])[-most:])
        queries = {query for query, _j in pairs(frame, Selection(Role.K, key=i))}
        assert queries == set(np.argsort(weights[:, i])[-most:])
    least = int(np.argmin(weights[2]))
    assert (2, least) in pairs(frame, Selection(Role.A, 2, least))


def test_masked_pairs_have_no_edges() -> None:
    frame = resolve(
        SAMPLE.replace(options=Options(mask="causal")), Look(spaces=QK, edges=Edges.SCORES)
    )
    assert set(pairs(frame, None)) == {(i, j) for i in range(4) for j in range(i + 1)}
    assert pairs(frame, Selection(Role.S, 0, 3)) == [(0, 0)]


def _marker(space: Space, row: int, x: float, y: float) -> Marker:
    return Marker(space, row, x, y, 24.0, Theme().slot(row))


def test_picking_prefers_points_then_chips_then_edges() -> None:
    colour = Theme().color("ink1")
    edge = Edge(0, 1, ((0.0, 100.0), (100.0, 100.0), (200.0, 100.0)), 6.0, colour)
    drawing = Drawing(
        edges=(edge,),
        markers=(_marker(Space.K, 0, 0, 100), _marker(Space.Q, 1, 20, 100)),
        chips=(Chip(2, 3, (90.0, 90.0, 110.0, 110.0), None, colour, colour),),  # type: ignore[arg-type]
    )
    assert pick(drawing, 4, 100) == PointHit(Space.K, 0)
    assert pick(drawing, 15, 100) == PointHit(Space.Q, 1)
    assert pick(drawing, 0, 116) == PointHit(Space.K, 0)  # a target is at least 32 px wide
    assert pick(drawing, 100, 100) == PairHit(2, 3)
    assert pick(drawing, 150, 107) == PairHit(0, 1)
    assert pick(drawing, 150, 120) is None


def test_a_point_of_x_wins_over_one_at_the_same_place() -> None:
    markers = (_marker(Space.X, 0, 50, 50), _marker(Space.Q, 0, 50, 50))
    assert pick(Drawing(markers=markers), 50, 50) == PointHit(Space.X, 0)
    assert pick(Drawing(markers=markers[::-1]), 50, 50) == PointHit(Space.X, 0)


def test_where_a_drag_began_is_no_point() -> None:
    assert pick(Drawing(markers=(_marker(Space.X, -1, 50, 50),)), 50, 50) is None


def test_what_pointing_means() -> None:
    look = Look(spaces=QK, edges=Edges.ATTENTION)
    calm, chosen = resolve(SAMPLE, look), resolve(SAMPLE, look, Selection(Role.Q, 2))
    assert meaning(None, calm) is None
    assert meaning(PairHit(1, 2), calm) == Selection(Role.A, 1, 2)
    assert meaning(PointHit(Space.X, 1), calm) == Selection(Role.X, 1)
    assert meaning(PointHit(Space.O, 3), calm) == Selection(Role.O, 3)
    assert meaning(PointHit(Space.K, 1), calm) == Selection(Role.K, key=1)
    assert meaning(PointHit(Space.K, 1), chosen) == Selection(Role.A, 2, 1)
    scores = resolve(SAMPLE, Look(spaces=QK, edges=Edges.SCORES), Selection(Role.Q, 2))
    assert meaning(PointHit(Space.K, 1), scores) == Selection(Role.S, 2, 1)


@given(arrays(np.float64, (3, 2, 2), elements=st.floats(-300, 300)))
def test_any_two_points_give_an_edge_that_can_be_painted(ends: np.ndarray) -> None:
    count = np.ones(3)
    curves = trimmed(ends[:, 0], ends[:, 1], 0.1 * count, 8 * count, 15 * count, 18 * count)
    assert np.isfinite(curves.points).all()
    assert np.isfinite(curves.heads).all()


def test_self_attention_is_a_ring_where_query_and_key_coincide() -> None:
    camera = Camera(0.3, 0.4, 300, 836, 704)

    def rings(scene: Scene, look: Look) -> set[tuple[int, int]]:
        drawing = compose(resolve(scene, look), Theme(), camera, 60).drawing
        return {(edge.query, edge.key) for edge in drawing.edges if edge.radius}

    own = {(i, i) for i in range(4)}
    assert rings(SAMPLE, Look(edges=Edges.ATTENTION)) == own
    assert rings(SAMPLE, Look(spaces=QK, edges=Edges.ATTENTION)) == set()
    without_w = SAMPLE.replace(Wq=None, Wk=None, Wv=None)
    assert rings(without_w, Look(spaces=QK, edges=Edges.ATTENTION)) == own


def test_the_selected_tokens_edges_carry_their_value() -> None:
    for percent in (100, 150, 200):
        for query in range(4):
            frame = resolve(
                SAMPLE, Look(spaces=QK, edges=Edges.SCORES), Selection(Role.S, query, 3)
            )
            camera = fit(frame.points(Space.Q), 836, 704, MARGINS)
            drawing = compose(frame, Theme(percent=percent), camera, 60).drawing
            assert len(drawing.chips) >= 3
            assert [chip.key for chip in drawing.chips if chip.selected] == [3]
            texts = {chip.key: chip.word.text for chip in drawing.chips}
            for key, text in texts.items():
                value = frame.shown_scores[query, key]
                assert text in {f"{value:.{n}f}".replace("-", "−") for n in (2, 3)}


def test_widths_and_dashes_are_the_designs() -> None:
    frame = resolve(SAMPLE, Look(spaces=QK, edges=Edges.SCORES), Selection(Role.Q, 0))
    drawing = compose(frame, Theme(), Camera(0, 0, 300, 836, 704), 60).drawing
    for edge in drawing.edges:
        value = frame.shown_scores[0, edge.key]
        assert edge.width == pytest.approx(1.5 + 11 * abs(value) / frame.score_domain)
        assert edge.dashed == (value < 0)
    weights = resolve(SAMPLE, Look(spaces=VO, edges=Edges.ATTENTION), Selection(Role.O, 3))
    for edge in compose(weights, Theme(), Camera(0, 0, 300, 836, 704), 60).drawing.edges:
        assert edge.width == pytest.approx(1.5 + 22 * weights.weights[3, edge.key])
        assert edge.colour == QColor(Theme().slot(edge.key).fill)  # values leave their token


def test_angle_and_foot_are_drawn_for_a_pair_of_scores_alone() -> None:
    camera = Camera(0, 0, 300, 836, 704)

    def words(selection: Selection | None, edges: Edges = Edges.SCORES) -> set[str]:
        frame = resolve(SAMPLE, Look(spaces=QK, edges=edges), selection)
        return {text.word.text for text in compose(frame, Theme(), camera, 60).drawing.texts}

    assert {"130°", "cos < 0"} <= words(Selection(Role.S, 0, 3))
    assert {"34°", "cos > 0"} <= words(Selection(Role.S, 1, 0))  # 45° minus atan 0.2
    assert not {"cos < 0", "cos > 0"} & words(Selection(Role.Q, 0))
    assert "cos < 0" not in words(Selection(Role.A, 0, 3), Edges.ATTENTION)


def test_the_angle_pales_while_another_pair_is_hovered() -> None:
    look, pair = Look(spaces=QK, edges=Edges.SCORES), Selection(Role.S, 0, 3)

    def inks(hover: Selection | None) -> set[str]:
        frame = resolve(SAMPLE, look, pair, hover)
        drawing = compose(frame, Theme(), Camera(0, 0, 300, 836, 704), 60).drawing
        said = [text for text in drawing.texts if text.word.text in ("130°", "cos < 0")]
        assert len(said) == 2
        return {part.colour.name() for part in (*drawing.shapes, *said)}

    assert inks(pair) == inks(None)
    assert not inks(Selection(Role.S, 1, 2)) & inks(None)


def test_a_query_is_painted_over_its_token() -> None:
    frame = resolve(SAMPLE, Look(spaces=frozenset({Space.X, Space.Q})))  # Wq moves nothing
    shown = compose(frame, Theme(), Camera(0, 0.5, 364, 836, 704), 0).drawing.markers
    assert [marker.space for marker in shown] == [Space.X] * 4 + [Space.Q] * 4


def test_only_the_query_that_is_asked_about_stands_out_before_the_answer() -> None:
    look = Look(spaces=QK, edges=Edges.SCORES, veiled=True)
    frame = resolve(SAMPLE, look, Selection(Role.S, 0, 3))
    drawing = compose(frame, Theme(), Camera(0, 0.5, 364, 836, 704), 0).drawing
    assert not drawing.edges
    assert {(m.space, m.row) for m in drawing.markers if m.ghost} == {
        (Space.Q, row) for row in (1, 2, 3)
    }


def test_a_number_at_the_edge_makes_way_for_a_name() -> None:
    frame, away = resolve(SAMPLE), 0
    for x in np.linspace(0, 2, 21).tolist():
        camera = Camera(x, 0.5, 364, 836, 704)
        texts = compose(frame, Theme(), camera, 0).drawing.texts
        numbers = [text for text in texts if text.background is not None]
        names = np.array([text_box(text) for text in texts if text.background is None])
        assert not overlaps(np.array([text_box(text) for text in numbers]), names).any()
        away += len(grid(camera, Theme(), 0)[1]) - len(numbers)
    assert away
