"""The laboratory of √d: what it writes is what is computed, and everything has room."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from explorer.attention import random_trial, scene_trial
from explorer.kit.canvas.drawing import Drawing
from explorer.kit.preview import SAMPLE
from explorer.kit.theme import Theme
from explorer.rooms.explore.sqrt_d import SqrtDView
from explorer.rooms.explore.sqrt_d.compose import compose, least_height
from explorer.rooms.explore.sqrt_d.shown import shown_of
from explorer.rooms.explore.sqrt_d.spread import rounded_up
from explorer.session import (
    Centre,
    Context,
    Frame,
    Look,
    Options,
    Role,
    Scene,
    Selection,
    Trial,
    resolve,
)
from explorer.session.intents import ChangeLook
from explorer.text import display_number

THEME = Theme()


def own(frame: Frame) -> Frame:
    """Return a frame with the laboratory on its own Q and K."""
    look = replace(frame.look, centre=Centre.SQRT_D, trial=Trial(64, own=True))
    return resolve(frame.scene, look, frame.selection, frame.hover)


def random(width: int) -> Frame:
    return resolve(SAMPLE, Look(centre=Centre.SQRT_D, trial=Trial(width)))


def drawn(frame: Frame, theme: Theme = THEME, width: int = 836, height: int = 600) -> Drawing:
    return compose(shown_of(frame, theme), theme, width, height).drawing


def written(drawing: Drawing) -> list[str]:
    return [text.word.text for text in drawing.texts]


def shown(qtbot: QtBot, theme: Theme = THEME) -> SqrtDView:
    view = SqrtDView(theme)
    qtbot.addWidget(view)
    view.resize(836, 704)
    with qtbot.waitExposed(view):
        view.show()
    return view


def test_the_scenes_own_q_and_k_are_drawn_whatever_they_are(
    qtbot: QtBot, awkward_frame: Frame
) -> None:
    view = shown(qtbot)
    emitted: list[object] = []
    view.intent.connect(emitted.append)
    view.draw(own(awkward_frame))
    first = view.grab().toImage()
    view.draw(own(awkward_frame))
    assert view.grab().toImage() == first
    assert emitted == []
    assert "nan" not in " ".join(written(drawn(own(awkward_frame))))


@pytest.mark.parametrize("width", [1, 2, 64, 317, 512])
def test_random_numbers_on_screen_are_those_of_the_trial(width: int) -> None:
    trial, texts = random_trial(width), written(drawn(random(width)))
    places = 1 if trial.variance >= 10 else 2
    assert f"variance {display_number(trial.variance, places)}, d = {width}" in texts
    for row, size in ((trial.plain, trial.curves.plain), (trial.scaled, trial.curves.scaled)):
        for weight in row.weights:
            assert display_number(weight, 3) in texts
        entropy, largest = display_number(row.entropy, 2), display_number(row.largest, 3)
        assert f"entropy {entropy} of at most 2.08 nats, largest weight {largest}" in texts
        name = "without ÷ √d" if row is trial.plain else "with ÷ √d"
        assert f"{name} {display_number(size[width - 1], 3)}" in texts


def test_a_scenes_numbers_on_screen_are_those_of_its_q_and_k() -> None:
    frame = own(resolve(SAMPLE, selection=Selection(Role.S, 3, 1)))
    trial, texts = scene_trial(frame.attention, 3), written(drawn(frame))
    assert f"variance {display_number(float(np.var(frame.attention.raw)), 2)}, d = 2" in texts
    assert "the row cloud" in texts
    assert "all 16 of this scene" in texts
    assert {"cat", "likes", "fish", "cloud"} <= set(texts)
    for row in (trial.plain, trial.scaled):
        assert [display_number(weight, 3) in texts for weight in row.weights] == [True] * 4
        assert f"with ÷ √d {display_number(trial.scaled.gradient, 3)}" in texts


def test_the_row_is_the_selected_tokens_and_else_the_first() -> None:
    for selection, row in (
        (None, "cat"),
        (Selection(Role.X, 2), "fish"),
        (Selection(Role.O, 1, column=0), "likes"),
        (Selection(Role.K, key=2), "cat"),
        (Selection(Role.WQ, 1, column=0), "cat"),
    ):
        assert f"the row {row}" in written(drawn(own(resolve(SAMPLE, selection=selection))))


def test_the_head_is_the_chosen_one() -> None:
    rng = np.random.default_rng(3)
    scene = Scene(
        tuple("abc"), rng.normal(size=(3, 4)) * 4, *(rng.normal(size=(2, 4, 2)) for _ in range(3))
    )
    frame = own(resolve(scene, Look(head=1)))
    texts = written(drawn(frame))
    assert "the row a, head 2 of 2" in texts
    assert f"variance {display_number(float(np.var(frame.attention.raw[1])), 1)}, d = 2" in texts


def test_masked_keys_have_no_number_and_a_masked_row_says_so() -> None:
    mask = np.array([[False] * 4, [True, True, False, False], [True] * 4, [True] * 4])
    scene = SAMPLE.replace(options=Options(mask=mask))
    two = written(drawn(own(resolve(scene, selection=Selection(Role.X, 1)))))
    assert "0.000" not in two
    assert any("of at most 0.69 nats" in text for text in two)
    none = written(drawn(own(resolve(scene))))
    assert none.count("every key is masked") == 2


def test_keys_are_the_tokens_of_the_context() -> None:
    context = Context(("sea", "sky"), np.array([[0.2, 0.9], [-0.4, 0.1]]))
    texts = written(drawn(own(resolve(SAMPLE.replace(context=context)))))
    assert {"sea", "sky", "all 8 of this scene"} <= set(texts)


def test_other_settings_of_the_scene_change_nothing_here() -> None:
    plain = written(drawn(own(resolve(SAMPLE))))
    for options in (Options(scale="none"), Options(scale=7.0), Options(temperature=0.2)):
        assert written(drawn(own(resolve(SAMPLE.replace(options=options))))) == plain


FRAMES = {
    "1": lambda: random(1),
    "5": lambda: random(5),
    "64": lambda: random(64),
    "200": lambda: random(200),
    "512": lambda: random(512),
    "sample": lambda: own(resolve(SAMPLE, selection=Selection(Role.X, 3))),
    "eight": lambda: own(resolve(Scene(tuple("abcdefgh"), np.eye(8) * 3))),
    "huge": lambda: own(resolve(Scene(("a", "W" * 40), np.array([[1e50, 0.0], [0.0, -1e50]])))),
}


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("percent", [100, 150])
@pytest.mark.parametrize("width", [430, 648, 836, 1400])
def test_all_words_are_inside_and_none_lies_upon_another(
    qtbot: QtBot, frame: str, percent: int, width: int
) -> None:
    theme = Theme(percent=percent)
    height = least_height(theme)
    drawing = drawn(FRAMES[frame](), theme, width, height)
    boxes = [
        (text.x, text.y + 3, text.x + text.word.width, text.y + text.word.height - 3)
        for text in drawing.texts
    ]
    for left, top, right, bottom in boxes:
        assert left >= 0
        assert right <= width + 1
        assert top >= 0
        assert bottom <= height
    for (one, a), (other, b) in combinations(zip(written(drawing), boxes, strict=True), 2):
        apart = a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
        assert apart, f"{one!r} lies upon {other!r}"


def test_a_curve_does_not_strike_out_its_value() -> None:
    drawing = drawn(random(512), width=434, height=340)
    values = [t for t in drawing.texts if "÷ √d 0." in t.word.text]
    assert len(values) == 2
    assert all(text.background == THEME.color("canvas") for text in values)


def test_a_small_page_scrolls_and_a_larger_one_does_not(qtbot: QtBot) -> None:
    view = shown(qtbot)
    view.draw(random(64))
    for size, scrolls in (
        ((480, 400), True),
        ((648, 568), False),
        ((836, 704), False),
        ((1400, 900), False),
    ):
        view.resize(*size)
        qtbot.waitUntil(
            lambda size=size, scrolls=scrolls: (
                view.area.width() == size[0]
                and (view.area.verticalScrollBar().maximum() > 0) is scrolls
            )
        )


def test_keys_ask_for_one_more_or_less_twice_or_half_as_many(qtbot: QtBot) -> None:
    view = shown(qtbot)
    asked: list[int] = []
    view.intent.connect(lambda intent: asked.append(intent.changes["trial"].width))
    keys = Qt.Key
    for key in (
        *(keys.Key_Right, keys.Key_Down, keys.Key_PageUp),
        *(keys.Key_PageDown, keys.Key_Home, keys.Key_End),
    ):
        view.draw(random(300))
        QTest.keyClick(view.controls.slider, key)
    assert asked == [301, 299, 512, 150, 1, 512]
    view.draw(random(512))
    asked.clear()
    QTest.keyClick(view.controls.slider, Qt.Key.Key_Right)
    assert asked == []


def test_the_slider_says_its_number_and_rests_where_the_width_is_the_scenes(qtbot: QtBot) -> None:
    view = shown(qtbot)
    view.draw(random(77))
    slider, field = view.controls.slider, view.controls.field
    assert (slider.accessibleDescription(), field.value()) == ("77", 77)
    view.draw(own(resolve(SAMPLE)))
    assert (slider.accessibleDescription(), field.value()) == ("2", 2)
    assert not slider.isEnabled()
    assert not field.isEnabled()
    assert "d_k" in slider.toolTip()


def test_buttons_ask_for_the_plane_and_for_the_scenes_own(qtbot: QtBot) -> None:
    view = shown(qtbot)
    view.draw(random(77))
    asked: list[object] = []
    view.intent.connect(asked.append)
    QTest.mouseClick(view.controls.choice.button(True), Qt.MouseButton.LeftButton)
    QTest.mouseClick(view.controls.back, Qt.MouseButton.LeftButton)
    assert asked == [
        ChangeLook({"trial": Trial(77, own=True)}),
        ChangeLook({"centre": Centre.PLANE}),
    ]


def test_all_is_said_to_a_screen_reader(qtbot: QtBot) -> None:
    view = shown(qtbot)
    view.draw(random(64))
    said = view.sheet.accessibleDescription()
    trial = random_trial(64)
    for number in (
        display_number(trial.variance, 1),
        display_number(trial.plain.entropy, 2),
        display_number(trial.scaled.largest, 3),
        display_number(trial.curves.plain[63], 3),
    ):
        assert number in said


@pytest.mark.parametrize("value", [1e-300, 0.013, 1.0, 3.5, 68.2, 99.0, 1.0000001e7, 1e200])
def test_the_axis_ends_at_a_round_number_not_far_beyond(value: float) -> None:
    end = rounded_up(value)
    assert value <= end * (1 + 1e-9)
    assert end <= value * 1.5 * (1 + 1e-9)
    power = 10.0 ** math.floor(math.log10(end))
    assert round(end / power * 2, 6) == round(end / power * 2)
