"""The numbers of a worksheet, found by search, and every step of its computation.

All arithmetic is decimal and rounded as on paper: halves away from zero, as spreadsheets do. Rows
of a matrix are tokens here, also where a sheet prints them as columns.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from itertools import product

import numpy as np

from explorer.session.scene import Options, Scene
from explorer.text import N_, Problem, _
from explorer.worksheets.choices import Choices, What

Numbers = tuple[tuple[Decimal, ...], ...]
Place = Callable[[str, int, int], str]  # of a cell of a matrix: its address in a spreadsheet

E = Decimal("2.72")
ROOTS = {2: Decimal("1.41"), 3: Decimal("1.73")}
LEAD = Decimal("0.05")  # by which one weight of each row is the largest
_LEAST, _MOST = Decimal(-2), Decimal(4)  # scores
_POWERS = 6  # different ones of a head at most, where they are looked up in a table
_DRAWS = 200
_TRIES = 100_000
_MASKED = "−∞"


def rounded(value: Decimal, decimals: int) -> Decimal:
    """Return a number with so many decimals, halves away from zero; never −0."""
    made = value.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
    return made if made else abs(made)


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


@dataclass(frozen=True)
class Mistake:
    """A wrong number that is often met, and what it comes from."""

    number: str
    meaning: str


@dataclass(frozen=True)
class Sheet:
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


@dataclass(frozen=True)
class _Head:
    """One head's numbers; None where a cell is masked."""

    Wq: Numbers
    Wk: Numbers
    Wv: Numbers
    Q: Numbers
    K: Numbers
    V: Numbers
    raw: Numbers
    S: tuple[tuple[Decimal | None, ...], ...]
    E: Numbers
    total: tuple[Decimal, ...]
    A: Numbers
    O: Numbers  # noqa: E741 - the blackboard's letter


def made_sheet(choices: Choices, seed: int, copy: int = 1) -> Sheet:
    """Return the sheet of a seed and copy: the same one on every computer.

    Its numbers hold these rules: scores lie in −2 to 4; a printed table of powers has at most six
    a head; rounded rows of A sum to 1.00; one weight of each row leads by .05; no two tokens are
    alike, and no column of a W is empty.

    Raises Problem where no such numbers are found.
    """
    # `random` of the standard library promises the same numbers in every version.
    draw = random.Random((seed * 1000 + copy) * 10_000 + choices.code).random
    tries = _TRIES  # heads that are drawn at most
    while tries > 0:
        tries -= 1
        X = _drawn(draw, choices.tokens, choices.width, choices)
        if len(set(X)) < len(X) or not all(map(any, X)):
            continue
        heads: list[_Head] = []
        for _draw in range(1 if choices.heads == 1 else _DRAWS):  # a second head fits few tokens
            tries -= 1
            head = _head(draw, X, choices)
            if head is not None and len(_exponents([*heads, head])) <= _most_powers(choices):
                heads.append(head)
            if len(heads) == choices.heads:
                return _sheet(choices, choices.number(seed, copy), X, heads)
    raise Problem(
        N_("No such numbers are found: allow one decimal, fewer tokens, or a calculator.")
        if not choices.decimals
        else N_("No such numbers are found: take fewer tokens or dimensions, or a calculator.")
    )


def sheet_scene(sheet: Sheet) -> Scene:
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
        title=_("Worksheet {number}").format(number=sheet.number),
    )


# --- the search ----------------------------------------------------------------------------------


def _drawn(draw: Callable[[], float], rows: int, columns: int, choices: Choices) -> Numbers:
    least, many = (-15, 31) if choices.decimals else (-1, 4)
    return tuple(
        tuple(Decimal(least + int(draw() * many)).scaleb(-choices.decimals) for _ in range(columns))
        for _ in range(rows)
    )


def _head(draw: Callable[[], float], X: Numbers, choices: Choices) -> _Head | None:
    """Return a head with friendly numbers, or None where those drawn are not."""
    width = choices.width
    Wq, Wk, Wv = (_drawn(draw, width, width, choices) for _name in "qkv")
    if Wq == Wk or not all(all(map(any, zip(*W, strict=True))) for W in (Wq, Wk, Wv)):
        return None
    Q, K, V = (_product(X, W) for W in (Wq, Wk, Wv))
    transposed = tuple(zip(*K, strict=True))
    raw = tuple(
        tuple(rounded(cell, 2 * choices.decimals) for cell in row)
        for row in _product(Q, transposed)
    )
    S = []
    for i, row in enumerate(raw):
        scores: list[Decimal | None] = []
        for j, cell in enumerate(row):
            score = rounded(cell / ROOTS[width], 1)
            seen = not choices.mask or j <= i
            if seen and not _LEAST <= score <= _MOST:
                return None
            scores.append(score if seen else None)
        S.append(tuple(scores))
    powers = tuple(
        tuple(Decimal(0) if s is None else power(s, choices.table) for s in row) for row in S
    )
    total = tuple(sum(row, Decimal(0)) for row in powers)
    A = tuple(
        tuple(rounded(p / whole, 2) for p in row) for row, whole in zip(powers, total, strict=True)
    )
    for row in A:
        first, second = sorted(row)[-1:-3:-1]
        if sum(row) != 1 or first - second < LEAD:
            return None
    O = tuple(tuple(rounded(cell, 2) for cell in row) for row in _product(A, V))  # noqa: E741
    return _Head(Wq, Wk, Wv, Q, K, V, raw, tuple(S), powers, total, A, O)


def power(exponent: Decimal, table: bool) -> Decimal:
    """Return e to a power with two decimals: of e ≈ 2.72 where it comes from the printed table."""
    return rounded(E**exponent if table else exponent.exp(), 2)


def _product(a: Numbers, b: Numbers) -> Numbers:
    return tuple(
        tuple(
            sum((x * y for x, y in zip(row, column, strict=True)), Decimal(0)) for column in turned
        )
        for turned in [tuple(zip(*b, strict=True))]
        for row in a
    )


def _exponents(heads: Sequence[_Head]) -> list[Decimal]:
    return sorted({s for head in heads for row in head.S for s in row if s is not None})


def _most_powers(choices: Choices) -> int:
    """Return how many different powers there may be."""
    if not choices.table or choices.what in (What.SCORES, What.OUTPUT):
        return choices.heads * choices.tokens**2
    # Numbers with a decimal hardly ever give the same score twice.
    return choices.heads * (choices.tokens**2 if choices.decimals else _POWERS)


# --- the sheet -----------------------------------------------------------------------------------


def _mark(head: int, heads: int) -> str:
    return "" if heads == 1 else str(head + 1)


def _sheet(choices: Choices, number: str, X: Numbers, heads: Sequence[_Head]) -> Sheet:
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
    query, key, share = _leading(heads[0].A)
    asks = _("{token} looks most at") if len(heads) == 1 else _("in head 1, {token} looks most at")
    return Sheet(
        number=number,
        choices=choices,
        tokens=tokens,
        formulas=_formulas(choices),
        given=tuple(given),
        steps=tuple(steps),
        X=X,
        projections=tuple((head.Wq, head.Wk, head.Wv) for head in heads),
        powers=tuple((s, power(s, True)) for s in _exponents(heads))
        if weights and choices.table
        else (),
        question=asks.format(token=tokens[query]) if weights else "",
        answer=f"{tokens[key]}, {share}" if weights else "",
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
    choices: Choices, tokens: tuple[str, ...], head: _Head, mark: str
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


def _leading(A: Numbers) -> tuple[int, int, Decimal]:
    """Return the query, key and weight of the pair asked for: of two tokens, where it can be."""
    pairs = [(i, j) for i, j in product(range(len(A)), repeat=2) if A[i][j] == max(A[i])]
    query, key = max(pairs, key=lambda pair: (pair[0] != pair[1], A[pair[0]][pair[1]]))
    return query, key, A[query][key]


def _mistakes(
    choices: Choices, tokens: tuple[str, ...], head: _Head, query: int, key: int
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
