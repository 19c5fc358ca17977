"""Which files a lesson may show: shipped examples, and what lies in its own folder."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from explorer.lessons.lesson import Refused
from explorer.lessons.tokens import to_choose_from
from explorer.resources import example
from explorer.text import N_, Problem, displayable

OWN = "own"  # in place of a trace's file: the run of the reader
_EXAMPLE = "example:"
# As any system writes a path from its root, a home or another computer; none of these is looked up.
_ELSEWHERE = re.compile(r"[/\\]|~[^/\\]*[/\\]|[A-Za-z]:")
_ENDINGS = ("", ".json", ".safetensors")


def existing_file(
    source: str, folder: Path, is_there: Callable[[Path], bool] = Path.is_file
) -> Path:
    """Return the file that a lesson in `folder` means.

    `example:NAME` is a shipped one, with or without its ending; any other path is relative and
    stays, links followed, inside the folder. Raises Refused where it does not, and Problem where
    there is no such file.
    """
    if source.startswith(_EXAMPLE):
        return _example(source.removeprefix(_EXAMPLE), is_there)
    shown = displayable(source, 64)
    try:
        inside = folder.resolve(strict=True)
        if _ELSEWHERE.match(source) or not (path := (folder / source).resolve()).is_relative_to(
            inside
        ):
            raise Refused(N_("{source} lies outside the lesson's folder."), source=shown)
        if not is_there(path):
            raise Problem(N_("There is no file {source} in the lesson's folder."), source=shown)
    except (OSError, ValueError, RuntimeError):  # a name too long, with a NUL, links in a circle
        raise Problem(N_("{source} is not a file name."), source=shown) from None
    return path


def existing_model(source: str, folder: Path) -> Path:
    """Return the model's folder that a lesson in `folder` means, as `existing_file` a file."""
    return existing_file(source, folder, lambda path: (path / "config.json").is_file())


def _example(name: str, is_there: Callable[[Path], bool]) -> Path:
    shown = displayable(name, 64)
    if re.search(r"[/\\]", name):
        raise Refused(N_("{source} lies outside the lesson's folder."), source=_EXAMPLE + shown)
    for ending in _ENDINGS:
        try:
            path = example(name + ending)
        except (OSError, ValueError):
            continue
        if is_there(path):
            return path
    files = filter(is_there, example(".").iterdir())
    raise Problem(
        N_("There is no example called {name}. Choose one of {names}."),
        name=shown,
        names=to_choose_from(sorted({path.stem for path in files if path.suffix in _ENDINGS})),
    )
