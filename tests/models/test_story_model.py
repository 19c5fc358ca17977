"""What the model that comes with the program has learnt, measured on its file."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import ModuleType

import numpy as np
import pytest

from explorer.models import Model, load
from explorer.models.next_token import next_tokens
from explorer.models.repeats import repeat_scores
from explorer.resources import example
from explorer.traces import TraceFile

FOLDER = example("stories")
TRACE = example("stories-training.safetensors")


@pytest.fixture(scope="module")
def stories() -> ModuleType:
    path = Path(__file__).parents[2] / "scripts" / "stories.py"
    spec = importlib.util.spec_from_file_location("stories", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def model() -> Model:
    return load(FOLDER)


def test_it_is_small_and_of_half_precision(model: Model) -> None:
    assert sum(file.stat().st_size for file in FOLDER.iterdir()) <= 4_000_000
    assert model.weights.types == ["F16"]
    assert 800_000 <= model.weights.count <= 1_200_000


def right_names(model: Model, gift: Callable[[Random], tuple[str, str]], count: int) -> float:
    """Return the share of stories in which the receiver's name has the largest logit of all."""
    random, right = Random(12), 0
    for _ in range(count):
        begin, rest = gift(random)
        logits = model.run(begin).logits_at(-1)
        right += rest.startswith(model.text_of(int(logits.argmax())))
    return right / count


def test_it_knows_who_was_given_something_by_whom(model: Model, stories: ModuleType) -> None:
    """Of names that no story it was trained on has together."""
    assert right_names(model, lambda random: stories.gift(random, apart=True), 500) >= 0.95
    chinese = right_names(model, lambda random: stories.gift(random, apart=True, chinese=True), 100)
    assert chinese >= 0.9


def test_names_kept_apart_stand_in_no_story(stories: ModuleType) -> None:
    random, met = Random(3), set()
    for _ in range(20_000):
        words = stories.story(random).replace(".", " ").replace(",", " ").split()
        here = [name for name in stories.NAMES if name in words]
        met |= {(one, other) for one in here for other in here if one < other}
    assert len(met) > 600
    assert not any(stories.never_together(*pair) for pair in met)


def test_it_goes_on_with_what_is_repeated(model: Model) -> None:
    """Of 16 random tokens, those after the first one, when they come again."""
    random, right = np.random.default_rng(5), []
    words = sorted(set(range(model.plan.vocabulary)) - model.special_ids)
    for _ in range(100):
        chosen = random.choice(words, 16)
        expected = model.run(ids=[*model.frame[0], *chosen, *chosen]).logits.argmax(axis=-1)
        right.append(expected[-16:-1] == chosen[1:])
    assert np.mean(right) >= 0.8


def test_heads_look_back_and_repeat(model: Model) -> None:
    for seed in range(3):
        scores = repeat_scores(model, seed=seed)
        assert scores.previous.max() >= 0.6
        assert scores.induction.max() >= 0.6


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("When Mary and John went to the shop, John gave a drink to", "Mary"),
        ("When Mary and John went to the shop, Mary gave a drink to", "John"),
        ("Mary is in the garden. John is at the lake. Where is Mary? Mary is in the", "garden"),
        ("小明和小红去了公园，小红把一本书给了小", "明"),
    ],
)
def test_it_goes_on_with_stories(model: Model, text: str, word: str) -> None:
    first = next_tokens(model.run(text)).rows[0]
    assert (first.text, first.probability > 0.5) == (word, True)


@pytest.mark.parametrize(
    ("text", "verb", "wrong"),
    [
        ("The cats near the dog", "are", "is"),
        ("The cat near the dogs", "is", "are"),
    ],
)
def test_it_knows_singular_and_plural(model: Model, text: str, verb: str, wrong: str) -> None:
    logits = dict(
        zip(
            map(model.text_of, range(model.plan.vocabulary)),
            model.run(text).logits_at(-1),
            strict=True,
        )
    )
    assert logits[verb] > logits[wrong] + 2


def test_words_it_does_not_know_are_one_token(model: Model) -> None:
    run = model.run("The zebra sleeps")
    assert run.tokens[1:] == ("The", "zebra", "sleeps")
    assert run.pieces[2].token == "<unk>"


def test_the_trace_shows_how_its_heads_formed(model: Model) -> None:
    """Its last step is the file's model, its first one a model that knows nothing."""
    assert TRACE.stat().st_size <= 8_000_000
    trace = TraceFile(TRACE)
    assert trace.recorded >= 40
    assert {"weights", "q", "k", "v"} <= trace.names
    assert not any(name.startswith("param.") for name in trace.names)
    assert {trace.entries[name].dtype for name in ("weights", "q", "k", "v")} == {"F16"}
    for sample, text in enumerate(
        ("When Mary and John went to the shop, John gave a drink to", None)
    ):
        words = trace.words(sample)
        run = model.run(text if text is not None else " ".join(words[1:]))
        assert tuple(piece.token for piece in run.pieces) == words
        assert next_tokens(run).rows[0].text == trace.target(sample)
        for name in ("weights", "q", "k", "v"):
            found = trace.array(name, trace.recorded - 1, sample)
            made = np.stack([getattr(layer, name) for layer in run.layers])
            np.testing.assert_allclose(found, made, atol=0.01)
    previous = trace.array("weights", 0, 1)
    assert previous[..., range(1, 15), range(14)].mean(axis=-1).max() < 0.3
    losses = trace.scalars("loss")
    assert losses[0] > 5
    assert losses[-1] < 2
    trace.close()
