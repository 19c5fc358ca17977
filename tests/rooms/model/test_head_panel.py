"""The panel of the chosen head: its figures are the run's, and its pairs can be chosen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from explorer.kit.pieces import numbered
from explorer.kit.theme import Theme
from explorer.models.figures import PLACES, Kind
from explorer.models.switches import Put
from explorer.rooms.model.head_panel import HeadPanel
from explorer.session.model.frame import ModelCentre, ModelCursor, ModelFrame
from explorer.session.model.intents import (
    ChangeModelLook,
    EditHeadCopy,
    HoverPair,
    SelectPair,
    SwitchHead,
)
from explorer.session.model.switching import Switches
from tests.model_frames import array_run, file_frame, model_frame
from tests.showing import asked_of
from tests.train_views import click, colour_at, leave, move

THEME = Theme()
Panel = tuple[HeadPanel, list[object]]


@pytest.fixture
def panel(qtbot: QtBot) -> Panel:
    view = HeadPanel(THEME)
    return view, asked_of(qtbot, view, 372, 684, model_frame())


def test_the_figures_are_those_of_the_head_at_the_cursor(panel: Panel) -> None:
    view, _asked = panel
    frame = model_frame()
    assert frame.run is not None
    figures = frame.run.figures
    said = view.figures.accessibleDescription()
    assert f"entropy of a row {figures.entropy[1, 2]:.2f} of {figures.most[1]:.2f} bit" in said
    assert f"mean distance {figures.distance[1, 2]:.1f} tokens" in said
    for name, kind in (
        ("the token itself", Kind.SELF),
        ("the previous", Kind.PREVIOUS),
        ("the next", Kind.NEXT),
        ("[CLS]", Kind.FIRST),
        ("[SEP]", Kind.END),
    ):
        assert f"{name} {figures.places[1, 2, PLACES.index(kind)]:.2f}" in said
    assert view.pill.text() == frame.run.kinds[1][2].value


def test_a_bar_is_as_long_as_its_number(panel: Panel) -> None:
    view, _asked = panel
    frame = model_frame()
    assert frame.run is not None
    value = float(frame.run.figures.places[1, 2, PLACES.index(Kind.FIRST)])
    track = view.figures.bar(3)
    assert track.width() == 176
    end = track.left() + value * track.width()
    fill = THEME.weights_map.fill(0.5, 1)
    middle = int(track.center().y())
    assert colour_at(view.figures, QPoint(int(end) - 3, middle)) == fill
    assert colour_at(view.figures, QPoint(int(end) + 3, middle)) == THEME.color("hover")


def test_the_rule_stands_in_a_tooltip(panel: Panel) -> None:
    view, _asked = panel
    assert ".60" in view.figures.text_at(view.figures.bar(0).center())
    assert view.pill.toolTip()


def test_a_model_without_special_tokens_has_four_bars(panel: Panel) -> None:
    view, _asked = panel
    view.draw(model_frame(array_run(("a", "b", "c")), ModelCursor(0, 0, 1, 2)))
    said = view.figures.accessibleDescription()
    assert "first" in said
    assert "end" not in said
    assert "SEP" not in said


def test_the_selected_pair_has_its_weight_and_its_rank(panel: Panel) -> None:
    view, _asked = panel
    frame = model_frame()
    assert frame.head is not None
    assert frame.pair is not None
    weight = frame.head.arrays.weights[2, 7]
    assert view.pair.said == f"animal → street {weight:.3f}"
    rank = 1 + int((frame.pair.weights > weight).sum())
    expected = "largest of the 6 heads" if rank == 1 else f"rank {rank} of the 6 heads"
    assert view.rank.text() == expected
    layer, head = np.unravel_index(int(frame.pair.weights.argmax()), frame.pair.weights.shape)
    view.draw(model_frame(cursor=ModelCursor(int(layer), int(head), 2, 7)))
    assert view.rank.text() == "largest of the 6 heads"
    view.draw(replace(frame, cursor=ModelCursor(1, 2), pair=None))
    assert view.rank.text() == ""
    assert view.pair.said == "Choose a cell, or a row below"


def test_a_click_or_an_arrow_selects_one_of_the_strongest_pairs(panel: Panel) -> None:
    view, asked = panel
    frame = model_frame()
    assert frame.head is not None
    pairs = [SelectPair(pair.query, pair.key) for pair in frame.head.pairs]
    assert len(pairs) == 7
    click(view.pairs, view.pairs.row(3).center())
    view.draw(model_frame(cursor=ModelCursor(1, 2, pairs[3].query, pairs[3].key)))
    assert view.pairs.chosen == 3
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_End, Qt.Key.Key_Home):
        QTest.keyClick(view.pairs, key)
    assert asked == [pairs[3], pairs[4], pairs[2], pairs[6], pairs[0]]


def test_bars_of_pairs_begin_below_each_other_where_words_are_repeated(qtbot: QtBot) -> None:
    view = HeadPanel(THEME)
    asked_of(qtbot, view, 372, 684, file_frame())
    assert any(char.isdigit() for char in "".join(numbered(file_frame().run.pieces, 0)))
    for place, pair in enumerate(view.pairs.pairs):
        at = QPoint(185, round(view.pairs.row(place).center().y()))
        fill = THEME.weights_map.fill(max(pair.weight, 0.25), 1)
        assert colour_at(view.pairs, at) == fill
        assert colour_at(view.pairs, at - QPoint(4, 0)) != fill


def test_a_row_under_the_mouse_is_shown_everywhere(panel: Panel) -> None:
    view, asked = panel
    frame = model_frame()
    assert frame.head is not None
    pair = frame.head.pairs[2]
    move(view.pairs, view.pairs.row(2).center())
    leave(view.pairs)
    assert asked == [HoverPair(pair.query, pair.key), HoverPair()]
    spot = view.pairs.row(2).topRight().toPoint() + QPoint(-20, 4)
    before = colour_at(view.pairs, spot)
    view.draw(replace(frame, hover=(pair.query, pair.key)))
    assert colour_at(view.pairs, spot) == THEME.color("hover") != before


def test_a_copy_can_be_asked_for_once_there_are_numbers(panel: Panel) -> None:
    view, asked = panel
    view.copy.click()
    assert asked == [EditHeadCopy()]
    view.draw(replace(model_frame(), head=None))
    assert not view.copy.isEnabled()
    assert view.pairs.pairs == ()
    view.draw(ModelFrame())
    assert view.pill.isHidden()


def test_in_a_low_window_the_head_and_its_pairs_take_turns(panel: Panel) -> None:
    view, _asked = panel
    view.tabs.set_by_turns(True)
    assert view.figures.isVisible()
    assert not view.pairs.isVisible()
    view.tabs.button("pairs").click()
    assert not view.figures.isVisible()
    assert view.pairs.isVisible()
    view.tabs.set_by_turns(False)
    assert view.figures.isVisible()
    assert view.pairs.isVisible()


def test_the_chosen_head_is_switched_off_and_on(panel: Panel) -> None:
    view, asked = panel
    click(view.off, QPoint(8, view.off.height() // 2))
    assert asked == [SwitchHead(1, 2, Put.ZEROS)]
    assert not view.off.isChecked()  # what is checked is said by the frame alone
    view.draw(model_frame(switches=Switches(((1, 2, Put.ZEROS),))))
    assert view.off.isChecked()
    click(view.off, QPoint(8, view.off.height() // 2))
    assert asked[1:] == [SwitchHead(1, 2, None)]


def test_a_file_of_arrays_has_no_switch(panel: Panel) -> None:
    view, _asked = panel
    frame = model_frame()
    assert frame.info is not None
    view.draw(replace(frame, info=replace(frame.info, runs=False)))
    assert not view.off.isEnabled()


def test_heads_that_are_off_are_counted_and_their_cards_are_a_press_away(panel: Panel) -> None:
    view, asked = panel
    assert view.restore.isHidden()
    view.draw(model_frame(switches=Switches(((0, 1, Put.ZEROS), (1, 2, Put.ZEROS)))))
    assert view.restore.isVisible()
    assert view.restore.text() == "2 off"
    view.restore.click()
    assert asked == [ChangeModelLook({"centre": ModelCentre.NEXT})]
