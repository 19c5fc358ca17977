"""Worksheets as a spreadsheet: cells that say when they are right, and a key that computes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO
from unicodedata import east_asian_width

from explorer.text import _, plain_text
from explorer.worksheets.sheet import Grid, Worksheet

_RIGHT, _WRONG = "C6E7CF", "F6C9C4"  # light enough for black numbers
_GIVEN = "EEF0F3"


def xlsx(
    sheets: Sequence[Worksheet],
    names: Sequence[str] = (),
    *,
    key: bool = True,
    told: Callable[[float], None] = lambda _share: None,
) -> bytes:
    """Return an .xlsx file with a page a sheet.

    names : of the pupils, one a sheet; none where there are fewer
    key : whether a hidden page computes each sheet from what is given, by formulas; a cell that is
        filled in then turns green or red
    told : is told before each sheet what share is done; what it raises ends the work
    """
    from openpyxl import Workbook
    from openpyxl.formatting.rule import FormulaRule
    from openpyxl.styles import Border, Font, PatternFill, Side
    from openpyxl.utils import get_column_letter
    from openpyxl.worksheet.properties import PageSetupProperties

    line = Side(style="thin", color="8A93A3")
    box, bold = Border(left=line, right=line, top=line, bottom=line), Font(bold=True)
    fills = {
        name: PatternFill("solid", bgColor=name, fgColor=name) for name in (_RIGHT, _WRONG, _GIVEN)
    }
    book = Workbook()
    book.remove(book.active)
    for place, sheet in enumerate(sheets):
        told(place / len(sheets))
        page = book.create_sheet(sheet.number)
        answers = _("answers")  # not within the braces, where no sentence is looked for
        solved = book.create_sheet(f"{sheet.number} {answers}") if key else None
        if solved is not None:
            solved.sheet_state = "hidden"
        pages = [page] if solved is None else [page, solved]
        for each in pages:
            each.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
            each.page_setup.orientation = "landscape"
            each.page_setup.fitToHeight = 0  # as many pages as it takes, each as wide as it is
        where: dict[str, tuple[int, int, bool]] = {}  # first row and column, and whether turned

        def at(name: str, i: int, j: int, where: dict[str, tuple[int, int, bool]] = where) -> str:
            row, column, turned = where[name]
            i, j = (j, i) if turned else (i, j)
            return f"{get_column_letter(column + j)}{row + i}"

        name = plain_text(names[place], 60) if place < len(names) else ""
        lines = (
            (_("Attention by hand"), sheet.number),
            (_("Name"), name),
            *((formula, "") for formula in sheet.formulas),
        )
        for each in pages:
            for row, said in enumerate(lines, 1):
                for column, text in ((1, said[0]), (5, said[1])):
                    # Always as text: a name that begins with "=" is no formula.
                    each.cell(row, column, text or None).data_type = "s" if text else "n"
            each["A1"].font = Font(bold=True, size=14)
        row = len(lines) + 2
        steps = [(_("Given"), sheet.given, True)]
        steps += [
            (f"{number}  {step.title}", step.grids, False)
            for number, step in enumerate(sheet.steps, 1)
        ]
        for title, grids, given in steps:
            for each in pages:
                each.cell(row, 1, title).font = bold
            row += 1
            column = 1
            for grid in grids:
                rows, columns, texts = grid.printed
                where[grid.key] = row + 1, column + 1, grid.turned
                for each in pages:
                    named = each.column_dimensions[get_column_letter(column)]
                    named.width = max(named.width, *map(_width, (grid.title, *rows)))
                    each.cell(row, column, grid.title).font = bold
                    for j, text in enumerate(columns):
                        each.cell(row, column + 1 + j, text)
                    for i, text in enumerate(rows):
                        each.cell(row + 1 + i, column, text)
                for i, line_of in enumerate(texts):
                    for j, text in enumerate(line_of):
                        for each in pages:
                            cell = each.cell(row + 1 + i, column + 1 + j)
                            cell.border = box
                            cell.number_format = (
                                "0" + "." * bool(grid.decimals) + "0" * grid.decimals
                            )
                            logical = (j, i) if grid.turned else (i, j)
                            number = grid.cells[logical[0]][logical[1]]
                            if number is None:
                                cell.value = text
                            elif given or grid.formula is None:
                                cell.value, cell.fill = float(number), fills[_GIVEN]
                            elif each is solved:
                                cell.value = "=" + grid.formula(*logical, at)
                if solved is not None and not given:
                    _colour(page, solved.title, grid, (row + 1, column + 1), fills, FormulaRule)
                column += len(columns) + 2
            row += max(len(grid.printed[0]) for grid in grids) + 2
        if sheet.powers:
            for each in pages:
                each.cell(row, 1, "s").font = bold
                each.cell(row + 1, 1, "eˢ").font = bold
                for j, (exponent, power) in enumerate(sheet.powers):
                    each.cell(row, 2 + j, float(exponent)).number_format = "0.0"
                    each.cell(row + 1, 2 + j, float(power)).number_format = "0.00"
            row += 3
        if sheet.question:
            for each in pages:
                each.cell(row, 1, sheet.question)
            if solved is not None:
                solved.cell(row, 4, sheet.answer)
                for i, mistake in enumerate(sheet.mistakes, 1):
                    solved.cell(row + i, 1, mistake.number)
                    solved.cell(row + i, 2, mistake.meaning)
    made = BytesIO()
    book.save(made)
    return made.getvalue()


def _width(text: str) -> float:
    """Return how wide a column is that holds a bold text, in digits."""
    return 2 + sum(2 if east_asian_width(letter) in "WF" else 1.1 for letter in text)


def _colour(page, key: str, grid: Grid, corner: tuple[int, int], fills, rule) -> None:  # type: ignore[no-untyped-def]
    """Let the cells of a matrix turn green where they are right to the shown digits, else red."""
    from openpyxl.utils import get_column_letter

    rows, columns, _texts = grid.printed
    first = f"{get_column_letter(corner[1])}{corner[0]}"
    last = f"{get_column_letter(corner[1] + len(columns) - 1)}{corner[0] + len(rows) - 1}"
    right = f"ROUND({first},{grid.decimals})=ROUND('{key}'!{first},{grid.decimals})"
    there = f"ISNUMBER({first})"
    for formula, fill in (
        (f"AND({there},{right})", _RIGHT),
        (f"AND({there},NOT({right}))", _WRONG),
    ):
        page.conditional_formatting.add(f"{first}:{last}", rule([formula], fill=fills[fill]))
