"""The left panel of Explore: tokens, matrices and biases as grids, and the options."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TypeVar

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QApplication, QLayout, QPushButton, QVBoxLayout, QWidget

from explorer.kit.base import View
from explorer.kit.copying import NO_FORMATS, CopyFormats
from explorer.kit.fold import INSET
from explorer.kit.labels import plain_label
from explorer.kit.layouts import as_panel, fill, put, set_spacing
from explorer.kit.scrolling import ColumnArea
from explorer.kit.theme import Theme
from explorer.rooms.explore.inputs.tokens import PositionRows, SequencePicker, TokenRows
from explorer.rooms.explore.inputs.weights import WeightBlock
from explorer.rooms.explore.options import OptionsBox
from explorer.session import PROJECTIONS, Change, Frame, Matrix, position_rows
from explorer.session.intents import AddProjections
from explorer.text import _


def lead_tab_key(layout: QLayout) -> None:
    """Lead the tab key through everything within a layout that takes it, from its start on."""
    for before, after in pairwise(stops(layout)):
        QWidget.setTabOrder(before, after)


def stops(layout: QLayout) -> Iterator[QWidget]:
    """Yield the widgets within a layout that take the tab key, in the order of the layouts."""
    for place in range(layout.count()):
        item = layout.itemAt(place)
        widget, inner = (None, None) if item is None else (item.widget(), item.layout())
        if isinstance(widget, ColumnArea):
            widget = widget.widget()
        if widget is not None:
            if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.focusProxy() is None:
                yield widget
            inner = widget.layout()
        if inner is not None:
            yield from stops(inner)


WIDTH = 256  # px at 100 %
Rows = TypeVar("Rows", PositionRows, TokenRows)


class InputsView(View):
    """Shows what a person may change, number by number.

    What only some scenes have (a context, position, Wo, several sequences) is made when it is first
    shown.

    Parameters
    ----------
    theme : Theme
    formats : CopyFormats
        What a matrix can be copied as.
    """

    concerns = (
        Change.RESULT
        | Change.LOOK
        | Change.PAGES
        | Change.SELECTION
        | Change.HOVER
        | Change.INVALID
        | Change.ORIGINAL
        | Change.PLANE
    )

    def __init__(
        self, theme: Theme, formats: CopyFormats = NO_FORMATS, parent: QWidget | None = None
    ) -> None:
        super().__init__(theme, parent)
        self.setAccessibleName(_("Inputs"))
        self._formats = formats
        self._column = QWidget()
        words = (_("tokens"), _("Add a token"))
        self.rows = TokenRows(Matrix.X, "X", *words, theme, formats, self._column)
        self.tokens = self.rows.grid
        self.sequences: SequencePicker | None = None
        self.position: PositionRows | None = None
        self.context: TokenRows | None = None
        self.values: TokenRows | None = None  # where Q, K and V are given
        self.output: WeightBlock | None = None
        self._high = 0  # of the column
        self._led: object = None  # through what the tab key was led
        self.weights = {
            name: WeightBlock(name, theme, formats, self._column) for name in PROJECTIONS
        }
        self.options = OptionsBox(theme, self._column, self)
        self.add_projections = QPushButton(_("Add Wq, Wk, Wv"))
        self.add_projections.clicked.connect(lambda: self.intent.emit(AddProjections()))
        self.rows.intent.connect(self.intent)
        self.options.intent.connect(self.intent)
        for block in self.weights.values():
            block.intent.connect(self.intent)
        self._build()
        self.retheme(theme)

    def _build(self) -> None:
        self._no_weights_word = plain_label("ink3", text=_("No projections: Q = K = V = X"))
        self._no_weights = QWidget(self._column)
        self._without = QVBoxLayout(self._no_weights)
        self._without.addWidget(self._no_weights_word)
        self._without.addWidget(self.add_projections, 0, Qt.AlignmentFlag.AlignLeft)
        as_panel(self._column)
        self._layout = QVBoxLayout(self._column)
        self._above = QVBoxLayout()
        self._above.addWidget(self.rows)
        self._layout.addLayout(self._above)
        self._layout.addWidget(self._no_weights)
        for block in self.weights.values():
            self._layout.addWidget(block)
        put(self._layout, None, self.options.body)
        self._scroll = ColumnArea()
        self._scroll.setWidget(self._column)
        self.options.told.connect(self._scroll.bring_into_sight)
        self._whole = fill(QVBoxLayout(self), (self._scroll, 1), self.options)

    # --- drawing ---------------------------------------------------------------------------------

    def draw(self, frame: Frame) -> None:
        """Show the frame's numbers, options and what is pointed at."""
        scene = frame.scene
        held = self._held()
        above = 0 if held is None else self._place(held) - self._scroll.verticalScrollBar().value()
        head = min(frame.look.head, scene.heads - 1)
        silent = [part.message for part in self._parts if part.message.isHidden()]
        queries, keys = self.theme.token_colours(frame)
        given = scene.given
        own = ("Q", _("queries")) if given else None
        self.rows.draw(frame, scene.tokens, scene.X, queries, own)
        self._draw_sequences(frame)
        if self._needed(self.position, position_rows(scene) is not None):
            self.position = self.position or self._put_above(
                PositionRows(self.theme, self._formats, self._column), after=self.rows
            )
            self.position.draw(frame, queries)
        if self._needed(self.context, scene.context is not None):
            assert scene.context is not None
            self.context = self.context or self._put_above(self._context_rows(), after=None)
            own = ("K", _("keys")) if given else None
            self.context.draw(frame, scene.context.tokens, scene.context.X, keys, own)
        if self._needed(self.values, given):
            assert scene.V is not None
            self.values = self.values or self._put_above(self._value_rows(), after=None)
            self.values.draw(frame, scene.key_tokens, scene.V, keys, ("V", _("values")))
        self._show(self._no_weights, not scene.projected and not scene.given)
        came: list[QWidget] = []
        for block in self.weights.values():
            self._show(block, scene.projected)
            if scene.projected:
                came += self._draw_block(block, frame, head)
        if self._needed(self.output, scene.Wo is not None):
            self.output = self.output or self._output_block()
            self.output.draw(frame, head)
        if (part := self.options.draw(frame)) is not None:
            came.append(part)
        self._lead_tab_key(frame)
        self._keep_in_place(held, above)
        came += [message for message in silent if not message.isHidden()]
        for part in came:
            self._scroll.bring_into_sight(part)

    @property
    def _parts(self) -> tuple[TokenRows | PositionRows | WeightBlock, ...]:
        """Everything with numbers that has been made."""
        made = (self.rows, self.position, self.context, self.values, *self.weights.values())
        return tuple(part for part in (*made, self.output) if part is not None)

    def _held(self) -> QWidget | None:
        """Return what is being pressed in the column, or what has the focus there."""
        focused = QApplication.focusWidget()
        pressed = self._column.childAt(self._column.mapFromGlobal(QCursor.pos()))
        under = pressed is not None and self._column.underMouse()
        held = pressed if under else focused
        return held if held is not None and self._column.isAncestorOf(held) else None

    def _place(self, held: QWidget) -> int:
        return held.mapTo(self._column, QPoint(0, 0)).y()

    def _keep_in_place(self, held: QWidget | None, above: int) -> None:
        """Scroll by as much as what came or went above moved the control that brought it."""
        height = self._column.sizeHint().height()
        if height == self._high:
            return
        self._high = height
        if held is None or not held.isVisibleTo(self._column):
            return
        self._layout.activate()
        self._column.adjustSize()
        self._scroll.verticalScrollBar().setValue(self._place(held) - above)

    def _lead_tab_key(self, frame: Frame) -> None:
        """Give what was made just now its place among the rest."""
        made = (self.sequences, self.position, self.context, self.values, self.output)
        blocks = [block for block in (*self.weights.values(), self.output) if block is not None]
        found = (
            *(part is not None for part in made),
            *(block.bias is not None for block in blocks),
            frame.look.movements,
            bool(self.options.groups),
        )
        if found != self._led:
            self._led = found
            lead_tab_key(self._whole)

    @staticmethod
    def _draw_block(block: WeightBlock, frame: Frame, head: int) -> tuple[QWidget, ...]:
        """Draw a matrix; return what has been unfolded, which is to be seen."""
        movement = block.movement
        was_open = movement is not None and movement.is_open
        block.draw(frame, head)
        if movement is None or was_open or not movement.is_open:
            return ()
        return (movement,)

    def _draw_sequences(self, frame: Frame) -> None:
        if self._needed(self.sequences, bool(frame.scene.others)):
            if self.sequences is None:
                self.sequences = SequencePicker(self.theme, self._column)
                self.sequences.intent.connect(self.intent)
                self._above.insertWidget(0, self.sequences)
                self.sequences.show()
            self.sequences.draw(frame)

    def _context_rows(self) -> TokenRows:
        return TokenRows(
            Matrix.CONTEXT,
            _("X of the context"),
            _("context, for K and V"),
            _("Add a token to the context"),
            self.theme,
            self._formats,
            self._column,
        )

    def _value_rows(self) -> TokenRows:
        rows = TokenRows(Matrix.V, "V", _("values"), "", self.theme, self._formats, self._column)
        rows.add_token.hide()  # a key comes with its value
        return rows

    def _put_above(self, part: Rows, after: QWidget | None) -> Rows:
        """Put a part below another above the matrices, at the end by default."""
        part.intent.connect(self.intent)
        place = self._above.count() if after is None else self._above.indexOf(after) + 1
        self._above.insertWidget(place, part)
        part.show()
        return part

    def _output_block(self) -> WeightBlock:
        block = WeightBlock(Matrix.WO, self.theme, self._formats, self._column)
        block.intent.connect(self.intent)
        self._layout.insertWidget(self._layout.indexOf(self.weights[Matrix.WV]) + 1, block)
        block.show()
        return block

    def _needed(self, part: QWidget | None, wanted: bool) -> bool:
        """Show or hide a part, if it was made, and return whether it is wanted."""
        if part is not None:
            self._show(part, wanted)
        return wanted

    @staticmethod
    def _show(widget: QWidget, shown: bool) -> None:
        if widget.isHidden() == shown:
            widget.setVisible(shown)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        super().retheme(theme)
        px = theme.px
        inset = px(INSET)
        self.setFixedWidth(px(WIDTH))
        set_spacing(self._layout, px(16) - inset, px(16), px(16) - inset, px(2), gap=px(14))
        self._above.setSpacing(px(12))
        self._above.setContentsMargins(inset, 0, inset, px(9))
        self._without.setContentsMargins(inset, 0, inset, 0)
        self._no_weights_word.setFont(theme.font(13))
        self.add_projections.setFont(theme.font(14))
        if self.sequences is not None:
            self.sequences.retheme(theme)
        for part in self._parts:
            part.retheme(theme)
        self.options.retheme(theme)
