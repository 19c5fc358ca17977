"""The way through: previous, the chain, next."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from explorer.session import CHAIN, Stage
from explorer.text import _
from explorer.views.present.sizes import Sizes

_SIDE, _CHIP, _RADIUS, _CHIP_RADIUS, _LETTER = 56, 44, 12, 8, 20  # px of the drawn page
_CHEVRON = 8
HEIGHT = _SIDE

# The station that stands for one which only some scenes have.
_STANDS_FOR = {Stage.P: Stage.X, Stage.C: Stage.O, Stage.Y: Stage.O}


class Key(QAbstractButton):
    """A button of the page: a letter of the chain, or an arrow back or on.

    Parameters
    ----------
    letter : str
        Empty on an arrow.
    by : int
        −1 or 1 on an arrow.
    """

    def __init__(self, parent: QWidget, letter: str = "", by: int = 0) -> None:
        super().__init__(parent)
        self.letter, self._by, self._sizes = letter, by, Sizes()
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the page takes all keys
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setCheckable(bool(letter))

    def wear(self, sizes: Sizes) -> None:
        """Take other sizes and colours."""
        self._sizes = sizes
        self.setFont(sizes.font(_LETTER, 600))
        self.update()

    @property
    def ink(self) -> str:
        """The colour's name of what stands on the button."""
        return "on_sel" if self.isChecked() or self._by > 0 else "ink1"

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the button."""
        sizes, theme = self._sizes, self._sizes.theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(1.0 if self.isEnabled() else 0.38)
        box = QRectF(self.rect()).adjusted(0.75, 0.75, -0.75, -0.75)
        painter.setPen(Qt.PenStyle.NoPen)
        if self._by < 0:
            painter.setPen(QPen(theme.color("ctl"), 1.5))
            painter.setBrush(theme.color("raised"))
        elif self.ink == "on_sel":
            painter.setBrush(theme.color("ink1"))
        else:
            painter.setBrush(theme.color("hover" if self.underMouse() else "win"))
        radius = sizes.px(_RADIUS if self._by else _CHIP_RADIUS)
        painter.drawRoundedRect(box, radius, radius)
        if self.letter:
            painter.setPen(theme.color(self.ink))
            painter.setFont(self.font())
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.letter)
        else:
            self._paint_arrow(painter)
        painter.end()

    def _paint_arrow(self, painter: QPainter) -> None:
        pen = QPen(self._sizes.theme.color(self.ink), max(2.0, 3 * self._sizes.scale))
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        side, middle = self._sizes.px(_CHEVRON), QRectF(self.rect()).center()
        tip = middle + QPointF(self._by * side / 2, 0)
        back = self._by * side
        painter.drawPolyline(
            [tip + QPointF(-back, -side), tip, tip + QPointF(-back, side)],
        )


class Steps(QWidget):
    """Previous, the letters of the chain, next."""

    turned = Signal(int)
    chosen = Signal(Stage)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.previous, self.next = Key(self, by=-1), Key(self, by=1)
        self.previous.setAccessibleName(_("Previous"))
        self.next.setAccessibleName(_("Next"))
        self.previous.clicked.connect(lambda: self.turned.emit(-1))
        self.next.clicked.connect(lambda: self.turned.emit(1))
        self.letters = {stage: Key(self, stage.value) for stage in CHAIN}
        for stage, key in self.letters.items():
            key.setAccessibleName(_("Show {stage}").format(stage=stage.value))
            key.clicked.connect(lambda _checked=False, stage=stage: self._choose(stage))
        self._active = Stage.X

    def show_steps(self, active: Stage, at: int, count: int) -> None:
        """Show the active stage, and whether there is a page before and after."""
        self._active = _STANDS_FOR.get(active, active)
        for stage, key in self.letters.items():
            key.setChecked(stage is self._active)
        self.previous.setEnabled(at > 0)
        self.next.setEnabled(at < count - 1)

    def arrange(self, sizes: Sizes) -> None:
        """Lay the buttons out: Q, K and V close together."""
        for key in self._keys:
            key.wear(sizes)
        side, chip = sizes.px(_SIDE), sizes.px(_CHIP)
        self.previous.setGeometry(0, 0, side, side)
        self.next.setGeometry(self.width() - side, 0, side, side)
        room = self.width() - 2 * side - 2 * sizes.px(8)
        gaps = [0.0, 5.0, 0.0, 0.0, 5.0, 2.0, 2.0]  # before each, in px of the drawn page
        width = (room - sum(map(sizes.px, gaps[1:]))) / len(gaps)
        x = float(side + sizes.px(8))
        for gap, key in zip(gaps, self.letters.values(), strict=True):
            x += round(gap * sizes.scale)
            key.setGeometry(round(x), (side - chip) // 2, round(width), chip)
            x += width

    @property
    def _keys(self) -> Sequence[Key]:
        return [self.previous, *self.letters.values(), self.next]

    def _choose(self, stage: Stage) -> None:
        self.letters[stage].setChecked(stage is self._active)  # until it is shown
        self.chosen.emit(stage)
