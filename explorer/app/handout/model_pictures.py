"""Pictures of a model's run as Model draws it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial

from PySide6.QtWidgets import QWidget

from explorer.app.handout.painting import WIDE, picture, settled
from explorer.app.handout.paper import Row
from explorer.app.lessons.model_steps import ModelSteps
from explorer.kit.base import FrameView, made_view
from explorer.kit.layouts import lay_out
from explorer.kit.theme import Theme
from explorer.lessons.lesson import Lesson
from explorer.lessons.steps import CameraMove
from explorer.rooms.model.effects_panel import EffectsPanel
from explorer.session.model.frame import ModelCentre, ModelFrame

_MAP = 300, 400  # px of the effect map


class ModelPictures:
    """Model's views that no screen shows.

    Parameters
    ----------
    theme : Theme
    stage : QWidget
        What they stand on.
    """

    def __init__(self, theme: Theme, stage: QWidget) -> None:
        self._theme, self._stage = theme, stage
        self._steps = ModelSteps()
        self._pages: dict[ModelCentre, FrameView[ModelFrame]] = {}

    @cached_property
    def _effects(self) -> EffectsPanel:
        made = EffectsPanel(self._theme, self._stage)
        made.be_presented()
        made.show()
        return made

    def frame(self, lesson: Lesson, place: int) -> ModelFrame:
        """Return what a step of a lesson shows. Raises Problem where it cannot be shown."""
        return self._steps.frame(lesson, place)

    def middle(self, frame: ModelFrame, camera: CameraMove, width: float) -> list[Row]:
        """Return nothing: what stands in the middle is as wide as the page."""
        return []

    def tables(self, frame: ModelFrame, names: Sequence[str]) -> list[str]:
        """Return nothing: no part stands beside the words."""
        return []

    def table(self, name: str, frame: ModelFrame, width: float) -> Row:
        """Return no part: there is none."""
        raise KeyError(name)

    def wide(self, frame: ModelFrame, names: Sequence[str], width: float) -> list[Row]:
        """Return what stands in the middle, and the effect map; nothing while that is asked."""
        if frame.look.veiled:
            return []
        centre = frame.look.centre
        if centre not in self._pages:
            view = self._pages[centre] = made_view(centre, self._theme, self._stage)
            view.be_presented()
            view.show()
        view = self._pages[centre]
        rows = [picture(partial(_view, view, frame, centre.spec.height), width)]
        if centre is ModelCentre.NEXT and frame.look.effects:
            rows.append(picture(partial(self._map, frame), width, wide=WIDE))
        return rows

    def _map(self, frame: ModelFrame) -> QWidget:
        self._effects.resize(*_MAP)
        for _round in range(2):  # what is drawn asks for its height
            self._effects.draw(frame)
            lay_out()
        return self._effects

    def close(self) -> None:
        """End the process."""
        self._steps.close()


def _view(view: FrameView[ModelFrame], frame: ModelFrame, high: int) -> QWidget:
    view.resize(WIDE, high)
    settled(view, frame)
    return view
