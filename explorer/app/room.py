"""What both rooms of the window are: a session, its views, and what these ask for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QStackedWidget, QWidget

from explorer.app.dialogs import QtDialogs
from explorer.app.document import Document
from explorer.app.settings import SettingsStore
from explorer.kit.base import FrameView
from explorer.kit.clock import FrameClock
from explorer.kit.copying import put_on_clipboard
from explorer.kit.garbage import no_collection
from explorer.kit.layouts import lay_out
from explorer.kit.page import Page
from explorer.kit.style import finish
from explorer.kit.taking_over import take_over
from explorer.kit.theme import Theme
from explorer.rooms.explore.page import ExplorePage
from explorer.rooms.explore.presenter import Presenter
from explorer.session import Change, Scene, Session, Stage
from explorer.session.intents import ChangeLook, ShowStage
from explorer.text import Problem

P = TypeVar("P", bound=Page)


@dataclass(frozen=True)
class Surroundings:
    """What every room is given of the window.

    Parameters
    ----------
    theme : Theme
    stack : QStackedWidget
        Where the page is put.
    dialogs : QtDialogs
    settings : SettingsStore
    offer : callable
        Offers pictures of parts, by name.
    teach : callable
        Carries out what a lesson's page asks for; returns whether it was that.
    edit_copy : callable
        Opens a scene in Explore.
    show_sweep : callable
        Brings Sweep to the front.
    """

    theme: Theme
    stack: QStackedWidget
    dialogs: QtDialogs
    settings: SettingsStore
    offer: Callable[[Mapping[str, QWidget]], None]
    teach: Callable[[object], bool]
    edit_copy: Callable[[Scene], object]
    show_sweep: Callable[[], object]


class Room(QObject, Generic[P]):
    """Base of the rooms.

    A subclass names the class of its page, sets `clock` and `presenter`, and then calls `put_page`.
    What is made here goes on when the page is made anew.

    Parameters
    ----------
    around : Surroundings
    """

    page_class: ClassVar[type[Page]]
    page: P
    clock: FrameClock
    presenter: Any
    session: Any

    def __init__(self, around: Surroundings) -> None:
        super().__init__(around.stack.window())
        self._offer, self._teach, self._settings = around.offer, around.teach, around.settings
        self.outdated = False  # whether the page was made before the language was changed
        self._before: P | None = None  # the page there was, until the new one is shown

    def put_page(self, theme: Theme, stack: QStackedWidget) -> None:
        """Make the views, in the language in use, drawn from now on."""
        page: Any = self.page_class(theme, stack)
        self.page = page
        stack.addWidget(page)
        for view in page.views:
            self._join(view)
        self._offer(page.pictures())
        page.made.connect(self._join_made)
        page.widened.connect(self._keep_width)
        self.restore_right_width()

    def restore_right_width(self) -> None:
        """Give the right panel the width that was chosen last, here or in another room."""
        self.page.widen_right(self._settings.settings.wider)

    def _keep_width(self, wider: int) -> None:
        self._settings.update(lambda settings: replace(settings, wider=wider))

    def make_page(self, theme: Theme, stack: QStackedWidget) -> None:
        """Make the views anew; those there were are drawn no more."""
        before = self._before = self.page
        before.close_left()
        for view in before.views:
            self.clock.remove(view)
        self.put_page(theme, stack)
        self.outdated = False

    def take_over(self, focused: QWidget | None) -> None:
        """Look as the page before did, which goes; called once this one is shown.

        focused : what had the focus there
        """
        if self._before is not None:
            part = take_over(self.page, self._before, focused)
            if part is not None:
                part.setFocus()
            else:
                self.page.take_focus()
            # In a turn of its own: to delete some 700 widgets takes long.
            QTimer.singleShot(0, self._before, self._before.deleteLater)
            self._before = None

    def other_page(self, theme: Theme, parent: QWidget) -> P:
        """Return the room's views once more, with the same in the middle; nobody draws them yet."""
        page: Any = self.page_class(theme, parent)
        return page

    def _join(self, view: FrameView[Any]) -> None:
        view.intent.connect(self.handle)
        self.clock.add(view)

    def _join_made(self, view: FrameView[Any], name: str) -> None:
        self._join(view)
        self._offer({name: view})

    def handle(self, intent: object) -> None:
        """Carry out what a view asks for, the lesson's page or another."""
        if not self._teach(intent):
            self.presenter.handle(intent)

    def tell(self, problem: Problem) -> None:
        """Show a problem in the bar over the picture."""
        self.page.error_bar.tell(problem.message)

    def _tell_tried(self, problem: Problem) -> None:
        """Show why something could not be done, until something else is done."""
        self.page.error_bar.tell(problem.message, passing=True)

    def apply_theme(self, theme: Theme) -> None:
        """Give the page a theme before it is shown; it is made without a style sheet."""
        if self.page.theme == theme:
            finish(self.page, theme)
        else:
            self.retheme(theme)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        with no_collection():
            finish(self.page, theme)
            self.page.retheme(theme)
            # The parts have their places before they are drawn, and so are drawn once.
            lay_out()
        self.clock.redraw_all()


class ExploreRoom(Room[ExplorePage]):
    """Explore: the session of a scene, with its views and its file.

    Parameters
    ----------
    around : Surroundings
    session : Session
    document : Document
    """

    page_class = ExplorePage

    def __init__(self, around: Surroundings, session: Session, document: Document) -> None:
        super().__init__(around)
        self.session, self.document = session, document
        self.presenter = Presenter(
            session,
            around.dialogs.ask_reading,
            self._tell_tried,
            put_on_clipboard,
            around.dialogs.wait_for,
            around.dialogs.ask_columns,
        )
        self.clock = FrameClock(session, parent=self, arrange=self._arrange)
        self.put_page(around.theme, around.stack)
        session.changed.connect(self._on_change)
        document.leaving.connect(self._take_focus)

    def put_page(self, theme: Theme, stack: QStackedWidget) -> None:
        """Make the views, with what the look asks for in the middle."""
        super().put_page(theme, stack)
        self.page.show_centre(self.session.look.centre)

    def other_page(self, theme: Theme, parent: QWidget) -> ExplorePage:
        """Return the room's views once more, with the same in the middle; nobody draws them yet."""
        page = super().other_page(theme, parent)
        page.show_centre(self.session.look.centre)
        page.plane.take_over(self.page.plane)
        return page

    def toggle_field(self) -> None:
        """Tint the plane while a token is dragged and a pair selected, or not."""
        self.handle(ChangeLook({"field": not self.session.look.field}))

    def show_stage(self, stage: Stage) -> None:
        """Make a station of the chain the active one."""
        self.handle(ShowStage(stage))

    def allow_motion(self, wanted: bool) -> None:
        """Let points move along the chain, or be there at once."""
        self.page.plane.set_motion(wanted)

    def close(self) -> None:
        """End the document; nothing of it is asked any more."""
        self.document.close()

    def _take_focus(self) -> None:
        self.page.take_focus()

    def _on_change(self, change: Change) -> None:
        if change & Change.RESULT:
            self.page.error_bar.forget_passing()

    def _arrange(self, change: Change) -> None:
        if Change.LOOK in change:
            self.page.show_centre(self.session.look.centre)
