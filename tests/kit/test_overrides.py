"""What goes wrong in a method that Qt calls is reported, and the program goes on."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from types import FunctionType

import pytest
import shiboken6
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

import explorer.app
import explorer.kit
import explorer.rooms


class Faulty(QObject):
    """Fails at every press of a button."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.MouseButtonPress:
            raise IndexError("nothing there")
        return False


def test_an_exception_of_a_filter_is_reported_and_the_press_arrives(qtbot: QtBot) -> None:
    button = QPushButton("press")
    qtbot.addWidget(button)
    pressed: list[bool] = []
    button.clicked.connect(lambda: pressed.append(True))
    faulty = Faulty(button)
    button.installEventFilter(faulty)
    button.show()
    with qtbot.captureExceptions() as told:
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert [str(value) for _kind, value, _trace in told] == ["nothing there"]
    assert pressed == [True]


class Failing(QWidget):
    """Fails at a key, below a method of Python's through which the event came."""

    def event(self, event: QEvent) -> bool:
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.text():
            case "n":
                next(iter(()))
            case "l":
                len(3)  # type: ignore[arg-type]
            case "d":
                label = QLabel()
                shiboken6.delete(label)
                label.text()
            case "r":
                raise ValueError("raised")


@pytest.mark.parametrize(
    ("key", "kind"),
    [("n", StopIteration), ("l", TypeError), ("d", RuntimeError), ("r", ValueError)],
)
def test_an_exception_at_a_key_is_reported(qtbot: QtBot, key: str, kind: type) -> None:
    """Python 3.11 and PySide 6.10.3 die of the first three where nobody makes their instance."""
    widget = Failing()
    qtbot.addWidget(widget)
    widget.show()
    with qtbot.captureExceptions() as told:
        QTest.keyClick(widget, key)
    assert [name for name, _value, _trace in told] == [kind]


def test_a_value_that_cannot_be_told_is_reported(qtbot: QtBot) -> None:
    class Sized(QWidget):
        def sizeHint(self):
            return len(3)

    widget = Sized()
    qtbot.addWidget(widget)
    with pytest.raises(TypeError, match="len"):
        widget.adjustSize()


def below(made: type) -> Iterator[type]:
    for each in made.__subclasses__():
        yield each
        yield from below(each)


def test_every_class_of_the_window_is_guarded() -> None:
    for package in (explorer.kit, explorer.rooms, explorer.app):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    bare, guarded = set(), set()
    for made in set(below(QObject)):
        if made.__module__.startswith("explorer."):
            of_qt = [vars(base) for base in made.__mro__ if base.__module__.startswith("PySide6.")]
            for name, method in vars(made).items():
                own = isinstance(method, FunctionType) and not name.startswith("__")
                if own and any(name in methods for methods in of_qt):
                    (guarded if hasattr(method, "__wrapped__") else bare).add((made, name))
    assert not bare
    assert guarded
