"""The graph's markers and the words beside them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from PySide6.QtGui import QColor

from explorer.kit.canvas.drawing import Marker, Text
from explorer.kit.canvas.placement import Anchor, Surroundings, place_labels
from explorer.kit.canvas.text import Word, word
from explorer.kit.theme import SLOTS, TokenColour
from explorer.rooms.train.graph.setting import Array, Layout, Setting
from explorer.session import Space
from explorer.text import displayable

# Sizes of the design in px at 100 %.
MARKER, FOCUS, HALO = 24.0, 30.0, 60.0
FEWER, SMALL = 18.0, 11.0  # markers of more words than have colours, and than have names
_LARGE, _NORMAL = 21, 17
_LONGEST_NAME = 16  # characters of a word in the graph
_ALWAYS_NAMED = 8  # words; of more, a name that would cover another is left out
_DEEP = 0.08  # by how much the nearest marker is larger than one in the middle


class Labels(NamedTuple):
    """Names, the rectangles they cover, and the number of the place that each word's took."""

    texts: list[Text]
    boxes: Array
    places: dict[int, int | None]


def markers(setting: Setting) -> list[Marker]:
    """Return all markers, the farthest first; nearer ones are a little larger.

    Where there are more than can all have a colour, those concerned come last: none is hidden.
    """
    content, scale = setting.content, setting.marks
    near = setting.at[:, 2]
    span = float(np.abs(near).max()) if setting.axes == 3 else 0.0
    hovered = setting.hover.query if setting.hover and setting.hover.pair is None else None
    result: list[Marker] = []
    order: list[int] = np.argsort(near, kind="stable").tolist()
    many = len(order) > SLOTS
    if many:
        order.sort(key=setting.concerned.__contains__)
    plain = SMALL if content.crowded else FEWER if many else MARKER
    for n in order:
        x, y, depth = setting.at[n].tolist()
        large = n in content.said or n == content.word
        size = FOCUS if large else plain
        if span:
            size *= 1 + _DEEP * depth / span
        # In half pixels: markers are painted from pictures that are kept by their size.
        diameter = round(2 * size * scale) / 2
        colour, share = setting.colour(n), setting.word_share(n)
        if share < 1.0:
            colour = TokenColour(
                setting.mixed(QColor(colour.fill), share).name(),
                setting.mixed(QColor(colour.ink), share).name(),
            )
        halo = HALO * scale if n == content.word else 0.0
        marker = Marker(Space.X, n, x, y, diameter, colour, halo=halo, hovered=n == hovered)
        result.append(marker)
    return result


def labels(
    setting: Setting,
    shown: list[Marker],
    rings: Mapping[int, float],
    around: Surroundings,
    keep: Layout,
) -> Labels:
    """Return the words, each in the best of a few places beside its marker."""
    content, theme = setting.content, setting.theme
    named = [m for m in reversed(shown) if not content.crowded or m.row in setting.concerned]
    words = [_name(setting, marker.row) for marker in named]
    few = len(content.colours) <= _ALWAYS_NAMED
    anchors = [
        Anchor(
            marker.x,
            marker.y,
            max(marker.diameter / 2, rings.get(marker.row, 0.0)),
            text.width,
            text.height,
            required=few or marker.row in setting.concerned,
        )
        for marker, text in zip(named, words, strict=True)
    ]
    kept = [keep.labels.get(marker.row, -1) for marker in named]
    placed = place_labels(anchors, around, setting.scale, kept)
    texts: list[Text] = []
    for marker, text, place in zip(named, words, placed, strict=True):
        if place.number is not None:
            own = content.colours[marker.row]
            ink = setting.mixed(theme.color(own.ink), setting.word_share(marker.row))
            texts.append(Text(text, place.rect[0], place.rect[1], ink))
    boxes = np.array([place.rect for place in placed if place.number is not None])
    places = {marker.row: place.number for marker, place in zip(named, placed, strict=True)}
    return Labels(texts, boxes.reshape(-1, 4), places)


def _name(setting: Setting, n: int) -> Word:
    content = setting.content
    large = n in content.said or n == content.word
    name = displayable(content.frame.vocabulary[n], _LONGEST_NAME)
    return word(setting.theme, name, _LARGE if large else _NORMAL, 600 if large else 400)
