"""What every page for an audience is: something said, a picture, and a cross that closes it."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TypeVar

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QWidget

from explorer.kit.base import FrameView
from explorer.kit.labels import plain_line
from explorer.kit.motion import PAGE, fade
from explorer.kit.table.painting import draw_box
from explorer.kit.theme import Theme
from explorer.rooms.present.side import Side
from explorer.rooms.present.sizes import Sizes
from explorer.session import Stage
from explorer.text import _


class Cross(QAbstractButton):
    """A quiet cross upon the plane."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._sizes = Sizes()
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(_("Leave"))

    def set_sizes(self, sizes: Sizes) -> None:
        """Take other sizes and colours."""
        self._sizes = sizes
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the cross, and a ground under the mouse."""
        theme, arm = self._sizes.theme, self._sizes.px(6)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            if self.underMouse():
                draw_box(painter, QRectF(self.rect()), 8, theme.color("hover"))
            pen = QPen(theme.color("ink2"), max(2.0, 2.5 * self._sizes.scale))
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(pen)
            middle = QRectF(self.rect()).center()
            for sign in (-1, 1):
                end = QRectF(0, 0, arm, sign * arm)
                corner = end.bottomRight()
                painter.drawLine(middle - corner, middle + corner)


F = TypeVar("F")  # the kind of frame

_FOOT = 0.25  # of the height: what stands below all else has no more
_SMALLER = 0.94  # the next smaller type, by the one that has no room
_PAD = 12  # px of the drawn page
_LEFT, _WIDER, _MOST = 460, 0.45, 0.5  # px of the drawn page; by text scale; of the window


class Slide(FrameView[F]):
    """Lays out what is said beside, or below, its picture; takes all keys.

    A subclass overrides `picture`, `draw` and `turn`, and what else a key does where there is
    something to do; it calls `begin_page` where another page begins, and `lay_out` where the
    picture is another one.

    Parameters
    ----------
    theme : Theme
        Light or dark, and the text scale.
    letters : tuple of Stage
        The chain among the steps; empty where pages are counted instead.
    """

    closed = Signal()
    turned = Signal()  # another page is shown

    def __init__(
        self, theme: Theme, letters: tuple[Stage, ...], parent: QWidget | None = None
    ) -> None:
        super().__init__(theme, parent)
        self.sizes = Sizes.of(theme, self.width(), self.height())
        self.left = Side(letters, self)
        self.cross = Cross(self)
        self.cross.clicked.connect(self.closed)
        self.left.steps.turned.connect(self.turn)
        self._before: object = None
        self.foot: FrameView[F] | None = None  # a view in full width below all else
        self.foot_wanted = False
        self._below: F | None = None  # what it draws
        self._could_shrink = False  # whether its type could be smaller still
        self.small = plain_line("ink3", self, _("in smaller type"))  # where the foot is
        self.small.hide()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    @property
    def picture(self) -> QWidget:
        """What stands beside what is said."""
        raise NotImplementedError

    @property
    def wide(self) -> bool:
        """Whether the picture takes the whole width."""
        return False

    @property
    def dragged(self) -> QWidget | None:
        """What takes the key that gives a drag up; None while there is no drag."""
        return None

    def turn(self, by: int) -> None:
        """Ask for the next page, or one before; nothing at the ends."""
        raise NotImplementedError

    def go_on(self) -> None:
        """Reveal what is hidden until it is predicted or filled in, or else turn the page."""
        if not self.reveal():
            self.turn(1)

    def reveal(self) -> bool:
        """Ask for what is hidden; return whether anything is."""
        return False

    def step(self, by: int) -> None:
        """Go a step on or back in what the page is about: a page, where that has no steps."""
        self.turn(by)

    def go_to_end(self, last: bool) -> None:
        """Ask for the first page or recorded step, or for the last."""

    def play(self) -> None:
        """Play what is recorded, or stop."""

    def show_arithmetic(self) -> None:
        """Show the arithmetic of what is selected, or no more."""

    def take_foot(self, foot: FrameView[F]) -> None:
        """Take a view that stands below all else; the page keeps the keys."""
        self.foot, self.foot_wanted = foot, True
        foot.be_presented()
        foot.intent.connect(self.intent)
        for part in (foot, *foot.findChildren(QWidget)):
            part.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def draw_foot(self, frame: F) -> None:
        """Draw that view, if it is shown."""
        if self.foot is None or self.foot.isHidden():
            return
        self._below = frame
        self.foot.draw(frame)
        if self._could_shrink and self.foot.is_narrow():
            self.lay_out()

    def show_other_half(self) -> None:
        """Show the same in its other form: as a table or as a plane."""

    def set_motion(self, wanted: bool) -> None:
        """Let the picture move, or be there at once."""

    def resize_picture(self, theme: Theme) -> None:
        """Give the picture other sizes and colours."""
        raise NotImplementedError

    def begin_page(self, page: object) -> bool:
        """Return whether a page is another one than the last; it is faded in."""
        before, self._before = self._before, page
        if before is None or page == before:
            return before is None
        fade(self.left, PAGE)
        self.turned.emit()
        return True

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        super().retheme(theme)
        self.lay_out()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take the sizes that the window's size asks for."""
        super().resizeEvent(event)
        self.lay_out()

    def lay_out(self) -> None:
        """Give everything its place in the window."""
        sizes = self.sizes = Sizes.of(self.theme, self.width(), self.height())
        wider = 1 + _WIDER * (sizes.percent / 100 - 1)
        width = min(sizes.px(_LEFT * wider), round(_MOST * self.width()))
        whole = self.rect()
        self.small.hide()
        if self.foot is not None:
            self._fit_foot(self.foot)
            if not self.foot.isHidden():
                whole.setHeight(self.height() - self.foot.height())
                self.foot.setGeometry(0, whole.height(), self.width(), self.foot.height())
        self.left.arrange(sizes, whole, width, self.wide)
        side = sizes.px(48)
        self.cross.setGeometry(self.width() - side - sizes.px(12), sizes.px(12), side, side)
        self.cross.set_sizes(sizes)
        self.resize_picture(sizes.picture)
        if self.wide:
            self.picture.setGeometry(0, 0, self.width(), self.left.y())
        else:
            said = 0 if self.small.isHidden() else self.small.height()
            self.picture.setGeometry(width, 0, self.width() - width, whole.height() - said)
        self.cross.raise_()
        self.update()

    def _fit_foot(self, foot: FrameView[F]) -> None:
        """Show what stands below all else, in smaller type where that has no room."""
        theme, most = self.sizes.picture, round(_FOOT * self.height())
        foot.retheme(theme)
        foot.setVisible(self.foot_wanted)
        if not self.foot_wanted:
            return
        # Down to the size that it has without larger text: the room check knows that one.
        least = replace(self.sizes, percent=100).picture
        percent = theme.percent
        if foot.height() > most:
            percent = max(least.percent, math.floor(percent * most / foot.height()))
        while True:
            if percent < theme.percent:
                foot.retheme(replace(theme, percent=percent, least=least.least))
            foot.resize(self.width(), foot.height())
            if self._below is not None:
                foot.draw(self._below)
            if percent <= least.percent or not foot.is_narrow():
                break
            percent = max(least.percent, math.floor(percent * _SMALLER))
        self._could_shrink = percent > least.percent
        if percent == theme.percent:
            return
        self.small.setFont(self.sizes.theme.font(least.least))
        self.small.adjustSize()
        top = self.height() - foot.height() - self.small.height()
        self.small.move(self.width() - self.small.width() - self.sizes.px(_PAD), top)
        self.small.show()
        self.small.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the ground of what is said, and its edge."""
        theme, side = self.sizes.theme, self.left.geometry()
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.color("canvas"))
            painter.fillRect(side, theme.color("win"))
            if self.wide:
                painter.fillRect(0, side.top(), self.width(), 1, theme.color("line"))
            else:
                painter.fillRect(side.right(), 0, 1, self.height(), theme.color("line"))
