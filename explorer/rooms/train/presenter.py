"""Train's presenter: carries out what Train's views ask for."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from explorer.kit.base import BasePresenter
from explorer.rooms.train.corpus_reader import CorpusRead, CorpusReader
from explorer.rooms.train.runner import Runner
from explorer.session import Scene, intents
from explorer.session.copy_head import head_scene
from explorer.session.train import ForkFrom, RunState, TrainFrame, TrainSession
from explorer.session.train import intents as train_intents
from explorer.text import N_, Message, NotANumber, Problem, parse_number, size_text
from explorer.traces import (
    LABELS,
    LIMITS,
    SAMPLES_LABEL,
    SPLITTING_LABELS,
    SPLITTING_LIMITS,
    ConfigProblem,
    Splitting,
    check,
    check_splitting,
    expected_bytes,
    read_corpus_text,
)
from explorer.training.forks import NOT_KEPT, can_fork, fork_point, forked_corpus

_LARGE = 2 * 10**9  # bytes of recorded steps that are asked about first
_MAY_BE_ALL = ("feed_forward", "batch_size")
_FRACTIONS = ("learning_rate", "dropout")


class TrainPresenter(BasePresenter):
    """Turns Train's intents into calls of the session and of the runner. Holds no state.

    Parameters
    ----------
    session : TrainSession
    runner : Runner
    tell : callable
        Shows a problem.
    copy : callable
        Puts a text on the clipboard.
    ask_corpus : callable
        Asks for a text file; None to leave it.
    ask_large : callable
        Asks whether a run that records so much (a text) may begin.
    edit_copy : callable
        Opens a scene in Explore.
    """

    def __init__(
        self,
        session: TrainSession,
        runner: Runner,
        tell: Callable[[Problem], None],
        copy: Callable[[str], None],
        ask_corpus: Callable[[], Path | None],
        ask_large: Callable[[str], bool],
        edit_copy: Callable[[Scene], object],
    ) -> None:
        super().__init__(tell, copy)
        self._session, self._runner = session, runner
        self._reader = CorpusReader(runner)
        self._ask_corpus, self._ask_large = ask_corpus, ask_large
        self._edit_copy = edit_copy

    def _handle(self, intent: object) -> None:
        session = self._session
        match intent:
            case intents.Select(selection):
                session.select(selection)
            case intents.Hover(selection):
                session.hover(selection)
            case train_intents.GoToStep(step):
                session.go(step=step)
            case train_intents.StepBy(steps):
                session.go(step=session.frame.cursor.step + steps)
            case train_intents.GoToEpoch(epoch, scrubbing):
                session.go_to_epoch(epoch, scrubbing=scrubbing)
            case train_intents.GoToSample(sample):
                session.go(sample=sample)
            case train_intents.GoToLayer(layer):
                session.go(layer=layer)
            case train_intents.GoToHead(head):
                session.go(head=head)
            case train_intents.Play(play):
                session.play(play)
            case train_intents.SetRate(rate):
                session.set_playback(rate=rate)
            case train_intents.SetLoop(loop):
                session.set_playback(loop=loop)
            case train_intents.FollowLive():
                self._runner.show()
                session.follow()
            case train_intents.ShowTrainStage(stage):
                look = session.frame.look.at_stage(stage)
                session.look_at(stage=look.stage, page=look.page)
            case train_intents.ChangeTrainLook(changes):
                session.look_at(**changes)
            case train_intents.SelectWord(word):
                session.select_word(word)
            case train_intents.HoverWord(word):
                session.hover_word(word)
            case train_intents.EditCopy(of_b):
                self._copy_head(session.frame.other if of_b else session.frame)
            case _:
                self._handle_list(intent)

    def _handle_list(self, intent: object) -> None:
        session = self._session
        match intent:
            case train_intents.ShowRun(key):
                session.show_run(key)
            case train_intents.CompareRun(key):
                session.compare(key)
            case train_intents.RenameRun(key, name):
                session.rename(key, name)
            case train_intents.DeleteRun(key):
                self._delete(key)
            case train_intents.MarkEpoch(epoch, text):
                session.mark(epoch, text)
            case train_intents.ForkHere():
                self._fork()
            case train_intents.BeginUntrained():
                session.set_fork(None)
            case train_intents.UseParameters():
                session.use_parameters()
                session.look_at(next_run=True)
            case _:
                self._handle_run(intent)

    def _handle_run(self, intent: object) -> None:
        session, runner = self._session, self._runner
        progress = session.frame.progress
        match intent:
            case train_intents.SetParameter("samples", value):
                session.set_samples(_changed(SAMPLES_LABEL), str(value))
            case train_intents.SetParameter(field, value):
                self._set_parameter(field, value)
            case train_intents.SetCorpus(text):
                self._set_corpus(text, self._asked_corpus[1])
            case train_intents.SetSplitting(field, value):
                self._set_splitting(field, value)
            case train_intents.OpenCorpus(path):
                path = path or self._ask_corpus()
                if path is not None:
                    self._set_corpus(read_corpus_text(path), self._asked_corpus[1])
            case train_intents.Train():
                if progress.state is RunState.PAUSED:
                    runner.resume()
                else:
                    self._start()
            case train_intents.Pause():
                runner.pause()
            case train_intents.StepOnce():
                if not progress.active:
                    self._start(paused=True)
                runner.step()
            case train_intents.Stop():
                runner.stop()
            case train_intents.StartOver():
                self._start()
            case train_intents.SetPace(pace):
                session.set_pace(pace)
                runner.set_pace(pace)
            case _:
                raise TypeError(f"no such intent: {intent!r}")

    # --- the run ---------------------------------------------------------------------------------

    def _start(self, *, paused: bool = False) -> None:
        frame = self._session.frame
        for _text, message in frame.problems.values():
            raise Problem.of(message)
        if frame.reading:
            raise Problem(N_("The corpus is still being read: wait a moment."))
        if frame.corpus is None or frame.corpus_problem is not None:
            raise Problem(N_("The corpus cannot be used as it is; the line is marked there."))
        check(frame.config)
        fork, corpus, start, called = frame.fork, frame.corpus, None, None
        if fork is not None:
            card = frame.card(fork.key)
            if card is None:
                raise Problem(
                    N_("The run to be forked was deleted: undo that, or begin untrained.")
                )
            corpus = forked_corpus(card.trace, corpus)
            start = fork_point(card.trace, card.trace.step_at(fork.epoch), frame.config)
            title = Message(str(card.title)) if card.example else card.title
            called = Message(
                N_("{name} from epoch {epoch}"),
                {"name": frame.said_of(card).name or title, "epoch": fork.epoch},
            )
        first = 0 if fork is None else fork.epoch
        size = expected_bytes(frame.config, corpus, frame.samples, first)
        if size > _LARGE and not self._ask_large(size_text(size)):
            return
        self._runner.start(
            frame.config,
            corpus,
            samples=frame.samples,
            paused=paused,
            start=start,
            parent=None if fork is None else fork.key,
            called=called,
        )

    def _fork(self) -> None:
        """Make the epoch at the cursor the beginning of the next run."""
        session, frame = self._session, self._session.frame
        if frame.trace is None:
            return
        if not can_fork(frame.trace):
            label = Message(LABELS["keep_state"])
            raise Problem(NOT_KEPT, file=frame.trace.title, label=label)
        session.set_fork(ForkFrom(frame.shown, frame.epoch))
        session.look_at(next_run=True)

    def _delete(self, key: int) -> None:
        frame = self._session.frame
        card = frame.card(key)
        if card is not None and frame.progress.active and card.trace is self._runner.trace:
            raise Problem(N_("This run is in progress: stop it before you delete it."))
        self._session.delete(key)

    def _set_parameter(self, field: str, value: str | bool) -> None:
        """Take a value where it can be; else keep what was typed, with the reason beside it.

        Values that could not be before are tried again: they may fit the new one.
        """
        frame = self._session.frame
        waiting: dict[str, str | bool] = {
            name: text for name, (text, _message) in frame.problems.items() if name in LABELS
        }
        waiting.pop(field, None)
        waiting[field] = value
        together: dict[str, Any] = {}
        problems: dict[str, tuple[str, Message]] = {}
        for name, text in waiting.items():
            try:
                together[name] = _value(name, text)
            except Problem as problem:
                problems[name] = (str(text), problem.message)
        config = frame.config
        candidate = replace(config, **together)
        try:
            check(candidate)
            config = candidate
        except ConfigProblem:
            for name, parsed in together.items():
                try:
                    alone = replace(config, **{name: parsed})
                    check(alone)
                    config = alone
                except ConfigProblem as problem:
                    problems[name] = (str(waiting[name]), problem.message)
        self._session.set_config(_changed(LABELS[field]), config, problems)

    def _set_corpus(self, text: str, splitting: Splitting) -> None:
        """Take a text as the corpus, when it is read; meanwhile the one before stays."""

        def take(read: CorpusRead) -> None:
            name = Message(N_("change the corpus"))
            self._session.set_reading(False)
            self._session.set_corpus(name, text, read.corpus, read.problem, splitting=splitting)

        self._session.set_reading(True)
        self._reader.read(text, splitting, take)

    @property
    def _asked_corpus(self) -> tuple[str, Splitting]:
        """The text that was asked for last, read by now or not, and how it is split."""
        frame = self._session.frame
        return self._reader.pending or (frame.corpus_text, frame.splitting)

    def _set_splitting(self, field: str, value: str) -> None:
        """Split the text otherwise; or keep what was typed, with the reason beside it."""
        text, before = self._asked_corpus
        typed: Any = value.strip()
        if field in SPLITTING_LIMITS:
            with suppress(NotANumber):
                typed = parse_number(typed) if typed else None
        splitting = replace(before, **{field: typed})
        try:
            check_splitting(splitting)
        except ConfigProblem as problem:
            name = _changed(SPLITTING_LABELS[field])
            self._session.set_splitting_problem(name, field, value, problem.message)
            return
        if field in SPLITTING_LIMITS and typed is not None:
            splitting = replace(before, **{field: int(typed)})
        self._set_corpus(text, splitting)

    def _copy_head(self, frame: TrainFrame | None) -> None:
        if frame is None or frame.trace is None:
            return
        cursor = frame.cursor
        head = 0 if cursor.head is None else cursor.head
        self._edit_copy(head_scene(frame.trace, cursor.step, cursor.sample, cursor.layer, head))


def _changed(label: str) -> Message:
    """Return what the edit of a parameter is called."""
    return Message(N_("change {label}"), {"label": Message(label)})


def _value(field: str, value: str | bool) -> Any:
    """Return a typed or chosen value as Config holds it. Raises Problem where it is no number."""
    if isinstance(value, bool) or field not in LIMITS:
        return value
    text = value.strip()
    if field in _MAY_BE_ALL and not text:
        return None
    try:
        number = parse_number(text)
    except NotANumber:
        limit = LIMITS[field]
        raise ConfigProblem(
            field,
            N_("{label} must be a number from {least} to {most}, but is “{text}”."),
            label=Message(LABELS[field]),
            least=f"{limit.least:g}",
            most=f"{limit.most:g}",
            text=text,
        ) from None
    return number if field in _FRACTIONS or number != int(number) else int(number)
