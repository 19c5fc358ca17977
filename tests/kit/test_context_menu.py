"""A context menu whose part goes while it is open."""

from __future__ import annotations

import subprocess
import sys

import pytest

# What is shown where a menu is asked for; its owner is deleted while it is open.
GONE = """
import shiboken6
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QAction, QContextMenuEvent
from PySide6.QtWidgets import QApplication, QLabel
from explorer.kit.context_menu import offer_actions

application = QApplication([])
card = QLabel("A")
card.addAction(QAction("Delete", card))
{offer}
card.show()

def gone():
    assert application.activePopupWidget() is not None
    shiboken6.delete(card)

QTimer.singleShot(0, gone)
at = QPoint(1, 1)
asked = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, card.mapToGlobal(at))
application.sendEvent(card, asked)
application.processEvents()
assert application.activePopupWidget() is None
print("lived")
"""


@pytest.mark.parametrize(
    ("offer", "lived"),
    [
        ("offer_actions(card)", True),
        # Else the test would say nothing.
        ("card.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)", False),
    ],
    ids=["ours", "Qt's"],
)
def test_a_part_may_go_while_its_menu_is_open(offer: str, lived: bool) -> None:
    program = GONE.replace("{offer}", offer)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.stdout == "lived\n") == lived, done.stderr
