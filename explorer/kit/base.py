"""What every view is: it draws frames and emits intents, which a presenter carries out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from enum import Flag
from pkgutil import resolve_name
from typing import Any, ClassVar, Generic, TypeVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from explorer.kit.theme import Theme
from explorer.session import Change, Frame, Look
from explorer.session.intents import CopyText
from explorer.session.views import Centre, ModelCentre, TrainCentre
from explorer.text import N_, Message, Problem

F = TypeVar("F")  # the kind of frame

# Of what stands in the middle, px: a window of 1024 has so much between a lesson and the results.
LEAST_MIDDLE = (430, 400)


class FrameView(QWidget, Generic[F]):
    """Base of the views.

    A subclass names in `concerns` the kinds of change it draws, overrides `draw` (and `retheme`
    where it holds colours or sizes) and emits values from `explorer.session.intents` through
    `intent`. `draw` never emits.
    """

    intent = Signal(object)
    height_wanted = Signal(int)  # px in which nothing of it would have to be scrolled
    concerns: ClassVar[Flag]

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme

    def draw(self, frame: F) -> None:
        """Show the frame. Called only while visible and only when something of concern changed."""
        raise NotImplementedError

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; a `draw` follows."""
        self.theme = theme

    def viewport(self) -> QWidget:
        """Return the widget that takes the mouse and the keys."""
        return self

    def be_presented(self) -> None:
        """Leave out what only somebody at the computer needs: for an audience."""

    def is_narrow(self) -> bool:
        """Return whether something that an audience should see is left out for want of width."""
        return False

    def turn_over(self, over: bool) -> None:
        """Show the other half of what does not fit at once before an audience, or the first."""

    def stand_beside(self, beside: bool) -> None:
        """Where it is the view below a page: stand high and narrow beside a lesson, or below."""

    def printed(self) -> QWidget:
        """Return the part that a handout shows."""
        return self

    def set_motion(self, wanted: bool) -> None:
        """Let things move by themselves, or be there at once."""


def made_view(
    centre: Centre | TrainCentre | ModelCentre, theme: Theme, parent: QWidget
) -> FrameView[Any]:
    """Return a new view of those that take turns in the middle; its module is loaded by now."""
    view: FrameView[Any] = resolve_name(centre.spec.factory)(theme, parent)
    return view


def only_numbers_differ(before: Frame | None, after: Frame) -> bool:
    """Return whether two frames are of one drag and look: shapes, names and options are alike."""
    return (
        before is not None
        and before.drag is not None
        and after.drag is not None
        and before.drag.start is after.drag.start
        and before.look == after.look
    )


def only_selection_differs(before: Frame | None, after: Frame) -> bool:
    """Return whether another thing is selected and nothing else happened, as between two clicks."""
    return (
        before is not None
        and before.selection != after.selection
        and before.scene is after.scene
        and before.look == after.look
        and before.drag is None
        and after.drag is None
    )


class View(FrameView[Frame]):
    """A view of a scene."""

    concerns: ClassVar[Flag] = Change.ALL


def why_hidden(look: Look) -> Message:
    """Return why numbers are hidden, of a look that hides some."""
    if look.veiled:
        return Message(N_("Hidden until you have answered"))
    if look.blank is None:
        return Message(N_("Hidden: a later page asks for it"))
    return Message(
        N_("Hidden while {table} is filled in by hand"), {"table": look.blank.table.value}
    )


class BasePresenter(ABC):
    """Carries out what a room's views ask for.

    Parameters
    ----------
    tell : callable
        Shows a problem.
    copy : callable
        Puts a text on the clipboard.
    """

    def __init__(self, tell: Callable[[Problem], None], copy: Callable[[str], None]) -> None:
        self._tell, self._copy = tell, copy

    def handle(self, intent: object) -> None:
        """Carry out one intent. A `Problem` on the way is told and nothing changes."""
        try:
            if isinstance(intent, CopyText):
                self._copy(intent.text)
            else:
                self._handle(intent)
        except Problem as problem:
            self._tell(problem)

    @abstractmethod
    def _handle(self, intent: object) -> None:
        """Carry out an intent of the room. Raises Problem; TypeError where there is no such."""
