"""One query's row of weights, as the views of Model read it, and the colours of its tokens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from explorer.kit.pieces import seen
from explorer.kit.row_list import others_of, told_key
from explorer.kit.theme import Theme, TokenColour, contrast
from explorer.session.model.frame import ModelFrame
from explorer.session.resolve import domain_of
from explorer.text import displayable

STRONGEST = 5  # keys of a row that carry numbers


@dataclass(frozen=True, eq=False)
class Row:
    """What one query gives to the keys that are shown.

    Attributes
    ----------
    query : int
        Counted from 0.
    weights : (S,)
        Of all keys, also of those that are not shown.
    keys : (n,)
        The shown keys, the largest weight first; of equal ones the first.
    domain : float
        The largest shown weight, rounded up to .1.
    """

    query: int
    weights: np.ndarray
    keys: np.ndarray
    domain: float

    @cached_property
    def strongest(self) -> tuple[int, ...]:
        """The keys that carry numbers, the largest weight first; none without any weight."""
        return tuple(int(key) for key in self.keys[:STRONGEST] if self.weights[key] > 0)

    @property
    def others(self) -> tuple[int, float]:
        """How many more keys there are, those not shown too, and their weights together."""
        return others_of(self.weights, self.strongest)


def row_of(frame: ModelFrame, query: int | None) -> Row | None:
    """Return a query's row; None where there is no query, or its numbers have not come."""
    if frame.run is None or frame.head is None or query is None:
        return None
    whole = frame.head.arrays.weights
    if query >= len(whole):
        return None
    weights = whole[query]
    keys = frame.shown[1]
    keys = keys[np.argsort(-weights[keys], kind="stable")]
    largest = float(weights[keys[0]]) if len(keys) else 0.0
    return Row(query, weights, keys, domain_of(largest))


def selected_row(frame: ModelFrame) -> Row | None:
    """Return the row of the selected query."""
    return row_of(frame, frame.cursor.query)


def pointed_row(frame: ModelFrame) -> Row | None:
    """Return the row of the hovered query, else of the selected one."""
    hovered = row_of(frame, frame.hover[0])
    return selected_row(frame) if hovered is None else hovered


def token_colours(theme: Theme, frame: ModelFrame) -> Mapping[int, TokenColour]:
    """Return the colours of the tokens that have one of their own, by their place.

    Pinned ones keep theirs; the selected pair takes the next free ones, then the words among the
    selected query's strongest keys. Special tokens take one only where they are pinned or selected.
    """
    if frame.run is None:
        return {}
    row, cursor = selected_row(frame), frame.cursor
    places = [*frame.look.pinned, cursor.query, cursor.key]
    if row is not None:
        special = frame.run.special
        places += [key for key in row.strongest if not special[key]]
    known = dict.fromkeys(place for place in places if place is not None)
    return {place: theme.slot(slot) for slot, place in enumerate(known)}


def token_name(frame: ModelFrame, place: int, *, key: bool = True) -> str:
    """Return a token's name as it is shown, of a key or a query."""
    assert frame.run is not None
    pieces = frame.run.key_pieces if key else frame.run.pieces
    return displayable(seen(pieces[place].text), 24) if place < len(pieces) else ""


def told_pair(frame: ModelFrame, row: Row | None, key: int) -> str:
    """Return a key's name and place and, where a query asks, every digit of its weight."""
    name = token_name(frame, key)
    if row is None:
        return told_key(name, key)
    query = token_name(frame, row.query, key=False)
    return told_key(name, key, query, float(row.weights[key]))


def short(weight: float) -> str:
    """Return a weight with two decimals and no leading 0, such as .40; 1.00 has one."""
    text = f"{weight:.2f}"
    return text[1:] if text.startswith("0") else text


@lru_cache(maxsize=4096)
def reads(ink: str, fill: str) -> bool:
    """Return whether text of a colour, #RRGGBB, can be read on another: at 4.5:1 or more."""
    rgb = [[int(colour[i : i + 2], 16) for i in (1, 3, 5)] for colour in (ink, fill)]
    return bool(contrast(*rgb) >= 4.5)
