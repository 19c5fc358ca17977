"""Marks that somebody put at epochs of a run: kept as one JSON text in the file's metadata."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import msgspec

from explorer.text import N_, Problem, displayable

KEY = "marks"
LONGEST = 60  # characters of a mark
MOST = 64  # of one run


class Mark(NamedTuple):
    """A text at an epoch. Untrusted plain text."""

    epoch: int
    text: str


def read_marks(metadata: Mapping[str, str]) -> tuple[Mark, ...]:
    """Return the marks in a file's metadata, by their epochs. Raises Problem."""
    if KEY not in metadata:
        return ()
    try:
        found = msgspec.json.decode(metadata[KEY], type=list[tuple[int, str]])
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise Problem(
            N_('"{key}" in its metadata is not as it must be ({reason}).'),
            key=KEY,
            reason=displayable(str(error), 120),
        ) from None
    if len(found) > MOST or any(epoch < 0 or epoch >= 2**53 for epoch, _text in found):
        raise Problem(
            N_('"{key}" in its metadata must be at most {most} texts at epochs from 0 on.'),
            key=KEY,
            most=MOST,
        )
    return tuple(sorted(Mark(epoch, displayable(text, LONGEST)) for epoch, text in found))


def written(marks: Iterable[Mark]) -> dict[str, str]:
    """Return what `read_marks` reads; nothing where there is no mark."""
    listed = list(marks)
    return {KEY: msgspec.json.encode(listed).decode()} if listed else {}
