"""Temperature, the plain average and the five mistakes: against torch, and each one unmasked."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.attention import (
    MISTAKES,
    VARIANT_TITLES,
    Variant,
    attend,
    breakdown,
    breakdown_output,
    convex_hull,
    row_from,
    source_of_row,
    unmask,
)

torch.set_num_threads(1)

seeds = st.integers(0, 2**32 - 1)
sizes = st.integers(1, 6)
variants = st.sampled_from(list(Variant))


def made(rng, T, S, d, heads, d_k, d_v, cross, mask):
    """Arguments of `attend`, as a dict, with biases and, perhaps, a context and a mask."""
    arguments = {
        "X": rng.normal(size=(T, d)),
        "Wq": rng.normal(size=(heads, d, d_k)),
        "Wk": rng.normal(size=(heads, d, d_k)),
        "Wv": rng.normal(size=(heads, d, d_v)),
        "bq": rng.normal(size=(heads, d_k)),
        "bk": rng.normal(size=(heads, d_k)),
        "bv": rng.normal(size=(heads, d_v)),
        "Wo": rng.normal(size=(heads * d_v, 3)),
        "bo": rng.normal(size=3),
    }
    if cross:
        arguments["context"] = rng.normal(size=(S, d))
    else:
        S = T
    if mask == "array":
        visible = rng.random((T, S)) < 0.6
        visible[:, rng.integers(S)] = True
        arguments["mask"] = visible
    else:
        arguments["mask"] = mask
    return arguments


shapes = st.builds(
    made,
    rng=seeds.map(np.random.default_rng),
    T=sizes,
    S=sizes,
    d=sizes,
    heads=st.integers(1, 4),
    d_k=sizes,
    d_v=sizes,
    cross=st.booleans(),
    mask=st.sampled_from(["none", "causal", "array"]),
)


def by_torch(arguments, variant, temperature=1.0, scale="sqrt_dk"):
    """Each variant as published code would have it, in torch: (weights, output)."""
    t = {
        name: torch.from_numpy(np.array(value))
        for name, value in arguments.items()
        if name != "mask"
    }
    X = t["X"]
    C = t.get("context", X)
    heads, _, d_k = t["Wq"].shape
    root = d_k**0.5

    def split(rows, letter):
        # One linear layer for all heads, as in torch: columns head after head.
        W = torch.cat(list(t[f"W{letter}"]), dim=1)
        layer = torch.nn.Linear(*W.shape, dtype=torch.float64)
        with torch.no_grad():
            layer.weight.copy_(W.T)
            layer.bias.copy_(t[f"b{letter}"].reshape(-1))
            full = layer(rows)[None]  # a batch of one
        width = full.shape[-1] // heads
        if variant == "heads_mixed":
            return full.reshape(-1, 1, len(rows), width).transpose(0, 1)[0]
        return full.view(1, len(rows), heads, width).transpose(1, 2)[0]

    q, k, v = split(X, "q"), split(C, "k"), split(C, "v")
    divisor = {"sqrt_dk": root, "none": 1.0}.get(scale, scale)
    if variant in ("softmax_first", "unscaled"):
        divisor = 1.0
    elif variant == "multiplied":
        divisor = 1 / root
    scores = q @ k.transpose(-1, -2) / divisor / temperature
    if variant == "average":
        scores = torch.zeros_like(scores)
    mask = arguments["mask"]
    if isinstance(mask, str):
        visible = torch.ones(scores.shape[-2:], dtype=torch.bool)
        visible = visible.tril() if mask == "causal" else visible
    else:
        visible = torch.from_numpy(mask)
    weights = scores.masked_fill(~visible, -torch.inf).softmax(-1)
    if variant == "softmax_first":
        weights = weights / root
    output = weights @ v
    if variant == "output_scaled":
        output = output * root
    output = output.transpose(0, 1).reshape(len(X), -1)
    return weights.numpy(), (output @ t["Wo"] + t["bo"]).numpy()


@settings(max_examples=150, deadline=None)
@given(shapes, variants, st.floats(0.05, 20), st.sampled_from(["sqrt_dk", "none", 3.0]))
def test_every_variant_agrees_with_torch(arguments, variant, temperature, scale):
    result = attend(**arguments, variant=variant, temperature=temperature, scale=scale)
    weights, output = by_torch(arguments, variant, temperature, scale)
    np.testing.assert_allclose(result.weights, weights, rtol=0, atol=1e-11)
    np.testing.assert_allclose(result.output, output, rtol=0, atol=1e-10)
    assert (result.variant, result.temperature) == (variant, temperature)


@settings(max_examples=60, deadline=None)
@given(shapes, variants, st.floats(0.05, 20))
def test_scores_and_divisor_stay_honest(arguments, variant, temperature):
    result = attend(**arguments, variant=variant, temperature=temperature)
    plain = attend(**arguments, scale="none")
    if variant != "heads_mixed":
        assert np.array_equal(result.raw, plain.raw)
    visible = np.isfinite(result.scores)
    np.testing.assert_array_equal(
        result.scores[visible], (result.raw / result.divisor)[visible], strict=True
    )
    if variant == "none":
        assert result.divisor == result.d_k**0.5 * temperature
    if variant == "average":
        assert not result.scores[visible].any()
        assert not np.signbit(result.scores[visible]).any()


@settings(max_examples=60, deadline=None)
@given(shapes, variants)
def test_a_breakdown_tells_the_truth_of_every_variant(arguments, variant):
    result = attend(**arguments, variant=variant)
    wq, bq, wv, bv = (arguments[name] for name in ("Wq", "bq", "Wv", "bv"))
    for head, query, key in np.ndindex(result.heads, result.queries, result.keys):
        one = breakdown(result, query, key, head)
        assert one.products.sum() == pytest.approx(one.raw, abs=1e-12)
        assert one.score == (-np.inf if one.masked else one.raw / one.divisor)
        share = one.exponentials[key] / one.row_sum / one.weight_divisor
        assert share == pytest.approx(one.weight, rel=1e-11, abs=1e-290)
        np.testing.assert_allclose(
            one.adds, one.output_factor * one.weight * one.v, rtol=1e-13, atol=0
        )
        _, token, block = one.query_source
        np.testing.assert_allclose(one.q, arguments["X"][token] @ wq[block] + bq[block])
        _, token, block = one.key_source
        np.testing.assert_allclose(one.v, result.context[token] @ wv[block] + bv[block])
    for head, query, column in np.ndindex(result.heads, result.queries, result.d_v):
        whole = breakdown_output(result, query, column, head)
        assert whole.output_factor * whole.terms.sum() == pytest.approx(whole.total, abs=1e-11)
        added = [breakdown(result, query, key, head).adds[column] for key in range(result.keys)]
        assert sum(added) == pytest.approx(whole.total, abs=1e-11)


@settings(max_examples=60, deadline=None)
@given(seeds, st.integers(1, 3), st.integers(1, 4), st.integers(1, 4), sizes)
def test_mixed_heads_of_a_batch_are_those_of_reshape(seed, B, T, H, width):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(B, T, 3))
    W = rng.normal(size=(H, 3, width))
    result = attend(X, W, W, W, variant="heads_mixed")
    full = torch.from_numpy(np.concatenate([X @ one for one in W], axis=-1))
    expected = full.reshape(-1, B, T, width).numpy()
    for b, h, t in np.ndindex(B, H, T):
        np.testing.assert_array_equal(result.Q[b, h, t], expected[h, b, t])
        sequence, token, block = source_of_row("heads_mixed", h, t, H, T, b, B)
        np.testing.assert_allclose(result.Q[b, h, t], X[sequence, token] @ W[block], atol=1e-14)
        one = breakdown(result, t, 0, h, b)
        assert one.query_source == (sequence, token, block)


@pytest.mark.parametrize("variant", ["none", "heads_mixed"])
@pytest.mark.parametrize(("heads", "tokens"), [(1, 3), (2, 1), (2, 4), (3, 4)])
def test_where_a_row_goes_is_where_it_comes_from(variant, heads, tokens):
    for head, token in np.ndindex(heads, tokens):
        place = row_from(variant, head, token, heads, tokens)
        assert source_of_row(variant, *place, heads, tokens) == (0, token, head)


@pytest.mark.parametrize("T", [4, 6])
def test_an_edited_token_changes_one_head_of_the_mixed_ones(T):
    rng = np.random.default_rng(3)
    X, W = rng.normal(size=(T, 4)), rng.normal(size=(2, 4, 2))
    before = attend(X, W, W, W, variant="heads_mixed")
    for token in range(T):
        moved = X.copy()
        moved[token] += 1
        after = attend(moved, W, W, W, variant="heads_mixed")
        rows = (after.Q != before.Q).any(axis=-1)
        assert rows.any(axis=1).sum() == 1
        assert rows.sum() == 2
        assert not np.array_equal(np.flatnonzero(rows.any(axis=0)), [token])


# --- unmasked ------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(
    rng=seeds.map(np.random.default_rng),
    T=st.integers(2, 6),
    heads=st.integers(2, 4),
    d_k=st.integers(2, 6),
    cross=st.booleans(),
    mask=st.sampled_from(["none", "causal", "array"]),
    temperature=st.floats(0.2, 5),
)
def test_each_mistake_is_found_by_its_check_and_by_no_other(
    rng, T, heads, d_k, cross, mask, temperature
):
    arguments = made(rng, T, 3, 5, heads, d_k, d_k, cross, mask)

    for variant in (*MISTAKES, Variant.NONE, Variant.AVERAGE):

        def run(X, variant=variant):
            return attend(**(arguments | {"X": X}), variant=variant, temperature=temperature)

        attention = run(arguments["X"])
        found = {check for check in MISTAKES if unmask(check, attention, run).found}
        assert found == {variant} & set(MISTAKES)


def test_what_a_check_says_names_the_number():
    rng = np.random.default_rng(1)
    arguments = made(rng, 4, 4, 3, 2, 4, 4, False, "none")

    def finding(check, variant):
        def run(X):
            return attend(**(arguments | {"X": X}), variant=variant)

        return unmask(check, run(arguments["X"]), run)

    said = {check: str(finding(check, check).says) for check in MISTAKES}
    assert said == {
        "softmax_first": "A row of A sums to 0.500, not to 1.",
        "multiplied": "A score is 2 times q · k, not 0.500 times: the softmax saturates sooner.",
        "output_scaled": "O is 2 times A V, so it may leave the hull of V.",
        "unscaled": "A score is q · k itself, not 0.500 times: the larger d, the sharper A.",
        "heads_mixed": (
            "Editing “#2” changes rows of other tokens: “#3”, “#4” in head 1; "
            "and nothing in head 2."
        ),
    }
    right = {check: str(finding(check, "none").says) for check in MISTAKES}
    assert right == {
        "softmax_first": "Every row of A sums to 1.",
        "multiplied": "No score is √d times q · k.",
        "output_scaled": "O is A V.",
        "unscaled": "Scores are q · k divided by something.",
        "heads_mixed": "Editing “#2” changes its own rows of Q, K and V alone.",
    }
    assert str(finding("unscaled", "softmax_first").says) == (
        "Scores are q · k itself, but A is divided afterwards."
    )
    assert (
        str(finding("unscaled", "multiplied").says) == "Scores are q · k multiplied by something."
    )
    assert str(finding("unscaled", "average").says) == "All scores are 0, whatever q · k is."
    assert finding("multiplied", "multiplied").measured == pytest.approx(2)


def finding_of(check, variant, tokens=(), **arguments):
    def run(X):
        return attend(**(arguments | {"X": X}), variant=variant)

    return unmask(check, run(arguments["X"]), run, tokens)


def test_mixed_heads_name_the_edited_token_and_the_rows_that_changed():
    rng = np.random.default_rng(2)
    tokens = ("the", "dog", "chases", "the", "cat")
    for H in (2, 3, 4):
        X, W = rng.normal(size=(5, 3)), rng.normal(size=(H, 3, 2))
        before = attend(X, W, W, W, variant="heads_mixed")
        moved = X.copy()
        moved[1] = (5.0, -7.0, 11.0)
        after = attend(moved, W, W, W, variant="heads_mixed")
        changed = (before.Q != after.Q).any(axis=-1)
        said = str(finding_of("heads_mixed", "heads_mixed", tokens, X=X, Wq=W, Wk=W, Wv=W).says)
        assert said.startswith("Editing “dog” changes rows of other tokens: ")
        names = ["the #1", "dog", "chases", "the #4", "cat"]
        for head in range(H):
            rows = [f"“{names[row]}”" for row in range(5) if row != 1 and changed[head, row]]
            expected = f"{', '.join(rows)} in head {head + 1}" if rows else ""
            assert expected in said
            assert (f"” in head {head + 1}" in said) == bool(rows)
        silent = [str(head + 1) for head in range(H) if not changed[head].any()]
        assert silent
        assert said.endswith(f"; and nothing in head {', '.join(silent)}.")


@pytest.mark.parametrize("check", MISTAKES)
def test_a_mistake_that_changes_nothing_is_not_found_and_says_so(check):
    rng = np.random.default_rng(4)
    X, thin = rng.normal(size=(4, 3)), rng.normal(size=(1, 3, 1))
    found = finding_of(check, check, X=X, Wq=thin, Wk=thin, Wv=thin)
    right = attend(X, thin, thin, thin)
    np.testing.assert_array_equal(attend(X, thin, thin, thin, variant=check).output, right.output)
    assert not found.found
    said = "There is only one head" if check == "heads_mixed" else "√d is 1 here"
    assert str(found.says).startswith(said)


def test_one_token_has_all_rows_whatever_is_mixed():
    W = np.random.default_rng(5).normal(size=(3, 2, 2))
    found = finding_of("heads_mixed", "heads_mixed", X=np.ones((1, 2)), Wq=W, Wk=W, Wv=W)
    assert not found.found
    assert str(found.says) == "There is only one token: all rows are its own."


def test_a_change_that_w_takes_back_is_found_all_the_same():
    """Columns of W that sum to 0 do not see a change by the same in every column of X."""
    W = np.array([[[1.0, 2.0], [-1.0, -2.0]], [[3.0, 1.0], [-3.0, -1.0]]])
    X = np.random.default_rng(6).normal(size=(4, 2))
    assert finding_of("heads_mixed", "heads_mixed", X=X, Wq=W, Wk=W, Wv=W).found


@pytest.mark.parametrize("check", ["multiplied", "unscaled"])
def test_a_temperature_is_left_aside_and_named(check):
    rng = np.random.default_rng(7)
    X = rng.normal(size=(4, 4))

    def run(X):
        return attend(X, variant=check, temperature=0.5)

    found = unmask(check, run(X), run)
    assert found.found
    assert str(found.says).startswith("Before the temperature a score is ")


@pytest.mark.parametrize("check", ["multiplied", "unscaled"])
def test_scores_that_are_all_0_tell_nothing(check):
    found = finding_of(check, check, X=np.zeros((2, 4)))
    assert not found.found
    assert str(found.says).startswith("Every q · k that is seen is 0")


def test_a_scaled_output_leaves_the_hull_of_the_values():
    X = np.array([[1.0, 0.0], [0.9, 0.3], [1.1, -0.2]])
    right, wrong = attend(X), attend(X, variant="output_scaled")
    hull = convex_hull(X)
    assert len(convex_hull(np.vstack([hull, right.head_output[0]]))) == len(hull)
    assert len(convex_hull(np.vstack([hull, wrong.head_output[0]]))) > 0
    assert wrong.head_output[0, :, 0].min() > hull[:, 0].max()


def test_every_variant_has_a_title():
    assert set(VARIANT_TITLES) == set(Variant)


@pytest.mark.parametrize("variant", ["wrong", None, 3])
def test_an_unknown_variant_is_named(variant):
    with pytest.raises(ValueError, match=r'^variant must be one of "none", "average", "softmax_'):
        attend([[1.0]], variant=variant)


@pytest.mark.parametrize("temperature", [0, -1, np.nan, np.inf, True, "1"])
def test_a_temperature_is_a_positive_number(temperature):
    with pytest.raises(ValueError, match=r"^temperature must be a positive number"):
        attend([[1.0]], temperature=temperature)
