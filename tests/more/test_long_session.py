"""A long session of everything at once: what it keeps is bounded."""

from __future__ import annotations

from itertools import cycle

import pytest
from PySide6.QtCore import QCoreApplication, QEvent

from explorer.kit.drawing_cache import empty_caches
from explorer.kit.memory import close_fonts, give_back_memory
from explorer.kit.theme import SCALES
from explorer.resources import examples, resource
from explorer.session import Cell, Matrix, Role, Selection, intents
from tests.window.test_memory import held

EVENTS = 20_000
MOST_BYTES = 64 * 2**20  # undo that fills, and memory that the system takes back late
NAMES = ("cat", "猫", "قط", "बिल्ली", "แมว", "חתול", "კატა", "բառ", "고양이")  # of many fonts


@pytest.mark.timeout(3600)
def test_twenty_thousand_events_leave_no_growing_memory(person):
    window = person.window
    files = cycle([*examples(), *sorted(resource("lessons").glob("*.toml"))])
    give_back_memory(window)  # as the program does, for as long as this window lives
    names = cycle(NAMES)
    scales, centres = cycle(SCALES), cycle(("compare", "sqrt_d", "train", "explore"))

    def live(events: int) -> None:
        for n in range(events):
            match n % 200:
                case 0:
                    window.session.mark_saved(window.session.scene)
                    assert window.open_file(next(files))
                case 50:
                    window.appearance.toggle_theme()
                case 100:
                    window.appearance.scale_text_to(next(scales))
                case 150:
                    window.actions_by_name[next(centres)].trigger()
                case place if place % 20 == 5:
                    window.explore.handle(intents.RenameToken(0, next(names)))
                case place if place % 2:
                    window.explore.handle(intents.NudgeCell(Cell(Matrix.X, 0, 0), 0.1))
                case _:
                    window.explore.handle(intents.Hover(Selection(Role.X, 0)))
            if n % 10 == 0:
                person.settle()
                # What is to be deleted waits for an event loop, which a test has not.
                QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

    live(EVENTS // 4)
    empty_caches()
    close_fonts()
    before = held(person)
    live(EVENTS)
    empty_caches()
    close_fonts()

    assert held(person).resident - before.resident <= MOST_BYTES
