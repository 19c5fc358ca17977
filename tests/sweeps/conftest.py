"""What the tests of sweeps share: workers that are threads of the test's own process."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest

from explorer.sweeps.executors import WorkerDied
from explorer.sweeps.plan import Plan, made_plan
from explorer.traces import DEFAULT_CORPUS, Config, parse_corpus


class Threads:
    """Workers as `conduct` wants them; `deadly` are configurations that end their worker."""

    count = queued = 1

    def __init__(self, deadly: Callable[[Config], bool] = lambda config: False) -> None:
        self._deadly = deadly
        self._pool = ThreadPoolExecutor(1)
        self.trained: list[Config] = []
        self.deaths = 0

    def submit(self, function: Callable[..., Any], /, *args: Any) -> Future[Any]:
        configs = args[0]
        if any(map(self._deadly, configs)):
            self.deaths += 1
            future: Future[Any] = Future()
            future.set_exception(WorkerDied())
            return future
        self.trained += configs
        return self._pool.submit(function, *args)

    def stop(self) -> None: ...

    def close(self) -> None:
        self._pool.shutdown()


@pytest.fixture
def threads() -> type[Threads]:
    return Threads


@pytest.fixture
def small() -> Plan:
    """Twelve short runs in four parts."""
    return made_plan(
        Config(epochs=8, d_model=8, device="cpu", watch_every=1000),
        {"learning_rate": (0.01, 0.002), "heads": (1, 2)},
        (4, 5, 9),
        parse_corpus(DEFAULT_CORPUS),
    )
