"""One cell spelled out: the terms of a score, its softmax, and an output as a weighted sum.

Every number shown is read from the arrays of the Attention, never computed a second time.
"""

import operator
from dataclasses import dataclass

import numpy as np

from explorer.attention.arrays import Floats, read_only
from explorer.attention.result import Attention
from explorer.attention.variants import source_of_row

# Nearer to zero, float64 holds ever fewer digits of an exponential, and at last none.
_SMALLEST = 1e-290


@dataclass(frozen=True, eq=False)
class Breakdown:
    """How one weight, and what it adds to the head's output, comes about; arrays are read-only.

    weight = exponentials[key] / row_sum / weight_divisor, exponentials = e^(row_scores − shift),
    and adds = output_factor · weight · v. Both factors are 1.0 but in some of the mistakes.

    q, k : (d_k,); the query's and the key's vector
    products : (d_k,); q · k term by term, adding up to raw
    raw, divisor, score : score = raw / divisor, or -inf where masked; the divisor is infinite,
        and the score 0, in a plain average
    masked : whether the query may not attend to this key
    row_scores : (S,); the query's scores, -inf where masked
    row_max : the largest of them, -inf where every key is masked
    exponentials : (S,)
    row_sum : their sum, 0.0 where every key is masked
    shift : 0.0 where plain exponentials are within float64, else row_max
    weight_divisor : what the softmax is divided by
    weight : the cell of `weights`
    v : (d_v,); the key's value
    output_factor : what the weighted sum is multiplied by
    adds : (d_v,); what the key adds to the query's head output
    query_source, key_source : (sequence, token, head of W) that q, and that k and v are made from:
        their own but where the heads are mixed
    """

    q: Floats
    k: Floats
    products: Floats
    raw: float
    divisor: float
    score: float
    masked: bool
    row_scores: Floats
    row_max: float
    exponentials: Floats
    row_sum: float
    shift: float
    weight_divisor: float
    weight: float
    v: Floats
    output_factor: float
    adds: Floats
    query_source: tuple[int, int, int]
    key_source: tuple[int, int, int]


@dataclass(frozen=True, eq=False)
class OutputBreakdown:
    """How one cell of a head's output comes about; arrays are read-only.

    weights : (S,); the query's row of weights
    values : (S,); the column of V
    terms : (S,); weights · values key by key
    output_factor : what their sum is multiplied by: 1.0 but in a mistake
    total : the cell of `head_output`, output_factor · the sum of the terms
    """

    weights: Floats
    values: Floats
    terms: Floats
    output_factor: float
    total: float


def breakdown(
    attention: Attention, query: int, key: int, head: int = 0, sequence: int = 0
) -> Breakdown:
    """Each step from the vectors of `query` and `key` to what the key adds to the output.

    Indices count from 0; raises IndexError, naming the index and its range, beyond them.
    """
    place = _place(attention, head, sequence)
    i = _index("query", query, attention.queries)
    j = _index("key", key, attention.keys)
    q, k, v = attention.Q[place][i], attention.K[place][j], attention.V[place][j]
    tables = attention.of_head(head, sequence)
    row_scores = tables.scores[i]
    score = float(row_scores[j])
    exponentials, row_sum, shift = row_exponentials(row_scores, tables.weights[i])
    weight = float(tables.weights[i, j])
    return Breakdown(
        q=q,
        k=k,
        products=read_only(q * k),
        raw=float(tables.raw[i, j]),
        divisor=attention.divisor,
        score=score,
        masked=score == -np.inf,
        row_scores=row_scores,
        row_max=float(row_scores.max()),
        exponentials=exponentials,
        row_sum=row_sum,
        shift=shift,
        weight_divisor=attention.weight_divisor,
        weight=weight,
        v=v,
        output_factor=attention.output_factor,
        adds=read_only(attention.output_factor * weight * v),
        query_source=_source(attention, head, i, attention.queries, sequence),
        key_source=_source(attention, head, j, attention.keys, sequence),
    )


def breakdown_output(
    attention: Attention, query: int, column: int, head: int = 0, sequence: int = 0
) -> OutputBreakdown:
    """The weighted sum behind one column of the head's output for `query`.

    Indices count from 0; raises IndexError, naming the index and its range, beyond them.
    """
    place = _place(attention, head, sequence)
    i = _index("query", query, attention.queries)
    c = _index("column", column, attention.d_v)
    tables = attention.of_head(head, sequence)
    weights = tables.weights[i]
    values = attention.V[place][:, c]
    return OutputBreakdown(
        weights=weights,
        values=values,
        terms=read_only(weights * values),
        output_factor=attention.output_factor,
        total=float(tables.head_output[i, c]),
    )


def row_exponentials(row_scores: Floats, weights: Floats) -> tuple[Floats, float, float]:
    """Return a row's exponentials, their sum, and the shift that keeps both within float64.

    Of scores and weights (S,): e^(scores − shift); the shift is 0.0 where plain ones are within it.
    """
    shift = 0.0
    with np.errstate(over="ignore", under="ignore"):
        exponentials = np.exp(row_scores)
        row_sum = float(exponentials.sum())
        vanishing = (exponentials < _SMALLEST) & (weights >= _SMALLEST)
        if row_sum == np.inf or vanishing.any():
            shift = float(row_scores.max())
            exponentials = np.exp(row_scores - shift)
            row_sum = float(exponentials.sum())
    return read_only(exponentials), row_sum, shift


def _source(
    attention: Attention, head: int, row: int, tokens: int, sequence: int
) -> tuple[int, int, int]:
    sequences = attention.Q.shape[0] if attention.batched else 1
    return source_of_row(attention.variant, head, row, attention.heads, tokens, sequence, sequences)


def _place(attention: Attention, head: int, sequence: int) -> tuple[int, ...]:
    """The index of one head, of one sequence where there are several."""
    h = _index("head", head, attention.heads)
    s = _index("sequence", sequence, attention.Q.shape[0] if attention.batched else 1)
    return (s, h) if attention.batched else (h,)


def _index(name: str, value: int, count: int) -> int:
    index = operator.index(value)
    if not 0 <= index < count:
        raise IndexError(f"{name} {index} is outside the range 0 to {count - 1}.")
    return index
