"""What of a canvas's drawing stands upon what: values, names, numbers and markers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations

from explorer.kit.canvas.drawing import Chip, Drawing, Marker, Rect, text_box

_AIR = 1.5  # px by which boxes are larger than what is seen of a text


def _shrunk(rect: Rect) -> Rect:
    """Return a text's box without the room that its line leaves above and below its letters."""
    left, top, right, bottom = rect
    rise = (bottom - top) * 0.2
    return left + _AIR, top + rise, right - _AIR, bottom - rise


def _meet(a: Rect, b: Rect) -> bool:
    return a[0] < b[2] and a[2] > b[0] and a[1] < b[3] and a[3] > b[1]


def _on_marker(rect: Rect, marker: Marker) -> bool:
    left, top, right, bottom = rect
    x, y = min(max(marker.x, left), right), min(max(marker.y, top), bottom)
    return math.hypot(x - marker.x, y - marker.y) < marker.diameter / 2 - _AIR


def overlaps(drawing: Drawing) -> Iterator[str]:
    """Yield in words each value, name or number that stands upon another or upon a marker."""
    things = [(f"value {chip.word.text}", chip.rect) for chip in drawing.chips]
    things += [
        (f"text {text.word.text}", _shrunk(text_box(text)))
        for text in drawing.texts
        if text.colour.alpha()
    ]
    for (one, a), (other, b) in combinations(things, 2):
        if _meet(a, b):
            yield f"{one} upon {other}"
    for name, rect in things:
        yield from (f"{name} upon {marker}" for marker in _markers_beneath(drawing, rect))


def upon_markers(drawing: Drawing, chip: Chip) -> list[str]:
    """Return in words the markers that a value stands upon."""
    return list(_markers_beneath(drawing, chip.rect))


def _markers_beneath(drawing: Drawing, rect: Rect) -> Iterator[str]:
    for marker in drawing.markers:
        if not marker.ghost and _on_marker(rect, marker):
            yield f"the marker of {marker.space} {marker.row}"
