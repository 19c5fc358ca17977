"""Every family beside transformers: small random models whose every number must agree.

Norm gains and all biases are random too, so that a forgotten one shows. The reference runs its
`eager` attention, whose inputs and weights are kept on the way.
"""

from __future__ import annotations

import importlib
import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers
from numpy.typing import NDArray

from explorer import models
from explorer.models import Model

Array = NDArray[Any]

WORDS = 97
ENCODER = {
    "vocab_size": WORDS,
    "hidden_size": 48,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "intermediate_size": 80,
    "max_position_embeddings": 512,
}
DECODER = ENCODER | {"num_key_value_heads": 2}
GPT2 = {"vocab_size": WORDS, "n_embd": 48, "n_layer": 3, "n_head": 4, "n_positions": 512}
DISTIL = {"vocab_size": WORDS, "dim": 48, "n_layers": 3, "n_heads": 4, "hidden_dim": 80}
LLAMA3 = {
    "rope_type": "llama3",
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 128,
}
# The configuration's class, the model's class and the fields.
VARIANTS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "bert": ("BertConfig", "BertModel", ENCODER),
    "bert-words": ("BertConfig", "BertForMaskedLM", ENCODER),
    "bert-tanh": ("BertConfig", "BertForPreTraining", ENCODER | {"hidden_act": "gelu_new"}),
    "roberta": ("RobertaConfig", "RobertaModel", ENCODER | {"max_position_embeddings": 514}),
    "roberta-words": (
        "RobertaConfig",
        "RobertaForMaskedLM",
        ENCODER | {"max_position_embeddings": 514, "type_vocab_size": 1},
    ),
    "distilbert": ("DistilBertConfig", "DistilBertForMaskedLM", DISTIL),
    "distilbert-relu": ("DistilBertConfig", "DistilBertModel", DISTIL | {"activation": "relu"}),
    "gpt2": ("GPT2Config", "GPT2LMHeadModel", GPT2),
    "gpt2-base": ("GPT2Config", "GPT2Model", GPT2 | {"n_inner": 64}),
    "gpt2-unscaled": (
        "GPT2Config",
        "GPT2LMHeadModel",
        GPT2 | {"scale_attn_weights": False, "tie_word_embeddings": False},
    ),
    "neox-parallel": ("GPTNeoXConfig", "GPTNeoXForCausalLM", ENCODER | {"hidden_size": 64}),
    "neox-in-turn": (
        "GPTNeoXConfig",
        "GPTNeoXForCausalLM",
        ENCODER
        | {
            "use_parallel_residual": False,
            "attention_bias": False,
            "rope_parameters": {
                "rope_type": "default",
                "rope_theta": 5000.0,
                "partial_rotary_factor": 0.5,
            },
        },
    ),
    "llama": ("LlamaConfig", "LlamaForCausalLM", DECODER),
    "llama-one-key": (
        "LlamaConfig",
        "LlamaForCausalLM",
        DECODER | {"num_key_value_heads": 1, "tie_word_embeddings": True, "attention_bias": True},
    ),
    "llama-linear": (
        "LlamaConfig",
        "LlamaForCausalLM",
        DECODER
        | {
            "rope_parameters": {"rope_type": "linear", "factor": 4.0, "rope_theta": 1e4},
            "mlp_bias": True,
        },
    ),
    "llama3": (
        "LlamaConfig",
        "LlamaForCausalLM",
        DECODER | {"head_dim": 20, "rope_parameters": LLAMA3 | {"rope_theta": 5e5}},
    ),
    "llama-base": ("LlamaConfig", "LlamaModel", DECODER | {"num_key_value_heads": 4}),
    "mistral": ("MistralConfig", "MistralForCausalLM", DECODER | {"sliding_window": 7}),
    "mistral-whole": ("MistralConfig", "MistralForCausalLM", DECODER | {"sliding_window": None}),
    "qwen2": ("Qwen2Config", "Qwen2ForCausalLM", DECODER),
    "qwen2-windows": (
        "Qwen2Config",
        "Qwen2ForCausalLM",
        DECODER | {"use_sliding_window": True, "sliding_window": 9, "max_window_layers": 1},
    ),
    "qwen3": (
        "Qwen3Config",
        "Qwen3ForCausalLM",
        DECODER | {"head_dim": 20, "attention_bias": True},
    ),
}
# Where the reference computes in float64 throughout: the others take their rotary angles, RMS norms
# or softmax in float32 whatever the model's type.
DOUBLE = ("bert-words", "bert-tanh", "roberta-words", "distilbert", "gpt2", "gpt2-unscaled")


@dataclass(frozen=True)
class Seen:
    """What the reference computed: a list a layer of (H, T, ...), and its output."""

    q: list[Array]
    k: list[Array]
    v: list[Array]
    weights: list[Array]
    output: Array


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[Any, Path]]:
    """Return the reference model of a variant, and the folder that it is saved in."""
    made: dict[str, tuple[Any, Path]] = {}

    def of(name: str) -> tuple[Any, Path]:
        if name not in made:
            config_class, model_class, fields = VARIANTS[name]
            torch.manual_seed(len(made))
            config = getattr(transformers, config_class)(**fields)
            config._attn_implementation = "eager"
            model = getattr(transformers, model_class)(config).eval()
            with torch.no_grad():
                for parameter in model.parameters():
                    if parameter.ndim == 1:
                        parameter += torch.randn_like(parameter) * 0.3
                    else:
                        parameter *= 6.0  # weights far from even
            folder = tmp_path_factory.mktemp("models") / name
            model.save_pretrained(folder)
            made[name] = model, folder
        return made[name]

    return of


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Any, list[int]], Seen]]:
    """Return what runs a reference model and keeps what its attention was given and gave."""

    def run(model: Any, ids: list[int]) -> Seen:
        kept: list[tuple[Any, ...]] = []
        module = importlib.import_module(type(model).__module__)
        eager = module.eager_attention_forward

        def spy(layer: Any, q: Any, k: Any, v: Any, *args: Any, **named: Any) -> Any:
            output, weights = eager(layer, q, k, v, *args, **named)
            groups = q.shape[1] // k.shape[1]
            kept.append(
                (q, k.repeat_interleave(groups, 1), v.repeat_interleave(groups, 1), weights)
            )
            return output, weights

        with monkeypatch.context() as patch, torch.no_grad():
            patch.setattr(module, "eager_attention_forward", spy)
            made = model(torch.tensor([ids]))
        output = getattr(made, "logits", None)
        if output is None:
            output = getattr(made, "prediction_logits", None)
        if output is None:
            output = made.last_hidden_state
        lists = [[each[0].numpy() for each in column] for column in zip(*kept, strict=True)]
        return Seen(*lists, output[0].numpy())

    return run


def largest_differences(opened: Model, ids: list[int], seen: Seen) -> dict[str, float]:
    """Return for each name the largest difference, in units of the reference's largest number."""
    run = opened.run(ids=ids)
    assert len(run.layers) == len(seen.q)
    found: dict[str, float] = {}
    for i, layer in enumerate(run.layers):
        for name in ("q", "k", "v", "weights"):
            expected = getattr(seen, name)[i]
            made = getattr(layer, name)
            assert made.shape == expected.shape
            far = np.abs(made - expected).max() / max(1, np.abs(expected).max())
            found[name] = max(found.get(name, 0.0), float(far))
    output = run.logits if opened.plan.has_logits else run.hidden
    far = np.abs(output - seen.output).max() / max(1, np.abs(seen.output).max())
    return found | {"output": float(far)}


def numbers(count: int) -> list[int]:
    return np.random.default_rng(count).integers(5, WORDS, count).tolist()


@pytest.mark.parametrize("count", [23, 500])
@pytest.mark.parametrize("name", VARIANTS)
def test_every_number_agrees_with_the_reference(
    name: str, count: int, oracle: Any, seen: Any
) -> None:
    reference, folder = oracle(name)
    opened = models.load(folder)
    assert opened.plan.has_logits == (
        VARIANTS[name][1][-5:] != "Model" or "LM" in VARIANTS[name][1]
    )
    ids = numbers(count)
    found = largest_differences(opened, ids, seen(reference, ids))
    assert max(found.values()) <= 1e-5, found


@pytest.mark.parametrize("name", DOUBLE)
def test_every_number_agrees_in_double_precision(name: str, oracle: Any, seen: Any) -> None:
    reference, folder = oracle(name)
    opened = models.load(folder, dtype="float64")
    ids = numbers(40)
    try:
        found = largest_differences(opened, ids, seen(reference.double(), ids))
    finally:
        reference.float()
    assert max(found.values()) <= 1e-9, found


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("name", ["gpt2", "llama3"])
def test_half_precision_is_widened(
    name: str, dtype: str, oracle: Any, seen: Any, tmp_path: Path
) -> None:
    reference, _folder = oracle(name)
    half = type(reference)(reference.config)
    half.load_state_dict(reference.state_dict())
    half.to(getattr(torch, dtype)).save_pretrained(tmp_path)
    widened = type(reference).from_pretrained(
        tmp_path, dtype=torch.float32, attn_implementation="eager"
    )
    ids = numbers(23)
    found = largest_differences(models.load(tmp_path), ids, seen(widened, ids))
    assert max(found.values()) <= 1e-5, found


def test_shards_are_one_model(oracle: Any, tmp_path: Path) -> None:
    reference, folder = oracle("llama")
    reference.save_pretrained(tmp_path, max_shard_size="60KB")
    assert len(list(tmp_path.glob("model-*.safetensors"))) > 1
    ids = numbers(23)
    run = models.load(tmp_path).run(ids=ids)
    np.testing.assert_array_equal(run.logits, models.load(folder).run(ids=ids).logits)


OLD_FORMS = {
    "neox-in-turn": {"rotary_pct": 0.5, "rotary_emb_base": 5000},
    "llama-linear": {"rope_theta": 1e4, "rope_scaling": {"type": "linear", "factor": 4.0}},
    "llama3": {"rope_theta": 5e5, "rope_scaling": LLAMA3},
    "qwen2": {"rope_theta": 1e4, "rope_scaling": None, "layer_types": None},
}


@pytest.mark.parametrize("name", OLD_FORMS)
def test_older_configurations_mean_the_same(name: str, oracle: Any, tmp_path: Path) -> None:
    _reference, folder = oracle(name)
    ids = numbers(200)
    expected = models.load(folder).run(ids=ids).logits
    older = shutil.copytree(folder, tmp_path / "older")
    fields = json.loads((older / "config.json").read_text("utf-8"))
    del fields["rope_parameters"]
    (older / "config.json").write_text(json.dumps(fields | OLD_FORMS[name]), "utf-8")
    np.testing.assert_array_equal(models.load(older).run(ids=ids).logits, expected)


@pytest.mark.parametrize(
    "name", ["bert", "gpt2", "neox-parallel", "llama3", "mistral", "qwen2", "qwen3"]
)
def test_a_head_is_made_of_its_parameters(name: str, oracle: Any) -> None:
    """What a copy of a head is made from: x and the parameters give the run's numbers."""
    _reference, folder = oracle(name)
    model = models.load(folder)
    run = model.run(ids=numbers(40))
    for layer, head in ((1, 1), (2, 3), (3, 4)):
        seen, p = run.head(layer, head), model.parameters(layer, head)
        x = seen.x.astype(np.float64)
        q, k, v = (
            x @ W + (0 if b is None else b) for W, b in ((p.Wq, p.bq), (p.Wk, p.bk), (p.Wv, p.bv))
        )
        if p.query_gain is not None:
            q, k = (
                y / np.sqrt((y * y).mean(-1, keepdims=True) + p.epsilon) * gain
                for y, gain in ((q, p.query_gain), (k, p.key_gain))
            )
        if p.rotary is not None:
            q, k = (turned(y, p.rotary) for y in (q, k))
        scores = q @ k.T * p.scale
        i, j = np.indices(scores.shape)
        seen_by = np.ones(scores.shape, bool) if not p.causal else j <= i
        if p.window is not None:
            seen_by &= j > i - p.window
        scores[~seen_by] = -np.inf
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        weights /= weights.sum(-1, keepdims=True)
        for made, expected in (
            (seen.q, q),
            (seen.k, k),
            (seen.v, v),
            (seen.weights, weights),
            (seen.output, weights @ v),
        ):
            assert np.abs(made - expected).max() <= 1e-5 * max(1, np.abs(expected).max())
        assert p.Wo.shape == (model.plan.head_width, model.plan.width)
    outputs = run.layers[0].head_output
    total = sum(outputs[h] @ model.parameters(1, h + 1).Wo for h in range(len(outputs)))
    bias = model.parameters(1, 1).bo
    total = total + (0 if bias is None else bias)
    kept: list[Array] = []

    def keep(value: Array) -> Array:
        kept.append(value)
        return value

    model.run(ids=numbers(40), replace={(1, "attention"): keep})
    np.testing.assert_allclose(kept[0], total, rtol=1e-4, atol=1e-4)


def turned(y: Array, rotary: Any) -> Array:
    """Turn rows by their positions, pair by pair."""
    made = y.copy()
    for position in range(len(y)):
        for pair, turn in enumerate(rotary.frequencies()):
            a, b = y[position, pair], y[position, pair + rotary.dims // 2]
            cos, sin = np.cos(position * turn), np.sin(position * turn)
            made[position, pair] = a * cos - b * sin
            made[position, pair + rotary.dims // 2] = b * cos + a * sin
    return made


def test_padding_shifts_no_position_of_a_roberta(oracle: Any, seen: Any) -> None:
    reference, folder = oracle("roberta-words")
    ids = [0, 40, 1, 50, 60, 1, 2]
    found = largest_differences(models.load(folder), ids, seen(reference, ids))
    assert max(found.values()) <= 1e-5, found


@pytest.mark.parametrize("name", ["bert-words", "neox-parallel", "qwen3"])
def test_a_head_that_is_off_counts_as_zeros(name: str, oracle: Any) -> None:
    reference, folder = oracle(name)
    plan = models.load(folder).plan
    ids = numbers(23)
    columns = slice(1 * plan.head_width, 2 * plan.head_width)
    output = next(
        module
        for path, module in reference.named_modules()
        if "1" in path.split(".")
        and path.endswith(("attention.output.dense", "attention.dense", "o_proj"))
    )

    def silence(_module: Any, given: tuple[Any, ...]) -> tuple[Any, ...]:
        given[0][..., columns] = 0
        return given

    hook = output.register_forward_pre_hook(silence)
    try:
        with torch.no_grad():
            expected = reference(torch.tensor([ids])).logits[0].numpy()
    finally:
        hook.remove()
    run = models.load(folder).run(ids=ids, off={(2, 2)})
    assert np.abs(run.logits - expected).max() <= 1e-5 * max(1, np.abs(expected).max())
    assert (run.head(2, 2).output == 0).all()
    assert (run.layers[1].head_output[1] == 0).all()
    assert (run.layers[1].head_output[0] != 0).all()
    assert run.off == {(2, 2)}
