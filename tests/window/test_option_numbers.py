"""Numbers that only some scenes have, in the left panel of the real window: typed and undone."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget

from explorer.rooms.explore.options.score_groups import MistakesGroup
from explorer.rooms.explore.options.shape_groups import SequencesGroup
from explorer.session import Cell, Context, Matrix, Scene, edits, forms, position_rows
from tests.scenes import assert_same_scene
from tests.window.conftest import Person
from tests.window.unfolded import CONTROL, KEY, Options

ONE_WINDOW = True  # which begins anew for each test

ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def options(person: Person) -> Options:
    return Options(person)


def write(options: Options, grid, row: int, column: int, text: str) -> None:
    options.see(grid)
    options.person.click_cell(grid, row, column + grid.numbers.first)
    options.person.keys(text)
    options.person.key(KEY.Key_Return)


def grid_of(options: Options, matrix: Matrix):
    inputs = options.inputs
    if matrix is Matrix.WO:
        return inputs.output.grid
    if matrix is Matrix.BO:
        return inputs.output.bias.grid
    if matrix is Matrix.CONTEXT:
        return inputs.context.grid
    if matrix is Matrix.POSITION:
        return inputs.position.grid
    return inputs.weights[Matrix("W" + matrix[1])].bias.grid


WITH: dict[Matrix, Callable[[Scene], Scene]] = {
    Matrix.BQ: lambda scene: forms.set_bias(scene, "bq", True),
    Matrix.BK: lambda scene: forms.set_bias(scene, "bk", True),
    Matrix.BV: lambda scene: forms.set_bias(scene, "bv", True),
    Matrix.WO: lambda scene: forms.set_output(scene, True),
    Matrix.BO: lambda scene: forms.set_bias(forms.set_output(scene, True), "bo", True),
    Matrix.CONTEXT: lambda scene: forms.set_context(scene, Context(("a", "b"), np.ones((2, 2)))),
    Matrix.POSITION: lambda scene: edits.set_position(scene, np.zeros((4, 2))),
}


@pytest.mark.parametrize("matrix", WITH)
def test_every_number_is_typed_pasted_nudged_and_refused(options, matrix: Matrix) -> None:
    person = options.person
    person.session.open(WITH[matrix](options.scene))
    person.settle()
    before, grid = options.scene, grid_of(options, matrix)

    write(options, grid, 0, 1, "0,5")
    assert_same_scene(options.scene, edits.set_cells(before, Cell(matrix, 0, 1), [[0.5]]))
    person.click_cell(grid, 0, 0 + grid.numbers.first)
    person.key(KEY.Key_Up, ALT, grid)
    value = edits.head_matrix(before, matrix)[0, 0]
    assert edits.head_matrix(options.scene, matrix)[0, 0] == value + 0.1
    QGuiApplication.clipboard().setText("7\t8")
    person.key(KEY.Key_V, CONTROL, grid)
    assert edits.head_matrix(options.scene, matrix)[0].tolist() == [7, 8]
    for _step in range(3):
        options.undo()
    assert options.scene is before

    write(options, grid, 0, 0, "much")
    assert person.session.frame.held
    assert list(person.session.frame.invalid) == [Cell(matrix, 0, 0)]
    assert grid.cells.index(0, grid.numbers.first).data() == "much"
    assert "Type a number" in message_beside(grid)
    person.click_cell(grid, 0, grid.numbers.first)
    person.key(KEY.Key_Escape, widget=grid)
    assert not person.session.frame.held
    assert message_beside(grid) == ""


def message_beside(grid) -> str:
    """Return what is said below a grid."""
    label = grid.parentWidget().message
    return label.text() if label.isVisible() else ""


def test_a_bias_belongs_to_the_chosen_head(options) -> None:
    person = options.person
    scene = forms.set_heads(options.scene, 2, split=False)
    person.session.open(forms.set_bias(scene, "bk", True))
    person.session.look_at(person.session.look.__class__(head=1))
    person.settle()
    write(options, grid_of(options, Matrix.BK), 0, 1, "3")
    assert options.scene.bk.tolist() == [[0, 0], [0, 3]]


def test_tokens_of_the_context_are_added_renamed_and_removed(options) -> None:
    options.open("translation.json")
    person, rows = options.person, options.inputs.context
    options.push(rows.add_token)
    person.keys("le")
    person.key(KEY.Key_Return)
    assert options.scene.context.tokens == ("猫", "坐", "着", "le")
    assert options.scene.tokens == ("the", "cat", "sits")
    person.click_cell(rows.grid, 0, 0)
    person.key(KEY.Key_Down, ALT | Qt.KeyboardModifier.ShiftModifier, rows.grid)
    assert options.scene.context.tokens == ("坐", "猫", "着", "le")
    person.click_cell(rows.grid, 0, 0)
    person.key(KEY.Key_Delete, widget=rows.grid)
    assert options.scene.context.tokens == ("猫", "着", "le")
    for _step in range(4):
        options.undo()
    assert options.scene.context.tokens == ("猫", "坐", "着")


def test_a_sinusoidal_position_is_unfolded_to_be_looked_at(options) -> None:
    options.open("order-regained.json")
    person, rows = options.person, options.inputs.position
    before = options.scene
    assert not rows.shown.isVisible()
    options.push(rows.toggle)
    assert rows.shown.isVisible()
    assert np.array_equal(rows.shown.numbers.values, position_rows(before))
    person.click_cell(rows.shown, 1, 1)
    person.keys("9")
    person.key(KEY.Key_Return)
    assert options.scene is before
    options.push(rows.toggle)
    assert not rows.shown.isVisible()


def test_a_sequence_is_picked_above_its_tokens(options) -> None:
    options.open("batch-of-three.json")
    before, picker = options.scene, options.inputs.sequences
    names = [picker.combo.itemText(place) for place in range(picker.combo.count())]
    assert names == ["1 of 3: guten Morgen", "2 of 3: 早 上 好", "3 of 3: good morning to you"]
    options.choose(picker.combo, KEY.Key_End)
    assert options.scene.tokens == ("good", "morning", "to", "you")
    assert not options.person.session.modified
    options.push(options.group(SequencesGroup).remove)
    assert [one.tokens[0] for one in options.scene.sequences] == ["guten", "早"]
    options.undo()
    assert len(options.scene.sequences) == len(before.sequences)


def test_what_a_scene_has_not_is_not_shown(options) -> None:
    person = options.person
    for name in ("translation.json", "order-regained.json", "batch-of-three.json"):
        options.open(name)
    person.session.open(forms.set_bias(forms.set_output(options.scene, True), "bq", True))
    person.settle()
    options.open("cat-likes-fish.json")
    inputs = options.inputs
    made = (inputs.context, inputs.position, inputs.sequences, inputs.output)
    assert not any(part.isVisible() for part in made)
    assert not inputs.weights[Matrix.WQ].bias.isVisible()


def test_the_tab_key_goes_through_the_panel_as_it_is_read(options) -> None:
    """Also through what was made long after the rest."""
    person, scene = options.person, options.scene
    for edit in (WITH[Matrix.CONTEXT], WITH[Matrix.BQ], WITH[Matrix.BO], WITH[Matrix.POSITION]):
        scene = edit(scene)
    person.session.open(forms.add_sequence(scene), person.session.look)
    person.settle()
    inputs = options.inputs
    wq = inputs.weights[Matrix.WQ]
    inputs.sequences.combo.setFocus()
    visited: list[QWidget] = []
    while inputs.isAncestorOf(QApplication.focusWidget()):
        focused = QApplication.focusWidget()
        if not visited or visited[-1] is not focused:
            visited.append(focused)
        person.key(KEY.Key_Tab)
    places = [widget.mapTo(inputs, QPoint(0, 0)).y() for widget in visited]
    rows = [inputs.rows.grid, inputs.position.grid, inputs.context.grid, wq.grid, wq.bias.grid]
    assert [widget for widget in visited if widget in rows] == rows
    assert visited[0] is inputs.sequences.combo
    assert inputs.options.header in visited
    assert options.group(MistakesGroup).choice in visited
    assert all(after >= before - 40 for before, after in itertools.pairwise(places))
