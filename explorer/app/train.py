"""Train as the window sees it: the shown run as a document, and the room with its views."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import msgspec
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QStackedWidget, QWidget

from explorer.app.dialogs import QtDialogs, file_stem, run_description
from explorer.app.document import FileDocument
from explorer.app.room import Room, Surroundings
from explorer.app.settings import SettingsStore, runs_folder
from explorer.importers import Importer
from explorer.kit.base import FrameView
from explorer.kit.clock import FrameClock
from explorer.kit.copying import put_on_clipboard
from explorer.kit.theme import Theme
from explorer.resources import example
from explorer.rooms.train.layouts import Layouts
from explorer.rooms.train.page import TrainPage
from explorer.rooms.train.presenter import TrainPresenter
from explorer.rooms.train.runner import Runner
from explorer.session import Stage
from explorer.session.train import RunCard, TrainChange, TrainSession
from explorer.session.train.intents import ShowTrainStage, StartOver
from explorer.text import N_, Message, Problem, _, displayable
from explorer.traces import (
    AbandonedRun,
    Config,
    Corpus,
    Said,
    SpoolTrace,
    TraceFile,
    abandoned_runs,
    remove_run,
    save_trace,
)

EXAMPLE = "tiny-transformer.safetensors"


class TraceDocument(FileDocument):
    """What is shown in Train, as a file or as a run that is not saved yet.

    Parameters
    ----------
    session : TrainSession
    runner : Runner
    dialogs : QtDialogs
    settings : SettingsStore
    runs : Path
        The folder of recorded runs.
    """

    # Runs that come with the program, and what they are called.
    examples: ClassVar[dict[str, str]] = {
        EXAMPLE: N_("tiny Transformer"),
        "stories-training.safetensors": N_("heads that learn stories"),
    }

    def __init__(
        self,
        session: TrainSession,
        runner: Runner,
        dialogs: QtDialogs,
        settings: SettingsStore,
        runs: Path,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(dialogs, settings, parent)
        self._session, self._runner, self._runs = session, runner, runs
        self._dialogs: QtDialogs = dialogs
        self._unsaved: SpoolTrace | None = None  # what is shown, where it is no file
        self._own: tuple[Path, Path] | None = None  # this session's run, and where it is saved
        self._files: set[Path] = set()  # the user's, in which names and marks may be saved
        self._kept: dict[int, Said] = {}  # what stands there of cards by now, by their keys
        session.changed.connect(self._on_change)

    @property
    def title(self) -> str:
        """The name on screen."""
        frame = self._session.frame
        if frame.trace is None:
            return _("no run yet")
        if frame.example:
            return _("{title} (example)").format(title=_(frame.title))
        return _("unsaved run") if frame.modified else frame.title

    @property
    def modified(self) -> bool:
        """Whether the shown run stands in no file of the user's, or its name or marks do not."""
        frame = self._session.frame
        return frame.modified or any(card.key == frame.shown for card, _ in self._unsaid())

    def open_example(self, name: str = EXAMPLE) -> None:
        """Show a run that comes with the program."""
        self._tried(lambda: self.show_file(example(name)))

    def play_example(self, name: str = EXAMPLE) -> None:
        """Show a run that comes with the program from its first step on; it plays once.

        With reduced motion it stands there.
        """
        if not self.shows(example(name)):
            self.open_example(name)
        self._session.go(step=0)
        self._session.play(not self._settings.settings.reduce_motion)

    def show_file(self, path: Path) -> None:
        """Show a run that is not the user's: saving it asks where. Raises Problem."""
        called = next(
            (self.examples[each] for each in self.examples if path == example(each)), None
        )
        title = displayable(path.stem) if called is None else called
        self._session.show(TraceFile(path), title, example=called is not None)
        self._path = None

    def show_beside(self, path: Path) -> None:
        """Compare what is shown with a run that is not the user's. Raises Problem."""
        self._session.compare_with(TraceFile(path), displayable(path.stem))

    def show_own(self) -> None:
        """Show the run of this session, wherever it stands by now. Raises Problem."""
        folder, saved = self._runner.folder, self._own_path
        none = Problem(N_("There is no run of your own yet: press Train first."))
        if folder is None:
            raise none
        if self.shows(saved or folder):
            return
        if saved is not None:
            self._session.show(TraceFile(saved), displayable(saved.stem))
            self._path = saved
        elif self._session.frame.progress.active:
            self._runner.show()
        else:
            trace = SpoolTrace(folder)
            if not trace.recorded:  # it was stopped, or failed, before that
                trace.close()
                raise none
            self._session.show(trace, _("unsaved run"), modified=True)
            self._session.go(
                step=self._session.frame.cursor.step
            )  # nothing more will come to follow

    def shows(self, path: Path) -> bool:
        """Return whether the shown run stands in this file, or in this folder."""
        trace = self._session.frame.trace
        found = trace.folder if isinstance(trace, SpoolTrace) else getattr(trace, "path", None)
        return found == path

    def open(self, path: Path, importer: Importer) -> bool:
        """Show a run from a file or a folder; return whether that was done.

        What is of another format than Save writes is tied to no file.
        """
        path = path.absolute()
        title = displayable(path.stem)
        if not self._loaded(path, lambda: self._session.show(importer.load(path), title)):
            return False
        self._path = path if importer.own else None
        if importer.own:
            self._files.add(path)
        self._remember(path)
        return True

    def unsaved_runs(self) -> list[tuple[str, AbandonedRun]]:
        """Return the runs that were recorded and not saved, newest first, with a line on each."""
        runs, _problems = abandoned_runs(self._runs)
        return [(run_description(run), run) for run in runs]

    def open_run(self, run: AbandonedRun) -> bool:
        """Show a run that was not saved; return whether that was done."""
        show = partial(self._session.show, title=_("unsaved run"), modified=True)
        if not self._tried(lambda: show(run.open())):
            return False
        self._session.go(step=self._session.frame.cursor.step)  # nothing more will come to follow
        self._path = None
        return True

    def save_as(self) -> bool:
        """Ask for a file and save in it; return whether that was done."""
        frame = self._session.frame
        if frame.trace is None:
            return False
        sentences = frame.trace.run.corpus
        name = file_stem(sentences[0]) if sentences else ""
        path = self._dialogs.ask_save_trace(self._folder(), f"{name or 'run'}.safetensors")
        return path is not None and self._write(path.absolute())

    def recover(self) -> bool:
        """Offer runs whose window or training process died, once; return whether one is shown."""
        runs, problems = abandoned_runs(self._runs)
        for problem in problems:
            self._dialogs.tell(problem)
        lost = [run for run in runs if not run.kept]
        answer = self._dialogs.ask_recover_run(lost) if lost else "later"
        try:
            if answer == "discard":
                for run in lost:
                    run.discard()
            elif answer != "later" and self.open_run(answer):
                self._session.use_parameters()  # its sentences are perhaps nowhere else
                return True
        except Problem as problem:
            self._dialogs.tell(problem)
        return False

    def may_close(self) -> bool:
        """Ask what becomes of names and marks, and of a run that is going on.

        Return whether the window may close.
        """
        for card, path in self._unsaid():
            wanted = self._dialogs.ask_unsaved(self._session.frame.name_of(card))
            if wanted == "cancel" or (wanted == "save" and not self._save_said(card, path)):
                return False
        if not self._session.frame.progress.active:
            for unsaved in self._unsaved_cards(deleted=False):
                self._keep(unsaved)
            return True
        self._runner.show()  # what is asked about
        answer = self._dialogs.ask_running()
        if answer == "cancel":
            return False
        self._runner.close()
        run = self._runner.trace
        if run is None:  # nothing was recorded yet, so it is another that is shown
            self._keep(self._unsaved)
        elif answer == "discard":
            self._discard(run)
        elif answer == "keep" or not self.save():
            self._keep(run)  # it stands among the runs that are not saved
        return True

    def close(self) -> None:
        """Leave the folders of runs to other windows; those of deleted runs go."""
        for run in self._unsaved_cards(deleted=True):
            self._discard(run)
        for run in self._unsaved_cards(deleted=False):
            run.close()
        if self._unsaved is not None:
            self._unsaved.close()

    def _unsaved_cards(self, *, deleted: bool) -> list[SpoolTrace]:
        """Return the runs in the list, or deleted from it, that stand in no file."""
        frame = self._session.frame
        return [
            card.trace
            for card in frame.cards
            if isinstance(card.trace, SpoolTrace) and (card.key in frame.hidden) == deleted
        ]

    # --- inside ----------------------------------------------------------------------------------

    @property
    def _own_path(self) -> Path | None:
        """Where the run of this session is saved; None while it is not."""
        saved = self._own is not None and self._own[0] == self._runner.folder
        return self._own[1] if saved and self._own is not None else None

    def _write(self, path: Path) -> bool:
        frame = self._session.frame
        assert frame.trace is not None
        try:
            card = frame.card(frame.shown)
            said = None if card is None else frame.said_of(card)
            saved = save_trace(frame.trace, path, basis=frame.own_basis, said=said)
        except Problem as problem:
            self._dialogs.tell(problem)
            return False
        self._remember(path)
        self._files.add(path)
        if said is not None:
            self._kept[frame.shown] = said
        if frame.progress.active and frame.trace is self._runner.trace:
            return True  # saved as far as it is, and goes on
        self._path, unsaved = path, self._unsaved
        self._session.mark_saved(saved, displayable(path.stem))
        if isinstance(frame.trace, SpoolTrace) and frame.trace is unsaved:
            if frame.trace.folder == self._runner.folder:
                self._own = (frame.trace.folder, path)
            self._discard(frame.trace)
        return True

    def _unsaid(self) -> list[tuple[RunCard, Path]]:
        """Return the runs in files of the user's whose names or marks are others than there."""
        frame = self._session.frame
        return [
            (card, card.trace.path)
            for card in frame.runs
            if isinstance(card.trace, TraceFile)
            and card.trace.path in self._files
            and frame.said_of(card) != self._kept.get(card.key, card.said)
        ]

    def _save_said(self, card: RunCard, path: Path) -> bool:
        """Save a run's name and marks in its file; return whether that was done."""
        said = self._session.frame.said_of(card)
        if not self._tried(lambda: save_trace(card.trace, path, said=said).close()):
            return False
        self._kept[card.key] = said
        return True

    def _keep_axes(self) -> None:
        """Keep the axes of runs of ours that have ended: opened again they look as they did."""
        frame = self._session.frame
        for each in (frame, frame.other):
            if each is None or frame.progress.active or not isinstance(each.trace, SpoolTrace):
                continue
            if each.trace.folder.parent != self._runs:
                continue  # it was opened where it stands, and looking changes nothing there
            if each.own_basis is not None and each.own_basis is not each.trace.basis:
                self._tried(partial(each.trace.keep_basis, each.own_basis))

    def _say(self) -> None:
        """Keep names and marks beside what is recorded of runs that stand in no file."""
        frame = self._session.frame
        for card in frame.runs:
            said = frame.said_of(card)
            if isinstance(card.trace, SpoolTrace) and said != self._kept.get(card.key, card.said):
                self._kept[card.key] = said
                self._tried(partial(card.trace.say, said))

    def _keep(self, run: SpoolTrace | None) -> None:
        """Note that an unsaved run is left on purpose: it is not offered as one that was lost."""
        if run is not None:
            self._tried(run.keep)

    def _discard(self, run: SpoolTrace) -> None:
        run.close()
        self._tried(lambda: remove_run(run.folder))

    def _on_change(self, change: TrainChange) -> None:
        frame = self._session.frame
        if change & (TrainChange.PROGRESS | TrainChange.RECORDED):
            self._keep_axes()
        if TrainChange.RUNS in change:
            self._say()
            self.changed.emit()
        if change & (TrainChange.DOCUMENT | TrainChange.TRACE):
            left, self._unsaved = self._unsaved, None
            if frame.modified:
                self._path = None
                if isinstance(frame.trace, SpoolTrace):
                    self._unsaved = frame.trace
            if left is not None and left is not frame.trace:
                self._keep(left)
            self.changed.emit()


class TrainRoom(Room[TrainPage]):
    """Train: the session of a run, with its views, its run and its files; made when first shown.

    Parameters
    ----------
    around : Surroundings
    """

    page_class = TrainPage

    def __init__(self, around: Surroundings) -> None:
        super().__init__(around)
        runs, dialogs, settings = runs_folder(), around.dialogs, around.settings
        self.session = TrainSession()
        self.runner = Runner(
            self.session, runs, self._tell_tried, lambda: not settings.settings.reduce_motion, self
        )
        self.document = TraceDocument(self.session, self.runner, dialogs, settings, runs, self)
        self.presenter = TrainPresenter(
            self.session,
            self.runner,
            self._tell_tried,
            put_on_clipboard,
            dialogs.ask_corpus,
            dialogs.ask_large,
            around.edit_copy,
        )
        self.layouts = Layouts(self.session, self.tell, self)
        self.clock = FrameClock(self.session, TrainChange.ALL, self, self._arrange)
        self._show_sweep = around.show_sweep
        self.put_page(around.theme, around.stack)
        self._beside: int | None = None  # the card that a run of a sweep is to stand beside
        self.session.changed.connect(self._on_change)
        self.document.open_example()

    def put_page(self, theme: Theme, stack: QStackedWidget) -> None:
        """Make the views, in the language in use, drawn from now on."""
        super().put_page(theme, stack)
        self.page.sweep_asked.connect(self._show_sweep)

    def make_page(self, theme: Theme, stack: QStackedWidget) -> None:
        """Make the views anew; the word graph is looked at as before."""
        before = self.page
        super().make_page(theme, stack)
        self.page.graph.take_view(before.graph)
        self.page.show_page(self.session.frame)

    def other_page(self, theme: Theme, parent: QWidget) -> TrainPage:
        """Return the room's views once more, with the same in the middle; nobody draws them yet."""
        page = super().other_page(theme, parent)
        page.graph.take_view(self.page.graph)
        page.show_page(self.session.frame)
        return page

    def _join_made(self, view: FrameView[Any], name: str) -> None:
        self._join(view)  # a lesson is pictured in Explore

    def show_stage(self, stage: Stage) -> None:
        """Make a station of the chain the active one."""
        self.handle(ShowTrainStage(stage))

    def train_run(self, config: Config, corpus: Corpus, beside: bool = False) -> None:
        """Train a run of a sweep once more, recorded as Run records it.

        beside : whether the run that is shown stays A, and this one becomes B
        """
        frame = self.session.frame
        self._beside = frame.shown if beside else None
        taken = msgspec.structs.replace(config, watch_every=frame.config.watch_every)
        self.session.use_run(Message(N_("take a run of a sweep")), taken, corpus)
        self.handle(StartOver())

    def _put_beside(self) -> None:
        """Compare a run of a sweep, once it is recorded, with the one that was shown before."""
        frame, before = self.session.frame, self._beside
        if before is None or frame.trace is None or frame.trace is not self.runner.trace:
            return
        self._beside = None
        new = frame.shown
        if frame.card(before) is not None:
            try:
                self.session.show_run(before)
                self.session.compare(new)
            except Problem as problem:
                self.tell(problem)

    def allow_motion(self, wanted: bool) -> None:
        """Let the word graph move, or be there at once."""
        self.page.graph.set_motion(wanted)
        self.page.beside.set_motion(wanted)

    def close(self) -> None:
        """End the run and every process, within two seconds."""
        self.runner.close()
        self.layouts.close()
        self.document.close()

    def _on_change(self, change: TrainChange) -> None:
        if TrainChange.TRACE in change and self._beside is not None:
            self._put_beside()
        if TrainChange.CONFIG in change:
            self.page.error_bar.forget_passing()  # what it says of the next run may be right by now

    def _arrange(self, change: TrainChange) -> None:
        if TrainChange.LOOK in change:
            self.page.show_page(self.session.frame)
