"""Tokens and heads in views of Model: what they are called, and their colours."""

from __future__ import annotations

from PySide6.QtGui import QColor

from explorer.kit.pieces import colour_of
from explorer.kit.theme import Theme
from explorer.models.figures import Kind
from explorer.session.model.frame import ModelFrame, Repeated
from explorer.text import N_, _, displayable


def ink_of(theme: Theme, frame: ModelFrame, place: int, other: str = "ink2") -> QColor:
    """Return the colour of a token's name; of one that is not pinned, a palette colour."""
    colour = colour_of(theme, frame, place)
    return theme.color(other) if colour is None else QColor(colour.ink)


_KINDS: dict[Kind | Repeated, str] = {
    Kind.PREVIOUS: N_("previous"),
    Kind.NEXT: N_("next"),
    Kind.SELF: N_("self"),
    Kind.FIRST: N_("first"),
    Kind.END: N_("end"),
    Kind.BROAD: N_("broad"),
    Kind.OTHER: N_("other"),
    Repeated.INDUCTION: N_("induction"),
    Repeated.DUPLICATE: N_("duplicate"),
}


def kind_name(frame: ModelFrame, kind: Kind | Repeated) -> str:
    """Return what a kind of heads is called; [CLS] and [SEP] where a text has these."""
    pieces = () if frame.run is None else frame.run.key_pieces
    if kind is Kind.FIRST and pieces and pieces[0].special:
        return displayable(pieces[0].token, 8)
    if kind is Kind.END:
        ends = [piece.token for piece in pieces[1:] if piece.special]
        if ends:
            return displayable(ends[-1], 8)
    return _(_KINDS[kind])


_RULES: dict[Kind | Repeated | None, str] = {
    None: N_("All heads"),
    Kind.PREVIOUS: N_("At least 0.60 of the weight lies on the token before, in this text"),
    Kind.NEXT: N_("At least 0.60 of the weight lies on the next token, in this text"),
    Kind.SELF: N_("At least 0.60 of the weight lies on the token itself, in this text"),
    Kind.FIRST: N_("At least 0.60 of the weight lies on the first token, in this text"),
    Kind.END: N_("At least 0.60 of the weight lies on special tokens at the end, in this text"),
    Kind.BROAD: N_("The entropy is at least 0.75 of the largest possible, in this text"),
    Kind.OTHER: N_("No rule applies to it, in this text"),
    Repeated.INDUCTION: N_(
        "On repeated random tokens, at least 0.60 of the weight lies on the token after "
        "the earlier occurrence (Olsson et al. 2022)"
    ),
    Repeated.DUPLICATE: N_(
        "On repeated random tokens, at least 0.60 of the weight lies on the earlier "
        "occurrence itself (Wang et al. 2022)"
    ),
}


def rule_of(kind: Kind | Repeated | None) -> str:
    """Return the rule by which a head is of a kind; of None what all heads are called."""
    return _(_RULES[kind])


def special_names(frame: ModelFrame) -> list[str]:
    """Return what the special tokens of a text are called, such as [CLS] and [SEP]; at most 3."""
    pieces = () if frame.run is None else frame.run.key_pieces
    names = dict.fromkeys(displayable(piece.token, 12) for piece in pieces if piece.special)
    return list(names)[:3]
