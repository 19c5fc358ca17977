"""What somebody said of a run, its name and marks at epochs: kept in the file's metadata."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from explorer.text import N_, Problem, displayable

KEY, NAME = "marks", "name"
LONGEST = 60  # characters of a mark
LONGEST_NAME = 80
MOST = 64  # of one run


class Mark(NamedTuple):
    """A text at an epoch. Untrusted plain text."""

    epoch: int
    text: str


class Said(NamedTuple):
    """What somebody said of a run: what it is called, empty where nothing was typed, and marks."""

    name: str = ""
    marks: tuple[Mark, ...] = ()


def read_said(metadata: Mapping[str, str]) -> Said:
    """Return the name and the marks in a file's metadata. Raises Problem."""
    name = displayable(metadata.get(NAME, "").strip(), LONGEST_NAME)
    return Said(name, read_marks(metadata))


def read_marks(metadata: Mapping[str, str]) -> tuple[Mark, ...]:
    """Return the marks in a file's metadata, by their epochs. Raises Problem."""
    if KEY not in metadata:
        return ()
    try:
        found = msgspec.json.decode(metadata[KEY], type=list[tuple[int, str]])
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise Problem(
            N_('"{key}" in its metadata is not valid ({reason}).'),
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


def with_said(metadata: Mapping[str, str], said: Said) -> dict[str, str]:
    """Return a file's metadata with this name and these marks in place of its own."""
    found = {key: text for key, text in metadata.items() if key not in (KEY, NAME)}
    if said.name:
        found[NAME] = said.name
    if said.marks:
        found[KEY] = msgspec.json.encode(said.marks).decode()
    return found
