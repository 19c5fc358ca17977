"""Sweep's parts in their places: strip, what is swept, pictures, results."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QWidget

from explorer.kit.arrangement import Arrangement
from explorer.kit.base import FrameView
from explorer.kit.left_panel import LeftPanel, Rail
from explorer.kit.page import Page
from explorer.kit.theme import Theme
from explorer.rooms.sweep.pictures import PicturesView
from explorer.rooms.sweep.plan_panel import WIDTH, PlanView
from explorer.rooms.sweep.results import ResultsView
from explorer.rooms.sweep.strip import StripView
from explorer.text import N_, _

_RAIL = (("edit", N_("Plan")),)
_RIGHT = 372  # px at 100 %


class SweepPage(Page):
    """Sweep's views; it stands in the place of Train's page.

    Parameters
    ----------
    theme : Theme
    """

    chain: StripView
    right: ResultsView

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.chain = StripView(theme, self)
        self.rail = Rail(theme, _RAIL, self.body)
        self.left = LeftPanel(theme, _("Plan"), self.body)
        self.plan = PlanView(theme, self.left.pages)
        self.left.put(self.plan)
        self.pictures_view = PicturesView(theme, self.middle)
        self.right = ResultsView(theme, self.body)
        self.compose((self.pictures_view,))

    @property
    def views(self) -> tuple[FrameView[Any], ...]:
        """The views, from top to bottom and left to right."""
        return self.chain, self.plan, self.pictures_view, self.right

    @property
    def main_picture(self) -> str:
        """The name of the picture of bands and dots."""
        return "sweep"

    def pictures(self) -> dict[str, QWidget]:
        """Return the parts that pictures can be taken of, by name."""
        return {
            "sweep": self.pictures_view,
            "losses": self.pictures_view.bands,
            "starts": self.pictures_view.dots,
            "curves": self.right.run.curves,
            "results": self.right,
        }

    def take_focus(self) -> None:
        """Give the focus to the dots."""
        self.pictures_view.dots.setFocus()

    def widths(self, arrangement: Arrangement) -> tuple[int, int]:
        """Return the widths of the left and the right panel, px on the screen."""
        px = self.theme.px
        return px(WIDTH), min(px(_RIGHT), arrangement.right + px(24))

    def fold(self, arrangement: Arrangement) -> None:
        """Tell the views how much room there is."""
        self.chain.set_compact(bool(arrangement.rail))
        self.right.tabs.set_by_turns(arrangement.compact_rows)
