"""Pictures that move, saved from the window."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from itertools import count
from pathlib import Path

import av
import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from explorer.app.dialogs import QtDialogs
from explorer.app.moving.dialog import MovingDialog
from explorer.app.pictures import image_of
from explorer.app.settings import load
from explorer.lessons.lesson_index import lessons
from explorer.resources import example
from explorer.session import Cell, Matrix, Space, write_scene
from explorer.session.edits import set_cells
from explorer.session.lesson import TurnTo
from explorer.session.train import Compared, TrainCentre
from explorer.text import Message
from tests.pixels import decoded, pixels
from tests.showing import to_front
from tests.window.conftest import LEFT, Person


class Filming:
    """Somebody who saves pictures that move."""

    def __init__(self, person: Person, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
        self.person, self.window, self._qtbot = person, person.window, qtbot
        self.path: Path | None = None
        monkeypatch.setattr(QtDialogs, "ask_moving", lambda *_asked: self.path)
        self.dialog: MovingDialog

    def open(self, subject: str, part: str = "", suffix: str = ".webp") -> None:
        self.window.actions_by_name["moving"].trigger()
        [self.dialog] = self.window.findChildren(MovingDialog)
        for segments, key in ((self.dialog.subjects, subject), (self.dialog.format, suffix)):
            self._click(segments.button(key))
        if part:
            self.dialog.part.setCurrentIndex(self.dialog.part.findData(part))

    def save(self, path: Path) -> None:
        self.path = path
        self._click(self.dialog.save)

    def saved(self, path: Path, look: Callable[[], object] = lambda: None) -> Path:
        """Save, and look after each picture."""
        with self._qtbot.waitSignal(self.dialog.accepted, timeout=60_000):
            self.save(path)
            self.dialog.making.told.connect(lambda *_told: look())
        self.person.settle()
        return path

    def give_up(self) -> None:
        self._click(self.dialog.cancel)

    def leave(self) -> None:
        self.give_up()
        to_front(self.window)
        self.person.settle()

    def _click(self, widget) -> None:
        assert widget.isEnabled()
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton)


@pytest.fixture
def filming(person: Person, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Filming:
    return Filming(person, qtbot, monkeypatch)


def test_a_drag_moves_as_it_went_and_nothing_is_edited_by_it(
    person: Person, filming: Filming, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A second from each scene to the next, however busy the machine is.
    monkeypatch.setattr("explorer.app.moving.films.monotonic", count().__next__)
    window, session, plane = person.window, person.session, person.plane
    before = session.scene
    filming.open("number")
    subjects = {each.text() for each in filming.dialog.subjects.findChildren(QToolButton)}
    assert subjects == {"A number", "Into another scene"}  # nothing was dragged
    filming.leave()
    start = person.point(Space.X, 0)
    person.drag(start, start + QPoint(-90, -60))
    scene, history, camera = session.scene, session.history, plane.screen_point(Space.X, 1)
    filming.open("drag")
    filming.dialog.seconds.setValue(0.5)
    filming.dialog.fps.setValue(6)
    path = filming.saved(tmp_path / "drag.webp")
    assert (session.scene, session.history) == (scene, history)
    assert plane.screen_point(Space.X, 1) == camera
    frames = decoded(path)
    assert len(frames) == 3
    drag = window.gestures.last
    assert (drag.at(0.0), drag.at(1.0)) == (before, scene)
    for share, frame in zip((0.0, 0.5, 1.0), frames, strict=True):
        session.edit(Message("again"), drag.at(share))
        person.settle()
        assert np.array_equal(frame, pixels(image_of(plane.viewport())))
    assert not np.array_equal(frames[0], frames[2])
    session.mark_saved(session.scene)
    window.open_file(example("two-heads.json"))
    assert window.gestures.last is None  # of another document


@pytest.mark.parametrize("size", [0.02, 1.0, 40.0])
def test_a_film_is_seen_from_one_place_however_its_numbers_shrink_and_grow(
    person: Person, filming: Filming, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: float
) -> None:
    plane, scene = person.plane, person.session.scene
    other = tmp_path / "other.json"
    write_scene(scene.replace(X=scene.X * size), other)
    monkeypatch.setattr(QtDialogs, "ask_open", lambda *_asked: other)
    corner = QPointF(0.0, 0.0)
    before, seen = plane.plane_point(corner), []
    inside = plane.viewport().rect()

    def look() -> None:
        seen.append(plane.plane_point(corner))
        assert all(inside.contains(person.point(Space.X, token)) for token in range(4))

    filming.open("scenes")
    QTest.mouseClick(filming.dialog.scenes.findChild(QPushButton), Qt.MouseButton.LeftButton)
    filming.dialog.seconds.setValue(1)
    filming.dialog.fps.setValue(8)
    frames = decoded(filming.saved(tmp_path / "film.webp", look))
    assert len(seen) == 8
    assert len(set(seen)) == 1
    assert (seen[0] == before) is (size <= 1)
    assert not np.array_equal(frames[0], frames[-1]) or size == 1
    assert plane.plane_point(corner) == before
    assert plane.looked_from is None


def test_a_number_moves_until_it_is_given_up(
    person: Person, filming: Filming, tmp_path: Path, qtbot: QtBot
) -> None:
    session = person.session
    scene = session.scene
    filming.open("number", "weights", ".gif")
    dialog = filming.dialog
    dialog.matrix.setCurrentText("Wk")
    dialog.row.setValue(2)
    assert (dialog.start.value(), dialog.end.value()) == (-0.8, 1.2)
    filming.save(tmp_path / "never.gif")
    qtbot.waitUntil(lambda: session.scene is not scene)
    assert not dialog.subjects.isEnabled()
    filming.give_up()
    assert (session.scene, dialog.making) == (scene, None)
    assert not (tmp_path / "never.gif").exists()
    dialog.seconds.setValue(0.5)
    dialog.fps.setValue(4)
    dialog.width_box.setValue(2 * dialog.width_box.value())
    path = filming.saved(tmp_path / "Wk.gif")
    person.settle()
    assert session.scene is scene
    shown = person.window.pictures()["weights"]
    with Image.open(path) as file:
        assert file.size == (2 * shown.width(), 2 * shown.height())
        assert (file.n_frames, file.info["duration"], file.info["loop"]) == (2, 250, 0)
    for value, place in ((-0.8, 0), (1.2, 1)):
        session.edit(Message(""), set_cells(scene, Cell(Matrix.WK, 1, 0), [[value]]))
        person.settle()
        wanted = pixels(image_of(shown, 2.0)).astype(int)
        assert np.abs(decoded(path)[place] - wanted).mean() < 3  # 256 colours


def test_a_place_where_nothing_can_be_saved_is_said_before_anything_is_painted(
    filming: Filming, tmp_path: Path
) -> None:
    filming.open("number")
    filming.save(tmp_path / "gone" / "film.webp")
    assert filming.dialog.making is None
    assert filming.dialog.said.text().startswith("There is no folder")
    filming.leave()


def test_what_cannot_be_made_is_said_in_the_dialog(
    person: Person, filming: Filming, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filming.open("scenes")
    dialog = filming.dialog
    filming.save(tmp_path / "a.webp")
    assert dialog.said.text() == "Choose the scene that it changes into."
    monkeypatch.setattr(QtDialogs, "ask_open", lambda *_asked: example("two-heads.json"))
    [choose] = [
        each for each in dialog.findChildren(QPushButton) if each.text() == "Choose a scene…"
    ]
    QTest.mouseClick(choose, Qt.MouseButton.LeftButton)
    filming.save(tmp_path / "a.webp")
    assert "differ in the shape" in dialog.said.text()
    dialog.seconds.setValue(600)
    assert not dialog.save.isEnabled()
    assert "Too many" in dialog.said.text()
    dialog.seconds.setValue(1)
    monkeypatch.setattr("explorer.exporters.moving.find_spec", lambda _name: None)
    dialog.format.picked.emit(".mp4")
    assert "attention-explorer[video]" in dialog.said.text()
    assert not dialog.save.isEnabled()
    filming.leave()
    assert not list(tmp_path.iterdir())


def test_a_lesson_and_a_run_move(person: Person, filming: Filming, tmp_path: Path) -> None:
    window = person.window
    lesson = lessons()[0]
    window.playing.open(lesson)
    window.playing.handle(TurnTo(1))
    person.settle()
    kept = load(print)
    scene, count = person.session.scene, window.playing.pages
    filming.open("lesson")
    assert (filming.dialog.part.count(), filming.dialog.seconds.value()) == (1, 4 * count)
    path = filming.saved(tmp_path / "lesson.webp")
    assert load(print) == kept  # nobody has read it
    assert person.session.scene is scene
    frames = decoded(path)
    assert len(frames) == count
    top = window.topbar.height()  # above, undo knows other edits
    for place in (1, count - 2):
        window.playing.handle(TurnTo(place))
        person.settle()
        shown = pixels(image_of(window))
        assert np.array_equal(frames[place][top:], shown[top:])
    window.open_file(example("tiny-transformer.safetensors"))
    person.settle()
    train = window.train.session
    train.go(step=3)
    filming.open("run", "heads", ".mp4")
    filming.dialog.seconds.setValue(1)
    path = filming.saved(tmp_path / "run.mp4")
    assert train.frame.cursor.step == 3
    with av.open(path) as file:
        assert len(list(file.decode(video=0))) == 12


def test_what_stands_in_the_middle_of_train_moves_both_runs_and_nothing_unseen(
    person: Person, filming: Filming, tmp_path: Path
) -> None:
    window = person.window
    for name in ("one", "two"):
        again = tmp_path / f"{name}.safetensors"
        shutil.copy(example("tiny-transformer.safetensors"), again)
        window.open_file(again)
        person.settle()
    page, session = window.train.page, window.train.session
    person.push(page.bar.pages.button(TrainCentre.MATRICES))
    filming.open("run")
    part = filming.dialog.part
    offered = [part.itemData(place) for place in range(part.count())]
    assert part.currentData() == "matrices"
    assert not {"graph", "spaces"} & set(offered)
    filming.leave()
    first, _second = page.parameters.list.cards.values()
    QTest.mouseClick(first, LEFT, Qt.KeyboardModifier.ShiftModifier, first.rect().center())
    person.settle()
    filming.open("run")
    filming.dialog.seconds.setValue(0.5)
    filming.dialog.fps.setValue(4)
    frames = decoded(filming.saved(tmp_path / "both.webp"))
    for step, frame in ((0, frames[0]), (len(session.frame.recorded) - 1, frames[1])):
        session.go(step=step)
        person.settle()
        assert np.array_equal(frame, pixels(image_of(page.beside)))
    person.push(page.bar.compared.button(Compared.DIFFERENCE))
    window.actions_by_name["copy_picture"].trigger()
    assert QGuiApplication.clipboard().image() == image_of(page.beside, 2.0)
