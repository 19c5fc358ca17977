"""A worksheet as a lesson: its scene, with every table that the sheet asks for to be filled in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from msgspec import structs

from explorer.lessons.lesson import Lesson, Lines
from explorer.lessons.schema import Fill, Show, Step, Texts
from explorer.lessons.steps import frame_as_of
from explorer.session import Stage
from explorer.text import N_, WORKSHEET, in_language, language, languages
from explorer.worksheets import Worksheet, sheet_scene
from explorer.worksheets.sheet import Grid

# Letter of a sheet's matrix: the table as lessons call it, where it is shown, its formula.
_ASKED: dict[str, tuple[str, Stage, str]] = {
    "Q": ("Q", Stage.Q, "Q = X W_q"),
    "K": ("K", Stage.K, "K = X W_k"),
    "V": ("V", Stage.V, "V = X W_v"),
    "raw": ("raw", Stage.S, "Q K^T"),
    "S": ("scores", Stage.S, r"S = \frac{Q K^T}{\sqrt{d}}"),
    "A": ("weights", Stage.A, r"A = \mathrm{softmax}(S)"),
    "O": ("head output", Stage.O, "O = A V"),
}
_FILL = N_("Fill in {table} and press Check. A number rounded as on the sheet counts as correct.")
_TURNED = N_("A token is a row here, but a column on the sheet.")


def sheet_lesson(sheet: Worksheet) -> Lesson:
    """Return a sheet as a lesson in every language, which belongs to no file.

    A step asks for one table; what the sheet's own rounding makes of it counts as right too.
    """
    scene = sheet_scene(sheet)
    steps = tuple(step for step, _grid in _steps(sheet))
    lesson = Lesson(
        Path(sheet.number),
        _said(WORKSHEET, number=sheet.number),
        steps,
        (),
        {sheet.number: scene},
        Lines(""),
    )
    fitted = []
    for place, (step, grid) in enumerate(_steps(sheet)):
        frame = frame_as_of(lesson, place)
        assert frame.look.blank is not None
        assert step.fill is not None
        exact = frame.table(frame.look.blank.table)
        cells = [
            abs(float(cell) - exact[place])
            for place in np.ndindex(exact.shape)
            if (cell := grid.cells[place[0]][place[1]]) is not None
        ]
        fill = structs.replace(step.fill, within=round(float(max(cells)) + 1e-9, 9))
        fitted.append(structs.replace(step, fill=fill))
    return replace(lesson, steps=tuple(fitted))


def _steps(sheet: Worksheet) -> Iterator[tuple[Step, Grid]]:
    """Yield a step for each table that is asked for, and that table."""
    first = True
    for grid in (grid for each in sheet.steps for grid in each.grids):
        letter = grid.key.rstrip("12")
        if letter not in _ASKED:
            continue  # a power or a sum: no table of the program
        table, stage, formula = _ASKED[letter]
        turned = first and sheet.choices.columns
        head = int(grid.key.removeprefix(letter) or 1)
        yield (
            Step(
                text=_said(*([_FILL, _TURNED] if turned else [_FILL]), table=grid.title),
                short={language(): grid.title},
                scene=sheet.number if first else None,
                formula=formula,
                show=Show(stage=stage, head=head, scaled=letter in ("S", "A") or None),
                fill=Fill(table=table),  # type: ignore[arg-type]
            ),
            grid,
        )
        first = False


def _said(*sentences: str, **fields: str) -> Texts:
    """Return sentences in every language: another one may be chosen while the sheet is open."""
    return {
        code: " ".join(in_language(code, each).format(**fields) for each in sentences)
        for code in languages()
    }
