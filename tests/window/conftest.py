"""The real window on the first example, driven as a person drives it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QScrollBar, QTableView, QWidget

from explorer.app.main import make_window
from explorer.app.pictures import image_of
from explorer.app.settings import Settings
from explorer.app.window import MainWindow
from explorer.kit.motion import finish_motions
from explorer.lessons.lesson_index import lesson_called
from explorer.resources import example
from explorer.rooms.lesson.panel import Outline
from explorer.rooms.model.runner import ModelRunner
from explorer.rooms.sweep.runner import SweepRunner
from explorer.rooms.train.runner import Runner
from explorer.session import Look, Space, read_scene
from explorer.session.lesson import LeaveLesson
from explorer.session.train import TrainLook, TrainSession
from explorer.text import Message
from explorer.traces import Config, SpoolTrace
from tests.models.made import model_folder
from tests.showing import to_front
from tests.window.modeller import Modeller
from tests.window.speaker import SOFTMAX, Speaker

NO_KEY = Qt.KeyboardModifier.NoModifier
LEFT = Qt.MouseButton.LeftButton


class Person:
    """Somebody at the window, with a mouse and a keyboard."""

    def __init__(self, window: MainWindow) -> None:
        self.window = window
        self.session = window.session
        self.plane = window.explore_page.plane

    def settle(self) -> None:
        """Let the window draw whatever waits, and end what moves."""
        QApplication.processEvents()
        self.window.flush()
        self.plane.finish_motion()
        finish_motions(self.window)
        QApplication.processEvents()

    def point(self, space: Space, index: int) -> QPoint:
        return self.plane.screen_point(space, index).toPoint()

    def press(self, at: QPoint) -> None:
        QTest.mousePress(self.plane.viewport(), LEFT, NO_KEY, at)

    def move(self, at: QPoint) -> None:
        QTest.mouseMove(self.plane.viewport(), at)
        QApplication.processEvents()

    def release(self, at: QPoint) -> None:
        QTest.mouseRelease(self.plane.viewport(), LEFT, NO_KEY, at)
        self.settle()

    def drag(self, start: QPoint, end: QPoint) -> None:
        """Drag with the mouse, by way of the middle."""
        self.press(start)
        self.move(QPoint((start.x() + end.x()) // 2, (start.y() + end.y()) // 2))
        self.move(end)
        self.release(end)

    def click(self, widget: QWidget, at: QPoint | QPointF) -> None:
        place = at.toPoint() if isinstance(at, QPointF) else at
        QTest.mouseClick(widget, LEFT, NO_KEY, place)
        self.settle()

    def push(self, button: QWidget) -> None:
        """Click in the middle of a button."""
        self.click(button, button.rect().center())

    def click_cell(self, table: QTableView, row: int, column: int) -> None:
        index = table.model().index(row, column)
        self.click(table.viewport(), table.visualRect(index).center())

    def keys(self, text: str) -> None:
        """Type into whatever has the focus, which the first letter may change."""
        for letter in text:
            QTest.keyClicks(QApplication.focusWidget() or self.window, letter)
        self.settle()

    def key(
        self, key: Qt.Key, modifiers: Qt.KeyboardModifier = NO_KEY, widget: QWidget | None = None
    ) -> None:
        QTest.keyClick(widget or QApplication.focusWidget() or self.window, key, modifiers)
        self.settle()

    def outlined(self) -> list[QWidget | None]:
        """Return what has an outline that is seen: what a step speaks of."""
        outlines = self.window.findChildren(Outline)
        return [outline.target for outline in outlines if outline.isVisible()]

    def picture(self, widget: QWidget | None = None) -> QImage:
        """Return what is seen below the top bar, without the mouse over it."""
        self.session.hover(None)
        self.settle()
        return image_of(widget or self.window.explore_page)


class Learner(Person):
    """Somebody in Train."""

    def __init__(self, window: MainWindow, qtbot) -> None:
        super().__init__(window)
        self.room = window.show_train()
        self.session, self.page = self.room.session, self.room.page
        self.run_box = self.page.parameters.run
        self.chart = self.page.timeline.chart
        self._qtbot = qtbot

    @property
    def frame(self):
        """What is shown now."""
        return self.session.frame

    @property
    def shows_its_run(self) -> bool:
        """Whether the run begun last is what is shown."""
        trace = self.frame.trace
        return isinstance(trace, SpoolTrace) and trace.folder == self.room.runner.folder

    def settle(self) -> None:
        super().settle()
        self.room.clock.flush()
        QApplication.processEvents()

    def wait(self, seen: Callable[[], bool]) -> None:
        """Let the window live until something is so."""
        self._qtbot.waitUntil(lambda: bool(seen()), timeout=120_000)
        self.settle()

    def type_parameter(self, field: str, text: str) -> None:
        """Type over a parameter's value, unfolding it where it is folded away."""
        parameters = self.page.parameters
        if field not in parameters.rows and not self.frame.look.more_open:
            self.push(parameters.more.fold.header)
        line = {**parameters.rows, **parameters.more.rows}[field].input.lineEdit()
        self.click(line, line.rect().center())
        self.key(Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier, line)
        QTest.keyClicks(line, text)
        self.key(Qt.Key.Key_Return, widget=line)

    def choose(self, combo: QWidget, key: Qt.Key) -> None:
        """Take the first or the last of a choice, with Home or End."""
        combo.setFocus()
        self.key(key, widget=combo)

    def train(self) -> None:
        """Press Train, and wait until the run is shown."""
        before = self.room.runner.folder
        self.push(self.run_box.main)
        assert self.room.runner.folder != before
        self.wait(lambda: self.shows_its_run)

    def finish(self) -> None:
        """Let the run go to its end at full speed."""
        self.choose(self.run_box.pace, Qt.Key.Key_End)
        self.wait(lambda: not self.frame.progress.active)

    def scrub(self, *epochs: float) -> None:
        """Drag the playhead over some epochs, and let go at the last."""
        plot, y = self.chart.plot, self.chart.height() // 2
        places = [QPoint(round(plot.x(epoch)), y) for epoch in epochs]
        QTest.mousePress(self.chart, LEFT, NO_KEY, places[0])
        for place in places:
            QTest.mouseMove(self.chart, place)
            QApplication.processEvents()
        QTest.mouseRelease(self.chart, LEFT, NO_KEY, places[-1])
        self.settle()

    def picture(self, widget: QWidget | None = None) -> QImage:
        """Return what is seen below the top bar, without the mouse over it."""
        self.point_at(self.window.topbar, QPoint(1, 1))
        self.session.hover(None)
        self.settle()
        return image_of(widget or self.page)

    def point_at(self, widget: QWidget, at: QPoint) -> None:
        """Move the mouse there; the screen tells of it only after a while."""
        QTest.mouseMove(widget, at)
        self.wait(widget.underMouse)

    def begin_anew(self) -> None:
        """Show the example with nothing running, as when Train is first shown."""
        self.room.runner.stop()
        self.wait(lambda: not self.frame.progress.active)
        window, room = self.window, self.room
        if window.theme.percent != 100:
            window.appearance.scale_text(0)
        window.resize(1440, 900)
        window.show_train()
        room.session.set_config(Message("begin anew"), Config())
        room.session.set_pace(TrainSession().frame.pace)
        room.session.set_fork(None)
        room.session.compare(None)
        room.session.look_at(
            **{name: getattr(TrainLook(), name) for name in TrainLook.__annotations__}
        )
        room.document.open_example()
        room.session.go(head=None)
        room.page.error_bar.hide()
        self.settle()


@pytest.fixture(autouse=True)
def _cold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start a room's process when it is asked for something: most tests only look at the room."""
    for runner in (Runner, ModelRunner, SweepRunner):
        monkeypatch.setattr(runner, "warm", lambda self: None)


@pytest.fixture
def person(request: pytest.FixtureRequest) -> Iterator[Person]:
    """Somebody at a new window; where a file says ONE_WINDOW, at one that begins anew."""
    if not getattr(request.module, "ONE_WINDOW", False):
        yield request.getfixturevalue("newcomer")
        return
    somebody = _begun_anew(request.getfixturevalue("shared_window"))
    yield somebody
    # Now: once `_as_before` has made English the language in use, a window takes it for its own.
    somebody.window.speak("en")


@pytest.fixture
def newcomer(qtbot) -> Person:
    """Somebody at a new window of their own."""
    window = make_window()
    # A window with unsaved changes would ask, and nobody is there to answer.
    qtbot.addWidget(window, before_close_func=lambda w: w.session.mark_saved(w.session.scene))
    window.resize(1440, 900)
    with qtbot.waitExposed(window):
        window.show()
    to_front(window)  # else a key that is pressed goes to nobody
    somebody = Person(window)
    somebody.settle()
    return somebody


@pytest.fixture(scope="module")
def shared_window(qapp) -> Iterator[Person]:
    """One window for many tests, each of which lets it begin anew."""
    window = make_window()
    window.resize(1440, 900)
    window.show()
    yield Person(window)
    window.session.mark_saved(window.session.scene)
    window.close()


def _begun_anew(person: Person) -> Person:
    """Show the first example as a new window shows it, with nothing to be undone."""
    window = person.window
    window.presenting.leave()
    _close_dialogs(window)
    window.playing.handle(LeaveLesson())
    if window.theme.dark:
        window.appearance.toggle_theme()
    if window.theme.percent != 100:
        window.appearance.scale_text_to(100)
    if window.appearance.reduced:
        window.appearance.toggle_motion()
    window._settings.update(lambda _settings: Settings())  # recent files, lessons read, a width
    if window.isMaximized():
        window.showNormal()
    window.resize(1440, 900)
    to_front(window)
    window.session.mark_saved(window.session.scene)
    window.rooms.show_explore()
    first = example("cat-likes-fish.json")
    window.document.open_example(first)  # tied to no file, whatever was open
    window.session.open(read_scene(first), Look())
    for room in window.rooms:
        room.page.error_bar.hide()
    for notice in window.findChildren(QWidget, "notice"):
        notice.hide()
    window.explore_page.take_focus()
    person.session, person.plane = window.session, window.explore_page.plane
    person.settle()
    for bar in window.findChildren(QScrollBar):
        bar.setValue(bar.minimum())
    return person


def _close_dialogs(window: MainWindow) -> None:
    """Close what an earlier test left open over a window; a dialog is looked for by its class."""
    for dialog in window.findChildren(QDialog):
        dialog.close()
        dialog.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture(scope="module")
def window_in_train(qapp) -> Iterator[MainWindow]:
    """One window for many tests: its training process takes seconds to be ready."""
    window = make_window()
    window.resize(1440, 900)
    window.show()
    yield window
    window.session.mark_saved(window.session.scene)
    window.train.close()
    window.close()


@pytest.fixture
def learner(qtbot, window_in_train: MainWindow) -> Iterator[Learner]:
    to_front(window_in_train)
    somebody = Learner(window_in_train, qtbot)
    somebody.begin_anew()
    yield somebody
    somebody.room.runner.stop()
    somebody.wait(lambda: not somebody.frame.progress.active)


@pytest.fixture
def panel(person):
    """The panel of a lesson that has just been opened."""
    assert person.window.open_file(lesson_called("scores-by-hand"))
    person.settle()
    return person.window.explore_page.lesson


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small model's folder."""
    return model_folder(tmp_path / "small")


@pytest.fixture
def modeller(person: Person, qtbot) -> Modeller:
    """Somebody in Model, where no model is open yet."""
    person.window.rooms.show_model()
    person.settle()
    return Modeller(person, qtbot)


@pytest.fixture
def speaker(person) -> Speaker:
    """Somebody who presents the first example."""
    return begin_to_present(person)


@pytest.fixture
def teacher(person) -> Speaker:
    """Somebody who presents a lesson."""
    assert person.window.open_file(SOFTMAX)
    person.settle()
    return begin_to_present(person)


def begin_to_present(person: Person) -> Speaker:
    """Press F5, once the keys have come back from the audience of an earlier test."""
    to_front(person.window)
    QTest.keyClick(person.window, Qt.Key.Key_F5)
    person.settle()
    return Speaker(person)
