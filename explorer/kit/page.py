"""A page's frame: chain on top, panels beside the centre, a bar below; and how it folds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QVBoxLayout, QWidget

from explorer.kit.arrangement import Arrangement, arrange, by_turns
from explorer.kit.base import LEAST_MIDDLE, FrameView
from explorer.kit.error_bar import ErrorBar
from explorer.kit.layouts import fill, hairline, put
from explorer.kit.left_panel import LeftPanel, Rail
from explorer.kit.motion import PANEL, Glide, may_move
from explorer.kit.segments import Segment, Segments
from explorer.kit.theme import Theme
from explorer.text import N_, _

_GRIP = 7  # px on the screen, over the hairline and what lies beside it
_PICTURE = 480  # px at 100 % that a wider panel leaves to the picture
_LEAST_LESSON = 300  # px at 100 % of height for a lesson, or what stands below takes turns too
_LEAST_WIDTH = 248  # px at 100 % that a wider lesson leaves to what stands beside it
_AIR = 6  # px at 100 % around the choice between the picture and the tables


class Grip(QWidget):
    """Something to take hold of, that paints nothing."""

    moved = Signal(int)  # px to the left since it was taken hold of
    left = Signal()  # it was let go
    reset = Signal()  # it was clicked twice

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setCursor(Qt.CursorShape.SplitHCursor)
        self.setToolTip(_("Drag to change the panel's width; double-click for the usual one"))
        self._from: int | None = None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._from = round(event.globalPosition().x())
            self.moved.emit(0)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tell how far it was moved."""
        if self._from is not None:
            self.moved.emit(self._from - round(event.globalPosition().x()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go."""
        if self._from is not None and event.button() == Qt.MouseButton.LeftButton:
            self._from = None
            self.left.emit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Ask for the usual width."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._from = None
            self.reset.emit()


class Page(QWidget):
    """Lays a page's parts out and folds them when there is little room.

    A subclass makes its parts in the order of reading, for the tab key, and in their place: on
    this widget (chain, bottom), on `body` (rail, left, right) or on `middle` (error bar, centre).
    A widget that gets another parent under a style sheet would lose its font. Then it calls
    `compose`, and overrides `views`, `pictures`, `main_picture`, `take_focus` and `fold`.

    Parameters
    ----------
    theme : Theme
    """

    made = Signal(object, str)  # a view that was not there at first, and its picture's name
    widened = Signal(int)  # by how much the right panel was made wider, px at 100 %
    chain: QWidget
    rail: Rail
    left: LeftPanel
    right: QWidget
    bottom: FrameView[Any] | None = None
    bottom_name = ""  # what the view below is called

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.lesson: FrameView[Any] | None = None  # made when the first one is opened here
        # Over the body: the picture and the tables may be there by turns.
        self.error_bar = ErrorBar(theme, self)
        self.error_bar.moved.connect(self._make_room_below, Qt.ConnectionType.QueuedConnection)
        self.body = QWidget(self)
        self.middle = QWidget(self.body)
        self._arrangement: Arrangement | None = None
        self._over = False  # whether the left panel lies over the picture
        self._pinned = False  # whether it stays there when something else is pressed
        self._in_page: QVBoxLayout
        self._lesson_wants = 0  # px in which nothing of its page would have to be scrolled
        self._bottom_beside = False  # whether what stands below is one of those that take turns
        self._by_turns = False  # whether the picture and the tables are shown by turns
        self._turn: object = "picture"  # which of them is chosen
        self._more = self._more_at_first = 0  # than the right panel's least width, px at 100 %
        self.grip = Grip(self.body)
        self.grip.moved.connect(self._move_edge)
        self.grip.left.connect(self._leave_edge)
        self.grip.reset.connect(self._reset_edge)
        parts = {"picture": N_("Picture"), "tables": N_("Tables")}
        if self.bottom_name:
            parts["bottom"] = self.bottom_name
        self.turns = Segments(
            [Segment(key, _(name)) for key, name in parts.items()],
            _("What is shown"),
            theme,
            exclusive=True,
            own=True,
            pad=5,  # three names stand in the narrowest middle
            parent=self.body,
        )
        self.turns.picked.connect(self._turn_to)
        self.turns.show_checked({self._turn})
        self.turns.hide()
        self._wider = 1.0  # how much wider the left panel is than the arrangement says
        self._slide = Glide(PANEL, self)  # of that panel, out of the rail
        self._slide.valueChanged.connect(self._place_over)

    @property
    def views(self) -> Sequence[FrameView[Any]]:
        """The views, from top to bottom and left to right."""
        raise NotImplementedError

    def pictures(self) -> dict[str, QWidget]:
        """Return the parts that pictures can be taken of, by name."""
        raise NotImplementedError

    @property
    def main_picture(self) -> str:
        """The name of what stands in the middle, as `pictures` has it."""
        raise NotImplementedError

    def show_lesson(self, make: Callable[[Theme, QWidget], FrameView[Any]]) -> FrameView[Any]:
        """Show a lesson in the left panel, made where there is none yet; return its page."""
        if self.lesson is None:
            self.lesson = make(self.theme, self.left.pages)
            self.left.add_lesson(self.lesson)
            # It is said in the midst of a layout, from which nothing may be taken.
            queued = Qt.ConnectionType.QueuedConnection
            self.lesson.height_wanted.connect(self._make_room, queued)
            self.made.emit(self.lesson, "lesson")
        self.left.show_lesson()
        return self.lesson

    def _make_room(self, height: int) -> None:
        """Let what stands below take turns where a page of the lesson would have to be scrolled."""
        self._lesson_wants = height
        if self._by_turns:
            self._place_over()

    def take_focus(self) -> None:
        """Give the focus to what stands in the middle: what is half typed elsewhere is ended."""
        raise NotImplementedError

    def compose(self, centre: Sequence[QWidget]) -> None:
        """Put the parts into their places; the last of the centre gets the room."""
        self.rail.asked.connect(self._toggle_left)
        self._in_middle = fill(QVBoxLayout(self.middle))
        for part in centre:
            self._in_middle.addWidget(part, 1 if part is centre[-1] else 0)
        self._in_body = fill(QHBoxLayout(self.body))
        for part, stretch in (
            (self.rail, 0),
            (self.left, 0),
            (hairline(self.body, vertical=True), 0),
            (self.middle, 1),
            (hairline(self.body, vertical=True), 0),
            (self.right, 0),
        ):
            self._in_body.addWidget(part, stretch)
        self._in_body.addStretch()  # the rail stays on the left where it stands alone
        column = fill(QVBoxLayout(self), self.chain, hairline(self), self.error_bar, (self.body, 1))
        if self.bottom is not None:
            self._in_page = put(column, hairline(self), self.bottom)

    @property
    def parts(self) -> tuple[QWidget, ...]:
        """What the tab key goes through, in this order."""
        parts = self.chain, self.rail, self.left, self.middle, self.right, self.bottom
        return tuple(part for part in parts if part is not None)

    @property
    def left_floats(self) -> bool:
        """Whether the left panel lies over the picture until something else is pressed."""
        return self._over and not self._pinned

    def fold(self, arrangement: Arrangement) -> None:
        """Tell the parts how much room there is."""

    def widths(self, arrangement: Arrangement) -> tuple[int, int]:
        """Return the widths of the left and the right panel, px on the screen."""
        return arrangement.left, arrangement.right

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self.theme = theme
        for view in self.views:
            view.retheme(theme)
        self.left.retheme(theme)
        self.error_bar.retheme(theme)
        self.rail.retheme(theme)
        self.turns.retheme(theme)
        self._arrangement = None
        self._arrange()

    def pin_left(self, pinned: bool) -> None:
        """Show the left panel and let it stay, over the picture where that is a rail; or not."""
        self._pinned = pinned
        self._lay_over(pinned)

    def widen_left(self, by: float) -> None:
        """Make the left panel so many times as wide as usual, as far as the picture has room."""
        if by != self._wider:
            self._wider = by
            self._arrangement = None
            self._arrange()

    def close_left(self) -> None:
        """Fold the left panel back into the rail."""
        self._lay_over(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fold or unfold parts."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        window = self.window()
        wanted = arrange(window.width(), window.height(), self.theme.percent)
        if wanted != self._arrangement:
            self._arrangement = wanted
            self.fold(wanted)
            left, right = self.widths(wanted)
            # Where there is a rail, the picture and the tables can take turns.
            middle = max(LEAST_MIDDLE[0], self.theme.px(_LEAST_WIDTH))
            middle += 0 if wanted.rail else right
            most = max(left, window.width() - middle - 2)  # and the lines beside them
            self.left.setFixedWidth(min(round(left * self._wider), most))
            self.rail.setFixedWidth(max(1, wanted.rail))
            self._lay_over(self._pinned)
        self._place_over()

    # --- the right panel's width -----------------------------------------------------------------

    def widen_right(self, by: int) -> None:
        """Make the right panel wider than its least width, where there is room; px at 100 %."""
        self._more = by
        self._place_over()

    def _move_edge(self, by: int) -> None:
        if by == 0:
            self._more_at_first = self._from_least(self.right.width())
        self.widen_right(max(0, self._more_at_first + round(by * 100 / self.theme.percent)))

    def _leave_edge(self) -> None:
        self.widened.emit(self._from_least(self.right.width()))

    def _reset_edge(self) -> None:
        self.widen_right(0)
        self.widened.emit(0)

    def _from_least(self, width: int) -> int:
        least = 0 if self._arrangement is None else self.widths(self._arrangement)[1]
        return max(0, round((width - least) * 100 / self.theme.percent))

    def _right_width(self, room: int) -> int:
        """Return the right panel's width where it shares some room with the picture, in px."""
        assert self._arrangement is not None
        least, px = self.widths(self._arrangement)[1], self.theme.px
        wanted = least + round(self._more * self.theme.percent / 100)
        return max(least, min(wanted, room - max(px(_PICTURE), LEAST_MIDDLE[0])))

    # --- the left panel over the picture ---------------------------------------------------------

    def _toggle_left(self) -> None:
        self._lay_over(not self._over)
        if self._over:
            self.left.setFocus(Qt.FocusReason.OtherFocusReason)

    def _lay_over(self, over: bool) -> None:
        """Show the left panel over the picture, or in its own place (hidden behind a rail)."""
        railed = self._arrangement is not None and bool(self._arrangement.rail)
        floating = over and railed
        if floating != self._over:
            application = QApplication.instance()
            assert application is not None
            if floating:
                application.installEventFilter(self)
            else:
                application.removeEventFilter(self)
        self._over = floating
        if railed and self._in_body.indexOf(self.left) >= 0:
            self._in_body.removeWidget(self.left)
        elif not railed and self._in_body.indexOf(self.left) < 0:
            self._in_body.insertWidget(1, self.left)
        self.left.setVisible(floating or not railed)
        self.rail.setVisible(railed and not (floating and self._pinned))
        if floating:
            if may_move(self):
                self._slide.stop()
                self._slide.start()
            self.left.raise_()
            self.rail.raise_()  # the panel comes out from beneath it
        self._place_over()

    def reveal(self, parts: Sequence[QWidget]) -> bool:
        """Show what holds the first of some parts, where the parts beside the lesson take turns.

        Returns whether one of them stands in any of those.
        """
        sides = ("picture", self.middle), ("tables", self.right), ("bottom", self.bottom)
        for part in parts:
            for key, side in sides:
                if side is not None and (side is part or side.isAncestorOf(part)):
                    self._turn_to(key)
                    return True
        return False

    def _turn_to(self, key: object) -> None:
        self._turn = key
        self._show_turn()

    def _show_turn(self) -> None:
        """Show what is chosen beside the lesson, where there is no room for all."""
        turns, low = self.turns, self._by_turns and self._is_low
        if self._turn == "bottom" and not low:
            self._turn = "tables"
        turns.show_checked({self._turn})
        turns.setVisible(self._by_turns)
        self.middle.setVisible(not self._by_turns or self._turn == "picture")
        self.right.setVisible(not self._by_turns or self._turn == "tables")
        if self.bottom is not None:
            turns.set_shown("bottom", low)
        turns.adjustSize()
        if self.bottom is None:
            return
        if low is not self._bottom_beside:
            self._bottom_beside = low
            (self._in_page.removeWidget if low else self._in_page.addWidget)(self.bottom)
            self.bottom.stand_beside(low)
        self.bottom.setVisible(not low or self._turn == "bottom")
        self._in_page.activate()  # the picture has its height by now
        if self._over:
            self.left.resize(self.left.width(), self.body.height())

    @property
    def _is_low(self) -> bool:
        """Whether what stands below would leave the lesson and the picture too little height."""
        if self.bottom is None:
            return False
        left = self.height() - self.chain.sizeHint().height() - self.bottom.sizeHint().height()
        lines, over = 2, self.turns.sizeHint().height() + 2 * self.theme.px(_AIR)
        if left - lines - over < max(LEAST_MIDDLE[1], self.theme.px(_LEAST_LESSON)):
            return True
        if not self._pinned:
            return False
        return left - lines - self.left.height_over_pages < self._lesson_wants

    def _make_room_below(self) -> None:
        """Let what lies over the body be as high as that is below the bar."""
        column = self.layout()
        if column is not None:
            column.activate()
        self._place_over()

    def _place_over(self) -> None:
        """Place the panel over the picture; what stays for long makes room for itself."""
        if self._arrangement is None:
            return
        covered = top = 0
        before = self._by_turns
        taken = (self.rail if self._arrangement.rail else self.left).width()
        if self._over:
            width = self.left.width()
            edge = 0 if self._pinned else self.rail.width()
            hidden = round((1.0 - self._slide.share) * width)
            self.left.setGeometry(edge - hidden, 0, width, self.body.height())
            if self._pinned:
                covered = taken = width
        room, right = self.body.width() - taken, self.widths(self._arrangement)[1]
        self._by_turns = bool(self._arrangement.rail) and by_turns(room, right, LEAST_MIDDLE[0])
        if self._by_turns:
            air = self.theme.px(_AIR)
            self.turns.move(taken + air, air)
            if not self._over or self._pinned:
                self.turns.raise_()
            top = self.turns.sizeHint().height() + 2 * air
            self.right.setFixedWidth(max(0, room - 2))  # and the lines beside it
        else:
            self.right.setFixedWidth(self._right_width(self.body.width() - taken - 2))
        if before or self._by_turns:
            self._show_turn()
        # In the layout's own margin: what the lesson mentions must not lie beneath it.
        self._in_body.setContentsMargins(covered, top, 0, 0)
        if self.bottom is not None and self._bottom_beside:
            body = self.body.geometry()
            beside = max(taken, self.left.geometry().right()) if self._over else taken
            self.bottom.setGeometry(body.adjusted(beside + 1, top, 0, 0))
        edge = self.body.width() - self.right.width()
        self.grip.setGeometry(edge - (_GRIP + 1) // 2, 0, _GRIP, self.body.height())
        self.grip.setVisible(not self._by_turns)
        self.grip.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Put the left panel away at a press elsewhere in the window."""
        if (
            event.type() == QEvent.Type.MouseButtonPress
            and isinstance(event, QMouseEvent)
            and isinstance(watched, QWidget)
            and watched.window() is self.window()
        ):
            if self._pinned:
                return False
            pressed = event.globalPosition().toPoint()
            if not any(
                part.rect().contains(part.mapFromGlobal(pressed)) for part in (self.left, self.rail)
            ):
                self._lay_over(False)
        return False
