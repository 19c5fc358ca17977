"""Of many tokens the selected one's row of A stands below the matrix as a list."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.session import Look, Options, Role, Selection, Stage, Veil, resolve
from explorer.session.intents import Hover, Select
from tests.rooms.explore.results.panel import LARGE, LEFT, panel

AT_A = Look().at_stage(Stage.A)


def test_the_largest_weights_come_first_and_the_rest_together(qtbot: QtBot) -> None:
    shown = panel(qtbot, LARGE)
    rows = shown.view.matrices.row
    frame = shown.draw(Selection(Role.X, 3), look=AT_A)
    weights = frame.weights[3]
    largest = np.argsort(-weights)[:5].tolist()
    assert rows.isVisible()
    assert rows.keys == tuple(largest)
    assert rows.accessibleDescription() == ", ".join(
        f"token{key} {weights[key]:.3f}" for key in largest
    )
    assert rows.others == "the other 59 tokens together"
    assert f"token3 gives it {weights[largest[1]]:.9f}".rstrip("0") in rows.text_at(
        rows.row_rect(1).center()
    )
    # As many as there are edges of the selected token.
    shown.draw(Selection(Role.X, 3), look=replace(AT_A, strongest=9))
    assert len(rows.keys) == 9
    shown.draw(look=AT_A)
    assert rows.keys == ()


def test_a_key_is_pointed_at_and_selected_by_mouse_and_keys(qtbot: QtBot) -> None:
    shown = panel(qtbot, LARGE)
    rows = shown.view.matrices.row
    shown.draw(Selection(Role.X, 3), look=AT_A)
    keys = rows.keys
    at = rows.row_rect(2).center().toPoint()
    shown.view.area.ensureWidgetVisible(rows)
    there, none = QPointF(at), Qt.MouseButton.NoButton
    moved = QMouseEvent(
        QEvent.Type.MouseMove, there, there, none, none, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(rows, moved)
    assert shown.last() == Hover(Selection(Role.A, 3, keys[2]))
    QTest.mouseClick(rows, LEFT, pos=at)
    assert shown.last() == Select(Selection(Role.A, 3, keys[2]))
    shown.draw(Selection(Role.A, 3, keys[2]), look=AT_A)
    for key, place in ((Qt.Key.Key_Down, 3), (Qt.Key.Key_Up, 1)):
        QTest.keyClick(rows, key)
        assert shown.last() == Select(Selection(Role.A, 3, keys[place]))


def test_what_is_masked_or_hidden_is_not_listed(qtbot: QtBot) -> None:
    scene = LARGE.replace(options=Options(mask="causal"))
    shown = panel(qtbot, scene)
    rows = shown.view.matrices.row
    shown.draw(Selection(Role.A, 2, 1), look=AT_A)
    assert sorted(rows.keys) == [0, 1, 2]
    veiled = replace(AT_A, veils=frozenset({Veil(Stage.A, 2, 1)}))
    shown.draw(Selection(Role.A, 2, 1), look=veiled)
    assert rows.keys == ()
    shown.draw(Selection(Role.A, 3, 1), look=veiled)
    assert len(rows.keys) == 4
    shown.draw(Selection(Role.A, 3, 1), look=replace(AT_A, veiled=True))
    assert not rows.isVisible()
    # Beside few tokens the matrix has all numbers.
    few = panel(qtbot)
    few.draw(Selection(Role.A, 2, 1), look=AT_A)
    assert resolve(few.scene).weights.shape == (4, 4)
    assert not few.view.matrices.row.isVisible()
