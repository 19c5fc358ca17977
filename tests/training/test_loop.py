"""The loop: what is recorded when, the same run for the same seed, and how it can end."""

from __future__ import annotations

import hashlib
import math
from typing import Any

import msgspec
import numpy as np
import pytest
import torch

from explorer.text import Problem
from explorer.traces import (
    ACTIVATIONS,
    Config,
    Corpus,
    Splitting,
    parameter_names,
    parse_corpus,
    state_names,
)
from explorer.training import loop
from explorer.training.loop import chosen_device, devices, train
from explorer.training.network import Network, as_batch
from explorer.training.recording import repeated_texts

KINDS = [device.kind for device in devices()]
SHORT = Config(epochs=12, watch_every=5)


def change(config: Config, **changes: Any) -> Config:
    return msgspec.structs.replace(config, **changes)


def digest(config: Config, corpus: Corpus) -> str:
    """Return a hash over every number of a run."""
    found = hashlib.sha256()
    for epoch in train(config, corpus):
        found.update(repr((epoch.number, epoch.loss, epoch.accuracy)).encode())
        for name, array in sorted((epoch.arrays or {}).items()):
            found.update(name.encode() + array.tobytes())
    return found.hexdigest()


def test_epochs_run_from_the_untrained_model_to_the_last_and_the_due_ones_are_recorded(
    corpus: Corpus,
) -> None:
    epochs = [(epoch.number, epoch.arrays is not None) for epoch in train(SHORT, corpus)]
    assert [number for number, _recorded in epochs] == list(range(13))
    assert [number for number, recorded in epochs if recorded] == [0, 5, 10, 12]


def test_the_usual_run_learns_its_corpus(corpus: Corpus) -> None:
    *_, last = train(Config(), corpus)
    assert last.number == 200
    assert last.loss < 0.1
    assert last.accuracy == 1


def test_the_gradient_has_the_norm_of_what_plain_descent_subtracts(corpus: Corpus) -> None:
    config = change(SHORT, epochs=4, watch_every=1, optimizer="sgd", learning_rate=0.5)
    before: np.ndarray[Any, Any] | None = None
    for epoch in train(config, corpus):
        assert epoch.arrays is not None
        names = [name for name in epoch.arrays if name.startswith("param.")]
        after = np.concatenate([epoch.arrays[name].ravel() for name in names]).astype(float)
        if before is None:
            assert math.isnan(epoch.gradient)
        else:
            step = np.linalg.norm(after - before) / config.learning_rate
            assert math.isclose(epoch.gradient, step, rel_tol=1e-4)
        before = after
    batches = [epoch.gradient for epoch in train(change(config, batch_size=2), corpus)]
    assert np.isfinite(batches[1:]).all()


def test_a_step_holds_every_array_of_a_trace(corpus: Corpus) -> None:
    epoch = next(train(SHORT, corpus))
    assert epoch.arrays is not None
    parameters = {f"param.{name}" for name in parameter_names(SHORT)}
    state = set(state_names(SHORT))
    assert set(epoch.arrays) == set(ACTIVATIONS) | parameters | state
    bare = next(train(change(SHORT, keep_state=False), corpus))
    assert bare.arrays is not None
    assert set(bare.arrays) == set(ACTIVATIONS) | parameters
    assert epoch.arrays["scores"].shape == (6, 1, 2, 2, 2)
    assert epoch.arrays["param.layers.0.Wq"].shape == (2, 16, 8)


@pytest.mark.parametrize(
    "config",
    [SHORT, change(SHORT, dropout=0.3), change(SHORT, batch_size=4), change(SHORT, layers=2)],
    ids=str,
)
def test_the_same_seed_is_the_same_run_bit_for_bit(config: Config, ragged: Corpus) -> None:
    first = digest(config, ragged)
    torch.rand(3)  # what else draws numbers makes no difference
    assert digest(config, ragged) == first
    assert digest(change(config, seed=8), ragged) != first


def test_padding_is_zero_and_padded_keys_are_masked(ragged: Corpus) -> None:
    _tokens, lengths, _targets = ragged.encoded()
    for epoch in train(change(SHORT, causal=True, layers=2), ragged):
        if epoch.arrays is None:
            continue
        for name, array in epoch.arrays.items():
            if name == "logits" or name.startswith(("param.", "state.")):
                continue
            for sample, length in enumerate(lengths):
                rows = array[sample].swapaxes(-2, 0)
                assert not rows[length:].any(), name
                if name == "scores":
                    hidden = ~np.tri(4, dtype=bool)[:length] | (np.arange(4) >= length)
                    seen = array[sample][..., :length, :]
                    assert np.array_equal(np.isneginf(seen), np.broadcast_to(hidden, seen.shape))
                if name == "weights":
                    sums = array[sample][..., :length, :].sum(-1)
                    np.testing.assert_allclose(sums, 1, atol=1e-6)


@pytest.mark.parametrize("change_", [{"batch_size": 2}, {"dropout": 0.5}], ids=str)
def test_with_batches_or_dropout_the_frame_is_the_model_at_the_epochs_start(
    change_: dict[str, Any], ragged: Corpus, reference: Any
) -> None:
    config = change(SHORT, epochs=3, watch_every=1, **change_)
    for epoch in train(config, ragged):
        assert epoch.arrays is not None
        with torch.no_grad():
            model = reference(epoch.arrays, config, ragged)
            logits = model()
        np.testing.assert_allclose(epoch.arrays["logits"], logits, atol=1e-5, rtol=1e-4)
        loss = torch.nn.functional.cross_entropy(logits, model.targets).item()
        assert epoch.loss == pytest.approx(loss, rel=1e-5)


@pytest.mark.parametrize("samples", [None, (3, 1)], ids=str)
def test_every_place_predicts_the_next_word(
    samples: tuple[int, ...] | None, ragged: Corpus, reference: Any
) -> None:
    config = change(SHORT, epochs=3, watch_every=1, causal=True, every_place=True, layers=2)
    tokens, lengths, targets = ragged.encoded()
    for epoch in train(config, ragged, samples=samples):
        assert epoch.arrays is not None
        with torch.no_grad():
            model = reference(epoch.arrays, config, ragged)
            logits = model.places()
        chosen = range(4) if samples is None else samples
        losses, right = [], 0
        for n, line in enumerate(ragged.lines):
            after = [*tokens[n, 1 : lengths[n]], targets[n]]
            assert [ragged.vocabulary[word] for word in after] == list(line[1:])
            shares = torch.log_softmax(logits[n, : lengths[n]].double(), -1).numpy()
            found = -shares[np.arange(len(after)), after]
            right += int((shares.argmax(1) == after).sum())
            losses += list(found)
            if n in chosen:
                at = list(chosen).index(n)
                recorded = epoch.arrays["losses"][at]
                np.testing.assert_allclose(recorded[: len(found)], found, atol=1e-5)
                assert not recorded[len(found) :].any()
                last = logits[n, lengths[n] - 1]
                np.testing.assert_allclose(epoch.arrays["logits"][at], last, atol=1e-5)
        assert epoch.loss == pytest.approx(np.mean(losses), rel=1e-5)
        assert epoch.accuracy == pytest.approx(right / len(losses))


def test_heads_are_scored_on_random_words_that_are_repeated() -> None:
    corpus = parse_corpus(" ".join(f"w{i}" for i in range(20)), Splitting(context=16))
    config = Config(epochs=1, layers=2, causal=True, every_place=True, device="cpu")
    epoch = next(train(config, corpus))
    assert epoch.arrays is not None
    texts = repeated_texts(corpus)
    assert texts.shape == (4, 16)
    assert (texts[:, :8] == texts[:, 8:]).all()
    network = Network(config, corpus, torch.device("cpu"))
    with torch.no_grad():
        layers = network.forward(as_batch(texts, torch.device("cpu")))[1]
    for layer, head in ((0, 0), (0, 1), (1, 0), (1, 1)):
        maps = layers[layer].weights[:, head].double().numpy()
        assert np.abs(np.triu(maps, 1)).max() == 0
        induction = np.mean([maps[:, i, i - 7] for i in range(8, 16)])
        previous = np.mean([maps[:, i, i - 1] for i in range(1, 16)])
        scores = (
            epoch.arrays[f"repeats.{name}"][layer, head] for name in ("induction", "previous")
        )
        np.testing.assert_allclose(list(scores), (induction, previous), rtol=1e-5)
    short = next(train(config, parse_corpus("a b c")))
    assert "repeats.induction" not in (short.arrays or {})


@pytest.mark.parametrize(
    "change_", [{}, {"causal": True, "every_place": True, "batch_size": 3}], ids=str
)
def test_a_large_corpus_goes_through_the_model_in_parts(
    change_: dict[str, Any], ragged: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = change(SHORT, epochs=6, **change_)
    whole = [(epoch.loss, epoch.accuracy) for epoch in train(config, ragged)]
    monkeypatch.setattr(loop, "sentences_a_pass", lambda *_run: 2)
    told: list[float] = []
    if not change_:  # the very pass that is shown teaches no more, but the sentences are the same
        parts = list(train(config, ragged, between=lambda share: (told.append(share), True)[1]))
        assert told[:4] == [0.875, 1.0, 0.375, 0.75]
    else:
        parts = list(train(config, ragged))
    found = [(epoch.loss, epoch.accuracy) for epoch in parts]
    np.testing.assert_allclose(found, whole, rtol=1e-4)
    told.clear()
    ended = list(
        train(config, ragged, between=lambda share: (told.append(share), len(told) < 8)[1])
    )
    assert [epoch.number for epoch in ended] == [0, 1]
    assert len(told) == 8


def test_a_pass_in_batches_takes_every_sentence_once(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    taught: list[int] = []
    step = loop._Run._descend
    judged = loop.judged

    def noted(logits: torch.Tensor, batch: Any) -> Any:
        if torch.is_grad_enabled():
            taught.extend(batch.tokens[:, 0].tolist())
        return judged(logits, batch)

    monkeypatch.setattr(loop, "judged", noted)
    steps = []
    monkeypatch.setattr(loop._Run, "_descend", lambda run: (steps.append(1), step(run))[1])
    list(train(change(SHORT, epochs=1, batch_size=4), corpus))
    tokens, _lengths, _targets = corpus.encoded()
    assert sorted(taught) == sorted(tokens[:, 0].tolist())
    assert len(steps) == 2


@pytest.mark.parametrize("change_", [{}, {"batch_size": 2}], ids=str)
def test_picked_samples_are_recorded_in_their_order(
    change_: dict[str, Any], ragged: Corpus
) -> None:
    config = change(SHORT, epochs=2, watch_every=1, **change_)
    everything = [
        {name: array.copy() for name, array in (epoch.arrays or {}).items()}
        for epoch in train(config, ragged)
    ]
    for epoch, whole in zip(train(config, ragged, samples=(3, 1)), everything, strict=True):
        assert epoch.arrays is not None
        # The two have at most two words before the last.
        np.testing.assert_allclose(epoch.arrays["x"], whole["x"][[3, 1], :, :2], atol=1e-5)
        wanted = whole["weights"][[3, 1], ..., :2, :2]
        np.testing.assert_allclose(epoch.arrays["weights"], wanted, atol=1e-5)
        np.testing.assert_allclose(epoch.arrays["logits"], whole["logits"][[3, 1]], atol=1e-5)


def test_of_a_large_corpus_the_first_64_sentences_are_recorded() -> None:
    corpus = parse_corpus("\n".join(f"a{i % 7} b{i % 11} c{i % 5}" for i in range(100)))
    *_, last = train(change(SHORT, epochs=1), corpus)
    assert last.arrays is not None
    assert last.arrays["weights"].shape == (64, 1, 2, 2, 2)
    assert last.arrays["logits"].shape == (64, len(corpus.vocabulary))


def test_a_loss_that_is_no_number_ends_the_run(corpus: Corpus) -> None:
    config = Config(d_model=128, learning_rate=1, optimizer="sgd", epochs=1000)
    epochs = [(epoch.number, epoch.loss) for epoch in train(config, corpus)]
    assert epochs[-1][0] < 1000
    assert not math.isfinite(epochs[-1][1])
    assert all(math.isfinite(loss) for _number, loss in epochs[:-1])


@pytest.mark.parametrize("kind", KINDS)
def test_each_epoch_takes_one_transfer_off_the_device(
    kind: Any, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []
    fetched = loop.fetched

    def counted(tensor: torch.Tensor) -> Any:
        sizes.append(tensor.numel())
        return fetched(tensor)

    monkeypatch.setattr(loop, "fetched", counted)
    list(train(change(SHORT, device=kind), corpus))
    assert len(sizes) == 13
    assert [i for i, size in enumerate(sizes) if size > 3] == [0, 5, 10, 12]


@pytest.mark.parametrize("kind", KINDS)
def test_every_device_found_here_trains_alike(kind: Any, ragged: Corpus) -> None:
    here = [epoch.loss for epoch in train(change(SHORT, device="cpu"), ragged)]
    there = [epoch.loss for epoch in train(change(SHORT, device=kind), ragged)]
    assert there == pytest.approx(here, rel=1e-3)


def test_a_device_that_is_not_there_is_a_sentence(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(Problem, match=r"There is no cuda device here: choose cpu.* or auto"):
        next(train(change(SHORT, device="cuda"), corpus))


def test_auto_takes_an_accelerator_for_large_work_only(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda: "Card")
    large = parse_corpus(
        "\n".join(" ".join(f"w{(i + j) % 50}" for j in range(20)) for i in range(99))
    )
    config = Config(d_model=128, heads=8, layers=4)
    assert chosen_device(Config(), corpus).kind == "cpu"
    assert chosen_device(config, large).name == "Card"
    assert chosen_device(change(config, device="cpu"), large).kind == "cpu"
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
    assert chosen_device(config, large).kind == "cpu"


def test_a_large_model_trains_in_several_threads_and_is_the_same_run_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(loop.os, "cpu_count", lambda: 4)
    large = parse_corpus("\n".join(" ".join(f"w{i * j % 50}" for j in range(9)) for i in range(40)))
    config = Config(d_model=64, heads=8, layers=2, epochs=3, watch_every=1, device="cpu")
    first = digest(config, large)
    assert torch.get_num_threads() == 3
    assert digest(config, large) == first


def test_a_small_model_trains_in_one_thread(corpus: Corpus) -> None:
    torch.set_num_threads(2)
    next(train(SHORT, corpus))
    assert torch.get_num_threads() == 1


@pytest.mark.parametrize(
    "error",
    [
        torch.OutOfMemoryError("CUDA out of memory"),
        MemoryError(),
        RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes"),
    ],
    ids=str,
)
def test_memory_that_runs_out_is_a_sentence(
    error: Exception, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_run: loop._Run) -> None:
        raise error

    monkeypatch.setattr(loop._Run, "learn", full)
    epochs = train(SHORT, corpus)
    assert next(epochs).number == 0
    with pytest.raises(Problem, match="The memory of CPU does not suffice"):
        next(epochs)


def test_another_fault_is_not_taken_for_missing_memory(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_run: loop._Run) -> None:
        raise RuntimeError("shapes do not fit")

    monkeypatch.setattr(loop._Run, "learn", broken)
    epochs = train(SHORT, corpus)
    next(epochs)
    with pytest.raises(RuntimeError, match="shapes do not fit"):
        next(epochs)
