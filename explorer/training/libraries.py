"""Where training can run, and the large libraries it needs, which a program may come without."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Literal

from explorer.text import N_, Message

# What people call it, and what pip does.
_NAMES = {"torch": ("PyTorch", "torch"), "sklearn": ("scikit-learn", "scikit-learn")}
NOT_INSTALLED = N_(
    "This needs {library}, which is not installed here: pip install {package} installs it."
)
NOT_IN_BUNDLE = N_(
    "This is the smaller download, without {library}: the one “with training” has it."
)


@dataclass(frozen=True)
class Device:
    """A place to train.

    kind : "cpu", "cuda" or "mps", as in `Config.device`
    name : what the maker calls it
    """

    kind: str
    name: str


CPU = Device("cpu", "CPU")


def missing(module: Literal["torch", "sklearn"]) -> Message | None:
    """Return the sentence that a library is not installed, and what brings it; None where it is."""
    try:
        if find_spec(module) is not None:
            return None
    except ImportError:
        pass
    library, package = _NAMES[module]
    if getattr(sys, "frozen", False):
        return Message(NOT_IN_BUNDLE, {"library": library})
    return Message(NOT_INSTALLED, {"library": library, "package": package})
