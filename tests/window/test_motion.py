"""Points travel in the real window, unless the person or the platform wants things to stand."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt, QVariantAnimation
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QProxyStyle, QStyle, QToolButton

from explorer.app.main import make_window
from explorer.app.settings import SettingsStore
from explorer.session import Space, Stage


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
    monkeypatch.setattr("explorer.views.style.QApplication.style", Still)
    window = make_window()
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    QTest.keyClick(window.workspace.plane.viewport(), Qt.Key.Key_5)

    [clock] = window.workspace.plane.findChildren(QVariantAnimation)
    assert window.session.look.stage is Stage.S
    assert clock.state() is QVariantAnimation.State.Stopped
