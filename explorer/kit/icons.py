"""The program's own line icons, tinted with the theme."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from explorer.kit.drawing_cache import drawing_cache
from explorer.kit.style import DISABLED
from explorer.kit.theme import Theme
from explorer.resources import resource

# Every file draws in this colour, which no icon keeps: a plain text exchange tints it.
PLACEHOLDER = "#ABCDEF"
SIDE = 20  # px at 100 %


def icon(name: str, theme: Theme, colour: str = "ink2") -> QIcon:
    """Return an icon of `resources/icons/` for a theme, with its disabled state.

    Parameters
    ----------
    name : str
        File name without `.svg`.
    colour : str
        A palette colour by its field name, or #RRGGBB.

    Raises FileNotFoundError where there is no such icon.
    """
    return QIcon(_icon(name, theme, colour))


@drawing_cache(256)
def _icon(name: str, theme: Theme, colour: str) -> QIcon:
    svg = resource("icons", f"{name}.svg").read_text(encoding="ascii")
    tinted = svg.replace(PLACEHOLDER, theme.color(colour).name())
    renderer = QSvgRenderer(QByteArray(tinted.encode()))
    result = QIcon()
    # Pictures are taken twice as fine as a usual screen shows them.
    screens = {screen.devicePixelRatio() for screen in QGuiApplication.screens()}
    for density in sorted({1.0, 2.0, *screens}):
        for mode, opacity in ((QIcon.Mode.Normal, 1.0), (QIcon.Mode.Disabled, DISABLED)):
            result.addPixmap(_paint(renderer, theme.px(SIDE), density, opacity), mode)
    return result


def _paint(renderer: QSvgRenderer, side: int, density: float, opacity: float) -> QPixmap:
    pixmap = QPixmap(round(side * density), round(side * density))
    pixmap.setDevicePixelRatio(density)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        painter.setOpacity(opacity)
        renderer.render(painter, QRectF(0, 0, side, side))
    return pixmap
