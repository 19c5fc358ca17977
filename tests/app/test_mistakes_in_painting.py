"""A mistake in what paints a view is told like any other; the program goes on."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

PROGRAM = Path(__file__).parents[2] / "explorer"

# A painter that outlives its device ends the process, here or when garbage is collected.
PAINTS = """
import gc
import sys
from PySide6.QtCore import QEventLoop, QTimer
from explorer.app.main import application, make_window
from explorer.app.pictures import png_of
from explorer.kit.chain_base import ChainBase

told = []


def keep(_kind, mistake, _traceback):
    mistake.itself = mistake  # a cycle: what it holds is freed by the collector
    told.append(mistake)


def mistaken(self):
    raise ValueError("mistaken")


ChainBase.shown_captions = mistaken
sys.excepthook = keep
app = application()
gc.disable()
window = make_window()
window.show()
for _time in range(3):
    window.update()
    loop = QEventLoop()
    QTimer.singleShot(20, loop.quit)
    loop.exec()
    assert told
    told.clear()
    gc.collect()
    try:
        png_of(window)
    except ValueError as mistake:
        keep(None, mistake, None)
    told.clear()
    gc.collect()
print("lived")
"""


def test_a_mistake_in_painting_does_not_end_the_program() -> None:
    ran = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", PAINTS],
        capture_output=True,
        text=True,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        check=False,
    )

    assert (ran.returncode, ran.stdout) == (0, "lived\n"), ran.stderr
    assert "being painted" not in ran.stderr


def test_every_painter_is_ended_by_a_with() -> None:
    kept = []
    for path in PROGRAM.rglob("*.py"):
        for each in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(each, ast.Assign | ast.AnnAssign | ast.NamedExpr):
                values = [each.value, *getattr(each.value, "elts", ())]
                made = [v for v in values if isinstance(v, ast.Call)]
                if any(ast.unparse(call.func) == "QPainter" for call in made):
                    kept.append(f"{path.relative_to(PROGRAM)}:{each.lineno}")
    assert kept == []
