"""Which token goes by which of the eight colours."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from explorer.attention import Attention, LargeAttention
from explorer.session.frame import Frame
from explorer.session.look import Look
from explorer.session.scene import Scene

COLOURS = 8  # tokens with a colour of their own
CHOSEN = 6  # of more tokens those that get one unasked: the selected ones take what is left
UNPINNED = -1

# Words of the opening scene and of the default corpus, as drawn in the design: each has one colour
# in every scene and run, also where a lesson goes from one to another.
AS_DRAWN = {
    "cat": 0,
    "likes": 1,
    "fish": 2,
    "cloud": 3,
    "eats": 3,
    "dog": 4,
    "bird": 5,
    "worm": 6,
    "bone": 7,
}


def slots_of(
    scene: Scene, look: Look, attention: Attention, previous: Frame | None
) -> tuple[int, ...]:
    """Return the colour of each token, the queries' before those of a context; −1 for none.

    Up to eight tokens each have one: words as drawn in the design theirs, others in their order. Of
    more tokens those have one that the look pins, or else those with the largest weights. A token
    that had a colour in the frame before keeps it.
    """
    count = len(scene.tokens) + (0 if scene.context is None else len(scene.context.tokens))
    kept = _kept(scene, count, previous)
    if count <= COLOURS:
        return slots_of_few([name for _asks, name in _named_tokens(scene)], kept)
    renamed = previous is not None and previous.scene.tokens != scene.tokens
    if look.pinned and renamed:  # they count the tokens as they were
        return tuple(kept)
    if look.pinned:
        wanted = [place for place in dict.fromkeys(look.pinned) if 0 <= place < count][:COLOURS]
    elif previous is not None and not previous.look.pinned and max(kept) != UNPINNED:
        return tuple(kept)
    else:
        wanted = _weightiest(scene, attention, look.head)
    slots = [slot if place in wanted else UNPINNED for place, slot in enumerate(kept)]
    free = (slot for slot in range(COLOURS) if slot not in slots)
    for place in wanted:
        if slots[place] == UNPINNED:
            slots[place] = next(free)
    return tuple(slots)


def slots_of_few(names: Sequence[str], kept: Sequence[int]) -> tuple[int, ...]:
    """Return a colour for each of up to eight names: the one it has kept, else one of the rest.

    Words as drawn in the design take theirs where it is free, the others what is left, in order.
    """
    slots = list(kept)
    for place, name in enumerate(names):
        drawn = AS_DRAWN.get(name, UNPINNED)
        if slots[place] == UNPINNED and drawn not in slots:
            slots[place] = drawn
    free = (slot for slot in range(COLOURS) if slot not in slots)
    return tuple(next(free) if slot == UNPINNED else slot for slot in slots)


def pinned_by(slots: tuple[int, ...]) -> tuple[int, ...]:
    """Return the places of the tokens with a colour, in the order of the colours."""
    coloured = [place for place, slot in enumerate(slots) if slot != UNPINNED]
    return tuple(sorted(coloured, key=lambda place: slots[place]))


def pinned_with(frame: Frame, token: int | None) -> tuple[int, ...]:
    """Return the pinned tokens with one more, or one fewer; none, to be chosen anew, for None.

    Where every colour is in use the one that was pinned last gives it up.
    """
    if token is None:
        return ()
    pinned = frame.look.pinned
    if token in pinned:
        return tuple(place for place in pinned if place != token)
    return (*pinned[: COLOURS - 1], token)


def _weightiest(scene: Scene, attention: Attention, head: int) -> list[int]:
    """Return the places of the tokens that another one gives the largest weights, in any head.

    head : the only one that counts where the others' tables would have to be computed first
    """
    heads = (head,) if isinstance(attention, LargeAttention) else range(attention.heads)
    largest_of = np.zeros(attention.keys)
    for each in heads:
        weights = attention.of_head(each).weights
        if scene.context is None:
            weights = weights.copy()
            np.fill_diagonal(weights, 0.0)
        np.maximum(largest_of, weights.max(axis=0), out=largest_of)
    first = 0 if scene.context is None else len(scene.tokens)
    largest = np.argsort(-largest_of, kind="stable")[:CHOSEN]
    return sorted(first + place for place in largest.tolist())


def _kept(scene: Scene, count: int, previous: Frame | None) -> list[int]:
    """Return the colours of the same tokens before; −1 where there is none."""
    if previous is None or not previous.slots:
        return [UNPINNED] * count
    before = previous.scene
    if before.tokens is scene.tokens and before.context is scene.context:
        return list(previous.slots)
    slots: list[int | None] = [None] * count
    left = dict(enumerate(previous.slots))
    # Of tokens with one name those with the same numbers are the same; a new name is another one
    # for the token that was there.
    for same in (_known_tokens, _named_tokens, _places):
        old, new = same(before), same(scene)
        for place, token in enumerate(new):
            if slots[place] is None:
                alike = [at for at in left if old[at] == token]
                if alike:  # of twins the one that belongs here
                    slots[place] = left.pop(min(alike, key=lambda at: left[at] != place))
    return [UNPINNED if slot is None else slot for slot in slots]


def _named_tokens(scene: Scene) -> list[tuple[bool, str]]:
    others = () if scene.context is None else scene.context.tokens
    return [*((True, token) for token in scene.tokens), *((False, token) for token in others)]


def _places(scene: Scene) -> list[tuple[object, ...]]:
    others = () if scene.context is None else scene.context.tokens
    return [
        (query, n)
        for query, there in ((True, scene.tokens), (False, others))
        for n in range(len(there))
    ]


def _known_tokens(scene: Scene) -> list[tuple[object, ...]]:
    rows = [*scene.X, *(() if scene.context is None else scene.context.X)]
    return [(*token, row.tobytes()) for token, row in zip(_named_tokens(scene), rows, strict=True)]
