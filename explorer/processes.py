"""Processes beside this one: kept and asked through a pipe, or on their own in a window."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import Any

# What the folder of a file is called that is written for one window alone.
TEMPORARY = "attention-explorer-view-"
_SIGNAL_OF_PARENTS_DEATH = 1  # PR_SET_PDEATHSIG of linux/prctl.h


def has_display() -> bool:
    """Return whether a window can be opened here, as far as the environment tells."""
    return not sys.platform.startswith("linux") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    )


class WarmProcess:
    """Calls a function, with its end of a pipe, in a process of its own until the pipe closes.

    Parameters
    ----------
    main : callable
        At the top of a module; takes the pipe.
    name : str
    environment : mapping of str to str
        What the process is to find in its environment from the first on, such as how many threads
        a library starts when it is imported.
    daemon : bool
        Whether it is ended with this process, and has no processes of its own.

    Raises OSError where no process can be started.
    """

    def __init__(
        self,
        main: Callable[[Connection], object],
        name: str,
        environment: Mapping[str, str] | None = None,
        *,
        daemon: bool = True,
    ) -> None:
        # Spawned, not forked: a copy of the window's process, its threads missing, is of no use.
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        self._process = context.Process(
            target=_begin, args=(main, theirs), name=name, daemon=daemon
        )
        self.pipe: Connection[Any, Any] = ours
        try:
            with _in_environment(environment or {}):
                self._process.start()
        except OSError:
            ours.close()
            raise
        finally:
            # Held by the process alone, so that its end is heard here.
            theirs.close()

    def end(self, patience: float) -> int | None:
        """Close the pipe, upon which the process ends by itself, and return its exit status.

        None where another thread was told it: Python ends daemons itself when the program ends.

        patience : seconds after which it is ended by force
        """
        self.pipe.close()
        self._process.join(patience)
        if self._process.exitcode is None:
            self._process.kill()
            self._process.join()
        status = self._process.exitcode
        if status is not None:
            self._process.close()
        return status


def wake_with_parent() -> None:
    """See to it that this process goes on, should it be stopped (SIGSTOP), when its parent dies.

    So it hears that it is to end too. Linux has this; elsewhere nothing is done.
    """
    if sys.platform == "linux":
        # To one that is not stopped the signal means nothing.
        ctypes.CDLL(None).prctl(_SIGNAL_OF_PARENTS_DEATH, signal.SIGCONT)


def _begin(main: Callable[[Connection], object], pipe: Connection) -> None:
    wake_with_parent()
    main(pipe)


@contextmanager
def _in_environment(changes: Mapping[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in changes}
    os.environ.update(changes)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
