"""What the tests of training share: corpora, and the model in torch's own words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from explorer.traces import DEFAULT_CORPUS, Config, Corpus, parse_corpus

RAGGED = """\
the cat likes its fish
dog bone
a bird eats worm
the dog sleeps
"""


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture
def corpus() -> Corpus:
    return parse_corpus(DEFAULT_CORPUS)


@pytest.fixture
def ragged() -> Corpus:
    """Sentences of different lengths."""
    return parse_corpus(RAGGED)


class Reference(nn.Module):
    """The model from torch's own layers, with the parameters of a recorded step."""

    def __init__(self, arrays: Mapping[str, Any], config: Config, corpus: Corpus) -> None:
        super().__init__()

        def param(name: str) -> Tensor:
            return torch.from_numpy(np.array(arrays[f"param.{name}"]))

        d = config.d_model
        self.embedding = nn.Parameter(param("embedding"))
        self.position = None
        if config.use_position and config.position_kind == "learned":
            self.position = nn.Parameter(param("position"))
        self.layers = nn.ModuleList()
        for i in range(config.layers):
            layer = nn.TransformerEncoderLayer(
                d, config.heads, config.feed_forward_width, dropout=0.0, batch_first=True
            )

            def of(name: str, i: int = i) -> Tensor:
                return param(f"layers.{i}.{name}")

            def side_by_side(name: str, of: Callable[[str], Tensor] = of) -> Tensor:
                heads = of(name)  # (H, d, d_k) or (H, d_k)
                return heads.movedim(0, -2).reshape(*heads.shape[1:-1], d)

            weights = [side_by_side(name).T for name in ("Wq", "Wk", "Wv")]
            biases = [side_by_side(name) for name in ("bq", "bk", "bv")]
            state = {
                "self_attn.in_proj_weight": torch.cat(weights),
                "self_attn.in_proj_bias": torch.cat(biases),
                "self_attn.out_proj.weight": of("Wo").T,
                "self_attn.out_proj.bias": of("bo"),
                "linear1.weight": of("W1").T,
                "linear1.bias": of("b1"),
                "linear2.weight": of("W2").T,
                "linear2.bias": of("b2"),
                "norm1.weight": of("norm1.gain"),
                "norm1.bias": of("norm1.bias"),
                "norm2.weight": of("norm2.gain"),
                "norm2.bias": of("norm2.bias"),
            }
            layer.load_state_dict(state)
            self.layers.append(layer)
        self.out = nn.Linear(d, len(corpus.vocabulary))
        self.out.load_state_dict({"weight": param("Wout").T, "bias": param("bout")})
        self.causal = config.causal
        tokens, lengths, targets = corpus.encoded()
        self.tokens = torch.from_numpy(tokens.astype(np.int64))
        self.lengths = torch.from_numpy(lengths.astype(np.int64))
        self.targets = torch.from_numpy(targets.astype(np.int64))

    def forward(self) -> Tensor:
        """Return the logits of every sentence, (N, V)."""
        logits = self.places()
        return logits[torch.arange(len(logits)), self.lengths - 1]

    def places(self) -> Tensor:
        """Return the logits of every place, (N, T, V)."""
        x = self.embedding[self.tokens]
        if self.position is not None:
            x = x + self.position
        longest = self.tokens.shape[1]
        padded = torch.arange(longest) >= self.lengths[:, None]
        mask = torch.ones(longest, longest, dtype=torch.bool).triu(1) if self.causal else None
        for layer in self.layers:
            x = layer(x, src_mask=mask, src_key_padding_mask=padded)
        return self.out(x)


@pytest.fixture
def reference() -> type[Reference]:
    return Reference
