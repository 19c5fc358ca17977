"""What is added to X, below it in the panel: rows of one's own to edit, others to look at."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from explorer.kit.copying import CopyFormats
from explorer.kit.icons import SIDE, icon
from explorer.kit.labels import plain_label
from explorer.kit.table.grid import NumberGrid
from explorer.kit.theme import Theme, TokenColour
from explorer.rooms.explore.inputs.weights import invalid_of, show_message
from explorer.session import Frame, Matrix, position_rows
from explorer.session.intents import OpenPosition
from explorer.text import _


class PositionRows(QWidget):
    """Shows P: own rows as they are edited; sinusoidal ones folded away until they are asked for.

    Parameters
    ----------
    theme : Theme
    formats : CopyFormats
    """

    intent = Signal(object)

    def __init__(self, theme: Theme, formats: CopyFormats, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._open = False
        self._letter, self._word = plain_label("ink1", self), plain_label("ink3", self)
        self._letter.setText("P")
        self.toggle = QToolButton(self)
        self.toggle.clicked.connect(lambda: self.intent.emit(OpenPosition(not self._open)))
        self.grid = self._grid(_("P, the position"), theme, formats, editable=True)
        self.shown = self._grid(_("P, sinusoidal"), theme, formats, editable=False)
        self.message = plain_label("err", self)
        self.message.hide()
        self._header = QHBoxLayout()
        self._header.addWidget(self._letter)
        self._header.addWidget(self._word)
        self._header.addStretch(1)
        self._header.addWidget(self.toggle)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addLayout(self._header)
        for part in (self.grid, self.shown, self.message):
            self._column.addWidget(part)
        self.retheme(theme)

    def _grid(self, name: str, theme: Theme, formats: CopyFormats, *, editable: bool) -> NumberGrid:
        grid = NumberGrid(
            Matrix.POSITION, name, theme, formats, named=True, editable=editable, parent=self
        )
        grid.intent.connect(self.intent)
        return grid

    def draw(self, frame: Frame, colours: Sequence[TokenColour]) -> None:
        """Show the frame's position, which it must have; emits nothing."""
        scene, rows = frame.scene, position_rows(frame.scene)
        assert rows is not None
        own = scene.array(Matrix.POSITION) is not None
        self._open = frame.look.position_open
        grid = self.grid if own else self.shown
        shown = own or self._open
        for part, wanted in (
            (self.grid, own),
            (self.shown, not own and self._open),
            (self.toggle, not own),
        ):
            if part.isHidden() == wanted:
                part.setVisible(wanted)
        self._say(own)
        wrong = invalid_of(frame.invalid, Matrix.POSITION, 0)
        if shown:
            grid.show_numbers(rows, scene.tokens, colours, wrong if own else None)
            crossed = scene.context is not None
            grid.show_pointing(frame.selection, frame.hover, crossed=crossed)
        show_message(self.message, self.grid, wrong if own else {})

    def _say(self, own: bool) -> None:
        word = _("position, own rows") if own else _("position, sinusoidal")
        if word != self._word.text():
            self._word.setText(word)
        name = _("Fold the position's numbers") if self._open else _("Show the position's numbers")
        if name != self.toggle.accessibleName():
            self.toggle.setAccessibleName(name)
            self.toggle.setToolTip(name)
            self._show_arrow()

    def _show_arrow(self) -> None:
        self.toggle.setIcon(icon("chevron-down" if self._open else "chevron-right", self._theme))

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        px = theme.px
        self._letter.setFont(theme.font(14, 700))
        self._word.setFont(theme.font(13))
        self.message.setFont(theme.font(13))
        self.toggle.setIconSize(QSize(px(SIDE), px(SIDE)))
        self._header.setSpacing(px(8))
        self._column.setSpacing(px(4))
        self.grid.retheme(theme)
        self.shown.retheme(theme)
        self._show_arrow()
