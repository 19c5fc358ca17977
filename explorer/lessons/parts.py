"""What a step can highlight: parts of the window by the names a lesson gives them."""

from __future__ import annotations

PARTS = frozenset(
    {
        "chain",
        "inputs",
        "X",
        "Wq",
        "Wk",
        "Wv",
        "Wo",
        "options",
        "plane",
        "compare",
        "sqrt_d",
        "heads",
        "scores",
        "weights",
        "outputs",
        "strip",
    }
)
