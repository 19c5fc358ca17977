"""What every view of Model is."""

from __future__ import annotations

from enum import Flag
from typing import ClassVar

from explorer.kit.base import FrameView
from explorer.session.model.frame import ModelChange, ModelFrame


class ModelView(FrameView[ModelFrame]):
    """A view of a model's run; its intents are those of `explorer.session.model.intents`."""

    concerns: ClassVar[Flag] = ModelChange.ALL
