"""Explore's parts in their places: chain, inputs, plane, results, strip."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget

from explorer.exporters import FORMATS
from explorer.exporters.code import code
from explorer.kit.arrangement import Arrangement
from explorer.kit.base import FrameView, made_view
from explorer.kit.left_panel import LeftPanel, Rail
from explorer.kit.page import Page
from explorer.kit.theme import Theme
from explorer.rooms.explore.chain import ChainView
from explorer.rooms.explore.inputs.view import InputsView
from explorer.rooms.explore.plane import PlaneView
from explorer.rooms.explore.results import ResultsView
from explorer.rooms.explore.strip import StripView
from explorer.session import Centre, Frame, Matrix, Space, Stage
from explorer.session.lesson import Marking
from explorer.text import N_, _


def _marking(frame: Frame) -> Marking:
    from explorer.lessons.marking import marking

    return marking(frame)


_RAIL = ((Space.X, "X"), (Space.Q, "Wq"), (Space.K, "Wk"), (Space.V, "Wv"))


class ExplorePage(Page):
    """Explore's views.

    Parameters
    ----------
    theme : Theme
    """

    bottom_name = N_("Arithmetic")
    chain: ChainView

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.chain = ChainView(theme, self)
        self.rail = Rail(theme, _RAIL, self.body)
        self.left = LeftPanel(theme, _("Numbers"), self.body)
        self.inputs = InputsView(theme, FORMATS, self.left.pages)
        self.left.put(self.inputs)
        self.centre = QStackedWidget(self.middle)
        self.plane = PlaneView(theme, self.centre)
        self._pages: dict[Centre, FrameView[Frame]] = {Centre.PLANE: self.plane}
        self.centre.addWidget(self.plane)
        self.right = self.results = ResultsView(
            theme, self.body, code=code, copy_as=FORMATS, mark=_marking
        )
        self.bottom = self.strip = StripView(theme, self)
        self.compose((self.centre,))

    @property
    def views(self) -> tuple[FrameView[Frame], ...]:
        """The views, from top to bottom and left to right."""
        lesson = () if self.lesson is None else (self.lesson,)
        return self.chain, self.inputs, *lesson, *self._pages.values(), self.results, self.strip

    @property
    def _front(self) -> Centre:
        shown = self.centre.currentWidget()
        return next(centre for centre, page in self._pages.items() if page is shown)

    @property
    def main_picture(self) -> str:
        """The name of what stands in the middle, as `pictures` has it."""
        return self._front.value

    def page(self, centre: Centre) -> FrameView[Frame] | None:
        """Return a page of the middle; None where it has not been made yet."""
        return self._pages.get(centre)

    def show_centre(self, centre: Centre) -> None:
        """Show a page in the middle, made where there is none yet; the focus goes where it is."""
        if centre not in self._pages:
            # Made and painted in two turns; what has 0 ms to wait would be done in this one.
            self.centre.setUpdatesEnabled(False)
            QTimer.singleShot(1, self, partial(self.centre.setUpdatesEnabled, True))
            page = made_view(centre, self.theme, self.centre)
            self.centre.addWidget(page)
            _follow(self.plane, page)
            self._pages[centre] = page
            self.made.emit(page, centre.value)
        page = self._pages[centre]
        if page is not self.centre.currentWidget():
            focused = self.centre.isAncestorOf(QApplication.focusWidget() or self)
            self.centre.setCurrentWidget(page)
            if focused:
                self.take_focus()

    def take_focus(self) -> None:
        """Give the focus to what stands in the middle: what is half typed elsewhere is ended."""
        self._shown.setFocus()

    @property
    def _shown(self) -> QWidget:
        """What is looked at in the middle; of the plane the picture alone."""
        return self._pages[self._front].viewport()

    def pictures(self) -> dict[str, QWidget]:
        """Return the parts that pictures can be taken of, by name."""
        lesson = self.lesson
        return {
            self.main_picture: self._shown,
            **({} if lesson is None or lesson.isHidden() else {"lesson": lesson}),
            "scores": self.results.matrices.scores,
            "weights": self.results.matrices.weights,
            "outputs": self.results.matrices.outputs,
            "results": self.results,
            "inputs": self.inputs,
            "chain": self.chain,
            "strip": self.strip,
        }

    def part(self, name: str) -> QWidget | None:
        """Return what a lesson calls so; None where it is not there."""
        inputs, matrices = self.inputs, self.results.matrices
        if name == "gradient":
            part = self.centre.findChild(QWidget, name)
            return None if part is None or part.isHidden() else part
        if name in list(Centre):
            view = self._pages.get(next(centre for centre in Centre if centre == name))
            return None if view is None else view.viewport()
        return {
            "chain": self.chain,
            "inputs": inputs,
            "X": inputs.rows.shown,
            "Wq": inputs.weights[Matrix.WQ],
            "Wk": inputs.weights[Matrix.WK],
            "Wv": inputs.weights[Matrix.WV],
            "Wo": inputs.output,
            "options": inputs.options.shown,
            "heads": self.results.heads,
            "scores": matrices.shown(Stage.S),
            "weights": matrices.shown(Stage.A),
            "outputs": matrices.last,
            "strip": self.strip,
        }.get(name)

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
            takes_keys = takes_keys and widget.window() is before.window()  # no list that pops up
            if takes_keys and widget.focusProxy() is None:
                if part is page:
                    QWidget.setTabOrder(last, widget)
                last = widget
