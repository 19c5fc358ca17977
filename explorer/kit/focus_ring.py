"""The ring around what has the focus: it is seen where a key brought the focus, not the mouse."""

from __future__ import annotations

import weakref

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QListWidget,
    QSlider,
    QWidget,
)

_RINGED = "ringed"  # a property, which style sheets ask for
_STYLED = (QAbstractButton, QComboBox, QListWidget, QSlider)  # whose ring a style sheet may draw
_BY_KEY = Qt.WidgetAttribute.WA_KeyboardFocusChange


def is_ringed(widget: QWidget) -> bool:
    """Return whether a widget has the focus and is to show it."""
    return widget.hasFocus() and widget.property(_RINGED) is True


def ring(widget: QWidget) -> None:
    """Show the focus of a widget that paints its ring itself: its keys are used."""
    widget.setProperty(_RINGED, True)
    widget.update()


class FocusRings(QObject):
    """Decides, whenever the focus moves, whether it is shown.

    A key shows it (Tab, an arrow, a shortcut); the mouse does not. Where the program moves it, as
    from a part that is hidden, and in a window that comes to the front again, it stays shown or
    not. Text fields show it always: there one types.

    Qt notes on a window that a key moved the focus. The reason of a focus event is not enough:
    from a part that is hidden Qt moves the focus as the tab key does.
    """

    def __init__(self, application: QApplication) -> None:
        super().__init__(application)
        self._shown = False
        self._window: weakref.ref[QWidget] | None = None  # which has the focus, or had it last
        application.focusChanged.connect(self._moved)

    def _moved(self) -> None:
        widget = QApplication.focusWidget()
        if widget is None:  # another program is in front
            return
        window = widget.window()
        by_key = window.testAttribute(_BY_KEY)
        window.setAttribute(_BY_KEY, False)
        before = widget.property(_RINGED) is True
        same = self._window is not None and self._window() is window
        stays = self._shown if same else before
        pressed = QApplication.mouseButtons() != Qt.MouseButton.NoButton
        self._shown, self._window = by_key or (stays and not pressed), weakref.ref(window)
        if before != self._shown:
            widget.setProperty(_RINGED, self._shown)
            if isinstance(widget, _STYLED):
                widget.style().unpolish(widget)
                widget.style().polish(widget)
            widget.update()
