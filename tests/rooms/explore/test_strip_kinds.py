"""What the strip says about every kind of scene: each number read back, and what is a mistake."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from explorer.attention import MISTAKES, Variant, breakdown
from explorer.kit.text_runs import Chip, Runs, Text, plain
from explorer.rooms.explore.strip.section import Section, text_of
from explorer.rooms.explore.strip.sentences import sentences
from explorer.session import (
    Frame,
    Look,
    Role,
    Scene,
    Selection,
    Session,
    position_rows,
    resolve,
)
from tests.kinds import KINDS
from tests.sampled import in_turn
from tests.scenes import scenes

NUMBER = re.compile(r"-?\d+\.\d+(?:e[+-]?\d+)?|(?<=<)\.\d+")
PER_QUERY = (Role.X, Role.R, Role.Q, Role.O, Role.P, Role.POSITION, Role.C, Role.Y)
PER_KEY = (Role.K, Role.V, Role.CONTEXT)
ENTRIES = (Role.WQ, Role.WK, Role.WV, Role.BQ, Role.BK, Role.BV, Role.WO, Role.BO)


def selections(scene: Scene) -> Iterator[Selection]:
    """Yield a cell, a row and a pair of everything that can be selected, at its ends."""
    ends = (0, 1, 3)
    for i in range(len(scene.tokens)):
        for j in range(len(scene.key_tokens)):
            yield Selection(Role.S, i, j)
            yield Selection(Role.A, i, j)
    found = [Selection(role, query=i, column=c) for role in PER_QUERY for i in ends for c in ends]
    found += [Selection(role, query=i) for role in PER_QUERY for i in ends]
    found += [Selection(role, key=j, column=c) for role in PER_KEY for j in ends for c in ends]
    found += [Selection(role, key=j) for role in PER_KEY for j in ends]
    found += [Selection(role, query=r, column=c) for role in ENTRIES for r in ends for c in ends]
    session = Session(scene)
    for selection in found:
        session.select(selection)
        if session.selection is not None:
            yield selection


def looks(scene: Scene) -> list[Look]:
    last = scene.heads - 1
    return [Look(head=last), Look(scaled=True), Look(average=True)]


def body(section: Section) -> str:
    return text_of([replace(section, caption=())])


def shown(frame: Frame) -> dict[str, list[str]]:
    """Return the numbers of each column but the first, by the start of its caption."""
    told = sentences(frame, entries=99)[1:]
    return {
        plain(section.caption).split(",")[0].split(":")[0]: NUMBER.findall(body(section))
        for section in told
    }


def assert_shown(texts: list[str], values: list[float]) -> None:
    """Assert that the texts are the values, rounded to the decimals (or digits) that they show."""
    assert len(texts) == len(values), (texts, values)
    for text, value in zip(texts, values, strict=True):
        if text.startswith("."):  # "<.001"
            assert 0 < value < float(text)
            continue
        decimals = len(text.partition(".")[2])
        expected = f"{value:.1e}" if "e" in text else f"{value:.{decimals}f}"
        assert float(text) == float(expected), (text, value)


def together(*columns: np.ndarray) -> list[float]:
    """Return the numbers of several vectors, the first ones first."""
    return np.stack(columns, axis=-1).ravel().tolist()


def sources(scene: Scene, rows: int) -> np.ndarray:
    """Return the (token, head of W) of each row of Q, K or V, shape (H, rows, 2)."""
    own = np.array([[(t, h) for t in range(rows)] for h in range(scene.heads)])
    if scene.options.variant is not Variant.HEADS_MIXED:
        return own
    return own.swapaxes(0, 1).reshape(own.shape)


# --- numbers -------------------------------------------------------------------------------------


def assert_pair(frame: Frame, i: int, j: int) -> None:
    result, head, options = frame.attention, frame.look.head, frame.scene.options
    told = shown(frame)
    if frame.masked(i, j):
        assert told == {"Masked": []}
        return
    weights = result.weights[:, i, j]
    mean = [*weights, weights.mean()]
    if frame.averaged:
        assert_shown(told.pop(f"Mean of {len(weights)} heads"), mean)
        if frame.selection is not None and frame.selection.role is Role.A:
            assert not told
            return
    q, k = result.Q[head, i], result.K[head, j]
    score, weight = result.scores[head, i, j], weights[head]
    assert_shown(told.pop("Dot product"), [*together(q, k), result.raw[head, i, j]])
    told.pop("Heads mixed", None)
    if options.variant is Variant.AVERAGE:
        zero = [0.0] if frame.look.scaled else []
        assert_shown(told.pop("Plain average"), [*zero, weight])
    else:
        parts = breakdown(result, i, j, head)
        shift = [abs(parts.shift)] if parts.shift else []
        total = np.exp(result.scores[head, i] - parts.shift).sum()
        assert_shown(told.pop("Softmax"), [score, *shift, total, weight])
    if "Scale" in told:
        own = [] if isinstance(options.scale, str) else [options.scale]
        own = own if options.variant in (*_SCALED,) else []
        heat = [options.temperature] if options.temperature != 1.0 else []
        assert_shown(told.pop("Scale"), [*own, *heat, score])
    else:
        assert score == result.raw[head, i, j] or options.variant is Variant.AVERAGE
    adds = result.output_factor * weight * result.V[head, j]
    name = f"Adds to o_{frame.scene.tokens[i]}"
    assert_shown(told.pop(name), [weight, *adds])
    assert not told


_SCALED = (Variant.NONE, Variant.OUTPUT_SCALED, Variant.HEADS_MIXED)


def assert_sum(section: Section, frame: Frame, i: int, columns: list[int], head: int) -> None:
    """Assert that a column of the strip is the weighted sum of some columns of V."""
    result = frame.attention
    visible = [j for j in range(result.keys) if not frame.masked(i, j)]
    expected = [
        x for j in visible for x in (result.weights[head, i, j], *result.V[head, j, columns])
    ]
    assert_shown(NUMBER.findall(body(section)), [*expected, *result.head_output[head, i, columns]])
    if result.weight_divisor != 1.0 and visible:
        total = result.weights[head, i].sum()
        assert_shown(NUMBER.findall(plain(section.caption)), [total])


def assert_vector(frame: Frame, letter: str, row: int, column: int | None) -> None:
    """Assert that a row of Q, K or V, or one number of it, is made as the strip says."""
    result, scene, head = frame.attention, frame.scene, frame.look.head
    values = {"q": result.Q, "k": result.K, "v": result.V}[letter][head, row]
    [texts] = [v for k, v in shown(frame).items() if k in ("Query", "Key", "Value")]
    W, bias = scene.per_head(f"W{letter}"), scene.per_head(f"b{letter}")
    entering = letter != "v" and result.projected is not None
    before = result.projected["qk".index(letter)][head, row] if entering else values[:0]
    if column is None or W is None:
        assert_shown(texts, [*before, *values])
        return
    rows = result.X if letter == "q" else result.context
    token, of_head = sources(scene, len(rows))[head, row]
    added = [] if bias is None else [bias[of_head, column]]
    products = together(rows[token], W[of_head, :, column])
    made = [before[column]] if entering else []
    assert_shown(texts, [*products, *added, *made, values[column]])


def assert_true(frame: Frame) -> None:
    """Assert that every number said about the frame's selection is the computed one."""
    selection = frame.selection
    assert selection is not None
    scene, result, head = frame.scene, frame.attention, frame.look.head
    i, j, c = selection.query, selection.key, selection.column
    told = sentences(frame, entries=99)
    match selection.role:
        case Role.S | Role.A if i is not None and j is not None:
            assert_pair(frame, i, j)
        case Role.Q if i is not None:
            assert_vector(frame, "q", i, c)
        case Role.K | Role.V if j is not None:
            assert_vector(frame, selection.role.value.lower(), j, c)
        case Role.X | Role.O if i is not None and (c is None or selection.role is Role.O):
            columns = [c] if c is not None else list(range(result.d_v))
            assert_sum(told[1], frame, i, columns, head)
        case Role.R if i is not None and c is not None:
            frequency = scene.options.rotary.frequencies()[c]
            assert_shown(NUMBER.findall(body(told[1])), [frequency, i * frequency])
        case Role.P | Role.POSITION if i is not None:
            position = position_rows(scene)
            assert position is not None
            chosen = slice(None) if c is None else slice(c, c + 1)
            parts = [scene.X[i, chosen], position[i, chosen], result.X[i, chosen]]
            assert_shown(shown(frame)["With position"], np.concatenate(parts).tolist())
        case Role.C if i is not None and c is None:
            assert_shown(NUMBER.findall(body(told[1])), frame.concatenated[i].tolist())
        case Role.C if i is not None and c is not None:
            of_head, own = divmod(c, result.d_v)
            assert_sum(told[2], frame, i, [own], of_head)
        case Role.Y if i is not None and scene.Wo is not None:
            chosen = slice(None) if c is None else slice(c, c + 1)
            bias = [] if scene.bo is None else [scene.bo[chosen]]
            rows = [
                np.concatenate([[x], w])
                for x, w in zip(frame.concatenated[i], scene.Wo[:, chosen], strict=True)
            ]
            expected = np.concatenate([*rows, *bias, result.output[i, chosen]])
            assert_shown(NUMBER.findall(body(told[1])), expected.tolist())
        case Role.WQ | Role.WK | Role.WV if i is not None and c is not None:
            W = scene.per_head(selection.role.value)
            assert W is not None
            rows = result.X if selection.role is Role.WQ else result.context
            factor = W[head, i, c]
            assert_shown(shown(frame)["What it does"], [factor])
            expected = together(rows[:, i], np.full(len(rows), factor))
            assert_shown(shown(frame)["It adds"], expected)
        case Role.WO if i is not None and c is not None and scene.Wo is not None:
            column = frame.concatenated[:, i]
            expected = together(column, np.full(len(column), scene.Wo[i, c]))
            assert_shown(shown(frame)["It adds"], expected)
        case _:
            assert len(told) > 1


@pytest.mark.parametrize(("name", "look"), in_turn(4, KINDS, range(3)))
def test_every_number_and_every_chip_is_the_computed_one(name: str, look: int) -> None:
    scene = KINDS[name]
    if len(scene.tokens) > 6:
        scene = _shorter(scene)
    for selection in selections(scene):
        frame = resolve(scene, looks(scene)[look], selection)
        assert_true(frame)
        assert_chips_are_the_cells_they_select(frame)


def _shorter(scene: Scene) -> Scene:
    """Return a long scene's first four tokens."""
    return scene.replace(tokens=scene.tokens[:4], X=scene.X[:4])


@settings(suppress_health_check=list(HealthCheck), max_examples=40)
@given(scenes(largest=5.0), st.data())
def test_every_number_of_any_scene_is_the_computed_one(scene: Scene, data: st.DataObject) -> None:
    # Names that are no numbers and no captions.
    names = tuple("abc"[: len(scene.tokens)])
    context = scene.context
    if context is not None:
        context = replace(context, tokens=tuple("xyz"[: len(context.tokens)]))
    scene = scene.replace(tokens=names, context=context)
    look = data.draw(st.sampled_from(looks(scene)))
    selection = data.draw(st.sampled_from(list(selections(scene))))
    assert_true(resolve(scene, look, selection))


def assert_chips_are_the_cells_they_select(frame: Frame) -> None:
    for chip in chips(frame):
        table = frame.weights if chip.selection.role is Role.A else frame.shown_scores
        assert chip.selection.pair is not None
        assert chip.value == table[chip.selection.pair]


def runs_of(section: Section) -> Iterator[Runs]:
    yield section.caption
    yield section.before
    if section.terms is not None:
        yield from (section.terms.term(place) for place in range(section.terms.count))
    yield section.after


def chips(frame: Frame) -> list[Chip]:
    told = (runs for section in sentences(frame) for runs in runs_of(section))
    return [run for runs in told for run in runs if isinstance(run, Chip)]


# --- words ---------------------------------------------------------------------------------------


def lines(name: str, selection: Selection, look: Look | None = None) -> list[str]:
    return text_of(sentences(resolve(KINDS[name], look, selection))).split("\n")


def in_red(frame: Frame) -> str:
    told = (runs for section in sentences(frame) for runs in runs_of(section))
    texts = (run for runs in told for run in runs if isinstance(run, Text))
    return " ".join(run.text for run in texts if run.ink == "err")


@pytest.mark.parametrize("name", KINDS)
def test_a_mistake_is_said_of_every_mistaken_scene_and_of_no_other(name: str) -> None:
    scene = KINDS[name]
    pair, output = Selection(Role.S, 1, 1), Selection(Role.O, 1)
    red = [in_red(resolve(scene, None, selection)) for selection in (pair, output)]
    wrong = scene.options.variant in MISTAKES
    if scene.options.variant is Variant.HEADS_MIXED:
        wrong = scene.heads > 1
    assert any("mistake" in said for said in red) == wrong
    if not wrong:
        assert red == ["", ""]


PAIR = Selection(Role.S, 1, 1)


MISTAKEN = [name for name, scene in KINDS.items() if scene.options.variant in MISTAKES]


@pytest.mark.parametrize("name", MISTAKEN)
def test_a_mistake_that_is_to_be_found_is_not_named(name: str) -> None:
    for selection in (PAIR, Selection(Role.O, 1), Selection(Role.Q, 1)):
        told = " ".join(lines(name, selection, Look(unnamed=True)))
        assert ": a mistake" not in told


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("softmax_first, one head", "Softmax, then ÷ √2: a mistake: e^"),
        ("multiplied, one head", "Scale: a mistake: × √2 = "),
        ("multiplied, masked", "Scale: a mistake: × √2 ÷ 0.5 = "),
        ("unscaled, one head", "Scale: a mistake: ÷ √2 forgotten = "),
        ("unscaled, masked", "Scale: a mistake: ÷ √2 forgotten, ÷ 0.5 = "),
        ("output_scaled, one head", "Adds to o_likes, × √2: a mistake: √2 × "),
        (
            "heads_mixed, two heads",
            "Heads mixed: a mistake: q_likes = x_cat W_q + b_q of head 2, "
            "k_likes = x_cat W_k + b_k of head 2",
        ),
        ("temperature", "Scale: ÷ √2 ÷ 0.5 = "),
        ("temperature alone", "Scale: ÷ 2.0 = "),
        (
            "average, one head",
            "Plain average: every score is 0, so each of the 4 visible keys gets 1 ÷ 4 = 0.250",
        ),
        (
            "average, masked",
            "Plain average: every score is 0, so each of the 3 visible keys gets 1 ÷ 3 = 0.333",
        ),
        (
            "plain-average",
            "Plain average: every score is 0, so each of the 2 visible keys gets 1 ÷ 2 = 0.500",
        ),
    ],
)
def test_a_pair_says_how_its_scene_departs(name: str, start: str) -> None:
    assert [line for line in lines(name, PAIR) if line.startswith(start)]


@pytest.mark.parametrize(
    ("name", "selection", "line"),
    [
        (
            "own position",
            Selection(Role.Q, 1),
            "Query: q_likes = (x_likes + p_likes) W_q = ",
        ),
        ("no W, position", Selection(Role.V, key=1), "Value: v_likes = x_likes + p_likes = "),
        ("biases", Selection(Role.K, key=1), "Key: k_likes = x_likes W_k + b_k = "),
        ("one bias", Selection(Role.Q, 1), "Query: q_likes = x_likes W_q = "),
        ("context", Selection(Role.K, key=1), "Key: k_sky = x_sky W_k + b_k = "),
        ("context", Selection(Role.CONTEXT, key=1, column=0), "Row of the context: x_sky = "),
        ("context, no W", Selection(Role.V, key=2), "Value: v_sun = x_sun = "),
        (
            "heads_mixed, two heads",
            Selection(Role.V, key=3),
            "Value, heads mixed: a mistake: v_cloud = x_likes W_v + b_v of head 2 = ",
        ),
        (
            "heads_mixed, two heads",
            Selection(Role.X, 1, column=0),
            "Heads mixed: a mistake: what head 1 of W makes of it is called fish in head 1",
        ),
        ("two heads", Selection(Role.C, 1, column=3), "Side by side: c_likes[4] = o_likes[2], "),
        ("Wo", Selection(Role.Y, 1, column=0), "O W_o: y_likes[1] = "),
        ("two heads, Wo", Selection(Role.Y, 1), "C W_o + b_o: y_likes = "),
        (
            "own position",
            Selection(Role.WK, 0, column=0),
            "What it does: W_k[1,1] = -0.76: how much column 1 of X + P adds to column 1 of K",
        ),
        (
            "biases",
            Selection(Role.BV, 0, column=1),
            "What it does: b_v[2] = 1.57: added to column 2 of every row of V",
        ),
        (
            "average, one head",
            Selection(Role.O, 1),
            "Mean of the four values: o_likes = ",
        ),
        (
            "softmax_first, one head",
            Selection(Role.O, 1),
            "Weighted sum of the four values, weights sum to 0.707: a mistake: o_likes = ",
        ),
        (
            "output_scaled, one head",
            Selection(Role.O, 1, column=0),
            "Weighted sum of the four values, × √2: a mistake: o_likes[1] = √2 × (",
        ),
    ],
)
def test_a_vector_says_what_it_is_made_from(name: str, selection: Selection, line: str) -> None:
    told = lines(name, selection)
    number = re.compile(r"= -?\d+\.\d+:")
    assert [said for said in told if number.sub("= :", said).startswith(number.sub("= :", line))], (
        told
    )


def test_the_mean_over_the_heads_is_spelled_out() -> None:
    look = Look(average=True, head=1)
    weights = resolve(KINDS["two heads"]).attention.weights[:, 1, 2]
    said = " + ".join(f"{weight:.3f}" for weight in weights)
    expected = f"Mean of 2 heads: ({said}) ÷ 2 = {weights.mean():.3f}"
    assert lines("two heads", Selection(Role.A, 1, 2), look) == [
        "Selected: likes → fish",
        expected,
    ]
    assert lines("two heads", Selection(Role.S, 1, 2), look)[-1] == expected
    assert lines("two heads", Selection(Role.S, 1, 2), look)[0].startswith("Selected, head 2 of 2")
