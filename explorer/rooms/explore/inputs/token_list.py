"""Many tokens as a list: found by their names, pinned, selected."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
)
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.kit.labels import plain_label
from explorer.kit.layouts import put
from explorer.kit.small_inputs import SearchLine
from explorer.kit.table import painting
from explorer.kit.table.grid import add_token_actions
from explorer.kit.table.painting import LEFT, RIGHT, draw_text, elided
from explorer.kit.theme import SLOTS, Theme, TokenColour
from explorer.session.intents import Pin
from explorer.text import _, displayable, joined, plain_tip

_ROW, _PLACE, _DOT, _NAME, _STATE = 21, 26, 38, 50, 74  # px at 100 %
_MOST_ROWS = 16  # that are seen at once
_Index = QModelIndex | QPersistentModelIndex


class _Names(QAbstractListModel):
    """The tokens' names, and what is said beside them."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.tokens: tuple[str, ...] = ()
        self.colours: Sequence[TokenColour] = ()
        self.pinned: frozenset[int] = frozenset()
        self.automatic: frozenset[int] = frozenset()  # coloured while nobody pins any

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 (Qt's own signature)
        return 0 if parent.isValid() else len(self.tokens)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return a name; for a screen reader, why the token has a colour too."""
        if not index.isValid():
            return None
        name = displayable(self.tokens[index.row()])
        if role == Qt.ItemDataRole.DisplayRole:
            return name
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return joined((str(index.row() + 1), name, self.state(index.row())))
        if role == Qt.ItemDataRole.ToolTipRole and index.row() in self.automatic:
            return plain_tip(_("Coloured for its large weights, as long as no token is pinned"))
        return None

    def state(self, row: int) -> str:
        """Return why a token keeps a colour; nothing where it has none."""
        if row in self.pinned:
            return _("pinned")
        return _("automatic") if row in self.automatic else ""

    def show(
        self,
        tokens: tuple[str, ...],
        colours: Sequence[TokenColour],
        pinned: frozenset[int],
        automatic: frozenset[int],
    ) -> None:
        """Show other names, or the same in other colours."""
        if tokens != self.tokens:
            self.beginResetModel()
            self.tokens, self.colours = tokens, colours
            self.pinned, self.automatic = pinned, automatic
            self.endResetModel()
        elif (colours, pinned, automatic) != (self.colours, self.pinned, self.automatic):
            self.colours, self.pinned, self.automatic = colours, pinned, automatic
            self.dataChanged.emit(self.index(0), self.index(len(tokens) - 1))


class _Row(QStyledItemDelegate):
    """Draws a token's place, dot, name and why it has a colour."""

    def __init__(self, names: _Names, theme: Theme, parent: QListView) -> None:
        super().__init__(parent)
        self._names, self._list, self.theme = names, parent, theme
        self.hovered: int | None = None

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Return the design's height."""
        return QSize(0, self.theme.px(_ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Draw it."""
        theme, px, row = self.theme, self.theme.px, index.row()
        rect = QRectF(option.rect)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if selected or row == self.hovered:
            painter.fillRect(rect, theme.color("hover"))
        colour = self._names.colours[row]
        own = not theme.is_neutral(colour)
        place = QRectF(rect.left(), rect.top(), px(_PLACE), rect.height())
        draw_text(painter, theme, str(row + 1), place, theme.color("ink3"), 13, 400, RIGHT)
        dot = QPointF(rect.left() + px(_DOT), rect.center().y())
        painting.draw_dot(painter, theme, dot, colour)
        said = self._names.state(row)
        if row not in self._names.pinned:
            if selected:
                said = _("selected")
            elif row == self.hovered:
                said = _("pin")
        name = rect.adjusted(px(_NAME), 0, -px(_STATE if said else 8), 0)
        weight = 600 if own or selected else 400
        text = elided(theme, index.data(), 14, weight, int(name.width()))
        ink = QColor(colour.ink) if own else theme.color("ink1" if selected else "ink2")
        draw_text(painter, theme, text, name, ink, 14, weight, LEFT)
        if said:
            end = rect.adjusted(0, 0, -px(8), 0)
            draw_text(painter, theme, said, end, theme.color("ink3"), 13, 400, RIGHT)


def _is_for_tokens(text: str, tokens: Sequence[str]) -> bool:
    """Return whether a pasted text is rows or a sentence, no name that is looked for."""
    wanted = text.strip().casefold()
    if any(wanted in name.casefold() for name in tokens):
        return False
    return len(wanted.split()) > 1 or sum("\u3400" <= letter <= "\u9fff" for letter in wanted) > 1


class _Search(SearchLine):
    """Finds a token by its name; while it is empty, rows and sentences go to the tokens."""

    pasted = Signal(str)
    tokens: Sequence[str] = ()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Pass on what is pasted and cannot be a name."""
        if event.matches(QKeySequence.StandardKey.Paste) and not self.text():
            text = QGuiApplication.clipboard().text()
            if _is_for_tokens(text, self.tokens):
                self.pasted.emit(text)
                return
        super().keyPressEvent(event)


class _List(QListView):
    """The rows: a click selects, one on the right end pins."""

    chosen = Signal(int)
    pasted = Signal(str)
    pointed = Signal(object)  # a row, or None
    pin_asked = Signal(int)
    opened = Signal(int)
    menu_asked = Signal(int, QPoint)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.names = _Names(self)
        self.row = _Row(self.names, theme, self)
        self.setModel(self.names)
        self.setItemDelegate(self.row)
        self.setMouseTracking(True)
        self.setUniformItemSizes(True)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(_("Tokens"))
        self._drawing = False

    def select(self, row: int | None) -> None:
        """Mark a row, or none; emits nothing."""
        self._drawing = True
        self.executeDelayedItemsLayout()  # else its bar comes only with the next event
        index = self.names.index(-1 if row is None else row)
        if index != self.currentIndex() or not self.selectionModel().hasSelection():
            self.setCurrentIndex(index)
        if row is None:
            self.clearSelection()
        self._drawing = False

    def currentChanged(self, current: _Index, previous: _Index) -> None:
        """Tell of the row that a key or a click came to."""
        super().currentChanged(current, previous)
        if current.isValid() and not self._drawing:
            self.chosen.emit(current.row())

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Select nothing where the keys come by themselves: Qt makes the first row current."""
        self._drawing = event.reason() == Qt.FocusReason.OtherFocusReason
        super().focusInEvent(event)
        self._drawing = False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Pin where "pin" stands, else select."""
        index = self.indexAt(event.position().toPoint())
        at_end = event.position().x() > self.viewport().width() - self.row.theme.px(_STATE)
        if index.isValid() and at_end and event.button() == Qt.MouseButton.LeftButton:
            self.pin_asked.emit(index.row())
        else:
            super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open a token's numbers."""
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and event.button() == Qt.MouseButton.LeftButton:
            self.opened.emit(index.row())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Point at a row."""
        self._point(self.indexAt(event.position().toPoint()).row())

    def leaveEvent(self, event: QEvent) -> None:
        """Point at nothing."""
        super().leaveEvent(event)
        self._point(-1)

    def _point(self, row: int) -> None:
        found = None if row < 0 else row
        if found != self.row.hovered:
            self.show_hovered(found)
            self.pointed.emit(found)

    def show_hovered(self, row: int | None) -> None:
        """Mark the row that is pointed at, here or elsewhere."""
        if row != self.row.hovered:
            self.row.hovered = row
            self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Pin with P, open a token's numbers with Enter, paste from the selected token on."""
        row = self.currentIndex().row()
        if event.matches(QKeySequence.StandardKey.Paste):
            if (text := QGuiApplication.clipboard().text()).strip():
                self.pasted.emit(text)
        elif row >= 0 and event.key() == Qt.Key.Key_P and not event.modifiers():
            self.pin_asked.emit(row)
        elif row >= 0 and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit(row)
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what can be done with a token."""
        keyboard = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if keyboard else self.indexAt(event.pos())
        if index.isValid():
            below = self.viewport().mapToGlobal(self.visualRect(index).bottomLeft())
            self.menu_asked.emit(index.row(), below if keyboard else event.globalPos())


class TokenList(QWidget):
    """Shows many tokens by name, in place of their numbers.

    Parameters
    ----------
    of_context : bool
        Whether they are those of a context.
    """

    intent = Signal(object)
    chosen = Signal(int)
    pointed = Signal(object)  # a row, or None
    opened = Signal(int, bool)  # a row whose numbers are wanted, and whether its name is typed
    pasted = Signal(int, str)  # rows or a sentence, and the token that they begin with

    def __init__(self, theme: Theme, of_context: bool, parent: QWidget) -> None:
        super().__init__(parent)
        self._of_context, self._first = of_context, 0
        self.search = _Search(_("Find a token"), _("find a token"), self)
        self.search.textChanged.connect(self._filter)
        self.search.pasted.connect(self._paste)
        self.list = _List(theme, self)
        self.list.names.modelReset.connect(self._filter)
        self.list.chosen.connect(self.chosen)
        self.list.pasted.connect(self._paste)
        self.list.pointed.connect(self.pointed)
        self.list.opened.connect(lambda row: self.opened.emit(row, False))
        self.list.pin_asked.connect(self._pin)
        self.list.menu_asked.connect(self._open_menu)
        self._used = plain_label("ink3", self)
        self.unpin = QToolButton(self)
        self.unpin.setText(_("unpin all"))
        self.unpin.setToolTip(plain_tip(_("Colour the largest weights again")))
        self.unpin.setProperty("kind", "link")
        self.unpin.clicked.connect(lambda: self.intent.emit(Pin(None)))
        self._below = put(QHBoxLayout(), (self._used, 1), self.unpin)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        put(self._column, self.search, self.list, self._below)
        self.retheme(theme)

    def draw(
        self,
        tokens: tuple[str, ...],
        colours: Sequence[TokenColour],
        slots: Sequence[int],
        pinned: Sequence[int],
        first: int,
    ) -> None:
        """Show names and colours; emits nothing.

        Parameters
        ----------
        slots : sequence of int
            The colour of every token there is, −1 for none.
        pinned : sequence of int
            The places of those that the user or the scene pinned.
        first : int
            The place of the first of these among all.
        """
        self._first = first
        coloured = {row for row in range(len(tokens)) if slots[first + row] >= 0}
        mine = frozenset(row for row in coloured if first + row in pinned)
        automatic = frozenset() if pinned else frozenset(coloured)
        self.list.names.show(tokens, colours, mine, automatic)
        self.search.tokens = tokens
        used = sum(slot >= 0 for slot in slots)
        said = _("{used} of {all} colours in use").format(used=used, all=SLOTS)
        if said != self._used.text():
            self._used.setText(said)
        self.unpin.setEnabled(bool(pinned))
        height = self.theme.px(_ROW) * min(len(tokens), _MOST_ROWS)
        self.list.setFixedHeight(height + 2 * self.list.frameWidth())

    def show_pointing(self, row: int | None, hovered: int | None) -> None:
        """Mark the selected and the hovered token; emits nothing."""
        self.list.select(row)
        self.list.show_hovered(hovered)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self.theme = self.list.row.theme = theme
        self.search.setFont(theme.font(14))
        self.list.setFont(theme.font(14))
        for part in (self._used, self.unpin):
            part.setFont(theme.font(13))
        self._column.setSpacing(theme.px(6))
        self.list.viewport().update()

    def _filter(self) -> None:
        wanted = self.search.text().strip().casefold()
        for row, name in enumerate(self.list.names.tokens):
            self.list.setRowHidden(row, wanted not in name.casefold())

    def _paste(self, text: str) -> None:
        selected = self.list.selectionModel().selectedIndexes()
        self.pasted.emit(selected[0].row() if selected else 0, text)

    def _pin(self, row: int) -> None:
        self.intent.emit(Pin(self._first + row))

    def _open_menu(self, row: int, at: QPoint) -> None:
        menu = QMenu(self)
        pin = _("Unpin") if row in self.list.names.pinned else _("Pin")
        menu.addAction(pin, lambda: self._pin(row))
        menu.addAction(_("Numbers"), lambda: self.opened.emit(row, False))
        menu.addSeparator()
        count = len(self.list.names.tokens)
        rename = partial(self.opened.emit, row, True)
        add_token_actions(menu, row, count, self._of_context, self.intent.emit, rename=rename)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(at)
