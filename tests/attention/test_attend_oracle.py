"""`attend` against torch's own attention in float64."""

from dataclasses import dataclass

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn.functional import scaled_dot_product_attention

from explorer.attention import attend

torch.set_num_threads(1)

sizes = st.integers(1, 32)
seeds = st.integers(0, 2**32 - 1)
# Whole halves give ties and exact zeros; the rest is anything between -1 and 1.
grains = st.sampled_from([None, 0.5, 0.1])


def numbers(rng, shape, grain=None):
    values = rng.uniform(-1.0, 1.0, shape)
    return values if grain is None else np.round(values / grain) * grain


def as_torch(array):
    return torch.from_numpy(np.array(array))


@dataclass
class Masks:
    """One mask in the words of `attend` and of SDPA."""

    ours: object
    theirs: torch.Tensor | None


def masks(rng, kind, queries, keys):
    if kind == "none":
        return Masks("none", None)
    if kind == "causal":
        return Masks("causal", torch.ones(queries, keys).tril().bool())
    visible = rng.random((queries, keys)) < 0.5
    visible[rng.integers(queries)] = False  # one row with every key masked
    return Masks(visible, as_torch(visible))


@given(
    queries=sizes,
    keys=sizes,
    d=sizes,
    d_v=sizes,
    heads=st.integers(1, 4),
    mask=st.sampled_from(["none", "causal", "array"]),
    scale=st.sampled_from(["sqrt_dk", "none", 0.3, 7]),
    grain=grains,
    seed=seeds,
)
@settings(max_examples=150, deadline=None)
def test_agrees_with_sdpa(queries, keys, d, d_v, heads, mask, scale, grain, seed):
    rng = np.random.default_rng(seed)
    X, context = numbers(rng, (queries, d), grain), numbers(rng, (keys, d), grain)
    wq, wk = numbers(rng, (heads, d, d)), numbers(rng, (heads, d, d))
    wv = numbers(rng, (heads, d, d_v), grain)
    bq, bk, bv = numbers(rng, (heads, d)), numbers(rng, d), numbers(rng, (heads, d_v))
    both = masks(rng, mask, queries, keys)

    result = attend(
        X, wq, wk, wv, bq=bq, bk=bk, bv=bv, context=context, mask=both.ours, scale=scale
    )

    x, c = as_torch(X), as_torch(context)
    q = x @ as_torch(wq) + as_torch(bq)[:, None]
    k = c @ as_torch(wk) + as_torch(bk)
    v = c @ as_torch(wv) + as_torch(bv)[:, None]
    factor = {"sqrt_dk": None, "none": 1.0, 0.3: 1 / 0.3, 7: 1 / 7}[scale]
    expected = scaled_dot_product_attention(q, k, v, attn_mask=both.theirs, scale=factor)
    np.testing.assert_allclose(result.head_output, expected, rtol=0, atol=1e-12)
    for ours, theirs in ((result.Q, q), (result.K, k), (result.V, v)):
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12)


@given(queries=sizes, keys=sizes, d=sizes, mask=st.sampled_from(["none", "causal", "array"]),
       grain=grains, seed=seeds)  # fmt: skip
@settings(max_examples=100, deadline=None)
def test_agrees_with_sdpa_without_projections(queries, keys, d, mask, grain, seed):
    rng = np.random.default_rng(seed)
    X, context = numbers(rng, (queries, d), grain), numbers(rng, (keys, d), grain)
    both = masks(rng, mask, queries, keys)
    result = attend(X, context=context, mask=both.ours)
    q, k = as_torch(X)[None], as_torch(context)[None]
    expected = scaled_dot_product_attention(q, k, k, attn_mask=both.theirs)
    np.testing.assert_allclose(result.head_output, expected, rtol=0, atol=1e-12)


@given(
    queries=sizes,
    keys=sizes,
    heads=st.integers(1, 4),
    d_k=st.integers(1, 8),
    context_width=sizes,
    sequences=st.one_of(st.none(), st.integers(1, 3)),
    mask=st.sampled_from(["none", "causal", "array"]),
    bias=st.booleans(),
    cross=st.booleans(),
    seed=seeds,
)
@settings(max_examples=120, deadline=None)
def test_agrees_with_multihead_attention(
    queries, keys, heads, d_k, context_width, sequences, mask, bias, cross, seed
):
    rng = np.random.default_rng(seed)
    width = heads * d_k
    if not cross:
        keys, context_width = queries, width
    lead = () if sequences is None else (sequences,)
    X = numbers(rng, (*lead, queries, width))
    context = numbers(rng, (*lead, keys, context_width)) if cross else None
    wq = numbers(rng, (heads, width, d_k))
    wk, wv = (numbers(rng, (heads, context_width, d_k)) for _ in "kv")
    Wo = numbers(rng, (width, width))
    biases = {name: numbers(rng, (heads, d_k)) for name in ("bq", "bk", "bv")} if bias else {}
    bo = numbers(rng, width) if bias else None
    if mask == "array":
        visible = rng.random((queries, keys)) < 0.5
        visible[:, rng.integers(keys)] = True  # torch's module gives NaN where a row has no key
    else:
        visible = np.tri(queries, keys, dtype=bool) | (mask == "none")

    result = attend(
        X, wq, wk, wv, **biases, Wo=Wo, bo=bo, context=context,
        mask=visible if mask == "array" else mask,
    )  # fmt: skip

    module = multihead(width, heads, context_width, (wq, wk, wv), biases, Wo, bo)
    x = as_torch(X)
    c = x if context is None else as_torch(context)
    with torch.no_grad():
        output, weights = module(
            x, c, c, attn_mask=as_torch(~visible), need_weights=True, average_attn_weights=False
        )
    np.testing.assert_allclose(result.weights, weights, rtol=0, atol=1e-12)
    np.testing.assert_allclose(result.output, output, rtol=0, atol=1e-12)


def multihead(width, heads, context_width, projections, biases, Wo, bo):
    """torch's module with our matrices: its rows are our columns, head after head."""
    module = torch.nn.MultiheadAttention(
        width, heads, bias=bool(biases), kdim=context_width, vdim=context_width,
        batch_first=True, dtype=torch.float64,
    )  # fmt: skip
    stacked = [as_torch(np.concatenate(list(W), axis=1).T) for W in projections]
    with torch.no_grad():
        if module.in_proj_weight is None:
            module.q_proj_weight.copy_(stacked[0])
            module.k_proj_weight.copy_(stacked[1])
            module.v_proj_weight.copy_(stacked[2])
        else:
            module.in_proj_weight.copy_(torch.cat(stacked))
        module.out_proj.weight.copy_(as_torch(Wo.T))
        if biases:
            joined = np.concatenate([biases[name].ravel() for name in ("bq", "bk", "bv")])
            module.in_proj_bias.copy_(as_torch(joined))
            module.out_proj.bias.copy_(as_torch(bo))
    return module


@given(queries=sizes, keys=sizes, d=sizes, exponent=st.floats(0, 2), seed=seeds)
@settings(max_examples=60, deadline=None)
def test_agrees_with_sdpa_for_larger_entries(queries, keys, d, exponent, seed):
    # A softmax turns the last digit of a score into a relative error of score · 1e-16, so scores
    # stay below 1e6 here; the next test goes to the limit.
    rng = np.random.default_rng(seed)
    X, context = (10.0**exponent * numbers(rng, (rows, d)) for rows in (queries, keys))
    result = attend(X, context=context)
    q, k = as_torch(X)[None], as_torch(context)[None]
    expected = scaled_dot_product_attention(q, k, k).numpy()
    largest = np.abs(context).max()
    np.testing.assert_allclose(result.head_output, expected, rtol=1e-9, atol=1e-9 * largest)


@given(queries=sizes, keys=sizes, d=sizes, exponent=st.floats(0, 50), seed=seeds)
@settings(max_examples=60, deadline=None)
def test_every_step_agrees_with_torch_up_to_the_largest_entries(queries, keys, d, exponent, seed):
    # Each step is handed the same numbers on both sides. An error is relative to the sum of the
    # absolute terms, since terms of 1e50 may cancel.
    rng = np.random.default_rng(seed)
    X, context = (10.0**exponent * numbers(rng, (rows, d)) for rows in (queries, keys))
    W = 10.0**exponent * numbers(rng, (d, d))
    result = attend(X, W, W, W, context=context)
    softmax = torch.softmax(as_torch(result.scores), dim=-1)
    steps = {
        "Q": (X, W, result.Q[0]),
        "K": (context, W, result.K[0]),
        "V": (context, W, result.V[0]),
        "raw": (result.Q[0], result.K[0].T, result.raw[0]),
        "head_output": (softmax[0].numpy(), result.V[0], result.head_output[0]),
    }
    for name, (left, right, ours) in steps.items():
        expected = (as_torch(left) @ as_torch(right)).numpy()
        size = np.abs(left) @ np.abs(right)
        assert np.all(np.abs(ours - expected) <= 1e-9 * size), name
    np.testing.assert_allclose(result.weights, softmax, rtol=1e-9, atol=1e-300)


@pytest.mark.parametrize("keys", [1, 3])
def test_fully_masked_rows_are_zeros_as_in_sdpa(keys):
    visible = np.zeros((2, keys), dtype=bool)
    visible[1, 0] = True
    X, context = np.array([[1.0, 2.0], [3.0, -1.0]]), np.ones((keys, 2))
    result = attend(X, context=context, mask=visible)
    expected = scaled_dot_product_attention(
        as_torch(X)[None], as_torch(context)[None], as_torch(context)[None],
        attn_mask=as_torch(visible),
    )  # fmt: skip
    assert np.array_equal(result.weights[0, 0], np.zeros(keys))
    assert np.array_equal(result.head_output, expected)
