"""The right panel of Explore: matrices, points, pairs and code of what the frame shows."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from PySide6.QtCore import QRect, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from explorer.attention import Attention, LargeAttention
from explorer.kit.backlog import Backlog
from explorer.kit.base import View, why_hidden
from explorer.kit.copying import NO_FORMATS, CopyFormats
from explorer.kit.heads import HeadMaps
from explorer.kit.labels import plain_label
from explorer.kit.layouts import as_panel, hairline, put, set_spacing
from explorer.kit.mosaic import Tile, tiles_of
from explorer.kit.scrolling import ColumnArea
from explorer.kit.segments import Segment, Segments
from explorer.kit.table.listing import ListTable
from explorer.kit.table.painting import PADDING
from explorer.kit.table.view import CellTable
from explorer.kit.theme import Theme
from explorer.rooms.explore.results.code import CodeOf, CodePage
from explorer.rooms.explore.results.fill import MarkOf, unmarked
from explorer.rooms.explore.results.lists import PairsTable, PointSource
from explorer.rooms.explore.results.matrices import MatricesPage, offer_blanks
from explorer.session import Change, Frame, Look, ResultsTab, Stage
from explorer.session.intents import ChangeLook, ShowHead
from explorer.text import _

_TAB_PAD = 6  # px at 100 %: all pages find room at the panel's narrowest
_CARD_AIR = 8  # px between a card and the end of what is in view
_NEAR = 40  # px kept in view around the selected cell


class ResultsView(View):
    """The right panel.

    Parameters
    ----------
    theme : Theme
    code : callable, optional
        Makes the code of a scene; without it there is no such page.
    copy_as : CopyFormats
        The formats of the tables' copy menus.
    mark : callable, optional
        Marks a table that is filled in by hand; without it nothing is marked.
    """

    concerns: ClassVar[Change] = (
        Change.RESULT
        | Change.LOOK
        | Change.PAGES
        | Change.SELECTION
        | Change.HOVER
        | Change.INVALID
        | Change.NOTES
    )

    def __init__(
        self,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        code: CodeOf | None = None,
        copy_as: CopyFormats = NO_FORMATS,
        mark: MarkOf = unmarked,
    ) -> None:
        super().__init__(theme, parent)
        as_panel(self)
        self._frame: Frame | None = None

        self.heads = HeadMaps(theme, _("Heads"), self, strip=True)
        self.heads.picked.connect(self._choose_head)
        self._headed: Attention | None = None  # what the heads show
        self._hidden = np.zeros((1, 1), np.bool_)  # its mask
        self._behind = Backlog(self._draw_head, self)  # the tiles that do not show it yet
        self.matrices = MatricesPage(copy_as, theme, mark)
        self.matrices.setProperty("panel", True)
        self.area = ColumnArea()
        self.area.setWidget(self.matrices)
        self.matrices.card_moved.connect(self._keep_card_in_view)
        self.points = ListTable(_("Points"), theme, copy_as)
        self.pairs = PairsTable(_("Pairs"), theme, copy_as)
        for table in (self.points, self.pairs):
            offer_blanks(table)
        self.code = CodePage(code, theme) if code is not None else None
        self._table_columns: list[QVBoxLayout] = []
        self._pages: dict[ResultsTab, QWidget] = {
            ResultsTab.MATRICES: self.area,
            ResultsTab.POINTS: self._page_of(self.points),
            ResultsTab.PAIRS: self._page_of(self.pairs),
        }
        if self.code is not None:
            self._pages[ResultsTab.CODE] = self.code
        self._stack = QStackedWidget()
        self._veil = plain_label("ink3")
        self._veil.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._stack.addWidget(self._veil)
        for page in self._pages.values():
            self._stack.addWidget(page)
        for part in (self.matrices, self.points, self.pairs, self.code):
            if part is not None:
                part.intent.connect(self.intent)

        names = {
            ResultsTab.MATRICES: _("Matrices"),
            ResultsTab.POINTS: _("Points"),
            ResultsTab.PAIRS: _("Pairs"),
            ResultsTab.CODE: _("Code"),
        }
        self.tabs = Segments(
            [Segment(tab, names[tab]) for tab in self._pages],
            _("Results"),
            theme,
            exclusive=True,
            pad=_TAB_PAD,
        )
        self.tabs.picked.connect(lambda tab: self.intent.emit(ChangeLook({"tab": tab})))
        self._tab_row = QHBoxLayout()
        put(self._tab_row, self.tabs, None)
        column = QVBoxLayout(self)
        set_spacing(column, 0, 0, 0, 0, gap=0)
        put(column, self.heads, (self._stack, 1), hairline(), self._tab_row)
        self._space()

    def set_compact(self, compact: bool) -> None:
        """Use lower rows, for a low window, or not."""
        self.heads.set_compact(compact)
        self.matrices.set_compact(compact)
        self._redraw()

    def set_tabbed(self, tabbed: bool) -> None:
        """Show S, A and O one at a time, for a narrow window, or below each other."""
        self.matrices.set_tabbed(tabbed)
        self._redraw()

    def retheme(self, theme: Theme) -> None:
        super().retheme(theme)
        self.heads.retheme(theme)
        self.matrices.retheme(theme)
        if self.code is not None:
            self.code.retheme(theme)
        self.tabs.retheme(theme)
        self._space()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # A scroll bar lies over the tables' padding: if it took its width from them, a table could
        # lose its numbers, thereby its height, thereby the scroll bar, and so on for ever.
        self.matrices.setMinimumWidth(self.width())
        self._space()

    def draw(self, frame: Frame) -> None:
        old, self._frame = self._frame, frame
        self._draw_heads(frame)
        tab = frame.look.tab if frame.look.tab in self._pages else ResultsTab.MATRICES
        self.tabs.show_checked({tab})
        if _is_hidden(frame.look, tab):
            self._veil.setText(str(why_hidden(frame.look)))
            self._stack.setCurrentWidget(self._veil)
            return
        self._stack.setCurrentWidget(self._pages[tab])
        if tab is ResultsTab.MATRICES:
            self.matrices.draw(frame)
        elif tab is ResultsTab.POINTS:
            self.points.show_source(PointSource(frame, self.theme))
        elif tab is ResultsTab.PAIRS:
            self.pairs.show_frame(frame, self.theme)
        elif self.code is not None:
            self.code.draw(frame)
        if old is not None and old.selection != frame.selection:
            self._keep_in_view()
        if old is not None and _in_view(old) != _in_view(frame):
            QTimer.singleShot(0, self, self._keep_stage_in_view)  # when it has its place

    def _draw_heads(self, frame: Frame) -> None:
        """Show the maps of several heads; of a large scene one after the other."""
        result, average = frame.attention, frame.attention.heads
        shown = result.heads > 1 and not frame.look.hides(Stage.A)
        self.heads.setVisible(shown)
        if not shown:
            self._behind.clear()
            self._headed = None
            return
        chosen = None if frame.averaged else frame.look.head
        if self._headed is not result:
            shape, count = (result.queries, result.keys), average + 1
            self._hidden = ~result.mask if result.mask is not None else np.zeros(shape, np.bool_)
            before, self._headed = self._headed, result
            if before is None or (before.heads, before.queries, before.keys) != (average, *shape):
                self.heads.show_tiles(tiles_of([np.zeros(shape)] * count, [self._hidden] * count))
            first = average if chosen is None else chosen
            self._draw_head(first)
            self._behind.put(place for place in range(count) if place != first)
            if not isinstance(result, LargeAttention):
                self._behind.finish()
        self.heads.show_chosen(chosen)

    def _draw_head(self, place: int) -> None:
        """Show the numbers of one head, or of the average once all are known, in its tile."""
        if self._headed is None:
            return
        result = self._headed
        average = place == result.heads
        if average:
            missing = (head for head in range(result.heads) if not result.has_head(head))
            if (head := next(missing, None)) is not None:  # one at a time
                result.of_head(head)
                self._behind.put([place])
                return
        weights = result.mean_weights if average else result.of_head(place).weights
        self.heads.show_tile(place, Tile(None if average else place, weights, self._hidden))

    def _choose_head(self, head: int | None) -> None:
        self.intent.emit(ChangeLook({"average": True}) if head is None else ShowHead(head))

    def _redraw(self) -> None:
        if self._frame is not None:
            self.draw(self._frame)

    def _keep_in_view(self) -> None:
        """Scroll to the selected cell of the table that the keyboard is in."""
        table = QApplication.focusWidget()
        if isinstance(table, CellTable) and self.matrices.isAncestorOf(table):
            rect: QRect = table.selected_rect()
            centre = table.viewport().mapTo(self.matrices, rect.center())
            if rect.isValid():
                near = self.theme.px(_NEAR)
                self.area.ensureVisible(centre.x(), centre.y(), 0, near)

    def _keep_stage_in_view(self) -> None:
        """Scroll to the active stage's table."""
        part = self.matrices.active
        if part is not None and part.isVisibleTo(self.matrices):
            self.area.see(part, self.theme.px(_CARD_AIR))

    def _keep_card_in_view(self, card: QWidget) -> None:
        # The page has taken its new height only when this event is over.
        QTimer.singleShot(0, card, lambda: self.area.ensureWidgetVisible(card, 0, _CARD_AIR))

    def _page_of(self, table: CellTable) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.addWidget(table)
        self._table_columns.append(column)
        return page

    def _space(self) -> None:
        px = self.theme.px
        margin = px(PADDING) // 2
        self._veil.setFont(self.theme.font(14))
        for column in self._table_columns:
            column.setContentsMargins(margin, margin, margin, 0)
        # Where larger text leaves the names of the pages too little room, the margins give way.
        aside = min(px(PADDING), max((self.width() - self.tabs.sizeHint().width()) // 2, 0))
        self._tab_row.setContentsMargins(aside, px(7), aside, px(7))


def _is_hidden(look: Look, tab: ResultsTab) -> bool:
    """Return whether a page would tell what is asked later; the tables hide that themselves."""
    if tab is ResultsTab.PAIRS:
        return look.veiled or look.hides(Stage.S) or look.hides(Stage.A)
    return look.veiled or (tab is ResultsTab.CODE and bool(look.veils))


def _in_view(frame: Frame) -> object:
    """Return what decides which table has to be in view."""
    look, blank = frame.look, frame.look.blank
    return (
        look.stage,
        look.veiled,
        look.veils,
        look.painting,
        blank and (blank.table, blank.asked, blank.checked),
    )
