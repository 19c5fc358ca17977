"""The fields of a scene file, and what is said to be expected of each."""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Annotated, Literal, get_type_hints

import msgspec

from explorer.attention import PAIRINGS, ROPE_TYPES, Rotary, Variant
from explorer.session.checks import MOST_HEADS
from explorer.session.scene_view import EXPECTED as VIEW
from explorer.session.scene_view import ViewFields
from explorer.text import N_, Listing, Message

_Rows = list[list[float]]
_Matrices = list[list[float | list[float]]]  # rows of numbers, or matrices of such rows
_Bias = list[float | list[float]]


class ContextFields(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    tokens: list[str]
    X: _Rows


MaskField = Literal["none", "causal"] | list[list[bool]]


class SequenceFields(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    tokens: list[str]
    X: _Rows
    context: ContextFields | None = None
    mask: MaskField | None = None


if TYPE_CHECKING:
    RotaryFields = Rotary
else:  # the same fields, and no others
    RotaryFields = msgspec.defstruct(
        "RotaryFields",
        [
            (field.name, get_type_hints(Rotary)[field.name])
            if field.default is MISSING
            else (field.name, get_type_hints(Rotary)[field.name], field.default)
            for field in fields(Rotary)
        ],
        frozen=True,
        forbid_unknown_fields=True,
    )


class NormFields(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    query: list[float]
    key: list[float]
    epsilon: float = 1e-6


class OptionsFields(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    scale: Literal["sqrt_dk", "none"] | float = "sqrt_dk"
    mask: MaskField = "none"
    heads: Annotated[int, msgspec.Meta(ge=1, le=MOST_HEADS)] = 1
    temperature: float = 1.0
    position: Literal["none", "sinusoidal"] | _Rows = "none"
    variant: Variant = Variant.NONE
    rotary: RotaryFields | None = None
    qk_norm: NormFields | None = None


class FileFields(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: str
    version: int
    tokens: list[str] | msgspec.UnsetType = msgspec.UNSET
    X: _Rows | msgspec.UnsetType = msgspec.UNSET
    Q: _Rows | msgspec.UnsetType = msgspec.UNSET
    K: _Rows | msgspec.UnsetType = msgspec.UNSET
    V: _Rows | msgspec.UnsetType = msgspec.UNSET
    key_tokens: list[str] | msgspec.UnsetType = msgspec.UNSET
    sequences: list[SequenceFields] | msgspec.UnsetType = msgspec.UNSET
    title: str = ""
    note: str = ""
    Wq: _Matrices | None = None
    Wk: _Matrices | None = None
    Wv: _Matrices | None = None
    bq: _Bias | None = None
    bk: _Bias | None = None
    bv: _Bias | None = None
    Wo: _Rows | None = None
    bo: list[float] | None = None
    context: ContextFields | None = None
    options: OptionsFields = OptionsFields()
    view: ViewFields | None = None


# The version that a field came with; all others are there from the first.
SINCE = {
    **dict.fromkeys(("sequences", "options.temperature", "options.position", "options.variant"), 2),
    **dict.fromkeys(("Q", "K", "V", "key_tokens", "view", "options.rotary", "options.qk_norm"), 3),
}

NUMBER = N_("a number between −1e50 and 1e50")
_ROW = N_("a row of numbers")
_TABLE = N_("a list of rows of numbers")
_MATRICES = N_("a list of rows of numbers, or one such list a head")
_TEXT = N_("a text")
_NAMES = N_("a list of texts")
_GROUP = N_("a group of fields")
_MASK = N_('"none", "causal" or rows of true and false')
_MASK_ROW = N_("a row of true and false")
_FLAG = N_("true or false")

# What is expected at each place, by its path with the numbers taken out.
EXPECTED: dict[str, str | Message] = {
    "title": _TEXT,
    "note": _TEXT,
    **dict.fromkeys(("Wq", "Wk", "Wv"), _MATRICES),
    **{f"{name}[]": _TABLE for name in ("Wq", "Wk", "Wv")},
    "Wo": _TABLE,
    "Wo[]": _ROW,
    **{name: N_("a row of numbers, or one such row a head") for name in ("bq", "bk", "bv")},
    "bo": _ROW,
    **{
        f"{place}{field}": expected
        for place in ("", "sequences[].")
        for field, expected in {
            "tokens": _NAMES,
            "tokens[]": _TEXT,
            "X": _TABLE,
            "X[]": _ROW,
            "context": _GROUP,
            "context.tokens": _NAMES,
            "context.tokens[]": _TEXT,
            "context.X": _TABLE,
            "context.X[]": _ROW,
        }.items()
    },
    "sequences": N_("a list of groups of tokens and X"),
    "sequences[]": N_("a group of tokens and X"),
    "options": _GROUP,
    "options.scale": N_('"sqrt_dk", "none" or a number to divide by'),
    **{
        f"{place}{field}": expected
        for place in ("options.", "sequences[].")
        for field, expected in (("mask", _MASK), ("mask[]", _MASK_ROW), ("mask[][]", _FLAG))
    },
    "options.temperature": N_("a number to divide by after the scale"),
    "options.position": N_('"none", "sinusoidal" or rows of numbers'),
    "options.position[]": _ROW,
    "options.variant": Message(N_("one of {names}"), {"names": Listing.quoted(Variant)}),
    "options.heads": N_("a whole number from 1 to 64"),
    **dict.fromkeys("QKV", _TABLE),
    **{f"{name}[]": _ROW for name in "QKV"},
    "key_tokens": _NAMES,
    "key_tokens[]": _TEXT,
    "options.rotary": _GROUP,
    "options.rotary.dims": N_("a whole number"),
    "options.rotary.scaling": ", ".join(f'"{name}"' for name in ROPE_TYPES),
    "options.rotary.pairing": ", ".join(f'"{name}"' for name in PAIRINGS),
    "options.qk_norm": _GROUP,
    "options.qk_norm.query": _ROW,
    "options.qk_norm.key": _ROW,
    **VIEW,
}
