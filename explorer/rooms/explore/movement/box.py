"""Below a W: a word that unfolds to what it does to the plane."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from explorer.attention.transforms import (
    FLAT,
    Effect,
    Movement,
    Turns,
    area,
    compose,
    decompose,
    singular_values,
    turns,
)
from explorer.kit.icons import icon
from explorer.kit.labels import plain_label, show_text
from explorer.kit.layouts import put, set_spacing
from explorer.kit.slider import slider_sheet
from explorer.kit.table.painting import LEFT, RIGHT, draw_text, text_width
from explorer.kit.theme import Theme
from explorer.rooms.explore.movement.part_row import PARTS, PartRow
from explorer.session import Array, Frame, Matrix, Scene
from explorer.session.intents import Phase, ShapeMatrix, ShowMovement
from explorer.text import _, display_number, joined, ngettext

_ROUNDING = 1e-12  # what is shorter than this part of the longest is nothing


def turns_text(W: Array) -> str:
    """Return the singular value decomposition of W, (2, 2): a turn, two stretches, a turn."""
    parts: Turns = turns(W)
    across = 0.0 if abs(parts.across) <= _ROUNDING * parts.along else parts.across
    return _("turn {first}°, stretch {along} and {across}, turn {second}°").format(
        first=display_number(parts.first, 1),
        along=display_number(parts.along, 2),
        across=display_number(across, 2),
        second=display_number(parts.second, 1),
    )


def area_text(W: Array) -> str:
    """Return the determinant of W, (2, 2): what becomes of areas."""
    found = area(W)
    if found.effect is not Effect.FLATTENED:
        factor = display_number(abs(found.factor), 2)
        if found.effect is Effect.FLIPPED:
            return _("areas × {factor}, flipped").format(factor=factor)
        return _("areas × {factor}").format(factor=factor)
    along, across = singular_values(W).tolist()
    if along == 0.0:
        return _("flattened: everything falls on a point")
    if across <= _ROUNDING * along:
        return _("flattened: everything falls on a line")
    return _("flattened: everything falls nearly on a line")


def spread_text(W: Array) -> str:
    """Return how different the directions of a W of any shape are stretched."""
    sizes = singular_values(W)
    largest, smallest = float(sizes[0]), float(sizes[-1])
    if largest == 0.0:
        return _("flattened: everything falls on a point")
    flat = int((sizes <= FLAT * largest).sum())
    if flat:
        said = ngettext("{n} direction is flattened", "{n} directions are flattened", flat)
        return said.format(n=flat)
    if len(sizes) == 1:
        return ""
    ratio = display_number(largest / smallest, 2)
    return _("largest ÷ smallest = {ratio}").format(ratio=ratio)


def why_no_sliders(W: Array) -> str:
    """Return why a W that is not 2 × 2 has no sliders."""
    rows, columns = W.shape
    return _("Sliders need a W of 2 × 2: this one is {rows} × {columns}.").format(
        rows=rows, columns=columns
    )


_MOST = 8  # bars; of more the first and the last are shown
_ROW, _BAR, _GAP = 20, 10, 8  # px at 100 %


class Row(NamedTuple):
    """A bar of a share of the room, and its number; without a share a line of text."""

    text: str
    share: float | None = None


def bar_rows(sizes: Array) -> list[Row]:
    """Return what is shown of singular values, shape (n,), largest first."""
    values = sizes.tolist()
    largest = values[0] or 1.0
    rows = [Row(display_number(value, 2), value / largest) for value in values]
    left_out = len(rows) - _MOST
    if left_out <= 0:
        return rows
    said = ngettext("… {n} more …", "… {n} more …", left_out).format(n=left_out)
    return [*rows[: _MOST - 1], Row(said), rows[-1]]


class SingularBars(QWidget):
    """Paints singular values as bars with their numbers behind them."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows: list[Row] = []
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(_("Singular values, largest first"))

    def show_sizes(self, sizes: Array) -> None:
        """Show singular values, shape (n,)."""
        self._rows = bar_rows(sizes)
        self.setAccessibleDescription(joined(row.text for row in self._rows))
        self.setFixedHeight(len(self._rows) * self._theme.px(_ROW))
        self.update()

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        self.setFixedHeight(len(self._rows) * theme.px(_ROW))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint bars from the left and numbers at the right."""
        theme = self._theme
        with QPainter(self) as painter:
            row, numbers = theme.px(_ROW), [row.text for row in self._rows if row.share is not None]
            right = max((text_width(theme, text, 13) for text in numbers), default=0)
            room = max(self.width() - right - theme.px(_GAP), 0)
            for place, (text, share) in enumerate(self._rows):
                line = QRectF(0, place * row, self.width(), row)
                ink, side = ("ink3", LEFT) if share is None else ("ink1", RIGHT)
                draw_text(painter, theme, text, line, theme.color(ink), 13, align=side)
                if share is not None:
                    bar, ends = theme.px(_BAR), max(room * share, 1.0)
                    top = line.top() + (row - bar) / 2
                    painter.fillRect(QRectF(0, top, ends, bar), theme.color("ctl"))


_CHEVRON, _PADDING = 14, 6  # px at 100 %; what is empty before the arrow
_STILL = Movement(0.0, 1.0, 1.0, 0.0)  # the identity
_REMEMBERED = 16


class MovementBox(QWidget):
    """Shows the chosen head's W as a movement, where the look has it unfolded.

    What the sliders say is what makes W; where several movements do it is the one that was asked
    for, or else the one closest to it, so that no slider moves but the one that is moved.

    Parameters
    ----------
    matrix : Matrix
        Wq, Wk or Wv.
    inset : int
        Room at the left and at the right, px at 100 %.
    """

    intent = Signal(object)

    def __init__(self, matrix: Matrix, theme: Theme, inset: int, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("movement")
        self.matrix = matrix
        self._theme, self._inset = theme, inset
        self._open = False
        self._head = 0
        self._original: Scene | None = None
        self._W: Array | None = None
        self._movement = _STILL
        self._start = _STILL  # when the gesture began
        self._at_rest: deque[Movement] = deque(maxlen=_REMEMBERED)
        self.header = QToolButton(self)
        self.header.setProperty("kind", "link")
        self.header.setText(_("as a transformation"))
        self.header.setAccessibleName(
            _("{matrix} as a transformation of the plane").format(matrix=matrix)
        )
        self.header.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.header.clicked.connect(
            lambda: self.intent.emit(ShowMovement(self.matrix, not self._open))
        )
        self.reset = QToolButton(self)
        self.reset.setProperty("kind", "link")
        self.reset.setText(_("reset"))
        self.reset.setToolTip(_("Make it the identity, which moves nothing"))
        self.reset.setAccessibleName(_("Reset {matrix} to the identity").format(matrix=matrix))
        self.reset.clicked.connect(self._reset)
        self.reset.hide()
        self._top = put(QHBoxLayout(), self.header, None, self.reset)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addLayout(self._top)
        self.body: QWidget | None = None  # made when it is first unfolded
        self.rows: dict[str, PartRow] = {}
        self.retheme(theme)

    @property
    def is_open(self) -> bool:
        """Whether it is unfolded."""
        return self._open

    def draw(self, frame: Frame, head: int) -> None:
        """Show the W of a head as it moves the plane, if it is unfolded; emits nothing."""
        shown = self.matrix in frame.look.movements
        if shown != self._open:
            self._open = shown
            self._show_chevron()
            if shown and self.body is None:
                self._build()
            if self.body is not None:
                self.body.setVisible(shown)
        blocks = frame.scene.per_head(self.matrix)
        if not shown or blocks is None:
            self.reset.hide()
            return
        if head != self._head or frame.original is not self._original:
            self._head, self._original, self._W = head, frame.original, None
        W = blocks[head]
        if self._W is None or not np.array_equal(W, self._W) or self._strays(W, frame):
            known = self._W is not None
            self._W = W
            self._show(W, known)
        if not frame.gesture and W.shape == (2, 2) and self._movement not in self._at_rest:
            self._at_rest.append(self._movement)

    def _strays(self, W: Array, frame: Frame) -> bool:
        """Return whether what was asked for was not made."""
        plane = W.shape == (2, 2) and not frame.gesture
        return plane and decompose(W, self._movement) is not self._movement

    # --- showing ---------------------------------------------------------------------------------

    def _build(self) -> None:
        self.body = QWidget(self)
        column = QVBoxLayout(self.body)
        for part in PARTS:
            row = self.rows[part.field] = PartRow(part, str(self.matrix), self.body)
            row.asked.connect(self._ask)
            row.refused.connect(self._refuse)
            column.addWidget(row)
        self.message = self._label("err", column)
        self.bars = SingularBars(self._theme, self.body)
        column.addWidget(self.bars)
        self.area = self._label("ink1", column)
        self.turns = self._label("ink2", column)
        self.note = self._label("ink3", column)
        self._column.addWidget(self.body)
        self.retheme(self._theme)

    def _label(self, ink: str, column: QVBoxLayout) -> QLabel:
        label = plain_label(ink, self.body)
        label.hide()
        column.addWidget(label)
        return label

    def _show(self, W: Array, known: bool) -> None:
        plane = W.shape == (2, 2)
        for row in self.rows.values():
            row.setVisible(plane)
        self.bars.setVisible(not plane)
        self.reset.setVisible(plane)
        show_text(self.message, "")
        if plane:
            self._movement = self._movement_of(W, known)
            self._show_parts()
            show_text(self.area, area_text(W))
            show_text(self.turns, turns_text(W))
            why = _("No shear makes this W: the sliders show only where e₁ goes.")
            show_text(self.note, "" if self._movement.exact else why)
        else:
            self.bars.show_sizes(singular_values(W))
            show_text(self.area, spread_text(W))
            show_text(self.turns, "")
            show_text(self.note, why_no_sliders(W))

    def _show_parts(self) -> None:
        for field, row in self.rows.items():
            row.show_number(getattr(self._movement, field))
        still = self._W is not None and np.array_equal(self._W, np.eye(2))
        self.reset.setEnabled(not still)

    def _movement_of(self, W: Array, known: bool) -> Movement:
        """Return the movement that makes W: one that did so before, or else one close by."""
        for before in (self._movement, *reversed(self._at_rest)):
            if decompose(W, before) is before:
                return before
        return decompose(W, self._movement if known else None)

    # --- asking ----------------------------------------------------------------------------------

    def _ask(self, field: str, number: float, phase: Phase) -> None:
        gone = self._W is None or self._W.shape != (2, 2) or not self.isVisible()
        if gone and phase in (Phase.BEGIN, Phase.MOVE):
            return  # asked of a W that is no more
        match phase:
            case Phase.BEGIN:
                self._start = self._movement
            case Phase.MOVE:
                self._movement = replace(self._movement, **{field: number}, exact=True)
            case Phase.CANCEL:
                self._movement = self._start
        self._emit(phase)
        show_text(self.message, "")
        self._show_parts()

    def _emit(self, phase: Phase) -> None:
        assert self._W is not None
        made = self._W if phase is Phase.BEGIN else compose(self._movement)
        values = tuple(tuple(row) for row in (made + 0.0).tolist())
        self.intent.emit(ShapeMatrix(self.matrix, self._head, values, phase))

    def _reset(self) -> None:
        self._start = self._movement
        self._emit(Phase.BEGIN)
        self._movement = _STILL
        self._emit(Phase.MOVE)
        self._emit(Phase.END)
        self._show_parts()

    def _refuse(self, _text: str) -> None:
        show_text(self.message, _("Type a number, for example 0.5"))

    # --- looking ---------------------------------------------------------------------------------

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        px, inset = theme.px, theme.px(self._inset)
        self._top.setContentsMargins(max(inset - px(_PADDING), 0), 0, inset, 0)
        self._column.setSpacing(px(4))
        for button in (self.header, self.reset):
            button.setFont(theme.font(13))
        self.header.setIconSize(QSize(px(_CHEVRON), px(_CHEVRON)))
        self._show_chevron()
        if self.body is None:
            return
        column = self.body.layout()
        assert column is not None
        set_spacing(column, inset, 0, inset, px(4), gap=px(4))
        metrics = QFontMetrics(theme.font(13))
        width = max(metrics.horizontalAdvance(row.label.text()) for row in self.rows.values())
        for row in self.rows.values():
            row.retheme(theme, width + px(2))
        self.bars.retheme(theme)
        for label in (self.message, self.area, self.turns, self.note):
            label.setFont(theme.font(13))
        # Both halves alike: a number on either side of 0 is no amount.
        plain = f" #part::sub-page:horizontal {{ background: {theme.palette.line2}; }}"
        self.body.setStyleSheet(slider_sheet(theme, "part") + plain)

    def _show_chevron(self) -> None:
        name = "chevron-down" if self._open else "chevron-right"
        self.header.setIcon(icon(name, self._theme))
