"""What is said to an audience has room at every size: every step of every lesson is tried."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QWidget

from explorer.kit.formula import drawn
from explorer.kit.theme import Theme
from explorer.lessons.lesson import said_in
from explorer.lessons.read import read_lesson
from explorer.lessons.schema import Step
from explorer.lessons.steps import code_of
from explorer.resources import lessons
from explorer.rooms.present.side import Said, Share, Side, broken
from explorer.rooms.present.sizes import Sizes
from explorer.rooms.present.wording import paragraph
from explorer.session import CHAIN
from tests.sampled import first_alone

SIZES = ((1024, 768), (1280, 720), (1920, 1080))  # the least room first
SHARES = tuple(Share(name, 0.25, Theme().slot(n)) for n, name in enumerate("abcd"))
MASKED = r"A = \mathrm{softmax}\left(\frac{QK^\top}{\sqrt{d_k}} + M\right)"


def told(path, language: str) -> list[Said]:
    """Return what is said on each page of a lesson."""
    lesson = read_lesson(path)
    steps = [step for step in lesson.steps if isinstance(step, Step)]
    return [
        Said(
            said_in(language, lesson.title),
            paragraph(said_in(language, step.short)),
            step.formula or "",
            {},
            SHARES if step.show.stage is not None and step.show.stage.value in "AO" else (),
            code_of(lesson, place),
        )
        for place, step in enumerate(steps)
    ]


@pytest.mark.parametrize("path", lessons(), ids=lambda path: path.stem)
@pytest.mark.parametrize("size", first_alone(SIZES))
def test_every_step_of_a_lesson_has_room_with_its_formula(qtbot, path, size):
    over = QWidget()
    qtbot.addWidget(over)
    side = Side(CHAIN, over)
    over.show()
    width, height = size
    sizes = Sizes.of(Theme(), width, height)
    for below in (False, True):
        side.arrange(sizes, QRect(0, 0, width, height), sizes.px(460), below)
        for said in (*told(path, "en"), *told(path, "zh")):
            side.say(said)
            if side.crowded:  # as a slide does
                side.arrange(sizes, QRect(0, 0, width, height), sizes.px(460), below)
            assert below or side.formula.isVisible() == bool(said.formula), said
            shown = [side.title, side.text, side.formula, side.code, side.bar]
            for part in (part for part in shown if part.isVisible()):
                assert side.rect().contains(part.geometry()), (said, part)
                assert below or part.geometry().bottom() < side.steps.y(), said
                assert part is side.bar or part.heightForWidth(part.width()) <= part.height()
            assert side.code.isVisible() == bool(said.code.lines)
            if said.code.lines:
                made = side.code.laid
                assert made.size >= 20, said
                assert {line for line, _text in made.rows} >= said.code.marked, said
                assert not side.code.geometry().intersects(side.text.geometry()), said
            for label in (side.title, side.text):
                assert label.font().pixelSize() >= 20
            if side.formula.isVisible():
                assert side.formula.smallest >= 20, said
                assert side.formula.width() >= side.formula.sizeHint().width(), said


def test_a_formula_grows_lines_from_gaps_to_relations_to_terms() -> None:
    lines = [tex.count(r"\\") + 1 for tex in broken(r"Q = X W_q, \quad K = X W_k + b_k")]
    assert lines == [1, 2, 4, 5]
    widths = [drawn(tex, 40, "#000000", {}).width for tex in broken(MASKED)]
    assert len(widths) == 2
    assert widths[0] > widths[1]


def test_a_formula_is_hardly_ever_broken_within_brackets() -> None:
    for tex in (r"\left(a + b = c\right)", r"f_{i + 1 = j}", r"[\,a = b\,]", r"\sqrt{a + b}"):
        assert list(broken(tex)) == [tex]
    *_others, one, last = broken("z = n(y + w)")  # but for terms, where nothing else helps
    assert "n(y + w)" in one
    assert r"\displaystyle + w)" in last


def test_lines_of_a_broken_formula_are_those_of_the_formula() -> None:
    whole = r"x \cdot y = x_1 y_1 + x_2 y_2"
    *_others, most = broken(whole)
    inside = most.removeprefix(r"\begin{array}{l} ").removesuffix(r" \end{array}")
    assert inside.split(r" \\ ") == [
        r"\displaystyle x \cdot y =",
        r"\displaystyle x_1 y_1",
        r"\displaystyle + x_2 y_2",
    ]
