"""Views on the screen, for tests."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot


def asked_of(
    qtbot: QtBot, view: Any, width: int, height: int, frame: object = None
) -> list[object]:
    """Show a view of that size, on a frame where one is given; return what it asks for since."""
    qtbot.addWidget(view)
    view.resize(width, height)
    if frame is not None:
        view.draw(frame)
    with qtbot.waitExposed(view):
        view.show()
    QApplication.processEvents()
    asked: list[object] = []
    view.intent.connect(asked.append)
    return asked


def turn_wheel(widget: QWidget, at: QPointF, notches: int) -> None:
    """Turn the mouse wheel over a point of a widget."""
    event = QWheelEvent(
        at,
        QPointF(widget.mapToGlobal(at)),
        QPoint(),
        QPoint(0, 120 * notches),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, event)
