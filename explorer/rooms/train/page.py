"""Train's parts in their places: chain, parameters, graph or spaces or matrices, sample, time."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from explorer.exporters import FORMATS
from explorer.kit.arrangement import Arrangement
from explorer.kit.base import FrameView, made_view
from explorer.kit.left_panel import LeftPanel, Rail
from explorer.kit.page import Page
from explorer.kit.segments import run_or_sweep
from explorer.kit.theme import Theme
from explorer.rooms.train.beside import BesideView
from explorer.rooms.train.centre_bar import CentreBar
from explorer.rooms.train.chain import TrainChainView
from explorer.rooms.train.graph import GraphView
from explorer.rooms.train.notice import NoticeBar
from explorer.rooms.train.parameters import ParametersView
from explorer.rooms.train.sample import SampleView
from explorer.rooms.train.timeline import TimelineView
from explorer.session.train import Compared, TrainCentre, TrainFrame
from explorer.text import N_, _

_RAIL = (("play", N_("Run")),)


class TrainPage(Page):
    """Train's views.

    Parameters
    ----------
    theme : Theme
    """

    sweep_asked = Signal()
    bottom_name = N_("Timeline")
    chain: TrainChainView

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.chain = TrainChainView(theme, self)
        self.rail = Rail(theme, _RAIL, self.body)
        self.left = LeftPanel(theme, _("Run"), self.body)
        self.parameters = ParametersView(theme, self.left.pages)
        self.choice = run_or_sweep("run", theme, self.left)
        self.choice.picked.connect(lambda _key: self.sweep_asked.emit())
        self.left.put(self.parameters, self.choice)
        self.notice = NoticeBar(theme, self.middle)
        self.bar = CentreBar(theme, self.middle)
        self._stack = QStackedWidget(self.middle)
        self.graph = GraphView(theme, self._stack)
        self.pages: dict[TrainCentre, FrameView[Any]] = {TrainCentre.GRAPH: self.graph}
        for centre in TrainCentre:
            if centre not in self.pages:
                self.pages[centre] = made_view(centre, theme, self._stack)
            self._stack.addWidget(self.pages[centre])
        self.beside = BesideView(theme, self._stack, self.graph, self.middle)
        self.right = self.sample = SampleView(theme, self.body, copy_as=FORMATS)
        self.bottom = self.timeline = TimelineView(theme, self)
        self.bar.reset_asked.connect(self.graph.reset)
        self.bar.turn_asked.connect(self.graph.set_turning)
        self.graph.turning_changed.connect(self.bar.show_turning)
        self.compose((self.notice, self.bar, self.beside))

    @property
    def views(self) -> tuple[FrameView[Any], ...]:
        """The views, from top to bottom and left to right."""
        return (
            self.chain,
            self.parameters,
            *(() if self.lesson is None else (self.lesson,)),
            self.notice,
            self.bar,
            self.beside,
            *self.pages.values(),
            self.sample,
            self.timeline,
        )

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self.choice.retheme(theme)
        super().retheme(theme)

    def show_page(self, frame: TrainFrame) -> None:
        """Bring the page to the front that the frame's look asks for."""
        self._stack.setCurrentWidget(self.pages[frame.look.page])

    @property
    def _front(self) -> TrainCentre:
        shown = self._stack.currentWidget()
        return next(centre for centre, page in self.pages.items() if page is shown)

    @property
    def main_picture(self) -> str:
        """The name of the picture of what stands in the middle."""
        return self._front.value

    def take_focus(self) -> None:
        """Give the focus to the word graph."""
        self.graph.viewport().setFocus()

    def pictures(self) -> dict[str, QWidget]:
        """Return the parts that pictures can be taken of, by name; of two runs both."""
        compared = self.beside.shown is not Compared.ONE
        return {
            **{centre.value: view.viewport() for centre, view in self.pages.items()},
            **({self.main_picture: self.beside} if compared else {}),
            "heads": self.sample,
            "parameters": self.parameters,
            "chain": self.chain,
            "timeline": self.timeline.curves,
        }

    def part(self, name: str) -> QWidget | None:
        """Return what a lesson calls so; None where it is not there."""
        sample = self.sample
        return {
            **self.pictures(),
            "sample": sample,
            "heads": sample.pair if sample.heads.isHidden() else sample.heads,
            "next_word": sample.next_word,
            "loss": self.timeline,
        }.get(name)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Play, follow and go to chapters by Space, L and N where no control wants these keys."""
        plain = event.modifiers() == Qt.KeyboardModifier.NoModifier
        chapter = event.key() == Qt.Key.Key_N and not (
            event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier
        )
        if chapter or (plain and event.key() in (Qt.Key.Key_Space, Qt.Key.Key_L)):
            self.timeline.keyPressEvent(event)
        else:
            super().keyPressEvent(event)

    def fold(self, arrangement: Arrangement) -> None:
        """Tell the views how much room there is."""
        self.chain.set_compact(arrangement.compact_chain)
        self.parameters.set_compact(arrangement.compact_parameters)
        self.timeline.set_compact(arrangement.compact_rows)
