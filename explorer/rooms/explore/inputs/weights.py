"""A W in the panel: marker, name, what it does, its numbers, and those of its bias."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QLabel, QMenu, QToolButton, QVBoxLayout, QWidget

from explorer.kit.copying import CopyFormats
from explorer.kit.fold import INSET
from explorer.kit.icons import icon
from explorer.kit.labels import plain_label, plain_line
from explorer.kit.layouts import NO_LIMIT, fill, put, set_direction
from explorer.kit.markers import marker_pixmap
from explorer.kit.table.grid import NumberGrid, add_presets
from explorer.kit.theme import Theme
from explorer.rooms.explore.movement import MovementBox
from explorer.session import PROJECTIONS, Array, Cell, Frame, Invalid, Matrix, Scene, Space
from explorer.session.edits import head_matrix
from explorer.session.presets import preset_name
from explorer.text import _, plain_tip

SPACE_OF_WEIGHTS = {
    Matrix.WQ: Space.Q,
    Matrix.WK: Space.K,
    Matrix.WV: Space.V,
    Matrix.WO: Space.Y,
}
BIAS_OF = {Matrix.WQ: Matrix.BQ, Matrix.WK: Matrix.BK, Matrix.WV: Matrix.BV, Matrix.WO: Matrix.BO}
# A matrix with more columns stands below its name, as wide as the panel.
_MOST_BESIDE, _BESIDE = 2, 64  # columns; width of one, px at 100 %
_MOST_UNFOLDED = 8  # columns of a matrix whose numbers are shown unasked

InvalidCells = Mapping[tuple[int, int], Invalid]
_NOTHING: InvalidCells = {}


def show_message(label: QLabel, grid: NumberGrid, invalid: InvalidCells) -> None:
    """Say what is expected in the grid's current cell if it is wrong, or else in the first one."""
    here = grid.numbers.place(grid.currentIndex())
    wrong = invalid.get(here) or next(iter(invalid.values()), None)
    label.setText("" if wrong is None else str(wrong.message))
    label.setVisible(wrong is not None)


def invalid_of(invalid: Mapping[Cell, Invalid], matrix: Matrix, head: int) -> InvalidCells:
    """Return the invalid cells of one head of a matrix by row and column."""
    if not invalid:
        return _NOTHING
    return {
        (cell.row, cell.column): what
        for cell, what in invalid.items()
        if cell.matrix is matrix and cell.head == head
    }


def letter_name(matrix: Matrix, parent: QWidget) -> QLabel:
    """Return a label with the name of a W or a bias, its second letter below the line."""
    label = QLabel(parent)
    # Fixed text of the program's own: the only rich text here.
    label.setTextFormat(Qt.TextFormat.RichText)
    label.setText(f"{matrix[0]}<sub>{matrix[1]}</sub>")
    label.setAccessibleName(str(matrix))
    return label


class BiasRow(QWidget):
    """Shows the bias that is added to what a W gives, as one more row below it.

    Parameters
    ----------
    matrix : Matrix
        bq, bk, bv or bo.
    """

    intent = Signal(object)

    def __init__(
        self, matrix: Matrix, theme: Theme, formats: CopyFormats, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.matrix = matrix
        self._shown: tuple[Array, int, InvalidCells] | None = None
        self._name = letter_name(matrix, self)
        self.grid = NumberGrid(matrix, str(matrix), theme, formats, parent=self)
        self.grid.intent.connect(self.intent)
        self.message = plain_label("err", self)
        self.message.hide()
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        put(self._row, None, self._name, self.grid)
        self._column = fill(QVBoxLayout(self), self._row, self.message)
        self.retheme(theme)

    def draw(self, frame: Frame, head: int) -> None:
        """Show the numbers of a head's bias, which the scene must have; emits nothing."""
        invalid = invalid_of(frame.invalid, self.matrix, head)
        source = frame.scene.matrix(self.matrix)
        before, after = self._shown, (source, head, invalid)
        self._shown = after
        if before is None or before[0] is not source or before[1:] != after[1:]:
            values = head_matrix(frame.scene, self.matrix, head)
            self.grid.show_numbers(values, invalid=invalid, head=head)
            show_message(self.message, self.grid, invalid)
        self.grid.show_pointing(frame.selection, frame.hover)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._name.setFont(theme.font(14, 500))
        self._column.setSpacing(theme.px(4))
        self.message.setFont(theme.font(13))
        self.grid.retheme(theme)

    def arrange(self, theme: Theme, columns: int, *, beside: bool) -> None:
        """Put the numbers below those of the W, with the name beside or above them."""
        inset = theme.px(INSET)
        set_direction(self._row, beside=beside)
        self._row.setSpacing(theme.px(8 if beside else 2))
        self._row.setContentsMargins(0 if beside else inset, 0, inset, 0)
        self.message.setContentsMargins(inset, 0, inset, 0)
        fit_width(self.grid, theme, columns, beside=beside)


def fit_width(grid: NumberGrid, theme: Theme, columns: int, *, beside: bool) -> None:
    """Give a grid the width of its columns, or let it be as wide as the panel."""
    if beside:
        grid.setFixedWidth(theme.px(_BESIDE) * columns)
    else:
        grid.setMinimumWidth(0)
        grid.setMaximumWidth(NO_LIMIT)


class WeightBlock(QWidget):
    """Shows the chosen head's block of one W, or Wo, and the bias that goes with it.

    Parameters
    ----------
    matrix : Matrix
        Wq, Wk, Wv or Wo.
    theme : Theme
    formats : CopyFormats
    """

    intent = Signal(object)

    def __init__(
        self, matrix: Matrix, theme: Theme, formats: CopyFormats, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.matrix = matrix
        self._shown: tuple[Array, Array | None, int, int, InvalidCells] | None = None
        self._marker, self._name = QLabel(self), letter_name(matrix, self)
        self._head = plain_line("ink3", self)
        self.preset = QToolButton()
        self.preset.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.preset.setProperty("kind", "link")
        menu = QMenu(self.preset)
        add_presets(menu, matrix, self.intent.emit)
        self.preset.setMenu(menu)
        self.grid = NumberGrid(matrix, str(matrix), theme, formats)
        self.grid.intent.connect(self.intent)
        self._formats = formats
        self._biased = False
        self._open = False  # whether a wide W shows its numbers
        self.fold = QToolButton(self)
        self.fold.setProperty("kind", "link")
        self.fold.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.fold.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the arrow stands last
        self.fold.clicked.connect(self._turn)
        self.fold.hide()
        self.bias: BiasRow | None = None  # made when there is a bias
        self.message = plain_label("err", self)
        self.message.hide()
        title = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        put(title, self._marker, self._name, None)
        self._words = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._words.addStretch(1)
        self._title = title
        self._words.addLayout(title)
        self._words.addWidget(self.preset, 0, Qt.AlignmentFlag.AlignLeft)
        put(self._words, self._head, None, self.fold)
        self._layout = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._layout.addLayout(self._words, 1)
        self._beside = QVBoxLayout()
        self._beside.addWidget(self.grid)
        self._layout.addLayout(self._beside)
        self._whole = fill(QVBoxLayout(self), self._layout, self.message)
        self.movement: MovementBox | None = None
        if matrix in PROJECTIONS:
            self.movement = MovementBox(matrix, theme, INSET, self)
            self.movement.intent.connect(self.intent)
            self._whole.addWidget(self.movement)
        self.retheme(theme)

    def draw(self, frame: Frame, head: int) -> None:
        """Show the frame's numbers of a head (Wo is that of all); emits nothing."""
        scene = frame.scene
        head = head if self.matrix in PROJECTIONS else 0
        invalid = invalid_of(frame.invalid, self.matrix, head)
        source, heads = scene.matrix(self.matrix), scene.heads
        own: Array | None = getattr(frame.original, self.matrix)
        before, after = self._shown, (source, own, heads, head, invalid)
        self._shown = after
        if (
            before is None
            or before[0] is not source
            or before[1] is not own
            or before[2:] != after[2:]
        ):
            values = head_matrix(scene, self.matrix, head)
            self.grid.show_numbers(values, invalid=invalid, head=head)
            self._arrange(values.shape[1])
            show_message(self.message, self.grid, invalid)
            name = preset_name(scene, self.matrix, frame.original, head)
            self.preset.setText(name.replace("&", "&&"))
            self.preset.setAccessibleName(
                _("{matrix} is {name}; fill it with …").format(matrix=self.matrix, name=name)
            )
            self._say_head(scene, head)
        self.grid.show_pointing(frame.selection, frame.hover)
        self._draw_bias(frame, head)
        if self.movement is not None:
            self.movement.draw(frame, head)

    def _draw_bias(self, frame: Frame, head: int) -> None:
        self._biased = there = frame.scene.array(BIAS_OF[self.matrix]) is not None
        if self.bias is None and there:
            self.bias = BiasRow(BIAS_OF[self.matrix], self._theme, self._formats, self)
            self.bias.intent.connect(self.intent)
            self._whole.insertWidget(2, self.bias)  # below the numbers and what is wrong with them
            self.bias.show()
            self._arrange(self.grid.numbers.values.shape[1])
        if self.bias is None:
            return
        if self.bias.isHidden() == (there and self._unfolded):
            self.bias.setVisible(there and self._unfolded)
        if there:
            self.bias.draw(frame, head)

    def _say_head(self, scene: Scene, head: int) -> None:
        """Say which head's numbers these are, where there are several."""
        several = scene.heads > 1 and self.matrix in PROJECTIONS
        self._head.setVisible(several)
        self._head.setText(_("head {n} of {all}").format(n=head + 1, all=scene.heads))
        split = ""
        if several and scene.matrix(self.matrix).ndim == 2:
            width = self.grid.numbers.values.shape[1]
            split = _("Columns {first} to {last} of {matrix}").format(
                first=head * width + 1, last=(head + 1) * width, matrix=self.matrix
            )
        self._head.setToolTip(plain_tip(split))

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        ratio = self.devicePixelRatioF()
        space = SPACE_OF_WEIGHTS[self.matrix]
        self._marker.setPixmap(marker_pixmap(space, theme.color("ink2"), theme.px(16), ratio))
        self._name.setFont(theme.font(15, 600))
        if self.bias is not None:
            self.bias.retheme(theme)
        if self.movement is not None:
            self.movement.retheme(theme)
        self.preset.setFont(theme.font(13))
        self._head.setFont(theme.font(13))
        self.message.setFont(theme.font(13))
        self.grid.retheme(theme)
        self._title.setSpacing(theme.px(7))
        self._whole.setSpacing(theme.px(4))
        self._words.setSpacing(theme.px(2))
        self.fold.setFont(theme.font(13))
        if self._shown is not None:
            self._arrange(self.grid.numbers.values.shape[1])

    @property
    def _unfolded(self) -> bool:
        """Whether the numbers are shown: always, but of a wide W only when that is wanted."""
        return self._open or self.grid.numbers.values.shape[1] <= _MOST_UNFOLDED

    def take_over(self, before: WeightBlock) -> None:
        """Show the numbers of a wide W where another block did."""
        if self._open != before._open:
            self._turn()

    def _turn(self) -> None:
        self._open = not self._open
        self._arrange(self.grid.numbers.values.shape[1])

    def _show_fold(self) -> None:
        rows, columns = self.grid.numbers.values.shape
        self.fold.setVisible(columns > _MOST_UNFOLDED)
        self.fold.setText(f"{rows} × {columns}")
        self.fold.setIcon(icon("chevron-down" if self._open else "chevron-right", self._theme))
        template = _("Fold {matrix}") if self._open else _("Show the numbers of {matrix}")
        said = template.format(matrix=self.matrix)
        self.fold.setAccessibleName(said)
        self.fold.setToolTip(plain_tip(said))
        self.grid.setVisible(self._unfolded)
        if self.bias is not None and self._shown is not None:
            self.bias.setVisible(self._unfolded and self._biased)

    def _arrange(self, columns: int) -> None:
        """Put the numbers beside the name where they are narrow, else below it."""
        self._show_fold()
        beside, px = columns <= _MOST_BESIDE, self._theme.px
        set_direction(self._layout, beside=beside)
        self._layout.setSpacing(px(4) if beside else px(6))
        set_direction(self._words, beside=not beside)
        self._words.setSpacing(px(1) if beside else px(4))
        inset = px(INSET)
        self._title.setContentsMargins(inset, 0, 0, 0)
        self._beside.setContentsMargins(0 if beside else inset, 0, inset, 0)
        for label in (self._head, self.message):
            label.setContentsMargins(inset, 0, inset, 0)
        self._words.setStretch(0, int(beside))  # centred beside the numbers, left above them
        fit_width(self.grid, self._theme, columns, beside=beside)
        if self.bias is not None:
            self.bias.arrange(self._theme, columns, beside=beside)
