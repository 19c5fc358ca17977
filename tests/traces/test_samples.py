"""Picking the sentences that are recorded."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.text import Problem
from explorer.traces import (
    Config,
    array_spec,
    expected_bytes,
    parse_corpus,
    parse_samples,
    recorded_epochs,
    samples_text,
)

CORPUS = parse_corpus("a b\n" * 100)


@pytest.mark.parametrize(
    ("text", "samples"),
    [
        ("", None),
        (" , ", None),
        ("1", (0,)),
        ("1-3, 20", (0, 1, 2, 19)),
        ("20;1 – 3", (0, 1, 2, 19)),
        ("3，2、100", (1, 2, 99)),
        ("2-4 3-5 4", (1, 2, 3, 4)),
        ("37-100", tuple(range(36, 100))),
    ],
)
def test_numbers_and_ranges_count_from_one(text: str, samples: tuple[int, ...] | None) -> None:
    assert parse_samples(text, CORPUS) == samples


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("0", "There is no sentence 0: the corpus has sentences 1 to 100."),
        ("1, 101", "There is no sentence 101: the corpus has sentences 1 to 100."),
        ("90-999999999", "There is no sentence 999999999: the corpus has sentences 1 to 100."),
        ("1-65", "At most 64 sentences can be recorded, but these are 65."),
        ("cat", "Recorded sentences must be numbers such as 1-10, 20, not “cat”."),
        ("3-1", "Recorded sentences must be numbers such as 1-10, 20, not “3-1”."),
        ("-1", "Recorded sentences must be numbers such as 1-10, 20, not “-1”."),
        ("1.5", "Recorded sentences must be numbers such as 1-10, 20, not “1.5”."),
        ("1-2-3", "Recorded sentences must be numbers such as 1-10, 20, not “1-2-3”."),
        ("1\u202e2", "Recorded sentences must be numbers such as 1-10, 20, not “1 2”."),
    ],
)
def test_what_cannot_be_is_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(Problem) as caught:
        parse_samples(text, CORPUS)
    assert str(caught.value) == sentence


@given(st.sets(st.integers(0, 99), min_size=1, max_size=64))
def test_what_is_picked_reads_back_as_it_is_typed(lines: set[int]) -> None:
    picked = tuple(sorted(lines))
    assert parse_samples(samples_text(picked), CORPUS) == picked


@given(st.text() | st.text("0123456789-, –", max_size=12))
def test_any_text_is_a_picking_or_a_sentence(text: str) -> None:
    try:
        samples = parse_samples(text, CORPUS) or ()
    except Problem:
        return
    assert set(samples) <= set(range(100))


def test_none_is_typed_as_nothing() -> None:
    assert samples_text(None) == ""


def test_the_expected_size_is_that_of_the_picked_sentences() -> None:
    """The longest of them says how wide the arrays are."""
    corpus, config = parse_corpus("a b c d\n" + "a b\n" * 9), Config(epochs=1, watch_every=1)
    both, one = (expected_bytes(config, corpus, samples) for samples in ((0, 1), (1,)))
    assert expected_bytes(config, corpus) == expected_bytes(config, corpus, tuple(range(10)))
    of_arrays = 0
    wide = ("x", "q", "k", "v", "head_output", "scores", "weights", "output")
    for name in ("tokens", "lengths", "targets", "samples", *wide, "logits"):
        spec = array_spec(name)
        assert spec is not None
        of_arrays += size(spec.shape, N=2, T=3) - size(spec.shape, N=1, T=1)
    assert len(recorded_epochs(config)) == 2
    assert both - one == 4 * of_arrays


def size(axes: tuple[str, ...], **found: int) -> int:
    """Return the numbers of an array of the run above: two steps, one layer, two heads."""
    lengths = {"E": 2, "L": 1, "H": 2, "d": 16, "d_k": 8, "d_v": 8, "V": 4} | found
    count = 1
    for axis in axes:
        count *= lengths[axis]
    return count
