"""A drawing as it is shown to a room: read from afar."""

from __future__ import annotations

import numpy as np
from PySide6.QtGui import QColor

from explorer.kit.canvas.drawing import Drawing, Edge, Line, Rect, Text


def for_a_room(drawing: Drawing, ground: QColor) -> Drawing:
    """Return a drawing that is read from afar: no line runs through a text, and points that only
    accompany the selected token's edges are left out."""
    boxes = [text_box(text) for text in drawing.texts]
    unseen = QColor(0, 0, 0, 0)
    crossed = (
        text._replace(colour=unseen, background=ground)
        for text, box in zip(drawing.texts, boxes, strict=True)
        if any(_crosses(edge, box) for edge in drawing.edges)
    )
    grounds = [_rectangle(box, ground) for box in boxes]
    return drawing._replace(
        shapes=(*drawing.shapes, *grounds),
        markers=tuple(m for m in drawing.markers if not m.ghost or m.row < 0),
        texts=(*crossed, *drawing.texts),
    )


def _crosses(edge: Edge, box: Rect) -> bool:
    """Return whether an edge passes through a rectangle, or a ring lies about it."""
    left, top, right, bottom = box
    half = edge.width / 2 + edge.radius
    if len(edge.points) == 3:
        start, control, end = (np.array(point)[:, None] for point in edge.points)
        t = np.linspace(0.0, 1.0, 65)
        x, y = (1 - t) ** 2 * start + 2 * t * (1 - t) * control + t**2 * end
    else:
        x, y = np.array(edge.points).T
    x, y = np.append(x, [p[0] for p in edge.head]), np.append(y, [p[1] for p in edge.head])
    inside = (x > left - half) & (x < right + half) & (y > top - half) & (y < bottom + half)
    return bool(inside.any())


def _rectangle(rect: Rect, fill: QColor) -> Line:
    left, top, right, bottom = rect
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    return Line(corners, fill, 2, fill=fill)


def text_box(text: Text) -> Rect:
    """Return the rectangle that a text covers."""
    return text.x, text.y, text.x + text.word.width, text.y + text.word.height
