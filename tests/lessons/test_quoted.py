"""Every number that a shipped lesson quotes is one that the program computes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from explorer.attention import Variant
from explorer.lessons.schema import Step
from explorer.session import Frame, edits, position_rows, resolve
from explorer.session.lab import LabFrame
from explorer.traces import Trace
from tests.app.desk import Desk
from tests.app.run_desk import RunDesk
from tests.lessons.test_shipped import LESSONS, do, played

_QUOTED = re.compile(r"(?<![\d.])\d+\.\d{2,3}(?!\d)")
# Worked out in the text itself, or drawn by the laboratory of √d.
_ELSEWHERE = {
    "07-why-divide-by-root-d": {0.910, 0.298},
    "17-how-far-apart": {0.008},
}
_MATRICES = ("Wq", "Wk", "Wv", "Wo")
_SCENE = ("X", "Q", "K", "V", "raw", "scores", "weights", "head_output", "output")


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_every_quoted_number_is_computed(path: Path, tmp_path: Path) -> None:
    before = np.zeros(0)
    for place, (step, desk) in enumerate(played(path, tmp_path), 1):
        here = np.concatenate([numbers(desk), *results(step, desk)])
        known = np.concatenate([before, here, list(_ELSEWHERE.get(path.stem, ()))])
        for texts in (step.text, step.short):
            for quoted in (number for text in texts.values() for number in _QUOTED.findall(text)):
                half = 0.5 * 10.0 ** -len(quoted.partition(".")[2])
                assert np.any(np.abs(known - float(quoted)) <= half + 1e-9), (place, quoted)
        before = here


def results(step: Step, desk: Desk | RunDesk) -> Iterator[NDArray[np.float64]]:
    """Yield the numbers after the edits of a step's task, and of its prediction."""
    task, predict = step.task, step.predict
    for wanted in (() if task is None else task.solution, () if predict is None else predict.by):
        if wanted:
            do(desk, wanted)
            yield numbers(desk)


def numbers(desk: Desk | RunDesk) -> NDArray[np.float64]:
    """Return the sizes of all numbers that there are to be quoted, in one row."""
    frame = desk.frame
    found = in_trace(frame) if isinstance(frame, LabFrame) else in_scene(frame)
    row = np.abs(np.concatenate([np.ravel(np.asarray(each, float)) for each in found]))
    return row[np.isfinite(row)]


def in_scene(frame: Frame) -> Iterator[object]:
    """Yield what a scene holds, with every mistake too, and what is often made of it."""
    scene = frame.scene
    for variant in Variant:
        if variant is not Variant.HEADS_MIXED or scene.heads > 1:
            result = resolve(edits.set_variant(scene, variant)).attention
            yield from (getattr(result, name) for name in _SCENE)
            yield result.weights.sum(axis=-1)
            yield result.weights.mean(axis=0)
            yield result.divisor
    rows = position_rows(scene)
    if rows is not None:
        yield rows
    exponentials = np.exp(frame.attention.scores)
    yield from (scene.X, exponentials, exponentials.sum(axis=-1))
    for matrix in (getattr(scene, name) for name in _MATRICES):
        if matrix is not None:
            yield matrix
            if matrix.shape[-1] == matrix.shape[-2]:
                yield np.linalg.det(matrix)
                yield np.linalg.svd(matrix)[1]


def in_trace(frame: LabFrame) -> Iterator[object]:
    """Yield what is shown of a trace, the same at its ends, and how far apart its words are."""
    trace, basis, sample = frame.trace, frame.basis, frame.cursor.sample
    assert isinstance(trace, Trace)
    assert basis is not None
    yield from (basis.explained, np.cumsum(basis.explained))
    for step in {0, frame.cursor.step, trace.recorded - 1}:
        yield from (trace.scalars(name)[trace.epochs[step]] for name in ("loss", "accuracy"))
        yield trace.array("weights", step)[sample]
        logits = trace.array("logits", step)[sample].astype(float)
        chances = np.exp(logits - logits.max())
        yield chances / chances.sum()
        words = trace.array("param.embedding", step).astype(float)
        seen = basis.project(words)
        for places in (words, seen, seen[:, :2]):
            yield np.linalg.norm(places[:, None] - places[None], axis=2)
