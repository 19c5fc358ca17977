"""Handouts: every lesson on paper, in both languages, and what becomes of faulty ones."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import msgspec
import pytest
from pypdf import PageObject, PdfReader
from PySide6.QtWidgets import QApplication, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from explorer.app.handout.exercises import filled
from explorer.app.handout.handout import write_handout, write_variants
from explorer.app.handout.scene_pictures import ScenePictures
from explorer.app.lessons.variants import variant_of
from explorer.cli import main
from explorer.kit.style import apply_theme
from explorer.kit.theme import Theme
from explorer.lessons.lesson import Lesson, printed_text
from explorer.lessons.lesson_index import lesson_called
from explorer.lessons.read import read_lesson
from explorer.lessons.schema import Predict, Reading, Step
from explorer.lessons.steps import frame_of
from explorer.resources import lessons
from explorer.session import Stage
from explorer.text import Problem, display_number, languages, use_language
from tests.pdf_text import bare, by_pypdf, pages_of
from tests.sampled import in_turn

SIZES = {"a4": (595, 842), "letter": (612, 792)}
BY_HAND = next(path for path in lessons() if path.stem.endswith("scores-by-hand"))


@pytest.fixture(autouse=True)
def _painted(qapp: QApplication) -> None:
    """Have what paints."""


def stands(text: str, page: str) -> bool:
    """Return whether a text stands on a page, exactly."""
    return bare(text) in page


def fonts(page: PageObject) -> Iterator[bool]:
    """Yield of each font of a page whether its letters are in the file."""
    for font in page["/Resources"]["/Font"].values():
        [letters] = font.get_object()["/DescendantFonts"]
        descriptor = letters.get_object()["/FontDescriptor"].get_object()
        yield any(name.startswith("/FontFile") for name in descriptor)


def pictures(page: PageObject) -> Iterator[int]:
    """Yield the widths in pixels of what is no vector."""
    for thing in page["/Resources"].get("/XObject", {}).values():
        if thing["/Subtype"] == "/Image":
            yield thing["/Width"]


def made(lesson: Lesson, tmp_path: Path, spoken: str = "en", **options: object) -> bytes:
    use_language(spoken)
    path = tmp_path / "handout.pdf"
    write_handout(lesson, path, **options)
    return path.read_bytes()


@pytest.mark.parametrize(
    ("file", "spoken"), in_turn(8, lessons(), languages(), lambda path: path.stem[:2])
)
def test_every_lesson_is_on_paper_with_all_its_words(
    file: Path, spoken: str, tmp_path: Path
) -> None:
    lesson, paper = read_lesson(file), "a4" if spoken == "en" else "letter"
    data = made(lesson, tmp_path, spoken, paper=paper, answers=True)
    reader, pages = PdfReader(BytesIO(data)), pages_of(data)
    assert reader.metadata is not None
    assert reader.metadata.title == lesson.title[spoken]
    assert stands(lesson.title[spoken], pages[0])
    for number, page in enumerate(pages, 1):
        foot = bare(f"{lesson.title[spoken]} {number} / {len(pages)}")
        assert stands(foot, page[-len(foot) :])
    for page in reader.pages:
        assert (round(page.mediabox.width), round(page.mediabox.height)) == SIZES[paper]
        assert all(fonts(page))
        assert all(width <= 64 for width in pictures(page))  # all but icons are vectors

    def place(text: str) -> int:
        """Return the one page that has a text as a whole."""
        [found] = [at for at, page in enumerate(pages) if stands(text, page)]
        return found

    steps = [step for step in lesson.steps if isinstance(step, Step)]
    places = [place(printed_text(step)) for step in steps]
    thoughts = [place(question[spoken]) for question in lesson.questions]
    assert [*places, *thoughts] == sorted([*places, *thoughts])
    assert by_pypdf(data) == "".join(pages)  # another reader reads the same
    heading = {"en": "To think about", "zh": "思考题"}[spoken]
    assert place(heading) == thoughts[0]
    heading = {"en": "Answers", "zh": "答案"}[spoken]
    [answers] = [at for at, page in enumerate(pages) if page.startswith(heading)]
    assert answers > thoughts[-1]
    for step in steps:
        if step.task is not None:
            assert any(stands(printed_text(step.task), page) for page in pages[:answers])
    for answer in lesson.answers:
        assert any(stands(answer[spoken], page) for page in pages[answers:])


def test_answers_are_there_only_where_they_are_asked_for(tmp_path: Path) -> None:
    lesson = read_lesson(BY_HAND)
    without = pages_of(made(lesson, tmp_path))
    asked = pages_of(made(lesson, tmp_path, answers=True))
    assert len(asked) == len(without) + 1
    assert "Answers" not in "".join(without)
    assert asked[-1].startswith("Answers")
    assert "X(cloud,1)=1.0" in asked[-1]


def test_the_window_s_own_colours_and_text_size_stay_off_the_paper(
    tmp_path: Path, qapp: QApplication
) -> None:
    lesson = read_lesson(next(path for path in lessons() if path.stem.startswith("07")))

    def drawn(theme: Theme) -> list[bytes]:
        apply_theme(qapp, theme)
        reader = PdfReader(BytesIO(made(lesson, tmp_path)))
        return [page.get_contents().get_data() for page in reader.pages]

    assert drawn(Theme(dark=True, percent=200)) == drawn(Theme())


def test_a_wrong_step_says_what_is_wrong_and_the_rest_goes_on(tmp_path: Path) -> None:
    text = BY_HAND.read_text("utf-8")
    text = text.replace('stage = "Q"', 'stage = "Ω"').replace("K = X W_k", r"\frac{")
    shutil.copy(BY_HAND.with_name("asymmetric-keys.json"), tmp_path)
    path = tmp_path / "own.toml"
    path.write_text(text, "utf-8")
    lesson = read_lesson(path)
    said = "".join(pages_of(made(lesson, tmp_path)))
    assert bare("own.toml, line") in said
    assert bare("show.stage") in said
    assert bare("formula:") in said
    assert bare("To think about") in said
    last = lesson.steps[-1]
    assert isinstance(last, Step)
    assert bare(printed_text(last)) in said


def test_a_step_about_the_reader_s_own_run_says_so(tmp_path: Path) -> None:
    shutil.copy(BY_HAND.with_name("asymmetric-keys.json"), tmp_path)
    path = tmp_path / "own.toml"
    path.write_text(
        'format = "attention-explorer/lesson"\nversion = 1\ntitle.en = "Mine"\n'
        '[[step]]\ntrace = "own"\ntext.en = "Train it."\nshort.en = "Train."\n',
        "utf-8",
    )
    [page] = pages_of(made(read_lesson(path), tmp_path))
    assert "Trainit." in page
    assert "yourownrun" in page


def test_what_is_wrong_is_printed_with_its_line(tmp_path: Path) -> None:
    shutil.copy(BY_HAND.with_name("asymmetric-keys.json"), tmp_path)
    path = tmp_path / "own.toml"
    path.write_text(
        'format = "attention-explorer/lesson"\nversion = 1\ntitle.en = "Wrong"\n'
        '[[step]]\nscene = "example:cat-likes-fish"\ntext.en = "x"\nshort.en = "x"\n'
        "formula = '\\sofmax'\n"
        '[[step]]\ntext.en = "y"\nshort.en = "y"\nhighlight = ["nothing"]\n',
        "utf-8",
    )
    printed = "".join(pages_of(made(read_lesson(path), tmp_path)))
    assert r"own.toml,line8,step1:formula:Theformulahas\sofmax" in printed
    assert "own.toml,line12,step2:highlight:nothingisnotapart" in printed


TASK = """
[step.task]
text.en = "Do it."
hint.en = "Like so."
"""
SOLVED = 'solution = [{set = "X", query = "cloud", column = 1, to = -3.0}]\n'
CHECK = 'check = {value = "weights", query = "cat", key = "cloud", op = "<", than = 0.05}\n'


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (TASK + CHECK.replace("cloud", "dog") + SOLVED, "task.check: There is no token dog"),
        (
            TASK + CHECK.replace("<", ">") + SOLVED,
            "task.check: It is already true before anything is done.",
        ),
        (
            TASK + CHECK + SOLVED.replace("-3", "9"),
            "task.solution: It does not solve the task: weights becomes 0.",
        ),
        ("formula = '\\token{dog}{q}'\n", "formula: There is no token dog"),
        ('formula = "\\token{cat}{q}"\n', "formula: It contains a control character"),
    ],
)
def test_the_command_tells_what_is_wrong_as_the_window_does_and_prints_no_wrong_answer(
    wrong: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, pdf = tmp_path / "own.toml", tmp_path / "handout.pdf"
    path.write_text(
        'format = "attention-explorer/lesson"\nversion = 1\ntitle.en = "Wrong"\n'
        '[[step]]\nscene = "example:cat-likes-fish"\ntext.en = "x"\nshort.en = "x"\n' + wrong,
        "utf-8",
    )
    assert main(["handout", str(path), "-o", str(pdf), "--answers", "--language", "en"]) == 1
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("attention-explorer: own.toml, line ")
    assert said in line
    printed = "".join(pages_of(pdf.read_bytes()))
    assert bare(said) in printed
    assert "Answers" not in printed
    assert "Likeso" not in printed


def test_texts_are_printed_as_they_are(tmp_path: Path) -> None:
    shutil.copy(BY_HAND.with_name("asymmetric-keys.json"), tmp_path)
    path = tmp_path / "own.toml"
    path.write_text(
        'format = "attention-explorer/lesson"\nversion = 1\ntitle.en = "a < b &amp;"\n'
        '[[step]]\nscene = "example:cat-likes-fish"\ntext.en = "x <y & z> &lt;"\nshort.en = "x"\n'
        '[[question]]\nen = "' + "why " * 400 + '"\n',
        "utf-8",
    )
    pages = pages_of(made(read_lesson(path), tmp_path))
    assert pages[0].startswith("a<b&amp;")
    assert "x<y&z>&lt;" in pages[0]
    assert "".join(pages).count("why") == 400


def test_a_longer_text_than_a_page_goes_on_on_the_next(tmp_path: Path) -> None:
    shutil.copy(BY_HAND.with_name("asymmetric-keys.json"), tmp_path)
    path = tmp_path / "own.toml"
    parts = "".join(f'[[question]]\nen = "{number} {"词" * 1900}"\n' for number in range(3))
    path.write_text(
        'format = "attention-explorer/lesson"\nversion = 1\ntitle.en = "Long"\n'
        '[[step]]\nscene = "example:cat-likes-fish"\ntext.en = "x"\nshort.en = "x"\n' + parts,
        "utf-8",
    )
    pages = pages_of(made(read_lesson(path), tmp_path))
    assert "".join(pages).count("词") == 3 * 1900


def test_what_cannot_be_written_is_refused_and_nothing_is_left(tmp_path: Path) -> None:
    lesson = read_lesson(BY_HAND)
    for path, sentence in (
        (tmp_path / "handout.txt", r"ends in \.pdf"),
        (tmp_path / "nowhere" / "handout.pdf", "There is no folder"),
    ):
        with pytest.raises(Problem, match=sentence):
            write_handout(lesson, path)
    folder = tmp_path / "handout.pdf"
    folder.mkdir()
    with pytest.raises(Problem, match="is a folder"):
        write_handout(lesson, folder)
    assert list(tmp_path.iterdir()) == [folder]


def test_work_that_is_given_up_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "handout.pdf"
    path.write_bytes(b"before")
    shares: list[float] = []

    def told(share: float) -> None:
        shares.append(share)
        if share > 0.6:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_handout(read_lesson(BY_HAND), path, told=told)
    assert shares == sorted(shares)
    assert path.read_bytes() == b"before"


# --- other numbers on each copy ------------------------------------------------------------------


def test_each_copy_asks_the_same_with_other_numbers(tmp_path: Path) -> None:
    lesson, path = read_lesson(BY_HAND), tmp_path / "class.pdf"
    write_variants(lesson, path, 7, 3, answers=True)
    pages = pages_of(path.read_bytes())
    firsts = [page for page in pages if bare("Scores by hand · 7-0") in page]
    answers = [page for page in pages if page.startswith("Answers")]
    assert len(firsts) == len(set(firsts)) == 3
    assert len(answers) == len(set(answers)) == 3
    for copy, page in enumerate(answers, 1):
        variant = variant_of(lesson, 7, copy)
        assert variant.places == (3, 5)
        [scene] = variant.lesson.scenes.values()
        raw = (scene.X @ scene.Wq) @ (scene.X @ scene.Wk).T
        fish = scene.tokens.index("fish")  # whose row is filled in
        assert all(display_number(cell, 3) in page for cell in raw[fish])


@pytest.mark.parametrize(
    "name",
    ["dot-product", "many-heads", "rotary-position-as-an-angle", "a-head-that-looks-back"],
)
def test_variants_are_the_same_again_and_differ_from_each_other(name: str) -> None:
    lesson = read_lesson(lesson_called(name))
    if name == "a-head-that-looks-back":  # which asks such questions of its model alone
        asked = Predict("most", Reading("weights", query=7))
        shown = msgspec.structs.replace(lesson.steps[2], predict=asked)
        lesson = replace(lesson, steps=(*lesson.steps[:2], shown, *lesson.steps[3:]))
    one, other, again = (variant_of(lesson, 7, copy) for copy in (1, 2, 1))
    for name, scene in lesson.scenes.items():
        values = [each.lesson.scenes[name].X for each in (one, other, again)]
        assert (values[0] == values[2]).all()
        assert not (values[0] == values[1]).all()
        assert not (values[0] == scene.X).all()
        assert scene.X.min() - 0.005 <= values[0].min() <= values[0].max() <= scene.X.max() + 0.005


def test_no_row_that_is_asked_is_printed_as_a_column() -> None:
    """Of a symmetric table the mirror image is empty too."""
    lesson = read_lesson(next(path for path in lessons() if "the-whole-computation" in path.stem))
    place, fill = next((at, each.fill) for at, each in enumerate(lesson.steps) if each.fill)
    cells = filled(fill, frame_of(lesson, place)).tables[-1].cells
    row = next(at for at, texts in enumerate(cells) if not any(texts))
    assert not any(texts[row] for texts in cells)
    assert sum(text != "" for texts in cells for text in texts) == 9


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["handout", "7", "--seed", "3"], "goes with --variants"),
        (["handout", "7", "--variants", "0"], "from 1 to 200"),
        (["handout", "7", "--variants", "2", "--seed", "-1"], "from 0 to 999999"),
        (["handout", "27", "--variants", "2"], "does not ask for a number"),
    ],
)
def test_variants_that_cannot_be_are_one_sentence(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "-o", str(tmp_path / "a.pdf")]) == 2
    told = capsys.readouterr().err
    assert re.search(said, told)
    assert told.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_a_table_to_fill_in_stands_beside_what_it_comes_from_and_never_filled_itself(
    tmp_path: Path,
) -> None:
    path = tmp_path / "own.toml"
    head = 'format = "attention-explorer/lesson"\nversion = 1\ntitle.en = "Fill"\n[[step]]\n'
    about = 'scene = "example:cat-likes-fish"\ntext.en = "Fill."\nshort.en = "Fill."\n'
    path.write_text(head + about + 'fill = {table = "output"}\n', encoding="utf-8")
    lesson = read_lesson(path)
    [step] = lesson.steps
    assert isinstance(step, Step), step
    assert step.fill is not None
    exercise = filled(step.fill, frame_of(lesson, 0))
    assert [table.title for table in exercise.tables] == ["A", "V", "O"]
    assert not any(any(row) for row in exercise.tables[-1].cells)
    [solved] = exercise.solved
    assert (solved.title, all(all(row) for row in solved.cells)) == ("O", True)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("read-the-trace", ["Epoch: 95", "Press Train and wait for the last epoch"]),
        ("one-number-changed", ["Epoch: 60; Fork here; Learning Rate: 0.3; Press Train"]),
        ("looks-back", ["Switch off layer 4, head 4"]),
    ],
)
def test_the_key_says_how_a_task_is_done(name: str, said: list[str], tmp_path: Path) -> None:
    lesson = read_lesson(next(path for path in lessons() if name in path.stem))
    pages = pages_of(made(lesson, tmp_path, answers=True))
    [first] = [at for at, page in enumerate(pages) if page.startswith("Answers")]
    assert all(stands(each, "".join(pages[first:])) for each in said)


def test_of_the_scores_that_can_be_chosen_paper_names_those_shown(
    qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "own.toml"
    head = 'format = "attention-explorer/lesson"\nversion = 1\ntitle.en = "Raw"\n[[step]]\n'
    about = 'scene = "example:cat-likes-fish"\ntext.en = "Look."\nshort.en = "Look."\n'
    show = 'show = {stage = "S", scaled = false}\nhighlight = ["scores"]\n'
    path.write_text(head + about + show, encoding="utf-8")
    frame = frame_of(read_lesson(path), 0)
    stage = QWidget()
    qtbot.addWidget(stage)
    pictures = ScenePictures(Theme(), stage)
    for scaled, said in ((False, "QKᵀ"), (True, "÷ √2")):
        again = replace(frame, look=replace(frame.look, scaled=scaled))
        pictures.table(Stage.S, again, 300.0)
        buttons = pictures.results.matrices.scaling.findChildren(QToolButton)
        assert [each.text() for each in buttons if not each.isHidden()] == [said]
