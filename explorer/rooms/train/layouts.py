"""Where t-SNE puts the words of the shown step: asked for when wanted, shown when it is there."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from explorer.session.train import TrainChange, TrainSession
from explorer.text import Problem
from explorer.training.layout_process import LayoutProcess

_POLL = 33  # milliseconds


class Layouts(QObject):
    """Has the words of the shown step laid out in a process of its own while t-SNE is chosen.

    Parameters
    ----------
    session : TrainSession
    tell : callable
        Shows a problem.
    """

    def __init__(
        self, session: TrainSession, tell: Callable[[Problem], None], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._session, self._tell = session, tell
        self._process = LayoutProcess()
        self._asked: tuple[int, int] | None = None  # the trace and its step
        self._poll = QTimer(self, interval=_POLL)
        self._poll.timeout.connect(self._take)
        session.changed.connect(self._on_change)

    def close(self) -> None:
        """End the process, whatever it does."""
        self._poll.stop()
        self._process.close()

    def _on_change(self, change: TrainChange) -> None:
        frame = self._session.frame
        values = frame.values
        if not change & (TrainChange.LOOK | TrainChange.CURSOR | TrainChange.TRACE):
            return
        if not frame.look.tsne or frame.layout is not None or values is None:
            return
        wanted = id(frame.trace), frame.cursor.step
        if values.embedding is None or self._asked == wanted:
            return
        seed = frame.trace.run.config.seed if frame.trace and frame.trace.run.config else 0
        try:
            self._process.ask(*wanted, values.embedding, seed)
        except Problem as problem:
            self._give_up(problem)
            return
        self._asked = wanted
        self._poll.start()

    def _take(self) -> None:
        try:
            made = self._process.take()
        except Problem as problem:
            self._give_up(problem)
            return
        frame = self._session.frame
        if made is not None and (made.trace, made.step) == (id(frame.trace), frame.cursor.step):
            self._poll.stop()
            self._asked = None
            self._session.set_layout(made.places)

    def _give_up(self, problem: Problem) -> None:
        self._poll.stop()
        self._asked = None
        self._session.look_at(tsne=False)
        self._tell(problem)
