"""Typing into a cell of S or A what it is wanted to be."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QMenu

from explorer.kit.heat.cells import CellTable, put_first
from explorer.kit.heat.editor import CellEditor, Pair
from explorer.kit.heat.sources import HeatSource, Place
from explorer.kit.heat.wording import scaling_label
from explorer.kit.theme import Theme
from explorer.session import Frame, Matrix, Role
from explorer.session.intents import AimCell
from explorer.text import (
    N_,
    Ambiguous,
    Message,
    NotANumber,
    _,
    displayable,
    expected_instead,
    parse_number,
    plain_tip,
)

_SCALED = Message(
    N_("Scaled scores follow from QKᵀ: switch to QKᵀ above, and type the wanted score there.")
)
_AVERAGED = Message(
    N_("This is the mean of all heads: choose one head above to say what its weight should be.")
)
_MASKED = Message(N_("This key is masked for the query: its weight stays 0."))


def refusal(frame: Frame, role: Role, query: int, key: int) -> Message | None:
    """Return why no value can be asked of a cell; None where one can."""
    if role is Role.S:
        # Without a scale, a temperature and a mask the scaled scores are the raw ones.
        return _SCALED if frame.look.scaled and scaling_label(frame) is not None else None
    if frame.averaged:
        return _AVERAGED
    return _MASKED if frame.masked(query, key) else None


class TargetEditor(CellEditor):
    """Types into a cell what it is wanted to be; the context menu offers it as well.

    Enter asks for the change that gives the cell this value. A text that is no number stays,
    marked, and `said` tells what is expected; it also tells why a cell can be asked nothing.
    """

    said = Signal(object, object)  # a Message, or None for nothing any more; its query and key
    asked = Signal()  # before a wanted value is handed on

    def __init__(self, table: CellTable) -> None:
        super().__init__(table)
        table.offering.connect(self._offer)

    def close(self) -> None:
        """Close the editor, whatever stands in it."""
        was_open = self.line is not None
        super().close()
        if was_open:
            self.said.emit(None, None)

    def _offer(self, menu: QMenu, place: Place | None) -> None:
        if self.source is None or place is None or None in place:
            return
        action = QAction(_("Make this…"), menu)
        action.triggered.connect(lambda: self.open(place))
        put_first(menu, action)

    def may_open(self, source: HeatSource, pair: Pair) -> bool:
        reason = refusal(source.frame, source.role, *pair)
        self.said.emit(reason, pair)
        return reason is None

    def name_of(self, source: HeatSource, pair: Pair) -> str:
        return _("Wanted value of {table}, {pair}").format(
            table=source.role.value, pair=source.pair(*pair)
        )

    def key_pressed(self, event: QKeyEvent) -> bool:
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return False
        self._ask()
        return True

    def _ask(self) -> None:
        source, line, pair = self.source, self.line, self._pair
        if source is None or line is None or pair is None:
            return
        text = line.text()
        try:
            parse_number(text)
        except Ambiguous:
            pass  # the person is asked which of its readings is meant
        except NotANumber as wrong:
            self._refuse(source.theme, expected_instead(wrong))
            return
        aiming = source.frame.aiming
        moves = Matrix.X if aiming is None else aiming.moves
        weight = source.role is Role.A
        self.close()
        self.asked.emit()
        self.intent.emit(AimCell(*pair, text, weight, moves))

    def _refuse(self, theme: Theme, message: Message) -> None:
        assert self.line is not None
        self.dress(theme, wrong=True)
        self.line.setToolTip(plain_tip(str(message)))
        self.line.setAccessibleDescription(displayable(str(message)))
        self.line.selectAll()
        self.said.emit(message, self._pair)

    def changed(self) -> None:
        source = self.source
        if source is not None:
            self.dress(source.theme, wrong=False)
            self.said.emit(None, None)
