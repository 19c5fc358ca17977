"""The arithmetic strip: what is said, where it stands, and the view that paints it."""

from explorer.rooms.explore.strip.view import StripView

__all__ = ["StripView"]
