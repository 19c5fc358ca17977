"""Steps about a trace: where they look, what they read there, and the intents that get there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from msgspec.structs import replace as changed

from explorer.lessons.lesson import Lesson
from explorer.lessons.places import OWN, existing_file
from explorer.lessons.schema import Check, Edit, Epoch, Reading, Step, TokenName, Watch
from explorer.lessons.tokens import named_place, to_choose_from, token_place
from explorer.session import Array, Role, Selection, intents
from explorer.session.train import AVERAGE, Cursor, RunState, StepValues, TrainFrame, TrainLook
from explorer.session.train import intents as train_intents
from explorer.text import N_, Problem, displayable
from explorer.traces import SpoolTrace, Trace

_FIRST = Watch(  # what a trace shows before a step says anything
    epoch="last",
    sample=1,
    layer=1,
    head="average",
    stage=TrainLook.stage,
    page=TrainLook.page,
    threshold=TrainLook.threshold,
)
_EDITS = "watch, run, stage, parameter"
_POINTED = ("query", "key", "word")  # belongs to one step alone, like a selection in a scene


def trace_of(lesson: Lesson, place: int) -> Path | None:
    """Return the file of a step's trace; None for the reader's own run. Raises Problem."""
    earlier = reversed(lesson.steps[: place + 1])
    source = next(step.trace for step in earlier if step.trace is not None)
    return None if source == OWN else existing_file(source, lesson.path.parent)


def beside_of(lesson: Lesson, place: int) -> Path | None:
    """Return the file of the trace that a step compares with its own. Raises Problem."""
    step = lesson.steps[place]
    source = step.beside if isinstance(step, Step) else None
    return None if source is None else existing_file(source, lesson.path.parent)


def watch_of(lesson: Lesson, place: int) -> Watch:
    """Return where a step looks: what it leaves out stays as the steps before it left it."""
    watch = _FIRST
    for step in lesson.steps[: place + 1]:
        if not isinstance(step, Step):
            continue
        before = (
            _FIRST if step.trace is not None else changed(watch, query=None, key=None, word=None)
        )
        said = step.watch.said()
        if "stage" in said:
            said = {"page": TrainLook().at_stage(said["stage"]).page, **said}
        watch = changed(before, **said)
    return watch


def cursor_of(watch: Watch, frame: TrainFrame) -> Cursor:
    """Return where a step looks, from where one looks now. Raises Problem where that is nowhere."""
    trace, cursor = _trace(frame), frame.cursor
    places: dict[str, Any] = {}
    if watch.epoch is not None:
        places["step"] = _recorded_step(watch.epoch, frame)
    if watch.sample is not None:
        places["sample"] = _sample(watch.sample, trace)
    if watch.layer is not None:
        places["layer"] = _within(watch.layer, trace.sizes.get("L", 1), "layer")
    if watch.head is not None:
        places["head"] = AVERAGE if watch.head == "average" else _head(watch.head, trace)
    return replace(cursor, **places)


def looks(watch: Watch, frame: TrainFrame) -> Iterator[object]:
    """Yield the intents that let one look where a step looks. Raises Problem."""
    trace, cursor, look = _trace(frame), cursor_of(watch, frame), frame.look
    if watch.epoch is not None:
        follows = watch.epoch == "last" and frame.progress.active and frame.modified
        yield train_intents.FollowLive() if follows else train_intents.GoToStep(cursor.step)
    yield train_intents.GoToSample(cursor.sample)
    yield train_intents.GoToLayer(cursor.layer)
    yield train_intents.GoToHead(cursor.head)
    if watch.stage is not None:
        yield train_intents.ShowTrainStage(watch.stage)
    if watch.page is not None:
        yield train_intents.ChangeTrainLook({"page": watch.page})
    if watch.threshold is not None:
        yield train_intents.ChangeTrainLook({"threshold": watch.threshold})
    if look.tsne:  # it would lay the words out anew at every epoch
        yield train_intents.ChangeTrainLook({"tsne": False})
    if watch.numbers is not None:
        yield train_intents.ChangeTrainLook({"numbers_open": watch.numbers})
    if watch.query is not None:
        words = trace.words(cursor.sample)
        key = None if watch.key is None else token_place(watch.key, words)
        yield intents.Select(Selection(Role.A, token_place(watch.query, words), key))
    if watch.word is not None:
        yield train_intents.SelectWord(token_place(watch.word, frame.vocabulary))


def is_watched(watch: Watch, frame: TrainFrame) -> bool:
    """Return whether one looks where a step looks, in all that it says. Raises Problem."""
    look, pointed = frame.look, frame.selection
    words = _trace(frame).words(frame.cursor.sample)
    if frame.cursor != cursor_of(watch, frame):
        return False
    shown = {
        "stage": look.stage,
        "page": look.page,
        "threshold": look.threshold,
        "numbers": look.numbers_open,
    }
    if any(getattr(watch, name) not in (None, value) for name, value in shown.items()):
        return False
    pairs = (
        (watch.query, None if pointed is None else pointed.query, words),
        (watch.key, None if pointed is None else pointed.key, words),
        (watch.word, frame.word, frame.vocabulary),
    )
    return all(name is None or token_place(name, of) == place for name, place, of in pairs)


def run_intents(edit: Edit, frame: TrainFrame) -> Iterator[object]:
    """Yield the intents that carry out an edit in Train. Raises Problem."""
    if edit.watch is not None:
        yield from looks(edit.watch, frame)
    elif edit.run is not None:
        yield train_intents.ForkHere() if edit.run == "fork" else train_intents.Train()
    elif edit.parameter is not None:
        text = edit.to if isinstance(edit.to, str) else f"{edit.to:g}"
        yield train_intents.SetParameter(edit.parameter, text)
    elif edit.stage is not None:
        yield train_intents.ShowTrainStage(edit.stage)
    else:
        raise Problem(N_("An edit of a trace needs one of {keys}."), keys=_EDITS)


def after_run_edits(edits: tuple[Edit, ...], frame: TrainFrame) -> TrainFrame:
    """Return a frame as numbers are read from it after edits. Raises Problem."""
    for edit in edits:
        if edit.watch is not None:
            frame = replace(frame, cursor=cursor_of(edit.watch, frame))
    return frame


def is_own_finished(frame: TrainFrame) -> bool:
    """Return whether what is shown is the reader's own run, and all its epochs are done."""
    return frame.progress.state is RunState.FINISHED and not frame.example


def is_fork_finished(frame: TrainFrame) -> bool:
    """Return whether what is compared with A is a fork that was trained here, to its end."""
    ended = frame.progress.state in (RunState.FINISHED, RunState.DIVERGED)
    other = None if frame.other is None else frame.other.trace
    return ended and isinstance(other, SpoolTrace) and other.run.fork is not None


def run_number(reading: Reading | Check, frame: TrainFrame) -> float:
    """Return the number of a trace that is meant. Raises Problem where it has none."""
    match reading.value:
        case "epoch":
            return float(_trace(frame).epochs[frame.cursor.step])
        case "loss" | "accuracy":
            return _scalar(reading, frame)
        case "explained":
            return _explained(reading, frame)
        case "weights":
            return float(_row(reading, frame)[_word(reading, "key", frame)])
        case "probability":
            vocabulary, chances = run_shares(reading, frame)
            return float(chances[named_place(reading, "word", vocabulary)])
        case _:
            raise Problem(N_("A trace has no {value}."), value=reading.value)


def run_shares(reading: Reading | Check, frame: TrainFrame) -> tuple[tuple[str, ...], Array]:
    """Return the words among which a query's attention or the next word's chance is shared."""
    trace = _trace(frame)
    if reading.value != "probability":
        return trace.words(_sample_of(reading, frame)), _row(reading, frame)
    found = _values(reading, frame).probabilities
    if found is None:
        raise Problem(N_("A trace has no {value}."), value=reading.value)
    return trace.run.vocabulary, found[_sample_of(reading, frame)]


# --- where ---------------------------------------------------------------------------------------


def _trace(frame: TrainFrame) -> Trace:
    if frame.trace is None or not len(frame.recorded):
        raise Problem(N_("There is no run to look at."))
    return frame.trace


def _recorded_step(epoch: Epoch, frame: TrainFrame) -> int:
    """Return the place among the recorded steps."""
    if not isinstance(epoch, int):
        return 0 if epoch == "first" else len(frame.recorded) - 1
    found = np.flatnonzero(frame.recorded == epoch)
    if not len(found):
        raise Problem(
            N_("Epoch {epoch} is not recorded. Choose one of {names}."),
            epoch=epoch,
            names=to_choose_from(frame.recorded),
        )
    return int(found[0])


def _sample(sample: TokenName, trace: Trace) -> int:
    """Return the place of a sentence, named by its words without the target, or by its place."""
    sentences = tuple(" ".join(trace.words(place)) for place in range(len(trace.lengths)))
    if isinstance(sample, str) and sample not in sentences:
        raise Problem(
            N_("There is no sample {name}. Choose one of {names}."),
            name=displayable(sample, 48),
            names=to_choose_from(sentences),
        )
    return (
        sentences.index(sample)
        if isinstance(sample, str)
        else _within(sample, len(sentences), "sample")
    )


def _head(head: int, trace: Trace) -> int:
    return _within(head, trace.sizes.get("H", 1), "head")


def _within(place: int, count: int, name: str) -> int:
    if place > count:
        raise Problem(
            N_("{name} {place} is too large: there are only {count}."),
            name=name,
            place=place,
            count=count,
        )
    return place - 1


def words_of(reading: Reading, frame: TrainFrame) -> str:
    """Return the words of the sentence in which a number is read. Raises Problem."""
    return " ".join(_trace(frame).words(_sample_of(reading, frame)))


def _sample_of(reading: Reading | Check, frame: TrainFrame) -> int:
    if reading.sample is None:
        return frame.cursor.sample
    return _sample(reading.sample, _trace(frame))


# --- what ----------------------------------------------------------------------------------------


def _values(reading: Reading | Check, frame: TrainFrame) -> StepValues:
    trace, cursor = _trace(frame), frame.cursor
    step = cursor.step if reading.epoch is None else _recorded_step(reading.epoch, frame)
    layer = cursor.layer
    if reading.layer is not None:
        layer = _within(reading.layer, trace.sizes.get("L", 1), "layer")
    return StepValues(trace.step(step), layer, frame.basis)


def _row(reading: Reading | Check, frame: TrainFrame) -> Array:
    """Return a query's weights."""
    head = frame.cursor.head if reading.head is None else _head(reading.head, _trace(frame))
    weights = _values(reading, frame).sample_weights(_sample_of(reading, frame), head)
    row: Array = weights[_word(reading, "query", frame)]
    return row


def _word(reading: Reading | Check, key: str, frame: TrainFrame) -> int:
    return named_place(reading, key, _trace(frame).words(_sample_of(reading, frame)))


def _scalar(reading: Reading | Check, frame: TrainFrame) -> float:
    """Return loss or accuracy, which are known at every epoch."""
    scalars = frame.scalars
    epoch = frame.epoch if reading.epoch is None else reading.epoch
    found = {
        "first": slice(0, 1),
        "last": slice(-1, None),
    }.get(str(epoch), scalars.epochs == epoch)
    values = getattr(scalars, str(reading.value))[found]
    if not len(values) or np.isnan(values[0]):
        raise Problem(
            N_("The {value} of epoch {epoch} is not recorded."), value=reading.value, epoch=epoch
        )
    return float(values[0])


def _explained(reading: Reading | Check, frame: TrainFrame) -> float:
    """Return the share of the variance that an axis of the word graph shows; of all together."""
    if frame.basis is None:
        raise Problem(N_("A trace has no {value}."), value=reading.value)
    shares = frame.basis.explained
    if reading.column is None:
        return float(shares.sum())
    return float(shares[_within(reading.column, len(shares), "column")])
