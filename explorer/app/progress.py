"""A bar over the window while something long is done, with Cancel."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QProgressDialog, QWidget

from explorer.text import _

_SOON = 1000  # ms; what is done before that needs no bar


class GivenUpError(Exception):
    """Cancel was pressed."""


@contextmanager
def progress(text: str, window: QWidget) -> Iterator[Callable[[float], None]]:
    """Yield what is to be told the share that is done; Cancel ends the block there, in silence."""
    bar = QProgressDialog(text, _("Cancel"), 0, 100, window)
    bar.setWindowModality(Qt.WindowModality.WindowModal)
    bar.setMinimumDuration(_SOON)

    def told(share: float) -> None:
        bar.setValue(min(99, round(100 * share)))  # at 100 it would be put away
        if bar.wasCanceled():
            raise GivenUpError

    try:
        with suppress(GivenUpError):
            yield told
    finally:
        bar.reset()
        bar.deleteLater()
