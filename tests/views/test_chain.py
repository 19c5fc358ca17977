"""The chain: real clicks and keys in, intents out; the truth in shapes, captions and names."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from explorer.session import (
    INPUTS,
    Context,
    Look,
    Options,
    Scene,
    Selection,
    Stage,
    frozen_array,
    resolve,
)
from explorer.session.intents import ShowStage
from explorer.session.look import Role
from explorer.views.chain import ChainView
from explorer.views.preview import SAMPLE
from explorer.views.runs import plain
from explorer.views.theme import SCALES, Theme

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


@pytest.mark.parametrize("stage", list(Stage))
def test_a_click_asks_for_the_stage(qtbot: QtBot, stage: Stage) -> None:
    view, intents = chain(qtbot)
    qtbot.mouseClick(view.chip(stage), Qt.MouseButton.LeftButton)
    assert intents == [ShowStage(stage)]
    # Only a frame makes a stage the active one.
    assert [s for s in Stage if view.chip(s).isChecked()] == [Stage.S]


@pytest.mark.parametrize(("key", "stage"), list(zip("1234567", Stage, strict=True)))
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
    view.activateWindow()
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
    stops = [s for s in Stage if view.chip(s).focusPolicy() & Qt.FocusPolicy.TabFocus]
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
        (SAMPLE.replace(bq=frozen_array([1, 1])), ["× W_q W_k W_v + b", ..., ..., ...]),
        (heads(4), ["× W_q W_k W_v, head 2 of 4", "QK^T ÷ √4", ..., ...]),
    ],
)
def test_the_arrows_say_what_is_done(qtbot: QtBot, scene: Scene, expected: list[object]) -> None:
    view, _intents = chain(qtbot, scene, width=1920, head=min(1, scene.heads - 1))
    for said, wanted in zip(captions(view), expected, strict=True):
        assert wanted is ... or said == wanted


def test_chips_are_named_with_the_chosen_head_s_shapes(qtbot: QtBot) -> None:
    view, _intents = chain(qtbot, heads(4, width=3).replace(context=CONTEXT), head=3)
    assert [view.chip(stage).accessibleName() for stage in Stage] == [
        "X, tokens, 4 by 2",
        "Q, query, 4 by 3",
        "K, key, 3 by 3",
        "V, value, 3 by 3",
        "S, scores, 4 by 3, selected",
        "A, attention, 4 by 3",
        "O, output, 4 by 3",
    ]


# --- what it looks like --------------------------------------------------------------------------


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("active", list(Stage))
def test_the_active_chip_is_filled_and_its_inputs_outlined(
    qtbot: QtBot, active: Stage, dark: bool
) -> None:
    theme = Theme(dark=dark)
    view, _intents = chain(qtbot, stage=active, theme=theme)
    view.clearFocus()
    for stage in Stage:
        filled = inside_colour(view, stage) == theme.color("ink1")
        outlined = edge_colour(view, stage) == theme.color("ink1")
        assert filled == (stage is active)
        assert outlined == (stage is active or stage in INPUTS[active])


@pytest.mark.parametrize("percent", SCALES)
@pytest.mark.parametrize("width", [960, 1024, 1280, 1440, 1920, 3840])
@pytest.mark.parametrize(
    "scene", [SAMPLE, heads(12), LARGE], ids=["sample", "twelve heads", "large"]
)
def test_nothing_overlaps_or_is_cut_off(
    qtbot: QtBot, scene: Scene, width: int, percent: int
) -> None:
    view, _intents = chain(qtbot, scene, width=width, theme=Theme(percent=percent))
    for compact in (False, True):
        view.set_compact(compact)
        boxes = [view.chip(stage).geometry() for stage in Stage]
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
