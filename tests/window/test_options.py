"""The options in the real window: each control makes its edit, and undo takes it back."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget

from explorer.attention import MISTAKES, QKNorm, Rotary, Variant
from explorer.resources import example
from explorer.rooms.explore.options.entering_groups import NormGroup, RotaryGroup
from explorer.rooms.explore.options.score_groups import (
    AVERAGE,
    PLAIN,
    MaskGroup,
    MistakesGroup,
    ScaleGroup,
    StoryGroup,
    TemperatureGroup,
)
from explorer.rooms.explore.options.shape_groups import (
    BiasGroup,
    ContextGroup,
    DimensionsGroup,
    HeadsGroup,
    PositionGroup,
    SequencesGroup,
)
from explorer.session import (
    Cell,
    Centre,
    Context,
    Matrix,
    Scene,
    edits,
    forms,
    masks,
    position_rows,
    read_scene,
    token_edits,
)
from tests.scenes import assert_same_scene

LEFT = Qt.MouseButton.LeftButton
KEY, CONTROL, ALT = Qt.Key, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier


class Options:
    """Somebody who has unfolded the options."""

    def __init__(self, person) -> None:
        self.person = person
        self.inputs = person.window.explore_page.inputs
        self._scroll = self.inputs.findChild(QScrollArea)
        self.push(self.inputs.options.header)

    @property
    def scene(self) -> Scene:
        return self.person.session.scene

    def group(self, kind):
        return self.inputs.options.groups[kind]

    def push(self, widget: QWidget) -> None:
        self.see(widget)
        self.person.click(widget, widget.rect().center())

    def see(self, widget: QWidget) -> None:
        self._scroll.ensureWidgetVisible(widget)
        QApplication.processEvents()

    def check(self, box: QWidget) -> None:
        """Click on the square of a check box."""
        self.see(box)
        self.person.click(box, QPoint(8, box.height() // 2))

    def type(self, box, text: str) -> None:
        line = box.lineEdit()
        self.see(box)
        self.person.click(line, line.rect().center())
        self.person.key(KEY.Key_A, CONTROL, line)
        QTest.keyClicks(line, text)
        self.person.key(KEY.Key_Return, widget=line)

    def choose(self, combo, key: Qt.Key) -> None:
        self.see(combo)
        combo.setFocus()
        self.person.key(key, widget=combo)

    def undo(self) -> None:
        self.person.plane.viewport().setFocus()
        self.person.key(KEY.Key_Z, CONTROL)

    def open(self, name: str) -> None:
        self.person.session.open(read_scene(example(name)), self.person.session.look)
        self.person.settle()


@pytest.fixture
def options(person) -> Options:
    return Options(person)


def widened(scene: Scene) -> Scene:
    return edits.resize(scene, d_k=4, d_v=4)


# What is done; the pure edit it stands for.
EDITS: dict[str, tuple[Callable[[Options], object], Callable[[Scene], Scene]]] = {
    "not scaled": (
        lambda o: o.push(o.group(ScaleGroup).choice.button("none")),
        lambda scene: edits.set_scale(scene, "none"),
    ),
    "a divisor": (
        lambda o: o.push(o.group(ScaleGroup).choice.button("own")),
        lambda scene: edits.set_scale(scene, 1.414),
    ),
    "a temperature": (
        lambda o: o.type(o.group(TemperatureGroup).number, "0,5"),
        lambda scene: edits.set_temperature(scene, 0.5),
    ),
    "causal": (
        lambda o: o.push(o.group(MaskGroup).choice.button("causal")),
        lambda scene: edits.set_mask(scene, "causal"),
    ),
    "padding": (
        lambda o: o.push(o.group(MaskGroup).choice.button("padding")),
        lambda scene: masks.set_padding(scene, {3}),
    ),
    "own mask": (
        lambda o: o.push(o.group(MaskGroup).choice.button("own")),
        lambda scene: edits.set_mask(scene, np.ones((4, 4), bool)),
    ),
    "a W each": (
        lambda o: o.push(o.group(HeadsGroup).form.button(False)),
        lambda scene: forms.set_heads(scene, 1, split=False),
    ),
    "two heads": (
        lambda o: o.type(o.group(HeadsGroup).count, "2"),
        lambda scene: forms.set_heads(scene, 2, split=True),
    ),
    "Wo": (
        lambda o: o.check(o.group(HeadsGroup).output),
        lambda scene: forms.set_output(scene, True),
    ),
    **{
        bias: (
            lambda o, bias=bias: o.check(o.group(BiasGroup).checks[Matrix(bias)]),
            lambda scene, bias=bias: forms.set_bias(scene, bias, True),
        )
        for bias in ("bq", "bk", "bv")
    },
    "d_k": (
        lambda o: o.type(o.group(DimensionsGroup).boxes["d_k"], "3"),
        lambda scene: edits.resize(scene, d_k=3),
    ),
    "a context": (
        lambda o: o.check(o.group(ContextGroup).on),
        lambda scene: forms.set_context(scene, Context(scene.tokens, scene.X)),
    ),
    "sinusoidal": (
        lambda o: o.push(o.group(PositionGroup).choice.button("sinusoidal")),
        lambda scene: edits.set_position(scene, "sinusoidal"),
    ),
    "own position": (
        lambda o: o.push(o.group(PositionGroup).choice.button("own")),
        lambda scene: edits.set_position(scene, np.zeros((4, 2))),
    ),
    "rotary positions": (
        lambda o: o.push(o.group(RotaryGroup).choice.button("rotary")),
        lambda scene: edits.set_rotary(scene, Rotary(2)),
    ),
    "a norm": (
        lambda o: o.push(o.group(NormGroup).choice.button("rms")),
        lambda scene: edits.set_qk_norm(scene, QKNorm(np.ones(2), np.ones(2))),
    ),
    "another order": (
        lambda o: o.push(o.group(PositionGroup).shuffle),
        lambda scene: token_edits.permute_tokens(
            scene, token_edits.shuffle_order(len(scene.tokens), 1)
        ),
    ),
    "a copy": (lambda o: o.push(o.group(SequencesGroup).add), forms.add_sequence),
    "no projections": (
        lambda o: o.push(o.group(StoryGroup).choice.button(PLAIN)),
        forms.without_projections,
    ),
    "plain average": (
        lambda o: o.push(o.group(StoryGroup).choice.button(AVERAGE)),
        lambda scene: edits.set_variant(scene, "average"),
    ),
    "a mistake": (
        lambda o: o.choose(o.group(MistakesGroup).choice, KEY.Key_End),
        lambda scene: edits.set_variant(scene, MISTAKES[-1]),
    ),
}


@pytest.mark.parametrize("name", EDITS)
def test_a_control_makes_its_edit_and_undo_takes_it_back(options, name: str) -> None:
    do, edit = EDITS[name]
    before = options.scene
    do(options)
    assert_same_scene(options.scene, edit(before))
    options.undo()
    assert options.scene is before


@pytest.mark.parametrize("name", EDITS)
def test_what_was_done_is_said_in_the_folded_line(options, name: str) -> None:
    said = options.inputs.options.header.accessibleName()
    assert said == "Options: ÷ √d · no mask"
    EDITS[name][0](options)
    unnamed = {"own mask", "a W each", "d_k", "another order"}  # nothing is attended otherwise
    assert (options.inputs.options.header.accessibleName() == said) == (name in unnamed)


def test_a_drag_of_the_temperature_is_one_step_back(options) -> None:
    before, slider = options.scene, options.group(TemperatureGroup).slider
    options.see(slider)
    y, middle = slider.height() // 2, slider.width() // 2
    QTest.mousePress(slider, LEFT, pos=QPoint(middle, y))
    for x in (middle + 5, middle + 20, middle + 30):
        QTest.mouseMove(slider, QPoint(x, y))
        options.person.settle()
    during = options.scene.options.temperature
    QTest.mouseRelease(slider, LEFT, pos=QPoint(middle + 40, y))
    options.person.settle()
    assert 1 < during < options.scene.options.temperature
    options.undo()
    assert options.scene is before
    options.type(options.group(TemperatureGroup).number, "0.3")
    QTest.mouseDClick(slider, LEFT, pos=QPoint(10, y))
    options.person.settle()
    assert options.scene.options.temperature == 1.0
    options.type(options.group(TemperatureGroup).number, "0.3")
    options.push(options.group(TemperatureGroup).reset)
    assert options.scene.options.temperature == 1.0


def test_a_divisor_of_0_is_refused_at_the_line(options) -> None:
    group = options.group(ScaleGroup)
    options.push(group.choice.button("own"))
    before = options.scene
    options.type(group.divisor, "0")
    assert options.scene is before
    assert group.problem.text() == "Scores are divided by a number from 1e−50 to 1e50."
    assert options.person.window.explore_page.error_bar.sentence == ""
    options.person.key(KEY.Key_Escape, widget=group.divisor.lineEdit())
    assert not group.problem.isVisible()
    options.type(group.divisor, "3")
    assert options.scene.options.scale == 3.0


def test_every_number_of_rotary_positions_and_of_a_norm_is_typed_or_refused(options) -> None:
    group = options.group(RotaryGroup)
    options.push(group.choice.button("rotary"))
    options.push(group.scaling.button("llama3"))
    options.push(group.pairing.button("neighbours"))
    for name, text in (("base", "500"), ("factor", "8"), ("high", "5"), ("original", "64")):
        options.type(group.lines[name][1], text)
    made = Rotary(2, 500.0, "llama3", 8.0, 1.0, 5.0, 64.0, "neighbours")
    assert options.scene.options.rotary == made
    for name, text, said in (
        ("dims", "3", "An even number of columns turns, from 2 to the 2 of Q."),
        ("low", "6", "High must be larger than low."),
        ("base", "0", "This is a number from 1e−50 to 1e50."),
    ):
        field = group.lines[name][1]
        options.type(field, text)
        assert (group.problem.text(), options.scene.options.rotary) == (said, made)
        options.person.key(KEY.Key_Escape, widget=field.lineEdit())
        assert not group.problem.isVisible()
    norm = options.group(NormGroup)
    options.push(norm.choice.button("rms"))
    options.type(norm.query, "1 0.5")
    options.type(norm.epsilon, "0.01")
    found = options.scene.options.qk_norm
    assert (found.query.tolist(), found.key.tolist(), found.epsilon) == ([1, 0.5], [1, 1], 0.01)
    options.type(norm.key, "1 2 3")
    assert norm.problem.text() == "There is one gain for each of the 2 columns of Q, not 3."
    assert options.scene.options.qk_norm is found
    options.undo()
    assert options.scene.options.qk_norm.epsilon == 1e-6


def test_heads_that_do_not_divide_are_refused_at_the_box(options) -> None:
    options.type(options.group(DimensionsGroup).boxes["d_k"], "3")
    before, group = options.scene, options.group(HeadsGroup)
    options.type(group.count, "2")
    assert options.scene is before
    assert "cannot be divided among 2 heads" in group.problem.text()
    assert options.person.window.explore_page.error_bar.sentence == ""
    options.push(group.form.button(False))
    assert options.scene.heads == 2
    assert options.scene.d_k == 3
    assert not group.problem.isVisible()


def test_padding_is_picked_token_by_token(options) -> None:
    options.open("two-heads.json")
    group = options.group(MaskGroup)
    options.push(group.choice.button("padding"))
    rows = group.padding
    assert rows.item(0).text() == "the · 1"
    options.see(rows)
    options.person.click(rows.viewport(), rows.visualItemRect(rows.item(0)).center())
    assert masks.padded_keys(options.scene) == (0, 4)
    assert rows.item(0).checkState() is Qt.CheckState.Checked


def test_pages_are_asked_for(options) -> None:
    options.push(options.group(ScaleGroup).why)
    assert options.person.session.look.centre is Centre.SQRT_D
    options.choose(options.group(MistakesGroup).choice, KEY.Key_End)
    options.push(options.group(MistakesGroup).compare)
    assert options.person.session.look.centre is Centre.COMPARE


def test_the_way_back_from_the_start_of_the_story(options) -> None:
    story = options.group(StoryGroup)
    options.push(story.choice.button(PLAIN))
    options.push(story.add)
    assert np.array_equal(options.scene.Wq, np.eye(2))
    options.push(story.choice.button(AVERAGE))
    options.push(story.attend)
    assert options.scene.options.variant is Variant.NONE


# --- numbers that only some scenes have ----------------------------------------------------------


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
    assert grid.numbers.index(0, grid.numbers.first).data() == "much"
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
