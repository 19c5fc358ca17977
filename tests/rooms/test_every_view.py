"""What holds for every view, on every awkward frame; a new view is one line here."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QBuffer, QIODevice, QPoint
from PySide6.QtGui import QPainter
from PySide6.QtSvg import QSvgGenerator
from pytestqt.qtbot import QtBot

from explorer.kit.base import View
from explorer.kit.preview import SAMPLE
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
from tests.rooms.conftest import AWKWARD
from tests.sampled import checkered
from tests.showing import THEMES, asked_of, assert_dies_when_closed, assert_drawn_alike
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


@pytest.mark.parametrize(
    ("view_class", "awkward_frame"), checkered(VIEWS, AWKWARD), indirect=["awkward_frame"]
)
def test_a_frame_is_drawn_twice_alike_in_any_theme_and_emits_nothing(
    qtbot: QtBot, view_class: type[View], awkward_frame: Frame
) -> None:
    assert_drawn_alike(qtbot, view_class(THEMES[0]), 836, 704, awkward_frame, waits=False)


def test_a_view_can_be_exported_as_vectors(
    qtbot: QtBot, view_class: type[View], plain_frame: Frame
) -> None:
    view = view_class(THEMES[0])
    asked_of(qtbot, view, 836, 704, plain_frame)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setSize(view.size())
    with QPainter(generator) as painter:
        view.render(painter, QPoint())
    assert b"<path" in buffer.data().data() or b"<text" in buffer.data().data()


def test_a_closed_view_dies(qtbot: QtBot, view_class: type[View], plain_frame: Frame) -> None:
    assert_dies_when_closed(qtbot, [view_class(THEMES[0])], plain_frame)
