"""What every view of Train is."""

from __future__ import annotations

from enum import Flag
from typing import ClassVar

from explorer.session.lab import LabChange, LabFrame
from explorer.views.base import FrameView


class LabView(FrameView[LabFrame]):
    """A view of a run; its intents are those of `explorer.session.lab.intents`."""

    concerns: ClassVar[Flag] = LabChange.ALL
