"""Spreadsheets (`.xlsx`, `.csv`, `.tsv`) as scenes: blocks of numbers below their names.

A block is called X, Wq, Wk, Wv, bq, bk, bv, Wo or bo. Its name stands above its numbers, above the
names of its rows, or to the left of its first number. Tokens are the names of X's rows, or stand
beside or below a cell "tokens". Where tokens are columns, as names and shapes tell, X and each W
are turned.
"""

from __future__ import annotations

import csv
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from explorer.importers.arrays import scene_of
from explorer.importers.sniffs import begin_of
from explorer.session.scene import PARAMETERS, PROJECTIONS, Scene
from explorer.text import N_, Problem, displayable, parse_number, why_refused

LARGEST = 32 * 10**6  # bytes of text, or of a spreadsheet when unpacked
_MOST = 1024  # rows and columns that are looked at
_TABLES = {".csv", ".tsv"}
_NAMES = {name.lower(): name for name in ("X", *PARAMETERS)}
_BIASES = ("bq", "bk", "bv", "bo")
_TOKENS = ("tokens", "token", "词元")

Cells = Sequence[Sequence[Any]]


def is_spreadsheet(path: Path) -> bool:
    """Return whether a file is called as such tables are and, of a spreadsheet, is a zip file."""
    suffix = path.suffix.lower()
    return path.is_file() if suffix in _TABLES else suffix == ".xlsx" and _zipped(path)


def _zipped(path: Path) -> bool:
    return begin_of(path, 4) == b"PK\x03\x04"


def read_spreadsheet(path: Path) -> Scene:
    """Return the scene of a table's blocks, called as the file is. Raises Problem."""
    try:
        cells = _xlsx(path) if path.suffix.lower() == ".xlsx" else _text(path)
        return scene_of(_arrays(cells), path)
    except OSError as error:
        reason: object = why_refused(error)
    except Problem as problem:
        if displayable(path.name, 64) in str(problem):
            raise
        reason = problem.message
    raise Problem(N_("{file}: {reason}"), file=displayable(path.name, 64), reason=reason)


def _text(path: Path) -> Cells:
    if path.stat().st_size > LARGEST:
        raise Problem(N_("It is larger than {most} MB."), most=LARGEST // 10**6)
    try:
        text = path.read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise Problem(N_("The file is not UTF-8 text: save it as CSV UTF-8.")) from None
    # A semicolon parts cells where numbers have a decimal comma.
    marks = "\t" if path.suffix.lower() == ".tsv" else "\t;,"
    mark = next((each for each in marks if each in text), ",")
    try:
        return [row[:_MOST] for row in csv.reader(text.splitlines()[:_MOST], delimiter=mark)]
    except csv.Error as error:
        raise Problem(N_("The table cannot be read: {reason}."), reason=str(error)) from None


def _xlsx(path: Path) -> Cells:
    damaged = Problem(N_("The file is damaged: save it again as .xlsx."))
    from openpyxl import load_workbook  # a fifth of a second

    try:
        with zipfile.ZipFile(path) as file:
            if sum(member.file_size for member in file.infolist()) > LARGEST:
                raise Problem(N_("It is larger than {most} MB."), most=LARGEST // 10**6)
        with path.open("rb") as opened:  # the library leaves a damaged one open
            # Of formulas, what they came to when the file was saved.
            book = load_workbook(opened, read_only=True, data_only=True)
            page = book.worksheets[0]
            rows = page.iter_rows(max_row=_MOST, max_col=_MOST, values_only=True)
            return [list(row) for row in rows]
    except Problem:
        raise
    except OSError:
        raise
    except Exception as error:  # whatever a damaged file leads the library to
        raise damaged from error


def _arrays(cells: Cells) -> dict[str, np.ndarray[Any, Any]]:
    """Return the blocks by name, rows as tokens, and `tokens` where they have names."""
    numbers = [[_number(cell) for cell in row] for row in cells]
    found: dict[str, np.ndarray[Any, Any]] = {}
    named: dict[str, tuple[list[str], list[str]]] = {}
    tokens: list[str] = []
    for i, row in enumerate(cells):
        for j, cell in enumerate(row):
            said = _plain(cell)
            if said in _TOKENS and not tokens:
                tokens = _texts_at(cells, i, j)
            name = _NAMES.get(said)
            if name is None or (corner := _corner(numbers, i, j)) is None:
                continue
            if name in found:
                raise Problem(N_("{name} appears twice: keep one of them."), name=name)
            block = _block(cells, numbers, (i, j), corner, name)
            found[name] = block
            named[name] = _names(cells, (i, j), corner, block.shape)
    if "X" not in found:
        raise Problem(
            N_("There is no block called X: write X above its numbers, one row per token.")
        )
    by_row, by_column = named["X"]
    turned = _tokens_are_columns(found, tokens, by_row, by_column)
    made = {
        name: block.reshape(-1) if name in _BIASES else block.T if turned else block
        for name, block in found.items()
    }
    names = tokens or (by_column if turned else by_row)
    if names:
        made["tokens"] = np.array(names)
    return made


def _plain(cell: Any) -> str:
    """Return a cell's text as names are compared: W_q: and wq are the same."""
    return str(cell or "").strip().replace("_", "").rstrip(":").lower()


def _number(cell: Any) -> float | None:
    """Return a cell's number; None of a text or an empty cell."""
    if isinstance(cell, bool) or cell is None:
        return None
    if isinstance(cell, int | float):
        return float(cell)
    try:
        return parse_number(str(cell)) if str(cell).strip() else None
    except (Problem, ValueError):
        return None


def _at(numbers: Sequence[Sequence[float | None]], i: int, j: int) -> float | None:
    return numbers[i][j] if i < len(numbers) and j < len(numbers[i]) else None


def _corner(numbers: Sequence[Sequence[float | None]], i: int, j: int) -> tuple[int, int] | None:
    """Return where the numbers of a name begin: beside it, below it, or both."""
    places = ((i, j + 1), (i + 1, j), (i + 1, j + 1))
    return next((place for place in places if _at(numbers, *place) is not None), None)


def _block(
    cells: Cells,
    numbers: Sequence[Sequence[float | None]],
    place: tuple[int, int],
    corner: tuple[int, int],
    name: str,
) -> np.ndarray[Any, Any]:
    i, j = corner
    above = cells[place[0]]
    # Another block's name beside this one's is where this one ends.
    named = (k for k in range(place[1] + 1, len(above)) if _plain(above[k]) in _NAMES)
    wide, end = 0, next(named, _MOST)
    while j + wide < end and _at(numbers, i, j + wide) is not None:
        wide += 1
    rows: list[list[float | None]] = []
    while _at(numbers, i + len(rows), j) is not None:
        row = [_at(numbers, i + len(rows), j + k) for k in range(wide)]
        if None in row:
            column = j + row.index(None)
            here = cells[i + len(rows)]
            text = str(here[column] or "") if column < len(here) else ""
            raise Problem(
                N_("{name}: “{text}” in row {row}, column {column} is not a number."),
                name=name,
                text=displayable(text, 24),
                row=i + len(rows) + 1,
                column=column + 1,
            )
        rows.append(row)
    return np.array(rows, float)


def _names(
    cells: Cells, place: tuple[int, int], corner: tuple[int, int], shape: tuple[int, ...]
) -> tuple[list[str], list[str]]:
    """Return the names of a block's rows and of its columns; nothing where they have none."""
    i, j = corner

    def text(row: int, column: int) -> str:
        inside = 0 <= row < len(cells) and 0 <= column < len(cells[row])
        found = "" if not inside or (row, column) == place else str(cells[row][column] or "")
        return found.strip()

    by_row = [text(i + k, j - 1) for k in range(shape[0])]
    # What stands above a block beside its name belongs to something else.
    by_column = [text(i - 1, j + k) for k in range(shape[1] if place[0] < i else 0)]
    return by_row if all(by_row) else [], by_column if all(by_column) else []


def _texts_at(cells: Cells, i: int, j: int) -> list[str]:
    """Return the texts beside a cell, or below it where there are none beside it."""
    beside = _run([cells[i][k] for k in range(j + 1, len(cells[i]))])
    return beside or _run([row[j] if j < len(row) else None for row in cells[i + 1 :]])


def _run(cells: Sequence[Any]) -> list[str]:
    texts: list[str] = []
    for cell in cells:
        if cell is None or not str(cell).strip():
            break
        texts.append(str(cell).strip())
    return texts


def _tokens_are_columns(
    found: dict[str, np.ndarray[Any, Any]],
    tokens: Sequence[str],
    by_row: Sequence[str],
    by_column: Sequence[str],
) -> bool:
    """Return whether X has a column a token: by the names, else where shapes fit only so."""
    rows, columns = found["X"].shape
    if tokens and rows != columns:
        return len(tokens) == columns
    if bool(by_row) != bool(by_column):
        return bool(by_column)
    weights = [found[name] for name in PROJECTIONS if name in found]
    as_rows = all(W.shape[0] == columns for W in weights)
    as_columns = all(W.shape[1] == rows for W in weights)
    return as_columns and not as_rows
