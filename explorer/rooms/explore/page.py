"""Explore's parts in their places: chain, inputs, plane, results, strip."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget

from explorer.exporters.code import code
from explorer.exporters.tables import FORMATS
from explorer.kit.arrangement import Arrangement
from explorer.kit.base import View
from explorer.kit.error_bar import ErrorBar
from explorer.kit.left_panel import LeftPanel
from explorer.kit.page import Page
from explorer.kit.rail import Rail
from explorer.kit.theme import Theme
from explorer.rooms.explore.chain import ChainView
from explorer.rooms.explore.inputs.view import InputsView
from explorer.rooms.explore.plane import PlaneView
from explorer.rooms.explore.results import ResultsView
from explorer.rooms.explore.strip import StripView
from explorer.session import Centre, Frame, Space
from explorer.session.lesson import Marking
from explorer.text import _


def _compare(theme: Theme, parent: QWidget) -> View:
    from explorer.rooms.explore.compare import CompareView

    return CompareView(theme, parent, copy_as=FORMATS)


def _marking(frame: Frame) -> Marking:
    from explorer.lessons.marking import marking

    return marking(frame)


def _sqrt_d(theme: Theme, parent: QWidget) -> View:
    from explorer.rooms.explore.sqrt_d import SqrtDView

    return SqrtDView(theme, parent)


# What can stand in the middle besides the plane; each is loaded and made when it is first shown.
CENTRES: dict[Centre, Callable[[Theme, QWidget], View]] = {
    Centre.COMPARE: _compare,
    Centre.SQRT_D: _sqrt_d,
}

_RAIL = ((Space.X, "X"), (Space.Q, "Wq"), (Space.K, "Wk"), (Space.V, "Wv"))


class ExplorePage(Page):
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
        self.left = LeftPanel(theme, _("Numbers"), self.body)
        self.inputs = InputsView(theme, FORMATS, self.left.pages)
        self.left.put(self.inputs)
        self.error_bar = ErrorBar(theme, self.middle)
        self.centre = QStackedWidget(self.middle)
        self.plane = PlaneView(theme, self.centre)
        self._pages: dict[Centre, View] = {Centre.PLANE: self.plane}
        self.centre.addWidget(self.plane)
        self.right = self.results = ResultsView(
            theme, self.body, code=code, copy_as=FORMATS, mark=_marking
        )
        self.bottom = self.strip = StripView(theme, self)
        self.compose((self.error_bar, self.centre))

    @property
    def views(self) -> tuple[View, ...]:
        """The views, from top to bottom and left to right."""
        lesson = () if self.lesson is None else (self.lesson,)
        return self.chain, self.inputs, *lesson, *self._pages.values(), self.results, self.strip

    @property
    def hero(self) -> str:
        """The name of what stands in the middle, as `pictures` has it."""
        shown = self.centre.currentWidget()
        return next(centre.value for centre, page in self._pages.items() if page is shown)

    def page(self, centre: Centre) -> View | None:
        """Return a page of the middle; None where it has not been made yet."""
        return self._pages.get(centre)

    def show_centre(self, centre: Centre) -> None:
        """Show a page in the middle, made where there is none yet; the keys go where it is."""
        if centre not in self._pages:
            page = CENTRES[centre](self.theme, self.centre)
            self.centre.addWidget(page)
            _follow(self.plane, page)
            self._pages[centre] = page
            self.made.emit(page, centre.value)
        page = self._pages[centre]
        if page is not self.centre.currentWidget():
            focused = self.centre.isAncestorOf(QApplication.focusWidget() or self)
            self.centre.setCurrentWidget(page)
            if focused:
                self.take_keys()

    def take_keys(self) -> None:
        """Give the keys to what stands in the middle: what is half typed elsewhere is ended."""
        self._shown.setFocus()

    @property
    def _shown(self) -> QWidget:
        """What is looked at in the middle; of the plane the picture alone."""
        shown = self.centre.currentWidget()
        return self.plane.viewport() if shown is self.plane else shown

    def pictures(self) -> dict[str, QWidget]:
        """Return the parts that pictures can be taken of, by name."""
        lesson = self.lesson
        return {
            self.hero: self._shown,
            **({} if lesson is None or lesson.isHidden() else {"lesson": lesson}),
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


def _follow(before: QWidget, page: QWidget) -> None:
    """Let the tab key come to a page after what lies before it, in the order of reading."""
    last = before
    for part in (before, page):
        for widget in (part, *part.findChildren(QWidget)):
            takes_keys = widget.focusPolicy() != Qt.FocusPolicy.NoFocus
            if takes_keys and widget.focusProxy() is None:
                if part is page:
                    QWidget.setTabOrder(last, widget)
                last = widget
