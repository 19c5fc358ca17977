"""A lesson as it was read: steps in order, and in place of a step that is wrong, what is wrong."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from explorer.lessons.schema import Step, Texts
from explorer.text import Message


@dataclass(frozen=True)
class Fault:
    """A step that cannot be shown.

    Parameters
    ----------
    line : int
        Of the file, counted from 1.
    message : Message
        The file, the step, the key and the reason in one sentence.
    """

    line: int
    message: Message


@dataclass(frozen=True)
class Lesson:
    """A lesson.

    Parameters
    ----------
    path : Path
        Its file.
    title : mapping of str to str
        By language, like all texts.
    steps : tuple of Step or Fault
    questions : tuple of mapping
        To think about at the end.
    """

    path: Path
    title: Texts
    steps: tuple[Step | Fault, ...]
    questions: tuple[Texts, ...]


def said_in(language: str, texts: Texts) -> str:
    """Return a text in a language; in English, or in whatever there is, where that lacks."""
    return texts.get(language) or texts.get("en") or next(iter(texts.values()), "")
