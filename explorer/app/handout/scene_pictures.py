"""Pictures of a scene as Explore draws it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QToolButton, QWidget

from explorer.app.handout.painting import ENDLESS, NARROW, WIDE, picture, settled
from explorer.app.handout.paper import Row
from explorer.app.lessons.hiding import answers_above, veils
from explorer.kit.base import FrameView, made_view
from explorer.kit.theme import Theme
from explorer.lessons.colours import slots_at
from explorer.lessons.lesson import Lesson
from explorer.lessons.schema import Pan, Step
from explorer.lessons.steps import CameraMove, as_of
from explorer.rooms.explore.chain import ChainView
from explorer.rooms.explore.plane import PlaneView
from explorer.rooms.explore.results import ResultsView
from explorer.rooms.explore.strip import StripView
from explorer.session import Centre, Frame, Stage, resolve

_TABLES = {Stage.S: "scores", Stage.A: "weights", Stage.O: "outputs"}


class ScenePictures:
    """Pictures of scenes, by Explore's views.

    Parameters
    ----------
    theme : Theme
    stage : QWidget
        What the views stand on.
    """

    def __init__(self, theme: Theme, stage: QWidget) -> None:
        self.plane = PlaneView(theme, stage)
        self.plane.be_presented()
        self.plane.setMinimumSize(0, 0)
        self.results = ResultsView(theme, stage)
        self.strip = StripView(theme, stage)
        self.chain = ChainView(theme, stage)
        self._theme, self._stage = theme, stage
        self._pages: dict[Centre, FrameView[Frame]] = {}  # made when first shown

    def frame(self, lesson: Lesson, place: int) -> Frame:
        """Return what a step of a lesson shows. Raises Problem where that cannot be shown."""
        scene, look, selection = as_of(lesson, place)
        step = lesson.steps[place]
        veiled = isinstance(step, Step) and step.predict is not None and step.predict.hides
        hidden = veils(lesson, place) | answers_above(lesson, place)
        look = replace(look, veiled=veiled, veils=hidden)
        return replace(resolve(scene, look, selection), slots=slots_at(lesson, place))

    def middle(self, frame: Frame, camera: CameraMove, width: float) -> list[Row]:
        """Return the plane; nothing where something else stands in the middle."""
        if frame.look.centre is not Centre.PLANE:
            return []

        def show() -> QWidget:
            self.plane.resize(NARROW, Centre.PLANE.spec.height)
            self.plane.draw(frame)
            if isinstance(camera, Pan):
                self.plane.look_at(camera.x, camera.y, camera.zoom)
            else:
                self.plane.fit()
            return self.plane

        return [picture(show, width, size=QSize(NARROW, Centre.PLANE.spec.height))]

    def tables(self, frame: Frame, names: Sequence[str]) -> list[Stage]:
        """Return the results tables that are shown: by their names, and the active stage's."""
        active = frame.look.stage if frame.look.centre is Centre.PLANE else None
        return [
            stage
            for stage, name in _TABLES.items()
            if (name in names or stage is active) and stage not in frame.look.hidden
        ]

    def wide(self, frame: Frame, names: Sequence[str], width: float) -> list[Row]:
        """Return other pages of the middle, and parts by their names, as wide as the page."""
        rows = []
        centre = frame.look.centre
        if centre is not Centre.PLANE:
            if centre not in self._pages:
                self._pages[centre] = made_view(centre, self._theme, self._stage)
                self._pages[centre].show()
            rows.append(self._view(self._pages[centre], frame, WIDE, centre.spec.height, width))
        for name, view in (("chain", self.chain), ("strip", self.strip)):
            if name in names and not (frame.look.veiled or frame.look.blank is not None):
                rows.append(self._view(view, frame, WIDE, view.sizeHint().height(), width))
        return rows

    def _view(
        self, view: FrameView[Frame], frame: Frame, wide: int, high: int, width: float
    ) -> Row:
        def show() -> QWidget:
            view.resize(wide, high)
            settled(view, frame)
            return view.printed()

        return picture(show, width)

    def table(self, stage: Stage, frame: Frame, width: float) -> Row:
        """Return a results table."""
        results, matrices = self.results, self.results.matrices

        def show() -> QWidget:
            results.resize(NARROW, ENDLESS)
            settled(results, frame)
            part = matrices.parts[stage]
            matrices.tabs.picked.emit(stage)  # of many tokens one table is shown at a time
            if not part.isVisibleTo(matrices):  # another takes the place of O
                part = next(each for each in matrices.others.values() if each.isVisibleTo(matrices))
            for button in part.title.findChildren(QToolButton):
                # Of what can be chosen stays what is shown: nothing on paper can be pressed.
                button.setVisible(button.icon().isNull() and button.isChecked())
            return part

        return picture(show, width)
