"""A title with a note beside it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout

from explorer.kit.labels import ElidedLabel, plain_line
from explorer.kit.layouts import put
from explorer.kit.theme import Theme


class Heading(QHBoxLayout):
    """A title, and a note in what room is left.

    Parameters
    ----------
    size : int
        Of the title, px at 100 %.
    apart : bool
        Whether the note stands at the right end.
    """

    def __init__(self, title: str, note: str = "", *, size: int = 15, apart: bool = True) -> None:
        super().__init__()
        self._size = size
        self.title, self.note = plain_line(text=title), ElidedLabel(text=note)
        if apart:
            self.note.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        put(self, self.title, (self.note, 1))

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self.title.setFont(theme.font(self._size, 600))
        self.note.setFont(theme.font(13))
