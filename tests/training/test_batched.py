"""Runs trained together beside each of them trained alone."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from explorer.traces import Config, Corpus
from explorer.training import batched
from explorer.training.batched import train_together
from explorer.training.loop import train
from explorer.training.parameters import parameter_blocks


def alone(config: Config, corpus: Corpus) -> tuple[np.ndarray, np.ndarray]:
    """Return losses and accuracies of a run by itself, nan once it has diverged."""
    found = np.full((2, config.epochs + 1), np.nan)
    for epoch in train(config, corpus):
        if math.isfinite(epoch.loss):
            found[:, epoch.number] = epoch.loss, epoch.accuracy
    return found[0], found[1]


def configs(rates: tuple[float, ...], seeds: tuple[int, ...], **changes: Any) -> list[Config]:
    return [
        Config(learning_rate=rate, seed=seed, watch_every=1000, device="cpu", **changes)
        for seed in seeds
        for rate in rates
    ]


def test_the_runs_of_a_sweep_are_those_of_train(corpus: Corpus) -> None:
    asked = configs((0.006, 0.0005, 0.0015), (11, 2), heads=1)
    together = train_together(asked, corpus)
    assert together is not None
    for config, loss, accuracy in zip(asked, together.loss, together.accuracy, strict=True):
        expected, right = alone(config, corpus)
        # Where a run leaves a plateau after a long time, rounding decides the moment.
        late = config.seed == 11 and config.learning_rate == 0.006
        np.testing.assert_allclose(loss, expected, rtol=0, atol=1e-3 if late else 1e-5)
        np.testing.assert_allclose(accuracy, right, rtol=0, atol=1e-6)
    # This is the one that stays at ln 3 until epoch 150.
    assert abs(together.loss[0, 30:141] - math.log(3)).max() < 0.02
    assert together.loss[0, -1] < 0.01


@pytest.mark.parametrize(
    "changes",
    [
        {"batch_size": 3, "layers": 2, "causal": True, "optimizer": "sgd"},
        {"dropout": 0.2, "position_kind": "sinusoidal", "initialisation": "xavier"},
        {"batch_size": 2, "dropout": 0.1, "use_position": False, "initialisation": "he"},
        {"causal": True, "every_place": True, "batch_size": 3},
    ],
    ids=["batches", "dropout", "both", "places"],
)
def test_batches_dropout_and_sentences_of_other_lengths_are_those_of_train(
    ragged: Corpus, changes: dict[str, Any]
) -> None:
    asked = configs((0.01, 0.002), (1, 2), d_model=8, epochs=20, **changes)
    together = train_together(asked, ragged)
    assert together is not None
    for config, loss, accuracy in zip(asked, together.loss, together.accuracy, strict=True):
        expected, right = alone(config, ragged)
        np.testing.assert_allclose(loss, expected, rtol=0, atol=1e-5)
        np.testing.assert_allclose(accuracy, right, rtol=0, atol=1e-6)


def test_a_large_corpus_goes_through_the_models_in_parts(
    ragged: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = configs((0.01,), (1, 2), d_model=8, epochs=6, causal=True, every_place=True)
    whole = train_together(asked, ragged)
    monkeypatch.setattr(batched, "sentences_a_pass", lambda *_run: 3)
    parts = train_together(asked, ragged)
    assert whole is not None
    assert parts is not None
    np.testing.assert_allclose(parts.loss, whole.loss, atol=1e-5)
    np.testing.assert_allclose(parts.accuracy, whole.accuracy, atol=1e-6)


def test_a_run_that_diverges_leaves_the_others_alone(corpus: Corpus) -> None:
    asked = configs((1.0, 0.0015), (3,), optimizer="sgd", layers=4, epochs=30)
    wild = configs((1.0,), (3,), optimizer="sgd", layers=4, epochs=30, initialisation="he")
    together = train_together([*wild, *asked], corpus)
    assert together is not None
    for config, loss in zip([*wild, *asked], together.loss, strict=True):
        expected, _right = alone(config, corpus)
        np.testing.assert_array_equal(np.isnan(loss), np.isnan(expected))
    np.testing.assert_allclose(together.loss[2], expected, rtol=0, atol=1e-5)


def test_the_last_weights_are_those_of_the_last_step(corpus: Corpus) -> None:
    [config] = configs((0.0015,), (7,), epochs=5)
    together = train_together([config], corpus)
    *_, last = train(config, corpus)
    assert together is not None
    assert last.arrays is not None
    found = parameter_blocks(config, corpus).named(together.weights[0])
    for name in found:
        array = last.arrays[f"param.{name}"]
        # The gradient of bk is 0 but for rounding, which Adam makes steps of.
        if not name.endswith(".bk"):
            np.testing.assert_allclose(found[name], array, rtol=0, atol=1e-6, err_msg=name)


def test_runs_end_between_two_epochs_when_they_are_told(corpus: Corpus) -> None:
    asked = iter((True, True, False))
    assert train_together(configs((0.0015,), (7,)), corpus, lambda: next(asked)) is None


def test_runs_of_other_shapes_are_refused(corpus: Corpus) -> None:
    with pytest.raises(ValueError, match="shapes"):
        train_together([Config(heads=1), Config(heads=2)], corpus)
