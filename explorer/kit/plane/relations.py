"""Which pairs the plane draws, between which points, and what belongs to a pointed thing."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.session import Edges, Frame, Role, Selection, Space, Stage

ALL_UP_TO = 8  # tokens whose edges are all drawn
_SHOWS = {Edges.SCORES: Stage.S, Edges.ATTENTION: Stage.A}


class Flow(NamedTuple):
    """From which space's points to which the edges run; the query's and the key's space."""

    query: Space
    key: Space

    @property
    def to_query(self) -> bool:
        """Whether an edge runs from the key to the query: values flow into outputs."""
        return self.query is Space.O


def possible_flow(frame: Frame, edges: Edges) -> Flow | None:
    """Return between which of the shown spaces such edges can be drawn, or None."""
    if edges is not Edges.NONE and _SHOWS[edges] in frame.look.hidden:
        return None
    return flow_between(frame, edges)


def flow_between(frame: Frame, edges: Edges) -> Flow | None:
    """Return between which of the shown spaces such edges run, hidden ones too, or None."""
    shown = frame.look.shown
    if edges is Edges.NONE:
        return None
    if {Space.Q, Space.K} <= shown:
        return Flow(Space.Q, Space.K)
    if edges is Edges.ATTENTION and {Space.V, Space.O} <= shown:
        return Flow(Space.O, Space.V)
    if Space.X in shown and frame.scene.context is None:
        return Flow(Space.X, Space.X)
    return None


def is_chosen(frame: Frame) -> bool:
    """Return whether only the strongest of a pointed token's edges are drawn, or of all."""
    many = max(frame.weights.shape) > ALL_UP_TO
    return many and possible_flow(frame, frame.look.edges) is not None


def edge_values(frame: Frame) -> NDArray[np.float64]:
    """Return the values that the edges show, shape (T, S)."""
    return frame.weights if frame.look.edges is Edges.ATTENTION else frame.shown_scores


def points_at(thing: Selection | None) -> Selection | None:
    """Return the thing where it means tokens; a cell of a W means none."""
    return None if thing is None or thing.in_weights else thing


def pairs(frame: Frame, thing: Selection | None) -> list[tuple[int, int]]:
    """Return the (query, key) pairs drawn for a selected token, or for none; masked ones never.

    Of more than eight tokens those of the strongest values: of the token, or of all. The selected
    pair is always among them.
    """
    values = edge_values(frame)
    allowed = np.ones(values.shape, bool) if frame.attention.mask is None else frame.attention.mask
    thing = points_at(thing)
    queries, keys = values.shape
    if thing is None:
        rows, columns = np.arange(queries), np.arange(keys)
    elif thing.query is not None and thing.query < queries:
        rows, columns = np.array([thing.query]), np.arange(keys)
    elif thing.key is not None and thing.key < keys:
        rows, columns = np.arange(queries), np.array([thing.key])
    else:
        return []
    at = np.ix_(rows, columns)
    size = np.where(allowed[at], np.abs(np.where(allowed[at], values[at], 0.0)), -1.0).ravel()
    chosen = np.flatnonzero(size >= 0)
    most = frame.look.strongest
    if max(queries, keys) > ALL_UP_TO and len(chosen) > most:
        chosen = np.sort(np.argpartition(size, -most)[-most:])
    found = [(int(rows[n // len(columns)]), int(columns[n % len(columns)])) for n in chosen]
    pair = None if thing is None else thing.pair
    if pair is not None and pair[1] < keys and pair not in found and allowed[pair]:
        found.append(pair)
    table = _SHOWS.get(frame.look.edges)
    return [at for at in found if table is None or not frame.look.hides(table, *at)]


_FOCUS: dict[Role, tuple[Space, ...]] = {
    Role.X: (Space.X, Space.P, Space.Q, Space.O, Space.Y, Space.K, Space.V),
    Role.P: (Space.P, Space.X, Space.Q, Space.O, Space.Y),
    Role.POSITION: (Space.P, Space.X, Space.Q, Space.O, Space.Y),
    Role.Q: (Space.Q, Space.X, Space.P, Space.O, Space.Y),
    Role.R: (Space.Q, Space.K, Space.X, Space.P, Space.O, Space.Y),
    Role.S: (Space.Q, Space.X, Space.P, Space.O, Space.Y),
    Role.A: (Space.Q, Space.O, Space.Y, Space.X, Space.P),
    Role.O: (Space.O, Space.Y, Space.Q, Space.X, Space.P),
    Role.C: (Space.O, Space.Y, Space.Q, Space.X, Space.P),
    Role.Y: (Space.Y, Space.O, Space.Q, Space.X, Space.P),
    Role.K: (Space.K, Space.V),
    Role.V: (Space.V, Space.K),
    Role.CONTEXT: (Space.K, Space.V),
}


def focus(frame: Frame, thing: Selection | None) -> tuple[Space, int] | None:
    """Return the one point a thing is about: the space that shows it best, and the row."""
    thing = points_at(thing)
    if thing is None:
        return None
    for space in _FOCUS[thing.role]:
        own = thing.key if thing.query is None else thing.query
        if space in (Space.K, Space.V) and frame.scene.context is not None:
            own = thing.key
        if space in frame.look.shown and own is not None and own < len(frame.names(space)):
            return space, own
    return None


def is_related(frame: Frame, thing: Selection, space: Space, index: int) -> bool:
    """Return whether a point belongs to a pointed thing, so that it keeps its full colour.

    A pair's points are its query's and its key's. A token's points are its own in every space and,
    where edges are drawn, those its edges lead to.
    """
    keyed = space in (Space.K, Space.V)
    alike = frame.scene.context is None  # whether row j of K belongs to token j of X
    if thing.pair is not None:
        if keyed:
            return index == thing.key
        return index == thing.query or (space is Space.X and alike and index == thing.key)
    from_query = thing.query is not None
    if index == (thing.query if from_query else thing.key) and (alike or keyed != from_query):
        return True
    return frame.look.edges is not Edges.NONE and (keyed == from_query or space is Space.X)


def is_related_pair(thing: Selection, query: int, key: int) -> bool:
    """Return whether an edge belongs to a pointed thing."""
    return (thing.query is None or thing.query == query) and (thing.key is None or thing.key == key)
