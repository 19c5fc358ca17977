"""The results of every kind of attention: heads, titles, further stages, a context."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from explorer.attention import Variant
from explorer.exporters import FORMATS
from explorer.kit.preview import SAMPLE
from explorer.kit.table.sources import HeatSource, OutputSource
from explorer.kit.table.titles import output_words, scaling_label, weights_words
from explorer.kit.table.view import CellTable
from explorer.kit.theme import Theme
from explorer.rooms.explore.results import ResultsView
from explorer.rooms.explore.results.lists import (
    ANGLE,
    COSINE,
    DISTANCE,
    WEIGHT,
    PairSource,
    PointSource,
)
from explorer.session import (
    Context,
    Frame,
    Look,
    Options,
    ResultsTab,
    Role,
    Scene,
    Selection,
    Stage,
    placed_rows,
    resolve,
)
from explorer.session.intents import CopyText, Select
from explorer.text.numbers import MINUS
from tests.inks import has_ink
from tests.scenes import scenes


def headed(heads: int, **fields: object) -> Scene:
    """Return the sample with so many heads of its own, and an output after Wo."""
    rng = np.random.default_rng(heads)
    W = {name: rng.normal(size=(heads, 2, 2)) for name in ("Wq", "Wk", "Wv")}
    return SAMPLE.replace(**W, Wo=rng.normal(size=(2 * heads, 3)), **fields)


def shown(qtbot: QtBot, frame: Frame, theme: Theme | None = None) -> ResultsView:
    view = ResultsView(theme or Theme(), copy_as=FORMATS)
    qtbot.addWidget(view)
    view.resize(348, 900)
    with qtbot.waitExposed(view):
        view.show()
    view.draw(frame)
    return view


def numbers(table: CellTable) -> np.ndarray:
    model = table.model()
    return np.array(
        [
            [float(model.index(i, j).data().replace(MINUS, "-")) for j in range(4)]
            for i in range(model.rowCount())
        ]
    )


def divisor_in(label: str) -> float:
    """Return what "÷ √2 ÷ 0.5" divides by in all."""
    divisor, words = 1.0, label.replace(MINUS, "-").split()
    for sign, text in zip(words[::2], words[1::2], strict=True):
        value = math.sqrt(float(text[1:])) if text[0] == "√" else float(text)
        divisor = divisor * value if sign == "÷" else divisor / value
    return divisor


# --- titles --------------------------------------------------------------------------------------


@given(scene=scenes(largest=10.0))
@settings(max_examples=150)
def test_what_a_title_says_of_the_rows_is_so(scene: Scene) -> None:
    for average in (False, True):
        frame = resolve(scene, Look(average=average, head=scene.heads - 1))
        words, sums = weights_words(frame), frame.weights.sum(axis=1)
        if "every key is masked" in words:
            assert not sums.any()
            continue
        *_, total = (word for word in words.replace("or are all masked", "").split() if word)
        said = pytest.approx(float(total), abs=6e-4)
        if "each row" in words:
            assert sums == said
        else:
            assert {bool(one) for one in sums} == {True, False}
            assert sums[sums > 0] == said


@given(scene=scenes(largest=10.0))
@settings(max_examples=150)
def test_the_scaling_that_is_named_is_what_happens_to_scores(scene: Scene) -> None:
    frame = resolve(scene)
    result, label = frame.attention, scaling_label(frame)
    seen = np.isfinite(result.scores)
    if label is None or label == "masked":
        assert result.scores[seen] == pytest.approx(result.raw[seen])
        assert (label == "masked") == (result.mask is not None)
    elif label == "all 0":
        assert not result.scores[seen].any()
    else:
        assert divisor_in(label) == pytest.approx(result.divisor, rel=0.06)


@pytest.mark.parametrize(
    ("variant", "heads", "words"),
    [
        (Variant.NONE, 1, "output"),
        (Variant.NONE, 2, "output of head 2"),
        (Variant.OUTPUT_SCALED, 1, "output × √2"),
        (Variant.OUTPUT_SCALED, 2, "output of head 2 × √2"),
    ],
)
def test_the_title_of_o_names_head_and_factor(variant: Variant, heads: int, words: str) -> None:
    scene = headed(heads, options=Options(variant=variant))
    assert output_words(resolve(scene, Look(head=heads - 1))) == words


# --- heads ---------------------------------------------------------------------------------------


def test_the_average_is_shown_in_a_alone(qtbot: QtBot) -> None:
    scene = headed(3)
    frame = resolve(scene, Look(average=True, head=1))
    view, result = shown(qtbot, frame), frame.attention
    assert numbers(view.matrices.weights.fitted) == pytest.approx(
        result.weights.mean(axis=0), abs=5.1e-4
    )
    assert view.matrices.weights.title.visible_text == "A average of 3 heads, each row sums to 1"
    assert view.matrices.scores.title.visible_text == "S scores of head 2"
    # O is of one head, and so is what it is made of.
    outputs = OutputSource(frame, Theme())
    assert np.array_equal(outputs.weights, result.weights[1])
    assert outputs.values == pytest.approx(result.weights[1] @ result.V[1])


@pytest.mark.parametrize("heads", [2, 4, 8, 16, 64])
@pytest.mark.parametrize("percent", [100, 150])
def test_all_heads_have_a_tile_within_the_panel(qtbot: QtBot, heads: int, percent: int) -> None:
    theme = Theme(percent=percent)
    view = shown(qtbot, resolve(headed(heads)), theme)
    view.resize(theme.px(300), view.height())
    picker = view.heads
    places = [QRect(button.geometry()) for button in picker.buttons]
    assert len(places) == heads + 1
    inside = QRect(0, 0, theme.px(300), picker.height())
    around = theme.px(3)  # room for an outline
    for i, place in enumerate(places):
        map_ = place.adjusted(around, around, -around, -around)
        assert inside.contains(map_)
        assert min(map_.width(), map_.height()) >= theme.px(12) - 1
        others = [p.adjusted(around, around, -around, -around) for p in places[:i]]
        assert not any(map_.intersects(other) for other in others)
    assert picker.height() <= theme.px(120)
    names = {button.accessibleName() for button in picker.buttons}
    assert names == {f"Head {head + 1}" for head in range(heads)} | {"Average"}


def test_a_tile_has_the_colours_of_its_head(qtbot: QtBot) -> None:
    theme = Theme()
    frame = resolve(headed(2))
    view = shown(qtbot, frame, theme)
    for head in range(2):
        image, area = view.heads.grab().toImage(), view.heads.mosaic.area(head)
        for query in range(4):
            x = round(area.left() + area.width() * 5 / 8)
            y = round(area.top() + area.height() * (2 * query + 1) / 8)
            weight = float(frame.attention.weights[head, query, 2])
            expected = theme.weights_map.fill(weight, 1.0)
            assert QColor(image.pixelColor(x, y)) == expected


# --- further stages ------------------------------------------------------------------------------


@pytest.mark.parametrize("stage", [Stage.P, Stage.C, Stage.Y])
def test_the_active_stage_shows_its_numbers_in_the_place_of_o(qtbot: QtBot, stage: Stage) -> None:
    scene = headed(2, options=Options(position="sinusoidal"))
    frame = resolve(scene, replace(Look(), stage=stage))
    view = shown(qtbot, frame)
    part = view.matrices.active
    assert part is not None
    assert part.isVisible()
    assert not view.matrices.outputs.isVisible()
    values = {
        Stage.P: placed_rows(scene),
        Stage.C: np.concatenate(list(frame.attention.head_output), axis=1),
        Stage.Y: frame.attention.output,
    }[stage]
    model = part.fitted.model()
    assert (model.rowCount(), model.columnCount()) == values.shape
    assert part.title.visible_text.startswith(stage.value)
    for i, j in np.ndindex(*values.shape):
        text = model.index(i, j).data().replace(MINUS, "-")
        assert float(text) == pytest.approx(values[i, j], abs=5.1e-4)
    cell = part.fitted.visualRect(model.index(1, 1)).center()
    intents: list[object] = []
    view.intent.connect(intents.append)
    qtbot.mouseClick(part.fitted.viewport(), Qt.MouseButton.LeftButton, pos=cell)
    assert Select(Selection(Role(stage.value), 1, column=1)) in intents
    qtbot.keyClick(part.fitted, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert intents[-1] == CopyText(FORMATS["table"](stage.value, values))
    view.draw(resolve(scene, Look()))
    assert view.matrices.outputs.isVisible()
    assert not part.isVisible()


def test_columns_of_heads_side_by_side_are_captioned_by_head(qtbot: QtBot) -> None:
    view = shown(qtbot, resolve(headed(3), replace(Look(), stage=Stage.C)))
    part = view.matrices.active
    assert part is not None
    source = part.fitted.source
    assert source is not None
    assert source.spans == ((0, 1, "head 1", "1"), (2, 3, "head 2", "2"), (4, 5, "head 3", "3"))
    assert source.spoken(0, 3).startswith("C, cat, head 2, column 2, ")


def test_the_names_in_code_are_names() -> None:
    values = np.ones((1, 1))
    assert FORMATS["NumPy"]("X + P", values).startswith("X_P = ")
    assert FORMATS["PyTorch"]("X + P", values).startswith("X_P = ")


# --- lists ---------------------------------------------------------------------------------------


def test_points_have_a_column_for_each_space_of_the_scene(qtbot: QtBot) -> None:
    plain = PointSource(resolve(SAMPLE), Theme())
    assert [plain.column_name(c) for c in range(plain.shape[1])] == ["X", "Q", "K", "V", "O"]
    scene = headed(2, options=Options(position="sinusoidal"))
    full = PointSource(resolve(scene), Theme())
    names = [full.column_name(c) for c in range(full.shape[1])]
    assert names == ["X", "X + P", "Q", "K", "V", "O", "Y"]
    placed = full.vector(1, 1)
    assert placed == pytest.approx(placed_rows(scene)[1])
    assert full.selection(1, 6) == Selection(Role.Y, query=1)
    assert full.place(Selection(Role.Y, query=1)) == (1, 6)


def test_pairs_say_what_their_distance_and_weight_are() -> None:
    plain = PairSource(resolve(SAMPLE), Theme())
    assert plain.column_name(DISTANCE) == "X\ndist."
    assert plain.column_name(WEIGHT) == "weight"
    scene = headed(2, options=Options(position="sinusoidal"))
    mean = PairSource(resolve(scene, Look(average=True)), Theme())
    assert mean.column_name(DISTANCE) == "X + P\ndist."
    assert mean.column_name(WEIGHT) == "mean\nweight"
    result = mean.frame.attention
    assert mean.value(1, WEIGHT) == pytest.approx(result.weights[:, 0, 1].mean())


def test_a_right_angle_has_no_cosine() -> None:
    scene = Scene(("a", "b"), np.array([[0.3, 0.0], [0.0, 4.0]]))
    source = PairSource(resolve(scene), Theme())
    assert source.text(1, ANGLE) == "90°"
    assert source.text(1, COSINE) == "0.00"
    assert source.text(0, COSINE) == "0.09"


def test_tokens_of_the_context_are_told_apart() -> None:
    context = Context(("sea", "cat"), np.array([[0.2, 0.9], [-0.4, 0.1]]))
    frame = resolve(SAMPLE.replace(context=context))
    source = HeatSource(frame, Theme(), Role.A)
    columns = [source.column_colour(key) for key in range(2)]
    assert all(colour is not None and colour.square for colour in columns)
    assert not any(colour.square for colour in source.row_colours)
    assert source.column_tip(1) == "cat, a token of the context"
    assert source.row_tip(0) == "cat, a token that looks at the context"
    points = PointSource(frame, Theme())
    assert [colour.square for colour in points.row_colours] == [False] * 4 + [True] * 2
    assert points.place(Selection(Role.CONTEXT, key=1, column=0)) == (5, 0)
    # In self-attention there is nothing to tell apart.
    plain = HeatSource(resolve(SAMPLE), Theme(), Role.A)
    assert not any(colour.square for colour in plain.colours[1])
    assert plain.column_tip(0) == "cat"


def test_a_row_without_a_key_says_so_at_full_size(qtbot: QtBot) -> None:
    tokens = tuple(f"t{i}" for i in range(16))
    mask = np.ones((16, 16), bool)
    mask[2] = False
    scene = Scene(tokens, np.eye(16), options=Options(mask=mask))
    theme = Theme()
    view = shown(qtbot, resolve(scene, Look(tab=ResultsTab.MATRICES)), theme)
    part = view.matrices.weights
    qtbot.mouseClick(part.title.full, Qt.MouseButton.LeftButton)
    image = part.full.viewport().grab().toImage()
    inks = []
    for row in (2, 3):
        left = part.full.visualRect(part.full.model().index(row, 0))
        y = range(left.top() + 3, left.bottom() - 3)
        width = min(part.full.viewport().width(), image.width())
        inks.append({image.pixelColor(x, at).name() for x in range(width) for at in y})
    assert has_ink(inks[0], theme.palette.ink3)
    assert theme.palette.axis.lower() not in inks[1]
    texts = [part.full.model().index(2, key).data() for key in range(16)]
    assert texts == [""] * 16


def test_the_tables_tell_screen_readers_what_the_titles_say(qtbot: QtBot) -> None:
    view = shown(qtbot, resolve(headed(2), Look(average=True)))
    table = view.matrices.weights.fitted
    assert table.accessibleDescription() == "average of 2 heads, each row sums to 1"
    view.draw(resolve(headed(2), Look(head=1)))
    assert table.accessibleDescription() == "head 2 of 2, each row sums to 1"
    assert view.matrices.outputs.fitted.accessibleDescription() == "output of head 2"
