"""The left panel of Explore: X, Wq, Wk and Wv as grids, and the options."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.session import PROJECTIONS, Cell, Change, Frame, Invalid, Matrix, Space
from explorer.session.intents import AddProjections, AddToken
from explorer.text import _, html_escaped
from explorer.views.base import View
from explorer.views.copying import NO_FORMATS, CopyFormats
from explorer.views.icons import SIDE, icon
from explorer.views.inputs_options import OptionsBox
from explorer.views.inputs_weights import (
    INSET,
    InvalidCells,
    WeightBlock,
    plain_label,
    show_message,
)
from explorer.views.markers import marker_pixmap
from explorer.views.number_grid import NumberGrid
from explorer.views.theme import Theme

WIDTH = 256  # px at 100 %
_NOTHING: InvalidCells = {}


class InputsView(View):
    """Shows what a person may change, number by number.

    Parameters
    ----------
    theme : Theme
    formats : CopyFormats
        What a matrix can be copied as.
    """

    concerns = (
        Change.RESULT
        | Change.LOOK
        | Change.PAGES
        | Change.SELECTION
        | Change.HOVER
        | Change.INVALID
        | Change.ORIGINAL
        | Change.PLANE
    )

    def __init__(
        self, theme: Theme, formats: CopyFormats = NO_FORMATS, parent: QWidget | None = None
    ) -> None:
        super().__init__(theme, parent)
        self.setAccessibleName(_("Inputs"))
        self.tokens = NumberGrid(Matrix.X, "X", theme, formats, named=True)
        self.context = NumberGrid(None, _("X of the context"), theme, formats, named=True)
        self.weights = {name: WeightBlock(name, theme, formats) for name in PROJECTIONS}
        self.options = OptionsBox(theme)
        self.add_token = QToolButton()
        self.add_token.setAccessibleName(_("Add a token"))
        self.add_token.setToolTip(html_escaped(_("Add a token")))
        self.add_token.clicked.connect(self._add_token)
        self._rows_before: int | None = None  # where a token was asked for, until it is there
        self.add_projections = QPushButton(_("Add Wq, Wk, Wv"))
        self.add_projections.clicked.connect(lambda: self.intent.emit(AddProjections()))
        for grid in (self.tokens, self.context):
            grid.intent.connect(self.intent)
        for block in self.weights.values():
            block.intent.connect(self.intent)
        self.options.intent.connect(self.intent)
        self._build()
        self.retheme(theme)

    def _build(self) -> None:
        self._marker, self._letter, self._word = QLabel(), plain_label("ink1"), plain_label("ink3")
        self._letter.setText("X")
        self._word.setText(_("tokens"))
        self._header = QHBoxLayout()
        for label in (self._marker, self._letter, self._word):
            self._header.addWidget(label)
        self._header.addStretch(1)
        self._header.addWidget(self.add_token)
        self.message = plain_label("err")
        self.message.hide()
        self._context_word = plain_label("ink3")
        self._context_word.setText(_("context"))
        self._no_weights_word = plain_label("ink3")
        self._no_weights_word.setText(_("No projections: Q = K = V = X"))
        self._no_weights = QWidget()
        self._without = QVBoxLayout(self._no_weights)
        self._without.addWidget(self._no_weights_word)
        self._without.addWidget(self.add_projections, 0, Qt.AlignmentFlag.AlignLeft)
        self._column = QWidget()
        self._column.setProperty("panel", True)
        self._column.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._layout = QVBoxLayout(self._column)
        self._above = QVBoxLayout()
        self._above.addLayout(self._header)
        for part in (self.tokens, self.message, self._context_word, self.context):
            self._above.addWidget(part)
        self._layout.addLayout(self._above)
        self._layout.addSpacing(self.theme.px(9))
        self._layout.addWidget(self._no_weights)
        for block in self.weights.values():
            self._layout.addWidget(block)
        self._layout.addStretch(1)
        self._layout.addWidget(self.options)
        self._scroll = QScrollArea()
        self._scroll.setWidget(self._column)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._scroll)

    def _add_token(self) -> None:
        self._rows_before = self.tokens.numbers.rowCount()
        self.intent.emit(AddToken())

    # --- drawing ---------------------------------------------------------------------------------

    def draw(self, frame: Frame) -> None:
        """Show the frame's numbers, options and what is pointed at."""
        scene, invalid = frame.scene, frame.invalid
        head = min(frame.look.head, scene.heads - 1)
        crossed = scene.context is not None
        queries, keys = self.theme.token_colours(frame)
        wrong = _of_matrix(invalid, Matrix.X, 0)
        dragged = frame.drag is not None
        self.tokens.show_numbers(scene.X, scene.tokens, queries, wrong, dragged=dragged)
        show_message(self.message, self.tokens, wrong)
        self.tokens.show_pointing(frame.selection, frame.hover, crossed=crossed)
        if self._rows_before is not None:
            if len(scene.tokens) > self._rows_before:
                self.tokens.edit_name(len(scene.tokens) - 1)
            self._rows_before = None
        self._show(self.context, crossed)
        self._show(self._context_word, crossed)
        if scene.context is not None:
            self.context.show_numbers(scene.context.X, scene.context.tokens, keys)
            self.context.show_pointing(frame.selection, frame.hover, crossed=True)
        self._show(self._no_weights, not scene.projected)
        for name, block in self.weights.items():
            self._show(block, scene.projected)
            if scene.projected:
                block.draw(frame, head, _of_matrix(invalid, name, head))
        was_open = self.options.body.isVisibleTo(self)
        self.options.draw(frame)
        if self.options.body.isVisibleTo(self) and not was_open:
            self._column.adjustSize()
            self._scroll.ensureWidgetVisible(self.options)

    @staticmethod
    def _show(widget: QWidget, shown: bool) -> None:
        if widget.isHidden() == shown:
            widget.setVisible(shown)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        super().retheme(theme)
        px, ratio = theme.px, self.devicePixelRatioF()
        inset = px(INSET)
        self.setFixedWidth(px(WIDTH))
        self._layout.setContentsMargins(px(16) - inset, px(16), px(16) - inset, px(2))
        self._layout.setSpacing(px(14))
        self._above.setSpacing(px(4))
        for part in (self._above, self._without):
            part.setContentsMargins(inset, 0, inset, 0)
        self._header.setSpacing(px(8))
        marker = marker_pixmap(Space.X, theme.color("ink2"), px(16), ratio)
        self._marker.setPixmap(marker)
        self._letter.setFont(theme.font(14, 700))
        self._context_word.setContentsMargins(0, px(12), 0, 0)
        for label in (self._word, self._context_word, self._no_weights_word):
            label.setFont(theme.font(13))
        self.add_token.setIcon(icon("add", theme))
        self.add_token.setIconSize(QSize(px(SIDE), px(SIDE)))
        self.add_projections.setFont(theme.font(14))
        self.message.setFont(theme.font(13))
        self.tokens.retheme(theme)
        self.context.retheme(theme)
        for block in self.weights.values():
            block.retheme(theme)
        self.options.retheme(theme)


def _of_matrix(invalid: Mapping[Cell, Invalid], matrix: Matrix, head: int) -> InvalidCells:
    """Return the invalid cells of one head of a matrix by row and column."""
    if not invalid:
        return _NOTHING
    return {
        (cell.row, cell.column): what
        for cell, what in invalid.items()
        if cell.matrix is matrix and cell.head == head
    }


if __name__ == "__main__":
    from explorer.views.preview import preview

    preview(InputsView)
