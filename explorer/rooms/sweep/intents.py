"""What a person wants in Sweep, as values. Views emit them; its presenter carries them out."""

from __future__ import annotations

from explorer.session.intents import Intent


class AddValues(Intent, frozen=True):
    """Let a field take further values, typed with commas between them."""

    field: str
    text: str


class RemoveValue(Intent, frozen=True):
    """Take the value at a place away; a field without values stays as in Run."""

    field: str
    place: int


class AddField(Intent, frozen=True):
    """Let another field vary, from the value that it has in Run on."""

    field: str


class SetSeeds(Intent, frozen=True):
    """Take the seeds from the first to the last."""

    first: int
    last: int


class LeaveOut(Intent, frozen=True):
    """Leave out settings that cannot be, or name them."""

    leave_out: bool


class SetWhere(Intent, frozen=True):
    """Choose this computer with some workers, or the cluster at an address."""

    cluster: bool
    workers: int
    address: str


class Start(Intent, frozen=True):
    """Begin the sweep that is planned, or go on with the one that is shown."""


class Pause(Intent, frozen=True):
    """Pause after the chunks in progress, or go on."""

    pause: bool


class Stop(Intent, frozen=True):
    """End the sweep; what is done is kept."""


class NewSweep(Intent, frozen=True):
    """Leave the sweep that is shown, and plan another."""


class OpenSweep(Intent, frozen=True):
    """Open a sweep's folder: one that is asked for."""


class OpenExample(Intent, frozen=True):
    """Open the sweep that comes with the program."""


class SelectSweepRun(Intent, frozen=True):
    """Look at a run of the sweep, by its number."""

    run: int


class SelectSetting(Intent, frozen=True):
    """Look at the run of a setting that came last to be right."""

    place: int


class SaveTable(Intent, frozen=True):
    """Save the table of runs as CSV."""


class SaveAll(Intent, frozen=True):
    """Save the whole sweep, its results among it, in a folder that is asked for."""


class OpenInRun(Intent, frozen=True):
    """Train the selected run again in Run; beside the one that is shown there, or by itself."""

    beside: bool


class ShowRuns(Intent, frozen=True):
    """Show Run in place of Sweep."""
