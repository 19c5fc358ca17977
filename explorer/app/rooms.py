"""Explore, Train with its Sweep, and Model, one of them in front."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget

from explorer.app.room import ExploreRoom
from explorer.kit.garbage import no_collection
from explorer.kit.layouts import lay_out
from explorer.kit.theme import Theme
from explorer.session import Centre
from explorer.session.intents import ChangeLook
from explorer.text import Problem

if TYPE_CHECKING:
    from explorer.app.model import ModelRoom
    from explorer.app.sweep import SweepRoom
    from explorer.app.train import TrainRoom


class Rooms(QObject):
    """Brings one of the rooms to the front: Explore, or Train, Sweep and Model, made when first
    shown.

    Parameters
    ----------
    explore : ExploreRoom
    stack : QStackedWidget
        Where the rooms' pages are.
    make_train, make_sweep, make_model : callable
        Return Train, Sweep and Model, their pages on a stack.
    finish : callable
        Does at once what is left of a change that is made by steps.
    """

    changed = Signal()  # which room is in front, or what its document says of itself
    made = Signal()  # a room that there was not yet
    made_anew = Signal()  # the page in front, in another language

    def __init__(
        self,
        explore: ExploreRoom,
        stack: QStackedWidget,
        make_train: Callable[[QStackedWidget], TrainRoom],
        make_sweep: Callable[[QStackedWidget], SweepRoom],
        make_model: Callable[[QStackedWidget], ModelRoom],
        finish: Callable[[], None],
    ) -> None:
        super().__init__(explore)
        self.explore = explore
        self.train: TrainRoom | None = None
        self.sweep: SweepRoom | None = None
        self.model: ModelRoom | None = None
        self._stack, self._make_train, self._make_model = stack, make_train, make_model
        self._theme, self._moves = explore.page.theme, True
        explore.apply_theme(self._theme)
        self._make_sweep, self._swept = make_sweep, False
        self._finish = finish
        self.front: ExploreRoom | TrainRoom | SweepRoom | ModelRoom = explore

    def __iter__(self) -> Iterator[ExploreRoom | TrainRoom | SweepRoom | ModelRoom]:
        """Go through the rooms that there are."""
        yield self.explore
        made = self.train, self.sweep, self.model
        yield from (room for room in made if room is not None)

    @property
    def name(self) -> str:
        """The command that brings the room in front to the front: "explore", "train" or "model"."""
        if self.front in (self.train, self.sweep):
            return "train"
        return "model" if self.front is self.model else "explore"

    @property
    def training(self) -> bool:
        """Whether Train is in front, with its run or with Sweep."""
        return self.name == "train"

    def show_last_train(self) -> None:
        """Bring Train to the front with the page that it had last; from Sweep to the run."""
        if self._swept and not self.training:
            self.show_sweep()
        else:
            self.show_train()

    def show_sweep(self) -> SweepRoom:
        """Bring Sweep to the front, made where there is none yet, with what Run is asked to be."""
        sweep, frame = self.make_sweep(), self.make_train().session.frame
        usable = frame.corpus_problem is None
        sweep.session.set_base(frame.config, frame.corpus if usable else None)
        self.show_room(sweep)
        self._swept = True
        sweep.runner.warm()
        sweep.page.take_focus()
        return sweep

    def make_sweep(self) -> SweepRoom:
        """Return Sweep, made where there is none yet, in front or not."""
        if self.sweep is None:
            self.sweep = self._make_sweep(self._stack)
            self.sweep.document.changed.connect(self._on_document_change)
            self.made.emit()
        return self.sweep

    def show_explore(self) -> None:
        """Bring Explore to the front."""
        self.show_room(self.explore)

    def show_centre(self, centre: Centre) -> None:
        """Bring Explore to the front, with a room in its middle."""
        self.show_room(self.explore)
        self.explore.handle(ChangeLook({"centre": centre}))

    def show_train(self, *, warm: bool = True) -> TrainRoom:
        """Bring Train to the front, made where there is none yet.

        warm : whether to start the training process, so that the first run begins at once
        """
        train = self.make_train()
        self.show_room(train)
        self._swept = False
        if warm:
            train.runner.warm()
        train.page.take_focus()
        return train

    def make_train(self) -> TrainRoom:
        """Return Train, made where there is none yet, in front or not."""
        if self.train is None:
            self.train = self._make_train(self._stack)
            self.train.document.changed.connect(self._on_document_change)
            self.made.emit()
        return self.train

    def show_model(self, *, again: bool = False) -> ModelRoom:
        """Bring Model to the front, made where there is none yet, and its process up.

        again : whether a room that nothing was done in opens what was open the last time
        """
        model = self.make_model()
        self.show_room(model)
        model.runner.warm()
        if again and model.untouched:
            model.open_last()
        model.page.take_focus()
        return model

    def make_model(self) -> ModelRoom:
        """Return Model, made where there is none yet, in front or not."""
        if self.model is None:
            self.model = self._make_model(self._stack)
            self.model.document.changed.connect(self._on_document_change)
            self.made.emit()
        return self.model

    def open_model(self, path: Path) -> bool:
        """Begin to open a model folder or a file of arrays; return True.

        Model is in front as it is read, with how far that is. Where it cannot be opened, what was
        in front before is so again, and says why.
        """
        before, model = self.front, self.show_model()

        def go_back() -> None:
            if self.front is model:
                self.show_room(before)
            if self.front is not model:
                self.front.page.error_bar.take_over(model.page.error_bar)
                model.page.error_bar.hide()

        return model.open(path, go_back)

    def outdate(self) -> QWidget | None:
        """End what is half typed: every page is about to be made in another language.

        Returns what had the focus.
        """
        focused = QApplication.focusWidget()
        self.front.page.take_focus()
        for room in self:
            room.outdated = True
        return focused

    def speak(self, focused: QWidget | None) -> Iterator[None]:
        """Make the page in front in the language in use, by steps; the others when shown.

        focused : what had the focus there
        """
        return self._show_anew(self.front, focused)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; a room that is behind takes it when it is shown."""
        self._theme = theme
        self.front.retheme(theme)

    def allow_motion(self, wanted: bool) -> None:
        """Let things move, or be there at once."""
        self._moves = wanted
        for room in self:
            room.allow_motion(wanted)

    def tell(self, problem: Problem) -> None:
        """Show a problem in the bar over the picture in front."""
        self.front.page.error_bar.tell(problem.message)

    def may_close(self) -> bool:
        """Return whether every document may be left, asking about unsaved changes."""
        return all(room.document.may_close() for room in self)

    def close(self) -> None:
        """End what runs, and the documents."""
        for room in self:
            room.close()

    def show_room(self, room: ExploreRoom | TrainRoom | SweepRoom | ModelRoom) -> None:
        """Bring a room that there is to the front, in the theme and the language in use."""
        self._finish()
        self.front = room
        if room.outdated:
            with no_collection():
                for _step in self._show_anew(room):
                    pass
        else:
            room.apply_theme(self._theme)
            room.restore_right_width()
            self._stack.setCurrentWidget(room.page)
        self.changed.emit()

    def _show_anew(
        self,
        room: ExploreRoom | TrainRoom | SweepRoom | ModelRoom,
        focused: QWidget | None = None,
    ) -> Iterator[None]:
        """Bring a room to the front whose page is in another language, by steps.

        focused : what had the focus there
        """
        room.make_page(self._theme, self._stack)
        yield
        room.apply_theme(self._theme)
        room.allow_motion(self._moves)
        yield
        self._stack.setCurrentWidget(room.page)
        self.made_anew.emit()
        lay_out()
        yield
        room.clock.flush()
        room.take_over(focused)
        yield

    def _on_document_change(self) -> None:
        if self.front is not self.explore:
            self.changed.emit()
