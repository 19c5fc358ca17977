"""The named mistake is the one that was made: by somebody who reckons number by number."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.attention import Attention, Variant
from explorer.lessons.mistakes import (
    Pick,
    after_heads,
    mean_weights,
    mistaken,
    of_head,
    side_by_side,
)
from explorer.lessons.predictions import answer, likely_mistakes
from explorer.session import Frame, Scene, resolve
from tests.kinds import KINDS
from tests.scenes import scenes

Rows = list[list[float]]


@st.composite
def usual_scenes(draw: st.DrawFn) -> Scene:
    """Scenes of every form with ÷ √d, with numbers as one reckons with by hand."""
    scene = draw(scenes(largest=2.0))
    options = replace(
        scene.options,
        scale="sqrt_dk",
        variant=Variant.NONE,
        temperature=draw(st.sampled_from([1.0, 2.0])),
    )
    return scene.replace(options=options)


def shares(scores: Rows, seen: list[list[bool]]) -> Rows:
    """Return each row's softmax over what it may see."""
    result = []
    for row, may in zip(scores, seen, strict=True):
        most = max((s for s, m in zip(row, may, strict=True) if m), default=0.0)
        powers = [math.exp(s - most) if m else 0.0 for s, m in zip(row, may, strict=True)]
        result.append([p / (sum(powers) or 1.0) for p in powers])
    return result


def by_hand(result: Attention, head: int) -> Iterator[tuple[str, Rows]]:
    """Yield every mistake that can be made in the weights of a head, and the weights it gives."""
    q, k, v = (rows[head].tolist() for rows in (result.Q, result.K, result.V))
    queries, keys, d_k = range(len(q)), range(len(k)), len(q[0])
    seen = [[result.mask is None or bool(result.mask[i, j]) for j in keys] for i in queries]
    everything = [[True for _ in keys] for _ in queries]
    t = result.temperature

    def dot(a: list[float], b: list[float]) -> float:
        return sum(x * y for x, y in zip(a, b, strict=True))

    def scored(divisor: float) -> Rows:
        return [[dot(q[i], k[j]) / divisor for j in keys] for i in queries]

    right = scored(math.sqrt(d_k) * t)
    for name, divisor in (
        ("÷ √d was left out.", t),
        ("Multiplied by √d instead of divided.", t / math.sqrt(d_k)),
        ("Divided by d, not by its root.", t * d_k),
        ("The root of the number of tokens was taken, not that of d_k.", t * len(k) ** 0.5),
        ("The root of d_model was taken, not that of d_k.", t * result.X.shape[1] ** 0.5),
    ):
        yield name, shares(scored(divisor), seen)
    yield "The scores have the wrong sign.", shares([[-s for s in row] for row in right], seen)
    if len(k) == d_k:
        columns = [[k[c][j] for c in range(d_k)] for j in range(d_k)]
        wrong = [[dot(q[i], columns[j]) / math.sqrt(d_k) / t for j in keys] for i in queries]
        yield "K was not transposed.", shares(wrong, seen)
    if len(v[0]) == d_k:
        wrong = [[dot(q[i], v[j]) / math.sqrt(d_k) / t for j in keys] for i in queries]
        yield "V was taken for K.", shares(wrong, seen)
    turned = shares(
        [list(c) for c in zip(*right, strict=True)], [list(c) for c in zip(*seen, strict=True)]
    )
    yield (
        "The softmax was taken down the columns.",
        [list(row) for row in zip(*turned, strict=True)],
    )
    if result.mask is not None:
        late = shares(right, everything)
        hidden = [[late[i][j] if seen[i][j] else 0.0 for j in keys] for i in queries]
        yield "The mask came after the softmax.", hidden
    visible = [[right[i][j] if seen[i][j] else 0.0 for j in keys] for i in queries]
    if all(abs(sum(row)) > 1e-3 for row in visible):
        plain = [[s / sum(row) for s in row] for row in visible]
        yield "e^ was forgotten: scores were divided by their sum.", plain


def named(frame: Frame, pick: Pick, cell: tuple[int, int], value: float) -> list[str] | None:
    """Return what is said to a number of four decimals; None where that is the right one."""
    typed = answer(f"{value:.4f}")
    right = pick(frame.attention)
    assert right is not None
    said = [str(each) for each in likely_mistakes(frame, pick, {cell: typed})]
    if typed.fits(float(right[cell])):
        assert said == []
        return None
    return said


@settings(max_examples=40, deadline=None)
@given(usual_scenes(), st.data())
def test_the_mistake_that_was_made_is_named(scene: Scene, data: st.DataObject) -> None:
    frame = resolve(scene)
    result = frame.attention
    heads = [dict(by_hand(result, head)) for head in range(result.heads)]
    head = data.draw(st.integers(0, result.heads - 1))
    for name, weights in heads[head].items():
        row = data.draw(st.integers(0, result.queries - 1))
        column = data.draw(st.integers(0, result.keys - 1))
        said = named(frame, of_head("weights", head), (row, column), weights[row][column])
        assert said is None or name in said
        if not all(name in each for each in heads):
            continue
        mixed = [np.array(each[name]) @ v for each, v in zip(heads, result.V, strict=True)]
        place = (row, data.draw(st.integers(0, result.d_v - 1)))
        said = named(frame, of_head("head_output", head), place, mixed[head][place])
        assert said is None or name in said
        whole = np.concatenate(mixed, axis=1)
        if scene.Wo is not None:
            whole = whole @ scene.Wo + (0.0 if scene.bo is None else scene.bo)
        place = (row, data.draw(st.integers(0, whole.shape[1] - 1)))
        said = named(frame, after_heads, place, whole[place])
        assert said is None or name in said


@settings(max_examples=40, deadline=None)
@given(scenes(largest=5.0))
def test_only_what_can_be_reckoned_is_named(scene: Scene) -> None:
    result = resolve(scene).attention
    names = {name for name, _table in mistaken(scene, result, of_head("weights", 0))}
    assert ("K was not transposed." in names) == (result.keys == result.d_k)
    assert ("V was taken for K." in names) == (result.d_v == result.d_k)
    assert ("The mask came after the softmax." in names) == (result.mask is not None)
    root = math.isclose(result.divisor / result.temperature, math.sqrt(result.d_k))
    assert "÷ √d was left out." not in names or root


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_attention_has_its_mistakes(kind: str) -> None:
    scene = KINDS[kind]
    frame = resolve(scene)
    tables = ("raw", "scores", "weights", "head_output")
    picks = [of_head(table, scene.heads - 1) for table in tables]
    for pick in (*picks, mean_weights, side_by_side, after_heads):
        right = pick(frame.attention)
        assert right is not None
        for name, table in mistaken(scene, frame.attention, pick):
            assert table.shape == right.shape, name
            whole = np.isfinite(table) & (np.abs(table) < 1e4)
            for row, column in np.argwhere(whole)[-1:].tolist():
                said = named(frame, pick, (row, column), float(table[row, column]))
                assert said is None or name in said


@settings(max_examples=25, deadline=None)
@given(scenes())
def test_the_largest_numbers_end_nothing(scene: Scene) -> None:
    try:
        frame = resolve(scene)
    except ValueError:
        return  # beyond what attention can compute
    for pick in (of_head("scores", 0), of_head("weights", 0), after_heads):
        assert isinstance(likely_mistakes(frame, pick, {(0, 0): answer("0.31")}), list)
