"""The sentences that the panel lists, and what the shown step predicts for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from explorer.session import Array
from explorer.session.train import TrainFrame
from explorer.text import _, display_number, displayable
from explorer.traces import Corpus, Trace

_LONGEST = 400  # of a sentence read aloud or shown in a tooltip, in characters


@dataclass(frozen=True, eq=False)
class CorpusRows:
    """Sentences as lines of words separated by spaces, untrusted plain text.

    Parameters
    ----------
    sentences : sequence of str
    samples : mapping of int to int
        The recorded sample of a row; rows without one were not recorded.
    targets : bool
        Whether the last word of a sentence is what the others predict.
    """

    sentences: Sequence[str] = ()
    samples: Mapping[int, int] = field(default_factory=dict)
    targets: bool = True

    @classmethod
    def of(cls, trace: Trace | None, corpus: Corpus | None) -> CorpusRows:
        """Return the sentences of a trace, or else those of the next run."""
        if trace is None:
            return cls(corpus.sentences if corpus is not None else ())
        if trace.run.corpus and trace.samples is not None:
            rows = {int(row): sample for sample, row in enumerate(trace.samples)}
            return cls(trace.run.corpus, rows)
        count = len(trace.lengths)
        words = [[*trace.words(sample), trace.target(sample)] for sample in range(count)]
        return cls(
            tuple(" ".join(word for word in line if word is not None) for line in words),
            {sample: sample for sample in range(count)},
            trace.targets is not None,
        )

    def words(self, row: int) -> tuple[list[str], str | None]:
        """Return a row's words and its target."""
        words = self.sentences[row].split()
        return (words[:-1], words[-1]) if self.targets else (words, None)

    def said(self, row: int) -> str:
        """Return a row's sentence on one line."""
        words, target = self.words(row)
        text = " ".join(words) if target is None else f"{' '.join(words)} → {target}"
        return displayable(text, _LONGEST)


@dataclass(frozen=True, eq=False)
class Predictions:
    """What a step predicts.

    target : (N,); the probability of each sample's target
    right : (N,) bool; whether it is the likeliest word
    """

    target: Array
    right: Array

    @classmethod
    def of(cls, frame: TrainFrame) -> Predictions | None:
        """Return the shown step's, or None where it holds no logits or no targets."""
        trace, values = frame.trace, frame.values
        if trace is None or values is None or trace.targets is None:
            return None
        probabilities = values.probabilities
        if probabilities is None:
            return None
        at = np.arange(len(trace.targets))
        return cls(probabilities[at, trace.targets], probabilities.argmax(axis=1) == trace.targets)

    def said(self, sample: int) -> str:
        """Return a sample's prediction in words."""
        text = _("probability of the target {p}").format(
            p=display_number(float(self.target[sample]), 2)
        )
        return f"{text}, {_('right')}" if self.right[sample] else text
