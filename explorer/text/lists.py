"""Parts of what a person reads, put together with the signs of the language in use."""

from __future__ import annotations

from collections.abc import Iterable

from explorer.text.messages import _


def listed(names: Iterable[str]) -> str:
    """Return names of one kind as a list: "X, Q, K"."""
    return _("{names}, {name}").format(names="", name="").join(names)


def joined(parts: Iterable[str]) -> str:
    """Return parts of a sentence one after the other, without the empty ones."""
    return _(", ").join(filter(None, parts))


def joined_long(parts: Iterable[str]) -> str:
    """Return parts that have commas of their own likewise."""
    return _("; ").join(filter(None, parts))


def labelled(label: str, text: str) -> str:
    """Return a text after what it is of: "loss: 0.02"."""
    return _("{label}: {text}").format(label=label, text=text)


def noted(text: str, note: str) -> str:
    """Return a text with a short note in brackets."""
    return _("{text} ({note})").format(text=text, note=note)


def as_sentences(parts: Iterable[str]) -> str:
    """Return parts with a full stop between each two, and none after the last."""
    first, *others = filter(None, parts)
    for part in others:
        first = _("{title}. {note}").format(title=first, note=part)
    return first
