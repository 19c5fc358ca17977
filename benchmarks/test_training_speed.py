"""Training at full speed, beside the same model as a user of torch would write it."""

from __future__ import annotations

import math
import statistics
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional

from explorer.traces import DEFAULT_CORPUS, Config, parse_corpus
from explorer.training import Ended, Mailbox, Trainer
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


def alternating(ways: dict[str, Callable[[], None]]) -> dict[str, list[float]]:
    """Return the epochs a second of each way, run in turns after one round to warm up."""
    rates: dict[str, list[float]] = {name: [] for name in ways}
    for measured in (False, *[True] * ROUNDS):
        for name, way in ways.items():
            start = time.perf_counter()
            way()
            if measured:
                rates[name].append(EPOCHS / (time.perf_counter() - start))
    return rates


def ratio(rates: dict[str, list[float]], one: str, other: str) -> float:
    """Return the median over the rounds of how many times faster one way is than another."""
    return statistics.median(a / b for a, b in zip(rates[one], rates[other], strict=True))


def test_training_at_full_speed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    torch.set_num_threads(1)
    folders = (tmp_path / str(i) for i in range(10_000))
    mailbox = Mailbox()
    trainer = Trainer(mailbox)
    trainer.set_pace(None)

    def headless(watch_every: int) -> None:
        config = Config(epochs=EPOCHS, watch_every=watch_every, device="cpu")
        record(config, CORPUS, next(folders), run=1, control=Control(), tell=lambda _item: None)

    def followed() -> None:
        """Train in the process, and poll the mailbox as the window does."""
        config = Config(epochs=EPOCHS, watch_every=1, device="cpu")
        run = trainer.start(config, CORPUS, next(folders))
        tick = threading.Event()
        while not any(isinstance(e, Ended) and e.run == run for e in mailbox.take().events):
            tick.wait(0.033)

    rates = alternating(
        {
            "plain PyTorch": lambda: plain(Config(epochs=EPOCHS)),
            "recording every epoch": lambda: headless(1),
            "recording none": lambda: headless(1000),
            "process, followed": followed,
        }
    )
    trainer.close()
    faster = ratio(rates, "recording every epoch", "plain PyTorch")
    cost = ratio(rates, "recording every epoch", "recording none")
    following = ratio(rates, "process, followed", "recording every epoch")
    with capsys.disabled():
        print("\nEpochs a second at full speed, usual session, one thread (median of 5)")
        for name, values in rates.items():
            print(f"  {name:24}{statistics.median(values):8,.0f}")
        print(f"  recording every epoch / plain PyTorch   {faster:6.2f}   (at least 1.3)")
        print(f"  recording every epoch / recording none  {cost:6.2f}   (at least 0.9)")
        print(f"  followed / recording every epoch        {following:6.2f}   (at least 0.8)")


def test_the_first_epoch_comes_soon(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mailbox = Mailbox()
    trainer = Trainer(mailbox)
    waits = []
    for i in range(6):
        start = time.perf_counter()
        trainer.start(Config(device="cpu"), CORPUS, tmp_path / str(i))
        tick = threading.Event()
        while not mailbox.take().scalars:
            tick.wait(0.001)
        waits.append(time.perf_counter() - start)
    trainer.close()
    cold, warm = waits[0], statistics.median(waits[1:])
    with capsys.disabled():
        print("\nFrom Train to the first epoch in the mailbox (s)")
        print(f"  no process yet   {cold:6.3f}   (at most 3)")
        print(f"  afterwards       {warm:6.3f}   (at most 0.3)")
