"""The scene under two settings, side by side."""

from explorer.rooms.explore.compare.view import CompareView

__all__ = ["CompareView"]
