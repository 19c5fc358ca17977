"""Every number that a lesson quotes is the computed one, of the tokens that it speaks of."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from explorer.attention import MISTAKES, Variant, random_trial
from explorer.lessons.readings import number, shares
from explorer.lessons.schema import Check, Reading, Step, Texts
from explorer.resources import lessons
from explorer.session import Centre, Frame, edits, placed_rows, position_rows, resolve
from explorer.session.model.frame import ModelFrame
from explorer.session.train import TrainFrame
from explorer.session.train.values import StepValues
from tests.app.run_desk import RunDesk
from tests.lessons.test_shipped import do, played

NUMBER = re.compile(r"[−-]?(?<![\d.])\d+\.\d{2,}(?!\.?\d)")
FRACTION = re.compile(r"(\d+(?:\.\d+)?) ÷ (√?)(\d+(?:\.\d+)?)")


class Quoted(NamedTuple):
    """A number as it stands in a text."""

    text: str
    value: float
    decimals: int

    def is_among(self, values: list[float]) -> bool:
        """Return whether it is one of the values, rounded to its decimals."""
        half = 0.5 * 10.0**-self.decimals + 1e-9
        return any(abs(self.value - value) <= half for value in values)


def quoted(text: str) -> list[Quoted]:
    """Return the numbers of two decimals or more in a text."""
    found = NUMBER.findall(text)
    return [
        Quoted(each, float(each.replace("−", "-")), len(each.partition(".")[2])) for each in found
    ]


def texts_of(step: Step) -> list[Texts]:
    """Return what a step says."""
    found = [step.text, step.short]
    if step.paper is not None:
        found.append(step.paper)
    if step.formula is not None:
        found.append({"formula": step.formula})
    if step.task is not None:
        found += [step.task.text, step.task.hint]
    if step.predict is not None and step.predict.text is not None:
        found.append(step.predict.text)
    return found


def named(texts: list[Texts], tokens: tuple[str, ...]) -> list[int]:
    """Return the places of the tokens that are named in any of the texts."""
    said = "\n".join(text for each in texts for text in each.values())
    return [
        place
        for place, token in enumerate(tokens)
        if re.search(rf"(?<![A-Za-z]){re.escape(token)}(?![A-Za-z])", said)
    ]


def goals(check: Check) -> Iterator[float]:
    """Yield the numbers that a check compares with."""
    if isinstance(check.than, float | int):
        yield float(check.than)
    for each in (*(check.all or ()), *(check.any or ())):
        yield from goals(each)


def numbers(frame: Frame, queries: list[int], keys: list[int]) -> Iterator[float]:
    """Yield the numbers of a computation that belong to some queries and keys.

    Of a query that is its whole row, and what this mixes. Besides the tables: the steps of the
    softmax, what rows sum to, the mean over the heads, and how a W stretches the plane.
    """
    scene, result = frame.scene, frame.attention
    for rows in (scene.X, position_rows(scene), placed_rows(scene), result.output):
        if rows is not None:
            yield from rows[queries].flat
    yield from result.Q[:, queries].flat
    yield from result.K[:, keys].flat
    yield from result.V.flat
    yield from result.head_output[:, queries].flat
    for table in (result.raw, result.scores, result.weights, np.exp(result.scores)):
        yield from table[:, queries].flat
    yield from result.weights.mean(axis=0)[queries].flat
    yield from np.cos(frame.angles).flat
    for table in (result.weights, np.exp(result.scores)):
        yield from table[:, queries].sum(axis=2).flat
    for name in ("Wq", "Wk", "Wv"):
        for block in scene.per_head(name) if getattr(scene, name) is not None else ():
            yield from np.linalg.svd(block, compute_uv=False)
            yield from block.flat
            if block.shape[0] == block.shape[1]:
                yield float(np.linalg.det(block))
    for bias in (scene.bq, scene.bk, scene.bv):
        yield from () if bias is None else bias.flat
    if frame.look.centre is Centre.SQRT_D:
        trial = random_trial(frame.look.trial.width)
        yield trial.variance
        yield from (*trial.plain.weights, *trial.scaled.weights)


def run_numbers(
    frame: TrainFrame, queries: list[int], epochs: list[int], words: list[int]
) -> Iterator[float]:
    """Yield the numbers of a run at some epochs, its first, its last and the one looked at.

    Its learning rate, loss and accuracy, the weights of some words of the sentence, the chances of
    the next word; what share of the variance the axes of the word graph show; how far some words of
    the vocabulary are apart, in all directions and in two or three of the graph's axes.
    """
    assert frame.trace is not None
    if frame.trace.run.config is not None:
        yield frame.trace.run.config.learning_rate
    heads = range(1, frame.trace.sizes["H"] + 1)
    for epoch in (None, "first", "last", *epochs):
        yield number(Reading("loss", epoch=epoch), frame)
        yield number(Reading("accuracy", epoch=epoch), frame)
        yield from shares(Reading("probability", epoch=epoch), frame)[1]
        for query, head in itertools.product(queries, (None, *heads)):
            reading = Reading("weights", query=query + 1, head=head, epoch=epoch)
            yield from shares(reading, frame)[1]
    assert frame.basis is not None
    yield from np.cumsum(frame.basis.explained)
    yield from frame.basis.explained
    for step in (0, frame.cursor.step, len(frame.recorded) - 1):
        values = StepValues(frame.trace.step(step), frame.cursor.layer, frame.basis)
        assert values.embedding is not None
        assert values.points is not None
        for places in (values.embedding, values.points, values.points[:, :2]):
            for one, other in itertools.combinations(words, 2):
                yield float(np.linalg.norm(places[one] - places[other]))


def fractions(texts: list[Texts]) -> Iterator[float]:
    """Yield what is divided in a text itself, such as 1 ÷ 128 or 1 ÷ √2."""
    for text in (text for each in texts for text in each.values()):
        for above, root, below in FRACTION.findall(text):
            yield float(above) / (float(below) ** 0.5 if root else float(below))


def known(step: Step, frame: Frame | TrainFrame | ModelFrame) -> list[float]:
    """Return the numbers that a step may quote from a frame.

    Beside a mistake that is made on purpose they are also those without it.
    """
    texts = texts_of(step)
    if isinstance(frame, ModelFrame):
        assert frame.head is not None
        return frame.head.arrays.weights.ravel().tolist()
    thing = frame.selection
    if isinstance(frame, TrainFrame):
        said = " ".join(text for each in texts for text in each.values())
        integers = {int(each) for each in re.findall(r"\d+", said)}
        words = named(texts, frame.words)
        if thing is not None and thing.query is not None:
            words.append(thing.query)
        vocabulary = named(texts, frame.vocabulary)
        shown = [frame] if frame.other is None else [frame, frame.other]
        losses = [
            number(Reading("loss", epoch=epoch), run)
            for run in shown
            for epoch in integers.intersection(run.scalars.epochs.tolist())
        ]
        return losses + [
            float(each)
            for run in shown
            for each in run_numbers(
                run, words, sorted(integers.intersection(run.recorded.tolist())), vocabulary
            )
        ]
    queries, keys = named(texts, frame.scene.tokens), named(texts, frame.scene.key_tokens)
    if thing is not None and not thing.in_weights:
        queries += [] if thing.query is None else [thing.query]
        keys += [] if thing.key is None else [thing.key]
    found = list(map(float, numbers(frame, queries, keys)))
    if frame.scene.options.variant in MISTAKES:
        right = resolve(edits.set_variant(frame.scene, Variant.NONE), frame.look)
        found += map(float, numbers(right, queries, keys))
    return found


@pytest.mark.parametrize("path", lessons(), ids=lambda path: path.stem)
def test_every_quoted_number_is_computed(path: Path, tmp_path: Path, qapp) -> None:
    trained: RunDesk | None = None  # where the task before had a run trained
    for place, (step, desk) in enumerate(played(path, tmp_path), 1):
        values = [*known(step, desk.frame), *fractions(texts_of(step))]
        values += [] if trained is None else known(step, trained.frame)
        trained = None
        if step.predict is not None:
            do(desk, step.predict.by)
            values += known(step, desk.frame)
        if step.task is not None:
            values += goals(step.task.check)
            do(desk, step.task.solution)
            values += known(step, desk.frame)
            if isinstance(desk, RunDesk) and any(each.run for each in step.task.solution):
                trained = desk
        for texts in texts_of(step):
            for language, text in texts.items():
                wrong = [each.text for each in quoted(text) if not each.is_among(values)]
                assert not wrong, f"{path.stem}, step {place}, {language}: {wrong} in {text}"


def test_a_wrong_number_is_found(tmp_path: Path, qapp) -> None:
    """Nearly every number that is quoted would be found wrong with its last digit changed."""
    tried = missed = 0
    for path in lessons():
        for step, desk in played(path, tmp_path):
            values = known(step, desk.frame)
            for texts in texts_of(step):
                for each in itertools.chain(*map(quoted, texts.values())):
                    for by in (-3, -1, 1, 3):
                        other = each._replace(value=each.value + by * 10.0**-each.decimals)
                        tried += 1
                        missed += other.is_among(values)
    assert tried > 400
    assert missed < tried / 10
