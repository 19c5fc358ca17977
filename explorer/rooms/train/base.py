"""What every view of Train is."""

from __future__ import annotations

from enum import Flag
from typing import ClassVar

from explorer.kit.base import FrameView
from explorer.session.train import TrainChange, TrainFrame


class TrainView(FrameView[TrainFrame]):
    """A view of a run; its intents are those of `explorer.session.train.intents`."""

    concerns: ClassVar[Flag] = TrainChange.ALL
