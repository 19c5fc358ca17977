"""Worksheets as a PDF: a page to be filled in for each copy, and keys behind them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QPointF
from PySide6.QtGui import QFontMetricsF, QPainter

from explorer.app.handout.paper import PT, Paper, PaperPage, Row, font, paged, pdf
from explorer.app.handout.rows import (
    Table,
    beside,
    blanks,
    hairline,
    numbered,
    space,
    tables,
    words,
)
from explorer.kit.theme import Theme
from explorer.text import _, displayable, labelled
from explorer.worksheets.sheet import Grid, Worksheet

_INDENT = 16 * PT
_SHIFT = 210 * PT  # to what stands beside the last step
_POWERS = 6  # on a row of their table
_ABOVE, _BELOW = 5, 5  # pt around the line below the head


def pdf_of(
    sheets: Sequence[Worksheet],
    names: Sequence[str] = (),
    *,
    paper: str = "a4",
    fill_in: bool = True,
    keys: bool = True,
    mistakes: bool = False,
    told: Callable[[float], None] = lambda _share: None,
) -> bytes:
    """Return worksheets as a PDF file, black on white, each copy on a page of its own.

    names : of the pupils, one a sheet; none where there are fewer
    fill_in, keys : whether there are pages to fill in, and keys after all of them
    mistakes : whether the keys name the usual mistakes
    told : is told now and then what share is done; what it raises ends the work
    """
    page, theme = Paper(paper), Theme()
    pages: list[PaperPage] = []
    for solved in [False] * fill_in + [True] * keys:
        for place, sheet in enumerate(sheets):
            name = names[place] if place < len(names) else ""
            pages += pages_of(sheet, name, page, theme, solved=solved, mistakes=mistakes)
            told(len(pages) / (2 * len(sheets) * (fill_in + keys)))
    return pdf(pages, page, theme, _("Attention by hand"), lambda share: told((1 + share) / 2))


def pages_of(
    sheet: Worksheet, name: str, paper: Paper, theme: Theme, *, solved: bool, mistakes: bool
) -> list[PaperPage]:
    """Return the pages of a worksheet, to be filled in or solved."""
    make = partial(_rows, sheet, displayable(name, 60), solved, mistakes, theme, paper.width)
    pages = paged([make(spread=False)], paper.height, space(0))
    return pages if len(pages) == 1 else paged([make(spread=True)], paper.height, space(0))


def _rows(
    sheet: Worksheet,
    name: str,
    solved: bool,
    mistakes: bool,
    theme: Theme,
    width: float,
    *,
    spread: bool,
) -> list[Row]:
    """Return the rows of a sheet.

    spread : whether it takes several pages, so that each step with powers of e needs their table
    """
    number = _("answers {number}") if solved else _("numbers {number}")
    head = words(_("Attention by hand"), theme, width, size=17, weight=700, leads=True)
    rows = [
        _beside(head[0], number.format(number=sheet.number), theme, width),
        _named(name, theme, width) if name else blanks((_("Name"), _("Date")), theme, width),
        hairline(theme, width, _ABOVE, _BELOW),
        *words("     ".join(sheet.formulas), theme, width, weight=600),
    ]
    turned = (
        _("each column of X is a token") if sheet.choices.columns else _("each row of X is a token")
    )
    given = [_("Given")] + ([turned] if sheet.given[0].key == "X" else [])
    rows += words("  ".join(given), theme, width, size=9.5, ink="ink2")
    rows += tables([_table(grid, True) for grid in sheet.given], theme, width, _INDENT)
    for place, step in enumerate(sheet.steps, 1):
        title = words(step.title, theme, width, weight=600, indent=_INDENT, leads=True)
        shown = [_table(grid, solved) for grid in step.grids]
        made = [*numbered(title, place, theme), *tables(shown, theme, width, _INDENT)]
        side: list[Row] = []
        narrow = len(step.grids) == 1
        indent = 0 if narrow else _INDENT
        if sheet.powers and (step.powers if spread else place == len(sheet.steps)):
            side += _powers(sheet, theme, width - _SHIFT, indent)
        if place == len(sheet.steps):
            side += _last(sheet, solved, mistakes, theme, width - _SHIFT, indent)
        if narrow:
            made = beside(made, side, _SHIFT, width)
        elif side:  # room without anything below would keep the next step on this page
            made += [space(6), *side]
        rows += [space(7), *(replace(row, leads=True) for row in made[:-1]), made[-1]]
    return rows


def _powers(sheet: Worksheet, theme: Theme, width: float, indent: float) -> list[Row]:
    """Return the table of powers of e."""
    rows = words(_("Powers of e, with e ≈ 2.72"), theme, width, ink="ink2", indent=indent)
    for first in range(0, len(sheet.powers), _POWERS):
        pairs = sheet.powers[first : first + _POWERS]
        exponents = tuple(f"{each:.1f}".replace("-", "−") for each, _power in pairs)
        rows += tables(
            [Table("s", ("eˢ",), exponents, (tuple(f"{power:.2f}" for _each, power in pairs),))],
            theme,
            width,
            indent,
        )
    return rows


def _last(
    sheet: Worksheet, solved: bool, mistakes: bool, theme: Theme, width: float, indent: float
) -> list[Row]:
    """Return what stands beside the last step: the question about the weights."""
    rows: list[Row] = []
    if sheet.question:
        answer = sheet.answer if solved else "_" * 24
        rows += [space(8), *words(f"{sheet.question}  {answer}", theme, width, indent=indent)]
    if solved and mistakes:
        for each in sheet.mistakes:
            said = labelled(each.number, each.meaning)
            rows += words(said, theme, width, size=9.5, ink="ink2", indent=indent)
    return rows


def _table(grid: Grid, filled: bool) -> Table:
    rows, columns, texts = grid.printed
    if not filled:
        texts = tuple(tuple("" if each != "−∞" else each for each in row) for row in texts)
    return Table(grid.title, rows, columns, texts)


def _beside(row: Row, text: str, theme: Theme, width: float) -> Row:
    """Return a row with a small text at its right end."""
    face = font(theme, 9.5)
    wide = QFontMetricsF(face).horizontalAdvance(text)

    def draw(painter: QPainter, x: float, y: float) -> None:
        row.draw(painter, x, y)
        painter.setFont(face)
        painter.setPen(theme.color("ink3"))
        painter.drawText(QPointF(x + width - wide, y + row.height * 0.7), text)

    return Row(row.height, draw, row.leads)


def _named(name: str, theme: Theme, width: float) -> Row:
    return words(f"{_('Name')}  {name}", theme, width)[0]
