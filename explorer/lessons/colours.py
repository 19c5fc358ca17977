"""Which colours tokens have in a lesson: the same on all of its pages, and in all lessons about
its scene.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from explorer.lessons.lesson import Lesson
from explorer.lessons.schema import Step
from explorer.session import Look, Scene, at_sequence, compute
from explorer.session.slots import CHOSEN, COLOURS, UNPINNED, slots_of
from explorer.text import Problem

_Shown = tuple[str, int]  # the name of a scene and which of its sequences
_Token = tuple[bool, str, int]  # whether it asks, its name, and which of those called so


def slots_at(lesson: Lesson, place: int) -> tuple[int, ...]:
    """Return the colour of each token that a page shows, as of `Frame.slots`; empty without any.

    The scene that most pages are about has its own colours, as in every lesson about it. In the
    others a token that is called like one of these has the same colour.
    """
    pages = list(_pages(lesson))
    if (here := pages[place]) is None:
        return ()
    known: dict[_Token, int] = {}
    slots: tuple[int, ...] = ()
    for shown, _count in Counter(page for page in pages if page is not None).most_common():
        slots = _slots(_scene(lesson, shown), known)
        if shown == here:
            break
    return slots


def _pages(lesson: Lesson) -> Iterator[_Shown | None]:
    """Yield what each step shows; None where it is no scene that could be read."""
    shown: _Shown | None = None
    for step in lesson.steps:
        if step.names:
            scene = lesson.scenes.get(step.scene or "")
            shown = None if scene is None else (step.scene or "", scene.shown)
        if isinstance(step, Step) and step.show.sequence is not None and shown is not None:
            last = len(lesson.scenes[shown[0]].sequences) - 1
            shown = shown[0], min(max(step.show.sequence - 1, 0), last)
        yield shown


def _scene(lesson: Lesson, shown: _Shown) -> Scene:
    return at_sequence(lesson.scenes[shown[0]], shown[1])


def _slots(scene: Scene, known: dict[_Token, int]) -> tuple[int, ...]:
    """Return a scene's colours, those of known tokens first, and take note of the others."""
    try:
        own = slots_of(scene, Look(), compute(scene), None)
    except Problem:  # its page says so
        return ()
    tokens = _tokens(scene)
    slots = [UNPINNED] * len(own)
    for place, token in enumerate(tokens):
        if known.get(token, UNPINNED) not in (UNPINNED, *slots):
            slots[place] = known[token]
    most = COLOURS if len(own) <= COLOURS else max(CHOSEN, len(own) - slots.count(UNPINNED))
    for place, slot in enumerate(own):
        if slot == UNPINNED or slots[place] != UNPINNED:
            continue
        free = [each for each in (slot, *range(COLOURS)) if each not in slots]
        if free and len(slots) - slots.count(UNPINNED) < most:
            slots[place] = free[0]
    for token, slot in zip(tokens, slots, strict=True):
        if slot != UNPINNED:
            known.setdefault(token, slot)
    return tuple(slots)


def _tokens(scene: Scene) -> list[_Token]:
    others = () if scene.context is None else scene.context.tokens
    found: Counter[tuple[bool, str]] = Counter()
    tokens = []
    for named in [*((True, name) for name in scene.tokens), *((False, name) for name in others)]:
        tokens.append((*named, found[named]))
        found[named] += 1
    return tokens
