"""One station of the chain."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from explorer.session import Space, Stage
from explorer.text import N_, _, html_escaped
from explorer.views.canvas.text import word
from explorer.views.markers import marker_path
from explorer.views.theme import Theme

_PAD, _WORD_GAP, _MARKER = 12, 8, 14  # px at 100 %
_LETTER, _WORD, _SHAPE = (15.0, 700), (14.0, 400), (13.0, 400)
WORDS = {
    Stage.X: N_("tokens"),
    Stage.Q: N_("query"),
    Stage.K: N_("key"),
    Stage.V: N_("value"),
    Stage.S: N_("scores"),
    Stage.A: N_("attention"),
    Stage.O: N_("output"),
}
_MARKERS = {Stage(space.value): space for space in Space}


@dataclass(frozen=True)
class Detail:
    """How much a chip says besides its letter."""

    word: bool
    shape: bool
    marker: bool


DETAILS = (
    Detail(word=True, shape=True, marker=True),
    Detail(word=False, shape=True, marker=True),
    Detail(word=False, shape=False, marker=True),
    Detail(word=False, shape=False, marker=False),
)


class StageChip(QAbstractButton):
    """One station: its marker, letter, word and shape.

    Parameters
    ----------
    stage : Stage
    """

    def __init__(self, stage: Stage, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.stage = stage
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._theme = theme
        self._shape = (1, 1)
        self._is_input = False
        self._detail = DETAILS[0]

    def show_state(self, shape: tuple[int, int], *, active: bool, is_input: bool) -> None:
        """Show the shape of the stage's array, and whether it is the active one or its input."""
        self._shape, self._is_input = shape, is_input
        self.setChecked(active)
        name = _("{letter}, {word}, {rows} by {columns}").format(
            letter=self.stage, word=_(WORDS[self.stage]), rows=shape[0], columns=shape[1]
        )
        key = list(Stage).index(self.stage) + 1
        self.setToolTip(html_escaped(_("{name} (key {key})").format(name=name, key=key)))
        self.setAccessibleName(_("{name}, selected").format(name=name) if active else name)
        self.update()

    def show_detail(self, theme: Theme, detail: Detail) -> None:
        """Take a theme, and how much to say."""
        self._theme, self._detail = theme, detail
        self.update()

    def width_for(self, theme: Theme, detail: Detail) -> int:
        """Return the width it needs to say so much."""
        px = theme.px
        width = 2 * px(_PAD)
        if detail.marker and self.stage in _MARKERS:
            width += px(_MARKER) + px(_WORD_GAP)
        texts = self._texts(detail)
        width += px(_WORD_GAP) * (len(texts) - 1)
        return width + sum(round(word(theme, text, *style).width) for text, style, _ink in texts)

    def _texts(self, detail: Detail) -> list[tuple[str, tuple[float, int], str]]:
        texts = [(str(self.stage), _LETTER, "ink1")]
        if detail.word:
            texts.append((_(WORDS[self.stage]), _WORD, "ink2"))
        if detail.shape:
            texts.append((f"[{self._shape[0]},{self._shape[1]}]", _SHAPE, "ink3"))
        return texts

    def nextCheckState(self) -> None:
        """Leave the state alone: it is said by the frame."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Press on Space or Enter; the chain does the rest."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        elif event.key() == Qt.Key.Key_Space:
            super().keyPressEvent(event)
        else:
            event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the chip."""
        theme, px = self._theme, self._theme.px
        active = self.isChecked()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        outlined = (self._is_input or self.hasFocus()) and not active
        width = 2.0 if outlined else 1.0
        edge = "ink1" if outlined or active else "ctl" if self.underMouse() else "line2"
        fill = "ink1" if active else "hover" if self.underMouse() else "raised"
        painter.setPen(QPen(theme.color(edge), width))
        painter.setBrush(theme.color(fill))
        box = QRectF(self.rect()).adjusted(width / 2, width / 2, -width / 2, -width / 2)
        radius = px(8) - width / 2
        painter.drawRoundedRect(box, radius, radius)
        if self.hasFocus():
            painter.setPen(QPen(theme.color("on_sel" if active else "ink1"), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(3, 3, -3, -3), radius - 3, radius - 3)
        x: float = px(_PAD)
        middle = self.height() / 2
        space = _MARKERS.get(self.stage)
        if self._detail.marker and space is not None:
            size = px(_MARKER)
            painter.save()
            painter.translate(x + size / 2, middle + (size * 0.1 if space is Space.Q else 0))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("on_sel" if active else "ink2"))
            painter.drawPath(marker_path(space, size))
            painter.restore()
            x += size + px(_WORD_GAP)
        baseline = middle + word(theme, "X", *_LETTER).ascent * 0.375
        for text, style, ink in self._texts(self._detail):
            laid = word(theme, text, *style)
            painter.setFont(laid.font)
            painter.setPen(theme.color("on_sel" if active else ink))
            painter.drawStaticText(QPointF(x, baseline - laid.ascent), laid.static)
            x += round(laid.width) + px(_WORD_GAP)
