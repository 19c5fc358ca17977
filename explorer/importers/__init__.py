"""What can be opened: one table, from which dialogs, commands and drops know every format."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from explorer.text import N_


class Kind(Enum):
    """What a source holds, and so in which room it is opened."""

    SCENE = auto()
    TRACE = auto()
    LESSON = auto()
    MODEL = auto()


@dataclass(frozen=True)
class Importer:
    """A format that can be opened.

    Parameters
    ----------
    name : str
        Of several such files, untranslated, for the file dialog.
    kind : Kind
    suffixes : tuple of str
        What the file dialog lists; none where the source is a folder.
    sniff, read : str
        "module:function", imported when first needed. `sniff` takes a path and tells, with a cheap
        look at its content, whether it is of this format. `read` takes a path and returns a Scene,
        a Trace, a Lesson, a Model or an ArrayRun; it raises Problem.
    own : bool
        Whether Save writes this format. What comes from another one is tied to no file.
    """

    name: str
    kind: Kind
    suffixes: tuple[str, ...]
    sniff: str
    read: str
    own: bool = False

    def sniffs(self, path: Path) -> bool:
        """Return whether a file or folder is of this format."""
        found: Callable[[Path], bool] = resolve_name(self.sniff)
        return found(path)

    def load(self, path: Path) -> Any:
        """Return the Scene, the Trace, the Lesson, the Model or the ArrayRun. Raises Problem."""
        return resolve_name(self.read)(path)


_SNIFFS = "explorer.importers.sniffs"
SCENES = Importer(
    N_("Scenes"),
    Kind.SCENE,
    (".json",),
    f"{_SNIFFS}:anything",
    "explorer.session.scene_file:read_scene",
    own=True,
)

# The first that knows a source reads it. What none knows is read as a scene, which says why not.
IMPORTERS: tuple[Importer, ...] = (
    Importer(
        N_("Models"),
        Kind.MODEL,
        (),
        "explorer.importers.models:is_model",
        "explorer.models:load",
    ),
    Importer(
        N_("Attention arrays"),
        Kind.MODEL,
        (".npz", ".safetensors"),
        "explorer.importers.models:is_attention",
        "explorer.models:read_arrays",
    ),
    Importer(
        N_("Runs"),
        Kind.TRACE,
        (".safetensors",),
        f"{_SNIFFS}:is_trace",
        "explorer.traces:TraceFile",
        own=True,
    ),
    Importer(
        N_("Lessons"),
        Kind.LESSON,
        (".toml",),
        f"{_SNIFFS}:is_lesson",
        "explorer.lessons.read:read_lesson",
        own=True,
    ),
    Importer(
        N_("NumPy arrays"),
        Kind.SCENE,
        (".npz", ".npy"),
        "explorer.importers.arrays:is_arrays",
        "explorer.importers.arrays:read_arrays",
    ),
    Importer(
        N_("Spreadsheets"),
        Kind.SCENE,
        (".xlsx", ".csv", ".tsv"),
        "explorer.importers.spreadsheet:is_spreadsheet",
        "explorer.importers.spreadsheet:read_spreadsheet",
    ),
    Importer(
        N_("Runs that are not saved"),
        Kind.TRACE,
        (),
        f"{_SNIFFS}:is_run_folder",
        "explorer.traces:SpoolTrace",
    ),
    SCENES,
)


def importer_of(path: Path) -> Importer:
    """Return how a file or folder is read, by its content."""
    return next((each for each in IMPORTERS if each.sniffs(path)), SCENES)
