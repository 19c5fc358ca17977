"""The trace of a training of `story_model.py`: two texts as its heads saw them at kept steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from explorer.models import Model
from explorer.traces import Run
from explorer.traces.container import Entry, write_contents
from explorer.traces.files import replacing
from explorer.traces.spec import FORMAT, VERSION

Array = NDArray[Any]
# Of equal length. In the second, six words that have nothing to do with each other come again.
TEXTS = (
    "When Mary and John went to the shop, John gave a drink to",
    "lamp fox yellow Tom river bread lamp fox yellow Tom river bread lamp fox",
)
TARGETS = ("Mary", "yellow")
NAMES = ("weights", "q", "k", "v")


def save_story_trace(
    path: Path,
    steps: Sequence[int],
    model_of: Callable[[int], Model],
    rows: Iterable[tuple[Array, Array]],
) -> None:
    """Save what every head did with TEXTS at each step, in F16.

    Parameters
    ----------
    model_of : callable
        Opens the model of a step.
    rows : of (T,) and (T,)
        Numbers of tokens, and what follows them, −100 where nothing is asked: what loss and
        accuracy are of.
    """
    rows = list(rows)
    arrays: dict[str, list[Array]] = {name: [] for name in NAMES}
    scalars: dict[str, list[float]] = {"loss": [], "accuracy": []}
    for step in steps:
        model = model_of(step)
        runs = [model.run(text) for text in TEXTS]
        for name in NAMES:
            of_texts = [np.stack([getattr(layer, name) for layer in run.layers]) for run in runs]
            arrays[name].append(np.stack(of_texts).astype(np.float16))
        loss, right = _loss(model, rows)
        scalars["loss"].append(loss)
        scalars["accuracy"].append(right)
        model.weights.close()
    texts = [[piece.token for piece in run.pieces] for run in runs]
    vocabulary = tuple(dict.fromkeys(word for text in texts for word in text))
    numbers = {word: i for i, word in enumerate(vocabulary)}
    made = {
        "epochs": np.array(steps, "<i8"),
        "tokens": np.array([[numbers[word] for word in text] for text in texts], "<i4"),
        "lengths": np.array([len(text) for text in texts], "<i4"),
        "targets": np.array([numbers[word] for word in TARGETS], "<i4"),
        **{name: np.stack(column) for name, column in arrays.items()},
        "scalar.epoch": np.array(steps, "<i8"),
        **{f"scalar.{name}": np.array(column, "<f4") for name, column in scalars.items()},
    }
    run = Run(vocabulary=vocabulary, created=datetime.now(UTC).isoformat("T", "seconds"))
    types = {"<i4": "I32", "<i8": "I64", "<f2": "F16", "<f4": "F32"}
    layout = {name: Entry(types[array.dtype.str], array.shape) for name, array in made.items()}
    told = {"format": FORMAT, "version": VERSION, "run": msgspec.json.encode(run).decode()}
    with replacing(path) as file:
        write_contents(file, layout, told, lambda name: [made[name].tobytes()])


def _loss(model: Model, rows: Iterable[tuple[Array, Array]]) -> tuple[float, float]:
    """Return the mean loss and the share of tokens that got the largest logit."""
    losses, right = [], []
    for tokens, after in rows:
        asked = after >= 0
        logits = model.run(ids=tokens.tolist()).logits[asked].astype(np.float64)
        logits -= logits.max(axis=-1, keepdims=True)
        chosen = np.take_along_axis(logits, after[asked, None], axis=-1)[:, 0]
        losses.append(np.log(np.exp(logits).sum(axis=-1)) - chosen)
        right.append(logits.argmax(axis=-1) == after[asked])
    return float(np.concatenate(losses).mean()), float(np.concatenate(right).mean())
