"""What is followed when heads are switched, in words and numbers."""

from __future__ import annotations

import math

from explorer.kit.pieces import seen
from explorer.kit.theme import Theme, TokenColour
from explorer.models.next_token import NextToken
from explorer.models.switches import Put
from explorer.session.model.frame import ModelFrame
from explorer.session.model.switching import ALL_ON, Switches
from explorer.text import N_, _, displayable, labelled
from explorer.text.numbers import MINUS

SHORT = {
    Put.MEAN: N_("mean"),
    Put.OTHER: N_("second text"),
    Put.UNIFORM: N_("alike"),
    Put.SELF: N_("itself"),
    Put.PREVIOUS: N_("previous"),
}


def shown_name(row: NextToken) -> str:
    """Return what a token is called: of one without letters, signs for its spaces."""
    return displayable(seen(row.text), 24)


def followed_row(frame: ModelFrame) -> NextToken | None:
    """Return the followed token; None where it is the text's vector, or before a run."""
    follows, told = frame.follows, frame.next
    if follows is None or told is None:
        return None
    return next((row for row in told.rows if row.id == follows.word), None)


def colour_by_name(theme: Theme, frame: ModelFrame, row: NextToken) -> TokenColour | None:
    """Return the colour of a token that is pinned in the text, by its name."""
    run = frame.run
    for slot, place in enumerate(() if run is None else frame.look.pinned):
        assert run is not None
        if place < len(run.pieces) and run.pieces[place].text.strip() == row.text.strip():
            return theme.slot(slot)
    return None


def followed_name(frame: ModelFrame) -> str:
    """Return what is followed, in short: "p(Mary)", or the cosine of the text's vector."""
    row = followed_row(frame)
    return _("cosine") if row is None else f"p({shown_name(row)})"


def what_is_expected(frame: ModelFrame) -> str:
    """Return what the model predicts: the next token or the masked one."""
    predicts = frame.info is None or frame.info.predicts
    return _("the next token") if predicts else _("the masked token")


def with_sign(value: float) -> str:
    """Return a change to three decimals with its sign; 0 has none."""
    shown = three_decimals(abs(value))
    return shown if not float(shown) else ("+" if value > 0 else MINUS) + shown


def three_decimals(value: float) -> str:
    """Return a probability or a cosine as columns of them have it."""
    return f"{value:.3f}".replace("-", MINUS)


def change_of(frame: ModelFrame, switches: Switches) -> float | None:
    """Return by how much switches change what is followed; None where it is not known yet."""
    before, after = frame.outcomes.get(ALL_ON), frame.outcomes.get(switches)
    return None if before is None or after is None else after - before


def rounded_up(largest: float) -> float:
    """Return the end of an axis: the number rounded up to .1, or to its own first digit."""
    if not largest > 0:
        return 0.1
    unit = 10.0 ** min(-1, math.floor(math.log10(largest)))
    return round(math.ceil(round(largest / unit, 6)) * unit, 12)


def step_name(before: Switches, after: Switches) -> str:
    """Return what a step did, in short: "− L24 H6", "+ L24 H6", or how many heads are off."""
    if not after.puts:
        return _("all heads")
    if before.puts == after.puts and before.second != after.second:
        return _(SHORT[Put.OTHER])
    places = {each[:2] for each in set(before.puts) ^ set(after.puts)}
    if len(places) != 1:
        return _("{count} off").format(count=len(after.puts))
    ((layer, head),) = places
    put, name = after.put(layer, head), f"L{layer + 1} H{head + 1}"
    if put is None:
        return f"+ {name}"
    return f"\u2212 {name}" if put is Put.ZEROS else labelled(name, _(SHORT[put]))
