"""What is presented can be read from the last row: sizes, contrast, nothing clipped."""

from __future__ import annotations

from itertools import chain, combinations, pairwise

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QColor, QEnterEvent
from PySide6.QtWidgets import QApplication, QLabel, QToolTip

from explorer.rooms.present.sizes import LEAST
from explorer.session import Centre, Role, Selection, Stage
from tests.sampled import first_alone
from tests.window.contrasts import painted, worst
from tests.window.speaker import SIZES

ONE_WINDOW = True  # which begins anew for each test

TOUCHING = 0.01  # px by which the pieces of a number overlap whose minus is from another font


def beside(speaker):
    """Show telling pages with planes and tables, one after the other."""
    speaker.session.select(Selection(Role.X, 0))
    page = speaker.page
    for stage in (Stage.X, Stage.Q, Stage.S, Stage.A, Stage.O):
        speaker.push(page.left.steps.letters[stage])
        for form in ("plane", "table"):
            yield f"{stage} as a {form}"
            speaker.key(Qt.Key.Key_T)


def in_full_width(speaker):
    """Show what takes the whole width in both of its forms, none of which needs to be scrolled."""
    page = speaker.page
    for centre in (Centre.COMPARE, Centre.SQRT_D):
        speaker.person.window.rooms.show_centre(centre)
        speaker.settle()
        for half in ("one form", "the other"):
            assert page.picture.area.verticalScrollBar().maximum() == 0, centre
            yield f"{centre} in {half}"
            speaker.key(Qt.Key.Key_T)


def read(page, shown: str, least: float) -> None:
    """Read every text that is painted."""
    texts, bare = painted(page)
    assert texts
    for text in texts:
        assert text.pixels >= least, (shown, text)
        assert bare.rect().contains(text.box), (shown, text)
        assert text.faint or worst(text.colour, bare, text.box, text.shape) >= 4.5, (shown, text)


@pytest.mark.parametrize(
    ("size", "dark"),
    [
        (SIZES[0], False),
        (SIZES[2], True),
        pytest.param(SIZES[0], True, marks=pytest.mark.more),
        pytest.param(SIZES[1], False, marks=pytest.mark.more),
    ],
)
def test_every_text_is_large_whole_and_stands_out_from_the_worst_pixel_behind_it(
    speaker, size, dark
):
    if speaker.person.window.theme.dark is not dark:
        speaker.person.window.appearance.toggle_theme()
    speaker.resize(*size)
    for shown in chain(beside(speaker), in_full_width(speaker)):
        read(speaker.page, shown, 20)


@pytest.mark.parametrize("percent", first_alone([200, 150]))
def test_all_texts_grow_with_the_text_scale(speaker, percent):
    while speaker.person.window.theme.percent < percent:
        speaker.person.window.appearance.scale_text(1)
    speaker.resize(1024, 768)
    page = speaker.page
    for shown in beside(speaker):
        # The digits of a table go before the size of its type, which is then told.
        texts = [text.text for text in painted(page)[0]]
        small = page.picture is page.table and "in smaller type" in texts
        read(page, shown, LEAST if small else LEAST * percent / 100)
        assert page.picture is not page.table or not page.table.table.shortens, shown
        side = page.left
        parts = side.title, side.formula, side.text, side.bar, side.steps
        seen = [part.geometry() for part in parts if part.isVisible()]
        assert all(a.bottom() < b.top() for a, b in pairwise(seen)), shown
        if page.picture is page.table:
            assert not page.table.table.is_picture, shown
            shapes = [text.shape for text in painted(page.table)[0]]
            both = (a.intersected(b).boundingRect() for a, b in combinations(shapes, 2))
            assert all(min(rect.width(), rect.height()) < TOUCHING for rect in both), shown


@pytest.mark.parametrize("percent", first_alone([200, 150, 100]))
def test_every_name_of_the_shares_has_a_place_of_its_own(speaker, percent):
    speaker.person.window.appearance.scale_text_to(percent)
    speaker.resize(1024, 768)
    bar = speaker.page.left.bar
    for query in range(4):
        speaker.session.select(Selection(Role.A, query, 0))
        speaker.push(speaker.page.left.steps.letters[Stage.A])
        names = bar.names()
        assert [share.name for share, _box in names] == ["cat", "likes", "fish", "cloud"]
        assert all(a.right() < b.left() for (_s, a), (_t, b) in pairwise(names))
        assert names[0][1].left() >= 0
        assert names[-1][1].right() <= bar.width()


@pytest.mark.parametrize("size", first_alone(SIZES))
def test_what_is_said_has_room_and_its_formula_is_large(speaker, size):
    speaker.resize(*size)
    side = speaker.page.left
    speaker.session.select(Selection(Role.X, 0))
    ink = QColor(speaker.person.window.theme.palette.ink1)
    for stage in (Stage.X, Stage.Q, Stage.S, Stage.A, Stage.O):
        speaker.push(side.steps.letters[stage])
        for label in (each for each in side.findChildren(QLabel) if each.isVisible()):
            assert label.heightForWidth(label.width()) <= label.height(), label.text()
            assert side.rect().contains(label.geometry())
        assert side.formula.isVisible(), stage
        assert side.formula.smallest >= 20
        assert side.formula.sizeHint().width() <= side.formula.width() + 1
        parts = [
            part for part in (side.title, side.formula, side.text, side.bar) if part.isVisible()
        ]
        bottoms = [part.geometry().bottom() for part in parts]
        tops = [part.geometry().top() for part in parts]
        assert all(a < b for a, b in zip(bottoms, [*tops[1:], side.steps.y()], strict=True))
        place = side.formula.geometry()
        side.formula.hide()
        assert worst(ink, speaker.page.grab().toImage(), place) >= 4.5
        side.formula.show()


@pytest.mark.parametrize("size", first_alone(SIZES))
def test_digits_of_the_plane_and_of_tables_have_room(speaker, size):
    speaker.resize(*size)
    page = speaker.page
    speaker.session.select(Selection(Role.A, 0, 3))
    for stage in (Stage.S, Stage.A):
        speaker.push(page.left.steps.letters[stage])
        chips = page.plane.viewport().shown.chips
        assert len(chips) == 4
        for chip in chips:
            left, _top, right, _bottom = chip.rect
            assert chip.word.width <= right - left
        speaker.key(Qt.Key.Key_T)
        table = page.table.heat
        assert page.table.rect().contains(table.geometry())
        assert table.is_easy
        speaker.key(Qt.Key.Key_T)


def test_tips_before_an_audience_are_as_large_as_its_texts(speaker):
    audience = speaker.audience
    at, usual = QPointF(audience.rect().center()), speaker.person.window.theme.px(13)
    for _time in range(2):
        QApplication.sendEvent(audience, QEnterEvent(at, at, at))
        assert QToolTip.font().pixelSize() >= LEAST > usual
        speaker.person.window.appearance.scale_text_to(125)
        speaker.person.window.appearance.scale_text_to(100)
        assert QToolTip.font().pixelSize() >= LEAST
        QApplication.sendEvent(audience, QEvent(QEvent.Type.Leave))
        assert QToolTip.font().pixelSize() == usual
    QApplication.sendEvent(audience, QEnterEvent(at, at, at))
    speaker.audience.close()
    assert QToolTip.font().pixelSize() == usual
