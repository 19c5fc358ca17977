"""The colours of a run's words: the same in every view of Train."""

from __future__ import annotations

from explorer.kit.theme import SLOTS, Theme, TokenColour
from explorer.session.train import TrainFrame

# The words of the default corpus, as drawn in the design.
_AS_DRAWN = {
    "cat": 0,
    "likes": 1,
    "fish": 2,
    "eats": 3,
    "dog": 4,
    "bird": 5,
    "worm": 6,
    "bone": 7,
}


def word_colours(theme: Theme, frame: TrainFrame) -> list[TokenColour]:
    """Return the colour of each word of the shown vocabulary.

    Up to eight words each keep a slot of their own, in the vocabulary's order (those of the default
    corpus as drawn). Beyond, the chosen sample's words, its target and the selected word take slots
    in this order and the rest stay neutral.
    """
    vocabulary = frame.vocabulary
    if len(vocabulary) <= SLOTS:
        places = [_AS_DRAWN.get(word) for word in vocabulary]
        return [
            theme.slot(number if place is None or None in places else place)
            for number, place in enumerate(places)
        ]
    colours = [theme.neutral_token] * len(vocabulary)
    for slot, word in enumerate(_coloured(frame)[:SLOTS]):
        colours[word] = theme.slot(slot)
    return colours


def _coloured(frame: TrainFrame) -> list[int]:
    """Return the words that take a slot where there are more words than slots."""
    trace, sample = frame.trace, frame.cursor.sample
    if trace is None:
        return []
    words = trace.tokens[sample, : trace.lengths[sample]].tolist()
    if trace.targets is not None:
        words.append(int(trace.targets[sample]))
    if frame.word is not None:
        words.append(frame.word)
    return list(dict.fromkeys(words))
