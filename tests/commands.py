"""What the program's commands and other programs print, for tests."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from explorer.cli import main


def printed(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    """Return what a command prints that goes well."""
    assert main([*map(str, words)]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def refused(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    """Return the one sentence with which a command is refused."""
    assert main([*map(str, words)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("attention-explorer: ")
    assert captured.err.count("\n") == 1
    return captured.err.removeprefix("attention-explorer: ").rstrip("\n")


def printed_by(code: str) -> str:
    """Return what a program prints that goes well, in a process without a screen."""
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        check=True,
    ).stdout
