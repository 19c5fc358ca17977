"""Every option of a scene against PyTorch: linear layers with biases, and its own attention."""

from __future__ import annotations

import cmath
import math
from dataclasses import replace

import numpy as np
import torch
from hypothesis import given, settings

from explorer.attention import MISTAKES, Rotary, Variant
from explorer.session import Scene, at_sequence, compute
from tests.scenes import scenes

Tensor = torch.Tensor


def sinusoidal(T: int, d: int) -> Tensor:
    """Return sines on even columns and cosines on odd ones, number by number."""
    rows = torch.empty(T, d, dtype=torch.float64)
    for t in range(T):
        for i in range(d):
            angle = t / 10000 ** (2 * (i // 2) / d)
            rows[t, i] = math.cos(angle) if i % 2 else math.sin(angle)
    return rows


def projected(rows: Tensor, scene: Scene, letter: str) -> Tensor:
    """Return Q, K or V, shape (H, T, d), by one linear layer a head."""
    W, b = scene.per_head(f"W{letter}"), scene.per_head(f"b{letter}")
    if W is None:
        return rows[None]
    heads = []
    for head in range(len(W)):
        layer = torch.nn.Linear(W.shape[1], W.shape[2], bias=b is not None, dtype=torch.float64)
        with torch.no_grad():
            layer.weight.copy_(torch.tensor(W[head].T))
            if b is not None:
                layer.bias.copy_(torch.tensor(b[head]))
            heads.append(layer(rows))
    return torch.stack(heads)


def turned(rows: Tensor, rotary: Rotary) -> Tensor:
    """Return rows (H, T, d) turned by their places, pair by pair, as complex numbers."""
    made, half = rows.clone(), rotary.dims // 2
    for i, turn in enumerate(rotary.frequencies().tolist()):
        a, b = (i, i + half) if rotary.pairing == "halves" else (2 * i, 2 * i + 1)
        for place in range(rows.shape[1]):
            z = torch.complex(rows[:, place, a], rows[:, place, b])
            z = z * cmath.exp(1j * place * turn)
            made[:, place, a], made[:, place, b] = z.real, z.imag
    return made


def expected(scene: Scene) -> Tensor:
    """Return the output of the shown sequence as PyTorch computes it."""
    options, X = scene.options, torch.tensor(scene.X)
    if isinstance(options.position, str):
        if options.position == "sinusoidal":
            X = X + sinusoidal(*X.shape)
    else:
        X = X + torch.tensor(options.position[: len(X)])
    source = X if scene.context is None else torch.tensor(scene.context.X)
    Q, K, V = (
        projected(rows, scene, letter) for rows, letter in ((X, "q"), (source, "k"), (source, "v"))
    )
    if scene.V is not None:
        V = torch.tensor(scene.V)[None]
    if (norm := options.qk_norm) is not None:
        gains = (torch.tensor(norm.query), torch.tensor(norm.key))
        Q, K = (
            torch.nn.functional.rms_norm(rows, gain.shape, gain, norm.epsilon)
            for rows, gain in zip((Q, K), gains, strict=True)
        )
    if options.rotary is not None:
        Q, K = turned(Q, options.rotary), turned(K, options.rotary)
    visible = torch.ones(Q.shape[1], K.shape[1], dtype=torch.bool)
    if not isinstance(options.mask, str):
        visible = torch.tensor(options.mask)
    elif options.mask == "causal":
        visible = visible.tril()
    divisor = {"sqrt_dk": math.sqrt(Q.shape[2]), "none": 1.0}.get(options.scale, options.scale)
    scale = 0.0 if options.variant is Variant.AVERAGE else 1 / (divisor * options.temperature)
    heads = torch.nn.functional.scaled_dot_product_attention(Q, K, V, visible, scale=scale)
    heads = torch.where(visible.any(1)[:, None], heads, 0.0)
    output = heads.transpose(0, 1).flatten(1)
    if scene.Wo is not None:
        bias = None if scene.bo is None else torch.tensor(scene.bo)
        output = torch.nn.functional.linear(output, torch.tensor(scene.Wo.T), bias)
    return output


@given(scenes(largest=2.0))
@settings(max_examples=300)
def test_every_sequence_of_every_scene_is_computed_as_torch_does(scene: Scene) -> None:

    if scene.options.variant in MISTAKES:
        scene = scene.replace(options=replace(scene.options, variant=Variant.NONE))
    for place in range(len(scene.sequences)):
        shown = at_sequence(scene, place)
        np.testing.assert_allclose(compute(shown).output, expected(shown), rtol=1e-9, atol=1e-11)
