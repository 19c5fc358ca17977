"""The corpus in Train's panel: the list of sentences, and the text behind it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.kit.small_inputs import CalmCombo, StepField
from explorer.kit.style import finish, prepare
from explorer.kit.theme import Theme
from explorer.rooms.train.corpus import CorpusBox
from explorer.rooms.train.corpus_list import CorpusRows, Predictions
from explorer.session.train import Cursor, TrainFrame
from explorer.session.train.intents import GoToSample, OpenCorpus, SetCorpus, SetSplitting
from explorer.text import Message
from explorer.traces import DEFAULT_CORPUS, Splitting, parse_corpus
from tests.proofreading import written_on
from tests.showing import to_front
from tests.train_frames import recorded_run, sentences, train_frame

LEFT = Qt.MouseButton.LeftButton
KEY = Qt.Key
DEFAULT = parse_corpus(DEFAULT_CORPUS)
ONE_WORD = Message("Line 2 has one word.")


class Box:
    """A shown corpus box and everything it asks for."""

    def __init__(self, qtbot: QtBot) -> None:
        self.intents: list[object] = []
        prepare(Theme())
        self.box = CorpusBox(Theme(), self.intents.append)
        finish(self.box, Theme())
        qtbot.addWidget(self.box)
        self.box.resize(236, 300)
        with qtbot.waitExposed(self.box):
            self.box.show()
        to_front(self.box)
        self.frame = train_frame(corpus=DEFAULT, corpus_text=DEFAULT_CORPUS)
        self.draw()

    def draw(self, frame: TrainFrame | None = None, **changes: object) -> None:
        self.frame = replace(frame or self.frame, **changes)  # type: ignore[arg-type]
        self.box.draw(self.frame)
        QApplication.processEvents()

    def asked(self) -> list[object]:
        asked, self.intents[:] = list(self.intents), []
        return asked

    def centre(self, row: int) -> QPoint:
        return self.box.list.visualRect(self.box.list.model().index(row, 0)).center()

    def click(self, row: int) -> None:
        QTest.mouseClick(self.box.list.viewport(), LEFT, pos=self.centre(row))

    def said(self, row: int, role: int = Qt.ItemDataRole.DisplayRole) -> str:
        return str(self.box.list.model().index(row, 0).data(role))

    def row_image(self, row: int) -> QImage:
        rows = self.box.list
        rect = rows.visualRect(rows.model().index(row, 0))
        rect.moveTopLeft(rows.viewport().mapTo(self.box, rect.topLeft()))
        return self.box.grab().toImage().copy(rect)

    def edit(self) -> None:
        QTest.mouseClick(self.box.edit, LEFT)

    def write(self, text: str) -> None:
        self.box.editor.text.selectAll()
        for number, line in enumerate(text.split("\n")):
            if number:
                QTest.keyClick(self.box.editor.text, KEY.Key_Return)
            QTest.keyClicks(self.box.editor.text, line)


@pytest.fixture
def box(qtbot: QtBot) -> Box:
    return Box(qtbot)


def colours(image: QImage) -> set[str]:
    return {
        image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())
    }


# --- the list ------------------------------------------------------------------------------------


def test_numbers_are_those_of_the_shown_step(box: Box) -> None:
    trace = recorded_run()
    for step in (0, 4):
        box.draw(train_frame(trace, Cursor(step), corpus=DEFAULT))
        logits = trace.array("logits", step).astype(float)
        exponentials = np.exp(logits - logits.max(axis=1, keepdims=True))
        p = exponentials / exponentials.sum(axis=1, keepdims=True)
        assert trace.targets is not None
        for row, target in enumerate(trace.targets):
            said = box.said(row)
            assert said.startswith(" → ".join(trace.run.corpus[row].rsplit(" ", 1)))
            assert f"probability of the target {p[row, target]:.2f}" in said
            assert said.endswith(", correct") == (p[row].argmax() == target)


def test_a_tick_stands_where_the_likeliest_word_is_right(box: Box) -> None:
    trace = recorded_run()
    frame = train_frame(trace, Cursor(3, sample=0))
    box.draw(frame)
    predictions = Predictions.of(frame)
    assert predictions is not None
    assert 0 < predictions.right.sum() < len(predictions.right), "there are both"
    ground = Theme().color("win").name()
    for row in range(1, 6):
        image = box.row_image(row)
        tick = image.copy(image.width() - 18, 0, 12, image.height())
        assert (colours(tick) != {ground}) == bool(predictions.right[row])


def test_words_have_their_colours_and_the_chosen_row_an_outline(box: Box) -> None:
    theme = Theme()
    box.draw(train_frame(recorded_run(), Cursor(3, sample=1)))
    chosen, other = box.row_image(1), box.row_image(0)
    ink = theme.color("ink1").name()
    assert chosen.pixelColor(1, chosen.height() // 2).name() == ink
    assert other.pixelColor(1, other.height() // 2).name() == theme.color("win").name()
    # dog (5), likes (2) → bone (8), as drawn in the design; cat (1) is only in the other row.
    for slot in (4, 1, 7):
        assert theme.color(theme.slot(slot).ink).name() in colours(chosen)
    assert theme.color(theme.slot(0).ink).name() not in colours(chosen)
    assert theme.color(theme.slot(0).ink).name() in colours(other)


def test_click_and_arrow_keys_go_to_the_sample(box: Box) -> None:
    box.click(4)
    assert box.asked() == [GoToSample(4)]
    box.draw(cursor=Cursor(3, sample=4))
    box.box.list.setFocus()
    QTest.keyClick(box.box.list, KEY.Key_Up)
    assert box.asked() == [GoToSample(3)]
    box.draw(cursor=Cursor(3, sample=3))
    QTest.keyClick(box.box.list, KEY.Key_End)
    assert box.asked() == [GoToSample(5)]


def test_drawing_emits_nothing(box: Box) -> None:
    for sample in (2, 0, 5):
        box.draw(cursor=Cursor(3, sample=sample))
        assert box.box.list.currentIndex().row() == sample
    assert box.asked() == []


def test_sentences_that_were_not_recorded_cannot_be_chosen(box: Box) -> None:
    trace = recorded_run(sentences(30, 90), steps=2)
    box.draw(train_frame(trace, Cursor(1, 63)))
    assert box.box.list.model().rowCount() == 90
    assert "not recorded" in box.said(64, Qt.ItemDataRole.ToolTipRole)
    assert "probability" not in box.said(64)
    QTest.keyClick(box.box.list, KEY.Key_Down)
    box.box.list.scrollToBottom()
    box.click(80)
    assert box.asked() == []


def test_rows_of_traces_from_elsewhere() -> None:
    trace = recorded_run(without=("targets", "samples"))
    rows = CorpusRows.of(trace, None)
    assert rows.words(0) == (["cat", "likes"], None)
    assert rows.samples == {sample: sample for sample in range(6)}
    assert Predictions.of(train_frame(recorded_run(without=("logits",)))) is None
    assert CorpusRows.of(None, None).sentences == ()


def test_without_probabilities_there_is_no_column_for_them(box: Box) -> None:
    assert box.box.column.isVisible()
    box.draw(train_frame(recorded_run(only=())))
    assert not box.box.column.isVisible()
    assert box.said(0) == "cat likes fish" or box.said(0).startswith("cat likes")


def test_without_a_run_the_next_runs_sentences_are_listed(box: Box) -> None:
    box.draw(TrainFrame(corpus=DEFAULT))
    assert [box.said(row) for row in range(2)] == ["cat likes → fish", "dog likes → bone"]
    assert not box.box.note.isVisible()
    box.click(1)
    assert box.asked() == []


def test_texts_are_plain(box: Box) -> None:
    trace = recorded_run("<b>a</b> \u202eb &amp;\nc d e", steps=2)
    box.draw(train_frame(trace, Cursor(1)))
    assert "&lt;b&gt;a" in box.said(0, Qt.ItemDataRole.ToolTipRole)
    assert "\u202e" not in box.said(0)


def test_the_arrow_leads_to_the_target_in_every_script() -> None:
    rows = CorpusRows(("חתול אוהב דג", "cat אוהב fish"))
    apart = "\u2068אוהב\u2069"
    assert rows.said(0) == f"\u2068חתול\u2069 {apart} → \u2068דג\u2069"
    assert f"cat {apart} → fish" in rows.said(1)


@pytest.mark.parametrize("words", [2, 5, 60])
def test_long_sentences_stay_within_their_row(box: Box, words: int) -> None:
    long = " ".join(f"{'w' * 12}{i}" for i in range(words))
    trace = recorded_run(f"{long}\n{'W' * 40} {'M' * 40}\na b", steps=2)
    box.draw(train_frame(trace, Cursor(1, 2)))
    ground = Theme().color("win").name()
    for row in (0, 1):
        image = box.row_image(row)
        # Nothing is written where the number begins: right-aligned, 4 digits before the tick.
        gap = image.copy(image.width() - 62, 0, 4, image.height())
        assert colours(gap) == {ground}


def test_another_corpus_for_the_next_run_is_said(box: Box) -> None:
    assert not box.box.note.isVisible()
    box.draw(corpus=parse_corpus("a b\nc d\ne f"))
    assert box.box.note.isVisible()
    assert "another corpus, of 3 sentences" in box.box.note.text()
    assert box.said(0).startswith("cat likes"), "the list is still that of the shown run"


# --- the text ------------------------------------------------------------------------------------


def test_the_text_is_edited_in_place(box: Box) -> None:
    box.edit()
    editor = box.box.editor
    assert box.box.editing
    assert not box.box.list.isVisible()
    assert editor.text.toPlainText() == DEFAULT_CORPUS
    assert editor.text.hasFocus()
    box.write("a b")
    QTest.mouseClick(editor.use, LEFT)
    assert box.asked() == [SetCorpus("a b")]
    assert box.box.editing, "until the frame takes it"
    box.draw(corpus_text="a b", corpus=parse_corpus("a b"))
    assert not box.box.editing
    assert box.box.list.isVisible()


def test_a_key_takes_the_text(box: Box) -> None:
    box.edit()
    box.write("a b")
    QTest.keyClick(box.box.editor.text, KEY.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert box.asked() == [SetCorpus("a b")]


def test_escape_leaves_everything_as_it_was(box: Box) -> None:
    box.edit()
    box.write("a b")
    QTest.keyClick(box.box.editor.text, KEY.Key_Escape)
    assert not box.box.editing
    assert box.box.edit.hasFocus()
    assert box.asked() == []
    box.edit()
    assert box.box.editor.text.toPlainText() == DEFAULT_CORPUS


def test_a_bad_line_is_marked_and_nothing_is_lost(box: Box) -> None:
    box.edit()
    text = "cat likes fish\ndog\nbird eats worm"
    box.write(text)
    QTest.mouseClick(box.box.editor.use, LEFT)
    box.draw(corpus_text=text, corpus_problem=(2, ONE_WORD))
    editor = box.box.editor
    assert box.box.editing
    assert editor.text.toPlainText() == text
    assert editor.problem.isVisible()
    assert editor.problem.text() == str(ONE_WORD)
    marks = editor.text.extraSelections()
    assert [mark.cursor.blockNumber() for mark in marks] == [1]
    assert editor.text.textCursor().blockNumber() == 1
    # Asked again from elsewhere, the keyboard is at the bad line again.
    editor.text.moveCursor(QTextCursor.MoveOperation.End)
    QTest.mouseClick(editor.use, LEFT)
    assert box.asked() == 2 * [SetCorpus(text)]
    box.draw()
    assert editor.text.hasFocus()
    assert editor.text.textCursor().blockNumber() == 1
    # Put right, it is taken.
    fixed = text.replace("dog\n", "dog eats bone\n")
    box.write(fixed)
    assert not editor.problem.isVisible()  # of another text
    assert not editor.text.extraSelections()
    QTest.mouseClick(editor.use, LEFT)
    assert box.asked() == [SetCorpus(fixed)]
    box.draw(corpus_text=fixed, corpus_problem=None, corpus=parse_corpus(fixed))
    assert not box.box.editing


def test_the_caret_goes_to_what_is_wrong_once_and_stays_where_it_is_put(box: Box) -> None:
    box.edit()
    box.write("\n".join(["a b"] * 30 + ["dog"]))
    editor = box.box.editor
    QTest.keyClick(editor.text, KEY.Key_Home, Qt.KeyboardModifier.ControlModifier)
    QTest.mouseClick(editor.use, LEFT)
    box.draw(corpus_text=editor.text.toPlainText(), corpus_problem=(31, ONE_WORD))
    assert editor.text.textCursor().blockNumber() == 30
    QTest.keyClick(editor.text, KEY.Key_Home, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(editor.text, KEY.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    for theme in (Theme(dark=True), Theme(percent=150), Theme()):
        box.box.retheme(theme)
        assert editor.text.textCursor().selectedText() == "a"
        assert editor.text.textCursor().position() == 1
        assert editor.text.verticalScrollBar().value() == 0
        assert editor.problem.text() == str(ONE_WORD)
        [mark] = editor.text.extraSelections()
        assert mark.cursor.block().blockNumber() == 30
        assert mark.format.background().color() == theme.color("err", 0.18)


def test_lines_are_numbered_as_sentences_name_them(box: Box) -> None:
    def numbers() -> dict[int, float]:
        top = text.viewport().y() - text.numbers.y()
        return {int(each.text): each.box.center().y() - top for each in written_on(text.numbers)}

    box.edit()
    text = box.box.editor.text
    box.write("a long sentence that is wrapped beside the graph\nb c\n\nd")
    found = numbers()
    assert list(found) == [1, 2, 3, 4]
    block = text.document().findBlockByNumber(1)
    row = text.cursorRect(QTextCursor(block))
    assert abs(found[2] - row.center().y()) <= 2
    assert found[2] - found[1] > 1.5 * row.height()  # the first has two rows
    text.setPlainText("\n".join("a b" for _line in range(1200)))
    text.moveCursor(QTextCursor.MoveOperation.End)
    assert max(numbers()) == 1200
    assert text.numbers.geometry().right() < text.viewport().geometry().left()


def test_a_problem_is_said_over_the_list_too(box: Box) -> None:
    box.draw(corpus_text="dog", corpus_problem=(2, ONE_WORD))
    assert box.box.problem.isVisible()
    assert box.box.problem.text() == str(ONE_WORD)
    box.edit()
    assert not box.box.problem.isVisible()
    assert box.box.editor.problem.text() == str(ONE_WORD)


def test_drawing_does_not_disturb_what_is_being_typed(box: Box) -> None:
    box.edit()
    box.write("half a sent")
    box.draw(cursor=Cursor(5))
    assert box.box.editor.text.toPlainText() == "half a sent"
    assert box.box.editing


def test_a_file_replaces_the_text_and_undo_brings_it_back(box: Box) -> None:
    box.edit()
    box.write("mine own")
    QTest.mouseClick(box.box.editor.open, LEFT)
    assert box.asked() == [OpenCorpus()]
    box.draw(corpus_text="from a file", corpus=parse_corpus("from a file"))
    assert box.box.editor.text.toPlainText() == "from a file"
    box.box.editor.text.undo()
    assert box.box.editor.text.toPlainText() == "mine own"


def test_what_tokens_are_is_asked_for_and_shown(box: Box) -> None:
    box.edit()
    rows = box.box.editor.splitting.rows
    assert not rows["vocabulary"].isVisible()
    tokens, vocabulary = rows["tokens"].input, rows["vocabulary"].input
    assert isinstance(tokens, CalmCombo)
    assert isinstance(vocabulary, StepField)
    tokens.setFocus()
    QTest.keyClick(tokens, KEY.Key_Down)
    assert box.asked() == [SetSplitting("tokens", "characters")]
    assert tokens.currentData() == "words"
    box.draw(splitting=Splitting(tokens="pairs"))
    assert tokens.currentData() == "pairs"
    assert vocabulary.isVisible()
    vocabulary.lineEdit().selectAll()
    QTest.keyClicks(vocabulary, "3")
    QTest.keyClick(vocabulary, KEY.Key_Return)
    assert box.asked() == [SetSplitting("vocabulary", "3")]
    box.draw(splitting=Splitting(), problems={"vocabulary": ("3", ONE_WORD)})
    assert vocabulary.lineEdit().text() == "3"
    assert rows["vocabulary"].problem.text() == str(ONE_WORD)


def test_a_long_sentence_is_shown_whole_on_several_lines(qtbot: QtBot) -> None:
    long = "the old farmer feeds his hungry horses every single morning"
    text = f"a b\n{long}\nc d"
    box = Box(qtbot)
    box.draw(TrainFrame(corpus=parse_corpus(text), corpus_text=text))
    rows = box.box.list
    one, several = (rows.visualRect(rows.model().index(row, 0)).height() for row in (0, 1))
    assert several >= one + 40
    # Nothing is shortened: each line of it has ink at its beginning.
    image = box.row_image(1)
    empty = image.pixelColor(2, 2)
    line = Theme().px(20)
    top = (several - (several - one) // line * line - line) // 2
    for start in range(top, several - line, line):
        spots = ((x, y) for x in range(6, 40) for y in range(start, start + line))
        assert any(image.pixelColor(*spot) != empty for spot in spots)
    # Of a large corpus each has one line: the list is laid out at once.
    many = "\n".join(f"{long} {n}" for n in range(400))
    box.draw(TrainFrame(corpus=parse_corpus(many), corpus_text=many))
    assert rows.visualRect(rows.model().index(0, 0)).height() == one
