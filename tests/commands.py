"""What the program's commands print, for tests."""

from __future__ import annotations

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
