"""One of Wq, Wk and Wv in the panel: marker, name, what it does, and its numbers."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QLabel, QMenu, QToolButton, QVBoxLayout, QWidget

from explorer.session import Array, Frame, Invalid, Matrix, Space
from explorer.session.presets import preset_name
from explorer.text import _
from explorer.views.copying import CopyFormats
from explorer.views.markers import marker_pixmap
from explorer.views.number_grid import NumberGrid, add_presets
from explorer.views.theme import Theme

SPACE_OF_WEIGHTS = {Matrix.WQ: Space.Q, Matrix.WK: Space.K, Matrix.WV: Space.V}
# A matrix with more columns stands below its name, as wide as the panel.
_MOST_BESIDE, _BESIDE = 2, 64  # columns; width of one, px at 100 %
# How far parts of the panel stand inside what can be pressed and so may carry a focus ring, px.
INSET = 6
_NO_LIMIT = 16777215  # Qt's own largest width

InvalidCells = Mapping[tuple[int, int], Invalid]


def plain_label(ink: str, parent: QWidget | None = None) -> QLabel:
    """Return an empty label for plain text, which wraps, in a colour of the palette."""
    label = QLabel(parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setProperty("ink", ink)
    return label


def show_message(label: QLabel, grid: NumberGrid, invalid: InvalidCells) -> None:
    """Say what is expected in the grid's current cell if it is wrong, or else in the first one."""
    here = grid.numbers.place(grid.currentIndex())
    wrong = invalid.get(here) or next(iter(invalid.values()), None)
    label.setText("" if wrong is None else str(wrong.message))
    label.setVisible(wrong is not None)


class WeightBlock(QWidget):
    """Shows the chosen head's block of one W.

    Parameters
    ----------
    matrix : Matrix
        Wq, Wk or Wv.
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
        self._marker, self._name = QLabel(), QLabel()
        # Fixed text of the program's own: the only rich text here.
        self._name.setTextFormat(Qt.TextFormat.RichText)
        self._name.setText(f"W<sub>{matrix[1]}</sub>")
        self._name.setAccessibleName(str(matrix))
        self._head = plain_label("ink3")
        self._head.setWordWrap(False)
        self.preset = QToolButton()
        self.preset.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.preset.setProperty("kind", "link")
        menu = QMenu(self.preset)
        add_presets(menu, matrix, self.intent.emit)
        self.preset.setMenu(menu)
        self.grid = NumberGrid(matrix, str(matrix), theme, formats)
        self.grid.intent.connect(self.intent)
        self.message = plain_label("err")
        self.message.hide()
        title = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        title.addWidget(self._marker)
        title.addWidget(self._name)
        title.addStretch(1)
        title.setSpacing(theme.px(7))
        self._words = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._words.addStretch(1)
        self._title = title
        self._words.addLayout(title)
        self._words.addWidget(self.preset, 0, Qt.AlignmentFlag.AlignLeft)
        self._words.addWidget(self._head)
        self._words.addStretch(1)
        self._layout = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._layout.addLayout(self._words, 1)
        self._beside = QVBoxLayout()
        self._beside.addWidget(self.grid)
        self._layout.addLayout(self._beside)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(theme.px(4))
        whole.addLayout(self._layout)
        whole.addWidget(self.message)
        self.retheme(theme)

    def draw(self, frame: Frame, head: int, invalid: InvalidCells) -> None:
        """Show the frame's numbers of a head; emits nothing."""
        scene = frame.scene
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
            blocks = scene.per_head(self.matrix)
            assert blocks is not None
            self._arrange(blocks.shape[2])
            self.grid.show_numbers(blocks[head], invalid=invalid, head=head)
            show_message(self.message, self.grid, invalid)
            name = preset_name(scene, self.matrix, frame.original, head)
            self.preset.setText(name.replace("&", "&&"))
            self.preset.setAccessibleName(
                _("{matrix} is {name}; fill it with …").format(matrix=self.matrix, name=name)
            )
            self._head.setVisible(heads > 1)
            self._head.setText(_("head {n} of {all}").format(n=head + 1, all=heads))
        self.grid.show_pointing(frame.selection, frame.hover)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        ratio = self.devicePixelRatioF()
        space = SPACE_OF_WEIGHTS[self.matrix]
        self._marker.setPixmap(marker_pixmap(space, theme.color("ink2"), theme.px(16), ratio))
        self._name.setFont(theme.font(15, 600))
        self.preset.setFont(theme.font(13))
        self._head.setFont(theme.font(13))
        self.message.setFont(theme.font(13))
        self.grid.retheme(theme)
        self._words.setSpacing(theme.px(2))
        if self._shown is not None:
            self._arrange(self.grid.numbers.values.shape[1])

    def _arrange(self, columns: int) -> None:
        """Put the numbers beside the name where they are narrow, else below it."""
        beside, px = columns <= _MOST_BESIDE, self._theme.px
        direction = QBoxLayout.Direction
        self._layout.setDirection(direction.LeftToRight if beside else direction.TopToBottom)
        self._layout.setSpacing(px(4) if beside else px(6))
        self._words.setDirection(direction.TopToBottom if beside else direction.LeftToRight)
        self._words.setSpacing(px(1) if beside else px(4))
        inset = px(INSET)
        self._title.setContentsMargins(inset, 0, 0, 0)
        self._beside.setContentsMargins(0 if beside else inset, 0, inset, 0)
        for label in (self._head, self.message):
            label.setContentsMargins(inset, 0, inset, 0)
        self._words.setStretch(0, int(beside))  # centred beside the numbers, left above them
        if beside:
            self.grid.setFixedWidth(px(_BESIDE) * columns)
        else:
            self.grid.setMinimumWidth(0)
            self.grid.setMaximumWidth(_NO_LIMIT)
