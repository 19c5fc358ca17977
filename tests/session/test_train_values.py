"""The edges of the word graph, against a slow loop over samples and positions."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.session.train import Link, StepValues
from explorer.traces import Config, Trace
from tests.train_frames import recorded_run, train_frame


def slow_links(
    trace: Trace, step: int, samples: Iterable[int], head: int | None, least: float
) -> dict[tuple[int, int], float]:
    """Return the largest weight of each pair of words, one position after another."""
    found: dict[tuple[int, int], float] = {}
    weights = trace.array("weights", step, layer=0)
    for sample in samples:
        length = int(trace.lengths[sample])
        for i in range(length):
            for j in range(length):
                heads = [float(w) for w in weights[sample, :, i, j]]
                weight = sum(heads) / len(heads) if head is None else heads[head]
                pair = int(trace.tokens[sample, i]), int(trace.tokens[sample, j])
                if weight >= least:
                    found[pair] = max(found.get(pair, 0.0), weight)
    return found


def as_mapping(links: tuple[Link, ...]) -> dict[tuple[int, int], float]:
    found = {(link.query, link.key): link.weight for link in links}
    assert len(found) == len(links), "each pair once"
    return found


WORDS = st.sampled_from(["a", "b", "c", "d", "e"])
CORPORA = st.lists(st.lists(WORDS, min_size=2, max_size=6), min_size=1, max_size=5)


@settings(max_examples=60)
@given(
    lines=CORPORA,
    sample=st.integers(0, 4),
    head=st.sampled_from([None, 0, 1]),
    least=st.sampled_from([0.0, 0.2, 0.35, 0.6]),
    causal=st.booleans(),
)
def test_links_are_the_largest_weights_over_positions_and_samples(
    lines: list[list[str]], sample: int, head: int | None, least: float, causal: bool
) -> None:
    text = "\n".join(" ".join(line) for line in lines)
    trace = recorded_run(text, Config(d_model=4, heads=2, causal=causal), steps=2)
    values = StepValues(trace.step(1), 0, None)
    count = len(trace.lengths)
    sample %= count
    # A weight within rounding of the threshold may fall on either side of it.
    weights = np.array(list(slow_links(trace, 1, range(count), head, 0.0).values()))
    least = least if not np.isclose(weights, least, atol=1e-6).any() else least + 1e-5
    own = slow_links(trace, 1, [sample], head, least)
    others = slow_links(trace, 1, (n for n in range(count) if n != sample), head, least)
    assert as_mapping(values.links(sample, head, least)) == pytest.approx(own, abs=1e-6)
    found = values.other_links(sample, head, least)
    assert as_mapping(found) == pytest.approx(others, abs=1e-6)
    for most in (1, 3):
        strongest = sorted((link.weight for link in found), reverse=True)[:most]
        kept = values.other_links(sample, head, least, most)
        assert sorted((link.weight for link in kept), reverse=True) == strongest
        assert set(kept) <= set(found)


def test_words_on_the_way_to_the_next_step_lie_between() -> None:
    trace = recorded_run(steps=3)
    frame = train_frame(trace)
    assert frame.values is not None
    assert frame.values.points is not None
    assert frame.points is not None
    np.testing.assert_array_equal(frame.points, frame.values.points)
