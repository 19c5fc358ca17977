"""The tiny Transformer in training: its network, its loop, its process and who supervises that.

The window's process imports a `Trainer` and its `Mailbox` alone; torch is imported in the process
that trains, and by the command that trains without a window (`explorer.training.record`).
"""

from explorer.training.control import FASTEST, FULL_SPEED, SLOWEST, USUAL_PACE
from explorer.training.devices import CPU, Device
from explorer.training.mailbox import (
    Batch,
    DevicesFound,
    Ended,
    Event,
    Frame,
    Mailbox,
    Progress,
    Scalar,
    Started,
)
from explorer.training.supervisor import Trainer

__all__ = [
    "CPU",
    "FASTEST",
    "FULL_SPEED",
    "SLOWEST",
    "USUAL_PACE",
    "Batch",
    "Device",
    "DevicesFound",
    "Ended",
    "Event",
    "Frame",
    "Mailbox",
    "Progress",
    "Scalar",
    "Started",
    "Trainer",
]
