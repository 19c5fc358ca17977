"""The timeline's picture: loss and accuracy over the scrubber, and the playhead through both."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPaintEngine,
    QPainter,
    QPaintEvent,
    QPen,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QSlider, QToolTip, QWidget

from explorer.kit.canvas.text import word
from explorer.kit.focus_ring import is_ringed
from explorer.kit.loss_curves import (
    Curves,
    EpochAxis,
    curves_for,
    nearest,
    paired,
    seen_scalars,
    seen_until,
)
from explorer.kit.numbers import Columns
from explorer.kit.table.painting import draw_box
from explorer.kit.theme import Theme
from explorer.rooms.train.timeline_marks import (
    END,
    ROOM,
    Placed,
    marked,
    paint_last,
    paint_marks,
    placed,
)
from explorer.rooms.train.timeline_paint import (
    DOT,
    ChartLayout,
    Names,
    paint_broken,
    paint_ends,
    paint_no_curves,
    paint_readout,
    paint_word,
)
from explorer.rooms.train.timeline_still import Shown, Still
from explorer.session import Array
from explorer.session.train import Scalars, TrainFrame
from explorer.text import _, display_number, labelled, plain_tip

# px at 100 %, at the full height and in a low window
_LEFT, _RIGHT = 40, 16
_PLACES = {False: (17, 91, 114, 133), True: (8, 34, 45, 60)}  # plot, track, labels
HEIGHT = 148
_HANDLE = 9
_DRAGGED = 4  # px from which on a drag with Shift chooses a range
_NOTCH = 120  # of the wheel, in its own unit
ZOOM = 1.25  # for a notch of the wheel
_LEAST_SPAN = 4.0  # epochs


class StepSlider(QSlider):
    """The recorded steps as a slider: never seen, but found and moved by screen readers."""

    refocused = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setAccessibleName(_("Timeline"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setGeometry(-4000, 0, 200, 20)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave every key to the timeline."""
        event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Tell that the focus came."""
        super().focusInEvent(event)
        self.refocused.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Tell that the focus left."""
        super().focusOutEvent(event)
        self.refocused.emit()


class TimelineChart(QWidget):
    """Shows the curves over the track; a press or a drag asks for the recorded epoch next to it.

    The wheel zooms, sideways it moves along; a drag with Shift chooses a range; a double click
    shows all epochs again.
    """

    reached = Signal(float, bool)  # an epoch; whether the button is still down
    stepped = Signal(int)  # a recorded step, by a screen reader
    followed = Signal()  # the newest epoch, as before a press
    ranged = Signal()  # the range of visible epochs is another

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._frame = TrainFrame()
        self._compact = False
        self._curves: tuple[Scalars, Curves] = (self._frame.scalars, Curves())
        self._still = Still()
        self._names = Names()
        self._dragged: int | None = None  # the step asked for last while the button is down
        self._pressed_at: float | None = None  # the epoch before a press; None: the newest
        self._hovered: float | None = None
        self._log: bool | None = None  # None until it is chosen: for two runs
        self._pair: tuple[tuple[object, ...], tuple[Curves, Curves] | None] = ((), None)
        self._marks: list[Placed] = []
        self._marked: tuple[object, ...] = ()  # what they were placed for
        self._range: tuple[float, float] | None = None  # the visible epochs; all where None
        self._chosen: tuple[float, float] | None = None  # px between which a range is being chosen
        self.slider = StepSlider(self)
        self.slider.valueChanged.connect(self.stepped)
        self.slider.refocused.connect(self.update)
        self.setFocusProxy(self.slider)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        """Return a size at which the curves can be read."""
        return QSize(self._theme.px(640), self._theme.px(HEIGHT))

    def minimumSizeHint(self) -> QSize:
        """Return a size at which the track can be used."""
        return QSize(self._theme.px(120), self._theme.px(72))

    # --- showing ---------------------------------------------------------------------------------

    def draw(self, frame: TrainFrame) -> None:
        """Show the frame's curves and the place of its cursor."""
        moved = frame.cursor != self._frame.cursor
        self._frame = frame
        self._renew_curves()
        if moved and self._range is not None and not self.plot.holds(frame.epoch):
            self.show_range(frame.epoch - self._span / 2, frame.epoch + self._span / 2)
        said = self.said
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, max(0, len(frame.recorded) - 1))
            self.slider.setValue(frame.cursor.step)
        if self.slider.accessibleDescription() != said:
            self.slider.setAccessibleDescription(said)
        self.update()

    @property
    def said(self) -> str:
        """What is at the playhead, in words."""
        if not len(self._frame.recorded):
            return ""
        return self._curves[1].said(self._frame.epoch)

    def set_compact(self, compact: bool) -> None:
        """Leave out words and height, or show them again."""
        self._compact = compact
        self.update()

    def set_log(self, log: bool | None) -> None:
        """Let the axis of the loss be logarithmic, linear, or as usual."""
        self._log = log
        self._renew_curves()
        self.update()

    @property
    def log(self) -> bool:
        """Whether the axis of the loss is logarithmic: of two runs unless chosen otherwise."""
        return self._frame.other is not None if self._log is None else self._log

    def _renew_curves(self) -> None:
        """Work out the curves of one run or two, where something of them changed."""
        frame, other = self._frame, self._frame.other
        until = seen_until(frame)
        of = (frame.scalars, None if other is None else other.scalars, self.log, until)
        if len(self._pair[0]) == len(of) and all(
            a is b or a == b == until for a, b in zip(self._pair[0], of, strict=True)
        ):
            return
        if other is None:
            self._curves = frame.scalars, curves_for(frame, self.log, until)
            self._pair = of, None
        else:
            pair = paired(*(curves_for(each, self.log, until) for each in (frame, other)))
            self._curves = frame.scalars, pair[0]
            self._pair = of, pair

    @property
    def _by_letter(self) -> dict[str, Curves]:
        pair = self._pair[1]
        return {"A": self._curves[1]} if pair is None else dict(zip("AB", pair, strict=True))

    def columns(self) -> Columns:
        """Return the numbers of the curves, by name; B's after A's."""
        until = seen_until(self._frame)
        scalars = seen_scalars(self._frame, until)
        found = {"epoch": scalars.epochs, "loss": scalars.loss, "accuracy": scalars.accuracy}
        other = self._frame.other
        if other is not None:
            theirs = seen_scalars(other, until)
            found |= {"B epoch": theirs.epochs, "B loss": theirs.loss}
            found |= {"B accuracy": theirs.accuracy}
        return found

    def event(self, event: QEvent) -> bool:
        """Say the rule of the chapter at the mouse, with its number."""
        if isinstance(event, QHelpEvent):
            at = event.position() if hasattr(event, "position") else QPointF(event.pos())
            mark = next((m for m in self._marks if m.box.adjusted(-3, -3, 3, 3).contains(at)), None)
            tip = "" if mark is None else plain_tip(labelled(mark.letter, str(mark.chapter.rule)))
            QToolTip.showText(event.globalPos(), tip, self)
            return True
        return super().event(event)

    def look_as(self, before: TimelineChart) -> None:
        """Show the epochs that another chart shows, on an axis like that."""
        self.set_log(before._log)
        self._range = before._range
        self.ranged.emit()

    # --- the range of visible epochs --------------------------------------------------------------

    def show_all(self) -> None:
        """Show all epochs."""
        self._range = None
        self.ranged.emit()
        self.update()

    def show_range(self, first: float, last: float) -> None:
        """Show a range of epochs, moved as far as needed to lie in the run."""
        end = self._last
        span = min(max(last - first, _LEAST_SPAN), end)
        first = min(max(first, 0.0), end - span)
        self._range = None if span >= end else (first, first + span)
        self.ranged.emit()
        self.update()

    def zoom(self, factor: float, about: float | None = None) -> None:
        """Show `factor` times as many epochs, about one that stays; by default the playhead's."""
        axis = self.plot
        fixed = self.playhead if about is None else about
        fixed = min(max(axis.first if fixed is None else fixed, axis.first), axis.last)
        span = min(max((axis.last - axis.first) * factor, _LEAST_SPAN), self._last)
        share = (fixed - axis.first) / max(axis.last - axis.first, 1)
        self.show_range(fixed - share * span, fixed + (1 - share) * span)

    @property
    def _span(self) -> float:
        return self.plot.last - self.plot.first

    @property
    def _last(self) -> float:
        """The last epoch of the run, as far as it is planned or known."""
        recorded = self._frame.recorded
        other = self._frame.other
        return max(
            self._frame.last_epoch,
            0 if other is None else other.last_epoch,
            int(self._curves[1].end or 0),
            int(recorded[-1]) if len(recorded) else 0,
        )

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        self.updateGeometry()
        self.update()

    # --- places ----------------------------------------------------------------------------------

    @property
    def plot(self) -> EpochAxis:
        """Where the curves are now."""
        return self._laid().axis

    def _laid(self) -> ChartLayout:
        px, last = self._theme.px, self._last
        top, bottom, track, labels = map(px, _PLACES[self._compact])
        first = 0.0
        if self._range is not None and self._range[1] <= last:
            first, last = self._range
        if not self._compact:  # where it stands alone, the curves take the height that there is
            spare = max(0, self.height() - px(HEIGHT))
            bottom, track, labels = (place + spare for place in (bottom, track, labels))
            if marked(self._frame):
                top += px(ROOM)
        aside = _RIGHT if self._frame.other is None or self._compact else END
        right = max(self.width() - px(aside), px(_LEFT) + 1)
        axis = EpochAxis(px(_LEFT), top, right, bottom, first, last)
        return ChartLayout(axis, track, labels, self._compact)

    @property
    def playhead(self) -> float | None:
        """The epoch under the playhead: on the way to the next step while playing."""
        frame = self._frame
        recorded: Array = frame.recorded
        if not len(recorded):
            return None
        here = float(recorded[frame.cursor.step])
        after = float(recorded[min(frame.cursor.step + 1, len(recorded) - 1)])
        return here + frame.playback.between * (after - here)

    @property
    def _bad(self) -> tuple[int, ...]:
        """The steps found so far that cannot be shown."""
        frame = self._frame
        if frame.trace is None:
            return ()
        return tuple(step for step in frame.trace.bad_steps if step < len(frame.recorded))

    # --- painting --------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the still part, from memory where that is possible, and the playhead over it."""
        with QPainter(self) as painter:
            laid, curves = self._laid(), self._curves[1]
            if painter.paintEngine().type() == QPaintEngine.Type.Raster:
                painter.drawPixmap(0, 0, self._still.picture(self._shown(laid)))
            else:  # a vector picture
                self._still.paint(painter, self._shown(laid))
            self._paint_names(painter, laid, curves)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_playhead(painter, laid, curves)
            paint_broken(painter, self._theme, laid.axis, curves)  # not below the playhead's dot
            if not laid.compact and self._lacks_curves:
                paint_no_curves(painter, self._theme, laid.axis)
            if self._hovered is not None and self._dragged is None:
                paint_readout(painter, self._theme, laid.axis, curves, self._hovered)
            if self._chosen is not None:
                left, right = sorted(self._chosen)
                height = laid.axis.bottom - laid.axis.top
                box = QRectF(left, laid.axis.top, right - left, height)
                painter.fillRect(box, self._theme.color("ink1", 0.12))
            if is_ringed(self.slider):
                ring = QRectF(self.rect()).adjusted(1, 2, -1, -2)
                draw_box(painter, ring, 5, edge=self._theme.color("ink1"), width=2)

    def _paint_names(self, painter: QPainter, laid: ChartLayout, curves: Curves) -> None:
        """Paint the chapters and the names of the curves over the plot."""
        theme = self._theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        chapters = marked(self._frame)
        if self._marked != (of := (theme, laid, self.width(), chapters)):
            self._marked, self._marks = of, placed(theme, laid, chapters, self.width())
        paint_marks(painter, theme, laid, self._marks, self._by_letter)
        if self._pair[1] is None:
            recorded, playhead = self._frame.recorded, self.playhead
            self._names = paint_ends(painter, theme, laid, curves, recorded, self._bad, playhead)
        elif not laid.compact:
            self._names = Names(tuple(paint_last(painter, theme, laid, self._by_letter)))

    @property
    def _lacks_curves(self) -> bool:
        """Whether what is shown holds no curve, and none will come."""
        if self._frame.trace is None or self._frame.modified:
            return False
        curves = self._curves[1]
        return not len(curves.loss) and not len(curves.accuracy) and curves.broken is None

    def _shown(self, laid: ChartLayout) -> Shown:
        second = None if self._pair[1] is None else self._pair[1][1]
        size, ratio = self.size(), self.devicePixelRatioF()
        return Shown(self._theme, size, ratio, laid, self._frame, self._curves[1], second)

    def _paint_playhead(self, painter: QPainter, laid: ChartLayout, curves: Curves) -> None:
        epoch, theme, plot = self.playhead, self._theme, laid.axis
        if epoch is None or not plot.holds(epoch):
            return
        x, ink = plot.x(epoch), theme.color("ink1")
        painter.setPen(QPen(ink, theme.px(2)))
        painter.drawLine(QPointF(x, plot.top - theme.px(8)), QPointF(x, laid.track))
        painter.setBrush(theme.color("raised"))
        painter.setPen(QPen(ink, 2.5 * theme.percent / 100))
        radius = theme.px(_HANDLE if not laid.compact else 7)
        painter.drawEllipse(QPointF(x, laid.track), radius, radius)
        other = self._by_letter.get("B")
        second = None if other is None else other.loss_at(epoch)
        if other is not None and second is not None:
            small = DOT * theme.percent / 100
            painter.setPen(QPen(theme.color("run_b"), 1.75 * theme.percent / 100))
            painter.drawEllipse(QPointF(x, plot.y(float(other.heights(second)))), small, small)
        loss = curves.loss_at(epoch)
        if loss is None:
            return
        y = plot.y(float(curves.heights(loss)))
        small = DOT * theme.percent / 100
        painter.setPen(QPen(ink, 1.75 * theme.percent / 100))
        painter.drawEllipse(QPointF(x, y), small, small)
        if not laid.compact and other is None and not self._names.say_loss:
            self._paint_value(painter, plot, loss, QPointF(x, y))

    def _paint_value(self, painter: QPainter, plot: EpochAxis, loss: float, at: QPointF) -> None:
        """Write the loss beside its dot, where no other label stands."""
        theme = self._theme
        label = word(theme, display_number(loss, 2), 15, 600)
        gap = theme.px(12)
        height = at.y() - label.height if at.y() - label.height > plot.top else at.y() + theme.px(4)
        for x in (at.x() + gap, at.x() - gap - label.width):
            box = QRectF(x, height, label.width, label.height)
            inside = plot.left <= box.left() and box.right() <= self.width()
            if inside and not any(box.intersects(end) for end in self._names.boxes):
                ground = box.adjusted(-3, 1, 3, -1)
                painter.fillRect(ground, theme.color("win", 0.85))
                paint_word(painter, label, box.x(), box.center().y(), theme.color("ink1"))
                return

    # --- the mouse -------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the recorded epoch next to the mouse."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._chosen = event.position().x(), event.position().x()
        else:
            frame = self._frame
            follows = frame.progress.active and frame.playback.following
            self._pressed_at = None if follows else float(frame.epoch)
            self._dragged = -1
            self._go(event.position().x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Follow the mouse with the button down; else read the values below it."""
        if self._chosen is not None:
            axis = self.plot
            self._chosen = self._chosen[0], min(max(event.position().x(), axis.left), axis.right)
            self.update()
        elif self._dragged is not None:
            self._go(event.position().x())
        else:
            self._hovered = event.position().x()
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End a drag, and show a chosen range."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        if self._dragged is not None:
            if 0 <= self._dragged < len(self._frame.recorded):
                self.reached.emit(float(self._frame.recorded[self._dragged]), False)
            self._dragged = None
        if self._chosen is not None:
            (left, right), self._chosen = sorted(self._chosen), None
            self.update()
            if right - left > _DRAGGED:
                self.show_range(self.plot.epoch(left), self.plot.epoch(right))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show all epochs again, at the epoch of before; where they are, press again."""
        if self._range is None:
            self.mousePressEvent(event)
        elif event.button() == Qt.MouseButton.LeftButton:
            self.show_all()
            if self._pressed_at is None:
                self.followed.emit()
            else:
                self.reached.emit(self._pressed_at, False)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom about the mouse; sideways, or with Shift, move along."""
        across, along = event.angleDelta().y(), event.angleDelta().x()
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            across, along = 0, along or across
        axis = self.plot
        if along:
            by = -along / _NOTCH * 0.1 * (axis.last - axis.first)
            self.show_range(axis.first + by, axis.last + by)
        elif across and self._last > 0:
            self.zoom(ZOOM ** (-across / _NOTCH), axis.epoch(event.position().x()))

    def leaveEvent(self, event: QEvent) -> None:
        """Read no values any more."""
        self._hovered = None
        self.update()
        super().leaveEvent(event)

    def _go(self, x: float) -> None:
        recorded = self._frame.recorded
        if not len(recorded):
            return
        step = nearest(recorded, self.plot.epoch(x))
        if step != self._dragged:
            self._dragged = step
            self.reached.emit(float(recorded[step]), True)
