"""A line that is shortened where it has no room: clause by clause, then letter by letter."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from explorer.kit.labels import ElidedLabel
from tests.proofreading import written_on


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("attention, each row sums to 1", ["attention"]),
        ("注意力，头 2/8，每行之和为 1", ["注意力，头 2/8", "注意力"]),
        ("Click it. Hover: its place, its weight.", ["Click it. Hover: its place", "Click it."]),
        ("单击它。悬停：显示位置。", ["单击它。"]),
        ("output", []),
    ],
)
def test_clauses_go_before_letters(qtbot: QtBot, text: str, clauses: list[str]) -> None:
    label = ElidedLabel(text=text)
    qtbot.addWidget(label)
    label.show()
    for shown in (text, *clauses):
        label.setFixedWidth(label.fontMetrics().horizontalAdvance(shown) + 1)
        assert "".join(each.text for each in written_on(label)).strip() == shown
        assert label.text() == text
    label.setFixedWidth(label.width() - 2)
    [start] = [each.text for each in written_on(label)][-1:]
    assert start.endswith("…")
    assert label.minimumSizeHint().width() == 0
