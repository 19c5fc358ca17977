"""What is drawn once is kept, and let go of before the application ends."""

from __future__ import annotations

from explorer.kit.drawing_cache import drawing_cache, empty_caches
from tests.commands import printed_by

# What is registered first is called last: after Qt's application has ended.
AT_THE_END = """
import atexit
atexit.register(lambda: print(*(cache.cache_info().currsize for cache in caches)))
from PySide6.QtWidgets import QApplication
from explorer.kit import icons
from explorer.kit.canvas import text
from explorer.kit.theme import Theme
application = QApplication([])
icons.icon("add", Theme())
text.word(Theme(), "cat", 14)
caches = icons._icon, text._word
print(*(cache.cache_info().currsize for cache in caches))
"""


def test_what_was_drawn_is_drawn_once_and_forgotten_on_demand():
    drawn: list[str] = []

    @drawing_cache(2)
    def draw(name: str) -> str:
        drawn.append(name)
        return name.upper()

    assert [draw("a"), draw("a"), draw("b")] == ["A", "A", "B"]
    empty_caches()
    draw("a")

    assert drawn == ["a", "b", "a"]


def test_nothing_drawn_outlives_the_application():
    assert printed_by(AT_THE_END) == "1 1\n0 0\n"
