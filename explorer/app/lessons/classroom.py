"""The player at home in Explore: its panel in the left, its outlines, its page redrawn."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from explorer.app.lessons.outlines import Outlines
from explorer.app.lessons.player import Player
from explorer.app.workspace import Workspace
from explorer.views.base import View


class Classroom:
    """Shows what a player plays.

    Parameters
    ----------
    player : Player
    workspace : Workspace
    redraw : callable
        Draws a view again although nothing of the session changed.
    """

    def __init__(
        self, player: Player, workspace: Workspace, redraw: Callable[[View], None]
    ) -> None:
        self.player = player
        self._workspace, self._redraw = workspace, redraw
        self._outlines = Outlines()
        player.changed.connect(self.show)

    def open(self, path: Path) -> bool:
        """Begin a lesson; return whether that was done."""
        if not self.player.open(path):
            return False
        self._workspace.show_lesson(self.player.sheet)
        self._workspace.pin_left(True)
        return True

    def move_to(self, workspace: Workspace) -> None:
        """Show the lesson that is open in another workspace from now on."""
        self._workspace = workspace
        self._outlines = Outlines()
        if self.player.playing:
            workspace.show_lesson(self.player.sheet)
            workspace.pin_left(True)
            self.show()

    def show(self) -> None:
        """Show the page that is open, or the numbers alone when the lesson is left."""
        player, workspace = self.player, self._workspace
        self._outlines.show(player.highlight, workspace, workspace.theme)
        if not player.playing:
            workspace.pin_left(False)
            workspace.left.leave_lesson()
        elif workspace.lesson is not None:
            self._redraw(workspace.lesson)
