"""A results table that is filled in by hand: hiding it, typing into it, asking for a check."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from explorer.session.frame import Frame
from explorer.session.intents import BlankOut, FillCells
from explorer.session.look import Blank, Look, ResultsTab, Stage
from explorer.session.resolve import table_shape
from explorer.session.scene import Scene
from explorer.session.views import Centre
from explorer.text import N_, Problem

LONGEST = 40  # characters that are kept of what is typed


def blanked(look: Look, intent: BlankOut) -> Look:
    """Return the look with a table hidden, and in view, or with nothing hidden any more."""
    if intent.table is None:
        return replace(look, blank=None)
    blank = Blank(intent.table, intent.row, intent.column)
    centre = look.centre if look.centre is Centre.SQRT_D else Centre.PLANE
    return replace(look, blank=blank, tab=ResultsTab.MATRICES, centre=centre, painting=False)


def filled(look: Look, scene: Scene, intent: FillCells) -> Look:
    """Return the look with typed texts in the table. Raises Problem where they do not fit."""
    blank = look.blank
    if blank is None:
        return look
    rows, columns = table_shape(scene, blank.table)
    wide = max(map(len, intent.texts), default=0)
    if len(intent.texts) > rows - intent.row or wide > columns - intent.column:
        raise Problem(
            N_(
                "The block of {rows} × {columns} does not fit there: "
                "{matrix} has room for {free_rows} × {free_columns} from that cell on."
            ),
            rows=len(intent.texts),
            columns=wide,
            matrix=str(blank.table),
            free_rows=rows - intent.row,
            free_columns=columns - intent.column,
        )
    texts = {
        (row, column): text.strip()[:LONGEST]
        for row, line in enumerate(intent.texts, intent.row)
        for column, text in enumerate(line, intent.column)
        if blank.covers(row, column)
    }
    return replace(look, blank=blank.filled(look.version(blank.table), texts))


def checked(look: Look) -> Look:
    """Return the look with what stands in the table checked."""
    blank = look.blank
    if blank is None:
        return look
    return replace(look, blank=blank.check(look.version(blank.table)))


def blank_cells(frame: Frame) -> list[tuple[int, int]]:
    """Return the cells that are filled in by hand, row by row: those that hold a number."""
    look, blank = frame.look, frame.look.blank
    if blank is None:
        return []
    masked = blank.table is Stage.A or (blank.table is Stage.S and look.scaled)
    return [
        (row, column)
        for row, column in np.ndindex(*frame.table(blank.table).shape)
        if blank.covers(row, column) and not (masked and frame.masked(row, column))
    ]
