"""Train's views on the screen, for tests: shown, pointed at, clicked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from explorer.kit.style import apply_theme
from explorer.kit.theme import Theme
from explorer.rooms.train.base import TrainView
from explorer.session.train import TrainFrame

V = TypeVar("V", bound=TrainView)
NO_BUTTON, NO_KEYS = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier


@dataclass
class Stage(Generic[V]):
    """A view, what it shows, and what it has asked for."""

    view: V
    frame: TrainFrame
    intents: list[object]

    def draw(self, **changes: Any) -> None:
        """Draw the frame with some of its fields changed."""
        self.frame = replace(self.frame, **changes)
        self.view.draw(self.frame)
        QCoreApplication.sendPostedEvents()

    def asked(self) -> list[object]:
        """Return what was asked for since the last time."""
        asked = list(self.intents)
        self.intents.clear()
        return asked


def stage(
    qtbot: QtBot,
    view: V,
    frame: TrainFrame,
    size: tuple[int, int] = (340, 650),
    theme: Theme | None = None,
) -> Stage[V]:
    """Show a view of that size on a frame."""
    apply_theme(view, theme or Theme())
    qtbot.addWidget(view)
    view.resize(*size)
    intents: list[object] = []
    view.intent.connect(intents.append)
    view.draw(frame)
    with qtbot.waitExposed(view):
        view.show()
    result = Stage(view, frame, intents)
    result.draw()
    return result


def click(widget: QWidget, at: QPointF | QPoint) -> None:
    """Press and release the left button at a point of a widget."""
    point = at.toPoint() if isinstance(at, QPointF) else at
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, NO_KEYS, point)


def move(widget: QWidget, at: QPointF | QPoint) -> None:
    """Tell a widget that the pointer is at a point of it, wherever the screen's pointer is."""
    point = QPointF(at)
    there = QPointF(widget.mapToGlobal(point))
    event = QMouseEvent(QEvent.Type.MouseMove, point, there, NO_BUTTON, NO_BUTTON, NO_KEYS)
    QCoreApplication.sendEvent(widget, event)


def leave(widget: QWidget) -> None:
    """Tell a widget that the pointer has left it."""
    QCoreApplication.sendEvent(widget, QEvent(QEvent.Type.Leave))


def picture(widget: QWidget) -> QImage:
    """Return what a widget looks like."""
    return widget.grab().toImage()


def colour_at(widget: QWidget, at: QPointF | QPoint) -> QColor:
    """Return the colour of one pixel of a widget."""
    point = at.toPoint() if isinstance(at, QPointF) else at
    return picture(widget).pixelColor(point)
