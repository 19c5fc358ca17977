"""The chain: real clicks and keys in, intents out; the truth in shapes, captions and names."""

from __future__ import annotations

import math
import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QColor, QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from explorer.attention import MISTAKES, Variant
from explorer.kit.preview import SAMPLE
from explorer.kit.text_runs import Text, plain
from explorer.kit.theme import SCALES, Theme
from explorer.rooms.explore.chain import ChainView
from explorer.session import (
    CHAIN,
    INPUTS,
    Context,
    Look,
    Options,
    Scene,
    Selection,
    Stage,
    compute,
    frozen_array,
    resolve,
    stages_of,
)
from explorer.session.intents import ShowStage
from explorer.session.look import Role
from tests.kinds import KINDS
from tests.scenes import scenes
from tests.showing import to_front

CONTEXT = Context(("sea", "sky", "sun"), frozen_array([[1, 2], [3, 4], [5, 6]]))


def heads(count: int, width: int = 4) -> Scene:
    rng = np.random.default_rng(5)
    return SAMPLE.replace(
        **{name: rng.normal(size=(2, count * width)) for name in ("Wq", "Wk", "Wv")},
        options=Options(heads=count),
    )


LARGE = Scene(tuple("t" * 256), frozen_array(np.zeros((256, 256))))


def chain(
    qtbot: QtBot,
    scene: Scene = SAMPLE,
    stage: Stage = Stage.S,
    *,
    width: int = 1440,
    theme: Theme | None = None,
    head: int = 0,
) -> tuple[ChainView, list[object]]:
    view = ChainView(theme or Theme())
    qtbot.addWidget(view)
    view.resize(width, view.height())
    intents: list[object] = []
    view.intent.connect(intents.append)
    with qtbot.waitExposed(view):
        view.show()
    view.draw(resolve(scene, Look(stage=stage, head=head)))
    return view, intents


def captions(view: ChainView) -> list[str]:
    return [plain(runs) for runs, _box in view.shown_captions()]


def edge_colour(view: ChainView, stage: Stage) -> QColor:
    """Return the colour one pixel inside a chip's left edge, at half its height."""
    box = view.chip(stage).geometry()
    return view.grab().toImage().pixelColor(box.left() + 1, box.center().y())


def inside_colour(view: ChainView, stage: Stage) -> QColor:
    box = view.chip(stage).geometry()
    return view.grab().toImage().pixelColor(box.left() + 7, box.center().y())


# --- going through it ----------------------------------------------------------------------------


@pytest.mark.parametrize("stage", list(CHAIN))
def test_a_click_asks_for_the_stage(qtbot: QtBot, stage: Stage) -> None:
    view, intents = chain(qtbot)
    qtbot.mouseClick(view.chip(stage), Qt.MouseButton.LeftButton)
    assert intents == [ShowStage(stage)]
    # Only a frame makes a stage the active one.
    assert [s for s in CHAIN if view.chip(s).isChecked()] == [Stage.S]


@pytest.mark.parametrize(("key", "stage"), list(zip("1234567", CHAIN, strict=True)))
def test_number_keys_ask_for_the_stages(qtbot: QtBot, key: str, stage: Stage) -> None:
    view, intents = chain(qtbot)
    view.chip(Stage.S).setFocus()
    qtbot.keyClick(view.chip(Stage.S), key)
    assert intents == [ShowStage(stage)]


def test_other_keys_and_shortcuts_are_left_alone(qtbot: QtBot) -> None:
    view, intents = chain(qtbot)
    chip = view.chip(Stage.S)
    qtbot.keyClick(chip, "8")
    qtbot.keyClick(chip, "1", Qt.KeyboardModifier.ControlModifier)
    assert intents == []


def test_arrow_keys_move_along_the_chain_and_enter_or_space_goes_there(qtbot: QtBot) -> None:
    view, intents = chain(qtbot, stage=Stage.Q)
    to_front(view)
    view.setFocus()
    qtbot.waitUntil(lambda: view.chip(Stage.Q).hasFocus())
    for key, focused in (
        (Qt.Key.Key_Right, Stage.K),
        (Qt.Key.Key_Left, Stage.Q),
        (Qt.Key.Key_Home, Stage.X),
        (Qt.Key.Key_Left, Stage.X),
        (Qt.Key.Key_End, Stage.O),
        (Qt.Key.Key_Right, Stage.O),
    ):
        qtbot.keyClick(view.focusWidget(), key)
        assert view.focusWidget() is view.chip(focused)
    assert intents == []
    qtbot.keyClick(view.focusWidget(), Qt.Key.Key_Return)
    qtbot.keyClick(view.focusWidget(), Qt.Key.Key_Space)
    assert intents == [ShowStage(Stage.O)] * 2


def test_tab_stops_at_the_active_chip_alone(qtbot: QtBot) -> None:
    view, _intents = chain(qtbot, stage=Stage.A)
    stops = [s for s in CHAIN if view.chip(s).focusPolicy() & Qt.FocusPolicy.TabFocus]
    assert stops == [Stage.A]


# --- what it says --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scene", "expected"),
    [
        (SAMPLE, ["× W_q W_k W_v", "QK^T ÷ √2", "softmax", "× V"]),
        (SAMPLE.replace(options=Options(scale="none")), [..., "QK^T", ..., ...]),
        (SAMPLE.replace(options=Options(scale=1.5)), [..., "QK^T ÷ 1.5", ..., ...]),
        (SAMPLE.replace(options=Options(mask="causal")), [..., "QK^T ÷ √2, causal", ..., ...]),
        (
            SAMPLE.replace(options=Options(mask=np.eye(4, dtype=bool))),
            [..., "QK^T ÷ √2, masked", ..., ...],
        ),
        (SAMPLE.replace(Wq=None, Wk=None, Wv=None), ["Q = K = V = X", ..., ..., ...]),
        (
            SAMPLE.replace(Wq=None, Wk=None, Wv=None, context=CONTEXT),
            ["Q = X; K = V = context", ..., ..., ...],
        ),
        (SAMPLE.replace(context=CONTEXT), ["× W_q; context × W_k W_v", ..., ..., ...]),
        (SAMPLE.replace(bq=frozen_array([1, 1])), ["× W_q W_k W_v + b_q", ..., ..., ...]),
        (heads(4), ["× W_q W_k W_v, head 2 of 4", "QK^T ÷ √4", ..., ..., "concat"]),
        (KINDS["temperature"], [..., "QK^T ÷ √2 ÷ 0.5", ..., ...]),
        (KINDS["temperature alone"], [..., "QK^T ÷ 2.0", ..., ...]),
        (KINDS["padding"], [..., "QK^T ÷ √2, padding", ..., ...]),
        (KINDS["causal and padding"], [..., "QK^T ÷ √2, causal, padding", ..., ...]),
        (KINDS["sinusoidal"], ["+ P", "× W_q W_k W_v", "QK^T ÷ √2", "softmax", "× V"]),
        (KINDS["no W, position"], ["+ P", "Q = K = V = X + P", "QK^T ÷ √3", ..., ...]),
        (KINDS["Wo"], [..., ..., ..., "× V", "× W_o"]),
        (KINDS["biases"], ["× W_q W_k W_v + b_q b_k b_v, head 2 of 2", ..., ..., ..., "concat"]),
        (KINDS["average, masked"], [..., "all scores 0, masked", ..., ...]),
        (
            KINDS["everything"],
            [
                "+ P",
                "× W_q W_k W_v + b_q b_k b_v, head 2 of 2",
                "QK^T ÷ √2 ÷ 0.5, causal",
                "softmax",
                "× V",
                "concat",
                "× W_o + b_o",
            ],
        ),
    ],
)
def test_the_arrows_say_what_is_done(qtbot: QtBot, scene: Scene, expected: list[object]) -> None:
    view, _intents = chain(qtbot, scene, width=2400, head=min(1, scene.heads - 1))
    for said, wanted in zip(captions(view), expected, strict=True):
        assert wanted is ... or said == wanted


MISTAKEN = {
    "softmax_first, one head": (2, "softmax, then ÷ √2: a mistake", ", then ÷ √2: a mistake"),
    "softmax_first, masked": (2, "softmax, then ÷ √2: a mistake", ", then ÷ √2: a mistake"),
    "multiplied, one head": (1, "QK^T × √2: a mistake", " × √2: a mistake"),
    "multiplied, masked": (1, "QK^T × √2 ÷ 0.5, masked: a mistake", " × √2: a mistake"),
    "unscaled, one head": (1, "QK^T, ÷ √2 forgotten: a mistake", ", ÷ √2 forgotten: a mistake"),
    "output_scaled, context": (3, "× V × √2: a mistake", " × √2: a mistake"),
    "heads_mixed, context": (
        0,
        "× W_q; context × W_k W_v, head 1 of 2, heads split by reshape: a mistake",
        ", heads split by reshape: a mistake",
    ),
}


@pytest.mark.parametrize("name", MISTAKEN)
def test_a_mistake_is_named_in_red_where_it_happens(qtbot: QtBot, name: str) -> None:
    place, sentence, in_red = MISTAKEN[name]
    view, _intents = chain(qtbot, KINDS[name], width=2400)
    wrong = {
        index: runs
        for index, (runs, _box) in enumerate(view.shown_captions())
        if any(isinstance(run, Text) and run.ink == "err" for run in runs)
    }
    assert list(wrong) == [place]
    assert plain(wrong[place]) == sentence
    red = [run.text for run in wrong[place] if isinstance(run, Text) and run.ink == "err"]
    assert "".join(red) == in_red


@pytest.mark.parametrize("width", [960, 1024, 1440])
@pytest.mark.parametrize("name", [*MISTAKEN, "everything wrong"])
def test_a_mistake_is_named_however_little_room_there_is(
    qtbot: QtBot, name: str, width: int
) -> None:
    view, _intents = chain(qtbot, KINDS[name], width=width)
    view.set_compact(True)
    [wrong] = [said for said in captions(view) if "mistake" in said]
    assert wrong.endswith("a mistake")


def test_the_mean_over_the_heads_is_said(qtbot: QtBot) -> None:
    view, _intents = chain(qtbot, heads(4), width=1920)
    view.draw(resolve(heads(4), Look(stage=Stage.A, average=True, head=1)))
    assert captions(view)[2:] == ["softmax, mean of 4 heads", "A V of head 2", "concat"]


def test_a_caption_that_is_cut_can_be_read_in_full(qtbot: QtBot) -> None:
    view, _intents = chain(qtbot, KINDS["everything"], width=960)
    whole = "× W_q W_k W_v + b_q b_k b_v, head 1 of 2"
    assert captions(view)[1].endswith("…")
    assert whole in view.accessibleDescription().split("; ")
    before, after = view.chip(Stage.P).geometry(), view.chip(Stage.Q).geometry()
    arrow = QPoint((before.right() + after.left()) // 2, after.center().y())
    at = view.mapToGlobal(arrow)
    QApplication.sendEvent(view, QHelpEvent(QEvent.Type.ToolTip, arrow, at))
    assert QToolTip.text().endswith("b<sub>v</sub>, head 1 of 2</qt>")
    QToolTip.hideText()


def factor(steps: str) -> float:
    """Return what a caption's steps, such as "÷ √2 ÷ 0.5" or "× √2", divide by."""
    divisor = 1.0
    for sign, size in re.findall(r"([÷×]) (√?[\d.e-]+)", steps):
        number = math.sqrt(float(size[1:])) if size[0] == "√" else float(size)
        divisor = divisor * number if sign == "÷" else divisor / number
    return divisor


@settings(suppress_health_check=list(HealthCheck), max_examples=60)
@given(scenes(largest=5.0))
def test_the_captions_of_any_scene_are_what_was_computed(qapp: QApplication, scene: Scene) -> None:
    view = ChainView(Theme())
    for look in (Look(head=scene.heads - 1), Look(average=True)):
        frame = resolve(scene, look)
        shown = view.chain(frame)
        there = [link.key for link in shown.links]
        assert there == list(stages_of(scene))
        said = {there[arrow.start + 1]: plain(arrow.caption) for arrow in shown.arrows}
        red = {
            there[arrow.start + 1]
            for arrow in shown.arrows
            if any(isinstance(run, Text) and run.ink == "err" for run in arrow.caption)
        }
        result, variant = frame.attention, scene.options.variant
        assert len(red) == (variant in MISTAKES)
        if variant is Variant.AVERAGE:
            assert said[Stage.S].startswith("all scores 0")
        else:
            steps = said[Stage.S].partition(", ÷")[0]  # what is forgotten follows a comma
            assert factor(steps) == pytest.approx(result.divisor, rel=0.06)
        assert factor(said[Stage.A]) == pytest.approx(result.weight_divisor)
        assert factor(said[Stage.O]) == pytest.approx(1 / result.output_factor)
        masked = any(word in said[Stage.S] for word in ("causal", "padding", "masked"))
        mask = scene.options.mask
        hides = mask != "none" if isinstance(mask, str) else not mask.all()
        assert masked == hides
        assert ("mean of" in said[Stage.A]) == frame.averaged
        assert ("turned" in said.get(Stage.R, "")) == (scene.options.rotary is not None)
        normed = said.get(Stage.R, said[Stage.S])
        assert ("normalised" in normed) == (scene.options.qk_norm is not None)
        if scene.given:
            assert Stage.Q not in said
            continue
        assert ("context" in said[Stage.Q]) == (scene.context is not None)
        for letter in "qkv":
            biased = getattr(scene, f"b{letter}") is not None
            assert (f"b_{letter}" in said[Stage.Q]) == biased


# --- stations that come and go -------------------------------------------------------------------


@pytest.mark.parametrize("name", KINDS)
def test_there_is_a_chip_for_each_station_with_its_shape(qtbot: QtBot, name: str) -> None:
    scene = KINDS[name]
    view, intents = chain(qtbot, scene, stage=Stage.X, width=1920)
    there = stages_of(scene)
    assert [chip.link.key for chip in view.chips()] == list(there)
    result = compute(scene)
    shapes = {
        Stage.P: scene.X.shape,
        Stage.O: result.head_output.shape[1:],
        Stage.C: (len(scene.tokens), result.heads * result.d_v),
        Stage.Y: result.output.shape,
        Stage.R: (len(scene.tokens), scene.d_k // 2),
    }
    for stage in there:
        chip = view.chip(stage)
        assert chip.isVisible()
        assert chip.link.shape == shapes.get(stage, chip.link.shape)
        qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
        assert intents.pop() == ShowStage(stage)


def test_the_words_of_the_new_stations_tell_the_outputs_apart(qtbot: QtBot) -> None:
    view, _intents = chain(qtbot, KINDS["everything"], stage=Stage.C)
    assert [chip.accessibleName() for chip in view.chips()] == [
        "X, tokens, 4 by 3",
        "X + P, with position, 4 by 3",
        "Q, query, 4 by 2",
        "K, key, 4 by 2",
        "V, value, 4 by 2",
        "S, scores, 4 by 4",
        "A, attention, 4 by 4",
        "O, head output, 4 by 2",
        "C, concat, 4 by 4, selected",
        "Y, output, 4 by 3",
    ]


def test_the_focus_stays_with_its_station_while_others_come_and_go(qtbot: QtBot) -> None:
    view, _intents = chain(qtbot, KINDS["two heads"], stage=Stage.S)
    to_front(view)
    view.setFocus()
    qtbot.waitUntil(lambda: view.chip(Stage.S).hasFocus())
    for name in ("everything", "Wo", "cat-likes-fish", "sinusoidal"):
        view.draw(resolve(KINDS[name], Look(stage=Stage.S)))
        assert view.focusWidget() is view.chip(Stage.S)
        stops = [c for c in view.chips() if c.focusPolicy() & Qt.FocusPolicy.TabFocus]
        assert stops == [view.chip(Stage.S)]


def test_a_station_that_goes_leaves_its_focus_to_the_active_one(qtbot: QtBot) -> None:
    view, _intents = chain(qtbot, KINDS["everything"], stage=Stage.Y)
    to_front(view)
    view.setFocus()
    qtbot.waitUntil(lambda: view.chip(Stage.Y).hasFocus())
    view.draw(resolve(KINDS["two heads"], Look(stage=Stage.C)))
    assert view.focusWidget() is view.chip(Stage.C)
    assert view.chip(Stage.O).isVisible()


def test_arrow_keys_reach_every_station(qtbot: QtBot) -> None:
    view, intents = chain(qtbot, KINDS["everything"], stage=Stage.X)
    to_front(view)
    view.setFocus()
    qtbot.waitUntil(lambda: view.chip(Stage.X).hasFocus())
    for chip in view.chips():
        assert view.focusWidget() is chip
        qtbot.keyClick(view.focusWidget(), Qt.Key.Key_Right)
    assert view.focusWidget() is view.chip(Stage.Y)
    qtbot.keyClick(view.focusWidget(), "7")
    assert intents == [ShowStage(Stage.O)]


@pytest.mark.parametrize(
    ("name", "active", "inputs"),
    [
        ("everything", Stage.P, {Stage.X}),
        ("everything", Stage.K, {Stage.P}),
        ("everything", Stage.C, {Stage.O}),
        ("everything", Stage.Y, {Stage.C}),
        ("Wo", Stage.Y, {Stage.O}),
        ("context", Stage.Q, {Stage.X}),
        ("context", Stage.V, set()),
    ],
)
def test_what_a_station_is_made_from_is_outlined(
    qtbot: QtBot, name: str, active: Stage, inputs: set[Stage]
) -> None:
    view, _intents = chain(qtbot, KINDS[name], stage=active)
    view.clearFocus()
    ink = view.theme.color("ink1")
    outlined = {s for s in stages_of(KINDS[name]) if edge_colour(view, s) == ink}
    assert outlined == inputs | {active}


def test_chips_are_named_with_the_chosen_head_s_shapes(qtbot: QtBot) -> None:
    view, _intents = chain(qtbot, heads(4, width=3).replace(context=CONTEXT), head=3)
    assert [view.chip(stage).accessibleName() for stage in CHAIN] == [
        "X, tokens, 4 by 2",
        "Q, query, 4 by 3",
        "K, key, 3 by 3",
        "V, value, 3 by 3",
        "S, scores, 4 by 3, selected",
        "A, attention, 4 by 3",
        "O, head output, 4 by 3",
    ]


# --- what it looks like --------------------------------------------------------------------------


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("active", list(CHAIN))
def test_the_active_chip_is_filled_and_its_inputs_outlined(
    qtbot: QtBot, active: Stage, dark: bool
) -> None:
    theme = Theme(dark=dark)
    view, _intents = chain(qtbot, stage=active, theme=theme)
    view.clearFocus()
    for stage in CHAIN:
        filled = inside_colour(view, stage) == theme.color("ink1")
        outlined = edge_colour(view, stage) == theme.color("ink1")
        assert filled == (stage is active)
        assert outlined == (stage is active or stage in INPUTS[active])


@pytest.mark.parametrize("percent", SCALES)
@pytest.mark.parametrize("width", [960, 1024, 1280, 1440, 1920, 3840])
@pytest.mark.parametrize(
    "scene",
    [SAMPLE, heads(12), LARGE, KINDS["everything"], KINDS["everything wrong"]],
    ids=["sample", "twelve heads", "large", "everything", "everything wrong"],
)
def test_nothing_overlaps_or_is_cut_off(
    qtbot: QtBot, scene: Scene, width: int, percent: int
) -> None:
    view, _intents = chain(qtbot, scene, width=width, theme=Theme(percent=percent))
    for compact in (False, True):
        view.set_compact(compact)
        boxes = [chip.geometry() for chip in view.chips()]
        for left, right in pairwise(boxes):
            assert left.right() < right.left()
        assert all(view.rect().contains(box) for box in boxes)
        for _runs, box in view.shown_captions():
            assert view.rect().contains(box.toAlignedRect())
            middle = box.center().x()
            before = max(b.right() for b in boxes if b.right() < middle)
            after = min(b.left() for b in boxes if b.left() > middle)
            assert before < box.left()
            assert box.right() < after


def test_compact_chips_are_letters_and_shapes(qtbot: QtBot) -> None:
    view, _intents = chain(qtbot)
    worded = view.chip(Stage.A).width()
    view.set_compact(True)
    compact = view.chip(Stage.A).width()
    assert compact < worded
    view.set_compact(False)
    assert view.chip(Stage.A).width() == worded


def test_drawing_emits_nothing_and_repaints_only_for_news(qtbot: QtBot) -> None:
    view, intents = chain(qtbot)
    first = view.grab().toImage()
    X = SAMPLE.X.copy()
    X[0, 0] = 0.3
    view.draw(resolve(SAMPLE.replace(X=X), Look(stage=Stage.S), Selection(Role.X, 1)))
    assert view.grab().toImage() == first
    view.draw(resolve(SAMPLE, Look(stage=Stage.O)))
    assert view.grab().toImage() != first
    view.draw(resolve(SAMPLE, Look(stage=Stage.S)))
    assert view.grab().toImage() == first
    assert intents == []


def test_another_theme_is_taken_at_the_next_draw(qtbot: QtBot) -> None:
    view, _intents = chain(qtbot)
    dark = Theme(dark=True, percent=150)
    view.retheme(dark)
    view.draw(resolve(SAMPLE, Look(stage=Stage.S)))
    assert view.height() == 84
    assert inside_colour(view, Stage.S) == dark.color("ink1")
    assert inside_colour(view, Stage.X) == dark.color("raised")
