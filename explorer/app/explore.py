"""Explore as the window sees it: its views, its document, and what its views ask for."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QStackedWidget, QWidget

from explorer.app.dialogs import Dialogs
from explorer.app.document import Document
from explorer.kit.base import FrameView
from explorer.kit.clock import FrameClock
from explorer.kit.theme import Theme
from explorer.rooms.explore.page import ExplorePage
from explorer.rooms.explore.presenter import Presenter
from explorer.session import Change, Frame, Session, Stage
from explorer.session.intents import ShowField, ShowStage
from explorer.text import Problem


class ExploreRoom(QObject):
    """The session with its views and its file.

    Parameters
    ----------
    theme : Theme
    parent : QStackedWidget
        Where the page is put.
    session : Session
    document : Document
    dialogs : Dialogs
    offer : callable
        Offers pictures of parts, by name.
    teach : callable
        Carries out what a lesson's page asks for; returns whether it was that.
    """

    def __init__(
        self,
        theme: Theme,
        parent: QStackedWidget,
        session: Session,
        document: Document,
        dialogs: Dialogs,
        offer: Callable[[Mapping[str, QWidget]], None],
        teach: Callable[[object], bool],
    ) -> None:
        super().__init__(parent.window())
        self.session, self.document = session, document
        self._offer, self._teach = offer, teach
        self._presenter = Presenter(
            session, dialogs.ask_reading, self._tell_tried, QGuiApplication.clipboard().setText
        )
        self.clock = FrameClock(session, parent=self)
        self.page = self._made_page(theme, parent)
        session.changed.connect(self._on_change)
        document.leaving.connect(self._take_keys)

    def make_page(self, theme: Theme, parent: QStackedWidget) -> None:
        """Make the views, in the language in use; those there were are drawn no more."""
        before = self.page
        for view in before.views:
            self.clock.remove(view)
        self.page = self._made_page(theme, parent)
        self.page.error_bar.take_over(before.error_bar)

    def _made_page(self, theme: Theme, parent: QStackedWidget) -> ExplorePage:
        """Return new views in their place, drawn from now on, and what they ask for carried out."""
        page = ExplorePage(theme, parent)
        parent.addWidget(page)
        for view in page.views:
            self._join(view)
        self._offer(page.pictures())
        page.made.connect(self._join_made)
        page.show_centre(self.session.look.centre)
        return page

    def _join(self, view: FrameView[Frame]) -> None:
        view.intent.connect(self.handle)
        self.clock.add(view)

    def _join_made(self, view: FrameView[Frame], name: str) -> None:
        self._join(view)
        self._offer({name: view})

    @property
    def edited(self) -> Session:
        """What undo and redo are about."""
        return self.session

    def handle(self, intent: object) -> None:
        """Carry out what a view asks for, the lesson's page or another."""
        if not self._teach(intent):
            self._presenter.handle(intent)

    def toggle_field(self) -> None:
        """Tint the plane while a token is dragged and a pair selected, or not."""
        self.handle(ShowField(not self.session.look.field))

    def show_stage(self, stage: Stage) -> None:
        """Make a station of the chain the active one."""
        self.handle(ShowStage(stage))

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self.page.retheme(theme)
        for view in self.page.views:
            self.clock.redraw(view)

    def let_move(self, wanted: bool) -> None:
        """Let points travel along the chain, or be there at once."""
        self.page.plane.set_motion(wanted)

    def close(self) -> None:
        """End the document; nothing of it is asked any more."""
        self.document.close()

    def _take_keys(self) -> None:
        self.page.take_keys()

    def _tell_tried(self, problem: Problem) -> None:
        """Show why something could not be done, until something else is done."""
        self.page.error_bar.tell(problem.message, passing=True)

    def _on_change(self, change: Change) -> None:
        if change & Change.RESULT:
            self.page.error_bar.forget_passing()
        if Change.LOOK in change:
            self.page.show_centre(self.session.look.centre)
