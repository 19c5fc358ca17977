"""The window comes up without waiting for what its first picture does not need."""

from __future__ import annotations

import os
import subprocess
import sys

SHOW = """
import sys
from explorer.app.main import application, make_window
from explorer.session import Space

app = application()
window = make_window()
window.show()
app.processEvents()
window.explore_page.plane.screen_point(Space.X, 0)  # fails where nothing is drawn yet
print(*sys.modules)
"""

# What Explore never needs (the first two rows), or not before somebody asks for it.
LATER = {
    *("torch", "sklearn", "scipy", "matplotlib", "pandas", "joblib"),
    *("PIL", "OpenGL", "pytest"),
    *("pyqtgraph", "safetensors", "ziamath", "rich", "tqdm", "typer", "multiprocessing"),
    *(
        "explorer.training",
        "explorer.traces",
        "explorer.models",
        "explorer.notebook",
        "explorer.cli",
        "explorer.importers.arrays",
    ),
}


def test_nothing_is_loaded_before_the_first_picture_that_it_does_not_need() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", SHOW],
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(done.stdout.split())

    assert "explorer.rooms.explore.plane.view" in loaded
    assert loaded & LATER == set()
