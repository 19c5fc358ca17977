"""Lesson files: what is wrong is named by file, line, step and key, and spoils one step at most."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.lessons.lesson import Fault, Lesson, said_in
from explorer.lessons.read import LARGEST_FILE, read_lesson
from explorer.lessons.schema import Step
from explorer.text import Problem

HEAD = """\
format = "attention-explorer/lesson"
version = 1
title.en = "Shares"
title.zh = "份额"
"""
FIRST = """
[[step]]
scene = "example:cat-likes-fish"
text.en = "Each row of A sums to 1."
text.zh = "A 的每一行之和为 1。"
short.en = "A row sums to 1."
short.zh = "每行之和为 1。"
"""
SECOND = """
[[step]]
text.en = "Now more."
short.en = "More."
show = {stage = "A", select = {table = "A", query = "cat", key = "cloud"}}
highlight = ["weights"]

[step.task]
text.en = "Make cat look away from cloud."
hint.en = "Drag cloud."
check = {value = "weights", query = "cat", key = "cloud", op = "<", than = 0.05}
solution = [{set = "X", query = "cloud", column = 1, to = -3.0}]
"""


def write(folder: Path, text: str) -> Path:
    """Return a lesson file with a text."""
    path = folder / "01-shares.toml"
    path.write_text(text, encoding="utf-8")
    return path


def read(folder: Path, text: str) -> Lesson:
    """Return the lesson that a text is."""
    return read_lesson(write(folder, text))


def test_a_lesson_is_read_as_it_stands(tmp_path: Path) -> None:
    lesson = read(tmp_path, HEAD + FIRST + SECOND + '[[question]]\nen = "Why?"\n')
    first, second = lesson.steps

    assert lesson.title == {"en": "Shares", "zh": "份额"}
    assert lesson.questions == ({"en": "Why?"},)
    assert isinstance(first, Step)
    assert first.scene == "example:cat-likes-fish"
    assert isinstance(second, Step)
    assert second.task is not None
    assert second.task.check.than == 0.05
    assert second.highlight == ("weights",)


def test_a_text_is_said_in_the_language_or_in_what_there_is() -> None:
    assert said_in("zh", {"en": "a", "zh": "b"}) == "b"
    assert said_in("de", {"en": "a", "zh": "b"}) == "a"
    assert said_in("en", {"zh": "b"}) == "b"


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("short.en", "shrt.en", 15, "shrt is no key of a lesson"),
        ('text.en = "Now more."\n', "", 13, "text is missing"),
        ('stage = "A"', 'stage = "Z"', 16, "show.stage does not fit"),
        ('value = "weights"', 'value = "wights"', 22, "task.check.value does not fit"),
        ("than = 0.05", "thn = 0.05", 22, "task.check.thn is no key of a lesson"),
        ('hint.en = "Drag cloud."', 'hint.en = ""', 19, "task.hint.en is empty"),
        ('"Now more."', f'"{"word " * 61}"', 14, "text.en has 61 words, but up to 60"),
        ('short.en = "More."', f'short.zh = "{"字" * 46}"', 15, "short.zh has 46 characters"),
        ('text.en = "Now', 'scene = "other.json"\ntext.en = "Now', 14, "no file other.json"),
    ],
)
def test_one_fault_spoils_one_step(
    tmp_path: Path, old: str, new: str, line: int, said: str
) -> None:
    assert SECOND.count(old) == 1
    lesson = read(tmp_path, HEAD + FIRST + SECOND.replace(old, new) + SECOND)
    first, fault, third = lesson.steps

    assert isinstance(first, Step)
    assert isinstance(third, Step)
    assert isinstance(fault, Fault)
    assert fault.line == line
    assert str(fault.message).startswith(f"01-shares.toml, line {line}, step 2: ")
    assert said in str(fault.message)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", '"format" must be'),
        ("a = ", "not TOML"),
        (HEAD.replace("1", "9", 1), "version must be 1"),
        (HEAD, "step is missing"),
        (
            HEAD.replace('title.en = "Shares"\ntitle.zh = "份额"', "title = {}") + FIRST,
            "title has no",
        ),
        (HEAD + FIRST * 101, "up to 100 steps"),
        (HEAD + "#" * LARGEST_FILE + FIRST, "larger than a lesson may be"),
        ("a = " + "[" * 100_000, "not TOML"),
    ],
    ids=range(8),
)
def test_what_is_no_lesson_is_refused_by_name(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(Problem) as raised:
        read(tmp_path, text)
    assert str(raised.value).startswith("01-shares.toml: ")
    assert said in str(raised.value)


def test_a_file_that_is_not_there_or_no_text(tmp_path: Path) -> None:
    with pytest.raises(Problem, match=r"gone\.toml cannot be opened"):
        read_lesson(tmp_path / "gone.toml")
    (tmp_path / "01-shares.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(Problem, match="no text in UTF-8"):
        read_lesson(tmp_path / "01-shares.toml")


@pytest.mark.parametrize(
    "source",
    [
        "../secret.json",
        "/etc/passwd",
        "link.json",
        "example:../../pyproject.toml",
        "a\\u0000b",
        ".",
    ],
)
def test_a_lesson_shows_nothing_outside_its_folder(tmp_path: Path, source: str) -> None:
    folder = tmp_path / "lessons"
    folder.mkdir()
    (tmp_path / "secret.json").write_text("{}")
    (folder / "link.json").symlink_to(tmp_path / "secret.json")
    lesson = read(folder, HEAD + FIRST.replace("example:cat-likes-fish", source))

    assert isinstance(lesson.steps[0], Fault)


def test_a_link_within_the_folder_and_a_neighbour_are_shown(tmp_path: Path) -> None:
    (tmp_path / "own.json").write_text("{}")
    (tmp_path / "link.json").symlink_to(tmp_path / "own.json")
    for source in ("own.json", "link.json", "example:cat-likes-fish.json"):
        lesson = read(tmp_path, HEAD + FIRST.replace("example:cat-likes-fish", source))
        assert isinstance(lesson.steps[0], Step)


def test_a_heading_within_a_text_is_no_step(tmp_path: Path) -> None:
    told = FIRST.replace('"Each row of A sums to 1."', '"""\n[[step]]\nEach row."""')
    lesson = read(tmp_path, HEAD + told + SECOND.replace("short.en", "shrt.en"))

    fault = lesson.steps[1]
    assert isinstance(fault, Fault)
    assert fault.line == 17
