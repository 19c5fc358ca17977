"""Looking with the mouse in the window: the plane nearer and whole, the pairs in order."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QToolButton

from explorer.attention import attend
from explorer.kit.table.listing import ListTable
from explorer.rooms.explore.results.lists import DISTANCE, PAIR, WEIGHT
from explorer.session import ResultsTab, Space
from explorer.text import display_number
from tests.window.conftest import NO_KEY, Person

ONE_WINDOW = True  # which begins anew for each test


def wheel(person: Person, at: QPoint, notches: int) -> None:
    viewport = person.plane.viewport()
    event = QWheelEvent(
        QPointF(at),
        QPointF(viewport.mapToGlobal(at)),
        QPoint(),
        QPoint(0, 120 * notches),
        Qt.MouseButton.NoButton,
        NO_KEY,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(viewport, event)
    person.settle()


def places(person: Person) -> np.ndarray:
    """Return where the tokens' points stand, shape (T, 2), px."""
    points = [person.plane.screen_point(Space.X, token) for token in range(4)]
    return np.array([(point.x(), point.y()) for point in points])


def test_the_wheel_zooms_about_the_pointer_and_fit_shows_everything_again(person: Person) -> None:
    before, seen = places(person), person.picture()
    wheel(person, person.point(Space.X, 0), 2)
    nearer = places(person)
    np.testing.assert_allclose(nearer[0], before[0], atol=1)
    spread = np.linalg.norm(nearer - nearer[0], axis=1)[1:]
    factors = spread / np.linalg.norm(before - before[0], axis=1)[1:]
    np.testing.assert_allclose(factors, 1.2**2, rtol=0.02)
    assert person.picture() != seen

    fit = person.plane.findChild(QToolButton, "fit")
    person.click(fit, fit.rect().center())
    np.testing.assert_allclose(places(person), before, atol=0.01)
    person.plane.viewport().setFocus()
    assert person.picture() == seen


@pytest.fixture
def pairs(person: Person) -> ListTable:
    results = person.window.explore_page.results
    button = results.tabs.button(ResultsTab.PAIRS)
    person.click(button, button.rect().center())
    assert results.pairs.isVisible()
    return results.pairs


def column(table: ListTable, number: int) -> list[str]:
    model = table.model()
    return [model.index(row, number).data() for row in range(model.rowCount())]


def test_the_distance_of_a_pair(pairs: ListTable) -> None:
    distances = dict(zip(column(pairs, PAIR), column(pairs, DISTANCE), strict=True))
    assert len(distances) == 16
    assert distances["cat → cloud"] == distances["cloud → cat"] == "2.012"


def test_pairs_are_sorted_by_a_click_on_a_heading(person: Person, pairs: ListTable) -> None:
    counted = column(pairs, PAIR)
    header = pairs.horizontalHeader()
    x = header.sectionViewportPosition(WEIGHT) + header.sectionSize(WEIGHT) // 2
    scene = person.session.scene
    weights = attend(scene.X, scene.Wq, scene.Wk, scene.Wv).weights[0].ravel()
    orders = (np.argsort(-weights, kind="stable"), np.argsort(weights, kind="stable"))
    for order in (*orders, np.arange(16)):  # largest first, smallest first, as counted
        person.click(header.viewport(), QPoint(x, header.height() // 2))
        assert column(pairs, WEIGHT) == [display_number(weights[pair], 3) for pair in order]
        assert column(pairs, PAIR) == [counted[pair] for pair in order]
