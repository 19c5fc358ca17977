"""`explorer.view`: arrays in a window of their own, which outlives the script."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import explorer
from explorer.app import temporary
from explorer.models import read_arrays
from explorer.text import Problem

WORDS = ["the", "cat", "sat"]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[list[str]]:
    """Return what would have been started; temporary files are made in a folder of the test's."""
    commands: list[list[str]] = []
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(subprocess, "Popen", lambda command, **_more: commands.append(command))
    return commands


def weights() -> np.ndarray:
    return np.random.default_rng(0).dirichlet(np.ones(3), (2, 4, 3)).astype(np.float32)


def test_arrays_are_written_for_a_window_of_their_own(started: list[list[str]]) -> None:
    explorer.view(weights=weights(), tokens=WORDS)
    [[python, dash, module, file]] = started
    assert (python, dash, module) == (sys.executable, "-m", "explorer.app.temporary")
    run = read_arrays(file)
    assert run.tokens == tuple(WORDS)
    np.testing.assert_array_equal(run.head(2, 3).weights, weights()[1, 2])


def test_what_output_attentions_gives_is_shown(started: list[list[str]]) -> None:
    explorer.view(attentions=[layer[None] for layer in weights()], tokens=WORDS)
    run = read_arrays(started[0][-1])
    np.testing.assert_array_equal(run.layers[1].weights, weights()[1])


def test_a_path_is_opened_as_the_program_does(started: list[list[str]], tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("{}")
    explorer.view(path)
    assert started == [[sys.executable, "-m", "explorer", str(path)]]
    with pytest.raises(Problem, match="no file"):
        explorer.view(tmp_path / "nowhere.json")
    with pytest.raises(Problem, match="Give either"):
        explorer.view(path, q=1)


def test_wrong_arrays_are_told_here_and_nothing_is_started(
    started: list[list[str]], tmp_path: Path
) -> None:
    with pytest.raises(Problem, match="weights lie between 0 and 1"):
        explorer.view(weights=weights() * 5)
    assert started == []
    assert list(tmp_path.iterdir()) == []


def test_without_a_display_it_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, started: list[list[str]]
) -> None:
    if not sys.platform.startswith("linux"):
        monkeypatch.setattr(sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(Problem, match="no display"):
        explorer.view(weights=weights())
    assert list(tmp_path.iterdir()) == []


def test_the_window_removes_its_file_at_its_end(
    started: list[list[str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    explorer.view(weights=weights(), tokens=WORDS)
    file = Path(started[0][-1])
    seen = []

    def run(path: Path) -> int:
        seen.append(path.exists())
        return 0

    monkeypatch.setattr(temporary, "run", run)
    assert temporary.main(file) == 0
    assert seen == [True]
    assert list(tmp_path.iterdir()) == []
