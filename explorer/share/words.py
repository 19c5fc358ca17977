"""What the scripts of shared pages say: marked here, where the catalogues find it."""

from __future__ import annotations

from explorer.text import N_

WORDS = (
    N_("Arrow keys move it."),
    N_("Attention"),
    N_("Drag a token; click a cell."),
    N_("Head"),
    N_("Light or dark"),
    N_("Made with Attention Explorer; computed in this page."),
    N_("Matrices"),
    N_("Plane of the tokens"),
    N_("Sequence"),
    N_("Stage"),
    N_("Start over"),
    N_("The plane shows {percent} % of the variance."),
    N_("Type a number, for example 0.5"),
    N_("adds to"),
    N_("attention"),
    N_("attention, each row sums to 1"),
    N_("column {n}"),
    N_("head {n}"),
    N_("heads side by side"),
    N_("keys"),
    N_("masked: the weight is 0"),
    N_("of the context"),
    N_("one row for each token"),
    N_("output"),
    N_("output after Wo"),
    N_("output of the head"),
    N_("position, added to X"),
    N_("queries"),
    N_("queries, keys, values"),
    N_("row {n}"),
    N_("scores"),
    N_("scores, scaled"),
    N_("the selected weight, step by step"),
    N_("tokens"),
    N_("values"),
)
