"""What is asked over the window, and that one goes on where one was."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt

from explorer.session import Matrix, Space
from tests.app.test_dialogs import Answers, press


@pytest.mark.parametrize(
    ("answer", "value"), [(Qt.Key.Key_Return, 1234.5), (Qt.Key.Key_Escape, 0.2)]
)
def test_after_a_question_about_a_number_the_keyboard_is_with_the_table_again(
    person, answer, value
):
    grid = person.window.explore_page.inputs.weights[Matrix.WK].grid
    asked = Answers()
    person.click_cell(grid, 0, 1)
    person.keys("1,234.5")
    asked.next(press(answer))
    person.key(Qt.Key.Key_Return)
    assert asked.texts
    assert person.session.scene.Wk[0, 1] == value
    assert person.window.focusWidget() is grid


def test_closing_in_the_middle_of_a_drag_asks_about_what_is_seen(person):
    start = person.point(Space.X, 0)
    person.press(start)
    person.move(start - QPoint(60, 40))
    dragged = person.session.scene
    asked = Answers()
    asked.next(press(Qt.Key.Key_Escape))
    person.window.close()
    person.settle()
    assert asked.texts
    assert person.session.scene is dragged
    assert person.session.history.undo_name is not None
    person.release(start)
    assert person.session.scene is dragged
