"""What a user can do: every action, shortcut, menu entry, option, view, command and name.

`inventory.txt` is what the program offers; a change that takes something away, or adds something,
shows there. `EXPLORER_INVENTORY=write` before the test's command writes it anew.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QToolButton, QWidget

from explorer.app.main import make_window
from explorer.cli import main
from explorer.lessons.lesson_index import lesson_called
from explorer.resources import example
from explorer.session.train import TrainCentre
from explorer.text import titled
from tests.showing import to_front

LISTED = Path(__file__).with_name("inventory.txt")
COMMANDS = ("compute", "handout", "info", "model", "render", "train")


def _plain(text: str) -> str:
    # Names that hold a number of the moment would list the moment, not what there is.
    return re.sub(r"[−-]?\d[\d.,]*", "#", text.replace("\n", " ")).strip()


def _no_key(text: str) -> str:
    return re.sub(r"&(.)", r"\1", text)


def _actions(owner: QWidget, path: str) -> Iterator[str]:
    # `QAction.menu` would make Python the owner of the menu, and delete it.
    inner = {menu.menuAction().text(): menu for menu in owner.findChildren(QMenu)}
    for action in owner.actions():
        if action.isSeparator() or not action.text():
            continue
        keys = ", ".join(
            key.toString(QKeySequence.SequenceFormat.PortableText) for key in action.shortcuts()
        )
        here = f"{path} > {_plain(_no_key(action.text()))}"
        yield f"{here} [{keys}]" if keys else here
        if isinstance(owner, QMenu) and (menu := inner.get(action.text())) is not None:
            menu.aboutToShow.emit()
            yield from _actions(menu, here)


def _menus(window: QWidget) -> Iterator[str]:
    for button in window.findChildren(QToolButton):
        menu = button.menu()
        if menu is not None:
            menu.aboutToShow.emit()
            name = button.accessibleName() or button.text()
            yield from _actions(menu, f"menu {_plain(name)}")


def _names(root: QWidget, place: str) -> Iterator[str]:
    for widget in root.findChildren(QWidget):
        said = widget.accessibleName()
        title = isinstance(widget, QLabel) and widget.text() == titled(said)
        if (name := _plain(said)) and not title:
            yield f"name {place}: {name}"


def _settle(window: QWidget) -> None:
    QApplication.processEvents()
    for clock in (window.clock, *(() if window.train is None else (window.train.clock,))):
        clock.flush()
    QApplication.processEvents()


def _window_offers(qtbot) -> Iterator[str]:
    window = make_window()
    # A window with unsaved changes would ask, and nobody is there to answer.
    qtbot.addWidget(window, before_close_func=lambda w: w.session.mark_saved(w.session.scene))
    window.resize(1440, 900)
    with qtbot.waitExposed(window):
        window.show()
    to_front(window)
    _settle(window)
    yield from _actions(window, "window")
    named = {_no_key(action.text()): action for action in window.actions()}
    for place in ("Explore", "Compare", "√d laboratory"):
        if place in named:
            named[place].trigger()
        _settle(window)
        yield from _menus(window)
        yield from _names(window, place)
    for file in ("your-journey.json", "cat-likes-fish.json"):
        window.open_file(example(file))
        _settle(window)
        yield from _names(window, "Explore")
    for name in ("why-words-must-see-each-other", "many-heads", "tiny-transformer"):
        window.open_file(lesson_called(name))
        _settle(window)
        yield from _names(window, "Lesson")
    window.open_file(example("tiny-transformer.safetensors"))
    for centre in TrainCentre:
        window.train.session.look_at(page=centre)
        _settle(window)
        yield from _menus(window)
    window.train.session.look_at(page=TrainCentre.MATRICES)
    _settle(window)
    yield from _names(window, "Train")
    window.train.page.left.leave_lesson()
    _settle(window)
    yield from _menus(window)
    QTest.keyClick(window, Qt.Key.Key_F5)
    audience = None

    def presented() -> bool:
        nonlocal audience
        others = [top for top in QApplication.topLevelWidgets() if top.isVisible()]
        audience = next((top for top in others if top is not window and top.isFullScreen()), None)
        return audience is not None

    qtbot.waitUntil(presented)
    _settle(window)
    yield from _names(audience, "Present")
    QTest.keyClick(audience, Qt.Key.Key_Escape)


def _commands_offer(capsys: pytest.CaptureFixture[str]) -> Iterator[str]:
    for command in ("", *COMMANDS):
        with pytest.raises(SystemExit):
            main([*command.split(), "--help"])
        told = capsys.readouterr().out
        for option in re.findall(r"(?<![\w-])--?[a-z][a-z-]*(?![\w])", told):
            yield f"command {command or 'explorer'} {option}"
        for choices in re.findall(r"\{([^}]+)\}", told):
            for choice in choices.split(","):
                yield f"command {command or 'explorer'} choice {choice.strip()}"


def test_nothing_that_a_user_can_do_is_lost(qtbot, capsys):
    offered = sorted({*_window_offers(qtbot), *_commands_offer(capsys)})
    if os.environ.get("EXPLORER_INVENTORY") == "write":
        LISTED.write_text("\n".join(offered) + "\n", encoding="utf-8")
    listed = LISTED.read_text("utf-8").splitlines()
    assert {
        "lost": sorted(set(listed) - set(offered)),
        "new": sorted(set(offered) - set(listed)),
    } == {
        "lost": [],
        "new": [],
    }
