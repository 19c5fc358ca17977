"""What the runs of a setting have in common: medians and the band of 10 to 90 %."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from explorer.sweeps.folder import Result
from explorer.sweeps.plan import Plan, Setting, Value
from explorer.traces.trace import Array

QUANTILES = (10.0, 50.0, 90.0)  # percent
# A plateau: how near its losses lie to one another, its least length as a share of all epochs, and
# how much is left of its loss at the end. Near ln k: within this of it.
_FLAT, _LONG, _LEFT, _NEAR = 0.03, 0.2, 0.5, 0.02


@dataclass(frozen=True)
class SettingRow:
    """The runs of one setting that are done.

    runs : how many; diverged, failed, never_right : how many of them
    low, median, high : 10, 50 and 90 % of the epochs from which on all is right; a run that never
        is counts as later than all others, and None is where such a run would stand
    last_loss : the median
    """

    setting: Setting
    runs: int
    diverged: int
    failed: int
    never_right: int
    low: float | None
    median: float | None
    high: float | None
    last_loss: float | None


@dataclass(frozen=True)
class Plateau:
    """Epochs in which a loss hardly falls before it falls further.

    first, last : epochs
    loss : the median of the epochs between
    choices : k where the loss is near ln k, as if k words were equally likely; None elsewhere
    """

    first: int
    last: int
    loss: float
    choices: int | None


def plateau(loss: Array) -> Plateau | None:
    """Return the longest plateau of a run; None where there is none.

    A plateau's first and last loss differ by at most 3 %; it is at least a fifth of the run long,
    and the run ends at less than half of it.

    loss : (E + 1,)
    """
    fine = np.flatnonzero(~np.isfinite(loss))
    known = np.asarray(loss[: fine[0]] if len(fine) else loss, dtype=float)
    longest, first = 0, 0
    start = 0
    for end in range(len(known)):
        while abs(known[end] - known[start]) > _FLAT * known[start]:
            start += 1
        if end - start > longest:
            longest, first = end - start, start
    if not len(known) or longest < _LONG * (len(known) - 1):
        return None
    middle = float(np.median(known[first : first + longest + 1]))
    if known[-1] >= _LEFT * middle:
        return None
    choices = round(math.exp(min(middle, 20.0)))
    near = choices > 1 and abs(middle - math.log(choices)) <= _NEAR
    return Plateau(first, first + longest, middle, choices if near else None)


def setting_rows(plan: Plan, results: Iterable[Result]) -> list[SettingRow]:
    """Return a row for each setting, in the order of the plan."""
    by_setting: list[list[Result]] = [[] for _setting in plan.settings]
    for result in results:
        by_setting[plan.place(result.run)].append(result)
    return [_row(s, found) for s, found in zip(plan.settings, by_setting, strict=True)]


def _row(setting: Setting, results: Sequence[Result]) -> SettingRow:
    trained = [each for each in results if each.status != "failed"]
    starts = [math.inf if r.all_right_from is None else r.all_right_from for r in trained]
    losses = [each.last_loss for each in trained if math.isfinite(each.last_loss)]
    low, median, high = (_quantile(starts, percent) for percent in QUANTILES)
    return SettingRow(
        setting,
        len(results),
        sum(each.status == "diverged" for each in results),
        len(results) - len(trained),
        starts.count(math.inf),
        low,
        median,
        high,
        float(np.median(losses)) if losses else None,
    )


def _quantile(values: Sequence[float], percent: float) -> float | None:
    """Return a quantile, linear between the two values beside it; None where one is infinite."""
    if not values:
        return None
    ordered = sorted(values)
    place = percent / 100 * (len(ordered) - 1)
    below, above = ordered[math.floor(place)], ordered[math.ceil(place)]
    if math.isinf(above):
        return None
    return below + (above - below) * (place - math.floor(place))


def bands(plan: Plan, losses: Mapping[int, Array]) -> dict[Value, Array]:
    """Return 10, 50 and 90 % of the losses at each epoch, (3, E + 1), by the first varied field.

    Epochs at which no run has a loss are nan. Settings that differ in the other fields count
    together.

    losses : (E + 1,) of each run that is done
    """
    field = next(iter(plan.varied), None)
    groups: dict[Value, list[Array]] = {}
    for run, loss in losses.items():
        value = None if field is None else plan.setting(run)[field]
        groups.setdefault(value, []).append(loss)
    order: Sequence[Any] = (None,) if field is None else plan.varied[field]
    return {value: _band(groups[value]) for value in order if value in groups}


def _band(losses: Sequence[Array]) -> Array:
    longest = max(map(len, losses))
    table = np.full((len(losses), longest), np.nan)
    for row, loss in zip(table, losses, strict=True):
        row[: len(loss)] = loss
    found = np.full((len(QUANTILES), longest), np.nan)
    there = ~np.isnan(table).all(axis=0)
    found[:, there] = np.nanpercentile(table[:, there], QUANTILES, axis=0)
    return found
