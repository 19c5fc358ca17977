"""Somebody who has unfolded the options of the left panel."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget

from explorer.resources import example
from explorer.session import Scene, read_scene

KEY, CONTROL = Qt.Key, Qt.KeyboardModifier.ControlModifier


class Options:
    """Somebody who has unfolded the options."""

    def __init__(self, person) -> None:
        self.person = person
        self.inputs = person.window.explore_page.inputs
        self._scroll = self.inputs.findChild(QScrollArea)
        self.push(self.inputs.options.header)

    @property
    def scene(self) -> Scene:
        return self.person.session.scene

    def group(self, kind):
        return self.inputs.options.groups[kind]

    def push(self, widget: QWidget) -> None:
        self.see(widget)
        self.person.click(widget, widget.rect().center())

    def see(self, widget: QWidget) -> None:
        self._scroll.ensureWidgetVisible(widget)
        QApplication.processEvents()

    def check(self, box: QWidget) -> None:
        """Click on the square of a check box."""
        self.see(box)
        self.person.click(box, QPoint(8, box.height() // 2))

    def type(self, box, text: str) -> None:
        line = box.lineEdit()
        self.see(box)
        self.person.click(line, line.rect().center())
        self.person.key(KEY.Key_A, CONTROL, line)
        QTest.keyClicks(line, text)
        self.person.key(KEY.Key_Return, widget=line)

    def choose(self, combo, key: Qt.Key) -> None:
        self.see(combo)
        combo.setFocus()
        self.person.key(key, widget=combo)

    def undo(self) -> None:
        """Press Ctrl+Z where the focus is, as after typing."""
        self.person.key(KEY.Key_Z, CONTROL)

    def open(self, name: str) -> None:
        self.person.session.open(read_scene(example(name)), self.person.session.look)
        self.person.settle()
