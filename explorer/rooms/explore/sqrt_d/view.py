"""The laboratory of √d: what the width of q and k does to scores, weights and gradients."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.kit.base import LEAST_MIDDLE, View
from explorer.kit.canvas.widget import Canvas
from explorer.kit.labels import plain_label
from explorer.kit.layouts import fill, put, set_spacing
from explorer.kit.numbers import Columns
from explorer.kit.plot import Plot, paint_plot
from explorer.kit.scrolling import ColumnArea
from explorer.kit.theme import Theme
from explorer.rooms.explore.sqrt_d.compose import GRADIENT, PARTS, PlotPart, compose, least_height
from explorer.rooms.explore.sqrt_d.controls import Controls
from explorer.rooms.explore.sqrt_d.shown import Shown, said, shown_of
from explorer.session import Change, Frame
from explorer.text import _


class PlotCanvas(Canvas):
    """The canvas of the laboratory: it tells when its size is another one."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, _("Dot products, softmax and gradient"), parent)
        self.setObjectName("sqrt-d-sheet")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._shown: Shown | None = None
        self._parts: tuple[PlotPart, ...] = PARTS
        self._plots: tuple[Plot, ...] = ()
        self.gradient = QWidget(self)  # stands where that part does: it paints nothing
        self.gradient.setObjectName("gradient")
        self.gradient.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def show_parts(self, parts: tuple[PlotPart, ...]) -> None:
        """Show only some of the parts."""
        self._parts = parts
        self.setMinimumHeight(least_height(self.theme, parts))
        self._compose()

    def show_trial(self, shown: Shown, theme: Theme) -> None:
        """Show another trial."""
        self._shown, self.theme = shown, theme
        self.setMinimumHeight(least_height(theme, self._parts))
        self._compose()
        self.setAccessibleDescription(said(shown))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay everything out anew."""
        super().resizeEvent(event)
        self._compose()

    def _compose(self) -> None:
        if self._shown is not None and self.width() > 0:
            size = self.width(), self.height()
            page = compose(self._shown, self.theme, *size, self._parts)
            self._plots = page.plots
            place = dict(zip(self._parts, page.places, strict=True)).get(GRADIENT)
            self.gradient.setVisible(place is not None)
            if place is not None:
                left, top, right, bottom = map(round, place)
                self.gradient.setGeometry(left, top, right - left, bottom - top)
            self.show_drawing(page.drawing, self.theme)

    def paint_below(self, painter: QPainter) -> None:
        """Paint the plots."""
        for plot in self._plots:
            paint_plot(painter, self.theme, plot)

    def columns(self) -> Columns:
        """Return the numbers of the plots, by name."""
        if self._shown is None:
            return {}
        trial, curves = self._shown.trial, self._shown.trial.curves
        return {
            "q·k": trial.products.ravel(),
            "weight without ÷ √d": trial.plain.weights,
            "weight with ÷ √d": trial.scaled.weights,
            "d": curves.widths,
            "gradient without ÷ √d": curves.plain,
            "gradient with ÷ √d": curves.scaled,
        }


class Area(ColumnArea):
    """Scrolls up and down where there is little room, and tells how much there is."""

    resized = Signal()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Tell that the room is another."""
        super().resizeEvent(event)
        self.resized.emit()


class SqrtDView(View):
    """Dot products, one row of softmax and its gradient, at any width d, or of the scene's own."""

    concerns: ClassVar[Change] = Change.RESULT | Change.LOOK | Change.SELECTION | Change.INVALID

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setObjectName("sqrt-d")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setMinimumSize(*LEAST_MIDDLE)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._before: tuple[Frame, Shown] | None = None
        self._presented = False
        self.controls = Controls(theme, self)
        self.controls.intent.connect(self.intent)
        self.area = Area(self)
        self.area.resized.connect(self._arrange)
        page = QWidget(self.area)
        page.setObjectName("sqrt-d-page")
        self.told = plain_label(
            "ink2",
            page,
            _(
                "The longer q and k, the more q · k varies. Without ÷ √d one weight takes nearly "
                "all, and hardly any gradient passes."
            ),
        )
        self.sheet = PlotCanvas(theme, page)
        self._column = put(QVBoxLayout(page), self.told, (self.sheet, 1))
        self.area.setWidget(page)
        fill(QVBoxLayout(self), self.controls, (self.area, 1))
        self._apply_theme()

    def sizeHint(self) -> QSize:
        """Return the size of the middle of the usual window."""
        return QSize(836, 704)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Scroll with the keys that no control takes."""
        self.area.keyPressEvent(event)

    def draw(self, frame: Frame) -> None:
        """Show the trial that the frame's look asks for."""
        self.controls.draw(frame)
        shown = shown_of(frame, self.theme, self._before)
        self._before = frame, shown
        self.sheet.show_trial(shown, self.theme)

    def plotted(self) -> Columns:
        """Return the numbers of the plots, by name."""
        return self.sheet.columns()

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        super().retheme(theme)
        self.controls.retheme(theme)
        self._apply_theme()

    def be_presented(self) -> None:
        """Leave out what an audience does not need, and what does not fit."""
        self.controls.be_presented()
        self.sheet.show_parts(PARTS[:2])
        self._presented = True
        self._arrange()

    def printed(self) -> QWidget:
        """Return the drawing, without its controls."""
        return self.sheet

    def turn_over(self, over: bool) -> None:
        """Show the last parts instead of the first ones: for all there is no room."""
        self.sheet.show_parts(PARTS[1:] if over else PARTS[:2])

    def _arrange(self) -> None:
        """Leave the sentence out where it would push something else out of sight."""
        sentence = self.told.heightForWidth(self.area.width()) + self._column.spacing()
        tight = self.area.height() < least_height(self.theme) + sentence
        self.told.setVisible(not (self._presented or tight))

    def _apply_theme(self) -> None:
        px = self.theme.px
        self.told.setFont(self.theme.font(14))
        set_spacing(self._column, 0, 0, 0, 0, gap=px(14))
        self.told.setContentsMargins(px(16), px(2), px(16), 0)
        self._arrange()
