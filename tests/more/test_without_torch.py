"""The window's tests where PyTorch and scikit-learn are not installed: all but training works."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WINDOW = ROOT / "tests" / "window"
# They train.
FILES = ("train_ends", "train_fork", "train_runs", "sweep")
TESTS = (
    "test_languages.py::test_a_run_goes_on",
    "test_train_samples.py::test_only_the_picked_sentences_are_recorded_and_listed",
    "test_trace_lessons.py::test_a_run_of_ones_own_is_asked_for_made_kept_and_shown_again",
    "test_trace_lessons.py::test_a_run_that_goes_on_is_not_ended_by_a_step",
    *(
        f"test_playing.py::test_a_lesson_is_played_to_its_end[{language}-{lesson}]"
        for language in ("en", "zh")
        for lesson in ("26-train-and-read-the-trace", "33-one-number-changed")
    ),
)


@pytest.mark.timeout(3600)
def test_the_window_passes_its_tests_without_them() -> None:
    environment = dict(os.environ)
    environment["PYTHONPATH"] = os.pathsep.join([str(ROOT / "tests" / "without_torch"), str(ROOT)])
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "loadfile", WINDOW),
            *(f"--ignore={WINDOW / f'test_{name}.py'}" for name in FILES),
            *(f"--deselect=tests/window/{name}" for name in TESTS),
        ],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=3600,
    )
    assert done.returncode == 0, done.stdout[-4000:]
