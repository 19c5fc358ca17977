"""The plane's switches, its pictures and its names for screen readers."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QListWidget, QToolButton
from pytestqt.qtbot import QtBot

from explorer.kit.plane.camera import Camera
from explorer.kit.plane.compose import compose
from explorer.kit.plane.words import point_names
from explorer.kit.preview import SAMPLE
from explorer.kit.theme import Theme
from explorer.session import Drag, Edges, Look, Role, Scene, Selection, Space, resolve
from explorer.session.intents import ChangeLook, ShowSpaces
from tests.rooms.explore.plane.conftest import OUTPUT, PAIR, SCORES, Table

# --- controls ------------------------------------------------------------------------------------


def _button(table: Table, text: str) -> QToolButton:
    return next(
        button for button in table.view.findChildren(QToolButton) if button.text().strip() == text
    )


def test_spaces_of_one_dimension_join(scores: Table) -> None:
    _button(scores, "V").click()
    _button(scores, "K").click()
    assert scores.taken(ShowSpaces) == [
        ShowSpaces(frozenset({Space.Q, Space.K, Space.V}), added=Space.V),
        ShowSpaces(frozenset({Space.Q})),
    ]


def test_the_last_space_stays(calm: Table) -> None:
    _button(calm, "X").click()
    assert calm.taken(ShowSpaces) == []
    assert _button(calm, "X").isChecked()


def test_a_space_of_another_dimension_is_shown_alone_and_says_so(qtbot: QtBot) -> None:
    W = np.ones((2, 3))
    table = Table(qtbot, resolve(SAMPLE.replace(Wq=W, Wk=W), Look()))
    assert "3 columns" in _button(table, "Q").toolTip()
    _button(table, "Q").click()
    assert table.taken(ShowSpaces) == [ShowSpaces(frozenset({Space.Q}), added=Space.Q)]


def test_edges_are_chosen_and_impossible_ones_say_why(qtbot: QtBot) -> None:
    table = Table(qtbot, resolve(SAMPLE, OUTPUT))
    _button(table, "None").click()
    assert table.taken(ChangeLook) == [ChangeLook({"edges": Edges.NONE})]
    assert not _button(table, "Scores").isEnabled()
    assert "Q and K" in _button(table, "Scores").toolTip()


# --- pictures ------------------------------------------------------------------------------------


def _colours(table: Table, at: QPoint, reach: int) -> set[str]:
    image = table.view.grab().toImage()
    ratio = image.devicePixelRatio()
    return {
        QColor(image.pixel(round(x * ratio), round(y * ratio))).name()
        for x in range(at.x() - reach, at.x() + reach + 1)
        for y in range(at.y() - reach, at.y() + reach + 1)
    }


def test_points_carry_their_tokens_colour_and_ghosts_do_not(scores: Table) -> None:
    fills = [Theme().slot(row).fill.lower() for row in range(4)]
    assert fills[0] in _colours(scores, scores.at(Space.Q, 0), 2)
    for row in range(4):
        assert fills[row] in _colours(scores, scores.at(Space.K, row), 2)
    for row in (2, 3):
        assert fills[row] not in _colours(scores, scores.at(Space.Q, row), 4)


@pytest.mark.parametrize("theme", [Theme(), Theme(dark=True)], ids=["light", "dark"])
def test_a_chip_has_the_colour_of_its_value(qtbot: QtBot, theme: Theme) -> None:
    frame = resolve(SAMPLE, SCORES, PAIR)
    table = Table(qtbot, frame, theme)
    for key in range(4):
        corner = table.view.chip_rect(0, key).topLeft().toPoint() + QPoint(6, 6)
        fill = theme.scores_map.fill(frame.shown_scores[0, key], frame.score_domain).name()
        assert fill in _colours(table, corner, 2)


def test_what_is_drawn_depends_on_the_frame_alone(scores: Table) -> None:
    first = scores.view.grab().toImage()
    scores.view.draw(resolve(SAMPLE, SCORES, Selection(Role.S, 2, 1), Selection(Role.X, 3)))
    moved = SAMPLE.replace(X=SAMPLE.X * 0.7)
    frame = resolve(SAMPLE, SCORES, PAIR)
    scores.view.draw(resolve(moved, SCORES, PAIR, drag=Drag(0, SAMPLE.X[0]), previous=frame))
    assert scores.view.grab().toImage() != first
    scores.view.draw(frame)
    assert scores.view.grab().toImage() == first


# --- names ---------------------------------------------------------------------------------------


def test_every_point_has_a_name_for_screen_readers(scores: Table, qtbot: QtBot) -> None:
    names = point_names(resolve(SAMPLE, SCORES))
    assert names[-1] == "k cloud at −0.62, 0.74"
    assert len(names) == 8
    points = scores.view.findChild(QListWidget)
    renamed = SAMPLE.replace(tokens=("dog", "likes", "fish", "cloud"))
    for frame in (resolve(SAMPLE), resolve(renamed), resolve(SAMPLE, SCORES)):
        scores.view.draw(frame)
        qtbot.waitUntil(
            lambda frame=frame: (
                [points.item(n).text() for n in range(points.count())] == point_names(frame)
            )
        )
    assert not scores.view.rect().intersects(points.geometry())
    assert "Q, K" in scores.view.viewport().accessibleDescription()


def test_a_projection_is_said(qtbot: QtBot) -> None:
    X = np.random.default_rng(0).normal(size=(5, 8))
    frame = resolve(Scene(tuple("abcde"), X))
    assert point_names(frame)[0].endswith("in the plane")
    table = Table(qtbot, frame)
    drawing = compose(frame, Theme(), Camera(0, 0, 100, 836, 704), 60).drawing
    percent = round(100 * float(frame.projection.explained.sum()))
    caption = f"PCA of 8 dimensions, {percent} % of the variance"
    assert caption in [text.word.text for text in drawing.texts]
    assert table.intents == []
