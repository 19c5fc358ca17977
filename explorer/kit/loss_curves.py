"""Loss and accuracy over the epochs as lines on the screen, and round numbers for their axes."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, field, replace

import numpy as np

from explorer.session import Array
from explorer.session.train import Scalars, TrainFrame
from explorer.text import _, display_number, joined

_NOTHING = np.zeros(0)
_LARGEST = 1e300  # of a loss, so that the height of the axis is a number


@dataclass(frozen=True)
class EpochAxis:
    """Where the curves are: px of the chart, and the epochs at its left and right."""

    left: float
    top: float
    right: float
    bottom: float
    first: float
    last: float

    def x(self, epoch: float) -> float:
        """Return the place of an epoch."""
        share = (epoch - self.first) / max(self.last - self.first, 1)
        return self.left + (self.right - self.left) * share

    def xs(self, epochs: Array) -> Array:
        """Return the places of many epochs."""
        share = (epochs - self.first) / max(self.last - self.first, 1)
        return self.left + (self.right - self.left) * share

    def epoch(self, x: float) -> float:
        """Return the epoch at a place, within the axis."""
        share = (x - self.left) / max(self.right - self.left, 1.0)
        return self.first + min(max(share, 0.0), 1.0) * (self.last - self.first)

    def holds(self, epoch: float) -> bool:
        """Return whether an epoch is visible."""
        return self.first <= epoch <= self.last

    def y(self, height: float) -> float:
        """Return the place of a height from 0, at the bottom, to 1."""
        return self.bottom - (self.bottom - self.top) * height


@dataclass(frozen=True, eq=False)
class Curves:
    """What is known of each epoch, and the axis of the loss.

    epochs : (C,)
    loss : (F,); up to the first that is no number
    accuracy : (A,); likewise
    broken : the epoch at which the loss is no number, or None
    low, high : the loss at the bottom and at the top
    log : whether the axis of the loss is logarithmic
    """

    epochs: Array = field(default_factory=lambda: _NOTHING)
    loss: Array = field(default_factory=lambda: _NOTHING)
    accuracy: Array = field(default_factory=lambda: _NOTHING)
    broken: float | None = None
    low: float = 0.0
    high: float = 1.0
    log: bool = False

    @classmethod
    def of(cls, scalars: Scalars, log: bool = False) -> Curves:
        """Return the curves of what was recorded of each epoch."""
        epochs = scalars.epochs
        if not np.isfinite(epochs).all() or (np.diff(epochs, prepend=-1.0) <= 0).any():
            return cls()  # no axis to draw them over
        loss, accuracy = (_finite(part[: len(epochs)]) for part in (scalars.loss, scalars.accuracy))
        loss = np.clip(loss, -_LARGEST, _LARGEST)
        broken = len(loss) < min(len(scalars.loss), len(epochs))
        largest = float(loss.max(initial=0.0))
        smallest = float(loss.min(initial=0.0))
        end = float(epochs[len(loss)]) if broken else None
        positive = loss[loss > 0]
        if log and len(positive):
            low, high = np.log10(positive.min()), np.log10(positive.max())
            low, high = math.floor(low), max(math.ceil(high), math.floor(low) + 1)
            ends = max(10.0**low, sys.float_info.min), min(10.0**high, _LARGEST)
            return cls(epochs, loss, accuracy, end, *ends, log=True)
        return cls(
            epochs,
            loss,
            accuracy,
            end,
            -rounded_up(-smallest) if smallest < 0 else 0.0,
            rounded_up(largest) if largest > 0 else 1.0,
        )

    @property
    def end(self) -> float | None:
        """The last epoch with a value, or None."""
        return float(self.epochs[-1]) if len(self.epochs) else None

    def loss_at(self, epoch: float) -> float | None:
        """Return the loss at an epoch, or on the way between two; None where there is none."""
        return _at(self.epochs, self.loss, epoch)

    def accuracy_at(self, epoch: float) -> float | None:
        """Return the accuracy likewise."""
        return _at(self.epochs, self.accuracy, epoch)

    def heights(self, loss: Array | float) -> Array:
        """Return how high losses stand, from 0 to 1; on a logarithmic axis 0 stands at the foot."""
        if not self.log:
            return (np.asarray(loss) - self.low) / (self.high - self.low)
        least, most = np.log10((self.low, self.high))
        return (np.log10(np.clip(loss, self.low, self.high)) - least) / (most - least)

    def said(self, epoch: float) -> str:
        """Return the values at an epoch in words, such as "epoch 30, loss 0.78"."""
        parts = [_("epoch {epoch}").format(epoch=round(epoch))]
        loss, accuracy = self.loss_at(epoch), self.accuracy_at(epoch)
        if loss is not None:
            parts.append(_("loss {loss}").format(loss=display_number(loss, 2)))
        elif self.broken is not None and epoch >= self.broken:
            parts.append(_("loss is not a number"))
        if accuracy is not None:
            parts.append(accuracy_text(accuracy))
        return joined(parts)


def curves_of(frame: TrainFrame, before: tuple[Scalars, Curves] | None) -> tuple[Scalars, Curves]:
    """Return the frame's scalars and their curves, those from before where nothing changed."""
    if before is not None and before[0] is frame.scalars:
        return before
    return frame.scalars, curves_for(frame, False)


def seen_until(frame: TrainFrame) -> float | None:
    """Return the epoch up to which a frame's curves are seen; None where that is the last."""
    return frame.epoch if frame.look.veiled else None


def seen_scalars(frame: TrainFrame, until: float | None = None) -> Scalars:
    """Return what may be seen of each epoch: up to one while a lesson asks what comes after it."""
    scalars = frame.scalars
    if until is None:
        return scalars
    seen = int(np.searchsorted(scalars.epochs, until, side="right"))
    return replace(scalars, loss=scalars.loss[:seen], accuracy=scalars.accuracy[:seen])


def curves_for(frame: TrainFrame, log: bool, until: float | None = None) -> Curves:
    """Return the curves of a frame's own run, at most up to an epoch."""
    scalars = seen_scalars(frame, until)
    if frame.trace is not None and np.isnan(scalars.loss).all():
        # Not recorded at all is something else than diverged from the start.
        known = "scalar.loss" in frame.trace.names
        scalars = scalars if known else replace(scalars, loss=_NOTHING)
    return Curves.of(scalars, log)


def paired(first: Curves, second: Curves) -> tuple[Curves, Curves]:
    """Return the losses of two runs over one axis, without their accuracies."""
    # A run without a loss so far has no logarithmic axis of its own.
    known = [each for each in (first, second) if each.log] or [first, second]
    low, high = min(each.low for each in known), max(each.high for each in known)
    a, b = (
        replace(each, accuracy=_NOTHING, low=low, high=high, log=known[0].log)
        for each in (first, second)
    )
    return a, b


def accuracy_text(accuracy: float) -> str:
    """Return an accuracy in words, such as "accuracy 83%"."""
    return _("accuracy {percent}%").format(percent=f"{100 * accuracy:.0f}")


def _finite(values: Array) -> Array:
    fine = np.isfinite(values)
    return values if fine.all() else values[: int(np.argmin(fine))]


def _at(epochs: Array, values: Array, epoch: float) -> float | None:
    if not len(values) or not epochs[0] <= epoch <= epochs[len(values) - 1]:
        return None
    return float(np.interp(epoch, epochs[: len(values)], values))


_ROUND = (1, 2, 5, 10)
_LEAST = 1e-300  # below, powers of ten lose their digits


def rounded_up(value: float) -> float:
    """Return the least half of a power of ten, times a whole number, that is not below `value`.

    3.4 gives 3.5, 12 gives 15. `value` is positive and finite.
    """
    half = 10.0 ** math.floor(math.log10(max(value, _LEAST))) / 2
    return min(float(f"{math.ceil(value / half * (1 - 1e-12)) * half:.6g}"), sys.float_info.max)


def label_epochs(last: int, most: int, first: float = 0.0) -> list[int]:
    """Return at most `most` (2 at the least) round epochs from the first to the last.

    Both ends are among them where the first is 0.
    """
    if last <= 0:
        return [0]
    step = 1
    while (last - first) / step > max(most - 1, 1):
        power = 10 ** (len(str(step)) - 1)
        step = next(r * power for r in _ROUND if r * power > step)
    epochs = list(range(math.ceil(first / step) * step, last + (first > 0), step))
    if first > 0:
        return epochs
    if last - epochs[-1] < 0.6 * step and len(epochs) > 1:
        epochs.pop()  # its label would run into the last one's
    return [*epochs, last]


def thinned(places: Array, gap: float) -> Array:
    """Return every n-th place, n the least that keeps them `gap` apart. Places ascend evenly."""
    if len(places) < 2:
        return places
    apart = (places[-1] - places[0]) / (len(places) - 1)
    return places if apart >= gap else places[:: math.ceil(gap / max(apart, 1e-9))]


def nearest(sorted_values: Array, value: float) -> int:
    """Return the index of the entry nearest to `value`; there is one at the least."""
    after = int(np.searchsorted(sorted_values, value))
    if after == 0:
        return 0
    if after == len(sorted_values):
        return after - 1
    before, behind = sorted_values[after - 1], sorted_values[after]
    return after - 1 if value - before <= behind - value else after
