"""Model in the real window: opened, typed into, run, looked at, copied; a process behind it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from safetensors.numpy import save_file

from explorer.app.dialogs import QtDialogs
from explorer.kit.theme import Theme
from explorer.models import load
from explorer.rooms.model.centre_bar import CentreBar
from explorer.session.model.intents import EditText, GoToHead
from explorer.session.views import ModelCentre
from tests.models.made import GPT2, model_folder
from tests.window.conftest import Person
from tests.window.modeller import Modeller

CONTROL = Qt.KeyboardModifier.ControlModifier


def test_without_a_model_the_screen_offers_to_open_one(
    modeller: Modeller, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty = modeller.room.page.empty
    assert empty.heading.text() == "Choose a model"
    monkeypatch.setattr(QtDialogs, "ask_model", lambda _dialogs, _folder: folder)
    QTest.mouseClick(empty.open, Qt.MouseButton.LeftButton)
    modeller.wait()
    assert modeller.window.topbar._name.text().startswith("small · 2 × 4 · ")
    assert empty.heading.text() == "No text yet"
    assert not empty.open.isVisible()
    assert QApplication.focusWidget() is modeller.room.page.text.box


def test_models_found_on_this_computer_open_from_the_empty_screen(
    person: Person, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot = tmp_path / "models--some--one" / "snapshots" / "abc"
    model_folder(snapshot)
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    modeller = Modeller(person, qtbot)
    person.window.rooms.show_model()
    person.settle()
    [button] = modeller.room.page.empty.found
    assert button.text() == "some/one"
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    modeller.wait()
    assert modeller.frame.info is not None
    assert modeller.frame.info.title == "one"


def test_a_text_is_typed_and_run(modeller: Modeller, folder: Path) -> None:
    modeller.open(folder)
    modeller.type("the cat sat")
    assert modeller.room.page.text.count.text() == "5 of 12 tokens"
    modeller.run()
    run = load(folder).run("the cat sat")
    frame = modeller.frame
    assert frame.run is not None
    assert frame.run.pieces == run.pieces
    head = run.head(frame.cursor.layer + 1, frame.cursor.head + 1)
    np.testing.assert_array_equal(frame.head.arrays.weights, head.weights)
    modeller.type("the cat sat on a mat")
    if modeller.frame.stale:  # on a busy machine; else so small a model runs as one types
        modeller.run()
    assert len(modeller.frame.run.pieces) == 8
    assert not modeller.frame.stale


@pytest.mark.parametrize("name", ["config.json", "model.safetensors"])
def test_a_file_of_a_model_opens_its_folder(modeller: Modeller, folder: Path, name: str) -> None:
    modeller.open(folder / name)
    assert modeller.frame.info is not None
    assert modeller.frame.info.title == "small"
    assert modeller.room.page.error_bar.sentence == ""


def test_what_is_too_long_is_said_and_marked(modeller: Modeller, folder: Path) -> None:
    modeller.open(folder)
    modeller.type("the cat " * 8)
    panel = modeller.room.page.text
    assert panel.count.text() == "18 of 12 tokens"
    assert panel.count.property("ink") == "err"
    assert panel.note.text() == "the last 6 are left out"
    assert modeller.frame.cut == len("the cat " * 5) - 1
    assert panel.run.isEnabled()
    modeller.run()
    assert len(modeller.frame.run.pieces) == 12
    assert panel.note.text() == "the last 6 are left out"
    said = modeller.room.page.bar.said
    assert said.text() != panel.note.text()
    modeller.window.resize(1024, 768)  # the text gives way to a rail
    modeller.wait()
    assert said.isVisible()
    assert said.text() == panel.note.text()
    assert said.property("ink") == "err"


def test_an_edited_text_leaves_the_results_pale_until_it_is_run(
    modeller: Modeller, folder: Path
) -> None:
    modeller.open(folder)
    modeller.type("the cat")
    modeller.run()
    modeller.room.runner._seconds = 1.0  # as of a large model
    modeller.type("the mat")
    page = modeller.room.page
    assert modeller.frame.stale
    assert page.text.note.text() == "Run to update"
    assert all(veil.isVisible() for veil in page.veils)
    pale = page.grab().toImage().pixelColor(page.right.mapTo(page, page.right.rect().center()))
    assert pale == page.theme.color("win")  # nothing shines through from what was there before
    modeller.run()
    assert not modeller.frame.stale
    assert not any(veil.isVisible() for veil in page.veils)
    assert page.text.note.text() == ""


def test_texts_to_try_are_told_apart_in_the_menu(modeller: Modeller, folder: Path) -> None:
    modeller.open(folder)
    examples = modeller.room.page.text.examples
    assert examples.isEnabled()
    names = [action.text() for action in examples.menu().actions()]
    assert len(set(names)) == len(names)


def test_beside_a_lesson_the_page_keys_are_its_own(modeller: Modeller, folder: Path) -> None:
    modeller.open(folder)
    modeller.type("the cat sat on a mat")
    modeller.run()
    page = modeller.room.page
    assert page.hidden.font() == page.theme.font(15)
    modeller.room.session.go_to_head(0, 1)
    modeller.wait()
    for pinned, layer in ((True, 0), (False, 1)):
        page.pin_left(pinned)
        QTest.keyClick(page.strip.dots, Qt.Key.Key_PageDown)
        modeller.wait()
        assert modeller.frame.cursor.layer == layer


def test_keys_go_through_layers_weights_and_kinds(modeller: Modeller, folder: Path) -> None:
    modeller.open(folder)
    modeller.type("the cat sat on a mat")
    modeller.run()
    modeller.room.session.go_to_head(0, 1)
    modeller.wait()
    modeller.key(Qt.Key.Key_PageDown)
    frame = modeller.frame
    assert (frame.cursor.layer, frame.cursor.head) == (1, 1)
    assert (frame.head.layer, frame.head.head) == (1, 1)
    modeller.key(Qt.Key.Key_PageDown)
    assert modeller.frame.cursor.layer == 1  # the last there is
    modeller.room.session.select(2, int(frame.head.arrays.weights[2].argmax()))
    modeller.wait()
    modeller.key(Qt.Key.Key_BracketRight)
    weights = modeller.frame.head.arrays.weights[2]
    assert modeller.frame.cursor.key == int(np.argsort(-weights, kind="stable")[1])
    modeller.key(Qt.Key.Key_BracketLeft)
    assert modeller.frame.cursor.key == int(weights.argmax())
    modeller.key(Qt.Key.Key_F)
    assert modeller.frame.look.kinds == {modeller.frame.run.kinds[1][1]}
    modeller.key(Qt.Key.Key_F)
    assert not modeller.frame.look.kinds
    QTest.keyClick(modeller.window, Qt.Key.Key_Escape)
    assert modeller.frame.cursor.query is None


def test_a_press_on_a_word_in_the_box_pins_it(modeller: Modeller, folder: Path) -> None:
    modeller.open(folder)
    modeller.type("the cat sat on a mat")
    modeller.run()
    before = modeller.frame.look.pinned
    box = modeller.room.page.text.box
    cursor = box.textCursor()
    cursor.setPosition(len("the cat s"))
    place = 3  # [CLS] the cat sat
    QTest.mouseClick(box.viewport(), Qt.MouseButton.LeftButton, pos=box.cursorRect(cursor).center())
    modeller.wait()
    assert (place in modeller.frame.look.pinned) is (place not in before)


def test_the_views_names_are_whole_at_every_width(
    qtbot: QtBot, modeller: Modeller, folder: Path
) -> None:
    modeller.open(folder)
    modeller.type("the cat")
    modeller.run()
    around = QWidget()
    qtbot.addWidget(around)
    bar = CentreBar(Theme(percent=150), around)
    around.show()
    chosen = set()
    for width in range(420, 1100, 12):
        bar.resize(width, 60)
        bar.draw(modeller.frame)
        QApplication.processEvents()
        buttons = [bar.pages.button(centre) for centre in ModelCentre]
        shown = [button for button in buttons if button.isVisible()]
        assert bar.special.isVisible()
        assert all(button.width() >= button.sizeHint().width() for button in shown), width
        chosen.add(bar.choice.isVisible())
    assert chosen == {False, True}


def test_special_tokens_and_views_are_chosen_over_the_middle(
    modeller: Modeller, folder: Path
) -> None:
    modeller.open(folder)
    modeller.type("the cat")
    modeller.run()
    bar = modeller.room.page.bar
    assert bar.special.text() == "[CLS] [SEP]"
    QTest.mouseClick(bar.special, Qt.MouseButton.LeftButton, pos=bar.special.rect().center())
    modeller.wait()
    if modeller.frame.look.special:  # the box alone is pressed, not what is beside it
        bar.special.click()
        modeller.wait()
    assert not modeller.frame.look.special
    assert bar.pages.button(ModelCentre.NEXT).text() == "Text's vector"  # it predicts nothing
    QTest.mouseClick(bar.pages.button(ModelCentre.TEXT), Qt.MouseButton.LeftButton)
    modeller.wait()
    assert modeller.frame.look.centre is ModelCentre.TEXT
    assert modeller.room.page.pages[ModelCentre.TEXT].isVisible()


def test_a_long_text_is_shown_as_text_first(modeller: Modeller, tmp_path: Path) -> None:
    modeller.open(model_folder(tmp_path / "long", GPT2, tokenizer=False))
    modeller.type("3 4 5")
    modeller.run()
    assert modeller.frame.look.centre is ModelCentre.MATRIX
    modeller.type(" ".join(["3 4"] * 17))
    modeller.run()
    assert modeller.frame.look.centre is ModelCentre.TEXT
    assert modeller.room.page.bar.pages.button(ModelCentre.NEXT).isVisible()


def test_what_cannot_be_opened_is_told_and_all_stays(
    modeller: Modeller, folder: Path, tmp_path: Path
) -> None:
    modeller.open(folder)
    modeller.type("the cat")
    modeller.run()
    run = modeller.frame.run
    broken = model_folder(tmp_path / "broken")
    (broken / "model.safetensors").write_bytes(b"no weights")
    modeller.open(broken)
    bar = modeller.room.page.error_bar
    assert "model.safetensors" in bar.sentence
    assert bar.text == bar.sentence
    bar.more.click()
    assert bar.text == f"{bar.sentence}\n{broken}"
    assert modeller.frame.run is run
    assert modeller.frame.info.title == "small"


def test_arrays_are_dropped_on_the_window(modeller: Modeller, tmp_path: Path) -> None:
    weights = np.random.default_rng(0).dirichlet(np.ones(4), (1, 2, 4)).astype(np.float32)
    path = tmp_path / "seen.safetensors"
    save_file({"weights": weights}, path)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    event = QDropEvent(QPointF(400, 400), Qt.DropAction.CopyAction, data, buttons, keys)
    modeller.window.dropEvent(event)
    modeller.qtbot.waitUntil(lambda: modeller.frame.run is not None, timeout=60_000)
    modeller.wait()
    assert modeller.frame.info.title == "seen"
    assert modeller.room.page.text.box.isReadOnly()
    assert not modeller.room.page.text.examples.isEnabled()
    np.testing.assert_array_equal(
        modeller.frame.head.arrays.weights, weights[0, modeller.frame.cursor.head]
    )


def test_an_edit_while_another_opens_is_not_run_with_the_places_of_the_one_before(
    modeller: Modeller, folder: Path, tmp_path: Path
) -> None:
    modeller.open(folder)
    modeller.type("the cat")
    modeller.run()
    modeller.room.handle(GoToHead(1, 3))
    modeller.wait()
    save_file({"weights": np.full((1, 1, 4, 4), 0.25, np.float32)}, tmp_path / "a.safetensors")
    assert modeller.window.open_file(tmp_path / "a.safetensors")
    modeller.room.handle(EditText("the cat sat"))
    modeller.wait()
    assert modeller.frame.info.layers == modeller.frame.info.heads == 1
    assert modeller.frame.progress.problem is None
    # One that cannot be opened leaves the one before, which is run.
    modeller.open(folder)
    (tmp_path / "b.safetensors").write_bytes(b"none")
    modeller.room.open(tmp_path / "b.safetensors")
    modeller.room.handle(EditText("the cat sat on a mat"))
    modeller.wait()
    assert not modeller.frame.stale


def test_a_head_is_edited_as_a_copy_in_explore(modeller: Modeller, folder: Path) -> None:
    modeller.open(folder)
    modeller.type("the cat sat")
    modeller.run()
    cursor = modeller.frame.cursor
    weights = modeller.frame.head.arrays.weights
    [button] = [
        each
        for each in modeller.room.page.head.findChildren(type(modeller.room.page.text.run))
        if each.text() == "Edit a copy in Explore"
    ]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    modeller.wait()
    window = modeller.window
    assert window.rooms.name == "explore"
    assert f"layer {cursor.layer + 1}, head {cursor.head + 1}" in window.session.scene.title
    np.testing.assert_allclose(window.session.frame.attention.weights[0], weights, atol=1e-5)


def test_the_last_model_is_opened_when_the_tab_is_first_pressed(
    person: Person, qtbot: QtBot, folder: Path
) -> None:
    window = person.window
    window._settings.update(lambda settings: replace(settings, model=str(folder)))
    window.actions_by_name["model"].trigger()
    modeller = Modeller(person, qtbot)
    modeller.wait()
    assert modeller.frame.info is not None
    assert modeller.frame.info.title == "small"
    assert str(folder) in window._settings.settings.recent
    assert not window.actions_by_name["save"].isEnabled()


def test_the_tab_opens_the_example_on_a_text(person: Person, qtbot: QtBot) -> None:
    person.window.actions_by_name["model"].trigger()
    modeller = Modeller(person, qtbot)
    modeller.wait()
    frame = modeller.frame
    assert frame.info is not None
    assert frame.info.predicts
    assert frame.next is not None
    assert "Mary" in [piece.text for piece in frame.run.pieces]
    assert not person.window._settings.settings.recent


def test_another_language_keeps_what_is_open(modeller: Modeller, folder: Path) -> None:
    modeller.open(folder)
    modeller.type("the cat")
    modeller.run()
    run = modeller.frame.run
    modeller.window.speak("zh")
    modeller.wait()
    assert modeller.frame.run is run
    assert modeller.room.page.text.run.text() == "运行"
    assert modeller.room.page.text.box.toPlainText() == "the cat"
    modeller.window.speak("en")


def test_what_was_typed_is_undone_word_by_word_from_within_the_box(
    modeller: Modeller, folder: Path
) -> None:
    modeller.open(folder)
    modeller.type("the cat")
    box = modeller.room.page.text.box
    QTest.keyClick(box, Qt.Key.Key_Z, CONTROL)
    modeller.run()  # a busy machine does not run it as one types
    assert box.toPlainText() == "the"
    assert len(modeller.frame.run.pieces) == 3
    QTest.keyClick(box, Qt.Key.Key_Y, CONTROL)
    modeller.run()
    assert box.toPlainText() == modeller.frame.run.text == "the cat"
    QTest.keyClicks(box, " sat")  # behind what was brought back
    modeller.run()
    assert modeller.frame.run.text == "the cat sat"
