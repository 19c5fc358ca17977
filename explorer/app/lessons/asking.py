"""What a prediction asks, and what is said to an answer."""

from __future__ import annotations

import numpy as np

from explorer.lessons.lesson import said_in
from explorer.lessons.predictions import Answer, answer, likely_mistakes
from explorer.lessons.readings import address, number, token_place
from explorer.lessons.schema import Predict, Reading
from explorer.session import Frame
from explorer.session.lesson import Question, Verdict
from explorer.text import N_, Message, NotANumber, _, display_number, displayable

MORE, LESS = N_("More"), N_("Less")
_TABLES = {"scores": "scores", "weights": "weights", "head output": "output"}


def asked(predict: Predict, before: Frame, after: Frame, given: str, language: str) -> Question:
    """Return a question with what is said to the answer given so far. Raises Problem.

    Parameters
    ----------
    before : Frame
        As the step shows it.
    after : Frame
        With the edits that the prediction is about; the same where there are none.
    given : str
        Empty before there is an answer.
    """
    text = said_in(language, predict.text) if predict.text is not None else _usual(predict, before)
    match predict.ask:
        case "most":
            return _most(predict.of, text, before, given)
        case "change":
            return _change(predict.of, text, before, after, given)
        case _:
            return _value(predict.of, text, before, given)


def is_answer(text: str) -> bool:
    """Return whether a typed text is a number."""
    try:
        answer(text)
    except NotANumber:
        return False
    return True


def _usual(predict: Predict, frame: Frame) -> str:
    of = predict.of
    if predict.ask == "most":
        return _("Which token will {query} attend to most?").format(query=_name(of.query, frame))
    if predict.ask == "change":
        return _("Will this number become more or less?")
    return _("Which number is it? Type at least two decimals.")


def _most(of: Reading, text: str, frame: Frame, given: str) -> Question:
    query = token_place(of.query or 1, frame.scene.tokens)
    weights = frame.attention.weights[_head(of, frame), query]
    keys = frame.scene.key_tokens
    best = int(np.argmax(weights))
    choices = tuple(dict.fromkeys(keys))
    if not given:
        return Question(text, choices)
    right = given == keys[best]
    template = N_("Right: {key} gets {weight}.") if right else N_("No: {key} gets {weight}.")
    said = Message(
        template, {"key": displayable(keys[best], 24), "weight": display_number(weights[best], 3)}
    )
    return Question(text, choices, given, _verdict(right), str(said))


def _change(of: Reading, text: str, before: Frame, after: Frame, given: str) -> Question:
    choices = (_(MORE), _(LESS))
    if not given:
        return Question(text, choices)
    old, new = number(of, before), number(of, after)
    right = given == (choices[0] if new > old else choices[1])
    template = N_("Right: from {old} to {new}.") if right else N_("No: from {old} to {new}.")
    said = Message(template, {"old": display_number(old, 3), "new": display_number(new, 3)})
    return Question(text, choices, given, _verdict(right), str(said))


def _value(of: Reading, text: str, frame: Frame, given: str) -> Question:
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
    parts = [str(Message(N_("No: it is {value}."), {"value": display_number(value, 3)}))]
    parts += [str(mistake) for mistake in _mistakes(of, frame, typed)]
    return Question(text, (), given, Verdict.WRONG, " ".join(parts))


def _mistakes(of: Reading, frame: Frame, typed: Answer) -> list[Message]:
    table = _TABLES.get(of.value)
    if table is None:
        opposite = Message(N_("The sign is the other one."))
        return [opposite] if typed.fits(-number(of, frame)) else []
    row, column = address(of, frame)
    return likely_mistakes(frame.attention, _head(of, frame), table, row, column, typed)


def _head(of: Reading, frame: Frame) -> int:
    return frame.look.head if of.head is None else of.head - 1


def _name(token: str | int | None, frame: Frame) -> str:
    return displayable(frame.scene.tokens[token_place(token or 1, frame.scene.tokens)], 24)


def _verdict(right: bool) -> Verdict:
    return Verdict.RIGHT if right else Verdict.WRONG
