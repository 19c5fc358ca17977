"""What of the window in front can move, and the dialog that saves it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from explorer.app.moving.dialog import MovingDialog, Subject
from explorer.app.moving.films import PAGE_SECONDS, GestureRecorder, run_film, way_film
from explorer.importers import Kind, importer_of
from explorer.session import Scene
from explorer.session.views import picture_titles
from explorer.text import N_, Problem, _, displayable

if TYPE_CHECKING:
    from explorer.app.dialogs import QtDialogs
    from explorer.app.playing import Playing
    from explorer.app.rooms import Rooms
    from explorer.app.window import MainWindow


def show_moving(
    window: MainWindow,
    rooms: Rooms,
    playing: Playing,
    gestures: GestureRecorder,
    dialogs: QtDialogs,
) -> None:
    """Open the dialog over the window; say so where nothing of what is in front can move."""
    subjects: dict[str, Subject] = {}
    explore = rooms.explore
    film_of = partial(way_film, explore.session, explore.page.plane.hold)
    if playing.pages:
        seconds = PAGE_SECONDS * playing.pages
        subjects["lesson"] = Subject(
            _("The lesson"), lambda _stills: playing.film(), seconds, ("window",)
        )
    train, session = rooms.train, None
    if train is not None and rooms.front is train:
        run = train.session
        if len(run.frame.recorded) > 1:
            subjects["run"] = Subject(_("The run"), lambda _stills: run_film(run))
    elif rooms.front is rooms.explore:
        session = explore.session
        drag = gestures.last
        if drag is not None:
            subjects["drag"] = Subject(
                _("The last drag"),
                partial(film_of, drag.at),
                max(0.5, round(drag.seconds, 1)),
            )
    if not subjects and session is None:
        window.tell(Problem(N_("There is no run to play yet: train one, or open one.")))
        return

    def ask_scene() -> tuple[str, Scene] | None:
        path = rooms.explore.document.ask_open()
        if path is None:
            return None
        importer = importer_of(path)
        if importer.kind is not Kind.SCENE:
            raise Problem(N_("{file} is not a scene."), file=displayable(path.name))
        return path.stem, importer.load(path)

    MovingDialog(
        window.theme,
        window,
        subjects,
        session,
        film_of,
        window.seen_pictures,
        {name: _(title) for name, title in picture_titles().items()},
        rooms.front.page.main_picture,
        window.flush,
        lambda suffix: dialogs.ask_moving(rooms.front.document.title, suffix),
        ask_scene,
    ).open()
