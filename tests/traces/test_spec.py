"""The configuration: what it may be, which epochs it records, how large its trace becomes."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from explorer.traces import (
    LABELS,
    LIMITS,
    Config,
    ConfigProblem,
    check,
    expected_bytes,
    parameter_shapes,
    parse_corpus,
    recorded_epochs,
    save_trace,
    usual_samples,
)
from tests.traces.made import CORPUS, step_of
from tests.traces.made import spooled as recorded_run


def test_what_a_run_is_unless_something_else_is_asked_for() -> None:
    config = Config()
    check(config)
    assert (config.d_model, config.heads, config.learning_rate) == (16, 2, 0.0015)
    assert (config.epochs, config.watch_every, config.use_position, config.seed) == (
        200,
        5,
        True,
        7,
    )
    assert (config.d_k, config.feed_forward_width) == (8, 32)


def test_every_place_needs_the_causal_mask() -> None:
    check(Config(every_place=True, causal=True))
    with pytest.raises(ConfigProblem, match="Predict Every Place needs Causal") as caught:
        check(Config(every_place=True))
    assert caught.value.field == "every_place"


def test_of_large_sentences_fewer_are_recorded() -> None:
    corpus = parse_corpus("a b c\n" * 70)
    assert len(usual_samples(Config(), corpus)) == 64
    text = " ".join(f"w{i}" for i in range(65))
    large = Config(d_model=128, heads=8, layers=4, causal=True, every_place=True)
    usual = usual_samples(large, parse_corpus(f"{text}\n" * 70))
    # By hand: x and output, q k v and A V, scores and weights of four layers, and the logits.
    sentence = 4 * (4 * (6 * 64 * 128 + 2 * 8 * 64 * 64) + 65)
    assert len(usual) == 16_000_000 // sentence
    assert len(usual_samples(replace(large, d_model=8), parse_corpus("a b\n"))) == 1


def test_every_parameter_has_a_name_on_screen() -> None:
    assert set(LABELS) == set(Config().__struct_fields__)


@pytest.mark.parametrize("field", LIMITS)
def test_both_ends_of_a_parameter_are_allowed_and_nothing_beyond(field: str) -> None:
    limit = LIMITS[field]
    whole = isinstance(limit.least, int) and field not in ("dropout", "learning_rate")
    for value in (limit.least, limit.most):
        extra = {"d_model": 8} if field == "heads" else {"heads": 1}
        check(Config(**{**extra, field: value}))
    for value in (limit.least - 1, limit.most + 1, math.nan, math.inf, "5", True, [1]):
        with pytest.raises(ConfigProblem) as caught:
            check(Config(**{field: value}))
        assert caught.value.field == field
        assert limit.label in str(caught.value)
        assert str(value) in str(caught.value)
        assert str(limit.most) in str(caught.value)
    if whole:
        with pytest.raises(ConfigProblem, match="whole number"):
            check(Config(**{field: limit.least + 0.5}))


def test_heads_that_do_not_divide_say_so() -> None:
    with pytest.raises(ConfigProblem) as caught:
        check(Config(d_model=16, heads=3))
    assert str(caught.value) == "Heads must divide D Model: 16 / 3 leaves a remainder."
    assert caught.value.field == "heads"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("use_position", 1),
        ("causal", 0),
        ("position_kind", "none"),
        ("initialisation", None),
        ("optimizer", "Adam"),
        ("device", "tpu"),
    ],
)
def test_a_choice_that_is_none_of_those_there_are(field: str, value: Any) -> None:
    with pytest.raises(ConfigProblem, match="must be one of") as caught:
        check(Config(**{field: value}))
    assert caught.value.field == field


@given(st.integers(1, 3000), st.integers(1, 1000))
def test_the_first_and_the_last_epoch_are_recorded_and_every_so_many(
    epochs: int, every: int
) -> None:
    found = recorded_epochs(Config(epochs=epochs, watch_every=every))
    assert found == tuple(
        epoch for epoch in range(epochs + 1) if epoch % every == 0 or epoch == epochs
    )


def test_parameters_of_the_default_model_are_2520_numbers() -> None:
    shapes = parameter_shapes(Config(), CORPUS)
    assert sum(math.prod(shape) for shape in shapes.values()) == 2520
    assert shapes["embedding"] == (8, 16)
    assert shapes["layers.0.Wq"] == (2, 16, 8)
    assert shapes["layers.0.Wo"] == (16, 16)
    assert "position" not in parameter_shapes(Config(use_position=False), CORPUS)
    assert "position" not in parameter_shapes(Config(position_kind="sinusoidal"), CORPUS)


@pytest.mark.parametrize(
    "config",
    [
        Config(epochs=3, watch_every=2, keep_state=False),
        Config(
            epochs=2,
            watch_every=1,
            layers=2,
            heads=4,
            feed_forward=5,
            use_position=False,
            keep_state=False,
        ),
    ],
)
def test_the_expected_size_is_the_file_s_but_for_its_header(tmp_path: Path, config: Config) -> None:
    corpus = parse_corpus("a b c d\na c\nb a\n")
    steps = {epoch: step_of(config, corpus) for epoch in recorded_epochs(config)}
    losses = [1.0] * (config.epochs + 1)
    spool = recorded_run(tmp_path / "run", steps, config, corpus, losses)
    save_trace(spool, tmp_path / "a.safetensors").close()
    spool.close()
    data = (tmp_path / "a.safetensors").read_bytes()
    header = 8 + int.from_bytes(data[:8], "little")
    assert expected_bytes(config, corpus) == len(data) - header
