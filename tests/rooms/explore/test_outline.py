"""The outline around a part that a lesson speaks of."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from explorer.kit.scrolling import ColumnArea
from explorer.kit.theme import Theme
from explorer.rooms.lesson.panel import Outline


def test_an_outline_is_whole_beside_a_scroll_bar_and_around_what_it_is_about(qtbot: QtBot) -> None:
    area = ColumnArea()
    qtbot.addWidget(area)
    inner = QWidget()
    inner.setMinimumSize(300, 900)
    part = QWidget(inner)
    part.setGeometry(20, 500, 280, 200)
    area.setWidget(inner)
    area.resize(290, 400)
    with qtbot.waitExposed(area):
        area.show()
    outline = Outline(part, Theme())
    port = area.viewport()
    for width in (290, 250, 400):
        area.resize(width, 400)
        QApplication.processEvents()
        assert inner.x() == 0
        right = outline.mapTo(port, QPoint(outline.width() - 1, 0)).x()
        assert right == min(part.mapTo(port, QPoint(279, 0)).x() + 5, port.width() - 1 - 2)
    # It lies around the part, whose own edge may be covered by what it holds.
    assert outline.visibleRegion().boundingRect().height() == part.height() + 2 * 5


def test_an_outline_goes_with_what_its_part_is_folded_into(qtbot: QtBot) -> None:
    area, inner = ColumnArea(), QWidget()
    qtbot.addWidget(area)
    area.setWidget(inner)
    fold = QWidget(inner)
    part = QWidget(fold)
    outline = Outline(part, Theme())
    with qtbot.waitExposed(area):
        area.show()
    assert outline.isVisible()
    fold.hide()
    assert not outline.isVisible()
    area.hide()
    fold.show()
    area.show()
    assert outline.isVisible()
    area.hide()
    fold.hide()
    area.show()
    assert not outline.isVisible()
