"""What model folders and files of attention arrays are known by."""

from __future__ import annotations

import zipfile
from pathlib import Path

from explorer.importers.sniffs import begin_of
from explorer.models.arrays import known
from explorer.models.folders import CONFIG
from explorer.models.model import is_model_folder
from explorer.text import Problem
from explorer.traces.container import read_contents
from explorer.traces.files import open_file
from explorer.traces.spec import FORMAT


def folder_of(path: Path) -> Path:
    """Return the model folder that a file lies in; any other path as it is."""
    in_folder = path.name == CONFIG or path.suffix == ".safetensors"
    if in_folder and not _is_arrays(path) and (path.parent / CONFIG).is_file():
        return path.parent
    return path


def is_model(path: Path) -> bool:
    """Return whether a path is a model's folder, or a file of one."""
    return is_model_folder(folder_of(path))


def is_attention(path: Path) -> bool:
    """Return whether a file holds attention arrays by their names, and is no scene or run."""
    return _is_arrays(path) or _is_npz(path)


def _is_arrays(path: Path) -> bool:
    if begin_of(path, 9)[7:] != b"\0{":
        return False
    try:
        with open_file(path) as file:
            contents = read_contents(file.read, file.size)
    except (OSError, Problem):
        return False
    if contents.metadata.get("format") == FORMAT:
        return False
    return any(map(known, contents.entries))


def _is_npz(path: Path) -> bool:
    if begin_of(path, 4) != b"PK\x03\x04" or path.suffix.lower() != ".npz":
        return False
    try:
        with zipfile.ZipFile(path) as file:
            names = {name.removesuffix(".npy") for name in file.namelist()}
    except (zipfile.BadZipFile, OSError, NotImplementedError, ValueError):
        return False
    return "X" not in names and any(map(known, names))
