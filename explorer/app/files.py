"""Scenes read from files and written into them; the largest in a process beside the window."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from threading import Thread
from typing import TYPE_CHECKING, Any

from explorer.importers import SCENES, Importer
from explorer.session import Scene
from explorer.session.scene_file import LARGEST_FILE, dump_scene, write_bytes
from explorer.text import N_, Message, Problem, displayable

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

LARGE_FILE = 8 * 2**20  # bytes from which on reading would keep the window waiting
LARGE_SCENE = 400_000  # numbers from which on writing would
POLL = 0.02  # seconds
_ENDED = N_("There is not enough memory for {file}: close other programs and try again.")
# Waits until what it is given says that it is done; returns False where Cancel was pressed.
Wait = Callable[[Callable[[], bool]], bool]


@dataclass(frozen=True)
class _Read:
    path: Path
    importer: Importer

    def done(self, _wanted: Callable[[], bool]) -> tuple[Scene, str]:
        # Were the file changed in between, the digest would be outdated, and Save would ask.
        digest = digest_of(self.path)
        return self.importer.load(self.path), digest


@dataclass(frozen=True, eq=False)
class _Write:
    scene: Scene
    path: Path

    def done(self, wanted: Callable[[], bool]) -> str:
        data = dump_scene(self.scene)
        if wanted():
            write_bytes(data, self.path)
        return _digest(data)


def read(path: Path, wait: Wait, importer: Importer = SCENES) -> tuple[Scene, str] | None:
    """Return the scene in a file and the digest of its content; None where Cancel was pressed.

    Raises Problem.
    """
    asked = _Read(path, importer)
    try:
        found = path.stat()
        # Nobody knows how much comes out of a pipe, and when.
        piped = not (S_ISREG(found.st_mode) or S_ISDIR(found.st_mode))
        apart = piped or found.st_size >= LARGE_FILE
    except (OSError, ValueError):
        apart = False  # reading it says why
    return _beside(asked, wait) if apart else asked.done(lambda: True)


def write(scene: Scene, path: Path, wait: Wait) -> str | None:
    """Put a scene into a file, in one step, and return the digest of its content.

    None where Cancel was pressed: the file is as it was. Raises Problem.
    """
    asked = _Write(scene, path)
    numbers = sum(array.size for array in scene.arrays)
    return _beside(asked, wait) if numbers >= LARGE_SCENE else asked.done(lambda: True)


def digest_of(path: Path) -> str:
    """Return a fingerprint of a file's content; empty where no file can be read."""
    try:
        if not path.is_file():  # looking into a pipe would empty it
            return ""
        with path.open("rb") as file:
            return _digest(file.read(LARGEST_FILE + 1))
    except (OSError, ValueError):
        return ""


def _beside(asked: _Read | _Write, wait: Wait) -> Any:
    """Return what a process of its own answers; None where Cancel was pressed."""
    from explorer.processes import WarmProcess  # nothing that the window needs at its start

    try:
        process = WarmProcess(_main, "file")
    except OSError:
        return asked.done(lambda: True)
    patience = 0.5 if isinstance(asked, _Write) else 0.0  # for what is just being written
    try:
        # A large scene waits for the process to be there.
        Thread(target=_send, args=(process.pipe, asked), daemon=True).start()
        if not wait(lambda: process.pipe.poll(POLL)):
            return None
        answer = process.pipe.recv()
    except (EOFError, OSError):
        raise Problem(_ENDED, file=displayable(asked.path.name)) from None
    finally:
        process.end(patience)
    if isinstance(answer, Message):
        raise Problem.of(answer)
    return answer


def _send(pipe: Connection, asked: object) -> None:
    with suppress(OSError):  # Cancel was pressed
        pipe.send(asked)


def _main(pipe: Connection) -> None:
    """Answer one request, and give up writing where nobody listens any more."""
    with suppress(EOFError, OSError, MemoryError):
        asked = pipe.recv()
        try:
            answer = asked.done(lambda: not pipe.poll())
        except Problem as problem:
            answer = problem.message
        pipe.send(answer)


def _digest(data: bytes) -> str:
    import hashlib  # not needed before the window is seen

    return hashlib.sha256(data).hexdigest()
