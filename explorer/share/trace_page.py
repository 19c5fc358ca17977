"""A recorded run as a page that plays it: word graph, heads, loss, next words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np

from explorer.session.train import Cursor
from explorer.session.train.reading import fitted_basis, read, scalars_of
from explorer.share.page import page
from explorer.text import N_, Message, Problem, _, language, languages, use_language
from explorer.traces import Trace

MOST_BYTES = 2_000_000
SCRIPTS = ("attend.js", "plane.js", "scene.js", "trace.js")
_MOST_SAMPLES = 6
_MOST_LOSSES = 400  # points of the curve
_NEXT = 5  # words
_BYTES = 3.2  # of a number, roughly: thousandths and a comma
_COARSER = N_("{steps} of {all_steps} recorded steps and {samples} of {all_samples} sentences.")


def trace_page(
    trace: Trace, title: str, told: Callable[[float], None] = lambda _share: None
) -> bytes:
    """Return the page of a trace, at most 2 MB; where that is less than all, it says so.

    Weights, places and chances are rounded to thousandths.

    told : is told now and then what share is done; what it raises ends the work

    Raises Problem where the trace holds no
    weights, or where two steps of one sentence are more than a page can hold.
    """
    if "weights" not in trace.names or not trace.recorded:
        raise Problem(N_("{file} holds no weights to be shown."), file=trace.title)
    samples = min(len(trace.lengths), _MOST_SAMPLES)
    basis = fitted_basis(trace, None)
    layers, heads = trace.sizes.get("L", 1), trace.sizes.get("H", 1)
    while True:
        cells = int(np.square(trace.lengths[:samples]).sum()) * layers * heads
        room = MOST_BYTES * 0.9 / (_BYTES * (cells + 2 * len(trace.run.vocabulary)))
        if room >= min(10, trace.recorded) or samples == 1:
            break
        samples -= 1
    steps = min(trace.recorded, int(room))
    while steps >= min(2, trace.recorded):
        chosen = np.unique(np.linspace(0, trace.recorded - 1, steps).round().astype(int))
        made = _page(trace, title, chosen.tolist(), samples, basis, told)
        if len(made) <= MOST_BYTES:
            return made
        steps = int(steps * 0.9)
    raise Problem(
        N_("{file} is too large for a page: even two steps are more than {most} MB."),
        file=trace.title,
        most=MOST_BYTES // 10**6,
    )


def _page(
    trace: Trace,
    title: str,
    steps: list[int],
    samples: int,
    basis: Any,
    told_share: Callable[[float], None],
) -> bytes:
    lengths = trace.lengths.tolist()
    weights, points, following = [], [], []
    layers = trace.sizes.get("L", 1)
    for place, step in enumerate(steps):
        told_share(place / len(steps))
        values = [read(trace, Cursor(step=step, layer=layer), basis) for layer in range(layers)]
        weights.append(
            [
                np.concatenate(
                    [
                        each.weights[sample, :, : lengths[sample], : lengths[sample]].ravel()
                        for each in values
                    ]
                )
                for sample in range(samples)
            ]
        )
        if values[0].points is not None:
            points.append(_thousandths(values[0].points[:, :2]))
        if values[0].probabilities is not None:
            following.append([_likeliest(values[0].probabilities[i]) for i in range(samples)])
    coarser = len(steps) < trace.recorded or samples < len(lengths)
    said = Message(
        _COARSER,
        {
            "steps": len(steps),
            "all_steps": trace.recorded,
            "samples": samples,
            "all_samples": len(lengths),
        },
    )
    targets = trace.targets
    told = {
        "epochs": [int(trace.epochs[step]) for step in steps],
        "loss": list(_losses(trace)),
        "vocabulary": list(trace.run.vocabulary),
        "samples": [
            {
                "words": list(trace.words(sample)),
                "ids": trace.tokens[sample, : lengths[sample]].tolist(),
                "target": None if targets is None else int(targets[sample]),
            }
            for sample in range(samples)
        ],
        "layers": layers,
        "heads": trace.sizes.get("H", 1),
        "weights": [[_thousandths(each) for each in step] for step in weights],
        "points": points or None,
        "next": following or None,
        "note": coarser,
    }
    data = {"trace": told, "notes": _in_all_languages(said)}
    return page(title, _still(title, said if coarser else None), data, SCRIPTS, "tracePage")


def _thousandths(values: Any) -> Any:
    return np.rint(np.asarray(values, np.float64) * 1000).astype(int).tolist()


def _likeliest(shares: Any) -> list[list[int]]:
    best = np.argsort(-shares, kind="stable")[:_NEXT]
    return [[int(word), round(float(shares[word]) * 1000)] for word in best]


def _losses(trace: Trace) -> Iterator[list[float]]:
    """Yield epoch and loss, at most so many, those of the ends among them."""
    scalars = scalars_of(trace)
    known = np.flatnonzero(np.isfinite(scalars.loss)) if len(scalars.epochs) else np.array([], int)
    if len(known) > _MOST_LOSSES:
        known = known[np.linspace(0, len(known) - 1, _MOST_LOSSES).round().astype(int)]
    for at in known.tolist():
        yield [int(scalars.epochs[at]), float(f"{scalars.loss[at]:.6g}")]


def _in_all_languages(said: Message) -> dict[str, str]:
    before, told = language(), {}
    try:
        for code in languages():
            use_language(code)
            told[code] = str(said)
    finally:
        use_language(before)
    return told


def _still(title: str, said: Message | None) -> list[ET.Element]:
    """Return what is seen where no script runs."""
    top = ET.Element("header")
    ET.SubElement(top, "h1").text = title
    body = ET.Element("section", {"class": "still"})
    ET.SubElement(body, "p").text = _("This page plays a run: it needs a browser with JavaScript.")
    if said is not None:
        ET.SubElement(body, "p").text = str(said)
    return [top, body]
