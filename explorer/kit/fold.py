"""The header of a collapsible section: what is in it, and the button that expands it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from explorer.kit.icons import SIDE, icon
from explorer.kit.labels import ElidedLabel, plain_line
from explorer.kit.layouts import hairline, put, set_spacing
from explorer.kit.theme import Theme
from explorer.text import labelled, plain_tip

_HEIGHT, _GAP = 46, 10  # px at 100 %
# How far parts of a panel stand inside what can be pressed and so may carry a focus ring, px.
INSET = 6


class _Header(QPushButton):
    """A button whose tooltip has the text that does not fit on it."""

    summary: ElidedLabel

    def event(self, event: QEvent) -> bool:
        """Show the whole summary where it is cut."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            whole = self.summary.text()
            cut = plain_tip(whole) if self.summary.shown_text != whole else ""
            QToolTip.showText(event.globalPos(), cut, self)
            return True
        return super().event(event)


class Fold(QWidget):
    """A hairline, and beneath it a title, a summary and an arrow that are one button.

    Parameters
    ----------
    title : str
    inset : int
        Room at the left and at the right, px at 100 %.
    """

    def __init__(self, title: str, inset: int, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._inset = inset
        self._open = False
        self.header = _Header()
        self.header.setProperty("kind", "row")
        self._title, self._summary = plain_line("ink2", text=title), ElidedLabel()
        self._arrow = plain_line("ink3")
        for label in (self._title, self._summary, self._arrow):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.header.summary = self._summary
        self._row = QHBoxLayout(self.header)
        put(self._row, self._title, (self._summary, 1), self._arrow)
        self._line_row = QHBoxLayout()
        self._line_row.addWidget(hairline())
        column = QVBoxLayout(self)
        set_spacing(column, 0, 0, 0, 0, gap=0)
        put(column, self._line_row, self.header)
        self.header.setAccessibleName(title)
        self.retheme(theme)

    def show_summary(self, summary: str) -> None:
        """Say in a few words what is folded away."""
        self._summary.setText(summary)
        self.header.setAccessibleName(labelled(self._title.text(), summary))

    def show_open(self, unfolded: bool) -> None:
        """Turn the arrow down or to the right."""
        if unfolded != self._open:
            self._open = unfolded
            self._show_arrow()

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        inset = theme.px(self._inset)
        self.header.setFixedHeight(theme.px(_HEIGHT))
        self._title.setFont(theme.font(14))
        self._summary.setFont(theme.font(13))
        set_spacing(self._row, inset, 0, inset, 0, gap=theme.px(_GAP))
        self._line_row.setContentsMargins(inset, 0, inset, 0)
        self._show_arrow()

    def _show_arrow(self) -> None:
        side = self._theme.px(SIDE)
        drawn = icon("chevron-down" if self._open else "chevron-right", self._theme)
        self._arrow.setPixmap(drawn.pixmap(QSize(side, side), self.devicePixelRatioF()))
