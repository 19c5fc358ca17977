"""Another language is one folder, as the pages say: begun, filled a little, and spoken."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
FRENCH = {
    "English": "Français",
    "Save": "Enregistrer",
    "Examples": "Exemples",
    "Options": "Réglages",
}

SPEAK = """
import json
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QLabel, QToolButton
from explorer.app.main import application, make_window
from explorer.resources import lessons
from explorer.text import language

application()
window = make_window()
window.show()
menu = window.topbar.findChild(QToolButton, "language").menu()
menu.aboutToShow.emit()
assert "Français" in [action.text() for action in menu.actions()]
first = window.actions_by_name["save"].text()
next(each for each in menu.actions() if each.text() == "English").trigger()
english = window.actions_by_name["save"].text()
window.speak("fr")
window.playing.open(lessons()[0])
QCoreApplication.processEvents()
window.clock.flush()
print(json.dumps({
    "language": language(),
    "first": first,
    "english": english,
    "save": window.actions_by_name["save"].text(),
    "open": window.actions_by_name["open"].text(),
    "cancel": QCoreApplication.translate("QPlatformTheme", "Cancel"),
    "labels": [each.text() for each in window.explore_page.left.findChildren(QLabel)],
}))
window.session.mark_saved(window.session.scene)
window.close()
"""


def in_copy(folder: Path, *words: str, **variables: str) -> str:
    """Run Python in a copy of the program, and return what it printed."""
    done = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder), "QT_QPA_PLATFORM": "offscreen"} | variables,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_third_language_is_one_folder(tmp_path: Path) -> None:
    for part in ("explorer", "resources", "examples", "scripts"):
        ignored = shutil.ignore_patterns("__pycache__", "*.png")
        shutil.copytree(ROOT / part, tmp_path / part, ignore=ignored)
    assert re.search("fr: [1-9]", in_copy(tmp_path, "scripts/translations.py", "fr"))
    catalogue = tmp_path / "resources/i18n/fr/LC_MESSAGES/explorer.po"
    text = catalogue.read_text("utf-8")
    for english, french in FRENCH.items():
        empty = f'msgid "{english}"\nmsgstr ""\n'
        assert text.count(empty) == 1
        text = text.replace(empty, f'msgid "{english}"\nmsgstr "{french}"\n')
    catalogue.write_text(text, "utf-8")
    in_copy(tmp_path, "scripts/translations.py")

    said = json.loads(in_copy(tmp_path, "-c", SPEAK, LANGUAGE="fr_CA.UTF-8"))
    assert said["language"] == "fr"
    assert (said["first"], said["english"], said["save"]) == ("Enregistrer", "Save", "Enregistrer")
    assert said["open"] == "Open…"  # what is not translated yet is English
    assert said["cancel"] == "Annuler"  # of Qt's own catalogue
    assert "Réglages" in said["labels"]
    assert "Why words must see each other" in said["labels"]  # a lesson that lacks the language
