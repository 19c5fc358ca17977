"""What an audience sees: one idea, large."""

from explorer.rooms.present.model_slide import ModelSlide
from explorer.rooms.present.scene_slide import SceneSlide
from explorer.rooms.present.train_slide import TrainSlide

__all__ = ["ModelSlide", "SceneSlide", "TrainSlide"]
