"""The card of a wanted value: what may move, what would change, accepted or not."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMoveEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from explorer.kit.labels import ElidedLabel, plain_label, plain_line
from explorer.kit.layouts import put, set_spacing
from explorer.kit.segments import Segment, Segments
from explorer.kit.table import painting
from explorer.kit.table.painting import LEFT, RIGHT, draw_text
from explorer.kit.theme import Theme
from explorer.session import Aiming, Array, Frame, Matrix
from explorer.session.intents import AcceptAim, AimCell, DropAim
from explorer.text import (
    Message,
    _,
    decimal_places,
    display_number,
    displayable,
    joined,
    joined_long,
    plain_tip,
)

# px at 100 %, as all below
_ROW, _CAPTION = 24, 20
_SIZE, _CAPTION_SIZE = 13, 12
_AIR, _GAP = 10, 14  # between numbers, and between blocks
_MOST_DECIMALS = 6
_SPOKEN = 24  # numbers that are read out


class ChangeTable(QWidget):
    """Old, new and difference: rows below each other, matrices side by side where they fit.

    All numbers have the same decimals; differences wear their sign and its colour.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._theme = theme
        self._blocks: tuple[Array, ...] = ()
        self._room, self._cell, self._aside = 0, 1, True
        self.decimals = 3

    def show_change(self, old: Array, new: Array, difference: Array, theme: Theme) -> None:
        """Show matrices of one shape."""
        self._theme, self._blocks = theme, (old, new, difference)
        self.decimals = _decimals(difference)
        said = [
            f"{name} {joined(self.text(block, *at) for at in np.ndindex(old.shape))}"
            for block, name in enumerate(self._names())
            if old.size <= _SPOKEN
        ]
        self.setAccessibleName(_("Change"))
        self.setAccessibleDescription(joined_long(said))
        self._arrange()

    def set_room(self, width: int) -> None:
        """Take so much width, in px, where more is not needed."""
        if width != self._room:
            self._room = width
            self._arrange()

    def text(self, block: int, row: int, column: int) -> str:
        """Return a number as it is shown: of the old (0), the new (1) or the difference (2)."""
        value = float(self._blocks[block][row, column])
        shown = display_number(value, self.decimals)
        return f"+{shown}" if block == 2 and value > 0.0 else shown

    @staticmethod
    def _names() -> tuple[str, str, str]:
        return _("old"), _("new"), _("difference")

    def sizeHint(self) -> QSize:
        if not self._blocks:
            return QSize(0, 0)
        px, (rows, columns) = self._theme.px, self._blocks[0].shape
        if self._aside:
            wide = 3 * columns * self._cell + 2 * px(_GAP)
            return QSize(wide, px(_CAPTION) + rows * px(_ROW))
        gap = px(4) if rows > 1 else 0
        return QSize(self._captions() + columns * self._cell, 3 * rows * px(_ROW) + 2 * gap)

    def _arrange(self) -> None:
        if not self._blocks:
            return
        theme, (rows, columns) = self._theme, self._blocks[0].shape
        # Of wide matrices the numbers of largest magnitude stand for the rest.
        extremes = [np.unravel_index(np.abs(block).argmax(), block.shape) for block in self._blocks]
        texts = [self.text(b, int(at[0]), int(at[1])) for b, at in enumerate(extremes)]
        texts += [self.text(2, r, c) for r in range(min(rows, 8)) for c in range(min(columns, 8))]
        widest = max(painting.text_width(theme, text, _SIZE) for text in texts)
        self._cell = math.ceil(widest) + theme.px(_AIR)
        captions = max(painting.text_width(theme, n, _CAPTION_SIZE) for n in self._names())
        wide = 3 * columns * self._cell + 2 * theme.px(_GAP)
        fits = wide <= self._room and columns * self._cell >= captions
        self._aside = rows > 1 and fits
        self.setFixedSize(self.sizeHint())
        self.update()

    def _captions(self) -> int:
        names = self._names()
        widths = (painting.text_width(self._theme, name, _CAPTION_SIZE) for name in names)
        return math.ceil(max(widths)) + self._theme.px(4)

    def cell(self, block: int, row: int, column: int) -> QRectF:
        """Return where a number stands."""
        px, (rows, columns) = self._theme.px, self._blocks[0].shape
        if self._aside:
            left = block * (columns * self._cell + px(_GAP)) + column * self._cell
            return QRectF(left, px(_CAPTION) + row * px(_ROW), self._cell, px(_ROW))
        gap = px(4) if rows > 1 else 0
        top = block * (rows * px(_ROW) + gap) + row * px(_ROW)
        return QRectF(self._captions() + column * self._cell, top, self._cell, px(_ROW))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what is in view."""
        if not self._blocks:
            return
        theme = self._theme
        with QPainter(self) as painter:
            rows, columns = self._blocks[0].shape
            area = QRectF(event.rect())
            largest = float(np.abs(self._blocks[2]).max()) or 1.0
            for block, name in enumerate(self._names()):
                first = self.cell(block, 0, 0)
                ink = theme.color("ink3")
                if self._aside:
                    where = QRectF(first.left(), 0, columns * self._cell, theme.px(_CAPTION))
                    where.adjust(theme.px(_AIR) / 2, 0, -theme.px(_AIR) / 2, 0)
                    draw_text(painter, theme, name, where, ink, _CAPTION_SIZE, 400, RIGHT)
                else:
                    where = QRectF(0, first.top(), self._captions(), first.height())
                    draw_text(painter, theme, name, where, ink, _CAPTION_SIZE, 400, LEFT)
                # Large matrices: the cells that the painted area touches, and no others.
                top = max(int((area.top() - first.top()) // first.height()), 0)
                bottom = min(int((area.bottom() - first.top()) // first.height()) + 1, rows)
                left = max(int((area.left() - first.left()) // first.width()), 0)
                right = min(int((area.right() - first.left()) // first.width()) + 1, columns)
                for row in range(top, bottom):
                    for column in range(left, right):
                        self._paint_cell(painter, block, row, column, largest)

    def _paint_cell(
        self, painter: QPainter, block: int, row: int, column: int, largest: float
    ) -> None:
        theme, rect = self._theme, self.cell(block, row, column)
        ink = theme.color("ink1" if block else "ink2")
        value = float(self._blocks[2][row, column])
        if block == 2 and value:
            # At half of the ramp: the sign is to be seen, not to outshine the tables.
            colours, domain = theme.scores_map, 2 * largest
            painter.fillRect(rect.adjusted(1, 1, -1, -1), colours.fill(value, domain))
            ink = colours.text(value, domain)
        inside = rect.adjusted(0, 0, -theme.px(_AIR) / 2, 0)
        text = self.text(block, row, column)
        draw_text(painter, theme, text, inside, ink, _SIZE, 400, RIGHT)


def _decimals(difference: Array) -> int:
    """Return three, or as many as the largest difference needs for two digits."""
    largest = float(np.abs(difference).max(initial=0.0))
    if largest <= 0.0:
        return 3
    return min(max(3, 1 - math.floor(math.log10(largest))), _MOST_DECIMALS)


_INSIDE = 12  # px at 100 %, as all below
_TALLEST, _TALLEST_COMPACT = 168, 96  # of the change, which scrolls beyond
_WIDEST_NAME = 68


class AimCard(QFrame):
    """A wanted value of a cell, and the change that would give it, or why there is none.

    Enter accepts, Esc discards.
    """

    intent = Signal(object)
    left = Signal()  # after it was accepted or discarded
    moved = Signal()  # it has another place or size

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("aim")
        self._theme = theme
        self._aiming: Aiming | None = None
        self._found = self._compact = False
        self._title, self._note = ElidedLabel("ink1", self), plain_label("ink2", self)
        self._by = plain_line("ink3", self, _("by moving"))
        self.moves = Segments(
            [Segment(matrix, matrix.value) for matrix in (Matrix.X, Matrix.WQ, Matrix.WK)],
            _("What may move"),
            theme,
            exclusive=True,
            pad=6,
            parent=self,
        )
        self.moves.picked.connect(self._move)
        self._area = QScrollArea(self)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setProperty("panel", True)
        self.change = ChangeTable(theme, self._area)
        self._area.setWidget(self.change)
        self.accept = QPushButton(_("Accept"), self)
        self.accept.setProperty("kind", "primary")
        self.accept.clicked.connect(lambda: self._leave(AcceptAim()))
        self.discard = QPushButton(_("Discard"), self)
        self.discard.clicked.connect(lambda: self._leave(DropAim()))
        self._column = QVBoxLayout(self)
        self._column.addWidget(self._title)
        self._moves_row = put(QHBoxLayout(), self._by, self.moves, None)
        put(self._column, self._moves_row, self._area, self._note)
        self._buttons = put(QHBoxLayout(), self.accept, self.discard, None)
        self._column.addLayout(self._buttons)
        self.retheme(theme)

    # --- showing ---------------------------------------------------------------------------------

    def show_aiming(self, aiming: Aiming, frame: Frame) -> None:
        """Show a wanted value and its result."""
        self._aiming = aiming
        tokens = frame.scene.tokens[aiming.query], frame.scene.key_tokens[aiming.key]
        query, key = (displayable(token) for token in tokens)
        whole = _wanted(aiming, query, key)
        room = self._theme.px(_WIDEST_NAME)
        short = [painting.elided(self._theme, token, 15, 600, room) for token in tokens]
        self._title.setText(_wanted(aiming, *short))
        self._title.setToolTip(plain_tip(whole))
        self.setAccessibleName(whole)
        own = self.moves.button(Matrix.X)
        own.setText(_("x of {token}").format(token=short[0]).replace("&", "&&"))
        own.setToolTip(plain_tip(_("the row of {token} in X").format(token=query)))
        own.setAccessibleName(_("Move x of {token}").format(token=query))
        for matrix in (Matrix.WQ, Matrix.WK):
            self.moves.set_shown(matrix, frame.scene.projected)
            name = str(matrix)
            if frame.attention.heads > 1:
                name = _("{matrix} of head {head}").format(matrix=matrix, head=frame.look.head + 1)
            self.moves.button(matrix).setToolTip(plain_tip(name))
            self.moves.button(matrix).setAccessibleName(_("Move {matrix}").format(matrix=name))
        self.moves.show_checked({aiming.moves})
        outcome = aiming.outcome
        found = not isinstance(outcome, Message)
        focused_here = self.accept.hasFocus() or self.discard.hasFocus()
        self._area.setVisible(found)
        self.accept.setVisible(found)
        self.discard.setText(_("Discard") if found else _("Close"))
        if isinstance(outcome, Message):
            self._note.setText(displayable(str(outcome), limit=400))
        else:
            self.change.show_change(outcome.old, outcome.new, outcome.difference, self._theme)
            places = max(3, decimal_places(aiming.target, most=6))
            value = display_number(outcome.value, places)
            self._note.setText(_("This gives {value}.").format(value=value))
        self.setAccessibleDescription(self._note.text())
        self._fit()
        if focused_here and found != self._found:
            self.take_focus()
        self._found = found

    def take_focus(self) -> None:
        """Give the focus to what Enter would do."""
        wanted = self.discard if self.accept.isHidden() else self.accept
        wanted.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @property
    def note(self) -> str:
        """The value that is reached, or why none is."""
        return self._note.text()

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; what is shown has to be shown anew."""
        self._theme = theme
        px, palette = theme.px, theme.palette
        inside = px(_INSIDE)
        set_spacing(self._column, inside, px(8), inside, px(10), gap=px(8))
        self._moves_row.setSpacing(px(8))
        self._buttons.setSpacing(px(8))
        self.moves.retheme(theme)
        for label, size, weight in ((self._title, 15, 600), (self._by, 13, 400)):
            label.setFont(theme.font(size, weight))
        self._note.setFont(theme.font(13))
        for button in (self.accept, self.discard):
            button.setFont(theme.font(13, 500))
        self.setStyleSheet(
            f"#aim {{ background: {palette.raised}; border: 1px solid {palette.line2};"
            f" border-radius: {px(8)}px; }}"
            f" #aim QScrollArea, #aim QScrollArea > QWidget, #aim ChangeTable"
            f" {{ background: {palette.raised}; }}"
        )

    def set_compact(self, compact: bool) -> None:
        """Leave less room to the change, for a low window, or not."""
        self._compact = compact
        self._fit()

    def _fit(self) -> None:
        """Give the change the height that it needs, up to a limit."""
        inner = self.width() - 2 * self._theme.px(_INSIDE) - 2
        beside = self._by.sizeHint().width() + self._moves_row.spacing()
        self._by.setVisible(beside + self.moves.sizeHint().width() <= inner)
        if self._area.isHidden():
            return
        self.change.set_room(inner)
        size = self.change.size()
        bar = self._area.horizontalScrollBar().sizeHint().height()
        beneath = bar if size.width() > inner else 0
        tallest = self._theme.px(_TALLEST_COMPACT if self._compact else _TALLEST)
        self._area.setFixedHeight(min(size.height(), tallest) + beneath)

    # --- events ----------------------------------------------------------------------------------

    def _move(self, matrix: Matrix) -> None:
        aiming = self._aiming
        if aiming is not None:
            text = repr(aiming.target)
            self.intent.emit(AimCell(aiming.query, aiming.key, text, aiming.weight, matrix))

    def _leave(self, intent: object) -> None:
        self.intent.emit(intent)
        self.left.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Accept with Enter, discard with Esc."""
        if event.key() == Qt.Key.Key_Escape:
            self._leave(DropAim())
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            dropped = self.accept.isHidden() or self.discard.hasFocus()
            self._leave(DropAim() if dropped else AcceptAim())
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
        self.moved.emit()

    def moveEvent(self, event: QMoveEvent) -> None:
        super().moveEvent(event)
        self.moved.emit()


def _wanted(aiming: Aiming, query: str, key: str) -> str:
    """Return "A[cat, cloud] = 0.7"."""
    table = "A" if aiming.weight else "QKᵀ"
    target = display_number(aiming.target, decimal_places(aiming.target, most=6, least=1))
    return f"{table}[{query}, {key}] = {target}"
