"""The sheet of the field's terms, each in every language side by side, found by typing."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QMargins, QRect, QSize, Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from explorer.kit.framed_dialog import FramedDialog
from explorer.kit.small_inputs import SearchLine
from explorer.kit.table.model import Index
from explorer.kit.theme import Theme
from explorer.lessons.glossary import glossary
from explorer.lessons.lesson import said_in
from explorer.text import _, displayable, language, languages

_WIDEST_TERM, _PAD = 200, 6  # px at 100 %


def show_glossary(theme: Theme, window: QWidget) -> None:
    """Open the glossary over a window: the terms in the language in use, beside the others."""
    terms, names = glossary(), languages()
    codes = [code for code in names if any(code in term.name for term in terms)]
    codes.sort(key=lambda code: code != language())
    headings = [names[code] for code in codes]
    rows = [
        ([term.name.get(code, "") for code in codes], said_in(language(), term.text))
        for term in terms
    ]
    GlossarySheet(headings, rows, theme, window).open()


class GlossarySheet(FramedDialog):
    """Shows terms in a table; typing leaves those that have what is typed. Esc closes it.

    Parameters
    ----------
    headings : sequence of str
        The names of the languages, one for each column of terms.
    terms : sequence of (names, text)
        A term's name in each of these languages, and a sentence about it; plain texts.
    parent : QWidget
        The window, which it stays within.
    """

    def __init__(
        self,
        headings: Sequence[str],
        terms: Sequence[tuple[Sequence[str], str]],
        theme: Theme,
        parent: QWidget,
    ) -> None:
        super().__init__(_("Glossary"), theme, parent)
        hint = _("Type a term, or a word about it")
        self.search = SearchLine(_("Search the glossary"), hint, self.frame)
        self.search.setFont(theme.font(15))
        self.search.textChanged.connect(self._show_those_with)
        self.column.addWidget(self.search)
        self.table = _TermTable([*headings, _("Meaning")], terms, theme, self.frame)
        self.column.addWidget(self.table, 1)
        below = QHBoxLayout()
        self.none_found = self.label("", 13, 400, "ink3")
        below.addWidget(self.none_found, 1)
        close = QPushButton(_("Close"), self.frame)
        close.setAutoDefault(False)  # Enter after a search does not close the sheet
        close.clicked.connect(self.accept)
        below.addWidget(close)
        self.column.addLayout(below)
        self.setTabOrder(self.search, self.table)
        self.search.setFocus()
        self.take_size(self.most_width, self.most_height)

    def _show_those_with(self, text: str) -> None:
        found = self.table.show_those_with(text.strip())
        said = "" if found else _("No term has “{text}” in it.")
        self.none_found.setText(said.format(text=displayable(text, limit=40)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go from the search down into the table; close with Esc."""
        if event.key() == Qt.Key.Key_Down and self.search.hasFocus():
            self.table.enter()
        else:
            super().keyPressEvent(event)


class _TermTable(QTableWidget):
    """A row for each term: its names, and what it means in as many lines as that needs."""

    def __init__(
        self,
        headings: Sequence[str],
        terms: Sequence[tuple[Sequence[str], str]],
        theme: Theme,
        parent: QWidget,
    ) -> None:
        super().__init__(len(terms), len(headings), parent)
        self._theme = theme
        self.setAccessibleName(_("Glossary"))
        self.setHorizontalHeaderLabels(list(headings))
        self.setFont(theme.font(14))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setWordWrap(True)
        self.setTextElideMode(Qt.TextElideMode.ElideNone)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalHeader().hide()
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsClickable(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setFont(theme.font(13))
        header.setMinimumSectionSize(1)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        colour, pad = theme.palette, theme.px(_PAD)
        self.setStyleSheet(
            f"QTableView, QHeaderView {{ background: {colour.win}; border: none;"
            f" selection-background-color: {colour.hover}; selection-color: {colour.ink1}; }}"
            f" QHeaderView::section {{ background: {colour.win}; color: {colour.ink3};"
            f" border: none; padding: {pad}px {pad}px {pad}px 3px; }}"
        )
        self.setItemDelegate(_TermCell(theme, self))
        self._texts: list[str] = []
        for row, (names, text) in enumerate(terms):
            cells = [displayable(each) for each in (*names, text)]
            self._texts.append("\n".join(cells).casefold())
            for column, each in enumerate(cells):
                item = QTableWidgetItem(each)
                item.setFont(theme.font(14, 600 if column < len(names) else 400))
                item.setTextAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
                self.setItem(row, column, item)
        for column in range(len(headings) - 1):
            self.resizeColumnToContents(column)
            self.setColumnWidth(column, min(self.columnWidth(column), theme.px(_WIDEST_TERM)))

    def show_those_with(self, text: str) -> bool:
        """Show the terms that have a text somewhere; return whether there are any."""
        wanted = text.casefold()
        for row, written in enumerate(self._texts):
            self.setRowHidden(row, wanted not in written)
        self.scrollToTop()
        return any(not self.isRowHidden(row) for row in range(self.rowCount()))

    def enter(self) -> None:
        """Take the focus, with the first of the terms that are shown selected."""
        shown = (row for row in range(self.rowCount()) if not self.isRowHidden(row))
        row = next(shown, None)
        if row is not None:
            self.setFocus()
            self.setCurrentCell(row, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give what the terms leave to their meanings, and every row the lines it needs."""
        super().resizeEvent(event)
        last = self.columnCount() - 1
        terms = sum(map(self.columnWidth, range(last)))
        self.setColumnWidth(last, self.viewport().width() - terms)
        self.resizeRowsToContents()


class _TermCell(QStyledItemDelegate):
    """Draws a text with air around it, and a line above."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._line, self._pad = QColor(theme.palette.line), theme.px(_PAD)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the size of the text and of the air above and below it."""
        return super().sizeHint(option, index).grownBy(QMargins(0, self._pad, 0, self._pad))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw it."""
        whole, state = QRect(option.rect), QStyle.StateFlag
        if option.state & state.State_Selected:
            painter.fillRect(whole, option.palette.highlight())
        painter.fillRect(whole.x(), whole.y(), whole.width(), 1, self._line)
        option.rect = whole.adjusted(0, self._pad, 0, -self._pad)
        option.state &= ~state.State_HasFocus
        super().paint(painter, option, index)
