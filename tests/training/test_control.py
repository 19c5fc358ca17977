"""Pace, pause, one epoch and stop, in a thread that waits as the run does."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from explorer.training.control import Control
from tests.waiting import until


class Runner:
    """Goes from epoch to epoch as a run does, and counts them."""

    def __init__(self, control: Control) -> None:
        self.control = control
        self.epochs = 0
        self.waits = 0
        self.waiting = threading.Semaphore(0)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while self.control.proceed(self._wait):
            self.epochs += 1

    def _wait(self) -> None:
        self.waits += 1
        self.waiting.release()

    def wait_until_waiting(self) -> None:
        assert self.waiting.acquire(timeout=10)

    def finish(self) -> None:
        self.control.stop()
        self._thread.join(timeout=10)
        assert not self._thread.is_alive()


@pytest.fixture
def paused() -> Iterator[Runner]:
    runner = Runner(Control(paused=True))
    runner.wait_until_waiting()
    yield runner
    runner.finish()


def test_a_step_is_one_epoch(paused: Runner) -> None:
    assert paused.epochs == 0
    for done in (1, 2, 3):
        paused.control.step()
        paused.wait_until_waiting()
        assert paused.epochs == done


def test_resumed_it_runs_until_paused(paused: Runner) -> None:
    paused.control.resume()
    until(lambda: paused.epochs >= 100)
    paused.control.pause()
    paused.wait_until_waiting()
    there = paused.epochs
    paused.control.step()
    paused.wait_until_waiting()
    assert paused.epochs == there + 1


def test_a_paused_run_can_be_stopped(paused: Runner) -> None:
    paused.finish()
    assert paused.epochs == 0


def test_a_pace_is_kept_and_can_be_changed_while_it_waits() -> None:
    control = Control(100)
    begun = time.monotonic()
    for _epoch in range(11):
        assert control.proceed(lambda: None)
    # The first is let go at once.
    assert time.monotonic() - begun >= 10 / 100

    runner = Runner(Control(1 / 60))
    runner.wait_until_waiting()
    assert runner.epochs == 1
    runner.control.set_pace(None)
    until(lambda: runner.epochs >= 50, 20)  # a minute goes by at the old pace
    runner.finish()


def test_at_full_speed_nothing_waits() -> None:
    waits: list[int] = []
    control = Control()
    for _epoch in range(1000):
        assert control.proceed(lambda: waits.append(1))
    assert not waits


def test_within_an_epoch_it_waits_while_paused_and_one_step_ends_that_epoch() -> None:
    control = Control()
    assert control.within()
    control.pause()
    ended: list[bool] = []

    def part() -> None:
        ended.append(control.within())

    for go_on, answer in ((control.step, True), (control.resume, True), (control.stop, False)):
        control.pause()
        thread = threading.Thread(target=part, daemon=True)
        thread.start()
        until(lambda: control._waiting)
        assert not ended
        go_on()
        thread.join(timeout=10)
        assert ended == [answer]
        ended.clear()
