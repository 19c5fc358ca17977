"""Guards against Qt bindings that lose references to None and True, and abort while painting."""

from __future__ import annotations

import sys

from PySide6.QtCore import QObject, Signal

# From Python 3.12 on, None and True start with more references than anything can lose, and live on.
IMMORTAL = 2**31


class Sender(QObject):
    sent = Signal(object)


def test_emitting_keeps_the_references_to_none_and_true() -> None:
    sender = Sender()
    received: list[object] = []
    sender.sent.connect(received.append)
    before = [sys.getrefcount(None), sys.getrefcount(True)]
    for _ in range(100):
        sender.sent.emit(True)
    received.clear()
    after = [sys.getrefcount(None), sys.getrefcount(True)]
    # The defect loses one reference an emit; a handful more or less is the interpreter's own.
    for count, was in zip(after, before, strict=True):
        assert count > IMMORTAL or count > was - 50
