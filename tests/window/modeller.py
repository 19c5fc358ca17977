"""Somebody in Model, with a mouse and a keyboard."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from explorer.app.model import ModelRoom

CONTROL = Qt.KeyboardModifier.ControlModifier


class Modeller:
    """Somebody in Model."""

    def __init__(self, person, qtbot: QtBot) -> None:
        self.person, self.window, self.qtbot = person, person.window, qtbot

    @property
    def room(self) -> ModelRoom:
        assert self.window.model is not None
        return self.window.model

    @property
    def frame(self):
        return self.room.session.frame

    def wait(self) -> None:
        """Wait until every number that was asked for has come."""
        self.qtbot.waitUntil(lambda: not self.room.runner.busy, timeout=60_000)
        self.room.clock.flush()
        self.person.settle()

    def open(self, path: Path) -> None:
        assert self.window.open_file(path)
        self.wait()

    def type(self, text: str) -> None:
        box = self.room.page.text.box
        box.setFocus()
        box.selectAll()
        QTest.keyClicks(box, text)
        self.wait()

    def run(self) -> None:
        QTest.keyClick(self.room.page.text.box, Qt.Key.Key_Return, CONTROL)
        self.wait()

    def key(self, key: Qt.Key) -> None:
        QTest.keyClick(self.room.page, key)
        self.wait()
