"""What a person wants in Train, as values. Views emit them; the lab's presenter carries them out.

`Select` and `Hover` of `explorer.session.intents` are used here too.
"""

from __future__ import annotations

from dataclasses import dataclass

from explorer.session.lab.frame import Page
from explorer.session.look import Stage

# --- the run -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SetParameter:
    """Give a parameter of the next run another value, typed or chosen; `field` is Config's name."""

    field: str
    value: str | bool


@dataclass(frozen=True)
class SetCorpus:
    """Replace the corpus text."""

    text: str


@dataclass(frozen=True)
class OpenCorpus:
    """Ask for a text file and take its sentences as the corpus."""


@dataclass(frozen=True)
class SplitByCharacter:
    """Take every character as a word, or words between spaces."""

    split: bool


@dataclass(frozen=True)
class Train:
    """Start a run with the parameters as they are, or go on with a paused one."""


@dataclass(frozen=True)
class Pause:
    """Pause the run."""


@dataclass(frozen=True)
class StepOnce:
    """Train one epoch and pause; starts a run where there is none."""


@dataclass(frozen=True)
class Stop:
    """End the run; what is recorded stays."""


@dataclass(frozen=True)
class StartOver:
    """Stop, and start a run with the same parameters and seed."""


@dataclass(frozen=True)
class SetPace:
    """Choose epochs a second, None for full speed."""

    pace: int | None


# --- the cursor ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class GoToStep:
    """Show a recorded step; stops following and playing."""

    step: int


@dataclass(frozen=True)
class StepBy:
    """Show a step so many further on, or back, from where the cursor is by then."""

    steps: int


@dataclass(frozen=True)
class GoToEpoch:
    """Show the recorded step nearest to an epoch; stops following and playing."""

    epoch: float


@dataclass(frozen=True)
class GoToSample:
    """Show another sample."""

    sample: int


@dataclass(frozen=True)
class GoToLayer:
    """Show another layer."""

    layer: int


@dataclass(frozen=True)
class GoToHead:
    """Show a head, or the average over all (None)."""

    head: int | None


@dataclass(frozen=True)
class Play:
    """Play from the cursor (from the start where it is at the end), or stop playing."""

    play: bool


@dataclass(frozen=True)
class SetRate:
    """Choose steps a second."""

    rate: int


@dataclass(frozen=True)
class SetLoop:
    """Begin again at the end, or not."""

    loop: bool


@dataclass(frozen=True)
class FollowLive:
    """Stay at the newest step from now on."""


# --- looking -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ShowLabStage:
    """Make a station of the chain the active one."""

    stage: Stage


@dataclass(frozen=True)
class ShowPage:
    """Choose what the centre shows."""

    page: Page


@dataclass(frozen=True)
class SetThreshold:
    """Draw no edges below this weight."""

    threshold: float


@dataclass(frozen=True)
class ShowTsne:
    """Lay the words out by t-SNE instead of PCA, or not."""

    tsne: bool


@dataclass(frozen=True)
class OpenNumbers:
    """Fold or unfold the right panel's numbers."""

    open: bool


@dataclass(frozen=True)
class OpenMoreParameters:
    """Fold or unfold the parameters that are folded away."""

    open: bool


@dataclass(frozen=True)
class SelectWord:
    """Select a word of the graph by its place in the vocabulary, or none."""

    word: int | None


@dataclass(frozen=True)
class HoverWord:
    """Point at a word by its place in the vocabulary, or at none any more."""

    word: int | None


@dataclass(frozen=True)
class EditCopy:
    """Open the chosen head at the chosen step as a scene in Explore."""
