"""The models that other tools have left on this computer."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from explorer.models.families import FAMILIES
from explorer.models.folders import INDEX, WEIGHTS, listed, read_config, snapshot_of
from explorer.text import Problem


@dataclass(frozen=True)
class Found:
    """A model in the standard cache.

    name : "owner/name", as it was downloaded by; untrusted plain text
    folder : its current snapshot
    """

    name: str
    folder: Path


def cache_folders() -> list[Path]:
    """Return the folders in which Hugging Face tools keep what they download, by their own rules.

    https://huggingface.co/docs/huggingface_hub/guides/manage-cache
    """
    environment = os.environ.get
    if hub := environment("HF_HUB_CACHE") or environment("HUGGINGFACE_HUB_CACHE"):
        return [Path(hub).expanduser()]
    home = environment("HF_HOME")
    if home is None:
        cache = environment("XDG_CACHE_HOME") or "~/.cache"
        home = os.path.join(cache, "huggingface")
    try:
        return [Path(home).expanduser() / "hub"]
    except RuntimeError:  # nobody's home folder is known
        return []


def found_models() -> list[Found]:
    """Return the models of known families in the caches, by name; what cannot be read is left out.

    Only names of files and `config.json` are looked at.
    """
    made: dict[str, Found] = {}
    for cache in cache_folders():
        for folder in listed(cache):
            _kind, _, name = folder.name.partition("--")
            if not folder.name.startswith("models--") or not name:
                continue
            snapshot = snapshot_of(folder)
            if snapshot != folder and _opens(snapshot):
                name = name.replace("--", "/", 1)
                made.setdefault(name, Found(name, snapshot))
    return [made[name] for name in sorted(made, key=str.casefold)]


def _opens(snapshot: Path) -> bool:
    """Return whether a folder looks like a model that can be opened."""
    try:
        kind = read_config(snapshot).fields.get("model_type")
        weights = any((snapshot / name).is_file() for name in (WEIGHTS, INDEX))
    except (OSError, ValueError, Problem):
        return False
    return isinstance(kind, str) and kind in FAMILIES and weights
