"""Which widgets of Explore and Train a lesson means by its names, and the outlines around them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtWidgets import QWidget

from explorer.rooms.explore.page import ExplorePage
from explorer.rooms.lesson.panel import Outline
from explorer.rooms.train.page import TrainPage
from explorer.session import Centre, Matrix, Stage

IN_EXPLORE: dict[str, Callable[[ExplorePage], QWidget | None]] = {
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
    "scores": lambda explore: explore.results.matrices.shown(Stage.S),
    "weights": lambda explore: explore.results.matrices.shown(Stage.A),
    "outputs": lambda explore: explore.results.matrices.last,
    "strip": lambda explore: explore.strip,
}
IN_TRAIN: dict[str, Callable[[TrainPage], QWidget]] = {
    "chain": lambda train: train.chain,
    "parameters": lambda train: train.parameters,
    "graph": lambda train: train.graph.viewport(),
    "spaces": lambda train: train.spaces,
    "matrices": lambda train: train.matrices,
    "sample": lambda train: train.sample,
    "heads": lambda train: train.sample.heads,
    "next_word": lambda train: train.sample.next_word,
    "loss": lambda train: train.timeline,
}


class Outlines:
    """The outlines of one page of a lesson."""

    def __init__(self) -> None:
        self._shown: list[Outline] = []

    def show(self, names: Iterable[str], page: ExplorePage | TrainPage) -> None:
        """Outline parts by their names, and no others; a part that is not there is left out.

        Where the lesson lies over one of them, the button that brings it back is outlined too.
        """
        for outline in self._shown:
            outline.take_away()
        found = [widget for name in names if (widget := part(name, page)) is not None]
        self._shown = [Outline(widget, page.theme) for widget in found]
        if any(map(page.left.hides, found)):
            self._shown.append(Outline(page.left.choice.button("numbers"), page.theme))


def part(name: str, page: ExplorePage | TrainPage) -> QWidget | None:
    """Return the widget that is called so; None where it is not there."""
    if isinstance(page, TrainPage):
        in_train = IN_TRAIN.get(name)
        return None if in_train is None else in_train(page)
    in_explore = IN_EXPLORE.get(name)
    return None if in_explore is None else in_explore(page)
