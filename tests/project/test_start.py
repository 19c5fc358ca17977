"""The window comes up without waiting for what its first picture does not need."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SHOW = """
import gc, json, sys

read, collected = [], []
sys.addaudithook(lambda name, about: name == "open" and read.append(str(about[0])))

from explorer.app.main import application, open_window
from explorer.session import Space

app = application()
objects = lambda phase, about: phase == "start" and collected.append(len(gc.get_objects()))
gc.callbacks.append(objects)
window = open_window()
gc.callbacks.remove(objects)
app.processEvents()
window.explore_page.plane.screen_point(Space.Q, 0)  # fails where nothing is drawn yet
print(json.dumps({"loaded": list(sys.modules), "read": read, "collected": collected}))
"""

# What Explore never needs (the first two rows), or not before somebody asks for it.
LATER = {
    *("torch", "sklearn", "scipy", "matplotlib", "pandas", "joblib"),
    *("PIL", "OpenGL", "pytest"),
    *("pyqtgraph", "safetensors", "ziamath", "rich", "tqdm", "typer", "multiprocessing"),
    *("concurrent.futures", "secrets", "hashlib", "fractions", "orjson", "tokenizers"),
    *(
        "explorer.training",
        "explorer.traces",
        "explorer.models",
        "explorer.notebook",
        "explorer.cli",
        "explorer.importers.arrays",
        "explorer.lessons",
        "explorer.worksheets",
        "explorer.share",
        "explorer.app.train",
        "explorer.app.lessons",
        "explorer.app.glossary",
    ),
}


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What happened until the first picture stood there."""
    home = str(tmp_path_factory.mktemp("home"))
    homes = ("HOME", "USERPROFILE", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", SHOW],
        env=os.environ | dict.fromkeys(homes, home) | {"QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def test_nothing_is_loaded_before_the_first_picture_that_it_does_not_need(start) -> None:
    loaded = set(start["loaded"])
    assert "explorer.rooms.explore.plane.view" in loaded
    assert loaded & LATER == set()


def test_qt_comes_after_what_needs_none(start) -> None:
    """PySide reads the source of each module that is imported after it."""
    order = start["loaded"]
    before = {"numpy", "msgspec", "explorer.attention", "explorer.session", "explorer.text"}
    assert all(order.index(name) < order.index("PySide6") for name in before)


def test_garbage_is_not_looked_for_while_the_window_is_made(start) -> None:
    assert len(start["collected"]) <= 1
    # All that was there before is left out: some 60 000 objects.
    assert sum(start["collected"]) < 10_000


def test_no_file_is_read_before_the_first_picture_that_it_does_not_need(start) -> None:
    """No catalogue of a language that is not spoken, no lesson, no example but the first."""
    read = {Path(name) for name in start["read"]}
    scenes = {path.name for path in read if path.suffix == ".json" and "examples" in path.parts}
    assert scenes == {"cat-likes-fish.json"}
    assert not [path for path in read if path.suffix == ".mo" and path.name == "explorer.mo"]
    assert not [path for path in read if path.suffix == ".toml" and path.parent.name == "lessons"]
