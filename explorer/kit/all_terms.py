"""A sum with every term on a line of its own, over what it is folded in."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QVBoxLayout, QWidget

from explorer.kit.labels import plain_line
from explorer.kit.layouts import put, set_spacing
from explorer.kit.theme import Theme
from explorer.text import _


class AllTerms(QDialog):
    """Shows a text, a term a line; Esc or a click elsewhere closes it.

    Parameters
    ----------
    title, text : str
        Plain text.
    """

    def __init__(self, title: str, text: str, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName(title)
        heading = plain_line(text=title)
        heading.setFont(theme.font(14, 600))
        self.text = QPlainTextEdit(text)
        self.text.setReadOnly(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setFont(theme.font(15))
        self.text.setAccessibleName(_("Every term"))
        self.setObjectName("allTerms")
        self.setStyleSheet(f"#allTerms {{ border: 1px solid {theme.palette.ctl}; }}")
        layout = QVBoxLayout(self)
        margin = theme.px(12)
        set_spacing(layout, margin, margin, margin, margin, gap=theme.px(8))
        put(layout, heading, self.text)
        lines = min(text.count("\n") + 2, 16)
        self.resize(theme.px(400), theme.px(64) + lines * self.text.fontMetrics().lineSpacing())
        self.text.setFocus()

    def show_above(self, button: QWidget) -> None:
        """Open above a button, within its screen."""
        screen = button.screen().availableGeometry()
        corner = button.mapToGlobal(QPoint(0, 0)) - QPoint(0, self.height() + 8)
        x = max(screen.left(), min(corner.x(), screen.right() - self.width()))
        self.move(x, max(screen.top(), corner.y()))
        self.show()
