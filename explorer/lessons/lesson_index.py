"""Where lessons are found: those that come with the program, and those in a teacher's folder."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from explorer.lessons.lesson import Lesson, said_in
from explorer.lessons.schema import FORMAT
from explorer.resources import lessons
from explorer.text import N_, Problem, displayable, listed

MOST = 40  # lessons of a folder that are offered
LOOKED_AT = 2000  # files of a folder
_BEGINNING = 16 * 2**10  # bytes in which a title is looked for


@dataclass(frozen=True)
class LessonIndex:
    """The lessons of a folder.

    Parameters
    ----------
    lessons : tuple of Path
        By name, `MOST` at most.
    more : bool
        Whether there may be others that are not among them.
    """

    lessons: tuple[Path, ...]
    more: bool = False


def lessons_in(folder: Path) -> LessonIndex:
    """Return the lessons in a folder, not in folders within it. Raises Problem where it is none.

    However much there is in it, it is done at once: what comes later is left out.
    """
    shown = displayable(folder.name or str(folder), 40)
    try:
        with os.scandir(folder) as entries:
            files = list(islice(entries, LOOKED_AT + 1))
        # A pipe would be waited for when it is opened.
        names = sorted(
            entry.name
            for entry in files[:LOOKED_AT]
            if entry.name.lower().endswith(".toml") and entry.is_file()
        )
    except FileNotFoundError:
        raise Problem(N_("There is no folder {folder} any more."), folder=shown) from None
    except (OSError, ValueError):
        raise Problem(N_("The folder {folder} cannot be read."), folder=shown) from None
    found: list[Path] = []
    for name in names:
        path = folder / name
        if _is_other_toml(path):
            continue
        if len(found) == MOST:
            return LessonIndex(tuple(found), more=True)
        found.append(path)
    return LessonIndex(tuple(found), more=len(files) > LOOKED_AT)


def lesson_after(path: Path) -> Path | None:
    """Return the lesson that comes after one in its folder; None after the last, or of no file."""
    if not path.is_file():
        return None
    shipped = lessons()
    if path in shipped:
        found = shipped
    else:
        try:
            found = list(lessons_in(path.parent).lessons)
        except Problem:
            return None
    later = [each for each in sorted(found) if each.name > path.name]
    return later[0] if later else None


def grounds_of(lesson: Lesson) -> list[Path]:
    """Return the lessons that one takes for granted: of its own folder, or shipped ones.

    A name is that of the file, with or without its number; those that are not there are left out.
    """
    found: list[Path] = []
    for name in lesson.builds_on:
        beside = lesson.path.with_name(f"{Path(name).name}.toml")
        try:
            path = beside if beside.exists() else lesson_called(Path(name).name)
        except Problem:
            continue
        found += [path] if path.exists() else []
    return found


class Neighbours(NamedTuple):
    """The lessons around one: the titles of those it takes for granted, and the one after it."""

    before: tuple[str, ...] = ()
    after: Path | None = None
    title: str = ""  # of that; empty where there is none


def neighbours_of(lesson: Lesson, language: str) -> Neighbours:
    """Return the lessons around one as their folder has them now, their titles in a language."""
    before = tuple(title_of(path, language) for path in grounds_of(lesson))
    after = lesson_after(lesson.path)
    return Neighbours(before, after, "" if after is None else title_of(after, language))


def title_of(path: Path, language: str = "en") -> str:
    """Return a lesson's title; its file's name where it has none that can be read.

    Only the beginning of the file is looked at: there the titles stand.
    """
    titles = (_beginning(path) or {}).get("title")
    if not isinstance(titles, dict):
        return path.stem
    texts = {key: text for key, text in titles.items() if isinstance(text, str)}
    return said_in(language, texts).strip() or path.stem


def lesson_called(name: str) -> Path:
    """Return the file of a lesson.

    name : a path; or the number of one that comes with the program, such as "3", or its name, such
        as "dot-product"

    Raises Problem where there is no such lesson.
    """
    path = Path(name)
    if path.suffix.lower() == ".toml" or path.name != name:
        return path
    names: dict[str, str] = {}
    for shipped in lessons():
        number, _dash, rest = shipped.stem.partition("-")
        if name in (shipped.stem, rest) or (name.isdecimal() and int(name) == int(number)):
            return shipped
        names[rest] = shipped.stem
    near = [rest for rest in names if f"-{name.casefold()}" in f"-{rest}"]
    near += get_close_matches(name.casefold(), set(names).difference(near), cutoff=0.5)
    raise Problem(
        N_(
            "There is no lesson {name}. Name a .toml file, or a lesson of the program's, such as"
            " {names}: all of them are in {folder}."
        ),
        name=displayable(name, 64),
        names=listed(names[rest] for rest in (near or ["dot-product"])[:3]),
        folder=displayable(str(lessons()[0].parent)),
    )


def _is_other_toml(path: Path) -> bool:
    """Return whether a file is TOML, but no lesson; one that cannot be read may well be one."""
    beginning = _beginning(path)
    return beginning is not None and beginning.get("format") != FORMAT


def _beginning(path: Path) -> Mapping[str, object] | None:
    """Return what stands before the first table of a file; None where it cannot be read."""
    try:
        with path.open("rb") as file:
            text = file.read(_BEGINNING).decode(errors="replace").replace("\r\n", "\n")
        return tomllib.loads(text.partition("\n[")[0])
    except (OSError, tomllib.TOMLDecodeError, RecursionError, ValueError):
        return None
