"""Formulas: what is drawn, and what is refused with its reason, soon."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.kit.formula import LONGEST, drawn
from explorer.text import Problem

INK, CAT = "#161C26", "#00609A"


def draw(tex: str) -> bytes:
    """Return a formula's picture."""
    return drawn(tex, 20.0, INK, {"cat": CAT}).svg


def test_a_token_has_its_colour_and_any_other_the_formulas() -> None:
    assert CAT.encode() in draw(r"\token{cat}{q} \cdot k")
    assert CAT.encode() not in draw(r"\token{cloud}{q} \cdot k")


@pytest.mark.parametrize(
    "tex",
    [
        r"A = \mathrm{softmax}\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V",
        r"\frac{e^{s_{ij}}}{\sum_{k} e^{s_{ik}}}",
        r"\begin{pmatrix} 1 & 0 \\ 0 & 1 \end{pmatrix}",
        r"\{x \mid x < 1\} \backslash 100\%",
    ],
)
def test_what_lessons_write_is_drawn(tex: str) -> None:
    made = drawn(tex, 20.0, INK, {})
    assert 0 < made.width < 800
    assert 0 < made.height < 200
    # Set once for all sizes: Present tries many until there is room.
    larger = drawn(tex, 50.0, INK, {})
    assert larger.svg is made.svg
    sizes = (larger.width, larger.height, larger.smallest)
    assert sizes == pytest.approx((2.5 * made.width, 2.5 * made.height, 2.5 * made.smallest))


@pytest.mark.parametrize(
    ("tex", "said"),
    [
        (r"\frac{1}{" * 30 + "x" + "}" * 30, "too many brackets inside one another"),
        (r"\left(" * 30 + "x" + r"\right)" * 30, "too many brackets inside one another"),
        (r"\begin{matrix}" * 12 + "x" + r"\end{matrix}" * 12, "too many brackets"),
        (r"\sqrt" * 100, "does not parse"),
        ("x" * (LONGEST + 1), "up to 500 characters"),
        ("x" * LONGEST, "too large to be read"),
        (r"\rule{99999999em}{99999999em}", "too large to be read"),
        (r"\hspace{99999999em}", "too large to be read"),
        (r"\begin{matrix}" + "&" * 200 + r"\\" * 100 + r"\end{matrix}", "too large to be read"),
        (r"\sofmax x", r"has \\sofmax, which is not a command"),
        (r"\input{/etc/passwd}", r"has \\input, which is not a command"),
        (r"\textcolor{url(file:///etc/passwd)}{x}", r"\\textcolor cannot be used in a formula"),
        (r"\color{white} x", r"\\color cannot be used in a formula"),
        (r"\href{file:///etc/passwd}{x}", r"\\href cannot be used in a formula"),
        (r"\token{cat}", r"does not parse: \\token has two pairs of braces"),
        (r"\token{cat", "does not parse"),
        (r"\frac{1}", "does not parse"),
        ("x}", r"does not parse: it has 0 × \{, 1 × \}"),
        ("{x", "does not parse: it has 1"),
        (r"\left( x", r"1 × \\left, 0 × \\right"),
        (" ", "does not parse"),
        ("q\u202ek", "written in ASCII"),
        ("α", "written in ASCII"),
    ],
)
def test_what_cannot_be_drawn_says_why(tex: str, said: str) -> None:
    with pytest.raises(Problem, match=said):
        draw(tex)


PIECES = [
    *("{", "}", "[", "]", "(", ")", "^", "_", "&", "%", "'", "x", "2", "+", " ", "#", "$", "~"),
    *(r"\frac", r"\sqrt", r"\left(", r"\right)", r"\begin{matrix}", r"\end{matrix}", r"\\"),
    *(r"\token{cat}", r"\text", r"\sum", r"\hat", r"\limits", r"\over", r"\mathbf", r"\nonsense"),
]


@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join))
@settings(max_examples=150)
def test_any_formula_is_drawn_or_refused(tex: str) -> None:
    try:
        made = drawn(tex, 20.0, INK, {"cat": CAT})
    except Problem:
        return
    assert made.width > 0
    assert made.smallest > 0


def test_a_token_has_a_name_in_any_script() -> None:
    made = drawn(r"\token{猫}{q} \cdot \token{cat}{k}", 20.0, INK, {"猫": CAT}).svg
    assert CAT.encode() in made
