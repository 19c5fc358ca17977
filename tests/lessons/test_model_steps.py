"""Steps about a model: what is wrong with them is said with its place, what they show is exact."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.app.lessons.asking import asked, wrong_with
from explorer.app.lessons.model_steps import ModelSteps
from explorer.lessons.lesson import Fault, Lesson
from explorer.lessons.models import is_examined
from explorer.lessons.read import read_lesson
from explorer.lessons.readings import holds, number, shares
from explorer.lessons.schema import Check, Examine, Reading, Step
from explorer.lessons.steps import kind_of
from explorer.models import load
from explorer.models.next_token import next_tokens
from explorer.models.switches import Put, Switch, switched
from explorer.resources import example
from explorer.session.lesson import Verdict
from explorer.session.model.frame import ModelFrame
from explorer.session.views import ModelCentre
from explorer.text import Problem

GIFT = "When Mary and John went to the shop, John gave a drink to"
OTHER = "When Anna and Peter went to the park, Peter gave a ball to"
HEAD = """format = "attention-explorer/lesson"
version = 1
title.en = "Own"
"""
STEP = '\n[[step]]\ntext.en = "Look."\nshort.en = "Look."\n'
FIRST = STEP + f'model = "example:stories"\nexamine = {{text = "{GIFT}"}}\n'


def read(folder: Path, steps: str) -> Lesson:
    path = folder / "own.toml"
    path.write_text(HEAD + steps, "utf-8")
    return read_lesson(path)


@pytest.mark.parametrize(
    ("step", "key", "said"),
    [
        (STEP + 'model = "example:gpt"', "model", "There is no example called gpt."),
        (STEP + 'model = "../stories"', "", "outside the lesson's folder"),
        (STEP + 'model = "example:stories"', "examine", "text is missing"),
        (FIRST.replace("}", ", head = 0}"), "examine", "examine.head must be a whole number"),
        (FIRST.replace("}", ', page = "plane"}'), "examine", '"matrix", "text", "flow"'),
        (FIRST.replace("}", ', switch = {"4" = "zeros"}}'), "examine", '"4.2"'),
        (FIRST.replace("}", ', switch = {"4.2" = "off"}}'), "examine", '"zeros", "mean"'),
        (FIRST.replace("}", ', switch = {"4.2" = "other"}}'), "examine", 'other text in "second"'),
        (FIRST + 'show = {stage = "A"}', "show", "examine for a model"),
        (FIRST + 'scene = "example:your-journey"', "model", "not about several"),
        (
            FIRST + 'predict = {ask = "shape", of = {value = "weights"}}',
            "predict",
            'can ask "most", "value" or "choice"',
        ),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(
    tmp_path: Path, step: str, key: str, said: str
) -> None:
    if not key:  # what no lesson does by mistake
        with pytest.raises(Problem, match=said):
            read(tmp_path, step)
        return
    [fault] = read(tmp_path, step).steps
    assert isinstance(fault, Fault)
    assert said in str(fault.message)
    assert str(fault.message).startswith("own.toml, line ")
    assert key in str(fault.message)


def weight(key: int) -> Reading:
    return Reading("weights", query=15, key=key)


def test_what_a_step_shows_and_asks_is_what_the_model_does(tmp_path: Path, qapp) -> None:
    switches = '{"3.3" = "mean", "4.1" = "previous", "2.2" = "other"}'
    lesson = read(
        tmp_path,
        FIRST.replace("}", ", layer = 4, head = 2, query = 15}")
        + 'predict = {ask = "most", of = {value = "weights", query = 15}}\n'
        + STEP
        + f'examine = {{page = "next", word = "John", switch = {switches}, second = "{OTHER}"}}\n'
        + STEP
        + "examine = {layer = 9}\n"
        + STEP
        + 'examine = {layer = 4, query = "to"}\n'
        + STEP
        + 'examine = {word = "unheard"}\n'
        + STEP
        + f'examine = {{word = "Mary", switch = {{}}, text = "{GIFT}"}}\n'
        + 'task = {text.en = "Do.", hint.en = "Do.", check = {value = "probability", word = "Mary",'
        + ' op = "<", than = 0.5}, solution = [{examine = {switch = {"1.1" = "zeros"}}}]}\n',
    )
    assert all(isinstance(step, Step) for step in lesson.steps), lesson.steps
    assert {kind_of(lesson, place) for place in range(6)} == {"model"}
    steps = ModelSteps()
    try:
        first, second = steps.frame(lesson, 0), steps.frame(lesson, 1)
        told = []
        for place in range(2, 6):
            with pytest.raises(Problem) as raised:
                steps.frame(lesson, place)
            told.append(str(raised.value))
    finally:
        steps.close()
    assert "no layer 9 head 2: there are 4 × 4 heads" in told[0]
    assert "2 tokens are called to" in told[1]
    assert "unheard" in told[2]
    assert "does not solve the task" in told[3]

    model = load(example("stories"))
    run = model.run(GIFT)
    row = run.head(4, 2).weights[-1]
    assert first.look.veiled  # a number of it is asked
    assert number(weight(3), first) == pytest.approx(row[2], abs=1e-6)
    names, found = shares(Reading("weights", query=15), first)
    assert names[int(found.argmax())] == "Mary"
    assert "John 5" in names
    assert "<|endoftext|>" not in names
    step = lesson.steps[0]
    assert isinstance(step, Step)
    assert step.predict is not None
    assert wrong_with(step, first) is None
    question = asked(step.predict, first, first, "Mary", "en")
    assert question.verdict is Verdict.RIGHT

    puts = [Switch(3, 3, Put.MEAN), Switch(4, 1, Put.PREVIOUS), Switch(2, 2, Put.OTHER)]
    put = switched(run, puts, other=model.run(OTHER))
    expected = {each.text.strip(): each.probability for each in next_tokens(put, 300).rows}
    assert second.look.centre is ModelCentre.NEXT
    for word in ("Mary", "John"):
        value = number(Reading("probability", word=word), second)
        assert value == pytest.approx(expected[word], abs=1e-6)
    assert is_examined(Examine(layer=4, head=2, page=ModelCentre.NEXT, word="John"), second)
    assert not is_examined(Examine(switch={}), second)
    assert holds(Check(value="probability", word="Mary", op=">", than=0.0), second)
    for reading in (
        Reading("probability", word="elephant"),
        Reading("weights", query=15, key=3, layer=1),
        Reading("loss"),
    ):
        with pytest.raises(Problem):
            number(reading, second)
    with pytest.raises(Problem, match="no run"):
        number(weight(3), ModelFrame())
