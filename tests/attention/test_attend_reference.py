"""`attend` against a slow, obvious reference, and the properties that every result has."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.attention import attend, softmax

FIELDS = ("Q", "K", "V", "raw", "scores", "weights", "head_output", "output")

seeds = st.integers(0, 2**32 - 1)
small = st.integers(1, 5)


def reference(X, context, Wq, Wk, Wv, bq, bk, bv, Wo, bo, visible, divisor):
    """Every intermediate of one sequence by loops over plain numbers, as in the definition."""

    def project(rows, W, b):
        return [
            [
                [sum(r * W[h][i][c] for i, r in enumerate(row)) + b[h][c] for c in range(len(b[h]))]
                for row in rows
            ]
            for h in range(len(W))
        ]

    Q, K, V = project(X, Wq, bq), project(context, Wk, bk), project(context, Wv, bv)
    raw, scores, weights, head_output = [], [], [], []
    for queries, keys, values in zip(Q, K, V, strict=True):
        raw.append([[sum(a * b for a, b in zip(q, k, strict=True)) for k in keys] for q in queries])
        scores.append(
            [
                [r / divisor if visible[i][j] else -math.inf for j, r in enumerate(row)]
                for i, row in enumerate(raw[-1])
            ]
        )
        weights.append([])
        for row in scores[-1]:
            exponentials = [math.exp(score) for score in row]
            total = sum(exponentials)
            weights[-1].append([e / total if total else 0.0 for e in exponentials])
        head_output.append(
            [
                [sum(w * v[c] for w, v in zip(row, values, strict=True)) for c in range(len(v0))]
                for row in weights[-1]
                for v0 in values[:1]
            ]
        )
    together = [[number for head in head_output for number in head[i]] for i in range(len(X))]
    output = [
        [sum(a * Wo[r][c] for r, a in enumerate(row)) + bo[c] for c in range(len(bo))]
        for row in together
    ]
    return {
        "Q": Q,
        "K": K,
        "V": V,
        "raw": raw,
        "scores": scores,
        "weights": weights,
        "head_output": head_output,
        "output": output,
    }


def assert_same(attention, expected):
    """Fails with the name and the place of the first number that differs."""
    for name in FIELDS:
        ours, theirs = getattr(attention, name), np.array(expected[name])
        assert ours.shape == theirs.shape, f"{name} has shape {ours.shape}, not {theirs.shape}"
        far = ~np.isclose(ours, theirs, rtol=1e-10, atol=1e-12)
        for cell in np.argwhere(far)[:1]:
            place = name + "".join(f"[{i}]" for i in cell)
            at = tuple(cell)
            raise AssertionError(f"{place} is {ours[at]!r}, but the reference has {theirs[at]!r}")


@given(queries=small, keys=small, d=small, context_width=small, d_k=small, d_v=small,
       d_out=small, heads=st.integers(1, 3), divisor=st.floats(0.1, 10), seed=seeds)  # fmt: skip
@settings(max_examples=80, deadline=None)
def test_every_intermediate_is_the_reference(
    queries, keys, d, context_width, d_k, d_v, d_out, heads, divisor, seed
):
    rng = np.random.default_rng(seed)
    given_ = {
        "X": rng.normal(size=(queries, d)),
        "context": rng.normal(size=(keys, context_width)),
        "Wq": rng.normal(size=(heads, d, d_k)),
        "Wk": rng.normal(size=(heads, context_width, d_k)),
        "Wv": rng.normal(size=(heads, context_width, d_v)),
        "bq": rng.normal(size=(heads, d_k)),
        "bk": rng.normal(size=(heads, d_k)),
        "bv": rng.normal(size=(heads, d_v)),
        "Wo": rng.normal(size=(heads * d_v, d_out)),
        "bo": rng.normal(size=d_out),
    }
    visible = rng.random((queries, keys)) < 0.6
    lists = {name: value.tolist() for name, value in given_.items()}
    result = attend(**given_, mask=visible, scale=divisor)
    assert_same(result, reference(**lists, visible=visible.tolist(), divisor=divisor))


def test_the_reference_says_where_it_differs():
    X = [[1.0, 2.0], [3.0, 4.0]]
    attention = attend(X)
    expected = {name: getattr(attention, name).copy() for name in FIELDS}
    expected["weights"][0, 1, 0] += 0.5
    with pytest.raises(AssertionError, match=r"weights\[0\]\[1\]\[0\] is .* the reference has"):
        assert_same(attention, expected)


@given(sequences=small, queries=small, keys=small, d=small, heads=st.integers(1, 3),
       mask=st.sampled_from(["none", "causal", "shared", "own"]), seed=seeds,
       context=st.sampled_from(["none", "shared", "own"]), projected=st.booleans())  # fmt: skip
@settings(max_examples=80, deadline=None)
def test_a_batch_is_the_loop_over_its_sequences(
    sequences, queries, keys, d, heads, mask, seed, context, projected
):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(sequences, queries, d))
    contexts = {
        "none": None,
        "shared": rng.normal(size=(keys, d)),
        "own": rng.normal(size=(sequences, keys, d)),
    }
    rows = contexts[context]
    keys = queries if rows is None else keys
    visible = rng.random((sequences, queries, keys)) < 0.6
    chosen = {"shared": visible[0], "own": visible}.get(mask, mask)
    weights = rng.normal(size=(4, heads, d, d))
    more = dict(zip(("Wq", "Wk", "Wv"), weights, strict=False)) if projected else {}
    if projected:
        more |= {"Wo": rng.normal(size=(heads * d, 3)), "bo": rng.normal(size=3)}

    batch = attend(X, **more, context=rows, mask=chosen)

    assert batch.batched
    for b in range(sequences):
        one = attend(
            X[b],
            **more,
            context=rows[b] if context == "own" else rows,
            mask=visible[b] if mask == "own" else chosen,
        )
        assert not one.batched
        for name in (*FIELDS, "X", "context"):
            ours, alone = getattr(batch, name), getattr(one, name)
            assert ours.shape == (sequences, *alone.shape), name
            np.testing.assert_allclose(ours[b], alone, rtol=1e-12, atol=1e-13, err_msg=name)


@given(queries=st.integers(1, 20), keys=st.integers(1, 20), exponent=st.integers(-50, 50),
       seed=seeds)  # fmt: skip
@settings(max_examples=80, deadline=None)
def test_rows_of_weights_sum_to_one_and_outputs_stay_among_the_values(
    queries, keys, exponent, seed
):
    rng = np.random.default_rng(seed)
    size = 10.0**exponent
    X, context = rng.normal(size=(queries, 3)) * size, rng.normal(size=(keys, 3)) * size
    visible = rng.random((queries, keys)) < 0.5
    result = attend(X, context=context, mask=visible)
    some = visible.any(axis=1)
    np.testing.assert_allclose(result.weights.sum(axis=-1)[0], some, rtol=0, atol=1e-12)
    assert np.all(result.weights >= 0)
    assert np.all(result.weights[0][~visible] == 0)
    assert np.all(result.head_output[0][~some] == 0)
    slack = 1e-12 * np.abs(result.V).max()
    assert np.all(result.head_output[0][some] <= result.V[0].max(axis=0) + slack)
    assert np.all(result.head_output[0][some] >= result.V[0].min(axis=0) - slack)


@given(tokens=st.integers(1, 12), seed=seeds)
@settings(max_examples=50, deadline=None)
def test_permuted_tokens_give_permuted_results(tokens, seed):
    rng = np.random.default_rng(seed)
    X, (wq, wk, wv) = rng.normal(size=(tokens, 4)), rng.normal(size=(3, 2, 4, 3))
    visible = rng.random((tokens, tokens)) < 0.7
    order = rng.permutation(tokens)
    plain = attend(X, wq, wk, wv, mask=visible)
    permuted = attend(X[order], wq, wk, wv, mask=visible[np.ix_(order, order)])
    close = {"rtol": 1e-12, "atol": 1e-12}
    for name in ("Q", "K", "V", "head_output"):
        np.testing.assert_allclose(
            getattr(permuted, name), getattr(plain, name)[:, order], err_msg=name, **close
        )
    for name in ("raw", "scores", "weights"):
        cells = getattr(plain, name)[:, order][:, :, order]
        np.testing.assert_allclose(getattr(permuted, name), cells, err_msg=name, **close)


@given(keys=st.integers(1, 8), shift=st.floats(-1e6, 1e6), seed=seeds)
@settings(max_examples=40, deadline=None)
def test_softmax_ignores_what_is_added_to_a_whole_row(keys, shift, seed):
    scores = np.random.default_rng(seed).normal(size=(3, keys))
    np.testing.assert_allclose(softmax(scores + shift), softmax(scores), rtol=0, atol=1e-9)


def test_softmax_of_extreme_rows():
    huge = 1.7e308
    rows = [[-np.inf, -np.inf], [huge, -huge], [-huge, -np.inf], [-huge, -huge], [0.0, -800.0]]
    expected = [[0, 0], [1, 0], [1, 0], [0.5, 0.5], [1, 0]]
    assert np.array_equal(softmax(rows), expected)
    assert not softmax(rows).flags.writeable


def test_inputs_are_neither_changed_nor_shared_and_results_are_read_only():
    rng = np.random.default_rng(5)
    given_ = {
        "X": rng.normal(size=(3, 2)),
        "context": rng.normal(size=(4, 2)),
        "mask": rng.random((3, 4)) < 0.5,
        "Wq": rng.normal(size=(2, 2)),
        "Wk": rng.normal(size=(2, 2)),
        "Wv": rng.normal(size=(2, 2)),
        "bq": rng.normal(size=2),
        "bk": rng.normal(size=2),
        "bv": rng.normal(size=2),
        "Wo": rng.normal(size=(2, 2)),
        "bo": rng.normal(size=2),
    }
    before = {name: array.copy() for name, array in given_.items()}
    result = attend(**given_)
    kept = {name: getattr(result, name).copy() for name in (*FIELDS, "X", "context", "mask")}
    for name, array in given_.items():
        assert np.array_equal(array, before[name]), name
        assert array.flags.writeable, name
        array[...] = 0
    for name, copy in kept.items():
        array = getattr(result, name)
        assert np.array_equal(array, copy), name
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


@pytest.mark.parametrize("batch", [(), (2,)])
def test_without_projections_results_are_read_only_too(batch):
    X, context = np.ones((*batch, 3, 2)), np.ones((4, 2))
    result = attend(X, context=context)
    assert not any(getattr(result, name).flags.writeable for name in (*FIELDS, "X", "context"))
    assert X.flags.writeable
    assert context.flags.writeable


def test_a_read_only_input_is_kept_as_it_is():
    X, visible = np.ones((2, 2)), np.tri(2, dtype=bool)
    X.setflags(write=False)
    visible.setflags(write=False)
    result = attend(X, mask=visible)
    assert result.X is X
    assert result.context is X
    assert result.mask is visible


def test_the_head_axis_is_always_there():
    one = attend(np.ones((4, 3)), np.ones((3, 2)), np.ones((3, 2)), np.ones((3, 5)))
    assert (one.Q.shape, one.V.shape, one.raw.shape) == ((1, 4, 2), (1, 4, 5), (1, 4, 4))
    assert one.output.shape == (4, 5)
    assert (one.heads, one.queries, one.keys, one.d_k, one.d_v) == (1, 4, 4, 2, 5)
    two = attend(np.ones((6, 4, 3)), *np.ones((3, 2, 3, 5)), context=np.ones((7, 3)))
    assert (two.Q.shape, two.K.shape, two.raw.shape) == ((6, 2, 4, 5), (6, 2, 7, 5), (6, 2, 4, 7))
    assert two.output.shape == (6, 4, 10)
    assert (two.heads, two.queries, two.keys, two.d_k, two.d_v) == (2, 4, 7, 5, 5)
    bare = attend(np.ones((4, 3)))
    assert bare.Q.shape == bare.K.shape == bare.V.shape == (1, 4, 3)


def test_without_Wo_the_heads_stand_side_by_side():
    rng = np.random.default_rng(2)
    result = attend(rng.normal(size=(4, 3)), *rng.normal(size=(3, 2, 3, 5)))
    assert np.array_equal(result.output, np.hstack(list(result.head_output)))


def test_causal_with_more_keys_than_queries_counts_both_from_the_start():
    result = attend(np.ones((2, 1)), context=np.ones((4, 1)), mask="causal")
    expected = [[True, False, False, False], [True, True, False, False]]
    assert np.array_equal(result.mask, expected)
    assert np.array_equal(np.isneginf(result.scores[0]), ~np.array(expected))
    assert np.all(result.raw == 1.0)


@pytest.mark.parametrize("mask", ["none", np.ones((3, 3), dtype=bool), [[True] * 3] * 3])
def test_a_mask_that_hides_nothing_is_none(mask):
    assert attend(np.ones((3, 2)), mask=mask).mask is None


@pytest.mark.parametrize(
    ("scale", "divisor"), [("sqrt_dk", 3.0), ("none", 1.0), (4, 4.0), (np.float32(0.5), 0.5)]
)
def test_scale_is_what_raw_is_divided_by(scale, divisor):
    result = attend(np.arange(18.0).reshape(2, 9), scale=scale)
    assert result.divisor == divisor
    assert type(result.divisor) is float
    assert np.array_equal(result.scores, result.raw / divisor)


def test_entries_up_to_the_limit_give_finite_results():
    X = np.full((4, 512), 1e50)
    W = np.full((512, 8), 1e50)
    W[:, ::2] *= -1
    result = attend(X, W, W, W)
    assert np.isfinite(result.scores).all()
    np.testing.assert_allclose(result.weights, 0.25)
