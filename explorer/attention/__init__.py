"""What attention is: the forward pass, one cell spelled out, and the plane it is drawn on.

Everything here is a pure function of numpy arrays in float64; results are frozen values whose
arrays are read-only.
"""

from explorer.attention.breakdown import Breakdown, OutputBreakdown, breakdown, breakdown_output
from explorer.attention.field import field
from explorer.attention.forward import Attention, attend, softmax
from explorer.attention.geometry import angle, convex_hull, distance, foot
from explorer.attention.inverse import (
    Aim,
    Moves,
    Pull,
    Reason,
    Unreachable,
    aim_score,
    aim_weight,
    pull,
)
from explorer.attention.positions import sinusoidal
from explorer.attention.projection import Projection, align, fit_projection
from explorer.attention.unmask import Finding, unmask
from explorer.attention.variants import MISTAKES, VARIANT_TITLES, Variant, source_of_row

__all__ = [
    "Aim",
    "Attention",
    "Breakdown",
    "Finding",
    "MISTAKES",
    "Moves",
    "OutputBreakdown",
    "Projection",
    "Pull",
    "Reason",
    "Unreachable",
    "VARIANT_TITLES",
    "Variant",
    "aim_score",
    "aim_weight",
    "align",
    "angle",
    "attend",
    "breakdown",
    "breakdown_output",
    "convex_hull",
    "distance",
    "field",
    "fit_projection",
    "foot",
    "pull",
    "sinusoidal",
    "softmax",
    "source_of_row",
    "unmask",
]
