"""The timeline's picture: loss and accuracy over the scrubber, and the playhead through both."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPaintEngine,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
)
from PySide6.QtWidgets import QSizePolicy, QSlider, QWidget

from explorer.kit.canvas.text import word
from explorer.kit.epoch_axis import nearest
from explorer.kit.loss_curves import Curves, Plot, curves_of
from explorer.kit.theme import Theme
from explorer.rooms.train.timeline_paint import (
    DOT,
    Setting,
    paint_broken,
    paint_ground,
    paint_no_curves,
    paint_word,
)
from explorer.session import Array
from explorer.session.train import Scalars, TrainFrame
from explorer.text import _, display_number

# px at 100 %, at the full height and in a low window
_LEFT, _RIGHT = 40, 16
_PLACES = {False: (17, 91, 114, 133), True: (8, 34, 45, 60)}  # plot, track, labels
_HANDLE = 9
_BY_KEYS = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)


class StepSlider(QSlider):
    """The recorded steps as a slider: never seen, but found and moved by screen readers."""

    ringed = Signal(bool)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setAccessibleName(_("Timeline"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setGeometry(-4000, 0, 200, 20)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave every key to the timeline."""
        event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Ask for a ring where the focus came by a key."""
        super().focusInEvent(event)
        self.ringed.emit(event.reason() in _BY_KEYS)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Ask for no ring."""
        super().focusOutEvent(event)
        self.ringed.emit(False)


class TimelineChart(QWidget):
    """Paints the curves and the track; a press or a drag asks for the recorded epoch next to it."""

    reached = Signal(float)  # an epoch
    stepped = Signal(int)  # a recorded step, by a screen reader

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._frame = TrainFrame()
        self._compact = False
        self._curves: tuple[Scalars, Curves] = (self._frame.scalars, Curves())
        self._ground: tuple[tuple[object, ...], QPixmap] | None = None
        self._ends: list[QRectF] = []
        self._dragged: int | None = None  # the step asked for last while the button is down
        self._hovered: float | None = None
        self._ringed = False
        self.slider = StepSlider(self)
        self.slider.valueChanged.connect(self.stepped)
        self.slider.ringed.connect(self._ring)
        self.setFocusProxy(self.slider)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        """Return a size at which the curves can be read."""
        return QSize(self._theme.px(640), self._theme.px(148))

    def minimumSizeHint(self) -> QSize:
        """Return a size at which the track can be used."""
        return QSize(self._theme.px(120), self._theme.px(72))

    # --- showing ---------------------------------------------------------------------------------

    def draw(self, frame: TrainFrame) -> None:
        """Show the frame's curves and the place of its cursor."""
        self._frame = frame
        self._curves = curves_of(frame, self._curves)
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

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        self.updateGeometry()
        self.update()

    # --- places ----------------------------------------------------------------------------------

    @property
    def plot(self) -> Plot:
        """Where the curves are now."""
        return self._setting().plot

    def _setting(self) -> Setting:
        px, recorded = self._theme.px, self._frame.recorded
        top, bottom, track, labels = map(px, _PLACES[self._compact])
        last = max(
            self._frame.last_epoch,
            int(self._curves[1].end or 0),
            int(recorded[-1]) if len(recorded) else 0,
        )
        plot = Plot(px(_LEFT), top, max(self.width() - px(_RIGHT), px(_LEFT) + 1), bottom, last)
        return Setting(plot, track, labels, self._compact)

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
        painter = QPainter(self)
        setting, curves = self._setting(), self._curves[1]
        if painter.paintEngine().type() == QPaintEngine.Type.Raster:
            painter.drawPixmap(0, 0, self._still(setting, curves))
        else:  # a vector picture
            self._ends = paint_ground(
                painter, self._theme, setting, curves, self._frame.recorded, self._bad
            )
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_playhead(painter, setting, curves)
        paint_broken(painter, self._theme, setting.plot, curves)  # not below the playhead's dot
        if not setting.compact and self._lacks_curves:
            paint_no_curves(painter, self._theme, setting.plot)
        if self._hovered is not None and self._dragged is None:
            self._paint_readout(painter, setting.plot, curves, self._hovered)
        if self._ringed:
            painter.setPen(QPen(self._theme.color("ink1"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(self.rect().adjusted(1, 2, -1, -2), 5, 5)
        painter.end()

    @property
    def _lacks_curves(self) -> bool:
        """Whether what is shown holds no curve, and none will come."""
        if self._frame.trace is None or self._frame.modified:
            return False
        curves = self._curves[1]
        return not len(curves.loss) and not len(curves.accuracy) and curves.broken is None

    def _still(self, setting: Setting, curves: Curves) -> QPixmap:
        ratio = self.devicePixelRatioF()
        frame = self._frame
        bad = self._bad
        shown = (curves, frame.trace, len(frame.recorded), bad)
        key = (self.size(), ratio, self._theme, setting, shown)
        if self._ground is None or self._ground[0] != key:
            pixmap = QPixmap(self.size() * ratio)
            pixmap.setDevicePixelRatio(ratio)
            pixmap.fill(self._theme.color("win"))
            painter = QPainter(pixmap)
            self._ends = paint_ground(painter, self._theme, setting, curves, frame.recorded, bad)
            painter.end()
            self._ground = key, pixmap
        return self._ground[1]

    def _paint_playhead(self, painter: QPainter, setting: Setting, curves: Curves) -> None:
        epoch, theme, plot = self.playhead, self._theme, setting.plot
        if epoch is None:
            return
        x, ink = plot.x(epoch), theme.color("ink1")
        painter.setPen(QPen(ink, theme.px(2)))
        painter.drawLine(QPointF(x, plot.top - theme.px(8)), QPointF(x, setting.track))
        painter.setBrush(theme.color("raised"))
        painter.setPen(QPen(ink, 2.5 * theme.percent / 100))
        radius = theme.px(_HANDLE if not setting.compact else 7)
        painter.drawEllipse(QPointF(x, setting.track), radius, radius)
        loss = curves.loss_at(epoch)
        if loss is None:
            return
        y = curves.loss_y(plot, loss)
        small = DOT * theme.percent / 100
        painter.setPen(QPen(ink, 1.75 * theme.percent / 100))
        painter.drawEllipse(QPointF(x, y), small, small)
        if not setting.compact:
            self._paint_value(painter, plot, loss, QPointF(x, y))

    def _paint_value(self, painter: QPainter, plot: Plot, loss: float, at: QPointF) -> None:
        """Write the loss beside its dot, where no other label stands."""
        theme = self._theme
        label = word(theme, display_number(loss, 2), 15, 600)
        gap = theme.px(12)
        height = at.y() - label.height if at.y() - label.height > plot.top else at.y() + theme.px(4)
        for x in (at.x() + gap, at.x() - gap - label.width):
            box = QRectF(x, height, label.width, label.height)
            inside = plot.left <= box.left() and box.right() <= self.width()
            if inside and not any(box.intersects(end) for end in self._ends):
                ground = box.adjusted(-3, 1, 3, -1)
                painter.fillRect(ground, theme.color("win", 0.85))
                paint_word(painter, label, box.x(), box.center().y(), theme.color("ink1"))
                return

    def _paint_readout(self, painter: QPainter, plot: Plot, curves: Curves, x: float) -> None:
        theme, end = self._theme, curves.end
        epoch = plot.epoch(x)
        if end is None or epoch > end + 0.5:
            return
        epoch = float(curves.epochs[nearest(curves.epochs, epoch)])
        x = plot.x(epoch)
        painter.setPen(QPen(theme.color("ctl"), 1, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(x, plot.top), QPointF(x, plot.bottom))
        label = word(theme, curves.said(epoch), 13)
        pad = theme.px(8)
        width, height = label.width + 2 * pad, label.height + theme.px(4)
        left = x + pad if x + pad + width <= self.width() else x - pad - width
        box = QRectF(max(left, 1.0), 1.0, width, height)
        painter.setPen(QPen(theme.color("line2"), 1))
        painter.setBrush(theme.color("raised"))
        painter.drawRoundedRect(box, theme.px(5), theme.px(5))
        paint_word(painter, label, box.x() + pad, box.center().y(), theme.color("ink1"))

    # --- the hand --------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the recorded epoch next to the mouse."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._dragged = -1
            self._go(event.position().x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Follow the mouse with the button down; else read the values below it."""
        if self._dragged is not None:
            self._go(event.position().x())
        else:
            self._hovered = event.position().x()
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End a drag."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._dragged = None

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
            self.reached.emit(float(recorded[step]))

    def _ring(self, ringed: bool) -> None:
        self._ringed = ringed
        self.update()
