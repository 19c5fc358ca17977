"""The atlas of heads: what it shows, filters and sorts, and how one goes through it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.kit.theme import Theme
from explorer.models.figures import Kind
from explorer.models.repeats import RepeatScores
from explorer.models.switches import Put
from explorer.rooms.model.atlas import AtlasView
from explorer.rooms.model.head_grid import pictures
from explorer.rooms.model.head_places import arranged
from explorer.session.model.frame import (
    ModelCursor,
    ModelFrame,
    ModelLook,
    Order,
    Repeated,
)
from explorer.session.model.intents import (
    ChangeModelLook,
    EditHeadCopy,
    FilterHeads,
    GoToHead,
    KeepHead,
    MeasureRepeats,
    SwitchHead,
)
from explorer.session.model.switching import Switches
from tests.model_frames import array_run, model_frame
from tests.showing import asked_of, to_front
from tests.train_views import click, colour_at, move

THEME = Theme()


@pytest.fixture
def atlas(qtbot: QtBot) -> tuple[AtlasView, list[object]]:
    view = AtlasView(THEME)
    return view, asked_of(qtbot, view, 284, 540, model_frame())


def press(view: AtlasView, key: Qt.Key) -> None:
    QTest.keyClick(view.grid, key)


def test_a_thumbnail_keeps_a_line_one_token_wide() -> None:
    tiles = np.zeros((2, 3, 50, 50))
    tiles[1, 2] = np.eye(50) * 0.3  # its own maximum has the full colour
    image = pictures(THEME, tiles, 28)
    assert (image.width(), image.height()) == (56, 84)
    full = THEME.weights_map.fill(1, 1)
    assert all(image.pixelColor(28 + i, 56 + i) == full for i in range(28))
    assert image.pixelColor(28 + 27, 56) == THEME.weights_map.fill(0, 1)
    assert image.pixelColor(0, 0) == THEME.weights_map.fill(0, 1)


def test_layers_go_right_and_heads_down() -> None:
    places = arranged(THEME, model_frame()).places
    assert places[1, 0].left() - places[0, 0].left() == 39
    assert round(places[0, 2].top() - places[0, 0].top()) == 63
    assert {place.width() for place in places.values()} == {28}


def test_a_click_goes_to_a_head_and_a_tooltip_names_it(
    atlas: tuple[AtlasView, list[object]],
) -> None:
    view, asked = atlas
    place = view.grid.box(0, 1).center()
    assert view.grid.tip(place) == "layer 1 head 2"
    click(view.grid, place)
    click(view.grid, view.grid.box(1, 2).center())  # there already
    assert asked == [GoToHead(0, 1)]


def test_arrows_go_through_layers_and_heads(atlas: tuple[AtlasView, list[object]]) -> None:
    view, asked = atlas
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Up, Qt.Key.Key_Down):
        press(view, key)
    assert asked == [GoToHead(0, 2), GoToHead(1, 1)]


def test_the_chips_count_the_kinds_and_filter(atlas: tuple[AtlasView, list[object]]) -> None:
    view, asked = atlas
    frame = model_frame()
    for kind, chip in view.chips.items():
        if kind is not None:
            count = len(frame.heads_of(kind))
            assert chip.isEnabled() == (count > 0)
            assert chip.accessibleName().endswith(f", {count}")
    assert view.chips[Kind.FIRST].accessibleName().startswith("[CLS]")
    assert view.chips[Kind.END].accessibleName().startswith("[SEP]")
    assert view.chips[None].isChecked()
    kind = next(kind for kind in Kind if frame.heads_of(kind))
    view.chips[kind].click()
    assert asked == [FilterHeads(kind)]
    assert view.chips[None].isChecked()  # the frame has not changed yet
    view.draw(replace(frame, look=replace(frame.look, kinds=frozenset({kind}))))
    assert view.chips[kind].isChecked()
    view.chips[kind].click()
    view.chips[None].click()
    assert asked[1:] == [FilterHeads(None), FilterHeads(None)]


def test_heads_that_are_filtered_away_are_empty_and_kept_ones_stay(
    atlas: tuple[AtlasView, list[object]],
) -> None:
    view, asked = atlas
    frame = model_frame()
    empty = next(kind for kind in Kind if not frame.heads_of(kind))
    view.draw(replace(frame, look=ModelLook(kinds=frozenset({empty}), kept=((0, 1),))))
    click(view.grid, view.grid.box(0, 0).center())
    assert asked == []
    click(view.grid, view.grid.box(0, 1).center())
    assert asked == [GoToHead(0, 1)]


def test_heads_are_sorted_by_kind_by_entropy_and_by_the_pair() -> None:
    frame = model_frame()
    assert frame.run is not None
    assert frame.pair is not None
    by_kind = arranged(THEME, replace(frame, look=ModelLook(order=Order.KIND)))
    assert list(by_kind.places) == [place for kind in Kind for place in frame.heads_of(kind)]
    for order, values in (
        (Order.ENTROPY, frame.run.figures.entropy),
        (Order.PAIR, -frame.pair.weights),
    ):
        made = arranged(THEME, replace(frame, look=ModelLook(order=order)))
        found = [values[place] for place in made.places]
        assert found == sorted(found)
        assert len(found) == 6
    # Without a pair they stay as they are.
    alone = replace(frame, pair=None, look=ModelLook(order=Order.PAIR))
    assert arranged(THEME, alone).by_layer


def test_the_menu_asks_for_another_order(atlas: tuple[AtlasView, list[object]]) -> None:
    view, asked = atlas
    actions = view.sort.menu().actions()
    assert [action.text() for action in actions if action.isChecked()] == ["layer"]
    actions[1].trigger()
    assert asked == [ChangeModelLook({"order": Order.KIND})]
    assert [action.text() for action in actions if action.isChecked()] == ["layer"]
    view.draw(model_frame(cursor=ModelCursor(0, 0)))
    assert not actions[3].isEnabled()


def test_repeats_are_measured_on_demand_and_bring_two_more_filters(
    atlas: tuple[AtlasView, list[object]],
) -> None:
    view, asked = atlas
    assert view.chips[Repeated.INDUCTION].isHidden()
    view.repeats.click()
    assert asked == [MeasureRepeats()]
    low = np.zeros((2, 3))
    high = low.copy()
    high[1, 1] = 0.9
    view.draw(model_frame(repeats=RepeatScores(high, low, low)))
    assert view.repeats.isHidden()
    assert view.chips[Repeated.INDUCTION].accessibleName() == "induction, 1"
    assert not view.chips[Repeated.DUPLICATE].isEnabled()
    view.chips[Repeated.INDUCTION].click()
    assert asked[1:] == [FilterHeads(Repeated.INDUCTION)]


def test_a_heads_menu_keeps_it_switches_it_or_copies_it(
    atlas: tuple[AtlasView, list[object]],
) -> None:
    view, asked = atlas
    keep, switch, copy = view.grid.menu_of(0, 1).actions()
    for action in (keep, switch, copy):
        action.trigger()
    assert asked == [KeepHead(0, 1), SwitchHead(0, 1, Put.ZEROS), GoToHead(0, 1), EditHeadCopy()]


def test_a_head_that_is_off_is_struck_out_and_can_be_switched_on(
    atlas: tuple[AtlasView, list[object]],
) -> None:
    view, asked = atlas
    frame = model_frame()
    assert frame.run is not None
    before = view.grid.grab().toImage()
    off = Switches(((0, 1, Put.ZEROS),))
    view.draw(replace(frame, run=replace(frame.run, switches=off), switches=off))
    box, other = view.grid.box(0, 1), view.grid.box(0, 0)
    after = view.grid.grab().toImage()
    inside, beside = box.toAlignedRect(), other.toAlignedRect()
    assert after.copy(inside) != before.copy(inside)
    assert after.copy(beside) == before.copy(beside)
    assert view.grid.text_at(box.center()) == "layer 1 head 2, off"
    _keep, switch, _copy = view.grid.menu_of(0, 1).actions()
    assert switch.text() == "Switch head on"
    switch.trigger()
    assert asked == [SwitchHead(0, 1, None)]


def test_many_heads_scroll_and_the_numbers_stay(qtbot: QtBot) -> None:
    view = AtlasView(THEME)
    qtbot.addWidget(view)
    view.resize(284, 540)
    run = array_run(("a", "b"), layers=9, heads=20)
    view.draw(model_frame(run, ModelCursor(0, 0, 0, 1)))
    with qtbot.waitExposed(view):
        view.show()
    grid = view.grid
    assert grid.down.isVisible()
    assert grid.across.isVisible()
    view.draw(model_frame(run, ModelCursor(8, 19, 0, 1)))
    assert QPointF(grid.rect().bottomRight()).y() >= grid.box(8, 19).bottom()
    assert grid.box(8, 19).right() <= grid.width()
    assert grid.box(0, 0).bottom() < 0
    move(grid, grid.box(8, 19).center())
    assert grid.tip(grid.box(8, 19).center()) == "layer 9 head 20"
    assert grid.tip(QPointF(60, 10)) == ""  # a layer's number


def test_f_gives_the_filters_the_keys(atlas: tuple[AtlasView, list[object]]) -> None:
    view, _asked = atlas
    to_front(view)
    event = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_F, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(view, event)
    assert view.chips[None].hasFocus()


def test_without_a_run_there_are_empty_frames_of_the_models_heads(
    atlas: tuple[AtlasView, list[object]],
) -> None:
    view, asked = atlas
    info = model_frame().info
    view.draw(ModelFrame(info=info))
    inside = view.grid.box(1, 2).center()
    click(view.grid, inside)
    assert asked == []
    assert colour_at(view.grid, inside) == colour_at(view.grid, view.grid.box(0, 0).center())
    view.draw(ModelFrame())
    assert not view.sort.isEnabled()
