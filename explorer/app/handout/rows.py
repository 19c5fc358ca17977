"""What goes on paper, made into rows: words, lines to write on, formulas, tables, columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QByteArray, QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen, QTextLayout, QTextOption
from PySide6.QtSvg import QSvgRenderer

from explorer.app.handout.paper import PT, Row, font, height_of
from explorer.kit.code_lines import laid
from explorer.kit.formula import drawn
from explorer.kit.theme import Theme
from explorer.session.lesson import Code
from explorer.text import displayable

_LEADING = 1.36  # of the font's size, from line to line
_FORMULA, _CODE = 15, 9  # pt
_RULE = 24 * PT  # from one line to write on to the next
_HAIR = 0.6 * PT
_LONGEST = 4000  # characters of one text
_CELL, _CELL_HEIGHT = 38 * PT, 20 * PT
_NAME_GAP = 8 * PT
_CIRCLE = 4 * PT  # radius of what is ticked


def words(
    text: str,
    theme: Theme,
    width: float,
    *,
    size: float = 10.5,
    weight: int = 400,
    ink: str = "ink1",
    indent: float = 0,
    leads: bool = False,
) -> list[Row]:
    """Return the lines of a text, which is plain text whatever it looks like."""
    face, height = font(theme, size, weight), size * PT * _LEADING
    layout = QTextLayout(displayable(text, _LONGEST), face)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.beginLayout()
    parts = []
    while (line := layout.createLine()).isValid():
        line.setLineWidth(width - indent)
        parts.append(layout.text()[line.textStart() : line.textStart() + line.textLength()])
    layout.endLayout()
    return [_line(part.rstrip(), face, height, theme, ink, indent, leads) for part in parts]


def _line(
    text: str, face: QFont, height: float, theme: Theme, ink: str, indent: float, leads: bool
) -> Row:
    metrics = QFontMetricsF(face)
    base = (height - metrics.height()) / 2 + metrics.ascent()

    def draw(painter: QPainter, x: float, y: float) -> None:
        painter.setFont(face)
        painter.setPen(theme.color(ink))
        painter.drawText(QPointF(x + indent, y + base), text)

    return Row(height, draw, leads)


def space(points: float) -> Row:
    """Return room; as it is nothing to look at it does not stand last on a page."""
    return Row(points * PT, lambda _painter, _x, _y: None, leads=True)


def rules(theme: Theme, width: float, count: int = 1, indent: float = 0) -> list[Row]:
    """Return lines to write on."""

    def draw(painter: QPainter, x: float, y: float) -> None:
        painter.setPen(QPen(theme.color("ctl"), _HAIR))
        painter.drawLine(QPointF(x + indent, y + _RULE), QPointF(x + width, y + _RULE))

    return [Row(_RULE, draw)] * count


def hairline(theme: Theme, width: float, above: float, below: float) -> Row:
    """Return a line that parts two things, with room around it in points."""

    def draw(painter: QPainter, x: float, y: float) -> None:
        painter.setPen(QPen(theme.color("line2"), _HAIR))
        painter.drawLine(QPointF(x, y + above * PT), QPointF(x + width, y + above * PT))

    return Row((above + below) * PT, draw)


def blanks(names: Sequence[str], theme: Theme, width: float) -> Row:
    """Return names with lines to write on behind them, the first twice as long as the others."""
    face = font(theme, 9.5)
    metrics = QFontMetricsF(face)
    share = (width - 2 * _NAME_GAP * (len(names) - 1)) / (len(names) + 1)

    def draw(painter: QPainter, x: float, y: float) -> None:
        base = y + _RULE * 0.7
        for place, name in enumerate(names):
            wide = share * (1 if place else 2)
            said = metrics.horizontalAdvance(name) + _NAME_GAP / 2
            painter.setFont(face)
            painter.setPen(theme.color("ink3"))
            painter.drawText(QPointF(x, base), name)
            painter.setPen(QPen(theme.color("ctl"), _HAIR))
            painter.drawLine(QPointF(x + said, base), QPointF(x + wide, base))
            x += wide + 2 * _NAME_GAP

    return Row(_RULE, draw)


def numbered(rows: Sequence[Row], number: int, theme: Theme) -> list[Row]:
    """Return rows with a number beside the first of them."""
    if not rows:
        return []
    face, height = font(theme, 10.5, 700), 10.5 * PT * _LEADING
    metrics = QFontMetricsF(face)
    base = (height - metrics.height()) / 2 + metrics.ascent()
    first = rows[0]

    def draw(painter: QPainter, x: float, y: float) -> None:
        painter.setFont(face)
        painter.setPen(theme.color("ink1"))
        painter.drawText(QPointF(x, y + base), str(number))
        first.draw(painter, x, y)

    return [replace(first, draw=draw), *rows[1:]]


def choices(names: Sequence[str], theme: Theme, width: float, indent: float = 0) -> list[Row]:
    """Return things to choose from, each with a circle to tick, as many on a line as fit."""
    face = font(theme, 10.5)
    metrics = QFontMetricsF(face)
    lines: list[list[tuple[float, str]]] = [[]]
    at = indent
    for name in (displayable(each, 40) for each in names):
        wide = 2 * _CIRCLE + _NAME_GAP / 2 + metrics.horizontalAdvance(name)
        if lines[-1] and at + wide > width:
            lines.append([])
            at = indent
        lines[-1].append((at, name))
        at += wide + 2 * _NAME_GAP
    return [_ticked(line, face, theme) for line in lines]


def _ticked(line: list[tuple[float, str]], face: QFont, theme: Theme) -> Row:
    metrics = QFontMetricsF(face)
    height = metrics.height() * 1.5

    def draw(painter: QPainter, x: float, y: float) -> None:
        painter.setFont(face)
        middle = y + height / 2
        for at, name in line:
            painter.setPen(QPen(theme.color("ctl"), _HAIR))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(QPointF(x + at + _CIRCLE, middle), _CIRCLE, _CIRCLE)
            painter.setPen(theme.color("ink1"))
            base = middle + metrics.ascent() - metrics.height() / 2
            painter.drawText(QPointF(x + at + 2 * _CIRCLE + _NAME_GAP / 2, base), name)

    return Row(height, draw)


def program(code: Code, theme: Theme, width: float, indent: float) -> list[Row]:
    """Return the lines of a program that are spoken of."""
    made = laid(code, width - indent, _CODE * PT)

    def line(row: int) -> Row:
        def draw(painter: QPainter, x: float, y: float) -> None:
            made.draw(painter, row, QRectF(x + indent, y, width - indent, made.height), theme)

        return Row(made.height, draw, leads=row + 1 < len(made.rows))

    return [line(row) for row in range(len(made.rows))]


def formula(tex: str, theme: Theme, width: float, inks: Mapping[str, str], indent: float) -> Row:
    """Return a formula, smaller where it is too wide. Raises Problem where it does not parse."""
    made = drawn(tex, _FORMULA * PT, theme.palette.ink1, inks)
    share = min(1.0, (width - indent) / made.width)

    def draw(painter: QPainter, x: float, y: float) -> None:
        where = QRectF(x + indent, y, made.width * share, made.height * share)
        QSvgRenderer(QByteArray(made.svg)).render(painter, where)

    return Row(made.height * share, draw)


def shifted(row: Row, by: float) -> Row:
    """Return a row further to the right."""
    return replace(row, draw=lambda painter, x, y: row.draw(painter, x + by, y))


def beside(left: Sequence[Row], right: Sequence[Row], shift: float, height: float) -> list[Row]:
    """Return two columns as one row; one below the other where they are higher than a page.

    shift : from the left edge of one to that of the other
    height : of a page
    """
    tall = max(height_of(left), height_of(right))
    if not left or not right or tall > height:
        return [*left, *right]

    def draw(painter: QPainter, x: float, y: float) -> None:
        for column, at in ((left, x), (right, x + shift)):
            down = y
            for row in column:
                row.draw(painter, at, down)
                down += row.height

    return [Row(tall, draw)]


@dataclass(frozen=True)
class Table:
    """Numbers in rows and columns, or empty cells to write them into.

    Parameters
    ----------
    title : str
    rows, columns : tuple of str
        The names of the rows and columns.
    cells : tuple of tuple of str
    marked : (int, int or None), optional
        The cell with a bold frame, or the whole row.
    """

    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    marked: tuple[int, int | None] | None = None


def tables(shown: Sequence[Table], theme: Theme, width: float, indent: float = 0) -> list[Row]:
    """Return tables side by side, as many on a row as fit, with room above each row of them."""
    lines: list[list[tuple[float, Table, float]]] = [[]]
    at = indent
    for table in shown:
        names = _names_width(table, theme)
        wide = names + _CELL * len(table.columns)
        if lines[-1] and at + wide > width:
            lines.append([])
            at = indent
        lines[-1].append((at, table, names))
        at += wide + 3 * _NAME_GAP
    rows = [_table_row(line, theme) for line in lines if line]
    return [row for each in rows for row in (space(8), each)]


def _names_width(table: Table, theme: Theme) -> float:
    metrics = QFontMetricsF(font(theme, 9.5))
    widest = max((metrics.horizontalAdvance(name) for name in table.rows), default=0)
    title = QFontMetricsF(font(theme, 9.5, 700)).horizontalAdvance(table.title)
    return max(widest, title) + _NAME_GAP


def _table_row(line: list[tuple[float, Table, float]], theme: Theme) -> Row:
    height = _CELL_HEIGHT * (1 + max(len(table.rows) for _at, table, _names in line)) + _HAIR

    def draw(painter: QPainter, x: float, y: float) -> None:
        for at, table, names in line:
            _draw_table(painter, table, theme, QPointF(x + at, y), names)

    return Row(height, draw)


def _draw_table(
    painter: QPainter, table: Table, theme: Theme, corner: QPointF, names: float
) -> None:
    flags = Qt.AlignmentFlag
    middle = flags.AlignVCenter

    def cell(row: int, column: int) -> QRectF:
        """Return a cell's place; −1 is the row or the column of names."""
        left = corner.x() + (names + column * _CELL if column >= 0 else 0)
        wide = _CELL if column >= 0 else names - _NAME_GAP
        return QRectF(left, corner.y() + (row + 1) * _CELL_HEIGHT, wide, _CELL_HEIGHT)

    painter.setPen(theme.color("ink1"))
    painter.setFont(font(theme, 9.5, 700))
    painter.drawText(cell(-1, -1), middle | flags.AlignLeft, table.title)
    painter.setFont(font(theme, 9.5))
    painter.setPen(theme.color("ink2"))
    for row, name in enumerate(table.rows):
        painter.drawText(cell(row, -1), middle | flags.AlignRight, name)
    for column, name in enumerate(table.columns):
        shown = painter.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, int(_CELL))
        painter.drawText(cell(-1, column), flags.AlignCenter, shown)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for row, texts in enumerate(table.cells):
        for column, text in enumerate(texts):
            painter.setPen(QPen(theme.color("ctl"), _HAIR))
            painter.drawRect(cell(row, column))
            painter.setPen(theme.color("ink1"))
            painter.drawText(cell(row, column), flags.AlignCenter, text)
    if table.marked is not None:
        painter.setPen(QPen(theme.color("ink1"), 3 * _HAIR))
        row, one = table.marked
        first, last = (0, len(table.columns) - 1) if one is None else (one, one)
        painter.drawRect(cell(row, first).united(cell(row, last)))
