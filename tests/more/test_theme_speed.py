"""How long a change of theme or text scale takes where everything has been shown."""

from __future__ import annotations

import statistics
import time

from PySide6.QtWidgets import QWidget

from explorer.lessons.lesson_index import lesson_called

MOST = 0.35  # seconds of this process
LEAST_WIDGETS = 1200


def test_a_change_in_the_busiest_window_takes_a_third_of_a_second(person):
    window = person.window
    for name in ("compare", "sqrt_d", "train", "sweep", "model", "explore"):
        window.actions_by_name[name].trigger()
        person.settle()
    assert window.open_file(lesson_called("scores-by-hand"))
    person.settle()
    assert len(window.findChildren(QWidget)) >= LEAST_WIDGETS

    def took(percent: int | None) -> float:
        begun = time.process_time()
        if percent is None:
            window.appearance.toggle_theme()
        else:
            window.appearance.scale_text_to(percent)
        return time.process_time() - begun

    times = [took(each) for each in (None, 150, None, 100, None, 200, None, 125, None)]
    assert statistics.median(times) <= MOST, times
