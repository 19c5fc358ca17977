"""What the strip says, held to the numbers in the books and to plain matrix products."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.kit.preview import SAMPLE
from explorer.kit.text_runs import Chip, Text, plain
from explorer.rooms.explore.strip.section import Section, all_terms, text_of
from explorer.rooms.explore.strip.sentences import sentences
from explorer.session import (
    Cell,
    Context,
    Frame,
    Invalid,
    Look,
    Matrix,
    Options,
    Role,
    Scene,
    Selection,
    frozen_array,
    resolve,
)
from explorer.text import Message
from tests.kinds import KINDS

CAUSAL = SAMPLE.replace(options=Options(mask="causal"))


def said(scene: Scene, selection: Selection | None, look: Look | None = None) -> list[str]:
    return text_of(sentences(resolve(scene, look, selection))).split("\n")


def chips(sections: tuple[Section, ...]) -> list[Chip]:
    runs = [
        run
        for section in sections
        for group in (
            section.before,
            *(
                section.terms.term(i)
                for i in range(section.terms.count if section.terms else 0)
                if section.terms
            ),
            section.after,
        )
        for run in group
    ]
    return [run for run in runs if isinstance(run, Chip)]


def test_nothing_selected_says_what_to_do() -> None:
    assert said(SAMPLE, None) == ["Choose a cell, a token or an edge"]


@pytest.mark.parametrize("role", [Role.S, Role.A])
def test_a_pair_is_spelled_out(role: Role) -> None:
    assert said(SAMPLE, Selection(role, 0, 3)) == [
        "Selected: cat → cloud",
        "Dot product: q_cat · k_cloud = 1.0 × -0.62 + 0.0 × 0.74 = -0.62",
        "Scale: ÷ √2 = -0.438",
        "Softmax: e^-0.438 ÷ 5.354 = 0.120",
        "Adds to o_cat: 0.120 × v_cloud = (-0.076, 0.088)",
    ]


def test_a_score_has_two_decimals_where_they_are_exact_and_else_three() -> None:
    assert said(SAMPLE, Selection(Role.S, 3, 3))[1].endswith("= 1.162")
    assert said(SAMPLE, Selection(Role.S, 0, 0))[1].endswith("= 1.00")


@pytest.mark.parametrize(
    ("selection", "name"),
    [(Selection(Role.O, 3), "cloud output"), (Selection(Role.X, 3), "cloud token")],
)
def test_an_output_is_its_weighted_sum(selection: Selection, name: str) -> None:
    assert said(SAMPLE, selection) == [
        f"Selected: {name}",
        "Weighted sum of the four values: o_cloud = 0.114 (0.90, 0.10) + 0.185 (0.50, 0.50) + "
        "0.299 (0.10, 0.90) + 0.403 (-0.63, 0.73) = (-0.029, 0.666)",
    ]


def test_one_column_of_an_output_is_a_sum_of_numbers() -> None:
    assert said(SAMPLE, Selection(Role.O, 0, column=1))[1] == (
        "Weighted sum of the four values: o_cat[2] = "
        "0.379 × 0.10 + 0.286 × 0.50 + 0.215 × 0.90 + 0.120 × 0.73 = 0.462"
    )


def test_a_number_of_x_tells_what_its_row_becomes() -> None:
    assert said(SAMPLE, Selection(Role.X, 3, column=0)) == [
        "Selected: cloud column 1",
        "Row of X: x_cloud = (-0.8, 0.9)",
        "Its query, key and value: q_cloud = (-0.8, 0.9) k_cloud = (-0.62, 0.74) "
        "v_cloud = (-0.63, 0.73)",
        "Its output: o_cloud = (-0.029, 0.666)",
    ]


def test_the_column_of_a_selected_number_is_bold() -> None:
    row = sentences(resolve(SAMPLE, None, Selection(Role.X, 3, column=1)))[1]
    assert [run.text for run in row.before if isinstance(run, Text) and run.weight == 700] == [
        "0.9"
    ]


def test_a_number_of_wk_tells_which_column_it_carries_where() -> None:
    assert said(SAMPLE, Selection(Role.WK, 0, column=1)) == [
        "Selected: W_k row 1, column 2",
        "What it does: W_k[1,2] = 0.2: how much column 1 of X adds to column 2 of K",
        "It adds: 1.0 × 0.2 to k_cat, 0.5 × 0.2 to k_likes, 0.0 × 0.2 to k_fish, "
        "-0.8 × 0.2 to k_cloud",
    ]


def test_vectors_of_the_points_page_are_spelled_out() -> None:
    assert said(SAMPLE, Selection(Role.Q, 0, column=0))[1:] == [
        "Query: q_cat[1] = (x_cat W_q)[1] = 1.0 × 1.0 + 0.0 × 0.0 = 1.0",
        "Its dot products: 1.00 k_cat, 0.60 k_likes, 0.20 k_fish, -0.62 k_cloud",
    ]
    assert said(SAMPLE, Selection(Role.K, key=3))[1:] == [
        "Key: k_cloud = x_cloud W_k = (-0.62, 0.74)",
        "Its dot products: -0.62 q_cat, 0.06 q_likes, 0.74 q_fish, 1.162 q_cloud",
    ]
    assert said(SAMPLE, Selection(Role.V, key=0))[1:] == [
        "Value: v_cat = x_cat W_v = (0.90, 0.10)",
        "Its weight in each output: 0.379 o_cat, 0.272 o_likes, 0.180 o_fish, 0.114 o_cloud",
    ]


def test_a_masked_pair_says_so_and_shows_no_number() -> None:
    lines = said(CAUSAL, Selection(Role.S, 0, 3))
    assert lines == [
        "Selected: cat → cloud",
        "Masked: cat may not attend to cloud, which comes later",
    ]


@pytest.mark.parametrize(
    ("scene", "query", "key", "why"),
    [
        (KINDS["padding"], 0, 3, "cloud is padding: no token may attend to it"),
        (KINDS["causal and padding"], 2, 1, "likes is padding: no token may attend to it"),
        (
            KINDS["causal and padding"],
            0,
            3,
            "cat may not attend to cloud, which comes later",
        ),
        (KINDS["free mask"], 0, 2, "cat may not attend to fish"),
        (KINDS["free mask"], 2, 2, "fish may attend to no key at all"),
    ],
)
def test_why_a_pair_is_masked(scene: Scene, query: int, key: int, why: str) -> None:
    assert said(scene, Selection(Role.S, query, key))[1] == f"Masked: {why}"


def test_a_masked_sum_has_only_the_values_it_may_attend_to() -> None:
    assert said(CAUSAL, Selection(Role.O, 1))[1] == (
        "Weighted sum of the two values it may attend to: "
        "o_likes = 0.500 (0.90, 0.10) + 0.500 (0.50, 0.50) = (0.700, 0.300)"
    )
    assert said(CAUSAL, Selection(Role.O, 0))[1].startswith("The one value it may attend to: ")


def test_a_row_with_every_key_masked_adds_nothing() -> None:
    mask = np.ones((4, 4), bool)
    mask[2] = False
    scene = SAMPLE.replace(options=Options(mask=mask))
    assert said(scene, Selection(Role.O, 2))[1] == (
        "Every key is masked, so nothing is added: o_fish = (0.000, 0.000)"
    )


def test_the_scaling_is_the_scene_s_own() -> None:
    captions = [line.split(":")[0] for line in said(
        SAMPLE.replace(options=Options(scale="none")), Selection(Role.S, 0, 3)
    )]  # fmt: skip
    assert "Scale" not in captions
    assert "Scale: ÷ 4.0 = -0.155" in said(
        SAMPLE.replace(options=Options(scale=4)), Selection(Role.S, 0, 3)
    )


@pytest.mark.parametrize(("scaled", "score"), [(False, "−0.62"), (True, "−0.438")])
def test_the_chips_are_the_cells_of_the_tables(scaled: bool, score: str) -> None:
    frame = resolve(SAMPLE, Look(scaled=scaled), Selection(Role.S, 0, 3))
    shown = chips(sentences(frame))
    assert [(chip.text, chip.selection) for chip in shown] == [
        (score, Selection(Role.S, 0, 3)),
        ("0.120", Selection(Role.A, 0, 3)),
    ]
    assert shown[0].value == frame.shown_scores[0, 3]


def test_held_results_are_said_to_be_held() -> None:
    invalid = {Cell(Matrix.X, 0, 0): Invalid("a", Message("Type a number"))}
    for selection in (Selection(Role.S, 0, 3), Selection(Role.O, 0)):
        frame = resolve(SAMPLE, None, selection, invalid=invalid)
        told = [s for s in sentences(frame) if "waiting for a number" in plain(s.caption)]
        assert [section.drop for section in told] == [0]


def test_the_head_is_named_where_there_are_several() -> None:
    rng = np.random.default_rng(1)
    scene = SAMPLE.replace(
        **{name: rng.normal(size=(2, 8)) for name in ("Wq", "Wk", "Wv")}, options=Options(heads=4)
    )
    frame = resolve(scene, Look(head=2), Selection(Role.S, 0, 3))
    lines = text_of(sentences(frame)).split("\n")
    assert lines[0].startswith("Selected, head 3 of 4: ")
    assert lines[1].endswith(f"= {frame.attention.raw[2, 0, 3]:.3f}")


def test_context_tokens_have_their_own_names() -> None:
    scene = SAMPLE.replace(context=Context(("sea", "sky"), frozen_array([[1, 2], [3, 4]])))
    assert said(scene, Selection(Role.S, 0, 1))[0] == "Selected: cat → sky"
    assert said(scene, Selection(Role.X, 0, column=0))[2].startswith("Its query: ")
    assert "column 1 of the context adds" in said(scene, Selection(Role.WV, 0, column=0))[1]
    assert "1.0 × 0.9 to v_sea" in said(scene, Selection(Role.WV, 0, column=0))[2]


def test_exponentials_beyond_float64_are_shifted() -> None:
    scene = SAMPLE.replace(X=SAMPLE.X * 100)
    softmax = said(scene, Selection(Role.A, 0, 0))[3]
    assert softmax == "Softmax: e^(7071.068 - 7071.068) ÷ 1.000 = 1.000"


def test_every_term_of_a_long_sum_stands_on_its_own_line() -> None:
    rng = np.random.default_rng(2)
    scene = Scene(("a", "b"), rng.normal(size=(2, 64)))
    dot = sentences(resolve(scene, None, Selection(Role.S, 0, 1)))[1]
    lines = all_terms(dot).split("\n")
    assert len(lines) == 66
    assert lines[0] == "q_a · k_b ="
    q, k = f"{scene.X[0, 63]:.3f}", f"{scene.X[1, 63]:.3f}"
    assert lines[64] == f"+ {q} × {k}".replace("-", "\u2212")
    assert lines[65] == f"= {scene.X[0] @ scene.X[1]:.3f}".replace("-", "\u2212")


# --- any scene -----------------------------------------------------------------------------------

NUMBER = re.compile(r"[<>]-?\.\d+|-?\d+\.\d+(?:e-?\d+)?")


@st.composite
def frames(draw: st.DrawFn) -> tuple[Frame, int, int]:
    tokens = draw(st.integers(1, 5))
    keys = draw(st.none() | st.integers(1, 5))
    width, d_k, d_v = (draw(st.integers(1, 4)) for _ in range(3))
    heads = draw(st.integers(1, 2))
    rng = np.random.default_rng(draw(st.integers(0, 2**16)))
    size = draw(st.sampled_from([0.1, 1.0, 3.0]))
    count = tokens if keys is None else keys
    mask = draw(st.sampled_from(["none", "causal", "array"]))
    scene = Scene(
        tuple("abcde"[:tokens]),
        rng.normal(size=(tokens, width)) * size,
        rng.normal(size=(heads, width, d_k)),
        rng.normal(size=(heads, width, d_k)),
        rng.normal(size=(heads, width, d_v)),
        context=None
        if keys is None
        else Context(tuple("vwxyz"[:keys]), rng.normal(size=(keys, width))),
        options=Options(
            scale=draw(st.sampled_from(["sqrt_dk", "none", 2.5])),
            mask=rng.random((tokens, count)) < 0.6 if mask == "array" else mask,  # type: ignore[arg-type]
        ),
    )
    look = Look(head=draw(st.integers(0, heads - 1)), scaled=draw(st.booleans()))
    query, key = draw(st.integers(0, tokens - 1)), draw(st.integers(0, count - 1))
    return resolve(scene, look, Selection(Role.A, query, key)), query, key


def assert_shown(text: str, value: float) -> None:
    """Assert that `text` is `value`, rounded to the decimals (or digits) that it shows."""
    if text[0] in "<>":
        bound = float(text[1:])
        assert 0 < value < bound if text[0] == "<" else bound < value < 0, (text, value)
        return
    decimals = len(text.partition(".")[2])
    expected = f"{value:.1e}" if "e" in text else f"{value:.{decimals}f}"
    assert float(text) == float(expected), (text, value)


@given(frames())
def test_every_number_of_a_pair_is_the_computed_one(drawn: tuple[Frame, int, int]) -> None:
    frame, query, key = drawn
    result, head = frame.attention, frame.look.head
    lines = dict(line.split(": ", 1) for line in text_of(sentences(frame, entries=9)).split("\n"))
    if frame.masked(query, key):
        assert not NUMBER.search(" ".join(lines.values()))
        return
    q, k, v = result.Q[head, query], result.K[head, key], result.V[head, key]
    weight = result.weights[head, query, key]
    row = result.scores[head, query]
    expected = {
        "Dot product": [x for pair in zip(q, k, strict=True) for x in pair]
        + [result.raw[head, query, key]],
        "Softmax": [row[key], np.exp(row).sum(), weight],
        f"Adds to o_{frame.scene.tokens[query]}": [weight, *(weight * v)],
    }
    if frame.scene.options.scale == "sqrt_dk":
        expected["Scale"] = [row[key]]
    elif frame.scene.options.scale != "none":
        expected["Scale"] = [2.5, row[key]]
    shown = {caption: NUMBER.findall(lines[caption]) for caption in expected}
    for caption, values in expected.items():
        assert len(shown[caption]) == len(values)
        for text, value in zip(shown[caption], values, strict=True):
            assert_shown(text, value)


@given(frames())
def test_every_number_of_an_output_is_the_computed_one(drawn: tuple[Frame, int, int]) -> None:
    frame, query, _key = drawn
    result, head = frame.attention, frame.look.head
    visible = [key for key in range(result.keys) if not frame.masked(query, key)]
    whole = resolve(frame.scene, frame.look, Selection(Role.O, query))
    line = text_of(sentences(whole, entries=9)).split("\n")[1]
    terms = [[result.weights[head, query, key], *result.V[head, key]] for key in visible]
    values = [*(x for term in terms for x in term), *result.head_output[head, query]]
    shown = NUMBER.findall(line)
    assert len(shown) == len(values)
    for text, value in zip(shown, values, strict=True):
        assert_shown(text, value)
    one = resolve(frame.scene, frame.look, Selection(Role.O, query, column=0))
    line = text_of(sentences(one)).split("\n")[1]
    values = [
        x for key in visible for x in (result.weights[head, query, key], result.V[head, key, 0])
    ]
    for text, value in zip(
        NUMBER.findall(line), [*values, result.head_output[head, query, 0]], strict=True
    ):
        assert_shown(text, value)
