"""Recovery files: what a window had not saved when it died, each claimed by at most one window.

A window keeps one file, `NAME.json`, and holds a lock of the operating system on `NAME.lock` beside
it. The lock ends with the process, however that ends, so a file whose lock is free has no living
owner. Whoever takes or removes a file holds its lock meanwhile.
"""

from __future__ import annotations

import contextlib
import sys
import time
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from explorer.app.settings import data_folder, make_private, path_text, set_aside
from explorer.session.scene import Scene
from explorer.session.scene_file import dump_scene, parse_scene, write_bytes
from explorer.text import N_, Message, Problem, displayable, why_refused

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

    from explorer.traces.files import FolderLock


class _Envelope(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a recovery file holds: the scene as its own file would, and where it belongs."""

    format: Literal["attention-explorer/recovery"]
    version: Literal[1]
    title: str
    time: Annotated[float, msgspec.Meta(ge=0, lt=1e11)]
    path: str
    digest: str
    scene: msgspec.Raw


@dataclass(frozen=True)
class Unsaved:
    """A scene that its file does not hold.

    Parameters
    ----------
    scene : Scene
    title : str
        What the window called it.
    path : Path or None
        The file it was opened from or last saved to.
    digest : str
        Of that file's content at that time.
    """

    scene: Scene
    title: str
    path: Path | None = None
    digest: str = ""


class Recovery:
    """One window's recovery file, and the way to those that dead windows left.

    Parameters
    ----------
    folder : Path, optional
        Where the files are; in the platform's data folder by default. Created by the first `save`.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or data_folder() / "recovery"
        self._claim: _Claim | None = None
        self._writing: Future[None] | None = None

    @cached_property
    def _writer(self) -> ThreadPoolExecutor:
        """One thread, so that neither a large scene nor a slow disk stops the hand that drags."""
        from concurrent.futures import ThreadPoolExecutor

        return ThreadPoolExecutor(1, "recovery")

    def save(self, unsaved: Unsaved) -> Future[None]:
        """Begin to replace this window's file; where that fails, the file before stays.

        The future raises Problem.
        """
        self._writing = self._writer.submit(self._save, unsaved)
        return self._writing

    def clear(self) -> None:
        """Remove this window's file: there is nothing to lose any more. Raises Problem."""
        self._wait()
        claim, self._claim = self._claim, None
        if claim is not None:
            claim.remove()

    def close(self) -> None:
        """Remove this window's file for good. Raises Problem."""
        try:
            self.clear()
        finally:
            if "_writer" in vars(self):
                self._writer.shutdown()

    def abandoned(self) -> tuple[tuple[Abandoned, ...], tuple[Problem, ...]]:
        """Return the files of dead windows, newest first, and a problem for each unreadable one.

        An unreadable file is kept, renamed to `….broken`.
        """
        self._wait()
        found: list[Abandoned] = []
        problems: list[Problem] = []
        names = {path.with_suffix("") for path in self._folder.glob("*.json")}
        locks = {path.with_suffix("") for path in self._folder.glob("*.lock")}
        for name in names | locks:
            claim = _Claim.of(name)
            if claim is None:
                continue
            try:
                if claim.file.exists():  # else a lock alone is left, which `release` removes
                    envelope = claim.read()
                    path = Path(envelope.path) if envelope.path else None
                    found.append(Abandoned(envelope.title, envelope.time, path, name, self))
            except Problem as problem:
                problems.append(problem)
            finally:
                claim.release()
        found.sort(key=lambda each: each.time, reverse=True)
        return tuple(found), tuple(problems)

    def _save(self, unsaved: Unsaved) -> None:
        try:
            envelope = _Envelope(
                "attention-explorer/recovery",
                1,
                displayable(unsaved.title),
                time.time(),
                "" if unsaved.path is None else path_text(unsaved.path),
                unsaved.digest,
                msgspec.Raw(dump_scene(unsaved.scene)),
            )
            if self._claim is None:
                self._claim = _Claim.new(self._folder)
            write_bytes(msgspec.json.encode(envelope), self._claim.file)
        except Problem as problem:
            template = N_("Unsaved changes are not kept in case of a crash: {reason}")
            raise Problem(template, reason=problem.message) from problem

    def _adopt(self, claim: _Claim) -> None:
        """Make a dead window's file this window's, so that no moment is without one."""
        self.clear()
        self._claim = claim

    def _wait(self) -> None:
        if self._writing is not None:
            # Whoever asked for the file to be written hears of its failure.
            self._writing.exception()


@dataclass(frozen=True)
class Abandoned:
    """What a dead window left.

    Parameters
    ----------
    title : str
    time : float
        When it was written, in seconds since 1970.
    path : Path or None
        The file it was opened from or last saved to.
    """

    title: str
    time: float
    path: Path | None
    _name: Path
    _recovery: Recovery

    def take(self) -> Unsaved:
        """Return it, and make its file the one of the window that takes it.

        Raises Problem: where another window was quicker, or where it is no scene (it is kept then,
        renamed to `….broken`).
        """
        claim = self._claimed()
        try:
            envelope = claim.read()
            scene = claim.scene(envelope)
        except Problem:
            claim.release()
            raise
        self._recovery._adopt(claim)
        return Unsaved(scene, envelope.title, self.path, envelope.digest)

    def discard(self) -> None:
        """Remove it. Raises Problem."""
        self._claimed().remove()

    def _claimed(self) -> _Claim:
        claim = _Claim.of(self._name)
        if claim is None or not claim.file.exists():
            if claim is not None:
                claim.release()
            raise Problem(N_("“{title}” was recovered in another window."), title=self.title)
        return claim


class _Claim:
    """The only right to one recovery file, until it is released or the process ends."""

    def __init__(self, name: Path, lock: FolderLock) -> None:
        self.file = name.with_suffix(".json")
        self._lock_file = name.with_suffix(".lock")
        self._lock = lock

    @classmethod
    def new(cls, folder: Path) -> _Claim:
        """Return the claim to a file of a new name. Raises Problem."""
        import secrets

        try:
            make_private(folder)
            # A window that tidies up may be quicker in locking the new file, so try again.
            for _attempt in range(3):
                name = folder / secrets.token_hex(8)
                name.with_suffix(".lock").touch(mode=0o600)
                claim = cls.of(name)
                if claim is not None:
                    return claim
        except OSError as error:
            reason = why_refused(error)
            template = N_("{folder} cannot be used: {reason}.")
            raise Problem(template, folder=str(folder), reason=reason) from error
        raise Problem(N_("Files in {folder} cannot be locked."), folder=str(folder))

    @classmethod
    def of(cls, name: Path) -> _Claim | None:
        """Return the claim to a file; None where another window has it, or nobody can."""
        from explorer.traces.files import FolderLock  # all of traces comes with it

        try:
            lock = FolderLock.of_file(name.with_suffix(".lock"), alone=True)
        except OSError:
            return None
        return None if lock is None else cls(name, lock)

    def release(self) -> None:
        """Give the right up; the file stays, for whoever claims it next."""
        with contextlib.suppress(OSError):  # a lock file that stays does no harm
            if sys.platform != "win32":
                # While it is locked, so that nobody can lock what is about to go.
                self._lock_file.unlink()
        self._lock.release()
        with contextlib.suppress(OSError):
            if sys.platform == "win32":  # an open file cannot be removed there
                self._lock_file.unlink()

    def remove(self) -> None:
        """Remove the file and give the right up. Raises Problem."""
        try:
            self.file.unlink(missing_ok=True)
        except OSError as error:
            raise self._failed(N_("{file} cannot be removed: {reason}."), error) from error
        finally:
            self.release()

    def read(self) -> _Envelope:
        """Return what the file holds. Raises Problem; the file is kept."""
        try:
            return msgspec.json.decode(self.file.read_bytes(), type=_Envelope)
        except OSError as error:
            raise self._failed(N_("{file} cannot be read: {reason}."), error) from error
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            raise self._set_aside(Message(N_("it is not a recovery file"))) from error

    def scene(self, envelope: _Envelope) -> Scene:
        """Return the scene in an envelope. Raises Problem; the file is kept."""
        try:
            return parse_scene(bytes(envelope.scene), envelope.title)
        except Problem as problem:
            raise self._set_aside(problem.message) from problem

    def _set_aside(self, reason: Message) -> Problem:
        try:
            kept = set_aside(self.file)
        except OSError:
            kept = self.file
        template = N_("The recovery file cannot be read; it is kept as {file} ({reason}).")
        return Problem(template, file=str(kept), reason=reason)

    def _failed(self, template: str, error: OSError) -> Problem:
        return Problem(template, file=str(self.file), reason=why_refused(error))
