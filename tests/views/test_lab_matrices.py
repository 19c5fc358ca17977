"""The Matrices page: the recorded numbers of one head, selected and copied as in Explore."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from explorer.session import Role, Selection
from explorer.session import Stage as Station
from explorer.session.intents import CopyText, Hover, Select
from explorer.session.lab import Cursor, LabFrame
from explorer.session.lab.intents import EditCopy
from explorer.traces import Config
from explorer.views.lab.colours import word_colours
from explorer.views.lab.matrices import MatricesView
from explorer.views.results.heat import HeatTable
from explorer.views.results.sources import HeatSource
from explorer.views.theme import Theme
from tests.lab_frames import lab_frame, recorded_run
from tests.lab_views import Stage, click, leave, move, picture, stage

ARRAYS = {
    Station.Q: "q",
    Station.K: "k",
    Station.V: "v",
    Station.S: "scores",
    Station.A: "weights",
    Station.O: "head_output",
}
PAIR = Selection(Role.A, 1, 0)
FORMATS = {"Table": lambda name, array: f"{name} {array.shape}"}


def page(
    qtbot: QtBot,
    frame: LabFrame | None = None,
    size: tuple[int, int] = (844, 648),
    theme: Theme | None = None,
) -> Stage[MatricesView]:
    view = MatricesView(theme or Theme(), copy_as=FORMATS)
    return stage(qtbot, view, lab_frame() if frame is None else frame, size, theme)


def table(shown: Stage[MatricesView], station: Station) -> HeatTable:
    fitted = shown.view.tables.parts[station].fitted
    assert isinstance(fitted, HeatTable)
    return fitted


def source(shown: Stage[MatricesView], station: Station) -> HeatSource:
    found = table(shown, station).source
    assert isinstance(found, HeatSource)
    return found


def cell(shown: Stage[MatricesView], station: Station, row: int, column: int) -> QPoint:
    return table(shown, station).grid.cell(row, column).center().toPoint()


@pytest.mark.parametrize("station", list(ARRAYS))
@pytest.mark.parametrize(("sample", "layer", "head"), [(0, 0, 0), (4, 1, 2)])
def test_every_table_shows_the_recorded_numbers(
    qtbot: QtBot, station: Station, sample: int, layer: int, head: int
) -> None:
    trace = recorded_run(config=Config(d_model=12, heads=3, layers=2), steps=3)
    shown = page(qtbot, lab_frame(trace, Cursor(2, sample, layer, head)))
    recorded = trace.array(ARRAYS[station], 2, sample, layer, head)
    found = source(shown, station)
    assert found.shape == recorded.shape
    for row, column in np.ndindex(recorded.shape):
        value = float(recorded[row, column])
        text = found.text(row, column).replace("\N{MINUS SIGN}", "-")
        assert float(text) == pytest.approx(value, abs=0.0051)
        full = found.tip(row, column).split("\n")[1].replace("\N{MINUS SIGN}", "-")
        assert float(full) == pytest.approx(value)


def test_padding_is_left_out(qtbot: QtBot) -> None:
    trace = recorded_run("a b c d e\nb c", steps=2)
    shown = page(qtbot, lab_frame(trace, Cursor(1, sample=1, head=0)))
    assert source(shown, Station.S).shape == (1, 1)
    assert source(shown, Station.K).shape == (1, 8)


def test_rows_have_the_colours_of_their_words(qtbot: QtBot) -> None:
    shown = page(qtbot, lab_frame(cursor=Cursor(1, sample=1, head=0)))
    trace = shown.frame.trace
    assert trace is not None
    every = word_colours(Theme(), shown.frame)
    expected = [every[token] for token in trace.tokens[1, :2]]
    for station in ARRAYS:
        assert source(shown, station).row_colours == expected
    names = table(shown, Station.S).grid
    image = picture(table(shown, Station.S).viewport())
    dot = names.row_name(0).left() + 6
    assert image.pixelColor(int(dot), int(names.cell(0, 0).center().y())) == QColor(
        expected[0].fill
    )


def test_a_click_selects_and_pointing_hovers(qtbot: QtBot) -> None:
    shown = page(qtbot, lab_frame(cursor=Cursor(1, head=1)))
    for station, wanted in (
        (Station.Q, Selection(Role.Q, query=1, column=3)),
        (Station.K, Selection(Role.K, key=1, column=3)),
        (Station.O, Selection(Role.O, query=1, column=3)),
    ):
        click(table(shown, station).viewport(), cell(shown, station, 1, 3))
        assert shown.asked() == [Hover(wanted), Select(wanted)] or [Select(wanted)]
    viewport = table(shown, Station.A).viewport()
    move(viewport, cell(shown, Station.A, 1, 0))
    leave(viewport)
    leave(table(shown, Station.A))
    assert shown.asked()[:1] == [Hover(PAIR)]


def test_a_pair_marks_its_query_s_and_its_key_s_rows(qtbot: QtBot) -> None:
    shown = page(qtbot, lab_frame(cursor=Cursor(1, head=1), selection=PAIR))
    places = {station: source(shown, station).place(PAIR) for station in ARRAYS}
    assert places == {
        Station.Q: (1, None),
        Station.K: (0, None),
        Station.V: (0, None),
        Station.S: (1, 0),
        Station.A: (1, 0),
        Station.O: (1, None),
    }
    theme = Theme()
    image = picture(table(shown, Station.K).viewport())
    row = table(shown, Station.K).grid.row(0)
    assert image.pixelColor(int(row.center().x()), int(row.top())) == theme.color("ink1")


def test_keys_move_and_copy(qtbot: QtBot) -> None:
    shown = page(
        qtbot, lab_frame(cursor=Cursor(1, head=1), selection=Selection(Role.Q, 0, None, 2))
    )
    queries = table(shown, Station.Q)
    qtbot.keyClick(queries, Qt.Key.Key_Down)
    assert shown.asked() == [Select(Selection(Role.Q, query=1, column=2))]
    qtbot.keyClick(queries, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert shown.asked() == [CopyText("Q (2, 8)")]


def test_the_average_shows_the_first_head_and_says_why(qtbot: QtBot) -> None:
    shown = page(qtbot, lab_frame(cursor=Cursor(6)))
    assert "Head 1 of 2, epoch 30" in shown.view.heading.visible_text
    assert "belong to one head" in shown.view.heading.visible_text
    shown.draw(cursor=Cursor(6, head=1))
    assert shown.view.heading.visible_text == "Head 2 of 2, epoch 30"


def test_a_copy_can_be_asked_for(qtbot: QtBot) -> None:
    shown = page(qtbot)
    qtbot.mouseClick(shown.view.heading.copy_button, Qt.MouseButton.LeftButton)
    assert shown.asked() == [EditCopy()]


def test_wide_pages_have_two_columns_unless_that_costs_the_numbers(qtbot: QtBot) -> None:
    shown = page(qtbot, lab_frame(cursor=Cursor(1, head=0)))

    def beside() -> bool:
        return table(shown, Station.S).mapTo(shown.view, QPoint()).x() > 300

    assert beside()
    assert not any(table(shown, station).is_picture for station in ARRAYS)
    shown.view.resize(520, 648)
    qtbot.waitUntil(lambda: not beside())
    assert not any(table(shown, station).is_picture for station in ARRAYS)
    wide = recorded_run(config=Config(d_model=32), steps=2)
    other = page(qtbot, lab_frame(wide, Cursor(1, head=0)))
    assert table(other, Station.S).mapTo(other.view, QPoint()).x() < 300
    assert not table(other, Station.Q).is_picture


def test_large_tables_are_pictures_that_can_be_had_at_full_size(qtbot: QtBot) -> None:
    words = " ".join(f"w{i}" for i in range(33))
    trace = recorded_run(words, Config(d_model=64, heads=1), steps=2)
    shown = page(qtbot, lab_frame(trace, Cursor(1, head=0)))
    part = shown.view.tables.parts[Station.Q]
    assert table(shown, Station.Q).is_picture
    assert part.title.full.isVisible()
    qtbot.mouseClick(part.title.full, Qt.MouseButton.LeftButton)
    assert part.full.isVisible()
    assert part.full.source is not None
    assert part.full.source.shape == (32, 64)


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        (LabFrame(), "No run yet."),
        (
            lab_frame(recorded_run(only=(), steps=2), Cursor(1)),
            "does not hold x, q, k, v, scores, head_output",
        ),
        (
            lab_frame(recorded_run(without=("param.layers.0.Wq",), steps=2), Cursor(1)),
            "param.layers.0.Wq",
        ),
    ],
)
def test_what_is_not_there_is_said(qtbot: QtBot, frame: LabFrame, said: str) -> None:
    shown = page(qtbot, frame)
    assert said in shown.view.heading.visible_text
    assert not shown.view.tables.isVisible()
    assert not shown.view.heading.copy_button.isVisible()
    found = lab_frame()
    shown.draw(trace=found.trace, values=found.values, cursor=found.cursor)
    assert shown.view.tables.isVisible()


@pytest.mark.parametrize("theme", [Theme(), Theme(dark=True, percent=150)])
def test_a_frame_is_drawn_twice_alike_and_asks_for_nothing(qtbot: QtBot, theme: Theme) -> None:
    shown = page(qtbot, lab_frame(selection=PAIR), theme=theme)
    shown.view.clearFocus()
    first = picture(shown.view)
    shown.draw()
    assert picture(shown.view) == first
    assert shown.asked() == []
