"""The timeline at the foot of Train: where one looks, the curves, and following a run."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QIcon,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
)
from PySide6.QtWidgets import (
    QHBoxLayout,
    QInputDialog,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from explorer.kit.context_menu import show_menu
from explorer.kit.layouts import as_panel, fix_height, put, set_direction
from explorer.kit.painted import is_alone
from explorer.kit.theme import Theme
from explorer.rooms.train.base import TrainView
from explorer.rooms.train.over_time import HEIGHT as OVER_TIME
from explorer.rooms.train.timeline_chart import HEIGHT, ZOOM
from explorer.rooms.train.timeline_curves import TimelineCurves
from explorer.rooms.train.timeline_marks import next_chapter
from explorer.rooms.train.transport import Transport
from explorer.session.train import TrainChange, TrainFrame
from explorer.session.train.intents import FollowLive, GoToEpoch, MarkEpoch
from explorer.text import _, plain_tip

COMPACT = 72  # px at 100 %, in a low window
_WITH_SHIFT = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier)


class TimelineView(TrainView):
    """Shows where in the run one looks, over its loss and accuracy, or the losses of two runs.

    N goes to the next chapter, Shift+N to the one before.
    Left and Right move a step, Home and End to the ends; Space plays; L follows the run.
    + and − zoom, 0 shows all epochs.
    """

    concerns = (
        TrainChange.TRACE
        | TrainChange.RECORDED
        | TrainChange.CURSOR
        | TrainChange.MOTION
        | TrainChange.PLAYBACK
        | TrainChange.PROGRESS
        | TrainChange.RUNS
        | TrainChange.LOOK
        | TrainChange.SELECTION
    )

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setAccessibleName(_("Timeline"))
        as_panel(self)
        self._compact = self._beside = False
        self._active = False
        self._frame: TrainFrame | None = None
        self.transport = Transport(theme)
        self.live = QPushButton("\u2009" + _("Live"))  # apart from the dot
        self.live.setAccessibleName(_("Live"))
        self.live.setCheckable(True)
        self.live.setToolTip(plain_tip(_("Stay at the newest step of the run")))
        policy = self.live.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.live.setSizePolicy(policy)
        self.live.hide()
        self._layout = QHBoxLayout(self)
        self._layout.setSpacing(0)
        self._layout.addWidget(self.transport)
        self.curves = TimelineCurves(theme)
        self.chart, self.over_time = self.curves.chart, self.curves.over_time
        self._layout.addWidget(self.curves, 1)
        self._corner = QVBoxLayout()
        put(self._corner, None, self.live)
        self._layout.addLayout(self._corner)
        self.transport.intent.connect(self.intent)
        self.curves.intent.connect(self.intent)
        mark = QAction(_("Mark this epoch…"), self.curves)
        mark.triggered.connect(self._ask_mark)
        self.curves.addAction(mark)
        self.live.clicked.connect(self._follow)
        self._following = False
        self.setFocusProxy(self.chart)
        self.retheme(theme)

    def take_over(self, before: TimelineView) -> None:
        """Show of the curves what another timeline shows."""
        self.curves.look_as(before.curves)

    def _ask_mark(self) -> None:
        """Ask for the text at the playhead's epoch, and for the mark."""
        frame = self._frame
        if frame is None or frame.trace is None:
            return
        known = {each.epoch: each.text for each in frame.marks_of(frame.shown)}
        text, wanted = QInputDialog.getText(
            self,
            _("Mark this epoch…"),
            _("Text at epoch {epoch}; leave empty to remove the mark").format(epoch=frame.epoch),
            text=known.get(frame.epoch, ""),
        )
        if wanted:
            self.intent.emit(MarkEpoch(frame.epoch, text))

    def draw(self, frame: TrainFrame) -> None:
        """Show where the frame's cursor is and how far the run is."""
        self._frame = frame
        self._active = frame.progress.active
        following = self._active and frame.playback.following
        if self.live.isHidden() == self._active:
            self.live.setVisible(self._active)
        if following != self._following:
            self._following = following
            self._show_live()
        self.transport.draw(frame)
        hidden = self.over_time.isHidden()
        self.curves.draw(frame)
        if self.over_time.isHidden() != hidden:
            self._fit()

    def be_presented(self) -> None:
        """Take little room below a slide."""
        policy = self.live.sizePolicy()
        policy.setRetainSizeWhenHidden(False)  # nothing is pressed there that could move
        self.live.setSizePolicy(policy)
        self.set_compact(True)

    def is_narrow(self) -> bool:
        """Return whether the buttons leave the curves less than half of the width."""
        return self.transport.width() > self.width() / 2

    def set_compact(self, compact: bool) -> None:
        """Take half the height, for a low window: no words in the picture, no rate."""
        if compact != self._compact:
            self._compact = compact
            self.transport.set_compact(compact)
            self.chart.set_compact(compact and not self._beside)
            self.retheme(self.theme)

    def stand_beside(self, beside: bool) -> None:
        """Put the curves under the buttons, with the height that there is, or beside them."""
        self._beside = beside
        set_direction(self._layout, beside=not beside)
        self.chart.set_compact(self._compact and not beside)
        self._fit()

    def sizeHint(self) -> QSize:
        """Return the size that it has below all else."""
        height = COMPACT if self._compact else HEIGHT
        more = 0 if self.over_time.isHidden() else OVER_TIME
        return QSize(self.theme.px(960), self.theme.px(height + more))

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        super().retheme(theme)
        self.curves.retheme(theme)
        self._fit()
        margin = theme.px(14)
        self._layout.setContentsMargins(0, 1, 0, 0)  # beneath the hairline
        self._corner.setContentsMargins(0, 0, margin, margin)
        self.transport.retheme(theme)
        self.live.setFont(theme.font(14, 500))
        self._show_live()

    def _fit(self) -> None:
        """Take the height of the loss, and of the measure under it where one is plotted."""
        fix_height(self, None if self._beside else self.sizeHint().height())

    def _show_live(self) -> None:
        side = self.theme.px(10)
        ratio = self.devicePixelRatioF()
        dot = QPixmap(QSize(side, side) * ratio)
        dot.setDevicePixelRatio(ratio)
        dot.fill(Qt.GlobalColor.transparent)
        with QPainter(dot) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self.theme.color("on_sel" if self._following else "ink1"))
            painter.drawEllipse(0, 0, side, side)
        self.live.setIcon(QIcon(dot))
        self.live.setIconSize(QSize(side, side))
        self.live.setChecked(self._following)

    def _follow(self) -> None:
        self.live.setChecked(self._following)  # the frame alone says what is checked
        if self._active:
            self.intent.emit(FollowLive())

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer at the buttons what the curves offer, where they have a menu."""
        if self.curves.contextMenuPolicy() is Qt.ContextMenuPolicy.CustomContextMenu:
            show_menu(self.curves.actions(), event.globalPos(), self)
        else:
            super().contextMenuEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move, play or follow."""
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.key() == Qt.Key.Key_N and event.modifiers() in _WITH_SHIFT:
            epoch = None if self._frame is None else next_chapter(self._frame, not shift)
            if epoch is not None:
                self.intent.emit(GoToEpoch(epoch))
            return
        if not is_alone(event):
            super().keyPressEvent(event)
            return
        match event.key():
            case Qt.Key.Key_Left:
                self.transport.move_by(-1)
            case Qt.Key.Key_Right:
                self.transport.move_by(1)
            case Qt.Key.Key_Home:
                self.transport.move_to_end(False)
            case Qt.Key.Key_End:
                self.transport.move_to_end(True)
            case Qt.Key.Key_Space:
                self.transport.toggle_playing()
            case Qt.Key.Key_L:
                self._follow()
            case Qt.Key.Key_Plus | Qt.Key.Key_Equal:
                self.chart.zoom(1 / ZOOM)
            case Qt.Key.Key_Minus:
                self.chart.zoom(ZOOM)
            case Qt.Key.Key_0:
                self.chart.show_all()
            case _:
                super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint a hairline above."""
        super().paintEvent(event)
        with QPainter(self) as painter:
            painter.fillRect(0, 0, self.width(), 1, self.theme.color("line"))
