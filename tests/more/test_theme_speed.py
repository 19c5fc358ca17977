"""How long a change of theme or text scale takes where everything has been shown."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QWidget

from explorer.app.main import make_window
from explorer.lessons.lesson_index import lesson_called

# Windows that could be made meanwhile: 300 ms where one takes 200, and 350 are allowed. Both are
# work of one kind, and a machine's speed changes by more than half from minute to minute.
MOST = 1.5
LEAST_WIDGETS = 1200


def test_a_change_in_the_busiest_window_takes_less_than_a_window_and_a_half(person, qtbot):
    window = person.window
    for name in ("compare", "sqrt_d", "train", "sweep", "model", "explore"):
        window.actions_by_name[name].trigger()
        person.settle()
    assert window.open_file(lesson_called("scores-by-hand"))
    person.settle()
    assert len(window.findChildren(QWidget)) >= LEAST_WIDGETS

    def took(change: Callable[[], object]) -> float:
        begun = time.process_time()
        change()
        return time.process_time() - begun

    def another() -> None:
        qtbot.addWidget(make_window())

    def relative(percent: int | None) -> float:
        look = window.appearance
        changed = look.toggle_theme if percent is None else partial(look.scale_text_to, percent)
        return took(changed) / took(another)

    times = [relative(each) for each in (None, 150, None, 100, None, 200, None, 125, None)]
    assert statistics.median(times) <= MOST, times
