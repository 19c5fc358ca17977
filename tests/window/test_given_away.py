"""No page of a lesson shows what a later page asks: in the window, before an audience, on paper."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QLabel, QWidget

from explorer.app.handout.handout import _exercises, _Sheets
from explorer.app.handout.paper import Paper
from explorer.app.handout.pictures import pictures
from explorer.app.lessons.tables import after_edits
from explorer.app.main import make_window
from explorer.app.window import MainWindow
from explorer.lessons.lesson import Lesson, printed_text
from explorer.lessons.read import read_lesson
from explorer.lessons.readings import address, number, shares, table_of
from explorer.lessons.runs import cursor_of
from explorer.lessons.schema import Step, Watch
from explorer.lessons.steps import frame_as_of, kind_of, scene_named
from explorer.lessons.tokens import token_place
from explorer.resources import lessons
from explorer.rooms.train.timeline_marks import marked
from explorer.session import ResultsTab, Stage
from explorer.session.lesson import AnswerQuestion, LeaveLesson, TurnTo
from explorer.text.numbers import MINUS
from tests.proofreading import Sheet, parts, written_on
from tests.sampled import every
from tests.window.conftest import Person

NUMBER = re.compile(r"[−-]?(?<![\d.])\d+\.\d+(?!\.?\d)")
PAIRS = {"raw": Stage.S, "scores": Stage.S, "weights": Stage.A}
STAGES = ("Q", "K", "V")
ALL = sorted(lessons())


class Asked(NamedTuple):
    """What a page asks: its numbers, and where they stand in a table of pairs."""

    page: int
    scene: str
    values: tuple[float, ...]
    cells: tuple[tuple[Stage, int, int], ...]
    table: str


@cache
def asked(path: Path) -> tuple[Asked, ...]:
    """Return what the pages of a lesson ask of scenes."""
    return tuple(_asked(read_lesson(path)))


def _asked(lesson: Lesson) -> Iterator[Asked]:
    for page, step in enumerate(lesson.steps):
        assert isinstance(step, Step)
        scene = scene_named(lesson, page)
        if scene is None:
            continue
        frame = frame_as_of(lesson, page)
        if step.predict is not None:
            of = step.predict.of
            if not step.predict.hides or step.predict.ask == "shape":
                continue
            if step.predict.ask == "most":
                query = token_place(of.query or 1, frame.scene.tokens)
                table = range(len(frame.scene.key_tokens))
                cells = tuple((stage, query, key) for key in table for stage in (Stage.S, Stage.A))
                yield Asked(page, scene, tuple(shares(of, frame)[1]), cells, of.value)
                continue
            after = after_edits(step.predict.by, frame)
            row, column = address(of, frame)
            stage = PAIRS.get(of.value)
            there = () if stage is None or step.predict.by else ((stage, row, column),)
            yield Asked(page, scene, (number(of, after),), there, of.value)
        if step.fill is not None:
            fill, blank = step.fill, frame.look.blank
            assert blank is not None
            values = table_of(fill.table, frame, None)
            rows = range(len(values)) if blank.row is None else [blank.row]
            stage = PAIRS.get(fill.table)
            cells = tuple((stage, r, c) for r in rows for c in range(values.shape[1]) if stage)
            numbers = tuple(float(v) for r in rows for v in values[r] if np.isfinite(v))
            yield Asked(page, scene, numbers, cells, fill.table)


def digits(value: float) -> str:
    """Return the first three digits that count."""
    return f"{value + 0.0:.2e}"


def telling(values: tuple[float, ...]) -> set[str]:
    """Return the digits of those that three digits tell apart from any other number."""
    found = map(digits, values)
    return {each for each in found if not each.partition("e")[0].endswith("0")}


def numbers_in(texts: list[str]) -> dict[str, str]:
    """Return the texts that hold a number, by its digits."""
    return {
        digits(float(each.replace(MINUS, "-"))): text
        for text in texts
        for each in NUMBER.findall(text)
    }


def check(lesson: Lesson, page: int, texts: list[str], where: str) -> None:
    """Fail where a number that is asked on a later page of the same scene stands in texts."""
    step = lesson.steps[page]
    assert isinstance(step, Step)
    found = numbers_in(texts)
    for each in asked(lesson.path):
        taught = PAIRS.get(each.table, each.table) in [*step.teaches, *map(str, step.teaches)]
        if each.page >= page and each.scene == scene_named(lesson, page) and not taught:
            told = telling(each.values) & found.keys()
            assert not told, f"page {page + 1}, {where}: {[found[d] for d in told]}"


@pytest.fixture(scope="module")
def window(qapp) -> Iterator[MainWindow]:
    made = make_window()
    made.resize(1440, 900)
    made.show()
    yield made
    made.session.mark_saved(made.session.scene)
    made.close()


def texts_of(widget: QWidget) -> list[str]:
    """Return all that is written on a widget, and what its labels say."""
    seen = list(parts(widget))
    found = [each.text for part in seen for each in written_on(part)]
    labels = (part for part in seen if isinstance(part, QLabel))
    return [*found, *(label.text() for label in labels)]


@pytest.mark.parametrize("path", every(8, ALL, 0, lambda path: path.stem[:2]))
def test_the_window_hides_what_is_asked_later(path: Path, window: MainWindow) -> None:
    lesson, person = read_lesson(path), Person(window)
    if not list(asked(lesson.path)):
        return
    window.playing.open(path)
    person.settle()
    session = window.session
    for page in range(len(lesson.steps)):
        window.playing.handle(TurnTo(page))
        person.settle()
        if kind_of(lesson, page) != "scene":
            continue
        look = session.look
        check(lesson, page, texts_of(window.explore_page), "as it opens")
        for tab in ResultsTab:
            if tab is not look.tab:  # nothing else is drawn anew
                session.look_at(replace(look, tab=tab))
                person.settle()
                check(lesson, page, texts_of(window.explore_page.results), str(tab))
        session.look_at(look)
        person.settle()
        matrices = window.explore_page.results.matrices
        for each in asked(lesson.path):
            if each.page <= page or each.scene != scene_named(lesson, page):
                continue
            for stage, row, column in each.cells:
                part = matrices.parts[stage]
                if stage in lesson.steps[page].teaches:
                    continue
                if part.isVisible() and not session.frame.masked(row, column):
                    source = part.fitted.source
                    assert source is not None
                    assert source.text(row, column) == "?"
                    assert not NUMBER.search(source.tip(row, column))
                    assert not NUMBER.search(source.spoken(row, column))
                    assert np.isnan(source.copied()[1][row, column])


@pytest.mark.parametrize("path", every(8, ALL, 4, lambda path: path.stem[:2]))
def test_an_audience_is_not_shown_what_is_asked_later(path: Path, window: MainWindow) -> None:
    lesson, person = read_lesson(path), Person(window)
    if not list(asked(lesson.path)):
        return
    window.playing.open(path)
    person.settle()
    window.presenting.present()
    person.settle()
    audience = window.presenting.audience
    for page in range(len(lesson.steps)):
        window.playing.handle(TurnTo(page))
        person.settle()
        if kind_of(lesson, page) != "scene":
            continue
        for _half in range(2):
            check(lesson, page, texts_of(audience.page), "presented")
            audience.page.show_other_half()
            person.settle()
    audience.close()
    person.settle()


def printed(sheets: _Sheets, page: int) -> list[str]:
    """Return all that is written in one step of a handout."""
    sheet = Sheet(QSize(3000, 3000))
    with QPainter(sheet) as painter:
        painter.setClipRect(QRect(0, 0, 3000, 3000))
        for row in sheets._step(page + 1):
            row.draw(painter, 0.0, 0.0)
    return [each.text for each in sheet.writer.written]


@pytest.mark.parametrize("path", every(4, ALL, 1, lambda path: path.stem[:2]))
def test_paper_does_not_show_what_is_asked_later(path: Path, qapp) -> None:
    lesson = read_lesson(path)
    if not list(asked(lesson.path)):
        return
    with pictures() as drawn:
        sheets = _Sheets(lesson, Paper("a4"), drawn)
        for page in range(len(lesson.steps)):
            if kind_of(lesson, page) != "scene":
                continue
            check(lesson, page, printed(sheets, page), "paper")


def test_paper_does_not_show_an_answer_below_its_question(qapp) -> None:
    by_hand = read_lesson(next(path for path in ALL if path.stem.endswith("scores-by-hand")))
    shares_of = read_lesson(next(path for path in ALL if path.stem.endswith("become-shares")))
    with pictures() as drawn:
        for lesson, answer, pages in ((by_hand, 0.195, (4, 5)), (shares_of, 0.120, (3, 4))):
            sheets = _Sheets(lesson, Paper("a4"), drawn)
            for page in pages:  # they show the table that an earlier page asks of, or ask its rest
                found = numbers_in(printed(sheets, page))
                assert len(found) > 5
                assert digits(answer) not in found


# The same number of something else: of head 2, and 1 ÷ √2.
COINCIDENCES = {("16", "8.09e-01"), ("21", "7.07e-01")}


def test_no_text_on_paper_tells_a_number_that_was_asked_above_it(qapp) -> None:
    asked_for = 0
    with pictures() as drawn:
        for path in ALL:
            lesson = read_lesson(path)
            said = [numbers_in([printed_text(step)]).keys() for step in lesson.steps]
            for page, step in enumerate(lesson.steps):
                if (kind := kind_of(lesson, page)) == "model" or not (step.predict or step.fill):
                    continue
                for exercise in _exercises(step, drawn.of(kind).frame(lesson, page)):
                    rows = [row for table in exercise.solved if step.fill for row in table.cells]
                    texts = [exercise.answer, *(text for row in rows for text in row)]
                    found = [float(n.replace(MINUS, "-")) for n in NUMBER.findall(" ".join(texts))]
                    known = set().union(*said[: page + 1])
                    hidden = telling(tuple(found)) - known
                    asked_for += len(hidden)
                    for later, told in enumerate(said[page + 1 :], page + 2):
                        given = {(path.stem[:2], each) for each in hidden & told} - COINCIDENCES
                        assert not given, f"{path.stem}, page {later} tells {page + 1}"
    assert asked_for > 50


def test_no_remainder_and_no_other_shape_gives_an_answer_away(qapp) -> None:
    rows, shapes = 0, 0
    with pictures() as drawn:
        for path in ALL:
            lesson = read_lesson(path)
            there = [n for n in range(len(lesson.steps)) if kind_of(lesson, n) == "scene"]
            frames = {n: drawn.scenes.frame(lesson, n) for n in there}
            for page, here in ((later, n) for later in there for n in there if n <= later):
                predict = lesson.steps[page].predict
                if predict is None or scene_named(lesson, page) != scene_named(lesson, here):
                    continue
                of, frame = predict.of, frames[here]
                if predict.ask == "shape" and of.value in (*STAGES, *PAIRS):
                    shape = table_of(of.value, frame, of.head).shape
                    links = drawn.scenes.chain.chain(frame).links
                    told = [link.letter for link in links if link.shape == shape]
                    assert set(told) <= {"X", "X + P"}, f"{path.stem}, page {here + 1}"
                    shapes += 1
                elif predict.ask == "value" and of.value == "weights" and predict.hides:
                    row, _column = address(of, frame)
                    seen = np.flatnonzero(frames[page].weights[row]).tolist()
                    shown = [n for n in seen if not frame.look.hides(Stage.A, row, n)]
                    assert not shown, f"{path.stem}, page {here + 1}"
                    rows += 1
    assert min(rows, shapes) > 10


def test_no_page_about_a_run_looks_where_a_later_page_asks(qapp) -> None:
    tried = 0
    with pictures() as drawn:
        for path in ALL:
            lesson = read_lesson(path)
            traced = [n for n in range(len(lesson.steps)) if kind_of(lesson, n) == "trace"]
            frames = {n: drawn.runs.frame(lesson, n) for n in traced}
            for page in traced:
                step = lesson.steps[page]
                assert isinstance(step, Step)
                if step.predict is None or not step.predict.hides or frames[page] is None:
                    continue
                of, frame = step.predict.of, after_edits(step.predict.by, frames[page])
                there = cursor_of(Watch(epoch=of.epoch, sample=of.sample), frame)
                for earlier in (n for n in traced if n <= page and frames[n] is not None):
                    here = frames[earlier]
                    if here.trace is None or here.title != frames[page].title:
                        continue
                    if of.value in ("weights", "probability"):
                        tried += 1
                        same = (here.cursor.step, here.cursor.sample) == (there.step, there.sample)
                        assert not same, f"{path.stem}, page {earlier + 1} shows {page + 1}"
                    elif of.value in ("loss", "accuracy") and step.predict.ask == "change":
                        tried += 1
                        where = f"{path.stem}, page {earlier + 1} shows {page + 1}"
                        assert here.look.veiled, where
                        assert here.epoch <= frames[page].epoch, where  # the curves end there
    assert tried > 20


def test_the_curves_end_at_the_playhead_until_it_is_said_what_they_do_after_it(window) -> None:
    person = Person(window)
    window.playing.open(next(path for path in ALL if "lucky" in path.stem))
    person.settle()
    chart = window.train.page.timeline.chart
    window.train.clock.flush()
    frame = window.train.session.frame
    assert frame.epoch == 0
    assert "loss" in chart.said
    assert len(chart.columns()["loss"]) == 1
    assert not [each.epoch for _letter, each in marked(frame) if each.epoch > 0]
    window.playing.handle(AnswerQuestion("Smaller"))
    person.settle()
    window.train.clock.flush()
    assert len(chart.columns()["loss"]) == len(frame.scalars.loss) > 100
    assert [each.epoch for _letter, each in marked(window.train.session.frame) if each.epoch > 0]
    window.playing.handle(LeaveLesson())
