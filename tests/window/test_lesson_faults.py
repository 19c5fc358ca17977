"""Lessons that are wrong or hostile: the step says what is wrong, and the lesson goes on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QLabel, QWidget

from explorer.session import Stage

HEAD = """\
format = "attention-explorer/lesson"
version = 1
title.en = "Faults & {0} %s"
"""
TEXT = """
[[step]]
text.en = "Step."
short.en = "Step."
"""
SCENE = TEXT + 'scene = "example:cat-likes-fish"\nshow = {stage = "X"}\n'
FINE = TEXT + 'show = {stage = "A"}\n'
TASK = """
[step.task]
text.en = "Do it."
hint.en = "Like so."
"""
SOLVED = 'solution = [{set = "X", query = "cloud", column = 1, to = -3.0}]\n'
CHECK = 'check = {value = "weights", query = "cat", key = "cloud", op = "<", than = 0.05}\n'
ASK = "\n[step.predict]\n"
OF = 'of = {value = "weights", query = "cat", key = "cloud"}\n'

# A step, the line of it that is wrong, and what is said.
WRONG = [
    (r"formula = '\frac{1'", "formula", "formula: The formula does not parse: it has 1 × {, 0"),
    (r"formula = '\sofmax(x)'", "formula", r"formula: The formula has \sofmax, which is not"),
    (r"formula = '\token{dog}{q}'", "formula", "formula: There is no token dog. Choose one of"),
    ("formula = '" + r"\frac{1}{" * 20 + "}" * 20 + "'", "formula", "formula: The formula has too"),
    (TASK + CHECK.replace("cloud", "dog") + SOLVED, "check", "task.check: There is no token dog."),
    (TASK + CHECK.replace('key = "cloud", ', "") + SOLVED, "check", "task.check: weights needs a"),
    (TASK + 'check = {value = "X", query = "cat", column = 9, op = "<", than = 1.0}\n' + SOLVED,
     "check", "task.check: X has 4 rows and 2 columns, so none at row 1, 9."),
    (TASK + CHECK.replace("than", "head = 7, than") + SOLVED,
     "check", "task.check: There is no head 7: the last is 1."),
    (TASK + CHECK.replace("<", ">") + SOLVED, "check",
     "task.check: It is already true before anything is"),
    (TASK + CHECK.replace('"<"', '"=="').replace("0.05", "nan") + SOLVED, "solution",
     "task.solution: It does not solve the task: weights becomes 0."),
    (TASK + CHECK + SOLVED.replace("cloud", "dog"), "solution", "task.solution: There is no token"),
    (TASK + CHECK + SOLVED.replace("-3.0", "1e300"), "solution", "task.solution: "),
    (TASK + CHECK + SOLVED.replace("-3.0", "nan"), "solution", "task.solution: "),
    (TASK + CHECK + SOLVED.replace("column = 1", "column = 9"), "solution",
     "task.solution: X has 4 rows and 2 columns, so none at row 4, 9."),
    (TASK + CHECK + 'solution = [{option = "heads", to = 3}]\n', "solution", "task.solution: "),
    (ASK + 'ask = "most"\n' + OF.replace("cat", "dog"), "predict",
     "predict: There is no token dog."),
    (ASK + 'ask = "most"\n' + OF.replace("}", ", head = 7}"), "predict",
     "predict: There is no head 7: the last is 1."),
    (ASK + 'ask = "value"\n' + OF.replace("weights", "Wo"), "predict",
     "predict: This scene has no Wo."),
    (ASK + 'ask = "change"\n' + OF + 'by = [{set = "A", to = 1}]\n', "by",
     "predict.by[1].set must"),
]  # fmt: skip


def said(widget: QWidget) -> str:
    """Return everything a widget says, unsplit."""
    return " ".join(label.text() for label in widget.findChildren(QLabel) if label.isVisible())


def lesson(folder: Path, *steps: str) -> Path:
    """Return a lesson file of steps."""
    path = folder / "own.toml"
    path.write_text(HEAD + "".join(step + "\n" for step in steps), encoding="utf-8")
    return path


def test_what_only_the_table_tells_is_named_with_its_line_and_the_lesson_goes_on(
    person, tmp_path: Path
):
    parts = [SCENE]
    for wrong, _key, _sentence in WRONG:
        parts += [TEXT + 'show = {stage = "S"}\n' + wrong, FINE]
    path = lesson(tmp_path, *parts)
    assert person.window.open_file(path)
    person.settle()
    panel = person.window.explore_page.lesson
    lines = path.read_text(encoding="utf-8").split("\n")
    start = 0
    for number, (_wrong, key, sentence) in enumerate(WRONG):
        panel.next.click()
        person.settle()
        step = 2 * number + 2
        start = [at for at, line in enumerate(lines) if line == "[[step]]"][step - 1]
        offset = next(at for at, line in enumerate(lines[start:]) if key in line.split(" = ")[0])
        shown = said(panel)
        assert f"own.toml, line {start + offset + 1}, step {step}: {sentence}" in shown
        assert "Step." not in shown
        assert person.window.explore_page.results.matrices.isVisible()  # nobody is asked
        panel.next.click()
        person.settle()
        assert "Step." in said(panel)
        assert person.session.look.stage is Stage.A


def test_what_is_wrong_is_said_in_the_language_in_use(person, tmp_path: Path):
    broken = SCENE + "formula = 'x}'\n"
    unread = TEXT.replace("short.en", "shrt.en")
    assert person.window.open_file(lesson(tmp_path, SCENE, broken, unread))
    person.settle()
    person.window.explore_page.lesson.next.click()
    person.settle()
    person.window.speak("zh")
    person.settle()
    assert "own.toml，第 17 行，第 2 步：formula：公式" in said(person.window.explore_page.lesson)
    person.window.explore_page.lesson.next.click()
    person.settle()
    assert "own.toml，第 22 行，第 3 步：" in said(person.window.explore_page.lesson)
    person.window.speak("en")


def test_a_token_that_is_taken_away_leaves_the_page_and_the_way_back(person, tmp_path: Path):
    assert person.window.open_file(lesson(tmp_path, SCENE + TASK + CHECK + SOLVED))
    person.settle()
    panel = person.window.explore_page.lesson
    person.window.document.open_example(Path("examples/translation.json"))
    person.settle()
    assert "Do it." in said(panel)
    assert panel.back.isVisible()
    panel.back.click()
    person.settle()
    assert person.session.scene.tokens[0] == "cat"


def hostile(folder: Path) -> dict[str, Path]:
    """Return lessons that are refused, by what is said of them."""
    names = [f"t{place}" for place in range(10_000)]
    scene = {"format": "attention-explorer/scene", "version": 1}
    (folder / "big.json").write_text(json.dumps(scene | {"tokens": names, "X": [[1.0]] * 10_000}))
    steps = {
        "../x.json lies outside": SCENE.replace("example:cat-likes-fish", "../x.json"),
        "example:../x lies outside": SCENE.replace("cat-likes-fish", "../x"),
        "big.json: tokens has 10000": SCENE.replace("example:cat-likes-fish", "big.json"),
        "holds HTML, <b>": SCENE.replace("Step.", "<b>Step.</b>"),
        "is longer than 2000": SCENE.replace("Step.", "x" * 2001),
    }
    made = {}
    for number, (sentence, step) in enumerate(steps.items()):
        made[sentence] = folder / f"evil{number}.toml"
        made[sentence].write_text(HEAD + SCENE + step, encoding="utf-8")
    return made


@pytest.mark.parametrize("way", ["opened", "dropped"])
def test_a_hostile_lesson_is_refused_by_name_and_nothing_is_lost(person, tmp_path: Path, way: str):
    before = person.session.scene
    bar = person.window.explore_page.error_bar
    for sentence, path in hostile(tmp_path).items():
        if way == "opened":
            assert not person.window.open_file(path)
        else:
            person.window.opening.drop([QUrl.fromLocalFile(str(path))])
        person.settle()
        assert bar.isVisible()
        assert bar.sentence.startswith(f"{path.name}, line ")
        assert sentence in bar.sentence
        assert person.session.scene is before
        assert person.window.explore_page.lesson is None
        bar.hide()
