"""A drawing that is read from afar."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication

from explorer.kit.canvas.drawing import Drawing, Edge, Point, Rect, Text, for_audience, text_box
from explorer.kit.canvas.text import word
from explorer.kit.theme import Theme

INK, GROUND = QColor("black"), QColor("white")

_number = st.integers(-10, 90).map(lambda eighth: eighth * 4 / 3)
_point = st.tuples(_number, _number)
_width = st.sampled_from((0.5, 1.5, 4.0))
_arrow = st.builds(
    lambda a, b, c, width, head: Edge(0, 1, (a, b, c), width, INK, head=head),
    *(_point, _point, _point, _width),
    st.one_of(st.just(()), st.tuples(_point, _point, _point)),
)
_ring = st.builds(
    lambda at, width, radius: Edge(0, 0, (at,), width, INK, radius=radius),
    *(_point, _width, st.sampled_from((3.0, 9.0))),
)


def passes_through(edge: Edge, rect: Rect) -> bool:
    """Return whether any of 65 dots of an edge, or a corner of its head, lies in a rectangle that
    is larger by half the edge's width: one dot after the other."""
    left, top, right, bottom = rect
    reach = edge.width / 2 + edge.radius
    dots: list[Point] = [*edge.points[:1], *edge.head]
    if len(edge.points) == 3:
        a, b, c = edge.points
        for n in range(65):
            t = n / 64
            u, v, w = (1 - t) ** 2, 2 * t * (1 - t), t**2
            dots.append((u * a[0] + v * b[0] + w * c[0], u * a[1] + v * b[1] + w * c[1]))
    return any(
        left - reach < x < right + reach and top - reach < y < bottom + reach for x, y in dots
    )


@given(edges=st.lists(st.one_of(_arrow, _ring), max_size=6), places=st.lists(_point, max_size=5))
def test_the_ground_is_cleared_below_each_text_that_an_edge_passes_through(
    qapp: QApplication, edges: list[Edge], places: list[Point]
) -> None:
    name = word(Theme(), "fish", 14)
    texts = tuple(Text(name, x, y, INK) for x, y in places)

    shown = for_audience(Drawing(edges=tuple(edges), texts=texts), GROUND)

    cleared = [text for text in shown.texts if text.background == GROUND]
    assert [(text.x, text.y) for text in cleared] == [
        (text.x, text.y)
        for text in texts
        if any(passes_through(edge, text_box(text)) for edge in edges)
    ]
    assert shown.texts[len(cleared) :] == texts
    assert all(math.isclose(text.colour.alphaF(), 0.0) for text in cleared)
