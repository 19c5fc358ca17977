"""What stands beside next tokens: the effect map, cards of switched heads, and the steps."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.kit.theme import Theme
from explorer.models.effects import Followed
from explorer.models.next_token import NextToken, NextTokens
from explorer.models.switches import Put
from explorer.rooms.model.atlas import AtlasView
from explorer.rooms.model.strip import ModelStrip
from explorer.rooms.model.switched_panel import SwitchedPanel
from explorer.session.model.frame import ModelCentre, ModelFrame, ModelLook
from explorer.session.model.intents import (
    EditSecond,
    FollowToken,
    FollowWord,
    GoToHead,
    GoToStep,
    RestoreHeads,
    ShowEffects,
    StopModel,
    SwitchHead,
    UndoStep,
)
from explorer.session.model.switching import ALL_ON, EffectMap, Outcome, Switches
from tests.model_frames import model_frame
from tests.proofreading import written_on
from tests.train_views import click, colour_at

THEME = Theme()
FOLLOWS = Followed(8, 7)
FIRST = Switches(((0, 1, Put.ZEROS),))
BOTH = Switches(((0, 1, Put.ZEROS), (1, 2, Put.MEAN)))
SECOND = Switches(((1, 2, Put.MEAN),))
CHANGES = np.array([[-0.25, 0.05, np.nan], [0.01, -0.1, -0.02]])


def switched_frame(**fields: object) -> ModelFrame:
    """Return a frame with two heads switched one after the other, and the effects of five."""
    frame = model_frame(
        switches=BOTH,
        steps=(ALL_ON, FIRST, BOTH),
        step=2,
        outcome=Outcome(FOLLOWS),
        outcomes={ALL_ON: 0.9, FIRST: 0.8, BOTH: 0.4, SECOND: 0.7},
        effects=EffectMap("the text", FOLLOWS, 0.9, CHANGES),
        next=NextTokens((NextToken(7, " cat", 0.4, 0.9),), 0.6, 1.0, 0.1, 0.5),
        look=ModelLook(centre=ModelCentre.NEXT, effects=True),
    )
    assert frame.run is not None
    assert frame.info is not None
    info = replace(frame.info, predicts=True)
    frame = replace(frame, info=info, run=replace(frame.run, switches=BOTH))
    return replace(frame, **fields)  # type: ignore[arg-type]


def shown(qtbot: QtBot, view: AtlasView | SwitchedPanel | ModelStrip, size: tuple[int, int]):
    qtbot.addWidget(view)
    view.resize(*size)
    asked: list[object] = []
    view.intent.connect(asked.append)
    view.draw(switched_frame())
    with qtbot.waitExposed(view):
        view.show()
    view.draw(switched_frame())
    return view, asked


@pytest.fixture
def atlas(qtbot: QtBot) -> tuple[AtlasView, list[object]]:
    return shown(qtbot, AtlasView(THEME), (284, 560))


@pytest.fixture
def panel(qtbot: QtBot) -> tuple[SwitchedPanel, list[object]]:
    return shown(qtbot, SwitchedPanel(THEME), (372, 684))


def test_a_cell_has_the_colour_of_its_change_and_a_missing_one_is_hatched(
    atlas: tuple[AtlasView, list[object]],
) -> None:
    view, asked = atlas
    assert view.grid.isHidden()
    cells = view.effects.cells
    ramp = THEME.scores_map
    for place in ((0, 0), (1, 1), (1, 0)):
        middle = cells.box(*place).center().toPoint()
        assert colour_at(cells, middle) == ramp.fill(float(CHANGES[place]), 0.3)
    missing = cells.grab(cells.box(0, 2).adjusted(2, 2, -2, -2).toAlignedRect()).toImage()
    colours = {missing.pixel(x, y) for x in range(missing.width()) for y in range(missing.height())}
    assert len(colours) > 1
    assert cells.text_at(cells.box(0, 0).center()) == "layer 1 head 1: −0.250"
    click(cells, cells.box(1, 1).center())
    cells.setFocus()
    QTest.keyClick(cells, Qt.Key.Key_Left)  # from layer 2 head 3
    assert asked == [GoToHead(1, 1), GoToHead(0, 2)]


def test_the_largest_changes_are_listed(atlas: tuple[AtlasView, list[object]]) -> None:
    view, asked = atlas
    rows = view.effects.largest.rows
    assert [place for place, _change in rows] == [(0, 0), (1, 1), (1, 2), (0, 1), (1, 0)]
    click(view.effects.largest, view.effects.largest.row_rect(1).center())
    assert asked == [GoToHead(1, 1)]


def test_effects_are_counted_stopped_and_gone_on_with(
    atlas: tuple[AtlasView, list[object]],
) -> None:
    view, asked = atlas
    effects = view.effects
    assert effects.alone.text() == "5 of 6 heads"
    effects.stop.click()
    frame = switched_frame()
    assert frame.effects is not None
    view.draw(replace(frame, effects=replace(frame.effects, stopped=True)))
    assert effects.stop.text() == "Continue"
    effects.stop.click()
    view.draw(replace(frame, effects=replace(frame.effects, changes=np.zeros((2, 3)))))
    assert effects.stop.isHidden()
    assert effects.alone.text() == "each head off alone"
    view.choice.button(False).click()
    assert asked == [StopModel(), ShowEffects(True), ShowEffects(False)]
    view.draw(replace(frame, look=replace(frame.look, effects=False)))
    assert not view.grid.isHidden()


def test_another_word_is_followed(atlas: tuple[AtlasView, list[object]]) -> None:
    view, asked = atlas
    line = view.effects.word.lineEdit()
    assert line.text() == "cat"
    for text in ("dog", ""):
        line.selectAll()
        QTest.keyClick(line, Qt.Key.Key_Delete)
        QTest.keyClicks(line, text)
        QTest.keyClick(line, Qt.Key.Key_Return)
    assert asked == [FollowWord("dog"), FollowToken(None)]


def test_cards_say_what_each_does_alone_and_restore_it(
    panel: tuple[SwitchedPanel, list[object]],
) -> None:
    view, asked = panel
    assert view.count.text() == "2 of 6 heads"
    told = [(card.name.text(), card.alone.text()) for card in view.cards]
    assert told == [
        ("Layer 1 head 2", "alone −0.100 for cat"),
        ("Layer 2 head 3", "alone −0.200 for cat, mean"),
    ]
    assert view.together.text() == (
        "One by one they take 0.300, together 0.500: each partly stands in for the others."
    )
    view.cards[1].restore.click()
    QTest.mouseClick(view.cards[0], Qt.MouseButton.LeftButton, pos=view.cards[0].rect().center())
    view.undo.click()
    view.restore.click()
    assert view.undo.text() == "Undo L2 H3: mean"
    assert asked == [SwitchHead(1, 2, None), GoToHead(0, 1), UndoStep(), RestoreHeads()]
    view.draw(switched_frame(switches=ALL_ON, steps=(ALL_ON,), step=0))
    assert [card.isHidden() for card in view.cards] == [True, True]
    assert view.together.isHidden()
    assert not view.none.isHidden()


@pytest.mark.parametrize(
    ("together", "said"),
    [
        (0.6, "they take 0.300, together 0.300: each works by itself"),
        (0.75, "they take 0.300, together 0.150: they partly do the same work"),
        (0.95, "they change p(cat) by −0.300, together by +0.050"),
    ],
)
def test_one_by_one_is_compared_with_together(
    panel: tuple[SwitchedPanel, list[object]], together: float, said: str
) -> None:
    view, _asked = panel
    view.draw(switched_frame(outcomes={ALL_ON: 0.9, FIRST: 0.8, SECOND: 0.7, BOTH: together}))
    assert said in view.together.text()


def test_what_is_put_in_place_of_a_head_is_chosen(
    panel: tuple[SwitchedPanel, list[object]],
) -> None:
    view, asked = panel
    assert view.off.isChecked()
    assert view.put.currentData() == Put.MEAN
    for put in Put:
        view.put.setCurrentIndex(view.put.findData(put))
        view.put.activated.emit(view.put.currentIndex())
    assert asked == [SwitchHead(1, 2, put) for put in Put if put is not Put.MEAN]
    assert view.put.currentData() == Put.MEAN  # until the frame says so
    assert view.second.isHidden()
    patched = Switches(((1, 2, Put.OTHER),), "a dog")
    view.draw(switched_frame(switches=patched, second="a dog"))
    line = view.second.lineEdit()
    assert line.text() == "a dog"
    QTest.keyClicks(line, "s")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert isinstance(asked[-1], EditSecond)
    view.draw(switched_frame(switches=replace(patched, second=""), second=""))
    assert view.note.text().startswith("Type a second text")
    places = set()
    for switches in (Switches(), Switches(((1, 2, Put.ZEROS),))):
        view.draw(switched_frame(switches=switches))
        QApplication.processEvents()
        places.add(view.off.mapTo(view, QPoint()).toTuple())
    assert len(places) == 1, "the switch stays under the mouse"
    view.off.click()
    assert asked[-1] == SwitchHead(1, 2, None)


def test_a_step_is_a_press_away(qtbot: QtBot) -> None:
    view, asked = shown(qtbot, ModelStrip(THEME), (1440, 112))
    steps = view.steps
    assert view.dots.isHidden()
    said = "all heads 0.900, − L1 H2 0.800, L2 H3: mean 0.400"
    assert steps.accessibleDescription() == said
    assert view.change.text == "0.400 − 0.900 = −0.500"
    assert steps.dot(0).y() < steps.dot(1).y() < steps.dot(2).y()
    click(steps, QPointF(steps.dot(1).x() + 5, 60))
    steps.setFocus()
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Home, Qt.Key.Key_End):
        QTest.keyClick(steps, key)
    assert asked == [GoToStep(1), GoToStep(1), GoToStep(0)]
    many = tuple(Switches(((0, 0, Put.ZEROS),)) if n % 2 else ALL_ON for n in range(40))
    view.draw(switched_frame(steps=many, step=20))
    assert steps.shown[0] == 0
    assert 20 in steps.shown
    assert len(steps.shown) < 10


@pytest.mark.parametrize(("width", "shown"), [(1440, [0, 1, 2]), (1024, [0, 2]), (840, [2])])
def test_steps_that_have_no_room_are_left_out_but_never_the_one_shown(
    qtbot: QtBot, width: int, shown: list[int]
) -> None:
    strip = ModelStrip(Theme(percent=150))
    qtbot.addWidget(strip)
    strip.set_compact(True)
    strip.resize(width, strip.sizeHint().height())
    strip.show()
    strip.draw(switched_frame())
    QApplication.processEvents()
    assert strip.steps.shown == shown
    boxes = [each.box.adjusted(1, 4, -1, -4) for each in written_on(strip.steps)]
    assert not any(a.intersects(b) for a, b in combinations(boxes, 2))


def test_of_a_vector_the_cosine_is_told(qtbot: QtBot) -> None:
    frame = switched_frame(next=None, outcome=Outcome(Followed(None), 0.4))
    view, _asked = shown(qtbot, SwitchedPanel(THEME), (372, 684))
    view.draw(frame)
    assert view.cards[0].alone.text() == "alone −0.100"
    atlas, _asked = shown(qtbot, AtlasView(THEME), (284, 560))
    atlas.draw(frame)
    assert atlas.effects.word.isHidden()
    assert atlas.effects.of.text() == "change of the cosine"
