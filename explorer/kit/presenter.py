"""What the presenters of all rooms have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from explorer.session.intents import CopyText
from explorer.text import Problem


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
