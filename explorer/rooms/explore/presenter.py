"""The presenter: carries out what views ask for, through the session's public methods."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.attention import Pull, Unreachable, source_of_row
from explorer.kit.base import BasePresenter
from explorer.rooms.explore.choices import edit_of, named, step_of
from explorer.session import (
    Aiming,
    Array,
    Cell,
    Centre,
    Drag,
    Frame,
    Invalid,
    Matrix,
    ResultsTab,
    Scene,
    Session,
    Space,
    blanks,
    edits,
    intents,
    presets,
    spaces_agree,
    token_edits,
)
from explorer.session.backwards import (
    Proposal,
    aim_cell,
    follow,
    pull_point,
    shuffling,
)
from explorer.session.look import MOST_STRONGEST
from explorer.session.slots import pinned_with
from explorer.text import (
    N_,
    Ambiguous,
    Message,
    NotANumber,
    Problem,
    _,
    expected_instead,
    parse_number,
)
from explorer.text.blocks import comma_columns, parse_block, parse_tokens

AskReading = Callable[[str, tuple[float, ...]], float | None]
AskColumns = Callable[[str], int | None]
Tell = Callable[[Problem], None]
WaitFor = Callable[[str, Callable[[], bool]], bool]
T = TypeVar("T")

_DRAGGED_DECIMALS = 3
_SOON, _PATIENCE = 0.1, 0.02  # s until the window goes on beside, and between two looks


def _tidy(place: ArrayLike) -> Array:
    tidy: Array = np.asarray(place, np.float64).round(_DRAGGED_DECIMALS)
    return tidy


class Presenter(BasePresenter):
    """Turns intents into session edits.

    Parameters
    ----------
    session : Session
    ask_reading : callable
        Asks which of several readings of an ambiguous number is meant; None for neither.
    tell : callable
        Shows a problem.
    copy : callable
        Puts a text on the clipboard.
    wait_for : callable, optional
        Lets the window go on until something is done; False where Cancel was pressed before.
    ask_columns : callable, optional
        Asks whether a pasted line such as 1,2 is one number or two; None for neither.
    """

    def __init__(
        self,
        session: Session,
        ask_reading: AskReading,
        tell: Tell,
        copy: Callable[[str], None],
        wait_for: WaitFor = lambda _text, _done: True,
        ask_columns: AskColumns = lambda _line: None,
    ) -> None:
        super().__init__(tell, copy)
        self._wait_for = wait_for
        self._session = session
        self._ask_reading, self._ask_columns = ask_reading, ask_columns
        self._shuffles = 0
        self._pulled: tuple[object, Pull] | None = None  # by the last move, and of what

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
                # The laboratory knows no stages; the two sides of a comparison do.
                centre = Centre.PLANE if look.centre is Centre.SQRT_D else look.centre
                session.look_at(replace(look.at_stage(stage), centre=centre))
            case intents.ChangeLook(changes):
                session.look_at(replace(look, **changes))
            case intents.ShowSpaces(spaces, added):
                if added is not None and not spaces_agree(scene, spaces):
                    spaces = frozenset(
                        s for s in spaces if spaces_agree(scene, frozenset({s, added}))
                    )
                session.look_at(replace(look, spaces=spaces))
            case intents.ShowStrongest(count):
                count = min(max(count, 1), MOST_STRONGEST)
                session.look_at(replace(look, strongest=count))
            case intents.Pin(token):
                session.look_at(replace(look, pinned=pinned_with(session.frame, token)))
            case intents.ShowHead(head):
                if head != look.head:
                    session.aim(None)  # it was about a cell of the other head
                session.look_at(replace(look, head=head, average=False))
            case intents.ShowPainting(painting):
                # What is painted has to be seen.
                tab = ResultsTab.MATRICES if painting else look.tab
                session.look_at(replace(look, painting=painting, tab=tab))
            case intents.ShowMovement(matrix, shown):
                movements = look.movements | {matrix} if shown else look.movements - {matrix}
                session.look_at(replace(look, movements=movements))
            case intents.BlankOut():
                session.look_at(blanks.blanked(look, intent))
            case intents.FillCells():
                session.look_at(blanks.filled(look, scene, intent))
            case intents.CheckBlank():
                session.look_at(blanks.checked(look))
            # numbers
            case intents.MoveToken(token, x, y, phase):
                self._move_point(intents.MovePoint(Space.X, token, x, y, phase))
            case intents.MovePoint():
                self._move_point(intent)
            case intents.AimCell():
                self._aim(intent)
            case intents.AcceptAim():
                self._accept_aim()
            case intents.DropAim():
                session.aim(None)
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
            case intents.ShuffleTokens():
                self._shuffle()
            case intents.ShowSequence(place):
                session.show_sequence(place)
            case _ if (edit := edit_of(scene, intent)) is not None:
                session.edit(*edit)
            case intents.PaintMask() | intents.SetTemperature() | intents.ShapeMatrix():
                self._step(intent)
            case _:
                raise TypeError(f"no such intent: {intent!r}")

    # --- numbers -------------------------------------------------------------------------------

    def _step(
        self, intent: intents.PaintMask | intents.SetTemperature | intents.ShapeMatrix
    ) -> None:
        """Carry out a step of a gesture that changes the scene as `choices.step_of` says."""
        session, phase = self._session, intent.phase
        if phase is intents.Phase.CANCEL:
            session.cancel_gesture()
            return
        if phase is not intents.Phase.BEGIN and not session.in_gesture:
            return  # the gesture was ended from elsewhere, by an undo for instance
        try:
            step = step_of(session.scene, intent)
        except Problem:
            session.cancel_gesture()  # no further step would mend it
            raise
        assert step is not None
        name, made = step
        if phase is intents.Phase.BEGIN:
            session.begin_gesture(name)
        if made is not session.scene:
            session.move(made)
            if isinstance(intent, intents.ShapeMatrix):
                whole = (intent.matrix, intent.head)  # has other numbers now, whatever was typed
                typed = session.frame.invalid.items()
                session.set_invalid({c: what for c, what in typed if (c.matrix, c.head) != whole})
        if phase is intents.Phase.END:
            session.finish_gesture()

    def _move_point(self, intent: intents.MovePoint) -> None:
        """Let X follow so that a point comes to the hand, or as near as X can bring it."""
        session = self._session
        space, row = intent.space, intent.row
        if intent.phase is intents.Phase.CANCEL:
            session.cancel_gesture()
            return
        if intent.phase is intents.Phase.BEGIN:
            session.begin_gesture(*_held(session.frame, space, row))
        elif not session.in_gesture:
            return  # the gesture was ended from elsewhere, by an undo for instance
        try:
            self._pull(space, row, intent.x, intent.y)
        finally:  # where X cannot go that far, the point stays where it came to
            if intent.phase is intents.Phase.END:
                self._pulled = None
                session.finish_gesture()

    def _pull(self, space: Space, row: int, x: float, y: float) -> None:
        """Bring the dragged point to (x, y) of the plane. Raises Problem."""
        session = self._session
        drag = session.frame.drag
        assert drag is not None
        target = self._target(drag, x, y)
        # From where X was at first: of two ways to the same place the least change is wanted.
        began = session.gesture_start
        before, pull = began.scene, None
        if target is drag.start:
            made, pull = before, drag.pull
        elif space is Space.X:
            made = edits.move_token(before, row, target)
        elif space is Space.P:
            made = edits.move_token(before, row, before.X[row] + (target - drag.start))
        else:
            head, turned = session.look.head, session.frame.turned
            # W stands still meanwhile, so the directions of one move are those of the next.
            of = (before, space, row, head, turned)
            like = self._pulled[1] if self._pulled is not None and self._pulled[0] == of else None
            made, pull = pull_point(
                before, began.attention, space, row, target, head, turned=turned, like=like
            )
            self._pulled = of, pull
        if made is not session.scene:
            session.move(made, replace(drag, pull=pull))

    def _target(self, drag: Drag, x: float, y: float) -> Array:
        """Return where a dragged point is to go for (x, y) of the plane: its start changed least.

        What the plane does not show of it stays, unless the point gets nowhere without.
        """
        projection = self._session.frame.projection
        start, hand, here = drag.start, _tidy((x, y)), projection.project(drag.start)
        if np.array_equal(hand, _tidy(here)):
            return start
        if projection.exact:
            return hand[: len(start)]
        if drag.pull is not None and len(drag.pull.directions) < len(start):
            return follow(drag.pull, projection, start, hand - here)
        landing: Array = start + projection.lift(hand - here)
        return landing

    def _shuffle(self) -> None:
        session = self._session
        # Another order at each press, and the same ones in every session.
        self._shuffles += 1
        frame = session.frame
        order = token_edits.shuffle_order(len(frame.scene.tokens), self._shuffles)
        made = self._apart(
            _("Shuffling the tokens"), lambda: shuffling(frame.scene, frame.attention, order)
        )
        if made is not None and session.scene is frame.scene:
            session.shuffle(Message(N_("shuffle the tokens")), made)

    def _apart(self, text: str, work: Callable[[], T]) -> T | None:
        """Return the result of work that may take long; None where Cancel was pressed.

        It has a thread of its own, so that the window goes on meanwhile.
        """
        from concurrent.futures import ThreadPoolExecutor, wait

        worker = ThreadPoolExecutor(1, "explore")
        done = worker.submit(work)
        worker.shutdown(wait=False)

        def is_done(seconds: float = _PATIENCE) -> bool:
            return bool(wait([done], seconds).done)

        if is_done(_SOON) or self._wait_for(text, is_done):
            return done.result()
        return None

    # --- wanted values ---------------------------------------------------------------------------

    def _aim(self, intent: intents.AimCell) -> None:
        frame = self._session.frame
        target = self._number(intent.text)
        find = partial(
            aim_cell,
            frame.scene,
            frame.attention,
            intent.query,
            intent.key,
            target,
            intent.moves,
            weight=intent.weight,
            head=frame.look.head,
        )
        outcome: Proposal | Message | None
        try:
            outcome = self._apart(_("Looking for the smallest change"), find)
        except Unreachable as unreachable:
            outcome = unreachable.message
        if outcome is None or self._session.scene is not frame.scene:
            return
        self._session.aim(
            Aiming(intent.query, intent.key, target, intent.weight, intent.moves, outcome)
        )

    def _accept_aim(self) -> None:
        aiming = self._session.frame.aiming
        if aiming is not None and not isinstance(aiming.outcome, Message):
            name = N_("reach a target weight") if aiming.weight else N_("reach a target score")
            self._session.edit(Message(name), aiming.outcome.scene)

    def _number(self, text: str) -> float:
        """Return a typed number, asking where it has two readings; a Problem where it is none."""
        try:
            return parse_number(text)
        except Ambiguous as ambiguous:
            meant = self._ask_reading(text, ambiguous.readings)
            if meant is None:
                raise Problem(expected_instead(ambiguous).template) from None
            return meant
        except NotANumber as wrong:
            raise Problem(expected_instead(wrong).template) from None

    def _columns(self, text: str) -> int:
        """Return how many columns a pasted text such as 1,2 means; a Problem where none."""
        meant = self._ask_columns(text.split()[0])
        if meant is None:
            raise Problem(
                N_(
                    "Nothing was pasted. Write decimal numbers with a point, as 1.2, or put "
                    "a semicolon between two columns, as 1;2."
                )
            )
        return meant

    def _value(self, cell: Cell) -> float:
        return float(
            edits.head_matrix(self._session.scene, cell.matrix, cell.head)[cell.row, cell.column]
        )

    def _type(self, cell: Cell, text: str) -> None:
        try:
            value = self._number(text)
        except Problem as problem:
            self._mark(cell, Invalid(text, problem.message))
            return
        self._set(cell, [[value]])

    def _paste(self, cell: Cell, text: str) -> None:
        context = cell.matrix is Matrix.CONTEXT
        of_tokens = context or cell.matrix is Matrix.X

        room = edits.head_matrix(self._session.scene, cell.matrix, cell.head).shape[1] - cell.column

        def read() -> tuple[tuple[str, ...], NDArray[np.float64] | None, bool]:
            if room > 1 and (columns := comma_columns(text)) is not None:
                return (), columns, True
            return *((parse_tokens(text) if of_tokens else None) or ((), parse_block(text))), False

        found = self._apart(_("Reading the pasted numbers"), read)
        if found is None:
            return
        names, block, ambiguous = found
        if ambiguous and self._columns(text) == 1:
            block = self._apart(_("Reading the pasted numbers"), lambda: parse_block(text))
            if block is None:
                return
        scene = self._session.scene
        if of_tokens:
            count = 0 if block is None else len(block)
            scene = token_edits.put_tokens(scene, cell.row, names, count, context=context)
        name = N_("paste into {matrix}")
        if block is None:
            self._session.edit(Message(name, {"matrix": str(cell.matrix)}), scene)
        else:
            at = cell._replace(column=0) if names else cell
            self._set(at, block, name=name, scene=scene)

    def _set(
        self,
        cell: Cell,
        values: object,
        *,
        name: str = N_("change {matrix}"),
        merge: object = None,
        scene: Scene | None = None,
    ) -> None:
        block = np.asarray(values, float)
        made = edits.set_cells(scene or self._session.scene, cell, block)
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


def _held(frame: Frame, space: Space, row: int) -> tuple[Message, Drag]:
    """Return the name of a drag, by the token that moves, and the drag as it begins."""
    start, result, token, pull = frame.points(space)[row], frame.attention, row, None
    if space in (Space.Q, Space.K, Space.V):
        head, rows = frame.look.head, len(frame.points(space))
        turned = frame.turned
        pull = pull_point(frame.scene, result, space, row, start, head, turned=turned)[1]
        token = source_of_row(result.variant, head, row, result.heads, rows)[1]
    name = named(N_("move {token}"), frame.scene, token, context=space in (Space.K, Space.V))
    return name, Drag(row, start, space, pull)


def _covers(cell: Cell, block: np.ndarray, other: Cell) -> bool:
    return (
        (cell.matrix, cell.head) == (other.matrix, other.head)
        and cell.row <= other.row < cell.row + block.shape[0]
        and cell.column <= other.column < cell.column + block.shape[1]
    )
