"""Pictures of widgets: PNG as shown, SVG as vectors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QPoint, QSaveFile, QSize, Qt
from PySide6.QtGui import QAction, QGuiApplication, QImage, QImageWriter, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QWidget

from explorer.text import N_, Problem, _
from explorer.views.motion import finish_motions


def image_of(widget: QWidget, density: float = 1.0) -> QImage:
    """Return the picture of a widget, `density` pixels to a px of the screen."""
    size = widget.size()
    finish_motions(widget)
    image = QImage(size * density, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(density)
    image.fill(widget.palette().window().color())
    painter = QPainter(image)
    QWidget.render(widget, painter, QPoint(0, 0))
    painter.end()
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
    painter = QPainter(generator)
    QWidget.render(widget, painter, QPoint(0, 0))
    painter.end()
    return bytes(buffer.data().data())


def _buffer() -> QBuffer:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    return buffer


def save_picture(widget: QWidget, path: Path, title: str, density: float = 1.0) -> None:
    """Write the picture of a widget, PNG or SVG by the file's suffix, whole or not at all.

    Raises Problem where the suffix is another one or the file cannot be written.
    """
    suffix = path.suffix.lower()
    if suffix not in (".png", ".svg"):
        raise Problem(N_("{path}: a picture's name ends in .png or .svg."), path=path)
    file = QSaveFile(str(path))
    if not file.open(QIODevice.OpenModeFlag.WriteOnly):
        raise _unwritable(path, file)
    file.write(svg_of(widget, title) if suffix == ".svg" else png_of(widget, density))
    if not file.commit():
        raise _unwritable(path, file)


def copy_picture(widget: QWidget) -> None:
    """Put the picture of a widget on the clipboard, twice as fine as on the screen."""
    QGuiApplication.clipboard().setImage(image_of(widget, 2.0))


def offer_pictures(
    parts: Mapping[str, QWidget], copy: Callable[[str], None], save: Callable[[str], None]
) -> None:
    """Put "Copy picture" and "Save picture…" into the context menu of each part.

    They are added to the part's actions; one that has no menu of its own shows just these.
    """
    policy = Qt.ContextMenuPolicy
    for name, part in parts.items():
        for text, act in ((_("Copy picture"), copy), (_("Save picture…"), save)):
            action = QAction(text, part)
            action.triggered.connect(partial(act, name))
            part.addAction(action)
        if part.contextMenuPolicy() is policy.DefaultContextMenu:
            part.setContextMenuPolicy(policy.ActionsContextMenu)


def _unwritable(path: Path, file: QSaveFile) -> Problem:
    return Problem(
        N_("{path} cannot be written: {reason}. Choose another folder."),
        path=path,
        reason=file.errorString(),
    )
