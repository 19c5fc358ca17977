"""Who asks the model's process: the window has one of these, and never waits for it."""

from __future__ import annotations

import time
from dataclasses import dataclass

from explorer.model_process import messages
from explorer.model_process.worker import main
from explorer.processes import WarmProcess
from explorer.text import N_, Message, why_refused

# Seconds in which what is stopped must have ended; then the process is ended by force.
STOPS_WITHIN = 3.0
NO_PROCESS = N_("No process for models can be started on this computer: {reason}.")
PROCESS_DIED = N_(
    "The model's process ended unexpectedly (status {status}); what is shown stays, and the next"
    " run starts it again."
)
_ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1"
)


@dataclass(frozen=True)
class Died:
    """The process is gone."""

    message: Message


class ModelProcess:
    """Opens and runs a model in a process of its own, which is started when first asked, and kept.

    A process that died is started again by the next request, with what was open.
    """

    def __init__(self) -> None:
        self._process: WarmProcess | None = None
        self._opened: messages.Open | None = None  # and of that:
        self._ran: messages.RunText | None = None
        self._opening: messages.Open | None = None
        self._running: messages.RunText | None = None
        self._deadline: float | None = None

    def ask(self, request: messages.Request) -> Died | None:
        """Send a request, in place of one of its kind that was not begun yet.

        Returns why that cannot be done.
        """
        try:
            if self._process is None:
                if isinstance(request, messages.Stop):
                    return None
                self._start(request)
            assert self._process is not None
            self._process.pipe.send(request)
        except OSError as error:
            if self._process is None:
                return Died(Message(NO_PROCESS, {"reason": why_refused(error)}))
            return self._lost()
        if isinstance(request, messages.Open):
            self._opening, self._deadline = request, None
        elif isinstance(request, messages.RunText):
            self._running = request
        elif isinstance(request, messages.Stop):
            self._deadline = time.monotonic() + STOPS_WITHIN
        return None

    def warm(self) -> None:
        """Start the process where there is none, so that a model opens at once."""
        if self._process is None:
            try:
                self._process = WarmProcess(main, "model", _ONE_THREAD)
            except OSError:
                return  # the first request says why

    def take(self) -> list[messages.Answer | Died]:
        """Return what has come since the last call, in order."""
        came: list[messages.Answer | Died] = []
        try:
            while self._process is not None and self._process.pipe.poll():
                answer: messages.Answer = self._process.pipe.recv()
                self._note(answer)
                came.append(answer)
        except (EOFError, OSError):
            came.append(self._lost())
        if self._deadline is not None and time.monotonic() > self._deadline:
            self._end(0)
            came.append(messages.Stopped())
        return came

    def wait(self) -> None:
        """Wait until an answer can be taken, or none can come any more."""
        if self._process is not None:
            self._process.pipe.poll(None)

    def close(self) -> None:
        """End the process, whatever it does: it holds nothing that could be lost."""
        self._end(0)

    def _start(self, request: messages.Request) -> None:
        self._process = WarmProcess(main, "model", _ONE_THREAD)
        if self._opened is not None and not isinstance(request, messages.Open):
            self._process.pipe.send(self._opened)
            if self._ran is not None and not isinstance(request, messages.RunText):
                self._process.pipe.send(self._ran)

    def _note(self, answer: messages.Answer) -> None:
        """Keep what would have to be asked again of another process."""
        if isinstance(answer, messages.Opened):
            if self._opening is not None:
                self._opened, self._ran, self._opening = self._opening, None, None
        elif isinstance(answer, messages.Ran):
            if self._running is not None and answer.summary.number == self._running.number:
                self._ran, self._running = self._running, None
        elif isinstance(answer, messages.Stopped):
            self._deadline = None
        elif isinstance(answer, messages.Failed) and isinstance(answer.request, messages.Open):
            self._opening = None

    def _lost(self) -> Died:
        status = self._end(1.0)
        return Died(Message(PROCESS_DIED, {"status": str(status).replace("-", "\u2212")}))

    def _end(self, patience: float) -> int | None:
        self._deadline = self._opening = self._running = None
        process, self._process = self._process, None
        return None if process is None else process.end(patience)
