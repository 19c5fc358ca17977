"""When Python may look for garbage: never while Qt walks widgets, nor in another thread.

A widget that only a reference cycle holds is deleted by whatever allocation sets Python's cyclic
garbage collector off. Qt collects bare pointers to widgets (to polish all of them, for instance)
and sends each an event that may be handled in Python: a collection there leaves Qt with pointers to
freed memory. A collection that a worker thread's allocation sets off deletes widgets in that
thread. Both end the process, at once or later.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QAbstractEventDispatcher, QObject

_walking = False


@contextmanager
def no_collection() -> Iterator[None]:
    """Keep the collector off while Qt walks widgets: setStyle, setStyleSheet, setFont, …

    What is garbage already is collected before, so that nothing of it is walked; once, where
    several such walks are one change.
    """
    global _walking
    if _walking:
        yield
        return
    gc.collect()
    was_on, _walking = gc.isenabled(), True
    gc.disable()
    try:
        yield
    finally:
        _walking = False
        if was_on:
            gc.enable()


def collect_between_events(parent: QObject) -> None:
    """From now on, collect only in this thread and only between two events.

    How often is up to Python's own counts and thresholds. It needs an event loop that runs.
    """
    gc.disable()
    if parent.findChild(_Collector) is not None:
        return
    dispatcher = QAbstractEventDispatcher.instance()
    collector = _Collector(parent)
    # Either is told before the next events, with and without waiting for them.
    dispatcher.aboutToBlock.connect(collector.collect)
    dispatcher.awake.connect(collector.collect)


class _Collector(QObject):
    """Does what the automatic collector would do, when told."""

    def collect(self) -> None:
        """Collect the oldest generation that is due, if any."""
        due = [
            generation
            for generation, (count, most) in enumerate(
                zip(gc.get_count(), gc.get_threshold(), strict=True)
            )
            if count > most > 0
        ]
        if due and due[0] == 0:
            gc.collect(due[-1])
