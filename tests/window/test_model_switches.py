"""Heads switched off in the real window, what that changes, and how it is undone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from explorer.models import load
from explorer.models.next_token import probabilities
from explorer.resources import example
from explorer.session.model.intents import ChangeModelLook, FollowWord
from explorer.session.views import ModelCentre
from tests.window.modeller import Modeller

STORY = "When Mary and John went to the shop, John gave a drink to"


def test_a_head_is_switched_off_by_the_key_and_had_back_by_undo(modeller: Modeller) -> None:
    modeller.open(example("stories"))
    modeller.type(STORY)
    modeller.run()
    page, undo = modeller.room.page, modeller.window.actions_by_name["undo"]
    before = modeller.frame.next
    assert undo.text() == "Undo edit the text"
    cursor = modeller.frame.cursor
    place = cursor.layer, cursor.head
    modeller.key(Qt.Key.Key_Delete)
    assert modeller.frame.run.off == {place}
    assert page.head.off.isChecked()
    number = f"layer {place[0] + 1} head {place[1] + 1}"
    assert undo.text() == f"Undo switch off {number}"
    assert modeller.frame.next.rows[0].before is not None
    modeller.room.handle(ChangeModelLook({"centre": ModelCentre.NEXT}))
    modeller.wait()
    assert page.bar.both.isVisible()
    assert modeller.frame.compares
    QTest.mouseClick(page.bar.both, Qt.MouseButton.LeftButton, pos=QPoint(8, 10))
    assert not modeller.frame.compares
    undo.trigger()
    modeller.wait()
    assert modeller.frame.run.off == frozenset()
    assert not page.bar.both.isVisible()
    assert modeller.frame.next.rows == before.rows
    assert not page.switched.off.isChecked()
    modeller.window.actions_by_name["redo"].trigger()
    modeller.wait()
    assert modeller.frame.run.off == {place}
    modeller.key(Qt.Key.Key_Delete)
    assert modeller.frame.run.off == frozenset()


def test_the_effects_of_all_heads_stream_in_and_steps_are_told(modeller: Modeller) -> None:
    """Every number on screen is that of a whole pass; another word, and a second text, too."""
    modeller.open(example("stories"))
    modeller.type(STORY)
    modeller.run()
    handle, page, here = modeller.room.handle, modeller.room.page, load(example("stories"))
    handle(ChangeModelLook({"centre": ModelCentre.NEXT}))
    modeller.wait()
    page.atlas.choice.button(True).click()
    modeller.wait()
    line = page.atlas.effects.word.lineEdit()
    line.selectAll()
    QTest.keyClicks(line, "John")
    QTest.keyClick(line, Qt.Key.Key_Return)
    modeller.wait()
    modeller.wait()  # the run with this word, then what it asks for
    frame = modeller.frame
    john = frame.word
    assert john is not None
    assert here.text_of(john).strip() == "John"

    def p(**asked: object) -> float:
        return float(probabilities(here.run(STORY, **asked))[john])

    assert frame.effects.done == frame.effects.total == 16
    for layer, head in np.ndindex(4, 4):
        alone = p(off={(layer + 1, head + 1)}) - p()
        assert frame.effects.changes[layer, head] == pytest.approx(alone, abs=1e-5)
    for place in ((3, 1), (0, 0)):
        modeller.room.session.go_to_head(*place)
        modeller.wait()
        page.switched.off.click()
        modeller.wait()
        modeller.wait()
    assert [page.strip.steps.number(step) for step in range(3)] == [
        f"{p(off=off):.3f}" for off in ((), {(4, 2)}, {(4, 2), (1, 1)})
    ]
    other = here.run(STORY.replace("John gave", "Mary gave")).head(1, 1).output

    def patched(z: np.ndarray) -> np.ndarray:
        z[0] = other
        return z

    page.switched.put.setCurrentIndex(page.switched.put.findData("other"))
    page.switched.put.activated.emit(page.switched.put.currentIndex())
    modeller.wait()
    assert page.switched.note.text().startswith("Type a second text")
    line = page.switched.second.lineEdit()
    for text in ("too short", STORY.replace("John gave", "Mary gave")):
        line.selectAll()
        QTest.keyClicks(line, text)
        QTest.keyClick(line, Qt.Key.Key_Return)
        modeller.wait()
        modeller.wait()
        said = page.error_bar.sentence
        assert said.startswith("The second text has") == (text == "too short")
        assert modeller.frame.stale == (text == "too short")
        assert (page.bar.said.text() == "of the text before") == (text == "too short")
    frame = modeller.frame
    wanted = p(off={(4, 2)}, replace={(1, "head_output"): patched})
    assert frame.outcomes[frame.switches] == pytest.approx(wanted, abs=1e-5)
    page.switched.undo.click()
    modeller.wait()
    assert modeller.frame.second == "too short"


def test_bad_words_and_closed_models_are_told_and_nothing_is_lost(
    modeller: Modeller, folder: Path
) -> None:
    modeller.open(example("stories"))
    modeller.type(STORY)
    modeller.run()
    page = modeller.room.page
    modeller.room.handle(FollowWord("Zanzibar"))
    modeller.wait()
    said = "Zanzibar is not one token of this model: name one, such as one of the likeliest words."
    assert page.error_bar.sentence == said
    assert modeller.frame.word is None
    modeller.key(Qt.Key.Key_Delete)
    off = modeller.frame.switches
    assert off.puts
    modeller.open(folder)
    assert page.error_bar.sentence == (
        "stories was left with 1 of its heads switched: they will be again when it is reopened."
    )
    assert not modeller.frame.switches.puts
    assert page.bar.pages.button(ModelCentre.NEXT).text() == "Text's vector"
    modeller.open(example("stories"))
    assert modeller.frame.switches == modeller.frame.run.switches == off
    assert modeller.window.actions_by_name["undo"].isEnabled()
