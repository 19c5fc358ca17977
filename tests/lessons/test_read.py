"""Lesson files: what is wrong is named by file, line, step and key, and spoils one step at most."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path

import pytest

from explorer.lessons.lesson import Fault, Lesson, said_in
from explorer.lessons.read import LARGEST_FILE, LARGEST_SCENES, LONGEST_TEXT, read_lesson
from explorer.lessons.schema import Step
from explorer.lessons.steps import as_of
from explorer.resources import example
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
    assert said_in("en", {"en": "\nthe\u202e cat\0\n"}) == "the  cat"


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("short.en", "shrt.en", 15, "shrt is not a key of a lesson"),
        ('text.en = "Now more."\n', "", 13, "text is missing"),
        ('stage = "A"', 'stage = "Z"', 16, 'show.stage must be "X", "Q", "K", "V", "S", "A", "O"'),
        ('value = "weights"', 'value = "wights"', 22, 'task.check.value must be "K", "P"'),
        ("than = 0.05", "thn = 0.05", 22, "task.check.thn is not a key of a lesson"),
        ('hint.en = "Drag cloud."', 'hint.en = ""', 19, "task.hint.en is empty"),
        ('"Now more."', f'"{"word " * 61}"', 14, "text.en has 61 words, but up to 60"),
        ('short.en = "More."', f'short.zh = "{"字" * 46}"', 15, "short.zh has 46 characters"),
        ('text.en = "Now', 'scene = "other.json"\ntext.en = "Now', 14, "no file other.json"),
        ('"Now more."', "7", 14, "text.en must be a text"),
        ('"Now more."', '"The \\token."', 14, "text.en holds a control character"),
        ("show =", 'formula = "\\frac12"\nshow =', 16, "formula: It contains a control character"),
        ("show =", 'formula = "\\nu"\nshow =', 16, "write formulas in single quotes"),
    ],
)
def test_one_fault_spoils_one_step(
    tmp_path: Path, old: str, new: str, line: int, said: str
) -> None:
    assert SECOND.count(old) == 1
    lesson = read(tmp_path, HEAD + FIRST + SECOND.replace(old, new) + FIRST)
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
        ("a = ", "not TOML (line 1, column"),
        (HEAD + FIRST + 'formula = "\\sum"', "a backslash is in double quotes"),
        (HEAD + FIRST + "show = {stage = 1 head = 1}", "a quote, a comma,"),
        (HEAD + FIRST + 'text.en = "Twice."\n', "not TOML (line 12, column 19)"),
        (HEAD.replace("1", "9", 1), "version must be 1"),
        (HEAD, "step is missing"),
        (
            HEAD.replace('title.en = "Shares"\ntitle.zh = "份额"', "title = {}") + FIRST,
            "title has no",
        ),
        (HEAD + FIRST * 101, "up to 100 steps"),
        (HEAD + "#" * LARGEST_FILE + FIRST, "larger than a lesson may be"),
        ("a = " + "[" * 100_000, "nested too deeply"),
        (
            HEAD.replace("title.en", "titel.en") + FIRST,
            "line 3: titel is not a key of a lesson. Possible",
        ),
        (HEAD.replace('"Shares"', "1") + FIRST, "title.en must be a text"),
    ],
    ids=range(13),
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
    with pytest.raises(Problem, match="not UTF-8 text"):
        read_lesson(tmp_path / "01-shares.toml")


OUTSIDE = [
    "../secret.json",
    "/etc/passwd",
    "\\\\\\\\server\\\\share\\\\secret.json",
    "C:/secret.json",
    "C:secret.json",
    "~/secret.json",
    "~root/secret.json",
    "link.json",
    "away/secret.json",
    "example:../../pyproject.toml",
    "example:..\\\\pyproject.toml",
]


@pytest.mark.parametrize("source", OUTSIDE)
def test_a_lesson_that_reaches_outside_its_folder_is_refused_by_name(
    tmp_path: Path, source: str
) -> None:
    folder = tmp_path / "lessons"
    folder.mkdir()
    (tmp_path / "secret.json").write_text("{}")
    (folder / "link.json").symlink_to(tmp_path / "secret.json")
    (folder / "away").symlink_to(tmp_path)
    with pytest.raises(Problem) as raised:
        read(folder, HEAD + FIRST + SECOND + FIRST.replace("example:cat-likes-fish", source))

    assert str(raised.value).startswith("01-shares.toml, line 26, step 3: ")
    assert str(raised.value).endswith("lies outside the lesson's folder.")


@pytest.mark.parametrize("source", ["a\\u0000b", ".", "x" * 5000, "circle.json", "pipe", "", "NUL"])
def test_what_is_no_file_spoils_its_step(tmp_path: Path, source: str) -> None:
    (tmp_path / "circle.json").symlink_to(tmp_path / "circle.json")
    os.mkfifo(tmp_path / "pipe")
    lesson = read(tmp_path, HEAD + FIRST.replace("example:cat-likes-fish", source) + SECOND + FIRST)
    spoilt, after, well = lesson.steps

    assert isinstance(spoilt, Fault)
    assert str(spoilt.message).startswith("01-shares.toml, line 7, step 1: ")
    assert isinstance(after, Fault)
    assert "It shows the scene of step 1: correct that first." in str(after.message)
    assert isinstance(well, Step)


def test_a_link_within_the_folder_and_a_neighbour_are_shown(tmp_path: Path) -> None:
    (tmp_path / "own.json").write_bytes(example("cat-likes-fish.json").read_bytes())
    (tmp_path / "link.json").symlink_to(tmp_path / "own.json")
    for source in ("own.json", "link.json", "example:cat-likes-fish.json"):
        lesson = read(tmp_path, HEAD + FIRST.replace("example:cat-likes-fish", source))
        assert isinstance(lesson.steps[0], Step)
        assert lesson.scenes[source].tokens == ("cat", "likes", "fish", "cloud")


def scene(tokens: int, **fields: object) -> str:
    """Return a scene file of so many tokens."""
    names, X = [f"t{i}" for i in range(tokens)], [[0.5, 0.5]] * tokens
    plain = {"format": "attention-explorer/scene", "version": 1, "tokens": names, "X": X}
    return json.dumps(plain | fields)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (scene(10_000), "own.json: tokens has 10000 entries, but at most 512 are possible."),
        (scene(1) + " " * LARGEST_SCENES, "own.json is too large: the scenes of a lesson have up"),
    ],
    ids=["tokens", "bytes"],
)
def test_a_huge_scene_is_refused_by_name(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "own.json").write_text(text)
    with pytest.raises(Problem) as raised:
        read(tmp_path, HEAD + FIRST.replace("example:cat-likes-fish", "own.json"))
    assert str(raised.value).startswith(f"01-shares.toml, line 7, step 1: scene: {said}")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "own.json: This is not JSON (line 1, column 2)."),
        (scene(2, X=[[math.nan, 1], [1, 1]]), "own.json: X[0][0] must be a number between"),
        (scene(2, options={"heads": 10**9}), "own.json: options.heads must be"),
        ('{"format": ' * 100_000, 'own.json: This is not a scene: "format" must be'),
        ('{"X": ' + "[" * 100_000, "own.json: Its lists are nested too deeply for a scene."),
    ],
    ids=["json", "nan", "heads", "no scene", "deep"],
)
def test_a_scene_that_is_wrong_spoils_its_step(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "own.json").write_text(text)
    lesson = read(tmp_path, HEAD + FIRST.replace("example:cat-likes-fish", "own.json") + FIRST)
    spoilt, well = lesson.steps

    assert isinstance(spoilt, Fault)
    assert f"01-shares.toml, line 7, step 1: scene: {said}" in str(spoilt.message)
    assert isinstance(well, Step)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("A <b>row</b> sums to 1.", "text.en holds HTML, <b>: a lesson is plain text."),
        ("<script>alert(1)</script>", "text.en holds HTML, <script>"),
        ("<IMG SRC=file:///etc/passwd>", "text.en holds HTML, <IMG SRC=file:///etc/"),
        ("a" * (LONGEST_TEXT + 1), "text.en is longer than 2000 characters."),
    ],
)
def test_html_and_huge_texts_are_refused_by_name(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(Problem) as raised:
        read(tmp_path, HEAD + FIRST.replace("Each row of A sums to 1.", text))
    assert str(raised.value).startswith(f"01-shares.toml, line 8, step 1: {said}")


def test_signs_and_names_of_tokens_are_no_html(tmp_path: Path) -> None:
    text = "a<b and b>a; <s>, </s>, <pad>, <br, <b and b>, {0} %s & \\u202e"
    lesson = read(tmp_path, HEAD + FIRST.replace("Each row of A sums to 1.", text))
    assert isinstance(lesson.steps[0], Step)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (
            'show = {select = {table = "A", query = "dog"}}',
            "show: There is no token dog. Choose one of cat, ",
        ),
        ("show = {sequence = 2}", "There is no sequence 2: the last is 1."),
        ("show = {temperature = 0.0}", "temperature"),
        ("show = {scale = -1.0}", "show: Scores are divided by a number from"),
        ("show = {scale = nan}", "show: Scores are divided by a number from"),
        ("show = {trial = 100000}", "show.trial must be a whole number from 1 to 512."),
        ("show = {head = 1" + "0" * 3000 + "}", "show.head must be a whole number from 1 to"),
        (
            "show = {selct = {}}",
            "show.selct is not a key of a lesson. Possible here: stage, spaces",
        ),
        (
            'highlight = ["bars"]',
            "highlight: bars is not a part of the window. Choose one of Wk, Wo",
        ),
        ('highlight = "X"', "highlight must be a list of 0 to 20 entries."),
        ('formula = "' + "x" * 501 + '"', "A formula has up to 500 characters."),
    ],
)
def test_what_a_step_shows_must_be_there_and_the_next_step_is_shown(
    tmp_path: Path, wrong: str, said: str
) -> None:
    step = '\n[[step]]\ntext.en = "Now."\nshort.en = "Now."\n'
    lesson = read(tmp_path, HEAD + FIRST + step + wrong + "\n" + step)
    _first, spoilt, after = lesson.steps

    assert isinstance(spoilt, Fault)
    assert spoilt.line == 16
    assert said in str(spoilt.message)
    assert isinstance(after, Step)
    assert as_of(lesson, 2)[0] is lesson.scenes["example:cat-likes-fish"]


def test_a_step_of_another_fault_still_names_the_scene_of_those_after_it(tmp_path: Path) -> None:
    other = FIRST.replace("cat-likes-fish", "translation").replace("short.en", "shrt.en")
    lesson = read(tmp_path, HEAD + FIRST + other + SECOND.partition("[step.task]")[0])
    assert isinstance(lesson.steps[1], Fault)
    assert isinstance(lesson.steps[2], Fault)  # whose query is in the first scene alone
    assert "no token" in str(lesson.steps[2].message)


def test_an_editors_mark_and_line_ends_are_no_fault(tmp_path: Path) -> None:
    text = HEAD + FIRST + SECOND.replace("short.en", "shrt.en")
    path = tmp_path / "01-shares.toml"
    path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    first, fault = read_lesson(path).steps

    assert isinstance(first, Step)
    assert isinstance(fault, Fault)
    assert fault.line == 15


@pytest.mark.parametrize("path", ["/dev/zero", ".", "pipe.toml"])
def test_what_is_no_file_is_no_lesson(tmp_path: Path, path: str) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    with pytest.raises(Problem, match="is not a file that can be read"):
        read_lesson(tmp_path / path)


@pytest.mark.parametrize(
    ("text", "heading", "line"),
    [
        ('"""\n[[step]]\nEach row."""', "[[step]]", 17),
        ("'''\n[[step]]\n\"\"\" Each row.'''", "[[step]]", 17),
        ('"Each \\\\\\"\\\\\\"\\\\\\" row." # a """ in a remark', "[[step]]", 15),
        ('"Each\u2028row."', '[[ "step" ]] # the second', 15),
    ],
)
def test_lines_are_counted_whatever_the_texts_are(
    tmp_path: Path, text: str, heading: str, line: int
) -> None:
    told = FIRST.replace('"Each row of A sums to 1."', text)
    second = SECOND.replace("short.en", "shrt.en").replace("[[step]]", heading)
    fault = read(tmp_path, HEAD + told + second).steps[1]

    assert isinstance(fault, Fault)
    assert fault.line == line
