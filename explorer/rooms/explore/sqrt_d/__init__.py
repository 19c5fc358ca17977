"""Why the scores are divided by √d: a small laboratory."""

from explorer.rooms.explore.sqrt_d.view import SqrtDView

__all__ = ["SqrtDView"]
