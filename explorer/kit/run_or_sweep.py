"""The choice between the two pages of Train: one run, or a sweep of many."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from explorer.kit.segments import Segment, Segments
from explorer.kit.theme import Theme
from explorer.text import _


def run_or_sweep(shown: str, theme: Theme, parent: QWidget | None = None) -> Segments:
    """Return the choice; `shown` is the page that it stands on, "run" or "sweep"."""
    choice = Segments(
        [
            Segment("run", _("Run"), tooltip=_("One run, epoch by epoch")),
            Segment("sweep", _("Sweep"), tooltip=_("Many runs: what is usual, not what was lucky")),
        ],
        _("Run or sweep"),
        theme,
        exclusive=True,
        pad=14,
        parent=parent,
    )
    choice.show_checked({shown})
    return choice
