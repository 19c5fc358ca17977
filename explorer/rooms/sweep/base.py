"""What Sweep's views have in common."""

from __future__ import annotations

from typing import ClassVar

from explorer.kit.base import FrameView
from explorer.rooms.sweep.shown import SweepChange, SweepFrame


class SweepView(FrameView[SweepFrame]):
    """A view of a sweep."""

    concerns: ClassVar[SweepChange] = SweepChange.ALL
