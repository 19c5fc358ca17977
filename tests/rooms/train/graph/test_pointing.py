"""Pointing at the word graph under a real mouse and keyboard: intents out, and what is seen."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtWidgets import QApplication

from explorer.session.intents import Hover, Select
from explorer.session.look import Role, Selection
from explorer.session.train.intents import HoverWord, SelectWord
from tests.rooms.train.graph.conftest import EMPTY, Table


def positions(table: Table, *words: int) -> tuple[int, ...]:
    """Return the places in the sample of words of the vocabulary."""
    names = [table.frame.vocabulary[word] for word in words]
    return tuple(table.frame.words.index(name) for name in names)


def test_a_click_selects_a_word_once(table: Table) -> None:
    table.click(table.word("dog"))
    dog = table.frame.vocabulary.index("dog")
    assert table.intents == [SelectWord(dog)]
    table.view.draw(replace(table.frame, word=dog))
    table.click(table.word("dog"))
    assert table.intents == [SelectWord(dog)]


def test_a_click_on_an_edge_selects_its_cell(table: Table) -> None:
    query, key, at = table.chip()
    table.click(at)
    i, j = positions(table, query, key)
    assert table.intents == [Select(Selection(Role.A, query=i, key=j))]


@pytest.mark.parametrize("how", ["click", "escape"])
def test_an_empty_click_clears(table: Table, how: str) -> None:
    table.view.draw(replace(table.frame, word=2, selection=Selection(Role.A, 0, 1)))
    if how == "click":
        table.click(EMPTY)
    else:
        table.key(Qt.Key.Key_Escape)
    assert table.intents == [SelectWord(None), Select(None)]
    table.intents.clear()
    table.view.draw(table.frame)
    table.click(EMPTY)
    assert table.intents == []


def test_hovering_an_edge_tells_the_others_and_leaving_takes_it_back(table: Table) -> None:
    query, key, at = table.chip()
    before = table.view.drawing
    table.hover(at)
    i, j = positions(table, query, key)
    assert table.intents == [Hover(Selection(Role.A, query=i, key=j))]
    faded = [
        a.row
        for a, b in zip(before.markers, table.view.drawing.markers, strict=True)
        if a.colour != b.colour
    ]
    assert set(faded) == set(range(8)) - {query, key}
    QApplication.sendEvent(table.view.viewport(), QEvent(QEvent.Type.Leave))
    assert table.intents[-1] == Hover(None)
    assert table.view.drawing == before


def test_hovering_a_word_tells_the_others_once_and_leaving_takes_it_back(table: Table) -> None:
    at = table.word("dog")
    table.hover(at)
    table.hover(at + QPoint(1, 0))
    dog = table.frame.vocabulary.index("dog")
    assert table.intents == [HoverWord(dog)]
    assert [m.row for m in table.view.drawing.markers if m.hovered] == [dog]
    QApplication.sendEvent(table.view.viewport(), QEvent(QEvent.Type.Leave))
    assert table.intents == [HoverWord(dog), HoverWord(None)]


def test_a_word_hovered_elsewhere_is_seen_here(table: Table) -> None:
    before = table.view.drawing
    table.view.draw(replace(table.frame, hover_word=3))
    assert [m.row for m in table.view.drawing.markers if m.hovered] == [3]
    assert [t.x for t in table.view.drawing.texts] == [t.x for t in before.texts]
    table.view.draw(table.frame)
    assert table.view.drawing == before


def test_what_is_hovered_elsewhere_is_seen_here(table: Table) -> None:
    before = table.view.drawing
    table.view.draw(replace(table.frame, hover=Selection(Role.A, 0, 1)))
    assert table.view.drawing.markers != before.markers
    assert [t.x for t in table.view.drawing.texts] == [t.x for t in before.texts]
    table.view.draw(table.frame)
    assert table.view.drawing == before


def test_page_keys_go_through_the_words(table: Table) -> None:
    table.key(Qt.Key.Key_PageDown)
    table.view.draw(replace(table.frame, word=0))
    table.key(Qt.Key.Key_PageDown)
    table.key(Qt.Key.Key_PageUp)
    assert table.intents == [SelectWord(0), SelectWord(1), SelectWord(7)]


def test_a_selected_edge_is_outlined(table: Table) -> None:
    query, key, _at = table.chip()
    thing = Selection(Role.A, *positions(table, query, key))
    table.view.draw(replace(table.frame, selection=thing))
    chips = [c for c in table.view.drawing.chips if c.selected]
    assert [(chip.query, chip.key) for chip in chips] == [(query, key)]
