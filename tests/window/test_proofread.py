"""Everything that is written is read as on an old projector: translated, whole, none cut off."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QMenu, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from explorer.app.main import make_window
from explorer.app.model import ModelRoom
from explorer.app.recovery import Abandoned, Recovery
from explorer.app.window import MainWindow
from explorer.exporters import WHOLE
from explorer.kit.motion import finish_motions
from explorer.lessons.glossary import glossary
from explorer.lessons.lesson import Lesson, Step, said_in
from explorer.lessons.read import read_lesson
from explorer.lessons.schema import Texts
from explorer.resources import example, examples, lessons
from explorer.rooms.lesson.panel import LessonPanel
from explorer.rooms.model.followed import shown_name
from explorer.rooms.sweep.intents import SelectSetting
from explorer.session import (
    CHAIN,
    Centre,
    ResultsTab,
    Role,
    Selection,
    Stage,
    intents,
    read_scene,
    stages_of,
)
from explorer.session.model.intents import (
    ChangeModelLook,
    EditText,
    FollowWord,
    MeasureRepeats,
    RunText,
    SelectPair,
    ShowEffects,
    SwitchHead,
)
from explorer.session.train import TrainCentre
from explorer.session.views import ModelCentre
from explorer.text import language, languages
from tests.app.test_dialogs import Answers
from tests.fonts import FAMILY, USUAL_FAMILY
from tests.proofreading import Proofreader
from tests.sampled import EVERY_EIGHTH, first_alone
from tests.window.conftest import Person

SELECTIONS = (
    Selection(Role.X, 0),
    Selection(Role.Q, 1),
    Selection(Role.K, 2),
    Selection(Role.V, 3),
    Selection(Role.S, 0, 3),
    Selection(Role.A, 1, 2),
    Selection(Role.O, 1),
)


class Reader:
    """Somebody who reads the window in one language, at the size of an old projector."""

    def __init__(self, window: MainWindow, qtbot: QtBot) -> None:
        self.person, self.window, self.qtbot = Person(window), window, qtbot
        self.do = window.explore.handle
        self.proof = Proofreader(language())
        recent = window._settings.settings.recent  # of files that earlier tests opened
        self.proof.names.update(Path(path).name for path in recent)

    def look(self, place: str, other: QWidget | None = None) -> None:
        """Read the window, a part of it, or another one over it, once nothing moves any more."""
        for _later in range(2):  # what has come to rest may let something else begin
            self.person.settle()
            QApplication.processEvents()
        self.person.settle()
        if self.window.train is not None:
            self.window.train.clock.flush()
            frame = self.window.train.session.frame
            self.proof.names.update((frame.title, *frame.trace.run.vocabulary))  # a file's name
        if self.window.model is not None:
            self._read_model(self.window.model)
        finish_motions(self.window)
        scene = self.person.session.scene
        self.proof.names.update(scene.tokens, scene.key_tokens)
        self.proof.look(place, other or self.window)

    def _read_model(self, room: ModelRoom) -> None:
        """Wait until a model has told everything, and learn the names of its tokens."""
        self.qtbot.waitUntil(lambda: not room.runner.busy, timeout=60_000)
        room.clock.flush()
        frame = room.session.frame
        if frame.info is not None:
            self.proof.names.add(frame.info.title)
        if frame.run is not None:
            pieces = (*frame.run.pieces, *frame.run.key_pieces)
            self.proof.names.update(piece.token for piece in pieces)
            self.proof.names.update(piece.text for piece in pieces)
        if frame.next is not None:
            self.proof.names.update(map(shown_name, frame.next.rows))

    @property
    def panel(self) -> LessonPanel:
        """The lesson's panel in the room in which it is open."""
        panels = self.window.findChildren(LessonPanel)
        return next(panel for panel in panels if panel.isVisible())

    def look_at_menu(self, place: str, menu: QMenu) -> None:
        """Read a menu as it opens."""
        menu.popup(self.window.geometry().topLeft())
        self.look(place, menu)
        menu.close()


# What is read in Chinese is read in English by `make test-more`, and in English alone where letters
# are from another family: Chinese ones are from the same one in all runs.
READ = first_alone(reversed(languages())) if FAMILY == USUAL_FAMILY else ["en"]


@pytest.fixture(scope="module", params=READ)
def window(request, qapp) -> Iterator[MainWindow]:
    """One window in each language: all these tests look on."""
    window = make_window()
    window.resize(1024, 768)
    window.show()
    window.speak(request.param)
    yield window
    window.speak("en")  # as the files to come expect
    window.session.mark_saved(window.session.scene)
    if window.train is not None:
        window.train.close()
    window.close()


@pytest.fixture
def reader(window, qtbot) -> Reader:
    window.rooms.show_explore()
    window.session.open(read_scene(example("cat-likes-fish.json")))
    return Reader(window, qtbot)


@pytest.fixture
def answers() -> Answers:
    return Answers()


def test_explore(reader):
    window, session = reader.window, reader.person.session
    reader.look("at first")
    for stage in CHAIN:
        reader.do(intents.ShowStage(stage))
        reader.look(f"stage {stage}")
    for selection in SELECTIONS:
        session.select(selection)
        reader.look(f"selected {selection}")
    session.select(None)
    for path in examples():
        session.open(read_scene(path))
        reader.look(path.stem)
        reader.do(intents.ShowStage(Stage.A))
        session.select(Selection(Role.A, 1, 0))
        reader.look(f"{path.stem}, selected")
    reader.do(intents.ChangeLook({"options_open": True}))
    window.explore_page.pin_left(True)
    reader.look("options")
    window.explore_page.pin_left(False)
    for centre in (Centre.COMPARE, Centre.SQRT_D, Centre.PLANE):
        window.rooms.show_centre(centre)
        reader.look(f"centre {centre}")
    assert reader.proof.read > 3000
    assert reader.proof.report == ""


def test_tables_that_are_filled_in(reader):
    session = reader.person.session
    session.open(read_scene(example("two-heads.json")))
    for stage in stages_of(session.scene)[1:]:
        reader.do(intents.BlankOut(stage))
        reader.do(intents.FillCells(0, 0, (("0.25", "-0.1"),)))
        reader.look(f"{stage} to be filled in")
        reader.do(intents.CheckBlank())
        session.select(Selection(Role.S, 0, 1))
        reader.look(f"{stage} checked")
    reader.do(intents.BlankOut(Stage.Q))
    reader.do(intents.ChangeLook({"tab": ResultsTab.PAIRS}))
    reader.look("hidden pairs")
    reader.do(intents.BlankOut(None))
    assert reader.proof.report == ""


def test_what_is_presented(reader):
    window = reader.window
    window.presenting.present()
    audience = window.presenting.audience
    audience.showNormal()
    audience.resize(1024, 768)
    audience.page.plane.set_motion(False)
    for stage in CHAIN:
        reader.do(intents.ShowStage(stage))
        reader.look(f"stage {stage}", audience)
    window.presenting.leave()
    assert reader.proof.report == ""


def texts_of(lesson: Lesson) -> list[Texts]:
    """Return what is to be read on a lesson's pages."""
    steps = [step for step in lesson.steps if isinstance(step, Step)]
    return [*lesson.questions, *(step.text for step in steps)]


def quoted(lesson: Lesson) -> set[str]:
    """Return what a lesson quotes, in some language, whole and by words, and its code's words."""
    texts = [text for each in texts_of(lesson) for text in each.values()]
    quotes = re.findall("“([^”]*)”|（([^）]*)）", " ".join(texts))
    code = " ".join(line.text for line in lesson.code)
    words = re.findall(r"[A-Za-z_.]{3,}", code)
    return {part for quote in map("".join, quotes) for part in (quote, *quote.split())} | {*words}


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("first", EVERY_EIGHTH)
def test_every_step_of_every_lesson(reader, first):
    window, place = reader.window, list(languages()).index(language())
    for path in lessons()[(first + 4 * place) % 8 :: 8]:
        assert window.playing.open(path)
        lesson = read_lesson(path)
        reader.proof.names.update(quoted(lesson))
        reader.proof.sentences.update(said_in(language(), text) for text in texts_of(lesson))
        reader.look(path.stem)
        for number, _step in enumerate(lesson.steps, 2):
            QTest.keyClick(window, Qt.Key.Key_PageDown)
            reader.look(f"{path.stem}, page {number}", reader.panel)
    window.explore_page.lesson.close_button.click()
    assert reader.proof.report == ""


def test_train(reader):
    window = reader.window
    window.show_train(warm=False)
    reader.proof.names.update(card.title for card in window.train.session.frame.cards)
    for page in TrainCentre:
        window.train.session.look_at(page=page)
        reader.look(f"page {page}")
    window.train.page.pin_left(True)
    reader.look("parameters")
    assert reader.proof.report == ""


def test_sweep(reader):
    window = reader.window
    window.show_train(warm=False).page.choice.button("sweep").click()
    reader.look("plan")
    window.rooms.sweep.document.open_example()
    window.rooms.sweep.handle(SelectSetting(6))
    reader.look("results")
    assert reader.proof.report == ""


def test_model(reader):
    window = reader.window
    window.rooms.show_model()
    reader.proof.names.update(("config.json", "model.safetensors ", "tokenizer.json"))
    reader.look("no model")
    assert window.open_file(example("stories"))
    handle = window.model.handle
    for wanted in (
        EditText("Ann had a red ball and a dog. Ann had a red"),
        RunText(),
        SelectPair(5, 2),
        SwitchHead(1, 2),
        ShowEffects(True),
        MeasureRepeats(),
        FollowWord("dog"),
    ):
        handle(wanted)
        reader.look(f"{wanted}")
    for centre in ModelCentre:
        handle(ChangeModelLook({"centre": centre}))
        reader.look(f"centre {centre}")
    assert reader.proof.report == ""


def test_menus(reader):
    window = reader.window
    for button in window.topbar.findChildren(QToolButton):
        if button.menu() is not None:
            reader.look_at_menu(button.accessibleName(), button.menu())
            for inner in button.menu().findChildren(QMenu):
                reader.look_at_menu(inner.title(), inner)
    assert reader.proof.read > 60
    assert reader.proof.report == ""


def test_sheets(reader):
    window = reader.window
    for key in ("shortcuts", "glossary"):
        window.actions_by_name[key].trigger()
        sheet = QApplication.activeModalWidget()
        reader.proof.names.update(term.name["en"] for term in glossary())
        reader.look(key, sheet)
        sheet.close()
    assert reader.proof.report == ""


def test_dialogs(reader, answers, tmp_path):
    dialogs = reader.window._dialogs
    left = [Abandoned("cat", 1.7e9, None, tmp_path, Recovery(tmp_path)) for _each in "ab"]
    questions = {
        "unsaved": lambda: dialogs.ask_unsaved("cat"),
        "revert": lambda: dialogs.ask_revert("cat"),
        "changed": lambda: dialogs.ask_overwrite_changed(tmp_path / "cat"),
        "recover": lambda: dialogs.ask_recover(left[:1]),
        "recover one of several": lambda: dialogs.ask_recover(left),
        "running": dialogs.ask_running,
        "large": lambda: dialogs.ask_large("3 GB"),
        "reading": lambda: dialogs.ask_reading("1,234", (1.234, 1234.0)),
        "columns": lambda: dialogs.ask_columns("1,2"),
        "open": lambda: dialogs.ask_open(tmp_path),
        "save": lambda: dialogs.ask_save(tmp_path, "cat.json"),
        "save a run": lambda: dialogs.ask_save_trace(tmp_path, "cat.safetensors"),
        "corpus": dialogs.ask_corpus,
        "picture": lambda: dialogs.ask_picture("cat", "plane"),
        "export": lambda: dialogs.ask_export("cat", WHOLE[0]),
    }
    folders = (tmp_path, Path.home())
    reader.proof.names.update({"cat", "plane", *map(str, folders)})
    reader.proof.names.update(part for folder in folders for part in folder.parts)
    for name, ask in questions.items():

        def read(dialog: QDialog, place: str = name) -> None:
            reader.proof.look(place, dialog)
            dialog.reject()

        answers.next(read)
        ask()
    assert reader.proof.report == ""


def test_what_cannot_be_read_is_found(reader):
    window = reader.window
    button = window.findChild(QToolButton, "language")
    button.setFixedWidth(8)
    label = QLabel("Pay attention…", window)
    label.move(1000, 300)
    label.show()
    other = QLabel("损失: 0.1, 准确率", window)
    other.show()
    reader.look("here")
    found = reader.proof.found["here"]
    wanted = ["clipped _CommandButton", "clipped QLabel: Pay", "elided QLabel: Pay"]
    if language() == "zh":
        wanted += ["untranslated QLabel: Pay", "mispunctuated 损失: 0.1, 准确率"]
    assert [each for each in wanted if not any(line.startswith(each) for line in found)] == []
