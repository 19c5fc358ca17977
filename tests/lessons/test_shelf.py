"""Where lessons are found: shipped ones by number and name, a folder's by looking into it."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from explorer.lessons.lesson_index import LOOKED_AT, MOST, lesson_called, lessons_in, title_of
from explorer.resources import lessons
from explorer.text import Problem

LESSON = """# A teacher's own.
format = "attention-explorer/lesson"
version = 1
title.en = "Look away"
title.zh = "看向别处"

[[step]]
"""


def write(path: Path, text: str = LESSON) -> Path:
    path.write_text(text, "utf-8")
    return path


def test_a_folder_s_lessons_are_found_in_their_order_and_other_files_left_out(
    tmp_path: Path,
) -> None:
    (tmp_path / "folder.toml").mkdir()
    write(tmp_path / "pyproject.toml", '[project]\nname = "x"\n')
    write(tmp_path / "ruff.toml", '# a comment\n[lint]\nselect = ["E"]\n')
    write(tmp_path / "notes.txt")
    second, first = write(tmp_path / "02-b.toml"), write(tmp_path / "01-a.TOML")
    broken = write(tmp_path / "03-broken.toml", "this is = = no TOML")
    shelf = lessons_in(tmp_path)
    assert shelf.lessons == (first, second, broken)
    assert not shelf.more


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    assert lessons_in(tmp_path).lessons == ()


def test_of_very_many_some_are_found_and_that_is_said(tmp_path: Path) -> None:
    for number in range(MOST + 1):
        write(tmp_path / f"{number:03}.toml")
    shelf = lessons_in(tmp_path)
    assert len(shelf.lessons) == MOST
    assert shelf.lessons[0].stem == "000"
    assert shelf.more


def test_of_a_huge_folder_only_a_part_is_looked_at(tmp_path: Path) -> None:
    for number in range(LOOKED_AT + 1):
        (tmp_path / f"{number}.txt").touch()
    assert lessons_in(tmp_path).more


def test_a_folder_that_is_none_is_said(tmp_path: Path) -> None:
    with pytest.raises(Problem, match=r"There is no folder .*gone any more"):
        lessons_in(tmp_path / "gone")
    with pytest.raises(Problem, match="cannot be read"):
        lessons_in(write(tmp_path / "file.toml"))


def test_a_title_is_read_in_a_language_from_the_beginning_of_a_file(tmp_path: Path) -> None:
    path = write(tmp_path / "own.toml", LESSON + "x = " + "9" * 10**6)
    assert title_of(path, "zh") == "看向别处"
    assert title_of(path, "fr") == "Look away"
    path.write_bytes(LESSON.replace("\n", "\r\n").encode())
    assert title_of(path, "en") == "Look away"


@pytest.mark.parametrize(
    "text", ["", "title = 3\n", "title.en = 3\n", 'title.en = " "\n', "= ="], ids=repr
)
def test_without_a_title_it_is_the_file_s_name(text: str, tmp_path: Path) -> None:
    assert title_of(write(tmp_path / "own.toml", text)) == "own"
    assert title_of(tmp_path / "gone.toml") == "gone"


def test_every_shipped_lesson_is_called_by_its_number_and_its_name() -> None:
    for number, path in enumerate(lessons(), 1):
        rest = path.stem.partition("-")[2]
        for name in (str(number), f"{number:02}", path.stem, rest):
            assert lesson_called(name) == path


def test_a_path_is_itself(tmp_path: Path) -> None:
    assert lesson_called("own.toml") == Path("own.toml")
    assert lesson_called(str(tmp_path / "own")) == tmp_path / "own"


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("99", ["03-dot-product"]),
        ("dot-produkt", ["03-dot-product"]),
        ("Divide", ["08-why-divide-by-root-d"]),
        ("head", ["16-many-heads", "17-four-heads", "21-single-head-in-code"]),
    ],
)
def test_what_is_no_lesson_is_refused_with_the_nearest_and_where_all_are(
    name: str, near: list[str]
) -> None:
    with pytest.raises(Problem) as refused:
        lesson_called(name)
    said = str(refused.value)
    assert f"There is no lesson {name}." in said
    assert re.findall(r"\b\d\d-[a-z-]+", said) == near
    assert str(lessons()[0].parent) in said
