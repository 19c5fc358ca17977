"""What holds for every view, on every awkward frame; a new view is one line here."""

from __future__ import annotations

import gc
import weakref

import pytest
from PySide6.QtCore import QBuffer, QIODevice, QPoint
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgGenerator
from pytestqt.qtbot import QtBot

from explorer.kit.base import View
from explorer.kit.preview import SAMPLE
from explorer.kit.theme import Theme
from explorer.rooms import explore
from explorer.rooms.explore.chain import ChainView
from explorer.rooms.explore.compare import CompareView
from explorer.rooms.explore.inputs.view import InputsView
from explorer.rooms.explore.plane import PlaneView
from explorer.rooms.explore.results import ResultsView
from explorer.rooms.explore.sqrt_d import SqrtDView
from explorer.rooms.explore.strip import StripView
from explorer.session import (
    Edges,
    Frame,
    Look,
    Role,
    Selection,
    Space,
    Stage,
    resolve,
)
from tests.views_of import views_of

VIEWS: tuple[type[View], ...] = (
    ChainView,
    CompareView,
    InputsView,
    PlaneView,
    ResultsView,
    SqrtDView,
    StripView,
)
THEMES = (Theme(), Theme(dark=True, percent=150))


def test_every_view_of_the_room_is_here() -> None:
    assert views_of(explore, View) | {ChainView} == set(VIEWS)


@pytest.fixture(params=VIEWS, ids=lambda view: view.__name__)
def view_class(request: pytest.FixtureRequest) -> type[View]:
    chosen: type[View] = request.param
    return chosen


@pytest.fixture
def plain_frame() -> Frame:
    look = Look(Stage.S, frozenset({Space.Q, Space.K}), Edges.SCORES)
    return resolve(SAMPLE, look, Selection(Role.S, 0, 3))


def shown(qtbot: QtBot, view_class: type[View], theme: Theme = THEMES[0]) -> View:
    view = view_class(theme)
    qtbot.addWidget(view)
    view.resize(836, 704)
    with qtbot.waitExposed(view):
        view.show()
    return view


def picture(view: View) -> QImage:
    return view.grab().toImage()


def test_a_frame_is_drawn_twice_alike_and_emits_nothing(
    qtbot: QtBot, view_class: type[View], awkward_frame: Frame
) -> None:
    view = shown(qtbot, view_class)
    emitted: list[object] = []
    view.intent.connect(emitted.append)
    view.draw(awkward_frame)
    first = picture(view)
    view.draw(awkward_frame)
    assert picture(view) == first
    assert emitted == []


def test_any_theme_draws_any_frame(
    qtbot: QtBot, view_class: type[View], awkward_frame: Frame
) -> None:
    view = shown(qtbot, view_class)
    view.draw(awkward_frame)
    light = picture(view)
    view.retheme(THEMES[1])
    view.draw(awkward_frame)
    assert picture(view) != light


def test_a_view_can_be_exported_as_vectors(
    qtbot: QtBot, view_class: type[View], plain_frame: Frame
) -> None:
    view = shown(qtbot, view_class)
    view.draw(plain_frame)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setSize(view.size())
    painter = QPainter(generator)
    view.render(painter, QPoint())
    painter.end()
    assert b"<path" in buffer.data().data() or b"<text" in buffer.data().data()


def test_a_closed_view_dies(qtbot: QtBot, view_class: type[View], plain_frame: Frame) -> None:
    view = view_class(THEMES[0])
    view.resize(836, 704)
    with qtbot.waitExposed(view):
        view.show()
    view.draw(plain_frame)
    reference = weakref.ref(view)
    view.close()
    view.deleteLater()
    del view
    qtbot.waitUntil(lambda: gc.collect() >= 0 and reference() is None)
