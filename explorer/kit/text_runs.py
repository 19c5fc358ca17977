"""Runs: a line of mathematics as values (texts, subscripts, value chips, markers), without Qt."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from string import Formatter

from explorer.session import Role, Selection, Space
from explorer.text import html_escaped
from explorer.text.numbers import MINUS


@dataclass(frozen=True, slots=True)
class TokenInk:
    """A token's colour.

    Parameters
    ----------
    token : int
        Counted from 0.
    key : bool
        Whether a token of the context (a row of K and V) is meant.
    """

    token: int
    key: bool = False


Ink = str | TokenInk  # a palette colour by its field name, or a token's


class Place(Enum):
    """Where a text stands on its line."""

    LINE = auto()
    SUB = auto()
    SUPER = auto()


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of plain text, safe to show (see `explorer.text.displayable`)."""

    text: str
    ink: Ink = "ink1"
    weight: int = 400
    place: Place = Place.LINE


@dataclass(frozen=True, slots=True)
class Chip:
    """A value on its colour: a score (Role.S) or a weight (Role.A).

    Parameters
    ----------
    text : str
        The value as shown.
    value : float
        Chooses the colour.
    selection : Selection
        What a click on it selects; its `role` chooses the colormap.
    """

    text: str
    value: float
    selection: Selection

    @property
    def is_score(self) -> bool:
        """Whether it has the colours of scores instead of those of weights."""
        return self.selection.role is Role.S


@dataclass(frozen=True, slots=True)
class Marker:
    """A role's marker."""

    space: Space
    ink: Ink


@dataclass(frozen=True, slots=True)
class More:
    """Where a sum is folded: a button that shows all its terms."""

    text: str


Run = Text | Chip | Marker | More
Runs = tuple[Run, ...]


def spliced(template: str, ink: Ink = "ink1", weight: int = 400, **fields: Runs) -> Runs:
    """Return a translated template as runs, its `{name}` fields replaced by other runs."""
    runs: list[Run] = []
    for text, name, _spec, _conversion in Formatter().parse(template):
        if text:
            runs.append(Text(text, ink, weight))
        if name:
            runs.extend(fields[name])
    return tuple(runs)


def plain(runs: Runs, minus: str = "-") -> str:
    """Return runs as one line of plain text, as in `q_cat` and `e^-0.438`."""
    parts = []
    for run in runs:
        match run:
            case Text(text, place=Place.SUB):
                parts.append(f"_{text}")
            case Text(text, place=Place.SUPER):
                parts.append(f"^({text})" if " " in text else f"^{text}")
            case Text(text):
                parts.append(text)
            case Chip(text) | More(text):
                parts.append(f" {text} ")
    said = " ".join("".join(parts).replace(MINUS, minus).split())
    return said.replace(" ,", ",").replace("( ", "(")  # beside the margins of chips


def as_html(runs: Runs) -> str:
    """Return the texts among runs as HTML for a tooltip."""
    tags = {Place.LINE: "{}", Place.SUB: "<sub>{}</sub>", Place.SUPER: "<sup>{}</sup>"}
    texts = (run for run in runs if isinstance(run, Text))
    html = "".join(tags[run.place].format(html_escaped(run.text)) for run in texts)
    return f"<qt>{html}</qt>"
