"""The points and pairs pages: texts against a slow reference, sorting and selecting by mouse."""

from __future__ import annotations

import math
import re
from itertools import combinations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.attention import Attention
from explorer.kit.preview import SAMPLE
from explorer.kit.table.listing import ListTable
from explorer.kit.theme import Theme
from explorer.rooms.explore.results.lists import (
    ANGLE,
    COSINE,
    DISTANCE,
    PAIR,
    PRODUCT,
    WEIGHT,
    PairSource,
    PairsTable,
    PointSource,
)
from explorer.session import (
    Array,
    Context,
    Drag,
    Look,
    Options,
    ResultsTab,
    Role,
    Scene,
    Selection,
    compute,
    resolve,
)
from explorer.session.intents import Select
from explorer.text import full_number
from explorer.text.numbers import MINUS
from tests.scenes import scenes
from tests.window.contrasts import painted

LEFT = Qt.MouseButton.LeftButton
NO_KEY = Qt.KeyboardModifier.NoModifier
LOOK = Look(tab=ResultsTab.PAIRS)


def random_scene(tokens: int, width: int, **fields: object) -> Scene:
    rng = np.random.default_rng(5)
    scene = Scene(
        tuple(f"t{i}" for i in range(tokens)),
        rng.normal(size=(tokens, width)),
        *(rng.normal(size=(width, width)) for _ in range(3)),
    )
    return scene.replace(**fields)


CROSSED = random_scene(
    2, 2, context=Context(("a", "b", "c"), np.array([[1.0, 2.0], [3.0, 4.0], [0.5, 0.25]]))
)


def show(qtbot: QtBot, table: ListTable) -> list[object]:
    qtbot.addWidget(table)
    table.resize(332, 500)
    intents: list[object] = []
    table.intent.connect(intents.append)
    with qtbot.waitExposed(table):
        table.show()
    return intents


def pairs(qtbot: QtBot, scene: Scene = SAMPLE) -> tuple[PairsTable, list[object]]:
    table = PairsTable("Pairs", Theme(), {})
    intents = show(qtbot, table)
    table.show_frame(resolve(scene, LOOK), Theme())
    return table, intents


def points(qtbot: QtBot, scene: Scene = SAMPLE) -> tuple[ListTable, list[object]]:
    table = ListTable("Points", Theme(), {})
    intents = show(qtbot, table)
    table.show_source(PointSource(resolve(scene), Theme()))
    return table, intents


def row_texts(table: ListTable, row: int) -> list[str]:
    model = table.model()
    return [model.index(row, column).data() for column in range(model.columnCount())]


def value_of(text: str) -> float:
    return float(text.replace(MINUS, "-").replace("°", "").replace("<.001", "0.0001"))


def click_heading(table: ListTable, column: int) -> None:
    header = table.horizontalHeader()
    x = header.sectionViewportPosition(column) + header.sectionSize(column) // 2
    QTest.mouseClick(header.viewport(), LEFT, NO_KEY, QPoint(x, header.height() // 2))


def click(table: ListTable, row: int, column: int) -> None:
    centre = table.visualRect(table.model().index(row, column)).center()
    QTest.mouseClick(table.viewport(), LEFT, NO_KEY, centre)


# --- points --------------------------------------------------------------------------------------


def test_points_of_the_example(qtbot: QtBot) -> None:
    table, _ = points(qtbot)
    assert row_texts(table, 0) == [
        "(1.0, 0.0)",
        "(1.0, 0.0)",
        "(1.0, 0.2)",
        "(0.9, 0.1)",
        "(0.429, 0.462)",
    ]
    assert row_texts(table, 3) == [
        "(−0.8, 0.9)",
        "(−0.8, 0.9)",
        "(−0.62, 0.74)",
        "(−0.63, 0.73)",
        "(−0.029, 0.666)",
    ]


def test_the_contexts_tokens_have_keys_and_values_only(qtbot: QtBot) -> None:
    table, intents = points(qtbot, CROSSED)
    assert table.model().rowCount() == 2 + 3
    assert row_texts(table, 0)[2:4] == ["–", "–"]
    assert row_texts(table, 2)[0] == "(1.0, 2.0)"
    assert [row_texts(table, 2)[i] for i in (1, 4)] == ["–", "–"]
    click(table, 3, 0)
    assert intents[-1] == Select(Selection(Role.CONTEXT, key=1))


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (0, Selection(Role.X, query=2)),
        (1, Selection(Role.Q, query=2)),
        (2, Selection(Role.K, key=2)),
        (3, Selection(Role.V, key=2)),
        (4, Selection(Role.O, query=2)),
    ],
)
def test_a_point_is_selected_in_its_space(qtbot: QtBot, column: int, expected: Selection) -> None:
    table, intents = points(qtbot)
    table.resize(600, 400)
    click(table, 2, column)
    assert intents[-1] == Select(expected)
    table.show_source(PointSource(resolve(SAMPLE, selection=expected), Theme()))
    assert (table.currentIndex().row(), table.currentIndex().column()) == (2, column)


def test_a_points_name_selects_the_token(qtbot: QtBot) -> None:
    table, intents = points(qtbot)
    header = table.verticalHeader()
    QTest.mouseClick(
        header.viewport(), LEFT, NO_KEY, QPoint(20, header.sectionViewportPosition(1) + 5)
    )
    assert intents[-1] == Select(Selection(Role.X, query=1))


def test_a_long_vector_is_shortened_and_told_in_full(qtbot: QtBot) -> None:
    scene = random_scene(3, 12)
    table, _ = points(qtbot, scene)
    text = row_texts(table, 1)[0]
    assert text.endswith(", …)")
    assert text.count(",") == 4
    tip = table.tip_at((1, 0))
    assert all(full_number(value) in tip for value in scene.X[1])


# --- pairs ---------------------------------------------------------------------------------------


def test_pairs_of_the_example(qtbot: QtBot) -> None:
    table, _ = pairs(qtbot)
    assert table.model().rowCount() == 16
    assert row_texts(table, 3) == ["cat → cloud", "2.012", "−0.62", "−0.62", "130°", "0.120"]
    assert "1.000 × 0.965 × cos 130°" in table.tip_at((3, COSINE))
    assert row_texts(table, 0) == ["cat → cat", "0.000", "1.00", "1.00", "11°", "0.379"]


def test_all_columns_are_in_view_at_the_panels_width(qtbot: QtBot) -> None:
    table, _ = pairs(qtbot)
    QApplication.processEvents()
    assert table.horizontalScrollBar().maximum() == 0


def reference(result: Attention, head: int, query: int, key: int) -> dict[int, float | None]:
    """One row, worked out slowly from the definitions."""
    x, c = result.X[query], result.context[key]
    q, k = result.Q[head, query], result.K[head, key]
    dot = math.fsum(a * b for a, b in zip(q, k, strict=True))
    angle = None
    if q.any() and k.any():
        u, v = (vector / np.abs(vector).max() for vector in (q, k))  # no square vanishes
        cosine = float(u @ v) / math.hypot(*u) / math.hypot(*v)
        angle = math.degrees(math.acos(max(-1.0, min(1.0, cosine))))
    return {
        DISTANCE: math.dist(x, c) if len(x) == len(c) else None,
        PRODUCT: dot,
        COSINE: dot,
        ANGLE: angle,
        WEIGHT: float(result.weights[head, query, key]),
    }


@given(scene=scenes(largest=50.0))
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_pair_is_as_defined(qtbot: QtBot, scene: Scene) -> None:
    head = scene.heads - 1
    source = PairSource(resolve(scene, Look(head=head)), Theme())
    result = compute(scene)
    for row in range(source.shape[0]):
        query, key = divmod(row, len(scene.key_tokens))
        for column, expected in reference(result, head, query, key).items():
            value = source.value(row, column)
            if column == WEIGHT and result.mask is not None and not result.mask[query, key]:
                assert value is None
                assert source.text(row, column) == "masked"
            elif expected is None:
                assert value is None
            else:  # the reference's arc cosine is coarse near 0 and 180 degrees
                rel, absolute = (0.0, 1e-3) if column == ANGLE else (1e-6, 1e-4)
                assert value == pytest.approx(expected, rel=rel, abs=absolute)


@pytest.mark.parametrize("column", [DISTANCE, PRODUCT, COSINE, ANGLE, WEIGHT])
def test_a_click_on_a_heading_sorts_both_ways_and_back(qtbot: QtBot, column: int) -> None:
    table, _ = pairs(qtbot, random_scene(5, 3))
    natural = [row_texts(table, row) for row in range(25)]
    orders = []
    for _ in range(2):
        click_heading(table, column)
        rows = [row_texts(table, row) for row in range(25)]
        assert sorted(rows) == sorted(natural)  # whole rows move
        orders.append([value_of(row[column]) for row in rows])
    rising, falling = orders if column in (DISTANCE, ANGLE) else orders[::-1]
    assert rising == sorted(rising)
    assert falling == sorted(falling, reverse=True)
    assert rising != falling
    click_heading(table, column)
    assert [row_texts(table, row) for row in range(25)] == natural


def test_masked_pairs_come_last_both_ways(qtbot: QtBot) -> None:
    table, _ = pairs(qtbot, SAMPLE.replace(options=Options(mask="causal")))
    for _ in range(2):
        click_heading(table, WEIGHT)
        weights = [row_texts(table, row)[WEIGHT] for row in range(16)]
        assert weights[10:] == ["masked"] * 6
        assert "masked" not in weights[:10]


def test_rows_stand_still_while_a_token_is_dragged(qtbot: QtBot) -> None:
    table, _ = pairs(qtbot)
    click_heading(table, WEIGHT)
    before = [row_texts(table, row)[PAIR] for row in range(16)]
    X: Array = SAMPLE.X.copy()
    X[0] = (-3.0, 2.0)
    moved = SAMPLE.replace(X=X)
    table.show_frame(resolve(moved, LOOK, drag=Drag(0, SAMPLE.X[0])), Theme())
    assert [row_texts(table, row)[PAIR] for row in range(16)] == before
    table.show_frame(resolve(moved, LOOK), Theme())
    weights = [value_of(row_texts(table, row)[WEIGHT]) for row in range(16)]
    assert weights == sorted(weights, reverse=True)


def test_a_pair_row_is_the_selected_cell(qtbot: QtBot) -> None:
    table, intents = pairs(qtbot)
    click(table, 3, PAIR)
    assert intents[-1] == Select(Selection(Role.S, 0, 3))
    click_heading(table, PRODUCT)
    row = next(row for row in range(16) if row_texts(table, row)[PAIR] == "likes → cloud")
    click(table, row, PRODUCT)
    assert intents[-1] == Select(Selection(Role.S, 1, 3))
    table.show_frame(resolve(SAMPLE, LOOK, Selection(Role.A, 1, 3)), Theme())
    source = table.source
    assert source is not None
    assert source.place(source.frame.selection) == (row, None)
    image = table.viewport().grab().toImage()
    top = table.rowViewportPosition(row)
    edge = {image.pixelColor(160, y).name() for y in range(top, top + 4)}
    assert Theme().palette.ink1.lower() in edge


def test_arrow_keys_go_down_the_sorted_rows(qtbot: QtBot) -> None:
    table, intents = pairs(qtbot)
    click_heading(table, WEIGHT)
    for row in (0, 1):
        query, key = row_texts(table, row)[PAIR].split(" → ")
        selection = Selection(Role.S, SAMPLE.tokens.index(query), SAMPLE.tokens.index(key))
        if row:
            qtbot.keyClick(table, Qt.Key.Key_Down)
            assert intents[-1] == Select(selection)
        table.show_frame(resolve(SAMPLE, LOOK, selection), Theme())


def test_a_large_scene_shows_and_sorts_all_pairs(qtbot: QtBot) -> None:
    scene = random_scene(256, 4)
    table, _ = pairs(qtbot, scene)
    assert table.model().rowCount() == 65_536
    assert row_texts(table, 65_535)[PAIR] == "t255 → t255"
    click_heading(table, DISTANCE)
    click_heading(table, DISTANCE)
    far = max(float(np.linalg.norm(scene.X - row, axis=1).max()) for row in scene.X)
    assert value_of(row_texts(table, 0)[DISTANCE]) == pytest.approx(far, abs=5.1e-4)
    assert value_of(row_texts(table, 65_535)[DISTANCE]) == 0.0


def test_copied_pairs_are_in_the_order_shown(qtbot: QtBot) -> None:
    table, _ = pairs(qtbot)
    click_heading(table, PRODUCT)
    assert table.source is not None
    name, block = table.source.copied()
    assert name == "pairs"
    assert block.shape == (16, 5)
    for row in range(16):
        shown = [value_of(text) for text in row_texts(table, row)[1:]]
        assert block[row] == pytest.approx(shown, abs=0.51)
        assert block[row, [0, 1, 2, 4]] == pytest.approx([shown[i] for i in (0, 1, 2, 4)], abs=6e-4)


# --- what is in view -----------------------------------------------------------------------------


@pytest.mark.parametrize("percent", [100, 125, 150])
@pytest.mark.parametrize("width", [2, 3, 5])
@pytest.mark.parametrize("tab", [ResultsTab.POINTS, ResultsTab.PAIRS])
def test_at_the_panels_default_width_no_column_is_cut(
    qtbot: QtBot, tab: ResultsTab, width: int, percent: int
) -> None:
    scene, theme = random_scene(5, width), Theme(percent=percent)
    scene = scene.replace(tokens=("the", "chases", "tired", "cat", "hedgehog"))
    frame = resolve(scene, Look(tab=tab))
    if tab is ResultsTab.POINTS:
        table: ListTable = ListTable("Points", theme, {})
        table.show_source(PointSource(frame, theme))
    else:
        table = PairsTable("Pairs", theme, {})
        table.show_frame(frame, theme)
    show(qtbot, table)
    table.resize(round(316 * percent / 100), 500)
    QApplication.processEvents()
    last = table.visualRect(table.model().index(0, table.model().columnCount() - 1))
    assert last.right() < table.viewport().width()
    boxes = [text.box for text in painted(table)[0]]
    assert all(table.rect().contains(box) for box in boxes if box.bottom() < table.height())
    assert not any(a.intersects(b) for a, b in combinations(boxes, 2))
    vectors = [text for row in range(5) for text in row_texts(table, row)]
    told = "".join(text.text for text in painted(table)[0])
    parts = re.findall(rf"[{MINUS}\d.]+", vectors[0] if tab is ResultsTab.POINTS else vectors[2])
    assert all(part in told for part in parts)
    if tab is ResultsTab.PAIRS:  # names too, however narrow the column is
        assert {text.text for text in painted(table)[0]} >= set(scene.tokens)
