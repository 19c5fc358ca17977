"""The right panel: scores, weights, outputs, points, pairs and code."""

from explorer.rooms.explore.results.results import ResultsView

__all__ = ["ResultsView"]
