"""Numbers as people type them and as the program writes them."""

from __future__ import annotations

import math
import re

from explorer.text.messages import N_, Message, _

MINUS = "\u2212"
LARGEST = 1e50  # the largest magnitude a scene may hold

# Signs, digits and separators as other keyboards and programs write them.
_ASCII = str.maketrans(
    {
        **dict.fromkeys("\u2212\u2010\u2011\u2012\u2013\ufe63", "-"),
        **{chr(wide): chr(wide - 0xFEE0) for wide in range(0xFF01, 0xFF5F)},  # full-width forms
        **dict.fromkeys("\u00a0\u2009\u202f\u3000", " "),
    }
)

_DIGITS = r"(?:\d+(?:[.,]\d*)?|[.,]\d+)"
_NUMBER = re.compile(rf"[+-]?{_DIGITS}(?:e[+-]?\d{{1,4}})?\Z", re.ASCII | re.IGNORECASE)
_GROUPED = re.compile(r"[+-]?\d{1,3}(?:[.,' ]\d{3})+(?:[.,]\d*)?\Z", re.ASCII)
# One comma and three digits: a decimal comma (1.234) or a thousands separator (1234)?
_ONE_COMMA = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}\Z", re.ASCII)


class NotANumber(ValueError):
    """The text is not a number a cell can hold."""


class TooLarge(NotANumber):
    """The text is a number beyond ±1e50."""


class Ambiguous(NotANumber):
    """The text cannot be read as a number beyond doubt, so the person is asked.

    Attributes
    ----------
    readings : tuple of float
        What it may mean, the likelier first: at least one.
    """

    def __init__(self, readings: tuple[float, ...]) -> None:
        super().__init__(readings)
        self.readings = readings


_A_NUMBER = Message(N_("Type a number, for example 0.5"))
_SMALLER = Message(N_("Type a number between \u22121e50 and 1e50"))


def expected_instead(wrong: NotANumber) -> Message:
    """Return the sentence that says what was expected of a text."""
    return _SMALLER if isinstance(wrong, TooLarge) else _A_NUMBER


def parse_number(text: str) -> float:
    """Return the number a person typed: 0.5, 0,5, -0.8 with either minus, -8e-1 or 1/3.

    Raises
    ------
    Ambiguous
        When its separators may mean thousands, as in `1,234.5` or `1,234`.
    TooLarge
        When it is beyond ±1e50.
    NotANumber
        When it is no number.
    """
    numerator, slash, denominator = text.translate(_ASCII).partition("/")
    above = _readings(numerator.strip())
    below = _readings(denominator.strip()) if slash else (1.0,)
    if not above or not below or 0.0 in below:
        raise NotANumber(text)
    readings = tuple(dict.fromkeys(a / b for a in above for b in below))
    if not all(abs(value) <= LARGEST for value in readings):
        raise TooLarge(text)
    # Even one reading of several marks, as in 1,234.5, is no more than likely.
    several = any(part.count(",") + part.count(".") > 1 for part in (numerator, denominator))
    if several or len(readings) > 1:
        raise Ambiguous(readings)
    return readings[0]


def _readings(text: str) -> tuple[float, ...]:
    """Return what a text without a fraction may mean, the likelier first; nothing if no number."""
    if _ONE_COMMA.match(text):
        return float(text.replace(",", ".")), float(text.replace(",", ""))
    if _NUMBER.match(text):
        return (float(text.replace(",", ".")),)
    if _GROUPED.match(text):
        marks = [i for i, c in enumerate(text) if c in ".,"]
        first, last = (marks[0], marks[-1]) if marks else (-1, -1)
        if len(set(re.sub(r"[\d+-]", "", text))) > 1:  # different ones end in the point: 1,234.5
            return (_with_point(text, last),)
        # Equal ones mean thousands, unless who writes a decimal comma strayed into another.
        return tuple(dict.fromkeys((_with_point(text, -1), _with_point(text, first))))
    return ()


def _with_point(text: str, at: int) -> float:
    """Return the number in `text` with its decimal point at index `at` (-1: none)."""
    return float(
        "".join("." if i == at else c for i, c in enumerate(text) if i == at or c not in ".,' ")
    )


def display_number(value: float, decimals: int) -> str:
    """Return `value` for the screen: fixed decimals, U+2212 for minus, no negative zero.

    From a million on, and below 0.0001 where all decimals would be zero, it is written as `1.2e9`,
    `3.0e−7`.
    """
    return ascii_number(value, decimals).replace("-", MINUS).replace("inf", "∞")


def ascii_number(value: float, decimals: int) -> str:
    """Return `value` as `display_number` does, with the ASCII hyphen that other programs read."""
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
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
    near = 1e-12 * max(1.0, abs(value))
    for places in range(least, most):
        if abs(round(value, places) - value) <= near:
            return places
    return most


def display_weight(value: float, decimals: int = 3) -> str:
    """Return a number among others with as many decimals: “<.001” where all of them would be 0.

    So that numbers keep their order: none that is larger than another reads smaller.
    """
    if 0 < abs(value) < 0.5 * 10.0**-decimals:
        least = f".{'0' * (decimals - 1)}1"
        return f"<{least}" if value > 0 else f">{MINUS}{least}"
    return display_number(value, decimals)


def display_divisor(value: float, decimals: int) -> str:
    """Return what is divided by: with three digits that count where `decimals` would leave one."""
    if 1e-4 <= abs(value) < 10.0 ** (1 - decimals):
        decimals = 2 - math.floor(math.log10(abs(value)))
    return display_number(value, decimals)


# Beside a sign between two numbers, and before the last number of a point: (1, 0).
_TIED = re.compile(
    r" (?=[×·])|(?<=[×·=]) |(?<=\d) (?=÷)|(?<=÷) (?=[\d√])|(?<=\d,) (?=[−-]?[\d.]+\))"
)


def unbroken(text: str) -> str:
    """Return a text whose products, quotients and points never go over the end of a line."""
    return _TIED.sub("\u00a0", text)


def size_text(size: float) -> str:
    """Return a number of bytes in kB, MB or GB."""
    for unit in (_("kB"), _("MB"), _("GB")):
        size /= 1000
        if size < 999.5 or unit == _("GB"):
            break
    return f"{size:.1f} {unit}" if size < 9.95 else f"{size:.0f} {unit}"


def time_text(seconds: float) -> str:
    """Return a time in seconds, minutes or hours."""
    if seconds < 90:
        return _("{count} s").format(count=max(1, round(seconds)))
    if seconds < 5400:
        return _("{count} min").format(count=round(seconds / 60))
    return _("{count} h").format(count=f"{seconds / 3600:.1f}")
