"""Pictures of widgets: PNG as shown, SVG and PDF as vectors; and how they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QPoint, QSize, QSizeF, Qt
from PySide6.QtGui import (
    QAction,
    QGuiApplication,
    QImage,
    QImageWriter,
    QPageSize,
    QPainter,
    QPdfWriter,
)
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QWidget

from explorer.kit.context_menu import offer_actions
from explorer.kit.motion import finish_motions
from explorer.kit.numbers import Plotted, csv_of
from explorer.session.scene_file import write_bytes
from explorer.text import N_, Problem, _, listed

if TYPE_CHECKING:
    from explorer.app.dialogs import QtDialogs

_FINE = 10  # steps of a PDF to a px


def image_of(widget: QWidget, density: float = 1.0) -> QImage:
    """Return the picture of a widget, `density` pixels to a px of the screen."""
    size = widget.size()
    finish_motions(widget)
    image = QImage(size * density, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(density)
    image.fill(widget.palette().window().color())
    with QPainter(image) as painter:
        QWidget.render(widget, painter, QPoint(0, 0))
    return image


def png_of(widget: QWidget, density: float = 1.0) -> bytes:
    """Return the picture of a widget as a PNG file."""
    buffer = _buffer()
    QImageWriter(buffer, b"png").write(image_of(widget, density))
    return bytes(buffer.data().data())


def svg_of(widget: QWidget, title: str) -> bytes:
    """Return the picture of a widget as an SVG file."""
    finish_motions(widget)
    buffer = _buffer()
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setTitle(title)
    generator.setSize(QSize(widget.width(), widget.height()))
    generator.setViewBox(widget.rect())
    with QPainter(generator) as painter:
        QWidget.render(widget, painter, QPoint(0, 0))
    return bytes(buffer.data().data())


def pdf_of(widget: QWidget, title: str) -> bytes:
    """Return the picture of a widget as a PDF file of one page, whose text can be copied."""
    from explorer.app.handout.text_layer import exact_pdf

    finish_motions(widget)

    def settle(writer: QPdfWriter) -> None:
        points = QSizeF(widget.size()) * 0.75  # of 96 to an inch
        exactly = QPageSize.SizeMatchPolicy.ExactMatch
        writer.setResolution(_FINE * 96)
        writer.setPageSize(QPageSize(points, QPageSize.Unit.Point, "", exactly))
        writer.setPageMargins(QMarginsF())
        writer.setTitle(title)

    def draw(painter: QPainter) -> None:
        painter.scale(_FINE, _FINE)
        QWidget.render(widget, painter, QPoint(0, 0))

    return exact_pdf(settle, [draw])


# Kinds of pictures by the ends of their files' names. Each is made of a widget, a title and a
# density, in pixels to a px of the screen.
PICTURES: dict[str, Callable[[QWidget, str, float], bytes]] = {
    ".png": lambda widget, _title, density: png_of(widget, density),
    ".svg": lambda widget, title, _density: svg_of(widget, title),
    ".pdf": lambda widget, title, _density: pdf_of(widget, title),
}


def suffixes() -> str:
    """Return the ends of pictures' names as a sentence lists them."""
    *others, last = PICTURES
    return listed(others) + _(" or ") + last


def _buffer() -> QBuffer:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    return buffer


def painter_of(path: Path) -> Callable[[QWidget, str, float], bytes]:
    """Return what paints a widget into a file of a name. Raises Problem where nothing does."""
    if (make := PICTURES.get(path.suffix.lower())) is None:
        raise Problem(
            N_("{path}: a picture's name ends in {suffixes}."), path=path, suffixes=suffixes()
        )
    return make


def save_picture(widget: QWidget, path: Path, title: str, density: float = 1.0) -> None:
    """Write the picture of a widget, of the kind that the file's suffix says, whole or not at all.

    Raises Problem where the suffix is another one or the file cannot be written.
    """
    write_bytes(painter_of(path)(widget, title, density), path)


class PictureTaker:
    """Takes pictures of the window's parts, by name, and offers to.

    Parameters
    ----------
    parts : callable
        Returns what pictures can be taken of now.
    settle : callable
        Ends what moves in them.
    title : callable
        Returns the name of what is shown, which a file's name begins with.
    dialogs : QtDialogs
        Asks where a picture is to be saved.
    tell : callable
        Shows a problem.
    """

    def __init__(
        self,
        parts: Callable[[], Mapping[str, QWidget]],
        settle: Callable[[], None],
        title: Callable[[], str],
        dialogs: QtDialogs,
        tell: Callable[[Problem], None],
    ) -> None:
        self.parts = parts
        self._settle, self._title, self._dialogs, self._tell = settle, title, dialogs, tell

    def copy(self, name: str) -> None:
        """Put the picture of a part on the clipboard, twice as fine as on the screen."""
        self._settle()
        part = self._part(name)
        if part is not None:
            QGuiApplication.clipboard().setImage(image_of(part, 2.0))

    def save(self, name: str) -> None:
        """Save the picture of a part where the person says."""
        self._settle()
        part = self._part(name)  # while the dialog is open, something else may be shown
        path = None if part is None else self._dialogs.ask_picture(self._title(), name)
        if part is None or path is None:
            return
        try:
            save_picture(part, path, self._title(), density=2.0)
        except Problem as problem:
            self._tell(problem)

    def _part(self, name: str) -> QWidget | None:
        """Return a part; None where it is not there, as a menu may outlive what it was opened on.

        One that has no size, as nothing is shown in it yet, is told.
        """
        part = self.parts().get(name)
        if part is None or not part.size().isEmpty():
            return part
        self._tell(Problem(N_("There is no picture of this yet: nothing is shown there.")))
        return None

    def save_numbers(self, name: str) -> None:
        """Save the numbers that a part plots where the person says."""
        part = self.parts().get(name)
        path = self._dialogs.ask_numbers(self._title(), name) if isinstance(part, Plotted) else None
        if path is None:
            return
        try:
            write_bytes(csv_of(part.plotted()).encode(), path)
        except Problem as problem:
            self._tell(problem)

    def offer(self, parts: Mapping[str, QWidget]) -> None:
        """Put "Copy picture" and "Save picture…" into the context menu of each part.

        A part that plots offers its numbers too. They are added to the part's actions; one that
        has no menu of its own shows just these.
        """
        for name, part in parts.items():
            offered = [(_("Copy picture"), self.copy), (_("Save picture…"), self.save)]
            if isinstance(part, Plotted):
                offered.append((_("Save numbers as CSV…"), self.save_numbers))
            for text, act in offered:
                action = QAction(text, part)
                action.triggered.connect(partial(act, name))
                part.addAction(action)
            if part.contextMenuPolicy() is Qt.ContextMenuPolicy.DefaultContextMenu:
                offer_actions(part)
