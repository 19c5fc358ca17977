"""Qt's dialogs, answered by real keys."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QDialog,
    QLabel,
    QLineEdit,
    QListWidget,
    QMessageBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from explorer.app.dialogs import Dialogs, QtDialogs
from explorer.app.recovery import Abandoned, Recovery
from explorer.app.settings import config_folder
from explorer.text import N_, Problem, use_language

Keys = Callable[[QDialog], None]
ALT = Qt.KeyboardModifier.AltModifier


class Answers:
    """Waits for a dialog and acts on it; keeps the texts it shows."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.formats: list[Qt.TextFormat] = []
        self.buttons: list[str] = []
        self._timer = QTimer(interval=5)
        self._timer.timeout.connect(self._look)
        self._act: Keys | None = None

    def next(self, act: Keys) -> None:
        self._act = act
        self._timer.start()

    def _look(self) -> None:
        dialog = QApplication.activeModalWidget()
        if not isinstance(dialog, QDialog) or self._act is None:
            return
        focus = QApplication.focusWidget()
        if focus is None or not dialog.isAncestorOf(focus):
            return  # not ready for keys yet
        self._timer.stop()
        labels = [label for label in dialog.findChildren(QLabel) if label.text()]
        self.texts = [label.text() for label in labels]
        if isinstance(dialog, QMessageBox):
            self.formats = [dialog.textFormat()]
        else:
            self.formats = [label.textFormat() for label in labels]
        self.buttons = [button.text() for button in dialog.findChildren(QAbstractButton)]
        try:
            self._act(dialog)
        except BaseException:
            dialog.reject()  # the test fails, but does not hang
            raise


def press(*keys: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> Keys:
    def act(dialog: QDialog) -> None:
        for key in keys:
            QTest.keyClick(dialog.focusWidget() or dialog, key, modifier)

    return act


@pytest.fixture
def answers(qapp: QApplication) -> Answers:
    return Answers()


@pytest.fixture
def dialogs(qapp: QApplication) -> QtDialogs:
    return QtDialogs(lambda: None, told.append)


told: list[Problem] = []


def test_they_are_the_dialogs_that_the_document_asks(dialogs: QtDialogs) -> None:
    asked: Dialogs = dialogs
    problem = Problem(N_("Something went wrong."))
    asked.tell(problem)
    assert told.pop() is problem


@pytest.mark.parametrize(
    ("keys", "answer"),
    [
        (press(Qt.Key.Key_Return), "save"),
        (press(Qt.Key.Key_Escape), "cancel"),
        (press(Qt.Key.Key_S, modifier=ALT), "save"),
        (press(Qt.Key.Key_D, modifier=ALT), "discard"),
        (press(Qt.Key.Key_C, modifier=ALT), "cancel"),
        (lambda dialog: dialog.close(), "cancel"),
    ],
)
def test_unsaved_changes(dialogs: QtDialogs, answers: Answers, keys: Keys, answer: str) -> None:
    answers.next(keys)
    assert dialogs.ask_unsaved("<b>cat</b> & fish\u202e") == answer
    assert any("<b>cat</b> & fish " in text for text in answers.texts)
    assert answers.formats == [Qt.TextFormat.PlainText]


@pytest.mark.parametrize(
    ("keys", "agreed"),
    [
        (press(Qt.Key.Key_Return), False),
        (press(Qt.Key.Key_Escape), False),
        (press(Qt.Key.Key_R, modifier=ALT), True),
    ],
)
def test_replacing_a_changed_file_takes_a_clear_yes(
    dialogs: QtDialogs, answers: Answers, keys: Keys, agreed: bool
) -> None:
    answers.next(keys)
    assert dialogs.ask_overwrite_changed(Path("/x/a&b.json")) == agreed
    assert any("a&b.json" in text for text in answers.texts)


@pytest.mark.parametrize(
    ("keys", "agreed"),
    [(press(Qt.Key.Key_Return), False), (press(Qt.Key.Key_G, modifier=ALT), True)],
)
def test_revert(dialogs: QtDialogs, answers: Answers, keys: Keys, agreed: bool) -> None:
    answers.next(keys)
    assert dialogs.ask_revert("cat") == agreed


@pytest.mark.parametrize(
    ("keys", "meant"),
    [
        (press(Qt.Key.Key_Return), 1.234),
        (press(Qt.Key.Key_Tab, Qt.Key.Key_Space), 1234.0),
        (press(Qt.Key.Key_Escape), None),
        (press(Qt.Key.Key_N, modifier=ALT), None),
    ],
)
def test_an_ambiguous_number(
    dialogs: QtDialogs, answers: Answers, keys: Keys, meant: float | None
) -> None:
    answers.next(keys)
    assert dialogs.ask_reading("1,234", (1.234, 1234.0)) == meant
    assert "“1,234” can be read as 1.234 or 1234. Which did you mean?" in answers.texts
    assert answers.buttons[:2] == ["1.234", "1234"]


@pytest.mark.parametrize(
    ("keys", "columns"),
    [
        (press(Qt.Key.Key_Return), 2),
        (press(Qt.Key.Key_Tab, Qt.Key.Key_Space), 1),
        (press(Qt.Key.Key_Escape), None),
    ],
)
def test_a_pasted_line_of_one_number_or_two(
    dialogs: QtDialogs, answers: Answers, keys: Keys, columns: int | None
) -> None:
    answers.next(keys)
    assert dialogs.ask_columns("1,2") == columns
    assert "Is “1,2” one number or two?" in answers.texts
    assert answers.buttons[:2] == ["Two: 1 and 2", "One: 1.2"]


def test_a_number_with_one_reading(dialogs: QtDialogs, answers: Answers) -> None:
    answers.next(press(Qt.Key.Key_Return))
    assert dialogs.ask_reading("-1,234.5", (-1234.5,)) == -1234.5
    assert "“-1,234.5”: did you mean −1234.5?" in answers.texts
    assert answers.buttons[0] == "−1234.5"


# --- recovery ----------------------------------------------------------------------------------


def abandoned(*titles: str) -> list[Abandoned]:
    recovery = Recovery()
    return [
        Abandoned(title, 1.7e9, Path("/home/me") / title, Path(title), recovery) for title in titles
    ]


def test_one_to_recover(dialogs: QtDialogs, answers: Answers) -> None:
    (one,) = found = abandoned("<i>cat</i>")
    for keys, answer in (
        (press(Qt.Key.Key_Return), one),
        (press(Qt.Key.Key_Escape), "later"),
        (press(Qt.Key.Key_L, modifier=ALT), "later"),
        (press(Qt.Key.Key_D, modifier=ALT), "discard"),
    ):
        answers.next(keys)
        assert dialogs.ask_recover(found) == answer
        assert set(answers.formats) == {Qt.TextFormat.PlainText}


def test_in_chinese_what_was_left_is_not_called_not_to_be_saved(
    dialogs: QtDialogs, answers: Answers
) -> None:
    use_language("zh")
    answers.next(press(Qt.Key.Key_Escape))
    dialogs.ask_recover(abandoned("cat"))
    assert "放弃(&D)" in answers.buttons
    assert "不保存(&D)" not in answers.buttons


def test_several_to_recover(dialogs: QtDialogs, answers: Answers) -> None:
    found = abandoned("cat", "fish", "cloud")
    rows: list[str] = []

    def choose_second(dialog: QDialog) -> None:
        (rows_shown,) = dialog.findChildren(QListWidget)
        rows.extend(rows_shown.item(i).text() for i in range(rows_shown.count()))
        rows_shown.setFocus()
        press(Qt.Key.Key_Down, Qt.Key.Key_Return)(dialog)

    answers.next(choose_second)
    assert dialogs.ask_recover(found) is found[1]
    assert [row.split(" · ")[0] for row in rows] == ["cat", "fish", "cloud"]
    assert all("/home/me" in row for row in rows)
    assert "&Discard all" in answers.buttons


# --- files -------------------------------------------------------------------------------------


def type_name(name: str) -> Keys:
    def act(dialog: QDialog) -> None:
        (line,) = dialog.findChildren(QLineEdit)
        line.setFocus()
        line.selectAll()
        QTest.keyClicks(line, name)
        QTest.keyClick(line, Qt.Key.Key_Return)

    return act


def leave(dialog: QDialog) -> None:
    (line,) = dialog.findChildren(QLineEdit)
    QTest.keyClick(line, Qt.Key.Key_Escape)


# The list of completions asks for the keyboard, which offscreen has none to give.
@pytest.mark.qt_log_ignore("grabbing the keyboard")
def test_open(dialogs: QtDialogs, answers: Answers, tmp_path: Path) -> None:
    path = tmp_path / "cat.txt"
    path.write_text("{}")
    answers.next(type_name(str(path)))
    assert dialogs.ask_open(tmp_path) == path
    answers.next(leave)
    assert dialogs.ask_open(tmp_path) is None


@pytest.mark.parametrize(
    ("typed", "saved"),
    [
        ("mine", "mine.json"),
        ("mine.json", "mine.json"),
        ("MINE.JSON", "MINE.JSON"),
        ("2.5", "2.5.json"),
        ("my.txt", "my.txt.json"),
    ],
)
def test_save(dialogs: QtDialogs, answers: Answers, tmp_path: Path, typed: str, saved: str) -> None:
    answers.next(type_name(typed))
    assert dialogs.ask_save(tmp_path, "cat.json") == tmp_path / saved


def test_a_name_among_all_files_is_kept(
    dialogs: QtDialogs, answers: Answers, tmp_path: Path
) -> None:
    def choose(dialog: QDialog) -> None:
        (kinds,) = (
            box for box in dialog.findChildren(QComboBox) if box.findText("All files (*)") >= 0
        )
        kinds.setFocus()
        QTest.keyClick(kinds, Qt.Key.Key_End)
        type_name("my.txt")(dialog)

    answers.next(choose)
    assert dialogs.ask_save(tmp_path, "cat.json") == tmp_path / "my.txt"


def test_a_picture_has_the_suffix_of_its_kind_whatever_dots_its_name_has(
    dialogs: QtDialogs, answers: Answers, tmp_path: Path
) -> None:
    for typed, saved in (("step 2.5", "step 2.5.png"), ("step 2.svg", "step 2.svg")):
        answers.next(type_name(str(tmp_path / typed)))
        assert dialogs.ask_picture("cat", "plane") == tmp_path / saved


def then(first: Keys, second: Keys, answers: Answers) -> Keys:
    """Return what answers a dialog, and then the one that comes up after it."""

    def act(dialog: QDialog) -> None:
        QTimer.singleShot(0, lambda: answers.next(second))
        first(dialog)

    return act


@pytest.mark.parametrize(
    ("typed", "yes"), [("2.5", Qt.Key.Key_R), ("mine", Qt.Key.Key_Y)], ids=["ours", "Qt's"]
)
def test_what_has_the_name_with_its_suffix_is_replaced_after_a_yes(
    dialogs: QtDialogs, answers: Answers, tmp_path: Path, typed: str, yes: Qt.Key
) -> None:
    (tmp_path / f"{typed}.json").write_text("{}")
    answers.next(then(type_name(typed), press(yes, modifier=ALT), answers))
    assert dialogs.ask_save(tmp_path, "cat.json") == tmp_path / f"{typed}.json"
    assert any(f"{typed}.json" in text and "already" in text for text in answers.texts)


def test_where_it_is_not_to_be_replaced_the_name_is_asked_again(
    dialogs: QtDialogs, answers: Answers, tmp_path: Path
) -> None:
    (tmp_path / "2.5.json").write_text("{}")
    proposed: list[str] = []

    def choose_another(dialog: QDialog) -> None:
        (line,) = dialog.findChildren(QLineEdit)
        proposed.append(line.text())
        type_name("2.6")(dialog)

    declined = then(press(Qt.Key.Key_Return), choose_another, answers)
    answers.next(then(type_name("2.5"), declined, answers))
    assert dialogs.ask_save(tmp_path, "cat.json") == tmp_path / "2.6.json"
    assert proposed == ["2.5.json"]


def test_save_proposes_a_name(dialogs: QtDialogs, answers: Answers, tmp_path: Path) -> None:
    answers.next(lambda dialog: QTest.keyClick(dialog, Qt.Key.Key_Return))
    assert dialogs.ask_save(tmp_path, "cat.json") == tmp_path / "cat.json"


def test_qt_remembers_nothing_outside_our_folders(
    dialogs: QtDialogs, answers: Answers, tmp_path: Path, qtbot: QtBot
) -> None:
    answers.next(leave)
    dialogs.ask_open(tmp_path)
    QApplication.sendPostedEvents(None, 0)
    QApplication.processEvents()
    home = Path(os.environ["HOME"])
    written = [path for path in home.rglob("*") if path.is_file()]
    assert [path for path in written if config_folder() not in path.parents] == []


@pytest.mark.parametrize(
    ("ask", "answer"),
    [
        (lambda dialogs: dialogs.ask_open(Path.home()), None),
        (lambda dialogs: dialogs.ask_corpus(), None),
        (lambda dialogs: dialogs.ask_unsaved("cat"), "cancel"),
        (lambda dialogs: dialogs.ask_overwrite_changed(Path("/x/a.json")), False),
    ],
)
def test_a_dialog_that_goes_with_its_window_was_left(qtbot: QtBot, ask, answer: object) -> None:
    window = QWidget()
    window.show()

    def end() -> None:
        dialog = QApplication.activeModalWidget()
        assert dialog is not None
        dialog.close()  # ends its event loop; its window is deleted before that returns
        shiboken6.delete(window)

    QTimer.singleShot(50, end)
    assert ask(QtDialogs(lambda: window, told.append)) == answer
