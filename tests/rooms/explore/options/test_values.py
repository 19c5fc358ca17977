"""Options that are numbers and masks: what they ask for, and what they refuse."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from explorer.attention import Variant
from explorer.kit.preview import SAMPLE
from explorer.rooms.explore.options.score_groups import (
    MaskGroup,
    ScaleGroup,
    TemperatureGroup,
    names_apart,
)
from explorer.rooms.explore.options.shape_groups import BiasGroup, DimensionsGroup, HeadsGroup
from explorer.session import Scene, Sequence
from explorer.session.intents import (
    Phase,
    Resize,
    SetHeads,
    SetMask,
    SetPadding,
    SetScale,
    SetTemperature,
    ShowPainting,
)
from tests.rooms.explore.options.conftest import KEY, LEFT, OWN, PADDED, with_options

THREE_WIDE = SAMPLE.replace(**{name: np.eye(2, 3) for name in ("Wq", "Wk", "Wv")})


def typed(line, text: str) -> None:
    """Type over what stands in a line, and press Enter."""
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, text)
    QTest.keyClick(line, KEY.Key_Return)


# --- scale and temperature -----------------------------------------------------------------------


REFUSED = [
    ("0", "Scores are divided by a number from 1e−50 to 1e50."),
    ("-3", "Scores are divided by a number from 1e−50 to 1e50."),
    ("much", "Type a number, for example 0.5"),
    ("", "Type a number, for example 0.5"),
    ("1e60", "Type a number between −1e50 and 1e50"),
    ("1,234.5", "Type the number without thousands separators, for example 1234.5"),
]


@pytest.mark.parametrize(("text", "sentence"), REFUSED)
def test_what_cannot_divide_is_refused_where_it_was_typed(shown, text: str, sentence: str) -> None:
    it = shown(ScaleGroup, with_options(scale=3.0))
    line = it.group.divisor
    typed(line, text or "\b")
    assert it.said == []
    assert line.lineEdit().text() == text
    assert line.property("invalid")
    assert it.group.problem.text() == sentence
    assert it.group.problem.isVisible()
    it.draw(it.group.scene)  # as when the mouse hovers something: nothing has changed
    assert line.lineEdit().text() == text
    QTest.keyClick(line, KEY.Key_Escape)
    assert (line.lineEdit().text(), it.group.problem.isVisible()) == ("3", False)
    assert not line.property("invalid")


def test_a_refused_divisor_can_be_put_right(shown) -> None:
    it = shown(ScaleGroup, with_options(scale=3.0))
    typed(it.group.divisor, "0")
    typed(it.group.divisor, "1/4")
    assert it.said == [SetScale(0.25)]
    it.draw(with_options(scale=0.25))
    assert it.group.divisor.lineEdit().text() == "0.25"
    assert not it.group.problem.isVisible()


def test_a_number_of_ones_own_begins_where_the_scale_was(shown) -> None:
    it = shown(ScaleGroup)
    QTest.mouseClick(it.group.choice.button("own"), LEFT)
    assert it.take() == [SetScale(1.414)]
    it.draw(with_options(scale="none"))
    QTest.mouseClick(it.group.choice.button("own"), LEFT)
    assert it.take() == [SetScale(1.0)]
    assert not it.group.divisor.isVisible()


def test_a_scale_without_a_say_is_said(shown) -> None:
    it = shown(ScaleGroup, with_options(variant=Variant.AVERAGE))
    assert "nothing is divided" in it.texts()
    it.draw(with_options(variant=Variant.MULTIPLIED))
    assert "in its own way" in it.texts()
    it.draw(with_options(variant=Variant.OUTPUT_SCALED))
    assert it.group.note.isHidden()


@pytest.mark.parametrize(
    ("key", "before", "after"),
    [
        (KEY.Key_Right, 1.0, 1.1),
        (KEY.Key_Left, 1.0, 0.99),
        (KEY.Key_Up, 0.5, 0.51),
        (KEY.Key_PageUp, 2.0, 4.0),
        (KEY.Key_PageDown, 0.15, 0.1),
        (KEY.Key_Home, 5.0, 0.1),
        (KEY.Key_End, 5.0, 10.0),
    ],
)
def test_keys_of_the_slider_are_a_gesture_each(shown, key, before: float, after: float) -> None:
    it = shown(TemperatureGroup, with_options(temperature=before))
    it.group.slider.setFocus()
    QTest.keyClick(it.group.slider, key)
    numbers = (before, after, after)
    phases = (Phase.BEGIN, Phase.MOVE, Phase.END)
    assert it.said == [*map(SetTemperature, numbers, phases)]


def test_the_slider_is_carried_along_and_snaps_to_nothing_but_one(shown) -> None:
    it = shown(TemperatureGroup)
    slider = it.group.slider
    y, middle = slider.height() // 2, slider.width() // 2
    QTest.mousePress(slider, LEFT, pos=QPoint(middle, y))
    QTest.mouseMove(slider, QPoint(middle + 20, y))
    QTest.mouseRelease(slider, LEFT, pos=QPoint(slider.width() + 50, y))
    phases = [intent.phase for intent in it.said]
    assert phases[0] is Phase.BEGIN
    assert phases[-1] is Phase.END
    assert it.said[0] == SetTemperature(1.0, Phase.BEGIN)
    assert it.said[-1] == SetTemperature(10.0, Phase.END)


def test_a_temperature_beyond_the_slider_is_told_by_the_number(shown) -> None:
    it = shown(TemperatureGroup, with_options(temperature=500.0))
    assert it.group.number.lineEdit().text() == "500"
    assert it.group.slider.value() == it.group.slider.maximum()
    typed(it.group.number, "-1")
    assert it.said == []
    assert it.group.problem.text() == "The temperature must be a number from 1e−20 to 1e50."


# --- mask ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mask", "checked"),
    [
        ("none", {"none"}),
        ("causal", {"causal"}),
        (PADDED, {"padding"}),
        (PADDED & np.tri(4, dtype=bool), {"causal", "padding"}),
        (OWN, {"own"}),
        (np.ones((4, 4), bool), {"own"}),
    ],
)
def test_the_mask_is_called_what_it_is(shown, mask, checked: set[str]) -> None:
    it = shown(MaskGroup, with_options(mask=mask))
    choice = it.group.choice
    keys = ("none", "causal", "padding", "own")
    assert {key for key in keys if choice.button(key).isChecked()} == checked
    assert it.group.padding.isVisible() == ("padding" in checked)


def test_padding_begins_with_the_last_token_and_is_picked_by_name(shown) -> None:
    it = shown(MaskGroup)
    QTest.mouseClick(it.group.choice.button("padding"), LEFT)
    assert it.take() == [SetPadding(frozenset({3}))]
    it.draw(with_options(mask=PADDED))
    rows = it.group.padding
    assert [rows.item(row).text() for row in range(4)] == ["cat", "likes", "fish", "cloud"]
    boxes = [rows.item(row).data(Qt.ItemDataRole.CheckStateRole) for row in range(4)]
    off, on = Qt.CheckState.Unchecked, Qt.CheckState.Checked
    assert [Qt.CheckState(box) for box in boxes] == [off, off, on, off]
    QTest.mouseClick(rows.viewport(), LEFT, pos=rows.visualItemRect(rows.item(0)).center())
    assert it.take() == [SetPadding(frozenset({0, 2}))]
    assert rows.item(0).checkState() is Qt.CheckState.Unchecked  # until the frame says so
    rows.setCurrentRow(2)
    QTest.keyClick(rows, KEY.Key_Space)
    assert it.take() == [SetPadding(frozenset())]


def test_equal_tokens_are_told_apart_by_their_place() -> None:
    assert names_apart(("the", "cat", "the")) == ["the · 1", "cat", "the · 3"]


def test_a_mask_of_ones_own_is_painted_in_a(shown) -> None:
    it = shown(MaskGroup)
    QTest.mouseClick(it.group.choice.button("own"), LEFT)
    assert it.take() == [SetMask("own"), ShowPainting(True)]
    it.draw(with_options(mask=OWN))
    QTest.mouseClick(it.group.paint, LEFT)
    assert it.take() == [ShowPainting(True)]


# --- heads, biases, dimensions -------------------------------------------------------------------


def test_heads_that_do_not_divide_are_refused_at_the_number(shown) -> None:
    it = shown(HeadsGroup, THREE_WIDE)
    count = it.group.count
    count.setFocus()
    QTest.keyClick(count, KEY.Key_Up)
    assert it.said == []
    assert it.group.problem.isVisible()
    assert it.group.problem.text() == (
        "The columns of Wq, 3 in all, cannot be divided among 2 heads."
    )
    assert count.property("invalid")
    it.draw(THREE_WIDE)
    assert count.value() == 2
    QTest.mouseClick(it.group.form.button(False), LEFT)  # a W each is the way out
    assert it.take() == [SetHeads(2, split=False)]
    QTest.keyClick(count, KEY.Key_Up)
    assert it.take() == [SetHeads(3, split=True)]
    assert not it.group.problem.isVisible()
    assert not count.property("invalid")


def test_more_heads_than_can_be_asked_for_are_shown(shown) -> None:
    many = SAMPLE.replace(**{name: np.ones((12, 2, 2)) for name in ("Wq", "Wk", "Wv")})
    it = shown(HeadsGroup, many)
    assert it.group.count.value() == 12
    it.group.count.setFocus()
    QTest.keyClick(it.group.count, KEY.Key_Down)
    assert it.said == []
    assert "must be from 1 to 8" in it.group.problem.text()


def test_without_w_there_is_nothing_to_split_and_nothing_to_add_to(shown) -> None:
    plain = Scene(("a", "b"), np.eye(2))
    heads = shown(HeadsGroup, plain).group
    assert not heads.count.isEnabled()
    assert "add these first" in heads.count.toolTip()
    biases = shown(BiasGroup, plain).group
    assert [check.isEnabled() for check in biases.checks.values()] == [False] * 4
    assert "add Wq first" in biases.checks["bq"].toolTip()
    with_w = shown(BiasGroup).group
    assert [check.isEnabled() for check in with_w.checks.values()] == [True, True, True, False]
    assert "add Wo first" in with_w.checks["bo"].toolTip()


def test_dimensions_beyond_the_limit_are_refused_at_the_box(shown) -> None:
    long = Scene(
        tuple("a" * 64), np.ones((64, 2)), others=(Sequence(("b",) * 512, np.ones((512, 2))),) * 40
    )
    it = shown(DimensionsGroup, long)
    box = it.group.boxes["d_model"]
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, "512")
    QTest.keyClick(box, KEY.Key_Return)
    assert it.said == []
    assert "A scene may hold 8000000 numbers in all" in it.group.problem.text()
    box.selectAll()
    QTest.keyClicks(box, "3")
    QTest.keyClick(box, KEY.Key_Return)
    assert it.said == [Resize(d_model=3)]
