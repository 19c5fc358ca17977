"""Whether a text of some colour stands in a picture: thin strokes are blends in some fonts."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtGui import QColor

_STEP = 12  # how far one of red, green and blue may lie beside the text's own


def has_ink(colours: Iterable[str], ink: str) -> bool:
    """Return whether one of the colours of a picture is nearly that of a text."""
    wanted = QColor(ink)
    return any(_apart(QColor(colour), wanted) <= _STEP for colour in colours)


def _apart(first: QColor, second: QColor) -> int:
    return max(
        abs(first.red() - second.red()),
        abs(first.green() - second.green()),
        abs(first.blue() - second.blue()),
    )
