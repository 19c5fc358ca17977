"""The plan of a sweep: its runs, which of them train together, and what cannot be."""

from __future__ import annotations

from typing import Any

import pytest

from explorer.sweeps.plan import (
    MOST_RUNS,
    Plan,
    made_plan,
    parse_seeds,
    parse_value,
    parse_varied,
)
from explorer.text import Problem
from explorer.traces import DEFAULT_CORPUS, Config, parse_corpus
from explorer.training.shapes import shape_of

CORPUS = parse_corpus(DEFAULT_CORPUS)
PICTURE: dict[str, Any] = {"learning_rate": (0.0005, 0.0015, 0.006), "heads": (1, 2, 4)}


def planned(varied: dict[str, Any], seeds: tuple[int, ...] = (1, 2), **changes: Any) -> Plan:
    return made_plan(Config(**changes), varied, seeds, CORPUS)


def test_runs_come_seed_by_seed_and_settings_in_the_order_they_are_given() -> None:
    plan = planned(PICTURE, tuple(range(1, 33)))
    assert plan.runs == 288
    assert plan.setting(0) == {"learning_rate": 0.0005, "heads": 1}
    assert plan.setting(1) == {"learning_rate": 0.0005, "heads": 2}
    assert [plan.seed(run) for run in (0, 8, 9, 287)] == [1, 1, 2, 32]
    assert plan.run_config(286) == Config(learning_rate=0.006, heads=2, seed=32)


@pytest.mark.parametrize(
    "varied",
    [
        PICTURE,
        {},
        {"optimizer": ("adam", "sgd"), "initialisation": ("pytorch", "xavier", "he")},
        {"learning_rate": tuple(0.001 * k for k in range(1, 41))},
    ],
    ids=["picture", "seeds", "choices", "forty rates"],
)
def test_every_run_trains_in_one_chunk_with_runs_of_its_shape(varied: dict[str, Any]) -> None:
    plan = planned(varied, tuple(range(20)))
    assert sorted(run for chunk in plan.chunks for run in chunk) == list(range(plan.runs))
    done = [0] * len(plan.settings)
    for chunk in plan.chunks:
        assert 1 <= len(chunk) <= 16
        assert len({shape_of(plan.run_config(run)) for run in chunk}) == 1
        for run in chunk:
            done[run % len(done)] += 1
        assert max(done) - min(done) <= 16
    if varied == PICTURE:
        assert len(plan.chunks[0]) == 15


def test_large_models_train_alone_and_an_accelerator_takes_all_seeds_at_once() -> None:
    assert planned({}, d_model=128, layers=4).together == 1
    assert planned({}, tuple(range(500)), device="cuda").together == 500
    assert len(planned({}, tuple(range(500)), device="cuda").chunks) == 1


@pytest.mark.parametrize(
    ("varied", "seeds", "reason"),
    [
        ({}, (7,), "Nothing varies yet"),
        ({"heads": (2,)}, (7,), "Nothing varies yet"),
        ({"heads": (1, 2, 1)}, (7,), "Heads: 1 appears twice"),
        ({"heads": (1, 9)}, (7,), "Heads must be a whole number from 1 to 8, but is 9"),
        ({"heads": (1, 3, 5)}, (7,), r"2 of the settings are impossible \(Heads 3; Heads 5\)"),
        ({"epochs": tuple(range(1, 1002))}, tuple(range(100)), f"100100 runs.*{MOST_RUNS}"),
    ],
)
def test_what_cannot_be_is_named(
    varied: dict[str, Any], seeds: tuple[int, ...], reason: str
) -> None:
    with pytest.raises(Problem, match=reason):
        planned(varied, seeds)


def test_contradictory_settings_are_left_out_on_request_alone() -> None:
    varied = {"d_model": (16, 15), "heads": (2, 3)}
    plan = made_plan(Config(), varied, (1,), CORPUS, leave_out=True)
    assert [dict(each) for each in plan.settings] == [
        {"d_model": 16, "heads": 2},
        {"d_model": 15, "heads": 3},
    ]
    with pytest.raises(Problem, match="are impossible"):
        made_plan(Config(), {"heads": (3, 5)}, (1,), CORPUS, leave_out=True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("learning_rate=0.0005,1e-2", ("learning_rate", (0.0005, 0.01))),
        ("learning-rate=1", ("learning_rate", (1.0,))),
        ("heads = 1, 2", ("heads", (1, 2))),
        ("causal=on,off", ("causal", (True, False))),
        ("batch_size=all,2", ("batch_size", (None, 2))),
        ("feed_forward=default,8", ("feed_forward", (None, 8))),
        ("optimizer=sgd,adam", ("optimizer", ("sgd", "adam"))),
    ],
)
def test_values_are_read_as_they_are_typed(text: str, expected: object) -> None:
    assert parse_varied(text) == expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("colour=1", "There is no parameter colour"),
        ("seed=1,2", "--seeds"),
        ("heads", "heads needs values"),
        ("heads=", "heads needs values"),
        ("heads=two", "Heads must be a whole number from 1 to 8, but is two"),
        ("heads=1.5", "but is 1.5"),
        ("learning_rate=nan", "Learning Rate must be a number"),
        ("optimizer=lion", "Optimizer must be one of adam, sgd, but is lion"),
    ],
)
def test_values_that_cannot_be_are_named(text: str, reason: str) -> None:
    with pytest.raises(Problem, match=reason):
        parse_varied(text)


def test_a_choice_is_read_as_itself() -> None:
    assert parse_value("use_position", "off") is False


def test_seeds_are_numbers_and_ranges() -> None:
    assert parse_seeds("1-4, 9,3") == (1, 2, 3, 4, 9)
    for text in ("", "x", "4-1", "1-", "-3", "1-100001", "5000000000"):
        with pytest.raises(Problem):
            parse_seeds(text)
