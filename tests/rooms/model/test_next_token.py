"""What comes next: the likeliest tokens on one axis, and what no such model says."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.kit.theme import Theme
from explorer.models.next_token import NextToken, NextTokens
from explorer.models.switches import Put
from explorer.rooms.model.next_token import NextTokenView
from explorer.session.model.frame import ModelFrame, ModelLook
from explorer.session.model.switching import Switches
from tests.model_frames import file_frame


def predicting(*rows: tuple[str, float], **fields: object) -> ModelFrame:
    frame = file_frame(**fields)
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
    assert page.told.sentence == "cat is the likeliest next token, at 0.500."
    assert page.told.entropy == "The entropy of the next token is 1.50 bit."
    assert page.told.others == "4,998 tokens"
    assert page.accessibleDescription() == "cat 0.500, ↵ 0.250"
    tip = page.text_at(page.row_rect(1).center())
    assert tip == "↵, number 8 of the vocabulary\n0.25"


def test_a_pinned_token_keeps_its_colour(view: NextTokenView) -> None:
    view.draw(predicting((" cat", 0.5), (" dog", 0.25), look=ModelLook(pinned=(0, 1))))
    cat, dog = view.page.told.rows
    assert view.page.colour(cat) == Theme().slot(1)  # the second of the words
    assert view.page.colour(dog) is None
    QApplication.processEvents()
    bar = view.page.bar_rect(0).center().toPoint()
    assert view.page.grab().toImage().pixelColor(bar).name().upper() == Theme().slot(1).fill


def test_a_model_that_does_not_predict_says_so(view: NextTokenView) -> None:
    view.draw(file_frame())
    assert view.page.told.sentence == "a file does not predict a next token."
    assert view.page.told.rows == ()


def compared(*rows: tuple[str, float, float], compare: bool = True) -> ModelFrame:
    """Return a frame with two heads off: token, probability before and after."""
    frame = predicting(*((text, after) for text, _before, after in rows))
    assert frame.next is not None
    assert frame.run is not None
    pairs = zip(frame.next.rows, rows, strict=True)
    likeliest = tuple(replace(row, before=before) for row, (_text, before, _after) in pairs)
    told = replace(
        frame.next,
        rows=likeliest,
        others_before=1 - sum(before for _text, before, _after in rows),
        entropy_before=0.8,
    )
    off = Switches(((0, 1, Put.ZEROS), (1, 0, Put.ZEROS)))
    return replace(
        frame, next=told, run=replace(frame.run, switches=off), look=ModelLook(compare=compare)
    )


def test_before_stands_above_after_on_the_same_axis(view: NextTokenView) -> None:
    view.draw(compared((" cat", 0.75, 0.5), (" dog", 0.125, 0.25)))
    page = view.page
    start, end = page.axis
    for place, (then, now) in enumerate(((0.75, 0.5), (0.125, 0.25))):
        before, after = page.before_rect(place), page.bar_rect(place)
        assert before.left() == after.left() == start
        assert before.width() == pytest.approx((end - start) * then)
        assert after.width() == pytest.approx((end - start) * now)
        assert before.bottom() < after.top()
        assert page.row_rect(place).contains(before.united(after).center())
    assert page.told.sentence == "cat falls from 0.750 to 0.500, and stays first."
    assert page.told.entropy == (
        "With 2 of 4 heads switched, the model is less sure: the entropy of the next "
        "token grows from 0.80 to 1.50 bit."
    )
    assert page.numbers(page.told.rows[0]) == ["0.750", "0.500", "−0.250"]
    assert page.numbers(page.told.rows[1]) == ["0.125", "0.250", "+0.125"]
    tip = page.text_at(page.row_rect(0).center())
    assert tip == "cat, number 7 of the vocabulary\nall heads 0.75\nnow 0.5"


def test_the_filled_bar_is_after_and_the_hollow_one_before(view: NextTokenView) -> None:
    view.draw(compared((" cat", 0.75, 0.5)))
    page = view.page
    QApplication.processEvents()
    image = page.grab().toImage()
    before, after = page.before_rect(0).center().toPoint(), page.bar_rect(0).center().toPoint()
    assert image.pixelColor(before) == Theme().color("canvas")
    assert image.pixelColor(after) == Theme().color("ctl")


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (
            ((" dog", 0.3, 0.6), (" cat", 0.5, 0.2)),
            "cat falls from 0.500 to 0.200; now dog is first.",
        ),
        (((" cat", 0.5, 0.6),), "cat rises from 0.500 to 0.600, and stays first."),
        (((" cat", 0.5, 0.50001),), "cat stays at 0.500, and stays first."),
        (
            ((" dog", 0.3, 0.6), (" cat", 0.35, 0.4)),
            "cat rises from 0.350 to 0.400; now dog is first.",
        ),
    ],
)
def test_the_sentence_says_what_becomes_of_the_likeliest_before(
    view: NextTokenView, rows: tuple[tuple[str, float, float], ...], said: str
) -> None:
    view.draw(compared(*rows))
    assert view.page.told.sentence == said


def test_after_alone_is_shown_where_that_is_wanted(view: NextTokenView) -> None:
    view.draw(compared((" dog", 0.3, 0.6), (" cat", 0.5, 0.2), compare=False))
    page = view.page
    assert page.told.sentence == "dog is the likeliest next token, at 0.600."
    assert page.numbers(page.told.rows[0]) == ["0.600"]


def test_the_change_goes_first_where_there_is_little_room(view: NextTokenView) -> None:
    view.draw(compared((" cat", 0.75, 0.5)))
    view.resize(420, 640)
    assert view.page.numbers(view.page.told.rows[0]) == ["0.750", "0.500"]


def test_the_entropy_has_a_short_form(view: NextTokenView) -> None:
    view.draw(compared((" cat", 0.75, 0.5)))
    said = "Entropy of the next token: 0.80 bit before, 1.50 now."
    assert view.page.told.short_entropy == said
    view.draw(predicting((" cat", 0.5)))
    assert view.page.told.short_entropy == view.page.told.entropy
