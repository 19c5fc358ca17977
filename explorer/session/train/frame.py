"""Train's frame: everything that Train's views are handed to draw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import Flag, StrEnum, auto
from typing import ClassVar, NamedTuple

import numpy as np

from explorer.attention import Projection
from explorer.session.look import Selection, Stage
from explorer.session.scene import Array
from explorer.session.train.runs import ForkFrom, RunCard
from explorer.session.train.values import StepValues
from explorer.session.views import TrainCentre
from explorer.text import Message, _
from explorer.traces import DEFAULT_CORPUS, Config, Corpus, Mark, Said, Splitting, Trace

FEW_SENTENCES = 12  # of more, the graph shows the edges of the chosen one alone
AVERAGE = None  # the head of a cursor that looks at the average over all heads


class TrainChange(Flag):
    """What kind of data changed; a view names the kinds that concern it."""

    TRACE = auto()  # another trace
    RECORDED = auto()  # more recorded steps, or more epochs with scalars
    CURSOR = auto()  # step, sample, layer or head: other numbers
    MOTION = auto()  # the share of the way to the next step, while playing
    PLAYBACK = auto()  # playing, scrubbing, following, rate, loop
    PROGRESS = auto()  # of the run
    CONFIG = auto()  # parameters of the next run, corpus, devices
    LOOK = auto()
    SELECTION = auto()
    HOVER = auto()
    DOCUMENT = auto()  # title, file, saved or not
    RUNS = auto()  # the cards, their names and marks, and which two are compared

    NUMBERS = TRACE | CURSOR
    ALL = (
        TRACE
        | RECORDED
        | CURSOR
        | MOTION
        | PLAYBACK
        | PROGRESS
        | CONFIG
        | LOOK
        | SELECTION
        | HOVER
        | DOCUMENT
        | RUNS
    )


@dataclass(frozen=True)
class Cursor:
    """Where in a trace one looks. Everything counts from 0.

    Parameters
    ----------
    step : int
        Place among the recorded steps, not an epoch.
    sample, layer : int
    head : int or None
        None looks at the average over all heads.
    """

    step: int = 0
    sample: int = 0
    layer: int = 0
    head: int | None = AVERAGE


class Compared(StrEnum):
    """What of two runs the centre shows."""

    ONE = "one"  # the first alone
    BOTH = "both"
    DIFFERENCE = "difference"


_STAGE_PAGES = {
    Stage.X: TrainCentre.GRAPH,
    Stage.A: TrainCentre.GRAPH,
    Stage.S: TrainCentre.MATRICES,
    Stage.O: TrainCentre.SPACES,
}


@dataclass(frozen=True)
class TrainLook:
    """What is drawn, apart from the numbers themselves.

    Parameters
    ----------
    stage : Stage
        The chain's active station.
    page : TrainCentre
    threshold : float
        Edges of the graph below this weight are not drawn.
    tsne : bool
        Whether the words lie as t-SNE lays the shown step out, instead of PCA.
    numbers_open : bool
        Whether the right panel's numbers are unfolded.
    more_open : bool
        Whether the parameters that are folded away are unfolded.
    compared : Compared
        What the centre shows while two runs are compared.
    next_run : bool
        Whether the left panel is about the next run, not the shown one.
    measure : str or None
        The measure that is plotted under the loss, by its key in `measures.MEASURES`.
    veiled : bool
        Whether the curves end at the playhead: a lesson asks what they do after it.
    others : bool or None
        Whether the graph draws the edges of the other sentences too; None where they are few.
    """

    stage: Stage = Stage.A
    page: TrainCentre = TrainCentre.GRAPH
    threshold: float = 0.20
    tsne: bool = False
    numbers_open: bool = False
    more_open: bool = False
    compared: Compared = Compared.BOTH
    next_run: bool = True
    measure: str | None = None
    veiled: bool = False
    others: bool | None = None

    def at_stage(self, stage: Stage) -> TrainLook:
        """Return the look with another active station, and the page that goes with it."""
        return replace(self, stage=stage, page=_STAGE_PAGES.get(stage, TrainCentre.SPACES))


@dataclass(frozen=True)
class Playback:
    """How the cursor moves by itself.

    Parameters
    ----------
    following : bool
        The cursor stays at the newest step ("Live") until it is touched.
    playing, loop : bool
    scrubbing : bool
        The mouse holds the playhead.
    rate : int
        Steps a second: 1, 2, 4, 8 or 16.
    between : float
        Share of the way to the next step, 0 to below 1; positions are drawn there while playing.
    """

    following: bool = False
    playing: bool = False
    scrubbing: bool = False
    loop: bool = False
    rate: int = 8
    between: float = 0.0

    @property
    def moving(self) -> bool:
        """Whether one step after another is shown."""
        return self.playing or self.scrubbing


class RunState(StrEnum):
    """What the run of this session is doing."""

    NONE = "none"
    STARTING = "starting"
    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"  # all its epochs
    STOPPED = "stopped"
    DIVERGED = "diverged"
    FAILED = "failed"


@dataclass(frozen=True)
class Progress:
    """How far the run of this session is.

    Parameters
    ----------
    state : RunState
    epoch : int
        Passes done.
    epochs : int
        Passes asked for.
    device : str
        Where it trains, as it calls itself; empty before that is known.
    message : Message or None
        Why it failed or diverged.
    share : float
        How much of the epoch in progress is done, 0 to 1.
    """

    state: RunState = RunState.NONE
    epoch: int = 0
    epochs: int = 0
    device: str = ""
    message: Message | None = None
    share: float = 0.0

    @property
    def active(self) -> bool:
        """Whether a run is going on, paused or not."""
        return self.state in (RunState.STARTING, RunState.RUNNING, RunState.PAUSED)


@dataclass(frozen=True, eq=False)
class Scalars:
    """Loss and accuracy over the whole corpus, and the gradient's norm; shape (C,) each."""

    epochs: Array = field(default_factory=lambda: np.zeros(0))
    loss: Array = field(default_factory=lambda: np.zeros(0))
    accuracy: Array = field(default_factory=lambda: np.zeros(0))
    gradient: Array = field(default_factory=lambda: np.zeros(0))


class Chapter(NamedTuple):
    """An epoch, what happens there, and the rule that found it with its number."""

    epoch: int
    said: Message
    rule: Message


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What the next run is asked to be: what is edited, undone and redone in Train.

    Parameters
    ----------
    config : Config
    problems : mapping of str to (str, Message)
        For parameters, and fields of `splitting`, that cannot be: what was typed and why not.
    corpus_text : str
    corpus : Corpus
        The last valid one.
    corpus_problem : tuple of (int or None, Message), or None
        The line, from 1, and what is wrong with the text.
    splitting : Splitting
        How the text becomes sentences of tokens.
    samples : tuple of int or None
        The lines of `corpus` that are recorded, from 0; None for the first 64, and while what was
        typed cannot be.
    fork : ForkFrom or None
        What it goes on from; None for a run that begins untrained.
    hidden : frozenset of int
        The keys of the cards that were deleted.
    names : mapping of int to str
        What cards are called, by their keys, where that was typed.
    marks : mapping of int to tuple of Mark
        The marks of a card's run, by its key, where they are others than in its file.
    """

    config: Config = field(default_factory=Config)
    problems: Mapping[str, tuple[str, Message]] = field(default_factory=dict)
    corpus_text: str = DEFAULT_CORPUS
    corpus: Corpus | None = None
    corpus_problem: tuple[int | None, Message] | None = None
    splitting: Splitting = Splitting()  # noqa: RUF009 (frozen)
    samples: tuple[int, ...] | None = None
    fork: ForkFrom | None = None
    hidden: frozenset[int] = frozenset()
    names: Mapping[int, str] = field(default_factory=dict)
    marks: Mapping[int, tuple[Mark, ...]] = field(default_factory=dict)

    arrays: ClassVar[tuple[Array, ...]] = ()  # for the history: it holds none


_PLANNED = tuple(planned.name for planned in fields(Plan))


@dataclass(frozen=True, eq=False, kw_only=True)
class TrainFrame(Plan):
    """What is shown now, and the plan of the next run.

    Parameters
    ----------
    trace : Trace or None
    recorded : ndarray of int, shape (E,)
        The recorded epochs, as many as the rest of this frame knows of.
    cursor : Cursor
        Always within the trace.
    values, following_values : StepValues or None
        At the cursor's step, and at the next one where the cursor is on the way to it.
    bad : Message or None
        Why the step at the cursor cannot be shown; `values` are then the last good ones.
    basis : Projection or None
        The three axes of the word graph; `explained` is said beside them.
    layout : ndarray or None, shape (V, 2)
        Where t-SNE puts the words at this step; None while it is worked out.
    scalars : Scalars
    last_epoch : int
        The end of the time axis: Epochs of a run that goes on, where it ended of another.
    playback : Playback
    progress : Progress
    reading : bool
        Whether a corpus is being read; the plan has the last one until then.
    devices : tuple of str
        "cpu" and what else was found, as soon as that is known.
    pace : int or None
        Epochs a second; None for full speed.
    look : TrainLook
    selection, hover : Selection or None
        `query` and `key` are positions of the sample. Role.A is a cell of the weights.
    word : int or None
        The word selected in the graph, its place in the vocabulary.
    hover_word : int or None
        The word that is pointed at.
    title : str
    example : bool
        Whether the shown trace is the example that comes with the program.
    modified : bool
        Whether the shown run is not saved in a file of the user's.
    cards : tuple of RunCard
        All runs of this session, the deleted ones too.
    shown : int
        The card of the shown run, A; 0 before there is one.
    other : TrainFrame or None
        The run that it is compared with, B, at the same epoch, sample, selection and look.
    lacks_sample : bool
        Whether this is such a run and does not hold the sentence that is looked at.
    spread : tuple of (Trace, Projection)
        The runs and axes whose words the graph makes room for, where two are compared.
    chapters : tuple of Chapter
        Epochs of the shown run at which something happens, the most telling first.
    own_basis : Projection or None
        The axes of the shown run alone, which a file keeps.
    """

    trace: Trace | None = None
    recorded: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    cursor: Cursor = field(default_factory=Cursor)
    values: StepValues | None = None
    following_values: StepValues | None = None
    bad: Message | None = None
    basis: Projection | None = None
    layout: Array | None = None
    scalars: Scalars = field(default_factory=Scalars)
    last_epoch: int = 0
    playback: Playback = field(default_factory=Playback)
    progress: Progress = field(default_factory=Progress)
    reading: bool = False
    devices: tuple[str, ...] = ()
    pace: int | None = 20
    look: TrainLook = field(default_factory=TrainLook)
    selection: Selection | None = None
    hover: Selection | None = None
    word: int | None = None
    hover_word: int | None = None
    title: str = ""
    example: bool = False
    modified: bool = False
    cards: tuple[RunCard, ...] = ()
    shown: int = 0
    other: TrainFrame | None = None
    lacks_sample: bool = False
    spread: tuple[tuple[Trace, Projection], ...] = ()
    chapters: tuple[Chapter, ...] = ()
    own_basis: Projection | None = None

    @property
    def runs(self) -> tuple[RunCard, ...]:
        """The cards that were not deleted."""
        return tuple(card for card in self.cards if card.key not in self.hidden)

    def card(self, key: int) -> RunCard | None:
        """Return the card of a key; None where there is none, or it was deleted."""
        return next((card for card in self.runs if card.key == key), None)

    def marks_of(self, key: int) -> tuple[Mark, ...]:
        """Return the marks that somebody put at epochs of a card's run."""
        card = self.card(key)
        return self.marks.get(key, () if card is None else card.said.marks)

    def name_of(self, card: RunCard) -> str:
        """Return what a run is called; a fork after its parent. Untrusted plain text."""
        title = str(card.title)
        return self.said_of(card).name or (_(title) if card.example else title)

    def said_of(self, card: RunCard) -> Said:
        """Return the name that was typed for a run, and its marks."""
        return Said(self.names.get(card.key, card.said.name), self.marks_of(card.key))

    @property
    def plan(self) -> Plan:
        """What the next run is asked to be."""
        return Plan(**{name: getattr(self, name) for name in _PLANNED})

    def with_plan(self, plan: Plan) -> TrainFrame:
        """Return the frame with another plan of the next run."""
        return replace(self, **vars(plan))

    @property
    def pointed(self) -> Selection | None:
        """The hovered thing, or else the selected one."""
        return self.hover if self.hover is not None else self.selection

    @property
    def shows_others(self) -> bool:
        """Whether the graph draws the edges of the other sentences too."""
        few = self.trace is None or len(self.trace.lengths) <= FEW_SENTENCES
        return few if self.look.others is None else self.look.others

    @property
    def vocabulary(self) -> tuple[str, ...]:
        """The shown trace's words. Untrusted plain text."""
        return () if self.trace is None else self.trace.run.vocabulary

    @property
    def epoch(self) -> int:
        """The epoch at the cursor."""
        return int(self.recorded[self.cursor.step]) if len(self.recorded) else 0

    @property
    def words(self) -> tuple[str, ...]:
        """The sample's words, without its target."""
        return () if self.trace is None else self.trace.words(self.cursor.sample)

    @property
    def points(self) -> Array | None:
        """The words in the axes of the graph, shape (V, 3), on the way to the next step."""
        if self.values is None or self.values.points is None:
            return None
        here, after, share = self.values.points, self.following_values, self.playback.between
        if not share or after is None or after.points is None:
            return here
        return here + share * (after.points - here)
