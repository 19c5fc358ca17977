"""What makes a part pale whose text is another than the one that is asked for, or hides it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from explorer.kit.guarded_filter import guarded_filter
from explorer.kit.theme import Theme

_LEFT = 0.6  # of what lies below


class Veil(QWidget):
    """Lies over a part, in the colour of its ground; what is below can still be used.

    An opacity effect would not do: Qt does not paint the ground under what is opaque in the part,
    and what stood there before would shine through.

    Parameters
    ----------
    part : QWidget
    ground : str
        A colour of the palette.
    whole : bool
        Whether nothing of the part is seen.
    """

    def __init__(self, theme: Theme, part: QWidget, ground: str, *, whole: bool = False) -> None:
        super().__init__(part)
        self._theme, self._part, self._ground = theme, part, ground
        self._left = 0.0 if whole else _LEFT
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, not whole)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        part.installEventFilter(self)
        self.hide()

    def show_over(self, shown: bool) -> None:
        """Lie over the part, all of it, or be gone."""
        self.setGeometry(self._part.rect())
        self.setVisible(shown)
        self.raise_()

    def retheme(self, theme: Theme) -> None:
        """Take another theme."""
        self._theme = theme
        self.update()

    @guarded_filter
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Be as large as the part."""
        if event.type() == QEvent.Type.Resize:
            self.setGeometry(self._part.rect())
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(event.rect(), self._theme.color(self._ground, 1 - self._left))
