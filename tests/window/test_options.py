"""The options in the real window: each control makes its edit, and undo takes it back."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from explorer.attention import MISTAKES, QKNorm, Rotary, Variant
from explorer.kit.scrolling import ColumnArea
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
    Centre,
    Context,
    Matrix,
    Scene,
    edits,
    forms,
    masks,
    token_edits,
)
from tests.scenes import assert_same_scene
from tests.window.conftest import Person
from tests.window.unfolded import CONTROL, KEY, Options

ONE_WINDOW = True  # which begins anew for each test

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def options(person: Person) -> Options:
    return Options(person)


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
def test_a_control_makes_its_edit_which_the_folded_line_says_and_undo_takes_it_back(
    options, name: str
) -> None:
    do, edit = EDITS[name]
    before, line = options.scene, options.inputs.options.header
    said = line.accessibleName()
    assert said == "Options: ÷ √d · no mask"
    do(options)
    assert_same_scene(options.scene, edit(before))
    unnamed = {"own mask", "a W each", "d_k", "another order"}  # nothing is attended otherwise
    assert (line.accessibleName() == said) == (name in unnamed)
    options.undo()
    assert options.scene is before
    assert line.accessibleName() == said


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


def in_view(options, part) -> bool:
    [area] = options.inputs.findChildren(ColumnArea)
    at = part.mapTo(area.viewport(), QPoint(0, 0))
    return area.viewport().rect().contains(part.rect().translated(at))


def test_what_explains_a_mistake_is_scrolled_to(options) -> None:
    group = options.group(MistakesGroup)
    options.see(group.choice)
    for mistake in MISTAKES:
        options.choose(group.choice, KEY.Key_Down)
        assert options.scene.options.variant is mistake
        assert in_view(options, group.finding)
        assert in_view(options, group.compare)


def test_why_a_number_is_refused_is_scrolled_to(options) -> None:
    group = options.group(ScaleGroup)
    options.push(group.choice.button("own"))
    [area] = options.inputs.findChildren(ColumnArea)
    below = group.divisor.mapTo(area.widget(), group.divisor.rect().bottomLeft()).y()
    area.verticalScrollBar().setValue(below + 4 - area.viewport().height())
    line = group.divisor.lineEdit()
    options.person.click(line, line.rect().center())
    options.person.key(KEY.Key_A, CONTROL, line)
    QTest.keyClicks(line, "0")
    options.person.key(KEY.Key_Return, widget=line)
    assert group.problem.isVisible()
    assert in_view(options, group.problem)


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
        ("dims", "3", "The number of columns that turn must be even, from 2 to the 2 of Q."),
        ("low", "6", "High must be larger than low."),
        ("base", "0", "This must be a number from 1e−50 to 1e50."),
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
