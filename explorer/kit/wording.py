"""The strip's words: numbers, vectors, names and captions as runs."""

from __future__ import annotations

from collections.abc import Callable

from explorer.attention import Variant
from explorer.kit.text_runs import Ink, Place, Runs, Text
from explorer.session import Frame
from explorer.text import N_, _, decimal_places, display_number

_COUNTS = (
    *(N_("one"), N_("two"), N_("three"), N_("four"), N_("five"), N_("six"), N_("seven")),
    *(N_("eight"), N_("nine"), N_("ten"), N_("eleven"), N_("twelve")),
)


def caption(text: str) -> Runs:
    """Return a translated text as a caption."""
    return (Text(text, "ink3"),)


def counted(count: int) -> str:
    """Return a count as a word up to twelve, else in figures."""
    return _(_COUNTS[count - 1]) if 0 < count <= len(_COUNTS) else str(count)


def number(value: float, most: int, least: int) -> str:
    """Return a number with as many decimals as it needs, between `least` and `most`."""
    return display_number(value, decimal_places(float(value), most, least))


def named(letter: str, name: str, ink: Ink, weight: int = 500) -> Runs:
    """Return a vector's name: its letter and, below, its token."""
    return (Text(letter, ink, weight), Text(name, ink, weight, Place.SUB))


def mistaken(text: str, mistake: str) -> Runs:
    """Return a caption whose end names a mistake."""
    return (Text(text, "ink3"), Text(mistake, "err", 500))


def matrix(name: str, ink: Ink = "ink1", weight: int = 400) -> Runs:
    """Return the name of a W or of a bias, `W_q` for Wq."""
    return (Text(name[0], ink, weight), Text(name[1:], ink, weight, Place.SUB))


def vector(
    entry: Callable[[int], float],
    count: int,
    most: int,
    least: int,
    ink: Ink = "ink1",
    weight: int = 400,
    *,
    entries: int,
    column: int | None = None,
) -> Runs:
    """Return a vector as `(−0.076, 0.088)`, all entries with the same decimals.

    Parameters
    ----------
    entry : callable
        From a column to the number; asked only for what is spelled out.
    count : int
        Number of columns.
    most, least : int
        Bounds of the decimals.
    entries : int
        How many entries are spelled out; of more, the first ones and the last.
    column : int, optional
        Spelled out in any case, and bold.
    """
    if count <= entries:
        shown = list(range(count))
    else:
        wanted = {*range(entries - 1), count - 1, *([] if column is None else [column])}
        shown = sorted(wanted)
    values = {c: float(entry(c)) for c in shown}
    decimals = max(decimal_places(value, most, least) for value in values.values())
    parts: list[tuple[str, bool]] = [("(", False)]
    for place, c in enumerate(shown):
        if place:
            gap = ", " if c == shown[place - 1] + 1 else ", …, "
            parts.append((gap, False))
        parts.append((display_number(values[c], decimals), c == column))
    parts.append((")", False))
    if column is None:
        return (Text("".join(text for text, _bold in parts), ink, weight),)
    return tuple(Text(text, ink, 700 if bold else weight) for text, bold in parts)


def root(frame: Frame) -> str:
    """Return √d_k as it is written: "√2"."""
    return f"√{frame.attention.d_k}"


def scaling(frame: Frame) -> str:
    """Return what turns q · k into the score: "÷ √2 ÷ 0.5", "× √2" in a mistake, or nothing.

    In a plain average, whose scores are 0 whatever q · k is, there is nothing to be said.
    """
    options = frame.scene.options
    steps = []
    match options.variant:
        case Variant.AVERAGE:
            return ""
        case Variant.MULTIPLIED:
            steps.append(f"× {root(frame)}")
        case Variant.SOFTMAX_FIRST | Variant.UNSCALED:
            pass
        case _ if options.scale == "sqrt_dk":
            steps.append(f"÷ {root(frame)}")
        case _ if options.scale != "none":
            steps.append(f"÷ {number(float(options.scale), 6, 1)}")
    if options.temperature != 1.0:
        steps.append(f"÷ {number(options.temperature, 6, 1)}")
    return " ".join(steps)
