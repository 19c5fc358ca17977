"""A sweep carried out: chunks handed to workers, results kept as they come, nothing done twice."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import CancelledError, Future, wait
from dataclasses import dataclass, field
from typing import Any

from explorer.sweeps.executors import WorkerDied, Workers
from explorer.sweeps.folder import Result, WrittenSweep
from explorer.sweeps.plan import Plan, setting_text
from explorer.sweeps.work import train_chunk
from explorer.text import N_, Message, Problem, displayable
from explorer.traces import Config
from explorer.training.shapes import shape_of, work

DEATHS = 3  # of workers, after which a chunk is given up
TABLE_EVERY = 2.0  # seconds; what a table takes grows with the sweep
_TICK = 0.1  # seconds between two looks at what was asked
_TRIED = 8  # kinds of chunks; the others are estimated by these
_WAITED = 60.0  # seconds for what a stopped cluster still does

WORKER_DIED = N_("A worker ended in the middle of {chunk}; its runs go to the others.")
CHUNK_KILLS = N_("{chunk} ended its worker {times} times and is left out.")


@dataclass
class Steering:
    """What is asked of a sweep in progress, from any thread."""

    paused: bool = False
    stopped: bool = False


@dataclass
class Progress:
    """How far a sweep is; told again and again.

    runs, done : of the whole sweep, those of earlier sittings included
    failed, diverged : among those done
    here : runs done in this sitting, in `seconds`, without pauses
    new : the chunks whose parts have come since the last was told
    said : what there is to say, such as that a worker died
    """

    runs: int
    done: int = 0
    failed: int = 0
    diverged: int = 0
    here: int = 0
    seconds: float = 0.0
    paused: bool = False
    new: list[int] = field(default_factory=list)
    said: list[Message] = field(default_factory=list)

    @property
    def left(self) -> float | None:
        """Seconds until the end, by the mean of the runs of this sitting; None before the first."""
        return (self.runs - self.done) * self.seconds / self.here if self.here else None


def estimate(
    plan: Plan, done: Collection[int], trial: Callable[[Sequence[Config], Sequence[str]], float]
) -> float:
    """Return about how many seconds one worker takes for the chunks that are not done yet.

    trial : returns the seconds that an epoch of some runs together takes, given their sentences
    """
    kinds: dict[tuple[object, ...], list[tuple[int, ...]]] = {}
    for number, runs in enumerate(plan.chunks):
        if number not in done:
            kinds.setdefault(shape_of(plan.run_config(runs[0])), []).append(runs)
    total = tried = tried_work = 0.0
    for place, chunks in enumerate(kinds.values()):
        configs = [plan.run_config(run) for run in chunks[0]]
        count = sum(map(len, chunks))
        share = count * configs[0].epochs * work(configs[0], plan.sentences)
        if place < _TRIED:
            took = trial(configs, plan.corpus) / len(configs) * configs[0].epochs * count
            tried, tried_work = tried + took, tried_work + share
        else:
            took = share * tried / tried_work
        total += took
    return total


def conduct(
    sweep: WrittenSweep,
    workers: Workers,
    steering: Steering,
    tell: Callable[[Progress], None],
) -> Progress:
    """Train what is not done yet, keep every part as it comes, and return how far it came.

    `tell` takes the progress about ten times a second and at the end; its lists are emptied
    afterwards.

    Raises Problem where a part cannot be saved or the scheduler is lost; what was saved stays.
    """
    return _Conductor(sweep, workers, steering, tell).run()


class _Conductor:
    def __init__(
        self,
        sweep: WrittenSweep,
        workers: Workers,
        steering: Steering,
        tell: Callable[[Progress], None],
    ) -> None:
        self._sweep, self._workers, self._steering, self._tell = sweep, workers, steering, tell
        self._progress = Progress(sweep.plan.runs)
        self._results: dict[int, Result] = {}
        self._going: dict[Future[Any], int] = {}
        self._deaths: Counter[int] = Counter()
        self._written = 0.0
        done = set()
        for chunk in sweep.done():
            done.add(chunk)
            self._count(chunk, list(sweep.part(chunk).results()))
        self._waiting = deque(n for n in range(len(sweep.plan.chunks)) if n not in done)

    def run(self) -> Progress:
        progress = self._progress
        before = time.monotonic()
        self._flush()
        try:
            while (self._waiting and not self._steering.stopped) or self._going:
                self._hand_over()
                finished, _others = wait(self._going, _TICK, "FIRST_COMPLETED")
                for future in finished:
                    self._take(future, self._going.pop(future))
                if not self._going:
                    time.sleep(0 if self._waiting and not self._steering.paused else _TICK / 2)
                now = time.monotonic()
                if not (progress.paused and not self._going):
                    progress.seconds += now - before
                before = now
                self._flush()
                if self._steering.stopped and self._stop(now):
                    break
        finally:
            self._sweep.write_table(self._results.values())
        return progress

    def _stop(self, now: float) -> bool:
        """Ask for an end; return whether what is going on has been waited for long enough."""
        if not hasattr(self, "_deadline"):
            self._deadline = now + _WAITED
            self._workers.stop()
            for future in list(self._going):
                if future.cancel():
                    del self._going[future]
        return now > self._deadline

    def _hand_over(self) -> None:
        self._progress.paused = self._steering.paused
        if self._steering.paused or self._steering.stopped:
            return
        plan = self._sweep.plan
        room = self._workers.queued - len(self._going)
        while self._waiting and room > 0:
            chunk = self._waiting.popleft()
            configs = [plan.run_config(run) for run in plan.chunks[chunk]]
            self._going[self._workers.submit(train_chunk, configs, plan.corpus)] = chunk
            room -= 1

    def _take(self, future: Future[Any], chunk: int) -> None:
        try:
            done = future.result()
        except WorkerDied:
            self._deaths[chunk] += 1
            if self._deaths[chunk] < DEATHS:
                self._say(WORKER_DIED, chunk=self._named(chunk))
                self._waiting.appendleft(chunk)
            else:
                self._fail(chunk, DEATHS)
            return
        except CancelledError:
            if not self._steering.stopped:
                raise Problem(
                    N_(
                        "The connection to the scheduler was lost; what was done is kept:"
                        " continue with --resume."
                    )
                ) from None
            return
        except Exception as error:
            self._take_error(chunk, error)
            return
        if done is None:  # stopped in the middle
            self._waiting.appendleft(chunk)
        elif isinstance(done, Message):
            self._count(chunk, [Result(run, "failed") for run in self._sweep.plan.chunks[chunk]])
            self._progress.said.append(done)
        else:
            self._sweep.write_part(chunk, done)
            part = self._sweep.part(chunk)
            self._count(chunk, list(part.results()))
            self._progress.here += len(part.runs)

    def _take_error(self, chunk: int, error: Exception) -> None:
        """Give a chunk up that the scheduler has given up; pass anything else on."""
        if type(error).__name__ != "KilledWorker":  # of `distributed`, which may not be there
            raise error
        self._fail(chunk, getattr(error, "allowed_failures", DEATHS) + 1)

    def _fail(self, chunk: int, times: int) -> None:
        self._say(CHUNK_KILLS, chunk=self._named(chunk), times=times)
        self._count(chunk, [Result(run, "failed") for run in self._sweep.plan.chunks[chunk]])

    def _say(self, template: str, **args: object) -> None:
        self._progress.said.append(Message(template, args))

    def _named(self, chunk: int) -> Message:
        """Return what a chunk is called: its number, its first run and its last."""
        plan = self._sweep.plan
        runs = plan.chunks[chunk]
        return Message(
            N_("part {number} (from seed {first}, {one}, to seed {last}, {other})"),
            {
                "number": chunk,
                "first": plan.seed(runs[0]),
                "one": displayable(setting_text(plan.setting(runs[0]))),
                "last": plan.seed(runs[-1]),
                "other": displayable(setting_text(plan.setting(runs[-1]))),
            },
        )

    def _count(self, chunk: int, results: list[Result]) -> None:
        progress = self._progress
        progress.done += len(results)
        progress.failed += sum(each.status == "failed" for each in results)
        progress.diverged += sum(each.status == "diverged" for each in results)
        progress.new.append(chunk)
        self._results.update((each.run, each) for each in results)

    def _flush(self) -> None:
        now = time.monotonic()
        if now - self._written >= TABLE_EVERY and self._progress.new:
            start = now
            self._sweep.write_table(self._results.values())
            # A table of many runs takes its time: never more than a tenth of all.
            self._written = now + 10 * (time.monotonic() - start)
        self._tell(self._progress)
        self._progress.new.clear()
        self._progress.said.clear()
