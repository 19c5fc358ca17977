"""The scene under two settings, side by side."""

from explorer.views.compare.view import CompareView

__all__ = ["CompareView"]
