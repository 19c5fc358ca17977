"""The document: which file the scene stands in, and what is asked before anything is lost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from explorer.app import files
from explorer.app.dialogs import Dialogs, file_stem, own_folder
from explorer.app.recovery import Recovery, Unsaved
from explorer.app.settings import SettingsStore, with_recent, without_recent
from explorer.importers import SCENES, Importer, importer_of
from explorer.resources import examples
from explorer.session.frame import Change
from explorer.session.scene import Scene, same_content
from explorer.session.scene_view import look_at, view_of
from explorer.session.session import Session
from explorer.text import N_, Message, Problem, _, displayable, of_example

if TYPE_CHECKING:
    from concurrent.futures import Future

AUTOSAVE = 1000  # milliseconds from the first unsaved change


class FileDocument(QObject):
    """Base of the documents: what is shown in a room, and the file that it stands in.

    Every method leaves everything as it was where it fails or is cancelled, and tells a failure.

    Parameters
    ----------
    dialogs : Dialogs
        Asks and tells.
    settings : SettingsStore
        Remembers recent files.
    """

    changed = Signal()  # path, title or modified

    def __init__(
        self, dialogs: Dialogs, settings: SettingsStore, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._dialogs, self._settings = dialogs, settings
        self._path: Path | None = None

    @property
    def path(self) -> Path | None:
        """The file that Save writes; None where Save asks."""
        return self._path

    def save(self) -> bool:
        """Save in the file that is open, or ask for one; return whether that was done."""
        return self.save_as() if self._path is None else self._write(self._path)

    def save_as(self) -> bool:
        """Ask for a file and save in it; return whether that was done."""
        raise NotImplementedError

    def _write(self, path: Path) -> bool:
        raise NotImplementedError

    def _tried(self, act: Callable[[], object]) -> bool:
        """Do what may raise Problem, and tell why it was not done; return whether it was."""
        try:
            act()
        except Problem as problem:
            self._dialogs.tell(problem)
            return False
        return True

    def _loaded(self, path: Path, act: Callable[[], object]) -> bool:
        """Do as `_tried` what reads a file; one that is gone is no longer a recent one."""
        done = self._tried(act)
        if not done and not path.exists():
            self._settings.update(partial(without_recent, path=path))
        return done

    def _remember(self, path: Path) -> None:
        self._settings.update(partial(with_recent, path=path))

    def _folder(self) -> Path:
        """Return where a file dialog opens."""
        if self._path is not None:
            return self._path.parent
        last = self._settings.settings.last_folder
        if last and Path(last).is_dir():
            return Path(last)
        return own_folder()


class Document(FileDocument):
    """The session's scene as a document: new, opened, saved, autosaved, recovered.

    Parameters
    ----------
    session : Session
    dialogs : Dialogs
    settings : SettingsStore
    recovery : Recovery
        Keeps unsaved changes.
    """

    leaving = Signal()  # another scene may come: what is half typed belongs to this one

    def __init__(
        self,
        session: Session,
        dialogs: Dialogs,
        settings: SettingsStore,
        recovery: Recovery,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(dialogs, settings, parent)
        self._session, self._recovery = session, recovery
        self._digest = ""  # of the file's content as it was opened or saved
        self._kept: Scene | None = None  # what the recovery file holds or is about to
        self._writing: Future[None] | None = None
        self._told_recovery = False
        # What need not be asked about: a lesson's scene however it was tried out, and a copy as
        # it was made.
        self._of_lesson = False
        self._copied: Scene | None = None
        self._shown = self._state()
        # Not restarted by further changes, so that a long drag is kept on its way too.
        self._timer = QTimer(self, singleShot=True, interval=AUTOSAVE)
        self._timer.timeout.connect(self._autosave)
        session.changed.connect(self._on_change)

    # --- reading -------------------------------------------------------------------------------

    @property
    def title(self) -> str:
        """The name on screen: the file's, else the scene's, else Untitled."""
        if self._path is not None:
            return displayable(self._path.stem)
        return displayable(of_example(self._session.scene.title)) or _("Untitled")

    @property
    def modified(self) -> bool:
        """Whether there are unsaved changes."""
        return self._session.modified

    # --- commands ------------------------------------------------------------------------------

    def new(self) -> bool:
        """Start a small scene of its own; return whether that was done."""
        if not self._may_leave():
            return False
        self._swap(_new_scene())
        return True

    def open(self, path: Path | None = None, importer: Importer = SCENES) -> bool:
        """Open a file, by default one that is asked for; return whether that was done.

        An example, and what is of another format than Save writes, is tied to no file.
        """
        path = path or self.ask_open()
        return path is not None and self._open(path, importer)

    def ask_open(self) -> Path | None:
        """Ask for a file to open; None to leave it."""
        return self._dialogs.ask_open(self._folder())

    def open_copy(self, scene: Scene) -> bool:
        """Put a scene on the table that stands in no file; return whether that was done."""
        if not self._may_leave():
            return False
        self._swap(scene, saved=False)
        self._copied = scene
        return True

    def show(self, scene: Scene) -> bool:
        """Put a scene of a lesson on the table, which need not be saved; return whether done."""
        if not self._may_leave():
            return False
        self._swap(scene, of_lesson=True)
        return True

    def open_example(self, path: Path) -> bool:
        """Open a file without being tied to it (Save asks where); return whether that was done."""
        return self._open(path, SCENES, tied=False)

    def save(self) -> bool:
        """Save in the scene's file, or ask for one; return whether that was done."""
        path = self._path
        if path is not None and files.digest_of(path) not in ("", self._digest):
            return self._dialogs.ask_overwrite_changed(path) and self._write(path)
        return super().save()

    def save_as(self) -> bool:
        """Ask for a file and save in it; return whether that was done."""
        stem = file_stem(of_example(self._session.scene.title)) or _("scene")
        name = self._path.name if self._path is not None else f"{stem}.json"
        path = self._dialogs.ask_save(self._folder(), name)
        if path is None:
            return False
        if _is_example(path):
            template = N_("{file} is an example that comes with the program: choose another name.")
            self._dialogs.tell(Problem(template, file=displayable(path.name)))
            return False
        if not self._may_replace(path):
            template = N_("{file} is of another format: choose a name that ends in {suffix}.")
            self._dialogs.tell(
                Problem(template, file=displayable(path.name), suffix=SCENES.suffixes[0])
            )
            return False
        return self._write(path.absolute())

    def revert(self) -> bool:
        """Go back to what the file holds, as one edit that can be undone; return whether done.

        Without a file, go back to the scene as it was opened or made.
        """
        self.leaving.emit()
        session = self._session
        if session.modified and not self._dialogs.ask_revert(self.title):
            return False
        if self._path is None:
            session.edit(Message(N_("go back to the scene as it was opened")), session.original)
            return True
        name = Message(N_("go back to the saved scene"))
        read = self._read(self._path)
        if read is None:
            return False
        scene, digest = read
        if session.modified or digest != self._digest:
            self._digest = digest
            session.edit(name, scene)
            session.mark_saved(scene)
        return True

    def recover(self) -> bool:
        """Offer what dead windows left, with one question; return whether one was opened."""
        abandoned, problems = self._recovery.abandoned()
        for problem in problems:
            self._dialogs.tell(problem)
        answer = self._dialogs.ask_recover(abandoned) if abandoned else "later"
        try:
            if answer == "discard":
                for each in abandoned:
                    each.discard()
            elif answer != "later" and self._may_leave():
                unsaved = answer.take()
                self._kept = unsaved.scene
                self._swap(unsaved.scene, unsaved.path, unsaved.digest, saved=False)
                return True
        except Problem as problem:
            self._dialogs.tell(problem)
        return False

    def may_close(self) -> bool:
        """Ask about unsaved changes, where there are any; return whether the window may close."""
        return self._may_leave(closing=True)

    def close(self) -> None:
        """Let go of the session and remove the recovery file: to be called as the window closes."""
        self._session.changed.disconnect(self._on_change)
        self._timer.stop()
        try:
            self._recovery.close()
        except Problem as problem:
            self._dialogs.tell(problem)

    # --- inside --------------------------------------------------------------------------------

    def _may_leave(self, *, closing: bool = False) -> bool:
        """Ask about unsaved changes of one's own; return whether the scene may go."""
        # The question takes the focus, and a drag in the hand would be given up while it is asked.
        self._session.finish_gesture()
        self.leaving.emit()
        scene = self._session.scene
        copied = self._copied is not None and same_content(scene, self._copied)
        if not self._session.modified or (not closing and (copied or self._of_lesson)):
            return True
        answer = self._dialogs.ask_unsaved(self.title)
        return self.save() if answer == "save" else answer == "discard"

    def _open(self, path: Path, importer: Importer, *, tied: bool | None = None) -> bool:
        self.leaving.emit()
        path = path.absolute()
        tied = importer.own and not _is_example(path) if tied is None else tied
        read = self._read(path, importer)
        if read is not None and self._session.modified:
            if not self._may_leave():
                return False
            read = self._read(path, importer)  # saving may just have changed this very file
        if read is None:
            return False
        if tied:
            self._swap(read[0], path, read[1])
        else:
            self._swap(read[0])
        if tied or not importer.own:
            self._remember(path)
        return True

    def _read(self, path: Path, importer: Importer = SCENES) -> tuple[Scene, str] | None:
        """Return a file's scene and digest; tell why and return None where it holds none.

        None also where Cancel was pressed."""
        wait = partial(self._dialogs.wait_for, _("Opening {file}").format(file=_shown(path)))
        try:
            return files.read(path, wait, importer)
        except Problem as problem:
            if not path.exists():
                self._settings.update(partial(without_recent, path=path))
            self._dialogs.tell(problem)
            return None

    def _may_replace(self, path: Path) -> bool:
        """Return whether a file may be saved in: one that was read from elsewhere may not."""
        return not path.exists() or importer_of(path).own

    def _write(self, path: Path) -> bool:
        session = self._session
        scene = session.scene
        wait = partial(self._dialogs.wait_for, _("Saving {file}").format(file=_shown(path)))
        try:
            view = view_of(scene, session.look, session.selection)
            digest = files.write(scene.replace(view=view), path, wait)
        except Problem as problem:
            self._dialogs.tell(problem)
            return False
        if digest is None:
            return False
        self._path, self._digest = path, digest
        self._session.mark_saved(scene)
        self._remember(path)
        return True

    def _swap(
        self,
        scene: Scene,
        path: Path | None = None,
        digest: str = "",
        *,
        saved: bool = True,
        of_lesson: bool = False,
    ) -> None:
        """Put a scene on the table as a document of its own, looked at as the one before.

        of_lesson : whether it is a step's, which says itself which scores it shows; those that a
            lesson showed are not kept for other scenes
        """
        before = self._path, self._digest
        self._path, self._digest = path, digest
        # A lesson asks about its own scenes, and a brush would mask the first cell clicked.
        look = replace(self._session.look.hiding_nothing(), painting=False)
        if self._of_lesson and not of_lesson:
            look = replace(look, scaled=True)
        self._of_lesson, self._copied = of_lesson, None
        try:
            if scene.view is None:
                self._session.open(scene, replace(look, pinned=()), saved=saved)
            else:
                view = look_at(scene.view, look)
                self._session.open(scene, view.look, selection=view.selection, saved=saved)
        except BaseException:
            self._path, self._digest = before
            raise

    def _on_change(self, change: Change) -> None:
        if not change & (Change.RESULT | Change.DOCUMENT):
            return
        *_, modified = state = self._state()
        if not modified:
            self._forget()
        elif not self._timer.isActive():
            self._timer.start()
        if self._shown != state:
            self._shown = state
            self.changed.emit()

    def _state(self) -> tuple[Path | None, str, bool]:
        return self._path, self.title, self.modified

    def _forget(self) -> None:
        """Remove the recovery file: everything is saved."""
        self._timer.stop()
        self._kept = self._writing = None
        self._tried(self._recovery.clear)

    def _autosave(self) -> None:
        """Begin to keep the scene for recovery, and look back whether that went well."""
        if self._writing is not None:
            if not self._writing.done():
                self._timer.start()
                return
            try:
                self._writing.result()
                self._told_recovery = False
            except Problem as problem:
                self._kept = None
                if not self._told_recovery:
                    self._told_recovery = True
                    self._dialogs.tell(problem)
            self._writing = None
        scene = self._session.scene
        if self._session.modified and scene is not self._kept:
            self._kept = scene
            unsaved = Unsaved(scene, self.title, self._path, self._digest)
            self._writing = self._recovery.save(unsaved)
            self._timer.start()


def _new_scene() -> Scene:
    """Return the scene that New starts with: three tokens in the plane, Q = K = V = X."""
    rows = np.array([[1.0, 0.0], [0.0, 1.0], [-0.8, 0.6]])
    identity = np.eye(2)
    return Scene(tokens=("a", "b", "c"), X=rows, Wq=identity, Wk=identity, Wv=identity)


def _is_example(path: Path) -> bool:
    return path.exists() and any(path.samefile(example) for example in examples())


def _shown(path: Path) -> str:
    return displayable(path.name)
