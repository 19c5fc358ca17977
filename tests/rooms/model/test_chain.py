"""The chain of a model's run: shapes, captions, and going to a stage."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from explorer.kit.text_runs import plain
from explorer.kit.theme import Theme
from explorer.rooms.model.chain import ModelChain, scaling
from explorer.session import CHAIN, Stage
from explorer.session.intents import ShowStage
from explorer.session.model.frame import ModelCursor, ModelFrame
from tests.model_frames import array_run, model_frame
from tests.showing import asked_of


@pytest.fixture
def chain(qtbot: QtBot) -> tuple[ModelChain, list[object]]:
    view = ModelChain(Theme())
    return view, asked_of(qtbot, view, 1440, 56, model_frame())


def test_the_chips_have_the_shapes_of_the_chosen_head(
    chain: tuple[ModelChain, list[object]],
) -> None:
    view, _asked = chain
    names = [chip.link.name for chip in view.chips()]
    assert names[0] == "words, 9"
    assert "Q, query, 9 by 4" in names
    assert "A, attention, 9 by 9" in names
    assert "O, output, 9 by 4" in names
    assert names[1] == "X, tokens"  # not in the file
    assert "Not in this file" in view.chip(Stage.X).toolTip()


def test_the_captions_say_which_head_and_how_scores_are_made(
    chain: tuple[ModelChain, list[object]],
) -> None:
    view, _asked = chain
    said = [plain(runs) for runs, _where in view.shown_captions()]
    assert said == ["1 layer", "head 3 of 3", "QK^T ÷ √4", "softmax", "× V", "join 3, FFN"]
    info = model_frame().info
    assert info is not None
    view.draw(model_frame(info=replace(info, causal=True, predicts=True)))
    assert "causal" in view.accessibleDescription()
    assert view.chips()[-1].link.name == "next token, 40"
    view.draw(model_frame(cursor=ModelCursor(0, 0)))
    assert view.chips()[-1].link.name == "layer 2"


def test_a_scale_that_is_no_root_is_a_factor() -> None:
    detail = model_frame().head
    assert detail is not None
    assert scaling(detail) == " ÷ √4"
    assert scaling(replace(detail, scale=0.125)) == " × 0.125"
    assert scaling(replace(detail, scale=1.0)) == ""


def test_a_chip_and_its_number_go_to_a_stage(chain: tuple[ModelChain, list[object]]) -> None:
    view, asked = chain
    view.chip(Stage.Q).click()
    view.setFocus()
    QTest.keyClick(view.chip(Stage.A), Qt.Key.Key_5)
    assert asked == [ShowStage(Stage.Q), ShowStage(CHAIN[4])]


def test_weights_alone_and_nothing_are_drawn(chain: tuple[ModelChain, list[object]]) -> None:
    view, _asked = chain
    view.draw(model_frame(array_run(only_weights=True)))
    names = [chip.link.name for chip in view.chips()]
    assert "Q, query" in names
    assert "A, attention, 9 by 9" in names
    view.draw(ModelFrame())
    assert next(chip.link.name for chip in view.chips()) == "words"
