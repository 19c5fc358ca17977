"""Who carries out the chunks: processes of this computer, or the workers of a Dask cluster."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from typing import Any, Protocol
from urllib.parse import urlsplit

from explorer.processes import WarmProcess
from explorer.sweeps.work import serve, stop_flag, versions
from explorer.text import N_, Problem, _, displayable, why_refused

REACHED_WITHIN = 5.0  # seconds in which a scheduler must answer
_PATIENCE = 10.0  # seconds in which a worker that has nothing to do must have ended
_LONGEST = 80  # of an address or a reason, quoted


class Workers(Protocol):
    """Workers that take chunks through the interface of `concurrent.futures`.

    count : how many chunks are carried out at a time
    queued : how many are best handed over at a time
    """

    @property
    def count(self) -> int: ...
    @property
    def queued(self) -> int: ...
    def submit(self, function: Callable[..., Any], /, *args: Any) -> Future[Any]: ...
    def stop(self) -> None: ...
    def close(self) -> None: ...


class WorkerDied(Exception):
    """Raised for a chunk whose worker ended in the middle of it."""


class LocalWorkers:
    """Processes of this computer, each with a thread here that hands it chunks.

    A process that dies takes its own chunk with it (the future raises WorkerDied) and no other's;
    another takes its place at the next chunk. An executor of the library waits for ever for one
    that was killed while it sent its results: it keeps that end of the pipe open itself.
    """

    def __init__(self, count: int) -> None:
        self.count = self.queued = count
        self._flag = stop_flag()
        # Two threads in each of two workers on two cores take many times as long as one.
        os.environ.setdefault("OMP_NUM_THREADS", "1")
        self._threads = ThreadPoolExecutor(count, "worker")
        self._idle: SimpleQueue[_Worker] = SimpleQueue()
        for _worker in range(count):
            self._idle.put(_Worker(self._flag))

    def submit(self, function: Callable[..., Any], /, *args: Any) -> Future[Any]:
        """Hand a chunk to an idle worker, as soon as there is one."""
        return self._threads.submit(self._carry_out, function, args)

    def stop(self) -> None:
        """End every chunk after the epoch in progress."""
        self._flag.value = 1

    def close(self) -> None:
        """End all processes."""
        self.stop()
        self._threads.shutdown()
        for _worker in range(self.count):
            self._idle.get().close()

    def _carry_out(self, function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        worker = self._idle.get()
        try:
            return worker.carry_out(function, args)
        finally:
            self._idle.put(worker)


class _Worker:
    """A process that carries out one chunk after the other, started at the first.

    Parameters
    ----------
    flag
        Shared with it; 1 ends its chunk.
    """

    def __init__(self, flag: Any) -> None:
        self._flag = flag
        self._process: WarmProcess | None = None

    def carry_out(self, function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        """Return what a function returns there.

        Raises what it raises, WorkerDied, and OSError where no process can be started.
        """
        if self._process is not None:
            try:
                self._process.pipe.send((function, args))
            except OSError:  # it died while it was idle
                self.close()
        fresh = self._process is None
        if self._process is None:
            self._process = WarmProcess(partial(serve, self._flag), "worker")
        try:
            if fresh:
                self._process.pipe.send((function, args))
            result, error = self._process.pipe.recv()
        except (EOFError, OSError):
            self.close()
            raise WorkerDied from None
        if error is not None:
            raise error
        return result

    def close(self) -> None:
        """End the process, which waits for a chunk or is dead."""
        if self._process is not None:
            self._process.end(_PATIENCE)
            self._process = None


class DaskWorkers:
    """The workers of a Dask cluster.

    How often a chunk may kill its worker is the scheduler's `allowed-failures`.

    Parameters
    ----------
    address : str
        Of the scheduler, such as tcp://host:8786.

    Raises Problem where the scheduler cannot be reached in 5 s, has no workers, or where a worker
    has other versions, which are named.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        start = time.monotonic()
        self._try_address()
        try:
            import distributed
        except ImportError:
            raise Problem(
                N_("A cluster needs one more package: {command}."),
                command='pip install "attention-explorer[cluster]"',
            ) from None
        # One that was never connected would wait for its end when it is freed, and complain.
        made: Any = type("Client", (distributed.Client,), {"__del__": lambda _client: None})
        left = max(REACHED_WITHIN - (time.monotonic() - start), 1.0)
        opened: Future[Any] = Future()

        def connect() -> None:
            try:
                opened.set_result(made(address, timeout=left, set_as_default=False))
            except BaseException as error:
                opened.set_exception(error)

        # In a thread: the library waits for ever for one that listens and says nothing.
        threading.Thread(target=connect, daemon=True).start()
        try:
            self._client = opened.result(left)
        except (OSError, ValueError, MemoryError, FutureTimeout) as error:
            # What answers and is no scheduler names lengths that no memory has.
            raise self._unreachable(error) from None
        try:
            self._check()
            self._executor: Executor = self._client.get_executor(pure=False)
        except BaseException:
            self._client.close()
            raise

    def _try_address(self) -> None:
        """Try the address before the library, which takes a second to import and then retries."""
        try:
            parts = urlsplit(self.address)
            host, port = parts.hostname, parts.port
            if parts.scheme in ("tcp", "tls") and host is not None and port is not None:
                socket.create_connection((host, port), REACHED_WITHIN - 1).close()
        except (OSError, ValueError) as error:
            raise self._unreachable(error) from None

    def _unreachable(self, error: Exception) -> Problem:
        reason: object = str(error).rstrip(".")
        if isinstance(error, MemoryError):
            reason = _("it is not a scheduler")
        elif isinstance(error, OSError):
            reason = why_refused(error)
        return Problem(
            N_("The scheduler {address} does not answer: {reason}."),
            address=displayable(self.address, _LONGEST),
            reason=displayable(str(reason) or _("no answer in time"), _LONGEST),
        )

    def _check(self) -> None:
        ours = versions()
        workers = self._client.scheduler_info(n_workers=-1)["workers"]
        if not workers:
            raise Problem(
                N_("The scheduler {address} has no workers: start some."), address=self.address
            )
        for worker, theirs in self._client.run(versions, on_error="return").items():
            for name, expected in ours.items():
                found = theirs.get(name) if isinstance(theirs, dict) else None
                if found != expected:
                    raise Problem(
                        N_("The worker {worker} has {name} {found}, but here it is {expected}."),
                        worker=worker,
                        name=name,
                        found=found or "–",
                        expected=expected,
                    )

    @property
    def count(self) -> int:
        """How many chunks are carried out at a time, as things stand."""
        workers = self._client.scheduler_info(n_workers=-1)["workers"]
        return max(1, sum(worker["nthreads"] for worker in workers.values()))

    @property
    def queued(self) -> int:
        """Twice as many: a worker that is done finds its next chunk there."""
        return 2 * self.count

    def submit(self, function: Callable[..., Any], /, *args: Any) -> Future[Any]:
        """Hand a chunk to the scheduler."""
        return self._executor.submit(function, *args)

    def stop(self) -> None:
        """Do nothing: what is in progress is waited for."""

    def close(self) -> None:
        """Leave the cluster as it is."""
        with suppress(Exception):  # the scheduler may be gone
            self._executor.shutdown(wait=False)
        with suppress(Exception):
            self._client.close()
