"""The fields of a lesson file. Texts are tables by language, so that all else is said once."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from explorer.attention import Variant
from explorer.session.look import Centre, Comparison, Edges, Role, Space, Stage

FORMAT = "attention-explorer/lesson"
VERSION = 1

Texts = dict[str, str]  # by language: "en", "zh"
TokenName = str | Annotated[int, msgspec.Meta(ge=1)]  # a name, or a place counted from 1
Place = Annotated[int, msgspec.Meta(ge=1)]

Quantity = Literal[
    "X", "P", "X + P", "Q", "K", "V", "raw", "scores", "weights", "output", "head output",
    "Wq", "Wk", "Wv", "Wo", "bq", "bk", "bv", "bo",
]  # fmt: skip
OPTIONS = ("scale", "mask", "temperature", "position", "variant", "heads")
Option = Literal["scale", "mask", "temperature", "position", "variant", "heads"]
Op = Literal["<", "<=", ">", ">=", "==", "!="]


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of a lesson file that has no other keys."""


class Reading(_Table, frozen=True):
    """One number of the computation.

    `query` is a token as a row, `key` one as a column of scores and weights or as a row of K and V;
    `row` and `column` count from 1 in what has no tokens there.
    """

    value: Quantity
    query: TokenName | None = None
    key: TokenName | None = None
    row: Place | None = None
    column: Place | None = None
    head: Place | None = None


class Check(_Table, frozen=True):
    """What must hold: of a number, of an option, or of what is shown; or several of these."""

    value: Quantity | None = None
    query: TokenName | None = None
    key: TokenName | None = None
    row: Place | None = None
    column: Place | None = None
    head: Place | None = None
    op: Op | None = None
    than: float | Reading | None = None
    within: Annotated[float, msgspec.Meta(ge=0)] = 1e-9
    option: Option | None = None
    is_: str | float | None = msgspec.field(name="is", default=None)
    stage: Stage | None = None
    all: tuple[Check, ...] | None = None
    any: tuple[Check, ...] | None = None


class Edit(_Table, frozen=True):
    """One edit: a number, an option, a stage."""

    set: Quantity | None = None
    query: TokenName | None = None
    key: TokenName | None = None
    row: Place | None = None
    column: Place | None = None
    head: Place | None = None
    option: Option | None = None
    stage: Stage | None = None
    to: float | str | None = None


class Select(_Table, frozen=True):
    """What is selected, as a cell or a row of a table."""

    table: Role
    query: TokenName | None = None
    key: TokenName | None = None
    column: Place | None = None


class Show(_Table, frozen=True):
    """What is shown; what is left out stays as the step before left it."""

    stage: Stage | None = None
    spaces: tuple[Space, ...] | None = None
    edges: Edges | None = None
    scaled: bool | None = None
    head: Place | None = None
    average: bool | None = None
    centre: Centre | None = None
    comparison: Comparison | None = None
    movements: tuple[Literal["Wq", "Wk", "Wv"], ...] | None = None
    trial: Annotated[int, msgspec.Meta(ge=1, le=512)] | None = None  # the laboratory's width
    select: Select | None = None
    scale: Literal["sqrt_dk", "none"] | float | None = None
    mask: Literal["none", "causal"] | None = None
    temperature: float | None = None
    position: Literal["none", "sinusoidal"] | None = None
    variant: Variant | None = None
    projections: bool | None = None
    sequence: Place | None = None


class Predict(_Table, frozen=True):
    """What the learner is asked before it is revealed.

    most: which token gets the largest weight of the query; value: the number itself; change: will
    the number be more or less after the edits of `by`?
    """

    ask: Literal["most", "value", "change"]
    of: Reading
    text: Texts | None = None
    by: tuple[Edit, ...] = ()


class Task(_Table, frozen=True):
    """Something to be done, how it is checked, and edits that do it."""

    text: Texts
    hint: Texts
    check: Check
    solution: Annotated[tuple[Edit, ...], msgspec.Meta(min_length=1)]


class Step(_Table, frozen=True):
    """One step of a lesson."""

    text: Texts
    short: Texts
    scene: str | None = None
    formula: str | None = None
    show: Show = Show()
    highlight: tuple[str, ...] = ()
    predict: Predict | None = None
    task: Task | None = None


class Head(_Table, frozen=True):
    """A lesson as such: its steps are read one by one, so that one fault spoils one step."""

    format: str
    version: int
    title: Texts
    step: Annotated[list[dict[str, object]], msgspec.Meta(min_length=1)]
    question: tuple[Texts, ...] = ()
