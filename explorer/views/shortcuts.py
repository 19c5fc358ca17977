"""The sheet of keyboard shortcuts."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QDialog,
    QFrame,
    QGridLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from explorer.text import _
from explorer.views.theme import Theme

Group = tuple[str, Sequence[tuple[str, str]]]  # a heading, and (keys, what they do) below it
_MARGIN, _COLUMN_GAP, _GROUP_GAP, _ROW_GAP = 24, 40, 16, 5  # px at 100 %
_AIR = 24  # between the sheet and the window's edge, px


class ShortcutsSheet(QDialog):
    """Shows shortcuts in two columns, or in one where there is no room; Esc or a click closes it.

    Parameters
    ----------
    groups : sequence of (heading, sequence of (keys, what))
        Plain texts, translated; keys as a person reads them ("Ctrl+Z").
    parent : QWidget
        The window, which it stays within.
    """

    def __init__(self, groups: Sequence[Group], theme: Theme, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Dialog | Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(True)
        self.setWindowTitle(_("Keyboard shortcuts"))
        self._theme = theme
        px = theme.px
        frame = QFrame(self)
        frame.setObjectName("sheet")
        frame.setStyleSheet(f"#sheet {{ border: 1px solid {theme.palette.ctl}; }}")
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(frame)
        layout = QVBoxLayout(frame)
        layout.setContentsMargins(px(_MARGIN), px(_GROUP_GAP), px(_MARGIN), px(_GROUP_GAP))
        layout.setSpacing(px(12))
        layout.addWidget(_label(_("Keyboard shortcuts"), theme, 18, 600))

        columns = QWidget()
        columns.setProperty("panel", True)
        self._halves = QBoxLayout(QBoxLayout.Direction.LeftToRight, columns)
        self._halves.setContentsMargins(0, 0, px(8), 0)
        self._halves.setSpacing(px(_COLUMN_GAP))
        for part in _in_two(groups):
            self._halves.addLayout(self._column(part), 1)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setWidget(columns)
        self._scroll.setAccessibleName(_("Keyboard shortcuts"))
        layout.addWidget(self._scroll)
        layout.addWidget(_label(_("Esc or a click closes this sheet"), theme, 13, 400, "ink3"))
        self._fit(columns, parent)

    def _column(self, groups: Sequence[Group]) -> QVBoxLayout:
        theme, px = self._theme, self._theme.px
        column = QVBoxLayout()
        column.setSpacing(px(_GROUP_GAP))
        for heading, shortcuts in groups:
            grid = QGridLayout()
            grid.setHorizontalSpacing(px(12))
            grid.setVerticalSpacing(px(_ROW_GAP))
            grid.setColumnStretch(1, 1)
            grid.addWidget(_label(heading, theme, 13, 600, "ink3"), 0, 0, 1, 2)
            for row, (keys, what) in enumerate(shortcuts, start=1):
                cap = _label(keys, theme, 13, 600)
                cap.setAccessibleName(f"{keys}: {what}")
                colour = theme.palette
                cap.setStyleSheet(
                    f"background: {colour.raised}; border: 1px solid {colour.line2};"
                    f" border-radius: {px(5)}px; padding: {px(1)}px {px(6)}px;"
                )
                told = _label(what, theme, 14, 400, "ink2")
                told.setWordWrap(True)
                left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
                grid.addWidget(cap, row, 0, left)
                grid.addWidget(told, row, 1)
            column.addLayout(grid)
        column.addStretch(1)
        return column

    def _fit(self, columns: QWidget, window: QWidget) -> None:
        """Take the size the text needs, within the window; beyond, the sheet scrolls."""
        room = window.size()
        width = min(self._theme.px(860), room.width() - 2 * _AIR)
        inner = width - 2 * self._theme.px(_MARGIN) - 2
        bar = self._scroll.verticalScrollBar().sizeHint().width()
        if self._halves.minimumSize().width() > inner - bar:
            self._halves.setDirection(QBoxLayout.Direction.TopToBottom)
            self._halves.setSpacing(self._theme.px(_GROUP_GAP))
        hint = columns.sizeHint()
        layout = columns.layout()
        tall = layout.heightForWidth(inner) if layout and layout.hasHeightForWidth() else -1
        wanted = max(hint.height(), tall)
        chrome = self.sizeHint().height() - self._scroll.sizeHint().height()
        self.resize(width, min(wanted + chrome + 2, room.height() - 2 * _AIR))
        centre = window.mapToGlobal(window.rect().center())
        self.move(centre - self.rect().center())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Close."""
        self.accept()


def _in_two(groups: Sequence[Group]) -> tuple[Sequence[Group], Sequence[Group]]:
    """Return the groups in two parts, in order, as equal in height as can be."""
    heights = [len(shortcuts) + 2 for _heading, shortcuts in groups]
    at = min(range(len(groups) + 1), key=lambda cut: max(sum(heights[:cut]), sum(heights[cut:])))
    return groups[:at], groups[at:]


def _label(text: str, theme: Theme, size: float, weight: int, ink: str = "ink1") -> QLabel:
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setFont(theme.font(size, weight))
    label.setProperty("ink", ink)
    return label
