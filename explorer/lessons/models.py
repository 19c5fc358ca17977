"""Steps about a model: what it is run on, where they look, what they read there, and the intents
that get there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from msgspec.structs import replace as changed

from explorer.lessons.lesson import Lesson
from explorer.lessons.places import existing_model
from explorer.lessons.schema import Check, Edit, Examine, Reading, Step
from explorer.lessons.tokens import named, named_place, token_place
from explorer.session import Array, Stage, intents
from explorer.session.model import intents as model_intents
from explorer.session.model.frame import ModelFrame, ModelLook
from explorer.session.model.switching import Put, Switches
from explorer.session.views import ModelCentre
from explorer.text import N_, Problem, displayable

_FIRST = Examine(  # what a model shows before a step says anything
    layer=1,
    head=1,
    page=ModelCentre.MATRIX,
    stage=ModelLook.stage,
    effects=False,
    switch={},
    second="",
)
_HEAD = re.compile(r"([1-9]\d{0,4})\.([1-9]\d{0,4})")
_POINTS = (Stage.X, Stage.Q, Stage.K, Stage.V, Stage.O)  # stages that are shown as points
# Among so many next tokens the likeliest is asked for, among so many tokens the one with the
# largest weight.
_WORDS, _TOKENS = 5, 8


def model_of(lesson: Lesson, place: int) -> Path:
    """Return the folder of a step's model. Raises Problem."""
    earlier = reversed(lesson.steps[: place + 1])
    source = next(step.model for step in earlier if step.model is not None)
    return existing_model(source, lesson.path.parent)


def examine_of(lesson: Lesson, place: int) -> Examine:
    """Return where a step looks: what it leaves out stays as the steps before it left it.

    Raises Problem where no step says what the model is run on, or one names no head.
    """
    found = _FIRST
    for step in lesson.steps[: place + 1]:
        if not isinstance(step, Step):
            continue
        before = _FIRST if step.model is not None else changed(found, query=None, key=None)
        said = step.examine.said()
        if "stage" in said:
            points = said["stage"] in _POINTS
            said = {"page": ModelCentre.SPACES if points else ModelCentre.MATRIX, **said}
        found = changed(before, **said)
    if found.text is None:
        raise Problem(N_("{field} is missing."), field="examine.text")
    switches_of(found)
    return found


def switches_of(examine: Examine) -> Switches:
    """Return what is put in place of heads. Raises Problem where one is not named as a head."""
    puts: list[tuple[int, int, Put]] = []
    for name, put in (examine.switch or {}).items():
        match = _HEAD.fullmatch(name)
        if match is None:
            raise Problem(
                N_('{name} is not a head: layer 4 head 2 is called "4.2".'),
                name=displayable(name, 24),
            )
        puts.append((int(match[1]) - 1, int(match[2]) - 1, put))
    if any(put is Put.OTHER for *_head, put in puts) and not examine.second:
        raise Problem(N_('A head set to "other" needs the other text in "second".'))
    return Switches().with_second(examine.second or "", puts)


def check_heads(examine: Examine, frame: ModelFrame) -> None:
    """Raise Problem where a head is named that the model has not, or there is no model."""
    info = frame.info
    if info is None:
        raise Problem(N_("There is no run to look at."))
    heads = [(layer, head) for layer, head, _put in switches_of(examine).puts]
    heads.append(((examine.layer or 1) - 1, (examine.head or 1) - 1))
    for layer, head in heads:
        if layer >= info.layers or head >= info.heads:
            raise Problem(
                N_("There is no layer {layer} head {head}: there are {layers} × {heads} heads."),
                layer=layer + 1,
                head=head + 1,
                layers=info.layers,
                heads=info.heads,
            )


def arranged(examine: Examine, frame: ModelFrame) -> Iterator[object]:
    """Yield the intents that let one look, in a run, where a step looks. Raises Problem."""
    names = names_of(frame)
    if examine.stage is not None:
        yield intents.ShowStage(examine.stage)
    if examine.page is not None:
        yield model_intents.ChangeModelLook({"centre": examine.page})
    if examine.effects is not None:
        yield model_intents.ShowEffects(examine.effects)
    if examine.layer is not None or examine.head is not None:
        cursor = frame.cursor
        layer = cursor.layer if examine.layer is None else examine.layer - 1
        yield model_intents.GoToHead(
            layer, cursor.head if examine.head is None else examine.head - 1
        )
    query = None if examine.query is None else token_place(examine.query, names)
    key = None if examine.key is None else token_place(examine.key, names)
    if query is not None:
        yield model_intents.SelectPair(query, key)
    if examine.word is not None:
        if examine.word != followed(frame):
            yield model_intents.FollowWord(examine.word)
    elif frame.word is not None:
        yield model_intents.FollowToken(None)


def is_there(examine: Examine, frame: ModelFrame) -> bool:
    """Return whether all numbers of where a step looks have come."""
    run, head, cursor = frame.run, frame.head, frame.cursor
    if run is None or head is None or frame.stale:
        return False
    if examine.word != (followed(frame) if frame.word is not None else None):
        return False
    if cursor.key is not None:
        pair = frame.pair
        shown = None if pair is None else (pair.run, pair.query, pair.key)
        if shown != (run.number, cursor.query, cursor.key):
            return False
    return (head.run, head.layer, head.head) == (run.number, cursor.layer, cursor.head)


def is_examined(examine: Examine, frame: ModelFrame) -> bool:
    """Return whether one looks where a check says, in all that it says. Raises Problem."""
    cursor, look = frame.cursor, frame.look
    names = names_of(frame)
    places = (
        (examine.layer, cursor.layer + 1),
        (examine.head, cursor.head + 1),
        (examine.page, look.centre),
        (examine.stage, look.stage),
        (examine.effects, look.effects),
        (examine.text, frame.text),
        (examine.word, followed(frame)),
    )
    if any(said is not None and said != found for said, found in places):
        return False
    if examine.switch is not None and switches_of(examine).puts != frame.switches.puts:
        return False
    pairs = (examine.query, cursor.query), (examine.key, cursor.key)
    return all(name is None or token_place(name, names) == place for name, place in pairs)


def model_intents_of(edit: Edit, frame: ModelFrame) -> Iterator[object]:
    """Yield the intents that carry out an edit in Model. Raises Problem."""
    examine = edit.examine
    if examine is None:
        raise Problem(N_('An edit of a model needs "examine".'))
    check_heads(examine, frame)
    if frame.run is not None:
        # First, as a run that is begun brings along the head that is looked at.
        yield from arranged(changed(examine, word=examine.word or followed(frame)), frame)
    if examine.text is not None:
        yield model_intents.EditText(examine.text)
        yield model_intents.RunText()
    if examine.second is not None:
        yield model_intents.EditSecond(examine.second)
    if examine.switch is not None:
        now, wanted = frame.switches, switches_of(examine)
        for layer, head in sorted(now.off | wanted.off):
            if (put := wanted.put(layer, head)) is not now.put(layer, head):
                yield model_intents.SwitchHead(layer, head, put)


def model_number(reading: Reading | Check, frame: ModelFrame) -> float:
    """Return the number of a model's run that is meant. Raises Problem where it has none."""
    if reading.value == "probability":
        word = str(named(reading.word, "word", reading.value))
        _current(frame)
        rows = () if frame.next is None else frame.next.rows
        for row in rows:
            if row.text.strip() == word:
                return row.probability
        raise Problem(
            N_("{word} is not among the next tokens that are shown: examine follows it by word."),
            word=displayable(word, 24),
        )
    return float(_row(reading, frame)[named_place(reading, "key", names_of(frame))])


def model_shares(reading: Reading | Check, frame: ModelFrame) -> tuple[tuple[str, ...], Array]:
    """Return the tokens among which a query's attention or the next token's chance is shared.

    Of several tokens that are called alike their places from 1 follow; special ones, such as [CLS],
    are left out where a word has the largest weight, and so are all but those with the largest
    weights. Raises Problem.
    """
    if reading.value == "probability":
        _current(frame)
        rows = () if frame.next is None else frame.next.rows
        if not rows:
            raise Problem(N_("This model has no {value}."), value=reading.value)
        first = sorted(rows[:_WORDS], key=lambda row: row.text)
        return tuple(row.text.strip() for row in first), np.array([r.probability for r in first])
    row, names = _row(reading, frame), names_of(frame)
    assert frame.run is not None
    special = frame.run.special
    words = [
        place
        for place in np.argsort(-row, kind="stable").tolist()
        if row[place] > 0 and (special[int(row.argmax())] or not special[place])
    ]
    words = sorted(words[:_TOKENS])
    placed = [f"{name} {at}" if names.count(name) > 1 else name for at, name in enumerate(names, 1)]
    return tuple(placed[place] for place in words), row[words]


def names_of(frame: ModelFrame) -> tuple[str, ...]:
    """Return what the tokens of a run are called. Raises Problem where there is none."""
    if frame.run is None:
        raise Problem(N_("There is no run to look at."))
    return tuple(displayable(piece.text).strip() for piece in frame.run.pieces)


def followed(frame: ModelFrame) -> str | None:
    """Return the next token that is followed, in the run that is shown; None where none is."""
    follows, rows = frame.follows, () if frame.next is None else frame.next.rows
    found = (row.text.strip() for row in rows if follows is not None and row.id == follows.word)
    return next(found, None)


def _row(reading: Reading | Check, frame: ModelFrame) -> Array:
    """Return the weights of a query, in the head that is looked at."""
    _current(frame)
    if reading.value != "weights":
        raise Problem(N_("This model has no {value}."), value=reading.value)
    if (reading.layer, reading.head) != (None, None):
        raise Problem(N_("A weight of a model comes from the head named by examine."))
    head, cursor = frame.head, frame.cursor
    assert head is not None
    if (head.layer, head.head) != (cursor.layer, cursor.head):
        raise Problem(N_("There is no run to look at."))
    row: Array = head.arrays.weights[named_place(reading, "query", names_of(frame))]
    return row


def _current(frame: ModelFrame) -> None:
    if frame.run is None or frame.stale or frame.head is None:
        raise Problem(N_("There is no run to look at."))
