"""The chain in the real window: stations come and go with the scene, and every one is reached."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from explorer.kit.text_runs import plain
from explorer.session import Role, Selection, Stage, stages_of
from explorer.session.edits import set_position, set_variant
from explorer.text import Message
from tests.kinds import KINDS

ONE_WINDOW = True  # which begins anew for each test

CTRL = Qt.KeyboardModifier.ControlModifier


def shown(person) -> list[Stage]:
    return [chip.link.key for chip in person.window.explore_page.chain.chips() if chip.isVisible()]


def captions(person) -> list[str]:
    return [plain(runs) for runs, _box in person.window.explore_page.chain.shown_captions()]


def press(person, stage: Stage) -> None:
    chip = person.window.explore_page.chain.chip(stage)
    person.click(chip, chip.rect().center())


def test_a_station_comes_with_an_edit_and_goes_with_its_undo(person) -> None:
    before = person.picture(person.window.explore_page.chain)
    assert shown(person) == list(stages_of(person.session.scene))
    placed = set_position(person.session.scene, "sinusoidal")
    person.session.edit(Message("change the position"), placed)
    person.settle()
    assert shown(person)[:2] == [Stage.X, Stage.P]
    assert captions(person)[0] == "+ P"
    press(person, Stage.P)
    assert person.session.look.stage is Stage.P
    person.key(Qt.Key.Key_Z, CTRL)
    assert Stage.P not in shown(person)
    assert person.session.look.stage is Stage.X
    assert QApplication.focusWidget() is person.window.explore_page.chain.chip(Stage.X)
    person.window.explore_page.chain.chip(Stage.X).clearFocus()
    assert person.picture(person.window.explore_page.chain) == before


@pytest.mark.parametrize("name", ["everything", "everything wrong", "two-heads", "translation"])
def test_every_station_is_gone_to_with_the_arrows(person, name: str) -> None:
    person.session.open(KINDS[name])
    person.settle()
    press(person, Stage.X)
    for stage in stages_of(KINDS[name])[1:]:
        person.key(Qt.Key.Key_Right)
        person.key(Qt.Key.Key_Return)
        assert person.session.look.stage is stage
    person.keys("5")
    assert person.session.look.stage is Stage.S


def test_the_strip_spells_out_what_stands_in_the_new_tables(person) -> None:
    person.session.open(KINDS["two heads, Wo"])
    strip = person.window.explore_page.strip
    for stage, role in ((Stage.C, Role.C), (Stage.Y, Role.Y)):
        press(person, stage)
        person.session.select(Selection(role, 1, column=0))
        person.settle()
        frame = person.session.frame
        values = frame.concatenated if role is Role.C else frame.attention.output
        assert strip.plain_text().endswith(f"= {values[1, 0]:.3f}")


def test_a_mistake_is_red_in_chain_and_strip_until_it_is_undone(person) -> None:
    person.session.select(Selection(Role.S, 0, 3))
    wrong = set_variant(person.session.scene, "softmax_first")
    person.session.edit(Message("change the variant"), wrong)
    person.settle()
    strip = person.window.explore_page.strip
    assert "softmax, then ÷ √2: a mistake" in captions(person)
    assert "Softmax, then ÷ √2: a mistake: e^-0.62 ÷ 6.300 ÷ √2 = 0.060" in strip.plain_text()
    person.key(Qt.Key.Key_Z, CTRL)
    assert captions(person) == ["× W_q W_k W_v", "QK^T ÷ √2", "softmax", "× V"]
    assert "mistake" not in strip.plain_text()
