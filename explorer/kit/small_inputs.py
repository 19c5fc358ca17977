"""Small inputs that panels share; the frame alone says what they show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QKeySequence, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QLineEdit,
    QPushButton,
    QWidget,
)


class CalmWheel(QWidget if TYPE_CHECKING else object):  # type: ignore[misc]
    """An input that the wheel changes only where it has the focus; else its panel scrolls."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the panel until the input is chosen."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class SingleClickButton(QPushButton):
    """A button that hears a double click once: by the second press it means another thing."""

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Leave the second press out: it would stop what the first one began."""
        event.accept()


class CalmCombo(CalmWheel, QComboBox):
    """A choice that the wheel changes only where it has the focus."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def minimumSizeHint(self) -> QSize:
        """Return the least size; Qt keeps the one it had in an earlier font."""
        return self.sizeHint()


class StepField(CalmWheel, QAbstractSpinBox):
    """A line for any text with arrows beside it; what is typed is asked for, never judged.

    Enter, and leaving the line, commit; Esc takes back what was typed since.

    Parameters
    ----------
    name : str
        What is typed, for screen readers.
    arrows : bool
        Whether there is a next value above and below.
    """

    committed = Signal(str)
    asked = Signal(bool)  # the next value: up or down

    def __init__(self, name: str, arrows: bool = True, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._arrows = arrows
        if not arrows:
            self.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.NoButtons)
        self._shown = ""
        self._typing = False
        self.lineEdit().textEdited.connect(self._edited)
        self.editingFinished.connect(self.commit)

    def show_text(self, text: str, wrong: bool = False) -> None:
        """Show a text, unless something is being typed; mark one that cannot be."""
        self._shown = text
        if not self._typing and self.lineEdit().text() != text:
            self.lineEdit().setText(text)
            self.lineEdit().setCursorPosition(0)  # what is too long is read from its beginning
        mark_wrong(self, wrong)

    def drop_typed(self) -> None:
        """Forget that something is being typed."""
        self._typing = False

    def commit(self) -> None:
        """Ask for what was typed, if anything was."""
        if self._typing:
            self._typing = False
            self.committed.emit(self.lineEdit().text())

    def stepEnabled(self) -> QAbstractSpinBox.StepEnabledFlag:
        """Return that both arrows can be pressed, where there are any."""
        if not self._arrows:
            return QAbstractSpinBox.StepEnabledFlag.StepNone
        return (
            QAbstractSpinBox.StepEnabledFlag.StepUpEnabled
            | QAbstractSpinBox.StepEnabledFlag.StepDownEnabled
        )

    def stepBy(self, steps: int) -> None:
        """Ask for the next value above or below."""
        self._typing = False
        self.asked.emit(steps > 0)

    def event(self, event: QEvent) -> bool:
        """Leave Undo and Redo to the window unless something is being typed."""
        if not self._typing and asks_to_undo(event):
            event.ignore()
            return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take back what was typed with Esc."""
        if event.key() == Qt.Key.Key_Escape and self._typing:
            self._typing = False
            self.lineEdit().setText(self._shown)
        else:
            super().keyPressEvent(event)

    def _edited(self) -> None:
        self._typing = True


class AskingCheck(QCheckBox):
    """A check box that asks to be changed and shows what it is told."""

    asked = Signal(bool)

    def __init__(self, name: str, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setAccessibleName(name)
        if not text:  # nothing to stand apart from
            self.setStyleSheet("QCheckBox { spacing: 0px; }")
        self.clicked.connect(self._clicked)
        self._shown = False

    def show_checked(self, checked: bool) -> None:
        """Check it or not; emits nothing."""
        self._shown = checked
        self.setChecked(checked)

    def _clicked(self, checked: bool) -> None:
        self.setChecked(self._shown)
        self.asked.emit(checked)


class SearchLine(QLineEdit):
    """A field that filters what is beside it; Esc empties it before it does anything else."""

    def __init__(self, name: str, hint: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setPlaceholderText(hint)
        self.setClearButtonEnabled(True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Empty it with Esc."""
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)


def asks_to_undo(event: QEvent) -> bool:
    """Return whether an input is asked to take Undo or Redo for itself; Qt's always do."""
    if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
        return False
    keys = QKeySequence.StandardKey
    return event.matches(keys.Undo) or event.matches(keys.Redo)


def give_font(box: QAbstractSpinBox, font: QFont) -> None:
    """Give a number field and its line a font: under a style sheet the line does not follow."""
    box.setFont(font)
    box.lineEdit().setFont(font)


def mark_wrong(widget: QWidget, wrong: bool) -> None:
    """Give an input the border of what cannot be, or its own again."""
    if bool(widget.property("invalid")) != wrong:
        widget.setProperty("invalid", wrong)
        widget.style().unpolish(widget)
        widget.style().polish(widget)
