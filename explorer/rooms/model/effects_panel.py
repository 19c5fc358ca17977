"""The effect map with what it is of, how far it is, and the largest changes."""

from __future__ import annotations

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from explorer.kit.labels import ElidedLabel, plain_line
from explorer.kit.layouts import as_panel, put, set_spacing
from explorer.kit.scrolling import ColumnArea
from explorer.kit.small_inputs import StepField, give_font
from explorer.kit.theme import Theme
from explorer.rooms.model.base import ModelView
from explorer.rooms.model.effect_map import EffectCells, LargestChanges
from explorer.rooms.model.followed import followed_row, shown_name
from explorer.session.model.frame import ModelFrame
from explorer.session.model.intents import FollowToken, FollowWord, ShowEffects, StopModel
from explorer.text import _, plain_tip


class EffectsPanel(ModelView):
    """Which word is followed, and what each head alone does to its probability."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.of, self.alone = plain_line("ink3"), ElidedLabel()
        self.word = StepField(_("Word that is followed"), arrows=False)
        self.word.setToolTip(
            plain_tip(_("A word that is one token of the model; empty follows the likeliest one"))
        )
        self.word.committed.connect(self._follow)
        self.stop = QToolButton()
        self.stop.setProperty("kind", "link")
        self.stop.clicked.connect(self._stop_or_go_on)
        self.cells, self.largest = EffectCells(theme), LargestChanges(theme)
        for part in (self.cells, self.largest):
            part.intent.connect(self.intent)
        self.setFocusProxy(self.cells)
        self._first, self._second = QHBoxLayout(), QHBoxLayout()
        put(self._first, self.of, (self.word, 1))
        put(self._second, (self.alone, 1), self.stop)
        inner = QWidget()
        inner.setProperty("panel", True)
        self._inner = put(QVBoxLayout(inner), self.cells, self.largest, None)
        self.area = ColumnArea()
        self.area.setWidget(inner)
        self._column = put(QVBoxLayout(self), self._first, self._second, (self.area, 1))
        self._stopped, self._presented = False, False
        self.retheme(theme)

    def be_presented(self) -> None:
        """Only tell: the word is a text like the others, and nothing is stopped from here."""
        self._presented = True
        as_panel(self)
        self.retheme(self.theme)

    def draw(self, frame: ModelFrame) -> None:
        """Show the effects of a frame, as far as they are known."""
        row, shown = followed_row(frame), frame.effects
        self.word.setVisible(row is not None and not self._presented)
        if row is None:
            self.of.setText(_("change of the cosine"))
        else:
            self.word.show_text(shown_name(row))
            told = _("change of p of {word}").format(word=shown_name(row))
            self.of.setText(told if self._presented else _("change of p of"))
        self._stopped = shown is not None and shown.stopped
        going = shown is None or shown.done < shown.total
        counted = "" if shown is None else f"{shown.done} / {shown.total}"
        if shown is not None and going:
            counted = _("{done} of {total} heads").format(done=shown.done, total=shown.total)
        self.alone.setText(counted if going and shown is not None else _("each head off alone"))
        self.stop.setVisible(going and frame.run is not None and not self._presented)
        self.stop.setText(_("Continue") if self._stopped else _("Stop"))
        self.cells.draw(frame)
        self.largest.draw(frame)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as much as there is room for."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Leave the largest changes out before an audience that would see only some of them."""
        if self._presented:
            needed = self.cells.height() + self._inner.spacing() + self.largest.height()
            self.largest.setVisible(needed <= self.height() - self.area.y())

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; a `draw` follows."""
        super().retheme(theme)
        px = theme.px
        for label in (self.of, self.alone, self.stop):
            label.setFont(theme.font(13))
        give_font(self.word, theme.font(13, 600))
        for part in (self.cells, self.largest):
            part.retheme(theme)
        for row in (self._first, self._second):
            set_spacing(row, px(16), 0, px(15), 0, gap=px(6))
        set_spacing(self._inner, 0, 0, 0, 0, gap=px(8))
        set_spacing(self._column, 0, px(24) if self._presented else 0, 0, 0, gap=px(4))

    def _follow(self, word: str) -> None:
        self.intent.emit(FollowWord(word) if word.strip() else FollowToken(None))

    def _stop_or_go_on(self) -> None:
        self.intent.emit(ShowEffects(True) if self._stopped else StopModel())
