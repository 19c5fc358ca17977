"""The bars of the next word: which words, how likely each is, in which colour."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from explorer.kit.theme import Theme, TokenColour
from explorer.kit.word_colours import word_colours
from explorer.session.train import TrainFrame
from explorer.text import displayable

_ALL = 12  # words of a vocabulary whose words are all shown
_MOST = 8  # words shown of a larger one, besides the target


@dataclass(frozen=True)
class Bar:
    """One word's bar.

    Parameters
    ----------
    word : int
        Its place in the vocabulary.
    name : str
        As it is shown.
    probability : float
    is_target : bool
    colour : TokenColour
    """

    word: int
    name: str
    probability: float
    is_target: bool
    colour: TokenColour


def bars(theme: Theme, frame: TrainFrame) -> tuple[Bar, ...]:
    """Return the bars at the cursor, the likeliest first; none where there are no probabilities.

    Of a vocabulary of more than twelve words the eight likeliest and the target. Raises Problem
    where the step cannot be read.
    """
    trace, values, sample = frame.trace, frame.values, frame.cursor.sample
    probabilities = None if values is None else values.probabilities
    if trace is None or probabilities is None:
        return ()
    share = probabilities[sample]
    order = np.argsort(-share, kind="stable")
    target = None if trace.targets is None else int(trace.targets[sample])
    shown = order.tolist()
    if len(shown) > _ALL:
        shown = shown[:_MOST]
        if target is not None and target not in shown:
            shown.append(target)
    colours, words = word_colours(theme, frame), frame.vocabulary
    return tuple(
        Bar(word, displayable(words[word]), float(share[word]), word == target, colours[word])
        for word in shown
    )
