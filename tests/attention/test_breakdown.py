"""One cell spelled out: the computed numbers themselves, and an account that adds up."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.attention import attend, breakdown, breakdown_output

seeds = st.integers(0, 2**32 - 1)


def random_attention(rng, batched, exponent=0):
    """Attention with heads, biases, a context and a mask with one row that sees nothing."""
    heads, queries, keys = rng.integers(1, 4), rng.integers(1, 6), rng.integers(1, 6)
    lead = (2,) if batched else ()
    visible = rng.random((*lead, queries, keys)) < 0.7
    visible[..., rng.integers(queries), :] = False
    return attend(
        rng.normal(size=(*lead, queries, 4)) * 10.0**exponent,
        *rng.normal(size=(2, heads, 4, 3)),
        rng.normal(size=(heads, 4, 5)),
        bq=rng.normal(size=3),
        context=rng.normal(size=(*lead, keys, 4)) * 10.0**exponent,
        mask=visible,
        scale=float(rng.uniform(0.5, 3)),
    )


def cells(attention, width):
    sequences = attention.Q.shape[0] if attention.batched else 1
    for cell in np.ndindex(sequences, attention.heads, attention.queries, width):
        sequence, head, query, last = cell
        place = (sequence, head) if attention.batched else (head,)
        yield sequence, head, query, last, place


@given(batched=st.booleans(), exponent=st.integers(-3, 3), seed=seeds)
@settings(max_examples=40, deadline=None)
def test_every_number_is_the_computed_one(batched, exponent, seed):
    attention = random_attention(np.random.default_rng(seed), batched, exponent)
    for sequence, head, query, key, place in cells(attention, attention.keys):
        one = breakdown(attention, query, key, head, sequence)
        assert one.raw == attention.raw[place][query, key]
        assert one.score == attention.scores[place][query, key]
        assert one.weight == attention.weights[place][query, key]
        assert one.divisor == attention.divisor
        assert np.array_equal(one.q, attention.Q[place][query])
        assert np.array_equal(one.k, attention.K[place][key])
        assert np.array_equal(one.v, attention.V[place][key])
        assert np.array_equal(one.row_scores, attention.scores[place][query])
        assert np.array_equal(one.products, one.q * one.k)
        assert np.array_equal(one.adds, one.weight * one.v)
        assert one.masked == (not attention.mask[(*place[:-1], query, key)])


@given(batched=st.booleans(), exponent=st.integers(-3, 3), seed=seeds)
@settings(max_examples=40, deadline=None)
def test_the_account_adds_up(batched, exponent, seed):
    attention = random_attention(np.random.default_rng(seed), batched, exponent)
    for sequence, head, query, key, _place in cells(attention, attention.keys):
        one = breakdown(attention, query, key, head, sequence)
        size = np.abs(one.products).sum()
        assert one.products.sum() == pytest.approx(one.raw, rel=0, abs=1e-14 * size)
        assert one.score == (-np.inf if one.masked else one.raw / one.divisor)
        assert one.row_max == one.row_scores.max()
        np.testing.assert_allclose(
            one.exponentials, np.exp(one.row_scores - one.shift), rtol=1e-13, atol=0
        )
        assert one.exponentials.sum() == one.row_sum
        if one.row_max == -np.inf:
            assert (one.row_sum, one.shift, one.weight) == (0.0, 0.0, 0.0)
        else:
            assert 0 < one.row_sum < np.inf
            # e^score carries the rounding of the score: up to 700 · 1e-16.
            share = one.exponentials[key] / one.row_sum
            assert share == pytest.approx(one.weight, rel=1e-12, abs=1e-290)


@given(batched=st.booleans(), seed=seeds)
@settings(max_examples=40, deadline=None)
def test_an_output_is_its_weighted_sum(batched, seed):
    attention = random_attention(np.random.default_rng(seed), batched)
    for sequence, head, query, column, place in cells(attention, attention.d_v):
        one = breakdown_output(attention, query, column, head, sequence)
        assert one.total == attention.head_output[place][query, column]
        assert np.array_equal(one.weights, attention.weights[place][query])
        assert np.array_equal(one.values, attention.V[place][:, column])
        assert np.array_equal(one.terms, one.weights * one.values)
        assert one.terms.sum() == pytest.approx(one.total, rel=0, abs=1e-13)
        added = [
            breakdown(attention, query, key, head, sequence).adds[column]
            for key in range(attention.keys)
        ]
        assert added == one.terms.tolist()


@pytest.mark.parametrize(
    ("scores", "shift"),
    [
        ([3.0, -2.0], 0.0),
        ([700.0, -700.0], 0.0),
        ([709.0, 709.7], 709.7),  # each exponential is finite, but not their sum
        ([800.0, 799.0], 800.0),
        ([-800.0, -801.0], -800.0),
        ([-740.0, -741.0], -740.0),  # plain exponentials would keep three digits
        ([-1e6, 1e6], 1e6),
        ([-184.0, -746.0], -184.0),  # the sum is far from zero, but one exponential is zero
        ([-1.0, -746.0], 0.0),  # the weight is as good as zero, shifted or not
    ],
)
def test_a_row_is_shifted_only_where_plain_exponentials_fail(scores, shift):
    attention = attend([[1.0]], context=np.array(scores)[:, None], scale="none")
    one = breakdown(attention, 0, 1)
    assert one.row_scores.tolist() == scores
    assert one.shift == shift
    assert one.exponentials.tolist() == np.exp(np.array(scores) - shift).tolist()
    assert one.exponentials[1] / one.row_sum == pytest.approx(one.weight, rel=1e-12)


def test_a_masked_key_keeps_its_raw_score_and_adds_nothing():
    attention = attend([[1.0, 2.0], [3.0, 4.0]], mask="causal")
    one = breakdown(attention, 0, 1)
    assert one.masked
    assert (one.raw, one.score, one.weight) == (11.0, -np.inf, 0.0)
    assert one.exponentials[1] == 0.0
    assert one.adds.tolist() == [0.0, 0.0]


def test_the_arrays_of_a_breakdown_are_read_only():
    attention = attend([[1.0, 2.0], [3.0, 4.0]])
    for one in (breakdown(attention, 0, 1), breakdown_output(attention, 0, 1)):
        for field in dataclasses.fields(one):
            value = getattr(one, field.name)
            assert not isinstance(value, np.ndarray) or not value.flags.writeable, field.name
        with pytest.raises(dataclasses.FrozenInstanceError):
            one.weight = 1.0


@pytest.mark.parametrize(
    ("place", "sentence"),
    [
        ({"query": 2, "key": 0}, r"^query 2 is outside the range 0 to 1\."),
        ({"query": -1, "key": 0}, r"^query -1 is outside the range 0 to 1\."),
        ({"query": 0, "key": 4}, r"^key 4 is outside the range 0 to 2\."),
        ({"query": 0, "key": 0, "head": 1}, r"^head 1 is outside the range 0 to 0\."),
        ({"query": 0, "key": 0, "sequence": 1}, r"^sequence 1 is outside the range 0 to 0\."),
    ],
)
def test_an_index_out_of_range_is_named(place, sentence):
    attention = attend(np.ones((2, 2)), context=np.ones((3, 2)))
    with pytest.raises(IndexError, match=sentence):
        breakdown(attention, **place)


def test_a_column_out_of_range_is_named():
    attention = attend(np.ones((5, 2, 3)))
    with pytest.raises(IndexError, match=r"^column 3 is outside the range 0 to 2\."):
        breakdown_output(attention, 0, 3, sequence=4)
    with pytest.raises(IndexError, match=r"^sequence 5 is outside the range 0 to 4\."):
        breakdown_output(attention, 0, 0, sequence=5)
