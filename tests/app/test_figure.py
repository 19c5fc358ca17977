"""Figures for a paper: every view alone, in millimetres, points and colours that print."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from pypdf import PdfReader
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.app.dialogs import QtDialogs
from explorer.app.figure import save_figure
from explorer.app.figure_dialog import FigureDialog
from explorer.app.main import make_window
from explorer.app.window import MainWindow
from explorer.cli import main
from explorer.exporters.figure import GREY, Figure
from explorer.kit.theme import SLOTS, Theme
from explorer.resources import example
from explorer.text import Problem
from tests.pixels import pixels
from tests.sampled import first_alone

WIDE = Figure(180, 7)
CAT = str(example("cat-likes-fish.json"))


@pytest.fixture(scope="module")
def window(qapp) -> Iterator[MainWindow]:
    made = make_window()
    made.resize(1440, 900)
    made.show()
    made.show_train(warm=False)
    made.rooms.show_explore()
    yield made
    made.close()


@pytest.mark.parametrize("room", first_alone(["explore", "train"]))
def test_every_view_is_a_figure_as_wide_as_asked_in_greys_alone(
    window: MainWindow, tmp_path: Path, room: str
) -> None:
    shown = window.explore if room == "explore" else window.train
    before = shown.page.pictures()
    for view in before:
        path = tmp_path / f"{view}.pdf"
        save_figure(shown, view, path, WIDE, "a title")
        reader = PdfReader(path)
        [page] = reader.pages
        assert float(page.mediabox.width) == pytest.approx(180 / 25.4 * 72, abs=0.5), view
        assert 10 < float(page.mediabox.height) < 800, view
        assert page.extract_text().strip(), view
        save_figure(shown, view, path, Figure(180, 7, GREY), "")
        drawn = PdfReader(path).pages[0]["/Contents"].get_object().get_data()
        colours = set(re.findall(rb"(\S+) (\S+) (\S+) (?:rg|RG|scn|SCN)\s", drawn))
        assert len(colours) > 3, view
        assert [each for each in colours if len(set(each)) > 1] == [], view
    save_figure(shown, "chain", tmp_path / "chain.png", Figure(180, 7, GREY), "")
    seen = pixels(QImage(str(tmp_path / "chain.png")))
    assert seen.shape[1] == pytest.approx(180 / 25.4 * 600, abs=2)
    assert (seen.max(axis=2) == seen.min(axis=2)).all()
    assert shown.page.pictures() == before  # the window's own parts stand where they stood


def test_its_text_is_as_large_as_asked(window: MainWindow, tmp_path: Path) -> None:
    for points in (6.0, 9.0):
        path = tmp_path / "weights.pdf"
        save_figure(window.explore, "weights", path, Figure(120, points), "")
        sizes = []

        def keep(text: str, cm: list, tm: list, _font: object, size: float) -> None:
            if re.fullmatch(r"0\.\d{3}", text.strip()):
                sizes.append(abs(cm[3] * tm[3]) * size)  # noqa: B023

        [page] = PdfReader(BytesIO(path.read_bytes())).pages
        page.extract_text(visitor_text=keep)
        assert len(sizes) == 16
        assert np.array(sizes) == pytest.approx(points, rel=0.1)
    text = tmp_path / "a.svg"
    save_figure(window.explore, "weights", text, Figure(70), "")
    assert 'width="70.000mm"' in text.read_text("utf-8")
    with pytest.raises(Problem, match=r"needs \d+ mm with text of 12 pt"):
        save_figure(window.explore, "weights", text, Figure(70, 12), "")
    with pytest.raises(Problem, match=r"ends in \.pdf, \.svg, \.png"):
        save_figure(window.explore, "weights", tmp_path / "a.gif", WIDE, "")


def test_token_colours_are_told_apart_in_every_colour_vision() -> None:
    # Machado, Oliveira and Fernandes (2009): no L, no M and no S cones, on linear RGB.
    visions = (
        [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
        [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
        [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]],
    )
    fills = [Theme().slot(index).fill for index in range(SLOTS)]
    srgb = np.array([[int(fill[at : at + 2], 16) for at in (1, 3, 5)] for fill in fills]) / 255
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    for vision in ([[1, 0, 0], [0, 1, 0], [0, 0, 1]], *visions):
        seen = np.clip(linear @ np.array(vision).T, 0, 1)
        xyz = seen @ np.array(
            [[0.4124, 0.2126, 0.0193], [0.3576, 0.7152, 0.1192], [0.1805, 0.0722, 0.9505]]
        )
        f = np.cbrt(np.maximum(xyz / [0.9505, 1.0, 1.089], 1e-6))
        lab = np.stack(
            [116 * f[:, 1] - 16, 500 * (f[:, 0] - f[:, 1]), 200 * (f[:, 1] - f[:, 2])], axis=1
        )
        apart = np.linalg.norm(lab[:, None] - lab[None], axis=2)
        assert apart[~np.eye(SLOTS, dtype=bool)].min() > 8  # 2.3 is just noticeable


def test_the_dialog_saves_what_it_says_while_the_window_goes_on(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    path = tmp_path / "figure.pdf"
    asked = []
    answers = [tmp_path / "gone" / "figure.pdf"]
    monkeypatch.setattr(
        QtDialogs,
        "ask_figure",
        lambda _self, _title, view: asked.append(view) or (answers.pop() if answers else path),
    )
    window.actions_by_name["figure"].trigger()
    [dialog] = window.findChildren(FigureDialog)
    QTest.mouseClick(dialog.colours.button(GREY), Qt.MouseButton.LeftButton)
    dialog.type.setValue(36)
    dialog.view.setCurrentIndex(dialog.view.findData("weights"))
    QTest.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
    assert dialog.said.text().startswith("There is no folder")
    assert dialog.view.isEnabled()
    QTest.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
    assert not dialog.view.isEnabled()
    qtbot.waitUntil(lambda: dialog.making is None)
    assert "mm with text of 36 pt" in dialog.said.text()
    dialog.type.setValue(8)
    widgets = len(QApplication.topLevelWidgets())
    turns = []
    QTest.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: turns.append(dialog.making) or len(turns) > 3)
    QTest.mouseClick(dialog.cancel, Qt.MouseButton.LeftButton)
    assert all(turns)  # it was still being made
    assert dialog.isVisible()
    assert dialog.view.isEnabled()
    assert not path.exists()
    assert len(QApplication.topLevelWidgets()) == widgets
    with qtbot.waitSignal(dialog.accepted):
        QTest.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
    assert asked == ["weights"] * 4
    [page] = PdfReader(path).pages
    assert float(page.mediabox.width) == pytest.approx(85 / 25.4 * 72, abs=0.5)


def test_the_command_paints_one(qapp, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    usual = ("render", CAT, "-o", str(tmp_path / "a.svg"), "--width-mm", "85")
    assert main([*usual, "--view", "plane", "--palette", "grey"]) == 0
    text = (tmp_path / "a.svg").read_text("utf-8")
    assert 'width="85.000mm"' in text
    assert "<image" not in text
    for words, says in (
        ((), "name it with --view"),
        (("--view", "plane", "--animate", "X[1,1]=0..1"), "does not move"),
        (("--view", "plane", "--font-pt", "99"), "not a number from 4 to 36"),
    ):
        assert main([*usual, *words]) == 2
        assert says in capsys.readouterr().err
