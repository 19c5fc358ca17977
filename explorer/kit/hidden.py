"""What stands in place of numbers that are to be predicted or filled in first."""

from __future__ import annotations

from explorer.session import Look
from explorer.text import N_, Message


def why_hidden(look: Look) -> Message:
    """Return why numbers are hidden, of a look that hides some."""
    if look.veiled or look.blank is None:
        return Message(N_("Hidden until you have answered"))
    return Message(
        N_("Hidden while {table} is filled in by hand"), {"table": look.blank.table.value}
    )
