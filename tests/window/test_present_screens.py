"""With a second screen: the audience has it; notes and controls are on the laptop."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

BEGIN = """
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QApplication, QPushButton
from explorer.app.main import make_window
from explorer.lessons.lesson_index import lesson_called

application = QApplication([])
first, second = application.screens()
window = make_window()
window.setGeometry(first.availableGeometry())
window.show()
application.processEvents()

def key(widget, key):
    QTest.keyClick(widget, key)
    application.processEvents()

def push(button):
    QTest.mouseClick(button, Qt.MouseButton.LeftButton, pos=button.rect().center())
    application.processEvents()

def below_title():
    # Above stand what says that the picture is frozen, and letters whose edges hang on what
    # was drawn before.
    audience = window.presenting.audience
    part = audience.rect()
    part.setTop(audience.page.left.title.geometry().bottom() + 1)
    return part

def seen(part):
    window.clock.flush()
    return window.presenting.audience.grab().toImage().copy(part)
"""

THE_OTHER_ONE = """
key(window, Qt.Key.Key_F5)
audience = window.presenting.audience
notes = window.presenting.presentation.notes
print(window.screen() is first, audience.screen() is second)
print(audience.geometry() == second.geometry(), audience.page.size() == second.size())
print(notes.window() is window, notes.isVisible(), audience.findChild(QPushButton) is None)
audience.close()
application.processEvents()
print(window.presenting.presentation.notes is None)
window.close()
"""

FROZEN = """
key(window, Qt.Key.Key_F5)
audience, stage = window.presenting.audience, window.session.look.stage
plane = window.explore_page.plane.viewport()
audience.page.set_motion(False)
for freeze in (audience.page, plane):  # F5's own window, and the laptop
    window.activateWindow()
    freeze.setFocus()
    application.processEvents()
    part = below_title()
    before = seen(part)
    key(freeze, Qt.Key.Key_F)
    print(audience.overlay.still is not None)
    key(plane, Qt.Key.Key_6)
    print(window.session.look.stage is not stage, seen(part) == before)
    key(plane, Qt.Key.Key_F)
    print(audience.overlay.still is None, seen(part) != before)
    key(plane, Qt.Key.Key_1)
cells = next(each for each in window.explore_page.inputs.findChildren(QAbstractItemView)
             if each.isVisible())
cells.setFocus()
key(cells, Qt.Key.Key_F)  # a letter is typed there
print(audience.overlay.still is None)
key(application.focusWidget(), Qt.Key.Key_Escape)
plane.setFocus()
key(plane, Qt.Key.Key_B)
print(audience.overlay.blank)
key(plane, Qt.Key.Key_B)
print(not audience.overlay.blank)
audience.close()
window.session.mark_saved(window.session.scene)
window.close()
"""

NOTES = """
assert window.open_file(lesson_called("scores-become-shares"))
application.processEvents()
key(window, Qt.Key.Key_F5)
audience = window.presenting.audience
presentation = window.presenting.presentation
notes = presentation.notes
print(notes.text.text() == window.explore_page.lesson._sheet.text, notes.text.text() != "")
print(notes.text.font().pixelSize() >= 17)
following = notes.next.text()
push(notes.on_button)
push(notes.on_button)
print("What share of cat's attention goes" in notes.text.text(), "0.120" in notes.hint.text())
print("0.120" not in audience.page.left.text.text(), window.session.look.veiled)
key(audience.page, Qt.Key.Key_PageUp)
print(audience.page.left.steps.previous.isEnabled(), "e to the score" in following)
push(notes.freeze_button)
print(audience.overlay.still is not None, notes.freeze_button.isChecked())
push(notes.freeze_button)
push(notes.blank_button)
print(audience.overlay.blank, notes.blank_button.isChecked())
push(notes.blank_button)
print(notes.time.text().startswith("0:"), " / " in notes.time.text())
for _page in range(9):
    push(notes.on_button)
print(not notes.next.isVisible())
push(notes.leave_button)
print(window.presenting.audience is None)
window.session.mark_saved(window.session.scene)
window.close()
"""


CLOCK = """
from explorer.lessons.read import read_lesson
def minutes(name, place):
    return read_lesson(lesson_called(name)).minutes_until(place)
def seconds():
    return [int(m) * 60 + int(s) for m, s in
            (each.split(":") for each in notes.time.text().split(" / "))]
assert window.open_file(lesson_called("dot-product"))
for _page in range(3):
    key(window, Qt.Key.Key_PageDown)
key(window, Qt.Key.Key_F5)
presentation = window.presenting.presentation
notes = presentation.notes
own = round(60 * (minutes("dot-product", 3) - minutes("dot-product", 2)))
print(0 <= seconds()[1] - own <= seconds()[0])
push(notes.on_button)
print(0 <= seconds()[1] - 2 * own <= seconds()[0])
assert window.open_file(lesson_called("scores-by-hand"))
application.processEvents()
print(0 <= seconds()[1] - round(60 * minutes("scores-by-hand", 0)) <= seconds()[0] + 1)
presentation.audience.close()
window.session.mark_saved(window.session.scene)
window.close()
"""

SMALL = """
assert window.open_file(lesson_called("dot-product"))
for _page in range(2):
    key(window, Qt.Key.Key_PageDown)
window.resize(1024, 768)
key(window, Qt.Key.Key_F5)
presentation = window.presenting.presentation
notes = presentation.notes
for percent in (100, 150, 200):
    window.appearance.scale_text_to(percent)
    for _until_all_stands in range(3):
        application.processEvents()
    words, view = notes.text, notes.view
    print(words.heightForWidth(words.width()) <= words.height())
    print(view.geometry().right() < words.x() if view.isVisible() else percent == 200)
presentation.audience.close()
window.close()
"""


@pytest.mark.parametrize(
    ("script", "count"), [(THE_OTHER_ONE, 8), (FROZEN, 13), (NOTES, 17), (CLOCK, 3), (SMALL, 6)],
    ids=["the other one", "frozen", "notes", "clock", "small"],
)  # fmt: skip
def test_with_two_screens(tmp_path, script, count):
    screens = [
        {"name": name, "x": x, "y": 0, "width": width, "height": height, "logicalDpi": 96,
         "logicalBaseDpi": 96, "dpr": 1}
        for name, x, width, height in (("laptop", 0, 1440, 900), ("wall", 1440, 1280, 720))
    ]  # fmt: skip
    config = tmp_path / "screens.json"
    config.write_text(json.dumps({"screens": screens}))
    made = subprocess.run(
        [sys.executable, "-c", BEGIN + script],
        env={
            **os.environ,
            "QT_QPA_PLATFORM": f"offscreen:configfile={config}",
            "XDG_CONFIG_HOME": str(tmp_path),
            "XDG_DATA_HOME": str(tmp_path),
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    assert made.stdout.split() == ["True"] * count, made.stdout + made.stderr
