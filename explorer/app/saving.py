"""A dialog that saves what takes a while to make: progress, Cancel, and what cannot be."""

from __future__ import annotations

from collections.abc import Generator

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from explorer.kit.framed_dialog import FramedDialog
from explorer.kit.progress_line import ProgressLine
from explorer.kit.theme import Theme
from explorer.text import Problem, _


class Slices(QObject):
    """Does a piece of work in slices while the window goes on.

    Parameters
    ----------
    work : generator
        Yields after each slice how many ms the next one has to wait. May raise Problem.
    """

    ended = Signal()
    failed = Signal(object)  # a Problem

    def __init__(self, work: Generator[int, None, None], parent: QObject) -> None:
        super().__init__(parent)
        self._work = work
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._go_on)

    def start(self) -> None:
        """Begin; the first slice is done at once."""
        self._go_on()

    def cancel(self) -> None:
        """End it: what the work has to put back it puts back."""
        self._timer.stop()
        self._work.close()

    def _go_on(self) -> None:
        try:
            self._timer.start(next(self._work))
        except StopIteration:
            self.ended.emit()
        except Problem as problem:
            self.failed.emit(problem)


class SavingDialog(FramedDialog):
    """Asks how something is to be saved, and saves it.

    A subclass fills the column, calls `add_foot`, names in `_inputs` what may not be changed while
    something is made, and overrides `_save`.

    Parameters
    ----------
    title : str
        Plain text, translated.
    parent : QWidget
    widest : int
        px at 100 %.
    """

    def __init__(self, title: str, theme: Theme, parent: QWidget, *, widest: int) -> None:
        super().__init__(title, theme, parent, widest=widest)
        self.making: Slices | None = None
        self._inputs: list[QWidget] = []
        self.finished.connect(self._give_up)

    def add_foot(self) -> None:
        """Put progress, what is said, Cancel and Save below all."""
        self.line = ProgressLine(self.theme, self.frame)
        self.line.retheme(self.theme)
        self.line.hide()
        self.column.addWidget(self.line)
        self.column.addStretch(1)
        self.cancel, self.save = self.put_buttons(
            (_("Cancel"), self._leave), (_("Save…"), self._save)
        )

    def _save(self) -> None:
        """Ask for a file, and begin to make it."""
        raise NotImplementedError

    def _begin(self, making: Slices) -> None:
        self._let_choose(False)
        self.making = making
        making.failed.connect(self._failed)
        making.start()

    def _failed(self, problem: Problem) -> None:
        self.making = None
        self._let_choose(True)
        self.say(str(problem), wrong=True)

    def _leave(self) -> None:
        """Give up what is being made, or close."""
        if self.making is None:
            self.reject()
            return
        self._give_up()
        self.say("")
        self._let_choose(True)

    def _give_up(self) -> None:
        if self.making is not None:
            self.making.cancel()
            self.making = None

    def _let_choose(self, may: bool) -> None:
        for widget in (*self._inputs, self.save):
            widget.setEnabled(may)
        self.line.setVisible(not may)
        self.line.show_share(0.0)
