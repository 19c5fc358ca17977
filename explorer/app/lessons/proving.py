"""What is wrong with a step that can be told only from what it shows."""

from __future__ import annotations

from explorer.app.lessons.asking import ViewMemory, answer_said
from explorer.app.lessons.tables import after_edits
from explorer.kit.formula import TOKEN, drawn
from explorer.lessons.readings import holds
from explorer.lessons.schema import Step, Task
from explorer.lessons.tokens import token_place
from explorer.session import Frame
from explorer.text import N_, Problem

_SIZE, _INK = 20.0, "#000000"  # any will do


def wrong_with(step: Step, frame: ViewMemory) -> tuple[str, Problem] | None:
    """Return the key at which a step is wrong, and what is; None where all of it is there.

    frame : Frame or TrainFrame
        As the step shows it.
    """
    key = ""
    try:
        if step.formula is not None:
            key = "formula"
            _check_formula(step.formula, frame)
        # What is asked of a run of the reader's may have to wait until there is one.
        if step.predict is not None and (isinstance(frame, Frame) or frame.trace is not None):
            key = "predict"
            answer_said(step.predict, frame, after_edits(step.predict.by, frame))
        if step.task is not None and isinstance(frame, Frame):
            key = "task.check"
            if holds(step.task.check, frame):
                raise Problem(N_("It holds before anything is done."))
            key = "task.solution"
            _check_solution(step.task, frame)
    except Problem as problem:
        return key, problem
    return None


def _check_formula(formula: str, frame: ViewMemory) -> None:
    drawn(formula, _SIZE, _INK, {})
    if isinstance(frame, Frame):
        tokens, others = frame.scene.tokens, frame.scene.key_tokens
    else:
        tokens, others = frame.vocabulary, ()
    if not tokens:
        return  # the reader's own run is still to come
    for name in TOKEN.findall(formula):
        if name not in (*tokens, *others):
            token_place(name, tokens)


def _check_solution(task: Task, frame: Frame) -> None:
    if not holds(task.check, after_edits(task.solution, frame)):
        raise Problem(N_("It does not solve the task."))
