"""Presenting from a main window: where the audience's window opens, and what is left behind."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QWidget

from explorer.app.clock import FrameClock
from explorer.app.present.audience import Audience
from explorer.session import Session
from explorer.views.motion import let_move
from explorer.views.present.page import TellSheet
from explorer.views.theme import Theme


class Presentation(QObject):
    """Opens the audience's window, and gives the keys back when it is left.

    Parameters
    ----------
    window : QWidget
        The main window.
    session : Session
    clock : FrameClock
        Draws the page.
    handle : callable
        Carries out an intent.
    """

    changed = Signal()  # whether there is an audience, and whether its picture is kept still

    def __init__(
        self,
        window: QWidget,
        session: Session,
        clock: FrameClock,
        handle: Callable[[object], None],
        tell: TellSheet,
    ) -> None:
        super().__init__(window)
        self._window, self._session, self._clock = window, session, clock
        self._handle, self._tell = handle, tell
        self.audience: Audience | None = None

    def show(self, theme: Theme, *, moves: bool) -> None:
        """Open the audience's window: on the other screen where there is one.

        moves : whether things may move
        """
        if self.audience is not None:
            self.audience.activateWindow()
            return
        audience = Audience(self._session, theme, self._tell, self._window)
        self.audience = audience
        audience.page.intent.connect(self._handle)
        audience.left.connect(self._leave)
        audience.frozen.connect(self.changed)
        audience.setGeometry(_screen_for(self._window).geometry())
        audience.showFullScreen()
        self._clock.add(audience.page)
        self.let_move(moves)
        audience.activateWindow()
        audience.page.setFocus()
        self.changed.emit()

    def redraw(self) -> None:
        """Draw the page again although nothing of the session changed (another lesson's page)."""
        if self.audience is not None:
            self._clock.redraw(self.audience.page)

    def retheme(self, theme: Theme) -> None:
        """Take another theme."""
        if self.audience is not None:
            self.audience.retheme(theme)
            self.redraw()

    def let_move(self, wanted: bool) -> None:
        """Let things move, or be there at once."""
        if self.audience is not None:
            let_move(self.audience, wanted)
            self.audience.page.plane.set_motion(wanted)

    def leave(self) -> None:
        """Close the audience's window; nothing where there is none."""
        if self.audience is not None:
            self.audience.close()

    def _leave(self) -> None:
        audience, self.audience = self.audience, None
        if audience is None:
            return
        self._clock.remove(audience.page)
        audience.deleteLater()
        self._session.hover(None)
        self._window.activateWindow()  # which remembers what had the keys
        self.changed.emit()


def _screen_for(window: QWidget) -> QScreen:
    """Return another screen than the window's; its own where there is only one."""
    own = window.screen()
    others = [screen for screen in QGuiApplication.screens() if screen is not own]
    return others[0] if others else own
