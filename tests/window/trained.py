"""What stands on Train's screen, and what should stand there by the file's own numbers."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from explorer.text import display_number
from tests.window.conftest import Learner

Arrays = Mapping[str, np.ndarray]


def title(learner: Learner) -> str:
    return learner.page.timeline.transport.title.text()


def seen(learner: Learner) -> dict[str, object]:
    """Return what stands on the screen: maps (the average last), bars, p(target), places."""
    heads, words = learner.page.sample.heads, learner.page.sample.next_word
    predictions = learner.page.parameters.corpus.list.model().predictions
    graph = learner.page.graph
    vocabulary = learner.frame.vocabulary
    points = [graph.screen_point(word) for word in range(len(vocabulary))]
    return {
        "maps": [
            [
                [heads.text(tile, query, key) for key in range(len(tile.weights))]
                for query in range(len(tile.weights))
            ]
            for tile in heads.tiles
        ],
        "bars": {bar.name: display_number(bar.probability, 2) for bar in words.bars},
        "target": [predictions.said(row) for row in range(len(predictions.target))],
        "places": np.array([(point.x(), point.y()) for point in points]),
    }


def recorded(arrays: Arrays, vocabulary: tuple[str, ...], epoch: int, sample: int = 0) -> dict:
    """Return the same from the arrays of a file without padding, places in the space they have."""
    (step,) = np.flatnonzero(arrays["epochs"] == epoch)
    weights = arrays["weights"][step, sample, 0]
    shares = softmax(arrays["logits"][step])
    targets = arrays["targets"]
    at_target = shares[np.arange(len(targets)), targets]
    right = shares.argmax(axis=1) == targets
    return {
        "maps": [[[f"{w:.2f}" for w in row] for row in m] for m in (*weights, weights.mean(0))],
        "bars": {
            word: display_number(float(p), 2)
            for word, p in zip(vocabulary, shares[sample], strict=True)
        },
        "target": [display_number(float(p), 2) for p in at_target],
        "right": right.tolist(),
        "places": arrays["param.embedding"][step],
    }


def softmax(logits: np.ndarray) -> np.ndarray:
    powers = np.exp(logits.astype(np.float64) - logits.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def assert_shows(learner: Learner, arrays: Arrays, epoch: int, sample: int = 0) -> None:
    shown = seen(learner)
    wanted = recorded(arrays, learner.frame.vocabulary, epoch, sample)
    assert title(learner) == f"Epoch {epoch}"
    assert learner.frame.epoch == epoch
    assert shown["maps"] == wanted["maps"]
    assert shown["bars"] == wanted["bars"]
    for said, number, right in zip(shown["target"], wanted["target"], wanted["right"], strict=True):
        assert said == f"probability of the target {number}" + ", correct" * right
    # The camera is orthographic: places on screen are an affine map of the words' own.
    embedding = learner.frame.basis.project(wanted["places"])
    known = np.column_stack([embedding, np.ones(len(embedding))])
    fitted, *_rest = np.linalg.lstsq(known, shown["places"], rcond=None)
    assert np.abs(known @ fitted - shown["places"]).max() < 0.01  # px
