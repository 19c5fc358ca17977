"""The groups of options, in the order in which they stand."""

from __future__ import annotations

from explorer.rooms.explore.options.biases import BiasGroup
from explorer.rooms.explore.options.context import ContextGroup
from explorer.rooms.explore.options.dimensions import DimensionsGroup
from explorer.rooms.explore.options.group import Group
from explorer.rooms.explore.options.heads import HeadsGroup
from explorer.rooms.explore.options.mask import MaskGroup
from explorer.rooms.explore.options.mistakes import MistakesGroup
from explorer.rooms.explore.options.position import PositionGroup
from explorer.rooms.explore.options.scale import ScaleGroup
from explorer.rooms.explore.options.sequences import SequencesGroup
from explorer.rooms.explore.options.story import StoryGroup
from explorer.rooms.explore.options.temperature import TemperatureGroup

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
    SequencesGroup,
    StoryGroup,
    MistakesGroup,
)
