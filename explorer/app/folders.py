"""The platform's own config and data folders: nothing is written outside them unasked."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

_NAME = "attention-explorer"


def config_folder() -> Path:
    """Return the folder of the settings; whoever writes first creates it."""
    return platformdirs.user_config_path(_NAME, appauthor=False)


def data_folder() -> Path:
    """Return the folder of what the program keeps for itself; whoever writes first creates it."""
    return platformdirs.user_data_path(_NAME, appauthor=False)


def runs_folder() -> Path:
    """Return the folder of the runs that are being recorded, or are kept without being saved."""
    return data_folder() / "runs"


def make_private(folder: Path) -> None:
    """Create `folder` where it is missing and close it to other users. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)


def set_aside(path: Path) -> Path:
    """Rename an unreadable file to `….broken`, in place of an earlier one, and return its new path.

    Raises OSError.
    """
    aside = path.with_name(path.name + ".broken")
    os.replace(path, aside)
    return aside


def path_text(path: Path) -> str:
    """Return a path as text for a JSON file; empty where its name is no valid Unicode."""
    text = str(path)
    try:
        text.encode()
    except UnicodeEncodeError:
        return ""
    return text
