"""A worksheet: every step of its computation, what is given of it, and its key.

Rows of a matrix are tokens here, also where a sheet prints them as columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import product

import numpy as np

from explorer.session.scene import Options, Scene
from explorer.text import WORKSHEET, _, joined
from explorer.worksheets.choices import Choices, What
from explorer.worksheets.search import (
    ROOTS,
    E,
    Head,
    Numbers,
    exponents,
    found_numbers,
    power,
    rounded,
)

Place = Callable[[str, int, int], str]  # of a cell of a matrix: its address in a spreadsheet

_MASKED = "−∞"


@dataclass(frozen=True)
class Grid:
    """A matrix of a sheet.

    Attributes
    ----------
    key : str
        Its name in formulas, one of its own on each sheet, such as "Q" or "Q2" of the second head.
    title : str
        What stands above it.
    cells : tuple of tuple of Decimal or None
        None where a masked cell has no number.
    decimals : int
    rows, columns : tuple of str
        Names; empty strings for what has none.
    turned : bool
        Whether it is printed with rows and columns exchanged.
    formula : callable or None
        The formula of a cell (row, column, and where cells of other matrices stand) in a
        spreadsheet; None of what is given.
    """

    key: str
    title: str
    cells: tuple[tuple[Decimal | None, ...], ...]
    decimals: int
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    turned: bool = False
    formula: Callable[[int, int, Place], str] | None = field(default=None, compare=False)

    @property
    def printed(self) -> tuple[tuple[str, ...], tuple[str, ...], tuple[tuple[str, ...], ...]]:
        """Names of rows, names of columns and texts, as they are printed."""
        texts = tuple(tuple(self.text(cell) for cell in row) for row in self.cells)
        if self.turned:
            return self.columns, self.rows, tuple(zip(*texts, strict=True))
        return self.rows, self.columns, texts

    def text(self, cell: Decimal | None) -> str:
        """Return a cell as it is printed."""
        if cell is None:
            return _MASKED
        return f"{rounded(cell, self.decimals):.{self.decimals}f}".replace("-", "−")


@dataclass(frozen=True)
class Step:
    """A step of the computation: what it is called, and the matrices to be filled in."""

    title: str
    grids: tuple[Grid, ...]

    @property
    def powers(self) -> bool:
        """Whether powers of e are needed for it."""
        return self.grids[0].key.startswith("E")


@dataclass(frozen=True)
class Mistake:
    """A wrong number that is often met, and what it comes from."""

    number: str
    meaning: str


@dataclass(frozen=True)
class Worksheet:
    """A worksheet and its key.

    Attributes
    ----------
    number : str
    choices : Choices
    tokens : tuple of str
    formulas : tuple of str
        Those of the head of the page.
    given : tuple of Grid
    steps : tuple of Step
    X : tuple of tuple of Decimal
    projections : tuple
        Wq, Wk and Wv of each head, whether they are printed or not.
    powers : tuple of (Decimal, Decimal)
        The printed table: exponents and powers; empty where a calculator is used.
    question, answer : str
        The last line, such as "likes looks most at" and "cat, 0.85"; empty without weights.
    mistakes : tuple of Mistake
    """

    number: str
    choices: Choices
    tokens: tuple[str, ...]
    formulas: tuple[str, ...]
    given: tuple[Grid, ...]
    steps: tuple[Step, ...]
    X: Numbers
    projections: tuple[tuple[Numbers, Numbers, Numbers], ...]
    powers: tuple[tuple[Decimal, Decimal], ...] = ()
    question: str = ""
    answer: str = ""
    mistakes: tuple[Mistake, ...] = ()


def made_sheet(choices: Choices, seed: int, copy: int = 1) -> Worksheet:
    """Return the sheet of a seed and copy. Raises Problem as `found_numbers`."""
    X, heads = found_numbers(choices, seed, copy)
    return _sheet(choices, choices.number(seed, copy), X, heads)


def sheet_scene(sheet: Worksheet) -> Scene:
    """Return a sheet as a scene; a second head has columns of its own."""

    def array(numbers: Numbers) -> np.ndarray:
        return np.array([[float(cell) for cell in row] for row in numbers])

    Wq, Wk, Wv = (
        np.stack([array(W) for W in each]) for each in zip(*sheet.projections, strict=True)
    )
    return Scene(
        tokens=sheet.tokens,
        X=array(sheet.X),
        Wq=Wq,
        Wk=Wk,
        Wv=Wv,
        options=Options(mask="causal" if sheet.choices.mask else "none"),
        title=WORKSHEET.format(number=sheet.number),
    )


def _mark(head: int, heads: int) -> str:
    return "" if heads == 1 else str(head + 1)


def _sheet(choices: Choices, number: str, X: Numbers, heads: Sequence[Head]) -> Worksheet:
    tokens = _tokens(choices.tokens)
    grids = [
        dict(_grids(choices, tokens, head, _mark(h, len(heads)))) for h, head in enumerate(heads)
    ]
    x = Grid("X", "X", X, choices.decimals, tokens, ("",) * choices.width, choices.columns)
    given: list[Grid] = [x]
    steps: list[Step] = []
    what, root = choices.what, ROOTS[choices.width]
    scores = _("Scores, then divided by √{d} ≈ {root}, to one decimal").format(
        d=choices.width, root=root
    )
    shares = (
        _("Softmax: powers of e from the table, the sum of each row, the weights")
        if choices.table
        else _("Softmax: powers of e to two decimals, the sum of each row, the weights")
    )
    for made in grids:
        if what in (What.SCORES, What.ALL):
            names = ("Wq", "Wk") if what is What.SCORES else ("Wq", "Wk", "Wv")
            given += (made[name] for name in names)
            title = _("Queries and keys") if what is What.SCORES else _("Queries, keys and values")
            steps.append(Step(title, tuple(made[name[1].upper()] for name in names)))
            steps.append(Step(scores, (made["raw"], made["S"])))
        if what is What.SOFTMAX:
            given.append(made["S"])
        if what in (What.SOFTMAX, What.ALL):
            steps.append(Step(shares, (made["E"], made["sum"], made["A"])))
        if what is What.OUTPUT:
            given += (made["A"], made["V"])
        if what in (What.OUTPUT, What.ALL):
            steps.append(
                Step(
                    _("Output O = A V") if not choices.columns else _("Output O = V Aᵀ"),
                    (made["O"],),
                )
            )
    if what in (What.SOFTMAX, What.OUTPUT):
        given.remove(x)
    weights = what in (What.SOFTMAX, What.ALL)
    query, key, share = _leading(heads[0])
    asks = _("{token} looks most at") if len(heads) == 1 else _("in head 1, {token} looks most at")
    return Worksheet(
        number=number,
        choices=choices,
        tokens=tokens,
        formulas=_formulas(choices),
        given=tuple(given),
        steps=tuple(steps),
        X=X,
        projections=tuple((head.Wq, head.Wk, head.Wv) for head in heads),
        powers=tuple((s, power(s, True)) for s in exponents(heads))
        if weights and choices.table
        else (),
        question=asks.format(token=tokens[query]) if weights else "",
        answer=joined((tokens[key], str(share))) if weights else "",
        mistakes=tuple(_mistakes(choices, tokens, heads[0], query, key)) if weights else (),
    )


def _tokens(count: int) -> tuple[str, ...]:
    return (_("cat"), _("likes"), _("fish"), _("cloud"))[:count]


def _formulas(choices: Choices) -> tuple[str, ...]:
    root = f"√{choices.width}"
    if choices.columns:
        output, scores, projections = f"O = V softmax( QᵀK ÷ {root} )ᵀ", "QᵀK", "{0} = W{1} X"
    else:
        output, scores, projections = f"O = softmax( QKᵀ ÷ {root} ) V", "QKᵀ", "{0} = X W{1}"
    both = ", ".join(projections.format(name, name.lower()) for name in "QKV")
    return {
        What.ALL: (output, both),
        What.SCORES: (f"S = {scores} ÷ {root}", ", ".join(both.split(", ")[:2])),
        What.SOFTMAX: ("A = softmax( S )",),
        What.OUTPUT: ("O = V Aᵀ" if choices.columns else "O = A V",),
    }[choices.what]


def _grids(
    choices: Choices, tokens: tuple[str, ...], head: Head, mark: str
) -> Iterator[tuple[str, Grid]]:
    """Yield the matrices of a head by name."""
    width, turned, decimals = choices.width, choices.columns, choices.decimals
    nobody, dims = ("",) * width, range(width)
    root = ROOTS[width]
    scores = f"Q{mark}ᵀK{mark}" if turned else f"Q{mark}K{mark}ᵀ"

    def dot(
        a: str, b: str, pairs: Callable[[int, int], Iterator[tuple[int, int, int, int]]]
    ) -> Callable[[int, int, Place], str]:
        def formula(i: int, j: int, at: Place) -> str:
            terms = (
                f"{at(a + mark if a != 'X' else a, r, c)}*{at(b + mark, s, t)}"
                for r, c, s, t in pairs(i, j)
            )
            return "+".join(terms)

        return formula

    for name in "QKV":
        yield (
            f"W{name.lower()}",
            Grid(
                f"W{name.lower()}{mark}",
                f"W{name.lower()}{mark}",
                getattr(head, f"W{name.lower()}"),
                decimals,
                nobody,
                nobody,
                turned,
            ),
        )
        yield (
            name,
            Grid(
                f"{name}{mark}",
                f"{name}{mark}",
                getattr(head, name),
                2 * decimals,
                tokens,
                nobody,
                turned,
                dot("X", f"W{name.lower()}", lambda i, j: ((i, k, k, j) for k in dims)),
            ),
        )
    raw = dot("Q", "K", lambda i, j: ((i, k, j, k) for k in dims))
    yield (
        "raw",
        Grid(
            f"raw{mark}",
            scores,
            head.raw,
            2 * decimals,
            tokens,
            tokens,
            False,
            lambda i, j, at: f"ROUND({raw(i, j, at)},{2 * decimals})",
        ),
    )
    yield (
        "S",
        Grid(
            f"S{mark}",
            f"S{mark} = {scores} ÷ √{width}" if choices.what is not What.SOFTMAX else f"S{mark}",
            head.S,
            1,
            tokens,
            tokens,
            False,
            lambda i, j, at: f"ROUND({at(f'raw{mark}', i, j)}/{root},1)",
        ),
    )
    base = f"{E}^" if choices.table else "EXP"
    yield (
        "E",
        Grid(
            f"E{mark}",
            _("e to the power of s"),
            head.E,
            2,
            tokens,
            tokens,
            False,
            lambda i, j, at: (
                "0" if head.S[i][j] is None else f"ROUND({base}({at(f'S{mark}', i, j)}),2)"
            ),
        ),
    )
    yield (
        "sum",
        Grid(
            f"sum{mark}",
            _("sum"),
            tuple((each,) for each in head.total),
            2,
            tokens,
            ("",),
            False,
            lambda i, _j, at: "+".join(at(f"E{mark}", i, k) for k in range(len(tokens))),
        ),
    )
    yield (
        "A",
        Grid(
            f"A{mark}",
            f"A{mark}",
            head.A,
            2,
            tokens,
            tokens,
            False,
            lambda i, j, at: f"ROUND({at(f'E{mark}', i, j)}/{at(f'sum{mark}', i, 0)},2)",
        ),
    )
    output = dot("A", "V", lambda i, j: ((i, k, k, j) for k in range(len(tokens))))
    yield (
        "O",
        Grid(
            f"O{mark}",
            f"O{mark}",
            head.O,
            2,
            tokens,
            nobody,
            turned,
            lambda i, j, at: f"ROUND({output(i, j, at)},2)",
        ),
    )


def _leading(head: Head) -> tuple[int, int, Decimal]:
    """Return the query, key and weight of the pair asked for: of two tokens, where it can be.

    A query that sees one key alone is not asked: there would be nothing to compute.
    """
    A = head.A
    asked = [i for i, row in enumerate(head.S) if sum(score is not None for score in row) > 1]
    pairs = [(i, j) for i, j in product(asked, range(len(A))) if A[i][j] == max(A[i])]
    query, key = max(pairs, key=lambda pair: (pair[0] != pair[1], A[pair[0]][pair[1]]))
    return query, key, A[query][key]


def _mistakes(
    choices: Choices, tokens: tuple[str, ...], head: Head, query: int, key: int
) -> Iterator[Mistake]:
    """Yield what the weight asked for becomes where a usual mistake is made."""
    right = head.A[query][key]
    seen = [j for j in range(len(tokens)) if head.S[query][j] is not None]

    def share(exponents: Sequence[Decimal]) -> Decimal:
        powers = [power(rounded(s, 1), choices.table) for s in exponents]
        return rounded(powers[seen.index(key)] / sum(powers), 2)

    row = [head.raw[query][j] for j in seen]
    column = sum((head.E[i][key] for i in range(len(tokens))), Decimal(0))
    found = {
        share(row): _("not divided by √{d}").format(d=choices.width),
        share([each / choices.width for each in row]): _("divided by {d}, not by √{d}").format(
            d=choices.width
        ),
        rounded(head.E[query][key] / column, 2): _("the column summed, not the row"),
        share([head.raw[j][query] / ROOTS[choices.width] for j in seen]): _(
            "query and key exchanged"
        ),
    }
    found.pop(right, None)
    for number, meaning in sorted(found.items()):
        yield Mistake(str(number).replace("-", "−"), meaning)
