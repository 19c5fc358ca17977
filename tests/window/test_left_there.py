"""What a person left in a room is found there in another language, seen at once or later."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QScrollBar, QWidget

from explorer.app.language import speak
from explorer.lessons.lesson_index import lesson_called
from explorer.rooms.train.corpus import CorpusText
from explorer.session import Centre
from explorer.session.lesson import TurnTo


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    speak("en")


def scrolled(widget: QWidget) -> list[int]:
    """Return how far everything that is seen is scrolled."""
    bars = [bar for bar in widget.findChildren(QScrollBar) if bar.isVisible()]
    return [bar.value() for bar in bars if bar.maximum() > 0]


def say_in(person, code: str, behind: bool) -> None:
    """Choose a language where the room is in front, or while another is."""
    window, front = person.window, person.window.rooms.front
    if behind:
        window.show_train(warm=False) if front is window.explore else window.rooms.show_explore()
    window.speak(code)
    window.rooms.show_room(front)
    person.plane, person.page = window.explore_page.plane, front.page
    person.settle()


@pytest.mark.parametrize("behind", [False, True])
def test_a_corpus_that_is_written(learner, behind):
    box = learner.page.parameters.corpus
    learner.push(box.edit)
    text = box.editor.text
    before = text.toPlainText()
    QTest.keyClick(text, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(text, "a b c")
    for _line in range(20):
        QTest.keyClick(text, Qt.Key.Key_Return)
        QTest.keyClicks(text, "b c d")
    QTest.keyClick(text, Qt.Key.Key_Home, Qt.KeyboardModifier.ShiftModifier)
    written, line = text.toPlainText(), text.textCursor().selectedText()
    corpus = learner.frame.corpus
    far = text.verticalScrollBar().value()
    assert line == "b c d"
    assert far > 0
    for code in ("zh", "en"):
        say_in(learner, code, behind)
        box = learner.page.parameters.corpus
        now = box.editor.text
        assert now is not text
        assert box.editing
        assert box.editor.waiting
        assert (now.toPlainText(), now.textCursor().selectedText()) == (written, line)
        assert now.verticalScrollBar().value() == far
        assert learner.frame.corpus is corpus
        if not behind:
            assert isinstance(QApplication.focusWidget(), CorpusText)
        text = now
    QTest.keyClick(text, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert text.toPlainText() == before
    QTest.keyClick(text, Qt.Key.Key_Escape)
    assert not learner.page.parameters.corpus.editing


def test_a_number_half_typed_is_taken(learner):
    line = learner.page.parameters.rows["learning_rate"].input.lineEdit()
    learner.click(line, line.rect().center())
    learner.key(Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier, line)
    QTest.keyClicks(line, "0.05")
    assert learner.frame.config.learning_rate != 0.05
    say_in(learner, "zh", False)
    assert learner.frame.config.learning_rate == 0.05
    now = learner.page.parameters.rows["learning_rate"].input.lineEdit()
    assert now is not line
    assert (now.text(), now.hasFocus()) == ("0.05", True)
    say_in(learner, "en", False)


def test_which_epochs_of_a_run_are_seen(learner):
    learner.page.timeline.chart.show_range(40, 90)
    learner.page.timeline.chart.set_log(True)
    learner.page.graph.set_turning(True)
    plot = learner.page.timeline.chart.plot
    say_in(learner, "zh", False)
    chart = learner.page.timeline.chart
    assert (chart.plot.first, chart.plot.last) == (plot.first, plot.last)
    assert chart.log
    assert learner.page.timeline.curves.actions()[0].isChecked()
    assert learner.page.graph.turning
    learner.page.graph.set_turning(False)
    learner.page.timeline.chart.show_all()
    say_in(learner, "en", False)  # as the files to come expect


def test_runs_are_called_so_in_each_language(learner):
    learner.type_parameter("epochs", "5")
    learner.train()
    learner.finish()
    [card] = [each for each in learner.frame.runs if each.key == learner.frame.shown]
    called = learner.frame.name_of(card)
    assert called.startswith("run ")
    say_in(learner, "zh", False)
    assert learner.frame.name_of(card) == f"训练 {called.removeprefix('run ')}"
    say_in(learner, "en", False)


@pytest.mark.parametrize("behind", [False, True])
def test_an_answer_half_typed_beside_what_was_chosen(person, behind):
    window = person.window
    window.resize(1024, 768)
    assert window.open_file(lesson_called("scores-by-hand"))
    page = window.explore_page
    while not page.lesson.question.field.isVisible():
        assert window.playing.handle(TurnTo(window.playing.sheet(person.session.frame).place + 1))
        person.settle()
    page.left.choice.picked.emit("both")
    page.turns.picked.emit("tables")
    person.settle()
    page.lesson.question.field.setFocus()
    QTest.keyClicks(page.lesson.question.field, "-0.")
    page.left.pages.setSizes([180, 300])
    person.settle()
    for area in page.left.findChildren(QScrollBar):
        area.setValue(area.maximum() // 2)
    sizes, far = page.left.pages.sizes(), scrolled(page.left)
    for code in ("zh", "en"):
        say_in(person, code, behind)
        page = person.page
        assert page.left.choice.button("both").isChecked()
        assert page.turns.button("tables").isChecked()
        assert page.right.isVisible()
        assert page.lesson.question.field.text() == "-0."
        assert page.lesson.question.field.hasFocus() or behind
        assert page.left.pages.sizes() == sizes
    assert scrolled(page.left) == far


def test_where_each_picture_is_looked_at_from(person):
    window = person.window
    window.rooms.show_centre(Centre.PLANE)
    person.plane.look_at(0.5, 0.25, 2.0)
    looked = person.plane.looked_from
    say_in(person, "zh", True)
    assert person.plane.looked_from == pytest.approx(looked)
