"""Heads switched: off, their mean, simple patterns, a second text; and what each alone does."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from explorer import models
from explorer.models import Model
from explorer.models.config import Config
from explorer.models.effects import Followed, effects, followed, token_of
from explorer.models.families import FAMILIES
from explorer.models.next_token import probabilities
from explorer.models.switches import Put, Switch, switched
from explorer.text import Problem
from tests.models.made import BERT, GPT2, LLAMA, WORDS, model_folder, write_tokenizer

TEXT, SECOND = "the cat sat on a mat", "a cat was on the mat"
Array = NDArray[Any]


@pytest.fixture(params=["bert", "gpt2", "llama"])
def model(request: pytest.FixtureRequest, tmp_path: Path) -> Model:
    config = {"bert": BERT, "gpt2": GPT2, "llama": LLAMA}[request.param]
    return models.load(model_folder(tmp_path / request.param, config))


def changed(head: int, made: Callable[[Array], Array]) -> Callable[[Array], Array]:
    """Return a replacement of one head, counted from 0."""

    def function(value: Array) -> Array:
        value[head] = made(value[head])
        return value

    return function


def test_a_switched_head_does_as_it_is_told(model: Model) -> None:
    """Each by a whole pass in which the same arrays are written out by hand."""
    run, other = model.run(TEXT), model.run(SECOND)
    length = len(run.ids)
    seen = np.tri(length) if model.plan.causal else np.ones((length, length))
    before = np.eye(length)[[0, *range(length - 1)]]
    by_hand = {
        Put.ZEROS: ("head_output", np.zeros_like),
        Put.MEAN: ("head_output", lambda z: np.broadcast_to(z.mean(axis=0), z.shape)),
        Put.OTHER: ("head_output", lambda _z: other.layers[1].head_output[2]),
        Put.UNIFORM: ("weights", lambda _a: seen / seen.sum(axis=1, keepdims=True)),
        Put.SELF: ("weights", lambda _a: np.eye(length)),
        Put.PREVIOUS: ("weights", lambda _a: before),
    }
    assert set(by_hand) == set(Put)
    for put, (name, made) in by_hand.items():
        whole = model.run(TEXT, replace={(2, name): changed(2, made)})
        found = switched(run, [Switch(2, 3, put)], other=other)
        np.testing.assert_allclose(found.streams[-1], whole.streams[-1], atol=1e-5)
        assert not np.array_equal(found.streams[2], run.streams[2])
        assert found.streams[1] is run.streams[1]


def test_switches_add_up_and_go_back(model: Model) -> None:
    run, other = model.run(TEXT), model.run(SECOND)
    switches = [
        Switch(1, 1),
        Switch(1, 2, Put.MEAN),
        Switch(2, 1, Put.PREVIOUS),
        Switch(2, 4, Put.OTHER),
    ]
    at_once = switched(run, switches, other=other)
    one_by_one = run
    for count in range(1, len(switches) + 1):
        one_by_one = switched(one_by_one, switches[:count], other=other)
    np.testing.assert_allclose(one_by_one.streams[-1], at_once.streams[-1], atol=1e-6)
    assert at_once.off == {(1, 1)}
    np.testing.assert_array_equal(switched(at_once, []).streams[-1], run.streams[-1])
    # The same switches again are nothing new.
    assert switched(at_once, switches, other=other).streams[-1] is at_once.streams[-1]


@pytest.mark.parametrize(
    ("switch", "second", "sentence"),
    [
        (Switch(1, 1, Put.OTHER), None, "Type a second text"),
        (Switch(1, 1, Put.OTHER), "the cat", "The second text has"),
        (Switch(1, 9), None, "There is no head 1.9"),
    ],
)
def test_what_cannot_be_switched_is_said(
    model: Model, switch: Switch, second: str | None, sentence: str
) -> None:
    other = None if second is None else model.run(second)
    with pytest.raises(Problem, match=sentence):
        switched(model.run(TEXT), [switch], other=other)


def test_a_second_text_is_of_the_same_model(model: Model, tmp_path: Path) -> None:
    stranger = models.load(model_folder(tmp_path / "stranger", GPT2)).run(TEXT)
    with pytest.raises(Problem, match="another model"):
        switched(model.run(TEXT), [Switch(1, 1, Put.OTHER)], other=stranger)


@pytest.mark.parametrize("switches", [[], [Switch(1, 2), Switch(2, 1, Put.UNIFORM)]])
def test_effects_are_those_of_whole_passes(model: Model, switches: list[Switch]) -> None:
    run = switched(model.run(TEXT), switches)
    what = followed(run)
    found = list(effects(run, what))
    heads = set(product(range(1, model.plan.layers + 1), range(1, model.plan.heads + 1)))
    assert {(each.layer, each.head) for each in found} == heads - run.off
    replace = {(layer + 1, name): made for (layer, name), made in run.forward.replace.items()}
    for each in found:
        whole = model.run(TEXT, off=run.off | {(each.layer, each.head)}, replace=replace)
        if what.place is None:
            a, b = whole.hidden.mean(axis=0), run.hidden.mean(axis=0)
            expected = a @ b / np.linalg.norm(a) / np.linalg.norm(b)
            assert each.before == pytest.approx(1)
        else:
            expected = probabilities(whole)[what.word]
            assert each.before == pytest.approx(probabilities(run)[what.word], abs=1e-6)
        assert each.after == pytest.approx(expected, abs=1e-5)
        assert each.change == each.after - each.before


def test_effects_see_replacements_at_the_end(tmp_path: Path) -> None:
    model = models.load(model_folder(tmp_path, GPT2))
    replace = {(3, "attention"): np.tanh, (4, "logits"): lambda logits: logits / 2}
    run = model.run(TEXT, replace=replace)
    for each in effects(run, Followed(5, 7)):
        whole = model.run(TEXT, off=[(each.layer, each.head)], replace=replace)
        assert each.after == pytest.approx(probabilities(whole, 5)[7], abs=1e-5)


def test_a_masked_word_is_followed_where_there_is_one(tmp_path: Path) -> None:
    config = BERT | {"architectures": ["BertForMaskedLM"]}
    dense = "cls.predictions.transform.dense.weight"
    plan = FAMILIES["bert"].describe(Config(config), {dense})
    random = np.random.default_rng(0)
    arrays = {
        part.name: random.normal(size=part.shape).astype(np.float32) for part in plan.parts.values()
    }
    model_folder(tmp_path, config, arrays=arrays)
    write_tokenizer(tmp_path, ("[MASK]", *WORDS[1:]))
    model = models.load(tmp_path)
    assert followed(model.run(TEXT)).place is None
    run = model.run("the cat [MASK] on a mat")
    what = followed(run)
    assert what.place == 3
    for each in effects(run, what):
        logits = model.run(run.text, off=[(each.layer, each.head)]).logits[3].astype(float)
        expected = np.exp(logits - logits.max())[what.word] / np.exp(logits - logits.max()).sum()
        assert each.after == pytest.approx(expected, abs=1e-5)


def test_effects_stop_when_nobody_asks(model: Model) -> None:
    run = model.run(TEXT)
    assert len(list(islice(effects(run), 2))) == 2


def test_a_word_is_one_token(model: Model) -> None:
    assert model.text_of(token_of(model, " cat")) == "cat"
    for word in ("zebra", "cat sat", ""):
        with pytest.raises(Problem, match="is not one token of this model"):
            token_of(model, word)
