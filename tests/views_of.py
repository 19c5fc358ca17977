"""Which views a room has."""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType
from typing import Any


def views_of(room: ModuleType, base: type[Any]) -> set[type[Any]]:
    """Return the classes of a room that are views of a kind, imported or not until now."""
    for module in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    return {view for view in base.__subclasses__() if view.__module__.startswith(room.__name__)}
