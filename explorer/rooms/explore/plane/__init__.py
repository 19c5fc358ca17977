"""The plane: tokens as points, and what they give one another as edges."""

from explorer.rooms.explore.plane.view import PlaneView

__all__ = ["PlaneView"]
