"""A head's weights: cells with names, and of a long text from the whole head down to these."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from explorer.kit.context_menu import show_menu
from explorer.kit.labels import ElidedLabel
from explorer.kit.layouts import put, set_spacing
from explorer.kit.table.painting import HOVERED, SELECTED
from explorer.kit.theme import Theme
from explorer.rooms.model.base import ModelView
from explorer.rooms.model.cell_matrix import CellMatrix
from explorer.rooms.model.words import special_names
from explorer.session import Array
from explorer.session.model.frame import LONG, ModelChange, ModelFrame
from explorer.session.model.intents import HoverPair, MoveWindow, SelectPair
from explorer.text import _

if TYPE_CHECKING:
    from explorer.kit.heat_map import HeatMap

_ZOOM = 1.25  # a notch of the wheel
_LEAST = 6  # tokens of a window
_WINDOW = 24


class MatrixView(ModelView):
    """Rows ask, columns are asked. Of more than 32 tokens a window is shown.

    The wheel, + and − make it smaller or larger; from 33 tokens on it is a picture that shows the
    largest weight of each block. 0 shows the whole head.
    """

    concerns: ClassVar[ModelChange] = (
        ModelChange.NUMBERS
        | ModelChange.PAIR
        | ModelChange.HOVER
        | ModelChange.LOOK
        | ModelChange.TEXT
    )

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setObjectName("model-matrix")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(_("Matrix"))
        self._frame = ModelFrame()
        self._pages = QStackedWidget()
        self.cells = CellMatrix(theme)
        self._pages.addWidget(self.cells)
        self._map: HeatMap | None = None
        self._presented = False
        self._shown: tuple[object, Array] | None = None  # what the picture shows
        self.caption = ElidedLabel()
        self.whole = QPushButton()
        self.whole.clicked.connect(self._turn)
        self.setFocusProxy(self.cells)
        self.cells.intent.connect(self.intent)
        self.cells.zoomed.connect(self._zoom)
        self.cells.left_window.connect(self._follow)
        self._foot = put(QHBoxLayout(), (self.caption, 1), self.whole)
        self._column = put(QVBoxLayout(self), (self._pages, 1), self._foot)
        self._apply_theme()

    def be_presented(self) -> None:
        """Leave out what is said of the mouse, and the button."""
        self._presented = True
        self.caption.hide()

    def draw(self, frame: ModelFrame) -> None:
        """Show the head at the cursor; nothing before its numbers have come."""
        self._frame = frame
        there = frame.run is not None and frame.head is not None
        self._pages.setVisible(there)
        self.whole.setVisible(there and self.long and not self._presented)
        self.caption.setText(self._caption() if there else "")
        if not there:
            return
        pictured = self.long and self.window_shown[2] > LONG
        if pictured:
            self._draw_map()
            assert self._map is not None
            self._pages.setCurrentWidget(self._map)
        else:
            rows, columns = frame.shown
            if self.long:
                query, key, size = self.window_shown
                rows = rows[(rows >= query) & (rows < query + size)]
                columns = columns[(columns >= key) & (columns < key + size)]
            self.cells.show_cells(frame, rows, columns, self.domain)
            self._pages.setCurrentWidget(self.cells)
        self.whole.setText(_("Window with names") if pictured else _("Whole head"))

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; a `draw` follows."""
        super().retheme(theme)
        self.cells.retheme(theme)
        if self._map is not None:
            self._map.retheme(theme, theme.weights_map)
        self._shown = None
        self._apply_theme()

    def viewport(self) -> QWidget:
        """Return the cells, or the picture."""
        return self.cells if self._map is None else self._pages.currentWidget()

    def sizeHint(self) -> QSize:
        """Return the design's size."""
        return QSize(self.theme.px(784), self.theme.px(640))

    # --- what is shown ---------------------------------------------------------------------------

    @property
    def _lengths(self) -> tuple[int, int]:
        run = self._frame.run
        return (0, 0) if run is None else (len(run.pieces), len(run.key_pieces))

    @property
    def long(self) -> bool:
        """Whether the text has too many tokens to be shown as cells at once."""
        return max(self._lengths) > LONG

    @property
    def window_shown(self) -> tuple[int, int, int]:
        """First query, first key and size of the window, moved as far as needed to lie inside."""
        return self._inside(*self._frame.look.window)

    def _inside(self, query: float, key: float, size: float) -> tuple[int, int, int]:
        longest = max(self._lengths)
        side = min(max(round(size), min(_LEAST, longest)), longest)
        first, second = (
            min(max(round(at), 0), max(length - side, 0))
            for at, length in zip((query, key), self._lengths, strict=True)
        )
        return first, second, side

    @property
    def domain(self) -> float:
        """The head's largest weight, rounded up to tenths."""
        head = self._frame.head
        most = 0.0 if head is None else float(head.arrays.weights.max(initial=0.0))
        return max(math.ceil(most * 10 - 1e-4) / 10, 0.1)

    def _caption(self) -> str:
        names = special_names(self._frame)
        if self.long:
            query, key, size = self.window_shown
            asks, asked = (
                f"{first + 1}–{min(first + size, length)}"
                for first, length in zip((query, key), self._lengths, strict=True)
            )
            return _(
                "Queries {rows}, keys {columns}. The wheel zooms; 0 shows the whole head."
            ).format(rows=asks, columns=asked)
        if not self._frame.look.special and names:
            hidden = _(" and ").join(names)
            return _(
                "Rows are queries, columns are keys; without {tokens}, rows sum to less."
            ).format(tokens=hidden)
        return _(
            "Rows are queries, columns are keys; each row sums to 1."
            " The selected row shows numbers."
        )

    def _draw_map(self) -> None:
        frame = self._frame
        assert frame.head is not None
        if self._map is None:
            from explorer.kit.heat_map import HeatMap  # brings the plotting library along

            self._map = HeatMap(self.theme)
            self._map.setAccessibleName(_("The whole head as a picture"))
            self._map.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            self._map.setFocusProxy(self)
            self._map.pointed.connect(self._point)
            self._map.chosen.connect(lambda at: self.intent.emit(SelectPair(*at)))
            self._map.looked.connect(self._looked)
            # The menu of the cells is of the picture in their place too.
            self._map.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            self._map.customContextMenuRequested.connect(self._open_menu)
            self._pages.addWidget(self._map)
        weights = frame.head.arrays.weights
        wanted = id(weights), frame.look.special, self.theme
        if self._shown is None or self._shown[0] != wanted:
            values = weights
            if not frame.look.special:
                values = np.zeros_like(weights)
                values[np.ix_(*frame.shown)] = weights[np.ix_(*frame.shown)]
            self._shown = wanted, values
            self._map.show_matrix(values, self.theme.weights_map, self.domain)
        if self._window_of(self._map.seen) != self.window_shown:
            query, key, size = self.window_shown
            self._map.show_part(QRectF(key, query, size, size))
        cursor = frame.cursor
        self._map.show_marks(
            [
                (query, key, width)
                for query, key, width in (
                    (*frame.hover, HOVERED),
                    (cursor.query, cursor.key, SELECTED),
                )
                if query is not None and key is not None
            ]
        )

    def _open_menu(self, at: QPoint) -> None:
        assert self._map is not None
        show_menu(self.cells.actions(), self._map.mapToGlobal(at), self)

    # --- moving ----------------------------------------------------------------------------------

    def _window_of(self, seen: QRectF) -> tuple[int, int, int]:
        return self._inside(seen.y(), seen.x(), max(seen.width(), seen.height()))

    def _looked(self, seen: QRectF) -> None:
        self._go(*self._window_of(seen))

    def _go(self, query: float, key: float, size: float) -> None:
        wanted = self._inside(query, key, size)
        if wanted != self._frame.look.window:
            self.intent.emit(MoveWindow(*wanted))

    def _point(self, at: object) -> None:
        self.intent.emit(HoverPair(*at) if isinstance(at, tuple) else HoverPair())

    def _zoom(self, notches: int) -> None:
        """Make the window smaller or larger about its middle."""
        if self.long:
            query, key, size = self.window_shown
            other = size * _ZOOM**-notches
            other = min(other, size - 1) if notches > 0 else max(other, size + 1)
            grown = (other - size) / 2
            self._go(query - grown, key - grown, other)

    def _follow(self, query: int, key: int) -> None:
        """Move the window as far as needed for a pair to be in it."""
        if self.long:
            first, second, size = self.window_shown
            row = min(max(first, query - size + 1), query)
            column = min(max(second, key - size + 1), key)
            self._go(row, column, size)

    def _turn(self) -> None:
        """Show the whole head, or the window about the selected pair."""
        if self.window_shown[2] <= LONG:
            self._go(0, 0, max(self._lengths))
            return
        cursor, half = self._frame.cursor, _WINDOW // 2
        self._go((cursor.query or half) - half, (cursor.key or half) - half, _WINDOW)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Zoom with + and −, show the whole head with 0; the cells take the other keys."""
        key = Qt.Key(event.key())
        notches = {Qt.Key.Key_Plus: 1, Qt.Key.Key_Equal: 1, Qt.Key.Key_Minus: -1}.get(key)
        if self.long and notches is not None:
            self._zoom(notches)
        elif self.long and key == Qt.Key.Key_0:
            self._go(0, 0, max(self._lengths))
        else:
            super().keyPressEvent(event)

    def _apply_theme(self) -> None:
        theme, px = self.theme, self.theme.px
        self.setStyleSheet(f"#model-matrix {{ background: {theme.palette.canvas}; }}")
        self.caption.setFont(theme.font(13))
        self.caption.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.whole.setFont(theme.font(13))
        set_spacing(self._foot, px(16), 0, px(16), 0, gap=px(12))
        set_spacing(self._column, 0, px(4), 0, px(10), gap=px(6))
