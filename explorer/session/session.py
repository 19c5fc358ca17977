"""The one mutable object: the scene on the table, how it is looked at, and its history."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from typing import Any

from explorer.session.frame import Cell, Change, Drag, Frame, Invalid
from explorer.session.history import History
from explorer.session.listeners import Listeners
from explorer.session.look import Look, Role, Selection
from explorer.session.resolve import fitting_look, resolve
from explorer.session.scene import PARAMETERS, Scene
from explorer.text import Message


class Session:
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
        self.changed = Listeners()
        self._history = History()
        self._gesture: tuple[Message, Scene] | None = None
        self._saved = scene
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
    def history(self) -> History:
        """The undo history."""
        return self._history

    @property
    def undo_name(self) -> Message | None:
        """The name of the edit, or of the gesture with changes, that `undo` takes back."""
        if self._gesture is not None and self._changing:
            return self._gesture[0]
        return self._history.undo_name

    @property
    def redo_name(self) -> Message | None:
        """The name of the edit that `redo` does again; there is none in a gesture with changes."""
        return None if self._changing else self._history.redo_name

    @property
    def original(self) -> Scene:
        """The scene as it was opened, made or last saved: what presets and Revert go back to."""
        return self._frame.original

    @property
    def in_gesture(self) -> bool:
        """Whether a gesture (a drag) is going on."""
        return self._gesture is not None

    @property
    def _changing(self) -> bool:
        """Whether a gesture goes on that changed something."""
        return self._gesture is not None and self.scene is not self._gesture[1]

    @property
    def modified(self) -> bool:
        """Whether the scene differs from the saved one."""
        return self.scene is not self._saved

    # --- the scene -----------------------------------------------------------------------------

    def open(self, scene: Scene, look: Look | None = None, *, saved: bool = True) -> None:
        """Put another scene on the table, with an empty history.

        Parameters
        ----------
        saved : bool
            Whether it stands in a file just so (a recovered scene does not).
        """
        frame = resolve(scene, fitting_look(scene, look or Look()))
        self._history = History()
        self._gesture = None
        self._saved = scene
        self._frame = frame
        if not saved:
            self._saved = scene.replace()
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
        self._gesture = (name, self.scene)
        if drag is not None:
            self._resolve(drag=drag)
        self.changed.emit(Change.PLANE)

    def move(self, scene: Scene) -> None:
        """Replace the scene within a gesture."""
        if self._gesture is None:
            raise RuntimeError("move() belongs between begin_gesture() and finish_gesture()")
        frame, changed = self._frame, self._changing
        change = self._show(scene, drag=frame.drag, invalid=frame.invalid)
        if self._changing != changed:
            change |= Change.DOCUMENT  # there is something to undo now
        self.changed.emit(change)

    def finish_gesture(self) -> None:
        """End a gesture; nothing happens where none is going on."""
        if self._gesture is None:
            return
        name, before = self._gesture
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
        before, changed = self._gesture[1], self._changing
        self._gesture = None
        change = self._show(before) | Change.PLANE
        self.changed.emit(change | Change.DOCUMENT if changed else change)

    def undo(self) -> None:
        """Go one entry back."""
        self.finish_gesture()
        if self._history.can_undo:
            self._history, scene = self._history.undo()
            self.changed.emit(self._show(scene) | Change.DOCUMENT)

    def redo(self) -> None:
        """Go one entry forward."""
        self.finish_gesture()
        if self._history.can_redo:
            self._history, scene = self._history.redo()
            self.changed.emit(self._show(scene) | Change.DOCUMENT)

    # --- looking -------------------------------------------------------------------------------

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

    def set_invalid(self, invalid: Mapping[Cell, Invalid]) -> None:
        """Replace the cells whose text is no number."""
        if invalid != self._frame.invalid:
            self._resolve(invalid=dict(invalid))
            self.changed.emit(Change.INVALID)

    # --- inside --------------------------------------------------------------------------------

    def _show(
        self,
        scene: Scene,
        drag: Drag | None = None,
        invalid: Mapping[Cell, Invalid] | None = None,
    ) -> Change:
        """Make `scene` the shown one and return what changed by it."""
        before = self._frame
        change = compare(before.scene, scene)
        look = fitting_look(scene, before.look)
        selection = _existing(before.selection, scene)
        hover = None if Change.TOKENS in change else _existing(before.hover, scene)
        if invalid is None:
            invalid = {
                cell: what
                for cell, what in before.invalid.items()
                if getattr(scene, cell.matrix) is getattr(before.scene, cell.matrix)
            }
        self._frame = resolve(
            scene, look, selection, hover, drag=drag, invalid=invalid, previous=before
        )
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


def compare(before: Scene, after: Scene) -> Change:
    """Return the kinds of data in which two scenes differ, by the identity of their parts."""
    change = Change(0)
    if before.tokens is not after.tokens and before.tokens != after.tokens:
        change |= Change.TOKENS
    if before.context is not after.context:
        change |= Change.TOKENS | Change.X
    if before.X is not after.X:
        change |= Change.X
    if any(getattr(before, name) is not getattr(after, name) for name in PARAMETERS):
        change |= Change.WEIGHTS
    if before.options is not after.options:
        change |= Change.OPTIONS
    if (before.title, before.note) != (after.title, after.note):
        change |= Change.DOCUMENT
    return change


def _existing(selection: Selection | None, scene: Scene) -> Selection | None:
    """Return `selection`, or None where what it points at is not in the scene."""
    if selection is None:
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
        case Role.WQ | Role.WK | Role.WV:
            W = getattr(scene, role)
            return (
                (0, 0) if W is None else (W.shape[-2], scene.d_v if role is Role.WV else scene.d_k)
            )
        case Role.Q | Role.K:
            return tokens, scene.d_k
        case Role.V | Role.O:
            return tokens, scene.d_v
        case _:
            return tokens, len(scene.key_tokens)
