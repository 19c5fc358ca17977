"""Which widgets of Explore and Train a lesson means by its names, and the outlines around them."""

from __future__ import annotations

from collections.abc import Iterable

from explorer.rooms.explore.page import ExplorePage
from explorer.rooms.lesson.panel import Outline
from explorer.rooms.train.page import TrainPage


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
        found = [widget for name in names if (widget := page.part(name)) is not None]
        self._shown = [Outline(widget, page.theme) for widget in found]
        if any(map(page.left.hides, found)):
            self._shown.append(Outline(page.left.choice.button("numbers"), page.theme))
