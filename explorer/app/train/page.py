"""Train as the window sees it: made when first shown, with everything it needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QStackedWidget, QWidget

from explorer.app.clock import FrameClock
from explorer.app.dialogs import QtDialogs
from explorer.app.folders import runs_folder
from explorer.app.settings import SettingsStore
from explorer.app.train.bench import TrainBench
from explorer.app.train.document import TraceDocument
from explorer.app.train.layouts import Layouts
from explorer.app.train.presenter import LabPresenter
from explorer.app.train.runner import Runner
from explorer.session import Scene, Stage
from explorer.session.lab import Lab, LabChange
from explorer.session.lab.intents import ShowLabStage
from explorer.text import Problem
from explorer.views.theme import Theme


class TrainPage(QObject):
    """The lab with its views, its run and its files.

    Parameters
    ----------
    theme : Theme
    parent : QStackedWidget
        Where the bench is put.
    dialogs : QtDialogs
    settings : SettingsStore
    edit_copy : callable
        Opens a scene in Explore.
    offer : callable
        Offers pictures of parts, by name.
    """

    def __init__(
        self,
        theme: Theme,
        parent: QStackedWidget,
        dialogs: QtDialogs,
        settings: SettingsStore,
        edit_copy: Callable[[Scene], object],
        offer: Callable[[Mapping[str, QWidget]], None],
    ) -> None:
        super().__init__(parent.window())  # its run goes on when the views are made anew
        runs = runs_folder()
        self.lab = Lab()
        self.runner = Runner(
            self.lab, runs, self.tell, lambda: not settings.settings.reduce_motion, self
        )
        self.document = TraceDocument(self.lab, self.runner, dialogs, settings, runs, self)
        self.presenter = LabPresenter(
            self.lab,
            self.runner,
            self.tell,
            QGuiApplication.clipboard().setText,
            dialogs.ask_corpus,
            dialogs.ask_large,
            edit_copy,
        )
        self.layouts = Layouts(self.lab, self.tell, self)
        self.clock = FrameClock(self.lab, LabChange.ALL, self)
        self._offer = offer
        self.bench = self._made_bench(theme, parent)
        self.lab.changed.connect(self._on_change)
        self.document.open_example()

    def make_bench(self, theme: Theme, parent: QStackedWidget) -> None:
        """Make the views, in the language in use; those there were are drawn no more."""
        before = self.bench
        for view in before.views:
            self.clock.remove(view)
        self.bench = self._made_bench(theme, parent)
        self.bench.graph.take_view(before.graph)
        self.bench.error_bar.take_over(before.error_bar)
        self.bench.show_page(self.lab.frame)

    def _made_bench(self, theme: Theme, parent: QStackedWidget) -> TrainBench:
        """Return new views in their place, drawn from now on, and what they ask for carried out."""
        bench = TrainBench(theme, parent)
        parent.addWidget(bench)
        for view in bench.views:
            view.intent.connect(self.handle)
            self.clock.add(view)
        self._offer(bench.pictures())
        return bench

    @property
    def edited(self) -> Lab:
        """What undo and redo are about."""
        return self.lab

    def handle(self, intent: object) -> None:
        """Carry out what a view asks for."""
        self.presenter.handle(intent)

    def tell(self, problem: Problem) -> None:
        """Show a problem in the bar over the picture."""
        self.bench.error_bar.tell(problem.message)

    def show_stage(self, stage: Stage) -> None:
        """Make a station of the chain the active one."""
        self.handle(ShowLabStage(stage))

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self.bench.retheme(theme)
        for view in self.bench.views:
            self.clock.redraw(view)

    def let_move(self, wanted: bool) -> None:
        """Let the word graph move, or be there at once."""
        self.bench.graph.reduce_motion(not wanted)

    def close(self) -> None:
        """End the run and every process, within two seconds."""
        self.runner.close()
        self.layouts.close()
        self.document.close()

    def _on_change(self, change: LabChange) -> None:
        if LabChange.LOOK in change:
            self.bench.show_page(self.lab.frame)
        if LabChange.CONFIG in change:
            self.bench.error_bar.hide()  # what it said of the next run may be put right by now
