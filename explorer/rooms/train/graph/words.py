"""The graph's markers and the words beside them, and what it shows in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from PySide6.QtGui import QColor

from explorer.kit.canvas.drawing import Line, Marker, Text
from explorer.kit.canvas.placement import Anchor, Surroundings, leader, place_labels
from explorer.kit.canvas.text import Word, word
from explorer.kit.theme import SLOTS, TokenColour
from explorer.rooms.train.graph.graph_edges import Kind
from explorer.rooms.train.graph.placed_frame import Array, Content, Layout, PlacedFrame
from explorer.session import Space
from explorer.session.train import TrainFrame
from explorer.text import _, display_number, displayable, in_a_row, joined, ngettext

# Sizes of the design in px at 100 %.
MARKER, FOCUS, HALO = 24.0, 30.0, 60.0
FEWER, SMALL = 18.0, 11.0  # markers of more words than have colours, and than have names
_LARGE, _NORMAL, _SMALL = 21, 17, 14
_LONGEST_NAME = 16  # characters of a word in the graph
_ALWAYS_NAMED = 8  # words; of more, a name that would cover another is left out
_DEEP = 0.08  # by how much the nearest marker is larger than one in the middle


class Labels(NamedTuple):
    """Names, the rectangles they cover, the number of the place that each word's took, and lines
    to distant ones."""

    texts: list[Text]
    boxes: Array
    places: dict[int, int | None]
    leaders: list[Line]


def markers(placed: PlacedFrame) -> list[Marker]:
    """Return all markers, the farthest first; nearer ones are a little larger.

    Where there are more than can all have a colour, those concerned come last: none is hidden.
    """
    content, scale = placed.content, placed.marks
    near = placed.at[:, 2]
    span = float(np.abs(near).max()) if placed.axes == 3 else 0.0
    hovered = placed.hover.query if placed.hover and placed.hover.pair is None else None
    result: list[Marker] = []
    order: list[int] = np.argsort(near, kind="stable").tolist()
    many = len(order) > SLOTS
    if many:
        order.sort(key=placed.concerned.__contains__)
    plain = SMALL if content.crowded else FEWER if many else MARKER
    large = {*content.said, *(() if content.word is None else (content.word,))}
    sizes = np.full(len(order), plain)
    sizes[sorted(large)] = FOCUS
    if span:
        sizes *= 1 + _DEEP * near / span
    # In half pixels: markers are painted from pictures that are kept by their size.
    diameters = (np.round(2 * sizes * scale) / 2).tolist()
    x, y = placed.at[:, 0].tolist(), placed.at[:, 1].tolist()
    # Where nothing is pointed at, what is not large differs in its place and its size alone.
    own = {id(colour): colour for colour in content.colours}
    marked = {key: placed.marked(colour) for key, colour in own.items()}
    for n in order:
        colour = marked[id(content.colours[n])]
        if placed.hover is None and n not in large:
            result.append(Marker(Space.X, n, x[n], y[n], diameters[n], colour))
            continue
        share = placed.word_share(n)
        if share < 1.0:
            colour = TokenColour(
                placed.mixed(QColor(colour.fill), share).name(),
                placed.mixed(QColor(colour.ink), share).name(),
            )
        halo = HALO * scale if n == content.word else 0.0
        found = Marker(Space.X, n, x[n], y[n], diameters[n], colour, 1.0, halo, n == hovered)
        result.append(found)
    return result


def named_first(placed: PlacedFrame, shown: list[Marker]) -> list[Marker]:
    """Return the markers whose words choose their places before the edges' values do."""
    if not placed.content.crowded:
        return shown[::-1]
    return [m for m in reversed(shown) if m.row in placed.concerned]


def named_last(placed: PlacedFrame, shown: list[Marker]) -> list[Marker]:
    """Return the other markers of a crowded graph, those of frequent words first."""
    at = {m.row: m for m in shown if m.row in placed.content.ranked_words}
    ranked = placed.content.ranked
    return [at[row] for row in ranked if row in at and row not in placed.concerned]


def labels(
    placed: PlacedFrame,
    named: list[Marker],
    rings: Mapping[int, float],
    around: Surroundings,
    keep: Layout,
) -> Labels:
    """Return the words of markers, each in the best of a few places beside its marker."""
    content, theme = placed.content, placed.theme
    words = [_name(placed, marker.row) for marker in named]
    few = len(content.colours) <= _ALWAYS_NAMED
    anchors = [
        Anchor(
            marker.x,
            marker.y,
            max(marker.diameter / 2, rings.get(marker.row, 0.0)),
            text.width,
            text.height,
            required=few or marker.row in placed.concerned,
            pointed=marker.row in placed.concerned,
        )
        for marker, text in zip(named, words, strict=True)
    ]
    kept = [keep.labels.get(marker.row, -1) for marker in named]
    found = place_labels(anchors, around, placed.scale, kept)
    texts: list[Text] = []
    leaders: list[Line] = []
    for marker, text, anchor, place in zip(named, words, anchors, found, strict=True):
        if place.number is not None:
            if tie := leader(anchor, place.rect, placed.scale):
                leaders.append(Line(tie, theme.color("ctl"), placed.scale))
            own = content.colours[marker.row]
            ink = placed.mixed(theme.color(own.ink), placed.word_share(marker.row))
            texts.append(Text(text, place.rect[0], place.rect[1], ink))
    boxes = np.array([place.rect for place in found if place.number is not None])
    places = {marker.row: place.number for marker, place in zip(named, found, strict=True)}
    return Labels(texts, boxes.reshape(-1, 4), places, leaders)


def _name(placed: PlacedFrame, n: int) -> Word:
    content = placed.content
    large = n in content.said or n == content.word
    name = displayable(content.frame.vocabulary[n], _LONGEST_NAME)
    plain = _SMALL if content.crowded and n not in placed.concerned else _NORMAL
    return word(placed.theme, name, _LARGE if large else plain, 600 if large else 400)


def summary(content: Content) -> str:
    """Return in a few sentences what the graph shows."""
    frame, graph_edges = content.frame, content.edges.all
    words = len(frame.vocabulary)
    head = frame.cursor.head
    drawn = [
        _edge_text(frame, graph_edge.query, graph_edge.key, graph_edge.weight)
        for graph_edge in graph_edges
        if graph_edge.kind is Kind.BOLD
    ]
    said = [
        _("Epoch {epoch}, {words}").format(
            epoch=frame.epoch, words=displayable(" ".join(frame.words))
        ),
        ngettext("{count} word", "{count} words", words).format(count=words),
        _("average over heads") if head is None else _("head {head}").format(head=head + 1),
        _("edges from {least}").format(least=display_number(frame.look.threshold, 2)),
    ]
    sentences = [_("{counted}.").format(counted=joined(said))]
    if drawn:
        sentences.append(_("Edges: {edges}.").format(edges=joined(drawn)))
    for graph_edge in graph_edges:
        if graph_edge.kind is Kind.PREDICTED:
            predicted = _("Next word: {word} {value}.").format(
                word=displayable(frame.vocabulary[graph_edge.key]),
                value=display_number(graph_edge.weight, 2),
            )
            sentences.append(predicted)
    return in_a_row(sentences)


def word_names(content: Content) -> list[str]:
    """Return a name for every word, with the edges that leave it."""
    frame = content.frame
    leaving: dict[int, list[str]] = {}
    for graph_edge in reversed(content.edges.all):
        if graph_edge.kind is not Kind.PREDICTED:
            name = displayable(frame.vocabulary[graph_edge.key])
            text = f"{name} {display_number(graph_edge.weight, 2)}"
            leaving.setdefault(graph_edge.query, []).append(text)
    names = []
    for number, name in enumerate(frame.vocabulary):
        text = displayable(name)
        if number in leaving:
            text = _("{word}, edges to {others}").format(word=text, others=joined(leaving[number]))
        if number == frame.word:
            text = _("{word}, selected").format(word=text)
        names.append(text)
    return names


def _edge_text(frame: TrainFrame, query: int, key: int, weight: float) -> str:
    return _("{query} to {key} {value}").format(
        query=displayable(frame.vocabulary[query]),
        key=displayable(frame.vocabulary[key]),
        value=display_number(weight, 2),
    )
