"""The groups of options, in the order in which they stand."""

from __future__ import annotations

from explorer.views.options.biases import BiasGroup
from explorer.views.options.context import ContextGroup
from explorer.views.options.dimensions import DimensionsGroup
from explorer.views.options.group import Group
from explorer.views.options.heads import HeadsGroup
from explorer.views.options.mask import MaskGroup
from explorer.views.options.mistakes import MistakesGroup
from explorer.views.options.position import PositionGroup
from explorer.views.options.scale import ScaleGroup
from explorer.views.options.sequences import SequencesGroup
from explorer.views.options.story import StoryGroup
from explorer.views.options.temperature import TemperatureGroup

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
