"""A figure for a paper, as it is asked for: its size in print, its text and its colours."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from explorer.text import N_, Problem

COLOUR_BLIND, GREY = "colour-blind", "grey"
PALETTES = (COLOUR_BLIND, GREY)
FIGURES = (".pdf", ".svg", ".png")  # the ends of files' names
WIDTHS, SIZES = (20, 500), (4, 36)  # least and most: mm of a figure, points of its text


@dataclass(frozen=True)
class Figure:
    """How a figure is printed.

    Parameters
    ----------
    width_mm : float
        Of the whole figure.
    font_pt : float
        Of its ordinary text.
    palette : str
        One of `PALETTES`. The program's own colours of tokens are those of Okabe and Ito (2008),
        which are told apart in every kind of colour vision, and numbers go from white to indigo
        or amber.
    """

    width_mm: float = 85.0
    font_pt: float = 8.0
    palette: str = COLOUR_BLIND


def check_name(path: Path) -> None:
    """Raise Problem where no figure is written into a file of such a name."""
    if path.suffix.lower() not in FIGURES:
        raise Problem(
            N_("{path}: a figure's name ends in {suffixes}."),
            path=path,
            suffixes=", ".join(FIGURES),
        )
