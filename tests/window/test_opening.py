"""Where the keyboard is after another scene came on the table."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit

from explorer.app.dialogs import QtDialogs
from explorer.resources import example
from explorer.session import Matrix, read_scene
from tests.window.conftest import Person

CAT = example("cat-likes-fish.json")
JOURNEY = example("your-journey.json")


@pytest.mark.parametrize("how", ["new", "open", "example", "revert"])
def test_what_is_half_typed_is_taken_and_another_scene_begins_at_the_plane(
    person: Person, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    asked_with = []

    def answer(with_what: object) -> object:
        asked_with.append(float(person.session.scene.Wq[0, 0]))
        return with_what

    monkeypatch.setattr(QtDialogs, "ask_unsaved", lambda _dialogs, _title: answer("discard"))
    monkeypatch.setattr(QtDialogs, "ask_revert", lambda _dialogs, _title: answer(True))
    document = person.window.document
    grid = person.window.explore_page.inputs.weights[Matrix.WQ].grid
    person.click_cell(grid, 0, 0)
    person.key(Qt.Key.Key_F2)
    assert isinstance(QApplication.focusWidget(), QLineEdit)
    person.keys("7")
    if how == "new":
        person.window.opening.new()
    elif how == "open":
        person.window.open_file(JOURNEY)
    elif how == "example":
        document.open_example(CAT)
    else:
        document.revert()
    person.settle()
    assert QApplication.focusWidget() is person.plane.viewport()
    assert asked_with == [7.0]  # it belonged to the scene before
    came = {"open": JOURNEY, "example": CAT, "revert": CAT}
    expected = np.eye(2) if how == "new" else read_scene(came[how]).Wq
    np.testing.assert_array_equal(person.session.scene.Wq, expected)
