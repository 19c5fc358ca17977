"""At small sizes and with large text nothing that must be read is cut off."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QToolButton

from explorer.kit.segments import Segments
from tests.kinds import KINDS

ONE_WINDOW = True  # which begins anew for each test

SIZES = [
    ((960, 640), 100),
    ((960, 640), 125),
    ((1024, 768), 100),
    ((1024, 768), 125),
    ((1440, 900), 100),
    ((1920, 1080), 150),
    ((1920, 1080), 200),
]


@pytest.mark.parametrize("kind", ["cat-likes-fish", "everything"])
@pytest.mark.parametrize(("size", "percent"), SIZES)
def test_every_segment_in_view_has_room_for_its_text(person, size, percent, kind):
    person.session.open(KINDS[kind])
    person.window.appearance.scale_text_to(percent)
    person.window.resize(*size)
    person.settle()
    rows = [row for row in person.window.findChildren(Segments) if row.isVisible()]

    assert person.window.explore_page.results.tabs in rows
    for row in rows:
        shown = [b for b in row.findChildren(QToolButton) if b.isVisible()]
        for button in shown:
            assert button.width() >= button.sizeHint().width(), button.text()
