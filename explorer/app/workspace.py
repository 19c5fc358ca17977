"""Explore's parts in their places: chain, inputs, plane, results, strip."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from explorer.app.arrangement import Arrangement
from explorer.app.bench import Bench
from explorer.exporters.code import code
from explorer.exporters.tables import FORMATS
from explorer.session import Space
from explorer.views.base import View
from explorer.views.chain import ChainView
from explorer.views.error_bar import ErrorBar
from explorer.views.inputs import InputsView
from explorer.views.plane import PlaneView
from explorer.views.rail import Rail
from explorer.views.results import ResultsView
from explorer.views.strip import StripView
from explorer.views.theme import Theme

_RAIL = ((Space.X, "X"), (Space.Q, "Wq"), (Space.K, "Wk"), (Space.V, "Wv"))


class Workspace(Bench):
    """Explore's views.

    Parameters
    ----------
    theme : Theme
    """

    chain: ChainView

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.chain = ChainView(theme, self)
        self.rail = Rail(theme, _RAIL, self.body)
        self.left = self.inputs = InputsView(theme, FORMATS, self.body)
        self.error_bar = ErrorBar(theme, self.middle)
        self.plane = PlaneView(theme, self.middle)
        self.right = self.results = ResultsView(theme, self.body, code=code, copy_as=FORMATS)
        self.bottom = self.strip = StripView(theme, self)
        self.compose((self.error_bar, self.plane))

    @property
    def views(self) -> tuple[View, ...]:
        """The views, from top to bottom and left to right."""
        return self.chain, self.inputs, self.plane, self.results, self.strip

    def pictures(self) -> dict[str, QWidget]:
        """Return the parts that pictures can be taken of, by name."""
        return {
            "plane": self.plane.viewport(),
            "scores": self.results.matrices.scores,
            "weights": self.results.matrices.weights,
            "outputs": self.results.matrices.outputs,
            "results": self.results,
            "inputs": self.inputs,
            "chain": self.chain,
            "strip": self.strip,
        }

    def fold(self, arrangement: Arrangement) -> None:
        """Tell the views how much room there is."""
        self.chain.set_compact(arrangement.compact_chain)
        self.strip.set_compact(arrangement.compact_strip)
        self.results.set_compact(arrangement.compact_rows)
        self.results.set_tabbed(arrangement.tabbed_results)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        for view in self.views:
            view.retheme(theme)
        super().retheme(theme)
