"""What is said of things folded away."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from explorer.kit.fold import Fold
from explorer.kit.theme import Theme


def _folded(qtbot: QtBot, summary: str) -> Fold:
    fold = Fold("Options", 16, Theme())
    qtbot.addWidget(fold)
    fold.show_summary(summary)
    fold.resize(220, 48)
    return fold


def test_a_long_summary_ends_in_an_ellipsis(qtbot: QtBot) -> None:
    long = "not scaled · causal mask · and more than that"
    fold = _folded(qtbot, long)
    seen = fold.grab().toImage()
    [label] = [each for each in fold.findChildren(QLabel) if each.text() == long]
    advance = label.fontMetrics().horizontalAdvance
    fitting = [long[:n] + "…" for n in range(len(long)) if advance(long[:n] + "…") < label.width()]
    assert any(seen == _folded(qtbot, each).grab().toImage() for each in fitting)
