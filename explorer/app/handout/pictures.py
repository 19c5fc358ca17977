"""Pictures of what a step shows: drawn by the program's own views, in the colours of paper."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from explorer.app.handout.painting import unseen_widget
from explorer.app.handout.scene_pictures import ScenePictures
from explorer.kit.theme import LIGHT, Palette, Theme
from explorer.lessons.schema import Kind

if TYPE_CHECKING:
    from explorer.app.handout.model_pictures import ModelPictures
    from explorer.app.handout.run_pictures import RunPictures


@dataclass(frozen=True)
class PaperTheme(Theme):
    """The light theme with nothing grey below tables: that would only cost ink."""

    @property
    def palette(self) -> Palette:
        """The neutral colours."""
        return replace(LIGHT, win=LIGHT.canvas)


@contextmanager
def pictures() -> Iterator[Pictures]:
    """Yield what makes the pictures; its views are gone afterwards."""
    theme = PaperTheme()
    with unseen_widget(theme) as stage, closing(Pictures(theme, stage)) as made:
        yield made


class Pictures:
    """Views that no screen shows, in the colours of paper whatever the window wears.

    Parameters
    ----------
    theme : Theme
    stage : QWidget
        What they stand on.
    """

    def __init__(self, theme: Theme, stage: QWidget) -> None:
        self.theme, self._stage = theme, stage
        self.scenes = ScenePictures(theme, stage)
        stage.show()

    def of(self, kind: Kind) -> ScenePictures | RunPictures | ModelPictures:
        """Return what makes the pictures of steps about such a thing."""
        if kind == "scene":
            return self.scenes
        return self.runs if kind == "trace" else self.models

    @cached_property
    def models(self) -> ModelPictures:
        """What makes the pictures of models' runs."""
        from explorer.app.handout.model_pictures import ModelPictures

        return ModelPictures(self.theme, self._stage)

    def close(self) -> None:
        """End what runs."""
        if "models" in vars(self):
            self.models.close()

    @cached_property
    def runs(self) -> RunPictures:
        """What makes the pictures of recorded runs."""
        from explorer.app.handout.run_pictures import RunPictures

        made = RunPictures(self.theme, self._stage)
        for view in made.views:
            view.show()
        return made
