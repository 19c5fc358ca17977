"""The one mutable object: the scene that is open, its view, and its undo history."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from typing import Any

from explorer.attention import Attention
from explorer.session.backwards import Shuffling
from explorer.session.frame import Aiming, Cell, Change, Drag, Frame, Invalid
from explorer.session.history import History, Undoable
from explorer.session.listeners import Listeners
from explorer.session.look import Look, Role, Selection, Stage
from explorer.session.resolve import fitting_look, resolve, table_shape
from explorer.session.scene import (
    PARAMETERS,
    Matrix,
    Scene,
    at_sequence,
    position_rows,
    same_content,
)
from explorer.session.slots import pinned_by
from explorer.session.view_memory import ViewMemory
from explorer.text import Message


class Session(Undoable[Scene]):
    """What the user is doing, and the only place where it changes.

    Every method that changes something emits `changed` once, with the kinds of data that changed.
    Whatever can fail is worked out before anything is replaced: after an exception the session is
    as before.

    Parameters
    ----------
    scene : Scene
        The first scene on the table.
    """

    def __init__(self, scene: Scene) -> None:
        super().__init__()
        self.changed = Listeners()
        self._gesture: tuple[Message, Frame] | None = None
        self._saved = scene
        self._seen = ViewMemory()
        self._frame = resolve(scene)

    # --- reading -------------------------------------------------------------------------------

    @property
    def frame(self) -> Frame:
        """What is shown now."""
        return self._frame

    @property
    def scene(self) -> Scene:
        """The scene on the table."""
        return self._frame.scene

    @property
    def look(self) -> Look:
        """How it is looked at."""
        return self._frame.look

    @property
    def selection(self) -> Selection | None:
        """The selected thing."""
        return self._frame.selection

    @property
    def history(self) -> History[Scene]:
        """The undo history."""
        return self._history

    @property
    def undo_name(self) -> Message | None:
        """The name of the edit, or of the gesture with changes, that `undo` takes back."""
        if self._gesture is not None and self._changing:
            return self._gesture[0]
        return super().undo_name

    @property
    def redo_name(self) -> Message | None:
        """The name of the edit that `redo` does again; there is none in a gesture with changes."""
        return None if self._changing else super().redo_name

    @property
    def original(self) -> Scene:
        """The scene as it was opened, made or last saved: what presets and Revert go back to."""
        return self._frame.original

    @property
    def in_gesture(self) -> bool:
        """Whether a gesture (a drag) is going on."""
        return self._gesture is not None

    @property
    def gesture_start(self) -> Frame:
        """The frame as it was when the gesture began; outside of one, as it is."""
        return self._frame if self._gesture is None else self._gesture[1]

    @property
    def _changing(self) -> bool:
        """Whether a gesture goes on that changed something."""
        return self.scene is not self.gesture_start.scene

    @property
    def modified(self) -> bool:
        """Whether the scene differs from the saved one, whichever sequence is shown."""
        return not same_content(self.scene, self._saved)

    # --- the scene -----------------------------------------------------------------------------

    def open(
        self,
        scene: Scene,
        look: Look | None = None,
        *,
        selection: Selection | None = None,
        saved: bool = True,
    ) -> None:
        """Put another scene on the table, with an empty history.

        Parameters
        ----------
        saved : bool
            Whether it stands in a file just so (a recovered scene does not).
        """
        chosen = _existing(selection, scene)
        frame = resolve(scene, fitting_look(scene, look or Look()), chosen)
        self._history = History()
        self._seen = ViewMemory()
        self._gesture = None
        self._saved = scene
        self._frame = frame
        if not saved:
            self._saved = scene.replace(tokens=(*scene.tokens, ""))  # no scene is this one
        self.changed.emit(Change.ALL)

    def mark_saved(self, scene: Scene) -> None:
        """Take note that `scene` is what the file holds."""
        change = Change.DOCUMENT
        if scene is not self.original:
            self._frame = replace(self._frame, original=scene)
            change |= Change.ORIGINAL
        self._saved = scene
        self._history = self._history.sealed()
        self.changed.emit(change)

    def edit(
        self,
        name: Message,
        scene: Scene,
        merge: Hashable | None = None,
        invalid: Mapping[Cell, Invalid] | None = None,
    ) -> None:
        """Replace the scene as one undo entry.

        Parameters
        ----------
        name : Message
            What was done: "move cat".
        merge : hashable, optional
            Entries in a row with the same key become one.
        invalid : mapping, optional
            The cells that stay invalid; by default those of the arrays that are left as they are.
        """
        self.finish_gesture()
        before = self.scene
        if scene is before:
            if invalid is not None:
                self.set_invalid(invalid)
            return
        change = self._show(scene, invalid=invalid)
        self._history = self._history.push(name, before, scene, merge)
        self.changed.emit(change | Change.DOCUMENT)

    def begin_gesture(self, name: Message, drag: Drag | None = None) -> None:
        """Start a gesture: what follows, up to its end, is one undo entry."""
        self.finish_gesture()
        self._gesture = (name, self._frame)
        if drag is not None:
            self._resolve(drag=drag)
        self._frame = replace(self._frame, gesture=True)
        self.changed.emit(Change.PLANE)

    def move(self, scene: Scene, drag: Drag | None = None) -> None:
        """Replace the scene within a gesture; and what is being dragged, where that is given."""
        if self._gesture is None:
            raise RuntimeError("move() belongs between begin_gesture() and finish_gesture()")
        frame, changed = self._frame, self._changing
        change = self._show(scene, drag=drag or frame.drag, invalid=frame.invalid)
        if self._changing != changed:
            change |= Change.DOCUMENT  # there is something to undo now
        self.changed.emit(change)

    def finish_gesture(self) -> None:
        """End a gesture; nothing happens where none is going on."""
        if self._gesture is None:
            return
        name, before = self._gesture[0], self._gesture[1].scene
        self._gesture = None
        self._resolve(drag=None)
        change = Change.PLANE
        if self.scene is not before:
            self._history = self._history.push(name, before, self.scene)
            change |= Change.DOCUMENT
        self.changed.emit(change)

    def cancel_gesture(self) -> None:
        """End a gesture as if it had not been."""
        if self._gesture is None:
            return
        before, changed = self._gesture[1].scene, self._changing
        self._gesture = None
        change = self._show(before) | Change.PLANE
        self.changed.emit(change | Change.DOCUMENT if changed else change)

    def undo(self) -> None:
        """Go one entry back; a gesture ends first."""
        self.finish_gesture()
        super().undo()

    def redo(self) -> None:
        """Go one entry forward; a gesture ends first."""
        self.finish_gesture()
        super().redo()

    def shuffle(self, name: Message, made: Shuffling) -> None:
        """Put the tokens into another order, and say what that does to the outputs."""
        self.finish_gesture()
        before, slots, shuffled = self.scene, self._frame.slots, made.shuffled
        scene = made.scene
        change = Change.NOTES | self._show(scene, attention=made.attention)
        if slots:  # of tokens that are alike the order alone tells which is which
            rest = slots[len(shuffled.order) :]
            slots = (*(slots[place] for place in shuffled.order), *rest)
        self._resolve(shuffled=shuffled, slots=slots)
        if scene is not before:
            self._history = self._history.push(name, before, scene)
            change |= Change.DOCUMENT
        self.changed.emit(change)

    def show_sequence(self, place: int) -> None:
        """Show another of the scene's sequences; that is no edit and cannot be undone."""
        self.finish_gesture()
        scene = at_sequence(self.scene, place)
        if scene is not self.scene:
            self.changed.emit(self._show(scene))

    def aside(self) -> Callable[[], None]:
        """Return what brings all back as it is now: scene, look, selection, history.

        A gesture ends first. For what is shown only for a while.
        """
        self.finish_gesture()
        frame, history, saved = self._frame, self._history, self._saved

        def back() -> None:
            self._gesture = None
            self._frame, self._history, self._saved = frame, history, saved
            self.changed.emit(Change.ALL)

        return back

    # --- looking -------------------------------------------------------------------------------

    def aim(self, aiming: Aiming | None) -> None:
        """Show what would give a cell a wanted value, or nothing any more."""
        if aiming is not self._frame.aiming:
            self._resolve(aiming=aiming)
            self.changed.emit(Change.NOTES)

    def look_at(self, look: Look) -> None:
        """Change how the scene is looked at."""
        before, look = self.look, fitting_look(self.scene, look)
        if look == before:
            return
        self._resolve(look=look)
        same_pages = look.with_pages_of(before)
        change = Change(0)
        if same_pages != before:
            change |= Change.LOOK | Change.PLANE
        if same_pages != look:
            change |= Change.PAGES
        self.changed.emit(change)

    def select(self, selection: Selection | None) -> None:
        """Select a thing, or nothing."""
        if selection != self.selection:
            self._resolve(selection=_existing(selection, self.scene))
            self.changed.emit(Change.SELECTION)

    def hover(self, selection: Selection | None) -> None:
        """Point at a thing, or at nothing any more."""
        if selection != self._frame.hover:
            self._resolve(hover=_existing(selection, self.scene))
            self.changed.emit(Change.HOVER)

    def colour(self, slots: tuple[int, ...]) -> None:
        """Give each token a colour, as of `Frame.slots`; a later one takes a free one."""
        if slots != self._frame.slots:
            self._resolve(slots=slots)
            self.changed.emit(Change.LOOK | Change.PLANE)

    def set_invalid(self, invalid: Mapping[Cell, Invalid]) -> None:
        """Replace the cells whose text is no number."""
        if invalid != self._frame.invalid:
            self._resolve(invalid=dict(invalid))
            self.changed.emit(Change.INVALID)

    # --- inside --------------------------------------------------------------------------------

    def _turn(self, history: History[Scene], value: Scene) -> None:
        self._history = history
        self.changed.emit(self._show(value) | Change.DOCUMENT)

    def _show(
        self,
        scene: Scene,
        drag: Drag | None = None,
        invalid: Mapping[Cell, Invalid] | None = None,
        attention: Attention | None = None,
    ) -> Change:
        """Make `scene` the shown one and return what changed by it.

        attention : of the scene, where it is known already
        """
        before = self._frame
        change = compare(before.scene, scene)
        look = fitting_look(scene, before.look)
        selection = _existing(before.selection, scene)
        hover = None if Change.TOKENS in change else _existing(before.hover, scene)
        if invalid is None:
            invalid = {
                cell: what
                for cell, what in before.invalid.items()
                if scene.array(cell.matrix) is before.scene.array(cell.matrix)
            }
        self._seen.keep(before)
        frame = resolve(
            scene,
            look,
            selection,
            hover,
            drag=drag,
            invalid=invalid,
            previous=before,
            attention=attention,
        )
        self._frame = frame if drag is not None else self._seen.again(frame)
        if self.in_gesture:
            self._frame = replace(self._frame, gesture=True)
        if look.pinned and Change.TOKENS in change:  # the same tokens, which have other places now
            look = replace(look, pinned=pinned_by(self._frame.slots))
            self._frame = replace(self._frame, look=look)
        if look != before.look:
            change |= Change.LOOK
        if selection != before.selection:
            change |= Change.SELECTION
        if hover != before.hover:
            change |= Change.HOVER
        if invalid != before.invalid:
            change |= Change.INVALID
        if self._frame.projection is not before.projection:
            change |= Change.PLANE
        if before.aiming is not None or before.shuffled is not None:
            change |= Change.NOTES
        return change

    def _resolve(self, **changes: Any) -> None:
        """Replace parts of the frame that leave the scene as it is."""
        before = self._frame
        if not changes.keys() & {"look", "drag"}:
            self._frame = replace(before, **changes)
            return
        self._frame = resolve(
            before.scene,
            changes.get("look", before.look),
            before.selection,
            before.hover,
            drag=changes.get("drag", before.drag),
            invalid=before.invalid,
            previous=before,
        )
        self._frame = replace(
            self._frame, aiming=before.aiming, shuffled=before.shuffled, gesture=self.in_gesture
        )


def compare(before: Scene, after: Scene) -> Change:
    """Return the kinds of data in which two scenes differ, by the identity of their parts."""
    change = Change(0)
    if before.tokens is not after.tokens and before.tokens != after.tokens:
        change |= Change.TOKENS
    if before.others is not after.others or before.context is not after.context:
        change |= Change.TOKENS | Change.X
    if before.X is not after.X:
        change |= Change.X
    if any(getattr(before, name) is not getattr(after, name) for name in (*PARAMETERS, "V")):
        change |= Change.WEIGHTS
    if before.options is not after.options:
        change |= Change.OPTIONS
    if (before.title, before.note) != (after.title, after.note):
        change |= Change.DOCUMENT
    return change


def _existing(selection: Selection | None, scene: Scene) -> Selection | None:
    """Return `selection`, or None where what it points at is not in the scene."""
    if selection is None or (selection.role is Role.CONTEXT and scene.context is None):
        return None
    rows, columns = _extent(selection.role, scene)
    inside = (
        _within(selection.query, rows)
        and _within(selection.key, len(scene.key_tokens))
        and _within(selection.column, columns)
    )
    return selection if inside else None


def _within(place: int | None, length: int) -> bool:
    return place is None or 0 <= place < length


def _extent(role: Role, scene: Scene) -> tuple[int, int]:
    """Return how many rows and columns the table of a role has."""
    tokens = len(scene.tokens)
    match role:
        case Role.X:
            return tokens, scene.d_model
        case Role.P:
            return (0, 0) if position_rows(scene) is None else (tokens, scene.d_model)
        case Role.WQ | Role.WK | Role.WV:
            W = getattr(scene, role)
            return (
                (0, 0) if W is None else (W.shape[-2], scene.d_v if role is Role.WV else scene.d_k)
            )
        case Role.Q | Role.K:
            return tokens, scene.d_k
        case Role.V | Role.O:
            return tokens, scene.d_v
        case Role.R:
            return (0, 0) if scene.options.rotary is None else table_shape(scene, Stage.R)
        case Role.C:
            return (0, 0) if scene.heads == 1 else (tokens, scene.heads * scene.d_v)
        case Role.Y:
            return (0, 0) if scene.Wo is None else (tokens, scene.Wo.shape[1])
        case Role.BQ | Role.BK | Role.BV:
            bias = scene.per_head(role)
            return (0, 0) if bias is None else (1, bias.shape[1])
        case Role.WO | Role.BO:
            values = scene.array(Matrix(role.value))
            return (0, 0) if values is None else (values.size // values.shape[-1], values.shape[-1])
        case Role.CONTEXT | Role.POSITION:
            values = scene.array(Matrix(role.value))
            return (0, 0) if values is None else (tokens, values.shape[1])
        case _:
            return tokens, len(scene.key_tokens)
