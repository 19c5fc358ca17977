"""Figures of heads beside slow and obvious ones."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import erf as exact_erf

from explorer import models
from explorer.models.figures import (
    Kind,
    atlas,
    layer_figures,
    pair_weights,
    rank,
    run_figures,
    strongest_pairs,
    tiles,
)
from explorer.models.functions import ACTIVATIONS, activate, erf, softmax
from explorer.models.next_token import next_tokens, probabilities
from explorer.models.repeats import repeat_run, repeat_scores, scores_of
from explorer.text import Problem
from tests.models.made import BERT, GPT2, LLAMA, model_folder


def test_the_error_function_is_exact() -> None:
    x = np.concatenate([np.linspace(-7, 7, 100_001), [0.0, -0.0, 1e-300, 40.0, -40.0]])
    assert np.abs(erf(x) - exact_erf(x)).max() <= 1e-15
    assert np.abs(erf(x.astype(np.float32)) - exact_erf(x)).max() <= 5e-7
    assert erf(np.array([[0.5]])).shape == (1, 1)


def test_activations_are_those_of_their_definitions() -> None:
    x = np.linspace(-30, 30, 40_001)
    tanh = np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))
    expected = {
        "gelu": x * 0.5 * (1 + exact_erf(x / math.sqrt(2))),
        "gelu_new": 0.5 * x * (1 + tanh),
        "silu": x / (1 + np.exp(-x)),
        "relu": np.where(x > 0, x, 0),
    }
    assert expected.keys() <= ACTIVATIONS.keys()
    for name, values in expected.items():
        assert np.abs(activate(x.copy(), name) - values).max() <= 2e-15 * 30
        made = activate(x.astype(np.float32), name)
        assert made.dtype == np.float32
        assert np.abs(made - values).max() <= 3e-7 * 30
    with np.errstate(over="raise", invalid="raise"):
        assert activate(np.array([-1e4, 1e4], np.float32), "silu").tolist() == [0, 1e4]


def test_a_row_that_sees_nothing_gets_no_weight() -> None:
    scores = np.array([[1.0, 1.0], [-np.inf, -np.inf], [-np.inf, 800.0]])
    assert softmax(scores).tolist() == [[0.5, 0.5], [0, 0], [0, 1]]


def slow_figures(weights: np.ndarray, special: list[bool]) -> tuple[list[float], float, float]:
    """Return the places, the entropy and the distance of one head, number by number."""
    n = len(weights)
    causal = n > 1 and all(weights[i][j] == 0 for i in range(n) for j in range(i + 1, n))
    rows = [i for i in range(n) if not special[i] and (i + 1 if causal else n) > 1]
    mean = lambda values: sum(values) / len(values) if values else 0.0  # noqa: E731
    return (
        [
            mean([weights[i][i - 1] for i in rows if i > 0]),
            mean([weights[i][i + 1] for i in rows if i + 1 < n]),
            mean([weights[i][i] for i in rows]),
            mean([weights[i][0] for i in rows]),
            mean([sum(weights[i][j] for j in range(1, n) if special[j]) for i in rows]),
        ],
        mean([-sum(w * math.log2(w) for w in weights[i] if w > 0) for i in rows]),
        mean([sum(weights[i][j] * abs(i - j) for j in range(n)) for i in rows]),
    )


@given(st.integers(1, 9), st.booleans(), st.integers(0, 2**32 - 1))
def test_figures_are_what_they_are_by_hand(n: int, causal: bool, seed: int) -> None:
    random = np.random.default_rng(seed)
    scores = random.normal(size=(3, n, n)) * 3
    if causal:
        scores[:, ~np.tri(n, dtype=bool)] = -np.inf
    weights = softmax(scores)
    special = random.random(n) < 0.3
    made = layer_figures(weights, special)
    for h in range(3):
        places, entropy, distance = slow_figures(weights[h], special.tolist())
        np.testing.assert_allclose(made.places[h], places, atol=1e-12)
        np.testing.assert_allclose(made.entropy[h], entropy, atol=1e-12)
        np.testing.assert_allclose(made.distance[h], distance, atol=1e-12)


def test_each_kind_is_named_by_the_rule() -> None:
    n = 8
    special = [True, *[False] * (n - 2), True]
    eye = np.eye(n)
    even = np.full((n, n), 1 / n)
    heads = {
        Kind.PREVIOUS: np.roll(eye, -1, axis=1),
        Kind.NEXT: np.roll(eye, 1, axis=1),
        Kind.SELF: 0.61 * eye + 0.39 * even,
        Kind.FIRST: np.tile(eye[0], (n, 1)),
        Kind.END: np.tile(eye[n - 1], (n, 1)),
        Kind.BROAD: even,
        Kind.OTHER: (np.roll(eye, 2, axis=1) + np.roll(eye, 3, axis=1)) / 2,
    }
    found = layer_figures(np.stack(list(heads.values())), special).kinds
    assert found == [list(heads)]
    # Just below the limit, where the entropy is small, it has no name.
    below = 0.59 * eye + 0.41 * np.roll(eye, 2, axis=1)
    assert layer_figures(below[None], special).kinds == [[Kind.OTHER]]
    assert layer_figures(np.ones((1, 1, 1))).kinds == [[Kind.OTHER]]


def test_the_figures_of_a_run_have_a_layer_axis(tmp_path: Path) -> None:
    run = models.load(model_folder(tmp_path, LLAMA, tokenizer=False)).run(ids=[4, 5, 6, 7])
    made = run_figures(run)
    assert made.places.shape == (2, 4, 5)
    assert made.entropy.shape == made.distance.shape == (2, 4)
    assert [len(row) for row in made.kinds] == [4, 4]
    np.testing.assert_allclose(made.most, np.log2([2, 3, 4]).mean())
    np.testing.assert_allclose(made.entropy[1], layer_figures(run.layers[1].weights).entropy)
    again, small = atlas(run, 3)
    assert (again.places == made.places).all()
    assert (small[1] == tiles(run.layers[1].weights, 3)).all()


@given(st.integers(1, 12), st.integers(1, 12), st.integers(1, 20), st.integers(0, 2**32 - 1))
def test_strongest_pairs_are_the_first_of_all_sorted(
    rows: int, columns: int, count: int, seed: int
) -> None:
    weights = np.random.default_rng(seed).integers(0, 4, (rows, columns)) / 8.0
    expected = sorted(
        ((-weights[i, j], i, j) for i in range(rows) for j in range(columns)),
    )[:count]
    made = strongest_pairs(weights, count)
    assert [(-p.weight, p.query, p.key) for p in made] == expected


def test_pairs_of_special_tokens_can_be_left_out() -> None:
    weights = np.arange(16).reshape(4, 4) / 16
    made = strongest_pairs(weights, 9, [True, False, False, True])
    assert [(p.query, p.key) for p in made] == [(2, 2), (2, 1), (1, 2), (1, 1)]
    assert strongest_pairs(weights, 9, [True] * 4) == ()


def test_a_pair_has_its_rank_among_all_heads(tmp_path: Path) -> None:
    run = models.load(model_folder(tmp_path)).run("the cat sat")
    values = pair_weights(run, 3, 1)
    for layer in (1, 2):
        for head in (1, 2, 3, 4):
            value = run.head(layer, head).weights[3, 1]
            np.testing.assert_allclose(values[layer - 1, head - 1], value, rtol=1e-5)
    ordered = np.sort(values, axis=None)[::-1]
    for place in np.ndindex(values.shape):
        assert ordered[rank(values, place) - 1] == values[place]
    assert rank(np.ones((2, 2)), (1, 1)) == 1


@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 40), st.integers(0, 2**32 - 1))
def test_a_tile_holds_the_largest_of_each_block(
    rows: int, columns: int, most: int, seed: int
) -> None:
    weights = np.random.default_rng(seed).random((2, rows, columns))
    made = tiles(weights, most)
    assert made.shape == (2, min(rows, most), min(columns, most))
    assert made.max() == weights.max()

    def block(i: int, size: int, shown: int) -> slice:
        return slice(i * size // shown, (i + 1) * size // shown)

    for h, i, j in np.ndindex(made.shape):
        part = weights[h, block(i, rows, made.shape[1]), block(j, columns, made.shape[2])]
        assert made[h, i, j] == part.max()


def test_a_line_one_token_wide_stays_in_a_tile() -> None:
    line = np.eye(512, k=-1)
    made = tiles(line, 28)
    assert (made.diagonal() == 1).all()


def test_repeat_scores_of_perfect_heads_are_one() -> None:
    length, start = 5, 1
    n = start + 2 * length
    eye = np.eye(n)
    induction = np.roll(eye, -(length - 1), axis=1)
    duplicate = np.roll(eye, -length, axis=1)
    previous = np.roll(eye, -1, axis=1)
    heads = np.stack([induction, duplicate, previous, np.full((n, n), 1 / n)])
    made = np.stack(scores_of(heads, length, start))
    np.testing.assert_allclose(made[:, :3], np.eye(3))
    np.testing.assert_allclose(made[:, 3], 1 / n)


@pytest.mark.parametrize("config", [BERT | {"max_position_embeddings": 64}, GPT2, LLAMA])
def test_models_are_scored_on_repeats(tmp_path: Path, config: dict[str, object]) -> None:
    folder = model_folder(tmp_path, config | {"bos_token_id": 9})
    if config["model_type"] == "gpt2":
        (folder / "tokenizer.json").unlink()
    model = models.load(folder)
    run, start = repeat_run(model, 12, seed=3)
    first, last = run.ids[start : start + 12], run.ids[start + 12 : start + 24]
    assert first == last
    assert len(set(first)) == 12
    frame = run.ids[:start], run.ids[start + 24 :]
    assert frame == (((9,), ()) if config["model_type"] == "gpt2" else ((2,), (3,)))
    made = repeat_scores(model, 12, seed=3)
    weights = np.stack([layer.weights for layer in run.layers])
    by_hand = np.mean([weights[:, :, start + 12 + i, start + i + 1] for i in range(12)], axis=0)
    np.testing.assert_allclose(made.induction, by_hand, rtol=1e-5)
    by_hand = np.mean([weights[:, :, start + 12 + i, start + i] for i in range(12)], axis=0)
    np.testing.assert_allclose(made.duplicate, by_hand, rtol=1e-5)
    with pytest.raises(Problem, match="at most"):
        repeat_scores(model, 40)


def test_next_tokens_are_the_likeliest_ones(tmp_path: Path) -> None:
    model = models.load(model_folder(tmp_path, GPT2))
    run = model.run("the cat sat on")
    powers = np.exp(run.logits[-1].astype(float))
    expected = powers / powers.sum()
    np.testing.assert_allclose(probabilities(run), expected, rtol=1e-5)
    made = next_tokens(run, 5)
    assert [row.id for row in made.rows] == np.argsort(-expected)[:5].tolist()
    assert made.rows[0].text == model.text_of(made.rows[0].id)
    total = sum(row.probability for row in made.rows) + made.others
    assert total == pytest.approx(1)
    assert made.entropy == pytest.approx(-(expected * np.log2(expected)).sum(), rel=1e-5)
    assert made.others_before is None


def test_two_runs_are_compared_token_by_token(tmp_path: Path) -> None:
    model = models.load(model_folder(tmp_path, GPT2))
    before = model.run("the cat sat on")
    after = model.run("the cat sat on", off={(1, 1), (2, 3)})
    made = next_tokens(after, 40, before=before)
    for row in made.rows:
        assert row.before == pytest.approx(probabilities(before)[row.id])
        assert row.probability == pytest.approx(probabilities(after)[row.id])
    few = next_tokens(after, 3, before=before).rows
    either = np.maximum(probabilities(before), probabilities(after))
    assert {row.id for row in few} == set(np.argsort(-either)[:3].tolist())


def test_what_predicts_nothing_says_so(tmp_path: Path) -> None:
    run = models.load(model_folder(tmp_path / "bert")).run("the cat")
    with pytest.raises(Problem, match="both directions"):
        next_tokens(run)
    with pytest.raises(Problem, match="base model"):
        _ = run.logits
    base = model_folder(tmp_path / "gpt2", GPT2 | {"architectures": ["GPT2Model"]})
    with pytest.raises(Problem, match="base model"):
        next_tokens(models.load(base).run("the cat"))
