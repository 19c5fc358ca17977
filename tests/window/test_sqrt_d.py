"""The laboratory of √d in the window: opened from the menu, moved by mouse and keys, and left."""

from __future__ import annotations

import math

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QToolButton

from explorer.attention import attend, entropy, gradient_size, random_trial, softmax
from explorer.session import Centre, Matrix, Role, Selection, Trial
from explorer.text import display_number
from tests.showing import click_to_open, to_front

ONE_WINDOW = True  # which begins anew for each test


def open_from_menu(person) -> None:
    """Click the three dots, and the laboratory in what opens."""
    buttons = person.window.topbar.findChildren(QToolButton)
    [button] = [button for button in buttons if button.accessibleName() == "More"]
    timer = QTimer(interval=5)

    def choose() -> None:
        menu = QApplication.activePopupWidget()
        if isinstance(menu, QMenu) and menu.isVisible():
            timer.stop()
            [entry] = [a for a in menu.actions() if a.text() == "Why divide by √d"]
            QTest.mouseClick(
                menu,
                Qt.MouseButton.LeftButton,
                Qt.KeyboardModifier.NoModifier,
                menu.actionGeometry(entry).center(),
            )

    timer.timeout.connect(choose)
    timer.start()
    click_to_open(button)
    person.settle()


@pytest.fixture
def page(person):
    """The laboratory, opened from the menu."""
    open_from_menu(person)
    to_front(person.window)
    person.settle()
    return person.window.explore_page.centre.currentWidget()


def press(person, button) -> None:
    person.click(button, button.rect().center())


def said_of_random(width: int) -> list[str]:
    """Return the numbers that the page has to show of random q and k."""
    trial = random_trial(width)
    places = 1 if trial.variance >= 10 else 2
    return [
        f"variance {display_number(trial.variance, places)}, d = {width}",
        f"entropy {display_number(trial.plain.entropy, 2)} of",
        f"entropy {display_number(trial.scaled.entropy, 2)} of",
        f"largest weight {display_number(trial.plain.largest, 3)}",
        f"with ÷ √d: {display_number(trial.curves.scaled[width - 1], 3)}",
    ]


def said_of_scene(person, row: int) -> list[str]:
    """Return the numbers that the page has to show of the scene's Q and K, worked out anew."""
    scene = person.session.scene
    raw = attend(scene.X, scene.Wq, scene.Wk, scene.Wv).raw[0]
    texts = [f"variance {display_number(float(np.var(raw)), 2)}, d = 2"]
    for name, divisor in (("without ÷ √d", 1.0), ("with ÷ √d", math.sqrt(2))):
        weights = softmax(raw[row] / divisor)
        texts.append(
            f"Softmax {name}: entropy {display_number(float(entropy(weights)), 2)} of at most "
            f"1.39 nats, largest weight {display_number(float(weights.max()), 3)}."
        )
        texts.append(f"Gradient size {name}: {display_number(float(gradient_size(weights)), 3)}.")
    return texts


def assert_said(page, texts: list[str]) -> None:
    said = page.sheet.accessibleDescription()
    assert [text for text in texts if text not in said] == []


def test_the_menu_opens_it_and_a_button_leads_back(person, page):
    assert page.isVisible()
    assert not person.plane.isVisible()
    assert_said(page, said_of_random(64))
    press(person, page.controls.back)
    assert person.plane.isVisible()
    assert not page.isVisible()
    assert person.session.look.centre is Centre.PLANE
    assert person.plane.viewport().hasFocus()
    assert not person.window.actions_by_name["undo"].isEnabled()


def test_the_slider_is_dragged_and_the_numbers_follow(person, page):
    slider = page.controls.slider
    middle = slider.height() // 2
    places = [round(slider.width() * share) for share in (0.667, 0.75, 0.9, 0.99)]
    button, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QTest.mousePress(slider, button, none, QPoint(places[0], middle))
    widths = []
    for x in places:
        QTest.mouseMove(slider, QPoint(x, middle))
        person.settle()
        widths.append(person.session.look.trial.width)
        assert_said(page, said_of_random(widths[-1]))
    QTest.mouseRelease(slider, button, none, QPoint(places[-1], middle))
    person.settle()

    assert widths == sorted(widths)
    assert widths[0] < 90 < 250 < widths[-1]
    assert page.controls.field.value() == widths[-1]


def test_keys_and_typed_numbers_move_it_too(person, page):
    slider, field = page.controls.slider, page.controls.field
    slider.setFocus()
    for key, width in (
        (Qt.Key.Key_Right, 65),
        (Qt.Key.Key_PageUp, 130),
        (Qt.Key.Key_Left, 129),
        (Qt.Key.Key_Home, 1),
    ):
        person.key(key, widget=slider)
        assert person.session.look.trial.width == width
        assert_said(page, said_of_random(width))
    person.click(field, QPoint(20, field.height() // 2))
    person.key(Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    person.keys("99")
    person.key(Qt.Key.Key_Return)
    assert person.session.look.trial.width == 99
    assert_said(page, said_of_random(99))


def test_the_scenes_own_q_and_k_follow_an_edit_and_the_selection(person, page):
    press(person, page.controls.choice.button(True))
    assert person.session.look.trial == Trial(64, own=True)
    before = said_of_scene(person, 0)
    assert_said(page, before)

    grid = person.window.explore_page.inputs.weights[Matrix.WQ].grid
    person.click_cell(grid, 0, 1)
    person.keys("3")
    person.key(Qt.Key.Key_Return)
    assert person.session.scene.Wq[0, 1] == 3.0
    after = said_of_scene(person, 0)
    assert after != before
    assert_said(page, after)

    person.session.select(Selection(Role.S, 3, 1))
    person.settle()
    assert_said(page, said_of_scene(person, 3))

    press(person, page.controls.choice.button(False))
    assert_said(page, said_of_random(64))


def test_a_word_instead_of_a_number_leaves_the_page_as_it_was_and_says_held(person, page):
    press(person, page.controls.choice.button(True))
    grid = person.window.explore_page.inputs.weights[Matrix.WQ].grid
    assert "waiting for a number" not in page.sheet.accessibleDescription()
    person.click_cell(grid, 0, 1)
    person.keys("much")
    person.key(Qt.Key.Key_Return)
    assert_said(page, [*said_of_scene(person, 0), "all 16 of this scene, waiting for a number"])


def test_a_shortcut_opens_it_too(person):
    person.key(Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    assert person.session.look.centre is Centre.SQRT_D


def test_where_it_does_not_fit_the_keys_scroll_to_its_end(person, page):
    person.window.appearance.scale_text_to(150)
    person.settle()
    bar = page.area.verticalScrollBar()
    assert bar.maximum() > 0
    page.setFocus()
    for _ in range(4):
        person.key(Qt.Key.Key_PageDown)
    assert bar.value() == bar.maximum()


def test_only_what_is_in_the_middle_is_drawn(person, page, monkeypatch):
    drawn = []
    monkeypatch.setattr(person.plane, "draw", lambda frame: drawn.append(frame))
    slider = page.controls.slider
    person.key(Qt.Key.Key_Right, widget=slider)
    person.session.select(Selection(Role.S, 3, 1))
    person.settle()
    assert drawn == []
    press(person, page.controls.back)
    assert len(drawn) == 1


def test_the_tab_key_goes_from_the_left_panel_through_it_to_the_results(person, page):
    page.setFocus()
    order = []
    for _ in range(12):
        person.key(Qt.Key.Key_Tab)
        order.append(QApplication.focusWidget())
    inside = [page.isAncestorOf(widget) for widget in order]
    assert inside[:3] == [True] * 3
    first_outside = order[inside.index(False)]
    assert person.window.explore_page.results.isAncestorOf(first_outside)


def test_it_comes_in_dark_and_in_larger_text_and_pictures_are_of_it(person, page):
    light = person.picture(page)
    person.key(Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    assert person.picture(page) != light
    person.key(Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    assert person.picture(page) == light
    assert person.window.pictures()["sqrt_d"] is page
    assert "plane" not in person.window.pictures()


def test_from_train_the_menu_leads_to_it(person):
    person.window.show_train(warm=False)
    open_from_menu(person)
    assert not person.window.rooms.training
    assert person.session.look.centre is Centre.SQRT_D
    person.window.train.close()


def test_a_lesson_outlines_the_gradient_itself_or_nothing(person, page):
    explore = person.window.explore_page
    part = explore.part("gradient")
    width = person.session.look.trial.width
    said = display_number(random_trial(width).curves.scaled[width - 1], 3)

    def place_of_its_numbers() -> float:
        texts = page.sheet.shown.texts
        [y] = {text.y for text in texts if text.word.text.startswith("with ÷ √d " + said)}
        return y

    assert part.y() <= place_of_its_numbers() <= part.geometry().bottom()
    page.turn_over(False)  # the first two parts, as before an audience and on paper
    assert explore.part("gradient") is None
    page.turn_over(True)  # the last two
    assert explore.part("gradient") is part
    assert part.y() <= place_of_its_numbers() <= part.geometry().bottom()
    page.be_presented()
    assert explore.part("gradient") is None
