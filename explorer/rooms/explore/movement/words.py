"""What a W does to the plane, said in words and numbers."""

from __future__ import annotations

from explorer.attention.transforms import FLAT, Effect, Turns, area, singular_values, turns
from explorer.session import Array
from explorer.text import _, display_number, ngettext

_ROUNDING = 1e-12  # what is shorter than this part of the longest is nothing


def turns_text(W: Array) -> str:
    """Return the singular value decomposition of W, (2, 2): a turn, two stretches, a turn."""
    parts: Turns = turns(W)
    across = 0.0 if abs(parts.across) <= _ROUNDING * parts.along else parts.across
    return _("turn {first}°, stretch {along} and {across}, turn {second}°").format(
        first=display_number(parts.first, 1),
        along=display_number(parts.along, 2),
        across=display_number(across, 2),
        second=display_number(parts.second, 1),
    )


def area_text(W: Array) -> str:
    """Return the determinant of W, (2, 2): what becomes of areas."""
    found = area(W)
    if found.effect is not Effect.FLATTENED:
        factor = display_number(abs(found.factor), 2)
        if found.effect is Effect.FLIPPED:
            return _("areas × {factor}, flipped").format(factor=factor)
        return _("areas × {factor}").format(factor=factor)
    along, across = singular_values(W).tolist()
    if along == 0.0:
        return _("flattened: everything falls on a point")
    if across <= _ROUNDING * along:
        return _("flattened: everything falls on a line")
    return _("flattened: everything falls nearly on a line")


def spread_text(W: Array) -> str:
    """Return how different the directions of a W of any shape are stretched."""
    sizes = singular_values(W)
    largest, smallest = float(sizes[0]), float(sizes[-1])
    if largest == 0.0:
        return _("flattened: everything falls on a point")
    flat = int((sizes <= FLAT * largest).sum())
    if flat:
        said = ngettext("{n} direction is flattened", "{n} directions are flattened", flat)
        return said.format(n=flat)
    if len(sizes) == 1:
        return ""
    ratio = display_number(largest / smallest, 2)
    return _("largest ÷ smallest = {ratio}").format(ratio=ratio)


def why_no_sliders(W: Array) -> str:
    """Return why a W that is not 2 × 2 has no sliders."""
    rows, columns = W.shape
    return _("Sliders need a W of 2 × 2: this one is {rows} × {columns}.").format(
        rows=rows, columns=columns
    )
