"""A lesson as one HTML page, to be played on a phone or from a learning platform."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

from explorer.app.handout.exercises import CHOICES, OPTIONS
from explorer.app.lessons.asking import asked, wrong_numbers
from explorer.app.lessons.hiding import asked_by
from explorer.app.lessons.tables import after_edits
from explorer.attention import VARIANT_TITLES
from explorer.kit.formula import TOKEN, drawn
from explorer.lessons.lesson import Fault, Lesson, said_in
from explorer.lessons.readings import AnyFrame, address, number
from explorer.lessons.runs import cursor_of, trace_of, watch_of
from explorer.lessons.schema import Check, Reading, Step
from explorer.lessons.steps import code_of, frame_of, kind_of, scene_named
from explorer.session import Context, Frame, Look, Scene, Stage, Veil, compute, resolve
from explorer.session.blanks import blank_cells
from explorer.session.copy_head import head_scene
from explorer.session.lesson import Verdict
from explorer.session.look import AFTER
from explorer.session.train import TrainFrame, TrainSession
from explorer.share.page import page
from explorer.share.scene_page import STAGES, is_live, opened, scene_data, view_data
from explorer.text import (
    N_,
    Message,
    Problem,
    _,
    display_number,
    displayable,
    language,
    languages,
    use_language,
)
from explorer.traces import TraceFile

if TYPE_CHECKING:
    from explorer.app.lessons.model_steps import ModelSteps

MOST_BYTES = 400_000
SCRIPTS = ("attend.js", "plane.js", "scene.js", "lesson.js")
_INK = "#161c26"
_FORMULA_SIZE = 19
_OF_OPTION = {
    "scale": ("sqrt_dk", "none"),
    "mask": ("none", "causal"),
    "position": ("none", "sinusoidal"),
}


def lesson_page(
    lesson: Lesson, told: Callable[[float], None] = lambda _share: None
) -> tuple[bytes, tuple[Message, ...]]:
    """Return the page of a lesson in all languages, and what is wrong with its steps.

    told : is told now and then what share is done; what it raises ends the work

    The page asks, checks and hides as the program does. A step about a run shows the attention
    that was recorded; one about the reader's own run says that it is for the program. Raises
    Problem where the page would be larger than 400 kB.
    """
    held = _Held()
    steps: dict[str, list[dict[str, Any]]] = {}
    titles: dict[str, str] = {}
    questions: dict[str, list[list[str]]] = {}
    wrong: dict[int, Message] = {}
    with _keeping_language(), closing(held):
        for code in languages():
            use_language(code)
            steps[code] = []
            for place in range(len(lesson.steps)):
                done = len(steps) - 1 + place / len(lesson.steps)
                told(done / len(languages()))
                steps[code].append(_step(lesson, place, held, wrong))
            titles[code] = displayable(said_in(code, lesson.title))
            answers = [said_in(code, each) for each in lesson.answers]
            questions[code] = [
                [said_in(code, each), answers[i] if i < len(answers) else ""]
                for i, each in enumerate(lesson.questions)
            ]
    spoken = language()
    data = {
        "titles": titles,
        "steps": steps,
        "questions": questions,
        "scenes": held.scenes,
        "formulas": held.formulas,
    }
    made = page(titles[spoken], _still(steps[spoken], titles[spoken]), data, SCRIPTS, "lessonPage")
    if len(made) > MOST_BYTES:
        raise Problem(
            N_(
                "The page would have {found} kB, but at most {most} are possible:"
                " share fewer or smaller steps."
            ),
            found=len(made) // 1000,
            most=MOST_BYTES // 1000,
        )
    return made, tuple(wrong.values())


class _Held:
    """What several steps and languages share: scenes and formulas, each once; and models."""

    def __init__(self) -> None:
        self.scenes: list[Any] = []
        self.formulas: list[Any] = []
        self._places: dict[str, int] = {}

    @cached_property
    def models(self) -> ModelSteps:
        """What runs models."""
        from explorer.app.lessons.model_steps import ModelSteps

        return ModelSteps()

    def close(self) -> None:
        """End what runs."""
        if "models" in vars(self):
            self.models.close()

    def scene(self, scene: Scene) -> int:
        """Return the place of a scene."""
        return self._place(self.scenes, scene_data(scene))

    def formula(self, tex: str, frame: Frame | None) -> int:
        """Return the place of a formula. Raises Problem where it does not parse."""
        tokens: dict[str, str] = {}
        if frame is not None:
            names = [*frame.scene.tokens, *(frame.scene.context or frame.scene).tokens]
            tokens = {
                name: f"#0000{slot:02x}"
                for name, slot in zip(names, frame.slots, strict=False)
                if slot >= 0
            }
        picture = drawn(tex, _FORMULA_SIZE, _INK, tokens)
        root = ET.fromstring(picture.svg)
        told = {
            "tex": TOKEN.sub("", tex),
            "size": [round(picture.width, 1), round(picture.height, 1)],
            "box": root.get("viewBox"),
            "parts": [part for child in root for part in _parts(child)],
        }
        return self._place(self.formulas, told)

    def _place(self, kept: list[Any], value: Any) -> int:
        key = json.dumps(value, sort_keys=True)
        if key not in self._places:
            self._places[key] = len(kept)
            kept.append(value)
        return self._places[key]


def _parts(element: ET.Element) -> Iterator[list[Any]]:
    """Yield the paths and bars of a drawn formula, with the colour slot of each; −1 for none."""
    kind = element.tag.rpartition("}")[2]
    if kind == "g":
        for child in element:
            yield from _parts(child)
    elif kind in ("path", "rect"):
        fill = element.get("fill", "")
        slot = int(fill[5:], 16) if fill.startswith("#0000") else -1
        names = ("d",) if kind == "path" else ("x", "y", "width", "height")
        yield [kind, {name: element.get(name, "0") for name in names}, slot]


def _step(lesson: Lesson, place: int, held: _Held, wrong: dict[int, Message]) -> dict[str, Any]:
    """Return a step in the language in use; of a faulty one what is wrong with it."""
    step = lesson.steps[place]
    if isinstance(step, Fault):
        wrong[place] = step.message
        return {"text": str(step.message)}
    try:
        return _told(lesson, place, step, held)
    except Problem as problem:
        wrong[place] = lesson.fault(place, "", problem).message
        return {"text": str(wrong[place])}


def _told(lesson: Lesson, place: int, step: Step, held: _Held) -> dict[str, Any]:
    told: dict[str, Any] = {"text": said_in(language(), step.text)}
    frame: AnyFrame | None
    shown: Frame | None = None
    kind = kind_of(lesson, place)
    if kind == "model":
        frame = held.models.frame(lesson, place)
        told["note"] = _("This step is about a model: open the lesson in the program.")
    elif kind == "trace":
        frame = _run_frame(lesson, place)
        shown = None if frame is None else _recorded(frame)
        if frame is None:
            told["note"] = _("This step is about your own run: open the lesson in the program.")
        elif shown is not None:
            told["note"] = shown.scene.title
    else:
        frame = shown = frame_of(lesson, place)
    if shown is not None and is_live(shown.scene):
        opened_at = opened(shown)
        told |= {"scene": held.scene(shown.scene), "view": view_data(opened_at)}
        if isinstance(frame, Frame):
            told["asks"] = _asks(lesson, place, shown)
    if step.formula is not None:
        told["formula"] = held.formula(step.formula, shown)
    code = code_of(lesson, place)
    if code.lines:
        told["code"] = [[line, at in code.marked] for at, line in enumerate(code.lines)]
    if step.predict is not None and frame is not None:
        told["question"] = _question(step, frame)
    if step.fill is not None and isinstance(frame, Frame):
        told["fill"] = _fill(frame)
    if step.task is not None:
        task: dict[str, Any] = {
            "text": said_in(language(), step.task.text),
            "hint": said_in(language(), step.task.hint),
        }
        if isinstance(frame, Frame):
            solved = after_edits(step.task.solution, frame)
            task |= {
                "check": _check(step.task.check, frame),
                "options": _options(step.task.check),
                "solved": held.scene(solved.scene),
                "stage": STAGES[solved.look.stage],
            }
        told["task"] = task
    return told


def _run_frame(lesson: Lesson, place: int) -> TrainFrame | None:
    """Return what a step shows of a run; None where that is the reader's own. Raises Problem."""
    path = trace_of(lesson, place)
    if path is None:
        return None
    session = TrainSession()
    session.show(TraceFile(path), path.stem)
    frame = session.frame
    return replace(frame, cursor=cursor_of(watch_of(lesson, place), frame))


def _recorded(frame: TrainFrame) -> Frame | None:
    """Return the attention that a run recorded as a frame; None where it holds too little."""
    cursor = frame.cursor
    assert frame.trace is not None
    try:
        place = cursor.step, cursor.sample, cursor.layer, cursor.head or 0
        scene = head_scene(frame.trace, *place, exact=False)
    except Problem:
        return None
    if not is_live(scene):  # the width of its X; that of a head is smaller
        result = compute(scene)
        context = Context(scene.key_tokens, result.K[0])
        scene = Scene(
            tokens=scene.tokens,
            X=result.Q[0],
            context=context,
            V=result.V[0],
            options=replace(scene.options, rotary=None, qk_norm=None, position="none"),
            title=scene.title,
        )
    return resolve(scene, Look().at_stage(Stage.A))


def _asks(lesson: Lesson, place: int, here: Frame) -> dict[str, list[list[Any]]]:
    """Return what each page from here on hides until it is answered: tables, or cells of them."""
    found: dict[str, list[list[Any]]] = {}
    step = lesson.steps[place]
    teaches = step.teaches if isinstance(step, Step) else ()
    for later in range(place, len(lesson.steps)):
        if scene_named(lesson, later) != scene_named(lesson, place):
            continue
        try:
            veils = asked_by(lesson, later, here)
        except Problem:
            continue
        hidden = [cell for veil in veils if veil.table not in teaches for cell in _hidden(veil)]
        if hidden:
            found[str(later)] = hidden
    return found


def _hidden(veil: Veil) -> Iterator[list[Any]]:
    """Yield the tables that a veil hides, each with a row and a column, or None for all."""
    if veil.whole:
        for stage in sorted(AFTER[veil.table]):
            yield [str(stage), None, None]
    else:
        yield [str(veil.table), veil.row, veil.column]
        if veil.table is Stage.A:  # the bars beside the outputs are weights
            yield from ([str(stage), None, None] for stage in (Stage.O, Stage.C, Stage.Y))


def _question(step: Step, frame: AnyFrame) -> dict[str, Any]:
    """Return a question, and what is said to each answer."""
    predict = step.predict
    assert predict is not None
    after = after_edits(predict.by, frame)

    def answered(given: str, last: bool = True) -> Any:
        return asked(predict, frame, after, given, language(), last=last)

    question = answered("")
    if question.choices:
        said = {each: answered(each) for each in question.choices}
        replies = {each: [one.verdict is Verdict.RIGHT, one.said] for each, one in said.items()}
        return {"text": question.text, "choices": list(question.choices), "said": replies}
    value = number(predict.of, frame)
    return {
        "text": question.text,
        "value": value,
        "right": answered(repr(value)).said,
        "wrong": answered("1e49").said,
        "again": (again := answered("1e49", last=False).said),
        "hints": [
            [wrong, said]
            for wrong in dict.fromkeys(wrong_numbers(predict.of, frame))
            if math.isfinite(wrong)
            and (told := answered(repr(wrong), last=False)).again
            and (said := told.said) != again
        ],
    }


def _fill(frame: Frame) -> dict[str, Any]:
    """Return the table that is filled in by hand: names, and the numbers of its cells."""
    blank = frame.look.blank
    assert blank is not None
    values, scene = frame.table(blank.table), frame.scene
    pairs = blank.table in (Stage.S, Stage.A)
    keys = blank.table in (Stage.K, Stage.V)
    open_cells = set(blank_cells(frame))
    cells = [
        [
            float(value) if (row, column) in open_cells else display_number(value, 3)
            for column, value in enumerate(line)
        ]
        for row, line in enumerate(values.tolist())
        if blank.row in (None, row)
    ]
    names = scene.key_tokens if keys else scene.tokens
    return {
        "letter": str(blank.table),
        "rows": [name for row, name in enumerate(names) if blank.row in (None, row)],
        "columns": list(scene.key_tokens) if pairs else None,
        "cells": cells,
        "within": blank.within,
        "hides": [str(stage) for stage in sorted(AFTER[blank.table])],
    }


def _check(check: Check, frame: Frame) -> dict[str, Any]:
    """Return a check with its places as numbers. Raises Problem."""
    for name in ("all", "any"):
        if (several := getattr(check, name)) is not None:
            return {name: [_check(each, frame) for each in several]}
    if check.stage is not None:
        return {"stage": STAGES[check.stage]}
    if check.option is not None:
        return {"option": check.option, "is": check.is_}
    than = _reading(check.than, frame) if isinstance(check.than, Reading) else check.than
    return {**_reading(check, frame), "op": check.op, "than": than, "within": check.within}


def _reading(reading: Reading | Check, frame: Frame) -> dict[str, Any]:
    row, column = address(reading, frame)
    head = None if reading.head is None else reading.head - 1
    return {"table": reading.value, "row": row, "column": column, "head": head}


def _options(check: Check) -> list[list[Any]]:
    """Return the options that a check is about: name, title, and the choices with their titles."""
    found: list[list[Any]] = []
    for each in check.all or check.any or ():
        found += _options(each)
    option = check.option
    if option == "variant":
        choices = [[str(each), _(title)] for each, title in VARIANT_TITLES.items()]
        found.append([option, _(OPTIONS[option]), choices])
    elif option in _OF_OPTION:
        choices = [[each, _(CHOICES[each])] for each in _OF_OPTION[option]]
        found.append([option, _(OPTIONS[option]), choices])
    elif option is not None:
        found.append([option, _(OPTIONS[option]), None])
    return found


def _still(steps: list[dict[str, Any]], title: str) -> list[ET.Element]:
    """Return the texts of all steps, for where no script runs."""
    top = ET.Element("header")
    ET.SubElement(top, "h1").text = title
    body = ET.Element("section", {"class": "still"})
    listed = ET.SubElement(body, "ol")
    for step in steps:
        ET.SubElement(listed, "li").text = step["text"]
    return [top, body]


@contextmanager
def _keeping_language() -> Iterator[None]:
    before = language()
    try:
        yield
    finally:
        use_language(before)
