"""Where training can run."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Device:
    """A place to train.

    kind : "cpu", "cuda" or "mps", as in `Config.device`
    name : what the maker calls it
    """

    kind: str
    name: str


CPU = Device("cpu", "CPU")
