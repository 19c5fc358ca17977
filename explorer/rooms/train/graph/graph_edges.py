"""Which edges the word graph draws, before any geometry."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from explorer.session.look import Role, Selection
from explorer.session.train import Link, StepValues, TrainFrame

MOST_FAINT = 500  # edges of other samples; of more the strongest are drawn


class Kind(IntEnum):
    """How an edge is drawn, in the order of painting."""

    FAINT = 0
    BOLD = 1
    PREDICTED = 2


class GraphEdge(NamedTuple):
    """An edge between two words of the vocabulary.

    Parameters
    ----------
    query, key : int
        The word that it leaves and the word that it reaches; equal for a ring.
    weight : float
        The weight; of a prediction the probability.
    kind : Kind
    """

    query: int
    key: int
    weight: float
    kind: Kind


@dataclass(frozen=True)
class GraphEdges:
    """The edges of one frame, in the order of painting.

    Parameters
    ----------
    all : tuple of GraphEdge
    own : frozenset of (query, key)
        Those of the chosen sample, which have positions that can be selected.
    predicted : int or None
        The likeliest next word, drawn or not.
    cut : bool
        Whether weaker edges of other samples were left out, as there are too many.
    """

    all: tuple[GraphEdge, ...] = ()
    own: frozenset[tuple[int, int]] = frozenset()
    predicted: int | None = None
    cut: bool = False


def graph_edges_of(frame: TrainFrame) -> GraphEdges:
    """Return the edges at or above the threshold; none where nothing is recorded.

    The chosen sample's are bold and those of the others faint, where they are shown. With a word
    selected, its edges alone are bold, whichever samples they come from. Raises Problem.
    """
    values, cursor, word = frame.values, frame.cursor, frame.word
    if values is None:
        return GraphEdges()
    # A weight of 0 is no edge: the pair is masked.
    least = max(frame.look.threshold, float(np.finfo(np.float32).tiny))
    own = values.links(cursor.sample, cursor.head, least)
    others: tuple[Link, ...] = ()
    if frame.shows_others or word is not None:
        others = values.other_links(cursor.sample, cursor.head, least, MOST_FAINT + 1)
    if not frame.shows_others:  # those of a selected word are asked for
        others = tuple(link for link in others if word in (link.query, link.key))
    cut = len(others) > MOST_FAINT
    if cut:
        others = tuple(sorted(others, key=lambda link: -link.weight)[:MOST_FAINT])
    pairs = frozenset((link.query, link.key) for link in own)
    found = [
        GraphEdge(*link, Kind.BOLD if word in (link.query, link.key) else Kind.FAINT)
        for link in others
        if (link.query, link.key) not in pairs
    ]
    found += [
        GraphEdge(*link, Kind.BOLD if word in (None, link.query, link.key) else Kind.FAINT)
        for link in own
    ]
    # The weakest first, so that the strongest lie on top.
    found.sort(key=lambda graph_edge: (graph_edge.kind, graph_edge.weight))
    prediction = _prediction(frame, values)
    if prediction is not None and prediction.weight >= least:
        found.append(prediction)
    return GraphEdges(tuple(found), pairs, None if prediction is None else prediction.key, cut)


def _prediction(frame: TrainFrame, values: StepValues) -> GraphEdge | None:
    """Return the way from the sample's last word to the likeliest next one."""
    if values.probabilities is None or frame.trace is None:
        return None
    chances = values.probabilities[frame.cursor.sample]
    words = sample_tokens(frame)
    likeliest = int(chances.argmax())
    return GraphEdge(words[-1], likeliest, float(chances[likeliest]), Kind.PREDICTED)


def sample_tokens(frame: TrainFrame) -> list[int]:
    """Return the places in the vocabulary of the chosen sample's words."""
    trace, sample = frame.trace, frame.cursor.sample
    if trace is None:
        return []
    tokens: list[int] = trace.tokens[sample, : trace.lengths[sample]].tolist()
    return tokens


def selection_of(frame: TrainFrame, query: int, key: int) -> Selection | None:
    """Return the cell of the chosen sample's weights that an edge stands for: its largest."""
    if frame.values is None:
        return None
    words = np.array(sample_tokens(frame))
    weights = frame.values.sample_weights(frame.cursor.sample, frame.cursor.head)
    among = np.where((words[:, None] == query) & (words == key), weights, -1.0)
    if not among.size or among.max() < 0:
        return None
    i, j = np.unravel_index(int(among.argmax()), among.shape)
    return Selection(Role.A, query=int(i), key=int(j))


class Pointed(NamedTuple):
    """The words that are pointed at or selected, and the edge where it is one."""

    query: int | None = None
    key: int | None = None

    @property
    def pair(self) -> tuple[int, int] | None:
        """The edge, where both of its words are known."""
        if self.query is None or self.key is None:
            return None
        return self.query, self.key

    def touches(self, graph_edge: GraphEdge) -> bool:
        """Return whether an edge belongs to what is pointed at."""
        if self.pair is not None:
            return self.pair == (graph_edge.query, graph_edge.key)
        word = self.key if self.query is None else self.query
        return word in (graph_edge.query, graph_edge.key)


def hovered(frame: TrainFrame) -> Pointed | None:
    """Return the words that are pointed at in any view; None for none."""
    if frame.hover_word is not None:
        return Pointed(query=frame.hover_word)
    return pointed(frame.hover, frame)


def pointed(thing: Selection | None, frame: TrainFrame) -> Pointed | None:
    """Return the words that a selection of the chosen sample's positions means; None for none."""
    words = sample_tokens(frame)
    if thing is None or thing.in_weights:
        return None
    query, key = (
        words[place] if place is not None and place < len(words) else None
        for place in (thing.query, thing.key)
    )
    return None if query is None and key is None else Pointed(query, key)
