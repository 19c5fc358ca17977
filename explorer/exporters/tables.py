"""A matrix as text for other programs: every digit, and the ASCII hyphen for minus."""

from __future__ import annotations

import re

from explorer.session import Array

_ESCAPED = str.maketrans(
    {
        **{c: "\\" + c for c in "&%$#_{}"},
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
    }
)


def as_table(name: str, array: Array) -> str:
    """Return tab-separated rows, as spreadsheets take them; the name is left out."""
    return "\n".join("\t".join(map(repr, row)) for row in array.tolist()) + "\n"


def as_numpy(name: str, array: Array) -> str:
    """Return an assignment of a NumPy array, one row a line."""
    return _assignment(name, array, "np", "array")


def as_pytorch(name: str, array: Array) -> str:
    """Return an assignment of a PyTorch tensor of the same precision, one row a line."""
    return _assignment(name, array, "torch", "tensor", ", dtype=torch.float64")


def as_latex(name: str, array: Array) -> str:
    """Return a bmatrix equal to its name: X, W_q for Wq, other names upright and escaped."""
    if re.fullmatch(r"[A-Za-z][a-z]?", name):
        left = "_".join(name)
    else:
        left = rf"\mathrm{{{latex_escaped(name)}}}"
    rows = " \\\\\n".join("  " + " & ".join(map(_latex_number, row)) for row in array.tolist())
    return f"{left} = \\begin{{bmatrix}}\n{rows}\n\\end{{bmatrix}}\n"


def latex_escaped(text: str) -> str:
    """Return a text as LaTeX prints it."""
    return text.translate(_ESCAPED)


def _assignment(name: str, array: Array, library: str, maker: str, rest: str = "") -> str:
    identifier = re.sub(r"\W+|^(?=\d)", "_", name)
    start = f"{identifier} = {library}.{maker}(["
    rows = (",\n" + " " * len(start)).join(map(repr, array.tolist()))
    return start + rows.replace("inf", f"{library}.inf") + f"]{rest})\n"


def _latex_number(value: float) -> str:
    mantissa, exponent, power = repr(value).partition("e")
    if exponent:
        return f"{mantissa} \\times 10^{{{int(power)}}}"
    return mantissa.replace("inf", r"\infty")
