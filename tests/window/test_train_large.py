"""A corpus of 5,000 sentences and 5,000 words: the window while such a run is recorded."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QApplication

from explorer.session.train import Progress, RunState
from explorer.traces import Config, SpoolTrace, SpoolWriter, parse_corpus
from tests.train_frames import recorded_run, sentences
from tests.window.conftest import Learner

STEPS = 5
# How many readings of the corpus, of some 10 ms each, a slot may take. Drawing 5,000 words took
# six of them, and fitting the axes to all of these more.
MOST = 4.5


def seconds(work: Callable[[], object]) -> float:
    """Return how long the main thread computes for something."""
    begun = time.thread_time()
    work()
    return time.thread_time() - begun


def test_no_epoch_of_a_large_corpus_holds_the_window_up(learner: Learner, tmp_path: Path) -> None:
    text = sentences(5000, 5000, 6)
    config = Config(d_model=128, heads=4, layers=4, watch_every=1, epochs=20)
    run = recorded_run(text, config, steps=STEPS)
    names = {name for name in run.names if run.entries[name].shape[0] == STEPS} - {"epochs"}
    names = {name for name in names if not name.startswith("scalar.")}
    learner.settle()
    clock, session = learner.room.clock, learner.session
    slots: dict[str, list[float]] = {}

    def slot(name: str, work: Callable[[], object]) -> None:
        # Before and after, so that a slow moment of the machine slows both.
        units = [seconds(lambda: parse_corpus(text)) for _before in range(2)]
        taken = seconds(work)
        units.append(seconds(lambda: parse_corpus(text)))
        slots.setdefault(name, []).append(taken / max(units))

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
                slot("refresh", session.refresh)
            else:
                begun = SpoolTrace(tmp_path / "run")
                slot("show", partial(session.show, begun, "run", modified=True))
            slot("draw", clock.flush)
            slot("paint", QApplication.processEvents)
    assert len(learner.frame.recorded) == STEPS
    assert len(learner.page.graph.drawing.markers) == 5000
    session.set_progress(Progress(RunState.STOPPED, STEPS - 1, 20, "CPU"))
    # The axes are fitted in some of the refreshes, so each counts; all epochs are drawn alike.
    longest = {name: max(each) for name, each in slots.items() if name in ("show", "refresh")}
    longest |= {name: min(each) for name, each in slots.items() if name not in longest}
    assert {name: taken for name, taken in longest.items() if taken > MOST} == {}
