"""Runs the program: `python -m explorer` is the command `attention-explorer`."""

import multiprocessing
import sys

from explorer.cli import main

if __name__ == "__main__":
    multiprocessing.freeze_support()
    sys.exit(main())
