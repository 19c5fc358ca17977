"""Model's frame: everything that Model's views are handed to draw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Flag, StrEnum, auto
from pathlib import Path

import numpy as np

from explorer.models.effects import Followed
from explorer.models.figures import NAMED, Figures, Kind, Pair
from explorer.models.next_token import NextTokens
from explorer.models.repeats import RepeatScores
from explorer.models.run import Head
from explorer.models.tokenizer import Piece
from explorer.session.look import Stage
from explorer.session.model.switching import ALL_ON, EffectMap, Outcome, Switches
from explorer.session.scene import Array
from explorer.session.views import ModelCentre as ModelCentre
from explorer.text import Message

LONG = 32  # tokens of a text beyond which it is shown as text first, and the matrix as a window


class ModelChange(Flag):
    """What kind of data changed; a view names the kinds that concern it."""

    MODEL = auto()  # another model, or none
    RUN = auto()  # another run: other tokens, figures and tiles
    HEAD = auto()  # layer and head at the cursor, or their numbers have come
    PAIR = auto()  # the selected pair, or its numbers have come
    HOVER = auto()
    LOOK = auto()
    TEXT = auto()  # what stands in the text box
    PROGRESS = auto()  # of opening or running; a problem
    REPEATS = auto()  # the scores on repeated tokens have come
    SWITCHES = auto()  # which heads are to be switched, and what is put in their place
    EFFECTS = auto()  # what switches do to what is followed has come

    NUMBERS = MODEL | RUN | HEAD
    ALL = MODEL | RUN | HEAD | PAIR | HOVER | LOOK | TEXT | PROGRESS | REPEATS | SWITCHES | EFFECTS


class Repeated(StrEnum):
    """What heads are also called after random tokens were repeated to the model."""

    INDUCTION = "induction"
    DUPLICATE = "duplicate"


class Order(StrEnum):
    """How the heads of the atlas are sorted."""

    LAYER = "layer"
    KIND = "kind"
    ENTROPY = "entropy"
    PAIR = "pair"  # by the weight of the selected pair


@dataclass(frozen=True)
class ModelInfo:
    """What is open: a model folder, or a file of arrays, which knows fewer of these.

    Attributes
    ----------
    title : str
        Untrusted plain text.
    path : Path
    layers, heads : int
    width : int
        Of the stream, d; 0 where it is not known.
    head_width : int
        d_k; 0 where it is not known.
    parameters : int
        How many numbers the model has; 0 for a file of arrays.
    positions, made_for : int
        How many tokens a run takes at most; how many it was made for, where fewer, else 0.
    runs : bool
        Whether it can run another text: a folder with a tokenizer.
    causal : bool
    predicts : bool
        Whether it predicts the next token.
    fills : bool
        Whether it predicts a masked word.
    vocabulary : int
    """

    title: str
    path: Path
    layers: int
    heads: int
    width: int = 0
    head_width: int = 0
    parameters: int = 0
    positions: int = 0
    made_for: int = 0
    runs: bool = True
    causal: bool = False
    predicts: bool = False
    fills: bool = False
    vocabulary: int = 0


@dataclass(frozen=True, eq=False)
class RunSummary:
    """What the window keeps of a run: all that is small.

    Attributes
    ----------
    number : int
        Counts the runs of a session from 1.
    text : str
        What was run; of a file of arrays, its tokens.
    pieces, key_pieces : tuple of Piece
        Of the queries and the keys; the same ones in self-attention.
    total : int
        How many tokens the text has, those left out included.
    remarks : tuple of Message
    figures : Figures
        With a layer axis in front.
    tiles : (L, H, t, t)
        The weights of all heads, each the maximum of a block.
    switches : Switches
    """

    number: int
    text: str
    pieces: tuple[Piece, ...]
    key_pieces: tuple[Piece, ...]
    total: int
    remarks: tuple[Message, ...]
    figures: Figures
    tiles: Array
    switches: Switches = ALL_ON

    @property
    def off(self) -> frozenset[tuple[int, int]]:
        """Heads that are switched, (layer, head) counted from 0."""
        return self.switches.off

    @property
    def square(self) -> bool:
        """Whether queries and keys are the same tokens."""
        return self.pieces == self.key_pieces

    @property
    def special(self) -> tuple[bool, ...]:
        """Which of the keys are no words of the text."""
        return tuple(piece.special for piece in self.key_pieces)

    @property
    def kinds(self) -> list[list[Kind]]:
        """The kind of each head, layer by layer."""
        return self.figures.kinds


@dataclass(frozen=True, eq=False)
class HeadDetail:
    """One head of a run, whole, and what is told of it.

    layer, head : counted from 0
    pairs : its strongest pairs, without special tokens
    scale : what q · k is multiplied by
    """

    run: int
    layer: int
    head: int
    arrays: Head
    pairs: tuple[Pair, ...]
    scale: float


@dataclass(frozen=True, eq=False)
class PairDetail:
    """The weight of one pair, counted from 0, in every head of a run: (L, H)."""

    run: int
    query: int
    key: int
    weights: Array

    def rank(self, layer: int, head: int) -> int:
        """Return the rank of a head's weight among all heads, from 1."""
        return int((self.weights > self.weights[layer, head]).sum()) + 1


@dataclass(frozen=True)
class ModelCursor:
    """Where in a run one looks. Everything counts from 0.

    query, key : int or None
        The selected pair; a query alone is a row.
    """

    layer: int = 0
    head: int = 0
    query: int | None = None
    key: int | None = None


@dataclass(frozen=True)
class ModelLook:
    """What is drawn, apart from the numbers themselves.

    Attributes
    ----------
    centre : ModelCentre
    stage : Stage
        The chain's active station.
    special : bool
        Whether special tokens such as [CLS] are shown.
    order : Order
    kinds : set of Kind or Repeated
        Heads of which kinds the atlas shows; none filters nothing.
    kept : tuple of (layer, head)
        Heads that stay in the atlas whatever it filters, counted from 0.
    pinned : tuple of int
        Places of tokens with colours of their own, in the order of the colours; at most 4.
    window : (int, int, int)
        Of a long text: first query, first key, and size of the part shown as a matrix.
    terms : bool
        Whether the dot product's terms are unfolded.
    compare : bool
        Whether next tokens are shown beside what they were with all heads.
    effects : bool
        Whether, beside next tokens, the heads are shown by what each alone does.
    veiled : bool
        Whether what the model says is hidden until it has been predicted.
    """

    centre: ModelCentre = ModelCentre.MATRIX
    stage: Stage = Stage.A
    special: bool = True
    order: Order = Order.LAYER
    kinds: frozenset[Kind | Repeated] = frozenset()
    kept: tuple[tuple[int, int], ...] = ()
    pinned: tuple[int, ...] = ()
    window: tuple[int, int, int] = (0, 0, 24)
    terms: bool = False
    compare: bool = True
    effects: bool = False
    veiled: bool = False


@dataclass(frozen=True)
class ModelProgress:
    """What the worker is doing.

    what : "", "opening" or "running"
    done, total : bytes while opening, layers while running
    problem : why the last thing asked for could not be done
    """

    what: str = ""
    done: int = 0
    total: int = 0
    problem: Message | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class ModelFrame:
    """Everything that Model's views draw.

    Attributes
    ----------
    info : ModelInfo or None
        None while nothing is open.
    text : str
        What stands in the text box.
    run : RunSummary or None
    head : HeadDetail or None
        The one at the cursor, or of the same run the one before it until its numbers have come.
    pair : PairDetail or None
        Of the selected pair, or the one before it in the same way; None where no pair is selected.
    next : NextTokens or None
        What the model expects after the last token, where it predicts.
    cursor : ModelCursor
    hover : (int or None, int or None)
        Query and key under the mouse, in whatever view.
    look : ModelLook
    progress : ModelProgress
    count : int or None
        How many tokens `text` has, where it is known.
    repeats : RepeatScores or None
        The scores of the model's heads on repeated random tokens, once these were asked for.
    cut : int or None
        From which character of `text` on the model takes no more; None where it takes all.
    switches : Switches
        What is asked for; `run.switches` says what the run that is shown was made with.
    second : str
        The text that patched heads take their output from, kept while none is patched.
    word : int or None
        The token of the vocabulary that somebody chose to follow; None follows the likeliest one.
    outcome : Outcome or None
        What is followed in the run that is shown; None of a file of arrays.
    outcomes : mapping of Switches to float
        For this text what is followed, the probability or the cosine, as far as it is known.
    steps : tuple of Switches
        From all heads on one switch after the other, on this text; those undone too.
    step : int
        At which of the steps one is.
    effects : EffectMap or None
    """

    info: ModelInfo | None = None
    text: str = ""
    run: RunSummary | None = None
    head: HeadDetail | None = None
    pair: PairDetail | None = None
    next: NextTokens | None = None
    cursor: ModelCursor = field(default_factory=ModelCursor)
    hover: tuple[int | None, int | None] = (None, None)
    look: ModelLook = field(default_factory=ModelLook)
    progress: ModelProgress = field(default_factory=ModelProgress)
    count: int | None = None
    repeats: RepeatScores | None = None
    cut: int | None = None
    switches: Switches = ALL_ON
    second: str = ""
    word: int | None = None
    outcome: Outcome | None = None
    outcomes: Mapping[Switches, float] = field(default_factory=dict)
    steps: tuple[Switches, ...] = (ALL_ON,)
    step: int = 0
    effects: EffectMap | None = None

    def heads_of(self, kind: Kind | Repeated) -> list[tuple[int, int]]:
        """Return the heads of a kind, (layer, head) from 0, layer by layer; none before a run.

        Of repeated tokens those whose score reaches what names a head.
        """
        if isinstance(kind, Repeated):
            if self.repeats is None:
                return []
            scores = getattr(self.repeats, kind.value)
            return [(int(i), int(h)) for i, h in np.argwhere(scores >= NAMED)]
        kinds = () if self.run is None else self.run.kinds
        return [(i, h) for i, row in enumerate(kinds) for h, own in enumerate(row) if own is kind]

    @property
    def compares(self) -> bool:
        """Whether next tokens are shown with all heads too."""
        return self.look.compare and self.next is not None and self.next.others_before is not None

    @property
    def stale(self) -> bool:
        """Whether the text was edited, or a head switched, since it was run."""
        run = self.run
        return run is not None and (run.text != self.text or run.switches != self.switches)

    @property
    def follows(self) -> Followed | None:
        """What is followed in the run that is shown."""
        return None if self.outcome is None else self.outcome.follows

    @property
    def wanted(self) -> tuple[Switches, ...]:
        """What `outcomes` is asked for: all steps, and each switched head alone."""
        alone = (self.switches.alone(*place) for place in sorted(self.switches.off))
        return tuple(dict.fromkeys((ALL_ON, *self.steps, *alone)))

    def slot(self, place: int) -> int | None:
        """Return which of the pinned tokens' colours a token has; None where it has none."""
        return self.look.pinned.index(place) if place in self.look.pinned else None

    @property
    def shown(self) -> tuple[np.ndarray, np.ndarray]:
        """Which queries and keys are shown, as indices: without special tokens where these hide."""
        assert self.run is not None
        both = []
        for pieces in (self.run.pieces, self.run.key_pieces):
            keep = [self.look.special or not piece.special for piece in pieces]
            both.append(np.flatnonzero(keep))
        return both[0], both[1]


def compare(before: ModelFrame, after: ModelFrame) -> ModelChange:
    """Return which kinds of data differ."""
    change = ModelChange(0)
    cursor, was = after.cursor, before.cursor
    for kind, differs in (
        (ModelChange.MODEL, before.info is not after.info),
        (
            ModelChange.RUN,
            before.run is not after.run
            or before.next is not after.next
            or before.outcome != after.outcome,
        ),
        (
            ModelChange.HEAD,
            before.head is not after.head or (was.layer, was.head) != (cursor.layer, cursor.head),
        ),
        (
            ModelChange.PAIR,
            before.pair is not after.pair or (was.query, was.key) != (cursor.query, cursor.key),
        ),
        (ModelChange.HOVER, before.hover != after.hover),
        (ModelChange.LOOK, before.look != after.look),
        (
            ModelChange.TEXT,
            (before.text, before.count, before.cut) != (after.text, after.count, after.cut),
        ),
        (ModelChange.PROGRESS, before.progress != after.progress),
        (ModelChange.REPEATS, before.repeats is not after.repeats),
        (
            ModelChange.SWITCHES,
            (before.switches, before.second, before.word, before.steps, before.step)
            != (after.switches, after.second, after.word, after.steps, after.step),
        ),
        (
            ModelChange.EFFECTS,
            before.effects is not after.effects or before.outcomes is not after.outcomes,
        ),
    ):
        if differs:
            change |= kind
    return change
