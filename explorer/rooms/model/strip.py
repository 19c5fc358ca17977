"""The strip below: which head one looks at, its pair in all heads, and the pair's arithmetic."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QAction, QFontMetricsF, QKeySequence
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLayout,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.kit.context_menu import offer_actions
from explorer.kit.icons import SIDE, icon
from explorer.kit.labels import plain_line
from explorer.kit.layouts import as_panel, fix_height, put, set_direction
from explorer.kit.numbers import Columns
from explorer.kit.theme import Theme
from explorer.rooms.model.arithmetic import HEIGHT, Arithmetic
from explorer.rooms.model.base import ModelView
from explorer.rooms.model.depth import DepthStrip
from explorer.rooms.model.steps import ChangeSum, StepsStrip
from explorer.session.intents import CopyText
from explorer.session.model.frame import ModelCentre, ModelChange, ModelFrame
from explorer.text import _, ngettext, plain_tip

_WHERE, _NARROW = 284, 170  # px at 100 %
_PACE = 900  # ms a layer while playing


class ModelStrip(ModelView):
    """Layer and head with buttons to go through the layers, the pair in depth, its arithmetic."""

    concerns: ClassVar[ModelChange] = (
        ModelChange.NUMBERS
        | ModelChange.PAIR
        | ModelChange.LOOK
        | ModelChange.TEXT
        | ModelChange.SWITCHES
        | ModelChange.EFFECTS
    )

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        as_panel(self)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(_("The chosen head and its pair"))
        self._frame = ModelFrame()
        self._compact = self._beside = False
        self.layer, self.head, self.count = map(plain_line, ("ink1", "ink2", "ink3"))
        self.back, self.play, self.forward = (QToolButton() for _button in range(3))
        for button, name in (
            (self.back, _("One layer back")),
            (self.forward, _("One layer on")),
        ):
            button.setAccessibleName(name)
            button.setToolTip(plain_tip(name))
        self.dots = DepthStrip(theme)
        self.sum = Arithmetic(theme)
        self.steps, self.change = StepsStrip(theme), ChangeSum(theme)
        self._timer = QTimer(self)
        self._timer.setInterval(_PACE)
        self._timer.timeout.connect(self._on)
        self.back.clicked.connect(lambda: self._move(-1))
        self.forward.clicked.connect(lambda: self._move(1))
        self.play.clicked.connect(self._toggle)
        for part in (self.dots, self.sum, self.steps, self.change):
            part.intent.connect(self.intent)
        copy = QAction(_("Copy the arithmetic"), self)
        copy.setShortcut(QKeySequence.StandardKey.Copy)
        copy.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        copy.triggered.connect(lambda: self.intent.emit(CopyText(self._text)))
        self.addAction(copy)
        offer_actions(self)
        self._place()
        self.setFocusProxy(self.dots)
        self._apply_theme()

    def _place(self) -> None:
        self._where = QWidget()
        column = QVBoxLayout(self._where)
        column.setContentsMargins(0, 0, 0, 0)
        self._title, self._buttons = QHBoxLayout(), QHBoxLayout()
        self._title.addWidget(self.layer, 0, Qt.AlignmentFlag.AlignBaseline)
        self._title.addWidget(self.head, 0, Qt.AlignmentFlag.AlignBaseline)
        self._title.addStretch(1)
        put(self._buttons, self.back, self.play, self.forward, self.count, None)
        put(column, None, self._title, self._buttons)
        column.addStretch(2)
        self._row = QHBoxLayout(self)
        self._row.setSpacing(0)
        # Where there is far too little room, the right end is cut rather than the window widened.
        self._row.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        self._row.addWidget(self._where)
        self._row.addWidget(self.dots, 0, Qt.AlignmentFlag.AlignTop)
        self._row.addWidget(self.sum, 1, Qt.AlignmentFlag.AlignTop)
        self._row.addWidget(self.steps, 1, Qt.AlignmentFlag.AlignTop)
        self._row.addWidget(self.change, 0, Qt.AlignmentFlag.AlignTop)

    def draw(self, frame: ModelFrame) -> None:
        """Show the head and the pair at the cursor."""
        self._frame = frame
        cursor, there = frame.cursor, frame.run is not None
        layers = 0 if frame.info is None else frame.info.layers
        self.layer.setText(_("Layer {layer}").format(layer=cursor.layer + 1) if there else "")
        self.head.setText(_("head {head}").format(head=cursor.head + 1) if there else "")
        counted = ngettext("{count} layer", "{count} layers", layers).format(count=layers)
        self.count.setText(counted if layers else "")
        self.back.setEnabled(there and cursor.layer > 0)
        self.forward.setEnabled(there and cursor.layer < layers - 1)
        self.play.setEnabled(there and layers > 1)
        if not there:
            self._timer.stop()
        self._show_playing()
        stepped = there and frame.look.centre is ModelCentre.NEXT and frame.follows is not None
        for part in (self.dots, self.sum):
            part.setVisible(not stepped)
            part.draw(frame)
        for each in (self.steps, self.change):
            each.setVisible(stepped)
            each.draw(frame)

    @property
    def _text(self) -> str:
        """What is copied: the arithmetic that is shown."""
        return self.sum.text if self.steps.isHidden() else self.change.text

    def plotted(self) -> Columns:
        """Return the pair's weight in every head: a row for each layer."""
        pair = self._frame.pair
        if pair is None:
            return {}
        heads = {f"head {head + 1}": column for head, column in enumerate(pair.weights.T)}
        return {"layer": range(1, len(pair.weights) + 1), **heads}

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; a `draw` follows."""
        super().retheme(theme)
        for part in (self.dots, self.sum, self.steps, self.change):
            part.retheme(theme)
        self._apply_theme()

    def set_compact(self, compact: bool) -> None:
        """Take less room for the title, in a narrow window, or not."""
        if compact != self._compact:
            self._compact = compact
            self.dots.set_compact(compact)
            self._apply_theme()

    def stand_beside(self, beside: bool) -> None:
        """Put the parts below one another, with the height that there is, or side by side."""
        self._beside = beside
        set_direction(self._row, beside=not beside)
        self._apply_theme()

    def sizeHint(self) -> QSize:
        """Return the design's size."""
        return QSize(self.theme.px(1440), self.theme.px(HEIGHT))

    # --- moving ----------------------------------------------------------------------------------

    @property
    def playing(self) -> bool:
        """Whether it goes through the layers by itself."""
        return self._timer.isActive()

    def _move(self, by: int) -> None:
        self.dots.go_to(self._frame.cursor.layer + by)

    def _toggle(self) -> None:
        """Go through the layers by itself, from the first where one is at the last; or stop."""
        if self.playing:
            self._timer.stop()
        else:
            if not self.forward.isEnabled():
                self.dots.go_to(0)
            self._timer.start()
        self._show_playing()

    def _on(self) -> None:
        layers = 0 if self._frame.info is None else self._frame.info.layers
        if self._frame.cursor.layer >= layers - 1 or not self.isVisible():
            self._timer.stop()
            self._show_playing()
        else:
            self._move(1)

    def _show_playing(self) -> None:
        name = _("Stop playing") if self.playing else _("Play the layers")
        if self.play.accessibleName() != name:
            self.play.setAccessibleName(name)
            self.play.setToolTip(plain_tip(name))
            self.play.setIcon(icon("pause" if self.playing else "play", self.theme, "ink1"))

    def _apply_theme(self) -> None:
        theme, px = self.theme, self.theme.px
        fix_height(self, None if self._beside else px(HEIGHT))
        size = 18 if self._compact else 22
        self.layer.setFont(theme.font(size, 600))
        self.head.setFont(theme.font(size))
        self.count.setFont(theme.font(13))
        self.count.setVisible(not self._compact)
        self._title.setSpacing(round(QFontMetricsF(theme.font(size)).horizontalAdvance(" ")))
        self._buttons.setSpacing(px(4))
        self._where.setFixedWidth(px(_NARROW if self._compact else _WHERE) - px(16))
        self._row.setContentsMargins(px(16), 0, px(16), 0)
        for button, name in (
            (self.back, "step-back"),
            (self.play, "pause" if self.playing else "play"),
            (self.forward, "step-forward"),
        ):
            button.setIcon(icon(name, theme, "ink1"))
            button.setIconSize(QSize(px(SIDE), px(SIDE)))
            button.setFixedSize(px(34), px(30))
