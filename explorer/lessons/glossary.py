"""The glossary: the field's terms as the program uses them, in every language side by side."""

from __future__ import annotations

import tomllib

import msgspec

from explorer.lessons.schema import Texts
from explorer.resources import resource


class Term(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A term by language, and a sentence about it by language."""

    name: Texts
    text: Texts


class _Glossary(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    term: tuple[Term, ...]


def glossary() -> tuple[Term, ...]:
    """Return the terms in the order of the computation."""
    text = resource("glossary.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), _Glossary).term
