"""One token keeps its colour: on all pages of a lesson, and in all lessons about its scene."""

from __future__ import annotations

from collections import Counter

import pytest

from explorer.app.lessons.tables import SceneTable
from explorer.kit.preview import SAMPLE
from explorer.lessons.lesson import Lesson
from explorer.lessons.read import read_lesson
from explorer.lessons.steps import frame_of, kind_of, scene_named
from explorer.resources import lessons
from explorer.session import Frame, Session, at_sequence, resolve
from explorer.session.slots import COLOURS

LESSONS = [read_lesson(path) for path in lessons()]


def scene_pages(lesson: Lesson) -> list[int]:
    return [place for place in range(len(lesson.steps)) if kind_of(lesson, place) == "scene"]


def coloured(frame: Frame) -> dict[tuple[bool, str, int], int]:
    """Return the colours of a frame's tokens: by whether they ask, name, and which of that name."""
    context = frame.scene.context
    named = [(True, name) for name in frame.scene.tokens]
    named += [] if context is None else [(False, name) for name in context.tokens]
    seen: Counter[tuple[bool, str]] = Counter()
    found = {}
    for token, slot in zip(named, frame.slots, strict=True):
        if slot >= 0:
            found[*token, seen[token]] = slot
        seen[token] += 1
    assert len(set(found.values())) == len(found)
    return found


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.path.stem)
def test_a_token_has_one_colour_whichever_way_one_comes_to_a_page(lesson: Lesson) -> None:
    pages = scene_pages(lesson)
    session = Session(SAMPLE)
    table = SceneTable(session, lambda _intent: None, lambda: None)
    through: dict[tuple[bool, str, int], int] = {}
    for place in (*pages, *reversed(pages)):
        alone = frame_of(lesson, place)
        table.put(lesson, place, veiled=False, veils=frozenset())
        assert session.frame.slots == alone.slots
        for token, slot in coloured(alone).items():
            assert through.setdefault(token, slot) == slot, (token, place)


def test_a_scene_has_the_same_colours_in_all_lessons() -> None:
    seen: dict[tuple[str | None, int], tuple[int, ...]] = {}
    for lesson in LESSONS:
        for place in scene_pages(lesson):
            frame = frame_of(lesson, place)
            shown = lesson.scenes[name := scene_named(lesson, place) or ""]
            sequence = frame.scene.shown
            own = resolve(at_sequence(shown, sequence)).slots
            assert frame.slots == seen.setdefault((name, sequence), frame.slots), (
                lesson.path,
                place,
            )
            if sequence == 0 and len(own) <= COLOURS:
                assert frame.slots == own, (lesson.path, place, "in Explore it has others")
