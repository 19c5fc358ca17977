"""Rows of joined buttons: they show a choice, ask for another, and change nothing themselves."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from explorer.kit.page import Page
from explorer.kit.segments import Segment, Segments
from explorer.kit.theme import Theme
from explorer.session import Space
from tests.showing import to_front

ITEMS = [
    Segment("a", "A&B", "first", "a < b"),
    Segment("b", "B", marker=Space.Q),
    Segment("c", "C"),
]


@pytest.fixture(params=[True, False], ids=["exclusive", "several"])
def row(request: pytest.FixtureRequest, qtbot: QtBot) -> Segments:
    widget = Segments(ITEMS, "Letters", Theme(), exclusive=request.param)
    qtbot.addWidget(widget)
    widget.show_checked({"b"})
    with qtbot.waitExposed(widget):
        widget.show()
    return widget


def checked(row: Segments) -> set[str]:
    return {str(item.key) for item in ITEMS if row.button(item.key).isChecked()}


def test_a_click_asks_and_changes_nothing(row: Segments) -> None:
    asked: list[object] = []
    row.picked.connect(asked.append)
    QTest.mouseClick(row.button("a"), Qt.MouseButton.LeftButton)
    assert asked == ["a"]
    assert checked(row) == {"b"}


def test_showing_a_choice_asks_nothing(row: Segments) -> None:
    asked: list[object] = []
    row.picked.connect(asked.append)
    row.show_checked({"a", "c"})
    assert checked(row) == {"a", "c"}
    assert asked == []


def test_a_click_on_the_chosen_one_asks_only_where_it_can_be_unchosen(qtbot: QtBot) -> None:
    for exclusive, expected in ((True, []), (False, ["b"])):
        row = Segments(ITEMS, "Letters", Theme(), exclusive=exclusive)
        qtbot.addWidget(row)
        row.show_checked({"b"})
        asked: list[object] = []
        row.picked.connect(asked.append)
        row.button("b").click()
        assert asked == expected
        assert checked(row) == {"b"}


def test_keys_reach_and_press_every_button(row: Segments) -> None:
    asked: list[object] = []
    row.picked.connect(asked.append)
    to_front(row)
    row.button("a").setFocus(Qt.FocusReason.TabFocusReason)
    for key in ("a", "b", "c"):
        button = row.button(key)
        assert button.hasFocus()
        QTest.keyClick(button, Qt.Key.Key_Right)
    QTest.keyClick(row.button("c"), Qt.Key.Key_Space)
    assert asked == ["c"]


def test_a_disabled_button_says_why_and_asks_nothing(row: Segments) -> None:
    asked: list[object] = []
    row.picked.connect(asked.append)
    row.set_enabled("a", False, "needs <b>")
    QTest.mouseClick(row.button("a"), Qt.MouseButton.LeftButton)
    assert asked == []
    assert row.button("a").toolTip() == "<qt>needs &lt;b&gt;</qt>"
    row.set_enabled("a", True)
    assert row.button("a").toolTip() == "<qt>a &lt; b</qt>"


def test_names_are_told_and_mnemonics_are_not_made(row: Segments) -> None:
    assert row.accessibleName() == "Letters"
    assert row.button("a").accessibleName() == "first"
    assert row.button("c").accessibleName() == "C"
    assert row.button("a").text() == "A&&B"


def test_another_text_stays_where_short_texts_come_and_go(row: Segments) -> None:
    row.set_text("b", "C&D")
    row.set_compact(True)
    row.set_compact(False)
    assert row.button("b").text() == "\u2009C&&D"
    assert row.button("b").accessibleName() == "C&D"


def test_text_scale_and_focus_keep_the_width(row: Segments) -> None:
    normal = row.sizeHint().width()
    row.retheme(Theme(percent=200))
    assert row.sizeHint().width() > 1.7 * normal
    button = row.button("b")
    before = button.sizeHint()
    button.setFocus(Qt.FocusReason.TabFocusReason)
    assert button.sizeHint() == before


def test_a_button_left_out_leaves_its_room_at_once(qtbot: QtBot) -> None:
    whole = QWidget()
    qtbot.addWidget(whole)
    place = QHBoxLayout(whole)  # which is asked for its size while events wait
    row = Segments(ITEMS, "Letters", Theme(), parent=whole)
    place.addWidget(row)
    with qtbot.waitExposed(whole):
        whole.show()
    before = place.sizeHint().width()
    row.set_shown("c", False)
    after = place.sizeHint().width()
    assert after <= before - row.button("c").width()
    row.set_shown("c", True)
    assert place.sizeHint().width() == before


def test_a_page_without_a_view_below_has_no_button_for_one(qtbot: QtBot) -> None:
    """A button without a name would have the header of the catalogue as its text."""
    page = Page(Theme())
    qtbot.addWidget(page)
    names = [button.text() for button in page.turns.findChildren(QToolButton)]
    assert names == ["Picture", "Tables"]
