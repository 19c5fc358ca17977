"""Where the plane's value chips and names are: at their own edges and points, covering nothing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

import numpy as np
import pytest

from explorer.kit.canvas.drawing import Chip, Drawing, Edge, Marker, Rect, Text, text_box
from explorer.kit.plane.camera import Camera, Margins, fit
from explorer.kit.plane.compose import Composed, compose
from explorer.kit.plane.placed_frame import Layout
from explorer.kit.plane.relations import edge_values
from explorer.kit.preview import SAMPLE
from explorer.kit.theme import Theme
from explorer.resources import example, lessons
from explorer.session import (
    Drag,
    Edges,
    Frame,
    Look,
    Role,
    Scene,
    Selection,
    Space,
    read_scene,
    resolve,
)
from tests.overlaps import overlaps

pytestmark = pytest.mark.usefixtures("qapp")  # words are laid out with real fonts

QK, VO = frozenset({Space.Q, Space.K}), frozenset({Space.V, Space.O})
X = frozenset({Space.X})
LOOKS = [
    Look(spaces=QK, edges=Edges.SCORES),
    Look(spaces=QK, edges=Edges.ATTENTION),
    Look(spaces=VO, edges=Edges.ATTENTION),
    Look(spaces=X, edges=Edges.ATTENTION),
]
TOP = 60.0
FAR = 110.0  # px at 100 % from a chip's middle to its edge, at most


def _camera(frame: Frame, width: int = 836, height: int = 704) -> Camera:
    points = [frame.projection.project(frame.points(space)) for space in frame.look.spaces]
    return fit(np.concatenate(points), width, height, Margins(80, 104, 80, 72))


def _random_frames(count: int) -> Iterator[tuple[Frame, Theme]]:
    """Return frames of all kinds: few and many tokens, near and far ones, every kind of edge."""
    rng = np.random.default_rng(20)
    for n in range(count):
        T = int(rng.integers(1, 11))
        d = 2 if n % 3 else 3

        def weights(d: int = d) -> np.ndarray:
            return np.eye(d) + rng.normal(size=(d, d)) * 0.4

        rows = rng.normal(size=(T, d)) * (0.2 if n % 5 == 0 else 1.0)
        rows[0] *= 6.0  # the others crowd together in the view
        scene = Scene(tuple("abcdefghij"[:T]), rows, weights(), weights(), weights())
        look = LOOKS[n % len(LOOKS)]
        i, j = int(rng.integers(T)), int(rng.integers(T))
        role = Role.S if look.edges is Edges.SCORES else Role.A
        thing = [None, Selection(role, i, j), Selection(Role.X, i)][n // 4 % 3]
        yield resolve(scene, look, thing), Theme(percent=(100, 125, 150)[n // 12 % 3])


def _meet(a: Rect, b: Rect) -> bool:
    return a[0] < b[2] and a[2] > b[0] and a[1] < b[3] and a[3] > b[1]


def _middle(rect: Rect) -> np.ndarray:
    return np.array([(rect[0] + rect[2]) / 2, (rect[1] + rect[3]) / 2])


def _dots(edge: Edge) -> np.ndarray:
    """Return many places along what is painted of an edge."""
    if edge.radius:
        turns = np.linspace(0, 2 * np.pi, 400)
        out = np.stack([np.cos(turns), np.sin(turns)], axis=1)
        return np.array(edge.points[0]) + edge.radius * out
    t = np.linspace(0, 1, 400)[:, None]
    a, b, c = np.array(edge.points)
    body = (1 - t) ** 2 * a + 2 * t * (1 - t) * b + t**2 * c
    return np.concatenate([body, c + t[::20] * (np.array(edge.head[0]) - c)])


def _gap(chip: Chip, edge: Edge) -> float:
    return float(np.hypot(*(_dots(edge) - _middle(chip.rect)).T).min())


def _names(drawing: Drawing) -> list[Rect]:
    return [
        (text.x, text.y, text.x + text.word.width, text.y + text.word.height)
        for text in drawing.texts
        if text.word.font.weight() >= 600
    ]


def _marks(drawing: Drawing) -> list[Rect]:
    """Return the inner squares of all markers that are not ghosts."""
    result = []
    for marker in drawing.markers:
        if not marker.ghost:
            half = marker.diameter * 0.46
            result.append((marker.x - half, marker.y - half, marker.x + half, marker.y + half))
    return result


def _largest(frame: Frame, drawing: Drawing) -> tuple[int, int]:
    values = edge_values(frame)
    return max(((e.query, e.key) for e in drawing.edges), key=lambda pair: values[pair])


def _check(drawing: Drawing, frame: Frame, scale: float) -> None:
    selection = frame.selection
    largest = _largest(frame, drawing) if drawing.edges else None
    assert largest is None or largest in [(c.query, c.key) for c in drawing.chips]
    edges = {(edge.query, edge.key): edge for edge in drawing.edges}
    for n, chip in enumerate(drawing.chips):
        for other in drawing.chips[n + 1 :]:
            assert not _meet(chip.rect, other.rect)
        if chip.selected or (chip.query, chip.key) == largest:
            continue  # is there even where there is no room
        for box in (*_marks(drawing), *_names(drawing)):
            assert not _meet(chip.rect, box)
        gaps = {pair: _gap(chip, edge) for pair, edge in edges.items()}
        own = gaps.pop((chip.query, chip.key))
        assert own < FAR * scale
        assert all(own < gap for gap in gaps.values())
        width, height = chip.rect[2] - chip.rect[0], chip.rect[3] - chip.rect[1]
        reach = np.hypot(width, height) / 2 + edges[chip.query, chip.key].width / 2
        assert bool(chip.leader) or own <= reach + 6 * scale
    if selection is not None and selection.pair in edges:
        assert [(c.query, c.key) for c in drawing.chips if c.selected] == [selection.pair]


def test_chips_are_at_their_own_edges_and_cover_nothing() -> None:
    seen = 0
    for frame, theme in _random_frames(144):
        drawing = compose(frame, theme, _camera(frame), TOP).drawing
        _check(drawing, frame, theme.percent / 100)
        seen += len(drawing.chips)
    assert seen > 300


@pytest.mark.parametrize("percent", [100, 125, 150])
@pytest.mark.parametrize("look", LOOKS)
def test_nearly_all_chips_of_the_example_find_a_place(look: Look, percent: int) -> None:
    for query in range(4):
        role = Role.S if look.edges is Edges.SCORES else Role.A
        frame = resolve(SAMPLE, look, Selection(role, query, 3))
        drawing = compose(frame, Theme(percent=percent), _camera(frame), TOP).drawing
        _check(drawing, frame, percent / 100)
        assert len(drawing.chips) >= 3


def test_a_displaced_chip_is_tied_to_its_own_edge() -> None:
    tied = 0
    for frame, theme in _random_frames(144):
        drawing = compose(frame, theme, _camera(frame), TOP).drawing
        edges = {(edge.query, edge.key): edge for edge in drawing.edges}
        for chip in drawing.chips:
            if chip.leader:
                tied += 1
                foot, end = np.array(chip.leader)
                assert end == pytest.approx(_middle(chip.rect))
                gap = np.hypot(*(_dots(edges[chip.query, chip.key]) - foot).T).min()
                assert gap < 40  # the edge goes on beneath its markers
    assert tied > 5


def test_a_layout_is_the_same_each_time() -> None:
    for frame, theme in _random_frames(24):
        once, again = (compose(frame, theme, _camera(frame), TOP) for _ in range(2))
        assert once.layout == again.layout
        assert [chip.rect for chip in once.drawing.chips] == [
            chip.rect for chip in again.drawing.chips
        ]


def _moved(step: float) -> Frame:
    moved = SAMPLE.X.copy()
    moved[1] += (step, 0.5 * step)
    look = Look(spaces=X, edges=Edges.ATTENTION)
    scene = SAMPLE.replace(X=moved)
    return resolve(scene, look, Selection(Role.X, 1), drag=Drag(1, SAMPLE.X[1]))


def _dragged(step: float, keep: Layout | None) -> Composed:
    return compose(_moved(step), Theme(), Camera(0.1, 0.5, 300, 836, 704), TOP, keep)


def test_a_small_drag_changes_no_place() -> None:
    before = _dragged(0.0, None)
    for step in (0.004, 0.008, 0.012):
        after = _dragged(step, before.layout)
        assert after.layout.chips == before.layout.chips
        assert after.layout.labels == before.layout.labels


def test_a_long_drag_leads_no_chip_or_name_over_a_marker() -> None:
    keep = None
    for step in np.linspace(0, 0.6, 40):
        drawing, keep = _dragged(float(step), keep)
        _check(drawing, _moved(float(step)), 1.0)
        for name in _names(drawing):
            assert not any(_meet(name, mark) for mark in _marks(drawing))


def test_names_keep_off_the_hull_where_a_side_is_free() -> None:
    look = Look(spaces=VO, edges=Edges.ATTENTION)
    frame = resolve(SAMPLE, look, Selection(Role.O, 0))
    drawing = compose(frame, Theme(), _camera(frame), TOP).drawing
    (hull,) = drawing.shapes
    cloud = max(
        (t for t in drawing.texts if t.word.text == "cloud"), key=lambda text: text.word.width
    )
    box = (cloud.x, cloud.y, cloud.x + cloud.word.width, cloud.y + cloud.word.height)
    for start, end in zip(hull.points, hull.points[1:], strict=False):
        line = np.array(start) + np.linspace(0, 1, 300)[:, None] * (np.array(end) - start)
        inside = (line > box[:2]).all(axis=1) & (line < box[2:]).all(axis=1)
        assert not inside.any()


def test_a_name_does_not_touch_its_triangle() -> None:
    for percent in (100, 200):
        for query in range(4):
            look = Look(spaces=QK, edges=Edges.ATTENTION)
            frame = resolve(SAMPLE, look, Selection(Role.A, query, 3))
            drawing = compose(frame, Theme(percent=percent), _camera(frame), TOP).drawing
            (marker,) = [m for m in drawing.markers if m.halo]
            tip = (marker.x - 1, marker.y - 0.66 * marker.diameter, marker.x + 1, marker.y)
            assert not any(_meet(name, tip) for name in _names(drawing))


def test_names_stand_beside_the_ring_of_a_token_s_own_weight_and_never_on_it() -> None:
    house = read_scene(lessons()[0].with_name("noun-and-adjective.json"))
    look = Look(spaces=frozenset({Space.X, Space.Q}), edges=Edges.ATTENTION)
    for scene, query, percent in product((house, SAMPLE), range(4), (100, 125, 150, 200)):
        frame = resolve(scene, look, Selection(Role.A, query))
        drawing = compose(frame, Theme(percent=percent), _camera(frame, 724, 480), TOP).drawing
        for ring in (edge for edge in drawing.edges if edge.radius):
            [(x, y)], far = ring.points, ring.radius + ring.width / 2
            for left, top, right, bottom in _names(drawing):
                near = min(max(x, left), right), min(max(y, top), bottom)
                assert np.hypot(near[0] - x, near[1] - y) >= far, (query, percent)


def test_two_names_do_not_stand_in_a_line_like_one_where_there_is_room() -> None:
    look = Look(spaces=frozenset({Space.X, Space.K}), edges=Edges.ATTENTION)
    scene = read_scene(lessons()[0].with_name("identity-w.json"))
    for query, percent in product(range(4), (100, 125)):
        frame = resolve(scene, look, Selection(Role.A, query))
        drawing = compose(frame, Theme(percent=percent), _camera(frame, 724, 480), TOP).drawing
        wide = [(left - 6, top, right, bottom) for left, top, right, bottom in _names(drawing)]
        words = [text.word.text for text in drawing.texts if text.word.font.weight() >= 600]
        for (a, one), (b, other) in combinations(zip(wide, words, strict=True), 2):
            of_one_name = len(one) == 1 or len(other) == 1  # k and what stands below its line
            assert of_one_name or not _meet(a, b), (one, other, percent)


def test_near_markers_are_joined_by_an_arrow_that_goes_round() -> None:
    look = Look(spaces=QK, edges=Edges.SCORES)
    frame = resolve(SAMPLE, look, Selection(Role.S, 0, 0))

    def own(pixels_apart: float) -> Edge:
        camera = Camera(0.5, 0.5, pixels_apart / 0.2, 836, 704)  # q and k of cat are 0.2 apart
        drawing = compose(frame, Theme(), camera, TOP).drawing
        return next(edge for edge in drawing.edges if (edge.query, edge.key) == (0, 0))

    straight, round_, ring = own(70), own(30), own(8)
    assert not straight.radius
    assert not round_.radius
    first, tip = np.array(round_.points[0]), np.array(round_.head[0])
    assert np.hypot(*(tip - first)) > 15  # it is seen between the markers' sides
    assert ring.radius > 0


def test_pointing_at_one_of_very_many_edges_shows_its_value() -> None:
    rows = np.random.default_rng(4).normal(size=(40, 2))
    scene = Scene(tuple(f"t{n}" for n in range(40)), rows)
    look = Look(spaces=X, edges=Edges.ATTENTION)
    for hover in (Selection(Role.A, 39, 2), Selection(Role.A, 3, 5)):
        frame = resolve(scene, look, None, hover)
        drawing = compose(frame, Theme(), _camera(frame), TOP).drawing
        assert (hover.query, hover.key) in [(c.query, c.key) for c in drawing.chips]
        assert (hover.query, hover.key) in [(e.query, e.key) for e in drawing.edges]


@pytest.mark.parametrize("count", [24, 128])
def test_among_many_a_dragged_name_stands_next_to_its_point_and_others_make_way(
    count: int,
) -> None:
    rng = np.random.default_rng(3)
    weights = [rng.normal(size=(2, 2)) for _ in range(3)]
    scene = Scene(tuple(f"w{n}" for n in range(count)), rng.normal(size=(count, 2)), *weights)
    look, thing = Look(spaces=QK, edges=Edges.ATTENTION), Selection(Role.X, 4)
    camera = _camera(resolve(scene, look, thing))
    start, keep, counts = scene.X[4], None, list[int]()
    for step in [*np.linspace(0.0, 1.6, 12), *np.linspace(1.6, 0.0, 12)]:
        rows = scene.X.copy()
        rows[4] = start + step * np.array([-1.0, 0.6])
        drag = Drag(4, start @ scene.Wq, Space.Q)
        frame = resolve(scene.replace(X=rows), look, thing, drag=drag)
        drawing, keep = compose(frame, Theme(), camera, TOP, keep)
        (mark,) = (m for m in drawing.markers if m.halo)
        told = [t for t in drawing.texts if t.word.text == "q" or t.word.text.startswith("(")]
        assert any(_near(text, mark) for text in told)
        named = [text_box(t) for t in drawing.texts if t.word.text in scene.tokens]
        counts.append(len(named))
        over = [chip.rect for chip in drawing.chips]
        assert not any(_meet(name, chip) for name in named for chip in over)
        assert not any(_meet(a, b) for a, b in combinations(named, 2))
    assert counts[0] - 2 <= counts[-1] > min(counts)  # what made way comes back


def _near(text: Text, mark: Marker) -> bool:
    """Return whether a text's nearest point is next to a marker."""
    left, top, right, bottom = text_box(text)
    x, y = min(max(mark.x, left), right), min(max(mark.y, top), bottom)
    return bool(np.hypot(x - mark.x, y - mark.y) <= mark.diameter / 2 + 24)


@pytest.mark.parametrize("name", ["tired-animal", "plain-average", "order-regained"])
def test_values_that_have_to_be_there_stand_upon_no_other_value_and_on_no_marker(
    name: str,
) -> None:
    scene = read_scene(example(f"{name}.json"))
    for look in LOOKS[:3]:
        for i, j in product(range(0, len(scene.tokens), 3), range(len(scene.tokens))):
            frame = resolve(scene, look, Selection(Role.A, i, j))
            drawing = compose(frame, Theme(), _camera(frame, 836, 600), TOP).drawing
            assert not [each for each in overlaps(drawing) if each.startswith("value")], (
                look,
                i,
                j,
            )
