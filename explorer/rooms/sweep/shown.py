"""What Sweep shows, as values: what is asked for, how far it is, and what it came to."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, Flag, auto
from functools import cached_property
from typing import Any

from explorer.session import Array
from explorer.sweeps.conduct import Progress
from explorer.sweeps.folder import Result
from explorer.sweeps.heads import TellingMap
from explorer.sweeps.plan import Plan, Setting, Value
from explorer.sweeps.process import Reached
from explorer.sweeps.statistics import Plateau, SettingRow, bands, setting_rows
from explorer.text import Message
from explorer.traces import Config, Corpus

MOST_DRAWN = 3000  # runs, the first ones: more dots would cover one another
MOST_NUMBERS = 3_000_000  # losses of them together
SHADES = (0.42, 0.95)  # of the attention ramp, of the first value and the last


class SweepChange(Flag):
    """What of a frame changed: the draft, how far the sweep is, results, the selected run."""

    DRAFT = auto()
    STATE = auto()
    RESULTS = auto()
    SELECTION = auto()
    ALL = DRAFT | STATE | RESULTS | SELECTION


class SweepState(Enum):
    """What the sweep's process is at."""

    IDLE = auto()
    STARTING = auto()
    GOING = auto()
    PAUSED = auto()
    STOPPING = auto()


@dataclass(frozen=True)
class Draft:
    """What the next sweep is asked to be.

    varied : fields of `Config` with the values that each takes
    first, last : the seeds
    leave_out : whether settings that cannot be are left out
    cluster : whether the workers are those of the Dask cluster at `address`
    workers : processes of this computer
    """

    varied: tuple[tuple[str, tuple[Value, ...]], ...]
    first: int = 1
    last: int = 32
    leave_out: bool = False
    cluster: bool = False
    workers: int = 1
    address: str = ""

    @property
    def arrays(self) -> tuple[Any, ...]:
        """The arrays that it holds: none."""
        return ()

    @property
    def fields(self) -> Mapping[str, tuple[Value, ...]]:
        """The values of each field that varies."""
        return dict(self.varied)


@dataclass(frozen=True, eq=False)
class SelectedRun:
    """A run that is looked at.

    loss, accuracy : (E + 1,)
    maps : of its last weights; none where these are not kept
    """

    run: int
    result: Result
    loss: Array
    accuracy: Array
    plateau: Plateau | None
    maps: tuple[TellingMap, ...]


@dataclass(frozen=True, eq=False)
class Shown:
    """A sweep as far as it is.

    results : of each run that is done, by its number
    losses : of those that are drawn
    bands : 10, 50 and 90 % of the losses by the first varied field, (3, E + 1)
    rows : of each setting
    """

    plan: Plan
    results: Mapping[int, Result] = field(default_factory=dict)
    losses: Mapping[int, Array] = field(default_factory=dict)
    bands: Mapping[Value, Array] = field(default_factory=dict)
    rows: tuple[SettingRow, ...] = ()

    @property
    def first_field(self) -> str | None:
        """The field whose values have a shade each."""
        return next(iter(self.plan.varied), None)

    @property
    def seeds_done(self) -> int:
        """How many seeds every setting has."""
        return min((row.runs for row in self.rows), default=0)

    def shade(self, value: Value) -> float:
        """Return the place of a value of the first field on the attention ramp."""
        first = self.first_field
        return shade_of(value, (value,) if first is None else self.plan.varied[first])

    def value(self, setting: Setting) -> Value:
        """Return a setting's value of the first field."""
        first = self.first_field
        return None if first is None else setting[first]

    def slowest(self, place: int) -> int | None:
        """Return the run of a setting, by its place, that came last to be right: it tells most."""

        def start(run: int) -> float:
            epoch = self.results[run].all_right_from
            return math.inf if epoch is None else epoch

        runs = (run for run in self.losses if self.plan.place(run) == place)
        return max(runs, key=start, default=None)

    @cached_property
    def epochs(self) -> int:
        """The last epoch of the longest run."""
        return max(self.plan.run_config(i).epochs for i in range(len(self.plan.settings)))


@dataclass(frozen=True, eq=False)
class SweepFrame:
    """What there is to be drawn.

    config, corpus : those of Run, which stay where nothing varies; no corpus where it cannot be
    plan, wrong : of the draft, or why it cannot be
    contradictory : whether it could be with some settings left out
    seconds : about what the plan takes one worker; None while that is not known
    reached : what is known of the cluster at the draft's address
    typed : a field, what was typed as its values, and why these cannot be
    progress : of the sweep that goes on, or went on last
    shown : the sweep that is shown; None where one is planned
    title : what it is called
    selected : a run of it
    """

    draft: Draft
    config: Config
    corpus: Corpus | None = None
    plan: Plan | None = None
    wrong: Message | None = None
    contradictory: bool = False
    seconds: float | None = None
    reached: Reached | None = None
    typed: tuple[str, str, Message] | None = None
    state: SweepState = SweepState.IDLE
    progress: Progress | None = None
    shown: Shown | None = None
    title: str = ""
    selected: SelectedRun | None = None

    @property
    def idle(self) -> bool:
        """Whether nothing goes on."""
        return self.state is SweepState.IDLE

    @property
    def unfinished(self) -> bool:
        """Whether a sweep is shown that can be gone on with."""
        return self.shown is not None and len(self.shown.results) < self.shown.plan.runs

    @property
    def workers(self) -> int | None:
        """How many workers there would be; None while a cluster's are not counted."""
        draft = self.draft
        if not draft.cluster:
            return draft.workers
        known = self.reached if self.reached and self.reached.address == draft.address else None
        return known.workers if known and known.workers else None


def shade_of(value: Value, values: tuple[Value, ...]) -> float:
    """Return the place of one of several values on the attention ramp."""
    low, high = SHADES
    if len(values) < 2 or value not in values:
        return high
    return low + (high - low) * values.index(value) / (len(values) - 1)


def shown_results(plan: Plan, results: Mapping[int, Result], losses: Mapping[int, Array]) -> Shown:
    """Return what is shown of these results."""
    return Shown(
        plan,
        dict(results),
        dict(losses),
        bands(plan, losses),
        tuple(setting_rows(plan, results.values())),
    )
