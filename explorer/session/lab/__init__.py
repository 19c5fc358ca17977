"""The lab: what the user is doing in Train. A run's parameters, its trace, and where one looks."""

from explorer.session.lab.frame import (
    AVERAGE,
    Cursor,
    LabChange,
    LabFrame,
    LabLook,
    Page,
    Playback,
    Progress,
    RunState,
    Scalars,
)
from explorer.session.lab.lab import Lab
from explorer.session.lab.values import Link, StepValues

__all__ = [
    "AVERAGE",
    "Cursor",
    "Lab",
    "LabChange",
    "LabFrame",
    "LabLook",
    "Link",
    "Page",
    "Playback",
    "Progress",
    "RunState",
    "Scalars",
    "StepValues",
]
