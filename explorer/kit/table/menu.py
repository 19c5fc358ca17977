"""What the menus of an editable table offer."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QMenu

from explorer.kit.copying import Emit
from explorer.session import Matrix
from explorer.session.intents import AddToken, ApplyPreset, RemoveToken, ReorderToken
from explorer.session.presets import PRESET_LABELS
from explorer.text import _


def add_presets(menu: QMenu, matrix: Matrix, emit: Emit) -> None:
    """Add the presets of a matrix to a menu."""
    for preset, label in PRESET_LABELS.items():
        intent = ApplyPreset(matrix, preset)
        menu.addAction(_(label)).triggered.connect(partial(_emit, emit, intent))


def add_token_actions(
    menu: QMenu, row: int, rows: int, context: bool, emit: Emit, *, rename: Callable[[], object]
) -> None:
    """Add what can be done with the token of a row.

    Parameters
    ----------
    rows : int
        How many tokens there are.
    context : bool
        Whether they are those of the context.
    rename : callable
        Opens the editor on the token's name.
    """
    last = rows - 1
    menu.addAction(_("Add token below"), lambda: emit(AddToken(row, context)))
    menu.addAction(_("Rename"), rename)
    up = menu.addAction(_("Move up"), lambda: emit(ReorderToken(row, row - 1, context)))
    up.setEnabled(row > 0)
    down = menu.addAction(_("Move down"), lambda: emit(ReorderToken(row, row + 1, context)))
    down.setEnabled(row < last)
    remove = menu.addAction(_("Remove"), lambda: emit(RemoveToken(row, context)))
    remove.setEnabled(last > 0)


def _emit(emit: Emit, intent: object, _checked: bool = False) -> None:
    emit(intent)
