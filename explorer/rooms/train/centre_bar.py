"""The controls over the centre of Train: its pages, and what the word graph shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QSlider, QToolButton, QWidget

from explorer.kit.icons import SIDE, icon
from explorer.kit.labels import plain_line
from explorer.kit.segments import Segment, Segments
from explorer.kit.slider import slider_sheet
from explorer.kit.theme import SCALES, Theme
from explorer.rooms.train.base import TrainView
from explorer.session.train import Compared, TrainCentre, TrainChange, TrainFrame
from explorer.session.train.intents import ChangeTrainLook
from explorer.text import _, display_number

_STEPS = 100  # of the threshold between 0 and 1
_TRACK = 96  # px at 100 %: the slider's width
# How the groups may be laid out in rows; the first that fits is taken.
_ROWS = (
    ((0, 1, 2, 3),),
    ((0, 1), (2, 3)),
    ((0,), (1, 2, 3)),
    ((0,), (1, 3), (2,)),
)
_CLOSE: tuple[tuple[int, ...], ...] = ((0,), (1, 2))
_PAIRED = (((0, 4, 2),), ((0, 4), (2,)), ((0,), (4,), (2,)))  # while two runs are compared
_MOST_ROWS = 2  # before the threshold gives up its caption


class CentreBar(TrainView):
    """Pages on the left; on the word graph's page its layout, threshold and view on the right.

    The view of the graph (start, slow turn) is no state of the session: `reset_asked` and
    `turn_asked` go to the graph, and `show_turning` says what it does.
    """

    reset_asked = Signal()
    turn_asked = Signal(bool)
    concerns: ClassVar[TrainChange] = TrainChange.LOOK | TrainChange.TRACE | TrainChange.RUNS

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setObjectName("centre-bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.pages = Segments(
            [Segment(centre, _(centre.spec.title)) for centre in TrainCentre],
            _("Page"),
            theme,
            exclusive=True,
        )
        self.layouts = Segments(
            [
                Segment(False, _("PCA"), "", _("The axes along which the words differ most")),
                Segment(True, _("t-SNE"), "", _("Words that are alike lie close together")),
            ],
            _("Places of the words"),
            theme,
            exclusive=True,
        )
        self.compared = Segments(
            [
                Segment(Compared.ONE, _("One run"), "", _("A alone")),
                Segment(Compared.BOTH, _("A and B")),
                Segment(Compared.DIFFERENCE, _("Difference"), "", _("B \u2212 A")),
            ],
            _("What of two runs is shown"),
            theme,
            exclusive=True,
        )
        self.threshold = QSlider(Qt.Orientation.Horizontal)
        self.threshold.setObjectName("threshold")
        self.threshold.setRange(0, _STEPS)
        self.threshold.setPageStep(10)
        self.threshold.setAccessibleName(_("Edge Threshold"))
        self.threshold.setToolTip(_("Edges below this weight are not drawn"))
        self._caption, self._value = plain_line("ink2", text=_("Edge Threshold")), plain_line()
        self.turn = _button("turn", _("Turn slowly"), _("Turn slowly (A)"))
        self.turn.setCheckable(True)
        self.reset = _button("reset-view", _("Reset view"), _("Look from the start again (R)"))
        self._groups = [
            _group(self.pages),
            _group(self.layouts),
            _group(self._caption, self.threshold, self._value),
            _group(self.turn, self.reset),
            _group(self.compared),
        ]
        for group in self._groups:
            group.setParent(self)
        self.pages.picked.connect(lambda page: self.intent.emit(ChangeTrainLook({"page": page})))
        self.compared.picked.connect(
            lambda compared: self.intent.emit(ChangeTrainLook({"compared": compared}))
        )
        self.layouts.picked.connect(lambda tsne: self.intent.emit(ChangeTrainLook({"tsne": tsne})))
        self.threshold.valueChanged.connect(self._move)
        self.reset.clicked.connect(self.reset_asked)
        self.turn.clicked.connect(self._ask_turn)
        self._turning = False
        self._on_graph = True
        self.retheme(theme)

    def draw(self, frame: TrainFrame) -> None:
        """Show what the look says."""
        look = frame.look
        self.pages.show_checked({look.page})
        self.layouts.show_checked({look.tsne})
        self.threshold.blockSignals(True)
        self.threshold.setValue(round(look.threshold * _STEPS))
        self.threshold.blockSignals(False)
        text = display_number(look.threshold, 2)
        self._value.setText(text)
        self.threshold.setAccessibleDescription(text)
        for button in (self.layouts.button(False), self.layouts.button(True), self.reset):
            button.setEnabled(frame.trace is not None)
        self.turn.setEnabled(frame.trace is not None and not look.tsne)
        if self._on_graph is not (look.page is TrainCentre.GRAPH):
            self._on_graph = not self._on_graph
            self._apply_theme()
        pair = frame.other is not None
        self.compared.show_checked({look.compared})
        plain = not pair or look.compared is not Compared.DIFFERENCE
        self._groups[0].setVisible(plain)
        # Two runs lie in axes that both have: t-SNE has none.
        self._groups[1].setVisible(self._on_graph and not pair)
        self._groups[2].setVisible(self._on_graph and plain)
        self._groups[4].setVisible(pair)
        self._arrange()

    def show_turning(self, turning: bool) -> None:
        """Show whether the graph turns by itself."""
        self._turning = turning
        self.turn.setChecked(turning)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        super().retheme(theme)
        px = theme.px
        self.layouts.retheme(theme)
        self.compared.retheme(theme)
        for label in (self._caption, self._value):
            label.setFont(theme.font(14))
        self._value.setMinimumWidth(self._value.fontMetrics().horizontalAdvance("0.00"))
        self.threshold.setFixedSize(px(_TRACK), px(24))
        for button in (self.turn, self.reset):
            button.setIcon(icon(button.objectName(), theme))
            button.setIconSize(QSize(px(SIDE), px(SIDE)))
            button.setFixedSize(px(32), px(32))
        for group in self._groups:
            layout = group.layout()
            assert layout is not None
            layout.setSpacing(px(8) if group is self._groups[2] else 0)
        self._apply_theme()
        self._arrange()

    def _apply_theme(self) -> None:
        """Take the background of the page below, so that both look like one."""
        colour = self.theme.palette
        ground = colour.canvas if self._on_graph else colour.win
        self.setStyleSheet(
            f"#centre-bar {{ background: {ground}; }}{slider_sheet(self.theme, 'threshold')}"
        )

    def sizeHint(self) -> QSize:
        """Return the size of one row."""
        return QSize(self.theme.px(760), self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay the controls out in the new width."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Lay the groups out in as few rows as the width allows."""
        px = self.theme.px
        gap = px(12)
        margin = px(16 if self.width() >= px(600) else 8)
        room = max(self.width() - 2 * margin, 1)
        # These take smaller text where a whole row is too narrow for them.
        for segments, group in ((self.pages, self._groups[0]), (self.compared, self._groups[4])):
            for percent in sorted({p for p in SCALES if p <= self.theme.percent}, reverse=True):
                segments.retheme(replace(self.theme, percent=percent))
                if group.sizeHint().width() <= room:
                    break
        pair = not self._groups[4].isHidden()
        choices: Sequence[tuple[tuple[int, ...], ...]]
        rows: tuple[tuple[int, ...], ...]
        choices = _ROWS if self._on_graph else (((0,),),)
        if pair:
            choices = _PAIRED if self._on_graph else (((0, 4),), ((0,), (4,)))
            if self._groups[0].isHidden():
                choices = (((4,),),)
        self._groups[3].setVisible(self._on_graph and not pair)
        self.threshold.setFixedWidth(px(_TRACK))
        for captioned in (True, False):
            self._caption.setVisible(captioned)  # the slider says what it is without it too
            sizes = [group.sizeHint() for group in self._groups]
            rows = next((rows for rows in choices if _fits(rows, sizes, gap, room)), choices[-1])
            if len(rows) <= (1 if choices is _PAIRED else _MOST_ROWS):
                break
        if len(rows) > _MOST_ROWS and not pair:  # keys turn and reset
            rows = _CLOSE
            self._groups[3].hide()
            self.threshold.setFixedWidth(px(_TRACK) // 2)
            sizes = [group.sizeHint() for group in self._groups]
        top = gap
        for row in rows:
            height = max(sizes[n].height() for n in row)
            left, right = margin, self.width() - margin
            for n in row[:1] + row[:0:-1]:
                # The first of a row stands on its left, the others together on its right.
                x = left if n == row[0] else right - sizes[n].width()
                y = top + (height - sizes[n].height()) // 2
                self._groups[n].setGeometry(x, y, sizes[n].width(), sizes[n].height())
                right = x - gap if n != row[0] else right
            top += height + px(8)
        if self.height() != top:
            self.setFixedHeight(top)

    def _move(self, value: int) -> None:
        self.intent.emit(ChangeTrainLook({"threshold": value / _STEPS}))

    def _ask_turn(self) -> None:
        self.turn.setChecked(self._turning)  # what is checked is said by the graph alone
        self.turn_asked.emit(not self._turning)


def _fits(rows: tuple[tuple[int, ...], ...], sizes: list[QSize], gap: int, room: int) -> bool:
    return all(sum(sizes[n].width() for n in row) + gap * (len(row) - 1) <= room for row in rows)


def _button(name: str, accessible: str, tooltip: str) -> QToolButton:
    button = QToolButton()
    button.setObjectName(name)
    button.setAccessibleName(accessible)
    button.setToolTip(tooltip)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button


def _group(*widgets: QWidget) -> QWidget:
    group = QWidget()
    row = QHBoxLayout(group)
    row.setContentsMargins(0, 0, 0, 0)
    for widget in widgets:
        row.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)
    return group
