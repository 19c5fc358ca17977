"""The right panel: scores, weights, outputs, points, pairs and code."""

from explorer.views.results.results import ResultsView

__all__ = ["ResultsView"]
