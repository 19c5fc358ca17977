"""What gives way first when the window is small."""

from dataclasses import asdict

import pytest

from explorer.kit.arrangement import Arrangement, arrange, by_turns


def folded(made: Arrangement) -> set[str]:
    return {name for name, value in asdict(made).items() if value is True}


def test_the_default_window_shows_everything_with_the_parameters_close_together():
    made = arrange(1440, 900, 100)

    assert (made.left, made.right, made.rail) == (256, 348, 0)
    assert folded(made) == {"compact_parameters"}


def test_the_projector_of_1024_by_768_has_a_rail_and_keeps_a_picture_of_648():
    made = arrange(1024, 768, 100)

    assert (made.rail, made.right) == (44, 332)
    assert 1024 - made.rail - made.right == 648
    assert folded(made) == {"compact_chain", "compact_strip", "compact_rows", "compact_parameters"}


def test_larger_text_makes_the_same_window_smaller():
    half = arrange(960, 540, 100)
    full = arrange(1920, 1080, 200)

    assert full.left == 2 * half.left
    assert full.tabbed_results == half.tabbed_results
    assert arrange(1440, 900, 125).compact_chain


@pytest.mark.parametrize(
    ("size", "percent"),
    [((960, 640), 100), ((960, 640), 125), ((1024, 768), 125), ((1920, 1080), 200)],
)
def test_the_picture_is_never_narrower_than_480(size, percent):
    made = arrange(*size, percent)
    left = made.rail or made.left

    assert size[0] - left - made.right >= 480


def test_a_large_screen_with_large_text_leaves_the_arrows_room():
    assert arrange(1920, 1080, 150).compact_chain
    assert not arrange(1440, 900, 100).compact_chain


def test_beside_a_lesson_the_tables_give_way_before_the_picture_is_too_narrow():
    assert not by_turns(768, 332, 430)
    assert by_turns(704, 375, 430)
