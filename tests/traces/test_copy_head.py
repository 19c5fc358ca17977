"""A head of a recorded step as a scene: its attention is the recorded one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from explorer.session import compute, dump_scene, parse_scene
from explorer.session.copy_head import head_scene
from explorer.text import Problem
from explorer.traces import BadStep, Config, Corpus, TraceFile, parse_corpus
from tests.traces.made import CONFIG, CORPUS, saved, spooled, step_of

UNEVEN = parse_corpus("a b c d\na c\nb d c\n")


@pytest.mark.parametrize(
    "config", [CONFIG, Config(layers=2, heads=4, causal=True), Config(d_model=2, heads=1)]
)
@pytest.mark.parametrize("corpus", [CORPUS, UNEVEN])
def test_the_scene_computes_what_was_recorded(
    tmp_path: Path, config: Config, corpus: Corpus
) -> None:
    file = saved(tmp_path / "a.safetensors", config, corpus)
    for sample in range(len(corpus.lines)):
        for layer in range(config.layers):
            for head in range(config.heads):
                scene = head_scene(file, 1, sample, layer, head)
                assert scene.tokens == corpus.lines[sample][:-1]
                real = len(scene.tokens)
                result = compute(scene)
                place = (1, sample, layer, head)
                for name in ("q", "k", "v", "head_output"):
                    computed = getattr(result, name.upper() if len(name) == 1 else name)[0]
                    np.testing.assert_allclose(
                        computed, file.array(name, *place)[:real], rtol=1e-4, atol=1e-5
                    )
                for name in ("scores", "weights"):
                    recorded = file.array(name, *place)[:real, :real]
                    np.testing.assert_allclose(
                        getattr(result, name)[0], recorded, rtol=1e-4, atol=1e-5
                    )


def test_its_title_says_where_it_came_from_and_it_is_a_scene_like_any(tmp_path: Path) -> None:
    file = saved(tmp_path / "a.safetensors")
    scene = head_scene(file, 2, 0, 0, 1)
    assert scene.title == "cat likes, epoch 10, layer 1, head 2"
    assert scene.options.mask == "none"
    again = parse_scene(dump_scene(scene), "copy.json")
    np.testing.assert_array_equal(again.X, file.array("x", 2, 0, 0))
    assert again.Wq is not None
    np.testing.assert_array_equal(again.Wq, file.array("param.layers.0.Wq", 2, head=1))


def test_a_mask_that_is_not_causal_is_kept(tmp_path: Path) -> None:
    file = saved(tmp_path / "a.safetensors")
    arrays = {name: array.copy() for name, array in load_file(file.path).items()}
    arrays["scores"][0, 0, 0, 0] = [[1, -np.inf], [-np.inf, 1]]
    arrays["weights"][0, 0, 0, 0] = np.eye(2)
    save_file(arrays, tmp_path / "b.safetensors", dict(file.metadata))
    scene = head_scene(TraceFile(tmp_path / "b.safetensors"), 0, 0, 0, 0)
    np.testing.assert_array_equal(scene.options.mask, np.eye(2, dtype=bool))


def test_without_scores_the_run_says_whether_it_is_causal(tmp_path: Path) -> None:
    for causal, mask in ((True, "causal"), (False, "none")):
        config = Config(causal=causal)
        step = step_of(config)
        del step["scores"]
        trace = spooled(tmp_path / mask, {0: step}, config)
        assert head_scene(trace, 0, 0, 0, 0).options.mask == mask


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    for name in ("x", "param.layers.0.Wk"):
        step = step_of()
        del step[name], step["q"]
        trace = spooled(tmp_path / name, {0: step})
        with pytest.raises(Problem, match=f"does not hold {name}"):
            head_scene(trace, 0, 0, 0, 0)
    step = step_of()
    for name in ("bq", "bk", "bv"):
        del step[f"param.layers.0.{name}"]
    assert head_scene(spooled(tmp_path / "b", {0: step}), 0, 0, 0, 0).bq is None


def test_a_diverged_step_cannot_be_copied(tmp_path: Path) -> None:
    step = step_of() | {"x": np.full_like(step_of()["x"], np.nan)}
    with pytest.raises(BadStep, match="x of epoch 0"):
        head_scene(spooled(tmp_path / "run", {0: step}), 0, 0, 0, 0)


def test_words_that_are_no_tokens_are_made_so(tmp_path: Path) -> None:
    file = saved(tmp_path / "a.safetensors")
    words = ["\\n", "", "w" * 99, "\\t", "e", "f", "\\u202e", "h"]
    vocabulary = "[" + ",".join(f'"{word}"' for word in words) + "]"
    metadata = dict(file.metadata) | {"run": f'{{"vocabulary": {vocabulary}}}'}
    save_file(load_file(file.path), tmp_path / "b.safetensors", metadata)
    other = TraceFile(tmp_path / "b.safetensors")
    for sample in range(6):
        for token in head_scene(other, 0, sample, 0, 0).tokens:
            assert 1 <= len(token) <= 64
            assert token.isprintable()


def test_without_parameters_the_scene_gives_q_k_and_v(tmp_path: Path) -> None:
    step = step_of()
    for name in [name for name in step if name.startswith("param.") or name == "x"]:
        del step[name]
    trace = spooled(tmp_path / "run", {0: step})
    scene = head_scene(trace, 0, 0, 0, 1)
    assert scene.given
    place, real = (0, 0, 0, 1), len(scene.tokens)
    result = compute(scene)
    for name in ("q", "k", "v"):
        np.testing.assert_array_equal(
            getattr(result, name.upper())[0], trace.array(name, *place)[:real]
        )
    recorded = trace.array("weights", *place)[:real, :real]
    np.testing.assert_allclose(result.weights[0], recorded, atol=1e-5)


def test_what_turns_q_and_k_is_not_copied_wrong_in_silence(tmp_path: Path) -> None:
    step = step_of()
    step["q"], step["k"] = step["q"] * 2, step["k"][..., ::-1].copy()
    scores = step["q"] @ step["k"].swapaxes(-1, -2) / step["q"].shape[-1] ** 0.5
    step["scores"] = np.where(np.isneginf(step["scores"]), -np.inf, scores).astype(np.float32)
    e = np.exp(step["scores"] - step["scores"].max(-1, keepdims=True))
    step["weights"] = (e / e.sum(-1, keepdims=True)).astype(np.float32)
    scene = head_scene(spooled(tmp_path / "run", {0: step}), 0, 0, 0, 0)
    assert scene.given
    step["weights"] = step["weights"][..., ::-1].copy()
    with pytest.raises(Problem, match="more is done to its scores"):
        head_scene(spooled(tmp_path / "other", {0: step}), 0, 0, 0, 0)
