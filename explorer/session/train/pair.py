"""Two runs side by side: one cursor, one hover, and axes in which their words can be compared."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from explorer.attention import Projection
from explorer.attention.arrays import read_only
from explorer.session.train.frame import Cursor, TrainFrame
from explorer.session.train.reading import looking, within
from explorer.text import N_, Problem
from explorer.traces import Trace, as_kept, fit_basis
from explorer.traces.basis import MOST_STEPS


def common_words(first: Trace, second: Trace) -> tuple[str, ...]:
    """Return the words that both runs know, in the first one's order."""
    known = set(second.run.vocabulary)
    return tuple(word for word in first.run.vocabulary if word in known)


def share_axes(first: Trace, second: Trace) -> bool:
    """Return whether the words of two runs are points of one space: the same words and widths."""
    name = "param.embedding"
    return (
        name in first.names
        and name in second.names
        and first.run.vocabulary == second.run.vocabulary
        and first.entries[name].shape[1:] == second.entries[name].shape[1:]
    )


def paired_axes(
    first: Trace, second: Trace, own: Projection | None, others: Projection | None
) -> tuple[Projection | None, Projection | None]:
    """Return the axes of the word graph for two runs that are compared.

    Where their words are points of one space, both have the same axes, fitted to both, turned to
    lie closest to those of the first alone. Else each keeps its own, the second's turned and moved
    so that the common words of the last steps lie closest to the first's (Kabsch 1976).

    Raises Problem where they have no word in common.
    """
    words = common_words(first, second)
    if not words:
        raise Problem(N_("The two runs have no word in common, so they cannot be compared."))
    if own is None or others is None:
        return own, others
    if share_axes(first, second):
        try:
            both = as_kept(fit_basis(first, own, most_steps=MOST_STEPS // 2, beside=second))
        except Problem:
            return own, others
        return both, both
    return own, _turned(first, second, own, others, words)


def _turned(
    first: Trace, second: Trace, own: Projection, others: Projection, words: tuple[str, ...]
) -> Projection:
    """Return the second's axes turned to the first's by their common words; see `paired_axes`."""
    try:
        ends = [
            basis.project(trace.array("param.embedding", trace.recorded - 1))[
                [trace.run.vocabulary.index(word) for word in words]
            ]
            for trace, basis in ((first, own), (second, others))
        ]
    except Problem:
        return others
    middles = [points.mean(axis=0) for points in ends]
    target, source = (points - middle for points, middle in zip(ends, middles, strict=True))
    left, _sizes, right = np.linalg.svd(source.T @ target)
    turn = (left @ right).T  # orthogonal, a reflection where that is closer
    components = turn @ others.components
    # (x − mean) componentsᵀ = turned point − turned middle + the first's middle
    mean = others.mean - (middles[0] - turn @ middles[1]) @ components
    return replace(
        others,
        mean=read_only(mean),
        components=read_only(components),
        explained=read_only(np.square(turn) @ others.explained),
    )


def same_sample(first: Trace, sample: int, second: Trace) -> int | None:
    """Return the second's sample with the same words and target; None where there is none."""
    wanted = first.words(sample), first.target(sample)
    for other in range(len(second.lengths)):
        if (second.words(other), second.target(other)) == wanted:
            return other
    return None


def beside(frame: TrainFrame, other: TrainFrame) -> TrainFrame:
    """Return the second run's frame as it is looked at beside the first: see `TrainFrame.other`."""
    first, second = frame.trace, other.trace
    assert first is not None
    assert second is not None
    step = max(0, int(np.searchsorted(other.recorded, frame.epoch, side="right")) - 1)
    sample = same_sample(first, frame.cursor.sample, second)
    wanted = Cursor(step, sample or 0, frame.cursor.layer, frame.cursor.head)
    cursor = within(wanted, second, len(other.recorded))
    after = frame.cursor.step + 1
    # On the way to the next step only where both go to the same epoch.
    moves = (
        after < len(frame.recorded)
        and step + 1 < len(other.recorded)
        and other.recorded[step + 1] == frame.recorded[after]
        and other.recorded[step] == frame.epoch
    )
    fresh = replace(
        other,
        look=frame.look,
        selection=None if sample is None else frame.selection,
        hover=None if sample is None else frame.hover,
        word=_word(frame, frame.word, second),
        hover_word=_word(frame, frame.hover_word, second),
        lacks_sample=sample is None,
    )
    playback = replace(frame.playback, between=frame.playback.between if moves else 0.0)
    return looking(fresh, other, cursor, playback)


def _word(frame: TrainFrame, word: int | None, second: Trace) -> int | None:
    """Return a word's place in the second's vocabulary; None where it has no such word."""
    if word is None:
        return None
    try:
        return second.run.vocabulary.index(frame.vocabulary[word])
    except ValueError:
        return None
