"""A window on a file that was written for it alone: `python -m explorer.app.temporary FILE`."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

from explorer.app.main import run


def main(path: Path) -> int:
    """Open a window on a file, remove the file and its folder at its end; return the status."""
    try:
        return run(path)
    finally:
        with suppress(OSError):
            path.unlink()
            path.parent.rmdir()


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
