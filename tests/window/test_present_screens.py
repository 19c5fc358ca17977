"""With a second screen: the audience has it, notes and controls stay on the laptop."""

from __future__ import annotations

import json
import os
import subprocess
import sys

TWO_SCREENS = """
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from explorer.app.main import make_window

application = QApplication([])
first, second = application.screens()
window = make_window()
window.setGeometry(first.availableGeometry())
window.show()
application.processEvents()
QTest.keyClick(window, Qt.Key.Key_F5)
application.processEvents()
audience = window.presenting.audience
print(window.screen() is first, audience.screen() is second)
print(audience.geometry() == second.geometry(), audience.page.size() == second.size())
stage = window.session.look.stage
QTest.keyClick(audience.page, Qt.Key.Key_F)
seen = audience.grab().toImage()
window.activateWindow()
QTest.keyClick(window.workspace.plane.viewport(), Qt.Key.Key_6)
application.processEvents()
print(window.session.look.stage is not stage, audience.grab().toImage() == seen)
QTest.keyClick(window, Qt.Key.Key_F6)
application.processEvents()
print(audience.grab().toImage() != seen)
audience.close()
window.close()
"""


def test_with_two_screens_the_audience_has_the_other_one(tmp_path):
    screens = [
        {"name": name, "x": x, "y": 0, "width": width, "height": height, "logicalDpi": 96,
         "logicalBaseDpi": 96, "dpr": 1}
        for name, x, width, height in (("laptop", 0, 1440, 900), ("wall", 1440, 1280, 720))
    ]  # fmt: skip
    config = tmp_path / "screens.json"
    config.write_text(json.dumps({"screens": screens}))
    made = subprocess.run(
        [sys.executable, "-c", TWO_SCREENS],
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
    assert made.stdout.split() == ["True"] * 7, made.stdout + made.stderr
