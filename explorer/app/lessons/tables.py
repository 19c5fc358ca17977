"""Where a lesson puts its steps: scenes in Explore, traces in Train, models in Model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol, overload

from PySide6.QtCore import QTimer

from explorer.app.lessons.arrival import Arrival
from explorer.lessons.colours import slots_at
from explorer.lessons.lesson import Lesson
from explorer.lessons.models import examine_of, model_of
from explorer.lessons.readings import AnyFrame
from explorer.lessons.runs import after_run_edits, beside_of, looks, trace_of, watch_of
from explorer.lessons.schema import Edit
from explorer.lessons.steps import as_of, intents_of, stages_met
from explorer.rooms.explore.presenter import Presenter
from explorer.session import (
    Frame,
    Look,
    Scene,
    Session,
    Veil,
    at_sequence,
    dump_scene,
    intents,
    resolve,
)
from explorer.session.model.frame import ModelFrame
from explorer.session.scene import same_content
from explorer.session.train import TrainFrame
from explorer.session.train import intents as train_intents
from explorer.text import N_, Message, Problem

if TYPE_CHECKING:
    from explorer.app.model import ModelRoom
    from explorer.app.train import TrainRoom


class Table(Protocol):
    """Steps of one kind are put on it, and edited there.

    `key` is what of a step was looked at last, for when it could not be put; None where nothing of
    the step is wrong, but something has to be done first. What `put` returns says how a step was
    shown; it is handed back to the methods that ask about it, and is nothing to anybody else.
    """

    key: str | None

    @property
    def kind(self) -> type:
        """The class of its frames."""

    @property
    def frame(self) -> Any:
        """What lies there now."""

    def put(self, lesson: Lesson, place: int, *, veiled: bool, veils: frozenset[Veil]) -> object:
        """Bring the table to the front and put a step on it. Raises Problem.

        veiled : whether what is computed is hidden until it has been predicted
        veils : what else is hidden
        """

    def unveil(self, veils: frozenset[Veil] = frozenset()) -> None:
        """Show what was hidden, but what is asked still."""

    def departed(self, shown: Any, frame: Any) -> bool:
        """Return whether a frame is no longer as a step showed it."""

    def before(self, shown: Any, frame: Any) -> Any:
        """Return the frame as the step showed it."""

    def handle(self, intent: object) -> None:
        """Carry out an intent as if a hand had given it."""

    def clear(self) -> None:
        """Take away what belongs to the lesson; what it showed stays."""


class SceneTable:
    """Explore's.

    Parameters
    ----------
    session : Session
    handle : callable
        Carries out an intent.
    show : callable
        Brings Explore to the front.
    """

    key: str | None = "scene"
    kind = Frame

    def __init__(
        self, session: Session, handle: Callable[[object], None], show: Callable[[], None]
    ) -> None:
        self._session, self._show = session, show
        self.handle = handle

    @property
    def frame(self) -> Frame:
        """Train's."""
        return self._session.frame

    def put(
        self, lesson: Lesson, place: int, *, veiled: bool, veils: frozenset[Veil]
    ) -> tuple[Scene, Look]:
        """Put a step's scene on the table, as one edit."""
        session = self._session
        scene, look, selection = as_of(lesson, place)
        self._show()
        now = session.scene
        if same_content(now, scene) or _same_numbers(now, scene):
            scene = at_sequence(now, scene.shown)
        session.edit(Message(N_("lesson step {step}"), {"step": place + 1}), scene)
        session.mark_saved(scene)
        look = replace(look, veiled=veiled, veils=veils, met=stages_met(lesson, place))
        session.look_at(look.with_pages_of(session.look))
        session.select(selection)
        session.colour(slots_at(lesson, place))
        return session.scene, session.look

    def unveil(self, veils: frozenset[Veil] = frozenset()) -> None:
        """Show what was hidden, but what is asked still."""
        look = replace(self._session.look, veiled=False, veils=veils, blank=None)
        self._session.look_at(look)

    def departed(self, shown: tuple[Scene, Look], frame: Frame) -> bool:
        """Return whether scene or look are others; the panels may be as open as one likes."""
        scene, look = shown
        seen = frame.look.with_pages_of(look)
        seen = replace(seen, veiled=look.veiled, veils=look.veils, blank=look.blank)
        return frame.scene is not scene or seen != look

    def before(self, shown: tuple[Scene, Look], frame: Frame) -> Frame:
        """Return the frame as the step showed it."""
        scene, look = shown
        return frame if frame.scene is scene else resolve(scene, look)

    def clear(self) -> None:
        """Hide nothing any more."""
        self._session.look_at(self._session.look.hiding_nothing())


class RunTable:
    """Train's, made when it is first needed. A run that is not saved is kept, never discarded.

    Parameters
    ----------
    show : callable
        Brings Train to the front, and returns it.
    """

    kind = TrainFrame

    def __init__(self, show: Callable[[], TrainRoom]) -> None:
        self._show = show
        self.key: str | None = "trace"
        self.train: TrainRoom | None = None

    @property
    def frame(self) -> TrainFrame:
        """Train's."""
        return TrainFrame() if self.train is None else self.train.session.frame

    def put(
        self, lesson: Lesson, place: int, *, veiled: bool, veils: frozenset[Veil]
    ) -> TrainFrame:
        """Show a step's trace where it looks. What it foretells lies elsewhere.

        Of the curves, which show all epochs, what comes after the playhead is hidden where that
        is asked. A run of the reader's stands among those that are not saved, and `own` brings it
        back.
        """
        self.key = "trace"
        path = trace_of(lesson, place)
        train = self.train = self._show()
        fresh = place == 0
        if path is None:
            self.key = None
            train.document.show_own()
        elif not train.document.shows(path):
            train.document.show_file(path)
            fresh = True
        shown = train.session.frame
        if fresh and shown.trace is not None and shown.config != shown.trace.run.config:
            train.session.use_parameters()  # a run that is asked for is to be like the shown one
        beside, other = beside_of(lesson, place), train.session.frame.other
        if beside is not None:
            self.key = "beside"
            train.document.show_beside(beside)
        elif other is not None and (fresh or not other.modified):  # the reader's own stays a while
            self.handle(train_intents.CompareRun(None))
        train.session.look_at(veiled=veiled)
        self.key = "watch"
        self.handle(intents.Select(None))
        self.handle(train_intents.SelectWord(None))
        for intent in looks(watch_of(lesson, place), self.frame):
            self.handle(intent)
        return self.frame

    def unveil(self, veils: frozenset[Veil] = frozenset()) -> None:
        """Show all of the curves."""
        if self.train is not None and self.train.session.frame.look.veiled:
            self.train.session.look_at(veiled=False)

    def departed(self, shown: TrainFrame, frame: TrainFrame) -> bool:
        """Return whether another trace is shown, or one looks elsewhere."""
        return _seen(frame) != _seen(shown)

    def before(self, shown: TrainFrame, frame: TrainFrame) -> TrainFrame:
        """Return the frame as the step showed it."""
        return shown

    def handle(self, intent: object) -> None:
        """Carry out an intent in Train."""
        if self.train is not None:
            self.train.presenter.handle(intent)

    def clear(self) -> None:
        """Hide nothing any more."""
        self.unveil()


class ModelTable:
    """Model's, made when it is first needed. A step is there once the model's process has answered.

    Parameters
    ----------
    show : callable
        Brings Model to the front, and returns it.
    """

    kind = ModelFrame

    def __init__(self, show: Callable[[], ModelRoom]) -> None:
        self._show = show
        self.key: str | None = "model"
        self.room: ModelRoom | None = None
        self.arrived: Callable[[Problem | None], None] = lambda _problem: None
        self._arrival: Arrival | None = None
        self._shown = ModelFrame()  # as the step showed it; empty before it has come
        self._soon = QTimer(singleShot=True, interval=0)
        self._soon.timeout.connect(self._advance)

    @property
    def frame(self) -> ModelFrame:
        """Model's."""
        return ModelFrame() if self.room is None else self.room.session.frame

    @property
    def settled(self) -> bool:
        """Whether no answer is awaited of what a step shows."""
        return self._arrival is None

    def put(
        self, lesson: Lesson, place: int, *, veiled: bool, veils: frozenset[Veil]
    ) -> ModelTable:
        """Begin to show a step's model where it looks; `arrived` is told when it is there."""
        self.key = "model"
        path = model_of(lesson, place)
        self.key = "examine"
        examine = examine_of(lesson, place)
        if self.room is None:
            self.room = self._show()
            self._soon.setParent(self.room)  # once that is gone, nothing arrives
            self.room.session.changed.connect(lambda _change: self._look())
        else:
            self._show()
        session = self.room.session
        session.look_at(veiled=veiled)
        session.select(None)
        name = Message(N_("lesson step {step}"), {"step": place + 1})
        self._shown = ModelFrame()
        self._arrival = Arrival(session, self.handle, self.room.open, path, examine, name)
        self._soon.start()
        return self

    def unveil(self, veils: frozenset[Veil] = frozenset()) -> None:
        """Show what was hidden."""
        if self.room is not None:
            self.room.session.look_at(veiled=False)

    def departed(self, shown: object, frame: ModelFrame) -> bool:
        """Return whether model, text or switches are others, or one looks elsewhere."""
        return self._shown.run is not None and _examined(frame) != _examined(self._shown)

    def before(self, shown: object, frame: ModelFrame) -> ModelFrame:
        """Return the frame as the step showed it; an empty one until that has come."""
        return self._shown

    def handle(self, intent: object) -> None:
        """Carry out an intent in Model."""
        if self.room is not None:
            self.room.presenter.handle(intent)

    def clear(self) -> None:
        """Hide nothing any more, and wait for nothing."""
        self._arrival = None
        self.unveil()

    def _look(self) -> None:
        if self._arrival is not None:
            self._soon.start()

    def _advance(self) -> None:
        arrival = self._arrival
        if arrival is None:
            return
        try:
            shown = arrival.advance()
        except Problem as problem:
            self._arrival = None
            self.arrived(problem)
            return
        if shown is not None and self._arrival is arrival:
            self._arrival, self._shown = None, shown
            self.arrived(None)


@overload
def after_edits(edits: tuple[Edit, ...], frame: Frame) -> Frame: ...
@overload
def after_edits(edits: tuple[Edit, ...], frame: TrainFrame) -> TrainFrame: ...
@overload
def after_edits(edits: tuple[Edit, ...], frame: ModelFrame) -> ModelFrame: ...
def after_edits(edits: tuple[Edit, ...], frame: AnyFrame) -> AnyFrame:
    """Return a frame with edits carried out as hands would, and nothing else changed by it.

    Of a trace that is where the edits look; what they make of a model its process alone knows.
    Raises Problem.
    """
    if isinstance(frame, TrainFrame):
        return after_run_edits(edits, frame)
    if isinstance(frame, ModelFrame):
        return frame
    session = Session(frame.scene)
    session.look_at(frame.look)
    presenter = Presenter(session, lambda _text, _readings: None, _raise, lambda _text: None)
    for edit in edits:
        for intent in intents_of(edit, session.frame):
            presenter.handle(intent)
    return session.frame


def _seen(frame: TrainFrame) -> tuple[object, ...]:
    """Return what a step about a trace decides of a frame; following, the epoch changes itself."""
    step = None if frame.playback.following else frame.cursor.step
    look = replace(frame.look, numbers_open=False, more_open=False, veiled=False)
    return frame.trace, replace(frame.cursor, step=step or 0), step is None, look


def _examined(frame: ModelFrame) -> tuple[object, ...]:
    """Return what a step about a model decides of a frame."""
    look, cursor = frame.look, frame.cursor
    path = None if frame.info is None else frame.info.path
    return path, frame.text, frame.switches, cursor, look.centre, look.stage, look.effects


def _same_numbers(now: Scene, then: Scene) -> bool:
    """Return whether two scenes would be saved as the same file."""
    return dump_scene(now) == dump_scene(then)


def _raise(problem: Problem) -> None:
    raise problem
