"""Copying a block of numbers: the formats come from outside, the menu is the same everywhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QTimer
from PySide6.QtGui import QAction, QCursor, QGuiApplication
from PySide6.QtWidgets import QMenu, QToolTip, QWidget

from explorer.session import Array
from explorer.session.intents import CopyText
from explorer.text import _

# What a format is called ("Table", "NumPy", ...) to what makes the text of a matrix from its name
# and its numbers, shape (rows, columns). The first is the one that the copy key uses.
CopyFormats = Mapping[str, Callable[[str, Array], str]]
Emit = Callable[[object], None]

NO_FORMATS: CopyFormats = {}

_AFTER_MENU = 50  # ms in which a menu that was pressed is gone


def copy_menu(parent: QWidget, formats: CopyFormats, name: str, array: Array, emit: Emit) -> QMenu:
    """Return a menu "Copy as ..." whose actions emit a `CopyText` of `array`.

    After these it has what the part around `parent` offers, see `offered`.

    Parameters
    ----------
    parent : QWidget
        Owner of the menu.
    formats : CopyFormats
    name : str
        What the matrix is called in code, such as "Wq".
    array : ndarray, shape (rows, columns)
    emit : callable
        Takes the intent; usually `view.intent.emit`.
    """
    menu = QMenu(parent)
    for label, text_of in formats.items():
        action = menu.addAction(_("Copy as {format}").format(format=_(label)))
        # The text is made only when asked for: a large matrix takes its time.
        action.triggered.connect(
            lambda _checked=False, make=text_of: emit(CopyText(make(name, array)))
        )
    actions = offered(parent)
    if actions:
        menu.addSeparator()
        menu.addActions(actions)
    return menu


def put_on_clipboard(text: str) -> None:
    """Put a text on the clipboard, and say so where the mouse is."""
    clipboard = QGuiApplication.clipboard()
    clipboard.setText(text)
    # A menu that closes gives the focus back, at which every tooltip goes: it is waited for.
    said = partial(QToolTip.showText, QCursor.pos(), _("Copied"))
    QTimer.singleShot(_AFTER_MENU, clipboard, said)


def offered(widget: QWidget) -> list[QAction]:
    """Return the actions of a widget, or else of the nearest part around it that has some."""
    part: QWidget | None = widget
    while part is not None and not part.isWindow():
        if part.actions():
            return part.actions()
        part = part.parentWidget()
    return []


def copy_block(formats: CopyFormats, name: str, array: Array, emit: Emit) -> None:
    """Emit a `CopyText` of `array` in the first format; nothing where there is none."""
    for text_of in formats.values():
        emit(CopyText(text_of(name, array)))
        return
