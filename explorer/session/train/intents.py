"""What a person wants in Train, as values. Views emit them; its presenter carries them out.

`Select` and `Hover` of `explorer.session.intents` are used here too.
"""

from __future__ import annotations

from pathlib import Path

from explorer.session.intents import Intent
from explorer.session.look import Stage
from explorer.session.train.session import TrainLookChanges

# --- the run -------------------------------------------------------------------------------------


class SetParameter(Intent, frozen=True):
    """Give a parameter of the next run another value, typed or chosen; `field` is Config's name."""

    field: str
    value: str | bool


class SetCorpus(Intent, frozen=True):
    """Replace the corpus text."""

    text: str


class OpenCorpus(Intent, frozen=True):
    """Take the sentences of a file as the corpus, and ask for the file where none is named."""

    path: Path | None = None


class SetSplitting(Intent, frozen=True):
    """Split the corpus text otherwise: another value of a field of Splitting, typed or chosen."""

    field: str
    value: str


class Train(Intent, frozen=True):
    """Start a run with the parameters as they are, or go on with a paused one."""


class Pause(Intent, frozen=True):
    """Pause the run."""


class StepOnce(Intent, frozen=True):
    """Train one epoch and pause; starts a run where there is none."""


class Stop(Intent, frozen=True):
    """End the run; what is recorded stays."""


class StartOver(Intent, frozen=True):
    """Stop, and start a run with the same parameters and seed."""


class SetPace(Intent, frozen=True):
    """Choose epochs a second, None for full speed."""

    pace: int | None


class ForkHere(Intent, frozen=True):
    """Let the next run go on from the epoch at the cursor, with whatever is then changed."""


class BeginUntrained(Intent, frozen=True):
    """Let the next run be no fork."""


class UseParameters(Intent, frozen=True):
    """Let the next run have the parameters and the sentences of the shown one."""


# --- the list of runs ----------------------------------------------------------------------------


class ShowRun(Intent, frozen=True):
    """Show the run of a card as A."""

    key: int


class CompareRun(Intent, frozen=True):
    """Compare with the run of a card, B, or with nothing any more (None)."""

    key: int | None


class RenameRun(Intent, frozen=True):
    """Call a run otherwise; an empty name is the one that it came with."""

    key: int
    name: str


class DeleteRun(Intent, frozen=True):
    """Take a run from the list."""

    key: int


class MarkEpoch(Intent, frozen=True):
    """Put a mark with a text at an epoch of the shown run, or take it away (empty)."""

    epoch: int
    text: str


# --- the cursor ----------------------------------------------------------------------------------


class GoToStep(Intent, frozen=True):
    """Show a recorded step; stops following and playing."""

    step: int


class StepBy(Intent, frozen=True):
    """Show a step so many further on, or back, from where the cursor is by then."""

    steps: int


class GoToEpoch(Intent, frozen=True):
    """Show the recorded step nearest to an epoch; stops following and playing.

    Parameters
    ----------
    scrubbing : bool
        Whether the mouse holds the playhead, so that more will follow.
    """

    epoch: float
    scrubbing: bool = False


class GoToSample(Intent, frozen=True):
    """Show another sample."""

    sample: int


class GoToLayer(Intent, frozen=True):
    """Show another layer."""

    layer: int


class GoToHead(Intent, frozen=True):
    """Show a head, or the average over all (None)."""

    head: int | None


class Play(Intent, frozen=True):
    """Play from the cursor (from the start where it is at the end), or stop playing."""

    play: bool


class SetRate(Intent, frozen=True):
    """Choose steps a second."""

    rate: int


class SetLoop(Intent, frozen=True):
    """Begin again at the end, or not."""

    loop: bool


class FollowLive(Intent, frozen=True):
    """Stay at the newest step from now on."""


# --- looking -------------------------------------------------------------------------------------


class ChangeTrainLook(Intent, frozen=True):
    """Look otherwise: other values of fields of TrainLook from which nothing else follows."""

    changes: TrainLookChanges


class ShowTrainStage(Intent, frozen=True):
    """Make a station of the chain the active one."""

    stage: Stage


class SelectWord(Intent, frozen=True):
    """Select a word of the graph by its place in the vocabulary, or none."""

    word: int | None


class HoverWord(Intent, frozen=True):
    """Point at a word by its place in the vocabulary, or at none any more."""

    word: int | None


class EditCopy(Intent, frozen=True):
    """Open the chosen head at the chosen step, of A or of B, as a scene in Explore."""

    of_b: bool = False
