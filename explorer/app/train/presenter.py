"""The lab's presenter: carries out what Train's views ask for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from PySide6.QtCore import QLocale

from explorer.app.train.runner import Runner
from explorer.session import Scene, intents
from explorer.session.copy_head import head_scene
from explorer.session.lab import Lab, RunState
from explorer.session.lab import intents as lab_intents
from explorer.text import N_, Message, NotANumber, Problem, parse_number
from explorer.traces import (
    LABELS,
    LIMITS,
    SAMPLES_LABEL,
    ConfigProblem,
    CorpusProblem,
    check,
    expected_bytes,
    parse_corpus,
    read_corpus_text,
)

_LARGE = 2 * 10**9  # bytes of recorded steps that are asked about first
_MAY_BE_ALL = ("feed_forward", "batch_size")
_FRACTIONS = ("learning_rate", "dropout")


class LabPresenter:
    """Turns the lab's intents into calls of the lab and of the runner. Holds no state of its own.

    Parameters
    ----------
    lab : Lab
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
        lab: Lab,
        runner: Runner,
        tell: Callable[[Problem], None],
        copy: Callable[[str], None],
        ask_corpus: Callable[[], Path | None],
        ask_large: Callable[[str], bool],
        edit_copy: Callable[[Scene], object],
    ) -> None:
        self._lab, self._runner = lab, runner
        self._tell, self._copy = tell, copy
        self._ask_corpus, self._ask_large = ask_corpus, ask_large
        self._edit_copy = edit_copy

    def handle(self, intent: object) -> None:
        """Carry out one intent. A `Problem` on the way is told and nothing changes."""
        try:
            self._handle(intent)
        except Problem as problem:
            self._tell(problem)

    def _handle(self, intent: object) -> None:
        lab = self._lab
        match intent:
            case intents.Select(selection):
                lab.select(selection)
            case intents.Hover(selection):
                lab.hover(selection)
            case intents.CopyText(text):
                self._copy(text)
            case lab_intents.GoToStep(step):
                lab.go(step=step)
            case lab_intents.StepBy(steps):
                lab.go(step=lab.frame.cursor.step + steps)
            case lab_intents.GoToEpoch(epoch):
                lab.go_to_epoch(epoch)
            case lab_intents.GoToSample(sample):
                lab.go(sample=sample)
            case lab_intents.GoToLayer(layer):
                lab.go(layer=layer)
            case lab_intents.GoToHead(head):
                lab.go(head=head)
            case lab_intents.Play(play):
                lab.play(play)
            case lab_intents.SetRate(rate):
                lab.set_playback(rate=rate)
            case lab_intents.SetLoop(loop):
                lab.set_playback(loop=loop)
            case lab_intents.FollowLive():
                self._runner.show()
                lab.follow()
            case lab_intents.ShowLabStage(stage):
                look = lab.frame.look.at_stage(stage)
                lab.look_at(stage=look.stage, page=look.page)
            case lab_intents.ShowPage(page):
                lab.look_at(page=page)
            case lab_intents.SetThreshold(threshold):
                lab.look_at(threshold=threshold)
            case lab_intents.ShowTsne(tsne):
                lab.look_at(tsne=tsne)
            case lab_intents.OpenNumbers(is_open):
                lab.look_at(numbers_open=is_open)
            case lab_intents.OpenMoreParameters(is_open):
                lab.look_at(more_open=is_open)
            case lab_intents.SelectWord(word):
                lab.select_word(word)
            case lab_intents.HoverWord(word):
                lab.hover_word(word)
            case lab_intents.EditCopy():
                self._copy_head()
            case _:
                self._handle_run(intent)

    def _handle_run(self, intent: object) -> None:
        lab, runner = self._lab, self._runner
        progress = lab.frame.progress
        match intent:
            case lab_intents.SetParameter("samples", value):
                lab.set_samples(_changed(SAMPLES_LABEL), str(value))
            case lab_intents.SetParameter(field, value):
                self._set_parameter(field, value)
            case lab_intents.SetCorpus(text):
                self._set_corpus(text, lab.frame.by_character)
            case lab_intents.SplitByCharacter(split):
                self._set_corpus(lab.frame.corpus_text, split)
            case lab_intents.OpenCorpus():
                path = self._ask_corpus()
                if path is not None:
                    self._set_corpus(read_corpus_text(path), lab.frame.by_character)
            case lab_intents.Train():
                if progress.state is RunState.PAUSED:
                    runner.resume()
                else:
                    self._start()
            case lab_intents.Pause():
                runner.pause()
            case lab_intents.StepOnce():
                if not progress.active:
                    self._start(paused=True)
                runner.step()
            case lab_intents.Stop():
                runner.stop()
            case lab_intents.StartOver():
                self._start()
            case lab_intents.SetPace(pace):
                lab.set_pace(pace)
                runner.set_pace(pace)
            case _:
                raise TypeError(f"no such intent: {intent!r}")

    # --- the run ---------------------------------------------------------------------------------

    def _start(self, *, paused: bool = False) -> None:
        frame = self._lab.frame
        for _text, message in frame.problems.values():
            raise Problem(message.template, **message.args)
        if frame.corpus is None or frame.corpus_problem is not None:
            raise Problem(N_("The corpus cannot be used as it is; the line is marked there."))
        check(frame.config)
        size = expected_bytes(frame.config, frame.corpus, frame.samples)
        if size > _LARGE and not self._ask_large(QLocale().formattedDataSize(size)):
            return
        self._runner.start(frame.config, frame.corpus, samples=frame.samples, paused=paused)

    def _set_parameter(self, field: str, value: str | bool) -> None:
        """Take a value where it can be; else keep what was typed, with the reason beside it.

        Values that could not be before are tried again: they may fit the new one.
        """
        frame = self._lab.frame
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
        self._lab.set_config(_changed(LABELS[field]), config, problems)

    def _set_corpus(self, text: str, by_character: bool) -> None:
        try:
            corpus, problem = parse_corpus(text, by_character=by_character), None
        except CorpusProblem as error:
            corpus, problem = None, (error.line, error.message)
        name = Message(N_("change the corpus"))
        self._lab.set_corpus(name, text, corpus, problem, by_character=by_character)

    def _copy_head(self) -> None:
        frame = self._lab.frame
        if frame.trace is None:
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
