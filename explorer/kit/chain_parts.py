"""What a chain shows, as values: stations, and arrows between them with captions."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from explorer.kit.stage_chip import WORDS, ChainLink
from explorer.kit.text_runs import Runs, Text
from explorer.session import CHAIN, Stage
from explorer.text import _


@dataclass(frozen=True)
class Arrow:
    """An arrow from the chip at place `start` to the next; other chips stand close together.

    Parameters
    ----------
    start : int
    caption : tuple of Run
        Cut where there is no room for it.
    short : tuple of Run
        Instead of a cut caption; room is kept for it. Without it nothing is kept.
    """

    start: int
    caption: Runs
    short: Runs = ()


@dataclass(frozen=True)
class Chain:
    """What a chain shows.

    Parameters
    ----------
    stations : tuple of ChainLink
    arrows : tuple of Arrow
        From left to right.
    active : Stage
        Its chip is filled.
    inputs : tuple of Stage
        Their chips are outlined.
    ahead : tuple of Stage
        Their chips are faint: a lesson has not come to them yet.
    """

    stations: tuple[ChainLink, ...]
    arrows: tuple[Arrow, ...]
    active: Stage
    inputs: tuple[Stage, ...]
    ahead: tuple[Stage, ...] = ()


def stage_station(
    stage: Stage, shape: tuple[int, ...] | None, tip: str = "", word: str = ""
) -> ChainLink:
    """Return a stage of attention as a station; `tip` says more than its name, in plain text."""
    station = ChainLink(stage, stage.value, word or _(WORDS[stage]), shape)
    told = station.name
    if stage in CHAIN:
        key = CHAIN.index(stage) + 1
        told = _("{name} (key {key})").format(name=station.name, key=key)
    if tip:
        told += f"\n{tip}"
    return replace(station, tip=told)


def said(text: str, ink: str = "ink3") -> Runs:
    """Return a caption of plain text, which is cut between its words."""
    return tuple(Text(part, ink) for part in re.findall(r"\s*\S+\s*$|\s*\S+|\s+", text))
