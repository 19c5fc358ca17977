"""What the laboratory shows of a frame: the trial, and who stands in its row."""

from __future__ import annotations

import math
from dataclasses import dataclass

from explorer.attention import ROWS, WIDEST, ScalingDemo, random_trial, scene_trial
from explorer.kit.base import why_hidden
from explorer.kit.theme import Theme, TokenColour
from explorer.session import Frame, Stage
from explorer.text import _, display_number, displayable, in_a_row, joined, ngettext

_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


@dataclass(frozen=True, eq=False)
class Shown:
    """One trial, ready to be drawn.

    Parameters
    ----------
    trial : ScalingDemo
    own : bool
        Whether its q and k are the scene's, instead of random ones.
    spread : float
        The largest dot product that has to find room.
    row : str
        Whose row of softmax is shown.
    keys : tuple of str
        As they may be shown.
    colours : tuple of TokenColour
        Of the keys; empty where they are no tokens.
    more : str
        Which head of the scene is shown, where it has several, and whether its results are held.
    """

    trial: ScalingDemo
    own: bool
    spread: float
    row: str
    keys: tuple[str, ...]
    colours: tuple[TokenColour, ...] = ()
    more: str = ""


def shown_of(frame: Frame, theme: Theme, before: tuple[Frame, Shown] | None = None) -> Shown:
    """Return what the frame's look asks for.

    before : a frame and what was shown of it, which is taken over where nothing of it changed
    """
    look = frame.look
    if not look.trial.own or look.hides(Stage.S):
        trial = random_trial(look.trial.width)
        names = tuple(f"k{n + 1}".translate(_SUBSCRIPTS) for n in range(len(trial.scores)))
        why = str(why_hidden(look)) if look.trial.own else ""
        return Shown(trial, False, _largest(random_trial(WIDEST)), "q", names, more=why)
    query = row_of(frame)
    trial = _kept(frame, before) or scene_trial(frame.attention, query, look.head)
    heads, more = frame.attention.heads, []
    if heads > 1:
        more.append(_("head {head} of {heads}").format(head=look.head + 1, heads=heads))
    if frame.held:
        more.append(_("waiting for a number"))
    return Shown(
        trial,
        True,
        max(_largest(trial), 3 * math.sqrt(trial.d)),
        displayable(frame.scene.tokens[query]),
        tuple(map(displayable, frame.scene.key_tokens)),
        tuple(theme.token_colours(frame)[1]),
        joined(more),
    )


def _kept(frame: Frame, before: tuple[Frame, Shown] | None) -> ScalingDemo | None:
    """Return the trial of before where nothing that it is made from has changed."""
    if before is None or not before[1].own:
        return None
    old, shown = before
    same = old.attention is frame.attention and old.look.head == frame.look.head
    return shown.trial if same and row_of(old) == row_of(frame) else None


def row_of(frame: Frame) -> int:
    """Return the selected token's row, or the first."""
    selection = frame.selection
    if selection is None or selection.in_weights or selection.query is None:
        return 0
    return min(selection.query, len(frame.scene.tokens) - 1)


def _largest(trial: ScalingDemo) -> float:
    return float(abs(trial.products).max())


# --- in words ------------------------------------------------------------------------------------


def variance_text(shown: Shown) -> str:
    """Return the measured variance beside d."""
    trial = shown.trial
    if math.isinf(trial.variance):
        return _("variance beyond 1e308, d = {d}").format(d=trial.d)
    places = 1 if trial.variance >= 10 else 2
    number = display_number(trial.variance, places)
    return _("variance {variance}, d = {d}").format(variance=number, d=trial.d)


def products_text(shown: Shown) -> str:
    """Return which dot products are counted."""
    count = len(shown.trial.products)
    if not shown.own:
        return _("of {count} random pairs").format(count=f"{count:,}")
    text = ngettext("{count} of this scene", "all {count} of this scene", count)
    return joined((text.format(count=f"{count:,}"), shown.more))


def row_text(shown: Shown) -> str:
    """Return whose row of softmax is shown."""
    if not shown.own:
        return _("of a random q and {count} random k").format(count=len(shown.keys))
    return joined((_("the row {token}").format(token=shown.row), shown.more))


def gradient_texts(shown: Shown) -> tuple[str, ...]:
    """Return what the gradient curves are of, the longest text first."""
    if not shown.own:
        rows = _("mean of {count} random rows").format(count=ROWS)
        return joined(("‖diag(p) − p pᵀ‖", rows)), rows
    row = _("of the row, from the first columns of q and k")
    return f"‖diag(p) − p pᵀ‖ {row}", row


def measures(shown: Shown, scaled: bool) -> tuple[str, ...]:
    """Return a row's entropy and largest weight in words, the longest text first."""
    trial = shown.trial
    row = trial.scaled if scaled else trial.plain
    if not trial.keys:
        return (_("every key is masked"),)
    numbers = {
        "entropy": display_number(row.entropy, 2),
        "most": display_number(math.log(trial.keys), 2),
        "largest": display_number(row.largest, 3),
    }
    return tuple(
        template.format(**numbers)
        for template in (
            _("entropy {entropy} of at most {most} nats, largest weight {largest}"),
            _("entropy {entropy} nats, largest weight {largest}"),
            _("{entropy} nats, largest {largest}"),
        )
    )


def gradient_at(shown: Shown, scaled: bool) -> float:
    """Return the gradient size at the present d."""
    curves = shown.trial.curves
    sizes = curves.scaled if scaled else curves.plain
    return float(sizes[shown.trial.d - 1])


def said(shown: Shown) -> str:
    """Return everything the page shows, for screen readers."""
    parts = [
        _("Dot products {which}: {variance}.").format(
            which=products_text(shown), variance=variance_text(shown)
        )
    ]
    for scaled, name in ((False, plain_name()), (True, scaled_name())):
        parts.append(
            _("Softmax {name}: {measures}.").format(name=name, measures=measures(shown, scaled)[0])
        )
    for scaled, name in ((False, plain_name()), (True, scaled_name())):
        number = display_number(gradient_at(shown, scaled), 3)
        parts.append(_("Gradient size {name}: {size}.").format(name=name, size=number))
    return in_a_row(parts)


def plain_name() -> str:
    """Return what the softmax of the raw scores is called."""
    return _("without ÷ √d")


def scaled_name() -> str:
    """Return what the softmax of the scaled scores is called."""
    return _("with ÷ √d")
