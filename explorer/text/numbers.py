"""Numbers as people type them and as the program writes them."""

from __future__ import annotations

import math
import re

MINUS = "\u2212"
LARGEST = 1e50  # the largest magnitude a scene may hold

_DIGITS = r"(?:\d+(?:[.,]\d*)?|[.,]\d+)"
_NUMBER = re.compile(rf"[+-]?{_DIGITS}(?:e[+-]?\d{{1,4}})?\Z", re.ASCII | re.IGNORECASE)
_GROUPED = re.compile(r"[+-]?\d{1,3}(?:[.,' ]\d{3})+(?:[.,]\d*)?\Z", re.ASCII)
# One comma and three digits: a decimal comma (1.234) or a thousands separator (1234)?
_ONE_COMMA = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}\Z", re.ASCII)


class NotANumber(ValueError):
    """The text is not a number a cell can hold."""


class Ambiguous(NotANumber):
    """The text can be read as more than one number, so the person is asked.

    Attributes
    ----------
    readings : tuple of float
        What it may mean, the likelier first.
    """

    def __init__(self, readings: tuple[float, ...]) -> None:
        super().__init__(readings)
        self.readings = readings


def parse_number(text: str) -> float:
    """Return the number a person typed: 0.5, 0,5, -0.8 with either minus, -8e-1 or 1/3.

    Raises
    ------
    Ambiguous
        When separators allow two readings, as in `1,234.5`.
    NotANumber
        When it is no number, not finite, or beyond ±1e50.
    """
    plain = text.strip().replace(MINUS, "-").replace("\u2013", "-").replace("\uff0d", "-")
    numerator, slash, denominator = plain.partition("/")
    if slash:
        below = _parse_plain(denominator.strip())
        if below == 0:
            raise NotANumber(text)
        return _checked(_parse_plain(numerator.strip()) / below, text)
    return _checked(_parse_plain(plain), text)


def _parse_plain(text: str) -> float:
    if _ONE_COMMA.match(text):
        raise Ambiguous((float(text.replace(",", ".")), float(text.replace(",", ""))))
    if _NUMBER.match(text):
        return float(text.replace(",", "."))
    if _GROUPED.match(text):
        raise Ambiguous(_readings(text))
    raise NotANumber(text)


def _readings(text: str) -> tuple[float, ...]:
    """Return the numbers that a text with several separators may mean, the likelier first."""
    last = max(text.rfind("."), text.rfind(","))
    whole = float(re.sub(r"[.,' ]", "", text))
    if last < 0:
        return (whole,)
    decimal = float(re.sub(r"[.,' ]", "", text[:last]) + "." + text[last + 1 :] + "0")
    return (decimal, whole)


def _checked(value: float, text: str) -> float:
    if not math.isfinite(value) or abs(value) > LARGEST:
        raise NotANumber(text)
    return value


def display_number(value: float, decimals: int) -> str:
    """Return `value` for the screen: fixed decimals, U+2212 for minus, no negative zero.

    Numbers too large or too small for that many decimals are written as `1.2e9`, `3.0e−7`.
    """
    return ascii_number(value, decimals).replace("-", MINUS)


def ascii_number(value: float, decimals: int) -> str:
    """Return `value` as `display_number` does, with the ASCII hyphen that other programs read."""
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    magnitude = abs(value)
    if magnitude >= 1e6 or (0 < magnitude < 0.5 * 10.0**-decimals and magnitude < 1e-4):
        mantissa, _, exponent = f"{value:.1e}".partition("e")
        return f"{mantissa}e{int(exponent)}"
    text = f"{value:.{decimals}f}"
    return text[1:] if text.startswith("-") and not text.strip("-0.") else text


def full_number(value: float) -> str:
    """Return `value` with every digit that tells it apart (shortest text that reads back)."""
    return repr(float(value)).replace("-", MINUS)


def decimal_places(value: float, most: int, least: int = 1) -> int:
    """Return how many decimals `value` needs to be shown exactly, between `least` and `most`."""
    for places in range(least, most):
        if abs(round(value, places) - value) <= 1e-12 * max(1.0, abs(value)):
            return places
    return most
