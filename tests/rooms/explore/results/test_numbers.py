"""The results' numbers and colours are those of the scene, wherever they have room."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QRegion
from pytestqt.qtbot import QtBot

from explorer.attention import Variant
from explorer.kit.preview import SAMPLE
from explorer.kit.table.sources import shortened
from explorer.kit.theme import Theme
from explorer.session import (
    Cell,
    Invalid,
    Look,
    Matrix,
    Options,
    Role,
    Scene,
    Selection,
    Stage,
    compute,
    resolve,
)
from explorer.session.intents import ChangeLook, Select
from explorer.text import Message
from explorer.text.numbers import MINUS
from tests.rooms.explore.results.panel import (
    HOLED,
    LARGE,
    LEFT,
    click,
    panel,
    picture,
    scene_of,
    texts,
    value_of,
)
from tests.scenes import scenes
from tests.window.contrasts import painted


def number(value: float) -> str:
    return f"{value:.3f}".replace("-", MINUS)


def is_rounded(text: str, value: float) -> bool:
    """Whether a text is a number to three decimals, or to two digits where it has an exponent.

    One that would read 0 says what it is less than: "<.001", ">−.001".
    """
    if text[0] in "<>":
        return 0 < abs(value) < abs(value_of(text[1:])) and (value > 0) == (text[0] == "<")
    tolerance = (
        0.051 * 10.0 ** int(text.partition("e")[2].replace(MINUS, "-")) if "e" in text else 5.01e-4
    )
    return abs(value_of(text) - value) <= tolerance


def test_the_example_shows_its_numbers_to_the_digit(qtbot: QtBot) -> None:
    shown = panel(qtbot)
    assert texts(shown.s) == [
        ["1.00", "0.60", "0.20", "−0.62"],
        ["0.60", "0.60", "0.60", "0.06"],
        ["0.20", "0.60", "1.00", "0.74"],
        ["−0.620", "0.060", "0.740", "1.162"],
    ]
    assert texts(shown.a) == [
        ["0.379", "0.286", "0.215", "0.120"],
        ["0.272", "0.272", "0.272", "0.185"],
        ["0.180", "0.239", "0.317", "0.264"],
        ["0.114", "0.185", "0.299", "0.403"],
    ]
    assert [row[:2] for row in texts(shown.o)] == [
        ["0.429", "0.462"],
        ["0.291", "0.543"],
        ["0.147", "0.615"],
        ["−0.029", "0.666"],
    ]
    shown.draw(look=Look(scaled=True))
    assert texts(shown.s)[0] == ["0.707", "0.424", "0.141", "−0.438"]


@given(scene=scenes(largest=1e3))
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_shown_number_is_what_attention_gives(qtbot: QtBot, scene: Scene) -> None:
    shown = panel(qtbot, scene)
    head = scene.heads - 1
    shown.draw(look=Look(scaled=True, head=head))
    result = compute(scene)
    for table, expected in ((shown.s, result.scores[head]), (shown.a, result.weights[head])):
        for i, row in enumerate(texts(table)):
            for j, text in enumerate(row):
                masked = result.mask is not None and not result.mask[i, j]
                assert (text == "") is masked
                if not masked:
                    assert is_rounded(text, expected[i, j])
    for row, numbers in zip(texts(shown.o), result.head_output[head], strict=True):
        for text, number in zip(row, numbers, strict=False):
            assert is_rounded(text, number)


def test_a_masked_cell_is_empty_and_hatched(qtbot: QtBot) -> None:
    shown = panel(qtbot, HOLED)
    shown.draw(look=Look(scaled=True))
    for table in (shown.s, shown.a):
        assert texts(table)[0][3] == ""
        assert texts(table)[1] == [""] * 4
        cell = table.visualRect(table.model().index(0, 3)).adjusted(2, 2, -2, -2)
        image = picture(table)
        colours = {
            image.pixelColor(x, y).name()
            for x in range(cell.left(), cell.right())
            for y in range(cell.top(), cell.bottom())
        }
        palette = shown.theme.palette
        assert colours == {palette.canvas.lower(), palette.axis.lower()}
    assert "masked" in shown.s.tip_at((0, 3))
    spoken = shown.a.model().index(0, 3).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "A, cat to cloud, masked"


def test_raw_scores_stand_on_the_hatching(qtbot: QtBot) -> None:
    shown = panel(qtbot, HOLED)
    assert texts(shown.s)[0][3] == "−0.62"
    assert texts(shown.a)[0][3] == ""


@pytest.mark.parametrize("dark", [False, True])
def test_a_cell_is_filled_from_the_colormap(qtbot: QtBot, dark: bool) -> None:
    theme = Theme(dark)
    shown = panel(qtbot, theme=theme)
    frame = shown.frame
    for table, colormap, values, domain in (
        (shown.s, theme.scores_map, frame.shown_scores, frame.score_domain),
        (shown.a, theme.weights_map, frame.weights, frame.weight_domain),
    ):
        image = picture(table)
        for i in range(4):
            for j in range(4):
                corner = table.visualRect(table.model().index(i, j)).topLeft() + QPoint(2, 2)
                assert image.pixelColor(corner) == colormap.fill(float(values[i, j]), domain)


def test_a_picture_has_the_colour_of_each_number(qtbot: QtBot) -> None:
    shown = panel(qtbot, LARGE, size=(348, 900))
    assert shown.a.is_picture
    image, weights = picture(shown.a), shown.frame.weights
    for i, j in ((0, 0), (5, 60), (40, 2), (63, 63)):
        centre = shown.a.grid.cell(i, j).center().toPoint()
        expected = shown.theme.weights_map.fill(float(weights[i, j]), shown.frame.weight_domain)
        assert image.pixelColor(centre) == expected


@pytest.mark.parametrize(
    ("tokens", "numbers"), [(1, True), (4, True), (8, True), (12, False), (64, False)]
)
def test_numbers_wherever_they_have_room(qtbot: QtBot, tokens: int, numbers: bool) -> None:
    shown = panel(qtbot, scene_of(tokens, 2), size=(348, 900))
    assert shown.s.is_picture is not numbers
    assert shown.view.matrices.scores.title.full.isVisible() is not numbers
    cell = shown.s.grid.cell(0, 0)
    assert (cell.width() >= 34 and cell.height() >= 18) is numbers
    assert shown.s.grid.area.right() <= 348 - 16  # all columns share the panel's width


def test_a_picture_reads_out_the_number_that_is_pointed_at(qtbot: QtBot) -> None:
    shown = panel(qtbot, LARGE)
    shown.draw(hover=Selection(Role.S, 3, 7))
    assert shown.s.readout() == f"token3 → token7  {number(shown.frame.shown_scores[3, 7])}"


def test_a_picture_can_be_seen_at_full_size(qtbot: QtBot) -> None:
    shown = panel(qtbot, LARGE)
    part = shown.view.matrices.scores
    qtbot.mouseClick(part.title.full, LEFT)
    assert part.table is part.full
    assert part.full.isVisible()
    assert part.full.model().index(3, 7).data() == number(shown.frame.shown_scores[3, 7])
    click(part.full, 2, 1)
    assert shown.last() == Select(Selection(Role.S, 2, 1))
    qtbot.mouseClick(part.title.full, LEFT)
    assert part.table is part.fitted


def test_results_of_an_invalid_scene_are_titled_held(qtbot: QtBot) -> None:
    shown = panel(qtbot)
    title = shown.view.matrices.scores.title
    invalid = {Cell(Matrix.X, 0, 0): Invalid("x", Message("Type a number"))}
    assert "waiting for a number" not in title.visible_text
    shown.view.draw(resolve(SAMPLE, invalid=invalid))
    assert "waiting for a number" in title.visible_text
    assert texts(shown.s)[0][0] == "1.00"


@pytest.mark.parametrize(
    ("options", "label"),
    [
        (Options(), "÷ √2"),
        (Options(scale=3.0), "÷ 3.0"),
        (Options(temperature=0.5), "÷ √2 ÷ 0.5"),
        (Options(variant=Variant.MULTIPLIED), "× √2"),
        (Options(variant=Variant.UNSCALED), None),
        (Options(variant=Variant.SOFTMAX_FIRST, mask="causal"), "masked"),
        (Options(variant=Variant.AVERAGE), "all 0"),
        (Options(scale=0.125), "÷ 0.125"),
        (Options(scale="none"), None),
        (Options(scale="none", mask="causal"), "masked"),
    ],
)
def test_the_scaling_switch_names_the_divisor(
    qtbot: QtBot, options: Options, label: str | None
) -> None:
    shown = panel(qtbot, SAMPLE.replace(options=options))
    scaling = shown.view.matrices.scaling
    assert scaling.isVisible() is (label is not None)
    if label is not None:
        assert scaling.button(True).text() == label
        qtbot.mouseClick(scaling.button(True), LEFT)
        assert shown.last() == ChangeLook({"scaled": True})


def test_six_columns_keep_every_decimal(qtbot: QtBot) -> None:
    X = np.array([[0.43, 0.15], [-0.55, 0.87], [0.57, -0.85], [0.2, 0.5], [0.7, 0.2], [0.05, 0.8]])
    shown = panel(qtbot, Scene(("Your", "journey", "starts", "with", "one", "step"), X))
    size, painted = shown.s.number_texts()
    assert painted == texts(shown.s)
    assert size >= 11


@pytest.mark.parametrize(
    ("value", "letters", "expected"),
    [
        (-123.4567, 7, "−123.46"),
        (-123.4567, 6, "−123.5"),
        (-123.4567, 4, "−123"),
        (5e-10, 5, "5e−10"),
        (-2.5e12, 5, "−2e12"),
        (4.3e-5, 4, "4e−5"),
    ],
)
def test_a_number_too_wide_loses_decimals_first(value: float, letters: int, expected: str) -> None:
    assert shortened(value, lambda text: len(text) <= letters) == expected


NAMES = ("tiredly", "animal", "did", "not", "cross", "the", "street", "because")


@pytest.mark.parametrize(("percent", "width"), [(100, 348), (100, 300), (125, 435)])
def test_columns_of_eight_tokens_have_whole_names_and_rows_one_number_of_decimals(
    qtbot: QtBot, percent: int, width: int
) -> None:
    rng = np.random.default_rng(4)
    scene = Scene(NAMES, rng.normal(size=(8, 2)) * 3)
    shown = panel(qtbot, scene, Theme(percent=percent), (width, 900))
    for table in (shown.s, shown.a):
        told = [text.text for text in painted(table)[0]]
        # Each stands above its column, and beside its row at least in part.
        assert all(told.count(name) >= 1 for name in NAMES), told
        names = table.grid.column_name(7)
        assert names.top() >= 0
        if table.is_picture:
            continue
        for row in table.number_texts()[1]:
            assert len({len(text.partition(".")[2]) for text in row}) == 1, row
        assert told.count("did") == 2


def test_among_many_tokens_one_table_is_shown_with_every_row_named(qtbot: QtBot) -> None:
    rng = np.random.default_rng(2)
    shown = panel(
        qtbot, Scene((*(f"token{n}" for n in range(23)), "tired"), rng.normal(size=(24, 2)))
    )
    for stage in (Stage.S, Stage.A, Stage.O):
        shown.draw(look=Look(stage=stage))
        parts = shown.view.matrices.parts
        assert [key for key, part in parts.items() if part.isVisible()] == [stage]
    shown.draw(look=Look(stage=Stage.A))
    grid = shown.a.grid
    assert grid.tilted
    assert grid.name_width > 0
    assert grid.height / grid.rows >= 13
    before = shown.a.grab().toImage()
    neutral = next(place for place, slot in enumerate(shown.frame.slots) if slot < 0)
    shown.draw(look=Look(stage=Stage.A), hover=Selection(Role.A, 0, neutral))
    header = QRect(int(grid.left), 0, int(grid.width), int(grid.top) - 1)
    assert shown.a.grab(header).toImage() != before.copy(header)  # the hovered column names itself
    shown.draw(look=Look(stage=Stage.A), hover=Selection(Role.A, 0, 23))
    image, end = shown.a.grab().toImage(), round(grid.left + grid.width + 4)
    beyond = {image.pixelColor(end, y).name() for y in range(int(grid.top) - 1)}
    assert beyond == {Theme().color("win").name()}, "the last column's name is cut off"


def test_the_last_columns_name_loses_no_letter_beside_another_name(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []
    monkeypatch.setattr(
        "explorer.kit.table.fitted.draw_text", lambda _painter, _theme, text, *_: drawn.append(text)
    )
    rng = np.random.default_rng(2)
    names = (*(f"t{n}" for n in range(20)), "quiet", "t21", "t22", "cat23")
    shown = panel(qtbot, Scene(names, rng.normal(size=(24, 2))))
    shown.draw(look=Look(stage=Stage.A, pinned=(20, 23)))
    shown.a.grab()
    assert "quiet" in drawn
    assert "cat23" in drawn


def test_while_numbers_change_no_name_beside_a_picture_is_painted_again(
    qtbot: QtBot, monkeypatch
) -> None:
    """Names of dozens of tokens cost more than all the numbers."""
    shown = panel(qtbot, LARGE)
    table, asked = shown.a, list[QRegion]()
    assert table.is_picture
    canvas = table.viewport()  # kept, or the next one would be another object
    monkeypatch.setattr(canvas, "update", lambda region: asked.append(QRegion(region)))
    for by in (1e-6, 2e-6):  # so little that the same tokens have colours
        shown.scene = LARGE.replace(X=LARGE.X + by)
        shown.draw()
    names = QRegion(table.grid.row_name(3).toAlignedRect())
    names += table.grid.column_name(3).toAlignedRect()
    assert not asked[-1].intersects(names)
    assert asked[-1].contains(table.grid.cell(3, 3).center().toPoint())
    assert asked[-1].contains(QPoint(table.width() - 2, table.height() - 2))  # the scale's line
    shown.draw(hover=Selection(Role.X, 3))
    assert asked[-1].contains(names.boundingRect())
