"""What the arrows beside a parameter do: the next value that it can have."""

from __future__ import annotations

import math

import numpy as np

from explorer.text import NotANumber, parse_number
from explorer.traces import LIMITS, Config

_LADDER = (1.0, 1.5, 2.0, 3.0, 5.0, 7.0)  # times a power of ten
_BY_ONE = ("seed", "layers")


def parameter_text(config: Config, field: str) -> str:
    """Return a parameter as it is typed; empty for one that is left to the program."""
    value = getattr(config, field)
    if isinstance(value, float):
        return np.format_float_positional(value, trim="-")
    return "" if value is None else str(value)


def stepped(config: Config, field: str, typed: str, up: bool, whole: int) -> str:
    """Return the parameter's next value above or below what is typed, as it would be typed.

    Parameters
    ----------
    config : Config
        Heads divide D Model, so each of these two moves to the next value that fits the other.
        Where `typed` is no number, its value counts.
    field : str
        A number among the parameters.
    whole : int
        The sentences of the corpus: what an empty batch size stands for.
    """
    value = _number(config, field, typed, whole)
    limit = LIMITS[field]
    if field == "d_model":
        after = _multiple(value, config.heads, up)
    elif field == "heads":
        fitting = [n for n in range(1, int(limit.most) + 1) if config.d_model % n == 0]
        after = _next(fitting, value, up)
    elif field in _BY_ONE:
        after = value + (1 if up else -1)
    elif field == "dropout":
        after = round(value + (0.1 if up else -0.1), 1)
    else:
        after = _next(_rungs(value, field == "learning_rate"), value, up)
    after = min(max(after, limit.least), limit.most)
    return np.format_float_positional(after, trim="-", precision=12)


def _number(config: Config, field: str, typed: str, whole: int) -> float:
    try:
        value = parse_number(typed)
    except NotANumber:
        value = getattr(config, field)
        if value is None:
            value = whole if field == "batch_size" else config.feed_forward_width
    limit = LIMITS[field]
    return float(min(max(value, limit.least), limit.most))


def _multiple(value: float, of: int, up: bool) -> float:
    least = of * math.ceil(LIMITS["d_model"].least / of)
    after = math.floor(value / of + 1) * of if up else math.ceil(value / of - 1) * of
    return max(after, least)


def _rungs(value: float, fractions: bool) -> list[float]:
    power = math.floor(math.log10(value))
    rungs = [
        round(rung * 10.0**exponent, 12)
        for exponent in range(power - 1, power + 2)
        for rung in _LADDER
    ]
    return [rung for rung in rungs if fractions or (rung >= 1 and rung == int(rung))]


def _next(ascending: list[float] | list[int], value: float, up: bool) -> float:
    beyond = [each for each in ascending if (each > value if up else each < value)]
    if not beyond:
        return value
    return beyond[0] if up else beyond[-1]
