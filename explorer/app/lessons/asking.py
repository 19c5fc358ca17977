"""What a prediction asks, what is said to an answer, and what is wrong with a step."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from explorer.app.lessons.tables import after_edits
from explorer.kit.formula import TOKEN, drawn
from explorer.lessons.lesson import said_in
from explorer.lessons.mistakes import Pick, after_heads, mistaken, of_head
from explorer.lessons.models import names_of
from explorer.lessons.predictions import Answer, answer, explained, likely_mistakes
from explorer.lessons.readings import AnyFrame, address, holds, missed, number, shares, table_of
from explorer.lessons.runs import words_of
from explorer.lessons.schema import Predict, Reading, Step, Task
from explorer.lessons.tokens import token_place
from explorer.lessons.worked import slips, usual_slips, worked
from explorer.session import Frame
from explorer.session.lesson import Question, Verdict
from explorer.session.model.frame import ModelFrame
from explorer.session.train import TrainFrame
from explorer.text import (
    N_,
    Message,
    NotANumber,
    Problem,
    _,
    display_number,
    displayable,
    in_a_row,
    language,
)

_SIZE, _INK = 20.0, "#000000"  # of a formula that is tried; any will do
_LETTERS = {"raw": "QKᵀ", "scores": "S", "weights": "A", "head output": "O", "output": "Y"}
_SHAPES = 3  # to choose from at least
LARGER, SMALLER = N_("Larger"), N_("Smaller")
_OF_HEAD = {
    "raw": "raw",
    "scores": "scores",
    "weights": "weights",
    "head output": "head_output",
}


def asked(
    predict: Predict,
    before: AnyFrame,
    after: AnyFrame,
    given: str,
    language: str,
    *,
    shown: bool = False,
    last: bool = True,
) -> Question:
    """Return a question with what is said to the answer given so far. Raises Problem.

    Parameters
    ----------
    before : Frame, TrainFrame or ModelFrame
        As the step shows it.
    after : likewise
        With the edits that the prediction is about; the same where there are none.
    given : str
        Empty before there is an answer.
    shown : bool
        Whether the answer was revealed without one.
    last : bool
        Whether a wrong number is told the right one, or what is wrong with it alone.
    """
    text = said_in(language, predict.text) if predict.text is not None else _usual(predict, before)
    match predict.ask:
        case "most":
            question = _most(predict.of, text, before, given, shown)
        case "change":
            question = _change(predict.of, text, before, after, given, shown)
        case "shape" | "choice" | "line":
            choices, right = _choices(predict, before, language)
            question = _chosen(text, choices, right, given, shown)
        case _:
            question = _value(predict.of, text, before, given, last=last and not shown)
    if shown and question.verdict is not Verdict.RIGHT and (not question.said or question.again):
        told = answer_said(predict, before, after)
        question = replace(question, verdict=Verdict.SHOWN, said=told, again=False)
    return replace(question, general=predict.text is None and predict.ask in ("change", "value"))


def answer_said(predict: Predict, before: AnyFrame, after: AnyFrame) -> str:
    """Return what should be predicted, as whoever asks wants to have it at hand. Raises Problem."""
    of = predict.of
    match predict.ask:
        case "most":
            keys, weights = shares(of, before)
            best = int(np.argmax(weights))
            right = f"{displayable(keys[best], 24)} {display_number(weights[best], 3)}"
        case "change":
            old, new = number(of, before), number(of, after)
            right = f"{display_number(old, 3)} → {display_number(new, 3)}"
        case "shape" | "choice" | "line":
            right = _choices(predict, before, language())[1]
        case _:
            right = _worked(of, before) or display_number(number(of, before), 3)
    return _("Answer: {answer}").format(answer=right)


def is_answer(text: str) -> bool:
    """Return whether a typed text is a number."""
    try:
        answer(text)
    except NotANumber:
        return False
    return True


def _usual(predict: Predict, frame: AnyFrame) -> str:
    of = predict.of
    if predict.ask == "most" and of.value == "probability":
        if isinstance(frame, TrainFrame):
            words = displayable(words_of(of, frame), 48)
            return _("Which word does the model expect after “{words}”?").format(words=words)
        return _("Which word does the model expect next?")
    if predict.ask == "most":
        return _("Which token will “{query}” attend to most?").format(query=_name(of.query, frame))
    if predict.ask == "change":
        return _("Will this number become larger or smaller?")
    if predict.ask == "shape":
        table = _LETTERS.get(of.value, of.value)
        return _("How many rows and columns does {table} have?").format(table=table)
    if predict.ask == "line":
        return _("Which line of the code is wrong?")
    if predict.ask == "choice":
        return _("What is right?")
    return _("Which number is it? Type at least two decimals.")


def _choices(predict: Predict, frame: AnyFrame, language: str) -> tuple[tuple[str, ...], str]:
    """Return what there is to choose from, and the right one. Raises Problem."""
    if predict.ask != "shape":
        said = tuple(said_in(language, each) for each in predict.choices)
        return said, said[predict.right - 1]
    if not isinstance(frame, Frame):
        raise Problem(N_("Only a scene can be asked for a shape."))
    rows, columns = table_of(predict.of.value, frame, predict.of.head).shape
    tokens, width = frame.scene.X.shape
    d_k = frame.attention.d_k
    # What comes out where a transpose is missing, or rows of X or of Q are taken for it.
    pairs = (rows, columns), (columns, rows), (tokens, d_k), (d_k, d_k), (tokens, width)
    shapes = sorted({*pairs, (tokens, tokens)} if len(set(pairs)) < _SHAPES else set(pairs))
    return tuple(map(_shape, shapes)), _shape((rows, columns))


def _shape(shape: tuple[int, int]) -> str:
    return f"{shape[0]} × {shape[1]}"


def _chosen(text: str, choices: tuple[str, ...], right: str, given: str, shown: bool) -> Question:
    if not given:
        return Question(text, choices, right=right if shown else "")
    found = given == right
    template = N_("Right: {value}.") if found else N_("No: it is {value}.")
    said = str(Message(template, {"value": right.rstrip(".。")}))
    return Question(text, choices, given, _verdict(found), said, right)


def _most(of: Reading, text: str, frame: AnyFrame, given: str, shown: bool) -> Question:
    keys, weights = shares(of, frame)
    best = int(np.argmax(weights))
    choices = tuple(dict.fromkeys(keys))
    if not given:
        return Question(text, choices, right=keys[best] if shown else "")
    # Of keys that share alike any is right.
    largest = np.flatnonzero(weights >= weights[best] - 1e-12).tolist()
    chosen = [place for place in largest if keys[place] == given]
    right = bool(chosen)
    best = chosen[0] if right else best
    template = N_("Right: {key} gets {weight}.") if right else N_("No: {key} gets {weight}.")
    said = Message(
        template, {"key": displayable(keys[best], 24), "weight": display_number(weights[best], 3)}
    )
    return Question(text, choices, given, _verdict(right), str(said), keys[best])


def _change(
    of: Reading, text: str, before: AnyFrame, after: AnyFrame, given: str, shown: bool
) -> Question:
    choices = (_(LARGER), _(SMALLER))
    if not given and not shown:
        return Question(text, choices)
    old, new = number(of, before), number(of, after)
    best = "" if new == old else choices[0 if new > old else 1]
    if not given:
        return Question(text, choices, right=best)
    right = given == best
    template = N_("Right: from {old} to {new}.") if right else N_("No: from {old} to {new}.")
    said = Message(template, {"old": display_number(old, 3), "new": display_number(new, 3)})
    return Question(text, choices, given, _verdict(right), str(said), best)


def _worked(of: Reading, frame: AnyFrame) -> str:
    return worked(of, frame) if isinstance(frame, Frame) else ""


def _value(of: Reading, text: str, frame: AnyFrame, given: str, *, last: bool) -> Question:
    if not given:
        return Question(text)
    try:
        typed = answer(given)
    except NotANumber:
        return Question(text, (), given, Verdict.OPEN, _("Type a number, for example 0.5"))
    value = number(of, frame)
    if typed.fits(value):
        said = str(Message(N_("Right: {value}."), {"value": display_number(value, 3)}))
        return Question(text, (), given, Verdict.RIGHT, said)
    mistakes = _mistakes(of, frame, typed)
    if not mistakes and isinstance(frame, Frame):
        mistakes = slips(of, frame, typed)
    named = [str(mistake) for mistake in mistakes]
    if not last:
        said = in_a_row([_("Not yet."), *(named or [_("Try again.")])])
        return Question(text, (), given, Verdict.WRONG, said, again=True)
    told = _("No: it is {value}.").format(value=display_number(value, 3))
    steps = _worked(of, frame)
    return Question(text, (), given, Verdict.WRONG, in_a_row([told, *named, steps]))


def wrong_numbers(of: Reading, frame: AnyFrame) -> list[float]:
    """Return what usual mistakes and slips make of a number. Raises Problem."""
    found = [-number(of, frame)]
    if isinstance(frame, Frame):
        pick = _pick(of, frame)
        made = [] if pick is None else mistaken(frame.scene, frame.attention, pick)
        found += (float(table[address(of, frame)]) for _name, table in made)
        found += (value for value, _name in usual_slips(of, frame))
    return found


def _mistakes(of: Reading, frame: AnyFrame, typed: Answer) -> list[Message]:
    pick = _pick(of, frame) if isinstance(frame, Frame) else None
    if not isinstance(frame, Frame) or pick is None:
        return explained(np.array([[number(of, frame)]]), (), {(0, 0): typed})
    return likely_mistakes(frame, pick, {address(of, frame): typed})


def _pick(of: Reading, frame: Frame) -> Pick | None:
    """Return what picks a number's table; None for those that are not made of scores."""
    if of.value == "output":
        return after_heads
    head = frame.look.head if of.head is None else of.head - 1
    return of_head(_OF_HEAD[of.value], head) if of.value in _OF_HEAD else None


def _name(token: str | int | None, frame: AnyFrame) -> str:
    if isinstance(frame, ModelFrame):
        tokens = names_of(frame)
    else:
        tokens = frame.words if isinstance(frame, TrainFrame) else frame.scene.tokens
    return displayable(tokens[token_place(token or 1, tokens)], 24)


def _verdict(right: bool) -> Verdict:
    return Verdict.RIGHT if right else Verdict.WRONG


def wrong_with(step: Step, frame: AnyFrame) -> tuple[str, Problem] | None:
    """Return the key at which a step is wrong, and what is; None where all of it is there.

    frame : Frame, TrainFrame or ModelFrame
        As the step shows it.
    """
    key = ""
    try:
        if step.formula is not None:
            key = "formula"
            _check_formula(step.formula, frame)
        # What is asked of a run of the reader's may have to wait until there is one.
        if step.predict is not None and _is_there(frame):
            key = "predict"
            answer_said(step.predict, frame, after_edits(step.predict.by, frame))
        if step.task is not None and not isinstance(frame, TrainFrame) and _is_there(frame):
            key = "task.check"
            if holds(step.task.check, frame):
                raise Problem(N_("It is already true before anything is done."))
            key = "task.solution"
            if isinstance(frame, Frame):
                _check_solution(step.task, frame)
    except Problem as problem:
        return key, problem
    return None


def _is_there(frame: AnyFrame) -> bool:
    """Return whether there is something to look at yet."""
    if isinstance(frame, ModelFrame):
        return frame.run is not None
    return isinstance(frame, Frame) or frame.trace is not None


def _check_formula(formula: str, frame: AnyFrame) -> None:
    drawn(formula, _SIZE, _INK, {})
    if isinstance(frame, Frame):
        tokens, others = frame.scene.tokens, frame.scene.key_tokens
    elif isinstance(frame, TrainFrame):
        tokens, others = frame.vocabulary, ()
    else:
        tokens, others = names_of(frame) if frame.run is not None else (), ()
    if not tokens:
        return  # the reader's own run is still to come
    for name in TOKEN.findall(formula):
        if name not in (*tokens, *others):
            token_place(name, tokens)


def _check_solution(task: Task, frame: Frame) -> None:
    solved = after_edits(task.solution, frame)
    if holds(task.check, solved):
        return
    short = missed(task.check, solved)
    if short is None:
        raise Problem(N_("It does not solve the task."))
    raise Problem(
        N_("It does not solve the task: {value} becomes {reached}."),
        value=short[0],
        reached=display_number(short[1], 4),
    )
