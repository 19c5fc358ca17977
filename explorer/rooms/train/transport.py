"""The left of the timeline: where one looks, and the buttons that move on from there."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.kit.icons import SIDE, icon
from explorer.kit.labels import plain_line
from explorer.kit.layouts import put
from explorer.kit.small_inputs import CalmCombo
from explorer.kit.theme import Theme
from explorer.session.train import TrainFrame
from explorer.session.train.intents import (
    ChangeTrainLook,
    GoToStep,
    Play,
    SetLoop,
    SetRate,
    StepBy,
)
from explorer.session.train.measures import MEASURES
from explorer.text import _, plain_tip

WIDTH = 256  # px at 100 %
RATES = (1, 2, 4, 8, 16)
_TRAVEL = {
    Qt.Key.Key_Left,
    Qt.Key.Key_Right,
    Qt.Key.Key_Home,
    Qt.Key.Key_End,
}


class TransportButton(QToolButton):
    """A button that leaves the keys of the timeline to the timeline."""

    def __init__(self, icon_name: str, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.icon_name = icon_name
        self.setAccessibleName(name)
        self.setToolTip(plain_tip(name))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Press with Space; the arrows move on in time instead of to another button."""
        if event.key() in _TRAVEL:
            event.ignore()
        else:
            super().keyPressEvent(event)


class Transport(QWidget):
    """Says the epoch and the step, and holds the buttons to move, to play and to loop."""

    intent = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._frame = TrainFrame()
        self._compact = False
        self._place = ""  # a template
        self.title, self.place = plain_line(), plain_line("ink2")
        self.to_start = TransportButton("to-start", _("To the start"))
        self.back = TransportButton("step-back", _("One step back"))
        self.play = QPushButton()
        self.play.setProperty("kind", "primary")
        self.forward = TransportButton("step-forward", _("One step forward"))
        self.to_end = TransportButton("to-end", _("To the end"))
        self.loop = TransportButton("loop", _("Begin again at the end"))
        self.loop.setCheckable(True)
        self.rate: QComboBox = CalmCombo(_("Steps a second"))
        for rate in RATES:
            self.rate.addItem(_("{rate} steps/s").format(rate=rate), rate)
        self.measure: QComboBox = CalmCombo(_("What is plotted under the loss"))
        self.measure.setToolTip(plain_tip(_("What is plotted under the loss")))
        self.measure.addItem(_("Loss"), None)
        for key, (title, _function) in MEASURES.items():
            self.measure.addItem(_(title), key)
        self.measure.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._build()
        self.retheme(theme)

    def _build(self) -> None:
        self._rows = QVBoxLayout(self)
        self._head, self._buttons, self._foot = QHBoxLayout(), QHBoxLayout(), QHBoxLayout()
        self._head.addWidget(self.title, 0, Qt.AlignmentFlag.AlignBottom)
        self._head.addStretch(1)
        self._head.addWidget(self.place, 0, Qt.AlignmentFlag.AlignBottom)
        for button in (self.to_start, self.back, self.play, self.forward, self.to_end):
            self._buttons.addWidget(button)
            if button is not self.to_end:
                self._buttons.addStretch(1)
        put(self._foot, self.loop, (self.measure, 1), self.rate)
        put(self._rows, self._head, self._buttons, self._foot, None)
        self.to_start.clicked.connect(lambda: self.intent.emit(GoToStep(0)))
        self.to_end.clicked.connect(lambda: self.intent.emit(GoToStep(self._last)))
        self.back.clicked.connect(lambda: self.move_by(-1))
        self.forward.clicked.connect(lambda: self.move_by(1))
        self.play.clicked.connect(self.toggle_playing)
        self.loop.clicked.connect(self._toggle_loop)
        self.rate.activated.connect(self._choose_rate)
        self.measure.activated.connect(self._choose_measure)

    @property
    def _last(self) -> int:
        return len(self._frame.recorded) - 1

    # --- asking ----------------------------------------------------------------------------------

    def move_by(self, steps: int) -> None:
        """Ask for a step further on or back; keys may come faster than pictures."""
        if self._last >= 0:
            self.intent.emit(StepBy(steps))

    def move_to_end(self, end: bool) -> None:
        """Ask for the last recorded step, or for the first."""
        if self._last >= 0:
            self.intent.emit(GoToStep(self._last if end else 0))

    def toggle_playing(self) -> None:
        """Ask to play, or to stop playing."""
        if self.play.isEnabled():
            self.intent.emit(Play(not self._frame.playback.playing))

    def _toggle_loop(self) -> None:
        self.loop.setChecked(self._frame.playback.loop)  # the frame alone says what is checked
        self.intent.emit(SetLoop(not self._frame.playback.loop))

    def _choose_rate(self, index: int) -> None:
        wanted = self.rate.itemData(index)
        self._show_rate()
        self.intent.emit(SetRate(wanted))

    def _choose_measure(self, index: int) -> None:
        wanted = self.measure.itemData(index)
        self._show_measure()
        self.intent.emit(ChangeTrainLook({"measure": wanted}))

    def _show_measure(self) -> None:
        index = self.measure.findData(self._frame.look.measure)
        if index != self.measure.currentIndex():
            self.measure.setCurrentIndex(index)

    # --- showing ---------------------------------------------------------------------------------

    def draw(self, frame: TrainFrame) -> None:
        """Show the frame's place and how it moves."""
        before, self._frame = self._frame, frame
        count, step = len(frame.recorded), frame.cursor.step
        if count != len(before.recorded) or frame.trace is not before.trace:
            self._fit()
        self._show_place()
        self.to_start.setEnabled(step > 0 and count > 0)
        self.back.setEnabled(step > 0 and count > 0)
        self.forward.setEnabled(step < count - 1)
        self.to_end.setEnabled(step < count - 1)
        self.play.setEnabled(count > 1)
        self.loop.setEnabled(count > 1)
        self.rate.setEnabled(count > 1)
        self.measure.setEnabled(count > 0)
        self._show_measure()
        self.loop.setChecked(frame.playback.loop)
        if frame.playback.playing != before.playback.playing:
            self._show_playing()
        self._show_rate()

    def _show_place(self) -> None:
        frame = self._frame
        count = len(frame.recorded)
        if not count:
            self._say(_("No run yet"), "")
            return
        self._say(
            _("Epoch {epoch}").format(epoch=frame.epoch),
            self._place.format(step=frame.cursor.step + 1, count=count),
        )

    def _fit(self) -> None:
        """Choose the largest title and the longest words that the last step has room for."""
        recorded, theme = self._frame.recorded, self._theme
        count = len(recorded)
        title = _("Epoch {epoch}").format(epoch=recorded[-1] if count else 0)
        templates = (_("step {step} of {count}"), _("{step} of {count}"), "{step}/{count}")
        small = theme.font(13)
        measure = QFontMetricsF(small).horizontalAdvance
        for size in (16, 14) if self._compact else (22, 18, 15):
            font = theme.font(size, 600)
            room = theme.px(WIDTH - 32 - 8) - QFontMetricsF(font).horizontalAdvance(title)
            for template in templates:
                self._place = template
                if measure(template.format(step=count, count=count)) <= room:
                    break
            else:
                continue
            break
        self.title.setFont(font)
        self.place.setFont(small)
        # On one baseline.
        deeper = QFontMetricsF(font).descent() - QFontMetricsF(small).descent()
        self.place.setContentsMargins(0, 0, 0, round(deeper))
        self._show_place()

    def _say(self, title: str, place: str) -> None:
        if self.title.text() != title:
            self.title.setText(title)
        if self.place.text() != place:
            self.place.setText(place)

    def _show_playing(self) -> None:
        playing = self._frame.playback.playing
        name = _("Stop playing") if playing else _("Play")
        self.play.setIcon(icon("pause" if playing else "play", self._theme, "on_sel"))
        self.play.setAccessibleName(name)
        self.play.setToolTip(plain_tip(name))

    def _show_rate(self) -> None:
        index = self.rate.findData(self._frame.playback.rate)
        if index != self.rate.currentIndex():
            self.rate.setCurrentIndex(index)

    def set_compact(self, compact: bool) -> None:
        """Leave the last row out and make the others lower, or not."""
        self._compact = compact
        self.retheme(self._theme)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        px, compact = theme.px, self._compact
        self.setFixedWidth(px(WIDTH))
        self._rows.setContentsMargins(px(16), px(3 if compact else 10), px(16), 0)
        self._rows.setSpacing(px(2 if compact else 6))
        self._head.setSpacing(0)
        for button in (self.to_start, self.back, self.forward, self.to_end, self.loop):
            button.setIcon(icon(button.icon_name, theme))
            button.setIconSize(QSize(px(SIDE), px(SIDE)))
            button.setFixedSize(px(34), px(30))
        side = px(36 if compact else 44)
        self.play.setFixedSize(side, side)
        self.play.setIconSize(QSize(px(SIDE), px(SIDE)))
        self.play.setStyleSheet(
            f'QPushButton[kind="primary"] {{ border-radius: {side // 2}px; padding: 0px; }}'
        )
        self._foot.setSpacing(px(4))
        for combo in (self.rate, self.measure):
            combo.setFont(theme.font(13))
        self.measure.view().setMinimumWidth(px(250))
        for widget in (self.loop, self.rate, self.measure):
            widget.setVisible(not compact)
        self._show_playing()
        self._fit()
