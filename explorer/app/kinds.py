"""What a file holds, by its content, and whether there is anything to recover: cheap looks."""

from __future__ import annotations

from pathlib import Path

from explorer.app.folders import runs_folder


def is_trace(path: Path) -> bool:
    """Return whether a file begins as a run does: the length of its header, then JSON."""
    if not path.is_file():  # what is read of a pipe is gone for whoever opens it next
        return False
    try:
        with path.open("rb") as file:
            begin = file.read(9)
    except OSError:
        return False
    return len(begin) == 9 and begin[7:] == b"\0{"


def is_lesson(path: Path) -> bool:
    """Return whether a file is called as lessons are; what it holds is checked when it is read."""
    return path.suffix.lower() == ".toml"


def any_run_left() -> bool:
    """Return whether runs of earlier sessions lie there that were not kept on purpose."""
    try:
        return any(not (run / "kept").exists() for run in runs_folder().iterdir())
    except OSError:
        return False
