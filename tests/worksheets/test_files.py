"""Worksheets as files: spreadsheets that compute the key, PDF pages, and the command."""

from __future__ import annotations

import math
import re
from decimal import ROUND_HALF_UP, Decimal
from io import BytesIO
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from pypdf import PdfReader

from explorer.cli.main import main
from explorer.session import read_scene
from explorer.worksheets import Choices, made_sheet, sheet_scene
from explorer.worksheets.spreadsheet import xlsx


def value(book: Any, page: str, address: str) -> float:
    """Compute a cell as a spreadsheet does: what these formulas need of one."""
    found = book[page][address].value
    if not isinstance(found, str) or not found.startswith("="):
        return float(found)
    text = re.sub(r"\b[A-Z]{1,2}\d+\b", lambda m: repr(value(book, page, m[0])), found[1:])
    text = re.sub(r"(?<![\d.e])(-[\d.]+)", r"(\1)", text).replace("^", "**")

    def rounded(number: float, decimals: int) -> float:
        exact = Decimal(repr(round(number, 12))).quantize(
            Decimal(1).scaleb(-decimals), ROUND_HALF_UP
        )
        return float(exact)

    return float(eval(text, {"ROUND": rounded, "EXP": math.exp}))


@pytest.mark.parametrize(
    "choices",
    [
        Choices(),
        Choices(columns=True, heads=2),
        Choices(tokens=4, width=3, decimals=1, table=False, mask=True),
    ],
    ids=["usual", "columns", "long"],
)
def test_the_hidden_page_computes_the_key_by_formulas(choices: Choices) -> None:
    sheet = made_sheet(choices, 77)
    book = openpyxl.load_workbook(BytesIO(xlsx([sheet])))
    page, key = book.sheetnames
    assert book[key].sheet_state == "hidden"
    computed = 0
    for row in book[key].iter_rows():
        for cell in row:
            if isinstance(cell.value, str) and cell.value.startswith("="):
                computed += 1
                assert book[page][cell.coordinate].value is None  # to be filled in
    expected = [
        [float(c) for c in line if c is not None]
        for step in sheet.steps
        for grid in step.grids
        for line in (zip(*grid.cells, strict=True) if grid.turned else grid.cells)
    ]
    found: dict[tuple[int, int], float] = {}
    for row in book[key].iter_rows():
        for cell in row:
            if isinstance(cell.value, str) and cell.value.startswith("="):
                found[cell.row, cell.column] = value(book, key, cell.coordinate)
    assert computed == sum(map(len, expected))
    flat = sorted(number for line in expected for number in line)
    assert sorted(found.values()) == pytest.approx(flat, abs=1e-9)


def test_a_page_is_printed_whole_and_no_title_is_cut() -> None:
    sheet = made_sheet(Choices(), 77)
    page = openpyxl.load_workbook(BytesIO(xlsx([sheet]))).worksheets[0]
    assert (page.sheet_properties.pageSetUpPr.fitToPage, page.page_setup.fitToHeight) == (True, 0)
    titles = {grid.title for step in sheet.steps for grid in step.grids}
    for row in page.iter_rows():
        for cell in row:
            if cell.value in titles:
                titles.discard(cell.value)
                assert page.column_dimensions[cell.column_letter].width > len(cell.value)
    assert titles == set()


def test_cells_say_when_they_are_right() -> None:
    sheet = made_sheet(Choices(), 77)
    book = openpyxl.load_workbook(BytesIO(xlsx([sheet])))
    rules = [
        rule.formula[0] for each in book.worksheets[0].conditional_formatting for rule in each.rules
    ]
    assert len(rules) == 2 * sum(len(step.grids) for step in sheet.steps)
    assert all("ISNUMBER" in rule and f"'{sheet.number} answers'" in rule for rule in rules)


def test_a_name_is_never_a_formula() -> None:
    book = openpyxl.load_workbook(BytesIO(xlsx([made_sheet(Choices(), 1)], ["=1+1"])))
    cell = book.worksheets[0]["E2"]
    assert (cell.value, cell.data_type) == ("=1+1", "s")


def test_the_command_writes_pages_and_keys(tmp_path: Path) -> None:
    names = tmp_path / "names.txt"
    names.write_text("Ada Brandt\n陈伟\n", "utf-8")
    path = tmp_path / "class.pdf"
    asked = ["worksheet", "-o", str(path), "--seed", "4711", "--names", str(names), "--mistakes"]
    assert main(asked) == 0
    pages = [page.extract_text() for page in PdfReader(path).pages]
    assert len(pages) == 4  # two to fill in, two keys
    for page, said in enumerate(("Ada Brandt", "陈伟", "answers 4711-01", "answers 4711-02")):
        assert said in pages[page]
    assert "numbers 4711-01" in pages[0]
    sheet = made_sheet(Choices(), 4711, 2)
    assert [sheet.answer in page for page in pages[1::2]] == [False, True]
    assert sheet.mistakes[0].meaning in pages[3]
    filled = [grid for step in sheet.steps for grid in step.grids]
    assert all(text in pages[3] for grid in filled for row in grid.printed[2] for text in row)


@pytest.mark.parametrize(
    ("count", "words", "said"),
    [
        (201, [], "class.txt: There are 201 names, but at most 200 sheets are made at once: "),
        (201, ["--copies", "200"], "divide the list"),
        (3, ["--copies", "2"], "class.txt has 3 names, but --copies asks for 2: leave out --copi"),
    ],
)
def test_no_name_is_left_out_silently(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], count: int, words: list[str], said: str
) -> None:
    names, path = tmp_path / "class.txt", tmp_path / "class.xlsx"
    names.write_text("".join(f"Pupil {n}\n\n" for n in range(count)))
    assert main(["worksheet", "-o", str(path), "--names", str(names), *words]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1
    assert not path.exists()


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_sheet_is_one_page(tmp_path: Path, paper: str, language: str) -> None:
    path = tmp_path / "sheet.pdf"
    asked = ["worksheet", "4711-03", "-o", str(path), "--paper", paper, "--language", language]
    assert main(asked) == 0
    assert len(PdfReader(path).pages) == 2


def test_a_long_sheet_fills_its_pages(tmp_path: Path) -> None:
    path = tmp_path / "sheet.pdf"
    asked = ["worksheet", "-o", str(path), "--seed", "4", "--tokens", "4", "--width", "3"]
    assert main(asked) == 0
    pages = [page.extract_text() for page in PdfReader(path).pages]
    assert ["Queries, keys and values" in page for page in pages] == [True, False] * 2


def test_each_page_with_a_softmax_has_the_powers_that_it_needs(tmp_path: Path) -> None:
    path = tmp_path / "sheet.pdf"
    assert main(["worksheet", "-o", str(path), "--seed", "12", "--heads", "2"]) == 0
    pages = [page.extract_text() for page in PdfReader(path).pages]
    assert len(pages) == 4
    assert ["Softmax" in page for page in pages] == [True] * 4
    assert [page.count("Powers of e") for page in pages] == [
        page.count("Softmax") for page in pages
    ]
    assert all(page.rstrip().count("looks most at") <= 1 for page in pages)


def test_a_number_gives_the_scene(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "sheet.json"
    assert main(["worksheet", "4711-02", "-o", str(path)]) == 0
    assert capsys.readouterr().out == "4711-02\n"
    expected = sheet_scene(made_sheet(Choices(), 4711, 2))
    assert (read_scene(path).X == expected.X).all()
    assert (read_scene(path).Wq == expected.Wq).all()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-o", "x.doc"], r"ends in \.pdf"),
        (["-o", "x.pdf", "--copies", "0"], "1 to 200"),
        (["-o", "x.pdf", "--seed", "-1"], "0 to 999999"),
        (["-o", "x.json", "--copies", "2"], "one sheet"),
        (["x-1", "-o", "x.pdf"], "4711-01"),
        (["4711-01", "-o", "x.pdf", "--copies", "2"], "leave out"),
        (["-o", "x.pdf", "--tokens", "9"], "2, 3, 4"),
        (["-o", "x.pdf", "--names", "nowhere.txt"], "cannot be opened"),
        (["-o", "x.pdf", "--names", "/dev/zero"], "zero .*opened"),
        (["-o", "x.pdf", "--names", "."], r"\. is not a file that can be opened"),
        (["-o", "x.xlsx", "--answers", "only"], "has its answers"),
        (["4711-01", "--names", "class.txt"], "opens one sheet"),
    ],
)
def test_what_cannot_be_is_one_sentence(
    words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert main(["worksheet", *words]) == 2
    told = capsys.readouterr().err
    assert re.search(said, told)
    assert told.count("\n") == 1
    assert not list(tmp_path.iterdir())
