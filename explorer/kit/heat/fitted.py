"""A table that paints itself into the width it has."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QWidget

from explorer.kit.copying import CopyFormats
from explorer.kit.heat import painting
from explorer.kit.heat.cells import CellTable
from explorer.kit.heat.sources import Source
from explorer.kit.theme import Theme
from explorer.text import displayable


class FittedTable(CellTable):
    """A table painted by itself into the width it has, with Qt's view beneath for the keyboard
    and for screen readers.

    Subclasses lay themselves out in `arrange` and answer `hit`, `visualRect` and `paint`.
    """

    def __init__(
        self, name: str, theme: Theme, formats: CopyFormats, parent: QWidget | None = None
    ) -> None:
        super().__init__(name, theme, formats, parent)
        self.compact = False
        self._arranged: object = None
        self._around: object = None
        self._names_whole = False  # whether every row's name has room
        self.horizontalHeader().hide()
        self.verticalHeader().hide()
        for bar in (self.setHorizontalScrollBarPolicy, self.setVerticalScrollBarPolicy):
            bar(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    @property
    def is_picture(self) -> bool:
        """Whether cells are too small for numbers."""
        raise NotImplementedError

    @property
    def is_easy(self) -> bool:
        """Whether numbers and names are as large as they may be, and whole."""
        raise NotImplementedError

    def arrange(self) -> int:
        """Lay the table out for its source, width and theme; return its height in px."""
        raise NotImplementedError

    def prepare(self, source: Source) -> None:
        self.rearrange()

    def rearrange(self) -> None:
        """Lay the table out where anything that it depends on has changed."""
        source = self.source
        if source is None:
            return
        tokens = source.row_names, source.frame.scene.key_tokens
        wanted = (self.width(), self.theme, self.compact, source.shape, tokens, self.layout_key())
        if wanted != self._arranged:
            self._arranged = wanted
            self.setFixedHeight(self.arrange())

    def repaint_for(self, source: Source) -> None:
        """Have only the cells painted where nothing else can have changed, as while dragging."""
        frame = source.frame
        pointed = frame.selection, frame.hover
        around = self._arranged, source.colours, pointed, source.shape
        self.viewport().update(self.changing() if around == self._around else self.rect())
        self._around = around

    def changing(self) -> QRect:
        """Return what numbers can change, in whole pixels, without the names around it."""
        return self.rect()

    def layout_key(self) -> object:
        """Return what the layout depends on besides size, theme and names."""
        return None

    def set_compact(self, compact: bool) -> None:
        """Use lower rows or not."""
        self.compact = compact
        self.rearrange()
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.rearrange()

    def indexAt(self, point: QPoint) -> QModelIndex:
        place = self.hit(point)
        if place is None or place[0] is None or place[1] is None:
            return QModelIndex()
        return self.cells.index(place[0], place[1])

    def scrollTo(
        self,
        index: QModelIndex | QPersistentModelIndex,
        hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible,
    ) -> None:
        """Do nothing: the whole table is always in view, the panel around it scrolls."""

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), self.theme.color("win"))
        if self.source is not None:
            self.paint(painter, event.rect())

    def paint(self, painter: QPainter, area: QRect) -> None:
        """Paint the table, at least within an area."""
        raise NotImplementedError

    def name_width(self) -> float:
        """Return the width of the longest row name with its dot, in px."""
        if self.source is None:
            return 0.0
        shown = (displayable(name) for name in self.source.row_names)
        longest = max(painting.text_width(self.theme, name, 14, 600) for name in shown)
        return longest + self.theme.px(painting.DOT + painting.DOT_GAP + 2 + 7)

    def draw_focus(self, painter: QPainter, area: QRectF) -> None:
        """Draw the ring of the keyboard's focus around the cells."""
        if self.hasFocus() and self.keyboard_focus:
            gap = self.theme.px(3)
            ring = area.adjusted(-gap, -gap, gap, gap).intersected(
                QRectF(self.viewport().rect()).adjusted(1, 1, -1, -1)
            )
            painting.draw_outline(painter, self.theme, ring, 2)
