"""Sweep as the window sees it: the shown sweep as a document, and the room with its views."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from pathlib import Path

from PySide6.QtCore import QObject

from explorer.app.dialogs import QtDialogs
from explorer.app.document import FileDocument
from explorer.app.room import Room, Surroundings
from explorer.app.settings import SettingsStore, sweeps_folder
from explorer.kit.clock import FrameClock
from explorer.kit.copying import put_on_clipboard
from explorer.resources import example
from explorer.rooms.sweep.intents import (
    NewSweep,
    OpenExample,
    OpenSweep,
    SaveAll,
    SaveTable,
    Start,
)
from explorer.rooms.sweep.page import SweepPage
from explorer.rooms.sweep.presenter import EXAMPLE, SweepPresenter
from explorer.rooms.sweep.runner import SweepRunner
from explorer.rooms.sweep.session import SweepSession
from explorer.rooms.sweep.shown import SweepChange
from explorer.session import Stage
from explorer.sweeps.folder import is_sweep_folder
from explorer.text import _
from explorer.traces import Config, Corpus

_MOST_LISTED = 8  # sweeps in the menu, the newest
_ANEW = (NewSweep, OpenExample, OpenSweep, SaveAll, SaveTable, Start)  # leave what was told behind


class SweepDocument(FileDocument):
    """The sweep that is shown: kept in its folder from the first part on, so never unsaved."""

    modified = False

    def __init__(
        self,
        session: SweepSession,
        dialogs: QtDialogs,
        settings: SettingsStore,
        open_sweep: Callable[[Path], object],
        save_table: Callable[[], object],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(dialogs, settings, parent)
        self._session, self._open, self._save_table = session, open_sweep, save_table
        session.changed.connect(self._on_change)

    @property
    def title(self) -> str:
        """The name on screen."""
        frame = self._session.frame
        if frame.shown is None:
            return _("no sweep yet")
        if frame.title == EXAMPLE:
            return _("{title} (example)").format(title=_("rates and heads"))
        return _("sweep {name}").format(name=frame.title)

    def open(self, path: Path) -> bool:
        """Show a sweep that is on disk; return whether that was done."""
        return self._tried(lambda: self._open(path))

    def open_example(self) -> bool:
        """Show the sweep that comes with the program."""
        return self.open(example(EXAMPLE))

    def kept(self) -> list[Path]:
        """Return the newest of this person's sweeps."""
        try:
            found = sorted(sweeps_folder().iterdir(), key=lambda path: path.name, reverse=True)
        except OSError:
            return []
        return list(islice(filter(is_sweep_folder, found), _MOST_LISTED))

    def save(self) -> bool:
        """Save the table of runs."""
        self._save_table()
        return True

    def save_as(self) -> bool:
        """Save the table of runs."""
        return self.save()

    def may_close(self) -> bool:
        """Return True: what is done is kept, and can be gone on with."""
        return True

    def _on_change(self, change: SweepChange) -> None:
        if change & (SweepChange.STATE | SweepChange.RESULTS | SweepChange.DRAFT):
            self.changed.emit()


class SweepRoom(Room[SweepPage]):
    """Sweep: the page of Train for many runs; made when first shown.

    Parameters
    ----------
    around : Surroundings
    open_run : callable
        Trains a run in Run, beside the one that is shown there or by itself.
    show_runs : callable
        Brings Run to the front.
    """

    page_class = SweepPage

    def __init__(
        self,
        around: Surroundings,
        open_run: Callable[[Config, Corpus, bool], object],
        show_runs: Callable[[], object],
    ) -> None:
        super().__init__(around)
        self.session = SweepSession()
        self.runner = SweepRunner(self.session, sweeps_folder(), self.tell, self)
        self.presenter = SweepPresenter(
            self.session,
            self.runner,
            self.tell,
            put_on_clipboard,
            around.dialogs.ask_sweep,
            around.dialogs.ask_table,
            around.dialogs.ask_sweep_copy,
            around.dialogs.wait_for,
            open_run,
            show_runs,
        )
        self.document = SweepDocument(
            self.session,
            around.dialogs,
            around.settings,
            self.presenter.open,
            lambda: self.handle(SaveTable()),
            self,
        )
        self.clock = FrameClock(self.session, SweepChange.ALL, self)
        self.put_page(around.theme, around.stack)

    def show_stage(self, stage: Stage) -> None:
        """Do nothing: a sweep has no chain."""

    def allow_motion(self, wanted: bool) -> None:
        """Do nothing: nothing moves."""

    def close(self) -> None:
        """End the sweep after the epoch in progress."""
        self.runner.close()

    def handle(self, intent: object) -> None:
        """Carry out what a view asks for; what was told of the last thing tried is over."""
        if isinstance(intent, _ANEW):
            self.page.error_bar.hide()
        super().handle(intent)
