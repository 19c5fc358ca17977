"""Event filters that outlive what goes wrong in them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from PySide6.QtCore import QEvent, QObject

Q = TypeVar("Q", bound=QObject)


def guarded_filter(
    handle: Callable[[Q, QObject, QEvent], bool],
) -> Callable[[Q, QObject, QEvent], bool]:
    """Return an event filter that reports an exception as Python does, and lets the event pass.

    One that left the filter would end the program, and with it whatever is not saved.
    """

    @wraps(handle)
    def filtered(self: Q, watched: QObject, event: QEvent) -> bool:
        try:
            return handle(self, watched, event)
        except Exception:
            sys.excepthook(*sys.exc_info())
            return False

    return filtered
