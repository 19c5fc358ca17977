"""The command `attention-explorer`: the window, and the same powers without one."""

import os

# NumPy's second thread waits in a loop for the first: on a busy computer what takes the window
# 5 ms took it seconds. Read when NumPy is first imported; PyTorch has threads of its own.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from explorer.cli.main import main

__all__ = ["main"]
