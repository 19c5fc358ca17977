"""Sliders: what their keys and the wheel ask for, and how they look."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QSlider

from explorer.kit.theme import Theme


class AskingSlider(QSlider):
    """Base of sliders that ask for a number and show what they are told.

    A subclass says what lies a step away (`stepped`) and where the ends are (`ends`), and asks.
    """

    shown: float

    def stepped(self, steps: int) -> float:
        """Return the number some steps away from the one that is shown."""
        raise NotImplementedError

    def ends(self) -> tuple[float, float]:
        """Return the smallest and the largest number."""
        raise NotImplementedError

    def ask(self, value: float) -> None:
        """Ask for a number, or for the end that it lies beyond."""
        raise NotImplementedError

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ask for a number a step away, for half or twice as much, or for an end."""
        key, (least, most) = Qt.Key, self.ends()
        wanted = {
            key.Key_Left: self.stepped(-1),
            key.Key_Down: self.stepped(-1),
            key.Key_Right: self.stepped(1),
            key.Key_Up: self.stepped(1),
            key.Key_PageDown: self.shown / 2,
            key.Key_PageUp: self.shown * 2,
            key.Key_Home: least,
            key.Key_End: most,
        }.get(key(event.key()))
        if wanted is None:
            event.ignore()
        else:
            self.ask(wanted)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Ask for a step; leave the wheel to the place around until the slider is chosen."""
        turned = event.angleDelta().y()
        if self.hasFocus() and turned:
            self.ask(self.stepped(1 if turned > 0 else -1))
        else:
            event.ignore()


def slider_sheet(theme: Theme, name: str) -> str:
    """Return the style sheet of horizontal sliders with an object name.

    It belongs on a widget around the slider, with the other rules of that widget.
    """
    px, colour = theme.px, theme.palette
    groove = f"height: {px(4)}px; border-radius: {px(2)}px;"
    return (
        f" #{name}::groove:horizontal {{ {groove} background: {colour.line2}; }}"
        f" #{name}::sub-page:horizontal {{ {groove} background: {colour.ink1}; }}"
        f" #{name}::sub-page:horizontal:disabled {{ background: {colour.line2}; }}"
        f" #{name}::handle:horizontal {{ width: {px(12)}px; height: {px(12)}px;"
        f" margin: -{px(6)}px 0; border: {px(2)}px solid {colour.ink1};"
        f" border-radius: {(px(12) + 2 * px(2)) // 2}px; background: {colour.raised}; }}"
        f" #{name}::handle:horizontal:hover {{ background: {colour.hover}; }}"
        f" #{name}::handle:horizontal:disabled {{ border-color: {colour.line2}; }}"
        f" #{name}:focus {{ border: 2px solid {colour.ink1}; border-radius: {px(5)}px; }}"
    )
