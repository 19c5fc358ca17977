"""The size that the window opens with."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSize


class _Screen:
    def __init__(self, room: QSize) -> None:
        self.availableSize = lambda: room


@pytest.mark.parametrize("room", [QSize(1366, 728), QSize(1440, 875), QSize(1440, 900)])
def test_at_first_it_fills_a_screen_without_room_for_its_usual_size(person, monkeypatch, room):
    monkeypatch.setattr(person.window, "screen", lambda: _Screen(room))
    person.window.restore()
    assert person.window.isMaximized()
    assert (
        person.window.normalGeometry().size().boundedTo(room)
        == person.window.normalGeometry().size()
    )


def test_at_first_it_has_its_usual_size_where_there_is_room(person, monkeypatch):
    monkeypatch.setattr(person.window, "screen", lambda: _Screen(QSize(1920, 1040)))
    person.window.restore()
    assert person.window.size() == QSize(1440, 900)
    assert not person.window.isMaximized()
