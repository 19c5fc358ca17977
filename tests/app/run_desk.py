"""Train's presenter with everything around it written down; its runs are trained in this thread."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject

from explorer.resources import example
from explorer.rooms.train.presenter import TrainPresenter
from explorer.session import Scene
from explorer.session.train import Progress, RunState, TrainFrame, TrainSession
from explorer.text import Problem
from explorer.traces import Config, Corpus, SpoolTrace, TraceFile, new_run_folder
from explorer.training.control import Control
from explorer.training.forks import ForkPoint
from explorer.training.record import record

EXAMPLE = example("tiny-transformer.safetensors")


class _Runner(QObject):
    """Does a whole run at once."""

    def __init__(self, session: TrainSession, runs: Path) -> None:
        super().__init__()
        self._session, self._runs = session, runs

    def start(
        self,
        config: Config,
        corpus: Corpus,
        *,
        samples: Sequence[int] | None,
        start: ForkPoint | None,
        parent: int | None,
        called: str,
        **_told: object,
    ) -> None:
        folder = new_run_folder(self._runs)
        ended = record(
            config,
            corpus,
            folder,
            run=1,
            control=Control(),
            tell=lambda _: None,
            samples=samples,
            start=start,
        )
        if parent is None:
            self._session.show(SpoolTrace(folder), "own", modified=True)
        else:
            self._session.add_fork(SpoolTrace(folder), called, parent)
        self._session.set_progress(Progress(RunState.FINISHED, ended.epoch, config.epochs))


class RunDesk:
    """A session's presenter with everything around it written down."""

    def __init__(self, runs: Path, trace: Path | None = EXAMPLE) -> None:
        self.session = TrainSession()
        self.told: list[Problem] = []
        self.opened: list[Scene] = []
        self.presenter = TrainPresenter(
            self.session,
            _Runner(self.session, runs),
            self.told.append,
            lambda _text: None,
            lambda: None,
            lambda _size: True,
            self.opened.append,
        )
        if trace is not None:
            self.session.show(TraceFile(trace), trace.stem, example=trace == EXAMPLE)

    @property
    def frame(self) -> TrainFrame:
        return self.session.frame

    def do(self, *wanted: object) -> None:
        for intent in wanted:
            self.presenter.handle(intent)
