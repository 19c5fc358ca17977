"""A worksheet opened by its number: its tables are hidden, filled in and checked in the window."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from explorer.app.worksheet.lesson import sheet_lesson
from explorer.lessons.marking import marking
from explorer.lessons.steps import as_of
from explorer.session import Frame, Stage, resolve
from explorer.session.blanks import checked, filled
from explorer.session.intents import FillCells
from explorer.session.lesson import Verdict
from explorer.text import Message
from explorer.worksheets import Choices, What, made_sheet, sheet_scene

NUMBER = "4711-03"


def said(panel) -> str:
    """Return all that the panel shows, as one text."""
    return "\n".join(label.text() for label in panel.findChildren(QLabel) if label.isVisible())


@pytest.mark.parametrize("asked", [NUMBER, f" {NUMBER} "])
def test_its_number_opens_a_sheet_with_its_results_hidden(person, asked):
    window = person.window
    assert window.open_file(Path(asked))
    person.settle()
    sheet = made_sheet(Choices(), 4711, 3)
    assert (person.session.scene.X == sheet_scene(sheet).X).all()
    assert f"Worksheet {NUMBER}" in said(window.explore_page.lesson)
    hidden = {veil.table for veil in person.session.look.veils}
    blank = person.session.look.blank
    assert {blank.table, *hidden} == {Stage.Q, Stage.K, Stage.V, Stage.S, Stage.A, Stage.O}
    person.key(Qt.Key.Key_PageDown)
    assert person.session.look.blank.table is Stage.K
    assert Stage.Q not in {veil.table for veil in person.session.look.veils}


def test_an_open_sheet_speaks_another_language(person):
    window = person.window
    assert window.open_file(Path(NUMBER))
    window.speak("zh")
    person.settle()
    assert f"练习 {NUMBER}" in said(window.explore_page.lesson)
    assert "填写 Q，再按" in said(window.explore_page.lesson)
    assert window.windowTitle().startswith(f"练习 {NUMBER}")
    window.speak("en")
    person.settle()
    assert window.windowTitle().startswith(f"Worksheet {NUMBER}")


def test_a_title_that_was_typed_stays(person):
    window = person.window
    window.session.edit(Message("typed"), window.session.scene.replace(title="Worksheet 3"))
    window.speak("zh")
    assert window.windowTitle().startswith("Worksheet 3")
    window.speak("en")


def test_a_number_that_is_none_is_said_to_be_none(person):
    assert not person.window.open_file(Path("4711-999"))
    sentence = person.window.explore_page.error_bar.sentence
    assert sentence.startswith("4711-999 is not a worksheet's number")
    assert person.session.look.blank is None


def test_a_wrong_number_is_said_where_the_tables_have_the_place_of_the_picture(person):
    person.window.resize(1024, 768)
    person.window.appearance.scale_text_to(125)
    assert person.window.open_file(Path(NUMBER))
    person.settle()
    page = person.window.explore_page
    assert page.results.isVisible()
    assert not person.plane.isVisible()
    for number, seen in (("4711-999", True), ("4711-04", False)):
        assert person.window.open_file(Path(number)) is not seen
        person.settle()
        assert page.error_bar.isVisible() is seen
        assert page.left.height() == page.body.height()


@pytest.mark.parametrize(
    "choices",
    [
        Choices(),
        Choices(columns=True, heads=2),
        Choices(tokens=4, width=3, decimals=1, table=False, mask=True),
        Choices(what=What.OUTPUT),
    ],
    ids=["usual", "columns", "long", "output"],
)
def test_what_was_right_on_paper_is_right_in_the_window(choices: Choices) -> None:
    sheet = made_sheet(choices, 77)
    lesson = sheet_lesson(sheet)
    grids = [grid for step in sheet.steps for grid in step.grids]
    grids = [grid for grid in grids if grid.key.rstrip("12") not in ("E", "sum")]
    assert len(lesson.steps) == len(grids)
    for place, grid in enumerate(grids):
        scene, look, _selection = as_of(lesson, place)
        paper = tuple(
            tuple("" if cell is None else grid.text(cell) for cell in row) for row in grid.cells
        )
        verdicts = _checked(resolve(scene, look), paper)
        assert set(verdicts.values()) == {Verdict.RIGHT}, grid.title
        wrong = tuple(
            tuple(text and f"{float(text.replace('−', '-')) + 0.2:.2f}" for text in row)
            for row in paper
        )
        assert set(_checked(resolve(scene, look), wrong).values()) == {Verdict.WRONG}, grid.title


def _checked(frame: Frame, texts: tuple[tuple[str, ...], ...]) -> dict[tuple[int, int], Verdict]:
    look = filled(frame.look, frame.scene, FillCells(0, 0, texts))
    return dict(marking(resolve(frame.scene, checked(look))).verdicts)
