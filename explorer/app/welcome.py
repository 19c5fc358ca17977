"""Three ways to begin, offered when the program starts for the first time."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from explorer.kit.framed_dialog import MARGIN, FramedDialog
from explorer.kit.labels import plain_label, show_title
from explorer.kit.layouts import put
from explorer.kit.theme import Theme
from explorer.text import _, displayable, language, languages

_WIDE, _CARD, _PAD = 720, 112, 14  # px at 100 %


class Card(QPushButton):
    """A large button with a title and a sentence."""

    def __init__(self, title: str, text: str, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(title)
        self.setAccessibleDescription(text)
        self.setAutoDefault(False)
        column = QVBoxLayout(self)
        pad = theme.px(_PAD)
        column.setContentsMargins(pad, pad, pad, pad)
        for said, size, weight, ink in ((title, 16, 600, "ink1"), (text, 14, 400, "ink2")):
            label = plain_label(ink, self)
            show_title(label, said)
            label.setFont(theme.font(size, weight))
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            column.addWidget(label)
        column.addStretch(1)


class Welcome(FramedDialog):
    """Offers a lesson, the scene behind it, and a run, and the other languages.

    Closed, or with Esc, it leaves all as it is.

    Parameters
    ----------
    begin : callable
        Opens the first lesson.
    watch : callable
        Shows the run that comes with the program.
    speak : callable
        Takes the code of another language, and offers the same in that.
    window : QWidget
    """

    def __init__(
        self,
        theme: Theme,
        begin: Callable[[], object],
        watch: Callable[[], object],
        speak: Callable[[str], object],
        window: QWidget,
    ) -> None:
        super().__init__(_("How would you like to begin?"), theme, window)
        row = QHBoxLayout()
        row.setSpacing(theme.px(10))
        self.cards: list[Card] = []
        for title, text, act in (
            (_("Lesson 1"), _("Why words must see each other, step by step"), begin),
            (_("Drag a token"), _("Move a point and see how attention changes"), None),
            (_("Watch it learn"), _("A tiny Transformer, from its first epoch on"), watch),
        ):
            card = Card(title, text, theme, self.frame)
            card.clicked.connect(lambda _on=False, act=act: self._choose(act))
            row.addWidget(card, 1)
            self.cards.append(card)
        self.column.addLayout(row)
        self.column.addLayout(self._foot(speak))
        width = min(theme.px(_WIDE), self.most_width)
        apart = row.spacing() * (len(self.cards) - 1) + 2 * theme.px(MARGIN)
        each = (width - apart) // len(self.cards) - 2  # inside the frame
        high = max(card.heightForWidth(each) for card in self.cards)
        for card in self.cards:
            card.setFixedHeight(max(high, theme.px(_CARD)))
        self.take_size(width, min(self.heightForWidth(width), self.most_height))
        self.cards[0].setFocus()

    def _foot(self, speak: Callable[[str], object]) -> QHBoxLayout:
        """Return the languages that can be chosen, and the way out."""
        self.languages = {
            code: self._quiet(name, partial(speak, code))
            for code, name in languages().items()
            if code != language()
        }
        self.close_button = self._quiet(_("Close"), None)
        return put(QHBoxLayout(), *self.languages.values(), None, self.close_button)

    def _quiet(self, text: str, act: Callable[[], object] | None) -> QPushButton:
        button = QPushButton(displayable(text), self.frame)
        button.setProperty("kind", "quiet")
        button.setFont(self.theme.font(14))
        button.setAutoDefault(False)
        button.clicked.connect(lambda _on=False: self._choose(act))
        return button

    def _choose(self, act: Callable[[], object] | None) -> None:
        self.accept()
        if act is not None:
            act()
