"""Paints the real window, or one of its views, into a picture without a screen."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.cli.animate import Animation, way_of
from explorer.cli.looked_at import cursor_of, look_of, selection_of, sequence_of, token_place
from explorer.exporters.figure import Figure
from explorer.lessons.lesson import Lesson
from explorer.lessons.steps import first_scene
from explorer.models.run import check_head
from explorer.resources import example
from explorer.session import (
    Centre,
    Matrix,
    Scene,
    Session,
    read_scene,
)
from explorer.session.train import AVERAGE
from explorer.session.views import EXPLORE, MODEL, TRAIN, ModelCentre, TrainCentre, rendered
from explorer.text import N_, Listing, Message, Problem, _, displayable
from explorer.traces import Trace

if TYPE_CHECKING:
    from PySide6.QtGui import QImage
    from PySide6.QtWidgets import QApplication

    from explorer.app.moving.films import Film, Pace
    from explorer.app.window import MainWindow

# What `MainWindow.pictures` holds with a scene, a trace or a model in front: known before there is
# a window.
VIEWS, TRACE_VIEWS, MODEL_VIEWS = rendered(EXPLORE), rendered(TRAIN), rendered(MODEL)


def render(
    scene: Scene,
    path: Path,
    *,
    size: tuple[int, int] = (1440, 900),
    dark: bool = False,
    view: str = "window",
    select: str | None = None,
    show: str | None = None,
    stage: str | None = None,
    edges: str | None = None,
    head: int | None = 1,
    sequence: int | None = None,
    movement: str | None = None,
    percent: int = 100,
    animation: Animation | None = None,
    figure: Figure | None = None,
) -> None:
    """Paint a scene as the window shows it.

    Parameters
    ----------
    path : Path
        A file whose suffix is one of `pictures.PICTURES`.
    size : (int, int)
        Of the window, in pixels, whichever view is painted.
    view : str
        One of `VIEWS`.
    select : str, optional
        "cat:cloud" (a query and a key) or "cat"; names or numbers from 1 as "#1".
    show : str, optional
        Letters of the spaces to draw: "QK"; P is X + P.
    stage, edges : str, optional
        As in the window.
    head : int or None
        Counted from 1; None shows the weights as their mean over all heads.
    sequence : int, optional
        Counted from 1; the one that the file shows by default.
    movement : str, optional
        Wq, Wk or Wv: which is shown as a transformation of the plane.
    animation : Animation, optional
        Paint a picture that moves, into a file whose suffix is one of `exporters.moving.MOVING`.
    figure : Figure, optional
        Paint a figure for a paper, into a file whose suffix is one of `exporters.figure.FIGURES`.

    Raises Problem where an argument names what is not there or the file cannot be written.
    """
    _check_view(view, VIEWS)
    scene = sequence_of(scene, sequence)
    selection = None if select is None else selection_of(scene, select)
    look = look_of(scene, show, stage, edges, head)
    if movement is not None:
        if not scene.projected:
            raise Problem(N_("--movement {matrix}: the scene has no Wq, Wk, Wv."), matrix=movement)
        look = replace(look, movements=frozenset({Matrix(movement)}))
    if scene.view is not None and head == 1 and not any((show, stage, edges, select, movement)):
        # Nothing is asked for: as the file says.
        look, selection = scene.view.look, scene.view.selection
    for centre in Centre:
        if centre == view:
            look = replace(look, centre=centre)
    session = Session(scene)
    session.look_at(look)
    session.select(selection)
    with _window(session, dark, percent) as window:
        if animation is None:
            _paint(window, size, view, path, scene.title, figure)
            return
        from explorer.app.moving.films import way_film

        pace = animation.lasting()
        way = way_of(scene, animation.what, look.head)
        film = way_film(session, window.explore_page.plane.hold, way, pace.count)
        _film(window, size, view, path, film, pace)


def render_trace(
    trace: Trace,
    path: Path,
    *,
    title: str,
    size: tuple[int, int] = (1440, 900),
    dark: bool = False,
    view: str = "window",
    epoch: int | None = None,
    sample: int = 1,
    layer: int = 1,
    head: int | None = AVERAGE,
    percent: int = 100,
    animation: Animation | None = None,
    figure: Figure | None = None,
) -> None:
    """Paint a trace as the window shows it; nothing is trained.

    Parameters
    ----------
    path : Path
        A file whose suffix is one of `pictures.PICTURES`.
    title : str
        What the window calls it.
    size : (int, int)
        Of the window, in pixels, whichever view is painted.
    view : str
        One of `TRACE_VIEWS`.
    epoch : int, optional
        The nearest recorded one at or before it is shown; the last one by default.
    sample, layer : int
        Counted from 1.
    head : int or None
        Counted from 1; None is the average over all heads.
    animation : Animation, optional
        Play the run, into a file whose suffix is one of `exporters.moving.MOVING`.
    figure : Figure, optional
        As for `render`.

    Raises Problem where an argument names what is not there, the step cannot be shown, or the file
    cannot be written.
    """
    _check_view(view, TRACE_VIEWS)
    cursor = cursor_of(trace, epoch, sample, layer, head)

    from explorer.app.main import FIRST_SCENE

    session = Session(read_scene(example(FIRST_SCENE)))
    with _window(session, dark, percent) as window:
        train = window.show_train(warm=False)
        train.session.show(trace, displayable(title))
        train.session.go(
            step=cursor.step, sample=cursor.sample, layer=cursor.layer, head=cursor.head
        )
        for centre in TrainCentre:
            if centre == view:
                train.session.look_at(page=centre)
        bad = train.session.frame.bad
        if bad is not None:
            raise Problem.of(bad)
        if animation is None:
            _paint(window, size, view, path, title, figure)
            return
        from explorer.app.moving.films import run_film

        film = run_film(train.session)
        _film(window, size, view, path, film, animation.lasting(film.stills / animation.fps))


def render_lesson(
    lesson: Lesson,
    path: Path,
    animation: Animation,
    *,
    size: tuple[int, int] = (1440, 900),
    dark: bool = False,
    view: str = "window",
    percent: int = 100,
) -> tuple[Message, ...]:
    """Paint the pages of a lesson, one after the other, as the window shows them.

    Parameters
    ----------
    path : Path
        A file whose suffix is one of `exporters.moving.MOVING`.
    size : (int, int)
        Of the window, in pixels.
    view : str
        "window": the pages of a lesson may have no other view in common.

    Returns what is wrong with its steps; their pages say so. Raises Problem where something is
    wrong with every step, or the file cannot be written.
    """
    _check_view(view, ("window",))
    scene = first_scene(lesson)

    from explorer.app.main import FIRST_SCENE
    from explorer.app.moving.films import PAGE_SECONDS

    session = Session(scene or read_scene(example(FIRST_SCENE)))
    wrong: dict[str, Message] = {}
    with _window(session, dark, percent) as window:
        playing = window.playing

        def note() -> None:
            if (fault := playing.fault) is not None:
                wrong[str(fault)] = fault

        playing.changed.connect(note)
        playing.open(lesson)
        film = playing.film()
        _film(window, size, view, path, film, animation.lasting(PAGE_SECONDS * film.stills))
    return tuple(wrong.values())


def render_model(
    source: Path,
    path: Path,
    *,
    text: str = "",
    size: tuple[int, int] = (1440, 900),
    dark: bool = False,
    view: str = "window",
    head: tuple[int, int] | None = None,
    select: str | None = None,
    percent: int = 100,
    figure: Figure | None = None,
) -> None:
    """Paint a model's run as the window shows it.

    Parameters
    ----------
    source : Path
        A model folder or a file of arrays.
    path : Path
        A file whose suffix is one of `pictures.PICTURES`.
    text : str
        What the model is run on.
    view : str
        One of `MODEL_VIEWS`.
    head : (int, int), optional
        Layer and head, counted from 1; one that is worth looking at by default.
    select : str, optional
        A query and a key by name or number, "it:animal" or "#10:#3"; the head's strongest pair by
        default.

    Raises Problem where the model cannot be opened or run, an argument names what is not there, or
    the file cannot be written.
    """
    _check_view(view, MODEL_VIEWS)

    from explorer.app.main import FIRST_SCENE

    session = Session(read_scene(example(FIRST_SCENE)))
    with _window(session, dark, percent) as window:
        room = window.rooms.show_model()
        room.session.edit(text)
        room.open(source)
        room.runner.finish()
        frame = room.session.frame
        if frame.progress.problem is not None:
            raise Problem.of(frame.progress.problem)
        if frame.info is None or frame.run is None:
            raise Problem(N_("Name a text with --text: the model is run on it."))
        if head is not None:
            check_head(*head, frame.info.layers, frame.info.heads)
            room.session.go_to_head(head[0] - 1, head[1] - 1)
        if select is not None:
            query, colon, key = select.partition(":")
            names = tuple(piece.text for piece in frame.run.pieces)
            keys = tuple(piece.text for piece in frame.run.key_pieces)
            room.session.select(
                token_place(names, query), token_place(keys, key) if colon else None
            )
        for centre in ModelCentre:
            if centre == view:
                room.session.look_at(centre=centre)
        room.runner.finish()
        _paint(window, size, view, path, frame.info.title, figure)


def _check_view(view: str, views: tuple[str, ...]) -> None:
    if view not in views:
        raise Problem(
            N_("There is no view {view}. Choose one of {views}."),
            view=view,
            views=Listing.of(views),
        )


def without_screen() -> QApplication:
    """Return the application, made where there is none yet so that no screen shows it."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from explorer.app.main import application

    return application()


@contextmanager
def _window(session: Session, dark: bool, percent: int) -> Iterator[MainWindow]:
    """Yield a window that no screen shows and that reads and writes no settings, and close it."""
    without_screen()
    from explorer.app.main import assemble
    from explorer.app.settings import MemorySettings
    from explorer.kit.theme import Theme

    window = assemble(session, MemorySettings(), Theme(dark, percent))
    try:
        yield window
    finally:
        window.close()


def _paint(
    window: MainWindow,
    size: tuple[int, int],
    view: str,
    path: Path,
    title: str,
    figure: Figure | None,
) -> None:
    from explorer.app.pictures import save_picture

    _show(window, size)
    if figure is not None:
        from explorer.app.figure import save_figure

        if view == "window":
            raise Problem(N_("A figure shows one view: name it with --view."))
        save_figure(window.rooms.front, view, path, figure, title)
        return
    part = window.pictures()[view]
    if not part.isVisible():  # it is folded away where there is little room
        window.rooms.front.page.pin_left(True)
        _settle(window)
    save_picture(part, path, title)


def _film(
    window: MainWindow, size: tuple[int, int], view: str, path: Path, film: Film, pace: Pace
) -> None:
    """Paint what is shown one after the other."""
    from PySide6.QtCore import QEventLoop
    from tqdm import tqdm

    from explorer.app.main import application
    from explorer.app.moving.making import save_moving
    from explorer.app.pictures import image_of
    from explorer.exporters.moving import MOST_BYTES

    places = film.places(pace)
    if len(places) * size[0] * size[1] * 4 > MOST_BYTES:
        raise Problem(
            N_(
                "{count} pictures of {width} x {height} are too many: ask for fewer --seconds,"
                " a smaller --fps or a smaller --size."
            ),
            count=len(places),
            width=size[0],
            height=size[1],
        )
    _show(window, size)

    def images() -> Iterator[QImage]:
        for place in tqdm(places, unit=_(" pictures"), disable=None, leave=False):
            film.show(place)
            while not film.ready():
                application().processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
            _settle(window)
            yield image_of(window.pictures()[view])

    try:
        save_moving(images(), path, film.rate(pace), pace.loop)
    finally:
        film.back()


def _show(window: MainWindow, size: tuple[int, int]) -> None:
    window.resize(*size)
    window.show()
    window.setFocus()  # no part of a picture wears the ring of what has the focus
    _settle(window)


def _settle(window: MainWindow) -> None:
    """Let everything be drawn that is to be."""
    from explorer.app.main import application

    for _round in range(3):  # what is drawn can ask for other room, and that for another drawing
        application().processEvents()
        window.flush()
    application().processEvents()
