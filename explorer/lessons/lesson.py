"""A lesson as it was read: steps in order, and in place of a step that is wrong, what is wrong."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from explorer.lessons.schema import CodeLine, Step, Task, Texts
from explorer.session import Scene
from explorer.text import N_, Message, Problem, displayable, language, unbroken

_STEP = re.compile(r"\s*\[\[\s*([\"']?)step\1\s*\]\]")
_QUOTED = re.compile(r"""\"{3}|'{3}|"(?:\\.|[^"\\])*"|'[^']*'|#.*""")
_LONG = ('"""', "'''")


class Refused(Problem):
    """What no lesson does by mistake: the whole of it is not opened."""


@dataclass(frozen=True)
class Fault:
    """A step that cannot be shown.

    Parameters
    ----------
    line : int
        Of the file, counted from 1.
    message : Message
        The file, the step, the key and the reason in one sentence.
    scene, trace, model : str or None
        What it names nevertheless: the steps after it are about that.
    """

    line: int
    message: Message
    scene: str | None = None
    trace: str | None = None
    model: str | None = None

    @property
    def names(self) -> bool:
        """Whether it names what it is about."""
        return (self.scene, self.trace, self.model) != (None, None, None)


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
    scenes : mapping of str to Scene
        By the names that steps give them.
    lines : Lines
        Of the file.
    answers : tuple of mapping
        Model answers to the questions, in their order.
    builds_on : tuple of str
        The names of the lessons that it takes for granted, such as "dot-product".
    code : tuple of CodeLine
        A program that its steps speak of.
    tokens : mapping of str to tuple of str
        By language, what the tokens of its scenes are called there.
    minutes : float or None
        That the steps which say none take together.
    """

    path: Path
    title: Texts
    steps: tuple[Step | Fault, ...]
    questions: tuple[Texts, ...]
    scenes: Mapping[str, Scene]
    lines: Lines
    answers: tuple[Texts, ...] = ()
    builds_on: tuple[str, ...] = ()
    code: tuple[CodeLine, ...] = ()
    tokens: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    minutes: float | None = None

    def minutes_until(self, place: int) -> float | None:
        """Return when a class is done with a page, in minutes from the first page's beginning.

        Pages that say nothing share what the lesson says of them together. None where neither the
        lesson nor a step says anything.
        """
        pages = len(self.steps) + bool(self.questions)
        said = [getattr(step, "minutes", None) for step in self.steps]
        said += [None] * (pages - len(said))
        if self.minutes is None and not any(said):
            return None
        each = (self.minutes or 0.0) / max(said.count(None), 1)
        return float(sum(each if own is None else own for own in said[: place + 1]))

    def fault(self, place: int, key: str, problem: Problem) -> Fault:
        """Return what is wrong with a step, from 0; the key is such as `task.check`, or empty."""
        step = self.steps[place]
        return fault(
            self.path, self.lines, place, key, problem, (step.scene, step.trace, step.model)
        )


def said_in(language: str, texts: Texts) -> str:
    """Return a text in a language; in English, or in whatever there is, where that lacks.

    It is made safe to show: a lesson comes from anywhere. Sums and points stay on one line.
    """
    text = texts.get(language) or texts.get("en") or next(iter(texts.values()), "")
    return unbroken(displayable(text).strip())


def printed_text(told: Step | Task) -> str:
    """Return what a handout says of a step or a task, in the language in use."""
    return said_in(language(), told.text | (told.paper or {}))


def fault(
    path: Path,
    lines: Lines,
    place: int,
    key: str,
    problem: Problem,
    named: tuple[str | None, str | None, str | None],
) -> Fault:
    """Return what is wrong at a key of a step, said with its place in the file.

    named : the scene, the trace or the model that it is about, as the step names it
    """
    line = lines.of_key(place, key) if key else lines.of_step(place)
    reason = problem.message
    if key and not reason.template.startswith(("{key}", "{field}")):
        reason = Message(N_("{key}: {reason}"), {"key": key, "reason": reason})
    said = {"file": displayable(path.name, 64), "line": line, "step": place + 1, "reason": reason}
    message = Message(N_("{file}, line {line}, step {step}: {reason}"), said)
    return Fault(line, message, *named)


class Lines:
    """The lines of a lesson file.

    Parameters
    ----------
    text : str
    """

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._starts: list[int] = []
        within = ""  # the quotes of a text over several lines
        for place, line in enumerate(self._lines):
            if not within and _STEP.match(line):
                self._starts.append(place)
            within = _open_quotes(line, within)

    def of_step(self, step: int) -> int:
        """Return the line of a step's heading, counted from 1; the step from 0."""
        return self._starts[step] + 1 if step < len(self._starts) else 1

    def of_top(self, name: str) -> int:
        """Return the line where a key that is no step's stands first; 1 where that is unclear."""
        key = re.compile(rf"\s*\[*{re.escape(name)}\s*[.=\]]")
        return next((at for at, line in enumerate(self._lines, 1) if key.match(line)), 1)

    def of_key(self, step: int, path: str) -> int:
        """Return the line where the last part of a key such as `task.check` stands in a step."""
        if step >= len(self._starts):
            return 1
        ends = [*self._starts[1:], len(self._lines)]
        wanted = re.sub(r"\[.*?\]", "", path).rpartition(".")[2] or path
        key = re.compile(rf"(?:^|[\s.\[{{,]){re.escape(wanted)}\s*(?:[.=]|\]\s*$)")
        for place in range(self._starts[step], ends[step]):
            if key.search(self._lines[place]):
                return place + 1
        return self.of_step(step)


def _open_quotes(line: str, within: str) -> str:
    """Return the quotes that are open after a line; `within` are those open before it."""
    while True:
        if within:
            _text, closed, line = line.partition(within)
            if not closed:
                return within
            within = ""
        found = _QUOTED.search(line)
        if found is None:
            return ""
        line = line[found.end() :]
        within = found[0] if found[0] in _LONG else ""
