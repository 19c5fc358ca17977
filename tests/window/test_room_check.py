"""The room check: measures typed by hand, what is said of them, and a text scale with one click."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from explorer.rooms.present.room_check import RoomCheck
from tests.window.speaker import LEFT, NO_KEY, Speaker

ONE_WINDOW = True  # which begins anew for each test


@pytest.fixture
def check(person):
    """Return the room check, opened from the menu."""
    person.window.actions_by_name["room"].trigger()
    person.settle()
    return person.window.findChild(RoomCheck)


def measure(check: RoomCheck, width: str, distance: str) -> str:
    """Type both measures; return what is said."""
    for field, text in ((check.width_field, width), (check.distance_field, distance)):
        field.selectAll()
        QTest.keyClicks(field, text)
    return check.verdict.text()


def test_a_small_room_is_good_and_needs_no_other_scale(check):
    assert "2.5 and 8" in check.verdict.text()
    assert measure(check, "3", "4").startswith("Good")
    assert not check.use_button.isVisible()


def test_the_angle_is_that_of_the_smallest_text(check, person):
    measure(check, "2.5", "8")
    # 20 px of 720 on the drawn page, 0.727 of which are a digit's height.
    screen = person.window.screen().size()
    pixels = 20 * max(1.0, min(screen.width() / 1280, screen.height() / 720)) * 0.727
    angle = pixels * 2.5 / screen.width() / 8 * 3437.75
    assert f"seen at {angle:.0f}′" in check.measured.text()


def test_one_click_takes_the_scale_that_makes_it_readable(check, person):
    said = measure(check, "2,5", "7.5")
    assert person.window.theme.percent == 100
    percent = next(p for p in (125, 150, 200) if f"{p} %" in said)
    assert check.use_button.text() == f"Use {percent} %"
    QTest.mouseClick(check.use_button, LEFT, NO_KEY, check.use_button.rect().center())
    person.settle()
    assert person.window.theme.percent == percent
    person.window.actions_by_name["room"].trigger()
    person.settle()
    again = next(each for each in person.window.findChildren(RoomCheck) if each.isVisible())
    assert not measure(again, "2.5", "7.5").startswith("Too small")


def test_a_room_may_be_too_deep(check):
    assert "too deep" in measure(check, "1", "30")
    assert not check.use_button.isVisible()


@pytest.mark.parametrize("wrong", ["abc", "0", "-3", "5000", "12 cm"])
def test_a_wrong_measure_is_said_in_a_sentence_that_names_it(check, wrong):
    said = measure(check, wrong, "8")
    assert said == (
        "Width of the picture on the wall: type metres from 0.1 to 1000, for example 2.5."
    )
    assert check.measured.text() == ""
    assert not check.use_button.isVisible()
    assert measure(check, "3", wrong).startswith("From the picture to the last row:")


def test_chinese_asks_for_more(person):
    screen = person.window.screen().size()
    pixels = 20 * max(1.0, min(screen.width() / 1280, screen.height() / 720)) * 0.727
    # Where digits are seen at 18′, characters are at 23′.
    far = f"{pixels * 3 / screen.width() / 18 * 3437.75:.2f}"
    person.window.actions_by_name["room"].trigger()
    person.settle()
    check = person.window.findChild(RoomCheck)
    measure(check, "3", far)
    assert not check.use_button.isVisible()
    check.reject()
    person.window.speak("zh")
    person.window.actions_by_name["room"].trigger()
    person.settle()
    check = next(each for each in person.window.findChildren(RoomCheck) if each.isVisible())
    measure(check, "3", far)
    assert check.use_button.isVisible()
    person.window.speak("en")


def test_r_opens_it_before_the_audience_and_its_texts_grow(speaker: Speaker):
    before = speaker.page.left.text.font().pixelSize()
    speaker.key(Qt.Key.Key_R)
    check = speaker.audience.findChild(RoomCheck)
    measure(check, "2.5", "7.5")
    QTest.keyClick(check, Qt.Key.Key_Return)
    speaker.settle()
    assert speaker.person.window.theme.percent > 100
    assert speaker.page.left.text.font().pixelSize() > before
