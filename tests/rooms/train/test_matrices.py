"""The Matrices page: the recorded numbers of one head, selected and copied as in Explore."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QToolButton, QWidget
from pytestqt.qtbot import QtBot

from explorer.exporters import FORMATS
from explorer.kit.run_words import word_colours
from explorer.kit.table.fitted import HeatTable
from explorer.kit.table.sources import HeatSource
from explorer.kit.theme import Theme
from explorer.rooms.train.head import Head, shown_numbers
from explorer.rooms.train.matrices import HeadTables, MatricesView
from explorer.session import Role, Selection
from explorer.session import Stage as ChainLink
from explorer.session.intents import CopyText, Hover, Select
from explorer.session.train import Cursor, TrainFrame
from explorer.session.train.intents import EditCopy
from explorer.traces import Config
from tests.train_frames import recorded_run, train_frame
from tests.train_views import Stage, click, leave, move, picture, stage

ARRAYS = {
    ChainLink.Q: "q",
    ChainLink.K: "k",
    ChainLink.V: "v",
    ChainLink.S: "scores",
    ChainLink.A: "weights",
    ChainLink.O: "head_output",
}
PAIR = Selection(Role.A, 1, 0)


def page(
    qtbot: QtBot,
    frame: TrainFrame | None = None,
    size: tuple[int, int] = (844, 648),
    theme: Theme | None = None,
) -> Stage[MatricesView]:
    view = MatricesView(theme or Theme())
    return stage(qtbot, view, train_frame() if frame is None else frame, size, theme)


def table(shown: Stage[MatricesView], station: ChainLink) -> HeatTable:
    fitted = shown.view.tables.parts[station].fitted
    assert isinstance(fitted, HeatTable)
    return fitted


def source(shown: Stage[MatricesView], station: ChainLink) -> HeatSource:
    found = table(shown, station).source
    assert isinstance(found, HeatSource)
    return found


def cell(shown: Stage[MatricesView], station: ChainLink, row: int, column: int) -> QPoint:
    return table(shown, station).grid.cell(row, column).center().toPoint()


@pytest.mark.parametrize("station", list(ARRAYS))
@pytest.mark.parametrize(("sample", "layer", "head"), [(0, 0, 0), (4, 1, 2)])
def test_every_table_shows_the_recorded_numbers(
    qtbot: QtBot, station: ChainLink, sample: int, layer: int, head: int
) -> None:
    trace = recorded_run(config=Config(d_model=12, heads=3, layers=2), steps=3)
    shown = page(qtbot, train_frame(trace, Cursor(2, sample, layer, head)))
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
    shown = page(qtbot, train_frame(trace, Cursor(1, sample=1, head=0)))
    assert source(shown, ChainLink.S).shape == (1, 1)
    assert source(shown, ChainLink.K).shape == (1, 8)


def test_rows_have_the_colours_of_their_words(qtbot: QtBot) -> None:
    shown = page(qtbot, train_frame(cursor=Cursor(1, sample=1, head=0)))
    trace = shown.frame.trace
    assert trace is not None
    every = word_colours(Theme(), shown.frame)
    expected = [every[token] for token in trace.tokens[1, :2]]
    for station in ARRAYS:
        assert source(shown, station).row_colours == expected
    names = table(shown, ChainLink.S).grid
    image = picture(table(shown, ChainLink.S).viewport())
    dot = names.row_name(0).left() + 6
    assert image.pixelColor(int(dot), int(names.cell(0, 0).center().y())) == QColor(
        expected[0].fill
    )


def test_a_click_selects_and_pointing_hovers(qtbot: QtBot) -> None:
    shown = page(qtbot, train_frame(cursor=Cursor(1, head=1)))
    for station, wanted in (
        (ChainLink.Q, Selection(Role.Q, query=1, column=3)),
        (ChainLink.K, Selection(Role.K, key=1, column=3)),
        (ChainLink.O, Selection(Role.O, query=1, column=3)),
    ):
        click(table(shown, station).viewport(), cell(shown, station, 1, 3))
        assert shown.asked() == [Hover(wanted), Select(wanted)] or [Select(wanted)]
    viewport = table(shown, ChainLink.A).viewport()
    move(viewport, cell(shown, ChainLink.A, 1, 0))
    leave(viewport)
    leave(table(shown, ChainLink.A))
    assert shown.asked()[:1] == [Hover(PAIR)]


def test_a_pair_marks_its_query_s_and_its_key_s_rows(qtbot: QtBot) -> None:
    shown = page(qtbot, train_frame(cursor=Cursor(1, head=1), selection=PAIR))
    places = {station: source(shown, station).place(PAIR) for station in ARRAYS}
    assert places == {
        ChainLink.Q: (1, None),
        ChainLink.K: (0, None),
        ChainLink.V: (0, None),
        ChainLink.S: (1, 0),
        ChainLink.A: (1, 0),
        ChainLink.O: (1, None),
    }
    theme = Theme()
    image = picture(table(shown, ChainLink.K).viewport())
    row = table(shown, ChainLink.K).grid.row(0)
    assert image.pixelColor(int(row.center().x()), int(row.top())) == theme.color("ink1")


def test_keys_move_and_copy(qtbot: QtBot) -> None:
    shown = page(
        qtbot, train_frame(cursor=Cursor(1, head=1), selection=Selection(Role.Q, 0, None, 2))
    )
    queries = table(shown, ChainLink.Q)
    qtbot.keyClick(queries, Qt.Key.Key_Down)
    assert shown.asked() == [Select(Selection(Role.Q, query=1, column=2))]
    qtbot.keyClick(queries, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    (copied,) = shown.asked()
    assert isinstance(copied, CopyText)
    assert np.array_equal(
        np.array([line.split("\t") for line in copied.text.splitlines()], float),
        queries.source.values,
    )


def test_the_average_shows_the_first_head_and_says_why(qtbot: QtBot) -> None:
    shown = page(qtbot, train_frame(cursor=Cursor(6)))
    assert "Head 1 of 2, epoch 30" in shown.view.heading.visible_text
    assert "belong to one head" in shown.view.heading.visible_text
    shown.draw(cursor=Cursor(6, head=1))
    assert shown.view.heading.visible_text == "Head 2 of 2, epoch 30"


def test_a_copy_can_be_asked_for(qtbot: QtBot) -> None:
    shown = page(qtbot)
    qtbot.mouseClick(shown.view.heading.copy_button, Qt.MouseButton.LeftButton)
    assert shown.asked() == [EditCopy()]


def test_wide_pages_have_two_columns_unless_that_costs_the_numbers(qtbot: QtBot) -> None:
    def columns(shown: Stage[MatricesView]) -> tuple[int, bool]:
        tables = [table(shown, station) for station in ARRAYS]
        found = {each.mapTo(shown.view, QPoint()).x() for each in tables}
        return len(found), any(each.is_picture for each in tables)

    shown = page(qtbot, train_frame(cursor=Cursor(1, head=0)))
    assert columns(shown) == (2, False)
    shown.view.resize(520, 648)
    # Tables are laid out a turn after the page, and with it there are two columns at first.
    qtbot.waitUntil(lambda: columns(shown) == (1, False))
    wide = recorded_run(config=Config(d_model=32), steps=2)
    other = page(qtbot, train_frame(wide, Cursor(1, head=0)))
    assert columns(other) == (1, False)


def test_large_tables_are_pictures_that_can_be_had_at_full_size(qtbot: QtBot) -> None:
    words = " ".join(f"w{i}" for i in range(33))
    trace = recorded_run(words, Config(d_model=64, heads=1), steps=2)
    shown = page(qtbot, train_frame(trace, Cursor(1, head=0)))
    part = shown.view.tables.parts[ChainLink.Q]
    assert table(shown, ChainLink.Q).is_picture
    assert part.title.full.isVisible()
    qtbot.mouseClick(part.title.full, Qt.MouseButton.LeftButton)
    assert part.full.isVisible()
    assert part.full.source is not None
    assert part.full.source.shape == (32, 64)


@pytest.mark.parametrize("head", [1, None])
def test_of_a_trace_with_only_weights_a_is_shown_alone(qtbot: QtBot, head: int | None) -> None:
    frame = train_frame(recorded_run(only=(), steps=2), Cursor(1, 3, head=head))
    shown = page(qtbot, frame)
    assert "does not hold x, q, k, v, scores, head_output" in shown.view.heading.visible_text
    assert ("Average over 2 heads" in shown.view.heading.visible_text) == (head is None)
    assert not shown.view.heading.copy_button.isVisible()
    parts = shown.view.tables.parts
    assert [stage for stage, part in parts.items() if part.isVisible()] == [ChainLink.A]
    assert frame.values is not None
    weights = frame.values.sample_weights(3, head)
    np.testing.assert_array_equal(source(shown, ChainLink.A).values, weights)
    assert parts[ChainLink.A].width() > 800
    found = train_frame()
    shown.draw(trace=found.trace, values=found.values, cursor=found.cursor)
    assert all(part.isVisible() for part in parts.values())


def test_what_is_not_there_is_said(qtbot: QtBot) -> None:
    shown = page(qtbot, TrainFrame())
    assert "No run yet." in shown.view.heading.visible_text
    assert shown.view.tables is None
    assert not shown.view.heading.copy_button.isVisible()
    found = train_frame()
    shown.draw(trace=found.trace, values=found.values, cursor=found.cursor)
    assert shown.view.tables.isVisible()


def test_without_parameters_the_recorded_q_k_and_v_are_shown(qtbot: QtBot) -> None:
    frame = train_frame(recorded_run(without=("param.layers.0.Wq",), steps=2), Cursor(1, head=0))
    shown = page(qtbot, frame)
    assert shown.view.tables.isVisible()
    assert frame.trace is not None
    recorded = frame.trace.array("q", 1, 0, 0, 0)
    np.testing.assert_array_equal(source(shown, ChainLink.Q).values, recorded)


def test_nothing_is_shown_or_hidden_while_tables_are_placed(qtbot: QtBot) -> None:
    """Whatever is shown has the layouts around it placed anew, which may be placing it."""
    frame = train_frame(recorded_run(config=Config(d_model=48, heads=2, layers=1), steps=2))
    head = shown_numbers(Theme(), frame)
    assert isinstance(head, Head)
    host = QWidget()
    qtbot.addWidget(host)
    tables = HeadTables(FORMATS, Theme(), host)
    tables.resize(1340, 600)
    tables.draw(head)
    host.show()
    offers = [part.title.full for part in list(tables.parts.values())[:3]]
    qtbot.waitUntil(partial(all_are, offers, shown=False))
    for width, pictures in (860, True), (1340, False), (600, True), (640, True):
        before = [offer.isVisible() for offer in offers]
        tables.resize(width, 600)
        assert [offer.isVisible() for offer in offers] == before
        qtbot.waitUntil(partial(all_are, offers, shown=pictures))


def all_are(widgets: list[QToolButton], *, shown: bool) -> bool:
    return all(widget.isVisible() == shown for widget in widgets)
