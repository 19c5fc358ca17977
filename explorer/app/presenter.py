"""The presenter: carries out what views ask for, through the session's public methods."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from explorer.session import (
    Cell,
    Drag,
    Invalid,
    Scene,
    Session,
    edits,
    intents,
    presets,
    spaces_agree,
)
from explorer.text import (
    N_,
    Ambiguous,
    Message,
    NotANumber,
    Problem,
    TooLarge,
    displayable,
    parse_number,
)
from explorer.text.blocks import parse_block

AskReading = Callable[[str, tuple[float, ...]], float | None]
Tell = Callable[[Problem], None]

_TYPE_A_NUMBER = Message(N_("Type a number, for example 0.5"))
_TYPE_LESS = Message(N_("Type a number between \u22121e50 and 1e50"))
_DRAGGED_DECIMALS = 3


class Presenter:
    """Turns intents into session edits. Holds no state of its own.

    Parameters
    ----------
    session : Session
    ask_reading : callable
        Asks which of several readings of an ambiguous number is meant; None for neither.
    tell : callable
        Shows a problem.
    copy : callable
        Puts a text on the clipboard.
    """

    def __init__(
        self,
        session: Session,
        ask_reading: AskReading,
        tell: Tell,
        copy: Callable[[str], None],
    ) -> None:
        self._session = session
        self._ask_reading = ask_reading
        self._tell = tell
        self._copy = copy

    def handle(self, intent: object) -> None:
        """Carry out one intent. A `Problem` on the way is told and nothing changes."""
        try:
            self._handle(intent)
        except Problem as problem:
            self._tell(problem)

    def _handle(self, intent: object) -> None:
        session = self._session
        scene, look = session.scene, session.look
        match intent:
            # looking
            case intents.Hover(selection):
                session.hover(selection)
            case intents.Select(selection):
                session.select(selection)
            case intents.ShowStage(stage):
                session.look_at(look.at_stage(stage))
            case intents.ShowSpaces(spaces, added):
                if added is not None and not spaces_agree(scene, spaces):
                    spaces = frozenset(
                        s for s in spaces if spaces_agree(scene, frozenset({s, added}))
                    )
                session.look_at(replace(look, spaces=spaces))
            case intents.ShowEdges(edges):
                session.look_at(replace(look, edges=edges))
            case intents.ShowScaled(scaled):
                session.look_at(replace(look, scaled=scaled))
            case intents.ShowHead(head):
                session.look_at(replace(look, head=head))
            case intents.ShowTab(tab):
                session.look_at(replace(look, tab=tab))
            case intents.ShowTorchCode(torch):
                session.look_at(replace(look, torch_code=torch))
            case intents.OpenOptions(is_open):
                session.look_at(replace(look, options_open=is_open))
            case intents.CopyText(text):
                self._copy(text)
            # numbers
            case intents.MoveToken():
                self._move_token(intent)
            case intents.TypeCell(cell, text):
                self._type(cell, text)
            case intents.RevertCell(cell):
                self._mark(cell, None)
            case intents.NudgeCell(cell, delta):
                value = self._value(cell) + delta
                # Nudges of 0.1 stay tenths: 0.1 + 0.2 is 0.3 in a cell.
                self._set(cell, [[round(value, 10)]], merge=("nudge", cell))
            case intents.PasteCells(cell, text):
                self._paste(cell, text)
            case intents.ApplyPreset(matrix, preset):
                made = presets.apply(scene, matrix, preset, original=session.original)
                name = Message(N_("fill {matrix}"), {"matrix": str(matrix)})
                session.edit(name, made)
            # tokens, shapes, options
            case intents.AddToken(after):
                session.edit(Message(N_("add a token")), edits.add_token(scene, after))
            case intents.RemoveToken(token):
                session.edit(
                    _named(N_("remove {token}"), scene, token), edits.remove_token(scene, token)
                )
            case intents.RenameToken(token, name):
                session.edit(
                    _named(N_("rename {token}"), scene, token),
                    edits.rename_token(scene, token, name),
                )
            case intents.ReorderToken(token, place):
                session.edit(
                    _named(N_("reorder {token}"), scene, token),
                    edits.reorder_token(scene, token, place),
                )
            case intents.Resize(d_model, d_k, d_v):
                made = edits.resize(scene, d_model=d_model, d_k=d_k, d_v=d_v)
                session.edit(Message(N_("change dimensions")), made)
            case intents.AddProjections():
                session.edit(Message(N_("add Wq, Wk and Wv")), edits.add_projections(scene))
            case intents.SetScale(scale):
                session.edit(Message(N_("change the scale")), edits.set_scale(scene, scale))
            case intents.SetMask(mask):
                session.edit(Message(N_("change the mask")), edits.set_mask(scene, mask))
            case _:
                raise TypeError(f"no such intent: {intent!r}")

    # --- numbers -------------------------------------------------------------------------------

    def _move_token(self, intent: intents.MoveToken) -> None:
        session = self._session
        token = intent.token
        if intent.phase is intents.Phase.CANCEL:
            session.cancel_gesture()
            return
        if intent.phase is intents.Phase.BEGIN:
            start = session.scene.X[token]
            session.begin_gesture(
                _named(N_("move {token}"), session.scene, token), Drag(token, start)
            )
        elif not session.in_gesture:
            return  # the gesture was ended from elsewhere, by an undo for instance
        row = self._landing(token, intent.x, intent.y)
        if not np.array_equal(row, session.scene.X[token]):
            session.move(edits.move_token(session.scene, token, row))
        if intent.phase is intents.Phase.END:
            session.finish_gesture()

    def _landing(self, token: int, x: float, y: float) -> np.ndarray:
        """Return the row of X whose point lies at (x, y), changed along the plane only."""
        projection = self._session.frame.projection
        row = self._session.scene.X[token]
        target = np.round((x, y), _DRAGGED_DECIMALS)
        if projection.exact:
            return target[: len(row)]
        return row + projection.lift(target - projection.project(row))

    def _value(self, cell: Cell) -> float:
        return float(
            edits.head_matrix(self._session.scene, cell.matrix, cell.head)[cell.row, cell.column]
        )

    def _type(self, cell: Cell, text: str) -> None:
        try:
            value = parse_number(text)
        except Ambiguous as ambiguous:
            meant = self._ask_reading(text, ambiguous.readings)
            if meant is None:
                self._mark(cell, Invalid(text, _TYPE_A_NUMBER))
                return
            value = meant
        except NotANumber as wrong:
            expected = _TYPE_LESS if isinstance(wrong, TooLarge) else _TYPE_A_NUMBER
            self._mark(cell, Invalid(text, expected))
            return
        self._set(cell, [[value]])

    def _paste(self, cell: Cell, text: str) -> None:
        self._set(cell, parse_block(text), name=N_("paste into {matrix}"))

    def _set(
        self,
        cell: Cell,
        values: object,
        *,
        name: str = N_("change {matrix}"),
        merge: object = None,
    ) -> None:
        block = np.asarray(values, float)
        made = edits.set_cells(self._session.scene, cell, block)
        still_invalid = {
            other: what
            for other, what in self._session.frame.invalid.items()
            if not _covers(cell, block, other)
        }
        self._session.edit(
            Message(name, {"matrix": str(cell.matrix)}), made, merge, invalid=still_invalid
        )

    def _mark(self, cell: Cell, invalid: Invalid | None) -> None:
        cells = dict(self._session.frame.invalid)
        cells.pop(cell, None)
        if invalid is not None:
            cells[cell] = invalid
        self._session.set_invalid(cells)


def _covers(cell: Cell, block: np.ndarray, other: Cell) -> bool:
    return (
        (cell.matrix, cell.head) == (other.matrix, other.head)
        and cell.row <= other.row < cell.row + block.shape[0]
        and cell.column <= other.column < cell.column + block.shape[1]
    )


def _named(template: str, scene: Scene, token: int) -> Message:
    return Message(template, {"token": displayable(scene.tokens[token], 24)})
