"""The sweep that comes with the program, and what the lesson on seeds says of it."""

from __future__ import annotations

import csv
import io
import math

import numpy as np

from explorer.resources import example
from explorer.sweeps.folder import SweepFolder
from explorer.sweeps.heads import telling_maps
from explorer.sweeps.statistics import Plateau, bands, plateau, setting_rows
from explorer.training.loop import train

SWEEP = SweepFolder(example("rates-and-heads"))
RESULTS = {each.run: each for each in SWEEP.results()}


def starts(heads: int, rate: float) -> dict[int, int]:
    """Return from which epoch on all is right, of each seed."""
    setting = {"learning_rate": rate, "heads": heads}
    return {
        SWEEP.plan.seed(run): result.all_right_from or 0
        for run, result in RESULTS.items()
        if SWEEP.plan.setting(run) == setting
    }


def test_it_is_whole_and_its_table_says_the_same() -> None:
    assert len(RESULTS) == SWEEP.plan.runs == 288
    with example("rates-and-heads/summary.csv").open(newline="") as file:
        text = file.read()
    rows = list(csv.DictReader(io.StringIO(text)))
    expected = list(SWEEP.rows(RESULTS.values()))
    assert [{name: str(v) for name, v in row.items()} for row in expected] == rows


def test_the_lesson_on_seeds_says_what_is_there() -> None:
    one = starts(1, 0.006)
    assert sorted(one.values())[-2:] == [27, 155]
    assert one[11] == 155
    assert sum(start <= 11 for start in one.values()) >= 16
    assert min(one.values()) == 4
    assert max((*starts(2, 0.006).values(), *starts(4, 0.006).values())) == 25


def test_seed_eleven_is_the_run_that_stays_at_ln_3() -> None:
    [run] = [
        run
        for run in RESULTS
        if SWEEP.plan.seed(run) == 11
        and SWEEP.plan.setting(run) == {"learning_rate": 0.006, "heads": 1}
    ]
    [chunk] = [n for n, runs in enumerate(SWEEP.plan.chunks) if run in runs]
    part = SWEEP.part(chunk)
    loss = part.loss[part.runs.index(run)]
    assert abs(loss[30:141] - math.log(3)).max() < 0.02
    alone = [epoch.loss for epoch in train(SWEEP.plan.run_config(run), SWEEP.plan.sentences)]
    np.testing.assert_allclose(loss, alone, rtol=0, atol=1e-3)


def test_medians_and_bands_are_those_of_the_runs() -> None:
    [row] = [
        row
        for row in setting_rows(SWEEP.plan, RESULTS.values())
        if row.setting == {"learning_rate": 0.006, "heads": 1}
    ]
    low, median, high = np.percentile(list(starts(1, 0.006).values()), (10, 50, 90))
    assert (row.low, row.median, row.high) == (low, median, high)
    losses = {
        run: loss
        for chunk in SWEEP.done()
        for part in [SWEEP.part(chunk)]
        for run, loss in zip(part.runs, part.loss, strict=True)
    }
    found = bands(SWEEP.plan, losses)
    assert list(found) == [0.0005, 0.0015, 0.006]
    of_rate = [
        loss for run, loss in losses.items() if SWEEP.plan.setting(run)["learning_rate"] == 0.006
    ]
    expected = np.percentile(np.array(of_rate, float), (10, 50, 90), axis=0)
    np.testing.assert_allclose(found[0.006], expected, rtol=1e-6)


def test_one_run_alone_has_a_plateau_and_its_head_looks_back() -> None:
    found = {
        run: flat
        for chunk in SWEEP.done()
        for part in [SWEEP.part(chunk)]
        for run, loss in zip(part.runs, part.loss, strict=True)
        if (flat := plateau(loss)) is not None
    }
    [(run, flat)] = found.items()
    assert (SWEEP.plan.seed(run), flat.first, flat.last, flat.choices) == (11, 24, 145, 3)
    [chunk] = [n for n, runs in enumerate(SWEEP.plan.chunks) if run in runs]
    part = SWEEP.part(chunk)
    assert part.weights is not None
    first, second = telling_maps(SWEEP.plan, run, part.weights[part.runs.index(run)])
    assert (first.words, second.words) == (("cat", "likes"), ("bird", "likes"))
    np.testing.assert_allclose(first.weights[1], [1, 0], atol=1e-4)


def test_what_is_no_plateau() -> None:
    falling = np.exp(-np.arange(101.0) / 10)
    assert plateau(falling) is None
    assert plateau(np.ones(101)) is None  # it never falls
    assert plateau(np.full(5, np.nan)) is None
    steps = np.concatenate([np.full(60, 0.8), np.full(41, 0.1)])
    assert plateau(steps) == Plateau(0, 59, 0.8, None)
    assert plateau(np.r_[steps[:60], np.nan * steps[60:]]) is None
