"""What is open in Model and the run of its text: asked for here, the answers taken in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QTimer

from explorer.model_process import messages
from explorer.model_process.client import Died, ModelProcess
from explorer.models.repeats import RepeatScores
from explorer.session import Scene
from explorer.session.model.frame import (
    HeadDetail,
    ModelCentre,
    ModelChange,
    ModelFrame,
    ModelProgress,
    PairDetail,
)
from explorer.session.model.session import ModelSession
from explorer.text import Message, Problem, language

POLL = 8  # milliseconds: less than a screen frame
LIVE = 0.15  # seconds: what runs faster is run while one types


class ModelRunner(QObject):
    """Opens models and runs texts in the background, and keeps the numbers of what is looked at.

    Parameters
    ----------
    session : ModelSession
    tell : callable
        Shows a problem; until the next run, unless its second argument is False; with details as
        the third.
    opened : callable
        Takes the path of what was opened.
    copied : callable
        Takes a head as a scene.
    failed : callable
        Takes the path of what could not be opened, once it was told.
    """

    def __init__(
        self,
        session: ModelSession,
        tell: Callable[..., None],
        opened: Callable[[Path], object],
        copied: Callable[[Scene], object],
        failed: Callable[[Path], object],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._tell = session, tell
        self._opened, self._copied, self._failed = opened, copied, failed
        self._process = ModelProcess()
        self._runs = 0
        self._word: int | None = None  # that was followed in the last run
        self._seconds = float("inf")  # of the last run
        self._awaited: dict[type, messages.Request] = {}  # of each kind what was asked for last
        self._poll = QTimer(self, interval=POLL)
        self._poll.timeout.connect(self._take)
        session.changed.connect(self._on_change)

    @property
    def busy(self) -> bool:
        """Whether an answer is awaited."""
        return bool(self._awaited)

    def warm(self) -> None:
        """Start the process, so that a model opens at once."""
        self._process.warm()

    def open(self, path: Path) -> None:
        """Open a model folder or a file of arrays, and run the text that is there."""
        self._session.set_progress(ModelProgress("opening"))
        self._awaited.clear()
        self._ask(messages.Open(path))

    def run(self) -> None:
        """Run the text in the box; nothing where nothing is open or the text is empty."""
        frame = self._session.frame
        if frame.info is None or (frame.info.runs and not frame.text.strip()):
            return
        if messages.Open in self._awaited:
            return  # these places and switches are of another; it runs as soon as it is open
        if frame.switches.patched and not frame.switches.second.strip():
            return  # it is being typed
        self._runs += 1
        self._word = frame.word
        cursor = frame.cursor
        looked_at = frame.run is not None
        pair = None
        if cursor.query is not None and cursor.key is not None:
            pair = cursor.query, cursor.key
        place = (cursor.layer, cursor.head) if looked_at else None
        layers = 2 * frame.info.layers
        if self._seconds > LIVE:
            self._session.set_progress(ModelProgress("running", 0, layers))
        self._ask(messages.RunText(self._runs, frame.text, place, pair, frame.switches, frame.word))

    def stop(self) -> None:
        """Give up opening or running; what was there stays."""
        self._process.ask(messages.Stop())

    def measure(self) -> None:
        """Work out the heads' scores on repeated tokens."""
        self._ask(messages.AskRepeats())

    def copy(self) -> None:
        """Make a scene of the head at the cursor."""
        frame = self._session.frame
        if frame.run is not None:
            cursor = frame.cursor
            self._ask(messages.AskCopy(frame.run.number, cursor.layer, cursor.head, language()))

    def follow(self, word: str) -> None:
        """Follow the token of the vocabulary that a word is, if it is one."""
        self._ask(messages.AskWord(word))

    def finish(self) -> None:
        """Wait until every answer has come: for those who have no window to keep alive."""
        while self._awaited:
            self._process.wait()
            self._take()

    def close(self) -> None:
        """End the process."""
        self._poll.stop()
        self._process.close()

    # --- asking ----------------------------------------------------------------------------------

    def _ask(self, request: messages.Request) -> None:
        self._awaited[type(request)] = request
        died = self._process.ask(request)
        if died is not None:
            self._end(died.message)
            return
        self._poll.start()

    def _on_change(self, change: ModelChange) -> None:
        """Ask for the numbers of what is looked at by now."""
        frame = self._session.frame
        cursor, run = frame.cursor, frame.run
        switched = frame.stale and frame.run is not None and frame.run.text == frame.text
        if ModelChange.SWITCHES in change and (switched or frame.word != self._word):
            self.run()
        elif ModelChange.TEXT in change and frame.count is None and frame.info is not None:
            self._count_or_run()
        if run is None:
            return
        if change & (
            ModelChange.RUN | ModelChange.LOOK | ModelChange.SWITCHES | ModelChange.EFFECTS
        ):
            self._ask_beside(frame)
        if ModelChange.HEAD in change and frame.head is not None:
            shown = frame.head.run, frame.head.layer, frame.head.head
            if shown != (run.number, cursor.layer, cursor.head):
                self._ask(messages.AskHead(run.number, cursor.layer, cursor.head))
        if ModelChange.PAIR in change and cursor.query is not None and cursor.key is not None:
            pair = frame.pair
            wanted = run.number, cursor.query, cursor.key
            if pair is None or (pair.run, pair.query, pair.key) != wanted:
                self._ask(messages.AskPair(*wanted))

    def _ask_beside(self, frame: ModelFrame) -> None:
        """Ask for what is shown beside next tokens, as far as it is not known."""
        run, follows, shown = frame.run, frame.follows, frame.effects
        if run is None or follows is None or frame.look.centre is not ModelCentre.NEXT:
            return
        wanted = tuple(each for each in frame.wanted if each not in frame.outcomes)
        outcomes = messages.AskOutcomes(run.number, follows, wanted)
        if not frame.stale and wanted and self._awaited.get(messages.AskOutcomes) != outcomes:
            self._ask(outcomes)
        effects = messages.AskEffects(run.number, follows)
        ended = shown is not None and (shown.stopped or shown.done == shown.total)
        if frame.look.effects and not ended and self._awaited.get(messages.AskEffects) != effects:
            self._ask(effects)

    def _count_or_run(self) -> None:
        frame = self._session.frame
        if not frame.stale and frame.run is not None:
            self._session.set_count(frame.text, frame.run.total)
        elif self._seconds <= LIVE and frame.text.strip():
            self.run()
        elif frame.info is not None and frame.info.runs:
            self._ask(messages.AskCount(frame.text))

    # --- taking in -------------------------------------------------------------------------------

    def _take(self) -> None:
        for answer in self._process.take():
            self._receive(answer)
        if not self._awaited:
            self._poll.stop()

    def _receive(self, answer: messages.Answer | Died) -> None:
        session = self._session
        match answer:
            case messages.Doing(what, done, total):
                if what == "opening" or self._seconds > LIVE:
                    session.set_progress(ModelProgress(what, done, total))
            case messages.Opened(info):
                self._awaited.pop(messages.Open, None)
                self._seconds = float("inf")
                left = session.show(info)
                self._opened(info.path)
                self.run()
                if left is not None:
                    self._tell(Problem.of(left), False)
            case messages.Ran():
                self._receive_run(answer)
            case HeadDetail():
                self._settle(messages.AskHead(answer.run, answer.layer, answer.head))
                session.show_head(answer)
            case PairDetail():
                self._settle(messages.AskPair(answer.run, answer.query, answer.key))
                session.show_pair(answer)
            case messages.Counted(text, count, cut):
                self._settle(messages.AskCount(text))
                session.set_count(text, count, cut)
            case RepeatScores():
                self._awaited.pop(messages.AskRepeats, None)
                session.show_repeats(answer)
            case messages.Token(word, token):
                self._settle(messages.AskWord(word))
                session.follow(token)
            case messages.Outcomes(text, asked, values, ended):
                if ended:
                    self._settle(asked)
                session.show_outcomes(text, asked.follows, values)
            case messages.HeadEffects(text, follows, before, found, ended):
                waiting = self._awaited.get(messages.AskEffects)
                if (
                    ended
                    and isinstance(waiting, messages.AskEffects)
                    and waiting.follows == follows
                ):
                    del self._awaited[messages.AskEffects]
                session.show_effects(text, follows, before, found)
            case messages.Copied(scene):
                self._awaited.pop(messages.AskCopy, None)
                self._copied(scene)
            case messages.Stopped():
                self._awaited.clear()
                session.set_progress(ModelProgress())
                session.end_effects()
            case messages.Failed(request, message):
                self._settle(request)
                self._fail(request, message)
            case Died(message):
                self._end(message)

    def _receive_run(self, ran: messages.Ran) -> None:
        asked = self._awaited.get(messages.RunText)
        if not isinstance(asked, messages.RunText) or asked.number != ran.summary.number:
            return  # made again for a process that was started again, or a newer one is awaited
        # What was asked for of the run before is answered no more.
        for kind in (
            messages.RunText,
            messages.AskHead,
            messages.AskPair,
            messages.AskCount,
            messages.AskOutcomes,
            messages.AskEffects,
        ):
            self._awaited.pop(kind, None)
        self._seconds = ran.seconds
        self._session.show_run(ran.summary, ran.head, ran.pair, ran.next, ran.outcome)

    def _settle(self, request: messages.Request) -> None:
        """Await no more what was answered, unless something else was asked for since."""
        if self._awaited.get(type(request)) == request:
            del self._awaited[type(request)]

    def _fail(self, request: messages.Request, message: Message) -> None:
        if isinstance(request, messages.AskCount):
            return  # the run says so too
        if isinstance(request, messages.AskEffects):
            self._session.end_effects()
        details = ""
        if isinstance(request, messages.Open):
            details = str(request.path)
        elif isinstance(request, messages.RunText):
            details = request.switches.second or request.text
        self._session.set_progress(ModelProgress(problem=message))
        self._tell(Problem.of(message), not isinstance(request, messages.Open), details)
        if isinstance(request, messages.Open):
            self._failed(request.path)
            if self._session.frame.stale:  # the text was edited meanwhile
                self.run()

    def _end(self, message: Message) -> None:
        opening = self._awaited.get(messages.Open)
        self._awaited.clear()
        self._seconds = float("inf")
        self._session.end_effects()
        self._session.set_progress(ModelProgress(problem=message))
        self._tell(Problem.of(message))
        if isinstance(opening, messages.Open):
            self._failed(opening.path)
