"""Which widget of Explore a lesson means by a part's name, and the outlines around them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtWidgets import QWidget

from explorer.app.workspace import Workspace
from explorer.session import Centre, Matrix
from explorer.views.lesson.outline import Outline
from explorer.views.theme import Theme

WIDGETS: dict[str, Callable[[Workspace], QWidget | None]] = {
    "chain": lambda explore: explore.chain,
    "inputs": lambda explore: explore.inputs,
    "X": lambda explore: explore.inputs.tokens,
    "Wq": lambda explore: explore.inputs.weights[Matrix.WQ],
    "Wk": lambda explore: explore.inputs.weights[Matrix.WK],
    "Wv": lambda explore: explore.inputs.weights[Matrix.WV],
    "Wo": lambda explore: explore.inputs.output,
    "options": lambda explore: explore.inputs.options,
    "plane": lambda explore: explore.plane.viewport(),
    "compare": lambda explore: explore.page(Centre.COMPARE),
    "sqrt_d": lambda explore: explore.page(Centre.SQRT_D),
    "heads": lambda explore: explore.results.heads,
    "scores": lambda explore: explore.results.matrices.scores,
    "weights": lambda explore: explore.results.matrices.weights,
    "outputs": lambda explore: explore.results.matrices.last,
    "strip": lambda explore: explore.strip,
}


class Outlines:
    """The outlines of one page of a lesson."""

    def __init__(self) -> None:
        self._shown: list[Outline] = []

    def show(self, names: Iterable[str], explore: Workspace, theme: Theme) -> None:
        """Outline parts by their names, and no others; a part that is not there is left out."""
        for outline in self._shown:
            outline.hide()
            outline.deleteLater()
        found = [WIDGETS[name](explore) for name in names if name in WIDGETS]
        self._shown = [Outline(widget, theme) for widget in found if widget is not None]
