"""What is said of things folded away."""

from __future__ import annotations

from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from explorer.views.fold import Fold
from explorer.views.theme import Theme


def _seen(qtbot: QtBot, summary: str, width: int = 220) -> QImage:
    fold = Fold("Options", 16, Theme())
    qtbot.addWidget(fold)
    fold.show_summary(summary)
    fold.resize(width, 48)
    return fold.grab().toImage()


def test_a_long_summary_ends_in_an_ellipsis(qtbot: QtBot) -> None:
    long = "not scaled · causal mask · and more than that"
    cut = [long[:n] + "…" for n in range(len(long))]
    seen = _seen(qtbot, long)
    assert any(seen == _seen(qtbot, each) for each in cut)


def test_a_short_summary_is_whole(qtbot: QtBot) -> None:
    assert _seen(qtbot, "÷ √d · no mask") != _seen(qtbot, "÷ √d · no mas")
