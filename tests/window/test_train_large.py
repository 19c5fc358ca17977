"""A corpus of 5,000 sentences and 5,000 words: the window while such a run is recorded."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

from explorer.session.train import Progress, RunState
from explorer.traces import Config, SpoolTrace, SpoolWriter, parse_corpus
from tests.train_frames import recorded_run, sentences
from tests.window.conftest import Learner

STEPS = 5
# How many readings of the corpus a refresh may take, which now and then fits the axes: it took
# three and more while these were fitted to all words.
MOST_READINGS = 2.2
# How many functions of Python a drawing may call: five for each word, and some for all else. It
# was more than nine for each.
MOST_CALLS = 5 * 5000 + 15_000


def seconds(work: Callable[[], object]) -> float:
    """Return how long the main thread computes for something."""
    begun = time.thread_time()
    work()
    return time.thread_time() - begun


def calls(work: Callable[[], object]) -> int:
    """Return how many functions, of Python or built in, something calls."""
    found = 0

    def count(_frame: object, event: str, _about: object) -> None:
        nonlocal found
        found += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return found


def test_no_epoch_of_a_large_corpus_holds_the_window_up(learner: Learner, tmp_path: Path) -> None:
    text = sentences(5000, 5000, 6)
    config = Config(d_model=128, heads=4, layers=4, watch_every=1, epochs=20)
    run = recorded_run(text, config, steps=STEPS)
    names = {name for name in run.names if run.entries[name].shape[0] == STEPS} - {"epochs"}
    names = {name for name in names if not name.startswith("scalar.")}
    learner.settle()
    clock, session = learner.room.clock, learner.session

    def read() -> object:
        return parse_corpus(text)

    refreshed, drawn = [], []
    with SpoolWriter(
        tmp_path / "run",
        run.run,
        tokens=run.tokens,
        lengths=run.lengths,
        targets=run.targets,
        samples=run.samples,
    ) as spool:
        for step in range(STEPS):
            spool.record(step, {name: run.array(name, step) for name in names})
            spool.scalar(step, loss=3.0 - step / 10, accuracy=step / 10, gradient=1.0)
            spool.flush()
            session.set_progress(Progress(RunState.RUNNING, step, 20, "CPU"))
            if step:
                # On both sides of it: a machine that is busy meanwhile slows all of them.
                works = (read, read, session.refresh, read, read)
                took = [seconds(work) for work in works]
                refreshed.append(took.pop(2) / max(took))
            else:
                session.show(SpoolTrace(tmp_path / "run"), "run", modified=True)
            clock.flush()
            # Everything is composed anew, whatever the clock has drawn before.
            drawn.append(calls(learner.page.graph.reset))
    session.set_progress(Progress(RunState.STOPPED, STEPS - 1, 20, "CPU"))
    assert len(learner.frame.recorded) == STEPS
    assert len(learner.page.graph.drawing.markers) == 5000
    assert max(drawn) < MOST_CALLS
    assert max(refreshed) < MOST_READINGS
