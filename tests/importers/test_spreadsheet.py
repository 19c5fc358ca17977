"""Spreadsheets and tables of text as scenes."""

from __future__ import annotations

import zipfile
from contextlib import suppress
from pathlib import Path

import numpy as np
import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.importers import SCENES, importer_of
from explorer.importers.spreadsheet import LARGEST, read_spreadsheet
from explorer.session import Scene
from explorer.text import Problem
from explorer.worksheets import Choices, made_sheet, sheet_scene
from explorer.worksheets.spreadsheet import xlsx

ROWS = """\
X,,,Wq,,Wk,
cat,2,0,1,2,2,-1
likes,-1,2,1,1,1,0
fish,0,1,,,,
"""


def opened(path: Path, text: str | None = None) -> Scene:
    if text is not None:
        path.write_text(text, "utf-8")
    return importer_of(path).load(path)


def refusal(path: Path, text: str) -> str:
    with pytest.raises(Problem) as raised:
        opened(path, text)
    told = str(raised.value)
    assert path.name in told
    return told


def test_blocks_are_found_by_their_names(tmp_path: Path) -> None:
    scene = opened(tmp_path / "by hand.csv", ROWS + "\nWv\n1;0\n".replace(";", ",") + "0,1\n")
    assert (scene.title, scene.tokens) == ("by hand", ("cat", "likes", "fish"))
    assert scene.X.tolist() == [[2, 0], [-1, 2], [0, 1]]
    assert np.squeeze(scene.Wq).tolist() == [[1, 2], [1, 1]]
    assert np.squeeze(scene.Wk).tolist() == [[2, -1], [1, 0]]
    assert np.squeeze(scene.Wv).tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.tsv", "tokens\ta\tb\nX\n1\t0,5\n2\t3\n"),
        ("a.csv", "tokens;a;b\nX;1;0,5\n;2;3\n"),
        ("a.csv", "X:\na,1,1/2\nb,2,3\n"),
        ("a.csv", "\ufeffX,1,.5\n,2,3\n词元,a,b\n"),
    ],
)
def test_numbers_are_read_as_people_write_them(name: str, text: str, tmp_path: Path) -> None:
    scene = opened(tmp_path / name, text)
    assert scene.tokens == ("a", "b")
    assert scene.X.tolist() == [[1, 0.5], [2, 3]]


def test_tokens_as_columns_are_turned_by_their_names(tmp_path: Path) -> None:
    text = "X,a,b,c\n,1,2,3\n,4,5,6\nWq\n1,2\n3,4\nWk\n1,0\n0,1\nWv\n1,0\n0,1\n"
    scene = opened(tmp_path / "columns.csv", text)
    assert scene.tokens == ("a", "b", "c")
    assert scene.X.tolist() == [[1, 4], [2, 5], [3, 6]]
    assert np.squeeze(scene.Wq).tolist() == [[1, 3], [2, 4]]


def test_tokens_as_columns_are_turned_where_shapes_fit_only_so(tmp_path: Path) -> None:
    text = "X\n1,2,3\n4,5,6\n" + "".join(f"{name}\n1,0\n0,1\n" for name in ("Wq", "Wk", "Wv"))
    assert opened(tmp_path / "columns.csv", text).X.shape == (3, 2)


@pytest.mark.parametrize("columns", [False, True])
def test_a_worksheet_is_read_back(columns: bool, tmp_path: Path) -> None:
    sheet = made_sheet(Choices(columns=columns), 4711)
    path = tmp_path / "sheet.xlsx"
    path.write_bytes(xlsx([sheet]))
    scene, expected = opened(path), sheet_scene(sheet)
    assert scene.tokens == expected.tokens
    for name in ("X", "Wq", "Wk", "Wv"):
        assert (
            np.squeeze(getattr(scene, name)).tolist()
            == np.squeeze(getattr(expected, name)).tolist()
        )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no block called X"),
        ("Y\n1,2\n", "no block called X"),
        ("X\n1,2\n3,oops\n", "“oops” in row 3, column 2"),
        ("X\n1,2\n3\n", "row 3, column 2"),
        ("X\n1,2\nX,3\n", "twice"),
        ("X\n1,2\ntokens,a,b,c\n", "tokens"),
        ("X\n1,2\n3,4\nWq\n1,2\n3,4\n5,6\n", "Wq"),
    ],
)
def test_what_cannot_be_read_is_one_sentence(text: str, said: str, tmp_path: Path) -> None:
    assert said in refusal(tmp_path / "table.csv", text)


def test_what_is_no_text_or_no_spreadsheet_is_said(tmp_path: Path) -> None:
    path = tmp_path / "latin.csv"
    path.write_bytes(b"X\n\xe9,1\n")
    with pytest.raises(Problem, match=r"latin\.csv.*UTF-8"):
        opened(path)
    for name, content in (("cut.xlsx", b"PK\x03\x04 and no more"), ("big.xlsx", None)):
        path = tmp_path / name
        if content is None:
            with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
                file.writestr("xl/workbook.xml", b"\0" * (LARGEST + 1))
        else:
            path.write_bytes(content)
        with pytest.raises(Problem, match=name):
            opened(path)


def test_a_formula_counts_as_what_it_came_to(tmp_path: Path) -> None:
    """Nothing is computed here: without a stored value a cell is empty."""
    book = openpyxl.Workbook()
    book.active["A1"], book.active["A2"], book.active["B2"] = "X", 1, "=1+1"
    book.save(tmp_path / "formula.xlsx")
    assert opened(tmp_path / "formula.xlsx").X.tolist() == [[1]]


CELLS = ("X", "Wq", "tokens", "1", "-2", "a", "", "1e99", "=1")


@settings(max_examples=150)
@given(rows=st.lists(st.lists(st.sampled_from(CELLS))))
def test_any_table_is_a_scene_or_a_problem(
    rows: list[list[str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.csv"
    path.write_text("\n".join(",".join(row) for row in rows), "utf-8")
    with suppress(Problem):
        assert isinstance(read_spreadsheet(path), Scene)


def test_other_files_are_not_taken(tmp_path: Path) -> None:
    path = tmp_path / "scene.json"
    path.write_text("X\n1\n")
    assert importer_of(path) is SCENES
