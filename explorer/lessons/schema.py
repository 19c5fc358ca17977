"""The fields of a lesson file. Texts are tables by language, so that all else is said once."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

import msgspec

from explorer.attention import Variant
from explorer.session.look import Comparison, Edges, Role, Space, Stage
from explorer.session.model.switching import Put
from explorer.session.views import Centre, ModelCentre, TrainCentre

FORMAT = "attention-explorer/lesson"
VERSION = 1

Kind = Literal["scene", "trace", "model"]  # what a step can be about
KINDS: tuple[Kind, ...] = get_args(Kind)
Texts = dict[str, str]  # by language: "en", "zh"
Place = Annotated[int, msgspec.Meta(ge=1, le=100_000)]
TokenName = str | Place  # a name, or a place counted from 1

Quantity = Literal[
    "X", "P", "X + P", "Q", "K", "V", "R", "raw", "scores", "weights", "output", "head output",
    "Wq", "Wk", "Wv", "Wo", "bq", "bk", "bv", "bo",
    "epoch", "loss", "accuracy", "probability", "explained",
]  # fmt: skip
Epoch = Annotated[int, msgspec.Meta(ge=0, le=10_000_000)] | Literal["first", "last"]
Zoom = Annotated[float, msgspec.Meta(ge=0.2, le=30.0)]  # 1 where everything fits
OPTIONS = ("scale", "mask", "temperature", "position", "variant", "heads")
Option = Literal["scale", "mask", "temperature", "position", "variant", "heads"]
Minutes = Annotated[float, msgspec.Meta(ge=0.1, le=600)]
_FEW, _SEVERAL = msgspec.Meta(min_length=1, max_length=20), msgspec.Meta(max_length=20)
Op = Literal["<", "<=", ">", ">=", "==", "!="]


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of a lesson file that has no other keys."""

    def said(self) -> dict[str, Any]:
        """Return the values that it says, by key."""
        fields = msgspec.structs.asdict(self)
        return {name: value for name, value in fields.items() if value is not None}


class Reading(_Table, frozen=True):
    """One number of the computation.

    `query` is a token as a row, `key` one as a column of scores and weights or as a row of K and V;
    `row` and `column` count from 1 in what has no tokens there. Of a trace `word` is one of the
    vocabulary; where it is read is where one looks, unless `epoch`, `sample`, `layer` or `head`
    say something else.
    """

    value: Quantity
    query: TokenName | None = None
    key: TokenName | None = None
    row: Place | None = None
    column: Place | None = None
    head: Place | None = None
    word: TokenName | None = None
    epoch: Epoch | None = None
    sample: TokenName | None = None
    layer: Place | None = None


class Turn(_Table, frozen=True):
    """Where the word graph is looked at from: degrees, and an enlargement."""

    azimuth: Annotated[float, msgspec.Meta(ge=-360, le=360)] = 60.0
    elevation: Annotated[float, msgspec.Meta(ge=0, le=90)] = 22.0
    zoom: Zoom = 1.0


class Pan(_Table, frozen=True):
    """Which point of the plane stands in the middle, and an enlargement."""

    x: float
    y: float
    zoom: Zoom = 1.0


class Watch(_Table, frozen=True):
    """Where in a trace one looks, and at what. Of a `query` its weights, with a `key` one of them;
    `word` is selected in the word graph."""

    epoch: Epoch | None = None
    sample: TokenName | None = None
    layer: Place | None = None
    head: Place | Literal["average"] | None = None
    stage: Stage | None = None
    page: TrainCentre | None = None
    threshold: Annotated[float, msgspec.Meta(ge=0, le=1)] | None = None
    numbers: bool | None = None
    query: TokenName | None = None
    key: TokenName | None = None
    word: TokenName | None = None
    camera: Turn | None = None


class Examine(_Table, frozen=True):
    """What a model is run on, and where in the run one looks. Of a `query` its row, with a `key`
    one weight of it; `word` is followed among the next tokens; `switch` says what is put in place
    of heads, called "layer.head", and `second` which text patched ones take their output from."""

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=2000)] | None = None
    layer: Place | None = None
    head: Place | None = None
    page: ModelCentre | None = None
    stage: Stage | None = None
    query: TokenName | None = None
    key: TokenName | None = None
    word: str | None = None
    effects: bool | None = None
    switch: dict[str, Put] | None = None
    second: Annotated[str, msgspec.Meta(max_length=2000)] | None = None


class Check(_Table, frozen=True):
    """What must hold: of a number, of an option, or of what is shown; or several of these.

    run: what is shown is the reader's own run, and it has come to its end; or what is compared
    with it is one's own fork, likewise.
    """

    value: Quantity | None = None
    query: TokenName | None = None
    key: TokenName | None = None
    row: Place | None = None
    column: Place | None = None
    head: Place | None = None
    word: TokenName | None = None
    epoch: Epoch | None = None
    sample: TokenName | None = None
    layer: Place | None = None
    op: Op | None = None
    than: float | Reading | None = None
    within: Annotated[float, msgspec.Meta(ge=0)] = 1e-9
    option: Option | None = None
    is_: str | float | None = msgspec.field(name="is", default=None)
    stage: Stage | None = None
    watch: Watch | None = None
    examine: Examine | None = None
    run: Literal["finished", "forked"] | None = None
    all: Annotated[tuple[Check, ...], _FEW] | None = None
    any: Annotated[tuple[Check, ...], _FEW] | None = None


class Edit(_Table, frozen=True):
    """One edit: a number, an option, a stage; or another look at a trace or a model; or a run
    begun.

    fork: the next run goes on from the epoch that is shown.
    """

    set: Quantity | None = None
    query: TokenName | None = None
    key: TokenName | None = None
    row: Place | None = None
    column: Place | None = None
    head: Place | None = None
    option: Option | None = None
    stage: Stage | None = None
    to: float | str | None = None
    watch: Watch | None = None
    examine: Examine | None = None
    run: Literal["train", "fork"] | None = None
    parameter: Literal["learning_rate", "optimizer", "dropout", "batch_size", "epochs"] | None = (
        None  # of the next run, set `to` something
    )


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
    unnamed: bool | None = None  # whether a mistake made on purpose is not named
    sequence: Place | None = None
    camera: Literal["fit"] | Pan | None = None


class Predict(_Table, frozen=True):
    """What the learner is asked before it is revealed.

    most: which token gets the largest weight of the query, or which word is the likeliest next one;
    value: the number itself; change: will the number be larger or smaller after the edits of `by`;
    shape: how many rows and columns its table has; choice: which of `choices` is `right`;
    line: which line of the code makes the mistake that the scene makes?
    """

    ask: Literal["most", "value", "change", "shape", "choice", "line"]
    of: Reading
    text: Texts | None = None
    by: Annotated[tuple[Edit, ...], _SEVERAL] = ()
    choices: Annotated[tuple[Texts, ...], _SEVERAL] = ()
    right: Place = 1  # of the choices

    @property
    def hides(self) -> bool:
        """Whether it is about numbers that must not be seen before they are asked."""
        return self.ask not in ("choice", "line")


class Fill(_Table, frozen=True):
    """A results table that is filled in by hand, or one row of it: of K and V a key's."""

    table: Literal[
        "X + P", "Q", "K", "V", "R", "raw", "scores", "weights", "head output", "output"
    ]  # fmt: skip
    query: TokenName | None = None
    key: TokenName | None = None
    within: Annotated[float, msgspec.Meta(ge=0)] = 0.0  # what rounding on paper may make of it


class Task(_Table, frozen=True):
    """Something to be done, how it is checked, and edits that do it."""

    text: Texts
    hint: Texts
    check: Check
    solution: Annotated[tuple[Edit, ...], _FEW]
    paper: Texts | None = None  # in place of the text in a handout


class CodeLine(_Table, frozen=True):
    """A line of a lesson's code: the parts of the window that it computes, and how it reads where
    a mistake is made in it, by variant."""

    text: Annotated[str, msgspec.Meta(max_length=44)]
    lights: Annotated[tuple[str, ...], _SEVERAL] = ()
    mistakes: dict[Variant, Annotated[str, msgspec.Meta(max_length=44)]] = {}


class Step(_Table, frozen=True):
    """One step of a lesson, about a scene (`scene`, `show`), a trace (`trace`, `watch`) or a model
    (`model`, `examine`)."""

    text: Texts
    short: Texts
    paper: Texts | None = None  # in place of the text in a handout, which has no buttons
    minutes: Minutes | None = None  # that it takes in a class
    scene: str | None = None
    trace: str | None = None
    beside: str | None = None  # another trace, which is compared with it as B
    model: str | None = None
    formula: str | None = None
    code: Annotated[tuple[Place, ...], _SEVERAL] | None = None  # lines of the lesson's, marked
    show: Show = Show()
    watch: Watch = Watch()
    examine: Examine = Examine()
    highlight: Annotated[tuple[str, ...], _SEVERAL] = ()
    teaches: Annotated[tuple[Stage, ...], _SEVERAL] = ()  # tables it shows although asked later
    predict: Predict | None = None
    fill: Fill | None = None
    task: Task | None = None

    @property
    def names(self) -> bool:
        """Whether it names what it is about."""
        return (self.scene, self.trace, self.model) != (None, None, None)


class Head(_Table, frozen=True):
    """A lesson as such: its steps are read one by one, so that one fault spoils one step."""

    format: str
    version: int
    title: Texts
    step: Annotated[list[dict[str, object]], msgspec.Meta(min_length=1)]
    question: Annotated[tuple[Texts, ...], _SEVERAL] = ()
    answer: Annotated[tuple[Texts, ...], _SEVERAL] = ()  # to the questions, in their order
    builds_on: Annotated[tuple[str, ...], _SEVERAL] = ()  # lessons, by name
    minutes: Minutes | None = None  # of the steps that say none, together
    code: Annotated[tuple[CodeLine, ...], msgspec.Meta(max_length=30)] = ()
    tokens: dict[str, tuple[str, ...]] = {}  # by language, in place of those of its scenes
