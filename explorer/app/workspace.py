"""Explore's parts in their places: chain, inputs, plane, results, strip."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QBoxLayout, QFrame, QHBoxLayout, QVBoxLayout, QWidget

from explorer.app.arrangement import Arrangement, arrange
from explorer.exporters.code import code
from explorer.exporters.tables import FORMATS
from explorer.views.base import View
from explorer.views.chain import ChainView
from explorer.views.error_bar import ErrorBar
from explorer.views.inputs import InputsView
from explorer.views.plane import PlaneView
from explorer.views.rail import Rail
from explorer.views.results import ResultsView
from explorer.views.strip import StripView
from explorer.views.theme import Theme

_Box = TypeVar("_Box", bound=QBoxLayout)


class Workspace(QWidget):
    """Lays the views out and folds them when there is little room.

    Parameters
    ----------
    theme : Theme
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        # Made in the order of reading, for the tab key, and in their place: a widget that gets
        # another parent under a style sheet loses its font.
        self.chain = ChainView(theme, self)
        self._body = QWidget(self)
        self.rail = Rail(theme, self._body)
        self.inputs = InputsView(theme, FORMATS, self._body)
        middle = QWidget(self._body)
        self.error_bar = ErrorBar(theme, middle)
        self.plane = PlaneView(theme, middle)
        self.results = ResultsView(theme, self._body, code=code, copy_as=FORMATS)
        self.strip = StripView(theme, self)
        self.rail.asked.connect(self._toggle_inputs)
        self._arrangement: Arrangement | None = None
        self._over = False  # whether the inputs lie over the picture
        in_middle = _tight(QVBoxLayout(middle))
        in_middle.addWidget(self.error_bar)
        in_middle.addWidget(self.plane, 1)
        self._in_body = _tight(QHBoxLayout(self._body))
        for part, stretch in (
            (self.rail, 0),
            (self.inputs, 0),
            (_line(self._body, vertical=True), 0),
            (middle, 1),
            (_line(self._body, vertical=True), 0),
            (self.results, 0),
        ):
            self._in_body.addWidget(part, stretch)
        column = _tight(QVBoxLayout(self))
        column.addWidget(self.chain)
        column.addWidget(_line(self))
        column.addWidget(self._body, 1)
        column.addWidget(_line(self))
        column.addWidget(self.strip)

    @property
    def views(self) -> tuple[View, ...]:
        """The views, from top to bottom and left to right."""
        return self.chain, self.inputs, self.plane, self.results, self.strip

    @property
    def parts(self) -> tuple[QWidget, ...]:
        """What the tab key goes through, in this order."""
        return self.chain, self.rail, self.inputs, self.plane, self.results, self.strip

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

    @property
    def inputs_over(self) -> bool:
        """Whether the inputs lie over the picture."""
        return self._over

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        for view in self.views:
            view.retheme(theme)
        self.error_bar.retheme(theme)
        self.rail.retheme(theme)
        self._arrangement = None
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fold or unfold parts."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        window = self.window()
        wanted = arrange(window.width(), window.height(), self._theme.percent)
        if wanted != self._arrangement:
            self._arrangement = wanted
            self.chain.set_compact(wanted.compact_chain)
            self.strip.set_compact(wanted.compact_strip)
            self.results.set_compact(wanted.compact_rows)
            self.results.set_tabbed(wanted.tabbed_results)
            self.results.setFixedWidth(wanted.right)
            self.inputs.setFixedWidth(wanted.left)
            self.rail.setFixedWidth(max(1, wanted.rail))
            self.rail.setVisible(bool(wanted.rail))
            self._lay_over(False)
        self._place_over()

    def put_inputs_away(self) -> bool:
        """Fold the inputs back into the rail; return whether they lay over the picture."""
        was_over = self._over
        self._lay_over(False)
        return was_over

    # --- the inputs over the picture ------------------------------------------------------------

    def _toggle_inputs(self) -> None:
        self._lay_over(not self._over)
        if self._over:
            self.inputs.setFocus(Qt.FocusReason.OtherFocusReason)

    def _lay_over(self, over: bool) -> None:
        """Show the inputs over the picture, or in their own place (hidden behind a rail)."""
        assert self._arrangement is not None
        railed = bool(self._arrangement.rail)
        floating = over and railed
        if floating != self._over:
            application = QApplication.instance()
            assert application is not None
            if floating:
                application.installEventFilter(self)
            else:
                application.removeEventFilter(self)
        self._over = floating
        if railed and self._in_body.indexOf(self.inputs) >= 0:
            self._in_body.removeWidget(self.inputs)
        elif not railed and self._in_body.indexOf(self.inputs) < 0:
            self._in_body.insertWidget(1, self.inputs)
        self.inputs.setVisible(floating or not railed)
        if floating:
            self._place_over()
            self.inputs.raise_()

    def _place_over(self) -> None:
        if self._over:
            left = self.rail.width()
            self.inputs.setGeometry(left, 0, self.inputs.width(), self._body.height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Put the inputs away at a press elsewhere in the window."""
        if (
            event.type() == QEvent.Type.MouseButtonPress
            and isinstance(event, QMouseEvent)
            and isinstance(watched, QWidget)
            and watched.window() is self.window()
        ):
            pressed = event.globalPosition().toPoint()
            if not any(
                part.rect().contains(part.mapFromGlobal(pressed))
                for part in (self.inputs, self.rail)
            ):
                self._lay_over(False)
        return False


def _tight(layout: _Box) -> _Box:
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(0)
    return layout


def _line(parent: QWidget, vertical: bool = False) -> QFrame:
    line = QFrame(parent)
    line.setProperty("hairline", True)
    if vertical:
        line.setFixedWidth(1)
    else:
        line.setFixedHeight(1)
    return line
