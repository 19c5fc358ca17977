"""The bar over the window while something long is done."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget
from shiboken6 import delete

from explorer.app.progress import progress


def test_where_the_window_goes_what_was_being_done_is_given_up(qapp) -> None:
    over, done = QWidget(), []
    with progress("Working", over) as told:
        for share in (0.1, 0.2, 0.3):
            told(share)
            done.append(share)
            if share == 0.2:
                delete(over)
    assert done == [0.1, 0.2]
