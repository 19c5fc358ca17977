"""Lesson files: TOML, read step by step, so that one fault spoils one step."""

from __future__ import annotations

import re
import tomllib
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
from msgspec import structs

from explorer.attention import Variant
from explorer.lessons.expected import expected, keys_at
from explorer.lessons.lesson import Fault, Lesson, Lines, Refused, fault
from explorer.lessons.models import examine_of
from explorer.lessons.places import OWN, existing_file, existing_model
from explorer.lessons.schema import (
    FORMAT,
    KINDS,
    VERSION,
    Check,
    CodeLine,
    Head,
    Predict,
    Step,
    Task,
    Texts,
)
from explorer.lessons.steps import as_of, kind_of
from explorer.session import Scene, read_scene
from explorer.session.checks import BeyondLimits
from explorer.session.model.switching import Put
from explorer.session.views import EXPLORE, MODEL, TRAIN, highlights
from explorer.text import N_, Listing, Problem, displayable, why_refused

LARGEST_FILE = 10**6  # bytes
LARGEST_SCENES = 8 * 10**6  # bytes of all scenes together
MOST_STEPS = 100
MOST_WORDS = {"text": 60, "short": 25, "paper": 60}
MOST_CHARACTERS = {"text": 110, "short": 45, "paper": 110}  # of Chinese, where words have no spaces
LONGEST_FORMULA = 500  # characters
LONGEST_TEXT = 2000  # characters of any one text; what fits is asked of `text` and `short` alone
MOST_CHECKS = 50
_LEAST_CHOICES = 2
_PARTS = highlights(EXPLORE) | highlights(TRAIN) | highlights(MODEL)
# Those of HTML that no model has for a token, as it may <s>, <pad> or <mask>.
_TAG = re.compile(
    r"</?(?:a|b|body|br|div|em|font|h[1-6]|html|i|iframe|img|input|li|link|meta|object|ol|p|pre|"
    r"script|span|strong|style|su[bp]|svg|table|t[dhr]|u|ul)(?:\s[^<>=]*=[^<>]*)?\s*/?>",
    re.IGNORECASE,
)
# In double quotes TOML takes \token for a tab and "oken".
_CONTROL = re.compile(r"[\0-\x09\x0b-\x1f\x7f-\x9f]")  # but not a new line
_OWN = {"scene": ("show", "fill"), "trace": ("watch", "beside"), "model": ("examine",)}
_OF_SCENES = ("change", "shape", "line")  # what is asked of scenes alone
_BY_CHARACTER = ("zh", "ja")


def read_lesson(path: Path) -> Lesson:
    """Return the lesson in a file. A step that is wrong is a Fault in its place.

    Raises
    ------
    Problem
        Where there is no lesson at all: no file, no TOML, no steps; or one that reaches for what
        is not its own.
    """
    name = displayable(path.name, 64)
    data = _content(path, name)
    try:
        value, text = _table(data)
        head = _head(value, Lines(text))
    except Problem as problem:
        raise Problem(N_("{file}: {reason}"), file=name, reason=problem.message) from None
    lines, scenes = Lines(text), _Scenes(path.parent)
    steps: list[Step | Fault] = []
    about = ""
    for place, each in enumerate(head.step):
        about = next((kind for kind in KINDS if kind in each), about)
        steps.append(_step(path, place, each, lines, about, scenes, head.code))
    return proved(
        Lesson(
            path,
            head.title,
            tuple(steps),
            head.question,
            scenes.read,
            lines,
            head.answer,
            head.builds_on,
            head.code,
            head.tokens,
            head.minutes,
        )
    )


def _content(path: Path, name: str) -> bytes:
    """Return the bytes of a file. Raises Problem."""
    try:
        if path.exists() and not path.is_file():  # a pipe would never end, a folder has no text
            raise Problem(N_("{file} is not a file that can be read."), file=name)
        with path.open("rb") as file:
            return file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        reason = why_refused(error)
        raise Problem(N_("{file} cannot be opened: {reason}."), file=name, reason=reason) from None


def _table(data: bytes) -> tuple[dict[str, object], str]:
    """Return what a file's bytes hold, and as which text. Raises Problem."""
    if len(data) > LARGEST_FILE:
        raise Problem(
            N_("The file is larger than a lesson may be, {most} MB."), most=LARGEST_FILE // 10**6
        )
    try:
        text = data.decode("utf-8-sig")  # some editors put a mark in front
        return tomllib.loads(text), text
    except UnicodeDecodeError:
        raise Problem(N_("This is not UTF-8 text, so it is not a lesson.")) from None
    except RecursionError:
        raise Problem(N_("Its lists are nested too deeply for a lesson.")) from None
    except ValueError as error:
        raise _not_toml(str(error), text) from None


def _not_toml(said: str, text: str) -> Problem:
    place = re.search(r"line (\d+), column (\d+)", said)
    line, column = place.groups() if place else (text.count("\n") + 1, 1)
    return Problem(
        N_(
            "This is not TOML (line {line}, column {column}): a quote, a comma, a bracket or "
            "an = is missing, a backslash is in double quotes, or a key appears twice."
        ),
        line=line,
        column=column,
    )


def _head(value: dict[str, object], lines: Lines) -> Head:
    """Return a lesson as such, its steps unread. Raises Problem."""
    if value.get("format") != FORMAT:
        raise Problem(N_('This is not a lesson: "format" must be "{format}".'), format=FORMAT)
    if value.get("version") != VERSION:
        raise Problem(N_("version must be {known}."), known=VERSION)
    try:
        head = msgspec.convert(value, Head)
    except msgspec.ValidationError as error:
        problem, key = _explained(error, value, of_step=False)
        if not key:  # it is missing, so it has no line
            raise problem from None
        line = lines.of_top(re.split(r"[.\[]", key)[0])
        raise Problem(N_("line {line}: {reason}"), line=line, reason=problem.message) from None
    if len(head.step) > MOST_STEPS:
        raise Problem(N_("A lesson has up to {most} steps."), most=MOST_STEPS)
    _check_texts("title", head.title)
    for place, question in enumerate(head.question, 1):
        _check_texts(f"question {place}", question)
    for place, answer in enumerate(head.answer, 1):
        _check_texts(f"answer {place}", answer)
    if len(head.answer) > len(head.question):
        raise Problem(N_("There are more answers than questions."))
    for each in head.code:
        _check_parts(each.lights)
    return head


class _Scenes:
    """The scenes of a lesson in a folder, each read once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._size = 0
        self.read: dict[str, Scene] = {}

    def take(self, source: str) -> None:
        """Read a scene by its name in the lesson. Raises Problem, Refused where it is too large."""
        if source in self.read:
            return
        path = existing_file(source, self._folder)
        with suppress(OSError):  # it is gone since; reading it will say so
            self._size += path.stat().st_size
        if self._size > LARGEST_SCENES:
            raise Refused(
                N_("{source} is too large: the scenes of a lesson have up to {most} MB."),
                source=displayable(source, 64),
                most=LARGEST_SCENES // 10**6,
            )
        try:
            self.read[source] = read_scene(path)
        except BeyondLimits as problem:
            raise Refused.of(problem.message) from None


def _step(
    path: Path,
    place: int,
    value: dict[str, object],
    lines: Lines,
    about: str,
    scenes: _Scenes,
    code: tuple[CodeLine, ...],
) -> Step | Fault:
    """Return a step, or what is wrong with it; its scene is read with the others.

    about : "scene", "trace" or "model", as was named last; empty where nothing was
    """
    named = {kind: name if isinstance(name := value.get(kind), str) else None for kind in KINDS}
    key = ""
    try:
        for key, source in named.items():
            if source is not None and key == "scene":
                scenes.take(source)
            elif source is not None and key == "model":
                existing_model(source, path.parent)
            elif source is not None and source != OWN:
                existing_file(source, path.parent)
        try:
            step = msgspec.convert(value, Step)
        except msgspec.ValidationError as error:
            problem, key = _explained(error, value, of_step=True)
            raise problem from None
        for key in ("text", "short", "paper"):
            texts: Texts | None = getattr(step, key)
            if texts is not None:
                _check_texts(key, texts)
                _check_length(key, texts)
        key = "formula"
        if step.formula is not None:
            _check_formula(step.formula)
        key = "highlight"
        _check_parts(step.highlight)
        key = "code"
        step = _lit(step, code)
        key = "task"
        _check_task(step.task)
        key = "predict"
        if step.predict is not None:
            _check_predict(step.predict)
        several = [kind for kind in KINDS if kind in value]
        if len(several) > 1:
            key = several[-1]
            raise Problem(N_("A step is about a scene, a trace or a model, not about several."))
        key = ""
        if not about:
            raise Problem(N_("The first step names the scene, trace or model it is about."))
        for kind in KINDS:
            for key in _OWN[kind] if kind != about else ():
                if key in value:
                    raise Problem(
                        N_(
                            "{key} does not go with a {about}: show is for a scene, watch for a"
                            " trace, examine for a model."
                        ),
                        key=key,
                        about=about,
                    )
        key = "predict"
        if about == "model" and step.predict is not None and step.predict.ask in _OF_SCENES:
            raise Problem(
                N_('A step about a model can ask "most", "value" or "choice", not "{ask}".'),
                ask=step.predict.ask,
            )
    except Problem as problem:
        scene, trace, model = (named[kind] for kind in KINDS)
        wrong = fault(path, lines, place, key, problem, (scene, trace, model))
        if isinstance(problem, Refused):
            raise Problem.of(wrong.message) from None
        return wrong
    return step


def _check_formula(formula: str) -> None:
    if len(formula) > LONGEST_FORMULA:
        raise Problem(N_("A formula has up to {most} characters."), most=LONGEST_FORMULA)
    if _CONTROL.search(formula) or "\n" in formula:
        raise Problem(
            N_("It contains a control character: write formulas in single quotes, on one line.")
        )


def _check_parts(names: tuple[str, ...]) -> None:
    for name in names:
        if name not in _PARTS:
            raise Problem(
                N_("{part} is not a part of the window. Choose one of {parts}."),
                part=displayable(name, 24),
                parts=Listing.of(sorted(_PARTS)),
            )


def _lit(step: Step, code: tuple[CodeLine, ...]) -> Step:
    """Return a step that outlines what its lines of code compute. Raises Problem."""
    for line in step.code or ():
        if line > len(code):
            raise Problem(
                N_("There is no line {line} of code: the last is {count}."),
                count=len(code),
                line=line,
            )
    lights = (part for line in step.code or () for part in code[line - 1].lights)
    parts = tuple(dict.fromkeys((*step.highlight, *lights)))
    return msgspec.structs.replace(step, highlight=parts)


def _check_predict(predict: Predict) -> None:
    if predict.text is not None:
        _check_texts("predict.text", predict.text)
    for place, choice in enumerate(predict.choices, 1):
        _check_texts(f"predict.choices {place}", choice)
    if predict.ask == "choice" and not predict.right <= len(predict.choices) >= _LEAST_CHOICES:
        raise Problem(N_('A choice has two or more "choices", and "right" is the number of one.'))


def _check_task(task: Task | None) -> None:
    if task is not None:
        _check_texts("task.text", task.text)
        if task.paper is not None:
            _check_texts("task.paper", task.paper)
        _check_texts("task.hint", task.hint)
        if _count(task.check) > MOST_CHECKS:
            raise Problem(N_("A task has up to {most} checks."), most=MOST_CHECKS)


def _count(check: Check) -> int:
    return 1 + sum(map(_count, (*(check.all or ()), *(check.any or ()))))


def _check_texts(key: str, texts: Texts) -> None:
    if not texts:
        raise Problem(N_('{key} has no text in any language: add {key}.en = "…".'), key=key)
    for name, text in texts.items():
        language = displayable(name, 24)
        if not text.strip():
            raise Problem(N_("{key}.{language} is empty."), key=key, language=language)
        if tag := _TAG.search(text):
            raise Refused(
                N_("{key}.{language} holds HTML, {tag}: a lesson is plain text."),
                key=key,
                language=language,
                tag=displayable(tag[0], 24),
            )
        if len(text) > LONGEST_TEXT:
            raise Refused(
                N_("{key}.{language} is longer than {most} characters."),
                key=key,
                language=language,
                most=LONGEST_TEXT,
            )
        if _CONTROL.search(text):
            raise Problem(
                N_("{key}.{language} holds a control character: write \\\\ for a backslash."),
                key=key,
                language=language,
            )


def _check_length(key: str, texts: Texts) -> None:
    for name, text in texts.items():
        language = displayable(name, 24)
        if language in _BY_CHARACTER:
            count, most = len(re.sub(r"\s", "", text)), MOST_CHARACTERS[key]
            template = N_("{key}.{language} has {count} characters, but up to {most} can be read.")
        else:
            count, most = len(text.split()), MOST_WORDS[key]
            template = N_("{key}.{language} has {count} words, but up to {most} can be read.")
        if count > most:
            raise Problem(template, key=key, language=language, count=count, most=most)


def _explained(
    error: msgspec.ValidationError, value: dict[str, object], *, of_step: bool
) -> tuple[Problem, str]:
    """Return msgspec's complaint about a table as a sentence of ours, and the key it is about."""
    text, _sep, path = str(error).partition(" - at `$")
    path = displayable(path.removesuffix("`").removeprefix("."), 64)
    path = re.sub(r"\[\.\.\.\]$", lambda _hidden: f".{_entry(value, path)}", path)
    path = re.sub(r"\[(\d+)\]", lambda place: f"[{int(place[1]) + 1}]", path)  # as all is counted
    if named := re.search(r"(unknown|missing required) field `(.*)`", text, re.DOTALL):
        kind, field = named.groups()
        key = displayable(f"{path}.{field}" if path else field, 64)
        if kind == "unknown":
            keys = keys_at(path, of_step=of_step)
            return Problem(
                N_("{key} is not a key of a lesson. Possible here: {keys}."), key=key, keys=keys
            ), key
        return Problem(N_("{key} is missing."), key=key), path
    said = expected(path, of_step=of_step)
    return Problem(N_("{field} must be {expected}."), field=path, expected=said), path


def _entry(value: object, path: str) -> str:
    """Return the key that is wrong in a table at a path: in `task.hint[...]` a language without a
    text, in `examine.switch[...]` a head that nothing known is put in place of."""
    for key, place in re.findall(r"(\w+)|\[(\d+)\]", path):
        inner: Any = value
        value = inner[int(place) if place else key]
    entries = value if isinstance(value, dict) else {}
    known = list(Put) if path.endswith("switch[...]") else None
    wrong = (
        name
        for name, each in entries.items()
        if (not isinstance(each, str) if known is None else each not in known)
    )
    return displayable(next(wrong), 24)


def proved(lesson: Lesson) -> Lesson:
    """Return a lesson in which a step that shows what its scene has not is a Fault."""
    for place, step in enumerate(lesson.steps):
        kind = kind_of(lesson, place)
        if isinstance(step, Step) and kind == "model":
            try:
                examine_of(lesson, place)
            except Problem as problem:
                lesson = _with(lesson, place, lesson.fault(place, "examine", problem))
        if isinstance(step, Step) and kind == "scene":
            try:
                variant = as_of(lesson, place)[0].options.variant
            except Problem as problem:
                key = "show" if step.fill is None else "fill"
                lesson = _with(lesson, place, lesson.fault(place, key, problem))
                continue
            if step.predict is not None and step.predict.ask == "line":
                lesson = _with(lesson, place, _of_lines(lesson, place, step, step.predict, variant))
    return lesson


def _with(lesson: Lesson, place: int, step: Step | Fault) -> Lesson:
    before, after = lesson.steps[:place], lesson.steps[place + 1 :]
    return replace(lesson, steps=(*before, step, *after))


def _of_lines(
    lesson: Lesson, place: int, step: Step, predict: Predict, variant: Variant
) -> Step | Fault:
    """Return a step that asks for a line as one that asks for a choice of the lines' numbers.

    Of several lines that a mistake changes the last is right: what comes before was moved there.
    """
    lines = [at for at, line in enumerate(lesson.code) if line.mistakes]
    wrong = [number for number, at in enumerate(lines, 1) if variant in lesson.code[at].mistakes]
    if not wrong or len(lines) < 2:
        problem = Problem(N_("A line of the code must have the mistake that the scene makes."))
        return lesson.fault(place, "predict", problem)
    choices = tuple({"en": str(at + 1)} for at in lines)
    asked = structs.replace(predict, choices=choices, right=wrong[-1])
    return structs.replace(step, predict=asked)
