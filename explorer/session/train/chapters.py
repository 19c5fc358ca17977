"""The chapters of a run: epochs at which something happens that a rule finds in its numbers."""

from __future__ import annotations

import numpy as np

from explorer.session.scene import Array
from explorer.session.train.frame import Chapter, Scalars
from explorer.session.train.runs import all_right_from
from explorer.text import N_, Message, Problem
from explorer.traces import Trace

MOST = 6  # chapters of a run
TURNED = 0.5  # a head's mean weight on a word from which on it has turned to it
EARLY = 5  # epochs in which the fastest fall is not looked for: every run falls there
FORMED = 0.4  # a score on repeated random tokens from which on a head counts as formed
_SCORES = (
    (
        "repeats.previous",
        N_("a previous-token head"),
        N_(
            "The previous-token score of layer {layer} head {head} passes 0.4"
            " and stays above: {score}"
        ),
    ),
    (
        "repeats.induction",
        N_("an induction head"),
        N_("The induction score of layer {layer} head {head} passes 0.4 and stays above: {score}"),
    ),
)
_LEVELS = (0.1, 0.01)  # of the loss
_MOST_STEPS = 256  # at which weights are looked at
_MOST_BYTES = 2**18  # of a step's weights; of larger ones heads have no chapters


def chapters_of(trace: Trace, scalars: Scalars, *, heads: bool = True) -> tuple[Chapter, ...]:
    """Return at most six chapters, the most telling kinds first.

    heads : whether weights are read too, which takes longer than losses
    """
    found = [*_fork(trace), *_all_right(trace, scalars)]
    if heads:
        found += [*_formed(trace), *_turns(trace)]
    found += [*_fall(scalars), *_levels(scalars), *_diverged(scalars)]
    return tuple(found[:MOST])


def _fork(trace: Trace) -> list[Chapter]:
    fork = trace.run.fork
    if fork is None:
        return []
    rule = Message(N_("Continues another run from epoch {epoch}"), {"epoch": fork.epoch})
    return [Chapter(fork.epoch, Message(N_("fork")), rule)]


def _all_right(trace: Trace, scalars: Scalars) -> list[Chapter]:
    epoch = all_right_from(scalars.epochs, scalars.accuracy)
    # What was right when a fork began is its parent's chapter.
    if epoch is None or (trace.run.fork is not None and epoch == trace.run.fork.epoch):
        return []
    rule = Message(N_("From epoch {epoch} on every prediction is correct"), {"epoch": epoch})
    return [Chapter(epoch, Message(N_("all correct")), rule)]


def _formed(trace: Trace) -> list[Chapter]:
    """Return where a head's published score passes .4 for good, the first head of each kind."""
    found = []
    steps = _looked_at(trace)
    for name, said, rule in _SCORES:
        if name not in trace.names or len(steps) < 2:
            continue
        try:
            scores = np.stack([trace.array(name, step) for step in steps.tolist()])
        except Problem:
            continue
        below = scores < FORMED  # (steps, L, H)
        last = len(steps) - 1 - below[::-1].argmax(axis=0)
        first = np.where(below.any(axis=0), last + 1, 0)
        place = int(first.argmin())
        step = int(first.flat[place])
        if not 0 < step < len(steps):
            continue
        layer, head = np.unravel_index(place, first.shape)
        numbers = {
            "layer": int(layer) + 1,
            "head": int(head) + 1,
            "score": f"{scores[step, layer, head]:.2f}",
        }
        epoch = int(trace.epochs[steps[step]])
        found.append(Chapter(epoch, Message(said), Message(rule, numbers)))
    return found


def _looked_at(trace: Trace) -> Array:
    """Return the steps at which heads are looked at."""
    steps = np.linspace(0, trace.recorded - 1, min(trace.recorded, _MOST_STEPS))
    return np.unique(steps.round().astype(int))


def _turns(trace: Trace) -> list[Chapter]:
    """Return where a head's mean weight from the last word passes .5 for good, for a word."""
    entry = trace.entries.get("weights")
    if entry is None or trace.recorded < 2 or entry.nbytes // entry.shape[0] > _MOST_BYTES:
        return []
    steps = _looked_at(trace)
    last = trace.lengths - 1
    words = int(trace.lengths.min())
    means = []
    try:
        for step in steps.tolist():
            weights = trace.array("weights", step)  # (N, L, H, T, T)
            rows = weights[np.arange(len(last)), :, :, last]  # (N, L, H, T)
            means.append(rows[..., :words].mean(axis=0))
    except Problem:
        return []
    above = np.stack(means) > TURNED  # (steps, L, H, words)
    found = []
    for layer, head, word in np.argwhere(above[-1]).tolist():
        below = np.flatnonzero(~above[:, layer, head, word])
        if not len(below):
            continue
        step = int(steps[below[-1] + 1])
        weight = float(means[int(below[-1]) + 1][layer, head, word])
        numbers = {"layer": layer + 1, "head": head + 1, "word": word + 1}
        said = N_("head {head} turns to word {word}")
        if word == 0:
            said = N_("head {head} turns to the first word")
        if trace.sizes.get("L", 1) > 1:
            said = N_("layer {layer} head {head} turns to word {word}")
        epoch = int(trace.epochs[step])
        rule = Message(
            N_("The last word's mean weight on it passes 0.5 and stays above: {weight}"),
            {"weight": f"{weight:.2f}"},
        )
        found.append(Chapter(epoch, Message(said, numbers), rule))
    return found


def _fall(scalars: Scalars) -> list[Chapter]:
    """Return where ln loss drops most from one epoch to the next, unless that is early."""
    loss = scalars.loss[: len(scalars.epochs)]
    fine = np.isfinite(loss) & (loss > 0)
    if fine.sum() < 2:
        return []
    epochs, logs = scalars.epochs[fine], np.log(loss[fine])
    drops = -np.diff(logs)
    most = int(drops.argmax())
    epoch = int(epochs[most + 1])
    if drops[most] <= 0 or epoch - int(epochs[0]) <= EARLY:
        return []
    share = f"{1 - np.exp(-drops[most]):.1%}".replace("%", "\u2009%")
    rule = Message(
        N_("The loss falls by {share} in one epoch, more than in any other"), {"share": share}
    )
    return [Chapter(epoch, Message(N_("fastest fall")), rule)]


def _levels(scalars: Scalars) -> list[Chapter]:
    found = []
    for level in _LEVELS:
        below = np.flatnonzero(scalars.loss[: len(scalars.epochs)] < level)
        if len(below) and below[0] > 0:
            numbers = {"level": f"{level:g}", "loss": f"{scalars.loss[below[0]]:.4f}"}
            rule = Message(N_("The first loss under {level}: {loss}"), numbers)
            said = Message(N_("loss under {level}"), numbers)
            found.append(Chapter(int(scalars.epochs[below[0]]), said, rule))
    return found


def _diverged(scalars: Scalars) -> list[Chapter]:
    loss: Array = scalars.loss[: len(scalars.epochs)]
    broken = np.flatnonzero(~np.isfinite(loss))
    if not len(broken) or len(broken) == len(loss):
        return []
    epoch = int(scalars.epochs[broken[0]])
    rule = Message(N_("The loss is not a number from epoch {epoch} on"), {"epoch": epoch})
    return [Chapter(epoch, Message(N_("diverged")), rule)]
