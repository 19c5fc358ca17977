"""What the painted pictures of a sweep have in common: shades of values, places, what they say."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.kit.theme import Theme, contrast
from explorer.rooms.sweep.shown import SelectedRun, Shown
from explorer.session import Array
from explorer.sweeps.plan import Value, value_text
from explorer.text import _, display_number, joined_long, labelled
from explorer.traces import LABELS

SWATCH = 10  # px at 100 %
RIGHT = 92  # px at 100 %, of what stands right of the pictures
_READABLE = 4.5  # contrast of a text
_SHADE_DARK = 0.3  # of the ramp, that dark marks would be lost in


class Picture(QWidget):
    """A painted picture of a sweep."""

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.shown: Shown | None = None
        self.selected: SelectedRun | None = None
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def draw(self, shown: Shown | None, selected: SelectedRun | None) -> None:
        """Show a sweep, and the run of it that is looked at."""
        self.shown, self.selected = shown, selected
        self.setAccessibleDescription(self.said)
        self.update()

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self.theme = theme
        self.update()

    @property
    def said(self) -> str:
        """What is shown, in words."""
        if self.shown is None:
            return ""
        first = self.shown.first_field
        name = "" if first is None else f"{_(LABELS[first])} "
        return joined_long(
            labelled(f"{name}{value_text(value)}", display_number(float(band[1][-1]), 3))
            for value, band in self.shown.bands.items()
        )

    def colour(self, value: Value) -> QColor:
        """Return the shade of a value of the first field."""
        assert self.shown is not None
        return shade_colour(self.theme, self.shown.shade(value))

    def ink(self, value: Value) -> QColor:
        """Return the shade of a value in which text can be read."""
        assert self.shown is not None
        shade = self.shown.shade(value)
        colour = shade_colour(self.theme, shade)
        canvas = self.theme.color("canvas")
        while shade < 1 and contrast(_rgb(colour), _rgb(canvas)) < _READABLE:
            shade += 0.04
            colour = shade_colour(self.theme, shade)
        return colour

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint what there is."""
        if self.shown is not None and self.shown.results:
            with QPainter(self) as painter:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                self.paint(painter, self.shown)

    def paint(self, painter: QPainter, shown: Shown) -> None:
        """Paint a sweep."""
        raise NotImplementedError


def shade_colour(theme: Theme, shade: float) -> QColor:
    """Return the colour of a shade, a share of the attention ramp."""
    if theme.dark:
        shade = _SHADE_DARK + (1 - _SHADE_DARK) * shade
    return theme.weights_map.fill(min(shade, 1.0), 1.0)


def swatch(theme: Theme, shade: float) -> QPixmap:
    """Return a small square in the colour of a shade."""
    drawn = QPixmap(theme.px(SWATCH), theme.px(SWATCH))
    drawn.fill(shade_colour(theme, shade))
    return drawn


def _rgb(colour: QColor) -> tuple[int, int, int]:
    return colour.red(), colour.green(), colour.blue()


def points(place: QRectF, seen: QRectF, xs: Array, ys: Array) -> list[QPointF]:
    """Return places in px; y grows upwards."""
    across = place.left() + (xs - seen.left()) / seen.width() * place.width()
    down = place.bottom() - (ys - seen.top()) / seen.height() * place.height()
    return [QPointF(x, y) for x, y in zip(across.tolist(), down.tolist(), strict=True)]
