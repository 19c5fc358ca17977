"""Words laid out by t-SNE: in a process of its own, the last one asked for, alike every time."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from explorer.text import Problem
from explorer.training.layout import laid_out
from explorer.training.layout_process import LayoutProcess, WordLayout
from tests.waiting import until

WORDS = np.random.default_rng(1).normal(size=(8, 16)).astype(np.float32)


def groups(count: int) -> np.ndarray:
    """Return words in two groups far apart, every other word in one."""
    words = np.random.default_rng(2).normal(size=(count, 5)).astype(np.float32)
    words[::2] += 50
    return words


@pytest.fixture(scope="module")
def process() -> Iterator[LayoutProcess]:
    process = LayoutProcess()
    yield process
    process.close()


def answer(process: LayoutProcess) -> WordLayout:
    return until(process.take)


@pytest.mark.parametrize("count", [1, 2, 3, 4, 8, 40])
def test_any_vocabulary_has_places(count: int) -> None:
    places = laid_out(WORDS.repeat(5, axis=0)[:count] if count > 8 else WORDS[:count], 7)
    assert places.shape == (count, 2)
    assert np.isfinite(places).all()


def test_like_words_lie_together() -> None:
    places = laid_out(groups(40), 7)
    distances = np.linalg.norm(places[:, None] - places, axis=-1)
    same = np.equal.outer(np.arange(40) % 2, np.arange(40) % 2)
    np.fill_diagonal(distances, np.inf)
    assert same[np.arange(40), distances.argmin(1)].all()


def test_the_same_words_and_seed_have_the_same_places() -> None:
    np.testing.assert_array_equal(laid_out(WORDS, 7), laid_out(WORDS, 7))


def test_a_step_set_out_from_another_stays_near_it() -> None:
    words = groups(40)
    before = laid_out(words, 7)
    moved = words + np.random.default_rng(3).normal(scale=0.01, size=words.shape)
    after = laid_out(moved.astype(np.float32), 7, before)
    extent = np.ptp(before, axis=0).max()
    assert np.median(np.linalg.norm(after - before, axis=1)) < 0.25 * extent


def test_the_process_answers_as_the_function_does(process: LayoutProcess) -> None:
    process.ask("run", 3, WORDS, 7)
    found = answer(process)
    assert (found.trace, found.step) == ("run", 3)
    first = laid_out(WORDS, 7)
    np.testing.assert_allclose(found.places, first, rtol=1e-4)
    # A step of the same trace sets out from the nearest one; another trace from the beginning.
    process.ask("run", 5, WORDS * 2, 7)
    np.testing.assert_allclose(
        answer(process).places, laid_out(WORDS * 2, 7, found.places), rtol=1e-3, atol=1e-3
    )
    process.ask("other", 5, WORDS, 7)
    np.testing.assert_allclose(answer(process).places, first, rtol=1e-4)


def test_of_many_questions_the_last_is_answered(process: LayoutProcess) -> None:
    for step in range(200):
        process.ask("many", step, WORDS, 7)
    steps = []
    while not steps or steps[-1] != 199:
        steps.append(answer(process).step)
    assert len(steps) < 200
    assert steps == sorted(steps)


def test_a_dead_process_is_a_sentence_and_the_next_question_has_another() -> None:
    process = LayoutProcess()
    before = set(multiprocessing.active_children())
    process.ask("run", 0, WORDS, 7)
    (child,) = set(multiprocessing.active_children()) - before
    assert child.pid is not None
    os.kill(child.pid, signal.SIGKILL)
    with pytest.raises(Problem, match="choose t-SNE again"):
        answer(process)
    process.ask("run", 1, WORDS, 7)
    assert answer(process).step == 1
    process.close()
    assert set(multiprocessing.active_children()) == before


def test_asking_imports_no_scikit_learn() -> None:
    code = (
        "import sys, explorer.training.layout_process;"
        "print(sorted({'torch', 'sklearn', 'scipy'} & sys.modules.keys()))"
    )
    root = Path(__file__).parents[2]
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root
    )
    assert found.stdout.strip() == "[]"
