"""The frame clock: each visible and concerned view is drawn at most once per screen frame."""

from __future__ import annotations

from collections.abc import Callable
from enum import Flag
from typing import Any, Protocol

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtGui import QGuiApplication

from explorer.kit.base import FrameView
from explorer.session import Change, Listeners


class Source(Protocol):
    """What frames come from."""

    changed: Listeners

    @property
    def frame(self) -> Any:
        """What is shown now."""


class FrameClock(QObject):
    """Draws views when what they show changes: the first change at once, later ones merged.

    Parameters
    ----------
    source : Source
        The session, Explore's or Train's, that tells of changes and has the frame.
    everything : Flag
        All kinds of change, for views that have not drawn yet.
    parent : QObject, optional
    arrange : callable, optional
        Takes the kinds of change, before anything is drawn: it brings to the front what the frame
        asks for. What goes behind is not drawn once more.
    """

    def __init__(
        self,
        source: Source,
        everything: Flag = Change.ALL,
        parent: QObject | None = None,
        arrange: Callable[[Any], None] | None = None,
    ) -> None:
        super().__init__(parent)
        self._source, self._everything, self._arrange = source, everything, arrange
        self._nothing = type(everything)(0)
        self._due: dict[FrameView[Any], Flag] = {}
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._tick)
        screen = QGuiApplication.primaryScreen()
        rate = screen.refreshRate() if screen is not None else 60.0
        self._timer.setInterval(max(4, round(1000 / max(rate, 30.0)) - 1))
        source.changed.connect(self._on_change)

    def add(self, view: FrameView[Any]) -> None:
        """Draw `view` from now on, whenever it is visible and concerned."""
        self._due[view] = self._everything
        view.installEventFilter(self)
        if view.isVisible():
            self._draw()

    def remove(self, view: FrameView[Any]) -> None:
        """Draw `view` no more."""
        self._due.pop(view, None)
        view.removeEventFilter(self)

    def redraw(self, view: FrameView[Any]) -> None:
        """Draw `view` again although nothing of the session changed."""
        self._due[view] = self._everything
        self._draw()

    def redraw_all(self) -> None:
        """Draw every view again with the next frame (another theme)."""
        self._due = dict.fromkeys(self._due, self._everything)
        self._timer.start()

    def flush(self) -> None:
        """Draw now whatever waits for the next frame."""
        self._timer.stop()
        self._draw()

    def _on_change(self, change: Flag) -> None:
        for view in self._due:
            self._due[view] |= change
        if self._arrange is not None:
            self._arrange(change)
        if not self._timer.isActive():
            self._timer.start()
            self._draw()

    def _tick(self) -> None:
        if self._draw():
            self._timer.start()

    def _draw(self) -> bool:
        drawn = False
        frame = self._source.frame
        for view, due in self._due.items():
            if due & view.concerns:
                if not view.isVisible():
                    continue
                self._due[view] = self._nothing
                view.draw(frame)
                drawn = True
            else:
                self._due[view] = self._nothing
        return drawn

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Draw a view that was just shown, where it missed something."""
        if event.type() == QEvent.Type.Show and isinstance(watched, FrameView):
            due = self._due.get(watched, self._nothing)
            if due & watched.concerns:
                self._due[watched] = self._nothing
                watched.draw(self._source.frame)
        return False
