"""Code beside a lesson: what its lines light, how it follows the scene's mistake, what is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.app.lessons.asking import answer_said, asked
from explorer.attention import Variant
from explorer.kit.code_lines import laid
from explorer.lessons.lesson import Fault
from explorer.lessons.read import read_lesson
from explorer.lessons.schema import Step
from explorer.lessons.steps import code_of, frame_as_of
from explorer.resources import lessons
from explorer.session.lesson import Code, Verdict
from tests.lessons.test_shipped import steps

HEAD = """
format = "attention-explorer/lesson"
version = 1
title.en = "Code"

[[code]]
text = "S = Q @ K.T / 2 ** 0.5"
lights = ["scores"]
mistakes = {unscaled = "S = Q @ K.T", multiplied = "S = Q @ K.T * 2 ** 0.5"}
[[code]]
text = "A = softmax(S)"
lights = ["weights", "plane"]
mistakes = {softmax_first = "A = softmax(S) / 2 ** 0.5"}

[[step]]
scene = "example:cat-likes-fish"
text.en = "Look."
short.en = "Look."
highlight = ["plane"]
"""


def written(folder: Path, more: str) -> Step | Fault:
    path = folder / "own.toml"
    path.write_text(HEAD + more, "utf-8")
    return read_lesson(path).steps[0]


def test_a_step_outlines_what_its_lines_compute(tmp_path: Path) -> None:
    step = written(tmp_path, "code = [1, 2]\n")
    assert isinstance(step, Step)
    assert step.highlight == ("plane", "scores", "weights")
    lesson = read_lesson(tmp_path / "own.toml")
    marked = frozenset({0, 1})
    assert code_of(lesson, 0) == Code(("S = Q @ K.T / 2 ** 0.5", "A = softmax(S)"), marked)


@pytest.mark.parametrize(
    ("variant", "line", "text"),
    [("unscaled", "1", "S = Q @ K.T"), ("softmax_first", "2", "A = softmax(S) / 2 ** 0.5")],
)
def test_the_wrong_line_is_that_of_the_scene_s_mistake(
    tmp_path: Path, variant: str, line: str, text: str
) -> None:
    more = f'code = []\nshow = {{variant = "{variant}"}}\n'
    step = written(tmp_path, more + 'predict = {ask = "line", of = {value = "weights"}}\n')
    assert isinstance(step, Step)
    lesson = read_lesson(tmp_path / "own.toml")
    assert code_of(lesson, 0).lines[int(line) - 1] == text
    frame = frame_as_of(lesson, 0)
    assert step.predict is not None
    for given in ("1", "2"):
        question = asked(step.predict, frame, frame, given, "en")
        assert question.choices == ("1", "2")
        assert question.verdict is (Verdict.RIGHT if given == line else Verdict.WRONG)


def test_a_shape_is_computed_and_stands_among_others(tmp_path: Path) -> None:
    ask = 'predict = {ask = "shape", of = {value = "Q", query = "cat", column = 1}}\n'
    step = written(tmp_path, ask)
    assert isinstance(step, Step)
    assert step.predict is not None
    frame = frame_as_of(read_lesson(tmp_path / "own.toml"), 0)
    assert "4 × 2" in answer_said(step.predict, frame, frame)
    assert asked(step.predict, frame, frame, "", "en").choices == ("2 × 2", "2 × 4", "4 × 2")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("code = [3]\n", "There is no line 3 of code: the last is 2."),
        ('predict = {ask = "choice", of = {value = "Q"}}\n', 'A choice has two or more "choices"'),
        ('predict = {ask = "line", of = {value = "Q"}}\n', "A line of the code must have"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, more: str, said: str) -> None:
    step = written(tmp_path, more)
    assert isinstance(step, Fault)
    assert said in str(step.message)


def test_every_mistake_is_made_in_the_code_of_a_lesson() -> None:
    lines = [line for path in lessons() for line in read_lesson(path).code]
    made = {variant for line in lines for variant in line.mistakes}
    assert made == set(Variant) - {Variant.NONE, Variant.AVERAGE}
    asks = [step.predict for path in lessons() for step in steps(path) if step.code == ()]
    assert len(asks) == 5


def test_lines_shrink_then_break_and_only_those_that_are_spoken_of_are_shown(qapp: object) -> None:
    code = Code(tuple(f"    number {place} of a rather long line" for place in range(20)))
    whole = laid(code, 1000.0, 16.0)
    assert [line for line, _text in whole.rows] == list(range(20))
    assert whole.size == 16.0
    narrow = laid(code, 150.0, 16.0)
    assert narrow.size == pytest.approx(12.8)
    assert len(narrow.rows) > 20
    assert laid(code, 150.0, 16.0, smallest=15.0).size == 15.0
    assert "".join(text.replace(" ", "") for line, text in narrow.rows if line == 3) == (
        code.lines[3].replace(" ", "")
    )
    marked = laid(Code(code.lines, frozenset({7})), 1000.0, 16.0)
    assert [line for line, _text in marked.rows] == [6, 7, 8]
    assert not marked.rows[0][1].startswith(" ")
