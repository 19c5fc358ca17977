"""Where the panes of the Q K V spaces are: four in two rows, or one alone where it is low."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from explorer.kit.segments import Segment, Segments
from explorer.kit.theme import Theme
from explorer.rooms.train.space_pane import TITLE, SpacePane
from explorer.text import _

_LOW = 190  # px at 100 %: of two rows of panes, each would be lower than this
_LINE = 1  # px between the panes and above them
_SIDE = 12  # px at 100 % to the right of the choice


class SpacePanes(QWidget):
    """Four panes of equal size; where there is no room for two rows, a choice of one.

    Parameters
    ----------
    panes : sequence of SpacePane
        Four.
    """

    def __init__(
        self, panes: Sequence[SpacePane], theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("space-panes")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme, self._panes, self._chosen = theme, panes, 0
        for pane in panes:
            pane.setParent(self)
        items = [
            Segment(number, pane.short_name, name=pane.accessibleName(), tooltip=pane.words)
            for number, pane in enumerate(panes)
        ]
        self.choice = Segments(items, _("Space"), theme, exclusive=True, pad=8, parent=self)
        self.choice.picked.connect(self.choose)
        self.retheme(theme)

    def choose(self, number: int) -> None:
        """Show a pane where only one is shown."""
        self._chosen = number
        self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        # What lies beneath shows as a hairline.
        self.setStyleSheet(f"#space-panes {{ background: {theme.palette.line}; }}")
        self.choice.retheme(theme)
        self._place()

    def _place(self) -> None:
        px, wide, high = self._theme.px, self.width(), self.height() - _LINE
        alone = high < 2 * px(_LOW) + _LINE
        left, upper = (wide - _LINE) // 2, (high - _LINE) // 2
        size = self.choice.sizeHint()
        for number, pane in enumerate(self._panes):
            below, beside = divmod(number, 2)
            if alone:
                pane.setGeometry(0, _LINE, wide, high)
            else:
                pane.setGeometry(
                    (left + _LINE) * beside,
                    _LINE + (upper + _LINE) * below,
                    wide - left - _LINE if beside else left,
                    high - upper - _LINE if below else upper,
                )
            pane.keep_free(size.width() + px(_SIDE) if alone else 0)
            pane.setVisible(not alone or number == self._chosen)
        self.choice.show_checked({self._chosen})
        self.choice.setVisible(alone)
        top = _LINE + (px(TITLE) - size.height()) // 2
        self.choice.setGeometry(wide - px(_SIDE) - size.width(), top, size.width(), size.height())
        self.choice.raise_()
