"""The files that commands are given, and what is said of a folder in their place."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from explorer.importers import SCENES, Importer, Kind, importer_of
from explorer.text import N_, Problem

if TYPE_CHECKING:
    from explorer.session import Scene

NO_SCENE = N_("{file} is a folder: name a scene file.")
NO_FILE = N_("{file} is a folder, but not a model's: name a file or a model's folder.")


def no_folder(path: Path, what: str) -> Path:
    """Return the path of a file; raise Problem, with the template `what`, where it is a folder."""
    if path.is_dir():
        raise Problem(what, file=path.name or str(path))
    return path


def importer_for(path: Path, what: str) -> Importer:
    """Return how a file is read, or a folder that can be; else as `no_folder`."""
    importer = importer_of(path)
    if not importer.suffixes:
        return importer
    no_folder(path, what)
    return importer


def scene_of(path: Path, importer: Importer) -> Scene:
    """Return a file's scene. Raises Problem, where it holds something else too."""
    scene: Scene = (importer if importer.kind is Kind.SCENE else SCENES).load(path)
    return scene
