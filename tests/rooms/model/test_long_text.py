"""The text view: what asks, what each token gets, and where tokens stand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.kit.pieces import name_of
from explorer.kit.theme import Theme
from explorer.models.tokenizer import Piece
from explorer.rooms.model.long_text import TextView
from explorer.session.model.frame import ModelCursor, ModelFrame, ModelLook
from explorer.session.model.intents import HoverPair, SelectPair, StepPair
from tests.model_frames import WORDS, file_frame, of_pieces, row_frame
from tests.proofreading import written_on

Shown = Callable[..., TextView]


@pytest.fixture
def shown(qtbot: QtBot) -> Shown:
    def show(frame: ModelFrame, width: int = 784, height: int = 420) -> TextView:
        view = TextView(Theme())
        qtbot.addWidget(view)
        view.resize(width, height)
        with qtbot.waitExposed(view):
            view.show()
        view.draw(frame)
        QApplication.processEvents()
        return view

    return show


def heard(view: TextView) -> list[object]:
    intents: list[object] = []
    view.intent.connect(intents.append)
    return intents


def middle(view: TextView, place: int, *, key: bool = True) -> QPoint:
    return view.page.token_rect(place, key=key).center().toPoint()


def point(view: TextView, place: int) -> None:
    at = QPointF(middle(view, place))
    event = QMouseEvent(
        QEvent.Type.MouseMove,
        at,
        view.page.mapToGlobal(at),
        Qt.MouseButton.NoButton,
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(view.page, event)


def ground(view: TextView, place: int) -> QColor:
    """Return the colour at a token's upper left corner, where no letter is."""
    rect = view.page.token_rect(place)
    picture = view.page.grab().toImage()
    return picture.pixelColor(int(rect.left()) + 4, int(rect.top()) + 2)


def test_a_click_asks_and_selects_what_it_gives_most(shown: Shown) -> None:
    frame = file_frame()
    view = shown(frame)
    intents = heard(view)
    QTest.mouseClick(view.page, Qt.MouseButton.LeftButton, pos=middle(view, 7))
    assert frame.head is not None
    strongest = int(frame.head.arrays.weights[7].argmax())
    assert intents[-1] == SelectPair(7, strongest)


def test_pointing_tells_place_and_weight(shown: Shown) -> None:
    frame = row_frame([0.5, 0.25, 0.15, 0.1], ("one", "two", "three", "four"), 1)
    view = shown(frame)
    intents = heard(view)
    point(view, 2)
    assert intents[-1] == HoverPair(1, 2)
    view.draw(replace(frame, hover=(1, 2)))
    assert view.footer.text() == "three, token 3: two gives it 0.150"
    view.draw(frame)
    assert view.footer.text().startswith("Click a token")


def test_without_a_query_pointing_lets_a_token_ask(shown: Shown) -> None:
    view = shown(file_frame())
    intents = heard(view)
    point(view, 4)
    assert intents[-1] == HoverPair(4)


def test_the_background_is_the_weight_by_the_rows_own_largest(shown: Shown) -> None:
    row = [0.004, 0.003, 0.38, 0.3, 0.313]
    view = shown(row_frame(row, ("alpha", "bravo", "carol", "delta", "eagle"), 4))
    ramp, canvas = Theme().weights_map, Theme().color("canvas")
    assert ground(view, 2) == ramp.fill(0.38, 0.4)
    assert ground(view, 3) == ramp.fill(0.3, 0.4)
    assert ground(view, 0) == ramp.fill(0.004, 0.4)
    assert ground(view, 1) == canvas  # below .004
    assert ground(view, 4) == canvas  # what asks


def test_numbers_of_short_tokens_do_not_meet_and_the_strongest_stay(shown: Shown) -> None:
    view = shown(row_frame([0.02, 0.4, 0.05, 0.3, 0.08, 0.15], tuple("abcdef"), 5))
    numbers = [each for each in written_on(view.page) if each.text.startswith(".")]
    assert [each.text for each in numbers].count(".40") == 1
    assert len(numbers) > 1
    for one, other in combinations(numbers, 2):
        assert not one.line.intersects(other.line), (one.text, other.text)


def test_only_the_five_strongest_and_the_selected_key_carry_numbers(shown: Shown) -> None:
    words = ("alpha", "bravo", "carol", "delta", "eagle", "foxtrot", "gamma", "hotel")
    row = [0.3, 0.2, 0.15, 0.12, 0.1, 0.08, 0.03, 0.02]
    view = shown(row_frame(row, words, 7))
    lone = view.page.token_rect(0).top()
    first, sixth = (_number_above(view, place) for place in (0, 5))
    assert first
    assert not sixth
    frame = row_frame(row, words, 7)
    view.draw(replace(frame, cursor=ModelCursor(query=7, key=5)))
    QApplication.processEvents()
    assert _number_above(view, 5)
    view.draw(file_frame(words))
    assert view.page.token_rect(0).top() < lone  # a line without numbers is lower


def _number_above(view: TextView, place: int) -> bool:
    rect = view.page.token_rect(place)
    above = rect.translated(0, -18).adjusted(0, 4, 0, -8).toAlignedRect()
    picture = view.page.grab(above).toImage()
    canvas = Theme().color("canvas")
    return any(
        picture.pixelColor(x, y) != canvas
        for x in range(picture.width())
        for y in range(picture.height())
    )


def test_hovering_another_query_moves_no_line(shown: Shown) -> None:
    frame = file_frame(WORDS * 8, ModelCursor(query=70))
    view = shown(frame)
    before = [view.page.token_rect(place) for place in range(len(WORDS) * 8)]
    view.draw(replace(frame, hover=(3, None)))
    assert [view.page.token_rect(place) for place in range(len(WORDS) * 8)] == before


def test_lines_are_kept_until_the_run_or_the_width_changes(shown: Shown) -> None:
    frame = file_frame(WORDS * 20, ModelCursor(query=70))
    view = shown(frame)
    laid = view.page.layout_
    view.draw(replace(frame, hover=(70, 8)))
    view.draw(replace(frame, cursor=ModelCursor(query=9)))
    assert view.page.layout_ is laid
    view.resize(500, 420)
    assert view.page.layout_ is not laid


def test_special_tokens_are_left_out_where_they_hide(shown: Shown) -> None:
    frame = special_frame()
    view = shown(frame)
    assert not view.page.token_rect(0).isEmpty()
    view.draw(replace(frame, look=ModelLook(special=False)))
    assert view.page.token_rect(0).isEmpty()
    assert not view.page.token_rect(1).isEmpty()


def special_frame() -> ModelFrame:
    words = ("[CLS]", "un", "believ", "able", "cats", "[SEP]")
    text = "Unbelievable\n\ncats"
    pieces = (
        Piece("[CLS]", "[CLS]", special=True),
        Piece("un", "Un", 0, 2),
        Piece("##believ", "believ", 2, 8, continues=True),
        Piece("##able", "able", 8, 12, continues=True),
        Piece("cats", "cats", 14, 18),
        Piece("[SEP]", "[SEP]", special=True),
    )
    return of_pieces(file_frame(words), text, pieces)


def test_pieces_of_a_word_touch_and_paragraphs_are_apart(shown: Shown) -> None:
    view = shown(special_frame())
    un, believ, able, cats = (view.page.token_rect(place) for place in range(1, 5))
    assert un.right() == pytest.approx(believ.left(), abs=0.01)
    assert believ.right() == pytest.approx(able.left(), abs=0.01)
    assert un.top() == able.top()
    # A line and the room between two paragraphs.
    assert cats.top() - un.top() == pytest.approx(26.6 + 13, abs=0.01)


def test_bytes_of_one_letter_share_its_place(shown: Shown) -> None:
    words = ("a", "x", "y", "z")
    pieces = (
        Piece("a", "a", 0, 1),
        Piece("Ã°", "😀", 2, 3),
        Piece("ÅĿ", "😀", 2, 3, continues=True),
        Piece("b", "b", 4, 5),
    )
    view = shown(of_pieces(file_frame(words), "a 😀 b", pieces))
    first, second, after = (view.page.token_rect(place) for place in (1, 2, 3))
    assert first.right() == pytest.approx(second.left(), abs=0.01)
    assert first.width() == pytest.approx(second.width(), abs=3)
    assert after.left() > second.right()


def test_letters_from_right_to_left_are_where_they_are_painted(shown: Shown) -> None:
    text = "a אבג b"
    pieces = tuple(Piece(text[at], text[at], at, at + 1) for at in (0, 2, 3, 4, 6))
    view = shown(of_pieces(file_frame(tuple("aאבגb")), text, pieces))
    rects = [view.page.token_rect(place) for place in (0, 3, 2, 1, 4)]
    for left, right in pairwise(rects):
        assert left.center().x() < right.left()
        assert left.right() < right.center().x()


def test_tokens_without_a_letter_have_signs_for_names() -> None:
    unseen = {"\u200b": "␣", "\u202e": "␣", "\n": "↵", "\t\t": "→→", " ": "␣", "": "␣"}
    for text, name in unseen.items():
        assert name_of(Piece(text, text)) == name
    assert name_of(Piece("Ġcat", " cat")) == "cat"


def test_keys_go_from_token_to_token_and_from_line_to_line(shown: Shown) -> None:
    frame = file_frame(WORDS * 8, ModelCursor(query=30))
    view = shown(frame)
    intents = heard(view)
    view.page.setFocus()
    QTest.keyClick(view.page, Qt.Key.Key_Right)
    QTest.keyClick(view.page, Qt.Key.Key_Left)
    QTest.keyClick(view.page, Qt.Key.Key_Down)
    QTest.keyClick(view.page, Qt.Key.Key_BracketLeft)
    QTest.keyClick(view.page, Qt.Key.Key_BracketRight)
    right, left, down, larger, smaller = intents
    assert isinstance(right, SelectPair)
    assert isinstance(left, SelectPair)
    assert isinstance(down, SelectPair)
    assert (right.query, left.query) == (31, 29)
    assert down.query is not None
    here, there = view.page.token_rect(30), view.page.token_rect(down.query)
    assert there.top() > here.top()
    assert abs(there.center().x() - here.center().x()) < 60
    assert (larger, smaller) == (StepPair(1), StepPair(-1))


def test_what_asks_comes_in_sight(shown: Shown) -> None:
    frame = file_frame(WORDS * 60, ModelCursor(query=0))
    view = shown(frame)
    last = len(WORDS) * 60 - 1
    view.draw(replace(frame, cursor=ModelCursor(query=last)))
    bar = view.area.verticalScrollBar()
    rect = view.page.token_rect(last)
    assert bar.value() <= rect.top()
    assert rect.bottom() <= bar.value() + view.area.viewport().height()


def test_keys_of_another_text_are_selected_for_the_query(shown: Shown) -> None:
    frame = file_frame(("who", "asks"), ModelCursor(query=1), key_words=("red", "green", "blue"))
    view = shown(frame)
    intents = heard(view)
    QTest.mouseClick(view.page, Qt.MouseButton.LeftButton, pos=middle(view, 2))
    QTest.mouseClick(view.page, Qt.MouseButton.LeftButton, pos=middle(view, 0, key=False))
    selected = [intent for intent in intents if isinstance(intent, SelectPair)]
    assert selected[0] == SelectPair(1, 2)
    assert selected[1].query == 0


def test_every_token_of_a_long_text_has_its_place(shown: Shown) -> None:
    frame = file_frame(tuple(f"w{i}" for i in range(1000)), vectors=False)
    view = shown(frame)
    rects = [view.page.token_rect(place) for place in range(1000)]
    assert not any(rect.isEmpty() for rect in rects)
    order = np.array([(rect.top(), rect.left()) for rect in rects])
    assert (np.lexsort((order[:, 1], order[:, 0])) == np.arange(1000)).all()
