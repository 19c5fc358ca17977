"""A matrix as text for other programs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from explorer.exporters import FORMATS
from explorer.exporters.tables import as_latex, as_numpy, as_pytorch, as_table

W = np.array([[1, -1 / 3], [1e-7, 0]])


def test_a_table_has_tabs_and_every_digit() -> None:
    assert as_table("Wq", W) == "1.0\t-0.3333333333333333\n1e-07\t0.0\n"


@pytest.mark.parametrize("array", [W, np.array([[-np.inf, 0.5]]), np.array([[2.0]])])
def test_code_makes_the_same_array(array: np.ndarray) -> None:
    names: dict[str, Any] = {"np": np, "torch": torch}
    exec(as_numpy("Wq", array) + as_pytorch("scores head 2", array), names)
    np.testing.assert_array_equal(names["Wq"], array)
    np.testing.assert_array_equal(names["scores_head_2"].numpy(), array)
    assert names["scores_head_2"].dtype == torch.float64


def test_code_has_a_row_a_line() -> None:
    assert as_numpy("X", W) == (
        "X = np.array([[1.0, -0.3333333333333333],\n              [1e-07, 0.0]])\n"
    )


def test_latex_is_a_matrix() -> None:
    assert as_latex("Wq", W).splitlines() == [
        "W_q = \\begin{bmatrix}",
        "  1.0 & -0.3333333333333333 \\\\",
        "  1 \\times 10^{-7} & 0.0",
        "\\end{bmatrix}",
    ]
    assert as_latex("X", np.array([[-np.inf]])).splitlines()[:2] == [
        "X = \\begin{bmatrix}",
        "  -\\infty",
    ]


def test_latex_names_are_escaped() -> None:
    name = "a_b & \\input{x} 50%"
    assert as_latex(name, W).startswith(
        "\\mathrm{a\\_b \\& \\textbackslash{}input\\{x\\} 50\\%} = "
    )


def test_every_format_is_ascii_with_the_hyphen_as_minus() -> None:
    for format_ in FORMATS.values():
        text = format_("Wq", W)
        assert text.isascii()
        assert "-0.333" in text
        assert text.endswith("\n")
