"""The room: visual angles against plain trigonometry, and the text scale that is offered."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.lessons.legibility import CHINESE, READABLE, ProjectedScreen, judge

PERCENTS = (100, 125, 150, 200)


def test_the_moon_is_half_a_degree() -> None:
    # 3,474 km at 384,400 km: 31 minutes of arc, whatever the pixels are.
    room = ProjectedScreen(width=3_474_000, distance=384_400_000, pixels=1024)
    assert room.angle(1024) == pytest.approx(31.07, abs=0.01)


@given(st.floats(0.5, 10), st.floats(1, 50), st.integers(640, 4000), st.floats(10, 40))
def test_the_offered_scale_is_the_smallest_that_can_be_read(width, distance, pixels, smallest):
    room = ProjectedScreen(width, distance, pixels)
    for chinese in (False, True):
        found = judge(room, smallest, PERCENTS, chinese=chinese)

        def readable(percent, chinese=chinese):
            metre = smallest * percent / 100 * width / pixels
            digit, character = (
                2 * math.atan(metre * share / 2 / distance) * 180 / math.pi * 60
                for share in (0.727, 0.92)
            )
            return digit >= READABLE and (not chinese or character >= CHINESE)

        enough = [percent for percent in PERCENTS if readable(percent)]
        assert found.percent == (enough[0] if enough else None)


def test_a_room_too_deep_is_offered_nothing() -> None:
    assert judge(ProjectedScreen(2.0, 60.0, 1024), 13, PERCENTS, chinese=False).percent is None


def test_digits_are_readable_then_good() -> None:
    near = judge(ProjectedScreen(2.4, 5.0, 1024), 20, PERCENTS, chinese=False)
    far = judge(ProjectedScreen(2.4, 7.0, 1024), 20, PERCENTS, chinese=False)
    assert (near.readable, near.good) == (True, True)
    assert (far.readable, far.good) == (True, False)
