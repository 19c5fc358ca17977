"""What `attend` refuses, in one sentence that names the argument."""

import numpy as np
import pytest

from explorer.attention import attend, softmax

X = np.ones((4, 3))
W = np.ones((3, 2))
THREE = {"Wq": W, "Wk": W, "Wv": W}
NAN = float("nan")

CASES = {
    "X is a vector": ({"X": np.ones(3)}, r"^X must have two dimensions or three .*\(3,\)"),
    "X has no rows": ({"X": np.ones((0, 3))}, r"^X must not be empty.*\(0, 3\)"),
    "X is ragged": ({"X": [[1, 2], [3]]}, r"^X must be a table with rows of equal length"),
    "X is text": ({"X": [["1", "2"]]}, r"^X must hold real numbers"),
    "X is bool": ({"X": [[True, False]]}, r"^X must hold real numbers"),
    "X is complex": ({"X": [[1j]]}, r"^X must hold real numbers"),
    "X has NaN": ({"X": [[1, 2], [3, NAN]]}, r"^X\[1\]\[1\] is nan.*finite"),
    "X beyond float64": ({"X": np.array([[2.0]], np.longdouble) ** 5000}, r"^X\[0\]\[0\] is inf"),
    "X beyond integers": ({"X": [[10**400]]}, r"^X must hold real numbers"),
    "W has infinity": (THREE | {"Wk": W * [1, np.inf]}, r"^Wk\[0\]\[1\] is inf"),
    "b has NaN": (THREE | {"bv": [1, NAN]}, r"^bv\[1\] is nan"),
    "two of three W": ({"Wq": W, "Wk": W}, r"^Wq, Wk and Wv must be given all three"),
    "Wq does not multiply": (
        THREE | {"Wq": np.ones((2, 2))},
        r"^Wq \(2, 2\) must have as many rows as X \(4, 3\) has columns, 3\.",
    ),
    "Wk against context": (
        THREE | {"context": np.ones((5, 2))},
        r"^Wk \(3, 2\) must have as many rows as context \(5, 2\) has columns, 2\.",
    ),
    "Wv with heads": (
        {"Wq": np.ones((2, 3, 2)), "Wk": np.ones((2, 3, 2)), "Wv": np.ones((2, 4, 2))},
        r"^Wv \(2, 4, 2\) must have as many rows as X \(4, 3\)",
    ),
    "d_k differ": (THREE | {"Wk": np.ones((3, 4))}, r"^Wq \(3, 2\) and Wk \(3, 4\).*d_k"),
    "heads differ": (
        THREE | {"Wv": np.ones((2, 3, 2))},
        r"^Wq \(3, 2\) and Wv \(2, 3, 2\).*heads",
    ),
    "W has four dimensions": (THREE | {"Wq": np.ones((1, 1, 3, 2))}, r"^Wq must have two dim"),
    "bias shape": (THREE | {"bq": np.ones(3)}, r"^bq \(3,\) must have shape \(2,\).*Wq \(3, 2\)"),
    "bias heads": (THREE | {"bk": np.ones((2, 2))}, r"^bk \(2, 2\) must have shape .*Wk \(3, 2\)"),
    "bias without W": ({"bv": np.ones(3)}, r"^bv needs a Wv"),
    "context alone": ({"context": np.ones((5, 2))}, r"^context \(5, 2\).*as X \(4, 3\)"),
    "context of a batch": (
        {"context": np.ones((2, 5, 3))},
        r"^context \(2, 5, 3\) and X \(4, 3\)",
    ),
    "batches differ": (
        {"X": np.ones((2, 4, 3)), "context": np.ones((3, 5, 3))},
        r"^context \(3, 5, 3\) and X \(2, 4, 3\).*number of sequences",
    ),
    "Wo does not multiply": (THREE | {"Wo": W}, r"^Wo \(3, 2\) must have as many rows.* 2\."),
    "bo without Wo": (THREE | {"bo": np.ones(2)}, r"^bo needs a Wo"),
    "bo shape": (THREE | {"Wo": np.eye(2), "bo": [1]}, r"^bo \(1,\) must .* Wo \(2, 2\)"),
    "mask word": ({"mask": "casual"}, r'^mask must be "none", "causal" or a bool array'),
    "mask numbers": ({"mask": np.ones((4, 4))}, r"^mask must hold true and false only"),
    "mask ragged": ({"mask": [[True], [True, False]]}, r"^mask must be a table"),
    "mask shape": ({"mask": np.ones((4, 3), bool)}, r"^mask \(4, 3\) must .* \(4, 4\)"),
    "mask of a batch": ({"mask": np.ones((1, 4, 4), bool)}, r"^mask \(1, 4, 4\) must .* \(4, 4\)"),
    "scale word": ({"scale": "sqrt"}, r'^scale must be "sqrt_dk", "none" or a positive number'),
    "scale zero": ({"scale": 0}, r"^scale must be .* not 0\."),
    "scale negative": ({"scale": -2.0}, r"^scale must be .* not -2\.0\."),
    "scale NaN": ({"scale": NAN}, r"^scale must be .* not nan\."),
    "scale infinite": ({"scale": np.inf}, r"^scale must be .* not inf\."),
    "scale beyond float64": ({"scale": 10**400}, r"^scale must be"),
    "scale bool": ({"scale": True}, r"^scale must be .* not True\."),
    "scores overflow": ({"X": [[1e200]]}, r"^The numbers are too large: a score or value"),
    "scaled scores overflow": ({"X": [[1e100]], "scale": 1e-200}, r"^The numbers are too large"),
    "values overflow": (
        {"X": [[1e200]], "Wq": [[0.0]], "Wk": [[0.0]], "Wv": [[1e200]]},
        r"^The numbers are too large: a score or value",
    ),
    "output overflows": (
        {"X": [[1.0]], "Wq": [[1.0]], "Wk": [[1.0]], "Wv": [[1e200]], "Wo": [[1e200]]},
        r"^The numbers are too large: an output",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_wrong_argument_is_named_in_one_sentence(case):
    arguments, sentence = CASES[case]
    with pytest.raises(ValueError, match=sentence) as caught:
        attend(**({"X": X} | arguments))
    message = str(caught.value)
    assert message.endswith(".")
    assert "\n" not in message


def test_softmax_of_no_scores_at_all_is_empty():
    assert softmax(np.empty((3, 0))).shape == (3, 0)
