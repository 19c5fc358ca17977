"""What can be copied can be pasted: tables, NumPy, LaTeX and PyTorch."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from explorer.exporters import FORMATS
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
        "W = [[1, -2.5], [3, .04],]",
    ],
)
def test_what_other_programs_print_is_read(text: str) -> None:
    assert parse_block(text).tolist() == [[1.0, -2.5], [3.0, 0.04]]


def test_one_list_is_one_row() -> None:
    assert parse_block("x = np.array([1, 2.5])").tolist() == [[1.0, 2.5]]
