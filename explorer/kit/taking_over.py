"""The state of a page is handed to the one that replaces it, in another language.

What a session knows, the new page shows anyway. What parts alone know is taken over by those at the
same place: by a method `take_over(before)` of theirs, and here from Qt's own lines, splitters and
scroll bars.
"""

from __future__ import annotations

from collections import Counter

from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QLineEdit,
    QPlainTextEdit,
    QScrollBar,
    QSplitter,
    QWidget,
)

from explorer.kit.layouts import lay_out

Place = tuple[int, type, int]  # the number of what it stands in, and which of its kind it is there


def take_over(page: QWidget, before: QWidget, focused: QWidget | None) -> QWidget | None:
    """Let a page that is shown look as the one before; return where the focus was, where it is.

    focused : what had the focus in the page before
    """
    numbers: dict[Place, int] = {}
    places = _places(before, numbers)
    pairs = [(part, places[at]) for at, part in _places(page, numbers).items() if at in places]
    for part, other in pairs:
        own = getattr(part, "take_over", None)
        if own is not None:
            own(other)
        elif isinstance(part, QLineEdit) and isinstance(other, QLineEdit):
            _take_line(part, other)
        elif isinstance(part, QSplitter) and isinstance(other, QSplitter):
            part.setSizes(other.sizes())
    lay_out()
    for part, other in pairs:
        if isinstance(part, QPlainTextEdit) and isinstance(other, QPlainTextEdit):
            _take_cursor(part, other)
    for part, other in pairs:
        if isinstance(part, QScrollBar) and isinstance(other, QScrollBar):
            part.setValue(other.value())
    return next((part for part, other in pairs if other is focused and part.isVisible()), None)


def _places(page: QWidget, numbers: dict[Place, int]) -> dict[int, QWidget]:
    """Return the parts of a page by the numbers of their places, from the outermost on.

    numbers : those of places that were met, and from now on of these
    """
    found, known = {0: page}, {page: 0}
    count: Counter[tuple[int, type]] = Counter()
    for part in page.findChildren(QWidget):
        owner = part.parentWidget()
        above = None if owner is None else known.get(owner)
        if above is None or part.isWindow():
            continue
        kind = above, type(part)
        number = numbers.setdefault((*kind, count[kind]), len(numbers) + 1)
        count[kind] += 1
        known[part] = number
        found[number] = part
    return found


def _take_line(line: QLineEdit, before: QLineEdit) -> None:
    """Take over what was typed and not entered yet."""
    in_box = isinstance(line.parentWidget(), QAbstractSpinBox)  # leaving it was entering it
    if not in_box and line.text() != before.text() and not line.isReadOnly():
        line.setText(before.text())
        line.setCursorPosition(before.cursorPosition())
    if line.isHidden() and not before.isHidden():
        line.show()


def _take_cursor(text: QPlainTextEdit, before: QPlainTextEdit) -> None:
    """Take over where the cursor stands and what is selected, where the text is the same."""
    if text.toPlainText() == before.toPlainText():
        there, cursor = before.textCursor(), text.textCursor()
        cursor.setPosition(there.anchor())
        cursor.setPosition(there.position(), QTextCursor.MoveMode.KeepAnchor)
        text.setTextCursor(cursor)
