"""What tokens and heads of a model are called, and the colours of tokens: for every room."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.kit.theme import Theme, TokenColour
from explorer.models.tokenizer import Piece
from explorer.session.model.frame import ModelFrame
from explorer.text import _, displayable, plain_text

_BLANK = {"\n": "↵", "\r": "↵", "\t": "→"}  # of a token without a letter; else ␣


def seen(text: str) -> str:
    """Return a token's text without spaces at its ends; of what is not seen, up to four signs."""
    return plain_text(text).strip() or "".join(_BLANK.get(c, "␣") for c in text[:4]) or "␣"


def name_of(piece: Piece) -> str:
    """Return what a token is called on screen: one line, safe to show."""
    return displayable(seen(piece.text or piece.token))


def numbered(pieces: Sequence[Piece], place: int) -> tuple[str, str]:
    """Return a token's name and, where another is called so too, its place from 1, else ""."""
    name = name_of(pieces[place])
    same = sum(name_of(piece) == name for piece in pieces)
    return name, str(place + 1) if same > 1 else ""


def colour_of(theme: Theme, frame: ModelFrame, place: int) -> TokenColour | None:
    """Return the colour of a pinned token; None for any other."""
    slot = frame.slot(place)
    return None if slot is None else theme.slot(slot)


def head_name(layer: int, head: int) -> str:
    """Return what a head is called, such as "layer 4 head 2"; both count from 0."""
    return _("layer {layer} head {head}").format(layer=layer + 1, head=head + 1)
