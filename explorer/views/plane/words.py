"""What the plane says in words: its points, what it shows, why a point stays where it is."""

from __future__ import annotations

from explorer.session import Edges, Frame, Space
from explorer.text import _, decimal_places, display_number, displayable


def point_names(frame: Frame) -> list[str]:
    """Return a name for every shown point, such as "k cloud at −0.62, 0.74"."""
    names: list[str] = []
    for space in Space:
        if space not in frame.look.spaces:
            continue
        exact = frame.projection.exact
        rows = frame.points(space) if exact else frame.projection.project(frame.points(space))
        template = (
            _("{letter} {token} at {place}")
            if exact
            else _("{letter} {token} at {place} in the plane")
        )
        for token, row in zip(frame.names(space), rows.tolist(), strict=True):
            place = ", ".join(display_number(v, decimal_places(v, most=3)) for v in row)
            letter = space.value if space is Space.X else space.value.lower()
            names.append(template.format(letter=letter, token=displayable(token), place=place))
    return names


def summary(frame: Frame) -> str:
    """Return in one sentence what the plane shows."""
    spaces = ", ".join(space.value for space in Space if space in frame.look.spaces)
    text = _("Points of {spaces}").format(spaces=spaces)
    edges = {
        Edges.NONE: _("no edges"),
        Edges.SCORES: _("edges show scores"),
        Edges.ATTENTION: _("edges show attention"),
    }[frame.look.edges]
    return f"{text}, {edges}"


def why_fixed(space: Space, frame: Frame) -> str:
    """Return why a point cannot be dragged, and what can be done instead."""
    if space is Space.O:
        return _("O is computed: A V. Drag X, or change Wv.")
    source = "X" if space is Space.Q or frame.scene.context is None else _("context")
    if not frame.scene.projected:
        return _("{space} is {source} itself here. Drag X.").format(
            space=space.value, source=source
        )
    return _("{space} is computed: {source} {matrix}. Drag X, or change {matrix}.").format(
        space=space.value, source=source, matrix=f"W{space.value.lower()}"
    )
