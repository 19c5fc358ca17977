"""From a frame and a camera to the graph's drawing, as pure functions."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from explorer.kit.canvas.drawing import Drawing, Marker, Rect, Text
from explorer.kit.canvas.placement import Surroundings
from explorer.kit.canvas.text import word
from explorer.kit.theme import Theme
from explorer.rooms.train.graph.edges import chips, edges
from explorer.rooms.train.graph.floor import axis_names, drops, floor
from explorer.rooms.train.graph.graph_edges import MOST_FAINT
from explorer.rooms.train.graph.setting import Array, Layout, Setting
from explorer.rooms.train.graph.words import labels, markers
from explorer.text import _

_CAPTION = 13  # px at 100 %
_EDGES_HEEDED = 64  # by labels and chips, the strongest; more would leave them no place
_SMOOTH_MOVING, _SMOOTH_STILL = 150, 600  # edges that are painted with antialiasing


class Composed(NamedTuple):
    """A drawing and the choices made for it."""

    drawing: Drawing
    layout: Layout


def compose(setting: Setting, width: float, height: float, keep: Layout, moving: bool) -> Composed:
    """Return the drawing of a setting in a view of that size.

    Parameters
    ----------
    keep : Layout
        Choices to be kept where they still apply.
    moving : bool
        Whether the next picture follows at once, so that speed matters more than smoothness.
    """
    basis = setting.content.frame.basis
    shown = markers(setting)
    drawn = edges(setting, shown)
    captions = _captions(setting, width, height)
    if basis is not None:
        captions += axis_names(setting, basis)
    crowded, concerned = setting.content.crowded, setting.concerned
    heeded = [marker for marker in shown if not crowded or marker.row in concerned]
    around = Surroundings(
        inside=(4.0, 4.0, width - 4, height - 4),
        boxes=_boxes([*map(_marker_box, heeded), *map(_text_box, captions)]),
        ghosts=_boxes([_marker_box(m) for m in shown if crowded and m.row not in concerned]),
        dots=drawn.dots[-_EDGES_HEEDED:],
        reach=drawn.reach[-_EDGES_HEEDED:],
    )
    names = labels(setting, shown, drawn.rings, around, keep)
    around = around._replace(boxes=np.vstack([around.boxes, names.boxes]))
    values, places = chips(setting, drawn, around, keep)
    drawing = Drawing(
        grid=floor(setting),
        shapes=tuple(drops(setting)),
        edges=tuple(drawn.edges),
        markers=tuple(shown),
        texts=(*captions, *names.texts),
        chips=tuple(values),
        scale=setting.scale,
        many_edges=_SMOOTH_MOVING if moving else _SMOOTH_STILL,
    )
    return Composed(drawing, Layout(names.places, places))


def notes(setting: Setting) -> list[str]:
    """Return what is said in the picture's lower corner."""
    found = []
    if setting.content.edges.cut:
        found.append(
            _("Of the other sentences' edges, the {count} strongest").format(count=MOST_FAINT)
        )
    if not setting.axes:
        found.append(_("Distances between far groups mean nothing in t-SNE"))
    return found


def wrapped(theme: Theme, text: str, width: float) -> list[str]:
    """Return a text in lines of at most so many px, broken between words."""
    lines = [""]
    for part in text.split(" "):
        longer = f"{lines[-1]} {part}".strip()
        if lines[-1] and word(theme, longer, _CAPTION).width > width:
            lines.append(part)
        else:
            lines[-1] = longer
    return lines


def _captions(setting: Setting, width: float, height: float) -> list[Text]:
    theme, ink = setting.theme, setting.theme.color("ink3")
    margin = theme.px(16)
    lines = [
        word(theme, line, _CAPTION)
        for note in notes(setting)
        for line in wrapped(theme, note, width - 2 * margin)
    ]
    top = height - margin - sum(line.height for line in lines)
    texts = []
    for line in lines:
        texts.append(Text(line, margin, top, ink))
        top += line.height
    return texts


def _boxes(rects: list[Rect]) -> Array:
    return np.array(rects).reshape(-1, 4)


def _marker_box(marker: Marker) -> Rect:
    half = marker.diameter / 2 + 3
    return marker.x - half, marker.y - half, marker.x + half, marker.y + half


def _text_box(text: Text) -> Rect:
    return text.x, text.y, text.x + text.word.width, text.y + text.word.height
