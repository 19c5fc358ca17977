"""What stands where a view of Model is not there yet."""

from __future__ import annotations

from pkgutil import resolve_name
from typing import Any

from PySide6.QtWidgets import QWidget

from explorer.kit.base import FrameView
from explorer.kit.theme import Theme
from explorer.rooms.model.base import ModelView
from explorer.session.model.frame import ModelFrame


class Placeholder(ModelView):
    """Shows nothing."""

    def draw(self, frame: ModelFrame) -> None:
        """Show nothing."""


def made(factory: str, theme: Theme, parent: QWidget) -> FrameView[Any]:
    """Return a view by "module:Class", or one that shows nothing where that is not there."""
    try:
        view: FrameView[Any] = resolve_name(factory)(theme, parent)
    except (ImportError, AttributeError):
        return Placeholder(theme, parent)
    return view
