"""What can be followed over time, against slow and obvious sums."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from explorer.session.look import Role, Selection, Stage
from explorer.session.train import Cursor, TrainFrame, TrainLook
from explorer.session.train.measures import MEASURES, measured
from explorer.traces import Config, SpoolTrace, parse_corpus
from explorer.training.control import Control
from explorer.training.record import record
from tests.train_frames import recorded_run, train_frame

TRACE = recorded_run("the cat likes fish\ndog bone\na bird eats", Config(layers=2), steps=4)


def framed(**others: object) -> TrainFrame:
    selection = Selection(Role.A, 2, 0)
    return train_frame(TRACE, Cursor(1, 0, 1, 1), selection=selection, **others)


def test_each_measure_is_what_it_says() -> None:
    frame = framed()
    arrays = TRACE.arrays
    epochs = arrays["epochs"].astype(float)
    entropy = measured(frame, "entropy")
    np.testing.assert_array_equal(entropy.epochs, epochs)
    assert (list(entropy.lines), entropy.chosen) == (["Head 1", "Head 2"], "Head 2")
    for step in range(4):
        for head in range(2):
            rows = arrays["weights"][step, 0, 1, head, :3, :3].astype(float)
            bits = [-sum(w * math.log2(w) for w in row if w > 0) for row in rows.tolist()]
            assert math.isclose(
                entropy.lines[f"Head {head + 1}"][step], sum(bits) / 3, rel_tol=1e-9
            )
            weight = measured(frame, "pair").lines[f"Head {head + 1}"][step]
            assert weight == arrays["weights"][step, 0, 1, head, 2, 0]
            product = arrays["param.layers.1.Wq"][step, head].astype(float)
            product = product @ arrays["param.layers.1.Wk"][step, head].astype(float).T
            sizes = np.linalg.svd(product)[1]
            shares = [s for s in (sizes / sizes.sum()).tolist() if s > 0]
            rank = math.exp(-sum(s * math.log(s) for s in shares))
            assert math.isclose(measured(frame, "rank").lines[f"Head {head + 1}"][step], rank)
        words = arrays["param.embedding"][step].astype(float)
        query, key = (TRACE.run.vocabulary.index(word) for word in ("likes", "the"))
        distance = measured(frame, "distance").lines["likes – the"][step]
        assert math.isclose(distance, math.dist(words[query], words[key]))
        norms = measured(frame, "norms").lines
        assert measured(framed(look=TrainLook(stage=Stage.K)), "norms").chosen == "Wk"
        assert math.isclose(
            norms["W1"][step], np.linalg.norm(arrays["param.layers.1.W1"][step]), rel_tol=1e-6
        )
        losses = measured(frame, "sentences")
        logits = arrays["logits"][step, 1].astype(float)
        target = TRACE.run.vocabulary.index("bone")
        loss = math.log(sum(math.exp(each) for each in logits)) - logits[target]
        assert math.isclose(losses.lines["dog bone"][step], loss, rel_tol=1e-9)
    assert losses.chosen == "the cat likes fish"
    accuracy = measured(frame, "accuracy")
    np.testing.assert_array_equal(accuracy.lines["accuracy"], arrays["scalar.accuracy"])


def test_the_loss_of_each_place_and_their_mean_are_those_of_the_run(tmp_path: Path) -> None:
    corpus = parse_corpus("the cat likes fish\ndog bone\na bird eats")
    config = Config(causal=True, every_place=True, epochs=4, watch_every=2)
    record(config, corpus, tmp_path / "run", run=1, control=Control(), tell=lambda _item: None)
    trace = SpoolTrace(tmp_path / "run")
    frame = train_frame(trace, Cursor(1, 0))
    losses = np.stack([trace.array("losses", step) for step in range(3)]).astype(float)
    places = measured(frame, "places")
    assert list(places.lines) == ["2. cat", "3. likes", "4. fish"]
    np.testing.assert_array_equal(np.stack(list(places.lines.values())), losses[:, 0].T)
    means = measured(frame, "sentences").lines
    np.testing.assert_allclose(means["a bird eats"], losses[:, 2, :2].mean(axis=1))
    np.testing.assert_allclose(losses.sum(axis=(1, 2)) / 6, trace.scalars("loss")[::2], rtol=1e-5)
    trace.close()


def test_what_is_not_there_is_said() -> None:
    bare = train_frame(recorded_run(only=()), Cursor(1))
    for key in ("accuracy", "sentences", "places", "distance", "gradient", "norms", "rank"):
        assert "does not hold" in str(measured(bare, key).missing), key
    assert str(measured(bare, "pair").missing) == "Select a pair: a cell of a head, or an arrow."
    assert measured(bare, "entropy").lines
    assert set(MEASURES) == {
        "accuracy",
        "sentences",
        "places",
        "entropy",
        "pair",
        "previous",
        "induction",
        "distance",
        "gradient",
        "norms",
        "rank",
    }
