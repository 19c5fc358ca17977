"""The rail that stands in for the left panel in a narrow window."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QToolButton, QVBoxLayout, QWidget

from explorer.kit.icons import icon
from explorer.kit.markers import marker_icon
from explorer.kit.theme import Theme
from explorer.session import Space
from explorer.text import _, plain_tip


class Rail(QWidget):
    """What the panel holds, one below the other; a click asks for the panel.

    Parameters
    ----------
    theme : Theme
    entries : sequence of (Space or str, str)
        A role's marker or an icon's name, and a short name.
    """

    asked = Signal()

    def __init__(
        self,
        theme: Theme,
        entries: Sequence[tuple[Space | str, str]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setProperty("panel", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self._layout = QVBoxLayout(self)
        self._buttons: list[tuple[Space | str, QToolButton]] = []
        for sign, name in ((sign, _(name)) for sign, name in entries):
            button = QToolButton(self)
            button.setText(name)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
            button.setAccessibleName(_("Show the numbers of {name}").format(name=name))
            button.setToolTip(plain_tip(_("Show the numbers of {name}").format(name=name)))
            button.clicked.connect(self.asked)
            self._layout.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
            self._buttons.append((sign, button))
        self._layout.addStretch(1)
        self.retheme(theme)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._layout.setContentsMargins(0, theme.px(12), 0, theme.px(12))
        self._layout.setSpacing(theme.px(8))
        side = theme.px(16)
        for sign, button in self._buttons:
            if isinstance(sign, Space):
                drawn = marker_icon(sign, theme.color("ink2"), theme.color("ink1"), side)
            else:
                drawn = icon(sign, theme)
            button.setIcon(drawn)
            button.setIconSize(QSize(side, side))
            button.setFont(theme.font(12, 500))
            button.setFixedSize(theme.px(38), theme.px(44))
