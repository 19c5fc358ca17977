"""What holds for every picture of Model, on every awkward frame; a new view is one line here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from explorer.rooms.model.atlas import AtlasView
from explorer.rooms.model.base import ModelView
from explorer.rooms.model.centre_bar import CentreBar
from explorer.rooms.model.chain import ModelChain
from explorer.rooms.model.empty import EmptyView
from explorer.rooms.model.flow import FlowView
from explorer.rooms.model.head_panel import HeadPanel
from explorer.rooms.model.long_text import TextView
from explorer.rooms.model.matrix import MatrixView
from explorer.rooms.model.next_token import NextTokenView
from explorer.rooms.model.page import ProgressBar
from explorer.rooms.model.spaces import SpacesView
from explorer.rooms.model.strip import ModelStrip
from explorer.rooms.model.text_panel import TextPanel
from explorer.rooms.model.whole_head import WholeHead
from explorer.session.model.frame import ModelCursor, ModelFrame, ModelLook
from tests.model_frames import WORDS, file_frame, weights
from tests.sampled import checkered
from tests.showing import THEMES, assert_dies_when_closed, assert_drawn_alike, picture_of

VIEWS: tuple[type[ModelView], ...] = (
    AtlasView,
    CentreBar,
    EmptyView,
    FlowView,
    HeadPanel,
    MatrixView,
    ModelChain,
    ModelStrip,
    NextTokenView,
    ProgressBar,
    SpacesView,
    TextPanel,
    TextView,
    WholeHead,
)


def _causal() -> ModelFrame:
    made = np.tril(weights(9))
    return file_frame(WORDS[:9], given={"weights": made / made.sum(axis=-1, keepdims=True)})


AWKWARD: dict[str, Callable[[], ModelFrame]] = {
    "empty": ModelFrame,
    "calm": file_frame,
    "a query": lambda: file_frame(cursor=ModelCursor(query=3)),
    "a pair": lambda: file_frame(cursor=ModelCursor(1, 1, 3, 5), look=ModelLook(pinned=(3, 5))),
    "hovered": lambda: file_frame(cursor=ModelCursor(query=3), hover=(4, 2)),
    "no head yet": lambda: replace(file_frame(cursor=ModelCursor(query=3)), head=None),
    "weights alone": lambda: file_frame(vectors=False, cursor=ModelCursor(query=1)),
    "one token": lambda: file_frame(("a",), ModelCursor(query=0, key=0)),
    "two texts": lambda: file_frame(WORDS[:3], ModelCursor(query=1), key_words=WORDS[3:]),
    "causal": _causal,
    "300 tokens": lambda: file_frame(WORDS * 25, ModelCursor(query=200, key=4)),
    "a window beyond the end": lambda: file_frame(
        WORDS * 4, look=ModelLook(window=(500, 900, 2000))
    ),
    "40 letters": lambda: file_frame(("W" * 40, "i" * 40), ModelCursor(query=0)),
    "scripts": lambda: file_frame(("我", "喜欢", "👩‍👩‍👧", "مرحبا"), ModelCursor(query=1)),
    "markup": lambda: file_frame(
        ("<b>s</b>", "&amp;", "\u202eabc", "\n", " "), ModelCursor(query=2)
    ),
    "without special tokens": lambda: file_frame(look=ModelLook(special=False)),
}


@pytest.fixture
def frame(request: pytest.FixtureRequest) -> ModelFrame:
    return AWKWARD[request.param]()


@pytest.fixture(params=VIEWS, ids=lambda view: view.__name__)
def view_class(request: pytest.FixtureRequest) -> type[ModelView]:
    chosen: type[ModelView] = request.param
    return chosen


@pytest.mark.parametrize(("view_class", "frame"), checkered(VIEWS, AWKWARD), indirect=["frame"])
def test_a_frame_is_drawn_twice_alike_in_any_theme_and_emits_nothing(
    qtbot: QtBot, view_class: type[ModelView], frame: ModelFrame
) -> None:
    view = view_class(THEMES[0])
    first = assert_drawn_alike(qtbot, view, 784, 640, frame, ModelFrame())
    assert picture_of(view) == first


def test_a_closed_view_dies(qtbot: QtBot, view_class: type[ModelView]) -> None:
    assert_dies_when_closed(qtbot, [view_class(THEMES[0])], file_frame())
