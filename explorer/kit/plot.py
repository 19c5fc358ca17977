"""Plots as values: curves, areas, pictures and axes in the theme, painted by the plotting library.

The library is imported here alone, and takes its time: whoever uses this module imports it once the
window is seen. One scene of the library paints every plot. Its items are never given up:
freeing them in the order of Python's garbage collector ends the process.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from explorer.kit.theme import Colormap, Theme
from explorer.session import Array

pg.setConfigOptions(antialias=True, exitCleanup=False)

_MANY = 500  # points from which on a curve may be reduced

Ticks = Sequence[tuple[float, str]]


@dataclass(frozen=True, eq=False)
class Curve:
    """A line through points, or an area of columns.

    Parameters
    ----------
    x, y : ndarray
        Of the same length; x ascends. Of columns, x holds their edges: one more.
    colour : QColor or None
        Of the line; None for none.
    width : float
        Of the line, px at 100 %.
    fill : QColor, optional
        Of the area down to 0.
    columns, dashed : bool
    """

    x: Array
    y: Array
    colour: QColor | None
    width: float = 1.0
    fill: QColor | None = None
    columns: bool = False
    dashed: bool = False


@dataclass(frozen=True, eq=False)
class Picture:
    """A matrix as a picture.

    values : (rows, columns)
    rect : where it lies, in the plot's units
    """

    values: Array
    colours: Colormap
    domain: float
    rect: QRectF


@dataclass(frozen=True, eq=False)
class Plot:
    """A plot to be painted.

    Parameters
    ----------
    size : tuple of float
        Width and height with the axes, px.
    place : QRectF
        Where the curves are, px.
    seen : QRectF
        The visible values; the library does not draw numbers near the ends of what floats hold.
    left, bottom : sequence of (value, label)
    curves : sequence of Curve
    picture : Picture, optional
    rules : bool
        Whether a line across the plot stands at each label on the left.
    below : float, optional
        From the curves to the middle of the labels below, px.
    downwards : bool
        Whether y grows downwards.
    based : bool
        Whether the axis below is drawn, with a short line above each label.
    """

    size: tuple[float, float]
    place: QRectF
    seen: QRectF
    left: Ticks = ()
    bottom: Ticks = ()
    curves: Sequence[Curve] = ()
    picture: Picture | None = None
    rules: bool = False
    below: float | None = None
    downwards: bool = False
    based: bool = False


class _Axis(pg.AxisItem):
    """An axis whose labels all lie inside the plot; they are plain text."""

    whole = QRectF()
    inside = QRectF()  # where labels may stand

    def mapToDevice(self, point: QPointF) -> QPointF:
        """Return a place in px: the scene's, as no view shows it."""
        return self.mapToScene(point)

    def boundingRect(self) -> QRectF:
        """Return all of the plot: labels may stand beside the axis too."""
        return self.mapRectFromScene(self.whole)

    def generateDrawSpecs(self, painter: QPainter) -> object:
        """Move labels that would reach out of the plot back into it."""
        specs = super().generateDrawSpecs(painter)
        if specs is None:
            return None
        axis, ticks, texts = specs
        whole = self.mapRectFromScene(self.inside)
        for rect, _flags, _text in texts:
            rect.moveLeft(max(min(rect.left(), whole.right() - rect.width()), whole.left()))
            rect.moveTop(max(min(rect.top(), whole.bottom() - rect.height()), whole.top()))
        return axis, ticks, texts


class _Stage:
    """The scene that every plot is painted by."""

    def __init__(self) -> None:
        self.scene = pg.GraphicsScene()
        axes = {side: _Axis(side) for side in ("left", "bottom")}
        self.item = pg.PlotItem(axisItems=axes, enableMenu=False)
        self.item.hideButtons()
        self.item.layout.setSpacing(0)
        # Else the margins of the last plot would hold back the size of a smaller one.
        self.item.setMinimumSize(0, 0)
        self.scene.addItem(self.item)
        self.axes = axes
        self.box = self.item.getViewBox()
        self.box.setDefaultPadding(0)
        self.box.disableAutoRange()
        for axis in axes.values():
            axis.setZValue(-1000)  # its rules lie below the curves
            axis.setStyle(tickAlpha=255, hideOverlappingLabels=False, autoExpandTextSpace=False)
        self.image = pg.ImageItem(axisOrder="row-major")
        self.box.addItem(self.image, ignoreBounds=True)
        self.curves: list[pg.PlotDataItem] = []
        self.shown: list[tuple[Curve | None, Theme]] = []  # what they show

    def paint(self, painter: QPainter, theme: Theme, plot: Plot) -> None:
        width, height = plot.size
        place = plot.place
        whole = QRectF(0, 0, width, height)
        self.scene.setSceneRect(whole)
        self.item.resize(width, height)
        for side, size, ticks, font in (
            ("left", place.left(), plot.left, theme.font(12)),
            ("bottom", height - place.bottom(), plot.bottom, theme.font(12 if plot.based else 13)),
        ):
            axis = self.axes[side]
            axis.prepareGeometryChange()
            axis.whole = axis.inside = whole
            axis.setTextPen(QPen(theme.color("ink3")))
            based = plot.based and side == "bottom"
            if based:
                axis.inside = QRectF(place.left(), 0, place.width() + theme.px(6), height)
            axis.setPen(QPen(theme.color("axis"), 1) if based else QPen(Qt.PenStyle.NoPen))
            axis.setTickPen(QPen(theme.color("axis" if based else "line"), 1))
            axis.setTickFont(font)
            axis.setTicks([list(ticks)])
            axis.setGrid(255 if plot.rules and side == "left" else False)
            below = 0.0 if plot.below is None else plot.below - QFontMetricsF(font).height() / 2
            apart = theme.px(8) if side == "left" else max(below, theme.px(4))
            length = -theme.px(4) if based else 0
            axis.setStyle(tickTextOffset=round(apart), tickLength=length)
            (axis.setWidth if side == "left" else axis.setHeight)(size)
        self.item.layout.setContentsMargins(0, place.top(), width - place.right(), 0)
        self.item.layout.activate()
        while len(self.curves) < len(plot.curves):
            self.curves.append(pg.PlotDataItem(connect="finite"))
            self.shown.append((None, theme))
            self.box.addItem(self.curves[-1], ignoreBounds=True)
        wanted = [*plot.curves, *[None] * (len(self.curves) - len(plot.curves))]
        for n, item in enumerate(self.curves):
            if self.shown[n] != (wanted[n], theme):
                item.setData([], [])  # before the range is another: the library would reduce it
        self.box.invertY(plot.downwards)
        self.box.setRange(plot.seen, padding=0)
        for n, item in enumerate(self.curves):
            curve = wanted[n]
            item.setVisible(curve is not None)
            if curve is None:
                self.shown[n] = None, theme
                continue
            if self.shown[n] != (curve, theme):
                _show(item, curve, theme)
                self.shown[n] = curve, theme
            seen = np.searchsorted(curve.x, (plot.seen.left(), plot.seen.right()))
            # A wide line of more points than pixels takes many times as long with soft edges.
            item.curve.opts["antialias"] = bool(seen[1] - seen[0] < place.width())
        self._show_picture(plot.picture)
        self.scene.prepareForPaint()
        painter.save()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        self.scene.render(painter, whole, whole)
        painter.restore()

    def _show_picture(self, picture: Picture | None) -> None:
        if picture is None or not picture.values.size:
            self.image.clear()
            return
        ends = picture.colours.ends(picture.domain)
        values = np.where(np.isfinite(picture.values), picture.values, ends[0])
        self.image.setImage(values, levels=ends, lut=picture.colours.table)
        self.image.setRect(picture.rect)


def _pen(curve: Curve, theme: Theme) -> QPen:
    if curve.colour is None:
        return QPen(Qt.PenStyle.NoPen)
    pen = pg.mkPen(curve.colour, width=curve.width * theme.percent / 100)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap if curve.dashed else Qt.PenCapStyle.RoundCap)
    if curve.dashed:
        pen.setStyle(Qt.PenStyle.DashLine)
    return pen


def _show(item: pg.PlotDataItem, curve: Curve, theme: Theme) -> None:
    pen = _pen(curve, theme)
    x, y = curve.x, curve.y
    if curve.columns:
        x, y = np.repeat(x, 2), np.concatenate([[0.0], np.repeat(y, 2), [0.0]])
    item.setDownsampling(ds=1, auto=len(x) > _MANY, method="peak")
    item.opts["autoDownsampleFactor"] = 1.0
    item.setClipToView(len(x) > _MANY)
    item.setPen(pen)
    item.setFillLevel(None if curve.fill is None else 0.0)
    item.setFillBrush(curve.fill)
    item.setData(x, y)


_stage: list[_Stage] = []


def prepare() -> None:
    """Make what paints every plot, which takes some 20 ms."""
    if not _stage:
        _stage.append(_Stage())


def paint_plot(painter: QPainter, theme: Theme, plot: Plot) -> None:
    """Paint a plot from (0, 0) on; a curve of more points than pixels shows their extremes."""
    prepare()
    _stage[0].paint(painter, theme, plot)


def paint_more(painter: QPainter, theme: Theme, plot: Plot, curves: Sequence[Curve]) -> None:
    """Paint what lines of a plot have grown by, over the plot as it was painted before.

    Lines alone: no columns, no fills, nothing in a plot that counts downwards.
    """
    place, seen = plot.place, plot.seen
    across, up = place.width() / seen.width(), place.height() / seen.height()
    painter.save()
    painter.setClipRect(place, Qt.ClipOperation.IntersectClip)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for curve in curves:
        x = place.left() + (curve.x - seen.left()) * across
        y = place.bottom() - (curve.y - seen.top()) * up
        painter.strokePath(pg.arrayToQPath(x, y), _pen(curve, theme))
    painter.restore()
