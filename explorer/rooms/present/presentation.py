"""Presenting from a main window: where the audience's window opens, what the laptop shows then,
and what is left behind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from PySide6.QtCore import QElapsedTimer, QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QScreen
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from explorer.kit.clock import FrameClock
from explorer.kit.guarded_filter import guarded_filter
from explorer.kit.motion import let_move
from explorer.kit.theme import Theme
from explorer.rooms.present.audience import Audience, takes_letters
from explorer.rooms.present.notes import NotesBar
from explorer.rooms.present.slide import Slide
from explorer.session import Session
from explorer.session.lesson import Notes

_EACH = 400  # ms between pictures of the audience's view


class Shown(NamedTuple):
    """Something that can be presented.

    Parameters
    ----------
    make : callable
        Returns its page, as a child of a window.
    clock : FrameClock
        Draws it.
    handle : callable
        Carries out an intent.
    """

    make: Callable[[Theme, QWidget], Slide[Any]]
    clock: FrameClock
    handle: Callable[[object], None]


class Presentation(QObject):
    """Opens the audience's window, and gives the keys back when it is left.

    Where the audience has a screen of its own, the main window shows notes and controls.

    Parameters
    ----------
    window : QWidget
        The main window.
    session : Session
    find : callable
        Returns what can be presented, by its name.
    tell_notes : callable
        Returns the notes of what is presented.
    place : callable
        Returns where in the main window the notes are put: a column, and the place in it.
    """

    changed = Signal()  # whether there is an audience, and whether its picture is kept still
    room_asked = Signal()

    def __init__(
        self,
        window: QWidget,
        session: Session,
        find: Callable[[str], Shown],
        tell_notes: Callable[[], Notes],
        place: Callable[[], tuple[QVBoxLayout, int]],
    ) -> None:
        super().__init__(window)
        self._window, self._session = window, session
        self._find, self._tell_notes, self._place = find, tell_notes, place
        self._theme, self._moves = Theme(), True
        self._pages: dict[str, tuple[Slide[Any], Shown]] = {}
        self.audience: Audience | None = None
        self.notes: NotesBar | None = None
        self._since = QElapsedTimer()
        self._looking = QTimer(self)
        self._looking.setInterval(_EACH)
        self._looking.timeout.connect(self._look)

    def show(self, name: str, theme: Theme, *, moves: bool) -> None:
        """Open the audience's window: on the other screen where there is one.

        moves : whether things may move
        """
        self._theme, self._moves = theme, moves
        if self.audience is not None:
            self.turn_to(name)
            self.audience.activateWindow()
            return
        audience = self.audience = Audience(self._session, theme, self._window)
        audience.left.connect(self._leave)
        audience.changed.connect(self._tell_change)
        audience.room_asked.connect(self.room_asked)
        screen = screen_for(self._window)
        audience.setGeometry(screen.geometry())
        audience.showFullScreen()
        self.turn_to(name)
        self._since.start()
        if screen is not self._window.screen():
            self._show_notes(theme)
        _application().installEventFilter(self)
        audience.activateWindow()
        self.changed.emit()

    def turn_to(self, name: str) -> None:
        """Show something else to the audience; nothing where there is none."""
        if self.audience is None:
            return
        if name in self._pages:
            self.audience.show_page(self._pages[name][0])
            return
        shown = self._find(name)
        page = shown.make(self._theme, self.audience)
        page.intent.connect(shown.handle)
        page.closed.connect(self.audience.close)
        page.turned.connect(self.audience.veil.clear)
        self._pages[name] = page, shown
        self.audience.show_page(page)
        shown.clock.add(page)
        self.let_move(self._moves)

    def redraw(self) -> None:
        """Draw the pages again although nothing of their numbers changed (a lesson's page)."""
        for page, shown in self._pages.values():
            shown.clock.redraw(page)
        self._look()

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        if self.audience is not None:
            self.audience.retheme(theme)
            self.redraw()
        if self.notes is not None:
            self.notes.retheme(theme)

    def let_move(self, wanted: bool) -> None:
        """Let things move, or be there at once."""
        self._moves = wanted
        if self.audience is not None:
            let_move(self.audience, wanted)
        for page, _shown in self._pages.values():
            page.set_motion(wanted)

    def leave(self) -> None:
        """Close the audience's window; nothing where there is none."""
        if self.audience is not None:
            self.audience.close()

    @guarded_filter
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Freeze and blank from the main window too, unless a cell or a text field has the keys."""
        if (
            event.type() == QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
            and isinstance(watched, QWidget)
            and self.audience is not None
            and watched.window() is self._window
            and event.modifiers() == Qt.KeyboardModifier.NoModifier
            and not takes_letters(watched)
        ):
            act = {
                Qt.Key.Key_F: self.audience.freeze,
                Qt.Key.Key_B: self.audience.blank,
            }.get(Qt.Key(event.key()))
            if act is not None and not event.isAutoRepeat():
                act()
            return act is not None
        return False

    # --- inside ----------------------------------------------------------------------------------

    def _show_notes(self, theme: Theme) -> None:
        column, at = self._place()
        parent = column.parentWidget()
        assert parent is not None
        notes = self.notes = NotesBar(theme, parent)
        column.insertWidget(at, notes)
        notes.turned.connect(self._turn)
        assert self.audience is not None
        notes.freeze_asked.connect(self.audience.freeze)
        notes.blank_asked.connect(self.audience.blank)
        notes.leave_asked.connect(self.leave)
        self._look()
        self._looking.start()

    def _turn(self, by: int) -> None:
        if self.audience is not None:
            self.audience.page.turn(by)

    def _tell_change(self) -> None:
        self._look()
        self.changed.emit()

    def _look(self) -> None:
        """Show the presenter what the audience sees by now."""
        audience, notes = self.audience, self.notes
        if audience is None or notes is None:
            return
        notes.show_notes(self._tell_notes())
        veil = audience.veil
        notes.show_view(
            audience.grab(),
            self._since.elapsed() // 1000,
            frozen=veil.still is not None,
            blank=veil.blank,
        )

    def _leave(self) -> None:
        audience, self.audience = self.audience, None
        if audience is None:
            return
        _application().removeEventFilter(self)
        self._looking.stop()
        for page, shown in self._pages.values():
            shown.clock.remove(page)
        self._pages.clear()
        audience.deleteLater()
        if self.notes is not None:
            self.notes.hide()
            self.notes.deleteLater()
            self.notes = None
        self._session.hover(None)
        self._window.activateWindow()  # which remembers what had the keys
        self.changed.emit()


def screen_for(window: QWidget) -> QScreen:
    """Return another screen than the window's; its own where there is only one."""
    own = window.screen()
    others = [screen for screen in QGuiApplication.screens() if screen is not own]
    return others[0] if others else own


def _application() -> QApplication:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    return application
