"""The texts in PDF files: exactly what was drawn, for whoever copies, searches or reads aloud."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import BytesIO

import pytest
from pypdf import PdfReader
from PySide6.QtCore import QMarginsF, QPoint, QPointF
from PySide6.QtGui import QPainter, QPdfWriter, QRegion
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from explorer.app.handout.text_layer import exact_pdf
from explorer.kit.theme import Theme
from tests.pdf_text import bare, by_poppler, by_pypdf

Read = Callable[[bytes], str]

LINES = [
    "0123456789 −12.50 3×10 x−1",
    "office fi ffl difficult",
    "里⾥里 ⼀一 金金 注意力，查询。",
    "µμ ΔΩ∆Ω ‐ ‑ - · ∙",
    "x̄ q́ e\u0301 é å",
    "W → b ⟂ ✓ ⊙ ∈ ⟨x⟩ √d ‖q‖",
    "😀 a 😀",
    "<b> &amp; \\frac{1}{2} (x) %",
]


def paper(writer: QPdfWriter) -> None:
    writer.setResolution(720)
    writer.setPageMargins(QMarginsF())
    writer.setTitle("里 −1")


def draw(painter: QPainter, lines: list[str], weight: int = 400) -> None:
    font = Theme().font(14, weight)
    font.setPixelSize(100)
    painter.setFont(font)
    for number, line in enumerate(lines, 1):
        painter.drawText(QPointF(500, 400 * number), line)


@pytest.fixture(params=[by_pypdf, by_poppler])
def read(request: pytest.FixtureRequest) -> Read:
    return request.param


@pytest.mark.parametrize("weight", [400, 700])
def test_texts_are_read_as_they_were_drawn(qapp: QApplication, read: Read, weight: int) -> None:
    data = exact_pdf(paper, [lambda painter: draw(painter, LINES, weight)])
    assert read(data) == bare("".join(LINES))


def test_one_shape_with_two_meanings_keeps_both_on_every_page(
    qapp: QApplication, read: Read
) -> None:
    pages = [["里 a", "⾥ b"], ["⾥", "里"], ["Ω Ω", "里 ⾥"]]
    data = exact_pdf(paper, [lambda painter, page=page: draw(painter, page) for page in pages])
    assert read(data) == bare("".join("".join(page) for page in pages))


def test_texts_of_scaled_and_clipped_widgets_too(qapp: QApplication, read: Read) -> None:
    label = QLabel(" ".join(LINES[:4]))
    label.setFont(Theme().font())
    label.adjustSize()

    def page(painter: QPainter) -> None:
        painter.translate(100, 300)
        painter.scale(7, 7)
        painter.setClipRect(label.rect())
        label.render(painter, QPoint(), QRegion(), QWidget.RenderFlag.DrawChildren)
        painter.resetTransform()
        draw(painter, ["1", "里"])

    assert sorted(read(exact_pdf(paper, [page]))) == sorted(bare("".join(LINES[:4])) + "1里")


def test_the_file_keeps_its_title(qapp: QApplication) -> None:
    reader = PdfReader(BytesIO(exact_pdf(paper, [lambda painter: draw(painter, ["x"])])))
    assert reader.metadata is not None
    assert reader.metadata.title == "里 −1"


def test_what_no_font_has_leaves_the_rest_right(qapp: QApplication) -> None:
    lines = ["before", "\U0001f9ff नमस्ते \ue123 a", "里 12"]
    text = by_poppler(exact_pdf(paper, [lambda painter: draw(painter, lines)]))
    assert {"before", "里12"} <= {part for part in re.split("[^beforea里12]|a", text) if part}
    assert text.count("a") == 1
