"""The network, held to torch's own layers and to the program's own attention."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import msgspec
import numpy as np
import pytest
import torch
from torch.nn import functional

from explorer.attention import attend
from explorer.traces import Config, Corpus, parameter_shapes
from explorer.training.loop import Epoch, train
from explorer.training.network import Network
from explorer.training.parameters import initial, parameter_blocks, sinusoids

VARIANTS = [
    Config(),
    Config(layers=3, d_model=12, heads=3),
    Config(causal=True, layers=2),
    Config(use_position=False),
    Config(position_kind="sinusoidal", heads=4),
    Config(d_model=2, heads=1, feed_forward=5),
    Config(initialisation="xavier"),
    Config(initialisation="he", optimizer="sgd"),
]
corpora = pytest.mark.parametrize("words", ["corpus", "ragged"])
variants = pytest.mark.parametrize("config", VARIANTS, ids=str)


def frames(config: Config, corpus: Corpus, **changes: Any) -> list[Epoch]:
    """Return every epoch of a run, its arrays copied."""
    return [
        dataclasses.replace(
            epoch,
            arrays=epoch.arrays and {name: array.copy() for name, array in epoch.arrays.items()},
        )
        for epoch in train(msgspec.structs.replace(config, **changes), corpus)
    ]


@corpora
@variants
def test_the_attention_of_every_layer_is_attention(
    config: Config, words: str, request: pytest.FixtureRequest
) -> None:
    corpus: Corpus = request.getfixturevalue(words)
    _tokens, lengths, _targets = corpus.encoded()
    for epoch in frames(config, corpus, epochs=4, watch_every=2):
        step = epoch.arrays
        assert step is not None or epoch.number % 2
        if step is None:
            continue
        for layer in range(config.layers):
            names = ("Wq", "Wk", "Wv", "bq", "bk", "bv", "Wo", "bo")
            weights = {name: step[f"param.layers.{layer}.{name}"] for name in names}
            for sample, length in enumerate(lengths):
                found = attend(
                    step["x"][sample, layer, :length],
                    **weights,
                    mask="causal" if config.causal else "none",
                )
                for name, wanted in (
                    ("q", found.Q),
                    ("k", found.K),
                    ("v", found.V),
                    ("scores", found.scores),
                    ("weights", found.weights),
                    ("head_output", found.head_output),
                    ("output", found.output),
                ):
                    rows = step[name][sample, layer, ..., :length, :]
                    if name in ("scores", "weights"):
                        rows = rows[..., :length]
                    np.testing.assert_allclose(rows, wanted, atol=1e-5, rtol=1e-5, err_msg=name)


@corpora
@variants
def test_a_frame_and_its_parameters_agree(
    config: Config, words: str, request: pytest.FixtureRequest, reference: Any
) -> None:
    if config.position_kind == "sinusoidal":
        config = msgspec.structs.replace(config, use_position=False)
    corpus: Corpus = request.getfixturevalue(words)
    for epoch in frames(config, corpus, epochs=3, watch_every=1):
        assert epoch.arrays is not None
        model = reference(epoch.arrays, config, corpus)
        with torch.no_grad():
            logits = model()
        np.testing.assert_allclose(epoch.arrays["logits"], logits, atol=1e-5, rtol=1e-4)
        assert epoch.loss == pytest.approx(
            functional.cross_entropy(logits, model.targets).item(), rel=1e-5
        )
        right = (logits.argmax(1) == model.targets).float().mean().item()
        assert epoch.accuracy == pytest.approx(right)


@corpora
@variants
def test_it_learns_as_torch_does(
    config: Config, words: str, request: pytest.FixtureRequest, reference: Any
) -> None:
    if config.position_kind == "sinusoidal":
        config = msgspec.structs.replace(config, use_position=False)
    corpus: Corpus = request.getfixturevalue(words)
    epochs = frames(config, corpus, epochs=20, watch_every=20)
    assert epochs[0].arrays is not None
    model = reference(epochs[0].arrays, config, corpus)
    kinds = {"adam": torch.optim.Adam, "sgd": torch.optim.SGD}
    optimizer = kinds[config.optimizer](model.parameters(), lr=config.learning_rate)
    losses = []
    for _epoch in range(21):
        loss = functional.cross_entropy(model(), model.targets)
        losses.append(loss.item())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert [epoch.loss for epoch in epochs] == pytest.approx(losses, rel=1e-4)


def test_sinusoidal_positions_are_added_to_the_words(corpus: Corpus) -> None:
    with_positions = Config(position_kind="sinusoidal", epochs=1)
    step = frames(with_positions, corpus)[0].arrays
    assert step is not None
    tokens, _lengths, _targets = corpus.encoded()
    words = step["param.embedding"][tokens]
    assert "param.position" not in step
    np.testing.assert_allclose(step["x"][:, 0] - words, np.stack([sinusoids(2, 16)] * 6), atol=1e-6)


def test_sinusoids_are_those_of_the_paper() -> None:
    table = sinusoids(5, 6)
    for p in range(5):
        for i in range(3):
            angle = p / 10000 ** (2 * i / 6)
            assert table[p, 2 * i] == pytest.approx(math.sin(angle), abs=1e-6)
            assert table[p, 2 * i + 1] == pytest.approx(math.cos(angle), abs=1e-6)
    assert sinusoids(2, 3).shape == (2, 3)


@variants
def test_parameters_have_the_names_and_shapes_of_a_trace(config: Config, ragged: Corpus) -> None:
    named = parameter_blocks(config, ragged).named(initial(config, ragged))
    wanted = parameter_shapes(config, ragged)
    assert {name: array.shape for name, array in named.items()} == wanted
    assert sum(array.size for array in named.values()) == parameter_blocks(config, ragged).size


def test_a_named_parameter_is_a_view_of_the_buffer(corpus: Corpus) -> None:
    model = parameter_blocks(Config(), corpus)
    flat = np.zeros(model.size, dtype=np.float32)
    for i, array in enumerate(model.named(flat).values(), start=1):
        array[...] = i
    assert set(np.unique(flat)) == set(range(1, len(parameter_shapes(Config(), corpus)) + 1))


@pytest.mark.parametrize(
    ("kind", "deviation", "biased"),
    [
        ("pytorch", 1 / math.sqrt(3 * 128), True),
        ("xavier", math.sqrt(2 / 256), False),
        ("he", math.sqrt(2 / 128), False),
    ],
)
def test_initial_values_are_spread_as_their_source_says(
    corpus: Corpus, kind: Any, deviation: float, biased: bool
) -> None:
    config = Config(d_model=128, heads=8, initialisation=kind)
    named = parameter_blocks(config, corpus).named(initial(config, corpus))
    for name in ("Wq", "Wk", "Wv", "Wo"):
        assert named[f"layers.0.{name}"].std() == pytest.approx(deviation, rel=0.03)
    assert bool(np.any(named["layers.0.bq"])) is biased
    assert bool(np.any(named["bout"])) is biased
    assert np.all(named["layers.0.norm1.gain"] == 1)
    assert not np.any(named["layers.0.norm2.bias"])
    assert named["embedding"].std() == pytest.approx(1, rel=0.1)


def test_the_same_seed_gives_the_same_start_and_another_seed_another(corpus: Corpus) -> None:
    first, again, other = (initial(Config(seed=seed), corpus) for seed in (7, 7, 8))
    assert first.tobytes() == again.tobytes()
    assert not np.array_equal(first, other)


def test_dropout_drops_that_share_and_keeps_the_mean(corpus: Corpus) -> None:
    network = Network(Config(dropout=0.25), corpus, torch.device("cpu"))
    ones = torch.ones(400, 400)
    dropped = network._dropped(ones, torch.Generator().manual_seed(0))
    assert (dropped == 0).float().mean().item() == pytest.approx(0.25, abs=0.01)
    assert dropped.mean().item() == pytest.approx(1, abs=0.01)
    assert network._dropped(ones, None) is ones
