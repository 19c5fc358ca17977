"""`explorer.capture`: attention seen while models run, beside torch's own numbers."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.functional import scaled_dot_product_attention as bound_before

import explorer
from explorer.models import read_arrays, run_of
from explorer.text import Problem

WORDS = list("abcdefg")


def weights_of(q: Tensor, k: Tensor, mask: Tensor | None = None, scale: float | None = None) -> Any:
    """Return the weights as the documentation of torch defines them."""
    scores = q @ k.transpose(-1, -2) * (1 / math.sqrt(q.shape[-1]) if scale is None else scale)
    if mask is not None:
        scores = (
            scores.masked_fill(~mask, -torch.inf) if mask.dtype == torch.bool else scores + mask
        )
    return scores.softmax(-1).detach().numpy()


def close(made: Any, expected: Any) -> None:
    np.testing.assert_allclose(made, expected, rtol=1e-5, atol=1e-6)


@pytest.fixture(autouse=True)
def _seeded() -> None:
    torch.manual_seed(11)


class CausalSelfAttention(nn.Module):
    """As small published GPTs write it."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.c_attn, self.c_proj = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.heads = heads

    def forward(self, x: Tensor) -> Tensor:
        B, T, C = x.shape
        q, k, v = (
            part.view(B, T, self.heads, C // self.heads).transpose(1, 2)
            for part in self.c_attn(x).split(C, dim=2)
        )
        self.kept = q, k, v
        y = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.c_proj(y.transpose(1, 2).reshape(B, T, C))


class NanoGPT(nn.Module):
    def __init__(self, layers: int = 3, width: int = 24, heads: int = 4) -> None:
        super().__init__()
        self.wte, self.wpe = nn.Embedding(50, width), nn.Embedding(32, width)
        self.attention = nn.ModuleList(CausalSelfAttention(width, heads) for _ in range(layers))
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(layers))
        self.head = nn.Linear(width, 50)

    def forward(self, ids: Tensor) -> Tensor:
        x = self.wte(ids) + self.wpe(torch.arange(ids.shape[1]))
        for attention, norm in zip(self.attention, self.norms, strict=True):
            x = x + attention(norm(x))
        return self.head(x)


def test_a_small_gpt_is_seen_layer_by_layer(tmp_path: Path) -> None:
    model = NanoGPT().train()
    ids = torch.randint(50, (2, 7))
    plain = model(ids)
    with explorer.capture(tokens=WORDS) as seen:
        made = model(ids)
    assert torch.equal(made, plain)
    made.sum().backward()  # gradients are as without
    seen.save(tmp_path / "run.safetensors")
    causal = torch.ones(7, 7, dtype=torch.bool).tril()
    for sample in (1, 2):
        for run in (
            seen.run(sample=sample),
            read_arrays(tmp_path / "run.safetensors", sample=sample),
        ):
            assert run.tokens == tuple(WORDS)
            assert len(run.layers) == 3
            for layer, attention in zip(run.layers, model.attention, strict=True):
                q, k, v = (part[sample - 1].detach() for part in attention.kept)
                close(layer.q, q)
                close(layer.k, k)
                close(layer.v, v)
                close(layer.weights, weights_of(q, k, causal))
                close(layer.head_output, weights_of(q, k, causal) @ v.numpy())
    assert seen.run().head(3, 4).weights.shape == (7, 7)
    with pytest.raises(Problem, match="sample 3"):
        seen.run(sample=3)


@pytest.mark.parametrize("grad", [True, False])
@pytest.mark.parametrize("need_weights", [True, False])
@pytest.mark.parametrize("batch_first", [True, False])
def test_multihead_attention_is_one_call(grad: bool, need_weights: bool, batch_first: bool) -> None:
    # In evaluation without gradients the module takes its fast path when nobody looks.
    layer = nn.MultiheadAttention(16, 4, batch_first=batch_first).eval()
    x = torch.randn(2, 7, 16)
    x = x if batch_first else x.transpose(0, 1)
    with torch.set_grad_enabled(grad):
        output, expected = layer(x, x, x, average_attn_weights=False)
        with explorer.capture(tokens=WORDS) as seen:
            made, weights = layer(x, x, x, need_weights=need_weights, average_attn_weights=False)
    assert len(seen.calls) == 1
    close(made.detach(), output.detach())
    assert (weights is not None) == need_weights
    for sample in (1, 2):
        close(seen.run(sample=sample).layers[0].weights, expected[sample - 1].detach())


def test_dropout_changes_what_the_model_does_but_not_what_is_seen() -> None:
    layer = nn.MultiheadAttention(16, 4, dropout=0.5, batch_first=True).train()
    x = torch.randn(1, 7, 16)
    torch.manual_seed(3)
    expected = layer(x, x, x)
    torch.manual_seed(3)
    with explorer.capture() as seen:
        made = layer(x, x, x)
    assert torch.equal(made[0], expected[0])
    assert torch.equal(made[1], expected[1])
    clean = layer.eval()(x, x, x, average_attn_weights=False)[1]
    close(seen.run().layers[0].weights, clean[0].detach())
    assert seen.run().tokens == tuple("1234567")


def test_an_encoder_with_padding_is_seen_beside_its_fast_path() -> None:
    encoder = nn.TransformerEncoder(
        nn.TransformerEncoderLayer(16, 4, 20, batch_first=True), 2, enable_nested_tensor=False
    ).eval()
    x = torch.randn(2, 7, 16)
    padding = torch.zeros(2, 7, dtype=torch.bool)
    padding[1, 5:] = True
    with torch.inference_mode(), explorer.capture(tokens=WORDS) as seen:
        encoder(x, src_key_padding_mask=padding)
    assert len(seen.calls) == 2
    first, second = seen.run().layers[0].weights, seen.run(sample=2).layers[0].weights
    assert (first > 0).all()
    assert (second[..., 5:] == 0).all()
    close(second.sum(-1), np.ones((4, 7)))
    q, k = (torch.from_numpy(seen.calls[0].q[1]), torch.from_numpy(seen.calls[0].k[1]))
    close(second, weights_of(q, k, ~padding[1]))


@pytest.mark.parametrize("name", ["LlamaForCausalLM", "BertModel"])
def test_transformers_under_sdpa_agree_with_their_eager_weights(name: str) -> None:
    import transformers

    sizes = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4}
    sizes |= {"intermediate_size": 40, "vocab_size": 50}
    if name.startswith("Llama"):
        config = transformers.LlamaConfig(**sizes, num_key_value_heads=2)
    else:
        config = transformers.BertConfig(**sizes)
    ids = torch.randint(50, (1, 7))
    config._attn_implementation = "sdpa"
    model = getattr(transformers, name)(config).eval()
    with torch.no_grad(), explorer.capture(tokens=WORDS) as seen:
        model(ids)
    model.set_attn_implementation("eager")
    with torch.no_grad():
        expected = model(ids, output_attentions=True).attentions
    run = seen.run()
    assert len(run.layers) == 2
    for layer, weights in zip(run.layers, expected, strict=True):
        close(layer.weights, weights[0])
    given = run_of({"attentions": expected}, tokens=WORDS)
    for layer, weights in zip(given.layers, expected, strict=True):
        close(layer.weights, weights[0])
    # What eager multiplies itself is not seen, and that is said.
    with pytest.warns(UserWarning, match="No attention was seen"), explorer.capture() as nothing:
        model(ids)
    with pytest.raises(Problem, match="attn_implementation"):
        nothing.run()


def test_heads_that_share_keys_are_repeated(tmp_path: Path) -> None:
    q, k, v = torch.randn(2, 6, 7, 8), torch.randn(2, 2, 7, 8), torch.randn(2, 2, 7, 8)
    with explorer.capture() as seen:
        functional.scaled_dot_product_attention(q, k, v, enable_gqa=True)
    seen.save(tmp_path / "a.safetensors")
    repeated = k.repeat_interleave(3, 1)
    for run in (seen.run(sample=2), read_arrays(tmp_path / "a.safetensors", sample=2)):
        close(run.layers[0].k, repeated[1])
        close(run.layers[0].weights, weights_of(q[1], repeated[1]))


@pytest.mark.parametrize("shape", [(7, 5), (3, 1, 7, 5), (1, 4, 7, 5), (3, 4, 7, 5), (4, 7, 5)])
@pytest.mark.parametrize("added", [True, False])
def test_masks_of_every_shape_are_applied(
    shape: tuple[int, ...], added: bool, tmp_path: Path
) -> None:
    q, k, v = torch.randn(3, 4, 7, 8), torch.randn(3, 4, 5, 8), torch.randn(3, 4, 5, 8)
    mask = torch.rand(shape) < 0.7
    mask[..., 0] = True
    if added:
        mask = torch.where(mask, torch.randn(shape), torch.finfo(torch.float32).min)
    with explorer.capture(tokens=WORDS, key_tokens=list("vwxyz")) as seen:
        functional.scaled_dot_product_attention(q, k, v, attn_mask=mask, scale=0.3)
    seen.save(tmp_path / "a.safetensors")
    for sample in (1, 2, 3):
        part = mask.expand(3, 4, 7, 5)[sample - 1]
        for run in (
            seen.run(sample=sample),
            read_arrays(tmp_path / "a.safetensors", sample=sample),
        ):
            assert (len(run.tokens), len(run.key_tokens)) == (7, 5)
            expected = weights_of(q[sample - 1], k[sample - 1], part, 0.3)
            close(run.layers[0].weights, expected)


def test_other_ways_to_call_are_seen_too() -> None:
    q = torch.randn(4, 7, 8)
    half = q.to(torch.bfloat16)
    with explorer.capture() as seen:
        bound_before(q, q, q)  # its name was taken before
        functional.scaled_dot_product_attention(half, half, half)
        functional.scaled_dot_product_attention(q[0], q[0], q[0], None, 0.0, True)
        functional.scaled_dot_product_attention(q, q[:, :5], q[:, :5], is_causal=True)
        q.zero_()  # what was seen does not change with the tensor
    assert [call.lengths for call in seen.calls] == [(7, 7), (7, 7), (7, 7), (7, 5)]
    with pytest.raises(Problem, match=r"7 × 5.*calls="):
        seen.run()
    whole, rounded, single = seen.run(calls=range(3)).layers
    assert (whole.q != 0).any()
    assert np.abs(whole.weights - rounded.weights).max() < 0.02
    assert single.weights.shape == (1, 7, 7)
    assert (np.triu(single.weights[0], 1) == 0).all()
    rectangular = seen.run(calls=[3])
    assert (np.triu(rectangular.layers[0].weights[0], 1) == 0).all()
    with pytest.raises(Problem, match="no call 9"):
        seen.run(calls=[9])


def test_nothing_is_seen_after_the_block_or_within_an_error() -> None:
    q = torch.randn(1, 2, 3, 4)
    seen = explorer.capture()

    def fail() -> None:
        with seen:
            functional.scaled_dot_product_attention(q, q, q)
            raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        fail()
    functional.scaled_dot_product_attention(q, q, q)
    assert len(seen.calls) == 1
    with explorer.capture(tokens=list("abcd")) as wrong:
        functional.scaled_dot_product_attention(q, q, q)
    with pytest.raises(Problem, match="4 tokens"):
        wrong.run()


def test_what_cannot_be_saved_is_said(tmp_path: Path) -> None:
    q = torch.randn(1, 2, 3, 4)
    with explorer.capture() as seen:
        functional.scaled_dot_product_attention(q, q, q)
    with pytest.raises(Problem, match="folder"):
        seen.save(tmp_path)
    with pytest.raises(Problem, match="no folder"):
        seen.save(tmp_path / "gone" / "a.safetensors")


def test_importing_the_program_is_light() -> None:
    script = (
        "import sys; before = len(sys.modules); import explorer; "
        "loaded = len(sys.modules) - before; heavy = {'numpy', 'torch', 'PySide6', 'tokenizers'}; "
        "print(loaded, sorted(heavy & sys.modules.keys())); explorer.record; explorer.models.load; "
        "print(sorted({'torch', 'PySide6', 'tokenizers'} & sys.modules.keys()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    first, second = done.stdout.splitlines()
    assert first.endswith(" []")
    assert int(first.split()[0]) <= 40  # modules, all of the standard library
    assert second == "[]"
    with pytest.raises(AttributeError, match="nonsense"):
        _ = explorer.nonsense
