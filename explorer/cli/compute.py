"""Every intermediate of a scene's attention, as text."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from explorer.attention import MISTAKES, VARIANT_TITLES, Attention, Variant
from explorer.exporters.parts import INTERMEDIATES, placed, results
from explorer.session import Array, Options, Scene, at_sequence, compute, position_rows
from explorer.session.backwards import check_variant
from explorer.text import _, ascii_number, columns_taken, plain_text
from explorer.text.layout import json_lines

_DECIMALS = 4
_LONGEST_NAME = 24
_MASKED = "·"


def as_json(scene: Scene, attention: Attention) -> Iterator[str]:
    """Yield the lines of one JSON object: every digit, the head axis kept, masked scores null.

    Of several sequences it is a list of such objects under "sequences".
    """
    parts = (_fields(*each) for each in _sequences(scene, attention))
    result = {"sequences": parts} if scene.others else next(parts)
    yield from json_lines(result, ascii_only=True)


def as_tables(scene: Scene, attention: Attention) -> Iterator[str]:
    """Yield the lines of one aligned table for each intermediate and head of each sequence."""
    variant = scene.options.variant
    remarks = list(_remarks(scene.options))
    yield from remarks
    if remarks:
        yield ""
    for number, (shown, result) in enumerate(_sequences(scene, attention), start=1):
        if scene.others:
            count = len(scene.sequences)
            yield _("sequence {number} of {count}").format(number=number, count=count)
        if variant in MISTAKES:
            yield str(check_variant(shown, result, variant).says)
        if scene.others or variant in MISTAKES:
            yield ""
        yield from _tables_of_one(shown, result)


def _sequences(scene: Scene, attention: Attention) -> Iterator[tuple[Scene, Attention]]:
    """Yield each sequence as a scene of its own, with its attention."""
    for place in range(len(scene.others) + 1):
        shown = at_sequence(scene, place)
        yield shown, attention if place == scene.shown else compute(shown)


def _remarks(options: Options) -> Iterator[str]:
    """Yield what departs from attention as it usually is, and what is added to X."""
    variant = options.variant
    if variant is not Variant.NONE:
        title = _(VARIANT_TITLES[variant])
        wrong = _("computed wrongly on purpose: {title}").format(title=title)
        yield wrong if variant in MISTAKES else title
    if options.temperature != 1.0 and variant is not Variant.AVERAGE:
        yield _("scores divided by the temperature {number}").format(
            number=repr(options.temperature)
        )
    if not isinstance(options.position, str):
        yield _("position added to X: the scene's own")
    elif options.position != "none":
        yield _("position added to X: {name}").format(name=options.position)
    if options.qk_norm is not None:
        yield _("Q and K normalised before they are multiplied")
    if (rotary := options.rotary) is not None:
        yield _("Q and K turned by rotary positions: {count} columns, base {base}").format(
            count=rotary.dims, base=repr(rotary.base)
        )


def _fields(scene: Scene, attention: Attention) -> dict[str, Any]:
    context, position = scene.context, position_rows(scene)
    result: dict[str, Any] = {
        "tokens": list(scene.tokens),
        "context_tokens": None if context is None else list(context.tokens),
    }
    if scene.options.variant is not Variant.NONE:
        result["variant"] = str(scene.options.variant)
    if scene.options.temperature != 1.0:
        result["temperature"] = scene.options.temperature
    if position is not None:
        result |= {"P": position, "X_plus_P": attention.X}
    if attention.projected is not None:  # before they were normalised and turned
        result |= {f"{name}_projected": part for name, part in _before(attention)}
    for name in INTERMEDIATES:
        result[name] = getattr(attention, name)
    return result


def _before(attention: Attention) -> Iterator[tuple[str, Array]]:
    return zip("QK", attention.projected or (), strict=False)


def _tables_of_one(scene: Scene, attention: Attention) -> Iterator[str]:
    for part in (*placed(scene, attention), *results(scene, attention)):
        yield from table(part.title, part.rows, part.columns or None, part.array)


def table(
    title: str, rows: Sequence[str], columns: Sequence[str] | None, values: Array
) -> Iterator[str]:
    """Yield the lines of an aligned table under its title, and an empty one."""
    names = columns or [str(i + 1) for i in range(values.shape[1])]
    cells = [["", *map(_name, names)]]
    for row, numbers in zip(rows, values.tolist(), strict=True):
        cells.append([_name(row), *map(_number, numbers)])
    widths = [max(map(columns_taken, column)) for column in zip(*cells, strict=True)]
    yield title
    for head, *rest in cells:
        line = head + " " * (widths[0] - columns_taken(head))
        for width, text in zip(widths[1:], rest, strict=True):
            line += "  " + " " * (width - columns_taken(text)) + text
        yield line
    yield ""


def _number(value: float) -> str:
    return _MASKED if value == -math.inf else ascii_number(value, _DECIMALS)


def _name(token: str) -> str:
    return plain_text(token, _LONGEST_NAME)
