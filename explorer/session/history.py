"""Undo and redo: a value that holds what was there before and after each edit."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Generic, Protocol, TypeVar

from numpy.typing import NDArray

from explorer.text import Message

MOST_STEPS = 500
MOST_BYTES = 256 * 10**6


class Edited(Protocol):
    """What is edited: an immutable value."""

    @property
    def arrays(self) -> Iterable[NDArray[Any]]:
        """The arrays that it holds."""


T = TypeVar("T", bound=Edited)


@dataclass(frozen=True, eq=False)
class Entry(Generic[T]):
    """One edit that can be undone.

    Parameters
    ----------
    name : Message
        What was done: "move cat".
    before, after : T
    merge : hashable or None
        Entries in a row with the same key (nudges of one cell) are one.
    """

    name: Message
    before: T
    after: T
    merge: Hashable | None = None


@dataclass(frozen=True, eq=False)
class History(Generic[T]):
    """The edits so far, and those undone.

    Parameters
    ----------
    done : tuple of Entry
        The last one is undone next.
    undone : tuple of Entry
        The last one is redone next.
    held : int
        No fewer bytes than the arrays of all entries take; counted exactly where it matters.
    """

    done: tuple[Entry[T], ...] = ()
    undone: tuple[Entry[T], ...] = ()
    held: int = 0

    @property
    def can_undo(self) -> bool:
        """Whether there is an edit to undo."""
        return bool(self.done)

    @property
    def can_redo(self) -> bool:
        """Whether there is an edit to redo."""
        return bool(self.undone)

    @property
    def undo_name(self) -> Message | None:
        """The name of the edit that `undo` takes back."""
        return self.done[-1].name if self.done else None

    @property
    def redo_name(self) -> Message | None:
        """The name of the edit that `redo` does again."""
        return self.undone[-1].name if self.undone else None

    def push(self, name: Message, before: T, after: T, merge: Hashable | None = None) -> History[T]:
        """Return the history with an edit more; what was undone cannot be redone any longer.

        With a `merge` key the edit joins the last one of the same key. The oldest edits go where
        there are more than 500, or where their arrays, each counted once, exceed 256 MB.
        """
        done = self.done
        if merge is not None and done and not self.undone and done[-1].merge == merge:
            done = (*done[:-1], replace(done[-1], after=after))
        else:
            done = (*done, Entry(name, before, after, merge))
        done = done[-MOST_STEPS:]
        held = self.held + sum(a.nbytes for value in (before, after) for a in value.arrays)
        if held > MOST_BYTES:
            done, held = _within_bytes(done)
        return History(done, held=held)

    def sealed(self) -> History[T]:
        """Return the history with a last edit that no further one joins: the value was saved."""
        if not self.done:
            return self
        return replace(self, done=(*self.done[:-1], replace(self.done[-1], merge=None)))

    def undo(self) -> tuple[History[T], T]:
        """Return the history with one edit undone, and the value before it."""
        entry = self.done[-1]
        return replace(self, done=self.done[:-1], undone=(*self.undone, entry)), entry.before

    def redo(self) -> tuple[History[T], T]:
        """Return the history with one edit done again, and the value after it."""
        entry = self.undone[-1]
        return replace(self, done=(*self.done, entry), undone=self.undone[:-1]), entry.after


class Undoable(ABC, Generic[T]):
    """What has a history: a session whose edits can be undone."""

    def __init__(self) -> None:
        self._history: History[T] = History()

    @property
    def undo_name(self) -> Message | None:
        """The name of the edit that `undo` takes back; None where there is none."""
        return self._history.undo_name

    @property
    def redo_name(self) -> Message | None:
        """The name of the edit that `redo` does again; None where there is none."""
        return self._history.redo_name

    def undo(self) -> None:
        """Take the last edit back, where there is one."""
        if self._history.can_undo:
            self._turn(*self._history.undo())

    def redo(self) -> None:
        """Do again what was taken back last, where there is something."""
        if self._history.can_redo:
            self._turn(*self._history.redo())

    @abstractmethod
    def _turn(self, history: History[T], value: T) -> None:
        """Show a value, with the history that belongs to it, and tell what changed."""


def _within_bytes(entries: tuple[Entry[T], ...]) -> tuple[tuple[Entry[T], ...], int]:
    """Return as many of the newest entries as the limit allows, at least one, and their bytes."""
    seen: set[int] = set()
    held = kept = 0
    for entry in reversed(entries):
        more = 0
        for value in (entry.after, entry.before):
            for array in value.arrays:
                if id(array) not in seen:
                    seen.add(id(array))
                    more += array.nbytes
        if kept and held + more > MOST_BYTES:
            break
        held += more
        kept += 1
    return entries[-kept:], held
