"""What is added with one file and one line of a table, tried in a copy of the program."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from pkgutil import resolve_name

from explorer.kit.base import FrameView
from explorer.session import Centre
from explorer.session.train import TrainCentre

ROOT = Path(__file__).parents[2]

VIEW = '''
from PySide6.QtGui import QPainter

from explorer.kit.base import View


class NormsView(View):
    """How long the rows of X are."""

    drawn = 0

    def draw(self, frame):
        NormsView.drawn += 1
        self.update()

    def paintEvent(self, event):
        QPainter(self).fillRect(self.rect(), "#102030")
'''

LINE = '    NORMS = ViewSpec("norms", "Lengths", f"{_EXPLORE}.norms:NormsView", height=300)\n'

LESSON = """
format = "attention-explorer/lesson"
version = 1
title.en = "Lengths"

[[step]]
scene = "scene.json"
text.en = "How long is each row?"
short.en = "How long?"
highlight = ["norms"]
show = { centre = "norms" }
"""

TRY = """
import json, sys
from pathlib import Path

from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QMenu

from explorer.app.handout.handout import write_handout
from explorer.app.main import make_window
from explorer.cli import main
from explorer.lessons.read import read_lesson
from explorer.rooms.explore.norms import NormsView

lesson = Path("lesson.toml")
assert main(["render", "scene.json", "-o", "norms.png", "--view", "norms"]) == 0
image = QImage("norms.png")
window = make_window()
window.show()
window.actions_by_name["norms"].trigger()
QApplication.processEvents()
front = window.explore_page.main_picture
[more] = [m for m in window.findChildren(QMenu) if window.actions_by_name["norms"] in m.actions()]
for menu in window.findChildren(QMenu):
    menu.aboutToShow.emit()
pictured = sum(a.text() == "Lengths" for m in window.findChildren(QMenu) for a in m.actions())
outlined = window.explore_page.part("norms")
window.open_file(lesson)
window.explore_page.close_left()
window.actions_by_name["present"].trigger()
QApplication.processEvents()
audience = window.presenting.audience
presented = [v for v in audience.findChildren(NormsView) if v.isVisible()]
window.presenting.leave()
before = NormsView.drawn
read = read_lesson(lesson)
wrong = write_handout(read, Path("lesson.pdf"))
print(json.dumps({
    "painted": image.pixelColor(9, 9).name(),
    "front": front,
    "offered": pictured,
    "outlined": type(outlined).__name__,
    "presented": len(presented),
    "lesson": [type(step).__name__ for step in read.steps],
    "printed": NormsView.drawn > before,
    "wrong": [str(each) for each in wrong],
}))
window.session.mark_saved(window.session.scene)
window.close()
"""


def test_a_view_in_the_middle_is_one_file_and_one_line(tmp_path: Path) -> None:
    program = tmp_path / "program"
    shutil.copytree(ROOT / "explorer", program / "explorer", ignore=lambda *_: ["__pycache__"])
    for name in ("resources", "examples"):
        (program / name).symlink_to(ROOT / name)
    (program / "explorer/rooms/explore/norms.py").write_text(VIEW, "utf-8")
    table = program / "explorer/session/views.py"
    before, after = table.read_text("utf-8").split("\n\nclass TrainCentre")
    table.write_text(f"{before.rstrip()}\n{LINE}\n\nclass TrainCentre{after}", "utf-8")
    (tmp_path / "lesson.toml").write_text(LESSON, "utf-8")
    shutil.copy(ROOT / "examples/cat-likes-fish.json", tmp_path / "scene.json")
    done = subprocess.run(
        [sys.executable, "-c", TRY],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(program), "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == {
        "painted": "#102030",
        "front": "norms",
        "offered": 3,  # the view itself, its picture to copy, its picture to save
        "outlined": "NormsView",
        "presented": 1,
        "lesson": ["Step"],
        "printed": True,
        "wrong": [],
    }


def test_each_view_of_the_table_is_a_view_of_its_room() -> None:
    for centres, room in ((Centre, "explore"), (TrainCentre, "train")):
        for centre in centres:
            assert centre.spec.factory.startswith(f"explorer.rooms.{room}.")
            assert issubclass(resolve_name(centre.spec.factory), FrameView)
