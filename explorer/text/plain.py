"""Untrusted texts (tokens, titles, notes) made safe to show."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

# Control, format (bidi overrides and isolates, zero-width) and surrogate characters change how
# *other* text is drawn or are not drawn at all. Joiners are kept: emoji and scripts need them; and
# so is what sets a text apart, where it ends.
_HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_ISOLATE, _END = "\u2068", "\u2069"
_KEPT = {"\u200c", "\u200d", _ISOLATE, _END}
_RIGHT_TO_LEFT = {"R", "AL"}

LONGEST_NAME = 64
_SHORT_TIP = 80  # characters that need no second line
# Control characters, and halves of surrogate pairs, which no file can hold.
_REFUSED = {"Cc", "Cs"}


def is_token(name: str) -> bool:
    """Return whether `name` may be a token's: 1 to 64 characters, no control characters."""
    return 1 <= len(name) <= LONGEST_NAME and not any(
        unicodedata.category(c) in _REFUSED for c in name
    )


def token_name(text: str) -> str:
    """Return as much of `text` as a token's name can hold: its start, spaces for control ones."""
    runs = "".join("\n" if unicodedata.category(c) in _REFUSED else c for c in text).split("\n")
    return " ".join(filter(None, runs))[:LONGEST_NAME]


def in_a_row(sentences: Iterable[str]) -> str:
    """Return sentences one after the other; after a full-width stop there is no space."""
    row = ""
    for sentence in filter(None, sentences):
        row += sentence if not row or row[-1] in "。！？" else f" {sentence}"
    return row


_APART = " ，、：；"  # after these a line ends best
_CHINESE = "[\u3000-\u9fff\uff00-\uffef]"
_BESIDE_CHINESE = re.compile(f"(?<={_CHINESE})(?=.)|(?<=.)(?={_CHINESE})")


def titled(text: str) -> str:
    """Return a title whose last line keeps at least three characters: Chinese may be broken before
    any character, which left one alone."""
    end = len(text)
    starts = [at for at in range(end - 3, end - 7, -1) if at > 0 and text[at - 1] in _APART]
    start = starts[-1] if starts else max(end - 3, 0)
    last = text[start:].replace(" ", "\u00a0")
    return text[:start] + _BESIDE_CHINESE.sub("\u2060", last)


@lru_cache(maxsize=4096)  # names of tokens are shown in many places of every picture
def displayable(text: str, limit: int | None = None) -> str:
    """Return `text` without characters that could disturb its surroundings.

    A text with letters that are written from right to left is set apart from the sentence around
    it, whose other words and numbers would change places with it.

    Parameters
    ----------
    text : str
        Any text.
    limit : int, optional
        Longest result in characters that are seen; a longer text ends in an ellipsis.
    """
    shown = plain_text(text, limit)
    apart = shown[:1] == _ISOLATE and shown[-1:] == _END
    return shown if apart or not has_right_to_left(shown) else f"{_ISOLATE}{shown}{_END}"


def has_right_to_left(text: str) -> bool:
    """Return whether a text has letters that are written from right to left."""
    return any(unicodedata.bidirectional(c) in _RIGHT_TO_LEFT for c in text)


def plain_text(text: str, limit: int | None = None) -> str:
    """Return `text` as `displayable` does, for a line or a file of its own."""
    shown = "".join(
        c if c in _KEPT or unicodedata.category(c) not in _HIDDEN else " " for c in text
    )
    if limit is not None and len(shown) > limit:
        shown = shown[: limit - 1] + "…"
    return shown if _closed(shown) else shown.replace(_ISOLATE, "").replace(_END, "")


def _closed(text: str) -> bool:
    """Return whether everything that is set apart ends, so that nothing else is set apart."""
    depth = 0
    for c in text:
        depth += (c == _ISOLATE) - (c == _END)
        if depth < 0:
            return False
    return depth == 0


def html_escaped(text: str) -> str:
    """Return `text` as a part of an HTML that shows exactly that text."""
    return html.escape(displayable(text))


def plain_tip(text: str) -> str:
    """Return a tooltip that shows exactly `text`, whose lines stay apart.

    Qt takes a text with a tag, or with `&lt;`, for HTML, and breaks the lines of no other. A short
    line without such letters is left as it is, for screen readers too; any other becomes HTML,
    which it could not be taken for without a tag: entities would be shown as they are.
    """
    if len(text) <= _SHORT_TIP and not set("<&\n") & set(text):
        return displayable(text)
    lines = "<br>".join(map(html_escaped, text.split("\n")))
    return f"<qt>{lines}</qt>"


def columns_taken(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    return sum(
        0
        if unicodedata.combining(c) or unicodedata.category(c) in ("Cf", "Mn", "Me")
        else 1 + (unicodedata.east_asian_width(c) in "WF")
        for c in text
    )
