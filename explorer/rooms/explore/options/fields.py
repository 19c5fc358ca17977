"""Inputs that refuse what cannot be: its text stays, marked, until it is put right or dropped."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QSpinBox, QWidget

from explorer.kit.small_inputs import StepField, give_font, mark_wrong
from explorer.kit.theme import Theme
from explorer.text import N_, Ambiguous, Message, NotANumber, expected_instead, parse_number
from explorer.text.numbers import MINUS

_PLAIN_DIGITS = N_("Type the number without marks between thousands, for example 1234.5")

Judge = Callable[[float], Message | None]


def short_number(value: float) -> str:
    """Return a number with all its digits, as short as it can be: 3, 2.5 or 1e−5."""
    mantissa, _e, exponent = repr(float(value)).partition("e")
    digits = mantissa.removesuffix(".0")
    return (f"{digits}e{int(exponent)}" if exponent else digits).replace("-", MINUS)


class NumberField(StepField):
    """A line for one number.

    Parameters
    ----------
    name : str
        What is typed, for screen readers.
    judge : callable
        Says why a number cannot be; None where it can.
    """

    taken = Signal(float)
    judged = Signal(object)  # a Message why the text was refused, or None

    def __init__(self, name: str, judge: Judge, parent: QWidget | None = None) -> None:
        super().__init__(name, arrows=False, parent=parent)
        self._judge = judge
        self._value = 0.0
        self._refused: Message | None = None
        self.committed.connect(self._take)

    def show_value(self, value: float) -> None:
        """Show a number, in place of what was refused before."""
        self._value = value
        self.forget()

    def forget(self) -> None:
        """Show the number again instead of what was refused."""
        if self._refused is not None:
            self._refused = None
            self.judged.emit(None)
        self.show_text(short_number(self._value))
        self.setAccessibleDescription("")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take back with Esc what was refused."""
        if event.key() == Qt.Key.Key_Escape and self._refused is not None:
            self.drop_typed()
            self.forget()
        else:
            super().keyPressEvent(event)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        give_font(self, theme.font(14))

    def _take(self, text: str) -> None:
        try:
            value = parse_number(text)
            message = self._judge(value)
        except Ambiguous:
            message = Message(_PLAIN_DIGITS)
        except NotANumber as wrong:
            message = expected_instead(wrong)
        self._refused = message
        self.judged.emit(message)
        if message is not None:
            self.show_text(text, wrong=True)
            self.setAccessibleDescription(str(message))
            return
        self.show_text(short_number(self._value))  # the frame alone says what it is
        self.taken.emit(value)


class CountBox(QSpinBox):
    """A whole number that the wheel changes only where it has the focus.

    Parameters
    ----------
    name : str
        What is counted, for screen readers.
    most : int
        The least is 1.
    judge : callable
        Says why a number cannot be; None where it can.
    """

    taken = Signal(int)
    judged = Signal(object)  # a Message why the number was refused, or None

    def __init__(self, name: str, most: int, judge: Judge, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._judge = judge
        self.setRange(1, most)
        self.setKeyboardTracking(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(name)
        self.valueChanged.connect(self._take)

    def show_value(self, value: int) -> None:
        """Show a number; emits nothing."""
        mark_wrong(self, False)
        if self.value() != value:
            with QSignalBlocker(self):
                self.setValue(value)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the panel until the box is chosen."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        give_font(self, theme.font(14))
        self.setMinimumWidth(theme.px(56))

    def _take(self, value: int) -> None:
        message = self._judge(value)
        mark_wrong(self, message is not None)
        self.judged.emit(message)
        self.setAccessibleDescription("" if message is None else str(message))
        if message is None:
            self.taken.emit(value)
