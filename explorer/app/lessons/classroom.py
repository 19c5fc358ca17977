"""The player at home: its panel in the left of Explore and of Train, its outlines, its camera."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from weakref import WeakSet

from explorer.app.lessons.outlines import Outlines
from explorer.app.lessons.player import Player
from explorer.app.lessons.tables import RunTable
from explorer.app.train.bench import TrainBench
from explorer.app.workspace import Workspace
from explorer.lessons.schema import Pan, Turn
from explorer.views.base import FrameView
from explorer.views.lab.graph import GraphView
from explorer.views.plane import PlaneView


class Classroom:
    """Shows what a player plays.

    Parameters
    ----------
    player : Player
    runs : RunTable
        Knows Train, once a lesson has come there.
    workspace : Workspace
    redraw : callable
        Draws a view of Explore again although nothing of the session changed.
    """

    def __init__(
        self,
        player: Player,
        runs: RunTable,
        workspace: Workspace,
        redraw: Callable[[FrameView[Any]], None],
    ) -> None:
        self.player = player
        self._runs, self._workspace, self._redraw = runs, workspace, redraw
        self._outlines = Outlines()
        self._beside: set[Workspace | TrainBench] = set()  # where the panel is shown
        self._chosen: WeakSet[PlaneView | GraphView] = WeakSet()  # where a step chose the camera
        player.changed.connect(self.show)
        player.put.connect(self._look)

    def open(self, path: Path) -> bool:
        """Begin a lesson; return whether that was done."""
        self._beside.clear()  # it is shown anew where something else was chosen
        done = self.player.open(path)
        if done:
            self._workspace.error_bar.hide()  # it spoke of what was there before
        self.show()
        return done

    def move_to(self, workspace: Workspace) -> None:
        """Show the lesson that is open in other views from now on."""
        self._workspace = workspace
        self._outlines = Outlines()
        self._beside.clear()
        self._chosen.clear()
        self.show()

    def show(self) -> None:
        """Show the page that is open, or the numbers alone when the lesson is left."""
        player, workspace, train = self.player, self._workspace, self._runs.train
        if not player.playing:
            self._leave()
            return
        self._show_beside(workspace)
        assert workspace.lesson is not None
        self._redraw(workspace.lesson)
        if train is not None:
            self._show_beside(train.bench)
            assert train.bench.lesson is not None
            train.clock.redraw(train.bench.lesson)
        self._outline()

    def _outline(self) -> None:
        """Outline what the open page speaks of, where it stands now."""
        player, train = self.player, self._runs.train
        here = train.bench if player.in_train and train is not None else self._workspace
        self._outlines.show(player.highlight, here)

    def _show_beside(self, bench: Workspace | TrainBench) -> None:
        """Show the panel in the left of a bench, which makes it where there is none yet."""
        if bench in self._beside:
            return
        self._beside.add(bench)
        fresh = bench.lesson is None
        panel = bench.show_lesson(self.player.sheet)
        bench.pin_left(True)
        if isinstance(bench, TrainBench):
            bench.graph.spare_page_keys(True)
            if fresh and self._runs.train is not None:
                panel.intent.connect(self.player.handle)
                self._runs.train.clock.add(panel)
        if fresh:
            picture = bench.graph if isinstance(bench, TrainBench) else bench.plane
            picture.moved.connect(self.player.note_moved)
            bench.left.turned.connect(self._outline)
            if isinstance(bench, Workspace):
                bench.results.matrices.arranged.connect(self._outline)

    def _leave(self) -> None:
        self._outlines.show((), self._workspace)
        for bench in self._beside:
            bench.pin_left(False)
            bench.left.leave_lesson()
            if isinstance(bench, TrainBench):
                bench.graph.spare_page_keys(False)
        self._beside.clear()
        self._chosen.clear()

    def aim(self, picture: PlaneView | GraphView, *, anew: bool = False) -> None:
        """Look at a picture from where the open page says; where none says so any more, at all.

        anew : whether it shows something else than before, so that all of that is looked at too
        """
        player = self.player
        if not player.playing or isinstance(picture, GraphView) is not player.in_train:
            return  # the page is about another picture
        match picture, player.camera:
            case GraphView(), Turn() as turn:
                picture.look_from(turn.azimuth, turn.elevation, turn.zoom)
            case PlaneView(), Pan() as pan:
                picture.look_at(pan.x, pan.y, pan.zoom)
            case PlaneView(), "fit":
                picture.fit()
            case _ if anew or picture in self._chosen:
                (picture.reset if isinstance(picture, GraphView) else picture.fit)()
        (self._chosen.discard if player.camera is None else self._chosen.add)(picture)

    def _look(self, anew: bool) -> None:
        train = self._runs.train if self.player.in_train else None
        self.aim(self._workspace.plane if train is None else train.bench.graph, anew=anew)
