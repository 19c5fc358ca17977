"""What a step can highlight: parts of the window by the names a lesson gives them."""

from __future__ import annotations

IN_EXPLORE = frozenset(
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
IN_TRAIN = frozenset(
    {"chain", "parameters", "graph", "spaces", "matrices", "sample", "heads", "next_word", "loss"}
)
PARTS = IN_EXPLORE | IN_TRAIN
