"""Train as the window sees it: made when first shown, with everything it needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QStackedWidget, QWidget

from explorer.app.dialogs import QtDialogs
from explorer.app.folders import runs_folder
from explorer.app.settings import SettingsStore
from explorer.app.train.document import TraceDocument
from explorer.kit.clock import FrameClock
from explorer.kit.theme import Theme
from explorer.rooms.train.layouts import Layouts
from explorer.rooms.train.page import TrainPage
from explorer.rooms.train.presenter import TrainPresenter
from explorer.rooms.train.runner import Runner
from explorer.session import Scene, Stage
from explorer.session.train import TrainChange, TrainSession
from explorer.session.train.intents import ShowTrainStage
from explorer.text import Problem


class TrainRoom(QObject):
    """The session with its views, its run and its files.

    Parameters
    ----------
    theme : Theme
    parent : QStackedWidget
        Where the page is put.
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
        self.session = TrainSession()
        self.runner = Runner(
            self.session, runs, self.tell, lambda: not settings.settings.reduce_motion, self
        )
        self.document = TraceDocument(self.session, self.runner, dialogs, settings, runs, self)
        self.presenter = TrainPresenter(
            self.session,
            self.runner,
            self.tell,
            QGuiApplication.clipboard().setText,
            dialogs.ask_corpus,
            dialogs.ask_large,
            edit_copy,
        )
        self.layouts = Layouts(self.session, self.tell, self)
        self.clock = FrameClock(self.session, TrainChange.ALL, self)
        self._offer = offer
        self.page = self._made_page(theme, parent)
        self.session.changed.connect(self._on_change)
        self.document.open_example()

    def make_page(self, theme: Theme, parent: QStackedWidget) -> None:
        """Make the views, in the language in use; those there were are drawn no more."""
        before = self.page
        for view in before.views:
            self.clock.remove(view)
        self.page = self._made_page(theme, parent)
        self.page.graph.take_view(before.graph)
        self.page.error_bar.take_over(before.error_bar)
        self.page.show_page(self.session.frame)

    def _made_page(self, theme: Theme, parent: QStackedWidget) -> TrainPage:
        """Return new views in their place, drawn from now on, and what they ask for carried out."""
        page = TrainPage(theme, parent)
        parent.addWidget(page)
        for view in page.views:
            view.intent.connect(self.handle)
            self.clock.add(view)
        self._offer(page.pictures())
        return page

    @property
    def edited(self) -> TrainSession:
        """What undo and redo are about."""
        return self.session

    def handle(self, intent: object) -> None:
        """Carry out what a view asks for."""
        self.presenter.handle(intent)

    def tell(self, problem: Problem) -> None:
        """Show a problem in the bar over the picture."""
        self.page.error_bar.tell(problem.message)

    def show_stage(self, stage: Stage) -> None:
        """Make a station of the chain the active one."""
        self.handle(ShowTrainStage(stage))

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self.page.retheme(theme)
        for view in self.page.views:
            self.clock.redraw(view)

    def let_move(self, wanted: bool) -> None:
        """Let the word graph move, or be there at once."""
        self.page.graph.set_motion(wanted)

    def close(self) -> None:
        """End the run and every process, within two seconds."""
        self.runner.close()
        self.layouts.close()
        self.document.close()

    def _on_change(self, change: TrainChange) -> None:
        if TrainChange.LOOK in change:
            self.page.show_page(self.session.frame)
        if TrainChange.CONFIG in change:
            self.page.error_bar.hide()  # what it said of the next run may be put right by now
