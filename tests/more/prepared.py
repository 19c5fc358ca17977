"""Windows that are killed by the dozen, forked from an interpreter that has imported everything.

So are the processes that such a window starts, which are its children as in the program: they get
what a spawned one gets, and nothing else of the window, but a copy of a process that has waited
since before there was a window.
"""

from __future__ import annotations

import fcntl
import json
import multiprocessing
import os
import signal
import socket
import sys
from collections.abc import Callable
from multiprocessing import util
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

from explorer.app.main import application, make_window

_IMPORTED = (  # once, in the process that is forked
    *("explorer.app.train", "explorer.app.sweep", "explorer.rooms.sweep.picture"),
    *("explorer.training.worker", "explorer.training.record", "explorer.training.layout_process"),
    *("explorer.sweeps.work", "explorer.sweeps.conduct", "explorer.sweeps.process"),
    *("explorer.training.batched", "torch"),
)
_FREE = 200  # file descriptors from here on are in use by nobody
_spawned: Callable[..., int] = util.spawnv_passfds  # type: ignore[attr-defined]


def window(home: Path, begin: Callable[..., None], *arguments: Any) -> ForkServerProcess:
    """Start a window in a process of its own.

    Parameters
    ----------
    home : Path
        Where it keeps what it keeps.
    begin : callable
        At the top of a module; called with the window and the arguments when it is shown.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__, *_IMPORTED])
    process = context.Process(target=_show, args=(home, begin, *arguments))
    process.start()
    return process


def _show(home: Path, begin: Callable[..., None], *arguments: Any) -> None:
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    for name in ("CONFIG", "DATA", "CACHE"):
        os.environ[f"XDG_{name}_HOME"] = str(home / name)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    _keep_one_ready()
    app = application()
    shown = make_window()
    shown.show()
    begin(shown, *arguments)
    app.exec()
    shown.close()


def _keep_one_ready() -> None:
    """Let the next interpreter that this process spawns be one that is forked now."""
    ours, theirs = socket.socketpair()
    number = os.fork()
    if number == 0:
        ours.close()
        _wait_and_become(theirs)
    theirs.close()

    def start(path: bytes, words: list[str], handed: tuple[int, ...]) -> int:
        if "spawn_main" not in words[-2]:
            return _spawned(path, words, handed)
        util.spawnv_passfds = _spawned  # type: ignore[attr-defined]
        with ours:
            socket.send_fds(ours, [json.dumps([words[-2], *handed]).encode()], handed)
        return number

    util.spawnv_passfds = start  # type: ignore[attr-defined]


def _wait_and_become(asked: socket.socket) -> None:
    """Become the spawned process that is asked for; end when nobody can ask any more."""
    status = 1
    try:
        with asked:
            said, got, _flags, _from = socket.recv_fds(asked, 4096, 16)
        if said:
            code, *numbers = json.loads(said)
            free = [fcntl.fcntl(each, fcntl.F_DUPFD, _FREE) for each in got]
            for each in got:
                os.close(each)
            for each, number in zip(free, numbers, strict=True):
                os.dup2(each, number)
                os.close(each)
            _keep_one_ready()
            sys.argv[1:] = ["--multiprocessing-fork"]
            exec(code, {})
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    finally:
        os._exit(status)
