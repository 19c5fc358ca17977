"""The selected pair of a sample's tokens: where it is, and where keys move it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from explorer.session import Selection

_STEPS = {
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
}


def shown_pair(thing: Selection | None, tokens: int) -> tuple[int, int] | None:
    """Return query and key of a selected thing, where both are tokens of the sample."""
    pair = None if thing is None or thing.in_weights else thing.pair
    return pair if pair is not None and max(pair) < tokens else None


def moved_pair(thing: Selection | None, tokens: int, event: QKeyEvent) -> tuple[int, int] | None:
    """Return the pair that an arrow key moves to, the first one to begin with; None for others."""
    step = _STEPS.get(Qt.Key(event.key()))
    if step is None or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
        return None
    pair = shown_pair(thing, tokens)
    if pair is None:
        return 0, 0
    query, key = (min(max(at + by, 0), tokens - 1) for at, by in zip(pair, step, strict=True))
    return query, key
