"""Backwards: points land where they are put, numbers become what is asked, by the least change."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from explorer.attention import Moves, Reason, Unreachable, aim_score, aim_weight, attend, pull

torch.set_num_threads(1)

seeds = st.integers(0, 2**32 - 1)
sizes = st.integers(1, 6)


# --- points of Q, K and V ------------------------------------------------------------------------


@settings(max_examples=100)
@given(seeds, sizes, sizes, st.integers(0, 3))
def test_a_pulled_point_lands_as_near_as_it_can_by_the_least_change(seed, d, width, lost):
    rng = np.random.default_rng(seed)
    W = rng.normal(size=(d, width))
    rank = max(0, min(d, width) - lost)
    left, s, right = np.linalg.svd(W, full_matrices=False)
    s[rank:] = 0.0
    W = (left * s) @ right
    x, b, target = rng.normal(size=d), rng.normal(size=width), rng.normal(size=width)
    found = pull(W, x @ W + b, target)
    landed = (x + found.change) @ W + b
    np.testing.assert_allclose(landed, found.landing, rtol=0, atol=1e-9)
    # Oracle: least squares, of least norm.
    best = torch.linalg.lstsq(
        torch.from_numpy(W.T.copy()), torch.from_numpy(target - x @ W - b)[:, None], driver="gelsd",
        rcond=1e-6,
    ).solution[:, 0]  # fmt: skip
    finest = s[rank - 1] if rank else 1.0
    np.testing.assert_allclose(found.change, best, rtol=0, atol=1e-8 * max(1, 1 / finest))
    assert found.directions.shape == (rank, width)
    np.testing.assert_allclose(found.directions @ found.directions.T, np.eye(rank), atol=1e-12)
    assert found.reached == (np.abs(landed - target).max() < 1e-9)
    assert found.reached == (rank == width)


def test_a_flattened_w_lets_a_point_move_along_a_line():
    W = np.array([[1.0, 2.0], [2.0, 4.0]])
    found = pull(W, [1.0, 2.0], [2.0, 0.0])
    assert not found.reached
    line = np.array([1.0, 2.0]) / 5**0.5
    assert np.abs(found.directions @ line) == pytest.approx(1)
    np.testing.assert_allclose(found.landing, [0.4, 0.8], atol=1e-12)  # the foot of the target
    on_the_line = pull(W, [1.0, 2.0], [-3.0, -6.0])
    assert on_the_line.reached
    np.testing.assert_array_equal(on_the_line.landing, [-3, -6])


def test_a_direction_below_a_millionth_is_unreachable():
    assert pull(np.diag([1, 2e-6]), [0, 0], [1, 1]).reached
    assert not pull(np.diag([1, 5e-7]), [0, 0], [1, 1]).reached
    nothing = pull(np.zeros((2, 3)), [1, 1, 1], [0, 0, 0])
    assert not nothing.reached
    assert nothing.directions.shape == (0, 3)
    np.testing.assert_array_equal(nothing.landing, [1, 1, 1])
    assert pull(np.zeros((2, 3)), [1, 1, 1], [1, 1, 1]).reached


def test_without_a_w_the_point_is_the_row():
    found = pull(None, [1.0, 2.0], [0.5, 3.0])
    np.testing.assert_array_equal(found.change, [-0.5, 1])
    assert found.reached


# --- scores and weights --------------------------------------------------------------------------


class Head:
    """One head whose attention can be computed again after a change of X, Wq or Wk."""

    def __init__(self, rng, T, S, d, d_k, *, cross, mask="none", plain=False, **options):
        self.parts = {"X": rng.normal(size=(T, d))}
        self.context = rng.normal(size=(S, d)) if cross else None
        self.plain = plain
        if not plain:
            self.parts |= {"Wq": rng.normal(size=(d, d_k)), "Wk": rng.normal(size=(d, d_k))}
        self.b = {} if plain else {"bq": rng.normal(size=d_k), "bk": rng.normal(size=d_k)}
        self.options = {"mask": mask, **options}
        self.attention = self.compute({})

    def compute(self, changes):
        parts = self.parts | changes
        W = () if self.plain else (parts["Wq"], parts["Wk"], parts["Wk"])
        return attend(parts["X"], *W, context=self.context, **self.b, **self.options)

    def after(self, moves, query, change):
        name = str(moves)
        part = self.parts[name].copy()
        if name == "X":
            part[query] += change
        else:
            part += change
        return self.compute({name: part})

    def aim_or_reason(self, *arguments):
        """The aim, or why there is none."""
        try:
            return self.aim(*arguments), None
        except Unreachable as problem:
            return None, problem.reason

    def aim(self, aim, moves, query, key, target):
        W = (None, None) if self.plain else (self.parts["Wq"], self.parts["Wk"])
        return aim(self.attention, *W, query, key, target, moves)


heads = st.builds(
    Head,
    rng=seeds.map(np.random.default_rng),
    T=st.integers(2, 5),
    S=st.integers(2, 5),
    d=st.integers(2, 4),
    d_k=st.integers(1, 4),
    cross=st.booleans(),
    plain=st.booleans(),
    scale=st.sampled_from(["sqrt_dk", "none", 2.0]),
    temperature=st.floats(0.5, 2),
)


def draw_pair(data, head, moves):
    query = data.draw(st.integers(0, head.attention.queries - 1))
    return query, data.draw(st.integers(0, head.attention.keys - 1))


def value_after(head, moves, query, key, weight):
    """The score or weight of a pair as a plain function of a flat change of what moves."""
    attention, name = head.attention, str(moves)
    size = head.parts[name][query].size if name == "X" else head.parts[name].size

    def value(z):
        parts = dict(head.parts)
        if name == "X":
            parts["X"] = parts["X"].copy()
            parts["X"][query] += z
        else:
            parts[name] = parts[name] + z.reshape(parts[name].shape)
        x = parts["X"][query]
        rows = parts["X"] if head.context is None else head.context
        if head.plain:
            scores = rows @ x
        else:
            scores = (rows @ parts["Wk"] + head.b["bk"]) @ (x @ parts["Wq"] + head.b["bq"])
        if not weight:
            return scores[key]
        scores = scores / attention.divisor
        e = np.exp(scores - scores.max())
        return e[key] / e.sum()

    return value, size


def least_by_scipy(value, size, target):
    """The length of the shortest change in 20 seeded solves by SLSQP; None if none succeeds."""
    rng = np.random.default_rng(7)
    best = None
    for start in range(20):
        z0 = np.zeros(size) if start == 0 else rng.normal(size=size) * rng.choice([0.3, 1, 3])
        with np.errstate(all="ignore"):
            done = minimize(
                lambda z: z @ z,
                z0,
                jac=lambda z: 2 * z,
                method="SLSQP",
                constraints={"type": "eq", "fun": lambda z: np.nan_to_num(value(z)) - target},
                options={"maxiter": 100, "ftol": 1e-10},
            )
            met = abs(value(done.x) - target) < 1e-6
        norm = float(np.linalg.norm(done.x))
        if met and (best is None or norm < best):
            best = norm
    return best


@settings(max_examples=120, deadline=None)
@given(heads, st.sampled_from(["Wq", "Wk"]), st.floats(-5, 5), st.data())
def test_a_raw_score_is_met_by_the_least_change_of_a_w(head, moves, target, data):
    query, key = draw_pair(data, head, moves)
    if head.plain:
        with pytest.raises(Unreachable) as problem:
            head.aim(aim_score, moves, query, key, target)
        assert problem.value.reason is Reason.NO_EFFECT
        return
    found = head.aim(aim_score, moves, query, key, target)
    made = head.after(moves, query, found.change)
    assert made.raw[0, query, key] == pytest.approx(target, abs=1e-9)
    # Oracle: the score is linear in W, so its change is one row of a least squares problem.
    part = head.parts[moves]
    row = np.array([
        head.after(moves, query, unit.reshape(part.shape)).raw[0, query, key]
        - head.attention.raw[0, query, key]
        for unit in np.eye(part.size)
    ])  # fmt: skip
    gap = target - head.attention.raw[0, query, key]
    best = np.linalg.lstsq(row[None], [gap], rcond=None)[0]
    np.testing.assert_allclose(found.change.ravel(), best, rtol=0, atol=1e-8)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of the oracle's steps
@pytest.mark.parametrize("moves", Moves)
@pytest.mark.parametrize("weight", [False, True], ids=["score", "weight"])
@pytest.mark.parametrize("seed", range(8))
def test_a_number_is_met_within_a_twentieth_of_the_least_change(seed, weight, moves):
    rng = np.random.default_rng(seed)
    T, S, d, d_k = rng.integers(2, 5, 4)
    head = Head(rng, T, S, d, d_k, cross=seed % 2 == 0, plain=moves == "X" and seed % 4 > 1)
    query = int(rng.integers(T))
    # Of every other seed the pair of a token with itself, whose key moves along.
    key = query if seed % 2 else int(rng.integers(S))
    target = float(rng.uniform(0.02, 0.98) if weight else rng.normal() * 3)
    value, size = value_after(head, moves, query, key, weight)
    best = least_by_scipy(value, size, target)
    aim = aim_weight if weight else aim_score
    found, reason = head.aim_or_reason(aim, moves, query, key, target)
    if found is None:
        assert best is None
        assert reason in (Reason.PARALLEL, Reason.BEYOND)
        return
    made = head.after(moves, query, found.change)
    got = made.weights if weight else made.raw
    assert got[0, query, key] == pytest.approx(target, abs=1e-6)
    assert found.value == pytest.approx(target, abs=1e-6)
    assert best is not None
    assert np.linalg.norm(found.change) <= 1.05 * best


@settings(max_examples=40, deadline=None)
@given(seeds, st.sampled_from(list(Moves)), st.floats(0.01, 0.5))
def test_masked_keys_stay_out_of_it_and_variants_too(seed, moves, target):
    rng = np.random.default_rng(seed)
    visible = np.array([[1, 1, 0, 1], [1, 0, 1, 1], [1, 1, 1, 1], [0, 1, 0, 1]], bool)
    head = Head(rng, 4, 4, 3, 3, cross=False, mask=visible, variant="softmax_first")
    for query, key in ((0, 1), (1, 2), (3, 3)):
        found, reason = head.aim_or_reason(aim_weight, moves, query, key, target)
        if found is None:
            assert reason is not Reason.MASKED
            continue
        made = head.after(moves, query, found.change)
        assert made.weights[0, query, key] == pytest.approx(target, abs=1e-6)


def reason_of(head, aim, moves, query, key, target):
    with pytest.raises(Unreachable) as problem:
        head.aim(aim, moves, query, key, target)
    assert str(problem.value).endswith(".")
    return problem.value.reason


def test_what_cannot_be_says_why():
    rng = np.random.default_rng(5)
    causal = Head(rng, 3, 3, 2, 2, cross=False, mask="causal")
    assert reason_of(causal, aim_weight, "X", 0, 1, 0.5) is Reason.MASKED
    assert reason_of(causal, aim_weight, "X", 0, 0, 0.5) is Reason.ONE_KEY
    for target in (0.0, 1.0, -0.2, 1.3):
        assert reason_of(causal, aim_weight, "Wq", 2, 1, target) is Reason.BEYOND
    average = Head(rng, 3, 3, 2, 2, cross=False, variant="average")
    assert reason_of(average, aim_weight, "X", 0, 1, 0.5) is Reason.VARIANT
    mixed = Head(rng, 3, 3, 2, 2, cross=False, variant="heads_mixed")
    assert reason_of(mixed, aim_score, "X", 0, 1, 0.5) is Reason.VARIANT


def test_parallel_keys_and_keys_within_others_bound_a_weight():
    def head(context, d_k=2):
        made = Head(np.random.default_rng(1), 1, len(context), 2, d_k, cross=True, plain=True)
        made.context = np.array(context, float)
        made.attention = made.compute({})
        return made

    same = head([[1, 1], [1, 1], [1, 1]])
    assert reason_of(same, aim_weight, "X", 0, 0, 0.5) is Reason.PARALLEL
    twins = head([[1, 1], [1, 1], [0, 3]])
    assert reason_of(twins, aim_weight, "X", 0, 0, 0.6) is Reason.PARALLEL
    assert twins.aim(aim_weight, "X", 0, 0, 0.4).value == pytest.approx(0.4)
    line = head([[1, 0], [2, 0], [3, 0]])
    assert reason_of(line, aim_weight, "X", 0, 1, 0.9) is Reason.PARALLEL
    assert line.aim(aim_weight, "X", 0, 2, 0.9).value == pytest.approx(0.9)
    around = head([[0, 0], [2, 1], [-2, 1], [0, -2]])
    assert reason_of(around, aim_weight, "X", 0, 0, 0.9) is Reason.BEYOND
    with pytest.raises(Unreachable, match=r"no closer than 0\.2\d\d\.$"):
        around.aim(aim_weight, "X", 0, 0, 0.9)


def test_nothing_moves_what_is_multiplied_by_zero():
    head = Head(np.random.default_rng(1), 2, 3, 2, 2, cross=True)
    head.parts["X"] = np.zeros((2, 2))
    head.b = {}
    head.attention = head.compute({})
    for aim in (aim_score, aim_weight):
        for moves in ("Wq", "Wk"):
            assert reason_of(head, aim, moves, 0, 1, 0.7) is Reason.NO_EFFECT


def test_a_target_already_met_changes_nothing():
    head = Head(np.random.default_rng(1), 2, 3, 2, 2, cross=True)
    for aim, values in ((aim_score, "raw"), (aim_weight, "weights")):
        value = float(getattr(head.attention, values)[0, 1, 2])
        for moves in Moves:
            found = head.aim(aim, moves, 1, 2, value)
            assert not found.change.any()
            assert found.value == value


@pytest.mark.parametrize("moves", list(Moves))
def test_of_many_tokens_a_weight_is_reached_by_a_change_that_cannot_be_shortened(moves):
    head = Head(np.random.default_rng(4), 130, 130, 130, 130, cross=False)
    found = head.aim(aim_weight, moves, 3, 7, 0.5)
    made = head.after(moves, 3, found.change)
    assert made.weights[0, 3, 7] == pytest.approx(0.5, abs=1e-9)

    def moved(change):
        return abs(float(head.after(moves, 3, change).weights[0, 3, 7]) - 0.5)

    # At the shortest change the weight grows along the change itself, and across it by nothing.
    size, rng = np.linalg.norm(found.change), np.random.default_rng(1)
    for _ in range(8):
        across = rng.normal(size=found.change.shape)
        across -= found.change * (across.ravel() @ found.change.ravel()) / size**2
        across *= 1e-4 * size / np.linalg.norm(across)
        assert moved(found.change + across) < 0.01 * moved(found.change * 1.0001)


@given(seeds)
def test_a_pull_like_another_of_the_same_w_is_the_same(seed):
    rng = np.random.default_rng(seed)
    W = rng.normal(size=(4, 3)) @ np.diag([1.0, 1.0, rng.integers(0, 2)])
    start = rng.normal(size=4) @ W
    before = pull(W, start, rng.normal(size=3))
    target = rng.normal(size=3)
    one, other = pull(W, start, target), pull(W, start, target, before)
    for name in ("change", "landing", "directions"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    assert one.reached == other.reached
