"""The dialog of sweeps: planned, followed, read, and one of its runs trained again in Run."""

from __future__ import annotations

import threading
from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from explorer.app.settings import data_folder
from explorer.app.sweep.dialog import SweepDialog
from explorer.sweeps.conduct import Steering, conduct
from explorer.sweeps.folder import SweepFolder, create
from explorer.sweeps.plan import Plan, made_plan
from explorer.text import Message
from explorer.traces import DEFAULT_CORPUS, Config, parse_corpus
from tests.sweeps.conftest import Threads
from tests.window.conftest import Person


def opened(person: Person) -> SweepDialog:
    person.window.actions_by_name["sweep"].trigger()
    [dialog] = person.window.findChildren(SweepDialog)
    return dialog


def press(button: object) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)  # type: ignore[call-overload]


def type_in(field: object, text: str) -> None:
    field.selectAll()  # type: ignore[attr-defined]
    QTest.keyClicks(field, text)  # type: ignore[call-overload]


@pytest.mark.timeout(300)
def test_a_sweep_is_planned_trained_read_and_one_run_is_trained_again(
    person: Person, qtbot: QtBot
) -> None:
    room = person.window.show_train(warm=False)
    room.session.set_config(
        Message("short"), msgspec.structs.replace(room.session.frame.config, epochs=20)
    )
    dialog = opened(person)
    box = dialog.plan_box
    assert box.said.text() == "3 × 3 × 32 = 288 runs, 3.0 MB on disk"
    type_in(box.rows[1][1], "1, 3")
    assert box.said.text().startswith("3 of the settings cannot be (Learning Rate 0.0005, Heads 3;")
    assert not dialog.start.isEnabled()
    type_in(box.rows[1][1], "1, two")
    assert "but is two" in box.said.text()
    type_in(box.rows[1][1], "1, 2")
    type_in(box.rows[0][1], "0.001, 0.02")
    type_in(box.seeds, "5-8")
    assert box.said.text().startswith("2 × 2 × 4 = 16 runs, ")
    box.workers.setValue(1)

    press(dialog.start)
    assert not dialog.plan_box.isEnabled()
    qtbot.waitUntil(lambda: dialog.start.isEnabled(), timeout=120_000)
    assert dialog.count.text() == "16 of 16 runs"
    assert dialog.problem.text() == ""
    [path] = (data_folder() / "sweeps").iterdir()
    folder = SweepFolder(path)
    assert len(list(folder.results())) == 16
    assert dialog.table.rowCount() == 4
    assert "0.02" in dialog.bands.accessibleDescription()

    # A dot is a run: its losses are dashed, and its numbers told.
    dot = next(dot for dot in dialog.dots.dots() if folder.plan.seed(dot.run) == 7)
    QTest.mouseClick(
        dialog.dots, Qt.MouseButton.LeftButton, pos=QPoint(*map(round, dot.at.toTuple()))
    )
    assert dialog.run_said.text().startswith("Seed ")
    assert dialog.open_run.isEnabled()
    dialog.select(dot.run)
    config = folder.plan.run_config(dot.run)
    press(dialog.open_run)
    started = room.session.frame.config
    assert (started.seed, started.learning_rate, started.heads, started.epochs) == (
        *(7, config.learning_rate, config.heads),
        20,
    )
    qtbot.waitUntil(lambda: not room.session.frame.progress.active, timeout=120_000)
    trace = room.session.frame.trace
    assert trace is not None
    assert float(trace.scalars("loss")[-1]) == pytest.approx(
        next(r.last_loss for r in folder.results() if r.run == dot.run), abs=1e-5
    )


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


def test_a_sweep_on_disk_is_shown_and_gone_on_with(
    person: Person, qtbot: QtBot, half_done: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = opened(person)
    monkeypatch.setattr(dialog, "_ask_folder", lambda: tmp_path)
    press(dialog.open_button)
    assert dialog.problem.text().startswith("There is no sweep in ")
    monkeypatch.setattr(dialog, "_ask_folder", lambda: half_done)
    press(dialog.open_button)
    assert dialog.problem.text() == ""
    assert dialog.count.text() == "4 of 8 runs"
    # A setting shows its slowest run; the arrow keys walk the dots.
    dialog.table.cellClicked.emit(0, 0)
    assert "Heads 1" in dialog.run_said.text()
    before = dialog.run_said.text()
    dialog.dots.setFocus()
    QTest.keyClick(dialog.dots, Qt.Key.Key_Right)
    QTest.keyClick(dialog.dots, Qt.Key.Key_Right)
    assert dialog.run_said.text() != before
    assert dialog.start.text() == "Go on with this sweep"
    press(dialog.start)
    # It is closed in the middle, and its process ends with what it has kept.
    dialog.close()
    [ending] = [each for each in threading.enumerate() if each.name == "sweep ends"]
    ending.join()
    assert len(list(SweepFolder(half_done).results())) in (4, 8)
