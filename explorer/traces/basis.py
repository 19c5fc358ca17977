"""The basis of the word graph: one for a whole run, so that the axes stand still."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from explorer.attention import Projection, align, fit_projection
from explorer.attention.arrays import read_only
from explorer.text import N_, Problem
from explorer.traces.checks import BASIS
from explorer.traces.container import Entry
from explorer.traces.trace import BadStep, Trace, stored

MOST_STEPS = 256
_MOST_LIVE = 2**11  # rows of two steps, while a run is going on
_MOST_ROWS = 2**14  # so that a large vocabulary costs little memory too


def fit_basis(
    trace: Trace,
    previous: Projection | None = None,
    *,
    most_steps: int = MOST_STEPS,
    beside: Trace | None = None,
    live: bool = False,
) -> Projection:
    """Return the three axes that show most of how the words are placed over the whole run.

    Fitted to the rows of `param.embedding` at evenly spaced steps, the first and the last among
    them: at most `most_steps`, and fewer where the vocabulary is so large that these were over
    16,384 rows. Steps that hold no numbers are left out.

    Parameters
    ----------
    previous : Projection, optional
        An earlier basis of the run, which the axes are turned to lie closest to.
    most_steps : int
        Fewer take less time, while a run is going on.
    beside : Trace, optional
        Another run of the same words and width, which the axes are fitted to as well, to as many
        steps.
    live : bool
        Whether a run is going on: of a large vocabulary every so many words then, as the axes are
        fitted anew at its end.

    Raises
    ------
    Problem
        Where the embedding is not recorded, or no step of it can be read.
    """
    if "param.embedding" not in trace.names:
        raise Problem(
            N_("{file} does not hold param.embedding, so its words cannot be placed."),
            file=trace.title,
        )
    words = trace.entries["param.embedding"].shape[1]
    every = max(1, 2 * words // _MOST_LIVE) if live else 1
    rows = []
    for run in (trace,) if beside is None else (trace, beside):
        count = min(most_steps, run.recorded, max(2, _MOST_ROWS // words))
        for step in np.unique(np.linspace(0, run.recorded - 1, count).round().astype(int)):
            try:
                rows.append(run.array("param.embedding", int(step))[::every])
            except BadStep as problem:
                bad = problem
    if not rows:
        raise bad
    basis = fit_projection(np.concatenate(rows), n=3)
    return basis if previous is None else align(basis, previous)


def basis_type(basis: Projection) -> Literal["F32", "F64"]:
    """Return the type that a file keeps a basis in: F32, or F64 for numbers that are too large."""
    most = max(np.abs(part).max() for part in (basis.mean, basis.components, basis.explained))
    return "F32" if most <= np.finfo(np.float32).max else "F64"


def written_basis(basis: Projection) -> dict[str, tuple[Entry, bytes]]:
    """Return the arrays of a basis by their names in a file, and their bytes."""
    parts, dtype = (basis.mean, basis.components, basis.explained), basis_type(basis)
    return {
        name: (Entry(dtype, array.shape), stored(array, dtype).tobytes())
        for name, array in zip(BASIS, parts, strict=True)
    }


def as_kept(basis: Projection) -> Projection:
    """Return a basis with its numbers as a file keeps them, mostly F32.

    What is drawn in it is drawn in the very same places once the run is saved and opened again.
    """
    if basis_type(basis) == "F64":
        return basis
    parts = (basis.mean, basis.components, basis.explained)
    mean, components, explained = (
        read_only(part.astype(np.float32).astype(np.float64)) for part in parts
    )
    return replace(basis, mean=mean, components=components, explained=explained)
