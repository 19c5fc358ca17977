"""The arithmetic strip: the selected thing spelled out below the picture."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Slot
from PySide6.QtGui import (
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QMenu,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from explorer.kit.all_terms import AllTerms
from explorer.kit.base import View
from explorer.kit.copying import offered
from explorer.kit.focus_ring import is_ringed, ring
from explorer.kit.labels import plain_label
from explorer.kit.layouts import fix_height
from explorer.kit.table.painting import draw_box
from explorer.kit.text_runs import CAPTION, NO_TOKENS, Chip, Colours, More, Run, RunPainter, plain
from explorer.kit.theme import Theme
from explorer.rooms.explore.strip.layout import Column, Measures, Placed, place, stack
from explorer.rooms.explore.strip.section import DROP_SOFTMAX, Section, all_terms, text_of
from explorer.rooms.explore.strip.sentences import sentences
from explorer.session import Change, Frame, Selection
from explorer.session.intents import CopyText, Hover, Select
from explorer.text import _, displayable, of_example, plain_tip

HEIGHT = 92  # px at 100 %, like everything below
_CAPTION_Y, _LINE_Y = 30, 60  # the middle of the figures
_MARGIN, _GAP = 16, 36
_ROW = 60  # from one section to the one below it, where they stand below one another
_HAIRLINE_TOP, _HAIRLINE_BOTTOM = 20, 73
_WHOLE = (64, 16)  # letters of a name and entries of a vector where room does not count
_LEAST_NOTE, _WIDEST_NOTE = 240, 860  # widths
_NOTE_LINES, _NOTE_LETTERS = 3, (200, 120, 80, 40)  # at most in view; the tooltip has it all
_SPOKEN_TERMS = 8  # longer sums are folded for screen readers


class StripView(View):
    """Spells out the selected cell, pair, token or output; its chips can be hovered and clicked."""

    concerns: ClassVar[Change] = (
        Change.RESULT
        | Change.LOOK
        | Change.SELECTION
        | Change.HOVER
        | Change.INVALID
        | Change.PLANE
    )

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._frame: Frame | None = None
        self._columns: tuple[Column, ...] = ()
        self._colours = NO_TOKENS
        self._painter = RunPainter(theme)
        self._compact = self._beside = False
        self._hovered: Selection | None = None
        self._pressed: Selection | None = None
        self._focused = 0
        self._more = QToolButton(self)
        self._more.hide()
        self._more.clicked.connect(self._show_all_terms)
        self._note = plain_label("ink3", self)
        self._note.setAccessibleName(_("Note"))
        self._note.hide()
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._open_menu)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(_("Arithmetic"))
        self._size_up()

    # --- as a view -----------------------------------------------------------------------------

    def draw(self, frame: Frame) -> None:
        """Spell out the frame's selection."""
        before, self._frame = self._frame, frame
        coloured, self._colours = self._colours, Colours.of(self.theme, frame)
        if before is None or not _says_the_same(before, frame):
            self._lay_out()
            self.update()
        elif frame.selection is not None and coloured != self._colours:
            self.update()

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; a `draw` follows."""
        super().retheme(theme)
        self._painter = RunPainter(theme)
        self._frame = None
        self._columns = ()
        self._size_up()

    def be_presented(self) -> None:
        """Take little room below a slide."""
        self.set_compact(True)

    def is_narrow(self) -> bool:
        """Return whether a step of the arithmetic is left out for want of width."""
        if self._frame is None:
            return False
        steps = [s for s in sentences(self._frame, *_WHOLE) if s.drop in (0, DROP_SOFTMAX)]
        return len(steps) > sum(c.section.drop in (0, DROP_SOFTMAX) for c in self._columns)

    def set_compact(self, compact: bool) -> None:
        """Leave out the scaling and what is added to the output, or show them again."""
        if compact != self._compact:
            self._compact = compact
            self._lay_out()
            self.update()

    def stand_beside(self, beside: bool) -> None:
        """Put the sections below one another, with the height that there is, or side by side."""
        self._beside = beside
        self._size_up()
        self._lay_out()
        self.update()

    def plain_text(self) -> str:
        """Return everything it says, every term too, as plain text with ASCII minus."""
        return text_of(sentences(self._frame, *_WHOLE)) if self._frame is not None else ""

    def runs(self) -> Iterator[tuple[Run, QRectF]]:
        """Yield what is shown, captions too, each run with its rectangle."""
        for column in self._columns:
            for row, y, size in self._rows(column):
                height = self.theme.px(size) * 1.2
                for run, x, width in row:
                    yield run, QRectF(x, y - height / 2, width, height)

    def chips(self) -> list[tuple[Chip, QRectF]]:
        """Return the value chips from left to right, each with its box."""
        return [
            (placed.run, self._box(placed.run, placed.x, column))
            for column in self._columns
            for placed in column.line
            if isinstance(placed.run, Chip)
        ]

    # --- layout --------------------------------------------------------------------------------

    def _rows(self, column: Column) -> tuple[tuple[tuple[Placed, ...], int, float], ...]:
        """Return a column's caption and line, each with its middle in px and its text's size."""
        above, px = column.row * _ROW, self.theme.px
        return (
            (column.caption, px(above + _CAPTION_Y), CAPTION),
            (column.line, px(above + _LINE_Y), column.size),
        )

    def _box(self, run: Chip | More, x: float, column: Column) -> QRectF:
        _line, y, size = self._rows(column)[1]
        return self._painter.box(run, QPointF(x, y), size)

    def _size_up(self) -> None:
        fix_height(self, None if self._beside else self.theme.px(HEIGHT))
        self._more.setFont(self.theme.font(CAPTION, 500))
        colour, px = self.theme.palette, self.theme.px
        self._more.setStyleSheet(
            f"QToolButton {{ color: {colour.ink2}; background: {colour.raised};"
            f" border: 1px solid {colour.line2}; border-radius: {px(5)}px; padding: 0; }}"
            f" QToolButton:hover {{ background: {colour.hover}; color: {colour.ink1}; }}"
            f' QToolButton[ringed="true"]:focus {{ border: 2px solid {colour.ink1}; }}'
        )

    def sizeHint(self) -> QSize:
        """Return the design's size."""
        return QSize(self.theme.px(960), self.theme.px(HEIGHT))

    def _lay_out(self) -> None:
        frame = self._frame
        if frame is None:
            return
        px = self.theme.px
        room = Measures(
            self.width(), px(_MARGIN), px(_GAP), self.theme.percent / 100, self._compact
        )

        def sections(letters: int) -> tuple[Section, ...]:
            return sentences(frame, letters)

        if self._beside:
            rows = max(1, (self.height() - px(HEIGHT)) // px(_ROW) + 1)
            self._columns = stack(sections, room, rows, self._painter.width)
        else:
            self._columns = place(sections, room, self._painter.width)
        self._place_button()
        self._place_note(frame)
        self._focused = 0
        spoken = text_of((column.section for column in self._columns), _SPOKEN_TERMS)
        self.setAccessibleDescription(spoken)

    def _place_button(self) -> None:
        folded = self._folded()
        if folded is None and self._more.hasFocus():
            self.setFocus()
        self._more.setVisible(folded is not None)
        if folded is not None:
            run, x, column = folded
            self._more.setText(run.text)
            self._more.setGeometry(self._box(run, x, column).toRect())

    def _place_note(self, frame: Frame) -> None:
        """Show the scene's note beside the invitation to choose, where there is room."""
        note, px = of_example(frame.scene.note), self.theme.px
        ends = (run.x + run.width for column in self._columns for run in column.line)
        said = max(ends, default=0.0)
        left, top = round(said) + px(2 * _GAP), px(8)
        if self._beside:
            left, top = px(_MARGIN), px(HEIGHT)
        width = min(self.width() - left - px(_MARGIN), px(_WIDEST_NOTE))
        roomy = width >= px(_LEAST_NOTE) or self._beside
        shown = bool(note) and frame.selection is None and roomy
        if shown:
            lines, height = note.split("\n"), self.height() - top - px(8)
            self._note.setFont(self.theme.font(CAPTION))
            for letters in _NOTE_LETTERS:
                cut = [displayable(line, letters) for line in lines[:_NOTE_LINES]]
                self._note.setText("\n".join(cut))
                if self._note.heightForWidth(width) <= height:
                    break
            self._note.setToolTip(plain_tip(note))
            self._note.setGeometry(left, top, width, height)
        self._note.setVisible(shown)

    def _folded(self) -> tuple[More, float, Column] | None:
        """Return where a sum is folded, and whose it is."""
        for column in self._columns:
            for placed in column.line:
                if isinstance(placed.run, More):
                    return placed.run, placed.x, column
        return None

    @Slot()
    def _show_all_terms(self) -> None:
        frame, folded = self._frame, self._folded()
        if frame is None or folded is None:
            return
        # The same column again, with longer names and vectors.
        caption = folded[2].section.caption
        whole = next(s for s in sentences(frame, *_WHOLE) if s.caption == caption)
        AllTerms(plain(caption), all_terms(whole), self.theme, self).show_above(self._more)

    # --- events --------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fold for the new width."""
        super().resizeEvent(event)
        self._lay_out()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the columns."""
        theme, px = self.theme, self.theme.px
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.fillRect(self.rect(), theme.color("win"))
            painter.fillRect(0, 0, self.width(), 1, theme.color("line"))
            for index, column in enumerate(self._columns):
                if index and not column.row:
                    between = round(column.x - px(_GAP) / 2)
                    height = px(_HAIRLINE_BOTTOM) - px(_HAIRLINE_TOP)
                    painter.fillRect(between, px(_HAIRLINE_TOP), 1, height, theme.color("line2"))
                for row, y, size in self._rows(column):
                    for run, x, _width in row:
                        if not isinstance(run, More):
                            self._painter.paint(painter, run, QPointF(x, y), self._colours, size)
            if is_ringed(self):
                self._paint_focus(painter)

    def _paint_focus(self, painter: QPainter) -> None:
        chips = self.chips()
        if chips:
            grown = self.theme.px(5)
            box = chips[self._focused % len(chips)][1].adjusted(-grown, -grown, grown, grown)
        else:
            box = QRectF(self.rect()).adjusted(4, 4, -4, -4)
        draw_box(painter, box, self.theme.px(6), edge=self.theme.color("ink1"), width=2)

    def _chip_at(self, at: QPointF) -> Selection | None:
        return next((chip.selection for chip, box in self.chips() if box.contains(at)), None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remember the chip under the pointer."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed = self._chip_at(event.position())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Select the chip that was pressed and released."""
        pressed, self._pressed = self._pressed, None
        if pressed is not None and self._chip_at(event.position()) == pressed:
            self.intent.emit(Select(pressed))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Point at the chip under the pointer."""
        self._hover(self._chip_at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        """Point at nothing."""
        self._hover(None)

    def _hover(self, selection: Selection | None) -> None:
        if selection != self._hovered:
            self._hovered = selection
            self.setCursor(
                Qt.CursorShape.ArrowCursor
                if selection is None
                else Qt.CursorShape.PointingHandCursor
            )
            self.intent.emit(Hover(selection))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy, move between the chips, or select one."""
        chips = self.chips()
        if event.matches(QKeySequence.StandardKey.Copy):
            self._copy_text()
        elif event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right) and chips:
            step = 1 if event.key() == Qt.Key.Key_Right else -1
            self._focused = (self._focused + step) % len(chips)
            ring(self)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and chips:
            self.intent.emit(Select(chips[self._focused % len(chips)][0].selection))
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Keep Ctrl+C to itself while it has the focus."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.matches(QKeySequence.StandardKey.Copy)
        ):
            event.accept()
            return True
        return super().event(event)

    @Slot(QPoint)
    def _open_menu(self, at: QPoint) -> None:
        """Offer to copy."""
        menu = QMenu(self)
        copy = menu.addAction(_("Copy"))
        copy.triggered.connect(self._copy_text)
        menu.addActions(offered(self))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.mapToGlobal(at))

    @Slot()
    def _copy_text(self) -> None:
        self.intent.emit(CopyText(self.plain_text()))


def _says_the_same(before: Frame, after: Frame) -> bool:
    """Return whether two frames differ at most in what is hovered and in colours."""
    if before.selection is None and after.selection is None:
        return (
            before.held == after.held
            and before.scene.note == after.scene.note
            and before.look.veiled == after.look.veiled
            and before.look.blank == after.look.blank
        )
    return (
        before.scene is after.scene
        and before.attention is after.attention
        and before.selection == after.selection
        and before.look == after.look
        and before.held == after.held
    )
