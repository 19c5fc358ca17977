"""What can be copied can be pasted: tables, NumPy, LaTeX and PyTorch."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from explorer.exporters import FORMATS
from explorer.text import Problem
from explorer.text.blocks import parse_block

NUMBERS = st.floats(-1e40, 1e40, allow_nan=False)
SHAPES = st.tuples(st.integers(1, 5), st.integers(1, 5))


@pytest.mark.parametrize("name", FORMATS)
@given(array=arrays(np.float64, SHAPES, elements=NUMBERS))
def test_every_format_that_can_be_copied_can_be_pasted(name: str, array: np.ndarray) -> None:
    assert np.array_equal(parse_block(FORMATS[name]("Wq", array)), array)


@pytest.mark.parametrize(
    "text",
    [
        "[[1.  -2.5]\n [ 3.   0.04]]",
        "array([[ 1.  , -2.5 ],\n       [ 3.  ,  0.04]])",
        "tensor([[1.0, -2.5], [3.0, 0.04]], dtype=torch.float64)",
        r"\left[\begin{array}{cc} 1 & -2.5 \\ 3 & 4 \times 10^{-2} \end{array}\right]",
        r"A = \begin{pmatrix}1&-2.5\\[2pt]3&0.04\end{pmatrix}",
        r"\begin{bmatrix}\frac{2}{2}&-\tfrac52 \\ $\dfrac{-6}{-2}$ & 4\cdot 10^{-2}\end{bmatrix}",
        "\\frac{3}{3}\t-5/2\n3\t4 \\cdot 10^{-2}",
        "W = [[1, -2.5], [3, .04],]",
    ],
)
def test_what_other_programs_print_is_read(text: str) -> None:
    assert parse_block(text).tolist() == [[1.0, -2.5], [3.0, 0.04]]


def test_one_list_is_one_row() -> None:
    assert parse_block("x = np.array([1, 2.5])").tolist() == [[1.0, 2.5]]


@pytest.mark.parametrize(
    "entry",
    [r"\sqrt{2}", r"2\frac{1}{2}", r"\frac12 \cdot 10^3", r"1/2 \times 10^3"],
)
def test_what_is_no_simple_number_in_latex_is_named_with_its_place(entry: str) -> None:
    with pytest.raises(Problem, match="row 1, column 2 of the block is not a number") as refused:
        parse_block(rf"\begin{{pmatrix}} 1 & {entry} \\ 3 & 4 \end{{pmatrix}}")
    assert entry in str(refused.value)
