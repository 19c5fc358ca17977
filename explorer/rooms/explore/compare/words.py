"""What differs most between both sides, in a sentence."""

from __future__ import annotations

from explorer.session.comparison import Compared, Difference
from explorer.text import _, display_number, displayable

_LONGEST = 24  # letters of a token's name


def differences_said(compared: Compared) -> str:
    """Return the largest differences of A and of the output as a sentence, or that there is none.

    Numbers have three decimals, and more where three would not tell them apart.
    """
    found = compared.differences
    outputs = any(one.array == "output" for one in found)
    if all(one.same for one in found):
        if outputs:
            return _("Both sides compute the same numbers.")
        return _("Both sides compute the same A; their outputs have different widths.")
    told = [_said(one, compared) for one in found if not one.same]
    sentence = _("Largest difference: {places}.").format(places=_("; ").join(told))
    if not outputs:
        sentence += " " + _("The outputs have different widths.")
    return sentence


def _said(one: Difference, compared: Compared) -> str:
    scene = compared.table.scene
    query = _named(one.query, scene.tokens)
    if one.array == "A":
        template = _("A[{query}, {column}] {left} → {right}, {difference}")
        column = _named(one.column, scene.key_tokens)
    else:
        template = _("output[{query}, {column}] {left} → {right}, {difference}")
        column = str(one.column + 1)
    places = _places(one)
    sign = "+" if one.difference > 0 else ""
    return template.format(
        query=query,
        column=column,
        left=display_number(one.left, places),
        right=display_number(one.right, places),
        difference=sign + display_number(one.difference, places),
    )


def _named(place: int, tokens: tuple[str, ...]) -> str:
    """Return what a token is called, with its number where others are called the same."""
    name = displayable(tokens[place], _LONGEST)
    return name if tokens.count(tokens[place]) == 1 else f"{name} #{place + 1}"


def _places(one: Difference) -> int:
    for places in range(3, 12):
        shown = (round(number, places) for number in (one.left, one.right))
        if abs(one.difference) >= 0.5 * 10**-places and len(set(shown)) == 2:
            return places
    return 12
