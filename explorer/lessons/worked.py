"""A number as the sum that one works out by hand, and what comes out where that goes wrong."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from explorer.attention import Variant
from explorer.lessons.predictions import Answer
from explorer.lessons.readings import address, table_of
from explorer.lessons.schema import Reading
from explorer.session import Frame, position_rows
from explorer.text import N_, Message, Problem, decimal_places, display_number, displayable

_PAIRS = ("raw", "scores", "weights")
_MADE_BY = {"Q": "q", "K": "k", "V": "v"}
_MOST = 8  # terms that one writes down


def worked(of: Reading, frame: Frame) -> str:
    """Return the sum of a number, `0.5 × (−0.35) + 0.5 × 0.74 = 0.195`; empty where none is."""
    value = table_of(of.value, frame, of.head)[address(of, frame)]
    head = frame.look.head if of.head is None else of.head - 1
    result = frame.attention
    if of.value in ("scores", "weights") and result.variant is not Variant.NONE:
        return ""
    if of.value == "scores":
        raw = result.of_head(head).raw[address(of, frame)]
        if not math.isfinite(value) or result.divisor == 1.0:
            return ""
        made = f"{_said(raw)} ÷ {_said(result.divisor)}"
    elif of.value == "weights":
        query, key = address(of, frame)
        scores = result.of_head(head).scores[query]
        if not math.isfinite(scores[key]):
            return ""
        made = f"e^{_said(scores[key])} ÷ {_said(float(np.exp(scores).sum()))}"
    else:
        found = terms(of, frame)
        if not 0 < len(found) <= _MOST:
            return ""
        made = " + ".join(f"{_said(one)} × {_said(other)}" for one, other in found)
    return f"{made} = {display_number(value, 3)}"


def terms(of: Reading, frame: Frame) -> list[tuple[float, float]]:
    """Return the products whose sum a number is; none where it is no such sum."""
    result, scene = frame.attention, frame.scene
    head = frame.look.head if of.head is None else of.head - 1
    row, column = address(of, frame)
    if of.value == "raw":
        return list(zip(result.Q[head, row].tolist(), result.K[head, column].tolist(), strict=True))
    single = of.value == "output" and scene.heads == 1 and scene.Wo is None
    if (of.value == "head output" or single) and result.output_factor == 1.0:
        weights = result.of_head(head).weights[row].tolist()
        found = zip(weights, result.V[head, :, column], strict=True)
        return [(weight, float(value)) for weight, value in found if weight]
    letter = _MADE_BY.get(of.value, "")
    plain = position_rows(scene) is None and result.variant is Variant.NONE
    normed = scene.options.qk_norm is not None and scene.options.rotary is None
    plain = plain and (letter == "v" or not normed)
    if not letter or not scene.projected or not plain or scene.per_head(f"b{letter}") is not None:
        return []
    rows = result.X if of.value == "Q" else result.context
    matrix = scene.per_head(f"W{letter}")
    if matrix is None:
        return []
    return list(zip(rows[row].tolist(), matrix[head][:, column].tolist(), strict=True))


def slips(of: Reading, frame: Frame, typed: Answer) -> list[Message]:
    """Return which slip gives a typed number: a term left out, a step too many, another cell."""
    return [message for value, message in usual_slips(of, frame) if typed.fits(value)][:1]


def usual_slips(of: Reading, frame: Frame) -> Iterator[tuple[float, Message]]:
    """Yield what comes out of each slip, and its name."""
    row, column = address(of, frame)
    head = frame.look.head if of.head is None else of.head - 1
    if of.value == "raw":
        scaled = float(frame.attention.of_head(head).scores[row, column])
        yield scaled, Message(N_("This is already divided by √d."))
    try:
        found = terms(of, frame)
    except Problem:
        found = []
    whole = sum(one * other for one, other in found)
    for one, other in found if len(found) > 1 else ():
        yield whole - one * other, Message(N_("One term of the sum is missing."))
    table = table_of(of.value, frame, of.head)
    right = table[row, column]
    for place in np.ndindex(*table.shape):
        value = float(table[place])
        if place == (row, column) or value == right:
            continue
        if of.value in _PAIRS:
            names = frame.scene.tokens[place[0]], frame.scene.key_tokens[place[1]]
            query, key = (displayable(name, 24) for name in names)
            said = Message(
                N_("This is the number of {query} and {key}."), {"query": query, "key": key}
            )
        else:
            said = Message(N_("This is another number of the table."))
        yield value, said


def _said(value: float) -> str:
    text = display_number(value, decimal_places(value, most=3, least=1))
    return text if value >= 0 else f"({text})"
