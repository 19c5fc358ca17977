"""What is shown of a sweep, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from explorer.session import Array
from explorer.sweeps.folder import Result
from explorer.sweeps.plan import Plan, Setting, Value
from explorer.sweeps.statistics import SettingRow, bands, setting_rows

MOST_DRAWN = 3000  # runs, the first ones: more dots would cover one another
SHADES = (0.42, 0.95)  # of the attention ramp, of the first value and the last


@dataclass(frozen=True, eq=False)
class Shown:
    """A sweep as far as it is.

    results : of each run that is done, by its number
    losses : of those that are drawn
    bands : 10, 50 and 90 % of the losses by the first varied field, (3, E + 1)
    rows : of each setting
    selected : a run, or None
    """

    plan: Plan
    results: Mapping[int, Result] = field(default_factory=dict)
    losses: Mapping[int, Array] = field(default_factory=dict)
    bands: Mapping[Value, Array] = field(default_factory=dict)
    rows: tuple[SettingRow, ...] = ()
    selected: int | None = None

    @property
    def first_field(self) -> str | None:
        """The field whose values have a shade each."""
        return next(iter(self.plan.varied), None)

    def shade(self, value: Value) -> float:
        """Return the place of a value of the first field on the attention ramp."""
        first = self.first_field
        values = (value,) if first is None else self.plan.varied[first]
        low, high = SHADES
        return (
            high
            if len(values) < 2
            else low + (high - low) * values.index(value) / (len(values) - 1)
        )

    def value(self, setting: Setting) -> Value:
        """Return a setting's value of the first field."""
        first = self.first_field
        return None if first is None else setting[first]

    @property
    def epochs(self) -> int:
        """The last epoch of the longest run."""
        return max(self.plan.run_config(i).epochs for i in range(len(self.plan.settings)))


def shown_results(
    plan: Plan,
    results: Mapping[int, Result],
    losses: Mapping[int, Array],
    selected: int | None,
) -> Shown:
    """Return what is shown of these results."""
    return Shown(
        plan,
        dict(results),
        dict(losses),
        bands(plan, losses),
        tuple(setting_rows(plan, results.values())),
        selected,
    )
