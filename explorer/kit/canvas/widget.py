"""A widget that paints drawings, and a list of names for screen readers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QListWidget, QSizePolicy, QWidget

from explorer.kit.canvas.drawing import Drawing, reaches_above
from explorer.kit.canvas.paint import paint_drawing
from explorer.kit.painted import PaintedWidget
from explorer.kit.theme import Theme


class Canvas(PaintedWidget):
    """Paints one drawing upon the canvas colour, as vectors where the device asks for them.

    A plain widget rather than a plot: drawings come in device pixels with a grid of their own, so
    that nothing of a plot's items, axes and mouse handling would be used.
    """

    drawing_due = Signal()  # what was asked for is to be shown

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(theme, name, parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self._drawing = Drawing()
        self._covered, self._high = 0.0, True  # whether it reaches above what is covered
        self._due = self._painting = False
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    @property
    def shown(self) -> Drawing:
        """What is shown."""
        self.catch_up()
        return self._drawing

    def expect_drawing(self) -> None:
        """Ask for another drawing when this is next painted: for several sizes once."""
        self._due = True
        self.update()

    def catch_up(self) -> None:
        """Ask now for the drawing that is due at the next paint, if one is."""
        if self._due:
            self._due = False
            self.drawing_due.emit()

    def show_drawing(self, drawing: Drawing, theme: Theme, covered: float = 0.0) -> None:
        """Show another drawing.

        covered : px at the upper edge where controls lie on the canvas. They would be painted
            again with it: where nothing but the same grid and tint is there, neither is.
        """
        self._due = False
        before, looked, high = self._drawing, (self.theme, self._covered), self._high
        self._drawing, self.theme, self._covered = drawing, theme, covered
        self._high = covered <= 0 or reaches_above(drawing, covered)
        if self._painting:
            return  # all of it
        beneath = drawing.grid is before.grid and drawing.tint is before.tint
        if beneath and looked == (theme, covered) and not (high or self._high):
            top = math.floor(covered)
            self.update(0, top, self.width(), self.height() - top)
        else:
            self.update()

    def paint_below(self, painter: QPainter) -> None:
        """Paint what lies below the drawing: nothing, unless a canvas has something there."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the drawing; a ring inside the border says that keys go here."""
        self._painting = True
        self.catch_up()
        self._painting = False
        with QPainter(self) as painter:
            # The pen a painter begins with is the application's, and would be written on paper too.
            painter.setPen(self.theme.color("ink1"))
            painter.fillRect(self.rect(), self.theme.color("canvas"))
            self.paint_below(painter)
            paint_drawing(painter, self._drawing, self.theme)
            self.paint_ring(painter)


class NameList(QListWidget):
    """One item a name; outside the visible area of its parent."""

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setGeometry(-4000, 0, 200, 200)
        self._names: Callable[[], Sequence[str]] = tuple
        self._turn = QTimer(self, interval=0, singleShot=True)
        self._turn.timeout.connect(self._name)

    def name_soon(self, names: Callable[[], Sequence[str]]) -> None:
        """Show names in a turn of their own: to find them may cost more than the drawing."""
        self._names = names
        self._turn.start()

    def _name(self) -> None:
        names, self._names = self._names, tuple  # what it holds goes when it is done
        self.show_names(names())

    def show_names(self, names: Sequence[str]) -> None:
        """Show these names; items that stay the same are left alone."""
        while self.count() > len(names):
            self.takeItem(self.count() - 1)
        for row, name in enumerate(names):
            item = self.item(row)
            if item is None:
                self.addItem(name)
            elif item.text() != name:
                item.setText(name)
