"""Pictures of widgets: PNG as shown, SVG as vectors; and how they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QPoint, QSaveFile, QSize, Qt
from PySide6.QtGui import QAction, QGuiApplication, QImage, QImageWriter, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QWidget

from explorer.app.dialogs import QtDialogs
from explorer.kit.motion import finish_motions
from explorer.text import N_, Problem, _


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


class Camera:
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
        QGuiApplication.clipboard().setImage(image_of(self.parts()[name], 2.0))

    def save(self, name: str) -> None:
        """Save the picture of a part where the person says."""
        self._settle()
        part = self.parts()[name]  # as long as the dialog is open, something else may be shown
        path = self._dialogs.ask_picture(self._title(), name)
        if path is None:
            return
        try:
            save_picture(part, path, self._title(), density=2.0)
        except Problem as problem:
            self._tell(problem)

    def offer(self, parts: Mapping[str, QWidget]) -> None:
        """Put "Copy picture" and "Save picture…" into the context menu of each part.

        They are added to the part's actions; one that has no menu of its own shows just these.
        """
        policy = Qt.ContextMenuPolicy
        for name, part in parts.items():
            for text, act in ((_("Copy picture"), self.copy), (_("Save picture…"), self.save)):
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
