"""The strip below: the head, its pair in all heads, and the arithmetic of its weight."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from explorer.kit.all_terms import AllTerms
from explorer.kit.theme import Theme
from explorer.models import run_of
from explorer.rooms.model.arithmetic import sum_of
from explorer.rooms.model.strip import ModelStrip
from explorer.session.intents import CopyText
from explorer.session.model.frame import ModelCursor, ModelFrame, ModelLook
from explorer.session.model.intents import ChangeModelLook, GoToHead
from tests.model_frames import array_run, model_frame
from tests.proofreading import written_on
from tests.showing import asked_of
from tests.train_views import click

THEME = Theme()
Strip = tuple[ModelStrip, list[object]]


@pytest.fixture
def strip(qtbot: QtBot) -> Strip:
    view = ModelStrip(THEME)
    return view, asked_of(qtbot, view, 1440, 112, model_frame())


def numbers(text: str) -> list[float]:
    return [float(each) for each in re.findall(r"-?\d+\.\d+", text.replace("−", "-"))]


def test_the_arithmetic_leads_from_q_and_k_to_the_weight(strip: Strip) -> None:
    view, _asked = strip
    frame = model_frame()
    assert frame.head is not None
    arrays = frame.head.arrays
    assert arrays.q is not None
    assert arrays.k is not None
    assert arrays.scores is not None
    lines = view.sum.text.split("\n")
    assert [line.split(":")[0] for line in lines] == ["Dot product, 4 terms", "Scale", "Softmax"]
    assert "q_animal · k_street" in lines[0]
    raw = float(arrays.q[2].astype(float) @ arrays.k[7].astype(float))
    assert numbers(lines[0]) == [pytest.approx(raw, abs=0.006)]
    assert numbers(lines[1]) == [pytest.approx(raw / 2, abs=6e-4)]
    total = float(np.exp(arrays.scores[2].astype(float)).sum())
    power, divisor, weight = numbers(lines[2])
    assert power == pytest.approx(raw / 2, abs=6e-4)
    assert divisor == pytest.approx(total, abs=0.006)
    assert weight == pytest.approx(float(arrays.weights[2, 7]), abs=6e-4)


def test_the_bars_count_terms_up_and_down(strip: Strip) -> None:
    view, _asked = strip
    made = sum_of(model_frame())
    assert made is not None
    assert made.products is not None
    up, down = (made.products > 0).sum(), (made.products < 0).sum()
    assert view.sum.box.counts == f"{up} up, {down} down"
    assert view.sum.box.terms.tolist() == sorted(made.products, reverse=True)


def test_show_unfolds_every_term_with_its_numbers(qtbot: QtBot, strip: Strip) -> None:
    view, asked = strip
    view.sum.show_terms.click()
    assert asked == [ChangeModelLook({"terms": True})]
    frame = model_frame(look=ModelLook(terms=True))
    view.draw(frame)
    sheet = view.findChild(AllTerms)
    assert sheet is not None
    lines = sheet.text.toPlainText().split("\n")
    found = [numbers(line.split(":")[1]) for line in lines]
    assert all(q * k == pytest.approx(p, abs=0.01) for q, k, p in found)
    assert [p for *_qk, p in found] == sorted((p for *_qk, p in found), reverse=True)
    QTest.keyClick(sheet, Qt.Key.Key_Escape)
    assert asked[1:] == [ChangeModelLook({"terms": False})]
    view.draw(model_frame())
    assert view.sum.text


def test_where_room_is_short_the_scale_goes_first_and_the_bars_next(strip: Strip) -> None:
    view, _asked = strip
    whole = view.sum.captions()
    assert whole == ["Dot product, 4 terms", "Scale", "Softmax"]
    seen = []
    for width in range(800, 280, -20):
        view.sum.resize(width, 112)
        form = view.sum.captions() == whole, view.sum.box.isVisible()
        assert view.sum.captions() in (whole, [whole[0], whole[2]])
        if form not in seen:
            seen.append(form)
    assert seen == [(True, True), (False, True), (False, False)]


def test_the_weight_is_seen_where_large_text_leaves_little_room(strip: Strip) -> None:
    view, _asked = strip
    view.retheme(Theme(percent=150))
    view.set_compact(True)
    view.resize(1024, view.height())
    view.draw(model_frame())
    made = sum_of(model_frame())
    assert made is not None
    written = written_on(view.sum)
    assert f"{made.weight:.3f}" in [each.text for each in written]
    assert all(each.box.right() <= view.sum.width() for each in written)
    assert view.sum.show_terms.geometry().right() < view.sum.width()


def test_what_is_not_known_is_not_said(strip: Strip) -> None:
    view, _asked = strip
    view.draw(model_frame(array_run(only_weights=True)))
    assert view.sum.captions() == ["Weight"]
    view.draw(model_frame(cursor=ModelCursor(0, 0, 1)))
    assert view.sum.captions() == []
    view.draw(ModelFrame())
    assert view.layer.text() == ""


def test_a_masked_pair_says_so(strip: Strip) -> None:
    view, _asked = strip
    random = np.random.default_rng(0)
    mask = np.tri(3, dtype=bool)
    q, k = random.normal(size=(2, 1, 2, 3, 4))
    run = run_of({"q": q, "k": k, "mask": mask}, tokens=["a", "b", "c"])
    view.draw(model_frame(run, ModelCursor(0, 1, 0, 2)))
    assert "masked = −∞" in view.sum.text.replace("-", "−")
    assert "0.000" in view.sum.text


def test_large_scores_are_shifted_before_the_exponentials(strip: Strip) -> None:
    view, _asked = strip
    q = np.full((1, 1, 2, 4), 50.0)
    q[0, 0, 1] = 49.0
    run = run_of({"q": q, "k": q}, tokens=["a", "b"])
    view.draw(model_frame(run, ModelCursor(0, 0, 0, 0)))
    softmax = view.sum.text.split("\n")[-1]
    power, shift, total, weight = numbers(softmax)
    assert np.exp(power - abs(shift)) / total == pytest.approx(weight, abs=6e-3)


def test_a_dot_a_number_and_the_arrows_go_to_a_layer(strip: Strip) -> None:
    view, asked = strip
    depth = view.dots
    place = depth.dot(0, 1)
    assert depth.tip(place).startswith("layer 1 head 2: 0.")
    click(depth, place)
    depth.buttons[0].click()
    QTest.keyClick(depth, Qt.Key.Key_Left)
    view.back.click()
    assert asked == [GoToHead(0, 1), GoToHead(0, 2), GoToHead(0, 2), GoToHead(0, 2)]
    assert not view.forward.isEnabled()
    assert [button.isChecked() for button in depth.buttons] == [False, True]


def test_the_dots_lie_as_high_as_their_weights(strip: Strip) -> None:
    view, _asked = strip
    frame = model_frame()
    assert frame.pair is not None
    weights = frame.pair.weights
    heights = np.array([[78 - view.dots.dot(i, h).y() for h in range(3)] for i in range(2)])
    np.testing.assert_allclose(heights / 50 * view.dots.top, weights, atol=1e-6)
    assert view.dots.top >= weights.max() > view.dots.top - 0.1


@pytest.mark.parametrize("compact", [False, True])
@pytest.mark.parametrize("heads", [1, 3, 12])
def test_no_dot_lies_over_a_number_of_the_axis(strip: Strip, heads: int, compact: bool) -> None:
    view, _asked = strip
    view.dots.set_compact(compact)
    for layers in (1, 2, 12):
        run = array_run(("a", "b"), layers=layers, heads=heads)
        view.draw(model_frame(run, ModelCursor(0, 0, 1, 0)))
        texts = [
            each.box for each in written_on(view.dots) if re.fullmatch(r"[01]?\.?\d", each.text)
        ]
        assert len(texts) == 2
        chosen = QRectF(-8, -8, 16, 16)  # as large as a dot can be
        dots = [chosen.translated(view.dots.dot(*place)) for place in np.ndindex(layers, heads)]
        assert not any(dot.intersects(box) for dot in dots for box in texts)
        assert all(QRectF(view.dots.rect()).contains(dot) for dot in dots)


def test_many_layers_get_as_many_numbers_as_have_room(strip: Strip) -> None:
    view, _asked = strip
    view.draw(model_frame(array_run(("a", "b"), layers=40), ModelCursor(0, 0, 1, 0)))
    shown = view.dots.buttons
    assert 5 < len(shown) < 20
    places = [button.geometry() for button in shown]
    assert not any(one.intersects(other) for one, other in pairwise(places))


def test_playing_goes_through_the_layers_and_stops_at_the_last(qtbot: QtBot, strip: Strip) -> None:
    view, asked = strip
    view.play.click()  # at the last layer: from the first
    assert view.playing
    assert asked == [GoToHead(0, 2)]
    view.draw(model_frame(cursor=ModelCursor(0, 2, 2, 7)))
    qtbot.waitUntil(lambda: len(asked) == 2)
    assert asked[1] == GoToHead(1, 2)
    view.draw(model_frame())
    qtbot.waitUntil(lambda: not view.playing)
    assert len(asked) == 2


def test_the_arithmetic_is_copied(strip: Strip) -> None:
    view, asked = strip
    view.actions()[0].trigger()
    assert asked == [CopyText(view.sum.text)]
    view.set_compact(True)
    assert view.count.isHidden()
    view.draw(replace(model_frame(), pair=None))
