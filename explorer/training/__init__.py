"""The tiny Transformer in training: its network, its loop, its process and who supervises that.

The window's process has a `Trainer` and its `Mailbox`, and a `LayoutProcess` for t-SNE; torch and
scikit-learn are imported in the processes behind them, and torch by the command that trains without
a window (`explorer.training.record`).
"""

from explorer.training.control import FASTEST, FULL_SPEED, SLOWEST, USUAL_PACE
from explorer.training.layout_process import LayoutProcess, WordLayout
from explorer.training.libraries import CPU, Device
from explorer.training.mailbox import (
    Batch,
    DevicesFound,
    Ended,
    Event,
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
    "LayoutProcess",
    "Mailbox",
    "Progress",
    "Scalar",
    "Started",
    "Trainer",
    "WordLayout",
]
