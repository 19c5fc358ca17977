"""What a table's context menu offers for filling it in by hand: all of it, a row, one number."""

from __future__ import annotations

from functools import partial

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from explorer.kit.heat.cells import CellTable
from explorer.kit.heat.sources import Place
from explorer.session import Selection, Stage
from explorer.session.intents import BlankOut
from explorer.text import _

_TABLES = frozenset(stage.value for stage in Stage) - {Stage.X.value}


def offer_blanks(table: CellTable) -> None:
    """Let a table's context menu hide the table that a cell belongs to."""
    table.offering.connect(partial(_offer, table))


def _offer(table: CellTable, menu: QMenu, place: Place | None) -> None:
    source = table.source
    if source is None or place is None:
        return
    thing: Selection = source.selection(*place)
    if thing.role.value not in _TABLES:
        return
    stage = Stage(thing.role.value)
    of_key = thing.query is None or stage in (Stage.K, Stage.V)
    row = thing.key if of_key else thing.query
    column = thing.key if stage in (Stage.S, Stage.A) else thing.column
    offers = [(_("Fill in {table} by hand"), BlankOut(stage))]
    if row is not None and (stage not in (Stage.S, Stage.A) or thing.query is not None):
        offers.append((_("Fill in this row of {table} by hand"), BlankOut(stage, row)))
        if column is not None:
            offers.append((_("Predict this number of {table}"), BlankOut(stage, row, column)))
    before = menu.actions()[0] if menu.actions() else None
    for text, intent in offers:
        action = QAction(text.format(table=stage.value), menu)
        action.triggered.connect(partial(_emit, table, intent))
        if before is None:
            menu.addAction(action)
        else:
            menu.insertAction(before, action)


def _emit(table: CellTable, intent: BlankOut, _checked: bool = False) -> None:
    table.intent.emit(intent)
