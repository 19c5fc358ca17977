"""Train's right panel: true numbers in maps and bars, real events in, intents out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from explorer.attention import softmax
from explorer.kit.heads import HeadMaps
from explorer.kit.run_words import word_colours
from explorer.kit.theme import SCALES, Theme
from explorer.rooms.train.sample import SampleView
from explorer.session import Role, Selection
from explorer.session import Stage as ChainLink
from explorer.session.intents import Hover, Select
from explorer.session.train import Cursor, TrainFrame, TrainLook
from explorer.session.train.intents import (
    ChangeTrainLook,
    GoToHead,
    GoToLayer,
    GoToSample,
    HoverWord,
    SelectWord,
)
from explorer.text import Message
from explorer.traces import Config
from tests.train_frames import MemoryTrace, recorded_run, sentences, train_frame
from tests.train_views import Stage, colour_at, leave, move, picture, stage
from tests.train_views import click as press

PAIR = Selection(Role.A, 1, 0)
LONG = " ".join(f"w{i}" for i in range(33))


def panel(
    qtbot: QtBot, frame: TrainFrame | None = None, theme: Theme | None = None
) -> Stage[SampleView]:
    theme = theme or Theme()
    frame = train_frame() if frame is None else frame
    size = theme.px(340), theme.px(650)
    return stage(qtbot, SampleView(theme), frame, size, theme)


def changed(trace: MemoryTrace, **arrays: NDArray[Any]) -> MemoryTrace:
    """Return the trace with other numbers in some of its arrays."""
    return MemoryTrace(trace.run, {**trace.arrays, **arrays})


def wide_frame(**others: Any) -> TrainFrame:
    config = Config(layers=4, heads=8, d_model=64)
    trace = recorded_run(f"{LONG}\n{LONG}", config, steps=3)
    return train_frame(trace, Cursor(1, layer=1, head=2), **others)


# --- the sample ----------------------------------------------------------------------------------


def test_the_title_is_the_sentence_with_its_target(qtbot: QtBot) -> None:
    shown = panel(qtbot)
    assert shown.view.sentence.visible_text == "cat likes → fish"
    assert shown.view.sentence.accessibleName() == "cat likes → fish"


def test_the_arrows_turn_to_the_sentences_before_and_after(qtbot: QtBot) -> None:
    shown = panel(qtbot)
    assert not shown.view.previous.isEnabled()
    qtbot.mouseClick(shown.view.next, Qt.MouseButton.LeftButton)
    assert shown.asked() == [GoToSample(1)]
    shown.draw(cursor=Cursor(3, sample=5))
    assert not shown.view.next.isEnabled()
    qtbot.mouseClick(shown.view.previous, Qt.MouseButton.LeftButton)
    assert shown.asked() == [GoToSample(4)]


def test_a_sentence_that_is_too_long_for_a_line_takes_up_to_three(qtbot: QtBot) -> None:
    text = "my little brother plays loud music"
    shown = panel(qtbot, train_frame(recorded_run(text, steps=2), Cursor(1)))
    title = shown.view.sentence
    qtbot.waitUntil(lambda: title.visible_text == "my little brother plays loud → music")
    one = title.height()
    shown.view.draw(train_frame(recorded_run("my music", steps=2), Cursor(1)))
    qtbot.waitUntil(lambda: title.height() < one)


@pytest.mark.parametrize("text", [LONG, "W" * 40 + " " + "M" * 40 + " i", "超" * 40 + " 果 好"])
def test_a_long_sentence_is_cut_to_its_last_words_with_all_in_the_tooltip(
    qtbot: QtBot, text: str
) -> None:
    shown = panel(qtbot, train_frame(recorded_run(text, steps=2), Cursor(1)))
    said = shown.view.sentence.visible_text
    assert "…" in said
    *words, target = text.split()
    assert said.endswith(f"→ {target}")
    whole = f"{' '.join(words)} → {target}"
    assert whole in shown.view.sentence.toolTip()
    assert shown.view.sentence.accessibleName() == whole


def test_words_of_others_are_plain_text(qtbot: QtBot) -> None:
    trace = recorded_run("<b>x</b> \u202eabc &amp;", steps=2)
    shown = panel(qtbot, train_frame(trace, Cursor(1)))
    assert "<b>x</b>" not in shown.view.sentence.toolTip()
    assert "&lt;b&gt;x&lt;/b&gt;" in shown.view.sentence.toolTip()
    assert "\u202e" not in shown.view.sentence.visible_text


def test_layers_can_be_chosen_where_there_are_several(qtbot: QtBot) -> None:
    shown = panel(qtbot)
    assert not shown.view.layers.isVisible()
    shown.draw(**vars_of(wide_frame()))
    assert shown.view.layers.isVisible()
    assert shown.view.layers.currentText() == "Layer 2 of 4"
    qtbot.keyClick(shown.view.layers, Qt.Key.Key_Down)
    assert shown.asked() == [GoToLayer(2)]


def vars_of(frame: TrainFrame) -> dict[str, Any]:
    return {"trace": frame.trace, "values": frame.values, "cursor": frame.cursor}


# --- heads ---------------------------------------------------------------------------------------


def maps(shown: Stage[SampleView]) -> HeadMaps:
    return shown.view.heads


def middle(heads: HeadMaps, tile: int, query: int, key: int) -> QPointF:
    return heads.mosaic.cell(tile, query, key).center()


def test_every_head_and_the_average_stand_side_by_side_with_the_recorded_weights(
    qtbot: QtBot,
) -> None:
    shown = panel(qtbot, train_frame(cursor=Cursor(4, sample=2)))
    heads, trace = maps(shown), shown.frame.trace
    assert trace is not None
    recorded = trace.array("weights", 4, 2, 0)
    assert [tile.title for tile in heads.tiles] == ["Head 1", "Head 2", "Average"]
    for tile, weights in zip(heads.tiles, [*recorded, recorded.mean(axis=0)], strict=True):
        for query, key in np.ndindex(2, 2):
            assert heads.text(tile, query, key) == f"{weights[query, key]:.2f}"
            tip = heads.tip(middle(heads, heads.tiles.index(tile), query, key))
            assert float(tip.removesuffix("</qt>").split("<br>")[1]) == pytest.approx(
                float(weights[query, key])
            )


def test_a_cell_has_the_colour_of_its_weight(qtbot: QtBot) -> None:
    theme = Theme()
    shown = panel(qtbot)
    heads = maps(shown)
    image = picture(heads)
    for place, tile in enumerate(heads.tiles):
        for query, key in np.ndindex(2, 2):
            inside = heads.mosaic.cell(place, query, key).topLeft() + QPointF(4, 4)
            fill = theme.weights_map.fill(float(tile.weights[query, key]), 1.0)
            assert image.pixelColor(inside.toPoint()) == fill


def test_a_click_on_a_tile_shows_its_head_everywhere(qtbot: QtBot) -> None:
    shown = panel(qtbot)
    for place, head in enumerate((0, 1, None)):
        press(maps(shown), maps(shown).mosaic.titles[place].center())
        assert shown.asked() == [GoToHead(head)]


def test_a_click_on_a_cell_selects_the_pair_too(qtbot: QtBot) -> None:
    shown = panel(qtbot)
    press(maps(shown), middle(maps(shown), 1, 0, 1))
    assert shown.asked() == [GoToHead(1), Select(Selection(Role.A, 0, 1))]


def test_hovering_a_cell_is_told_once_and_taken_back(qtbot: QtBot) -> None:
    shown = panel(qtbot)
    heads = maps(shown)
    move(heads, middle(heads, 0, 1, 1))
    move(heads, middle(heads, 0, 1, 1) + QPointF(2, 2))
    move(heads, middle(heads, 2, 1, 1))  # the same pair in another tile
    move(heads, middle(heads, 2, 0, 1))
    leave(heads)
    assert shown.asked() == [
        Hover(Selection(Role.A, 1, 1)),
        Hover(Selection(Role.A, 0, 1)),
        Hover(None),
    ]


def test_keys_move_the_pair_and_turn_to_other_heads(qtbot: QtBot) -> None:
    shown = panel(qtbot, train_frame(selection=PAIR))
    for key, pair in (
        (Qt.Key.Key_Up, (0, 0)),
        (Qt.Key.Key_Right, (1, 1)),
        (Qt.Key.Key_Left, (1, 0)),
        (Qt.Key.Key_Down, (1, 0)),
    ):
        qtbot.keyClick(maps(shown), key)
        assert shown.asked() == [Select(Selection(Role.A, *pair))]
    qtbot.keyClick(maps(shown), Qt.Key.Key_PageUp)
    assert shown.asked() == [GoToHead(1)]
    shown.draw(cursor=Cursor(3, head=1))
    qtbot.keyClick(maps(shown), Qt.Key.Key_PageDown)
    assert shown.asked() == [GoToHead(None)]


@pytest.mark.parametrize("theme", [Theme(), Theme(dark=True, percent=150)])
def test_the_chosen_tile_and_the_pair_in_every_tile_are_outlined(
    qtbot: QtBot, theme: Theme
) -> None:
    shown = panel(qtbot, train_frame(cursor=Cursor(3, head=1), selection=PAIR), theme)
    heads, ink = maps(shown), theme.color("ink1")
    image = picture(heads)

    def inked(at: QPointF) -> bool:
        around = [at + QPointF(0, by) for by in (-1, 0, 1)]
        return any(image.pixelColor(point.toPoint()) == ink for point in around)

    for place in range(3):
        area = heads.mosaic.area(place)
        top = QPointF(area.center().x() + 6, area.top() - theme.px(2))
        assert inked(top) == (place == 1)
        cell = heads.mosaic.cell(place, 1, 0)
        assert inked(QPointF(cell.center().x() + 6, cell.top()))


def test_colours_of_dots_are_those_of_the_words(qtbot: QtBot) -> None:
    theme = Theme()
    shown = panel(qtbot, train_frame(cursor=Cursor(3, sample=1)))
    heads, frame = maps(shown), shown.frame
    assert frame.trace is not None
    colours = word_colours(theme, frame)
    for place, token in enumerate(frame.trace.tokens[1, :2]):
        cell = heads.mosaic.cell(0, place, place).center()
        area = heads.mosaic.area(0)
        fill = QColor(colours[token].fill)
        assert colour_at(heads, QPointF(area.left() - theme.px(11), cell.y())) == fill
        assert colour_at(heads, QPointF(cell.x(), area.bottom() + theme.px(11))) == fill


def test_masked_cells_are_hatched_and_empty(qtbot: QtBot) -> None:
    trace = recorded_run("a b c", Config(causal=True), steps=2)
    shown = panel(qtbot, train_frame(trace, Cursor(1)))
    heads = maps(shown)
    assert heads.text(heads.tiles[0], 0, 1) == ""
    assert "masked" in heads.tip(middle(heads, 0, 0, 1))
    image, rect = picture(heads), heads.mosaic.cell(0, 0, 1).adjusted(2, 2, -2, -2).toRect()
    found = {
        image.pixelColor(x, y).name()
        for x in range(rect.left(), rect.right())
        for y in range(rect.top(), rect.bottom())
    }
    assert {Theme().color("canvas").name(), Theme().color("axis").name()} <= found


@pytest.mark.parametrize("only", [None, ("logits",)])
def test_the_run_s_mask_is_known_without_scores(qtbot: QtBot, only: tuple[str, ...] | None) -> None:
    trace = recorded_run("a b c", Config(causal=True), steps=2, only=only)
    tiles = maps(panel(qtbot, train_frame(trace, Cursor(1)))).tiles
    assert [tile.masked.tolist() for tile in tiles] == [[[False, True], [False, False]]] * 3


def test_a_row_without_any_key_says_so(qtbot: QtBot) -> None:
    trace = recorded_run(steps=2)
    scores, weights = (trace.arrays[name].copy() for name in ("scores", "weights"))
    scores[:, 0, :, :, 1], weights[:, 0, :, :, 1] = -np.inf, 0.0
    frame = train_frame(changed(trace, scores=scores, weights=weights), Cursor(1), selection=PAIR)
    heads = maps(panel(qtbot, frame))
    assert all(tile.blind(1) and not tile.blind(0) for tile in heads.tiles)
    assert heads.readout() == "Average: likes → cat  every key is masked"
    assert "every key is masked" in heads.tip(middle(heads, 0, 1, 0))


def test_many_small_cells_are_a_picture_with_a_readout(qtbot: QtBot) -> None:
    shown = panel(qtbot, wide_frame())
    heads = maps(shown)
    assert not heads.mosaic.numbers
    assert [tile.title for tile in heads.tiles] == [*(f"Head {n}" for n in range(1, 9)), "Average"]
    assert "largest weight" in heads.readout()
    move(heads, middle(heads, 2, 20, 10))
    (hovered,) = shown.asked()
    assert hovered == Hover(Selection(Role.A, 20, 10))
    assert isinstance(hovered, Hover)
    shown.draw(hover=hovered.selection)
    weight = heads.tiles[2].weights[20, 10]
    assert heads.readout() == f"Head 3: w20 → w10  {weight:.2f}"
    brightest = np.argwhere(heads.tiles[2].weights == heads.tiles[2].weights.max())[0]
    ramp = Theme().weights_map
    seen = colour_at(heads, middle(heads, 2, *brightest.tolist()))
    assert seen == ramp.fill(float(heads.tiles[2].weights.max()), heads.tiles[2].domain)


@pytest.mark.parametrize("percent", SCALES)
@pytest.mark.parametrize("count", [1, 2, 3, 4, 8])
def test_tiles_stay_within_the_panel_and_apart(qtbot: QtBot, count: int, percent: int) -> None:
    theme = Theme(percent=percent)
    trace = recorded_run(config=Config(heads=count), steps=2)
    heads = maps(panel(qtbot, train_frame(trace, Cursor(1)), theme))
    areas = [heads.mosaic.area(place) for place in range(len(heads.tiles))]
    assert len(areas) == (1 if count == 1 else count + 1), "one head is its own average"
    assert heads.mosaic.numbers
    for place, area in enumerate(areas):
        assert heads.rect().contains(area.adjusted(-2, -2, 2, 2).toAlignedRect())
        assert not any(area.intersects(other) for other in areas[:place])
    rows = {area.top() for area in areas}
    assert len(rows) == (1 if count <= 3 else -(-(count + 1) // 4))


# --- the next word -------------------------------------------------------------------------------


def test_bars_are_the_sorted_softmax_of_the_logits(qtbot: QtBot) -> None:
    shown = panel(qtbot, train_frame(cursor=Cursor(5, sample=3)))
    trace, words = shown.frame.trace, shown.view.next_word
    assert trace is not None
    assert trace.targets is not None
    expected = softmax(trace.array("logits", 5, 3).astype(float))
    assert [bar.word for bar in words.bars] == np.argsort(-expected, kind="stable").tolist()
    for place, bar in enumerate(words.bars):
        assert bar.probability == pytest.approx(expected[bar.word])
        assert bar.name == shown.frame.vocabulary[bar.word]
        assert bar.is_target == (bar.word == trace.targets[3])
        whole = words.bar_rect(0).width() / words.bars[0].probability
        assert words.bar_rect(place).width() == pytest.approx(whole * bar.probability)
        tip = words.tip(words.row(place).center()).removesuffix("</qt>").split("<br>")[1]
        assert float(tip) == pytest.approx(bar.probability)


def test_a_word_that_is_pointed_at_is_told_once_and_seen_wherever_it_is(qtbot: QtBot) -> None:
    shown = panel(qtbot)
    words = shown.view.next_word
    at = words.row(2).center()
    move(words, at)
    move(words, at + QPointF(3, 0))
    leave(words)
    third = words.bars[2].word
    assert shown.asked() == [HoverWord(third), HoverWord(None)]
    edge = words.row(2).topLeft().toPoint() + QPoint(20, 3)
    plain = picture(words).pixelColor(edge)
    shown.draw(hover_word=third)
    assert picture(words).pixelColor(edge) == Theme().color("hover") != plain


def test_a_bar_has_the_colour_of_its_word(qtbot: QtBot) -> None:
    words = panel(qtbot).view.next_word
    image = picture(words)
    for place, bar in enumerate(words.bars):
        box = words.bar_rect(place)
        if box.width() > 6:
            at = box.center().toPoint()
            assert image.pixelColor(at) == QColor(bar.colour.fill)


def test_a_large_vocabulary_shows_the_likeliest_and_the_target(qtbot: QtBot) -> None:
    trace = recorded_run(sentences(400, 200, 5), steps=2)
    logits = trace.arrays["logits"].copy()
    assert trace.targets is not None
    target = int(trace.targets[0])
    logits[:, 0, target] = logits.min() - 1
    shown = panel(qtbot, train_frame(changed(trace, logits=logits), Cursor(1)))
    words = shown.view.next_word
    assert len(words.bars) == 9
    assert words.bars[-1].word == target
    assert words.bars[-1].is_target
    assert words.more == "… and 391 others"
    assert "count}" not in words.more


def test_a_click_or_a_key_selects_a_word(qtbot: QtBot) -> None:
    shown = panel(qtbot)
    words = shown.view.next_word
    press(words, words.row(3).center())
    assert shown.asked() == [SelectWord(words.bars[3].word)]
    shown.draw(word=words.bars[3].word)
    for key, place in (
        (Qt.Key.Key_Down, 4),
        (Qt.Key.Key_Up, 2),
        (Qt.Key.Key_Home, 0),
        (Qt.Key.Key_End, 7),
    ):
        qtbot.keyClick(words, key)
        assert shown.asked() == [SelectWord(words.bars[place].word)]


def test_the_selected_word_is_outlined(qtbot: QtBot) -> None:
    shown = panel(qtbot)
    words, ink = shown.view.next_word, Theme().color("ink1")
    row = words.row(2)
    at = QPointF(row.center().x() + 40, row.top() + 1)
    assert colour_at(words, at) != ink
    shown.draw(word=words.bars[2].word)
    assert colour_at(words, at) == ink


# --- numbers -------------------------------------------------------------------------------------


def test_the_numbers_unfold_and_are_the_chosen_head_s(qtbot: QtBot) -> None:
    shown = panel(qtbot, train_frame(cursor=Cursor(3, head=1)))
    assert shown.view.numbers is None
    shown.view.area.ensureWidgetVisible(shown.view.fold)
    qtbot.mouseClick(shown.view.fold.header, Qt.MouseButton.LeftButton)
    assert shown.asked() == [ChangeTrainLook({"numbers_open": True})]
    shown.draw(look=TrainLook(numbers_open=True))
    assert shown.view.numbers is not None
    assert shown.view.numbers.isVisible()
    seen = shown.view.numbers.visibleRegion().boundingRect()
    assert (seen.top(), seen.height() > 100) == (0, True), "from their top on"
    trace = shown.frame.trace
    assert trace is not None
    for station, name in ((ChainLink.Q, "q"), (ChainLink.K, "k"), (ChainLink.V, "v")):
        source = shown.view.numbers.parts[station].fitted.source
        assert source is not None
        recorded = trace.array(name, 3, 0, 0, 1)
        for row, column in np.ndindex(recorded.shape):
            text = source.text(row, column).replace("\N{MINUS SIGN}", "-")
            assert float(text) == pytest.approx(float(recorded[row, column]), abs=0.0051)
    qtbot.mouseClick(shown.view.fold.header, Qt.MouseButton.LeftButton)
    assert shown.asked() == [ChangeTrainLook({"numbers_open": False})]
    shown.draw(look=TrainLook())
    assert not shown.view.numbers.isVisible()


# --- what is not there ---------------------------------------------------------------------------


def labels(shown: Stage[SampleView]) -> str:
    found = shown.view.findChildren(QLabel)
    return " ".join(label.text() for label in found if label.isVisibleTo(shown.view))


def test_without_a_run_there_is_one_calm_sentence(qtbot: QtBot) -> None:
    shown = panel(qtbot, TrainFrame())
    assert "No run yet" in labels(shown)
    assert not shown.view.heads.isVisible()
    assert not shown.view.fold.isVisible()


def test_weights_alone_are_shown_and_the_rest_is_said(qtbot: QtBot) -> None:
    frame = train_frame(
        recorded_run(only=(), steps=2), Cursor(1), look=TrainLook(numbers_open=True)
    )
    shown = panel(qtbot, frame)
    assert len(shown.view.heads.tiles) == 3
    assert shown.view.sentence.visible_text == "cat likes"
    assert "holds no logits" in labels(shown)
    assert "does not hold x, q, k, v" in labels(shown)
    assert not shown.view.next_word.isVisible()


@pytest.mark.parametrize("name", ["logits", "weights", "q"])
def test_numbers_that_are_none_are_said(qtbot: QtBot, name: str) -> None:
    trace = recorded_run(steps=2)
    bad = trace.arrays[name].copy()
    bad[1] = np.nan
    look = TrainLook(numbers_open=True)
    shown = panel(qtbot, train_frame(changed(trace, **{name: bad}), Cursor(1), look=look))
    assert f"{name} of epoch 5 holds values that are not numbers" in labels(shown)


def test_a_step_that_cannot_be_shown_is_said_beside_the_last_good_numbers(qtbot: QtBot) -> None:
    bad = Message("weights of epoch {epoch} cannot be read", {"epoch": 5})
    shown = panel(qtbot, train_frame(bad=bad))
    assert "weights of epoch 5 cannot be read" in labels(shown)
    assert shown.view.heads.isVisible()
    shown.draw(values=None)
    assert "weights of epoch 5 cannot be read" in labels(shown)
    shown.draw(bad=None)
    assert "Nothing has been recorded yet" in labels(shown)


# --- every frame ---------------------------------------------------------------------------------


def test_another_theme_is_taken_at_the_next_draw(qtbot: QtBot) -> None:
    shown = panel(qtbot)
    dark = Theme(dark=True)
    shown.view.retheme(dark)
    shown.draw()
    heads = maps(shown)
    inside = heads.mosaic.cell(0, 0, 0).topLeft() + QPointF(4, 4)
    weight = float(heads.tiles[0].weights[0, 0])
    assert colour_at(heads, inside) == dark.weights_map.fill(weight, 1.0)
