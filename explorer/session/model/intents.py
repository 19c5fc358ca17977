"""What a person wants in Model, as values. Views emit them; its presenter carries them out."""

from __future__ import annotations

from explorer.models.figures import Kind
from explorer.models.switches import Put
from explorer.session.intents import Intent
from explorer.session.model.frame import Repeated
from explorer.session.model.session import ModelLookChanges


class EditText(Intent, frozen=True):
    """Replace what stands in the text box."""

    text: str


class RunText(Intent, frozen=True):
    """Run the text that stands in the box."""


class StopModel(Intent, frozen=True):
    """Stop opening or running."""


class GoToHead(Intent, frozen=True):
    """Look at a head; both count from 0."""

    layer: int
    head: int


class SelectPair(Intent, frozen=True):
    """Select a query and a key, counted from 0; a query alone selects its row, None nothing."""

    query: int | None
    key: int | None = None


class HoverPair(Intent, frozen=True):
    """Tell what is under the mouse, counted from 0; None for nothing."""

    query: int | None = None
    key: int | None = None


class ChangeModelLook(Intent, frozen=True):
    """Look otherwise: other values of fields of ModelLook from which nothing else follows."""

    changes: ModelLookChanges


class StepPair(Intent, frozen=True):
    """Select the next larger (1) or smaller (−1) weight of the selected row."""

    by: int


class FilterHeads(Intent, frozen=True):
    """Show the heads of one kind alone; None shows all."""

    kind: Kind | Repeated | None


class KeepHead(Intent, frozen=True):
    """Let a head stay in the atlas whatever it filters, or no longer; both count from 0."""

    layer: int
    head: int


class SwitchHead(Intent, frozen=True):
    """Put something in place of a head, or have the head itself; layer and head count from 0."""

    layer: int
    head: int
    put: Put | None = Put.ZEROS


class EditSecond(Intent, frozen=True):
    """Replace the text that patched heads take their output from."""

    text: str


class GoToStep(Intent, frozen=True):
    """Have the switches of a step; what came after it can be done again."""

    step: int


class UndoStep(Intent, frozen=True):
    """Take the last step back."""


class FollowToken(Intent, frozen=True):
    """Follow a token of the vocabulary by its number; None follows the likeliest one."""

    token: int | None


class FollowWord(Intent, frozen=True):
    """Follow the token of the vocabulary that a word is."""

    word: str


class ShowEffects(Intent, frozen=True):
    """Show beside next tokens what each head alone does, or where each looks."""

    shown: bool


class RestoreHeads(Intent, frozen=True):
    """Switch all heads on again."""


class MeasureRepeats(Intent, frozen=True):
    """Ask for the scores of the model's heads on random tokens that are repeated."""


class PinToken(Intent, frozen=True):
    """Give a token a colour of its own, or take it away; the oldest goes where four have one."""

    place: int


class MoveWindow(Intent, frozen=True):
    """Show another part of a long text's matrix: first query, first key, size."""

    query: int
    key: int
    size: int


class EditHeadCopy(Intent, frozen=True):
    """Open the head at the cursor as a scene in Explore."""


class ChooseModel(Intent, frozen=True):
    """Ask for a model folder or a file of arrays; or open the one at this path."""

    path: str = ""
