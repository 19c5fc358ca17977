"""The run in Train's left panel, its state and its buttons; sentences; the panel as a whole."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.kit.theme import Theme
from explorer.rooms.train.parameters import size_text
from explorer.session.train import Progress, RunState, TrainLook
from explorer.session.train.intents import (
    Pause,
    SetCorpus,
    SetPace,
    SetParameter,
    StartOver,
    StepOnce,
    Stop,
    Train,
)
from explorer.session.train.runs import RunCard
from explorer.text import Message
from explorer.traces import Config, expected_bytes, parse_corpus
from tests.proofreading import written_on
from tests.rooms.train.parameters.conftest import KEY, LEFT, Panel, seen
from tests.train_frames import recorded_run, train_frame

# --- the run -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "main", "count"),
    [
        (RunState.NONE, "Train", ""),
        (RunState.STARTING, "Stop", "Starting…"),
        (RunState.RUNNING, "Stop", "148 of 200"),
        (RunState.PAUSED, "Stop", "Paused at 148"),
        (RunState.FINISHED, "Train", "Finished"),
        (RunState.STOPPED, "Train", "Stopped at 148"),
        (RunState.DIVERGED, "Train", ""),
        (RunState.FAILED, "Train", ""),
    ],
)
def test_each_state_says_where_the_run_is(
    panel: Panel, state: RunState, main: str, count: str
) -> None:
    panel.state(state)
    run = panel.view.run
    assert run.main.accessibleName() == main
    assert seen(run.count) == count
    active = main == "Stop"
    assert run.line.isVisible() == active
    QTest.mouseClick(run.main, LEFT)
    assert panel.asked() == [Stop() if active else Train()]
    assert all(panel.line(field).isEnabled() for field in ("d_model", "epochs"))


def test_why_a_run_failed_is_said(panel: Panel) -> None:
    panel.state(RunState.DIVERGED, message=Message("Loss is not a number after epoch 37."))
    assert seen(panel.view.run.error) == "Loss is not a number after epoch 37."
    panel.state(RunState.RUNNING)
    assert seen(panel.view.run.error) == ""


def test_small_buttons(panel: Panel) -> None:
    run = panel.view.run
    assert not run.pause.isEnabled()
    assert not run.again.isEnabled()
    QTest.mouseClick(run.step, LEFT)
    assert panel.asked() == [StepOnce()]
    panel.state(RunState.RUNNING)
    QTest.mouseClick(run.pause, LEFT)
    QTest.mouseClick(run.again, LEFT)
    assert panel.asked() == [Pause(), StartOver()]
    panel.state(RunState.PAUSED)
    assert run.pause.accessibleName() == "Continue"
    QTest.mouseClick(run.pause, LEFT)
    assert panel.asked() == [Train()]
    panel.state(RunState.STARTING)
    assert not run.step.isEnabled()


def test_a_run_that_goes_on_can_be_stopped_whatever_is_typed(panel: Panel) -> None:
    wrong = {"seed": ("x", Message("No."))}
    panel.draw(progress=Progress(RunState.RUNNING, 1, 2), problems=wrong)
    assert panel.view.run.main.isEnabled()
    assert panel.view.run.step.isEnabled()
    assert not panel.view.run.again.isEnabled()


def test_a_bad_corpus_keeps_a_run_from_starting(panel: Panel) -> None:
    panel.draw(corpus_problem=(1, Message("Line 1 has one word.")))
    assert not panel.view.run.main.isEnabled()
    assert "corpus" in panel.view.run.main.toolTip()


def test_a_run_learns_the_sentences_that_were_typed(panel: Panel) -> None:
    one_word = (1, Message("Line 1 has one word."))
    panel.draw(corpus_text="cat", corpus_problem=one_word)
    QTest.mouseClick(panel.view.corpus.edit, LEFT)
    QTest.keyClicks(panel.view.corpus.editor.text, "my ")
    assert panel.view.run.main.isEnabled(), "it is about the text before"
    QTest.mouseClick(panel.view.run.main, LEFT)
    assert panel.asked() == [SetCorpus("my cat"), Train()]
    panel.draw(corpus_text="my cat", corpus_problem=one_word)
    assert not panel.view.run.main.isEnabled()
    QTest.keyClicks(panel.view.corpus.editor.text, "so ")
    assert panel.view.run.main.isEnabled()
    QTest.keyClick(panel.view.corpus.editor.text, KEY.Key_Escape)
    assert not panel.view.run.main.isEnabled(), "what was typed is left"


def test_runs_that_come_and_go_leave_the_buttons_where_they_are(panel: Panel) -> None:
    places = set()
    first = train_frame(progress=Progress(RunState.NONE, 0, 9))
    several = tuple(RunCard(key, first.trace, f"run {key}") for key in range(1, 7))
    for state in (RunState.NONE, RunState.RUNNING, RunState.FINISHED):
        for cards in (first.cards, several):
            panel.view.draw(replace(first, cards=cards, progress=Progress(state, 3, 9)))
            QApplication.processEvents()
            main = panel.view.run.main
            places.add(main.mapTo(panel.view, QPoint()).y())
            assert main.isVisible()
            assert main.visibleRegion().boundingRect() == main.rect()
    assert len(places) == 1


def test_what_was_wrong_with_a_corpus_is_not_said_of_a_mended_one(panel: Panel) -> None:
    box = panel.view.corpus
    panel.draw(corpus_text="cat", corpus_problem=(1, Message("Line 1 has one word.")))
    QTest.mouseClick(box.edit, LEFT)
    editor = box.editor
    assert seen(editor.problem) == "Line 1 has one word."
    QTest.keyClicks(editor.text, "my ")
    assert editor.problem.isHidden()
    panel.draw(corpus_text="cat", corpus_problem=(1, Message("Line 1 has one letter, “cat”.")))
    assert editor.problem.isHidden(), "it is about the text before"
    editor.take()
    panel.draw(corpus_text="my cat", corpus_problem=(1, Message("Line 1 has two words.")))
    assert seen(editor.problem) == "Line 1 has two words."


def test_a_choice_is_as_wide_as_its_letters_want(panel: Panel) -> None:
    pace = panel.view.run.pace
    for percent in (100, 150, 100):
        panel.view.retheme(Theme(percent=percent))
        assert pace.minimumSizeHint() == pace.sizeHint()


@pytest.mark.parametrize("share", [0.0, 0.25, 1.0])
def test_the_line_is_filled_as_far_as_the_run_is(panel: Panel, share: float) -> None:
    panel.draw(progress=Progress(RunState.RUNNING, int(200 * share), 200))
    line = panel.view.run.line
    image = line.grab().toImage()
    ink = Theme().color("ink1").name()
    filled = sum(image.pixelColor(x, 2).name() == ink for x in range(image.width()))
    assert filled == pytest.approx(share * image.width(), abs=4)


def test_pace(panel: Panel) -> None:
    pace = panel.view.run.pace
    assert pace.currentText() == "20 epochs/s"
    pace.setFocus()
    QTest.keyClick(pace, KEY.Key_Down)
    assert panel.asked() == [SetPace(50)]
    assert pace.currentText() == "20 epochs/s"
    QTest.keyClick(pace, KEY.Key_End)
    assert panel.asked() == [SetPace(None)]
    panel.draw(pace=None)
    assert pace.currentText() == "full speed"
    panel.draw(pace=33)
    assert pace.currentText() == "33 epochs/s"


# --- recorded sentences --------------------------------------------------------------------------


def test_the_recorded_sentences_are_typed_as_numbers(panel: Panel) -> None:
    panel.draw(look=TrainLook(more_open=True))
    row = panel.view.more.rows["samples"]
    line = panel.line("samples")
    assert row.label.text() == line.accessibleName() == "Recorded Sentences"
    assert (line.lineEdit().text(), line.lineEdit().placeholderText()) == ("", "all")
    panel.type("samples", "1-2")
    QTest.keyClick(line, KEY.Key_Return)
    assert panel.asked() == [SetParameter("samples", "1-2")]
    QTest.keyClick(line, KEY.Key_Up)
    assert panel.asked() == [], "there is no next value"

    many = parse_corpus("a b\n" * 100)
    panel.draw(look=TrainLook(more_open=True), corpus=many, samples=(*range(10), 19))
    assert line.lineEdit().text() == "1-10, 20"
    assert line.lineEdit().placeholderText() == "first 64"
    note = seen(panel.view.rows["watch_every"].note)
    assert note.endswith(size_text(expected_bytes(Config(), many, (*range(10), 19))))


def test_sentences_that_are_not_there_are_said_and_nothing_can_be_trained(panel: Panel) -> None:
    panel.draw(problems={"samples": ("9", Message("There is no sentence 9."))})
    assert seen(panel.view.more.rows["samples"].problem) == "There is no sentence 9."
    assert panel.line("samples").lineEdit().text() == "9"
    assert not panel.view.run.main.isEnabled()
    assert "Recorded Sentences" in panel.view.run.main.toolTip()


# --- the panel -----------------------------------------------------------------------------------


def test_everything_can_be_reached_in_a_low_window(panel: Panel) -> None:
    panel.view.resize(256, 400)
    panel.draw(look=TrainLook(more_open=True))
    area = panel.view._scroll
    assert area.verticalScrollBar().maximum() > 0
    column = area.widget()
    assert column is not None
    assert column.width() <= area.viewport().width()
    for field in ("d_model", "device"):
        row = panel.view.rows.get(field) or panel.view.more.rows[field]
        right = row.input.mapTo(panel.view, row.input.rect().topRight()).x()
        assert right < 256 - 14, "the scroll bar stands in the margin"


def test_compact_is_lower(panel: Panel, qtbot: QtBot) -> None:
    before = panel.view.rows["seed"].mapTo(panel.view, QPoint()).y()
    panel.view.set_compact(True)
    panel.draw()
    seed = panel.view.rows["seed"]
    qtbot.waitUntil(lambda: seed.mapTo(panel.view, QPoint()).y() < before - 40)


def test_drawing_a_running_frame_emits_nothing(panel: Panel) -> None:
    panel.view.draw(train_frame(progress=Progress(RunState.RUNNING, 3, 9), pace=7))
    assert panel.asked() == []


def test_runs_called_alike_are_told_apart_where_the_cards_are_narrow(panel: Panel) -> None:
    first = recorded_run()
    second, third = (recorded_run(config=Config(learning_rate=rate)) for rate in (0.01, 0.02))
    titles = tuple(f"A long name that both begin with, from epoch {n}" for n in (60, 90))
    cards = (
        RunCard(1, first, titles[0]),
        RunCard(2, first, titles[1]),
        RunCard(3, second, "run"),
        RunCard(4, third, "run"),
    )
    panel.view.draw(train_frame(first, cards=cards, shown=1))
    QApplication.processEvents()
    drawn = [written_on(card)[1].text for card in panel.view.list.cards.values()]
    assert [name[-8:] for name in drawn[:2]] == ["epoch 60", "epoch 90"]
    assert "…" in drawn[0]
    assert [name[-4:] for name in drawn[2:]] == ["0.01", "0.02"]
    said = [card.said.name for card in panel.view.list.cards.values()]
    assert said == [*titles, "run, Learning Rate 0.01", "run, Learning Rate 0.02"]
