"""The text that a question about a model is of, large, while what the model says is hidden."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QWidget

from explorer.kit.base import why_hidden
from explorer.kit.pieces import numbered
from explorer.rooms.present.sizes import LEAST, Sizes
from explorer.rooms.present.wording import paragraph
from explorer.session import Look
from explorer.session.model.frame import ModelFrame
from explorer.text import html_escaped

_LARGEST, _BESIDE = 52, 48  # px of the drawn page: the text, and what is free around it
_SMALLER = 0.9  # the next smaller type, where one has no room


class AskedText(QLabel):
    """Shows the words with the places of those that stand there twice, as large as has room."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._sizes, self._words = Sizes(), ""

    def show_text(self, frame: ModelFrame, sizes: Sizes) -> None:
        """Show the words of a frame's run, and that the rest is hidden."""
        pieces = () if frame.run is None else frame.run.pieces
        text = "" if frame.run is None else frame.run.text or ""
        words, end = "", 0
        for place, piece in enumerate(pieces):
            if not piece.special:
                name, number = map(html_escaped, numbered(pieces, place))
                ink = sizes.theme.palette.ink3
                beside = f'<sub style="color:{ink}">{number}</sub>' if number else ""
                words += (" " if text[end : piece.end][:1].isspace() else "") + name + beside
                end = piece.end
        self._sizes, self._words = sizes, words
        edge = sizes.px(_BESIDE)
        self.setContentsMargins(edge, edge, edge, edge)
        self.setFont(sizes.font(LEAST))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take the size that has room now."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        said = html_escaped(str(why_hidden(Look(veiled=True))))
        said = f'<span style="color:{self._sizes.theme.palette.ink3}">{said}</span>'
        size, least = self._sizes.text(_LARGEST), self._sizes.text(LEAST)
        while True:
            words = f'<span style="font-size:{size}px">{self._words}</span>'
            self.setText(paragraph(words) + paragraph(said))
            if size == least or self.heightForWidth(self.width()) <= self.height():
                break
            size = max(least, int(size * _SMALLER))
