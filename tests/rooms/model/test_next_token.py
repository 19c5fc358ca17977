"""What comes next: the likeliest tokens on one axis, and what no such model says."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.kit.theme import Theme
from explorer.models.next_token import NextToken, NextTokens
from explorer.rooms.model.next_token import NextTokenView
from explorer.session.model.frame import ModelFrame, ModelLook
from tests.model_runs import model_frame


def predicting(*rows: tuple[str, float], **fields: object) -> ModelFrame:
    frame = model_frame(**fields)
    assert frame.info is not None
    likeliest = tuple(NextToken(7 + n, text, value) for n, (text, value) in enumerate(rows))
    others = 1 - sum(value for _text, value in rows)
    return replace(
        frame,
        info=replace(frame.info, predicts=True, vocabulary=5000),
        next=NextTokens(likeliest, others, 1.5),
    )


@pytest.fixture
def view(qtbot: QtBot) -> NextTokenView:
    made = NextTokenView(Theme())
    qtbot.addWidget(made)
    made.resize(784, 640)
    with qtbot.waitExposed(made):
        made.show()
    return made


def test_bars_stand_on_one_axis(view: NextTokenView) -> None:
    view.draw(predicting((" cat", 0.5), (" dog", 0.25)))
    start, end = view.page.axis
    cat, dog = view.page.bar_rect(0), view.page.bar_rect(1)
    assert cat.left() == dog.left() == start
    assert cat.width() == pytest.approx((end - start) / 2)
    assert dog.width() == pytest.approx((end - start) / 4)


def test_the_likeliest_and_the_rest_are_told(view: NextTokenView) -> None:
    view.draw(predicting((" cat", 0.5), ("\n", 0.25)))
    page = view.page
    assert page.sentence == "cat is the likeliest next token, at 0.500."
    assert page.entropy == "The entropy of the next token is 1.50 bit."
    assert page.others == "4,998 tokens"
    assert page.accessibleDescription() == "cat 0.500, ↵ 0.250"
    tip = page.text_at(page.row_rect(1).center())
    assert tip == "↵, number 8 of the vocabulary\n0.25"


def test_a_pinned_token_keeps_its_colour(view: NextTokenView) -> None:
    view.draw(predicting((" cat", 0.5), (" dog", 0.25), look=ModelLook(pinned=(0, 1))))
    cat, dog = view.page.rows
    assert view.page.colour(cat) == Theme().slot(1)  # the second of the words
    assert view.page.colour(dog) is None
    QApplication.processEvents()
    bar = view.page.bar_rect(0).center().toPoint()
    assert view.page.grab().toImage().pixelColor(bar).name().upper() == Theme().slot(1).fill


def test_a_model_that_does_not_predict_says_so(view: NextTokenView) -> None:
    view.draw(model_frame())
    assert view.page.sentence == "a file does not predict a next token."
    assert view.page.rows == ()
