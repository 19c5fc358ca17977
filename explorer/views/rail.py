"""The rail that stands in for the left panel in a narrow window."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QToolButton, QVBoxLayout, QWidget

from explorer.session import Space
from explorer.text import _, html_escaped
from explorer.views.markers import marker_icon
from explorer.views.theme import Theme

_ENTRIES = ((Space.X, "X"), (Space.Q, "Wq"), (Space.K, "Wk"), (Space.V, "Wv"))


class Rail(QWidget):
    """Markers of X, Wq, Wk and Wv, one above the other; a click asks for the panel behind them."""

    asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("panel", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self._layout = QVBoxLayout(self)
        self._buttons: list[tuple[Space, QToolButton]] = []
        for space, name in _ENTRIES:
            button = QToolButton(self)
            button.setText(name)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
            button.setAccessibleName(_("Show the numbers of {name}").format(name=name))
            button.setToolTip(html_escaped(_("Show the numbers of {name}").format(name=name)))
            button.clicked.connect(self.asked)
            self._layout.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
            self._buttons.append((space, button))
        self._layout.addStretch(1)
        self.retheme(theme)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._layout.setContentsMargins(0, theme.px(12), 0, theme.px(12))
        self._layout.setSpacing(theme.px(8))
        side = theme.px(16)
        for space, button in self._buttons:
            button.setIcon(marker_icon(space, theme.color("ink2"), theme.color("ink1"), side))
            button.setIconSize(QSize(side, side))
            button.setFont(theme.font(12, 500))
            button.setFixedSize(theme.px(38), theme.px(44))
