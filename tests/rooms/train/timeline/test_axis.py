"""The timeline's arithmetic: where axes end, which epochs are labelled, which ticks are left."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.kit.loss_curves import label_epochs, nearest, rounded_up, thinned


@pytest.mark.parametrize(
    ("value", "top"),
    [(3.4, 3.5), (3.5, 3.5), (12, 15), (2.08, 2.5), (0.03, 0.03), (99, 100), (1e300, 1e300)],
)
def test_the_axis_ends_at_a_round_number(value: float, top: float) -> None:
    assert rounded_up(value) == pytest.approx(top)


@pytest.mark.parametrize("value", [5e-324, 1.7e308, 0.1, 7.3])
def test_the_axis_never_ends_below_what_it_shows(value: float) -> None:
    assert value <= rounded_up(value) < np.inf


def test_epoch_labels_are_round_and_hold_both_ends() -> None:
    assert label_epochs(200, 6) == [0, 50, 100, 150, 200]
    assert label_epochs(0, 6) == [0]
    assert label_epochs(1, 6) == [0, 1]
    for last in (7, 33, 999, 100_000):
        labels = label_epochs(last, 6)
        assert labels[0] == 0
        assert labels[-1] == last
        assert len(labels) <= 7


def test_ticks_are_thinned_where_they_would_touch() -> None:
    dense = np.linspace(0, 100, 1001)
    kept = thinned(dense, 4)
    assert np.diff(kept).min() >= 4
    assert set(kept) <= set(dense)
    assert len(thinned(np.array([0.0, 5.0, 10.0]), 4)) == 3


def test_epoch_labels_of_a_range_lie_in_it() -> None:
    assert label_epochs(100_000, 6, 99_000.0) == [99_000, 99_200, 99_400, 99_600, 99_800, 100_000]
    for first, last in ((1.5, 5), (17.0, 400), (99_996.0, 100_000)):
        labels = label_epochs(last, 6, first)
        assert 2 <= len(labels) <= 6
        assert first <= labels[0]
        assert labels[-1] <= last


def test_nearest_takes_the_closer_neighbour() -> None:
    values = np.array([0, 5, 10, 12])
    assert [nearest(values, at) for at in (-3, 2, 3, 7.6, 11.5, 99)] == [0, 0, 1, 2, 3, 3]
