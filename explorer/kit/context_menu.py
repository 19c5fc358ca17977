"""Context menus."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, QPoint, Qt, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractScrollArea, QMenu, QWidget


def offer_actions(widget: QWidget) -> None:
    """Let the context menu of a widget be its actions.

    Qt's own policy for that makes the menu a child of the widget and keeps it on the stack until it
    is closed. Where the widget is deleted meanwhile (a run's card, whose run is gone), its children
    are freed, and the program dies.
    """
    _Offer(widget)


def show_menu(actions: Sequence[QAction], at: QPoint, parent: QWidget) -> None:
    """Show a menu of actions at a place of the screen; it goes with its parent, or when closed."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.addActions(actions)
    menu.popup(at)


class _Offer(QObject):
    """Shows a widget's actions where they are asked for."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        widget.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        widget.customContextMenuRequested.connect(self._show)

    @Slot(QPoint)
    def _show(self, at: QPoint) -> None:
        widget = self.parent()  # not kept: what holds each other is freed wherever garbage is
        assert isinstance(widget, QWidget)
        inner = widget.viewport() if isinstance(widget, QAbstractScrollArea) else widget
        if widget.actions():
            show_menu(widget.actions(), inner.mapToGlobal(at), widget)
