"""Over the laboratory: its title, the way back, the width d and whose q and k are looked at."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from explorer.attention import WIDEST
from explorer.kit.labels import plain_line
from explorer.kit.layouts import put, set_direction, set_spacing
from explorer.kit.segments import Segment, Segments
from explorer.kit.slider import LogScale, Slider, slider_sheet
from explorer.kit.small_inputs import CalmWheel, give_font
from explorer.kit.theme import Theme
from explorer.session import Centre, Frame
from explorer.session.intents import ChangeLook, Phase
from explorer.text import _, plain_tip

_TITLES = (22, 18, 15)  # px at 100 %; the first that has room
_TRACK = 120


class WidthField(CalmWheel, QSpinBox):
    """A number field that the wheel changes only where it has the focus."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setRange(1, WIDEST)
        self.setKeyboardTracking(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(_("Width d of q and k, as a number"))


class Controls(QWidget):
    """Title and way back in the first row; the width and the choice of q and k in the next ones."""

    intent = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("sqrt-d-controls")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._theme = theme
        self._frame: Frame | None = None
        self.title = plain_line(parent=self, text=_("Why divide by √d"))
        self.back = QPushButton(_("Back to the plane"), self)
        self.back.clicked.connect(lambda: self.intent.emit(ChangeLook({"centre": Centre.PLANE})))
        self._width = QWidget(self)
        self._caption = plain_line("ink2", self._width, _("Width d"))
        self.slider = Slider(_("Width d of q and k"), LogScale(1, WIDEST, whole=True), self._width)
        self.slider.setObjectName("width")
        self.field = WidthField(self._width)
        self.choice = Segments(
            [
                Segment(
                    False,
                    _("Random q, k"),
                    "",
                    _("Their components are independent standard normal numbers"),
                ),
                Segment(True, _("This scene's Q and K")),
            ],
            _("Whose q and k"),
            theme,
            exclusive=True,
            parent=self,
        )
        self._build()
        self.retheme(theme)

    def _build(self) -> None:
        column = QVBoxLayout(self)
        self._head, self._row = QHBoxLayout(), QBoxLayout(QBoxLayout.Direction.LeftToRight)
        put(self._head, (self.title, 1), self.back)
        width = QHBoxLayout(self._width)
        width.setContentsMargins(0, 0, 0, 0)
        put(width, self._caption, (self.slider, 1), self.field)
        self._row.addWidget(self._width, 1)
        self._row.addWidget(self.choice, 0, Qt.AlignmentFlag.AlignLeft)
        put(column, self._head, self._row)
        self.slider.asked.connect(self._slide)
        self.field.valueChanged.connect(self._ask_width)
        self.choice.picked.connect(self._ask_own)

    def draw(self, frame: Frame) -> None:
        """Show what the look says."""
        self._frame = frame
        trial = frame.look.trial
        width = frame.scene.d_k if trial.own else trial.width
        self.choice.show_checked({trial.own})
        self.slider.show_number(width)
        with QSignalBlocker(self.field):
            self.field.setValue(width)
        tip = _("This scene's d_k; Options, bottom left, change it") if trial.own else ""
        for widget in (self.slider, self.field):
            widget.setEnabled(not trial.own)
            widget.setToolTip(plain_tip(tip))

    def be_presented(self) -> None:
        """Leave title and way back out: for an audience."""
        self.title.hide()
        self.back.hide()
        self.retheme(self._theme)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        px = theme.px
        column, width = self.layout(), self._width.layout()
        assert column is not None
        assert width is not None
        # The cross that closes a presented page stands in the corner.
        right = px(16) if self.title.isVisibleTo(self) else px(52)
        set_spacing(column, px(16), px(12), right, px(8), gap=px(10))
        self._row.setSpacing(px(16))
        width.setSpacing(px(8))
        self._caption.setFont(theme.font(14))
        give_font(self.field, theme.font(15))
        self.back.setFont(theme.font(14))
        self.slider.setMinimumSize(px(_TRACK), px(24))
        self.choice.retheme(theme)
        self.setStyleSheet(slider_sheet(theme, "width"))
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay the controls out in the new width."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Choose the title's size, and one row or two for the controls."""
        px, room = self._theme.px, self.width() - 2 * self._theme.px(16)
        beside = room - self.back.sizeHint().width() - px(8)
        for size in _TITLES:
            font = self._theme.font(size, 600)
            if QFontMetricsF(font).horizontalAdvance(self.title.text()) <= beside:
                break
        self.title.setFont(font)
        needed = self._width.sizeHint().width() + px(16) + self.choice.sizeHint().width()
        set_direction(self._row, beside=needed <= room)

    def _slide(self, width: float, phase: Phase) -> None:
        if phase is Phase.MOVE:
            self._ask_width(int(width))

    def _ask_width(self, width: int) -> None:
        if self._frame is not None:
            self.intent.emit(ChangeLook({"trial": replace(self._frame.look.trial, width=width)}))

    def _ask_own(self, own: bool) -> None:
        if self._frame is not None:
            self.intent.emit(ChangeLook({"trial": replace(self._frame.look.trial, own=own)}))
