"""From a frame and a camera to the graph's drawing, its floor and axes, as pure functions."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from explorer.attention import Projection
from explorer.kit.canvas.drawing import Disc, Drawing, Line, Marker, Point, Text, text_box
from explorer.kit.canvas.placement import Surroundings, boxes_of, clear_of, overlaps
from explorer.kit.canvas.text import word, wrapped
from explorer.rooms.train.graph.edges import chips, edges
from explorer.rooms.train.graph.graph_edges import MOST_FAINT
from explorer.rooms.train.graph.placed_frame import Array, Layout, PlacedFrame
from explorer.rooms.train.graph.words import labels, markers, named_first, named_last
from explorer.text import _

_CELLS = 4  # along each side of the floor
_CAPTION, _CAPTIONS = 13, 8  # px at 100 %: of captions, and where they begin
_GAP = 8.0  # px between the floor and the names of its axes
_SHADOW = 6.5  # px: half of a shadow's width
_DROP, _DROP_DASH = 1.5, (1.0, 2.4)
_TRAIL_WIDTH, _LEAST_TRAIL = 2.5, 3.0  # px
_TRAIL_SHARE, _BEGIN_SHARE = 0.6, 0.3  # opacity
_DROP_SHARE, _SHADOW_SHARE = 0.75, 0.45  # opacity


def floor(placed: PlacedFrame) -> tuple[Line, ...]:
    """Return the floor's face and lines, and the upright axis where there is one."""
    if not placed.axes:
        return ()
    theme = placed.theme
    corners = _to_screen(placed, _corners(placed))
    ends = _to_screen(placed, _grid_ends(placed))
    inner = theme.color("line")
    lines = [
        Line(tuple(corners), theme.color("axis"), 1.0, fill=theme.color("win")),
        *(Line((a, b), inner, 1.0) for a, b in zip(ends[::2], ends[1::2], strict=True)),
        Line((*corners, corners[0]), theme.color("axis"), 1.0),
    ]
    if placed.axes == 3:
        lines.append(Line(_upright(placed), theme.color("axis"), 1.0))
    return tuple(lines)


def axis_names(placed: PlacedFrame, basis: Projection) -> list[Text]:
    """Return the axes' names, with the part of the variance that each explains."""
    if not placed.axes:
        return []
    ink, theme = placed.theme.color("ink3"), placed.theme
    names = [word(theme, text, _CAPTION) for text in axis_texts(basis, placed.axes)]
    corners = np.array(_to_screen(placed, _corners(placed)))
    centre = corners.mean(axis=0)
    texts = []
    for axis, name in enumerate(names):
        if _from_its_end(placed, axis, name.height):
            continue
        if axis == 2 or (axis == 1 and placed.axes == 2):
            # Above the upright axis, or above the left side of a plane.
            x, y = _upright(placed)[1] if axis == 2 else corners[3].tolist()
            left, top = x - name.width / 2, y - name.height - 4 * placed.scale
            texts.append(Text(name, max(left, 4.0), max(top, 2.0), ink))
            continue
        # The side in front: of the two along this axis the one that is lower on screen.
        sides = ((0, 1), (3, 2)) if axis == 0 else ((0, 3), (1, 2))
        a, b = max(sides, key=lambda side: corners[list(side), 1].sum())
        middle, along = (corners[a] + corners[b]) / 2, corners[b] - corners[a]
        length = math.hypot(*along)
        out = np.array([-along[1], along[0]]) / length if length > 1e-6 else np.array([0.0, 1.0])
        if (middle - centre) @ out < 0:
            out = -out
        reach = abs(out[0]) * name.width / 2 + abs(out[1]) * name.height / 2
        x, y = (middle + out * (reach + _GAP * placed.scale)).tolist()
        texts.append(Text(name, x - name.width / 2, y - name.height / 2, ink))
    return texts


def axis_texts(basis: Projection, axes: int) -> list[str]:
    """Return what the axes are called; where nothing is lost they are the coordinates."""
    template = _("Dimension {number} {percent}%") if basis.exact else _("PC{number} {percent}%")
    return [
        template.format(number=number + 1, percent=round(100 * float(basis.explained[number])))
        for number in range(axes)
    ]


def drops(placed: PlacedFrame) -> list[Line | Disc]:
    """Return the dotted line from each word to the floor, and its shadow there."""
    if placed.axes != 3:
        return []
    words = range(len(placed.places))
    chosen = sorted(placed.concerned) if placed.content.crowded else list(words)
    feet = placed.places[chosen].copy()
    feet[:, 2] = placed.extent.low[2]
    below = placed.camera.to_screen(feet)[:, :2].tolist()
    tops = placed.at[chosen, :2].tolist()
    across = _SHADOW * placed.marks
    up = max(across * placed.camera.squash, 1.0)
    shadows: list[Line | Disc] = []
    lines: list[Line | Disc] = []
    for n, (x, y), (foot_x, foot_y) in zip(chosen, tops, below, strict=True):
        colour, share = placed.edge_colour(n), placed.word_share(n)
        dark = placed.mixed(colour, _SHADOW_SHARE * share)
        shadows.append(Disc((foot_x, foot_y), across, up, dark))
        lines.append(
            Line(
                ((x, y), (foot_x, foot_y)),
                placed.mixed(colour, _DROP_SHARE * share),
                _DROP * placed.marks,
                _DROP_DASH,
            )
        )
    return shadows + lines


def trails(placed: PlacedFrame, shown: list[Marker]) -> list[Line | Disc]:
    """Return for each word concerned where it began, as a pale disc, and the way from there."""
    trail, least = placed.content.trail, _LEAST_TRAIL * placed.scale
    found: list[Line | Disc] = []
    for marker in shown if len(trail) else ():
        n, here = marker.row, (marker.x, marker.y)
        way = [*_to_screen(placed, trail[:, n]), here]
        if n in placed.concerned and max(math.dist(point, here) for point in way) >= least:
            colour, share = placed.edge_colour(n), placed.word_share(n)
            radius = marker.diameter / 2
            found += [
                Disc(way[0], radius, radius, placed.mixed(colour, _BEGIN_SHARE * share)),
                Line(
                    tuple(way),
                    placed.mixed(colour, _TRAIL_SHARE * share),
                    _TRAIL_WIDTH * placed.marks,
                ),
            ]
    return found


def _corners(placed: PlacedFrame) -> Array:
    """Return the floor's corners in order around it, shape (4, 3)."""
    (x0, y0, z), (x1, y1, _top) = placed.extent.low, placed.extent.high
    z = z if placed.axes == 3 else 0.0
    return np.array([(x0, y0, z), (x1, y0, z), (x1, y1, z), (x0, y1, z)])


def _grid_ends(placed: PlacedFrame) -> Array:
    """Return the ends of the lines between the cells, two rows each."""
    a, b, c, d = _corners(placed)
    shares = np.arange(1, _CELLS) / _CELLS
    pairs = [(a + s * (b - a), d + s * (c - d)) for s in shares]
    pairs += [(a + s * (d - a), b + s * (c - b)) for s in shares]
    return np.array(pairs).reshape(-1, 3)


def _upright(placed: PlacedFrame) -> tuple[Point, Point]:
    """Return the upright axis' foot and top: at the corner farthest to the left."""
    corners = _corners(placed)
    foot = corners[int(placed.camera.to_screen(corners)[:, 0].argmin())]
    top = np.array([foot[0], foot[1], placed.extent.high[2]])
    first, second = _to_screen(placed, np.stack([foot, top]))
    return first, second


def _from_its_end(placed: PlacedFrame, axis: int, least: float) -> bool:
    """Return whether an axis of a space is seen from its end: shorter than some px, it is none."""
    if placed.axes != 3:
        return False
    one, other = placed.extent.low.copy(), placed.extent.low.copy()
    other[axis] = placed.extent.high[axis]
    return math.dist(*_to_screen(placed, np.stack([one, other]))) < least


def _to_screen(placed: PlacedFrame, points: Array) -> list[Point]:
    return [(x, y) for x, y, _near in placed.camera.to_screen(points).tolist()]


_EDGES_HEEDED = 64  # by labels and chips, the strongest; more would leave them no place
_SMOOTH_MOVING, _SMOOTH_STILL = 150, 600  # edges that are painted with antialiasing


class Composed(NamedTuple):
    """A drawing and the choices made for it."""

    drawing: Drawing
    layout: Layout


def compose(
    placed: PlacedFrame, width: float, height: float, keep: Layout, moving: bool
) -> Composed:
    """Return the drawing of a placed frame in a view of that size.

    Parameters
    ----------
    keep : Layout
        Choices to be kept where they still apply.
    moving : bool
        Whether the next picture follows at once, so that speed matters more than smoothness.
    """
    basis = placed.content.frame.basis
    shown = markers(placed)
    drawn = edges(placed, shown)
    captions = _captions(placed, width, height)
    if basis is not None:
        captions += [_inside(name, width, height) for name in axis_names(placed, basis)]
    crowded, concerned = placed.content.crowded, placed.concerned
    all_boxes = _marker_boxes(shown)
    heeded = np.array([not crowded or marker.row in concerned for marker in shown], dtype=bool)
    around = Surroundings(
        inside=(4.0, 4.0, width - 4, height - 4),
        boxes=np.vstack([all_boxes[heeded], boxes_of(map(text_box, captions))]),
        ghosts=all_boxes[~heeded],
        dots=drawn.dots[-_EDGES_HEEDED:],
        reach=drawn.reach[-_EDGES_HEEDED:],
    )
    first, free = named_first(placed, shown), around
    names = labels(placed, first, drawn.rings, around, keep)
    around = around._replace(boxes=np.vstack([around.boxes, names.boxes]))
    values, places = chips(placed, drawn, around, keep)
    taken = boxes_of(chip.rect for chip in values)
    # A value that found no place gets it from a name, where nothing moves that should not jump.
    if not keep.labels and overlaps(taken, names.boxes).any():
        free = free._replace(boxes=np.vstack([free.boxes, taken]))
        names = labels(placed, first, drawn.rings, free, Layout())
        around = free._replace(boxes=np.vstack([free.boxes, names.boxes]))
    captions = clear_of(taken, captions)
    texts, name_places, leaders = names.texts, names.places, names.leaders
    if crowded:  # where there is still room, and nothing is covered
        covered = np.vstack([boxes_of(chip.rect for chip in values), all_boxes])
        around = around._replace(boxes=np.vstack([around.boxes, covered]), ghosts=boxes_of([]))
        more = labels(placed, named_last(placed, shown), drawn.rings, around, keep)
        texts, name_places = texts + more.texts, name_places | more.places
        leaders = leaders + more.leaders  # a word that was concerned keeps its place
    drawing = Drawing(
        grid=floor(placed),
        shapes=(*drops(placed), *trails(placed, shown), *leaders),
        edges=tuple(drawn.edges),
        markers=tuple(shown),
        texts=(*captions, *texts),
        chips=tuple(values),
        scale=placed.scale,
        many_edges=_SMOOTH_MOVING if moving else _SMOOTH_STILL,
    )
    return Composed(drawing, Layout(name_places, places))


def notes(placed: PlacedFrame) -> list[str]:
    """Return what is said in the picture's upper corner."""
    found = []
    if placed.content.edges.cut:
        found.append(
            _("The {count} strongest edges of the other sentences").format(count=MOST_FAINT)
        )
    if not placed.content.frame.shows_others:
        found.append(_("Only the edges of this sentence; O shows those of all"))
    if not placed.axes:
        found.append(_("Distances between far groups mean nothing in t-SNE"))
    return found


def _captions(placed: PlacedFrame, width: float, height: float) -> list[Text]:
    theme, ink = placed.theme, placed.theme.color("ink3")
    margin = theme.px(16)
    room = width - 2 * margin
    lines = [line for note in notes(placed) for line in wrapped(theme, note, _CAPTION, room)]
    top = float(theme.px(_CAPTIONS))
    texts = []
    for line in lines:
        texts.append(Text(line, margin, top, ink))
        top += line.height
    return texts


def _marker_boxes(shown: list[Marker]) -> Array:
    """Return what markers cover with some room around them, shape (N, 4)."""
    found = np.array([marker[2:5] for marker in shown]).reshape(-1, 3)  # x, y, diameter
    middle, half = found[:, :2], found[:, 2:] / 2 + 3
    return np.hstack([middle - half, middle + half])


def _inside(text: Text, width: float, height: float) -> Text:
    """Return a text moved into a picture of that size."""
    x = min(max(text.x, 4.0), max(width - 4 - text.word.width, 4.0))
    return text._replace(x=x, y=min(text.y, height - 2 - text.word.height))
