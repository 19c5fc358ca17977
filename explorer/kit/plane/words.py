"""What the plane says in words: its points, what it shows, why a point stays where it is."""

from __future__ import annotations

from explorer.attention import source_of_row
from explorer.kit.base import why_hidden
from explorer.session import Edges, Frame, Space, Stage
from explorer.session.backwards import OrderCause, ways, why_not_pulled
from explorer.text import _, decimal_places, display_number, displayable, joined, listed, ngettext

_LONGEST = 16  # letters of a token
_MOST_NAMED = 6  # tokens of a context


def point_names(frame: Frame) -> list[str]:
    """Return a name for every shown point, such as "k cloud at −0.62, 0.74"."""
    names: list[str] = []
    for space in Space:
        if space not in frame.look.shown:
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
    spaces = listed(space.value for space in Space if space in frame.look.shown)
    text = _("Points of {spaces}").format(spaces=spaces)
    heads = frame.attention.heads
    if heads > 1:
        text += _(", head {head} of {heads}").format(head=frame.look.head + 1, heads=heads)
    if frame.look.veiled or frame.look.blank is not None:
        return _("{title}. {note}").format(title=text, note=why_hidden(frame.look))
    edges = {
        Edges.NONE: _("no edges"),
        Edges.SCORES: _("edges show scores"),
        Edges.ATTENTION: _("edges show attention"),
    }[frame.look.edges]
    if frame.averaged and frame.look.edges is Edges.ATTENTION:
        edges += _(", mean of {count} heads").format(count=heads)
    return joined((text, edges))


def captions(frame: Frame) -> list[str]:
    """Return what must be known of the plane to read it, from the lowest line up."""
    said: list[str] = []
    if not frame.projection.exact:
        said.append(
            _("PCA of {count} dimensions, {percent} % of the variance").format(
                count=len(frame.projection.mean),
                percent=round(100 * float(frame.projection.explained.sum())),
            )
        )
    if frame.look.stage is Stage.R:
        said.append(_("hollow: before the turn"))
    context = frame.scene.context
    keyed = [space.value for space in (Space.K, Space.V) if space in frame.look.shown]
    if context is not None and context.tokens != frame.scene.tokens and keyed:
        count = len(context.tokens)
        named = [displayable(token, _LONGEST) for token in context.tokens]
        said.append(
            _("{spaces}: the context, {tokens}").format(
                spaces=listed(keyed),
                tokens=" ".join(named)
                if count <= _MOST_NAMED
                else ngettext("{count} token", "{count} tokens", count).format(count=count),
            )
        )
    return said


def field_text(frame: Frame, low: float, high: float) -> str:
    """Return what the plane is tinted by, between two weights, of a frame that is."""
    drag, thing = frame.drag, frame.selection
    assert drag is not None
    assert thing is not None
    assert thing.pair is not None
    query, key = thing.pair
    template = (
        _("tint: mean attention of {query} to {key} with {token} here, from {low} to {high}")
        if frame.averaged
        else _("tint: attention of {query} to {key} with {token} here, from {low} to {high}")
    )
    return template.format(
        low=display_number(low, decimal_places(low, 2)),
        high=display_number(high, decimal_places(high, 2)),
        query=displayable(frame.scene.tokens[query], _LONGEST),
        key=displayable(frame.scene.key_tokens[key], _LONGEST),
        token=displayable(frame.scene.tokens[drag.token], _LONGEST),
    )


def why_fixed(frame: Frame, space: Space) -> str | None:
    """Return why a point cannot be dragged, and what can instead; None where it can be."""
    if space is Space.O:
        return _("An output is a mixture of values: move a value, a query or a key instead.")
    if space is Space.Y:
        return _("Y is made from the outputs of attention: move a value, a query or a key instead.")
    reason = why_not_pulled(frame.scene, space, turned=frame.turned)
    return None if reason is None else _(reason)


def why_held(frame: Frame) -> str:
    """Return why a dragged point does not stay under the hand, "" where it does.

    Where heads are mixed it may be made from another token, by another head of W, than it seems:
    then that is said.
    """
    drag, heads = frame.drag, frame.attention.heads
    if drag is None or drag.pull is None:
        return ""
    names = frame.names(drag.space)
    _sequence, token, head = source_of_row(
        frame.attention.variant, frame.look.head, drag.token, heads, len(names)
    )
    ways_there, width = len(drag.pull.directions), len(drag.start)
    if ways_there == width:
        if token == drag.token:
            return ""
        return _("The mixed heads make this point from {token}: its row of X moves.").format(
            token=displayable(names[token], _LONGEST)
        )
    context = frame.scene.context
    source = frame.scene.X if drag.space is Space.Q or context is None else context.X
    rows = source.shape[1]
    matrix = f"W{drag.space.value.lower()}"
    if heads > 1:
        matrix = _("{matrix} of head {head}").format(matrix=matrix, head=head + 1)
    if ways_there == 0:
        return _("{matrix} is all zeros: this point cannot move at all.").format(matrix=matrix)
    if not len(ways(drag.pull, frame.projection)):
        return _("This point can only move in directions that this picture does not show.")
    flat = ways_there < min(rows, width)
    if ways_there == 1:
        template = (
            _("{matrix} is flattened: this point can only move along this line.")
            if flat
            else _("{matrix} has one row: this point can only move along this line.")
        )
        return template.format(matrix=matrix)
    template = (
        _("{matrix} is flattened: this point can only move in {ways} of its {count} dimensions.")
        if flat
        else _("{matrix} has {ways} rows: this point only moves in {ways} of {count} dimensions.")
    )
    return template.format(matrix=matrix, ways=ways_there, count=width)


_SHOWN = 0.0005  # less is 0.000


def shuffle_text(frame: Frame) -> str:
    """Return what shuffling the tokens did to the outputs, and why; "" where nothing was."""
    done = frame.shuffled
    if done is None:
        return ""
    difference = display_number(round(done.difference, 3), 3)
    if not done.present:
        return _(
            "The outputs are the same rows in the new order (largest difference {difference}): "
            "nothing here asks for a token’s place."
        ).format(difference=difference)
    if not done.causes:
        return _(
            "The outputs are the same rows in the new order (largest difference {difference}), "
            "{although}."
        ).format(difference=difference, although=_although(done.present))
    if done.difference < _SHOWN:
        return _(
            "The outputs are not quite the same rows in the new order (largest difference "
            "{difference}): {reasons}."
        ).format(difference=display_number(done.difference, 3), reasons=_reasons(done.causes))
    return _(
        "The outputs are not the same rows in the new order (largest difference {difference}): "
        "{reasons}."
    ).format(difference=difference, reasons=_reasons(done.causes))


def _reasons(causes: tuple[OrderCause, ...]) -> str:
    reasons = {
        OrderCause.POSITION: _("a position belongs to the place, not to the token"),
        OrderCause.ROTARY: _("rotary positions turn Q and K by the place, not by the token"),
        OrderCause.CAUSAL: _("under the causal mask a token sees only those before it"),
        OrderCause.HEADS_MIXED: _("the mixed heads take whatever row is in that place"),
    }
    return _("; and ").join(reasons[cause] for cause in causes)


def _although(present: tuple[OrderCause, ...]) -> str:
    there = {
        OrderCause.POSITION: _("although there is a position"),
        OrderCause.ROTARY: _("although there are rotary positions"),
        OrderCause.CAUSAL: _("although there is a causal mask"),
        OrderCause.HEADS_MIXED: _("although the heads are mixed"),
    }
    return _(" and ").join(there[cause] for cause in present)


def place_text(frame: Frame, row: int) -> str:
    """Return at which place of the order a shuffled token was and is, counted from 1."""
    done = frame.shuffled
    if done is None:
        return ""
    if done.order[row] == row:
        return _("place {place}").format(place=row + 1)
    return _("place {before} → {place}").format(before=done.order[row] + 1, place=row + 1)
