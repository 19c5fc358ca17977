"""What the user is doing in Train: a run's parameters, its trace, and where one looks."""

from explorer.session.train.frame import (
    AVERAGE,
    Compared,
    Cursor,
    Playback,
    Progress,
    RunState,
    Scalars,
    TrainChange,
    TrainFrame,
    TrainLook,
)
from explorer.session.train.runs import ForkFrom, RunCard
from explorer.session.train.session import TrainSession
from explorer.session.train.values import Link, StepValues
from explorer.session.views import TrainCentre

__all__ = [
    "AVERAGE",
    "Compared",
    "Cursor",
    "ForkFrom",
    "RunCard",
    "TrainSession",
    "TrainChange",
    "TrainFrame",
    "TrainLook",
    "Link",
    "TrainCentre",
    "Playback",
    "Progress",
    "RunState",
    "Scalars",
    "StepValues",
]
