"""How much memory this process holds."""

from __future__ import annotations

import os
from pathlib import Path


def resident() -> int:
    """Return the memory in use, in bytes; 0 on systems that do not say it in a file."""
    told = Path("/proc/self/statm")
    return int(told.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") if told.exists() else 0
