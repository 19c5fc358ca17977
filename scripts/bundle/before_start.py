"""Runs in the bundle before the program: finds fonts and what a bare system lacks."""

import ctypes
import os
import sys
from pathlib import Path

_BUNDLE = Path(sys._MEIPASS)

os.environ.setdefault("FONTCONFIG_FILE", str(_BUNDLE / "fonts" / "fonts.conf"))
# In an order in which each finds what it needs.
for _name in ("libxcb", "libGLdispatch", "libGLX", "libOpenGL", "libEGL", "libGL"):
    for _path in (_BUNDLE / "fallback").glob(f"{_name}.so.*"):
        try:
            ctypes.CDLL(_path.name, ctypes.RTLD_GLOBAL)
        except OSError:
            ctypes.CDLL(str(_path), ctypes.RTLD_GLOBAL)
