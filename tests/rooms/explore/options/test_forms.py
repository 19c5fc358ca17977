"""Options that change what attention is: context, position, sequences, mistakes."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtTest import QTest

from explorer.attention import MISTAKES, Variant
from explorer.rooms.explore.options.score_groups import AVERAGE, PLAIN, MistakesGroup, StoryGroup
from explorer.rooms.explore.options.shape_groups import ContextGroup, PositionGroup, SequencesGroup
from explorer.session import Scene, resolve
from explorer.session.backwards import check_variant
from explorer.session.intents import SetVariant
from tests.rooms.explore.options.conftest import EVERYTHING, FOUR, FULL, KEY, LEFT, with_options

# --- context, position, sequences ----------------------------------------------------------------


def test_a_context_that_must_stay_says_why(shown) -> None:
    it = shown(ContextGroup, FULL["context of another width"])
    assert it.group.on.isChecked()
    assert not it.group.on.isEnabled()
    assert "Wk must have a row for each column of X" in it.texts()
    story = shown(StoryGroup, FULL["context of another width"])
    assert not story.group.choice.button(PLAIN).isEnabled()
    assert "context.X must have as many columns as X" in story.texts()


def test_one_token_has_no_order(shown) -> None:
    it = shown(PositionGroup, Scene(("a",), np.ones((1, 2))))
    assert not it.group.shuffle.isEnabled()
    assert "no order" in it.group.shuffle.toolTip()


def test_the_only_sequence_stays(shown) -> None:
    it = shown(SequencesGroup)
    assert not it.group.remove.isEnabled()
    assert "at least one" in it.group.remove.toolTip()
    it.draw(EVERYTHING)
    assert it.group.remove.isEnabled()
    assert "Sequence 1 of 2" in it.texts()


# --- the story and its mistakes ------------------------------------------------------------------


def test_the_story_goes_back_and_forth(shown) -> None:
    it = shown(StoryGroup, with_options(variant=Variant.AVERAGE))
    button = it.group.choice.button(AVERAGE)
    assert button.isChecked()
    QTest.mouseClick(button, LEFT)
    QTest.mouseClick(it.group.attend, LEFT)
    assert it.said == [SetVariant(Variant.NONE)] * 2


@pytest.mark.parametrize("variant", MISTAKES)
def test_a_mistake_is_told_with_what_its_check_finds(shown, variant: Variant) -> None:
    it = shown(MistakesGroup, with_options(variant=variant))
    frame = resolve(with_options(variant=variant))
    finding = check_variant(frame.scene, frame.attention, variant)
    assert str(finding.says) in it.group.finding.text()
    assert it.group.finding.text().startswith("Wrong on purpose")
    assert ("do not show it" in it.group.finding.text()) is not finding.found
    assert it.group.finding.property("ink") == "err"
    it.draw(FOUR)
    assert not it.group.finding.isVisible()
    assert it.group.choice.currentText() == "none"


def test_choosing_none_of_the_mistakes_leaves_the_average_alone(shown) -> None:
    it = shown(MistakesGroup, with_options(variant=Variant.AVERAGE))
    it.group.choice.setFocus()
    QTest.keyClick(it.group.choice, KEY.Key_Home)
    assert it.said == []
    QTest.keyClick(it.group.choice, KEY.Key_End)
    assert it.said == [SetVariant(MISTAKES[-1])]
    assert it.group.choice.currentText() == "none"
