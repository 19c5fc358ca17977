"""A bar over the window while something long is done, with Cancel."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from PySide6.QtCore import QEventLoop, Qt
from PySide6.QtWidgets import QApplication, QProgressDialog, QWidget

from explorer.text import _

_SOON = 1000  # ms; what is done before that needs no bar


class GivenUpError(Exception):
    """Cancel was pressed."""


@contextmanager
def progress(text: str, over: QWidget | None) -> Iterator[Callable[[float | None], None]]:
    """Yield what is to be told the share that is done; Cancel ends the block there, in silence.

    None tells that it goes on, where the share is not known.

    over : QWidget or None
        A page or a dialog, whose look it has.
    """
    bar = QProgressDialog(text, _("Cancel"), 0, 100, over)
    bar.setWindowModality(Qt.WindowModality.WindowModal)
    bar.setMinimumDuration(_SOON)
    gone: list[bool] = []
    bar.destroyed.connect(lambda: gone.append(True))

    def check() -> None:
        if gone or bar.wasCanceled():  # gone with what it was over
            raise GivenUpError

    def told(share: float | None) -> None:
        check()
        if share is None:
            bar.setRange(0, 0)
        else:
            bar.setValue(min(99, round(100 * share)))  # at 100 it would be put away
            check()  # events were taken
        # What is typed or pressed before the bar is there waits until all is done.
        if not bar.isVisible():
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
        elif share is None:
            QApplication.processEvents()
        check()

    try:
        with suppress(GivenUpError):
            yield told
    finally:
        if not gone:
            bar.reset()
            bar.deleteLater()
