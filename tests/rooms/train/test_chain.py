"""The chain of a run: shapes and captions of the shown trace, clicks and keys in, intents out."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from explorer.kit.text_runs import plain
from explorer.kit.theme import SCALES, Theme
from explorer.rooms.train.chain import TrainChainView
from explorer.session import CHAIN, INPUTS
from explorer.session import Stage as ChainLink
from explorer.session.train import Cursor, TrainFrame, TrainLook
from explorer.session.train.intents import ShowTrainStage
from explorer.traces import Config
from tests.train_frames import recorded_run, train_frame
from tests.train_views import Stage, picture, stage


def chain(
    qtbot: QtBot, frame: TrainFrame, width: int = 1440, theme: Theme | None = None
) -> Stage[TrainChainView]:
    return stage(qtbot, TrainChainView(theme or Theme()), frame, (width, 56), theme)


def captions(shown: Stage[TrainChainView]) -> list[str]:
    return [plain(runs) for runs, _box in shown.view.shown_captions()]


def test_the_chips_have_the_shapes_of_the_trace(qtbot: QtBot) -> None:
    trace = recorded_run("a b c d\nb c a", Config(d_model=12, heads=3))
    shown = chain(qtbot, train_frame(trace, Cursor(1, sample=1)))
    length = len(trace.words(1))
    for station, name in (
        (ChainLink.X, "x"),
        (ChainLink.Q, "q"),
        (ChainLink.K, "k"),
        (ChainLink.V, "v"),
        (ChainLink.O, "head_output"),
    ):
        columns = trace.array(name, 1, 1, 0, 0).shape[-1]
        assert shown.view.chip(station).link.shape == (length, columns)
    for station in (ChainLink.S, ChainLink.A):
        assert shown.view.chip(station).link.shape == (length, length)
    assert [chip.accessibleName() for chip in shown.view.chips()] == [
        "words, 2",
        "X, tokens, 2 by 12",
        "Q, query, 2 by 4",
        "K, key, 2 by 4",
        "V, value, 2 by 4",
        "S, scores, 2 by 2",
        "A, attention, 2 by 2, selected",
        "O, output, 2 by 4",
        "next word, 4",
    ]


@pytest.mark.parametrize(
    ("config", "layer", "expected"),
    [
        (
            Config(),
            0,
            ["embed + position", "2 heads", "QK^T ÷ √8", "softmax", "× V", "add & norm, FFN"],
        ),
        (Config(use_position=False, heads=1), 0, ["embed", "1 head", "QK^T ÷ √16", ..., ..., ...]),
        (
            Config(causal=True, layers=3),
            1,
            [
                "embed + position, 1 layer",
                "layer 2 of 3, 2 heads",
                "QK^T ÷ √8, causal",
                "softmax",
                "× V",
                "add & norm, FFN, 1 more layer",
            ],
        ),
        (
            Config(layers=3),
            2,
            ["embed + position, 2 layers", ..., ..., ..., ..., "add & norm, FFN"],
        ),
    ],
)
def test_the_arrows_say_what_this_run_does(
    qtbot: QtBot, config: Config, layer: int, expected: list[object]
) -> None:
    frame = train_frame(recorded_run(config=config, steps=2), Cursor(1, layer=layer))
    for said, wanted in zip(captions(chain(qtbot, frame, 1920)), expected, strict=True):
        assert wanted is ... or said == wanted


def test_what_is_not_recorded_has_no_shape_and_says_so(qtbot: QtBot) -> None:
    shown = chain(qtbot, train_frame(recorded_run(only=(), steps=2), Cursor(1)))
    assert shown.view.chip(ChainLink.A).link.shape == (2, 2)
    for station in (ChainLink.X, ChainLink.Q, ChainLink.V, ChainLink.S, ChainLink.O):
        assert shown.view.chip(station).link.shape is None
        assert "Not recorded" in shown.view.chip(station).toolTip()
    assert shown.view.chips()[-1].link.shape is None


def test_without_a_run_the_chain_is_drawn_without_shapes(qtbot: QtBot) -> None:
    shown = chain(qtbot, TrainFrame())
    assert {chip.link.shape for chip in shown.view.chips()} == {None}
    assert "softmax" in captions(shown)


@pytest.mark.parametrize("station", CHAIN)
def test_a_click_asks_for_the_stage(qtbot: QtBot, station: ChainLink) -> None:
    shown = chain(qtbot, train_frame())
    qtbot.mouseClick(shown.view.chip(station), Qt.MouseButton.LeftButton)
    assert shown.asked() == [ShowTrainStage(station)]


@pytest.mark.parametrize(("key", "station"), list(zip("1234567", CHAIN, strict=True)))
def test_number_keys_ask_for_the_stages(qtbot: QtBot, key: str, station: ChainLink) -> None:
    shown = chain(qtbot, train_frame())
    qtbot.keyClick(shown.view.chip(ChainLink.A), key)
    assert shown.asked() == [ShowTrainStage(station)]


def test_the_ends_are_no_stages(qtbot: QtBot) -> None:
    shown = chain(qtbot, train_frame())
    for end in (shown.view.chips()[0], shown.view.chips()[-1]):
        qtbot.mouseClick(end, Qt.MouseButton.LeftButton)
        assert end.focusPolicy() is Qt.FocusPolicy.NoFocus
    assert shown.asked() == []


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("active", [ChainLink.X, ChainLink.A, ChainLink.O])
def test_the_active_chip_is_filled_and_its_inputs_outlined(
    qtbot: QtBot, active: ChainLink, dark: bool
) -> None:
    theme = Theme(dark=dark)
    shown = chain(qtbot, train_frame(look=TrainLook(stage=active)), theme=theme)
    shown.view.clearFocus()
    image, ink = picture(shown.view), theme.color("ink1")
    for chip in shown.view.chips():
        box, station = chip.geometry(), chip.link.key
        filled = image.pixelColor(box.left() + 7, box.center().y()) == ink
        outlined = image.pixelColor(box.left() + 1, box.center().y()) == ink
        assert filled == (station is active)
        assert outlined == (station is active or station in INPUTS[active])


@pytest.mark.parametrize("percent", SCALES)
@pytest.mark.parametrize("width", [960, 1024, 1280, 1440, 1920])
def test_nothing_overlaps_or_is_cut_off(qtbot: QtBot, width: int, percent: int) -> None:
    config = Config(layers=3, causal=True, d_model=128)
    frame = train_frame(recorded_run(config=config, steps=2), Cursor(1, layer=1))
    shown = chain(qtbot, frame, width, Theme(percent=percent))
    for compact in (False, True):
        shown.view.set_compact(compact)
        boxes = [chip.geometry() for chip in shown.view.chips()]
        for left, right in pairwise(boxes):
            assert left.right() < right.left()
        if percent < 200 or width > 1280:  # nine chips of twice the size need that much
            assert all(shown.view.rect().contains(box) for box in boxes)
        for _runs, box in shown.view.shown_captions():
            middle = box.center().x()
            assert max(b.right() for b in boxes if b.right() < middle) < box.left()
            assert box.right() < min(b.left() for b in boxes if b.left() > middle)


def test_scrubbing_repaints_nothing(qtbot: QtBot) -> None:
    shown = chain(qtbot, train_frame())
    before = picture(shown.view)
    shown.view.draw(train_frame(shown.frame.trace, Cursor(1)))
    assert picture(shown.view) == before
    assert shown.asked() == []
