"""The parameters' values: what is typed, nudged and chosen, and what cannot be."""

from __future__ import annotations

import msgspec
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from explorer.kit.small_inputs import AskingCheck, CalmCombo
from explorer.kit.theme import Theme
from explorer.rooms.train.parameter_rows import parameter_text, stepped
from explorer.rooms.train.parameters import FIELDS, size_text
from explorer.session.train import Progress, RunState, TrainLook
from explorer.session.train.intents import ChangeTrainLook, SetParameter
from explorer.text import Message
from explorer.traces import LIMITS, Config, expected_bytes
from tests.rooms.train.parameters.conftest import CORPUS, KEY, LEFT, Panel, seen

# --- values --------------------------------------------------------------------------------------


def test_values_stand_as_they_are_typed(panel: Panel) -> None:
    texts = {f: panel.line(f).lineEdit().text() for f in FIELDS if f != "use_position"}
    assert texts == {
        "d_model": "16",
        "heads": "2",
        "learning_rate": "0.0015",
        "epochs": "200",
        "watch_every": "5",
        "seed": "7",
    }
    check = panel.view.rows["use_position"].input
    assert isinstance(check, AskingCheck)
    assert check.isChecked()
    panel.draw(config=Config(learning_rate=1e-5, seed=2**32 - 1, use_position=False))
    assert panel.line("learning_rate").lineEdit().text() == "0.00001"
    assert panel.line("seed").lineEdit().text() == "4294967295"
    assert not check.isChecked()
    assert panel.asked() == []


@pytest.mark.parametrize("text", ["32", "abc", "", "1e999", " 1,5 ", "<b>"])
def test_enter_asks_for_exactly_what_was_typed(panel: Panel, text: str) -> None:
    line = panel.type("d_model", text) if text else panel.type("d_model", "\b")
    if not text:
        QTest.keyClick(line, KEY.Key_Backspace)
    assert panel.asked() == []
    QTest.keyClick(line, KEY.Key_Return)
    assert panel.asked() == [SetParameter("d_model", text)]
    QTest.keyClick(line, KEY.Key_Return)
    assert panel.asked() == [], "once"


def test_leaving_a_line_commits_it(panel: Panel) -> None:
    panel.type("epochs", "40")
    panel.line("seed").setFocus()
    assert panel.asked() == [SetParameter("epochs", "40")]
    panel.line("heads").setFocus()
    assert panel.asked() == [], "nothing was typed there"


def test_what_is_being_typed_is_not_drawn_over(panel: Panel) -> None:
    line = panel.type("epochs", "4")
    panel.state(RunState.RUNNING)
    assert line.lineEdit().text() == "4"
    QTest.keyClick(line, KEY.Key_Escape)
    assert line.lineEdit().text() == "200"
    QTest.keyClick(line, KEY.Key_Return)
    assert panel.asked() == []


def test_a_committed_text_is_replaced_by_what_it_means(panel: Panel) -> None:
    line = panel.type("epochs", "2e2")
    QTest.keyClick(line, KEY.Key_Return)
    panel.draw()
    assert line.lineEdit().text() == "200"


def test_arrows_keys_and_wheel_ask_for_the_next_value(panel: Panel) -> None:
    line = panel.line("d_model")
    line.setFocus()
    QTest.keyClick(line, KEY.Key_Up)
    QTest.keyClick(line, KEY.Key_Down)
    panel.wheel("d_model", up=True)
    arrow = QPoint(line.width() - 10, line.height() - 6)
    QTest.mouseClick(line, LEFT, pos=arrow)
    asked = ["18", "14", "18", "14"]
    assert panel.asked() == [SetParameter("d_model", text) for text in asked]
    assert line.lineEdit().text() == "16", "the frame alone says what is shown"


def test_the_wheel_changes_nothing_that_was_not_chosen(panel: Panel) -> None:
    panel.line("seed").setFocus()
    panel.wheel("d_model", up=True)
    assert panel.asked() == []


def test_a_check_box_asks_and_shows_what_it_is_told(panel: Panel) -> None:
    check = panel.view.rows["use_position"].input
    assert isinstance(check, AskingCheck)
    QTest.mouseClick(check, LEFT, pos=QPoint(check.width() // 2, check.height() // 2))
    assert panel.asked() == [SetParameter("use_position", False)]
    assert check.isChecked()


def test_what_cannot_be_stays_marked_with_the_reason(panel: Panel) -> None:
    why = Message("Heads must divide D Model: 16 / 3 leaves a remainder.")
    panel.draw(problems={"heads": ("3", why)})
    line, row = panel.line("heads"), panel.view.rows["heads"]
    assert line.lineEdit().text() == "3"
    assert seen(row.problem) == str(why)
    assert line.accessibleDescription() == str(why)
    image = line.grab().toImage()
    assert image.pixelColor(1, line.height() // 2).name() == Theme().color("err").name()
    assert not panel.view.run.main.isEnabled()
    assert "Heads" in panel.view.run.main.toolTip()
    panel.draw()
    assert line.lineEdit().text() == "2"
    assert seen(row.problem) == ""
    assert panel.view.run.main.isEnabled()


def test_a_problem_is_plain_text(panel: Panel) -> None:
    panel.draw(problems={"seed": ("<b>x</b>", Message("Not {value}.", {"value": "<b>x</b>"}))})
    assert panel.view.rows["seed"].problem.textFormat() is Qt.TextFormat.PlainText
    assert seen(panel.view.rows["seed"].problem) == "Not <b>x</b>."


def test_the_size_of_the_recording(panel: Panel) -> None:
    for config in (Config(), Config(watch_every=1), Config(epochs=7, layers=3)):
        panel.draw(config=config)
        note = panel.view.rows["watch_every"].note.text()
        assert note.endswith(size_text(expected_bytes(config, CORPUS)))
    assert note.startswith("3 steps")
    panel.draw(config=Config(), corpus=None)
    assert panel.view.rows["watch_every"].note.text() == "41 steps"


def test_sizes_in_words() -> None:
    assert [size_text(n) for n in (10, 629_000, 999_600, 5.66e6, 2.5e9, 4e12)] == [
        "0.0 kB",
        "629 kB",
        "1.0 MB",
        "5.7 MB",
        "2.5 GB",
        "4000 GB",
    ]


# --- the next value ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "typed", "up", "after"),
    [
        ("d_model", "16", True, "18"),
        ("d_model", "17", True, "18"),
        ("d_model", "17", False, "16"),
        ("d_model", "2", False, "2"),
        ("d_model", "128", True, "128"),
        ("heads", "2", True, "4"),
        ("heads", "2", False, "1"),
        ("heads", "8", True, "8"),
        ("learning_rate", "0.0015", True, "0.002"),
        ("learning_rate", "0.0015", False, "0.001"),
        ("learning_rate", "0.00001", False, "0.00001"),
        ("learning_rate", "1", True, "1"),
        ("epochs", "200", True, "300"),
        ("epochs", "1", False, "1"),
        ("epochs", "3", False, "2"),
        ("epochs", "nonsense", True, "300"),
        ("watch_every", "5", False, "3"),
        ("seed", "7", True, "8"),
        ("seed", "0", False, "0"),
        ("layers", "4", True, "4"),
        ("dropout", "0", True, "0.1"),
        ("dropout", "0.3", False, "0.2"),
        ("batch_size", "", False, "30"),
        ("feed_forward", "", True, "50"),
    ],
)
def test_the_next_value(field: str, typed: str, up: bool, after: str) -> None:
    assert stepped(Config(), field, typed, up, whole=50) == after


@pytest.mark.parametrize("field", list(LIMITS))
@pytest.mark.parametrize("typed", ["-1e9", "0", "1", "1e9", "", "x"])
@pytest.mark.parametrize("up", [True, False])
def test_the_next_value_is_within_the_limits(field: str, typed: str, up: bool) -> None:
    value = float(stepped(Config(), field, typed, up, whole=6))
    assert LIMITS[field].least <= value <= LIMITS[field].most


def test_a_value_left_to_the_program_is_empty() -> None:
    assert parameter_text(Config(), "batch_size") == ""
    assert parameter_text(Config(dropout=0.25), "dropout") == "0.25"
    assert parameter_text(Config(dropout=0.0), "dropout") == "0"


# --- more ----------------------------------------------------------------------------------------


def test_the_fold(panel: Panel) -> None:
    more = panel.view.more
    assert not more.body.isVisible()
    QTest.mouseClick(more.fold.header, LEFT)
    assert panel.asked() == [ChangeTrainLook({"more_open": True})]
    panel.draw(look=TrainLook(more_open=True))
    assert more.body.isVisible()
    QTest.mouseClick(more.fold.header, LEFT)
    assert panel.asked() == [ChangeTrainLook({"more_open": False})]
    assert "1 layer" in more.fold.header.accessibleName()


def test_a_problem_unfolds(panel: Panel) -> None:
    panel.draw(problems={"dropout": ("2", Message("No."))})
    assert seen(panel.view.more.rows["dropout"].problem) == "No."


def test_choices_ask_and_show_the_frames_value(panel: Panel) -> None:
    panel.draw(look=TrainLook(more_open=True))
    for field, value in (
        ("position_kind", "sinusoidal"),
        ("initialisation", "xavier"),
        ("optimizer", "sgd"),
    ):
        combo = panel.view.more.rows[field].input
        assert isinstance(combo, CalmCombo)
        before = combo.currentData()
        combo.setFocus()
        QTest.keyClick(combo, KEY.Key_Down)
        assert panel.asked() == [SetParameter(field, value)]
        assert combo.currentData() == before
        config = msgspec.structs.replace(Config(), **{field: value})
        panel.draw(look=TrainLook(more_open=True), config=config)
        assert combo.currentData() == value
        panel.draw(look=TrainLook(more_open=True))


def test_devices_are_offered_when_they_are_found(panel: Panel) -> None:
    combo = panel.view.more.rows["device"].input
    assert isinstance(combo, CalmCombo)

    def offered() -> list[object]:
        return [combo.itemData(i) for i in range(combo.count())]

    assert offered() == ["auto", "cpu"]
    panel.draw(devices=("cpu", "cuda"))
    assert offered() == ["auto", "cpu", "cuda"]
    panel.draw(devices=("cpu",), config=Config(device="mps"))
    assert offered() == ["auto", "cpu", "mps"], "what is chosen is never hidden"
    assert combo.currentData() == "mps"


def test_the_running_device_is_named(panel: Panel) -> None:
    panel.draw(progress=Progress(RunState.RUNNING, 1, 2, "cuda"), look=TrainLook(more_open=True))
    assert seen(panel.view.more.running) == "The run trains on CUDA."
    assert "CUDA" in panel.view.more.fold.header.accessibleName()


def test_empty_lines_say_what_they_stand_for(panel: Panel) -> None:
    panel.draw(config=Config(d_model=20), look=TrainLook(more_open=True))
    assert panel.line("feed_forward").lineEdit().placeholderText() == "40"
    assert panel.line("batch_size").lineEdit().placeholderText() == "all"
