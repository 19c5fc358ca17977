"""Files replaced in one step, files read by place, and the locks that say a run is in use."""

from __future__ import annotations

import os
import secrets
import stat
import sys
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from explorer.text import N_, Problem, displayable, why_refused

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_CHUNK = 4 * 2**20  # bytes that are copied at a time


class _Tried(Exception):
    """A file could be saved, and is not."""


def check_place(path: Path) -> None:
    """Raise Problem where a file cannot be saved, before the work of making it."""
    try:
        if path.is_dir():
            raise Problem(N_("{file} is a folder: name a file in it."), file=str(path))
        if not path.absolute().parent.is_dir():
            raise Problem(N_("There is no folder {folder} to save in."), folder=str(path.parent))
        with suppress(_Tried), replacing(path):
            raise _Tried  # so that nothing is replaced
    except (OSError, ValueError) as error:
        raise Problem(
            N_("{file} cannot be saved: {reason}."),
            file=displayable(path.name, 64),
            reason=why_refused(error),
        ) from None


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Yield a new file that takes the place of `path` in one step when the block ends well.

    Else nothing changes. An existing file keeps its permissions, and a link keeps pointing to it.
    Raises OSError; ValueError for a name with a NUL character.
    """
    target = Path(os.path.realpath(path))
    temporary = target.with_name(f".{secrets.token_hex(8)}.tmp")
    there = target.stat().st_mode if target.exists() else None
    if there is not None and not stat.S_ISREG(there):
        raise OSError(None, N_("it is not a file"))  # a device must stay one
    mode = None if there is None else there & 0o777
    if mode is not None and not os.access(target, os.W_OK):
        raise PermissionError(None, N_("write-protected"))
    try:
        # Created by the system's own rules for new files; mkstemp would make it private.
        with temporary.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            temporary.chmod(mode)
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


class ReadFile:
    """An open file that is read by place, from any thread; closed when nobody holds it any more.

    Not a memory mapping: that ends the program where the file shrinks while it is open. Raises
    Problem where the file cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        self.name = displayable(path.name or str(path))
        try:
            if not stat.S_ISREG(path.stat().st_mode):  # opening a pipe would wait for ever
                raise Problem(N_("{file} is not a file that can be opened."), file=self.name)
            self._file = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        except (OSError, ValueError) as error:
            raise Problem(
                N_("{file} cannot be opened: {reason}."), file=self.name, reason=why_refused(error)
            ) from None
        self._close = weakref.finalize(self, os.close, self._file)
        self.size = os.fstat(self._file).st_size
        self._turn = threading.Lock()

    def read(self, start: int, count: int) -> bytes:
        """Return `count` bytes from `start`. Raises Problem where they are not there any more."""
        try:
            data = self._read(start, count)
        except (OSError, ValueError) as error:
            raise Problem(
                N_("{file} cannot be read: {reason}."), file=self.name, reason=why_refused(error)
            ) from None
        if len(data) < count:
            raise Problem(
                N_("{file} was shortened while it was open: open it again, or another copy."),
                file=self.name,
            )
        return data

    def _read(self, start: int, count: int) -> bytes:
        if not self._close.alive:
            raise ValueError("it is closed")
        parts = []
        while count > 0:
            if sys.platform == "win32":
                with self._turn:
                    os.lseek(self._file, start, os.SEEK_SET)
                    part = os.read(self._file, count)
            else:
                part = os.pread(self._file, count, start)
            if not part:
                break
            parts.append(part)
            start += len(part)
            count -= len(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def chunks(self, start: int, count: int) -> Iterator[bytes]:
        """Yield `count` bytes from `start`, a few MiB at a time. Raises Problem."""
        for place in range(start, start + count, _CHUNK):
            yield self.read(place, min(_CHUNK, start + count - place))

    def close(self) -> None:
        """Close the file; reading it is a Problem from now on."""
        self._close()


@contextmanager
def open_file(path: Path) -> Iterator[ReadFile]:
    """Yield a file open for reading. Raises Problem."""
    file = ReadFile(path)
    try:
        yield file
    finally:
        file.close()


def read_text(path: Path, most: int) -> str:
    """Return the text of a file of at most `most` bytes.

    Raises Problem naming the file: it cannot be read, is too large, or is no UTF-8 text.
    """
    with open_file(path) as file:
        if file.size > most:
            raise Problem(
                N_("{file} is larger than {most} MB: shorten it."),
                file=file.name,
                most=most // 10**6,
            )
        data = file.read(0, file.size)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Problem(
            N_("{file}: line {line} is not UTF-8 text: save the file as UTF-8."),
            file=file.name,
            line=data.count(b"\n", 0, error.start) + 1,
        ) from None


class FolderLock:
    """The right to a folder, shared or for oneself alone.

    It ends when it is released, when nobody holds this object any more, or with the process.
    """

    _NAME = "lock"
    _PLACES = 4096  # Windows has no shared locks: each holder locks one byte of these

    def __init__(self, lock: int) -> None:
        self._lock = lock
        self._release = weakref.finalize(self, os.close, lock)

    @classmethod
    def take(cls, folder: Path, *, alone: bool) -> FolderLock | None:
        """Return the lock; None where others are in the way.

        Raises OSError where there is no such folder, or it cannot be written.
        """
        return cls.of_file(folder / cls._NAME, alone=alone)

    @classmethod
    def of_file(cls, path: Path, *, alone: bool) -> FolderLock | None:
        """Return the lock that a file stands for, as `take` does."""
        lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(lock, alone, cls._PLACES)
            # Whoever had it before may have removed the file after it was opened here.
            if os.path.samestat(os.fstat(lock), path.stat()):
                return cls(lock)
        except OSError:
            pass
        os.close(lock)
        return None

    def share(self) -> None:
        """Let others share the folder from now on."""
        _unlock(self._lock, self._PLACES)
        _lock(self._lock, False, self._PLACES)

    def release(self) -> None:
        """Give the right up; twice is once."""
        self._release()


if sys.platform == "win32":

    def _lock(file: int, alone: bool, places: int) -> None:
        os.lseek(file, 0 if alone else secrets.randbelow(places), os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_NBLCK, places if alone else 1)

    def _unlock(file: int, places: int) -> None:
        os.lseek(file, 0, os.SEEK_SET)
        with suppress(OSError):
            msvcrt.locking(file, msvcrt.LK_UNLCK, places)

else:

    def _lock(file: int, alone: bool, places: int) -> None:
        fcntl.flock(file, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)

    def _unlock(file: int, places: int) -> None:
        pass  # flock turns one kind of lock into the other
