"""Model folders: which files they have, where links may lead, and the standard cache's layout."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from explorer.models.config import Config
from explorer.text import N_, Problem, displayable
from explorer.traces.files import open_file

CONFIG = "config.json"
WEIGHTS = "model.safetensors"
INDEX = "model.safetensors.index.json"
LARGEST_CONFIG = 2**20  # bytes


def read_config(folder: Path) -> Config:
    """Return the configuration of a model folder. Raises Problem."""
    fields = read_json(folder, CONFIG, LARGEST_CONFIG)
    if not isinstance(fields, dict):
        raise Problem(
            N_("{file} is not a group of fields: take it from the model's source."), file=CONFIG
        )
    return Config(fields)


def inside(folder: Path, name: str) -> Path:
    """Return a file of a model folder, whatever it links to within the folder or its own cache.

    Raises Problem for a name or link that leads elsewhere. The standard cache keeps the files in
    `models--owner--name/blobs`, and links to them in `snapshots/<hash>`.
    """
    if Path(name).name != name or name in ("", ".", ".."):
        raise Problem(
            N_("{index} names {file}, which is not a file of the folder: take it from its source."),
            index=INDEX,
            file=displayable(name, 64),
        )
    path = folder / name
    try:
        real, home = path.resolve(), folder.resolve()
    except (OSError, RuntimeError, ValueError):
        return path  # opening it says why
    allowed = [home]
    if home.parent.name == "snapshots":
        allowed.append(home.parent.parent / "blobs")
    if not any(real.is_relative_to(each) for each in allowed):
        raise Problem(
            N_("{file} is a link to another folder: copy the file itself into the model's folder."),
            file=displayable(name, 64),
        )
    return path


def model_name(folder: Path) -> str:
    """Return what a model is called: its folder, or its name in the standard cache, where the
    folder itself is called by a hash."""
    cached = folder.parent.parent if folder.parent.name == "snapshots" else folder
    if cached.name.startswith("models--"):
        return displayable(cached.name.rpartition("--")[2])
    return displayable(folder.name or str(folder))


def read_small(folder: Path, name: str, most: int) -> bytes:
    """Return a whole file of a model folder, of at most so many bytes. Raises Problem."""
    with open_file(inside(folder, name)) as file:
        if file.size > most:
            raise Problem(
                N_("{file} has {found} bytes, but at most {most} are possible."),
                file=name,
                found=file.size,
                most=most,
            )
        return file.read(0, file.size)


def read_json(folder: Path, name: str, most: int) -> Any:
    """Return what a JSON file of a model folder holds. Raises Problem."""
    try:
        return msgspec.json.decode(read_small(folder, name, most))
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise Problem(
            N_("{file} is not JSON ({reason}): take it from the model's source."),
            file=name,
            reason=displayable(str(error), 120),
        ) from None


def snapshot_of(folder: Path) -> Path:
    """Return the current snapshot of a model in the cache; any other folder as it is."""
    snapshots = folder / "snapshots"
    try:
        if not snapshots.is_dir():
            return folder
        reference = folder / "refs" / "main"
        if reference.is_file() and reference.stat().st_size < 256:
            named = snapshots / reference.read_text("ascii").strip()
            if named.parent == snapshots and named.is_dir():
                return named
    except (OSError, ValueError):
        return folder
    return max(listed(snapshots), key=_age, default=folder)


def listed(folder: Path) -> Iterator[Path]:
    """Yield the folders in a folder, by name; none where it cannot be read."""
    try:
        yield from sorted(each for each in folder.iterdir() if each.is_dir())
    except (OSError, ValueError):
        return


def _age(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
