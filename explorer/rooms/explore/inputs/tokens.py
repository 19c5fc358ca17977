"""Rows of tokens in the panel, of X or of a context: a heading, the numbers, what is wrong."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from explorer.kit.copying import CopyFormats
from explorer.kit.icons import SIDE, icon
from explorer.kit.labels import plain_label
from explorer.kit.markers import marker_pixmap
from explorer.kit.table.grid import NumberGrid
from explorer.kit.theme import Theme, TokenColour
from explorer.rooms.explore.inputs.weights import invalid_of, show_message
from explorer.session import Array, Frame, Matrix, Space
from explorer.session.intents import AddToken
from explorer.text import plain_tip


class TokenRows(QWidget):
    """Shows the tokens of X, or those of the context, each with its row.

    Parameters
    ----------
    matrix : Matrix
        X or CONTEXT.
    name : str
        What the table is called.
    word : str
        What stands beside the letter X.
    add : str
        What the button does that adds a token.
    theme : Theme
    formats : CopyFormats
    """

    intent = Signal(object)

    def __init__(
        self,
        matrix: Matrix,
        name: str,
        word: str,
        add: str,
        theme: Theme,
        formats: CopyFormats,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._of_context = matrix is Matrix.CONTEXT
        self._rows_before: int | None = None  # where a token was asked for, until it is there
        self._marker = QLabel(self)
        self._letter, self._word = plain_label("ink1", self), plain_label("ink3", self)
        self._letter.setText("X")
        self._word.setText(word)
        self.add_token = QToolButton(self)
        self.add_token.setAccessibleName(add)
        self.add_token.setToolTip(plain_tip(add))
        self.add_token.clicked.connect(self._add_token)
        self.grid = NumberGrid(matrix, name, theme, formats, named=True, parent=self)
        self.grid.intent.connect(self.intent)
        self.message = plain_label("err", self)
        self.message.hide()
        self._header = QHBoxLayout()
        for label in (self._marker, self._letter, self._word):
            self._header.addWidget(label)
        self._header.addStretch(1)
        self._header.addWidget(self.add_token)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addLayout(self._header)
        self._column.addWidget(self.grid)
        self._column.addWidget(self.message)
        self.retheme(theme)

    def draw(
        self,
        frame: Frame,
        tokens: Sequence[str],
        values: Array,
        colours: Sequence[TokenColour],
    ) -> None:
        """Show names and numbers, shape (rows, d), and what is pointed at; emits nothing."""
        wrong = invalid_of(frame.invalid, self.grid.matrix, 0)
        dragged = frame.drag is not None
        self.grid.show_numbers(values, tokens, colours, wrong, dragged=dragged)
        show_message(self.message, self.grid, wrong)
        crossed = frame.scene.context is not None
        self.grid.show_pointing(frame.selection, frame.hover, crossed=crossed)
        if self._rows_before is not None:
            if len(tokens) > self._rows_before:
                self.grid.edit_name(len(tokens) - 1)
            self._rows_before = None

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        px = theme.px
        marker = marker_pixmap(Space.X, theme.color("ink2"), px(16), self.devicePixelRatioF())
        self._marker.setPixmap(marker)
        self._letter.setFont(theme.font(14, 700))
        self._word.setFont(theme.font(13))
        self.message.setFont(theme.font(13))
        self.add_token.setIcon(icon("add", theme))
        self.add_token.setIconSize(QSize(px(SIDE), px(SIDE)))
        self._header.setSpacing(px(8))
        self._column.setSpacing(px(4))
        self.grid.retheme(theme)

    def _add_token(self) -> None:
        self._rows_before = self.grid.numbers.rowCount()
        self.intent.emit(AddToken(context=self._of_context))
