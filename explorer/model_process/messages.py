"""What the window asks of the model's process, and what comes back."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from explorer.models.effects import Followed
from explorer.models.next_token import NextTokens
from explorer.models.repeats import RepeatScores
from explorer.session.model.frame import HeadDetail, ModelInfo, PairDetail, RunSummary
from explorer.session.model.switching import ALL_ON, Outcome, Switches
from explorer.session.scene import Scene
from explorer.text import Message


@dataclass(frozen=True)
class Open:
    """Open a model folder or a file of arrays; what was open goes once that is done."""

    path: Path


@dataclass(frozen=True)
class RunText:
    """Run a text; then tell the head at this place and the weights of a pair.

    number : of the run, from 1
    place : (layer, head), or None for one that is worth looking at
    pair : (query, key), kept where the same tokens stand there; else the head's strongest
    switches : what is put in place of heads
    word : the token of the vocabulary that is followed; None for the likeliest one
    """

    number: int
    text: str
    place: tuple[int, int] | None = None
    pair: tuple[int, int] | None = None
    switches: Switches = ALL_ON
    word: int | None = None


@dataclass(frozen=True)
class AskHead:
    """Tell one head of a run, whole; a run that is no longer there is not answered."""

    run: int
    layer: int
    head: int


@dataclass(frozen=True)
class AskPair:
    """Tell the weight of a pair in all heads of a run."""

    run: int
    query: int
    key: int


@dataclass(frozen=True)
class AskCount:
    """Tell how many tokens a text has."""

    text: str


@dataclass(frozen=True)
class AskRepeats:
    """Tell the scores of all heads on repeated random tokens."""


@dataclass(frozen=True)
class AskWord:
    """Tell which token of the vocabulary a word is."""

    word: str


@dataclass(frozen=True)
class AskOutcomes:
    """Tell what is followed in a run, with each of these switches."""

    run: int
    follows: Followed
    switches: tuple[Switches, ...]


@dataclass(frozen=True)
class AskEffects:
    """Tell what each head alone does to what is followed in a run, one after the other.

    All else that is asked for meanwhile goes before.
    """

    run: int
    follows: Followed


@dataclass(frozen=True)
class AskCopy:
    """Tell a head of a run as a scene, its title in a language."""

    run: int
    layer: int
    head: int
    language: str


@dataclass(frozen=True)
class Stop:
    """Give up opening, running, and telling effects."""


Request = (
    Open
    | RunText
    | AskHead
    | AskPair
    | AskCount
    | AskRepeats
    | AskWord
    | AskOutcomes
    | AskEffects
    | AskCopy
    | Stop
)


@dataclass(frozen=True)
class Doing:
    """How far opening or running is.

    what : "opening" or "running"
    done, total : bytes while opening, layers while running
    """

    what: str
    done: int
    total: int


@dataclass(frozen=True)
class Opened:
    """A source is open; nothing of the one before is there any more."""

    info: ModelInfo


@dataclass(frozen=True, eq=False)
class Ran:
    """A text was run.

    next : where the model predicts tokens; compared with all heads on, where some are switched
    outcome : what is followed; None of a file of arrays
    seconds : how long it took, the pass with all heads counted whether made now or before
    """

    summary: RunSummary
    head: HeadDetail
    pair: PairDetail | None
    next: NextTokens | None
    outcome: Outcome | None
    seconds: float


@dataclass(frozen=True)
class Counted:
    """How many tokens a text has, and from which character on it is left out, if any of it is."""

    text: str
    count: int
    cut: int | None = None


@dataclass(frozen=True)
class Token:
    """The token of the vocabulary that a word is."""

    word: str
    token: int


@dataclass(frozen=True)
class Outcomes:
    """What is followed in a text, with some of the switches asked for; perhaps the last ones."""

    text: str
    asked: AskOutcomes
    values: dict[Switches, float]
    ended: bool


@dataclass(frozen=True)
class HeadEffects:
    """What some heads alone do to what is followed in a text.

    found : (layer, head, change) counted from 0
    ended : whether these were the last ones
    """

    text: str
    follows: Followed
    before: float
    found: tuple[tuple[int, int, float], ...]
    ended: bool


@dataclass(frozen=True)
class Copied:
    """A head as a scene."""

    scene: Scene


@dataclass(frozen=True)
class Stopped:
    """What was going on was given up."""


@dataclass(frozen=True)
class Failed:
    """A request could not be carried out; all is as before."""

    request: Request
    message: Message


Answer = (
    Doing
    | Opened
    | Ran
    | HeadDetail
    | PairDetail
    | Counted
    | RepeatScores
    | Token
    | Outcomes
    | HeadEffects
    | Copied
    | Stopped
    | Failed
)
