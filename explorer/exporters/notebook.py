"""A scene as a Jupyter notebook: text, formula, code and a picture of each stage."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from explorer.exporters.code import Writer
from explorer.exporters.markdown import escaped
from explorer.exporters.stages import Told, stages_told
from explorer.session import Frame, Stage
from explorer.text import _, of_example, plain_text

_LONGEST = 24  # letters of a token
_SHOWN = ("X", "Q", "K", "V", "scores", "weights", "O", "C", "output")
_BY_KEY = ("scores", "weights")  # their columns are the keys' tokens
_OF_KEYS = ("K", "V")
_MOST_NUMBERED = 16  # columns whose numbers stand in the picture
_SHOW = f'''\
import matplotlib.pyplot as plt
import numpy as np


def show(name, numbers, rows, columns=None):
    """Draw a matrix, or one a head, with its numbers."""
    heads = np.array(numbers, ndmin=3)
    height, width = heads.shape[1:]
    size = (1.5 + len(heads) * max(2, 0.6 * min(width, 20)), 1 + 0.4 * min(height, 20))
    figure, axes = plt.subplots(1, len(heads), squeeze=False, figsize=size)
    for head, (axis, part) in enumerate(zip(axes[0], heads), start=1):
        seen = np.where(np.isfinite(part), part, np.nan)
        axis.imshow(seen, cmap="Blues", aspect="auto")
        axis.set_title(name if len(heads) == 1 else f"{{name}}, {{head}}", parse_math=False)
        axis.set_yticks(range(height), rows, parse_math=False)
        axis.set_xticks(range(width), columns or range(1, width + 1), parse_math=False)
        if width <= {_MOST_NUMBERED}:
            middle = np.nan_to_num(np.nanmax(seen) + np.nanmin(seen)) / 2
            for (i, j), value in np.ndenumerate(part):
                ink = "white" if value > middle else "black"
                axis.text(j, i, f"{{value:.2f}}", ha="center", va="center", color=ink)
    figure.tight_layout()
    plt.show()'''

# matplotlib's own font has no Chinese letters.
_FONTS = """\
from matplotlib.font_manager import fontManager

there = {font.name for font in fontManager.ttflist}
chinese = ["Noto Sans CJK SC", "Noto Sans CJK JP", "Microsoft YaHei", "PingFang SC"]
plt.rcParams["font.family"] = ["DejaVu Sans", *(name for name in chinese if name in there)]"""


def notebook(frame: Frame) -> str:
    """Return the notebook of a frame's scene, not executed; its code needs NumPy and matplotlib.

    Notebook format 4.5, https://nbformat.readthedocs.io.
    """
    cells: list[dict[str, Any]] = []
    for number, (kind, text) in enumerate(_cells(frame), start=1):
        code: dict[str, Any] = {"outputs": [], "execution_count": None} if kind == "code" else {}
        source = text.splitlines(keepends=True)
        cells.append(
            {"cell_type": kind, "id": f"cell-{number}", "metadata": {}, "source": source, **code}
        )
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    whole = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def _cells(frame: Frame) -> Iterator[tuple[str, str]]:
    scene = frame.scene
    writer = Writer(scene, torch=False)
    told = {each.stage: each for each in stages_told(frame)}
    title = escaped(of_example(scene.title)) or _("Attention")
    yield "markdown", f"# {title}"
    western = "".join((*scene.tokens, *scene.key_tokens)).isascii()
    yield "code", _SHOW if western else f"{_SHOW}\n\n\n{_FONTS}"
    data = [text for text, _stages in writer.data()]
    names = [f"{name} = {_names(tokens)!r}" for name, tokens in _tokens(frame)]
    given = (Stage.Q, Stage.K, Stage.V) if scene.given else (Stage.X, Stage.P)
    yield from _said(told, given)
    yield "code", "\n".join([*data, *names, *_shows(data)])
    for stages, lines in groupby(writer.steps(), key=lambda line: line[1]):
        yield from _said(told, tuple(stages))
        code = [text for text, _stages in lines]
        yield "code", "\n".join([*code, *_shows(code)])


def _tokens(frame: Frame) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return ("queries", frame.scene.tokens), ("keys", frame.scene.key_tokens)


def _names(tokens: tuple[str, ...]) -> list[str]:
    return [plain_text(token, _LONGEST) for token in tokens]


def _said(told: dict[Stage, Told], stages: tuple[Stage, ...]) -> Iterator[tuple[str, str]]:
    """Yield the words and the formula of stages that have not been told of; each once."""
    for stage in [stage for stage in told if stage in stages]:
        each = told.pop(stage)
        formula = f"\n\n$$ {each.formula} $$" if each.formula else ""
        yield "markdown", f"## {escaped(each.heading)}\n\n{escaped(each.sentence, None)}{formula}"


def _shows(code: list[str]) -> Iterator[str]:
    """Yield the lines that draw what some lines have made."""
    made = [
        name
        for line in code
        if (found := re.match(r"((?:\w+(?:, | = ))*\w+) = ", line))
        for name in re.split(", | = ", found[1])
    ]
    for name in dict.fromkeys(made):
        if name in _SHOWN:
            rows = "keys" if name in _OF_KEYS else "queries"
            columns = ", keys" if name in _BY_KEY else ""
            yield f'show("{name}", {name}, {rows}{columns})'
