"""Pictures of a recorded run as Train draws it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QPushButton, QWidget

from explorer.app.handout.painting import ENDLESS, NARROW, WIDE, picture, settled
from explorer.app.handout.paper import Row
from explorer.app.lessons.hiding import veils_curves
from explorer.app.settings import runs_folder
from explorer.kit.base import FrameView, made_view
from explorer.kit.theme import Theme
from explorer.lessons.lesson import Lesson
from explorer.lessons.runs import beside_of, looks, trace_of, watch_of
from explorer.lessons.schema import Turn
from explorer.lessons.steps import CameraMove
from explorer.rooms.train.base import TrainView
from explorer.rooms.train.chain import TrainChainView
from explorer.rooms.train.graph import GraphView
from explorer.rooms.train.presenter import TrainPresenter
from explorer.rooms.train.runner import Runner
from explorer.rooms.train.sample import SampleView
from explorer.rooms.train.timeline import TimelineView
from explorer.session.train import TrainCentre, TrainFrame, TrainSession
from explorer.text import Problem
from explorer.traces import TraceFile

_GRAPH = TrainCentre.GRAPH.spec.height
_OF_SAMPLE = ("sentence", "heads", "next_word")


class RunPictures:
    """Train's views that no screen shows.

    Parameters
    ----------
    theme : Theme
    stage : QWidget
        What they stand on.
    """

    def __init__(self, theme: Theme, stage: QWidget) -> None:
        self.graph = GraphView(theme, stage)
        self.graph.setMinimumSize(0, 0)
        self.pages: dict[TrainCentre, FrameView[TrainFrame]] = {
            centre: made_view(centre, theme, stage)
            for centre in TrainCentre
            if centre is not TrainCentre.GRAPH
        }
        self.sample = SampleView(theme, stage)
        self.rest: dict[str, TrainView] = {
            "chain": TrainChainView(theme, stage),
            "loss": TimelineView(theme, stage),
        }
        self._session = TrainSession()
        runner = Runner(self._session, runs_folder(), _raise, lambda: False, stage)
        self._presenter = TrainPresenter(
            self._session,
            runner,
            _raise,
            lambda _text: None,
            lambda: None,
            lambda _size: False,
            lambda _scene: None,
        )

    @property
    def views(self) -> tuple[FrameView[TrainFrame], ...]:
        """The views."""
        return (self.graph, *self.pages.values(), self.sample, *self.rest.values())

    def frame(self, lesson: Lesson, place: int) -> TrainFrame | None:
        """Return what a step of a lesson shows; None where that is the reader's own run.

        Raises Problem where it cannot be shown.
        """
        path = trace_of(lesson, place)
        if path is None:
            return None
        session = self._session
        session.show(TraceFile(path), path.stem)
        session.look_at(veiled=veils_curves(lesson, place))
        beside = beside_of(lesson, place)
        if beside is not None:
            session.compare_with(TraceFile(beside), beside.stem)
        for intent in looks(watch_of(lesson, place), session.frame):
            self._presenter.handle(intent)
        if session.frame.bad is not None:
            raise Problem.of(session.frame.bad)
        return session.frame

    def middle(self, frame: TrainFrame, camera: CameraMove, width: float) -> list[Row]:
        """Return the word graph; nothing where something else stands in the middle."""
        if frame.look.page is not TrainCentre.GRAPH:
            return []

        def show() -> QWidget:
            if isinstance(camera, Turn):
                self.graph.look_from(camera.azimuth, camera.elevation, camera.zoom)
            else:
                self.graph.reset()
            self.graph.resize(NARROW, _GRAPH)
            self.graph.draw(frame)
            return self.graph

        return [picture(show, width, size=QSize(NARROW, _GRAPH))]

    def tables(self, frame: TrainFrame, names: Sequence[str]) -> list[str]:
        """Return the parts of the right panel that are shown: by their names."""
        return [name for name in _OF_SAMPLE if name in names]

    def table(self, name: str, frame: TrainFrame, width: float) -> Row:
        """Return a part of the right panel."""

        def show() -> QWidget:
            _view(self.sample, frame, NARROW, ENDLESS)
            part: QWidget = getattr(self.sample, name)
            return part

        return picture(show, width)

    def wide(self, frame: TrainFrame, names: Sequence[str], width: float) -> list[Row]:
        """Return other pages of the middle, and parts by their names, as wide as the page."""
        rows = []
        if frame.look.page in self.pages:
            view, high = self.pages[frame.look.page], frame.look.page.spec.height
            rows.append(picture(partial(_view, view, frame, WIDE, high), width))
        for name, view in self.rest.items():
            if name in names:
                high = view.sizeHint().height()
                rows.append(picture(partial(_view, view, frame, WIDE, high), width, wide=WIDE))
        return rows


def _view(view: FrameView[TrainFrame], frame: TrainFrame, wide: int, high: int) -> QWidget:
    view.resize(wide, high)
    settled(view, frame)
    for button in view.findChildren(QPushButton):
        button.hide()
    return view.chart if isinstance(view, TimelineView) else view


def _raise(problem: Problem) -> None:
    raise problem
