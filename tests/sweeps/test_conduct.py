"""A sweep carried out: what is kept, what is not repeated, and what its faults do."""

from __future__ import annotations

import csv
import errno
import os
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from safetensors.numpy import load_file

from explorer.sweeps.conduct import Progress, Steering, conduct, estimate
from explorer.sweeps.folder import PLAN, SweepFolder, create, resume
from explorer.sweeps.plan import Plan, made_plan
from explorer.sweeps.work import seconds_an_epoch
from explorer.text import Problem
from explorer.traces import Config
from explorer.training.loop import train

Workers = Any


def table(folder: Path) -> list[dict[str, str]]:
    with (folder / "summary.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def ignore(progress: Progress) -> None:
    """Take no notice."""


def test_a_sweep_keeps_what_its_runs_came_to(tmp_path: Path, small: Plan, threads: Workers) -> None:
    folder, workers = tmp_path / "sweep", threads()
    written = create(folder, small)
    told: list[tuple[int, tuple[int, ...]]] = []
    assert estimate(small, (), seconds_an_epoch) > 0
    assert estimate(small, range(len(small.chunks)), seconds_an_epoch) == 0
    progress = conduct(
        written, workers, Steering(), lambda each: told.append((each.done, tuple(each.new)))
    )
    written.close()
    workers.close()
    assert (progress.done, progress.diverged, progress.failed) == (12, 0, 0)
    assert sorted(chunk for _done, new in told for chunk in new) == list(range(len(small.chunks)))
    rows = table(folder)
    assert list(rows[0]) == [
        *("learning_rate", "heads", "seed", "status"),
        *("last_loss", "last_accuracy", "all_right_from"),
    ]
    for run, row in enumerate(rows):
        config = small.run_config(run)
        assert (float(row["learning_rate"]), int(row["heads"])) == (
            config.learning_rate,
            config.heads,
        )
        assert (int(row["seed"]), row["status"]) == (config.seed, "finished")
        *_, last = train(config, small.sentences)
        assert float(row["last_loss"]) == pytest.approx(last.loss, abs=1e-5)
        assert float(row["last_accuracy"]) == pytest.approx(last.accuracy, abs=1e-6)
    # Any tool reads the parts.
    part = load_file(folder / "parts" / "000000.safetensors")
    assert part["run"].tolist() == list(small.chunks[0])
    assert part["seed"].tolist() == [small.seed(run) for run in small.chunks[0]]
    assert part["loss"].shape == part["accuracy"].shape == (len(small.chunks[0]), 9)
    assert len(part["weights"]) == len(small.chunks[0])


def test_a_stopped_sweep_goes_on_without_repeating(
    tmp_path: Path, small: Plan, threads: Workers
) -> None:
    small = msgspec.structs.replace(small, together=2)
    folder, steering = tmp_path / "sweep", Steering()
    first, second = threads(), threads()

    def stop_soon(progress: Progress) -> None:
        steering.stopped = progress.done >= 4

    written = create(folder, small)
    before = conduct(written, first, steering, stop_soon)
    written.close()
    assert 4 <= before.done < 12
    assert len(table(folder)) == before.done
    # What a killed process leaves behind, and a part that was damaged.
    (folder / "parts" / ".0123.tmp").write_bytes(b"half")
    [*_, damaged] = sorted((folder / "parts").glob("*.safetensors"))
    damaged.write_bytes(damaged.read_bytes()[:-7])
    again = resume(folder)
    left = 12 - before.done + 2
    assert conduct(again, second, Steering(), ignore).done == 12
    again.close()
    assert len(second.trained) == left
    assert len(table(folder)) == 12
    assert not list((folder / "parts").glob(".*"))
    first.close()
    second.close()


def test_two_processes_never_write_one_sweep(tmp_path: Path, small: Plan) -> None:
    folder = tmp_path / "sweep"
    written = create(folder, small)
    with pytest.raises(Problem, match="is being written by another process"):
        resume(folder)
    SweepFolder(folder)  # is read meanwhile
    written.close()
    with pytest.raises(Problem, match="holds a sweep: continue it with --resume"):
        create(folder, small)
    resume(folder).close()


def test_a_chunk_that_ends_its_worker_three_times_is_named_and_the_rest_goes_on(
    tmp_path: Path, small: Plan, threads: Workers
) -> None:
    small = msgspec.structs.replace(small, together=2)
    workers = threads(lambda config: (config.heads, config.seed) == (2, 5))
    said: list[str] = []
    written = create(tmp_path / "sweep", small)
    progress = conduct(written, workers, Steering(), lambda each: said.extend(map(str, each.said)))
    written.close()
    workers.close()
    assert workers.deaths == 3
    assert (progress.done, progress.failed) == (12, 2)
    assert said[-1] == (
        "part 3 (from seed 5, Learning Rate 0.01, Heads 2, to seed 5, Learning Rate 0.002, Heads 2)"
        " ended its worker 3 times and is left out."
    )
    failed = [row for row in table(tmp_path / "sweep") if row["status"] == "failed"]
    assert [(row["heads"], row["seed"], row["last_loss"]) for row in failed] == [("2", "5", "")] * 2
    # It is tried again when the sweep goes on.
    again, healthy = resume(tmp_path / "sweep"), threads()
    assert conduct(again, healthy, Steering(), ignore).failed == 0
    assert len(healthy.trained) == 2
    again.close()
    healthy.close()


def test_a_full_disk_ends_the_sweep_in_a_sentence_and_loses_nothing(
    tmp_path: Path, small: Plan, threads: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, workers = tmp_path / "sweep", threads()
    written = create(folder, small)
    real, calls = os.fsync, []

    def full(file: int) -> None:
        calls.append(file)
        if len(calls) > 2:
            raise OSError(errno.ENOSPC, "No space left on device")
        real(file)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(Problem, match="cannot be saved: No space left on device"):
            conduct(written, workers, Steering(), ignore)
    written.close()
    kept = len(list(SweepFolder(folder).done()))
    again = resume(folder)
    assert 1 <= kept < len(small.chunks)
    assert conduct(again, workers, Steering(), ignore).done == 12
    again.close()
    workers.close()


def test_runs_that_diverge_are_counted(tmp_path: Path, small: Plan, threads: Workers) -> None:
    config = Config(epochs=30, d_model=8, layers=4, optimizer="sgd", device="cpu")
    varied = {"learning_rate": (1.0, 0.001), "initialisation": ("he",)}
    plan = made_plan(config, varied, tuple(range(12)), small.sentences)
    written, workers = create(tmp_path / "sweep", plan), threads()
    progress = conduct(written, workers, Steering(), ignore)
    results = list(written.results())
    written.close()
    workers.close()
    diverged = {each.run for each in results if each.status == "diverged"}
    expected = set()
    for run in range(plan.runs):
        *_, last = train(plan.run_config(run), plan.sentences)
        if not np.isfinite(last.loss):
            expected.add(run)
    assert diverged == expected
    assert progress.diverged == len(expected)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda text: "{", "is not a plan of a sweep"),
        (lambda text: text.replace('"heads": 2', '"heads": "2"'), "is not a plan of a sweep"),
        (lambda text: text.replace("attention-explorer/sweep", "other"), "cannot be read"),
        (lambda text: text.replace('"learning_rate": [', '"colour": ['), "its runs are not valid"),
        (lambda text: text.replace("cat likes fish", "cat"), "needs a word before its last"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(
    tmp_path: Path, small: Plan, change: Any, reason: str
) -> None:
    create(tmp_path / "sweep", small).close()
    path = tmp_path / "sweep" / PLAN
    text = path.read_text()
    path.write_text(change(text))
    assert path.read_text() != text
    with pytest.raises(Problem, match=reason):
        SweepFolder(tmp_path / "sweep")
