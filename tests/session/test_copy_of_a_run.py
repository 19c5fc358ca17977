"""A head of a model's run, or of arrays, as a scene: the numbers are those of the run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from explorer import models
from explorer.models.arrays import run_of
from explorer.session import compute, dump_scene, parse_scene
from explorer.session.copy_head import model_head_scene
from explorer.text import Problem
from tests.models.made import BERT, GPT2, LLAMA, model_folder

NEOX = {
    "model_type": "gpt_neox",
    "architectures": ["GPTNeoXForCausalLM"],
    "vocab_size": 40,
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 24,
    "max_position_embeddings": 64,
    "rotary_pct": 0.5,
}
ROPE3 = {
    "rope_type": "llama3",
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 16,
}
FAMILIES: dict[str, dict[str, Any]] = {
    "bert": BERT,
    "gpt2": GPT2,
    "llama": LLAMA,
    "linear": LLAMA | {"rope_scaling": {"rope_type": "linear", "factor": 2.0}},
    "llama3": LLAMA | {"rope_scaling": ROPE3},
    "window": LLAMA | {"model_type": "mistral", "sliding_window": 3},
    "norms": LLAMA | {"model_type": "qwen3", "head_dim": 8},
    "partial": NEOX,
}


def exactly(folder: Path, config: dict[str, Any]) -> tuple[models.ModelRun, models.ModelRun]:
    model_folder(folder, config)
    text = "the cat sat on a mat"
    return models.load(folder).run(text), models.load(folder, dtype="float64").run(text)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_copy_is_the_head_in_float64(tmp_path: Path, family: str) -> None:
    run, exact = exactly(tmp_path / "m", FAMILIES[family])
    for head in (1, 4):
        copy = model_head_scene(exact, 2, head)
        result, wanted = compute(copy.scene), exact.head(2, head)
        for name, found in (
            ("q", result.Q),
            ("k", result.K),
            ("v", result.V),
            ("weights", result.weights),
            ("output", result.head_output),
        ):
            np.testing.assert_allclose(found[0], getattr(wanted, name), rtol=1e-9, atol=1e-9)
        hidden = np.isneginf(wanted.scores)
        np.testing.assert_array_equal(np.isneginf(result.scores[0]), hidden)
        assert copy.distance < 1e-9
        single = model_head_scene(run, 2, head)
        difference = np.abs(compute(single.scene).weights[0] - run.head(2, head).weights).max()
        assert 0 < single.distance == difference < 1e-4


def test_a_copy_can_be_saved_and_says_where_it_came_from(tmp_path: Path) -> None:
    run, _exact = exactly(tmp_path / "m", FAMILIES["norms"])
    copy = model_head_scene(run, 1, 3)
    assert copy.scene.title == "[CLS] the cat sat on a mat [SEP], layer 1, head 3"
    assert f"{copy.distance:.0e}" in copy.scene.note
    again = parse_scene(dump_scene(copy.scene), "x")
    np.testing.assert_array_equal(compute(again).weights, compute(copy.scene).weights)
    assert again.options.scale == "sqrt_dk"
    assert again.options.mask == "causal"


def test_replaced_numbers_are_no_head_to_copy(tmp_path: Path) -> None:
    model = models.load(model_folder(tmp_path / "m", GPT2))
    run = model.run("the cat", replace={(2, "q"): lambda q: q * 2})
    with pytest.raises(Problem, match="replaced"):
        model_head_scene(run, 2, 1)
    assert model_head_scene(run, 1, 1).distance < 1e-4


def test_a_head_that_is_off_is_copied_as_it_would_be(tmp_path: Path) -> None:
    model = models.load(model_folder(tmp_path / "m", GPT2))
    assert model_head_scene(model.run("the cat", off={(2, 1)}), 2, 1).distance < 1e-4


def test_a_text_that_is_too_long_is_refused_with_the_limit(tmp_path: Path) -> None:
    model = models.load(model_folder(tmp_path / "m", GPT2 | {"n_positions": 600}))
    with pytest.raises(Problem, match="at most 512"):
        model_head_scene(model.run(ids=[1] * 513), 1, 1)


RNG = np.random.default_rng(5)
Q, K, V = RNG.normal(size=(2, 4, 8)), RNG.normal(size=(2, 6, 8)), RNG.normal(size=(2, 6, 3))


def test_arrays_are_copied_as_q_k_and_v() -> None:
    mask = RNG.random((4, 6)) < 0.7
    mask[:, 0] = True
    run = run_of(
        {"q": Q, "k": K, "v": V, "mask": mask, "scale": np.array(0.5)}, key_tokens=list("uvwxyz")
    )
    copy = model_head_scene(run, 1, 2)
    assert copy.scene.given
    assert copy.scene.key_tokens == tuple("uvwxyz")
    assert copy.scene.options.scale == pytest.approx(2)
    np.testing.assert_allclose(compute(copy.scene).weights[0], run.layers[0].weights[1], atol=1e-12)
    assert copy.distance < 1e-12


def test_weights_beside_them_show_the_mask() -> None:
    scores = np.where(np.tri(4, dtype=bool), Q @ Q.swapaxes(1, 2) / 8**0.5, -np.inf)
    weights = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
    run = run_of({"q": Q, "k": Q, "v": Q, "weights": weights.astype(np.float32)})
    copy = model_head_scene(run, 1, 1)
    assert copy.scene.options.mask == "causal"
    assert copy.distance < 1e-6


def test_what_a_scene_cannot_do_to_scores_is_refused() -> None:
    bias = RNG.normal(size=(4, 6))
    with pytest.raises(Problem, match="more is done to its scores"):
        model_head_scene(run_of({"q": Q, "k": K, "v": V, "mask": bias}), 1, 1)
    with pytest.raises(Problem, match="does not hold v"):
        model_head_scene(run_of({"q": Q, "k": K}), 1, 1)
