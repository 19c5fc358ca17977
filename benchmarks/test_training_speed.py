"""Training at full speed, beside the same model as a user of torch would write it."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional

from explorer.traces import DEFAULT_CORPUS, Config, parse_corpus
from explorer.training.control import Control
from explorer.training.record import record

EPOCHS = 1000
ROUNDS = 5
CORPUS = parse_corpus(DEFAULT_CORPUS)


class PlainLayer(nn.Module):
    def __init__(self, config: Config) -> None:
        super().__init__()
        d = config.d_model
        self.heads = config.heads
        self.q, self.k, self.v, self.o = (nn.Linear(d, d) for _ in range(4))
        self.norm1, self.norm2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.first = nn.Linear(d, config.feed_forward_width)
        self.second = nn.Linear(config.feed_forward_width, d)

    def forward(self, x: Tensor) -> Tensor:
        n, t, d = x.shape

        def split(y: Tensor) -> Tensor:
            return y.view(n, t, self.heads, d // self.heads).transpose(1, 2)

        q, k, v = split(self.q(x)), split(self.k(x)), split(self.v(x))
        weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(d // self.heads), dim=-1)
        x = self.norm1(x + self.o((weights @ v).transpose(1, 2).reshape(n, t, d)))
        return self.norm2(x + self.second(functional.relu(self.first(x))))


class Plain(nn.Module):
    def __init__(self, config: Config) -> None:
        super().__init__()
        self.embedding = nn.Embedding(len(CORPUS.vocabulary), config.d_model)
        self.position = nn.Embedding(CORPUS.longest, config.d_model)
        self.layers = nn.ModuleList(PlainLayer(config) for _ in range(config.layers))
        self.out = nn.Linear(config.d_model, len(CORPUS.vocabulary))

    def forward(self, tokens: Tensor) -> Tensor:
        x = self.embedding(tokens) + self.position(torch.arange(tokens.shape[1]))
        for layer in self.layers:
            x = layer(x)
        return self.out(x[:, -1])


def plain(config: Config) -> None:
    """Train the same model as everyone writes it; nothing is recorded."""
    tokens, _lengths, targets = (torch.from_numpy(a.astype("int64")) for a in CORPUS.encoded())
    torch.manual_seed(config.seed)
    model = Plain(config)
    optimizer = torch.optim.Adam(model.parameters(), lr=config.learning_rate)
    for _epoch in range(config.epochs):
        optimizer.zero_grad()
        loss = functional.cross_entropy(model(tokens), targets)
        loss.backward()
        optimizer.step()


def test_recording_every_epoch_is_faster_than_a_plain_loop(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    torch.set_num_threads(1)
    runs = iter(range(10_000))

    def headless(watch_every: int) -> Callable[[], None]:
        config = Config(epochs=EPOCHS, watch_every=watch_every)

        def train() -> None:
            folder = tmp_path / str(next(runs))
            record(config, CORPUS, folder, run=1, control=Control(), tell=lambda _item: None)

        return train

    ways = {
        "plain": lambda: plain(Config(epochs=EPOCHS)),
        "every epoch": headless(1),
        "every 1,000": headless(1000),
    }
    for way in ways.values():
        way()
    rates: dict[str, list[float]] = {name: [] for name in ways}
    for _round in range(ROUNDS):
        for name, way in ways.items():
            start = time.perf_counter()
            way()
            rates[name].append(EPOCHS / (time.perf_counter() - start))

    def ratio(one: str, other: str) -> float:
        return statistics.median(a / b for a, b in zip(rates[one], rates[other], strict=True))

    with capsys.disabled():
        print("\nEpochs a second at full speed, default lab, one thread (median of 5)")
        for name, values in rates.items():
            print(f"  {name:12} {statistics.median(values):8.0f}")
        print(f"  recording every epoch / plain      {ratio('every epoch', 'plain'):.2f}  (≥ 1.3)")
        print(
            f"  recording every epoch / recording none "
            f"{ratio('every epoch', 'every 1,000'):.2f}  (≥ 0.9)"
        )
    assert ratio("every epoch", "plain") >= 1.3
    assert ratio("every epoch", "every 1,000") >= 0.9
