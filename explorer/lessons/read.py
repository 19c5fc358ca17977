"""Lesson files: TOML, read step by step, so that one fault spoils one step."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import msgspec

from explorer.lessons.lesson import Fault, Lesson, said_in
from explorer.lessons.lines import Lines
from explorer.lessons.places import OWN, existing_file
from explorer.lessons.schema import FORMAT, VERSION, Head, Step, Task, Texts
from explorer.text import N_, Message, Problem, displayable

LARGEST_FILE = 2**20  # bytes
MOST_STEPS = 100
MOST_WORDS = {"text": 60, "short": 25}
MOST_CHARACTERS = {"text": 110, "short": 45}  # of Chinese, where words have no spaces
LONGEST_FORMULA = 500  # characters
LONGEST_TEXT = 2000  # characters of any one text; what fits is asked of `text` and `short` alone
_BY_CHARACTER = ("zh", "ja")


def read_lesson(path: Path) -> Lesson:
    """Return the lesson in a file. A step that is wrong is a Fault in its place.

    Raises
    ------
    Problem
        Where there is no lesson at all: no file, no TOML, no steps.
    """
    name = displayable(path.name)
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise Problem(N_("{file} cannot be opened: {reason}."), file=name, reason=reason) from None
    try:
        return _lesson(path, data)
    except Problem as problem:
        raise Problem(N_("{file}: {reason}"), file=name, reason=problem.message) from None


def title_of(path: Path, language: str = "en") -> str:
    """Return a lesson's title; its file's name where it cannot be read."""
    try:
        return said_in(language, read_lesson(path).title)
    except Problem:
        return path.stem


def _lesson(path: Path, data: bytes) -> Lesson:
    if len(data) > LARGEST_FILE:
        raise Problem(
            N_("The file is larger than a lesson may be, {most} MiB."), most=LARGEST_FILE // 2**20
        )
    try:
        text = data.decode()
        value = tomllib.loads(text)
    except UnicodeDecodeError:
        raise Problem(N_("This is no text in UTF-8, so it is no lesson.")) from None
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise Problem(N_("This is not TOML: {reason}."), reason=displayable(str(error))) from None
    if value.get("format") != FORMAT:
        raise Problem(N_('This is no lesson: "format" must be "{format}".'), format=FORMAT)
    if value.get("version") != VERSION:
        raise Problem(N_("version must be {known}."), known=VERSION)
    try:
        head = msgspec.convert(value, Head)
    except msgspec.ValidationError as error:
        raise _explained(error)[0] from None
    _check_texts("title", head.title)
    for place, question in enumerate(head.question, 1):
        _check_texts(f"question {place}", question)
    if len(head.step) > MOST_STEPS:
        raise Problem(N_("A lesson has up to {most} steps."), most=MOST_STEPS)
    lines = Lines(text)
    steps: list[Step | Fault] = []
    about = ""
    for place, each in enumerate(head.step):
        about = next((name for name in ("scene", "trace") if name in each), about)
        steps.append(_step(path, place, each, lines, about))
    return Lesson(path, head.title, tuple(steps), head.question)


def _step(
    path: Path, place: int, value: dict[str, object], lines: Lines, about: str
) -> Step | Fault:
    """Return a step, or what is wrong with it.

    about : "scene" or "trace", as was named last; empty where nothing was
    """
    key = ""
    try:
        try:
            step = msgspec.convert(value, Step)
        except msgspec.ValidationError as error:
            problem, key = _explained(error)
            raise problem from None
        for key in ("text", "short"):
            texts: Texts = getattr(step, key)
            _check_texts(key, texts)
            _check_length(key, texts)
        key = "formula"
        if step.formula is not None and len(step.formula) > LONGEST_FORMULA:
            raise Problem(N_("A formula has up to {most} characters."), most=LONGEST_FORMULA)
        key = "task"
        _check_task(step.task)
        for key in ("scene", "trace"):
            source: str | None = getattr(step, key)
            if source is not None and (key, source) != ("trace", OWN):
                existing_file(source, path.parent)
        key = "trace"
        if step.scene is not None and step.trace is not None:
            raise Problem(N_("A step is about a scene or about a trace, not about both."))
        key = ""
        if not about:
            raise Problem(N_("The first step names the scene or the trace it is about."))
        key = "watch" if about == "scene" else "show"
        if key in value:
            raise Problem(
                N_("{key} does not go with a {about}: show is for a scene, watch for a trace."),
                key=key,
                about=about,
            )
    except Problem as problem:
        line = lines.of_key(place, key) if key else lines.of_step(place)
        return Fault(
            line,
            Message(
                N_("{file}, line {line}, step {step}: {reason}"),
                {
                    "file": displayable(path.name),
                    "line": line,
                    "step": place + 1,
                    "reason": problem.message,
                },
            ),
        )
    return step


def _check_task(task: Task | None) -> None:
    if task is not None:
        _check_texts("task.text", task.text)
        _check_texts("task.hint", task.hint)


def _check_texts(key: str, texts: Texts) -> None:
    if not texts:
        raise Problem(N_('{key} has no text in any language: add {key}.en = "…".'), key=key)
    for language, text in texts.items():
        if not text.strip():
            raise Problem(N_("{key}.{language} is empty."), key=key, language=language)
        if len(text) > LONGEST_TEXT:
            raise Problem(
                N_("{key}.{language} is longer than {most} characters."),
                key=key,
                language=language,
                most=LONGEST_TEXT,
            )


def _check_length(key: str, texts: Texts) -> None:
    for language, text in texts.items():
        if language in _BY_CHARACTER:
            count, most = len(re.sub(r"\s", "", text)), MOST_CHARACTERS[key]
            template = N_("{key}.{language} has {count} characters, but up to {most} can be read.")
        else:
            count, most = len(text.split()), MOST_WORDS[key]
            template = N_("{key}.{language} has {count} words, but up to {most} can be read.")
        if count > most:
            raise Problem(template, key=key, language=language, count=count, most=most)


def _explained(error: msgspec.ValidationError) -> tuple[Problem, str]:
    """Return msgspec's complaint as a sentence of ours, and the key that it is about."""
    text, _sep, path = str(error).partition(" - at `$")
    path = displayable(path.removesuffix("`").removeprefix("."), 64)
    if named := re.search(r"(unknown|missing required) field `(.*)`", text, re.DOTALL):
        kind, field = named.groups()
        key = displayable(f"{path}.{field}" if path else field, 64)
        if kind == "unknown":
            return Problem(N_("{key} is no key of a lesson."), key=key), key
        return Problem(N_("{key} is missing."), key=key), path
    said = displayable(text, 120)
    return Problem(N_("{key} does not fit: {reason}."), key=path, reason=said), path
