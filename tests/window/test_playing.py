"""Every lesson there is, played to its end in both languages with mouse and keyboard."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QDeadlineTimer, QRect, Qt, QTimer
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLabel,
    QMenu,
    QPushButton,
    QTableView,
    QToolButton,
    QWidget,
)

from explorer.app.main import make_window
from explorer.app.window import MainWindow
from explorer.kit.formula import FormulaView
from explorer.kit.segments import Segments
from explorer.kit.stage_chip import StageChip
from explorer.lessons.lesson import said_in
from explorer.lessons.models import names_of
from explorer.lessons.read import read_lesson
from explorer.lessons.readings import table_of
from explorer.lessons.schema import Fill, Step, Texts
from explorer.resources import lessons
from explorer.rooms.explore.results.fill import FillPart
from explorer.rooms.lesson import LessonPanel
from explorer.rooms.lesson.panel import Dot, Outline
from explorer.session import dump_scene
from explorer.text import _, displayable, language, languages
from explorer.text.numbers import MINUS
from tests.sampled import in_turn
from tests.showing import click_to_open, to_front
from tests.window.conftest import Person

BEHIND = {
    "inputs",
    "X",
    "Wq",
    "Wk",
    "Wv",
    "Wo",
    "options",
    "parameters",
    "atlas",
    "input",
}  # the lesson's page
LEAST_SCRIPT = 9  # px on the screen


@pytest.fixture(scope="module")
def window(qapp) -> Iterator[MainWindow]:
    """One window for all lessons, on the smallest projector."""
    made = make_window()
    made.resize(1024, 768)
    made.show()
    yield made
    made.speak("en")  # as the files to come expect
    made.session.mark_saved(made.session.scene)
    made.close()


class Pupil(Person):
    """Somebody who goes through a lesson."""

    def __init__(self, window: MainWindow, qtbot) -> None:
        super().__init__(window)
        self._qtbot = qtbot
        self.settle()

    @property
    def panel(self) -> LessonPanel:
        """The page that is open."""
        [panel] = [each for each in self.window.findChildren(LessonPanel) if each.isVisible()]
        return panel

    @property
    def left(self) -> Segments:
        """The choice between the lesson and what lies behind it."""
        return self.window.rooms.front.page.left.choice

    @property
    def words(self) -> set[str]:
        """The tokens of what is shown, a scene or a run."""
        if self.window.rooms.training:
            return set(self.window.train.session.frame.vocabulary)
        if self.window.rooms.name == "model":
            frame = self.window.rooms.model.session.frame
            return {*names_of(frame), *(row.text.strip() for row in frame.next.rows)}
        return {*self.session.scene.tokens, *self.session.scene.key_tokens}

    @property
    def said(self) -> str:
        """All that the page says."""
        labels = (label.text() for label in shown(self.panel, QLabel))
        return "\n".join([*labels, self.panel.stepper.text()])

    @property
    def verdict(self) -> str:
        """The colour's name in which an answer is judged: ok or err."""
        [label] = [
            label
            for label in shown(self.panel.question, QLabel)
            if label.property("ink") in ("ok", "err")
        ]
        return str(label.property("ink"))

    def settle(self) -> None:
        super().settle()
        train = self.window.train
        if train is not None:
            train.clock.flush()
            QApplication.processEvents()
        model = self.window.rooms.model
        if model is not None:
            playing = self.window.playing
            if playing.page == "model":  # its process answers when it has opened and run
                self._qtbot.waitUntil(lambda: playing.settled, timeout=60_000)
            self._qtbot.waitUntil(lambda: not model.runner.busy, timeout=60_000)
            model.clock.flush()
            QApplication.processEvents()

    def push(self, button: QWidget) -> None:
        """Click in the middle of a button that is there to be clicked."""
        assert button.isVisible()
        assert button.isEnabled()
        self.click(button, button.rect().center())

    def choose(self, button: str, *names: str) -> None:
        """Choose from the menu of a button on top, and from the menus within it, by clicks.

        On a busy screen a menu may take the focus late and so be the active one although a menu
        within it is open: what is seen is clicked, until the last of the names was chosen.
        """
        waiting = QDeadlineTimer(60_000)
        clicking = chosen = False

        def choose() -> None:
            nonlocal chosen
            chosen = True

        def click() -> None:
            nonlocal clicking
            if clicking:
                return
            menus = [menu for menu in self.window.findChildren(QMenu) if menu.isVisible()]
            if waiting.hasExpired():  # a test that is out of time is not ended within a menu
                for menu in menus:
                    menu.close()
                return
            for name, menu in product(reversed(names), menus):
                for action in menu.actions():
                    if action.text() == name:
                        if name == names[-1]:
                            action.triggered.connect(choose)
                        clicking = True
                        self.click(menu, menu.actionGeometry(action).center())
                        clicking = False
                        return

        timer = QTimer(interval=5)
        timer.timeout.connect(click)
        timer.start()
        while not chosen:
            assert not waiting.hasExpired(), names
            click_to_open(self.window.topbar.findChild(QToolButton, button))
            self.settle()
            self.until(lambda: QApplication.activePopupWidget() is None)
        timer.stop()
        self.plane = self.window.explore_page.plane
        to_front(self.window)
        self.settle()

    def type_into(self, table: QTableView, cell: tuple[int, ...], value: float) -> None:
        """Type a number into a cell, to three decimals."""
        self.click_cell(table, *cell)
        self.keys(f"{value:.3f}")
        self.key(Qt.Key.Key_Return)

    def until(self, seen) -> None:
        """Let the window live until something is so."""
        self._qtbot.waitUntil(lambda: bool(seen()), timeout=120_000)
        self.settle()


@pytest.fixture
def pupil(qtbot, window: MainWindow) -> Pupil:
    to_front(window)
    return Pupil(window, qtbot)


def shown(widget: QWidget, kind: type) -> list:
    """Return the parts of a kind that are seen and say something."""
    return [
        part
        for part in widget.findChildren(kind)
        if part.isVisible() and (kind is FormulaView or part.text())
    ]


def seen(part: QWidget) -> QRect:
    """Return how much of a part is neither scrolled away nor cut off."""
    box, origin = part.rect(), part
    while not origin.isWindow():
        box.translate(origin.pos())
        origin = origin.parentWidget()
        box &= origin.rect()
    return QRect(part.mapFrom(origin, box.topLeft()), box.size())


def check_that_all_can_be_read(pupil: Pupil) -> None:
    """Fail where anything of the page is cut off or scrolled away, or a fault is told."""
    panel = pupil.panel
    for part in (*shown(panel, QLabel), *shown(panel, QPushButton), *shown(panel, FormulaView)):
        told = part.tex if isinstance(part, FormulaView) else part.text()
        assert seen(part) == part.rect(), f"{told} is cut off"
        if isinstance(part, QLabel):
            assert part.property("ink") != "err" or panel.question.isAncestorOf(part), told
            flags = Qt.TextFlag.TextWordWrap if part.wordWrap() else Qt.TextFlag.TextSingleLine
            box = part.contentsRect()
            needed = part.fontMetrics().boundingRect(
                QRect(0, 0, box.width(), 10_000), flags, part.text()
            )
            assert needed.width() <= box.width() + 1, f"{told} is too wide"  # it is rounded up
            assert needed.height() <= box.height(), f"{told} is too high"
        elif isinstance(part, QPushButton):
            assert part.sizeHint().width() <= part.width(), f"{told} is cut off"
        else:
            assert part.smallest >= LEAST_SCRIPT, f"{told} is too small"
    for page in (room.page for room in pupil.window.rooms):
        assert not page.error_bar.isVisible(), page.error_bar.sentence


def outlined(pupil: Pupil) -> int:
    """Return around how many parts an outline is seen, most of it."""
    found = [each for each in pupil.window.findChildren(Outline) if each.isVisible()]
    for outline in found:
        part, box = outline.target, seen(outline)
        if isinstance(outline, Dot):  # all of it, on the tab of what is behind
            assert box == outline.rect()
            continue
        assert 2 * box.width() * box.height() > part.width() * part.height(), part
    return len(found)


def check_that_its_parts_are_outlined(pupil: Pupil, step: Step) -> None:
    """Fail where a part that the step speaks of is not seen, here or beside the lesson."""
    count = outlined(pupil)
    turns = pupil.window.rooms.front.page.turns
    if count < len(step.highlight) and turns.isVisible():
        buttons = [turns.button(key) for key in ("picture", "tables", "bottom")]
        [before] = [button for button in buttons if button.isChecked()]
        for button in buttons:
            if button is not before and button.isVisible():
                pupil.push(button)
                count += outlined(pupil)
        pupil.push(before)
    if count < len(step.highlight):
        pupil.push(pupil.left.button("numbers"))
        beside = outlined(pupil)
        pupil.push(pupil.left.button("lesson"))
        assert BEHIND.intersection(step.highlight), f"of {step.highlight} only {count} are seen"
        assert beside == len(step.highlight), f"of {step.highlight} only {beside} are seen"


def quoted(code: str, text: Texts, words: set[str]) -> list[str]:
    """Return what a text quotes in a language, but for what is made of these words."""
    found = re.findall("“(.*?)”", said_in(code, text))
    return [name for name in found if not words.issuperset(re.findall(r"[\w']+", name))]


def check_that_its_names_are_shown(pupil: Pupil, step: Step) -> None:
    """Fail where a name in quotes is neither of tokens nor of anything that the window shows."""
    texts = [step.text, step.short]
    if step.task is not None:
        texts += [step.task.text, step.task.hint]
    names = [
        name
        for text in texts
        if quoted("en", text, pupil.words)  # else they are words of a sentence, here translated
        for name in quoted(language(), text, pupil.words)
    ]
    if names:
        pupil.push(pupil.left.button("numbers"))
        header = pupil.window.explore_page.inputs.options.header
        if _("Options") in names:
            pupil.push(header)  # its parts are made when they are first asked for
        parts = pupil.window.findChildren(QWidget)
        there = {part.text() for part in parts if isinstance(part, QLabel | QAbstractButton)}
        for part in parts:
            if isinstance(part, QComboBox):
                there |= {part.itemText(place) for place in range(part.count())}
        if _("Options") in names:
            pupil.push(header)
        pupil.push(pupil.left.button("lesson"))
        assert there.issuperset(names), names


def answer(pupil: Pupil) -> None:
    """Answer the question wrongly, then rightly."""
    question = pupil.panel.question
    if question.buttons:
        verdicts = []
        for place in range(len(question.buttons)):
            pupil.push(question.buttons[place])
            verdicts.append(pupil.verdict)
            check_that_all_can_be_read(pupil)
        assert sorted(verdicts) == ["err"] * (len(verdicts) - 1) + ["ok"]
        pupil.push(question.buttons[verdicts.index("ok")])
    else:
        pupil.click(question.field, question.field.rect().center())
        pupil.keys("-77.25")
        pupil.push(question.check)
        assert pupil.verdict == "err"
        check_that_all_can_be_read(pupil)
        assert not re.search(r"\d\.\d", shown(question, QLabel)[-1].text())
        pupil.push(question.tell)
        check_that_all_can_be_read(pupil)
        right = re.findall(r"[−-]?\d+\.\d+", shown(question, QLabel)[-1].text())[-1]
        pupil.click(question.field, question.field.rect().center())
        pupil.key(Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier, question.field)
        pupil.keys(right.replace(MINUS, "-"))
        pupil.key(Qt.Key.Key_Return, widget=question.field)
    assert pupil.verdict == "ok"


def fill_in(pupil: Pupil, fill: Fill) -> None:
    """Fill a table in by hand, one number of it wrongly at first, and have it checked."""
    [part] = [each for each in pupil.window.findChildren(FillPart) if each.isVisible()]
    values = table_of(fill.table, pupil.session.frame, None)
    blank = pupil.session.look.blank
    cells = [place for place in np.ndindex(values.shape) if blank.covers(*place)]
    wrong = [(cells[0], values[cells[0]] + 1.25)]
    for cell, value in [*wrong, *((cell, values[cell]) for cell in cells[1:])]:
        pupil.type_into(part.table, cell, value)
    pupil.push(part.check)
    assert part.said.property("ink") == "err"
    pupil.type_into(part.table, cells[0], values[cells[0]])
    pupil.push(part.check)
    assert part.said.property("ink") == "ok"


def touch_and_come_back(pupil: Pupil) -> None:
    """Go to another station of the chain, and back to the lesson."""
    panel = pupil.panel
    assert not panel.back.isVisible()
    chips = [chip for chip in pupil.window.findChildren(StageChip) if chip.isVisible()]
    before = next(chip for chip in chips if chip.isChecked()).link.key
    other = next(chip for chip in reversed(chips) if not chip.isChecked() and chip.link.key)
    pupil.push(other)
    assert other.isChecked()
    check_that_all_can_be_read(pupil)
    pupil.push(panel.back)
    assert not panel.back.isVisible()
    chips = [chip for chip in pupil.window.findChildren(StageChip) if chip.isVisible()]
    assert [chip.link.key for chip in chips if chip.isChecked()] == [before]


def carry_out(pupil: Pupil) -> None:
    """Ask for the hint, let the task be shown, go back, undo that, and go back again."""
    panel = pupil.panel
    done = next(label for label in panel.task.findChildren(QLabel) if label.text() == _("Done."))
    assert not done.isVisible()
    pupil.push(panel.task.hint)
    check_that_all_can_be_read(pupil)
    before = pupil.session.scene
    pupil.push(panel.task.solve)
    pupil.until(done.isVisible)
    check_that_all_can_be_read(pupil)
    assert not panel.task.solve.isVisible()
    if pupil.window.rooms.name != "explore":
        return
    solved = pupil.session.scene
    pupil.push(panel.back)
    assert not done.isVisible()
    assert dump_scene(pupil.session.scene) == dump_scene(before)
    pupil.key(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier, pupil.window)
    assert pupil.session.scene is solved
    assert done.isVisible()
    pupil.push(panel.back)
    assert not done.isVisible()


@pytest.mark.parametrize(
    ("path", "code"), in_turn(8, lessons(), languages(), lambda path: path.stem)
)
def test_a_lesson_is_played_to_its_end(pupil: Pupil, path: Path, code: str):
    if language() != code:
        pupil.choose("language", languages()[code])
    assert language() == code
    lesson = read_lesson(path)
    title = f"{lessons().index(path) + 1}  {said_in(code, lesson.title)}"
    pupil.choose("document", _("Lessons"), title)
    steps = [step for step in lesson.steps if isinstance(step, Step)]
    assert len(steps) == len(lesson.steps)
    assert not pupil.panel.previous.isEnabled()
    for place, step in enumerate(steps):
        assert displayable(said_in(code, step.text)) in pupil.said
        count = len(steps) + bool(lesson.questions)
        assert _("{place} of {count}").format(place=place + 1, count=count) in pupil.said
        check_that_all_can_be_read(pupil)
        if step.predict is not None:
            answer(pupil)
            check_that_all_can_be_read(pupil)
            if pupil.panel.back.isVisible():  # the answer has shown what becomes of the number
                pupil.push(pupil.panel.back)
        if step.fill is not None:
            fill_in(pupil, step.fill)
            check_that_all_can_be_read(pupil)
        check_that_its_parts_are_outlined(pupil, step)
        check_that_its_names_are_shown(pupil, step)
        touch_and_come_back(pupil)
        if step.task is not None:
            carry_out(pupil)
        if place % 2:
            pupil.key(Qt.Key.Key_PageDown, widget=pupil.panel)
        else:
            pupil.push(pupil.panel.next)
    for question in lesson.questions:
        assert displayable(said_in(code, question)) in pupil.said
    check_that_all_can_be_read(pupil)
    assert pupil.panel.next.isEnabled() is (path != lessons()[-1])
    pupil.key(Qt.Key.Key_PageUp, widget=pupil.panel)
    assert displayable(said_in(code, steps[-1].text)) in pupil.said
    pupil.push(pupil.panel.previous)
    assert displayable(said_in(code, steps[-2].text)) in pupil.said
