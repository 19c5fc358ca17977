"""Parts of what a person reads, put together with the signs of the language in use."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from explorer.text.messages import _


def listed(names: Iterable[str]) -> str:
    """Return names of one kind as a list: "X, Q, K"."""
    return _("{names}, {name}").format(names="", name="").join(names)


@dataclass(frozen=True)
class Listing:
    """Names of one kind in a `Message` or a `Problem`: listed where it is said."""

    names: tuple[str, ...]

    @classmethod
    def of(cls, names: Iterable[object]) -> Listing:
        """Return names as they are, or what stands for each as a text."""
        return cls(tuple(map(str, names)))

    @classmethod
    def quoted(cls, names: Iterable[str]) -> Listing:
        """Return names in the quotation marks that they have in a file."""
        return cls(tuple(f'"{name}"' for name in names))

    def __str__(self) -> str:
        """Return the list in the language in use."""
        return listed(self.names)


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
