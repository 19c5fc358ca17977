"""Forks: a run goes on from a recorded epoch as if it had never been left."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from explorer.resources import example
from explorer.text import Problem
from explorer.traces import (
    Config,
    Corpus,
    SpoolTrace,
    TraceFile,
    expected_bytes,
    keeps_state,
    parse_corpus,
    save_trace,
)
from explorer.training.control import Control
from explorer.training.forks import can_fork, corpus_of, fork_point, forked_corpus
from explorer.training.record import record

SHORT = Config(epochs=12, watch_every=3, d_model=8)
CHANCE = {"batch_size": 3, "dropout": 0.2, "layers": 2}
PLACES = {"causal": True, "every_place": True, "batch_size": 2}


def recorded(folder: Path, config: Config, corpus: Corpus, **more: Any) -> SpoolTrace:
    ended = record(
        config, corpus, folder, run=1, control=Control(), tell=lambda _item: None, **more
    )
    assert ended.why == "finished", ended
    return SpoolTrace(folder)


def change(config: Config, **changes: Any) -> Config:
    return msgspec.structs.replace(config, **changes)


@pytest.mark.parametrize("changes", [{}, CHANCE, CHANCE | {"optimizer": "sgd"}, PLACES], ids=str)
def test_an_unchanged_fork_is_its_parent_bit_for_bit(
    tmp_path: Path, ragged: Corpus, changes: dict[str, Any]
) -> None:
    config = change(SHORT, **changes)
    parent = save_trace(recorded(tmp_path / "parent", config, ragged), tmp_path / "p.safetensors")
    assert can_fork(parent)
    data = parent.path.read_bytes()
    header = 8 + int.from_bytes(data[:8], "little")
    assert expected_bytes(config, ragged) == len(data) - header
    assert parent.run.id == "parent"
    step = parent.step_at(6)
    corpus = corpus_of(parent)
    start = fork_point(parent, step, config)
    fork = recorded(tmp_path / "fork", config, corpus, start=start)
    assert fork.run.fork == start.fork
    assert (start.fork.parent, start.fork.epoch) == ("parent", 6)
    assert fork.epochs.tolist() == [6, 9, 12]
    assert fork.names == parent.names
    for later in range(3):
        for name in fork.names - {"epochs", "tokens", "lengths", "targets", "samples"}:
            if not name.startswith("scalar."):
                mine, theirs = (
                    fork._part(name, later, None, None, None),
                    parent._part(name, step + later, None, None, None),
                )
                assert mine.tobytes() == theirs.tobytes(), (name, later)
    for name in ("epoch", "loss", "accuracy"):
        np.testing.assert_array_equal(fork.scalars(name), parent.scalars(name)[6:])
    # No step of the fork led to its first epoch.
    assert np.isnan(fork.scalars("gradient")[0])
    np.testing.assert_array_equal(fork.scalars("gradient")[1:], parent.scalars("gradient")[7:])


def test_a_fork_changes_what_is_asked_and_nothing_before(tmp_path: Path, ragged: Corpus) -> None:
    parent = recorded(tmp_path / "parent", SHORT, ragged)
    step = parent.step_at(6)
    mine = corpus_of(parent)
    for number, changes in enumerate(
        [
            {"learning_rate": 0.006},
            {"optimizer": "sgd"},
            {"batch_size": 2, "dropout": 0.1},
            {"seed": 8, "batch_size": 2},
        ]
    ):
        config = change(SHORT, **changes)
        start = fork_point(parent, step, config)
        fork = recorded(tmp_path / str(number), config, mine, start=start)
        assert fork.scalars("loss")[0] == parent.scalars("loss")[6]
        assert fork.scalars("loss")[-1] != parent.scalars("loss")[-1]
        assert (start.mean is None) == (config.optimizer == "sgd")
        assert (start.order is None) == (config.seed == 8)
    # Other sentences of the same words, shorter ones too.
    other = forked_corpus(parent, parse_corpus("dog bone\na bird eats worm\nthe cat sleeps"))
    fork = recorded(tmp_path / "other", SHORT, other, start=fork_point(parent, step, SHORT))
    assert fork.run.vocabulary == parent.run.vocabulary
    assert fork.sizes["P"] == parent.sizes["P"] == 4
    weights = fork.array("weights", 0)
    np.testing.assert_allclose(weights.sum(-1)[0, :, :, :1], 1, atol=1e-6)
    np.testing.assert_array_equal(
        fork.array("param.embedding", 0), parent.array("param.embedding", step)
    )


def test_what_cannot_be_forked_is_said(tmp_path: Path, ragged: Corpus) -> None:
    parent = recorded(tmp_path / "parent", SHORT, ragged)
    for config, said in (
        (change(SHORT, heads=1), "A fork keeps Heads: it is 2 in the run."),
        (change(SHORT, epochs=6), "begins at epoch 6, so Epochs must be larger"),
    ):
        with pytest.raises(Problem, match=said):
            fork_point(parent, parent.step_at(6), config)
    with pytest.raises(Problem, match="does not know the word “mouse”"):
        forked_corpus(parent, parse_corpus("mouse bone"))
    with pytest.raises(Problem, match="at most 5 words"):
        forked_corpus(parent, parse_corpus("the the the the the cat"))
    bare = recorded(tmp_path / "bare", change(SHORT, keep_state=False), ragged)
    assert not can_fork(bare)
    with pytest.raises(Problem, match=r"keeps no state .* “Keep State for Forks”"):
        fork_point(bare, 1, SHORT)


def test_state_is_kept_while_it_is_small(ragged: Corpus) -> None:
    assert keeps_state(Config(), ragged)
    # About 1.1 million parameters: 8.5 MB a step.
    large = Config(d_model=128, layers=4, feed_forward=1024, watch_every=1)
    assert not keeps_state(large, ragged)
    assert keeps_state(change(large, watch_every=10), ragged)
    assert keeps_state(change(large, optimizer="sgd"), ragged)
    assert keeps_state(large, ragged, first=190)


def test_a_trace_without_state_opens_as_before() -> None:
    old = TraceFile(example("stories-training.safetensors"))
    assert old.recorded
    assert not can_fork(old)
