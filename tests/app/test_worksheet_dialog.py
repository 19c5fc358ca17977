"""The dialog that makes worksheets, by mouse and keyboard."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest
from pypdf import PdfReader
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from explorer.app.worksheet.dialog import WorksheetDialog
from explorer.kit.style import apply_theme
from explorer.kit.theme import Theme
from explorer.worksheets import Choices, Worksheet, made_sheet


class Made:
    """A dialog over a window, where it saves, and what it opened."""

    def __init__(self, qtbot: QtBot, theme: Theme, size: tuple[int, int]) -> None:
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.window.resize(*size)
        apply_theme(self.window, theme)
        self.path: Path | None = None
        self.opened: list[Worksheet] = []
        self.qtbot = qtbot
        self.dialog = WorksheetDialog(
            theme, self.window, lambda _name: self.path, self.opened.append
        )
        self.dialog.open()
        self.found()

    def found(self) -> None:
        """Wait until the numbers are found."""
        self.qtbot.waitUntil(self.dialog.save_button.isEnabled)

    def press(self, text: str) -> None:
        """Press the button of this text."""
        [button] = [b for b in self.dialog.findChildren(QPushButton) if b.text() == text]
        self.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)

    def pick(self, field: str, value: object) -> None:
        """Click a segment."""
        self.qtbot.mouseClick(self.dialog.rows[field].button(value), Qt.MouseButton.LeftButton)
        self.found()


@pytest.fixture
def made(qtbot: QtBot) -> Made:
    return Made(qtbot, Theme(), (1440, 900))


def type_number(made: Made, text: str) -> None:
    made.dialog.number.selectAll()
    QTest.keyClicks(made.dialog.number, text)
    QTest.keyClick(made.dialog.number, Qt.Key.Key_Tab)
    made.dialog.number.editingFinished.emit()


def test_choices_act_at_once(made: Made) -> None:
    assert made.dialog.preview.shown == 2  # the page and its answers
    made.pick("tokens", 2)
    made.pick("columns", True)
    assert "-01-" in made.dialog.number.text()  # its number has the choices
    made.dialog.key.click()
    assert made.dialog.preview.shown == 1


def test_a_number_gives_the_same_sheet_as_a_scene(made: Made) -> None:
    type_number(made, "4711-03")
    made.found()
    made.press("Open as a scene")
    assert made.opened == [made_sheet(Choices(), 4711, 3)]


def test_a_wrong_number_is_said_and_loses_nothing(made: Made) -> None:
    before = made.dialog.number.text()
    type_number(made, "47x")
    assert "4711-01" in made.dialog.said.text()
    assert made.dialog.number.property("invalid")
    made.press("New numbers")
    made.found()
    assert made.dialog.number.text() != before
    assert not made.dialog.number.property("invalid")


def test_names_say_how_many_copies(made: Made, tmp_path: Path) -> None:
    made.dialog.names.setFocus()
    QTest.keyClicks(made.dialog.names, "Ada")
    QTest.keyClick(made.dialog.names, Qt.Key.Key_Return)
    QTest.keyClicks(made.dialog.names, "Bo")
    assert made.dialog.copies.value() == 2
    made.path = tmp_path / "gone" / "class.pdf"
    made.press("Save…")
    assert made.dialog.said.text().startswith("There is no folder")
    made.path = tmp_path / "class.pdf"
    made.press("Save…")
    pages = [page.extract_text() for page in PdfReader(made.path).pages]
    assert len(pages) == 4
    assert ["Ada" in page for page in pages] == [True, False] * 2
    assert ["Bo" in page for page in pages] == [False, True] * 2


def test_more_names_than_sheets_are_said_and_none_is_left_out(made: Made) -> None:
    made.dialog.names.setFocus()
    made.dialog.names.insertPlainText("\n".join(f"Pupil {n}" for n in range(201)))
    assert made.dialog.said.text() == (
        "There are 201 names, but at most 200 sheets are made at once: divide the list."
    )
    assert not made.dialog.save_button.isEnabled()
    made.dialog.copies.setValue(3)
    assert "divide the list" in made.dialog.said.text()
    QTest.keyClick(made.dialog.names, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(made.dialog.names, "Ada")
    assert made.dialog.said.text() == "1 copy to fill in, and its answers"
    assert made.dialog.save_button.isEnabled()


def test_a_spreadsheet_is_written_by_its_name(made: Made, tmp_path: Path) -> None:
    made.dialog.copies.setValue(1)
    made.path = tmp_path / "class.xlsx"
    made.press("Save…")
    assert len(openpyxl.load_workbook(made.path).sheetnames) == 2


@pytest.mark.parametrize(("name", "said"), [("x.doc", "ends in .pdf"), ("no/x.pdf", "saved")])
def test_what_cannot_be_saved_is_said_in_the_dialog(
    made: Made, tmp_path: Path, name: str, said: str
) -> None:
    made.dialog.copies.setValue(1)
    made.path = tmp_path / name
    made.press("Save…")
    assert said in made.dialog.said.text()
    assert made.dialog.isVisible()
    assert not list(tmp_path.iterdir())


def test_no_choice_of_a_file_saves_nothing(made: Made) -> None:
    made.press("Save…")
    assert made.dialog.isVisible()


@pytest.mark.parametrize("size", [(1024, 768), (1440, 900)])
@pytest.mark.parametrize("percent", [100, 125, 150, 200])
def test_nothing_is_cut(qtbot: QtBot, size: tuple[int, int], percent: int) -> None:
    made = Made(qtbot, Theme(percent=percent), size)
    dialog = made.dialog
    assert dialog.width() <= size[0]
    assert dialog.height() <= size[1]
    labels = [part for part in dialog.findChildren(QLabel) if not part.wordWrap()]
    parts = [*labels, *dialog.findChildren(QPushButton), *dialog.rows.values()]
    for part in (part for part in parts if part.isVisible()):  # the pages need room of their own
        assert part.width() >= part.minimumSizeHint().width(), part.accessibleName()
    dialog.close()
