"""The card of a wanted value: what may move, what would change, accepted or not."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMoveEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from explorer.kit.elided import ElidedLabel
from explorer.kit.heat import painting
from explorer.kit.heat.changes import ChangeTable
from explorer.kit.segments import Segment, Segments
from explorer.kit.theme import Theme
from explorer.session import Aiming, Frame, Matrix
from explorer.session.intents import AcceptAim, AimCell, DropAim
from explorer.text import Message, _, decimal_places, display_number, displayable, plain_tip

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
        self._title, self._note = ElidedLabel(self), QLabel(self)
        self._by = QLabel(_("by moving"), self)
        for label, ink in ((self._title, "ink1"), (self._by, "ink3"), (self._note, "ink2")):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setProperty("ink", ink)
        self._note.setWordWrap(True)
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
        self._moves_row = QHBoxLayout()
        self._moves_row.addWidget(self._by)
        self._moves_row.addWidget(self.moves)
        self._moves_row.addStretch(1)
        self._column.addLayout(self._moves_row)
        self._column.addWidget(self._area)
        self._column.addWidget(self._note)
        self._buttons = QHBoxLayout()
        for part in (self.accept, self.discard):
            self._buttons.addWidget(part)
        self._buttons.addStretch(1)
        self._column.addLayout(self._buttons)
        self.retheme(theme)

    # --- showing ---------------------------------------------------------------------------------

    def show_aiming(self, aiming: Aiming, frame: Frame) -> None:
        """Show a wanted value and what comes of it."""
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
        keys_here = self.accept.hasFocus() or self.discard.hasFocus()
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
        if keys_here and found != self._found:
            self.take_keys()
        self._found = found

    def take_keys(self) -> None:
        """Give the keys to what Enter would do."""
        wanted = self.discard if self.accept.isHidden() else self.accept
        wanted.setFocus(Qt.FocusReason.TabFocusReason)

    @property
    def note(self) -> str:
        """The value that is reached, or why none is."""
        return self._note.text()

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; what is shown has to be shown anew."""
        self._theme = theme
        px, palette = theme.px, theme.palette
        inside = px(_INSIDE)
        self._column.setContentsMargins(inside, px(8), inside, px(10))
        self._column.setSpacing(px(8))
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
