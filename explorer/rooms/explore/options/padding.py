"""The tokens that padding may hide, to be checked one by one."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem, QWidget

from explorer.kit.theme import Theme
from explorer.text import _, displayable, plain_tip

_ROW, _MOST_ROWS = 26, 6  # px at 100 %; more are scrolled to


class PaddingList(QListWidget):
    """Tokens with a check box each; the checked ones are hidden from every query."""

    asked = Signal(object)  # the places that are wanted, a frozenset

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._hidden: frozenset[int] = frozenset()
        self._tokens: Sequence[str] | None = None
        self._theme = theme
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(_("Tokens that no token may attend to"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setUniformItemSizes(True)
        self.itemClicked.connect(self._toggle)

    def show_tokens(self, tokens: Sequence[str], hidden: Collection[int]) -> None:
        """Show tokens, and which of them are hidden; emits nothing."""
        with QSignalBlocker(self):
            if tokens != self._tokens:
                self._tokens = tokens
                self.clear()
                for place, name in enumerate(names_apart(tokens)):
                    item = QListWidgetItem(name, self)
                    item.setToolTip(plain_tip(tokens[place]))
                    item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
                    item.setCheckState(Qt.CheckState.Unchecked)  # without one it has no box
                self._fit()
            self._hidden = frozenset(hidden)
            self._check()

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        self.setFont(theme.font(13))
        colour, px = theme.palette, theme.px
        self.setStyleSheet(
            f"QListWidget {{ background: {colour.raised}; border: 1px solid {colour.line2};"
            f" border-radius: {px(6)}px; outline: 0; }}"
            f" QListWidget:focus {{ border: 1px solid {colour.ink1}; }}"
            f" QListWidget::item {{ height: {px(_ROW)}px; padding-left: {px(4)}px; }}"
            f" QListWidget::item:selected {{ background: {colour.hover}; color: {colour.ink1}; }}"
            f" QListWidget::item:hover {{ background: {colour.hover}; }}"
        )
        self._fit()

    def _fit(self) -> None:
        rows = min(max(self.count(), 1), _MOST_ROWS)
        self.setFixedHeight(rows * self._theme.px(_ROW) + 2)

    def _check(self) -> None:
        for place in range(self.count()):
            checked = place in self._hidden
            state = Qt.CheckState.Checked if checked else Qt.CheckState.Unchecked
            if self.item(place).checkState() is not state:
                self.item(place).setCheckState(state)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Hide or show the current token with Space."""
        if event.key() == Qt.Key.Key_Space and self.currentItem() is not None:
            self._toggle(self.currentItem())
        else:
            super().keyPressEvent(event)

    def _toggle(self, item: QListWidgetItem) -> None:
        self.asked.emit(self._hidden ^ {self.row(item)})


def names_apart(tokens: Sequence[str]) -> list[str]:
    """Return the tokens' names for a list, equal ones with the number of their place."""
    return [
        f"{displayable(name)} · {place}" if tokens.count(name) > 1 else displayable(name)
        for place, name in enumerate(tokens, 1)
    ]
