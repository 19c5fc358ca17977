"""Keys that nothing with the focus wanted."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from explorer.app.rooms import Rooms
from explorer.session import CHAIN, Stage
from explorer.session.intents import Select

_PLAIN = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)


class LooseKeys:
    """Carries out 1–7, Esc, ? and a lesson's Page Up and Page Down, and Alt with 1–7 anywhere.

    Parameters
    ----------
    rooms : Rooms
    turn : callable
        Turns a page of the lesson where a key says so; returns whether it did.
    show_shortcuts : callable
    owner : QWidget
        Where Alt with a number is heard.
    """

    def __init__(
        self,
        rooms: Rooms,
        turn: Callable[[int], bool],
        show_shortcuts: Callable[[], None],
        owner: QWidget,
    ) -> None:
        self._rooms, self._turn, self._show_shortcuts = rooms, turn, show_shortcuts
        for number, stage in enumerate(CHAIN, 1):
            shortcut = QShortcut(QKeySequence(f"Alt+{number}"), owner)
            shortcut.activated.connect(partial(self._show_stage, stage))

    def take(self, event: QKeyEvent) -> bool:
        """Carry out what a key means; return whether it means something."""
        plain = event.modifiers() in _PLAIN
        stages = list(CHAIN)
        number = event.key() - Qt.Key.Key_1
        if plain and 0 <= number < len(stages):
            self._show_stage(stages[number])
        elif plain and event.key() == Qt.Key.Key_Escape:
            front = self._rooms.front
            if not front.page.put_left_away():
                front.handle(Select(None))
        elif event.text() == "?":
            self._show_shortcuts()
        else:
            return plain and self._turn(event.key())
        return True

    def _show_stage(self, stage: Stage) -> None:
        self._rooms.front.show_stage(stage)
