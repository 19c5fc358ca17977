"""Widgets painted on paper, as vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QRegion
from PySide6.QtWidgets import QWidget

from explorer.app.handout.paper import Row
from explorer.kit.base import F, FrameView
from explorer.kit.layouts import lay_out
from explorer.kit.motion import finish_motions
from explorer.kit.style import palette, style_sheet, use_fusion
from explorer.kit.theme import Theme

NARROW, WIDE = 480, 836  # px of what is as wide as a column, and as wide as the page
ENDLESS = 4000  # px: nothing is cut off
_ROUNDS = 3  # what is drawn can ask for other room, and that for another drawing


@contextmanager
def unseen_widget(theme: Theme) -> Iterator[QWidget]:
    """Yield a widget that no screen shows, in a theme; what is put on it goes with it."""
    use_fusion()
    made = QWidget()
    made.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    made.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
    made.setStyleSheet(style_sheet(theme))
    made.setPalette(palette(theme))
    made.setFont(theme.font())
    try:
        yield made
    finally:
        # At once, and not whenever Python finds the time: style sheets go through all widgets.
        made.deleteLater()
        QCoreApplication.sendPostedEvents(made, QEvent.Type.DeferredDelete)


def settled(view: FrameView[F], frame: F) -> None:
    """Draw a frame until everything has its place."""
    for _round in range(_ROUNDS):
        view.draw(frame)
        lay_out()


def wear_alike(widget: QWidget) -> None:
    """Give all parts of a widget the palette of its window, in which each begins to paint.

    Style sheets keep them from what they are in.
    """
    palette = widget.window().palette()
    for part in (widget, *widget.findChildren(QWidget)):
        if part.palette().text() != palette.text():
            part.setPalette(palette)


def picture(
    show: Callable[[], QWidget],
    width: float,
    *,
    size: QSize | None = None,
    wide: int | None = None,
) -> Row:
    """Return a row with a picture.

    It is without the outermost pixels: there is the hairline that parts a view from the next one.

    Parameters
    ----------
    show : callable
        Draws the widget, and returns it.
    width : float
        On paper.
    size : QSize, optional
        Of the widget, where that is known before it is drawn.
    wide : int, optional
        How many px are as wide as `width`; those of the widget by default.
    """
    found = size or show().size()
    scale = width / (wide or found.width())

    def draw(painter: QPainter, x: float, y: float) -> None:
        widget = show()
        finish_motions(widget)
        wear_alike(widget)
        painter.save()
        painter.translate(x, y)
        painter.scale(scale, scale)
        painter.setClipRect(QRect(QPoint(), found).adjusted(1, 1, -1, -1))
        QWidget.render(widget, painter, QPoint(), QRegion(), QWidget.RenderFlag.DrawChildren)
        painter.restore()

    return Row(found.height() * scale, draw)
