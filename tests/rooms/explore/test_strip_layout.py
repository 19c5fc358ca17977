"""Where the strip's runs stand: everything fits, and as little as possible is lost."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.kit.preview import SAMPLE
from explorer.kit.text_runs import LINE, Chip, Marker, More, Run, Runs, Text, plain
from explorer.rooms.explore.strip.layout import Column, Measures, place
from explorer.rooms.explore.strip.section import DROP_ADDS, DROP_SCALE, Section, Terms
from explorer.rooms.explore.strip.sentences import sentences
from explorer.session import (
    Cell,
    Invalid,
    Look,
    Matrix,
    Role,
    Scene,
    Selection,
    Stage,
    resolve,
)
from explorer.session.look import Veil
from explorer.text import Message


def measure(run: Run, size: float) -> float:
    return 20.0 if isinstance(run, Marker) else size * len(run.text) / 2


def room(width: float, *, compact: bool = False) -> Measures:
    return Measures(width, margin=16, gap=36, scale=1.0, compact=compact)


def spread(scene: Scene, selection: Selection, at: Measures) -> tuple[Column, ...]:
    frame = resolve(scene, None, selection)
    return place(lambda letters: sentences(frame, letters), at, measure)


def captions(columns: tuple[Column, ...]) -> list[str]:
    return [plain(tuple(placed.run for placed in column.caption)) for column in columns]


PAIR = Selection(Role.S, 0, 3)


def test_where_there_is_room_everything_is_shown() -> None:
    columns = spread(SAMPLE, PAIR, room(2000))
    assert captions(columns) == [
        "Selected", "Dot product", "Scale", "Softmax", "Adds to o_cat",
    ]  # fmt: skip
    assert columns[0].width == 204


def test_columns_go_in_the_design_s_order() -> None:
    seen = [captions(spread(SAMPLE, PAIR, room(width))) for width in range(2000, 300, -20)]
    orders = list(dict.fromkeys(tuple(each) for each in seen))
    full = ("Selected", "Dot product", "Scale", "Softmax", "Adds to o_cat")
    assert orders[:4] == [full, full[:4], full[1:4], (full[1], full[3])]


def test_compact_leaves_out_what_is_added_at_any_width() -> None:
    assert captions(spread(SAMPLE, PAIR, room(2000, compact=True))) == [
        "Selected", "Dot product", "Scale", "Softmax",
    ]  # fmt: skip


def counted_sum(count: int) -> tuple[Section, list[int]]:
    asked: list[int] = []

    def term(place: int) -> Runs:
        asked.append(place)
        return (Text(f"t{place}"),)

    section = Section((Text("Sum"),), (Text("s ="),), Terms(count, term), (Text("= 1"),))
    return section, asked


def test_a_folded_sum_keeps_its_first_terms_its_last_and_a_button() -> None:
    section, _asked = counted_sum(64)
    [column] = place(lambda _letters: (section,), room(400), measure)
    runs = [placed.run for placed in column.line]
    assert runs[0] == Text("s =")
    assert runs[1] == Text("t0")
    button = runs.index(More("all 64 terms"))
    assert runs[button + 2] == Text("t63")
    assert runs[-1] == Text("= 1")
    # One more term would not have fitted.
    assert column.x + column.width + measure(Text("t9 + "), LINE) > 400 - 16


def test_a_folded_mean_of_values_keeps_those_of_the_largest_weights() -> None:
    rng = np.random.default_rng(3)
    scene = Scene(tuple(f"t{n}" for n in range(64)), 2 * rng.normal(size=(64, 2)))
    weights = resolve(scene).weights[5]
    runs = [each.run for each in spread(scene, Selection(Role.O, 5), room(900))[-1].line]
    shown = [run.selection.key for run in runs if isinstance(run, Chip)]
    largest = np.argsort(-weights, kind="stable")[: len(shown)].tolist()
    assert shown == sorted(largest)
    assert int(np.argmax(weights)) in shown
    assert More("all 64 terms") in runs


def test_a_sum_that_fits_is_not_folded() -> None:
    section, _asked = counted_sum(5)
    [column] = place(lambda _letters: (section,), room(600), measure)
    assert plain(tuple(p.run for p in column.line)) == "s =t0 + t1 + t2 + t3 + t4= 1"


def test_terms_beyond_the_fold_are_never_made() -> None:
    section, asked = counted_sum(1_000_000)
    place(lambda _letters: (section,), room(1400), measure)
    assert len(asked) < 100


@pytest.mark.parametrize("count", [1, 2, 3, 4, 64])
@given(width=st.integers(60, 1500))
def test_a_sum_never_runs_over(count: int, width: int) -> None:
    section, _asked = counted_sum(count)
    columns = place(lambda _letters: (section,), room(width), measure)
    for column in columns:
        for placed in (*column.line, *column.caption):
            assert placed.x >= 16
            assert placed.x + placed.width <= max(width - 16, 16 + placed.width)


@given(
    width=st.integers(200, 2500),
    names=st.lists(st.text("abcdefgh", min_size=1, max_size=64), min_size=4, max_size=4),
    selection=st.sampled_from(
        [PAIR, Selection(Role.O, 1), Selection(Role.X, 1, column=0), Selection(Role.K, key=0)]
    ),
)
def test_runs_stand_side_by_side_within_the_strip(
    width: int, names: list[str], selection: Selection
) -> None:
    columns = spread(SAMPLE.replace(tokens=tuple(names)), selection, room(width))
    assert columns
    for left, right in pairwise(columns):
        assert left.x + left.width <= right.x
    for column in columns:
        for row in (column.caption, column.line):
            for a, b in pairwise(row):
                assert b.x == pytest.approx(a.x + a.width)
            if row:
                assert row[-1].x + row[-1].width <= width - 16 + 1e-6


def test_long_names_are_cut_before_the_softmax_is_given_up() -> None:
    scene = SAMPLE.replace(tokens=("a" * 40, "b" * 40, "c" * 40, "d" * 40))
    columns = spread(scene, PAIR, room(900))
    assert captions(columns)[-1] == "Softmax"
    assert "…" in plain(tuple(p.run for p in columns[0].line))


def test_two_terms_are_read_before_the_softmax_is() -> None:
    for width in range(200, 1400, 20):
        columns = spread(SAMPLE, PAIR, room(width))
        folded = any(isinstance(each.run, More) for column in columns for each in column.line)
        assert not folded or "Softmax" not in captions(columns)


@pytest.mark.parametrize(
    "selection", [Selection(Role.K, None, 3), Selection(Role.Q, 1), Selection(Role.X, 1)]
)
def test_while_scores_are_hidden_the_row_itself_stays_at_any_width(selection: Selection) -> None:
    look = Look(veils=frozenset({Veil(Stage.S, 1, 3)}))
    invalid = {Cell(Matrix.X, 0, 0): Invalid("x", Message("Type a number"))}
    frame = resolve(SAMPLE, look, selection, invalid=invalid)
    said = sentences(frame)  # with "waiting for a number" upon one that stays
    assert "waiting for a number" in plain(said[-1].caption)
    [column] = place(lambda letters: sentences(frame, letters), room(200), measure)
    assert column.section.caption != said[0].caption


def test_only_lesser_columns_are_droppable() -> None:
    drops = {
        plain(section.caption): section.drop for section in sentences(resolve(SAMPLE, None, PAIR))
    }
    assert drops["Adds to o_cat"] == DROP_ADDS
    assert drops["Scale"] == DROP_SCALE
    assert drops["Dot product"] == 0
