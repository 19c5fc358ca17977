"""A title and its table, fitted or at full size; of scores and weights with what can be done."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from explorer.kit.copying import CopyFormats
from explorer.kit.labels import plain_label
from explorer.kit.layouts import fill, put
from explorer.kit.table.aim import AimCard
from explorer.kit.table.editors import Brush, TargetEditor
from explorer.kit.table.fitted import HeatTable
from explorer.kit.table.listing import HEADER, ROW, TALL_HEADER, ListTable
from explorer.kit.table.painting import PADDING
from explorer.kit.table.sources import Source
from explorer.kit.table.titles import Title, show_sign
from explorer.kit.table.view import CellTable
from explorer.kit.theme import Theme
from explorer.session import Frame, Space
from explorer.session.intents import ShowPainting
from explorer.text import Message, _, displayable, plain_tip

_FULL_ROWS = 8  # in view at full size


class TablePart(QWidget):
    """A title and its table, fitted or at full size.

    Parameters
    ----------
    letter, words, marker
        As of `Title`.
    name : str
        Accessible name of the table.
    kind : type, optional
        Of the fitted table.
    """

    intent = Signal(object)
    _resized = Signal()
    always_full = False  # whether what would be a picture is always at full size

    def __init__(
        self,
        letter: str,
        words: str,
        name: str,
        theme: Theme,
        formats: CopyFormats,
        *,
        marker: Space | None = None,
        kind: type[HeatTable] = HeatTable,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.title = title = Title(letter, words, marker, self)
        self.fitted = fitted = kind(name, theme, formats, self)
        self.full = full = ListTable(
            _("{table} at full size").format(table=name), theme, formats, self
        )
        full.hide()
        self.column = fill(QVBoxLayout(self))
        self._beside = QHBoxLayout()
        self._beside.addWidget(full)
        put(self.column, title, fitted, self._beside)
        for table in (fitted, full):
            table.intent.connect(self.intent)
        title.full.toggled.connect(self._switched)
        # Whatever is shown has the layouts around it placed anew: not while they place this.
        self._resized.connect(self._fit, Qt.ConnectionType.QueuedConnection)
        self._shown: tuple[Source, Source] | None = None
        self._as_picture = False

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show numbers, or a picture, as the new width allows."""
        super().resizeEvent(event)
        self._resized.emit()

    def _fit(self) -> None:
        if self._shown is None or self.fitted.isHidden():
            return
        if self.fitted.is_picture != self._as_picture:
            self.draw(*self._shown)

    def say(self, words: str) -> None:
        """Say in the title, and to screen readers, what is shown."""
        self.title.show_words(words)
        for table in (self.fitted, self.full):
            if table.accessibleDescription() != words:
                table.setAccessibleDescription(words)

    def draw(self, fitted: Source, full: Source) -> None:
        """Show the sources; a picture can be switched to its full size."""
        self._shown = fitted, full
        self.title.show_held(fitted.frame.held)
        self.fitted.show_source(fitted)
        self._as_picture = picture = self.fitted.is_picture
        self.title.full.setVisible(picture and not self.always_full)
        at_full = picture and (self.always_full or self.title.full.isChecked())
        self.fitted.setVisible(not at_full)
        self.full.setVisible(at_full)
        if at_full:
            rows = min(full.shape[0], _FULL_ROWS)
            margin = fitted.theme.px(PADDING) // 2
            self._beside.setContentsMargins(margin, 0, margin, 0)
            header = TALL_HEADER if full.spans else HEADER
            self.full.setFixedHeight(fitted.theme.px(header + ROW * rows + 12))
            self.full.show_source(full)

    def take_over(self, before: TablePart) -> None:
        """Show a picture at full size where another part did."""
        self.title.full.setChecked(before.title.full.isChecked())

    @property
    def table(self) -> CellTable:
        """The table in view."""
        return self.full if self.full.isVisibleTo(self) else self.fitted

    def stops(self) -> list[QWidget]:
        """Return what the tab key comes to, from top to bottom."""
        return [self.title.full, self.title.fill, self.fitted, self.full]

    def set_compact(self, compact: bool) -> None:
        """Use lower rows or not."""
        self.fitted.set_compact(compact)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self.title.retheme(theme)
        for table in (self.fitted, self.full):
            table.theme = theme

    def _switched(self) -> None:
        if self._shown is not None:
            at_full = self.title.full.isChecked()
            fitted, full = self._shown
            self.draw(fitted, full)
            if at_full:
                self.full.scrollTo(self.full.currentIndex())


class HeatPart(TablePart):
    """Scores or weights: a cell can be asked to be something, and those of A can be masked.

    Parameters
    ----------
    painted : bool
        Whether there is a brush for the mask.
    """

    card_moved = Signal(object)  # the card, where it has come to another place

    def __init__(
        self, letter: str, name: str, theme: Theme, formats: CopyFormats, *, painted: bool = False
    ) -> None:
        super().__init__(letter, "", name, theme, formats)
        self._theme = theme
        self._asked = False
        self._about: object = None  # scene, look and cell that the note is about
        self.brush: QToolButton | None = None
        self._brushes: list[Brush] = []
        if painted:
            self._add_brush()
        self.note = plain_label("err", self)
        self.note.hide()
        self.column.addWidget(self.note)
        self.card: AimCard | None = None  # made when a value is first wanted
        self._card_row = QHBoxLayout()
        self.column.addLayout(self._card_row)
        self.editors = [TargetEditor(table) for table in (self.fitted, self.full)]
        for editor in self.editors:
            editor.table.edit_with(editor)
            editor.said.connect(self._say)
            editor.asked.connect(self._await)

    def _add_brush(self) -> None:
        self.brush = QToolButton(self.title)
        self.brush.setCheckable(True)
        self.brush.setToolTip(plain_tip(_("Paint the mask")))
        self.brush.setAccessibleName(_("Paint the mask"))
        self.brush.clicked.connect(self._pick_brush)
        self.title.row.addWidget(self.brush)
        self._brushes = [Brush(table) for table in (self.fitted, self.full)]

    def _pick_brush(self, checked: bool) -> None:
        if self.brush is not None:
            self.brush.setChecked(not checked)  # whether it is on is said by the frame alone
        self.intent.emit(ShowPainting(checked))

    def show_frame(self, frame: Frame, weight: bool) -> None:
        """Show whether the brush is on and, of scores or weights, the value that is wanted."""
        if self.brush is not None:
            self.brush.setChecked(frame.look.painting)
        for brush in self._brushes:
            brush.show(frame.look.painting)
        aiming = frame.aiming if frame.aiming and frame.aiming.weight == weight else None
        if self.note.isVisibleTo(self) and not any(editor.line for editor in self.editors):
            self._forget(frame)
        if aiming is None:
            if self.card is not None:
                self.card.hide()
            return
        card = self.card or self._make_card()
        card.show_aiming(aiming, frame)
        card.show()
        if self._asked:
            self._asked = False
            card.take_focus()
            self.card_moved.emit(card)

    def _make_card(self) -> AimCard:
        self.card = card = AimCard(self._theme, self)
        card.hide()
        card.set_compact(self.fitted.compact)
        self._card_row.addWidget(card)
        card.intent.connect(self.intent)
        card.left.connect(self._return_focus)
        card.moved.connect(self._tell_moved)
        QWidget.setTabOrder(self.full, card)
        self._space()
        return card

    def _tell_moved(self) -> None:
        if self.card is not None and self.card.isAncestorOf(self.focusWidget()):
            self.card_moved.emit(self.card)

    def _await(self) -> None:
        self._asked = True

    def _return_focus(self) -> None:
        self.table.setFocus()

    def _say(self, message: Message | None, pair: tuple[int, int] | None = None) -> None:
        """Say below the table why something cannot be, until something else is done."""
        text = "" if message is None else displayable(str(message), limit=400)
        if self._shown is not None:
            frame = self._shown[0].frame
            self._about = frame.scene, frame.look, pair
        self.note.setText(text)
        self.note.setVisible(bool(text))
        self.note.setAccessibleName(text)

    def _forget(self, frame: Frame) -> None:
        """Drop what was said about another cell, head or scene."""
        selected = None if frame.selection is None else frame.selection.pair
        if self._about != (frame.scene, frame.look, selected):
            self._say(None)

    def set_compact(self, compact: bool) -> None:
        super().set_compact(compact)
        if self.card is not None:
            self.card.set_compact(compact)

    def stops(self) -> list[QWidget]:
        brush = [self.brush] if self.brush is not None else []
        return [self.title.full, self.title.fill, *brush, self.fitted, self.full]

    def retheme(self, theme: Theme) -> None:
        super().retheme(theme)
        self._theme = theme
        self.note.setFont(theme.font(13))
        if self.brush is not None:
            show_sign(self.brush, "brush", theme)
        if self.card is not None:
            self.card.retheme(theme)
        self._space()

    def _space(self) -> None:
        pad, top = self._theme.px(PADDING), self._theme.px(6)
        self.note.setContentsMargins(pad, top, pad, 0)
        card = self.card is not None
        self._card_row.setContentsMargins(pad, top if card else 0, pad, 0)
