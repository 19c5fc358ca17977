"""Real models: the forward pass beside transformers, and what a screen of heads waits for.

A generated model of 6 layers × 12 heads, d = 384, with random weights, 90 MB, on one thread.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers
from threadpoolctl import threadpool_limits

from explorer import models
from explorer.models import Model
from explorer.models.effects import effects
from explorer.models.figures import atlas
from explorer.resources import example
from explorer.session import Scene
from explorer.session.scene_file import write_scene

ROUNDS = 5
WORDS = 30_522
SHAPES: dict[str, Callable[[], Any]] = {
    "BERT": lambda: transformers.BertModel(
        transformers.BertConfig(
            hidden_size=384, num_hidden_layers=6, intermediate_size=1536, vocab_size=WORDS
        )
    ),
    "GPT-2": lambda: transformers.GPT2Model(
        transformers.GPT2Config(n_embd=384, n_layer=6, vocab_size=WORDS)
    ),
}


def median(work: Callable[[], object]) -> float:
    """Return the median of some rounds, in milliseconds, after one to warm up."""
    return medians(work)[0]


def medians(*works: Callable[[], object]) -> list[float]:
    """Return the medians of what takes turns, so that what else goes on here is shared alike."""
    for work in works:
        work()
    taken: list[list[float]] = [[] for _work in works]
    for _round in range(ROUNDS):
        for times, work in zip(taken, works, strict=True):
            began = time.perf_counter()
            work()
            times.append(1000 * (time.perf_counter() - began))
    return [statistics.median(times) for times in taken]


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    with threadpool_limits(1):
        yield


@pytest.fixture(scope="module", params=SHAPES)
def both(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, Any, Model]:
    torch.set_num_threads(1)
    torch.manual_seed(0)
    reference = SHAPES[request.param]().eval()
    reference.set_attn_implementation("eager")
    folder = tmp_path_factory.mktemp("model")
    reference.save_pretrained(folder)
    return request.param, reference, models.load(folder)


@pytest.mark.parametrize("count", [128, 512])
def test_forward(both: tuple[str, Any, Model], count: int, say: list[str]) -> None:
    name, reference, opened = both
    ids = np.random.default_rng(0).integers(5, WORDS, count).tolist()
    tensor = torch.tensor([ids])

    def theirs() -> None:
        with torch.inference_mode():
            reference(tensor)

    ours, eager = medians(lambda: opened.run(ids=ids).hidden, theirs)
    say.append(
        f"forward of {name}, {count} tokens: {ours:.0f} ms, transformers eager {eager:.0f} ms,"
        f" {ours / eager:.2f} × (at most 2)"
    )
    assert ours <= 2 * eager


def test_open_and_heads(both: tuple[str, Any, Model], say: list[str]) -> None:
    name, _reference, opened = both
    folder: Path = opened.folder
    ids = np.random.default_rng(0).integers(5, WORDS, 512).tolist()
    first = median(lambda: models.load(folder).run(ids=ids[:14]).head(4, 2).weights)
    say.append(f"{name}: folder open to first head {first:.0f} ms (at most 1000)")
    assert first <= 1000
    for count, most in ((128, 500), (512, 1500)):
        run = opened.run(ids=ids[:count])
        head = median(lambda run=run: run.head(4, 2).weights)
        whole = median(lambda run=run: atlas(run, 28))
        say.append(
            f"{name}, {count} tokens: atlas of 72 heads {whole:.0f} ms (at most {most}), another"
            f" head {head:.1f} ms (at most 50)"
        )
        assert whole <= most
        assert head <= 50


def test_compute_of_a_layer(tmp_path: Path, say: list[str]) -> None:
    """The command's whole process, from its start to the last line of 240 MB."""
    count, wide, heads = 512, 768, 12
    rng = np.random.default_rng(0)
    W = rng.standard_normal((3, heads, wide, wide // heads)) / wide**0.5
    X = rng.standard_normal((count, wide))
    scene = Scene(tuple(f"t{place}" for place in range(count)), X, W[0], W[1], W[2])
    path = tmp_path / "layer.json"
    write_scene(scene, path)

    def command() -> None:
        with (tmp_path / "out.json").open("wb") as out:
            words = [sys.executable, "-m", "explorer", "compute", str(path), "--json"]
            subprocess.run(words, stdout=out, check=True)

    taken = median(command)
    say.append(f"compute --json, 512 tokens, 12 heads, d 768: {taken:.0f} ms (at most 3000)")
    assert taken <= 3000


def _effects(model: Model, ids: list[int], name: str, least: float, say: list[str]) -> None:
    run = model.run(ids=ids)
    heads = [(i + 1, j + 1) for i in range(model.plan.layers) for j in range(model.plan.heads)]
    last = (lambda run: run.logits_at(-1)) if model.plan.has_logits else (lambda run: run.hidden)
    whole, ours = medians(
        lambda: [last(model.run(ids=ids, off=[head])) for head in heads],
        lambda: list(effects(run)),
    )
    say.append(
        f"{name}, {len(ids)} tokens: effects of {len(heads)} heads {ours:.0f} ms, in full passes"
        f" {whole:.0f} ms, {whole / ours:.2f} × (at least {least})"
    )
    assert whole >= least * ours


def test_effects(both: tuple[str, Any, Model], say: list[str]) -> None:
    name, _reference, opened = both
    ids = np.random.default_rng(0).integers(5, WORDS, 64).tolist()
    _effects(opened, ids, name, 1.7, say)


def test_the_shipped_model(say: list[str]) -> None:
    model = models.load(example("stories"))
    story = "When Mary and John went to the shop, John gave a drink to"
    for text in (story, " ".join([story, "Mary."] * 6)):
        _effects(model, list(model.run(text).ids), "stories", 1.5, say)
    run = model.run(story)
    switch = median(lambda: model.again(run, off=[(2, 1)]).logits_at(-1))
    say.append(f"stories: a switch {switch:.1f} ms (at most 150 until it is shown)")
    assert switch <= 50
