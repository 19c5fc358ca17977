"""What a step shows, and the intents that carry out its edits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Literal

from explorer.attention import Variant
from explorer.lessons.colours import slots_at
from explorer.lessons.lesson import Fault, Lesson
from explorer.lessons.models import model_intents_of
from explorer.lessons.readings import AnyFrame, address
from explorer.lessons.runs import run_intents, watch_of
from explorer.lessons.schema import (
    KINDS,
    Edit,
    Fill,
    Kind,
    Pan,
    Reading,
    Select,
    Show,
    Step,
    Turn,
)
from explorer.lessons.tokens import token_place
from explorer.session import (
    Blank,
    Cell,
    Frame,
    Look,
    Matrix,
    Role,
    Scene,
    Selection,
    Stage,
    Trial,
    at_sequence,
    edits,
    fitting_look,
    forms,
    intents,
    resolve,
)
from explorer.session.lesson import Code
from explorer.session.model.frame import ModelFrame
from explorer.session.train import TrainFrame
from explorer.text import N_, Problem, displayable, language

_SETTABLE = frozenset(matrix.value for matrix in Matrix) - {"context", "position"}
_LOOK = ("edges", "scaled", "average", "centre", "comparison", "unnamed")
_KEYED = (Role.K, Role.V)
_FILLED = {
    "raw": Stage.S,
    "scores": Stage.S,
    "weights": Stage.A,
    "head output": Stage.O,
    "output": Stage.O,  # or what follows it, where something does
}
CameraMove = Literal["fit"] | Pan | Turn | None


def as_shown(
    show: Show, scene: Scene, look: Look, select: Select | None = None
) -> tuple[Scene, Look, Selection | None]:
    """Return the scene, the look and the selection of a step. Raises Problem.

    What the step leaves out stays; a stage brings its spaces and edges along.

    select : Select, optional
        What the step before selected: it stays where its tokens are there still.
    """
    if show.sequence is not None:
        if show.sequence > len(scene.sequences):
            raise Problem(
                N_("There is no sequence {place}: the last is {count}."),
                count=len(scene.sequences),
                place=show.sequence,
            )
        scene = at_sequence(scene, show.sequence - 1)
    if show.projections is not None:
        made = edits.add_projections if show.projections else forms.without_projections
        scene = made(scene)
    for option in ("scale", "mask", "temperature", "position", "variant"):
        value = getattr(show, option)
        if value is not None:
            scene = getattr(edits, f"set_{option}")(scene, value)
    if show.stage is not None:
        look = look.at_stage(show.stage)
    changes: dict[str, Any] = {
        name: value for name in _LOOK if (value := getattr(show, name)) is not None
    }
    if show.spaces is not None:
        changes["spaces"] = frozenset(show.spaces)
    if show.head is not None:
        changes["head"] = show.head - 1
    if show.movements is not None:
        changes["movements"] = frozenset(map(Matrix, show.movements))
    if show.trial is not None:
        changes["trial"] = Trial(show.trial)
    look = fitting_look(scene, replace(look, **changes))
    if show.select is not None:
        return scene, look, selected(show.select, scene)
    try:
        return scene, look, None if select is None else selected(select, scene)
    except Problem:
        return scene, look, None


def blanked(fill: Fill, scene: Scene, look: Look) -> Look:
    """Return a look with a step's table to be filled in. Raises Problem where there is none."""
    table = _FILLED.get(fill.table) or Stage(fill.table)
    if fill.table == "output":
        table = Stage.Y if scene.Wo is not None else Stage.C if scene.heads > 1 else Stage.O
    row = None
    if table in (Stage.K, Stage.V):
        row = None if fill.key is None else token_place(fill.key, scene.key_tokens)
    elif fill.query is not None:
        row = token_place(fill.query, scene.tokens)
    if table is Stage.S:
        look = replace(look, scaled=fill.table == "scores")
    look = fitting_look(scene, replace(look, blank=Blank(table, row, within=fill.within)))
    if look.blank is None:
        raise Problem(N_("This scene has no {value}."), value=fill.table)
    return look


def selected(select: Select, scene: Scene) -> Selection:
    """Return what a step selects. Raises Problem where the scene has it not."""
    query = None if select.query is None else token_place(select.query, scene.tokens)
    key = None if select.key is None else token_place(select.key, scene.key_tokens)
    if select.table in _KEYED and key is None:
        raise Problem(N_("A row of {table} is named by its key."), table=str(select.table))
    column = None if select.column is None else select.column - 1
    return Selection(select.table, query, key, column)


def intents_of(edit: Edit, frame: AnyFrame) -> Iterator[object]:
    """Yield the intents that carry out an edit of a lesson. Raises Problem.

    They are those a person's hands would give, so each is undone like any other.
    """
    if isinstance(frame, TrainFrame):
        yield from run_intents(edit, frame)
        return
    if isinstance(frame, ModelFrame):
        yield from model_intents_of(edit, frame)
        return
    if edit.stage is not None:
        yield intents.ShowStage(edit.stage)
        return
    if edit.to is None:
        raise Problem(N_('An edit needs "to".'))
    if edit.option is not None:
        yield from _choice(edit, frame.scene)
    elif edit.set is None:
        raise Problem(N_("An edit sets a number, an option or a stage."))
    elif edit.set not in _SETTABLE:
        raise Problem(N_("{value} is computed: set a number it comes from."), value=edit.set)
    elif isinstance(edit.to, str):
        raise Problem(N_("{value} must be set to a number."), value=edit.set)
    else:
        place = Reading(edit.set, edit.query, edit.key, edit.row, edit.column, edit.head)
        row, column = address(place, frame)
        head = frame.look.head if edit.head is None else edit.head - 1
        of_head = edits.PER_HEAD
        matrix = Matrix(edit.set)
        cell = Cell(matrix, row, column, head if matrix in of_head else 0)
        yield intents.TypeCell(cell, repr(float(edit.to)))


def _choice(edit: Edit, scene: Scene) -> Iterator[object]:
    """Yield the intents that set an option."""
    to: Any = edit.to
    number = None if isinstance(to, str) else float(to)
    match edit.option:
        case "scale" if number is not None or to in ("sqrt_dk", "none"):
            yield intents.SetScale(to)
        case "mask" if to in ("none", "causal"):
            yield intents.SetMask(to)
        case "temperature" if number is not None:
            yield intents.SetTemperature(number, intents.Phase.BEGIN)
            yield intents.SetTemperature(number, intents.Phase.END)
        case "position" if to in ("none", "sinusoidal", "own"):
            yield intents.SetPosition(to)
        case "variant" if to in list(Variant):
            yield intents.SetVariant(Variant(to))
        case "heads" if number is not None and number.is_integer():
            split = scene.Wq is not None and scene.Wq.ndim == 2 and scene.heads > 1
            yield intents.SetHeads(int(number), split=split)
        case _:
            raise Problem(
                N_("{option} cannot be set to {value}."),
                option=edit.option,
                value=displayable(str(to), 24),
            )


def kind_of(lesson: Lesson, place: int) -> Kind:
    """Return what a step is about, as it says itself or as was said before."""
    for step in reversed(lesson.steps[: place + 1]):
        if step.names:
            return next(kind for kind in KINDS if getattr(step, kind) is not None)
    return "scene"


def as_of(lesson: Lesson, place: int) -> tuple[Scene, Look, Selection | None]:
    """Return what a lesson's step shows, whatever was done before it: its scene, look, selection.

    The scene is the one last named, with what the steps from there on have chosen. Raises Problem
    where that scene is wrong or a step names what it has not.
    """
    steps = lesson.steps
    first = next((at for at in range(place, -1, -1) if steps[at].scene is not None), None)
    if first is None:
        raise Problem(N_("No step so far names a scene."))
    scene = lesson.scenes.get(steps[first].scene or "")
    if scene is None:
        raise Problem(N_("It shows the scene of step {step}: correct that first."), step=first + 1)
    scene = _told(scene, lesson.tokens)
    look, select, selection = Look(), None, None
    for step in steps[first : place + 1]:
        if isinstance(step, Step):
            scene, look, selection = as_shown(step.show, scene, look, select)
            select = step.show.select or select
    last = lesson.steps[place]
    if isinstance(last, Step) and last.fill is not None:
        look = blanked(last.fill, scene, look)
    return scene, look, selection


def frame_as_of(lesson: Lesson, place: int) -> Frame:
    """Return what `as_of` says as a frame, in the colours of its scene alone. Raises Problem."""
    return resolve(*as_of(lesson, place))


def frame_of(lesson: Lesson, place: int) -> Frame:
    """Return what a step about a scene shows, in the lesson's colours, with nothing hidden.

    Raises Problem.
    """
    assert kind_of(lesson, place) == "scene"
    return replace(frame_as_of(lesson, place), slots=slots_at(lesson, place))


def _told(scene: Scene, tokens: Mapping[str, tuple[str, ...]]) -> Scene:
    """Return a scene with the names that its tokens have in the language in use."""
    names = tokens.get(language(), ())
    return scene.replace(tokens=names) if len(names) == len(scene.tokens) else scene


def code_of(lesson: Lesson, place: int) -> Code:
    """Return the code that a step shows, with the mistake of its scene; empty without any."""
    step = lesson.steps[place] if place < len(lesson.steps) else None
    if not isinstance(step, Step) or step.code is None:
        return Code()
    variant = Variant.NONE
    if kind_of(lesson, place) == "scene":
        variant = as_of(lesson, place)[0].options.variant
    asks = step.predict is not None and step.predict.ask == "line"
    among = (at for at, line in enumerate(lesson.code) if asks and line.mistakes)
    lines = tuple(line.mistakes.get(variant, line.text) for line in lesson.code)
    return Code(lines, frozenset(line - 1 for line in step.code), frozenset(among))


def scene_named(lesson: Lesson, place: int) -> str | None:
    """Return the name of the scene that a step is about; None where it is about another."""
    if kind_of(lesson, place) != "scene":
        return None
    earlier = reversed(lesson.steps[: place + 1])
    return next((step.scene for step in earlier if step.scene is not None), None)


def stages_met(lesson: Lesson, place: int) -> frozenset[Stage]:
    """Return the stations of the chain that a lesson has shown when it comes to a page."""
    shown = (step.show.stage for step in lesson.steps[: place + 1] if isinstance(step, Step))
    return frozenset(stage for stage in shown if stage is not None)


def first_scene(lesson: Lesson) -> Scene | None:
    """Return the scene that a lesson shows first; None where it shows none.

    Raises Problem where something is wrong with every step.
    """
    if not any(isinstance(step, Step) for step in lesson.steps):
        fault = next(step for step in lesson.steps if isinstance(step, Fault))
        raise Problem.of(fault.message)
    for place, step in enumerate(lesson.steps):
        if isinstance(step, Step) and kind_of(lesson, place) == "scene":
            return as_of(lesson, place)[0]
    return None


def camera_of(lesson: Lesson, place: int) -> CameraMove:
    """Return where the picture of a step is looked at from; None where that is as one likes."""
    if kind_of(lesson, place) == "trace":
        return watch_of(lesson, place).camera
    if kind_of(lesson, place) == "model":
        return None
    camera: CameraMove = None
    for step in lesson.steps[: place + 1]:
        if isinstance(step, Step):
            before = None if step.scene is not None else camera
            camera = step.show.camera or before
    return camera
