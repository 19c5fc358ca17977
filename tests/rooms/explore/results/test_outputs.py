"""How outputs share the panel's width with what they are made of."""

from __future__ import annotations

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from explorer.kit.preview import SAMPLE
from explorer.kit.table.outputs import OutputsTable
from explorer.kit.table.painting import text_width
from explorer.kit.theme import Theme
from explorer.rooms.explore.results import ResultsView
from explorer.session import Cell, Invalid, Matrix, Scene, resolve
from explorer.session.forms import set_heads
from explorer.text import Message, display_number
from tests.kinds import with_options


def outputs(qtbot: QtBot, scene: Scene) -> tuple[ResultsView, OutputsTable]:
    view = ResultsView(Theme())
    qtbot.addWidget(view)
    view.resize(348, 700)
    with qtbot.waitExposed(view):
        view.show()
    view.draw(resolve(scene))
    table = view.matrices.outputs.fitted
    assert isinstance(table, OutputsTable)
    return view, table


def wide(columns: int) -> Scene:
    rng = np.random.default_rng(columns)
    return SAMPLE.replace(Wv=rng.uniform(-1, 1, (2, columns)))


@pytest.mark.parametrize("columns", [1, 2, 3, 4, 5])
def test_outputs_stand_as_numbers_where_their_cells_are_large_enough(
    qtbot: QtBot, columns: int
) -> None:
    _view, table = outputs(qtbot, wide(columns))
    at = table.layout_
    values = resolve(wide(columns)).attention.head_output[0]

    assert not table.is_picture
    assert table.grid.cell(0, 0).width() >= 33
    assert at.bar_width >= 36
    assert table.grid.cell(0, columns - 1).right() <= at.bar_left
    for (row, column), value in np.ndenumerate(values):
        text = display_number(float(value), at.decimals)
        assert text_width(Theme(), text, at.number_size) <= table.grid.width / columns
        assert table.model().index(row, column).data() == display_number(float(value), 3)


def test_few_outputs_keep_all_their_decimals_and_many_are_a_picture(qtbot: QtBot) -> None:
    assert outputs(qtbot, wide(3))[1].layout_.decimals == 3
    assert outputs(qtbot, wide(9))[1].is_picture


@pytest.mark.parametrize("columns", [2, 5, 9])
def test_the_words_over_the_bars_stay_inside_the_panel(qtbot: QtBot, columns: int) -> None:
    view, _table = outputs(qtbot, wide(columns))
    words = view.matrices._made_of
    assert words.isVisible()
    assert words.mapTo(view, words.rect().topRight()).x() <= 348 - 16


def test_the_words_over_the_bars_are_not_written_over_the_title(qtbot: QtBot) -> None:
    split = set_heads(SAMPLE, 2, split=True)  # "output of head 1" over one column of numbers
    view, _table = outputs(qtbot, split)
    invalid = {Cell(Matrix.X, 0, 0): Invalid("x", Message("Type a number"))}
    for frame in (resolve(split), resolve(SAMPLE, invalid=invalid)):
        view.draw(frame)
        words, title = view.matrices._made_of, view.matrices.outputs.title
        if words.isVisible():
            assert words.x() > title.words_end
        assert title.words_end > 100


def test_a_weight_of_0_has_no_part_of_the_bar_to_be_outlined(qtbot: QtBot) -> None:
    _view, table = outputs(qtbot, with_options(SAMPLE, mask="causal"))
    assert table.mark_rect(0, 2) is not None  # after two numbers, the first key
    assert table.mark_rect(0, 3) is None
