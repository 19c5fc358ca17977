"""Sheets of paper, and how what goes on them is shared out among them.

Lengths are in units of a tenth of a point, the device's own: fonts take whole ones alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QMarginsF, QPointF, QSizeF, Qt
from PySide6.QtGui import QFont, QPageSize, QPainter, QPdfWriter

from explorer.app.handout.text_layer import Drawn, exact_pdf
from explorer.kit.theme import Theme

PT = 10  # units of a point
RESOLUTION = 72 * PT  # units of an inch

PAPERS = {"a4": QPageSize.PageSizeId.A4, "letter": QPageSize.PageSizeId.Letter}

_SIDE, _TOP, _BOTTOM = 48 * PT, 46 * PT, 56 * PT  # kept free around what a page holds
_FOOT = 30 * PT  # from the foot's baseline to the edge
_SMALL = 8.5  # pt


@dataclass(frozen=True)
class Row:
    """What is never torn over two pages: a line of text, a picture, a table.

    Parameters
    ----------
    height : float
    draw : callable
        Draws it, its upper left corner at a place.
    leads : bool
        Whether it must not stand last on a page, as a heading must not.
    """

    height: float
    draw: Callable[[QPainter, float, float], None]
    leads: bool = False


Block = Sequence[Row]  # torn only where it is higher than a page
PaperPage = list[tuple[float, Row]]  # rows and how far below the top they stand


@dataclass(frozen=True)
class Paper:
    """A kind of paper.

    Parameters
    ----------
    name : str
        One of `PAPERS`.
    """

    name: str = "a4"

    @property
    def width(self) -> float:
        """The width of what a page holds."""
        return self._size.width() * PT - 2 * _SIDE

    @property
    def height(self) -> float:
        """The height of what a page holds."""
        return self._size.height() * PT - _TOP - _BOTTOM

    @property
    def sheet(self) -> QSizeF:
        """The size of the whole sheet."""
        return self._size * PT

    @property
    def _size(self) -> QSizeF:
        return QPageSize(PAPERS[self.name]).size(QPageSize.Unit.Point)


def font(theme: Theme, points: float, weight: int = 400) -> QFont:
    """Return the interface font at a size on paper."""
    made = theme.font(14, weight)
    made.setPixelSize(round(points * PT))
    return made


def paged(blocks: Iterable[Block], height: float, between: Row) -> list[PaperPage]:
    """Return the pages that blocks fill, with a row between two blocks of a page.

    A block that does not fit below the others begins a page; one higher than a page is torn, but
    never after a row that leads.
    """
    pages: list[PaperPage] = [[]]
    y = 0.0

    def put(rows: Sequence[Row]) -> None:
        nonlocal y
        for row in rows:
            pages[-1].append((y, row))
            y += row.height

    def turn() -> None:
        nonlocal y
        pages.append([])
        y = 0.0

    for block in blocks:
        if pages[-1]:
            if y + between.height + height_of(block) > height:
                turn()
            else:
                put([between])
        for part in _kept_together(block):
            if pages[-1] and y + height_of(part) > height:
                turn()
            put(part)
    return pages


def height_of(rows: Iterable[Row]) -> float:
    """Return the height of rows one below the other."""
    return sum(row.height for row in rows)


def _kept_together(block: Block) -> Iterator[list[Row]]:
    part: list[Row] = []
    for row in block:
        part.append(row)
        if not row.leads:
            yield part
            part = []
    if part:
        yield part


def pdf(
    pages: Sequence[PaperPage],
    paper: Paper,
    theme: Theme,
    title: str,
    told: Callable[[float], None],
) -> bytes:
    """Return the pages as a PDF file.

    title : also stands at the foot of every page, before its number
    told : is told before each page what share of them is done; what it raises ends the work
    """

    def settle(writer: QPdfWriter) -> None:
        writer.setResolution(RESOLUTION)
        writer.setPageSize(QPageSize(PAPERS[paper.name]))
        writer.setPageMargins(QMarginsF())
        writer.setTitle(title.replace("\u00a0", " "))  # nothing is broken into lines there
        writer.setCreator("Attention Explorer")

    def drawn() -> Iterator[Drawn]:
        for number, page in enumerate(pages):
            told(number / len(pages))
            yield partial(draw_page, page, paper, theme, title, f"{number + 1} / {len(pages)}")

    return exact_pdf(settle, drawn())


def draw_page(
    page: PaperPage, paper: Paper, theme: Theme, title: str, number: str, painter: QPainter
) -> None:
    """Draw a page with its foot, in the units of paper."""
    for y, row in page:
        row.draw(painter, _SIDE, _TOP + y)
    _draw_foot(painter, paper, theme, title, number)


def _draw_foot(painter: QPainter, paper: Paper, theme: Theme, title: str, number: str) -> None:
    painter.setFont(font(theme, _SMALL))
    painter.setPen(theme.color("ink3"))
    metrics = painter.fontMetrics()
    y = _TOP + paper.height + _BOTTOM - _FOOT
    wide = metrics.horizontalAdvance(number)
    shown = metrics.elidedText(title, Qt.TextElideMode.ElideRight, int(paper.width - 2 * wide))
    painter.drawText(QPointF(_SIDE, y), shown)
    painter.drawText(QPointF(_SIDE + paper.width - wide, y), number)
