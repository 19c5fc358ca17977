"""What the program's own files and folders are known by."""

from __future__ import annotations

from pathlib import Path


def begin_of(path: Path, count: int) -> bytes:
    """Return the first bytes of a file; nothing of what is no file or cannot be read."""
    try:
        if not path.is_file():  # what is read of a pipe is gone for whoever opens it next
            return b""
        with path.open("rb") as file:
            return file.read(count)
    except (OSError, ValueError):
        return b""


def is_trace(path: Path) -> bool:
    """Return whether a file begins as a run does: the length of its header, then JSON."""
    return begin_of(path, 9)[7:] == b"\0{"


def is_lesson(path: Path) -> bool:
    """Return whether a file is called as lessons are; what it holds is checked when it is read."""
    return path.suffix.lower() == ".toml"


def is_run_folder(path: Path) -> bool:
    """Return whether a folder is one that a run is recorded in."""
    from explorer.traces.spool import segment_name

    try:
        return (path / segment_name(0)).is_file()
    except (OSError, ValueError):
        return False


def anything(_path: Path) -> bool:
    """Return True: whoever comes last reads what nobody knew, and says what is wrong with it."""
    return True
