"""A plot dressed in the theme: axes, pens, fonts, and its numbers as a CSV file.

The plotting library is imported here and in `kit/heat_map` alone, and takes its time: whoever uses
this module imports it when the plot is first shown.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QIODevice, QRectF, QSaveFile, Qt
from PySide6.QtGui import QAction, QColor, QPainter, QPen
from PySide6.QtWidgets import QFileDialog, QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from explorer.kit.theme import Theme
from explorer.session import Array
from explorer.text import _

pg.setConfigOptions(antialias=True, exitCleanup=False)

Columns = Mapping[str, Sequence[float] | Array]
Ticks = Sequence[tuple[float, str]]


class Axis(pg.AxisItem):
    """An axis whose labels all lie inside the plot; they are plain text."""

    def generateDrawSpecs(self, painter: QPainter) -> object:
        """Move labels that would reach out of the plot back into it."""
        specs = super().generateDrawSpecs(painter)
        view = self.getViewWidget()
        if specs is None or view is None:
            return specs
        axis, ticks, texts = specs
        whole = self.mapRectFromScene(QRectF(view.viewport().rect()))
        for rect, _flags, _text in texts:
            rect.moveLeft(max(min(rect.left(), whole.right() - rect.width()), whole.left()))
            rect.moveTop(max(min(rect.top(), whole.bottom() - rect.height()), whole.top()))
        return axis, ticks, texts


class Layer(pg.GraphicsObject):
    """Marks on a plot that stand at px of the screen, not at values.

    Parameters
    ----------
    paint : callable
        Takes the painter, in px of the plot.
    kept : bool
        Whether what it paints is kept until `update` is called.
    """

    def __init__(self, paint: Callable[[QPainter], None], kept: bool = False) -> None:
        super().__init__()
        self._paint = paint
        self._rect = QRectF()
        if kept:
            self.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)

    def cover(self, rect: QRectF) -> None:
        """Take another size."""
        if rect != self._rect:
            self.prepareGeometryChange()
            self._rect = rect

    def boundingRect(self) -> QRectF:
        """Return all of the plot."""
        return self._rect

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        """Paint the marks."""
        self._paint(painter)


class Plot(pg.PlotWidget):
    """A plot without buttons, menu and mouse of its own: the widget around it has them.

    Parameters
    ----------
    theme : Theme
    ground : str
        The colour below, by its name in the palette.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None, ground: str = "canvas") -> None:
        axes = {side: Axis(side) for side in ("left", "bottom")}
        self._layers: list[Layer] = []  # asked for while the plot is built
        super().__init__(parent, axisItems=axes, enableMenu=False)
        self.theme = theme
        self._ground = ground
        self._pens: list[tuple[pg.PlotDataItem, Callable[[Theme], QColor], float]] = []
        self._second: pg.ViewBox | None = None
        item = self.getPlotItem()
        item.hideButtons()
        item.layout.setSpacing(0)
        item.layout.setContentsMargins(0, 0, 0, 0)
        self.box = item.getViewBox()
        self.box.setDefaultPadding(0)
        self.box.setMouseEnabled(False, False)
        self.box.disableAutoRange()
        self.setFrameShape(self.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        for side in axes:
            self.axis(side).setStyle(
                tickLength=0, hideOverlappingLabels=False, autoExpandTextSpace=False
            )
        self.retheme(theme)

    def axis(self, side: str) -> Axis:
        """Return an axis: "left" or "bottom"."""
        axis: Axis = self.getPlotItem().getAxis(side)
        return axis

    def second(self) -> pg.ViewBox:
        """Return the view over the same x with a y of its own; it is made when first asked for."""
        if self._second is None:
            self._second = pg.ViewBox(enableMenu=False, enableMouse=False, defaultPadding=0)
            self._second.disableAutoRange()
            self._second.setXLink(self.box)
            self.getPlotItem().scene().addItem(self._second)
            self.box.sigResized.connect(self._follow)
            self._follow()
        return self._second

    def curve(
        self, colour: Callable[[Theme], QColor], width: float, *, second: bool = False
    ) -> pg.PlotDataItem:
        """Return a new curve, which shows the extremes of each pixel's values.

        colour : returns its colour in a theme
        width : px at 100 %
        second : whether it belongs to the second y
        """
        curve = pg.PlotDataItem(
            autoDownsample=True, downsampleMethod="peak", clipToView=True, connect="finite"
        )
        curve.curve.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)
        (self.second() if second else self.box).addItem(curve, ignoreBounds=True)
        self._pens.append((curve, colour, width))
        curve.setPen(self._pen(colour(self.theme), width))
        return curve

    def layer(self, paint: Callable[[QPainter], None], z: float, *, kept: bool = False) -> Layer:
        """Return new marks at px of the screen; those of a larger `z` lie above."""
        layer = Layer(paint, kept)
        layer.setZValue(z)
        self.getPlotItem().scene().addItem(layer)
        layer.cover(QRectF(self.viewport().rect()))
        self._layers.append(layer)
        return layer

    def place(self, rect: QRectF) -> None:
        """Put the curves at a rectangle of the widget, in px; the axes have what is around it."""
        item = self.getPlotItem()
        left, top = rect.left(), rect.top()
        right, bottom = self.width() - rect.right(), self.height() - rect.bottom()
        self.axis("left").setWidth(left)
        self.axis("bottom").setHeight(bottom)
        item.layout.setContentsMargins(0, top, right, 0)
        item.layout.activate()
        self._follow()

    def tick(self, side: str, ticks: Ticks) -> None:
        """Label an axis at some values, and nowhere else."""
        self.axis(side).setTicks([list(ticks)])

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self.theme = theme
        self.setBackground(theme.color(self._ground))
        for side in ("left", "bottom"):
            axis = self.axis(side)
            axis.setPen(QPen(Qt.PenStyle.NoPen))
            axis.setTickPen(QPen(theme.color("line"), 1))
            axis.setTextPen(QPen(theme.color("ink3")))
            axis.setTickFont(theme.font(12 if side == "left" else 13))
        for curve, colour, width in self._pens:
            curve.setPen(self._pen(colour(theme), width))
        self.refresh()

    def refresh(self) -> None:
        """Paint all marks anew."""
        for layer in self._layers:
            layer.update()

    def resizeEvent(self, event: object) -> None:
        """Let the marks cover the plot."""
        super().resizeEvent(event)
        for layer in self._layers:
            layer.cover(QRectF(self.viewport().rect()))

    def _pen(self, colour: QColor, width: float) -> QPen:
        pen = pg.mkPen(colour, width=width * self.theme.percent / 100)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        return pen

    def _follow(self) -> None:
        if self._second is not None:
            self._second.setGeometry(self.box.sceneBoundingRect())


def csv_of(columns: Columns) -> str:
    """Return named columns of numbers as CSV; shorter ones end in empty cells, as do nans."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for row in zip_longest(*(np.asarray(part, float).tolist() for part in columns.values())):
        writer.writerow("" if value is None or value != value else repr(value) for value in row)
    return text.getvalue()


def offer_csv(widget: QWidget, columns: Callable[[], Columns]) -> QAction:
    """Put "Save numbers as CSV…" into a widget's context menu, beside its pictures; return it."""
    action = QAction(_("Save numbers as CSV…"), widget)

    def save() -> None:
        name, _filter = QFileDialog.getSaveFileName(
            widget, _("Save numbers as CSV…"), "", "CSV (*.csv)"
        )
        if name:
            file = QSaveFile(name if name.endswith(".csv") else f"{name}.csv")
            if file.open(QIODevice.OpenModeFlag.WriteOnly):
                file.write(csv_of(columns()).encode())
                file.commit()

    action.triggered.connect(save)
    widget.addAction(action)
    widget.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
    return action
