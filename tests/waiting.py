"""Waiting for what another thread or process does."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
PATIENCE = 240.0  # seconds: on a busy machine the import of torch takes a minute


def until(found: Callable[[], T | None], seconds: float = PATIENCE) -> T:
    """Return what is found as soon as it is true; fail where it does not come."""
    deadline = time.monotonic() + seconds
    while not (answer := found()):
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.005)  # what is waited for needs the processor
    return answer
