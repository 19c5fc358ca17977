"""The two colours of the laboratory: of what is not scaled, and of what is."""

from __future__ import annotations

from PySide6.QtGui import QColor

from explorer.kit.theme import Theme

_STRENGTH = 0.8  # of the scores' colours: both can be read as text on the canvas


def hue(theme: Theme, scaled: bool) -> QColor:
    """Return indigo for what is divided by √d, amber for what is not."""
    return QColor(theme.scores_map.fill(_STRENGTH if scaled else -_STRENGTH, 1.0))
