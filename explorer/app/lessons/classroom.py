"""Where a lesson is shown: its panel in the left of a room, its outlines, its camera."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from explorer.app.lessons.player import Player
from explorer.app.lessons.tables import ModelTable, RunTable
from explorer.app.room import ExploreRoom
from explorer.kit.base import FrameView
from explorer.lessons.lesson import Lesson
from explorer.lessons.schema import Pan, Turn
from explorer.rooms.explore.page import ExplorePage
from explorer.rooms.explore.plane import PlaneView
from explorer.rooms.lesson import LessonPanel, ModelLessonPanel, RunLessonPanel
from explorer.rooms.lesson.panel import Dot, Outline

if TYPE_CHECKING:  # a lesson about scenes waits for neither
    from explorer.rooms.model.page import ModelPage
    from explorer.rooms.train.page import TrainPage

    RoomPage = ExplorePage | TrainPage | ModelPage

_FOR_CODE = 1.5  # the lesson's width beside code, by the usual one


class Outlines:
    """The outlines of one page of a lesson."""

    def __init__(self) -> None:
        self._shown: list[Outline] = []

    def show(self, names: Iterable[str], page: RoomPage) -> None:
        """Outline parts by their names, and no others; a part that is not there is left out.

        Where the lesson lies over one of them, the button that brings it back is marked too.
        """
        for outline in self._shown:
            outline.take_away()
        found = [widget for name in names if (widget := page.part(name)) is not None]
        self._shown = [Outline(widget, page.theme) for widget in found]
        if any(map(page.left.hides, found)):
            self._shown.append(Dot(page.left.choice.button("numbers"), page.theme))


class Classroom:
    """Shows what a player plays.

    Parameters
    ----------
    player : Player
    runs, models : RunTable, ModelTable
        Know Train and Model, once a lesson has come there.
    explore : ExploreRoom
    """

    def __init__(
        self,
        player: Player,
        runs: RunTable,
        models: ModelTable,
        explore: ExploreRoom,
    ) -> None:
        self.player = player
        self._runs, self._models = runs, models
        self._explore = explore
        self._outlines = Outlines()
        self._beside: set[RoomPage] = set()  # where the panel is shown
        self._chosen: WeakSet[FrameView[Any]] = WeakSet()  # where a step chose the camera
        self._brought: object = None  # the page whose parts were brought into view
        player.changed.connect(self.show)
        player.put.connect(self._look)

    def open(self, source: Path | Lesson) -> bool:
        """Begin a lesson, of a file or as it is; return whether that was done."""
        self._beside.clear()  # it is shown anew where something else was chosen
        done = self.player.open(source)
        if done:
            self._explore.page.error_bar.hide()  # it spoke of what was there before
        self.show()
        return done

    def move(self) -> None:
        """Show the lesson that is open in a page too that was made anew."""
        rooms = self._explore, self._runs.train, self._models.room
        self._beside &= {room.page for room in rooms if room is not None}
        self.show()

    def show(self) -> None:
        """Show the page that is open, or the numbers alone when the lesson is left."""
        player, page, train = self.player, self._explore.page, self._runs.train
        if not player.playing:
            self._leave()
            return
        if self._show_beside(page, LessonPanel):
            page.plane.moved.connect(player.note_moved)
            page.results.matrices.arranged.connect(self._outline)
        assert page.lesson is not None
        self._explore.clock.redraw(page.lesson)
        if train is not None:
            if self._show_beside(train.page, RunLessonPanel):
                train.page.graph.moved.connect(player.note_moved)
            train.page.graph.spare_page_keys(True)
            assert train.page.lesson is not None
            train.clock.redraw(train.page.lesson)
            train.clock.flush()  # which parts there are to outline is seen once they are drawn
        if (model := self._models.room) is not None:
            self._show_beside(model.page, ModelLessonPanel)
            assert model.page.lesson is not None
            model.clock.redraw(model.page.lesson)
        self._outline()

    def _outline(self) -> None:
        """Outline what the open page mentions, where it stands now."""
        player = self.player
        there = {"trace": self._runs.train, "model": self._models.room}.get(player.kind)
        here: RoomPage = self._explore.page if there is None else there.page
        self._outlines.show(player.highlight, here)
        now = player.lesson, player.place, player.hides
        if now == self._brought:
            return  # by hand something else may have been chosen since
        self._brought = now
        if player.fills or player.hides:
            here.reveal([here.right if player.fills else here.middle])
        else:
            named = (here.part(name) for name in player.highlight)
            found = here.reveal([widget for widget in named if widget is not None])
            if player.highlight and not found:  # the inputs, say, whose points the picture shows
                here.reveal([here.middle])

    def _show_beside(self, page: RoomPage, panel: type[LessonPanel]) -> bool:
        """Show the panel in the left of a page; return whether it was made, as there was none."""
        if page in self._beside:
            return False
        self._beside.add(page)
        fresh = page.lesson is None
        page.show_lesson(partial(panel, self.player.sheet))
        lesson = self.player.lesson
        page.widen_left(_FOR_CODE if lesson is not None and lesson.code else 1.0)
        page.pin_left(True)
        if fresh:
            page.left.turned.connect(self._outline)
        return fresh

    def _leave(self) -> None:
        self._outlines.show((), self._explore.page)
        for page in self._beside:
            page.pin_left(False)
            page.left.leave_lesson()
            page.widen_left(1.0)
        if self._runs.train is not None:
            self._runs.train.page.graph.spare_page_keys(False)
        self._beside.clear()
        self._chosen.clear()

    def aim(self, picture: FrameView[Any], *, anew: bool = False) -> None:
        """Look at a picture from where the open page says; where none says so any more, at all.

        anew : whether it shows something else than before, so that all of that is looked at too
        """
        player, camera = self.player, self.player.camera
        if not player.playing:
            return
        given_up = anew or picture in self._chosen
        if player.kind == "trace":
            from explorer.rooms.train.graph import GraphView

            if not isinstance(picture, GraphView):
                return  # the page is about another picture
            if isinstance(camera, Turn):
                picture.look_from(camera.azimuth, camera.elevation, camera.zoom)
            elif given_up:
                picture.reset()
        elif isinstance(picture, PlaneView):
            if isinstance(camera, Pan):
                picture.look_at(camera.x, camera.y, camera.zoom)
            elif camera == "fit" or given_up:
                picture.fit()
            else:
                picture.keep_in_sight()
        (self._chosen.discard if camera is None else self._chosen.add)(picture)

    def _look(self, anew: bool) -> None:
        if self.player.kind == "model":
            return
        train = self._runs.train if self.player.kind == "trace" else None
        self.aim(self._explore.page.plane if train is None else train.page.graph, anew=anew)
