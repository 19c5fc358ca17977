"""The Q K V spaces: what each token asks, how it can be matched, where attention flows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import ClassVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.attention import Attention
from explorer.kit.layouts import fill
from explorer.kit.segments import Segment, Segments
from explorer.kit.theme import Theme
from explorer.rooms.train.base import TrainView
from explorer.rooms.train.head import Head, HeadHeading, shown_head
from explorer.rooms.train.space_pane import MATCHING, MIXING, TITLE, Axes, SpacePane, fit_axes
from explorer.session import Space, Stage
from explorer.session.train import TrainChange, TrainFrame
from explorer.text import Problem, _

_LOW = 190  # px at 100 %: of two rows of panes, each would be lower than this
_LINE = 1  # px between the panes and above them
_SIDE = 12  # px at 100 % to the right of the choice


class SpacePanes(QWidget):
    """Four panes of equal size; where there is no room for two rows, a choice of one.

    Parameters
    ----------
    panes : sequence of SpacePane
        Four.
    """

    def __init__(
        self, panes: Sequence[SpacePane], theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("space-panes")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme, self._panes, self._chosen = theme, panes, 0
        for pane in panes:
            pane.setParent(self)
        items = [
            Segment(number, pane.short_name, name=pane.accessibleName(), tooltip=pane.words)
            for number, pane in enumerate(panes)
        ]
        name = _("Space")
        self.choice = Segments(items, name, theme, exclusive=True, own=True, pad=8, parent=self)
        self.choice.picked.connect(self.choose)
        self.retheme(theme)

    def choose(self, number: int) -> None:
        """Show a pane where only one is shown."""
        self._chosen = number
        self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        # What lies beneath shows as a hairline.
        self.choice.retheme(theme)
        self._place()

    def _place(self) -> None:
        px, wide, high = self._theme.px, self.width(), self.height() - _LINE
        alone = high < 2 * px(_LOW) + _LINE
        left, upper = (wide - _LINE) // 2, (high - _LINE) // 2
        size = self.choice.sizeHint()
        for number, pane in enumerate(self._panes):
            below, beside = divmod(number, 2)
            if alone:
                pane.setGeometry(0, _LINE, wide, high)
            else:
                pane.setGeometry(
                    (left + _LINE) * beside,
                    _LINE + (upper + _LINE) * below,
                    wide - left - _LINE if beside else left,
                    high - upper - _LINE if below else upper,
                )
            pane.keep_free(size.width() + px(_SIDE) if alone else 0)
            pane.setVisible(not alone or number == self._chosen)
        self.choice.show_checked({self._chosen})
        self.choice.setVisible(alone)
        top = _LINE + (px(TITLE) - size.height()) // 2
        self.choice.setGeometry(wide - px(_SIDE) - size.width(), top, size.width(), size.height())
        self.choice.raise_()


_FLOW = 2  # the pane with the attention from q to k
_PANES = {Stage.Q: 0, Stage.K: 1, Stage.V: 3, Stage.O: 3}  # the others' is that one
_ARRAYS = (MATCHING, MATCHING, MATCHING, MIXING)  # of each pane


class SpacesView(TrainView):
    """Four panes of the chosen head: Q, K, both with the attention between them, V and O.

    In a low window one of them, which the chain's station or the choice above it tells.

    The first three share their axes, so that a query lies near the keys it matches.
    """

    concerns: ClassVar[TrainChange] = (
        TrainChange.NUMBERS
        | TrainChange.RECORDED
        | TrainChange.MOTION
        | TrainChange.PLAYBACK
        | TrainChange.LOOK
        | TrainChange.SELECTION
        | TrainChange.HOVER
    )

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setMinimumSize(360, 220)
        self.setProperty("panel", True)
        self.heading = HeadHeading(theme)
        self.heading.intent.connect(self.intent)
        self.panes = (
            SpacePane((Space.Q,), _("what each token asks"), theme),
            SpacePane((Space.K,), _("how it can be matched"), theme),
            SpacePane((Space.Q, Space.K), _("attention flows from q to k"), theme),
            SpacePane((Space.V, Space.O), _("values, and outputs mixed of them"), theme),
        )
        for pane in self.panes:
            pane.intent.connect(self.intent)
        self.grid = SpacePanes(self.panes, theme)
        column = fill(QVBoxLayout(self), self.heading, (self.grid, 1))
        column.addStretch(0)
        # The tab key reaches the picture first.
        choice = map(self.grid.choice.button, range(len(self.panes)))
        order = (*choice, *self.panes, self.heading.copy_button)
        for before, after in pairwise(order):
            QWidget.setTabOrder(before, after)
        self._stage: Stage | None = None
        self._place: object = None
        self._looked_at = 0
        self._axes: dict[tuple[str, str], Axes] = {}
        self._shown: tuple[object, ...] = ()

    def draw(self, frame: TrainFrame) -> None:
        """Show the head at the cursor."""
        if frame.look.stage is not self._stage:
            self._stage = frame.look.stage
            self.grid.choose(_PANES.get(self._stage, _FLOW))
        head = shown_head(self.theme, frame)
        if not isinstance(head, str):
            try:
                self._fit(frame, head)
            except Problem as problem:
                head = str(problem.message)
        self.heading.draw(frame, head)
        self.grid.setVisible(not isinstance(head, str))
        if isinstance(head, str):
            self._shown = ()
            return
        moving = self._moving(frame, head)
        for arrays in (MATCHING, MIXING):
            self._reach(moving, arrays)
        # Hovering moves no name, and neither does the next of many pictures.
        many = frame.playback.moving
        shown = (frame.values, frame.cursor, frame.selection, self.theme, many)
        keep = bool(self._shown) and (many or shown == self._shown)
        self._shown = shown
        for pane, arrays in zip(self.panes, _ARRAYS, strict=True):
            pane.draw(moving, self._axes[arrays], self.theme, keep=keep)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; a `draw` follows."""
        super().retheme(theme)
        self.heading.retheme(theme)
        self.grid.retheme(theme)

    def _fit(self, frame: TrainFrame, head: Head) -> None:
        """Fit the axes anew for another place of the trace, and whenever a run has doubled.

        While it grows they turn as little as can be. At its end they are those of the whole run,
        as when it is opened again.
        """
        trace = frame.trace
        assert trace is not None
        recorded = len(frame.recorded)
        place = (frame.cursor.sample, frame.cursor.layer, head.number)
        here = (trace, *place, frame.progress.active)
        same = self._place == here
        if same and (not frame.progress.active or recorded < 2 * self._looked_at):
            return
        before = self._axes if same else {}
        self._axes = {
            arrays: fit_axes(trace, recorded, place, arrays, before.get(arrays))
            for arrays in (MATCHING, MIXING)
        }
        self._place, self._looked_at = here, recorded

    def _moving(self, frame: TrainFrame, head: Head) -> Head:
        """Return the head on the way to the next step, while playing."""
        share, after = frame.playback.between, frame.following_values
        if not share or after is None:
            return head
        following = shown_head(self.theme, replace(frame, values=after))
        if isinstance(following, str):
            return head
        attention = _between(head.frame.attention, following.frame.attention, share)
        return replace(head, frame=replace(head.frame, attention=attention))

    def _reach(self, head: Head, arrays: tuple[str, str]) -> None:
        axes = self._axes[arrays]
        spaces = (Space.Q, Space.K) if arrays == MATCHING else (Space.V, Space.O)
        for space in spaces:
            axes = axes.reaching(axes.projection.project(head.frame.points(space)))
        self._axes[arrays] = axes


def _between(here: Attention, after: Attention, share: float) -> Attention:
    """Return what is drawn of attention, some share of the way to the next step's."""
    names = ("Q", "K", "V", "weights", "head_output")
    moved = {}
    for name in names:
        start, end = getattr(here, name), getattr(after, name)
        moved[name] = start + share * (end - start)
    return replace(here, **moved)
