"""What a long session no longer needs goes back to the system, and nothing looks otherwise."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, QPointF
from PySide6.QtGui import QFont, QFontMetricsF, QImage, QPainter

from explorer.kit import memory
from explorer.kit.canvas.text import word
from explorer.kit.memory import close_fonts, give_back_memory
from explorer.kit.theme import Theme

SCRIPTS = ("cat", "猫", "قط", "बिल्ली", "แมว", "קיטה")


def opened_fonts() -> int:
    """Return how often font files are mapped into memory; 0 on systems that do not say it."""
    maps = Path("/proc/self/maps")
    lines = maps.read_text().splitlines() if maps.exists() else []
    return sum(line.endswith((".ttf", ".otf", ".ttc")) for line in lines)


def paint(painter: QPainter, row: int) -> None:
    """Draw names in several scripts, laid out anew or kept."""
    for column, name in enumerate(SCRIPTS):
        kept = word(Theme(), name, 14)
        painter.setFont(kept.font)
        painter.drawStaticText(QPointF(80 * column, 40 * row), kept.static)
        painter.drawText(QPointF(80 * column, 40 * row + 35), name)


def picture(*, between: bool) -> QImage:
    """Return a drawing, with all fonts closed in its midst or not."""
    image = QImage(500, 100, QImage.Format.Format_RGB32)
    image.fill(0xFFFFFF)
    with QPainter(image) as painter:
        paint(painter, 0)
        if between:
            close_fonts()
        paint(painter, 1)
    return image


def test_fonts_are_closed_in_the_midst_of_a_drawing_and_it_looks_the_same(qapp):
    whole = picture(between=False)

    assert picture(between=True) == whole


def test_fonts_that_were_opened_again_and_again_are_closed(qapp):
    close_fonts()
    others, kept = opened_fonts(), []  # what earlier tests still hold open
    for size in range(8, 60):  # each holds its fonts open
        font = QFont(Theme().font(14))
        font.setPixelSize(size)
        kept.append(font)
        QFontMetricsF(font).horizontalAdvance("cat猫")
        for other in range(60, 72):  # fonts that come and go
            passing = QFont(font)
            passing.setPixelSize(10 * other + size % 10)
            QFontMetricsF(passing).horizontalAdvance(SCRIPTS[other % len(SCRIPTS)])
    before = opened_fonts()
    close_fonts()

    assert opened_fonts() <= min(before, others + 4)


def test_memory_is_let_go_of_whenever_much_more_is_in_use(qtbot, monkeypatch):
    used, gone = [100 * 2**20], []
    monkeypatch.setattr(memory, "EVERY", 1)
    monkeypatch.setattr(memory, "resident", lambda: used[0])
    monkeypatch.setattr(memory, "close_fonts", lambda: gone.append(used[0]))
    owner = QObject()
    give_back_memory(owner)

    def wait_until(times: int) -> None:
        qtbot.waitUntil(lambda: len(gone) == times)

    used[0] += memory.MOST_GROWN  # not yet
    used[0] += 1
    wait_until(1)
    used[0] += memory.MOST_GROWN + 1  # as much more than what was left then
    wait_until(2)

    assert gone == [100 * 2**20 + memory.MOST_GROWN + 1, 100 * 2**20 + 2 * memory.MOST_GROWN + 2]
