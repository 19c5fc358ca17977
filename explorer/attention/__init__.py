"""What attention is: the forward pass, one cell spelled out, and the plane it is drawn on.

Everything here is a pure function of numpy arrays in float64; results are frozen values whose
arrays are read-only.
"""

from explorer.attention.breakdown import Breakdown, OutputBreakdown, breakdown, breakdown_output
from explorer.attention.forward import Attention, attend, softmax
from explorer.attention.geometry import angle, convex_hull, distance, foot
from explorer.attention.projection import Projection, align, fit_projection

__all__ = [
    "Attention",
    "Breakdown",
    "OutputBreakdown",
    "Projection",
    "align",
    "angle",
    "attend",
    "breakdown",
    "breakdown_output",
    "convex_hull",
    "distance",
    "fit_projection",
    "foot",
    "softmax",
]
