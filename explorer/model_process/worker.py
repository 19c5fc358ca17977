"""The model's process: opens, runs and tells what is asked through a pipe, until that closes."""

from __future__ import annotations

import os
import re
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NoReturn

import numpy as np

from explorer.model_process import messages
from explorer.model_process.messages import (
    AskEffects,
    AskOutcomes,
    HeadEffects,
    Outcomes,
)
from explorer.model_process.text_runs import TextRuns
from explorer.models import Model, Run, load, read_arrays
from explorer.models.effects import Effects, followed, token_of
from explorer.models.figures import Kind
from explorer.models.folders import model_name
from explorer.models.model_run import ModelRun
from explorer.models.next_token import NextTokens, next_tokens
from explorer.models.repeats import repeat_scores
from explorer.models.tokenizer import TOKENIZER
from explorer.session.copy_head import model_head_scene
from explorer.session.model.details import detail, pair, summary
from explorer.session.model.frame import ModelInfo, RunSummary
from explorer.session.model.switching import Outcome
from explorer.text import N_, Message, Problem, displayable, use_language

_TELL_EVERY = 0.05  # seconds
_NO_MEMORY = N_("There is not enough memory for this: close other programs, or run a shorter text.")
_IDS = N_("{folder} has no {file}: type numbers of tokens, such as 101, 2023, 102.")


class OutcomesJob:
    """Tells what is followed with each of some switches."""

    def __init__(self, asked: AskOutcomes, runs: TextRuns) -> None:
        self.asked, self.runs = asked, runs
        self._left = list(asked.switches)

    def go_on(self, tell: Callable[[Outcomes], object], check: Callable[[], None]) -> bool:
        """Tell the next one; return whether that was all. What `check` raises changes nothing."""
        if self._left:
            each = self._left[0]
            value = self.runs.outcome(each, self.asked.follows, report=lambda _layer: check())
            self._left.pop(0)
            tell(Outcomes(self.runs.text, self.asked, {each: value}, not self._left))
        return not self._left


class EffectsJob:
    """Tells what each head alone does, those first that seem to matter."""

    def __init__(self, asked: AskEffects, runs: TextRuns) -> None:
        self.asked, self.runs = asked, runs
        self._effects: Effects | None = None
        self._left: list[tuple[int, int]] = []

    def go_on(self, tell: Callable[[HeadEffects], object], check: Callable[[], None]) -> bool:
        """Tell some heads; return whether these were the last. What `check` raises loses none."""
        if self._effects is None:
            self._effects = Effects(self.runs.whole, self.asked.follows, lambda _layer: check())
            self._left = list(self._effects.order)
        begun, effects = time.monotonic(), self._effects
        found: list[tuple[int, int, float]] = []
        try:
            while self._left and time.monotonic() - begun < _TELL_EVERY:
                check()
                found.append((*self._left[0], effects.of(*self._left[0]).change))
                self._left.pop(0)
        finally:
            if found:
                told = self.runs.text, self.asked.follows, effects.before, tuple(found)
                tell(HeadEffects(*told, not self._left))
        return not self._left


class Interrupted(Exception):
    """What was going on is wanted no more."""


class Inbox:
    """Keeps of each kind of request the newest one that was not begun yet."""

    # In this order they are answered.
    _ORDER = (
        messages.Stop,
        messages.Open,
        messages.RunText,
        messages.AskHead,
        messages.AskPair,
        messages.AskCopy,
        messages.AskCount,
        messages.AskWord,
        messages.AskRepeats,
        messages.AskOutcomes,
        messages.AskEffects,
    )

    def __init__(self) -> None:
        self._waiting: dict[type[messages.Request], messages.Request] = {}
        self._came = threading.Condition()
        self._now: messages.Request | None = None
        self._interrupted = False

    def put(self, request: messages.Request) -> None:
        """Take a request; one of a model that is to go is dropped, what it replaces interrupted.

        What is done while nothing was asked for gives way to any.
        """
        with self._came:
            if isinstance(request, messages.Stop | messages.Open):
                self._waiting.clear()
                self._interrupted = True
            elif self._now is None or (
                isinstance(self._now, messages.RunText | messages.AskRepeats)
                and isinstance(request, messages.RunText)
            ):
                self._interrupted = True
            self._waiting[type(request)] = request
            self._came.notify()

    def next(self, wait: bool = True) -> messages.Request | None:
        """Return the request to answer now; without one wait for it, or return None."""
        with self._came:
            self._now = None
            while wait and not self._waiting:
                self._came.wait()
            self._interrupted = False
            kind = next((kind for kind in self._ORDER if kind in self._waiting), None)
            if kind is not None:
                self._now = self._waiting.pop(kind)
            return self._now

    def check(self) -> None:
        """Raise Interrupted where what is being done is wanted no more."""
        if self._interrupted:
            raise Interrupted


class Worker:
    """What is open, its run, and the answers.

    Parameters
    ----------
    tell : callable
        Takes each answer.
    check : callable
        Raises Interrupted where what is being done is wanted no more.
    """

    def __init__(
        self, tell: Callable[[messages.Answer], object], check: Callable[[], None]
    ) -> None:
        self._tell, self._check = tell, check
        self._model: Model | None = None
        self._run: Run | None = None
        self._runs: TextRuns | None = None  # of the text that was run last
        self._outcomes: OutcomesJob | None = None
        self._effects: EffectsJob | None = None
        self._number = 0
        self._told = 0.0

    @property
    def busy(self) -> bool:
        """Whether there is something to go on with."""
        return self._outcomes is not None or self._effects is not None

    def go_on(self) -> None:
        """Do some more of what can wait. Raises Interrupted; nothing is lost by that."""
        job = self._outcomes or self._effects
        if job is None:
            return
        try:
            ended = job.go_on(self._tell, self._check)
        except Problem as problem:
            self._tell(messages.Failed(job.asked, problem.message))
            ended = True
        except MemoryError:
            self._tell(messages.Failed(job.asked, Message(_NO_MEMORY)))
            ended = True
        if ended and job is self._outcomes:
            self._outcomes = None
        elif ended:
            self._effects = None

    def answer(self, request: messages.Request) -> None:
        """Carry one request out, or begin what can wait. Raises Interrupted."""
        try:
            self._answer(request)
        except Problem as problem:
            self._tell(messages.Failed(request, problem.message))
        except MemoryError:
            self._tell(messages.Failed(request, Message(_NO_MEMORY)))

    def _answer(self, request: messages.Request) -> None:
        match request:
            case messages.Open(path):
                self._open(path)
            case messages.RunText():
                self._run_text(request)
            case messages.AskHead(run, layer, head) if (
                run == self._number and self._run is not None
            ):
                self._tell(detail(self._run, run, layer, head))
            case messages.AskPair(run, query, key) if run == self._number and self._run is not None:
                self._tell(pair(self._run, run, query, key))
            case messages.AskCopy(run, layer, head, spoken) if (
                run == self._number and self._run is not None
            ):
                use_language(spoken)  # for the title
                copy = model_head_scene(self._run, layer + 1, head + 1)
                self._tell(messages.Copied(copy.scene))
            case messages.AskCount(text):
                self._count(text)
            case messages.AskRepeats() if self._model is not None:
                self._tell(repeat_scores(self._model))
            case messages.AskWord(word) if self._model is not None:
                self._tell(messages.Token(word, token_of(self._model, word)))
            case messages.AskOutcomes(run) if run == self._number and self._runs is not None:
                self._outcomes = OutcomesJob(request, self._runs)
            case messages.AskEffects(run, follows) if (
                run == self._number and self._runs is not None
            ):
                going = self._effects
                if going is None or going.asked.follows != follows or going.runs is not self._runs:
                    self._effects = EffectsJob(request, self._runs)
            case messages.Stop():
                self._outcomes = self._effects = None
                self._tell(messages.Stopped())
            case _:
                pass  # of a model or a run that is gone

    def _open(self, path: Path) -> None:
        if path.is_dir():
            self._doing("opening", 0, 0)
            model = load(path)
            try:
                layers = [p for role, p in model.plan.parts.items() if role[0].isdigit()]
                model.weights.read(layers, model.dtype, self._read)
            except BaseException:
                model.weights.close()
                raise
            self._leave()
            self._model = model
            self._tell(messages.Opened(model_info(path, model)))
        else:
            self._doing("opening", 0, 0)
            run = read_arrays(path)
            self._leave()
            self._run = run
            self._tell(messages.Opened(arrays_info(path, run)))

    def _leave(self) -> None:
        if self._model is not None:
            self._model.weights.close()
        self._model = self._run = self._runs = self._outcomes = self._effects = None
        self._number = 0

    def _run_text(self, asked: messages.RunText) -> None:
        begun = time.monotonic()
        before, runs = self._run, None
        if self._model is not None:
            layers = self._model.plan.layers
            self._doing("running", 0, 2 * layers)
            runs, fresh = self._runs_of(self._model, asked.text)
            begun -= 0.0 if fresh else runs.seconds
            run: Run = runs.switched(asked.switches, before, self._reporter(self._model))
        elif before is not None:  # arrays have the one text that they are of
            layers, run = len(before.layers), before
        else:
            return
        made = summary(
            run,
            asked.number,
            lambda done: self._layers(layers + done, 2 * layers),
            asked.switches,
        )
        self._run, self._number = run, asked.number
        place = asked.place or first_head(made)
        head = detail(run, asked.number, *place)
        chosen = _kept(asked.pair, before, run)
        if chosen is None and head.pairs:
            chosen = head.pairs[0].query, head.pairs[0].key
        expected, outcome = (None, None) if runs is None else _followed(runs, run, asked)
        self._tell(
            messages.Ran(
                made,
                head,
                None if chosen is None else pair(run, asked.number, *chosen),
                expected,
                outcome,
                time.monotonic() - begun,
            )
        )

    def _runs_of(self, model: Model, text: str) -> tuple[TextRuns, bool]:
        """Return the runs of a text, with all heads at first, and whether that was made now."""
        if self._runs is not None and self._runs.text == text:
            return self._runs, False
        begun = time.monotonic()
        whole = self._whole(model, text)
        seconds = time.monotonic() - begun
        self._runs = TextRuns(text, whole, seconds, partial(self._whole, model))
        self._outcomes = self._effects = None
        return self._runs, True

    def _whole(self, model: Model, text: str) -> ModelRun:
        report = self._reporter(model)
        if model.tokenizer is not None:
            return model.run(text, report=report)
        return model.run(ids=_numbers(model, text), report=report)

    def _reporter(self, model: Model) -> Callable[[int], None]:
        return lambda done: self._layers(done, 2 * model.plan.layers)

    def _count(self, text: str) -> None:
        model = self._model
        if model is None:
            return
        if model.tokenizer is None:
            self._tell(messages.Counted(text, len(_numbers(model, text))))
            return
        encoded = model.tokenizer.encode(text, model.positions)
        cut = max((piece.end for piece in encoded.pieces), default=0) if encoded.left_out else None
        self._tell(messages.Counted(text, len(encoded.ids) + encoded.left_out, cut))

    def _read(self, done: int, total: int) -> None:
        self._doing("opening", done, total)

    def _layers(self, done: int, total: int) -> None:
        self._doing("running", done, total)

    def _doing(self, what: str, done: int, total: int) -> None:
        """Tell how far this is, now and then. Raises Interrupted."""
        self._check()
        now = time.monotonic()
        if done == 0 or now - self._told >= _TELL_EVERY:
            self._told = now
            self._tell(messages.Doing(what, done, total))


def model_info(path: Path, model: Model) -> ModelInfo:
    """Return what the window knows of a model folder."""
    plan = model.plan
    return ModelInfo(
        title=model_name(path),
        path=path,
        layers=plan.layers,
        heads=plan.heads,
        width=plan.width,
        head_width=plan.head_width,
        parameters=model.weights.count,
        positions=model.positions,
        made_for=model.made_for,
        causal=plan.causal,
        predicts=plan.causal and plan.has_logits,
        fills=not plan.causal and plan.has_logits,
        vocabulary=plan.vocabulary,
    )


def arrays_info(path: Path, run: Run) -> ModelInfo:
    """Return what the window knows of a file of arrays."""
    first = run.layers[0]
    return ModelInfo(
        title=displayable(path.stem),
        path=path,
        layers=len(run.layers),
        heads=first.heads,
        head_width=0 if first.q is None else first.q.shape[-1],
        positions=len(run.tokens),
        runs=False,
    )


def first_head(made: RunSummary) -> tuple[int, int]:
    """Return the head to look at first: of those without a simple kind, that with the largest
    weight between words that do not stand side by side."""
    tiles = made.tiles
    rows, columns = tiles.shape[-2:]
    shown = np.ones((rows, columns), bool)
    shown &= np.abs(np.arange(rows)[:, None] - np.arange(columns)) > 1
    if columns == len(made.key_pieces):
        marks = np.array(made.special)
        shown &= ~marks[None, :]
        if made.square:
            shown &= ~marks[:, None]
    else:
        shown[:, 0] = False
    largest = np.where(shown, tiles, 0.0).max(axis=(-2, -1))
    other = np.array([[kind is Kind.OTHER for kind in row] for row in made.kinds])
    scored = np.where(other, largest, 0.0) if other.any() else largest
    layer, head = np.unravel_index(int(scored.argmax()), scored.shape)
    return int(layer), int(head)


def _kept(wanted: tuple[int, int] | None, before: Run | None, run: Run) -> tuple[int, int] | None:
    """Return the pair where it is of the same tokens as in the run before."""
    if wanted is None or before is None:
        return None
    query, key = wanted
    for place, old, new in ((query, before.tokens, run.tokens), (key, *_keys(before, run))):
        if not (place < len(old) and place < len(new) and old[place] == new[place]):
            return None
    return wanted


def _keys(before: Run, run: Run) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return before.key_tokens, run.key_tokens


def _followed(
    runs: TextRuns, run: Run, asked: messages.RunText
) -> tuple[NextTokens | None, Outcome | None]:
    """Return the likeliest words where some are predicted, and what is followed."""
    assert isinstance(run, ModelRun)
    follows = followed(runs.whole, asked.word)
    if follows.place is None:
        return None, Outcome(follows, runs.outcome(asked.switches, follows, run))
    before = runs.whole if asked.switches.puts else None
    words = next_tokens(run, before=before, place=follows.place, also=follows.word)
    return words, Outcome(follows)


def _numbers(model: Model, text: str) -> list[int]:
    """Return the numbers of tokens that a text names. Raises Problem."""
    parts = [part for part in re.split(r"[\s,;]+", text) if part]
    if not all(re.fullmatch(r"\d{1,9}", part, re.ASCII) for part in parts):
        raise Problem(_IDS, folder=displayable(model.folder.name), file=TOKENIZER)
    return [int(part) for part in parts]


def main(pipe: Connection) -> NoReturn:
    """Answer what is asked through `pipe` until it closes. Does not return."""
    # Ctrl-C in the terminal reaches every process; what it means is the window's to say.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    inbox = Inbox()
    threading.Thread(target=_listen, args=(pipe, inbox), daemon=True).start()
    worker = Worker(pipe.send, inbox.check)
    with suppress(OSError):  # nobody listens any more
        while True:
            request = inbox.next(wait=not worker.busy)
            with suppress(Interrupted):
                if request is None:
                    worker.go_on()
                else:
                    worker.answer(request)
    os._exit(0)


def _listen(pipe: Connection, inbox: Inbox) -> None:
    with suppress(EOFError, OSError):
        while True:
            inbox.put(pipe.recv())
    os._exit(0)
