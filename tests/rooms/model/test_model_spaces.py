"""The spaces of a head: where its vectors are drawn, which have names, and what clicks ask for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from explorer.kit.theme import Theme
from explorer.rooms.model.spaces import SpacesView
from explorer.session import Space
from explorer.session.model.frame import ModelCursor, ModelFrame, ModelLook
from explorer.session.model.intents import SelectPair
from tests.model_frames import WORDS, file_frame
from tests.proofreading import written_on
from tests.showing import asked_of

Shown = Callable[..., tuple[SpacesView, list[object]]]


@pytest.fixture
def shown(qtbot: QtBot) -> Shown:
    def show(frame: ModelFrame) -> tuple[SpacesView, list[object]]:
        view = SpacesView(Theme())
        return view, asked_of(qtbot, view, 784, 500, frame)

    return show


def test_points_lie_as_their_principal_components_do(shown: Shown) -> None:
    frame = file_frame()
    view, _intents = shown(frame)
    assert frame.head is not None
    v = np.asarray(frame.head.arrays.v)
    centred = v - v.mean(axis=0)
    # Distances in the plane of the two largest singular values, up to one scale.
    left, singular, _right = np.linalg.svd(centred, full_matrices=False)
    wanted = left[:, :2] * singular[:2]
    drawn = np.array(
        [view.values.point_at(Space.V, place).toTuple() for place in range(len(WORDS))]
    )

    def distances(points: np.ndarray) -> np.ndarray:
        apart = np.linalg.norm(points[:, None] - points[None], axis=-1)
        return np.asarray(apart / apart.max())

    np.testing.assert_allclose(distances(drawn), distances(wanted), atol=1e-6)


def test_a_title_that_has_no_room_is_shorter_and_never_cut(shown: Shown) -> None:
    view, _intents = shown(file_frame())
    pane = view.matching
    for width, title in ((420, "Q and K: queries and keys in one plane"), (200, "Q and K")):
        pane.resize(width, 300)
        found = next(each for each in written_on(pane) if each.text.startswith("Q and K"))
        assert found.text == title
        assert found.box.right() <= width


def test_a_query_asks_and_a_key_is_selected(shown: Shown) -> None:
    frame = file_frame(cursor=ModelCursor(query=3), look=ModelLook(pinned=(6,)))
    view, intents = shown(frame)
    left = Qt.MouseButton.LeftButton
    QTest.mouseClick(view.matching, left, pos=view.matching.point_at(Space.Q, 3).toPoint())
    QTest.mouseClick(view.matching, left, pos=view.matching.point_at(Space.K, 6).toPoint())
    asked, selected = (intent for intent in intents if isinstance(intent, SelectPair))
    assert asked.query == 3
    assert selected == SelectPair(3, 6)


def test_of_many_tokens_only_those_with_a_colour_have_names(shown: Shown) -> None:
    frame = file_frame(tuple(f"w{n}" for n in range(300)), look=ModelLook(pinned=(7, 8)))
    view, _intents = shown(frame)
    assert set(view.values.names) <= {"w7", "w8"}
    assert view.values.names
    view.draw(replace(frame, hover=(None, 200)))
    assert "w200" in view.values.names


def test_without_vectors_it_says_so(shown: Shown) -> None:
    view, _intents = shown(file_frame(vectors=False))
    assert view.note.isVisible()
    assert view.note.text().startswith("This run does not hold q, k or v")
    assert not view.matching.isVisible()
    view.draw(file_frame())
    assert view.matching.isVisible()
    assert not view.note.isVisible()
