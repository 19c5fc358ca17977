"""Amounts as they are told: bytes and times."""

from __future__ import annotations

from explorer.text.messages import _


def size_text(size: float) -> str:
    """Return a number of bytes in kB, MB or GB."""
    for unit in (_("kB"), _("MB"), _("GB")):
        size /= 1000
        if size < 999.5 or unit == _("GB"):
            break
    return f"{size:.1f} {unit}" if size < 9.95 else f"{size:.0f} {unit}"


def time_text(seconds: float) -> str:
    """Return a time in seconds, minutes or hours."""
    if seconds < 90:
        return _("{count} s").format(count=max(1, round(seconds)))
    if seconds < 5400:
        return _("{count} min").format(count=round(seconds / 60))
    return _("{count} h").format(count=f"{seconds / 3600:.1f}")
