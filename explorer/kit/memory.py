"""Memory that a long session no longer needs goes back to the system.

On Linux, Qt opens a font's file once for all sizes. But as soon as one font is used no longer, Qt
opens every other anew for what is laid out next (`QFreetypeFace::release` of Qt 6.10): the file is
mapped and its index read once more, up to 8 MiB for Chinese, and stays as long as any text that was
laid out with it. Names in several scripts and texts in several sizes took hundreds of MiB so.
"""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QFont

from explorer.kit.drawing_cache import forget_texts

EVERY = 3_000  # ms
MOST_GROWN = 32 * 2**20  # bytes
_STATM = Path("/proc/self/statm")


def resident() -> int:
    """Return the memory in use, in bytes; 0 on systems that do not say it in a file."""
    return int(_STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") if _STATM.exists() else 0


def give_back_memory(parent: QObject) -> None:
    """From now on, free memory whenever much more is in use than the last time."""
    if parent.findChild(_Watch) is None:
        _Watch(parent).start()


def close_fonts() -> None:
    """Close all fonts, which Qt opens again where it draws, and return free memory to the system.

    Widgets, painters and texts may live on: whatever is being used is closed later.
    """
    forget_texts()
    QFont.cleanup()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if os.name == "posix" else None
    if trim is not None:  # glibc keeps what is freed between blocks in use
        trim(0)


class _Watch(QObject):
    """Looks how much memory is in use, now and then."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._least = resident()
        self._timer = QTimer(self)
        self._timer.setInterval(EVERY)
        self._timer.timeout.connect(self.look)

    def start(self) -> None:
        self._timer.start()

    def look(self) -> None:
        """Free what can be freed, where much more is in use; it takes some 25 ms."""
        used = resident()
        if used - self._least > MOST_GROWN:
            close_fonts()
            self._least = used = resident()
        self._least = min(self._least, used)
