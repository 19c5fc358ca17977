"""The command `worksheet`: pages to be filled in by hand, and their keys."""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from pathlib import Path

from explorer.cli.arguments import add_language, add_paper, add_path, check_whole
from explorer.text import N_, Problem, _, displayable, use_language
from explorer.worksheets.choices import (
    LAST_SEED,
    MOST_COPIES,
    Choices,
    What,
    read_names,
    read_number,
)

_SUFFIXES = (".pdf", ".xlsx", ".json")
_LARGEST_NAMES = 10**6  # bytes


def worksheet(parser: argparse.ArgumentParser, words: Sequence[str]) -> str | None:
    """Write worksheets as `words` say. Raises Problem.

    Returns the number of the sheet that is to be opened where no file was named.
    """
    usual = Choices()
    add = parser.add_argument
    add(
        "number",
        metavar="NUMBER",
        nargs="?",
        help=_("the number at the top of a sheet: writes that sheet again"),
    )
    add_path(
        parser,
        _(
            "a .pdf or .xlsx file, or a .json file: the sheet as a scene; without it the sheet is "
            "opened in the window, its results to be filled in"
        ),
        required=False,
    )
    add(
        "--what",
        choices=[str(each) for each in What],
        default=str(usual.what),
        help=_("what is computed; all by default"),
    )
    add("--tokens", type=int, metavar="N", default=usual.tokens, help=_("2 to 4; 3 by default"))
    add("--width", type=int, metavar="N", default=usual.width, help=_("d, 2 or 3; 2 by default"))
    add("--decimals", type=int, metavar="N", default=usual.decimals, help=_("0 (default) or 1"))
    add("--columns", action="store_true", help=_("a token is a column, not a row"))
    add("--calculator", action="store_true", help=_("no table of powers of e is printed"))
    add("--mask", action="store_true", help=_("tokens see only themselves and those before"))
    add("--heads", type=int, metavar="N", default=usual.heads, help=_("1 (default) or 2"))
    add("--copies", type=int, metavar="N", help=_("1 to 200, each with different numbers"))
    add("--seed", type=int, metavar="N", help=_("the same seed gives the same sheets"))
    add("--names", metavar="FILE", type=Path, help=_("a text file, one name a line"))
    add(
        "--answers",
        choices=("behind", "only", "none"),
        default="behind",
        help=_("answers behind the sheets (default), only answers, or none"),
    )
    add("--mistakes", action="store_true", help=_("the answers name the usual mistakes"))
    add_language(parser)
    add_paper(parser)
    asked = parser.parse_args(words)
    _check(asked)
    use_language(asked.language)

    from tqdm import tqdm

    from explorer.session.scene_file import write_bytes, write_scene
    from explorer.worksheets.sheet import made_sheet, sheet_scene

    names = [] if asked.names is None else _names(asked.names, asked.copies)
    choices, seed, copies = _wanted(asked, names)
    if asked.path is None:
        return choices.number(seed, copies[0])
    sheets = [
        made_sheet(choices, seed, copy)
        for copy in tqdm(copies, unit=_(" sheets"), disable=None, leave=False)
    ]
    suffix = asked.path.suffix.lower()
    if suffix == ".json":
        write_scene(sheet_scene(sheets[0]), asked.path)
    elif suffix == ".xlsx":
        from explorer.worksheets.spreadsheet import xlsx

        write_bytes(xlsx(sheets, names, key=asked.answers != "none"), asked.path)
    else:
        from explorer.cli.render import without_screen

        without_screen()
        from explorer.app.worksheet.sheets import pdf_of

        data = pdf_of(
            sheets,
            names,
            paper=asked.paper,
            fill_in=asked.answers != "only",
            keys=asked.answers != "none",
            mistakes=asked.mistakes,
        )
        write_bytes(data, asked.path)
    first, last = sheets[0].number, sheets[-1].number
    print(first if first == last else f"{first} … {last}")
    return None


def _check(asked: argparse.Namespace) -> None:
    suffix = "" if asked.path is None else asked.path.suffix.lower()
    if asked.path is not None and suffix not in _SUFFIXES:
        raise Problem(
            N_("{path}: a worksheet's name ends in .pdf, .xlsx or .json."), path=asked.path
        )
    check_whole("--copies", asked.copies, 1, MOST_COPIES)
    check_whole("--seed", asked.seed, 0, LAST_SEED)
    if asked.path is None and ((asked.copies or 1) > 1 or asked.names is not None):
        raise Problem(N_("The window opens one sheet: leave out --copies and --names, or add -o."))
    if suffix == ".json" and (asked.copies or 1) > 1:
        raise Problem(N_("A .json file holds one sheet: leave out --copies, or write a .pdf file."))
    if suffix == ".xlsx" and asked.answers == "only":
        raise Problem(
            N_("A spreadsheet already has its answers: leave out --answers, or write a PDF.")
        )


def _names(path: Path, copies: int | None) -> list[str]:
    """Return the names of a file, each with a sheet of its own. Raises Problem."""
    from explorer.traces.files import read_text

    file, text = displayable(path.name), read_text(path, _LARGEST_NAMES)
    try:
        names = read_names(text)
    except Problem as problem:
        raise Problem(N_("{file}: {reason}"), file=file, reason=problem.message) from None
    if copies is not None and copies < len(names):
        raise Problem(
            N_("{file} has {names} names, but --copies asks for {copies}: leave out --copies."),
            file=file,
            names=len(names),
            copies=copies,
        )
    return names


def _wanted(asked: argparse.Namespace, names: Sequence[str]) -> tuple[Choices, int, Sequence[int]]:
    """Return the choices, the seed and the numbers of the copies."""
    if asked.number is not None:
        if asked.seed is not None or asked.copies is not None:
            raise Problem(
                N_("A sheet's number includes its seed and copy: leave out --seed and --copies.")
            )
        choices, seed, copy = read_number(asked.number)
        return choices, seed, [copy]
    choices = Choices(
        What(asked.what),
        asked.tokens,
        asked.width,
        asked.decimals,
        asked.columns,
        not asked.calculator,
        asked.mask,
        asked.heads,
    )
    seed = random.randrange(1000, 10_000) if asked.seed is None else asked.seed
    single = asked.path is None or asked.path.suffix.lower() == ".json"
    one = 1 if single else len(names) or 1
    return choices, seed, range(1, (asked.copies or one) + 1)
