"""A sweep beside the same runs trained one by one, each way in two warm worker processes."""

from __future__ import annotations

import statistics
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import torch

from explorer.traces import DEFAULT_CORPUS, Config, parse_corpus
from explorer.training.batched import train_together
from explorer.training.loop import train

WORKERS = 2
TOGETHER = 16
ALONE = 8  # runs of each round that are trained one by one
ROUNDS = 5


def warm() -> None:
    """Import torch, and let it find its kernels."""
    torch.set_num_threads(1)
    several(runs(2, epochs=3))
    one(*runs(1, epochs=3))


def runs(count: int, *, epochs: int = 200) -> list[Config]:
    """Return runs of the usual session; nothing but their ends is recorded."""
    return [
        Config(learning_rate=rate, seed=seed, epochs=epochs, watch_every=1000, device="cpu")
        for seed in range(1, count + 1)
        for rate in (0.0005, 0.0015, 0.006)
    ][:count]


def one(config: Config) -> None:
    """Train one run."""
    for _epoch in train(config, parse_corpus(DEFAULT_CORPUS)):
        pass


def several(configs: list[Config]) -> None:
    """Train runs together."""
    train_together(configs, parse_corpus(DEFAULT_CORPUS))


def test_runs_together_beside_runs_alone(say: list[str]) -> None:
    alone, together = runs(ALONE), [runs(TOGETHER), runs(TOGETHER)]
    rates: dict[str, list[float]] = {"one by one": [], "together": []}
    with ProcessPoolExecutor(WORKERS, get_context("spawn")) as pool:
        for job in [pool.submit(warm) for _worker in range(2 * WORKERS)]:
            job.result()
        for _round in range(ROUNDS):
            start = time.perf_counter()
            list(pool.map(one, alone))
            middle = time.perf_counter()
            list(pool.map(several, together))
            end = time.perf_counter()
            rates["one by one"].append(ALONE / (middle - start))
            rates["together"].append(WORKERS * TOGETHER / (end - middle))
    faster = statistics.median(
        b / a for a, b in zip(rates["one by one"], rates["together"], strict=True)
    )
    for name, values in rates.items():
        say.append(f"runs of 200 epochs, {name}: {statistics.median(values):.1f} a second")
    say.append(f"{TOGETHER} runs together / one by one: {faster:.1f} (at least 6)")
