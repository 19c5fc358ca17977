"""Everything that is opened, wherever it comes from: it shows itself in its own page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from explorer.app.menus import (
    fill_model_menu,
    fill_run_menu,
    fill_scene_menu,
    fill_sweep_menu,
)
from explorer.app.progress import progress
from explorer.app.room import ExploreRoom
from explorer.app.rooms import Rooms
from explorer.app.settings import SettingsStore, runs_folder
from explorer.app.sharing import SceneExports
from explorer.importers import SCENES, Kind, importer_of
from explorer.importers.sniffs import begin_of
from explorer.session import Scene
from explorer.text import N_, Problem, _, displayable

if TYPE_CHECKING:
    from explorer.lessons.lesson import Lesson
    from explorer.worksheets import Worksheet


_WAIT = 0.02  # s between two looks at numbers that are searched for


class Opening:
    """Opens scenes, lessons and runs, and brings to the front what they are shown in.

    Parameters
    ----------
    rooms : Rooms
    settings : SettingsStore
        Knows the recent files.
    open_lesson : callable
        Begins a lesson, where it belongs; returns whether that was done.
    fill_lessons : callable
        Fills the menu of lessons.
    exports : SceneExports
        Writes the scene in other formats.
    tell : callable
        Shows a problem.
    """

    def __init__(
        self,
        rooms: Rooms,
        settings: SettingsStore,
        open_lesson: Callable[[Path | Lesson], bool],
        fill_lessons: Callable[[QMenu], None],
        exports: SceneExports,
        tell: Callable[[Problem], None],
    ) -> None:
        self._rooms, self._settings, self._tell = rooms, settings, tell
        self._explore = rooms.explore
        self._open_lesson, self._fill_lessons = open_lesson, fill_lessons
        self._exports = exports

    def new(self) -> bool:
        """Start a new scene; return whether that was done."""
        return self._shown(self._explore.document.new())

    def open_copy(self, scene: Scene) -> bool:
        """Open a scene that belongs to no file; return whether that was done."""
        return self._shown(self._explore.document.open_copy(scene))

    def open(self, path: Path | None = None) -> bool:
        """Open a file, by default one that is asked for; return whether that was done.

        A file is known by its content; the folder of a sweep, by its plan.
        """
        path = path or self._explore.document.ask_open()
        if path is None:
            return False
        from explorer.sweeps.folder import is_sweep_folder
        from explorer.worksheets import names_sheet

        if names_sheet(path):
            return self.open_sheet(path.name)
        if is_sweep_folder(path):
            done = self._rooms.make_sweep().document.open(path)
            if done:
                self._rooms.show_sweep()
            return done
        importer = importer_of(path)
        unread = importer is SCENES or _names_sentences(path)
        strange = _strange(path) if unread else None
        if strange is not None:
            self._tell(strange)
            return False
        if importer.kind is Kind.TRACE:
            done = self._rooms.make_train().document.open(path, importer)
            if done:
                self._rooms.show_train()
            return done
        if importer.kind is Kind.LESSON:
            return self._open_lesson(path)
        if importer.kind is Kind.MODEL:
            from explorer.importers.models import folder_of

            return self._rooms.open_model(folder_of(path))
        return self._shown(self._explore.document.open(path, importer))

    def open_sheet(self, sheet: Worksheet | str) -> bool:
        """Open a worksheet, or that of a number, with its results to be filled in.

        Returns whether that was done.
        """
        from explorer.app.worksheet.lesson import sheet_lesson

        try:
            made = self._found(sheet) if isinstance(sheet, str) else sheet
        except Problem as problem:
            self._tell(problem)
            return False
        return made is not None and self._open_lesson(sheet_lesson(made))

    def _found(self, number: str) -> Worksheet | None:
        """Return the sheet of a number; None where it was not waited for. Raises Problem."""
        from concurrent.futures import ThreadPoolExecutor, wait

        from explorer.worksheets import made_sheet, read_number

        # Numbers for several heads are searched for seconds.
        searcher = ThreadPoolExecutor(1, "worksheet")
        found = searcher.submit(made_sheet, *read_number(number))
        searcher.shutdown(wait=False)
        with progress(_("Looking for the worksheet's numbers"), self._explore.page) as told:
            while not wait([found], timeout=_WAIT).done:
                told(None)
            return found.result()
        return None

    def open_model(self) -> bool:
        """Ask for a model's folder and open it; return whether that was done."""
        path = self._rooms.make_model().document.ask_folder()
        return path is not None and self.open(path)

    def drop(self, urls: Sequence[QUrl]) -> None:
        """Open the first of the dropped files."""
        paths = [Path(url.toLocalFile()) for url in urls if url.isLocalFile()]
        if not paths:
            self._tell(Problem(N_("Only files on this computer can be dropped here.")))
        elif self.open(paths[0]) and len(paths) > 1:
            template = N_("A window shows one file: of those dropped, {file} was opened.")
            self._tell(Problem(template, file=displayable(paths[0].name)))

    def recover(self) -> bool:
        """Offer what windows that ended before their time left unsaved: scenes, then runs.

        Return whether something of it is open now.
        """
        scene = self._explore.document.recover()
        front, left = self._rooms.front, _any_run_left()
        run = left and self._rooms.show_train().document.recover()
        if left and not run:
            self._rooms.show_room(front)  # of what was left, nothing was wanted or it is in use
        return scene or run

    def fill_menu(self, menu: QMenu, actions: Mapping[str, QAction]) -> None:
        """Fill the document's menu with what can be opened and done in the page in front."""
        menu.clear()
        recent, front = self._settings.settings.recent, self._rooms.front
        if isinstance(front, ExploreRoom):
            fill_scene_menu(
                menu,
                actions,
                front.document,
                recent,
                self.open,
                self._fill_lessons,
                self._exports,
            )
        elif front is self._rooms.model:
            fill_model_menu(menu, actions, recent, self.open, self._fill_lessons)
        elif front is self._rooms.sweep:
            fill_sweep_menu(menu, actions, front.document, self._fill_lessons)
        elif front is self._rooms.train:
            fill_run_menu(menu, actions, front.document, recent, self.open, self._fill_lessons)

    def _shown(self, done: bool) -> bool:
        """Bring Explore to the front where something was done there; return whether it was."""
        if done:
            self._rooms.show_explore()
        return done


def _names_sentences(path: Path) -> bool:
    """Return whether a CSV file begins with the columns that sentences are read from."""
    from explorer.traces.corpus_text import is_table

    begun = begin_of(path, 256).decode("utf-8-sig", "replace")
    return path.suffix.lower() == ".csv" and is_table(begun.partition("\n")[0])


def _strange(path: Path) -> Problem | None:
    """Return why what no format knows is not worth to be read as a scene; None where it may be."""
    try:
        folder, file = path.is_dir(), path.is_file()
    except (OSError, ValueError):
        return None  # reading it says why
    name, suffix = displayable(path.name), path.suffix.lower()
    if folder:
        return Problem(
            N_("{file} is a folder, but not that of a model, a sweep or a run."), file=name
        )
    begun = begin_of(path, 64).lstrip(b"\xef\xbb\xbf \t\r\n")
    if not file or suffix in ("", ".json") or begun.startswith(b"{"):
        return None
    if suffix == ".txt" or _names_sentences(path):
        return Problem(N_("{file} is a text: Train opens it at the pencil of Corpus."), file=name)
    return Problem(
        N_("{file} is no scene, run, lesson, model or table, so it cannot be opened."), file=name
    )


def _any_run_left() -> bool:
    """Return whether runs of earlier sessions lie there that were not kept on purpose."""
    try:
        return any(not (run / "kept").exists() for run in runs_folder().iterdir())
    except OSError:
        return False
