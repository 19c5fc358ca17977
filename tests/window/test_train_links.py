"""What is pointed at in one view of Train is seen in the others."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QAbstractButton

from explorer.session import Role, Selection


@pytest.fixture
def shown(learner):
    """Show an epoch of the example at which every weight of head 1 is drawn."""
    learner.scrub(30)
    learner.session.go(head=0)
    learner.session.look_at(threshold=0.0)
    learner.settle()
    return learner


def faded(learner) -> set[str]:
    """Return the words of the graph that are not in their own colour."""
    content = learner.page.graph._content
    markers = learner.page.graph.drawing.markers
    vocabulary = learner.frame.vocabulary
    return {vocabulary[m.row] for m in markers if m.colour != content.colours[m.row]}


def test_a_cell_is_an_edge_of_the_graph_and_back(shown):
    heads, graph = shown.page.sample.heads, shown.page.graph
    shown.point_at(heads, heads.mosaic.cell(0, 1, 0).center().toPoint())
    assert shown.frame.hover == Selection(Role.A, 1, 0)
    others = {"bird", "bone", "dog", "eats", "fish", "worm"}
    assert faded(shown) == others  # all but cat and likes
    shown.point_at(shown.window.topbar, QPoint(1, 1))
    assert shown.frame.hover is None
    assert faded(shown) == set()

    word = shown.frame.vocabulary.index
    before = shown.picture(heads)
    shown.point_at(graph.viewport(), graph.chip_rect(word("likes"), word("cat")).center().toPoint())
    assert shown.frame.hover == Selection(Role.A, 1, 0)
    assert faded(shown) == others
    assert heads.grab().toImage() != before
    shown.point_at(shown.window.topbar, QPoint(1, 1))
    assert shown.frame.hover is None
    assert shown.picture(heads) == before


def test_a_bar_is_a_word_of_the_graph_and_back(shown):
    words, graph = shown.page.sample.next_word, shown.page.graph
    bar = words.bars[1]
    shown.point_at(words, words.row(1).center().toPoint())
    assert shown.frame.hover_word == bar.word
    assert [marker.row for marker in graph.drawing.markers if marker.hovered] == [bar.word]
    assert bar.name not in faded(shown)
    assert faded(shown)
    shown.point_at(shown.window.topbar, QPoint(1, 1))
    assert shown.frame.hover_word is None
    assert faded(shown) == set()

    before = shown.picture(words)
    shown.point_at(graph.viewport(), graph.screen_point(bar.word).toPoint())
    assert shown.frame.hover_word == bar.word
    assert words.grab().toImage() != before
    shown.point_at(shown.window.topbar, QPoint(1, 1))
    assert shown.picture(words) == before


def test_the_curve_is_read_under_the_mouse_and_nothing_moves(shown):
    before = shown.picture(shown.chart)
    epoch = shown.frame.epoch
    shown.point_at(shown.chart, QPoint(round(shown.chart.plot.x(120)), shown.chart.height() // 2))
    assert shown.chart.grab().toImage() != before
    assert shown.frame.epoch == epoch
    shown.point_at(shown.window.topbar, QPoint(1, 1))
    assert shown.picture(shown.chart) == before


def test_every_button_on_top_says_what_it_does(shown):
    buttons = shown.window.topbar.findChildren(QAbstractButton)

    def names() -> list[str]:
        return [button.accessibleName() or button.text() for button in buttons]

    assert all(names())
    shown.type_parameter("seed", "8")
    assert "Undo change Seed" in names()
    shown.window.actions_by_name["undo"].trigger()
    assert "Redo change Seed" in names()
    assert all(names())
    assert all(button.toolTip() for button in buttons)
