"""The sum that a number is worked out by, and the slips that give another one."""

from __future__ import annotations

import math

import pytest

from explorer.lessons.predictions import answer
from explorer.lessons.readings import number
from explorer.lessons.schema import Reading
from explorer.lessons.worked import slips, worked
from explorer.resources import example
from explorer.session import read_scene, resolve

FRAME = resolve(read_scene(example("cat-likes-fish.json")))
ALL = [
    Reading("raw", query="likes", key="cloud"),
    Reading("scores", query="cat", key="cloud"),
    Reading("weights", query="cat", key="cloud"),
    Reading("head output", query="cat", column=1),
    Reading("Q", query="cloud", column=2),
    Reading("K", key="cloud", column=1),
    Reading("V", key="fish", column=2),
]


@pytest.mark.parametrize("of", ALL, ids=lambda of: of.value)
def test_the_sum_gives_the_number(of: Reading) -> None:
    made, _equals, told = worked(of, FRAME).rpartition(" = ")
    python = made.replace("e^", "math.e**").replace("×", "*").replace("÷", "/").replace("−", "-")
    value = eval(python, {"math": math})  # written by the program itself
    assert value == pytest.approx(number(of, FRAME), abs=2e-3)
    assert float(told.replace("−", "-")) == pytest.approx(number(of, FRAME), abs=6e-4)


@pytest.mark.parametrize(
    ("of", "typed", "said"),
    [
        (ALL[0], "0.042", "This is already divided by √d."),
        (ALL[0], "-0.31", "One term of the sum is missing."),
        (ALL[3], "0.505", "One term of the sum is missing."),
        (ALL[1], "0.424", "This is the number of cat and likes."),
        (ALL[6], "-0.63", "This is another number of the table."),
        (ALL[0], "9.99", None),
    ],
)
def test_a_slip_is_named(of: Reading, typed: str, said: str | None) -> None:
    found = slips(of, FRAME, answer(typed))
    assert [str(each) for each in found] == ([] if said is None else [said])
