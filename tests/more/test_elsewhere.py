"""The window's tests without a screen, and where PyTorch and scikit-learn are not installed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.timeout(3600)

ROOT = Path(__file__).parents[2]
WINDOW = ROOT / "tests" / "window"
# They are looked at, or have menus and dialogs that take the focus from a window: without a screen
# there is no window manager.
SEEN = (
    *(path.stem for path in WINDOW.glob("test_p[lr]*.py")),
    *("test_memory", "test_blank", "test_room_check"),
)
# What they read is drawn alike everywhere.
ALIKE = ("test_proofread", "test_present_legible", "test_lesson_layout")
# They train, wholly or some of their tests.
TRAINING = (
    "test_train_corpus",
    "test_train_ends",
    "test_train_fork",
    "test_train_runs",
    "test_sweep",
)
TRAINS = (
    "test_languages.py::test_a_run_goes_on",
    "test_left_there.py::test_runs_are_called_so_in_each_language",
    "test_train_samples.py::test_only_the_picked_sentences_are_recorded_and_listed",
    "test_trace_lessons.py::test_a_run_of_ones_own_is_asked_for_made_kept_and_shown_again",
    "test_trace_lessons.py::test_a_run_that_goes_on_is_not_ended_by_a_step",
)
TRAINING_LESSONS = tuple(
    f"test_playing.py::test_a_lesson_is_played_to_its_end[{language}-{lesson}]"
    for language in ("en", "zh")
    for lesson in ("26-train-and-read-the-trace", "33-one-number-changed")
)


def assert_passes(*words: object, screen: bool, torch: bool) -> None:
    """Run some of the window's tests in a process of their own."""
    environment = dict(os.environ)
    if not torch:
        path = [str(ROOT / "tests" / "without_torch"), str(ROOT)]
        environment["PYTHONPATH"] = os.pathsep.join(path)
    if not screen:
        environment["QT_QPA_PLATFORM"] = "offscreen"
        words = ("--no-xvfb", *words)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *words],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=3600,
    )
    assert done.returncode == 0, done.stdout[-4000:]


def test_the_window_passes_its_tests_without_a_screen_and_without_them() -> None:
    others = (f"--ignore={WINDOW / name}.py" for name in (*SEEN, *TRAINING, *ALIKE))
    left_out = (f"--deselect=tests/window/{name}" for name in TRAINS)
    assert_passes(WINDOW, *others, *left_out, screen=False, torch=False)


def test_the_window_trains_without_a_screen() -> None:
    files = (WINDOW / f"{name}.py" for name in TRAINING)
    assert_passes(*files, *(f"tests/window/{name}" for name in TRAINS), screen=False, torch=True)


def test_the_window_passes_its_tests_on_a_screen_without_them() -> None:
    files = (WINDOW / f"{name}.py" for name in SEEN if name not in ALIKE)
    left_out = (f"--deselect=tests/window/{name}" for name in TRAINING_LESSONS)
    assert_passes(*files, *left_out, screen=True, torch=False)
