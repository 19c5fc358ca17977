"""Who carries out the chunks: processes of this computer, or the workers of a Dask cluster."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeout
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import get_context
from queue import SimpleQueue
from typing import Any, Protocol
from urllib.parse import urlsplit

from explorer.sweeps.work import begin, stop_flag, versions
from explorer.text import N_, Problem, _, displayable, why_refused

REACHED_WITHIN = 5.0  # seconds in which a scheduler must answer
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


class LocalWorkers:
    """One executor of a single process for each worker.

    A process that dies takes its own chunk with it (the future raises BrokenProcessPool) and no
    other's, so that the chunk is known; another takes its place at the next chunk.
    """

    def __init__(self, count: int) -> None:
        self.count = self.queued = count
        self._flag = stop_flag()
        # A queue: who waits for a chunk can hear of its end before the worker is given back.
        self._idle: SimpleQueue[ProcessPoolExecutor] = SimpleQueue()
        for _worker in range(count):
            self._idle.put(self._process())

    def submit(self, function: Callable[..., Any], /, *args: Any) -> Future[Any]:
        """Hand a chunk to an idle worker, as soon as there is one."""
        pool = self._idle.get()
        try:
            future = pool.submit(function, *args)
        except BrokenProcessPool:  # it died while it was idle
            pool.shutdown(wait=False)
            pool = self._process()
            future = pool.submit(function, *args)
        future.add_done_callback(lambda done: self._take_back(pool, done))
        return future

    def stop(self) -> None:
        """End every chunk after the epoch in progress."""
        self._flag.value = 1

    def close(self) -> None:
        """End all processes."""
        self.stop()
        for _worker in range(self.count):
            self._idle.get().shutdown()

    def _take_back(self, pool: ProcessPoolExecutor, done: Future[Any]) -> None:
        if isinstance(done.exception(), BrokenProcessPool):
            pool.shutdown(wait=False)
            pool = self._process()
        self._idle.put(pool)

    def _process(self) -> ProcessPoolExecutor:
        # Two threads in each of two workers on two cores take many times as long as one.
        os.environ.setdefault("OMP_NUM_THREADS", "1")
        return ProcessPoolExecutor(1, get_context("spawn"), begin, (self._flag,))


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
