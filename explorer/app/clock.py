"""The frame clock: each visible and concerned view is drawn at most once per screen frame."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtGui import QGuiApplication

from explorer.session import Change, Session
from explorer.views.base import View


class FrameClock(QObject):
    """Draws views when the session changes: the first change at once, later ones merged.

    Parameters
    ----------
    session : Session
    parent : QObject, optional
    """

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._due: dict[View, Change] = {}
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._tick)
        screen = QGuiApplication.primaryScreen()
        rate = screen.refreshRate() if screen is not None else 60.0
        self._timer.setInterval(max(4, round(1000 / max(rate, 30.0)) - 1))
        session.changed.connect(self._on_change)

    def add(self, view: View) -> None:
        """Draw `view` from now on, whenever it is visible and concerned."""
        self._due[view] = Change.ALL
        view.installEventFilter(self)
        if view.isVisible():
            self._draw()

    def redraw(self, view: View) -> None:
        """Draw `view` again although nothing of the session changed (another theme)."""
        self._due[view] = Change.ALL
        self._draw()

    def flush(self) -> None:
        """Draw now whatever waits for the next frame."""
        self._timer.stop()
        self._draw()

    def _on_change(self, change: Change) -> None:
        for view in self._due:
            self._due[view] |= change
        if not self._timer.isActive():
            self._timer.start()
            self._draw()

    def _tick(self) -> None:
        if self._draw():
            self._timer.start()

    def _draw(self) -> bool:
        drawn = False
        frame = self._session.frame
        for view, due in self._due.items():
            if due & view.concerns:
                if not view.isVisible():
                    continue
                self._due[view] = Change(0)
                view.draw(frame)
                drawn = True
            else:
                self._due[view] = Change(0)
        return drawn

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Draw a view that was just shown, where it missed something."""
        if event.type() == QEvent.Type.Show and isinstance(watched, View):
            due = self._due.get(watched, Change(0))
            if due & watched.concerns:
                self._due[watched] = Change(0)
                watched.draw(self._session.frame)
        return False
