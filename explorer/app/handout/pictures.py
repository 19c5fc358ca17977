"""Pictures of what a step shows: drawn by the program's own views, in the colours of paper."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QWidget

from explorer.app.handout.scene_pictures import ScenePictures
from explorer.kit.style import palette, style_sheet, use_fusion
from explorer.kit.theme import LIGHT, Palette, Theme

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
    made = Pictures(PaperTheme())
    try:
        yield made
    finally:
        made.close()
        # At once, and not whenever Python finds the time: style sheets go through all widgets.
        made.stage.deleteLater()
        QCoreApplication.sendPostedEvents(made.stage, QEvent.Type.DeferredDelete)


class Pictures:
    """Views that no screen shows, in the colours of paper whatever the window wears.

    Parameters
    ----------
    theme : Theme
    """

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        use_fusion()
        self.stage = QWidget()
        self.stage.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        self.stage.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
        self.stage.setStyleSheet(style_sheet(theme))
        self.stage.setPalette(palette(theme))
        self.stage.setFont(theme.font())
        self.scenes = ScenePictures(theme, self.stage)
        self.stage.show()

    @cached_property
    def models(self) -> ModelPictures:
        """What makes the pictures of models' runs."""
        from explorer.app.handout.model_pictures import ModelPictures

        return ModelPictures(self.theme, self.stage)

    def close(self) -> None:
        """End what runs."""
        if "models" in vars(self):
            self.models.close()

    @cached_property
    def runs(self) -> RunPictures:
        """What makes the pictures of recorded runs."""
        from explorer.app.handout.run_pictures import RunPictures

        made = RunPictures(self.theme, self.stage)
        for view in made.views:
            view.show()
        return made
