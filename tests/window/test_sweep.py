"""The page of sweeps: planned, followed, read, and one of its runs trained again in Run."""

from __future__ import annotations

import csv
import threading
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.app.settings import sweeps_folder
from explorer.app.sweep import SweepRoom
from explorer.resources import example
from explorer.rooms.sweep.intents import SelectSetting
from explorer.rooms.sweep.page import SweepPage
from explorer.rooms.sweep.shown import SweepState
from explorer.session.train import ForkFrom
from explorer.sweeps.conduct import Steering, conduct
from explorer.sweeps.folder import SweepFolder, create, resume
from explorer.sweeps.plan import Plan, made_plan
from explorer.text import Message
from explorer.traces import DEFAULT_CORPUS, Config, parse_corpus
from tests.proofreading import written_on
from tests.sweeps.conftest import Threads
from tests.window.conftest import Person

MARGINS = 8  # px beside a heading, without which its end is left out


class Sweeper(Person):
    """Somebody in Sweep."""

    def __init__(self, person: Person, qtbot: QtBot) -> None:
        super().__init__(person.window)
        self.window.show_train(warm=False).page.choice.button("sweep").click()
        room = self.window.rooms.sweep
        assert room is not None
        self.room: SweepRoom = room
        self.page: SweepPage = room.page
        self.plan = self.page.plan
        self._qtbot = qtbot

    def settle(self) -> None:
        super().settle()
        self.room.clock.flush()
        QApplication.processEvents()

    def push(self, button: object) -> None:
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)  # type: ignore[call-overload]
        self.settle()

    def wait(self, seen: Callable[[], bool]) -> None:
        self._qtbot.waitUntil(lambda: bool(seen()), timeout=120_000)
        self.settle()

    def open_example(self) -> None:
        """Show the sweep that comes with the program, whose parts are read by and by."""
        self.room.document.open_example()

        def read() -> bool:
            shown = self.room.session.frame.shown
            return shown is not None and len(shown.results) == shown.plan.runs

        self.wait(read)

    def add(self, row: int, text: str) -> None:
        """Type further values of a field."""
        self.push(self.plan.rows[row].add)
        typed = self.plan.rows[row].typed
        typed.selectAll()
        QTest.keyClicks(typed, text)
        QTest.keyClick(typed, Qt.Key.Key_Return)
        self.settle()

    def chips(self, row: int) -> list[str]:
        return [chip.text() for chip in self.plan.rows[row].chips]


@pytest.fixture
def sweeper(person: Person, qtbot: QtBot) -> Sweeper:
    room = person.window.show_train(warm=False)
    room.session.set_config(
        Message("short"), msgspec.structs.replace(room.session.frame.config, epochs=20)
    )
    return Sweeper(person, qtbot)


@pytest.mark.timeout(300)
def test_a_sweep_is_planned_trained_read_and_one_run_is_trained_again(sweeper: Sweeper) -> None:
    page, plan, strip = sweeper.page, sweeper.plan, sweeper.page.chain
    assert plan.product.text() == "3 × 3 × 32 = 288 runs"
    assert strip.count.text() == "288 runs"
    assert "9 settings × 32 seeds" in page.pictures_view.plan.text()
    assert "MB on disk" in strip.more.text()
    # What contradicts is named, and left out where that is asked for.
    sweeper.add(1, "3")
    assert plan.wrong.text().startswith(
        "3 of the settings are impossible (Learning Rate 0.0005, Heads 3;"
    )
    assert not strip.start.isEnabled()
    sweeper.push(plan.leave_out)
    assert plan.product.text() == "9 × 32 = 288 runs"
    assert strip.start.isEnabled()
    QTest.keyClick(plan.rows[1].chips[2], Qt.Key.Key_Delete)
    sweeper.add(1, "two")
    assert "but is two" in plan.wrong.text()
    assert plan.rows[1].typed.text() == "two"
    for field in (1, 0):
        QTest.keyClick(plan.rows[field].chips[2], Qt.Key.Key_Delete)
        sweeper.settle()
    sweeper.window.actions_by_name["undo"].trigger()
    sweeper.settle()
    assert sweeper.chips(0) == ["0.0005", "0.0015", "0.006"]
    sweeper.window.actions_by_name["redo"].trigger()
    sweeper.settle()
    assert (sweeper.chips(0), sweeper.chips(1)) == (["0.0005", "0.0015"], ["1", "2"])
    plan.first.setValue(5)
    plan.last.setValue(3)
    sweeper.settle()
    assert plan.wrong.text() == "The last seed must not be less than the first."
    plan.last.setValue(8)
    plan.workers.setValue(1)
    sweeper.settle()
    assert plan.product.text() == "2 × 2 × 4 = 16 runs"

    session = sweeper.room.session
    sweeper.push(strip.start)
    assert session.frame.state is SweepState.STARTING
    sweeper.wait(lambda: session.frame.idle)
    assert strip.count.text() == "16 of 16 runs"
    assert page.error_bar.sentence == ""
    [path] = sweeps_folder().iterdir()
    folder = SweepFolder(path)
    assert len(list(folder.results())) == 16
    assert page.right.table.rows == 4
    assert "0.0015" in page.pictures_view.bands.accessibleDescription()
    assert page.right.table.cells(0)[:2] == ["0.0005", "1"]

    # A dot is a run: its losses are dashed, its numbers told and its heads computed.
    dots = page.pictures_view.dots
    dot = next(dot for dot in dots.dots() if folder.plan.seed(dot.run) == 7)
    QTest.mouseClick(dots, Qt.MouseButton.LeftButton, pos=QPoint(*map(round, dot.at.toTuple())))
    sweeper.settle()
    assert page.right.run.run.text().startswith("Seed ")
    selected = session.frame.selected
    assert selected is not None
    assert len(selected.maps) == 2
    for told, sentence, maps in zip(
        selected.maps, page.right.run.sentences, page.right.run.maps, strict=True
    ):
        assert sentence.text() == " ".join(told.words), "all of it: it wraps"
        assert maps.tiles[0].title == f"Head {told.head + 1}"
    sweeper.room.runner.select(dot.run)
    sweeper.settle()
    config = folder.plan.run_config(dot.run)
    train = sweeper.window.show_train(warm=False)
    first = train.session.frame.shown
    train.session.set_fork(ForkFrom(first, 0))  # was for another run than the sweep's
    sweeper.push(strip.choice.button("sweep"))
    sweeper.window.rooms.show_last_train()
    sweeper.window.rooms.show_sweep()
    sweeper.settle()
    sweeper.push(page.right.run.open)
    started = train.session.frame.config
    assert train.session.frame.fork is None
    assert (started.seed, started.learning_rate, started.heads, started.epochs) == (
        *(7, config.learning_rate, config.heads),
        20,
    )
    assert sweeper.window.rooms.front is train
    sweeper.wait(lambda: not train.session.frame.progress.active)
    trace = train.session.frame.trace
    assert trace is not None
    assert float(trace.scalars("loss")[-1]) == pytest.approx(
        next(r.last_loss for r in folder.results() if r.run == dot.run), abs=1e-5
    )
    # Compared, it becomes B beside the run that was shown.
    shown = train.session.frame.shown
    assert shown != first
    sweeper.window.rooms.show_sweep()
    sweeper.room.runner.select(0)
    sweeper.settle()
    sweeper.push(page.right.run.compare)
    sweeper.wait(lambda: train.session.frame.other is not None)
    assert train.session.frame.shown == shown
    sweeper.wait(lambda: not train.session.frame.progress.active)


@pytest.fixture
def half_done(tmp_path: Path) -> Path:
    """A sweep of eight short runs of which some are done."""
    config = Config(epochs=8, d_model=8, device="cpu")
    plan: Plan = made_plan(config, {"heads": (1, 2)}, (1, 2, 3, 4), parse_corpus(DEFAULT_CORPUS))
    written, workers = create(tmp_path / "half", plan), Threads()
    steering = Steering()
    conduct(written, workers, steering, lambda each: setattr(steering, "stopped", each.done > 0))
    written.close()
    workers.close()
    return tmp_path / "half"


def test_a_sweep_on_disk_is_shown_saved_and_gone_on_with(
    sweeper: Sweeper, half_done: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, presenter = sweeper.page, sweeper.room.presenter
    told = page.error_bar
    monkeypatch.setattr(presenter, "_ask_folder", lambda: tmp_path)
    sweeper.push(sweeper.plan.open)
    assert told.sentence.startswith("There is no sweep in ")
    told.hide()
    begun = create(tmp_path / "begun", SweepFolder(half_done).plan)
    begun.close()
    monkeypatch.setattr(presenter, "_ask_folder", lambda: begun.path)
    sweeper.push(sweeper.plan.open)
    assert page.pictures_view.said.text() == "Stopped before a run was done."
    monkeypatch.setattr(presenter, "_ask_folder", lambda: half_done)
    sweeper.push(sweeper.plan.open)
    assert told.sentence == ""
    assert page.pictures_view.row_note.text() == "one dot a run; the line is the median"
    assert page.chain.count.text() == "4 of 8 runs"
    assert sweeper.window.rooms.front.document.title == "sweep half"
    # A setting shows its slowest run; the arrow keys walk the dots.
    page.right.table.chosen.emit(0)
    sweeper.settle()
    before = page.right.run.run.text()
    assert "Heads 1" in before
    dots = page.pictures_view.dots
    dots.setFocus()
    walked = {before}
    for key in (*[Qt.Key.Key_Left] * 3, *[Qt.Key.Key_Right] * 3):
        QTest.keyClick(dots, key)
        sweeper.settle()
        walked.add(page.right.run.run.text())
    assert walked == {f"Seed {seed} · Heads 1" for seed in (1, 2, 3, 4)}
    # The table is saved, or one sentence says why not.
    table = tmp_path / "table.csv"
    monkeypatch.setattr(presenter, "_ask_table", lambda _name: table)
    sweeper.push(sweeper.plan.save)
    with table.open(newline="") as file:
        assert [row["heads"] for row in csv.DictReader(file)] == ["1"] * 4
    monkeypatch.setattr(presenter, "_ask_table", lambda _name: tmp_path / "none" / "t.csv")
    sweeper.push(sweeper.plan.save)
    assert "cannot be saved: No such file or directory" in told.sentence
    told.hide()
    # So is the whole sweep, into a folder of its own that opens again.
    monkeypatch.setattr(presenter, "_ask_new_folder", lambda name: tmp_path / f"all of {name}")
    sweeper.push(sweeper.plan.save_all)
    assert told.sentence == ""
    copy = SweepFolder(tmp_path / "all of half")
    assert list(copy.results()) == list(SweepFolder(half_done).results())
    assert (copy.path / "summary.csv").read_text() == table.read_text()
    sweeper.push(sweeper.plan.save_all)
    assert told.sentence == "all of half is not empty: name another folder."
    assert [each.name for each in tmp_path.iterdir() if each.name.endswith(".tmp")] == []
    # A folder that another window writes is not written.
    told.hide()
    written = SweepFolder(half_done)
    other = resume(half_done)  # as another window does
    session = sweeper.room.session
    assert page.chain.start.text() == "Continue"
    sweeper.push(page.chain.start)
    sweeper.wait(lambda: session.frame.idle)
    assert told.sentence.startswith("half is being written by another process")
    other.close()
    sweeper.push(page.chain.start)
    # The window is closed in the middle, and the process ends with what it has kept.
    sweeper.room.close()
    for each in threading.enumerate():
        if each.name == "sweep ends":
            each.join()
    assert len(list(written.results())) in (4, 8)


def test_an_address_is_tried_when_the_field_is_left(sweeper: Sweeper) -> None:
    plan = sweeper.plan
    sweeper.push(plan.place.button(True))
    QTest.keyClicks(plan.address, "tcp://127.0.0.1:1")
    QTest.keyClick(plan.address, Qt.Key.Key_Return)
    session = sweeper.room.session
    sweeper.wait(lambda: session.frame.reached is not None)
    assert plan.reached.text() == (
        "The scheduler tcp://127.0.0.1:1 does not answer: Connection refused."
    )
    # In another language the page is as it was.
    sweeper.window.speak("zh")
    sweeper.settle()
    assert sweeper.room.page.plan.address.text() == "tcp://127.0.0.1:1"
    assert sweeper.room.page.chain.count.text() == "288 次训练"
    # So it is with a run that is looked at, whose texts are longer beside a scroll bar.
    sweeper.open_example()
    sweeper.room.handle(SelectSetting(6))
    sweeper.settle()
    for language in ("en", "zh"):
        sweeper.window.speak(language)
        sweeper.settle()
    assert sweeper.room.page.right.run.run.text().startswith("种子 11")


def test_the_folder_of_a_sweep_is_opened_as_a_file_is(sweeper: Sweeper) -> None:
    sweeper.window.rooms.show_explore()
    sweeper.window.opening.drop([QUrl.fromLocalFile(str(example("rates-and-heads")))])
    sweeper.settle()
    assert sweeper.window.rooms.front is sweeper.room
    assert sweeper.room.session.frame.shown is not None
    assert not sweeper.page.error_bar.isVisible()


@pytest.mark.parametrize("code", ["en", "zh"])
def test_headings_of_the_settings_are_whole_in_a_narrow_window(sweeper: Sweeper, code: str) -> None:
    sweeper.window.speak(code)
    sweeper.window.resize(1024, 768)
    sweeper.window.appearance.scale_text_to(125)
    sweeper.open_example()
    head = sweeper.room.page.right.table.horizontalHeader()
    model = head.model()
    roles = Qt.ItemDataRole

    for column in range(head.count()):
        drawn, whole = (
            model.headerData(column, Qt.Orientation.Horizontal, role)
            for role in (roles.DisplayRole, roles.ToolTipRole)
        )
        assert drawn.replace("\n", " ") == whole
        widest = max(map(head.fontMetrics().horizontalAdvance, drawn.split("\n")))
        assert widest + MARGINS <= head.sectionSize(column)


def test_what_a_sweep_needs_is_cut_with_dots_and_whole_in_its_tip(sweeper: Sweeper) -> None:
    sweeper.window.speak("zh")
    sweeper.window.resize(1024, 768)
    sweeper.window.appearance.scale_text_to(150)
    sweeper.settle()
    more = sweeper.room.page.chain.more
    assert "".join(each.text for each in written_on(more)).rstrip().endswith(("…", "MB"))
    assert more.toolTip().endswith("MB")
    assert more.geometry().right() <= sweeper.room.page.chain.start.geometry().left()


def test_at_200_percent_pictures_and_results_of_a_sweep_take_turns(sweeper: Sweeper) -> None:
    sweeper.window.resize(1024, 768)
    sweeper.window.appearance.scale_text_to(200)
    sweeper.open_example()
    turns = sweeper.page.turns
    assert turns.isVisible()
    for key, shown, hidden in (
        ("tables", sweeper.page.right, sweeper.page.middle),
        ("picture", sweeper.page.middle, sweeper.page.right),
    ):
        sweeper.push(turns.button(key))
        assert shown.isVisible()
        assert not hidden.isVisible()
