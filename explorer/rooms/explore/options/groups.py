"""The groups of options, in the order in which they stand."""

from __future__ import annotations

from explorer.rooms.explore.options.entering_groups import NormGroup, RotaryGroup
from explorer.rooms.explore.options.group import Group
from explorer.rooms.explore.options.score_groups import (
    MaskGroup,
    MistakesGroup,
    ScaleGroup,
    StoryGroup,
    TemperatureGroup,
)
from explorer.rooms.explore.options.shape_groups import (
    BiasGroup,
    ContextGroup,
    DimensionsGroup,
    HeadsGroup,
    PositionGroup,
    SequencesGroup,
)

# A new group of options is one file and one line here, where it is to stand.
GROUPS: tuple[type[Group], ...] = (
    ScaleGroup,
    TemperatureGroup,
    MaskGroup,
    HeadsGroup,
    BiasGroup,
    DimensionsGroup,
    ContextGroup,
    PositionGroup,
    RotaryGroup,
    NormGroup,
    SequencesGroup,
    StoryGroup,
    MistakesGroup,
)
