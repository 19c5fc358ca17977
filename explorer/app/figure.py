"""Figures for a paper: a view alone, in millimetres and points, in colours that print."""

from __future__ import annotations

import re
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, fields, replace
from functools import cached_property
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import (
    QBuffer,
    QIODevice,
    QMarginsF,
    QPoint,
    QRect,
    QRectF,
    QSize,
    QSizeF,
    Qt,
)
from PySide6.QtGui import QColor, QImage, QImageWriter, QPageSize, QPainter, QPdfWriter, QRegion
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QPushButton,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from explorer.app.handout.painting import unseen_widget, wear_alike
from explorer.app.handout.pictures import PaperTheme
from explorer.app.handout.text_layer import exact_pdf
from explorer.app.room import Room
from explorer.exporters.figure import COLOUR_BLIND, Figure, check_name
from explorer.kit.layouts import lay_out
from explorer.kit.motion import finish_motions
from explorer.kit.page import Page
from explorer.kit.theme import Colormap, Palette, TokenColour, luminance
from explorer.session.scene_file import write_bytes
from explorer.text import N_, Problem

_MM_PER_PT = 25.4 / 72
_PERCENT = 200  # so that no view is narrower than it can be on a screen
_TEXT = 14 * _PERCENT / 100  # px of the ordinary text, which is as large as asked for
_HOST = QSize(2880, 2400)  # px, at first
_HIGH = 0.75  # of its width, what stands in the middle
_ROUNDS = 4  # what is drawn can ask for other room, and that for another drawing
_EMPTY = 160  # px without anything
_AIR = 4  # px around what is drawn
_FINE = 10  # steps of a PDF to a px
_DPI = 600  # of a PNG
_PATIENCE = 0.02  # s that a slice waits for what is packed beside

# Token colours in grey, neighbours far apart.
_GREYS = ["1A1A1A", "999999", "4D4D4D", "C4C4C4", "6B6B6B", "AFAFAF", "333333", "DADADA"]
_LIGHTEST, _DARKEST = 255, 20  # of what is large


@dataclass(frozen=True)
class GreyTheme(PaperTheme):
    """The colours of paper as greys; the smallest number is white, the largest one black."""

    @property
    def palette(self) -> Palette:
        """The neutral colours."""
        coloured = super().palette
        return replace(
            coloured, **{each.name: _grey(getattr(coloured, each.name)) for each in fields(Palette)}
        )

    def slot(self, index: int) -> TokenColour:
        """Return token colour slot `index` (0–7)."""
        return TokenColour(f"#{_GREYS[index % len(_GREYS)]}", self.palette.ink1)

    @cached_property
    def weights_map(self) -> Colormap:
        """The colormap of attention weights: 0 … domain."""
        return Colormap(_ramp(), 0.0, 1.0, self.palette.cell_dark)

    @cached_property
    def scores_map(self) -> Colormap:
        """The colormap of scores: −domain … domain."""
        return Colormap(_ramp(), -1.0, 1.0, self.palette.cell_dark)


def save_figure(room: Room[Any], view: str, path: Path, figure: Figure, title: str) -> None:
    """Write one of a room's pictures as a figure, of the kind that the file's suffix says.

    Raises Problem where the suffix is another one, the figure is too narrow, or the file cannot be
    written.
    """
    for _share in making_figure(room, view, path, figure, title):
        pass


def making_figure(
    room: Room[Any], view: str, path: Path, figure: Figure, title: str
) -> Generator[float, None, None]:
    """Do what `save_figure` does, and yield after each slice of it the share that is done."""
    check_name(path)
    suffix = path.suffix.lower()
    kind = PaperTheme if figure.palette == COLOUR_BLIND else GreyTheme
    theme = kind(percent=_PERCENT)
    with unseen_widget(theme) as host:
        host.resize(_HOST)
        yield 0.1
        page = room.other_page(theme, host)
        yield 0.3
        host.show()
        page.show()
        yield 0.4
        part = yield from _fitted(room.session.frame, host, page, view, figure)
        drawn = _Drawn(part, page.middle.isAncestorOf(part), figure)
        yield 0.8
        if suffix == ".png":
            file = yield from _packed(drawn.image())
        else:
            file = drawn.pdf(title) if suffix == ".pdf" else drawn.svg(title)
        write_bytes(file, path)


def _fitted(
    frame: Any, host: QWidget, page: Page, view: str, figure: Figure
) -> Generator[float, None, QWidget]:
    """Return a part of a page that is as wide as a figure, or as wide as it is at most."""
    page.setGeometry(host.rect())
    part = page.pictures()[view]
    _bring(part)
    yield from _settle(frame, page, part)
    middle = page.middle.isAncestorOf(part)
    for _round in range(_ROUNDS):
        wider = _width(figure) - part.width()
        higher = 0
        if middle:
            areas = part.findChildren(QAbstractScrollArea)
            higher = max(
                (area.verticalScrollBar().maximum() for area in areas),  # what is scrolled to
                default=round(_HIGH * _width(figure)) - part.height(),
            )
            # The panels beside it may be higher.
            page.middle.setMaximumHeight(page.middle.height() + higher)
        before = part.size()
        page.resize(page.width() + wider, page.height() + higher)
        host.resize(page.size())
        yield from _settle(frame, page, part)
        _leave_buttons_out(part)
        if part.size() == before:
            break
    wear_alike(part)
    return part


def _leave_buttons_out(part: QWidget) -> None:
    for button in part.findChildren(QAbstractButton):
        signed = isinstance(button, QToolButton) and not button.icon().isNull()
        if signed or isinstance(button, QPushButton):
            button.hide()


def _bring(part: QWidget) -> None:
    """Bring a widget to the front of what it takes turns in."""
    inside: QWidget | None = part
    while inside is not None:
        holder = inside.parentWidget()
        if isinstance(holder, QStackedWidget):
            holder.setCurrentWidget(inside)
        inside = holder


def _settle(frame: Any, page: Page, part: QWidget) -> Generator[float, None, None]:
    """Draw what a part of a page shows until everything has its place."""
    views = [
        view
        for view in page.views
        if view is part or view.isAncestorOf(part) or part.isAncestorOf(view)
    ]
    for _round in range(_ROUNDS):
        for view in views:
            if view.isVisible():
                view.draw(frame)
        yield 0.6
        lay_out()
    finish_motions(page)


def _mm(figure: Figure) -> float:
    """Return how many mm a px is."""
    return figure.font_pt * _MM_PER_PT / _TEXT


def _width(figure: Figure) -> int:
    """Return the width of a figure in px."""
    return round(figure.width_mm / _mm(figure))


class _Drawn:
    """What a widget draws, without the empty room below and beside it.

    Parameters
    ----------
    part : QWidget
    middle : bool
        Whether it stands in the middle of its page.
    figure : Figure
        Raises Problem where it is too narrow for the part.
    """

    def __init__(self, part: QWidget, middle: bool, figure: Figure) -> None:
        self._part, self._figure = part, figure
        self._shown = _filled(part, middle)
        if self._shown.width() > _width(figure):
            raise Problem(
                N_(
                    "This view needs {least} mm with text of {points} pt: ask for a wider figure"
                    " or smaller text."
                ),
                least=ceil(self._shown.width() * _mm(figure)),
                points=f"{figure.font_pt:g}",
            )
        self._size = QSize(_width(figure), self._shown.height())

    def _paint(self, painter: QPainter) -> None:
        painter.translate((self._size.width() - self._shown.width()) / 2, 0)
        painter.setClipRect(QRect(QPoint(), self._shown.size()))
        painter.translate(-self._shown.topLeft())
        flags = QWidget.RenderFlag.DrawChildren
        QWidget.render(self._part, painter, QPoint(), QRegion(), flags)

    @property
    def _millimetres(self) -> QSizeF:
        figure = self._figure
        return QSizeF(figure.width_mm, self._size.height() * figure.width_mm / _width(figure))

    def pdf(self, title: str) -> bytes:
        """Return a page of exactly this size, whose text can be copied."""
        points = QSizeF(self._millimetres) * (1 / _MM_PER_PT)

        def settle(writer: QPdfWriter) -> None:
            writer.setResolution(72 * _FINE)
            exactly = QPageSize.SizeMatchPolicy.ExactMatch
            writer.setPageSize(QPageSize(points, QPageSize.Unit.Point, "", exactly))
            writer.setPageMargins(QMarginsF())
            writer.setTitle(title)

        def draw(painter: QPainter) -> None:
            scale = points.width() * _FINE / self._size.width()
            painter.scale(scale, scale)
            self._paint(painter)

        return exact_pdf(settle, [draw])

    def svg(self, title: str) -> bytes:
        """Return a drawing in vectors, whose size is told in mm."""
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        generator = QSvgGenerator()
        generator.setOutputDevice(buffer)
        generator.setTitle(title)
        generator.setSize(self._size)
        generator.setViewBox(QRectF(QPoint(), QSizeF(self._size)))
        with QPainter(generator) as painter:
            self._paint(painter)
        size = self._millimetres
        told = f'width="{size.width():.3f}mm" height="{size.height():.3f}mm"'.encode()
        drawn = bytes(buffer.data().data())
        return re.sub(rb'width="[^"]*mm" height="[^"]*mm"', told, drawn, count=1)

    def image(self) -> QImage:
        """Return pixels, 600 to an inch, on white."""
        density = self._millimetres.width() / 25.4 * _DPI / self._size.width()
        image = QImage(self._size * density, QImage.Format.Format_RGB32)
        image.setDotsPerMeterX(round(_DPI / 0.0254))
        image.setDotsPerMeterY(round(_DPI / 0.0254))
        image.fill(Qt.GlobalColor.white)
        with QPainter(image) as painter:
            painter.scale(density, density)
            self._paint(painter)
        return image


def _packed(image: QImage) -> Generator[float, None, bytes]:
    """Return pixels as a PNG file, packed in a thread of its own."""

    def pack() -> bytes:
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        QImageWriter(buffer, b"png").write(image)
        return bytes(buffer.data().data())

    beside = ThreadPoolExecutor(1, "figure")
    file = beside.submit(pack)
    beside.shutdown(wait=False)
    while not file.done():
        yield 0.9
        wait((file,), _PATIENCE)
    return file.result()


def _filled(part: QWidget, middle: bool) -> QRect:
    """Return the part of a widget that is not empty, without the hairline at its edge.

    In a panel beside the middle, what stands below much empty room is the foot with its controls.
    """
    inside = part.rect().adjusted(1, 1, -1, -1)
    image = QImage(part.size(), QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    with QPainter(image) as painter:
        QWidget.render(part, painter, QPoint(), QRegion(inside), QWidget.RenderFlag.DrawChildren)
    pixels = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), image.width())
    inked = pixels != pixels[inside.bottom(), inside.right()]
    inked[[0, -1]] = inked[:, [0, -1]] = False
    rows = np.flatnonzero(inked.any(axis=1))
    if not len(rows):
        return inside
    if not middle:
        empty = np.flatnonzero(np.diff(rows) > _EMPTY)
        rows = rows[: empty[0] + 1] if len(empty) else rows
    columns = np.flatnonzero(inked[rows[0] : rows[-1] + 1].any(axis=0))
    found = QRect(QPoint(int(columns[0]), int(rows[0])), QPoint(int(columns[-1]), int(rows[-1])))
    return found.adjusted(-_AIR, -_AIR, _AIR, _AIR).intersected(inside)


def _grey(colour: str) -> str:
    """Return the grey that is as light as a colour #RRGGBB."""
    made = QColor(colour)
    light = float(luminance([made.red(), made.green(), made.blue()]))
    share = 12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055
    return QColor.fromRgbF(share, share, share).name()


def _ramp() -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Return the greys from the lightest to the darkest, (256, 3)."""
    steps = np.linspace(_LIGHTEST, _DARKEST, 256)
    return np.rint(np.repeat(steps[:, None], 3, axis=1)).astype(np.uint8)
