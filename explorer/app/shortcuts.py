"""The sheet of keyboard shortcuts."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QGridLayout,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from explorer.kit.framed_dialog import GAP, MARGIN, WIDEST, FramedDialog
from explorer.kit.layouts import set_spacing
from explorer.kit.theme import Theme
from explorer.text import _, labelled

Group = tuple[str, Sequence[tuple[str, str]]]  # a heading, and (keys, what they do) below it
_COLUMN_GAP, _ROW_GAP = 40, 5  # px at 100 %


class ShortcutsSheet(FramedDialog):
    """Shows shortcuts in two columns, or in one where there is no room; Esc or a click closes it.

    Parameters
    ----------
    groups : sequence of (heading, sequence of (keys, what))
        Plain texts, translated; keys as a person reads them ("Ctrl+Z").
    parent : QWidget
        The window, which it stays within.
    widest : int
        px at 100 %.

    Attributes
    ----------
    is_whole : bool
        Whether nothing of it has to be scrolled to.
    """

    def __init__(
        self, groups: Sequence[Group], theme: Theme, parent: QWidget, *, widest: int = WIDEST
    ) -> None:
        super().__init__(_("Keyboard shortcuts"), theme, parent, widest=widest)
        px = theme.px
        columns = QWidget(self.frame)
        columns.setProperty("panel", True)
        self._halves = QBoxLayout(QBoxLayout.Direction.LeftToRight, columns)
        set_spacing(self._halves, 0, 0, px(8), 0, gap=px(_COLUMN_GAP))
        for part in filter(None, _in_two(groups)):
            self._halves.addLayout(self._half(part), 1)
        self._scroll = QScrollArea(self.frame)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setWidget(columns)
        self._scroll.setAccessibleName(_("Keyboard shortcuts"))
        self.column.addWidget(self._scroll)
        self.column.addWidget(self.label(_("Esc or a click closes this sheet"), 13, 400, "ink3"))
        self._fit(columns)

    def _half(self, groups: Sequence[Group]) -> QVBoxLayout:
        px = self.theme.px
        half = QVBoxLayout()
        half.setSpacing(px(GAP))
        for heading, shortcuts in groups:
            grid = QGridLayout()
            grid.setHorizontalSpacing(px(12))
            grid.setVerticalSpacing(px(_ROW_GAP))
            grid.setColumnStretch(1, 1)
            grid.addWidget(self.label(heading, 13, 600, "ink3"), 0, 0, 1, 2)
            for row, (keys, what) in enumerate(shortcuts, start=1):
                cap = self.label(keys, 13, 600)
                cap.setAccessibleName(labelled(keys, what))
                colour = self.theme.palette
                cap.setStyleSheet(
                    f"background: {colour.raised}; border: 1px solid {colour.line2};"
                    f" border-radius: {px(5)}px; padding: {px(1)}px {px(6)}px;"
                )
                told = self.label(what, 14, 400, "ink2")
                told.setWordWrap(True)
                left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
                grid.addWidget(cap, row, 0, left)
                grid.addWidget(told, row, 1)
            half.addLayout(grid)
        half.addStretch(1)
        return half

    def _fit(self, columns: QWidget) -> None:
        """Take the size the text needs, within the window; beyond, the sheet scrolls."""
        inner = self.most_width - 2 * self.theme.px(MARGIN) - 2
        bar = self._scroll.verticalScrollBar().sizeHint().width()
        if self._halves.minimumSize().width() > inner - bar:
            self._halves.setDirection(QBoxLayout.Direction.TopToBottom)
            self._halves.setSpacing(self.theme.px(GAP))
        hint = columns.sizeHint()
        layout = columns.layout()
        tall = layout.heightForWidth(inner) if layout and layout.hasHeightForWidth() else -1
        wanted = max(hint.height(), tall)
        chrome = self.sizeHint().height() - self._scroll.sizeHint().height()
        self.is_whole = wanted + chrome + 2 <= self.most_height
        self.take_size(self.most_width, min(wanted + chrome + 2, self.most_height))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Close."""
        self.accept()


def _in_two(groups: Sequence[Group]) -> tuple[Sequence[Group], Sequence[Group]]:
    """Return the groups in two parts, in order, as equal in height as can be."""
    heights = [len(shortcuts) + 2 for _heading, shortcuts in groups]
    at = min(range(len(groups) + 1), key=lambda cut: max(sum(heights[:cut]), sum(heights[cut:])))
    return groups[:at], groups[at:]
