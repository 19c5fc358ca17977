"""A scene as a LaTeX document: every stage's formula and matrices, and the selected cell derived.

It is compiled by pdflatex, or by xelatex where its texts have other than Western letters.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from explorer.attention import Variant, breakdown, breakdown_output
from explorer.exporters.markdown import rounded
from explorer.exporters.parts import NamedMatrix
from explorer.exporters.stages import stages_told
from explorer.exporters.tables import latex_escaped
from explorer.session import Array, Frame, Role
from explorer.text import _, of_example, plain_text

_LONGEST = 40  # letters of a token
_MOST_TERMS = 12  # of a sum
_SYMBOLS = {
    "context": "C",
    "angles": r"\theta",
    "Q'": "Q'",
    "K'": "K'",
    "X + P": "X + P",
    "raw": r"Q K^{\top}",
    "scores": "S",
    "weights": "A",
    "head_output": "O",
    "output": "Y",
}
_SIGNS = str.maketrans(
    {"’": "'", "‘": "`", "“": "``", "”": "''", "−": "$-$", "…": r"\dots{}", "√": r"$\surd$"}
)
_LAST_WESTERN = "\xff"
_BEGIN = r"""\documentclass[a4paper]{article}
%s\usepackage[margin=2cm]{geometry}
\usepackage{amsmath,amssymb,graphicx}
\setcounter{MaxMatrixCols}{1024}
\setlength{\parindent}{0pt}
%% As wide as it is, or as the page where it is wider.
\newcommand{\fit}[1]{%%
    \[\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{$\displaystyle #1$}\]}
\begin{document}
"""


def latex(frame: Frame) -> str:
    """Return the document of a frame's scene; numbers are rounded."""
    body = "".join(f"{line}\n" for line in _body(frame))
    western = max(body, default="") <= _LAST_WESTERN
    program = "pdflatex" if western else "xelatex"
    fonts = "" if western else "\\usepackage[UTF8, scheme=plain]{ctex}\n"
    return f"% !TeX program = {program}\n{_BEGIN % fonts}{body}\\end{{document}}\n"


def _body(frame: Frame) -> Iterator[str]:
    scene = frame.scene
    if scene.title:
        yield rf"\section*{{{_said(of_example(scene.title))}}}"
    yield ", ".join(rf"{i}:~{_said(token)}" for i, token in enumerate(scene.tokens, start=1))
    if scene.context is not None:
        yield ""
        yield ", ".join(
            rf"{i}:~{_said(token)}" for i, token in enumerate(scene.key_tokens, start=1)
        )
    for told in stages_told(frame):
        yield ""
        yield rf"\subsection*{{{_said(told.heading)}}}"
        yield _said(told.sentence)
        if told.formula:
            yield rf"\[ {told.formula} \]"
        for part in told.parts:
            yield rf"\fit{{{_symbol(part)} = {_matrix(part.array)}}}"
    derived = list(_derivation(frame))
    if derived:
        yield ""
        heading = _("The selected cell")
        yield rf"\subsection*{{{_said(heading)}}}"
        yield from derived


def _symbol(part: NamedMatrix) -> str:
    name = part.name
    symbol = _SYMBOLS.get(name, name if len(name) == 1 else f"{name[0]}_{name[1]}")
    if part.heads < 2:
        return symbol
    return rf"{symbol if len(symbol) < 4 else f'({symbol})'}^{{({part.head})}}"


def _matrix(array: Array) -> str:
    rows = r" \\ ".join(" & ".join(map(_number, row)) for row in array.tolist())
    return rf"\begin{{bmatrix}} {rows} \end{{bmatrix}}"


def _derivation(frame: Frame) -> Iterator[str]:
    """Yield what the selected cell comes from; nothing where none is selected."""
    thing, attention = frame.selection, frame.attention
    if thing is None:
        return
    head = frame.look.head
    match thing.role:
        case Role.O if thing.query is not None and thing.column is not None:
            made = breakdown_output(attention, thing.query, thing.column, head)
            factor = "" if made.output_factor == 1 else rf"{_number(made.output_factor)} \cdot "
            terms = _sum(zip(made.weights, made.values, strict=True))
            name = f"o_{{{thing.query + 1},{thing.column + 1}}}"
            yield rf"\fit{{{name} = {factor}({terms}) = {_number(made.total)}}}"
        case Role.Q | Role.K | Role.V:
            row = thing.query if thing.role is Role.Q else thing.key
            if row is not None and thing.column is not None:
                yield from _projected(frame, thing.role, row, thing.column)
        case _ if thing.pair is not None and not thing.in_weights:
            yield from _pair(frame, *thing.pair)


def _projected(frame: Frame, role: Role, row: int, column: int) -> Iterator[str]:
    scene, attention, head = frame.scene, frame.attention, frame.look.head
    entered = attention.projected is not None and role is not Role.V
    mixed = scene.options.variant is Variant.HEADS_MIXED
    if not scene.projected or scene.given or entered or mixed:
        return
    letter = role.value.lower()
    source = attention.X if role is Role.Q else attention.context
    W, bias = scene.per_head(f"W{letter}"), scene.per_head(f"b{letter}")
    assert W is not None
    terms = _sum(zip(source[row], W[head][:, column], strict=True))
    added = "" if bias is None else f" + {_bracketed(float(bias[head][column]))}"
    total = getattr(attention, role.value)[head][row, column]
    name = f"{letter}_{{{row + 1},{column + 1}}}"
    yield rf"\fit{{{name} = {terms}{added} = {_number(total)}}}"


def _pair(frame: Frame, query: int, key: int) -> Iterator[str]:
    scene = frame.scene
    made = breakdown(frame.attention, query, key, frame.look.head)
    i, j = query + 1, key + 1
    turned = "" if scene.options.rotary is None else "'"
    q, k = f"q{turned}_{{{i}}}", f"k{turned}_{{{j}}}"
    yield _said(
        _("What {query} takes from {key}:").format(
            query=scene.tokens[query], key=scene.key_tokens[key]
        )
    )
    yield rf"\fit{{{q} = {_vector(made.q)} \qquad {k} = {_vector(made.k)}}}"
    terms = _sum(zip(made.q, made.k, strict=True))
    yield rf"\fit{{{q} \cdot {k} = {terms} = {_number(made.raw)}}}"
    score = f"s_{{{i},{j}}} = "
    if made.masked:
        yield rf"\fit{{{score}{_number(made.score)}}}"
    elif math.isinf(made.divisor):
        yield rf"\fit{{{score}0}}"
    else:
        over = rf"\frac{{{_number(made.raw)}}}{{{_number(made.divisor)}}}"
        yield rf"\fit{{{score}{over} = {_number(made.score)}}}"
    weight = f"a_{{{i},{j}}}"
    if made.masked or made.row_sum == 0:
        yield rf"\fit{{{weight} = 0}}"
    else:
        # Of large scores the largest is taken from all first, as the program does it.
        less = "" if made.shift == 0 else f" - {_bracketed(made.shift)}"
        powers = " + ".join(
            f"e^{{{_number(score)}{less}}}"
            for score in _few([score for score in made.row_scores if np.isfinite(score)])
        )
        if np.isfinite(made.row_scores).sum() > _MOST_TERMS:
            powers += r" + \cdots"
        over = rf"\frac{{e^{{{_number(made.score)}{less}}}}}{{{powers}}}"
        divided = (
            ""
            if made.weight_divisor == 1
            else rf" \cdot \frac{{1}}{{{_number(made.weight_divisor)}}}"
        )
        yield rf"\fit{{{weight} = {over}{divided} = {_number(made.weight)}}}"
    factor = "" if made.output_factor == 1 else rf"{_number(made.output_factor)} \cdot "
    yield (
        rf"\fit{{{factor}{weight}\, v_{{{j}}} = {factor}{_number(made.weight)} \cdot"
        rf" {_vector(made.v)} = {_vector(made.adds)}}}"
    )


def _few(values: Sequence[float]) -> Sequence[float]:
    return values[:_MOST_TERMS]


def _sum(pairs: Iterator[tuple[float, float]] | zip[tuple[float, float]]) -> str:
    terms = [rf"{_bracketed(a)} \cdot {_bracketed(b)}" for a, b in pairs]
    return " + ".join(terms[:_MOST_TERMS]) + (r" + \cdots" if len(terms) > _MOST_TERMS else "")


def _vector(values: Array) -> str:
    return f"({', '.join(map(_number, values.tolist()))})"


def _bracketed(value: float) -> str:
    number = _number(float(value))
    return f"({number})" if number.startswith("-") else number


def _number(value: float) -> str:
    return rounded(float(value)).replace("∞", r"\infty")


def _said(text: str) -> str:
    return latex_escaped(plain_text(text)).translate(_SIGNS)
