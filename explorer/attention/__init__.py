"""What attention is: the forward pass, one cell spelled out, and the plane it is drawn on.

Everything here is a pure function of numpy arrays in float64; results are frozen values whose
arrays are read-only.
"""

from explorer.attention.breakdown import (
    Breakdown,
    OutputBreakdown,
    breakdown,
    breakdown_output,
    row_exponentials,
)
from explorer.attention.entering import PAIRINGS, ROPE_TYPES, QKNorm, Rotary, sinusoidal
from explorer.attention.field import field
from explorer.attention.forward import attend, softmax
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
from explorer.attention.max_pool import max_pooled
from explorer.attention.projection import Projection, align, fit_projection
from explorer.attention.result import Attention, HeadTables, LargeAttention
from explorer.attention.scaling import (
    ROWS,
    WIDEST,
    Histogram,
    ScaledRow,
    ScalingDemo,
    entropy,
    gradient_size,
    histogram,
    random_trial,
    scene_trial,
)
from explorer.attention.unmask import Finding, unmask
from explorer.attention.variants import MISTAKES, VARIANT_TITLES, Variant, row_from, source_of_row

__all__ = [
    "Aim",
    "Attention",
    "Breakdown",
    "Finding",
    "HeadTables",
    "Histogram",
    "LargeAttention",
    "MISTAKES",
    "Moves",
    "OutputBreakdown",
    "PAIRINGS",
    "Projection",
    "Pull",
    "QKNorm",
    "ROPE_TYPES",
    "ROWS",
    "Reason",
    "Rotary",
    "ScaledRow",
    "ScalingDemo",
    "Unreachable",
    "VARIANT_TITLES",
    "Variant",
    "WIDEST",
    "aim_score",
    "aim_weight",
    "align",
    "angle",
    "attend",
    "breakdown",
    "breakdown_output",
    "row_exponentials",
    "convex_hull",
    "distance",
    "entropy",
    "field",
    "fit_projection",
    "foot",
    "gradient_size",
    "histogram",
    "max_pooled",
    "pull",
    "random_trial",
    "row_from",
    "scene_trial",
    "sinusoidal",
    "softmax",
    "source_of_row",
    "unmask",
]
