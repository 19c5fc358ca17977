"""The plane's value chips."""

from __future__ import annotations

import numpy as np

from explorer.kit.canvas.chip_placement import (
    ChipPlaces,
    chip_places,
    is_short,
    place_chips,
    still_fit,
)
from explorer.kit.canvas.drawing import Chip
from explorer.kit.canvas.placement import CHIP_STEPS, FREE, Surroundings
from explorer.kit.canvas.text import Word, word
from explorer.kit.plane.pairs import DrawnEdges
from explorer.kit.plane.setting import Pair, Setting, is_pair
from explorer.session import Edges
from explorer.text import decimal_places, display_number

# Sizes of the design in px at 100 %.
_TEXT, _HEIGHT, _PAD, _AIR = 17, 26.0, 9.0, 4.0

_ALL = 24  # edges; beyond, only pointed ones carry their value
_HEEDED = 64  # edges that a chip keeps clear of
_FROM = 0.7  # arrival of the edges; paler chips would hide names and show no number


def chips(
    setting: Setting, drawn: DrawnEdges, around: Surroundings
) -> tuple[list[Chip], dict[Pair, int | None]]:
    """Return the values upon or at their edges, and the number of each one's place.

    Settled ones stay where they still fit; the others choose, the selected one first. One that
    finds no good place is left out unless it is pointed at.
    """
    pointed = {thing.pair for thing in (setting.selection, setting.hover) if thing is not None}
    pairs = [(edge.query, edge.key) for edge in drawn.edges]
    order = sorted(range(len(pairs)), key=lambda n: not is_pair(setting.selection, pairs[n]))
    valued = order if len(pairs) <= _ALL else [n for n in order if pairs[n] in pointed]
    if not valued or setting.arrival < _FROM:
        return [], {}
    scale = setting.scale
    texts = [_chip_word(setting, pairs[n]) for n in valued]
    widths = np.array([text.width for text in texts]) + 2 * _PAD * scale
    tried = chip_places(
        drawn.dots[valued, : len(CHIP_STEPS)],
        drawn.at[valued],
        widths,
        _HEIGHT * scale,
        drawn.reach[valued] + _AIR * scale,
        scale,
    )
    heeded = [*valued, *(n for n in order if n not in valued)][:_HEEDED]
    around = around._replace(dots=drawn.dots[heeded], reach=drawn.reach[heeded])
    named = [pairs[n] for n in valued]
    short = is_short(drawn.dots[valued], widths)
    numbers = place_chips(
        tried,
        around,
        _settled(setting, named, pointed, tried, around),
        [bool(drawn.edges[n].radius) or tight for n, tight in zip(valued, short, strict=True)],
        [pair in pointed for pair in named],
    )
    result = [
        _chip(setting, pair, text, tried.of(n), number)
        for n, (pair, text, number) in enumerate(zip(named, texts, numbers, strict=True))
        if number is not None
    ]
    return result[::-1], dict(zip(named, numbers, strict=True))


def _settled(
    setting: Setting,
    pairs: list[Pair],
    pointed: set[Pair | None],
    tried: ChipPlaces,
    around: Surroundings,
) -> list[int | None]:
    """Return the places that are kept: all while something is hovered or moves by itself."""
    keep = [setting.keep.chips.get(pair, FREE) for pair in pairs]
    for n, pair in enumerate(pairs):
        if keep[n] is None and pair in pointed:
            keep[n] = FREE
    moves_alone = setting.hover is not None or setting.pose is not None
    return keep if moves_alone else still_fit(tried, around, keep)


def _chip_word(setting: Setting, pair: Pair) -> Word:
    value = float(setting.values[pair])
    least = 3 if setting.frame.look.edges is Edges.ATTENTION else 2
    text = display_number(value, decimal_places(value, most=3, least=least))
    weight = 600 if is_pair(setting.selection, pair) else 500
    return word(setting.theme, text, _TEXT, weight)


def _chip(setting: Setting, pair: Pair, text: Word, places: ChipPlaces, number: int) -> Chip:
    frame, theme = setting.frame, setting.theme
    if frame.look.edges is Edges.ATTENTION:
        colours, domain = theme.weights_map, frame.weight_domain
    else:
        colours, domain = theme.scores_map, frame.score_domain
    value, share = float(setting.values[pair]), setting.share(pair) * setting.arrival
    left, top, right, bottom = places.rects[number].tolist()
    return Chip(
        *pair,
        (left, top, right, bottom),
        text,
        setting.mixed(colours.fill(value, domain), share),
        setting.mixed(colours.text(value, domain), share),
        selected=is_pair(setting.selection, pair),
        hovered=is_pair(setting.hover, pair),
        leader=places.leader(number),
    )
