"""Attention Explorer: see one attention computation completely, and change any number of it.

For scripts and notebooks: `explorer.models.load`, `explorer.capture`, `explorer.record`,
`explorer.page` and `explorer.view`, loaded when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from explorer import models
    from explorer.notebook.capture import capture
    from explorer.notebook.page import page
    from explorer.notebook.record import record
    from explorer.notebook.view import view

__version__ = "0.1.0"
__all__ = ["__version__", "capture", "models", "page", "record", "view"]


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name == "models":
        return import_module("explorer.models")
    if name in ("capture", "page", "record", "view"):
        return getattr(import_module(f"explorer.notebook.{name}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
