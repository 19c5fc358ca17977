"""The responsive layout: which panels are collapsed at a window size, as a pure function."""

from __future__ import annotations

from dataclasses import dataclass

LEAST_WIDTH, LEAST_HEIGHT = 960, 640  # of the window, px at 100 %


@dataclass(frozen=True)
class Arrangement:
    """Which parts of the window are folded; widths are px on the screen.

    Parameters
    ----------
    left, right : int
        Widths of the side panels; the left one's is the same when it lies over the picture.
    rail : int
        Width of the rail that stands in for the left panel, 0 where the panel is shown.
    compact_chain, compact_strip, compact_rows, compact_parameters, tabbed_results : bool
        Chips without words; the strip without "Adds to"; lower rows; lower rows of Train's
        parameters; S, A, O as tabs.
    """

    left: int
    right: int
    rail: int
    compact_chain: bool
    compact_strip: bool
    compact_rows: bool
    compact_parameters: bool
    tabbed_results: bool


def by_turns(room: int, right: int, least: int) -> bool:
    """Return whether picture and tables are shown by turns, for want of room for both.

    Parameters
    ----------
    room : int
        What a panel that stays on the left leaves of the window's width, px on the screen.
    right : int
        The width of the right panel.
    least : int
        How narrow the picture may be.
    """
    return room - right < least


def arrange(width: int, height: int, percent: int) -> Arrangement:
    """Return the arrangement of a window of this size at this text scale.

    The thresholds are the design's and count in px at 100 %: text twice as large makes the same
    window half as wide. The left goes first, then the results; the picture keeps its place.
    """
    scale = percent / 100
    wide, high = width / scale, height / scale
    narrow = wide < 1100
    right = 300 if wide < 1000 else 332 if narrow else 348
    return Arrangement(
        left=round(256 * scale),
        right=round(right * scale),
        rail=round(44 * scale) if narrow else 0,
        compact_chain=wide <= 1280,  # at 1280 words would cut what stands over the arrows
        compact_strip=narrow,
        compact_rows=high < 800,
        compact_parameters=high < 1000,  # else hardly a sentence of a corpus is seen below them
        tabbed_results=wide < 1000,
    )
