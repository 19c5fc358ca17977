"""The command that only computes loads no window library and no machine-learning library."""

from __future__ import annotations

import json
import subprocess
import sys

from explorer.resources import example

COMPUTE = """
import sys
from explorer.cli import main
try:
    main()
except SystemExit as exit:
    assert not exit.code, exit.code
print(*sorted({name.partition(".")[0] for name in sys.modules}), file=sys.stderr)
"""


def test_compute_loads_neither_qt_nor_a_learning_library() -> None:
    done = subprocess.run(
        [sys.executable, "-c", COMPUTE, "compute", str(example("cat-likes-fish.json")), "--json"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout)["tokens"] == ["cat", "likes", "fish", "cloud"]
    loaded = set(done.stderr.split())
    assert "numpy" in loaded
    heavy = {"PySide6", "pyqtgraph", "torch", "sklearn", "scipy", "matplotlib", "pandas"}
    assert loaded & heavy == set()
