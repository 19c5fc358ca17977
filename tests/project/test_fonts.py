"""The suite's own fonts, which are all that the program sees in the tests."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFontDatabase, QFontInfo, QTextLayout
from PySide6.QtWidgets import QApplication

from explorer.kit.theme import Theme
from tests.commands import printed_by
from tests.fonts import FAMILY

ALIASES = {"Monospace", "Sans Serif", "Serif"}
COUNT = "from PySide6.QtGui import QFontDatabase, QGuiApplication; app = QGuiApplication([]); "


@pytest.fixture
def family() -> str:
    return FAMILY


def test_nothing_else_that_is_installed_is_seen(qapp: QApplication, family: str) -> None:
    seen = {name for name in QFontDatabase.families() if name not in ALIASES}
    strange = {name for name in seen if not name.startswith(("DejaVu", "Noto Sans ", family))}
    assert not strange
    assert {"DejaVu Sans", "DejaVu Sans Mono", "Noto Sans CJK SC", family} <= seen


def test_the_interface_is_in_the_family_that_the_run_asks_for(
    qapp: QApplication, family: str
) -> None:
    assert QFontInfo(Theme().font()).family() == family


def test_child_processes_see_the_same(qapp: QApplication) -> None:
    said = printed_by(COUNT + "print(QFontDatabase.families())")
    assert said.strip() == str(QFontDatabase.families())


def test_signs_come_from_no_chinese_font(qapp: QApplication) -> None:
    layout = QTextLayout("−1 √2 a → b", Theme().font())
    layout.beginLayout()
    layout.createLine()
    layout.endLayout()
    used = {glyphs.rawFont().familyName() for glyphs in layout.glyphRuns()}
    assert used
    assert not any("CJK" in family for family in used)
