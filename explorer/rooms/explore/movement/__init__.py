"""A W as a transformation of the plane: four sliders that make it, and what it does in words."""

from explorer.rooms.explore.movement.box import MovementBox

__all__ = ["MovementBox"]
