"""What Q and K go through before the product, beside transformers, torch and slow loops."""

from __future__ import annotations

import cmath
import math

import numpy as np
import pytest
import torch

from explorer.attention import (
    Attention,
    QKNorm,
    Rotary,
    Unreachable,
    aim_score,
    aim_weight,
    attend,
    field,
    softmax,
)

RNG = np.random.default_rng(7)
X = RNG.normal(size=(6, 5))
W = [RNG.normal(size=(2, 5, 8)) for _ in range(3)]
B = [RNG.normal(size=(2, 8)) for _ in range(3)]
LLAMA3 = Rotary(8, 500.0, "llama3", 8.0, 1.0, 4.0, 32.0)
NORM = QKNorm(RNG.normal(size=8), RNG.normal(size=8), 1e-5)


def attended(**options: object) -> Attention:
    given = {"bq": B[0], "bk": B[1], "bv": B[2], "mask": "causal", **options}
    return attend(X, *W, **given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("rotary", "rope"),
    [
        (Rotary(8, 500.0), {"rope_type": "default"}),
        (Rotary(8, 500.0, "linear", 4.0), {"rope_type": "linear", "factor": 4.0}),
        (
            LLAMA3,
            {
                "rope_type": "llama3",
                "factor": 8.0,
                "low_freq_factor": 1.0,
                "high_freq_factor": 4.0,
                "original_max_position_embeddings": 32,
            },
        ),
    ],
)
def test_halves_turn_as_transformers_turns_them(rotary: Rotary, rope: dict[str, object]) -> None:
    # Seconds, which each process that collects the tests would take.
    from transformers import LlamaConfig
    from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding, apply_rotary_pos_emb

    config = LlamaConfig(
        hidden_size=16,
        num_attention_heads=2,
        num_key_value_heads=2,
        max_position_embeddings=64,
        rope_parameters={"rope_theta": 500.0, **rope},
    )
    embedding = LlamaRotaryEmbedding(config)
    plain = attended()
    q, k = (torch.tensor(array)[None] for array in (plain.Q, plain.K))
    cos, sin = embedding(q, torch.arange(6)[None])
    wanted = [array[0].numpy() for array in apply_rotary_pos_emb(q, k, cos, sin)]
    made = attended(rotary=rotary)
    # The reference computes its angles in float32.
    np.testing.assert_allclose(made.Q, wanted[0], atol=1e-5)
    np.testing.assert_allclose(made.K, wanted[1], atol=1e-5)
    np.testing.assert_array_equal(made.V, plain.V)
    assert made.projected is not None
    np.testing.assert_array_equal(made.projected[0], plain.Q)


@pytest.mark.parametrize("dims", [2, 6, 8])
@pytest.mark.parametrize("pairing", ["halves", "neighbours"])
def test_pairs_turn_as_complex_numbers_do(dims: int, pairing: str) -> None:
    made = attended(rotary=Rotary(dims, 100.0, pairing=pairing))
    plain = attended().Q
    for head in range(2):
        for place in range(6):
            wanted = plain[head, place].copy()
            for i in range(dims // 2):
                a, b = (i, i + dims // 2) if pairing == "halves" else (2 * i, 2 * i + 1)
                angle = place * 100.0 ** (-2 * i / dims)
                turned = complex(wanted[a], wanted[b]) * cmath.exp(1j * angle)
                wanted[a], wanted[b] = turned.real, turned.imag
            np.testing.assert_allclose(made.Q[head, place], wanted, atol=1e-12)


def test_a_score_depends_on_the_distance_alone() -> None:
    rows = np.tile(X[:1], (6, 1))
    raw = attend(rows, *W, rotary=LLAMA3).raw[0]
    for away in range(-5, 6):
        np.testing.assert_allclose(np.ptp(np.diagonal(raw, away)), 0, atol=1e-12)
    assert np.ptp(raw) > 0.1


def test_norms_are_torchs_and_come_before_the_turn() -> None:
    plain = attended()
    made = attended(qk_norm=NORM, rotary=LLAMA3)
    for rows, gain, found in ((plain.Q, NORM.query, made.Q), (plain.K, NORM.key, made.K)):
        normed = torch.nn.functional.rms_norm(
            torch.tensor(rows), (8,), torch.tensor(gain), NORM.epsilon
        ).numpy()
        np.testing.assert_allclose(found, LLAMA3.turned(normed), atol=1e-12)


def test_values_of_their_own_are_averaged_as_torch_does() -> None:
    Q, K, V = RNG.normal(size=(4, 3)), RNG.normal(size=(7, 3)), RNG.normal(size=(7, 2))
    made = attend(Q, context=K, V=V)
    wanted = torch.nn.functional.scaled_dot_product_attention(
        *(torch.tensor(each)[None] for each in (Q, K, V))
    )
    np.testing.assert_allclose(made.output, wanted[0].numpy(), atol=1e-12)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"rotary": Rotary(7)}, "even number of the 8 columns"),
        ({"rotary": Rotary(10)}, "even number of the 8 columns"),
        ({"qk_norm": QKNorm(np.ones(4), np.ones(8))}, r"gains of qk_norm \(4,\)"),
        ({"V": np.ones((6, 2))}, "V is given"),
    ],
)
def test_what_does_not_fit_is_refused(options: dict[str, object], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        attended(**options)
    with pytest.raises(ValueError, match="a row for each key"):
        attend(X, context=X, V=np.ones((5, 2)))


@pytest.mark.parametrize("norm", [None, NORM])
def test_the_field_is_the_weight_there(norm: QKNorm | None) -> None:
    here = attended(rotary=LLAMA3, qk_norm=norm)
    places = RNG.normal(size=(5, 5))
    found = field(here, W[0], W[1], 2, 4, 2, places, 1, B[0], B[1])
    for place, weight in zip(places, found, strict=True):
        moved = X.copy()
        moved[2] = place
        there = attend(moved, *W, bq=B[0], bk=B[1], mask="causal", rotary=LLAMA3, qk_norm=norm)
        assert weight == pytest.approx(there.weights[1, 4, 2], abs=1e-12)


@pytest.mark.parametrize("moves", ["X", "Wq", "Wk"])
@pytest.mark.parametrize("pair", [(4, 2), (3, 3)])
@pytest.mark.parametrize("aim", [aim_score, aim_weight])
def test_a_wanted_value_is_met_under_rotary_positions(
    moves: str, pair: tuple[int, int], aim: object
) -> None:
    here = attended(rotary=LLAMA3)
    target = 2.5 if aim is aim_score else 0.4
    found = aim(here, W[0][1], W[1][1], *pair, target, moves, 1)  # type: ignore[operator]
    x, w = X.copy(), [each.copy() for each in W]
    if moves == "X":
        x[pair[0]] += found.change
    else:
        w[["Wq", "Wk"].index(moves)][1] += found.change
    there = attend(x, *w, bq=B[0], bk=B[1], bv=B[2], mask="causal", rotary=LLAMA3)
    table = there.raw if aim is aim_score else there.weights
    assert table[(1, *pair)] == pytest.approx(target, abs=1e-7)


def test_the_change_of_wk_is_the_least() -> None:
    here = attended(rotary=LLAMA3)
    change = aim_score(here, W[0][1], W[1][1], 4, 2, 2.5, "Wk", 1).change
    gradient = np.zeros((5, 8))
    for place in np.ndindex(5, 8):
        w = W[1].copy()
        w[1][place] += 1e-6
        there = attend(X, W[0], w, W[2], bq=B[0], bk=B[1], mask="causal", rotary=LLAMA3)
        gradient[place] = (there.raw[1, 4, 2] - here.raw[1, 4, 2]) / 1e-6
    cosine = (gradient * change).sum() / math.sqrt((gradient**2).sum() * (change**2).sum())
    assert abs(cosine) == pytest.approx(1, abs=1e-8)


def test_norms_give_no_wanted_value_and_say_why() -> None:
    with pytest.raises(Unreachable, match="normalised") as caught:
        aim_weight(attended(qk_norm=NORM), W[0][0], W[1][0], 4, 2, 0.4, "X")
    assert caught.value.reason == "norm"


def test_softmax_rows_sum_to_one() -> None:
    here = attended(rotary=LLAMA3, qk_norm=NORM)
    np.testing.assert_allclose(here.weights, softmax(here.scores))
