"""What goes wrong in an event filter is reported, and the program goes on."""

from __future__ import annotations

import ast
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

import explorer
from explorer.kit.guarded_filter import guarded_filter


class Faulty(QObject):
    """Fails at every press of a button."""

    @guarded_filter
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.MouseButtonPress:
            raise IndexError("nothing there")
        return False


def test_an_exception_is_reported_and_the_press_arrives(qtbot: QtBot) -> None:
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


def test_every_event_filter_of_the_program_survives() -> None:
    bare = []
    for path in Path(explorer.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name == "eventFilter":
                names = {d.id for d in node.decorator_list if isinstance(d, ast.Name)}
                if "guarded_filter" not in names:
                    bare.append(path.name)
    assert bare == []
