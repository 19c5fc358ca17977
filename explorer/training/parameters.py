"""The parameters of the tiny Transformer: one flat buffer, the names in it, initial values.

The buffer holds Wq, Wk and Wv of a layer side by side, so that one matrix product makes Q, K and V
of every head; by their names they are views of it in the shapes of a trace.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.traces import Config, Corpus

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class ParameterBlocks:
    """Where each block of parameters stands in the flat buffer, and the names of its parts.

    shapes : the shape of each block in the order of the buffer; of layer i these are
        `layers.i.Wqkv` (d, 3·H·d_k), `layers.i.bqkv` (3·H·d_k), and the rest under the trace's
        own names
    heads : H
    """

    shapes: dict[str, tuple[int, ...]]
    heads: int

    @property
    def size(self) -> int:
        """How many numbers the buffer holds."""
        return sum(map(math.prod, self.shapes.values()))

    def split(self, flat: Any) -> dict[str, Any]:
        """Return each block as a view of `flat`, a numpy array or a torch tensor of `size`."""
        views, start = {}, 0
        for name, shape in self.shapes.items():
            end = start + math.prod(shape)
            views[name] = flat[start:end].reshape(shape)
            start = end
        return views

    def named(self, flat: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """Return each parameter by its name in a trace, as a view of the numpy array `flat`."""
        views: dict[str, NDArray[Any]] = {}
        for name, block in self.split(flat).items():
            layer, _dot, last = name.rpartition(".")
            if last == "Wqkv":  # (d, 3, H, d_k) seen as three of (H, d, d_k)
                parts = block.reshape(len(block), 3, self.heads, -1).transpose(1, 2, 0, 3)
            elif last == "bqkv":
                parts = block.reshape(3, self.heads, -1)
            else:
                views[name] = block
                continue
            for letter, part in zip("qkv", parts, strict=True):
                views[f"{layer}.{last[0]}{letter}"] = part
        return views


def parameter_blocks(config: Config, corpus: Corpus) -> ParameterBlocks:
    """Return the blocks of the model that `config` makes for a corpus."""
    d, f, words = config.d_model, config.feed_forward_width, len(corpus.vocabulary)
    blocks: dict[str, tuple[int, ...]] = {"embedding": (words, d)}
    if config.use_position and config.position_kind == "learned":
        blocks["position"] = (corpus.longest, d)
    layer = {
        "Wqkv": (d, 3 * d),
        "bqkv": (3 * d,),
        "Wo": (d, d),
        "bo": (d,),
        "norm1.gain": (d,),
        "norm1.bias": (d,),
        "W1": (d, f),
        "b1": (f,),
        "W2": (f, d),
        "b2": (d,),
        "norm2.gain": (d,),
        "norm2.bias": (d,),
    }
    for i in range(config.layers):
        blocks |= {f"layers.{i}.{name}": shape for name, shape in layer.items()}
    blocks |= {"Wout": (d, words), "bout": (words,)}
    return ParameterBlocks(blocks, config.heads)


def initial(config: Config, corpus: Corpus) -> Floats:
    """Return the flat buffer of an untrained model, (size,); the same for the same seed.

    Embedding and learned position are drawn from N(0, 1), gains are 1, and the matrices with their
    biases are, by `config.initialisation`:

    pytorch : both from U(−1/√fan_in, 1/√fan_in), as torch.nn.Linear starts
    xavier : U(−a, a) with a = √(6 / (fan_in + fan_out)) (Glorot & Bengio 2010), biases 0
    he : N(0, 2 / fan_in) (He et al. 2015), biases 0

    Wq, Wk and Wv count as one matrix (d_model, d_model) each, whatever the heads.
    """
    generator = np.random.default_rng(config.seed)
    model = parameter_blocks(config, corpus)
    flat = np.zeros(model.size, dtype=np.float32)
    fan_in = 0
    for name, block in model.split(flat).items():
        last = name.rpartition(".")[2]
        if name in ("embedding", "position"):
            block[...] = generator.standard_normal(block.shape)
        elif last == "gain":
            block[...] = 1.0
        elif last.startswith("W"):
            fan_in = block.shape[0]
            fan_out = config.d_model if last == "Wqkv" else block.shape[1]
            if config.initialisation == "he":
                block[...] = generator.normal(0.0, math.sqrt(2 / fan_in), block.shape)
                continue
            bound = 1 / math.sqrt(fan_in)
            if config.initialisation == "xavier":
                bound = math.sqrt(6 / (fan_in + fan_out))
            block[...] = generator.uniform(-bound, bound, block.shape)
        elif last.startswith("b") and last != "bias" and config.initialisation == "pytorch":
            # A bias follows its matrix, whose fan_in bounds it too.
            bound = 1 / math.sqrt(fan_in)
            block[...] = generator.uniform(-bound, bound, block.shape)
    return flat


def sinusoids(positions: int, d_model: int) -> Floats:
    """Return the sinusoidal positions, (positions, d_model) (Vaswani et al. 2017, section 3.5).

    Column 2i is sin(p / 10000^(2i / d_model)), column 2i + 1 the cosine of the same angle.
    """
    columns = np.arange(d_model)
    angles = np.arange(positions)[:, None] / 10000.0 ** ((columns - columns % 2) / d_model)
    return np.where(columns % 2, np.cos(angles), np.sin(angles)).astype(np.float32)
