"""Navigation: previous, the chain, next."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from explorer.kit.labels import plain_line
from explorer.kit.table.painting import draw_box
from explorer.rooms.present.sizes import Sizes
from explorer.session import Stage
from explorer.text import _

_SIDE, _CHIP, _RADIUS, _CHIP_RADIUS, _LETTER = 56, 44, 12, 8, 20  # px of the drawn page
_CHEVRON = 8
_AIR = 8  # between the arrows and the chain
_CLOSE = (Stage.Q, Stage.K, Stage.V)  # stand together
_NARROW, _WIDE = 3, 4  # shares of the room: of these, and of the other letters

# The station that stands for one which only some scenes have.
_STANDS_FOR = {Stage.P: Stage.X, Stage.R: Stage.S, Stage.C: Stage.O, Stage.Y: Stage.O}


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
        self._ahead = False
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the page takes all keys
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setCheckable(bool(letter))

    def set_sizes(self, sizes: Sizes) -> None:
        """Take other sizes and colours."""
        self._sizes = sizes
        self.setFont(sizes.font(_LETTER, 600))
        self.update()

    def show_ahead(self, ahead: bool) -> None:
        """Show whether this is still to come."""
        self._ahead = ahead
        self.update()

    @property
    def ink(self) -> str:
        """The colour's name of what stands on the button."""
        if self.isChecked() or self._by > 0:
            return "on_sel"
        return "ink3" if self._ahead else "ink1"

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the button."""
        sizes, theme = self._sizes, self._sizes.theme
        with QPainter(self) as painter:
            painter.setOpacity(1.0 if self.isEnabled() else 0.38)
            box = QRectF(self.rect()).adjusted(0.75, 0.75, -0.75, -0.75)
            edge, fill = None, "hover" if self.underMouse() else "win"
            if self._by < 0:
                edge, fill = theme.color("ctl"), "raised"
            elif self.ink == "on_sel":
                fill = "ink1"
            radius = sizes.px(_RADIUS if self._by else _CHIP_RADIUS)
            draw_box(painter, box, radius, theme.color(fill), edge, 1.5)
            if self.letter:
                painter.setPen(theme.color(self.ink))
                painter.setFont(self.font())
                painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.letter)
            else:
                self._paint_arrow(painter)

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
    """Previous, the letters of the chain or which page of how many this is, next.

    Parameters
    ----------
    letters : tuple of Stage
        Empty where pages are counted.
    """

    turned = Signal(int)
    chosen = Signal(Stage)

    def __init__(self, letters: tuple[Stage, ...], parent: QWidget) -> None:
        super().__init__(parent)
        self.previous, self.next = Key(self, by=-1), Key(self, by=1)
        self.previous.setAccessibleName(_("Previous"))
        self.next.setAccessibleName(_("Next"))
        self.previous.clicked.connect(lambda: self.turned.emit(-1))
        self.next.clicked.connect(lambda: self.turned.emit(1))
        self.letters = {stage: Key(self, stage.value) for stage in letters}
        for stage, key in self.letters.items():
            key.setAccessibleName(_("Show {stage}").format(stage=stage.value))
            key.clicked.connect(lambda _checked=False, stage=stage: self._choose(stage))
        self.count = plain_line("ink2", self)
        self.count.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.count.setVisible(not letters)
        self._active = Stage.X

    @staticmethod
    def height_needed(sizes: Sizes) -> int:
        """Return the height of the buttons, which are squares."""
        return max(sizes.px(_SIDE), round(QFontMetricsF(sizes.font(_LETTER, 600)).height() * 1.4))

    def show_steps(self, active: Stage, at: int, count: int) -> None:
        """Show the active stage, and whether there is a page before and after."""
        self._active = _STANDS_FOR.get(active, active)
        order = list(self.letters)
        for place, (stage, key) in enumerate(self.letters.items()):
            key.setChecked(stage is self._active)
            key.show_ahead(place > order.index(self._active))
        self.count_pages(at, count)

    def count_pages(self, at: int, count: int) -> None:
        """Show which page this is, from 0, and whether there is one before and after."""
        said = _("{place} of {count}").format(place=at + 1, count=count) if count else ""
        self.count.setText(said)
        self.previous.setEnabled(at > 0)
        self.next.setEnabled(at < count - 1)

    def arrange(self, sizes: Sizes, *, ends: bool = False) -> None:
        """Lay the buttons out; with `ends`, only the arrows."""
        for key in (self.previous, *self.letters.values(), self.next):
            key.set_sizes(sizes)
        side, air = self.height_needed(sizes), sizes.px(_AIR)
        self.previous.setGeometry(0, 0, side, side)
        self.next.setGeometry(self.width() - side, 0, side, side)
        room = self.width() - 2 * (side + air)
        self.count.setFont(sizes.font(_LETTER))
        self.count.setGeometry(side + air, 0, room, side)
        self.count.setVisible(not (ends or self.letters))
        height = min(side, max(sizes.px(_CHIP), side - 2 * air))
        shares = [_NARROW if stage in _CLOSE else _WIDE for stage in self.letters]
        x = 0.0
        for share, key in zip(shares, self.letters.values(), strict=True):
            key.setVisible(not ends)
            width = room * share / sum(shares)
            key.setGeometry(side + air + round(x), (side - height) // 2, round(width), height)
            x += width

    def _choose(self, stage: Stage) -> None:
        self.letters[stage].setChecked(stage is self._active)  # until it is shown
        self.chosen.emit(stage)
