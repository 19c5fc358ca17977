"""Points travel in the real window, unless the person or the platform wants things to stand."""

from __future__ import annotations

import numpy as np
import pytest
import shiboken6
from PySide6.QtCore import QPoint, Qt, QVariantAnimation
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QProxyStyle, QStyle, QToolButton, QWidget

from explorer.app.main import make_window
from explorer.app.settings import SettingsStore
from explorer.kit.motion import Glide
from explorer.session import Role, Selection, Space, Stage
from tests.pixels import pixels

ONE_WINDOW = True  # which begins anew for each test


def is_moving(person) -> bool:
    [clock] = person.plane.findChildren(QVariantAnimation)
    return clock.state() is QVariantAnimation.State.Running


def test_a_step_of_the_chain_lets_the_points_travel_there(person, qtbot):
    start = person.point(Space.X, 3)
    QTest.keyClick(person.plane.viewport(), Qt.Key.Key_3)

    assert is_moving(person)
    assert (person.point(Space.K, 3) - start).manhattanLength() < 40
    qtbot.waitUntil(lambda: not is_moving(person))
    there = person.picture()
    assert person.session.look.stage is Stage.K

    person.window.actions_by_name["reduce_motion"].trigger()
    person.key(Qt.Key.Key_1, widget=person.plane.viewport())
    QTest.keyClick(person.plane.viewport(), Qt.Key.Key_3)
    assert not is_moving(person)
    assert person.picture() == there


def test_the_menu_reduces_motion_and_it_is_remembered(person):
    more = next(
        button
        for button in person.window.topbar.findChildren(QToolButton)
        if button.accessibleName() == "More"
    )
    [action] = [each for each in more.menu().actions() if each.text() == "Reduce motion"]
    assert action.isCheckable()
    assert not action.isChecked()
    action.trigger()

    assert action.isChecked()
    assert SettingsStore(pytest.fail).settings.reduce_motion
    again = make_window()
    assert again.actions_by_name["reduce_motion"].isChecked()
    again.close()
    action.trigger()
    assert not action.isChecked()
    assert not SettingsStore(pytest.fail).settings.reduce_motion


class Still(QProxyStyle):
    """A platform's style that asks for no animations."""

    def styleHint(self, hint, option=None, widget=None, data=None):
        if hint is QStyle.StyleHint.SH_Widget_Animation_Duration:
            return 0
        return super().styleHint(hint, option, widget, data)


def test_nothing_travels_where_the_platform_asks_for_no_animations(qapp, qtbot, monkeypatch):
    monkeypatch.setattr("explorer.kit.style.QApplication.style", Still)
    window = make_window()
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    QTest.keyClick(window.explore_page.plane.viewport(), Qt.Key.Key_5)

    [clock] = window.explore_page.plane.findChildren(QVariantAnimation)
    assert window.session.look.stage is Stage.S
    assert clock.state() is QVariantAnimation.State.Stopped


def gliding(widget: QWidget) -> list[Glide]:
    """Return what moves within a widget, stopped in the middle of its time."""
    moving = [
        glide
        for glide in widget.findChildren(Glide)
        if glide.state() is not QVariantAnimation.State.Stopped
    ]
    for glide in moving:
        glide.pause()
        glide.setCurrentTime(glide.duration() // 3)
    return moving


def seen(widget: QWidget) -> np.ndarray:
    """Return what a widget shows at this moment, (height, width, 3)."""
    return pixels(widget.grab().toImage()).astype(int)


def test_another_selection_comes_and_the_one_before_goes(person):
    table = person.window.explore_page.results.matrices.weights.fitted
    parts = table.viewport(), person.plane.viewport()
    for row in (0, 2):
        before = [seen(part) for part in parts]
        cell = table.visualRect(table.model().index(row, 3)).center()
        QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=cell)
        person.window.clock.flush()
        # What is selected is said at once; only the picture of it takes its time.
        assert person.session.selection == Selection(Role.A, row, 3)
        assert all(len(gliding(part)) == 1 for part in parts)
        between = [seen(part) for part in parts]
        person.settle()
        after = [seen(part) for part in parts]
        assert not any(gliding(part) for part in parts)
        for first, middle, last in zip(before, between, after, strict=True):
            low, high = np.minimum(first, last), np.maximum(first, last)
            assert ((low - 1 <= middle) & (middle <= high + 1)).all()
            assert ((low + 5 < middle) & (middle < high - 5)).any()

    person.window.actions_by_name["reduce_motion"].trigger()
    person.session.select(None)
    person.settle()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=cell)
    person.window.clock.flush()
    assert not gliding(person.window)
    for last, part in zip(after, parts, strict=True):
        np.testing.assert_array_equal(seen(part), last)


def test_a_drag_waits_for_no_motion(person):
    canvas, start = person.plane.viewport(), person.point(Space.X, 0)
    person.session.select(Selection(Role.A, 2, 3))
    person.window.clock.flush()
    assert gliding(canvas)
    person.press(start)
    person.move(start + QPoint(-20, -20))
    person.move(start + QPoint(-40, -30))
    person.window.clock.flush()
    assert person.session.in_gesture
    assert not gliding(canvas)
    person.release(start)


def test_the_panel_comes_out_of_its_rail(person):
    person.window.resize(1024, 768)
    person.settle()
    page = person.window.explore_page
    button = page.rail.findChildren(QToolButton)[0]
    seen = []
    for reduced in (False, True):
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        assert page.left_floats
        assert page.left.isAncestorOf(QApplication.focusWidget())
        assert bool(gliding(page)) is not reduced
        if not reduced:
            assert page.rail.width() - page.left.width() < page.left.x() < page.rail.width()
            for glide in page.findChildren(Glide):
                glide.finish()
        assert page.left.x() == page.rail.width()
        seen.append(person.picture())
        person.key(Qt.Key.Key_Escape)
        assert not page.left.isVisible()
        person.window.actions_by_name["reduce_motion"].trigger()
    assert seen[0] == seen[1]


def test_a_fold_opens_from_its_upper_edge(person):
    person.window.show_train(warm=False)
    person.settle()
    more = person.window.train.page.parameters.more
    QTest.mouseClick(more.fold.header, Qt.MouseButton.LeftButton)
    person.window.train.clock.flush()
    [glide] = gliding(more.body)
    QApplication.processEvents()  # it is laid out only now
    between, opened = seen(more.body), round(glide.share * more.body.height())
    glide.finish()
    end = seen(more.body)
    np.testing.assert_array_equal(between[:opened], end[:opened])
    assert (between[opened:] == between[opened, 0]).all()
    assert not (end[opened:] == end[opened, 0]).all()


def test_a_window_is_closed_in_the_middle_of_a_motion(qapp, qtbot):
    window = make_window()
    window.resize(1024, 768)
    with qtbot.waitExposed(window):
        window.show()
    window.session.select(Selection(Role.A, 2, 3))
    QTest.mouseClick(
        window.explore_page.rail.findChildren(QToolButton)[0], Qt.MouseButton.LeftButton
    )
    window.clock.flush()
    moving = gliding(window)
    assert len(moving) >= 3
    for glide in moving:
        glide.resume()
    assert window.close()
    qtbot.waitUntil(lambda: not shiboken6.isValid(window))
    assert not any(shiboken6.isValid(glide) for glide in moving)
