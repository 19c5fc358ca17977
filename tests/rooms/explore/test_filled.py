"""Tables that are filled in by hand, of every kind of attention; they tell nothing."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtWidgets import QTableView

from explorer.kit.theme import Theme
from explorer.lessons.marking import marking
from explorer.rooms.explore.results import ResultsView
from explorer.rooms.explore.strip.sentences import sentences
from explorer.session import Look, ResultsTab, Role, Selection, Stage, stages_of
from explorer.session.blanks import blank_cells
from explorer.session.intents import BlankOut, ChangeLook, CheckBlank, FillCells
from explorer.text import display_number, full_number
from tests.app.desk import Desk
from tests.kinds import KINDS

TEXT, SPOKEN, TIP = (
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.AccessibleTextRole,
    Qt.ItemDataRole.ToolTipRole,
)


@pytest.fixture(scope="module")
def view(qapp) -> ResultsView:
    view = ResultsView(Theme(), mark=marking)
    view.resize(348, 900)
    view.show()
    return view


def cells(model: QAbstractItemModel, role: Qt.ItemDataRole = TEXT) -> list[list[str]]:
    """Return what a table says of each cell."""
    rows, columns = range(model.rowCount()), range(model.columnCount())
    return [[str(model.index(row, column).data(role)) for column in columns] for row in rows]


@pytest.mark.parametrize("kind", KINDS)
def test_every_table_can_be_filled_in(view: ResultsView, kind: str) -> None:
    desk = Desk(KINDS[kind])
    for stage in stages_of(KINDS[kind])[1:]:
        desk.do(BlankOut(stage))
        frame = desk.session.frame
        values = np.nan_to_num(frame.table(stage), neginf=0.0)
        open_cells = set(blank_cells(frame))
        view.draw(frame)
        part = view.matrices.fills[stage]
        assert part.isVisibleTo(view)
        shown = cells(part.table.model())
        assert all(shown[row][column] == "" for row, column in open_cells)
        for hidden in frame.look.hidden:
            plain = view.matrices.parts.get(hidden) or view.matrices.others.get(hidden)
            assert plain is None or not plain.isVisibleTo(view)
        texts = tuple(tuple(f"{value:.4f}" for value in row) for row in values)
        desk.do(FillCells(0, 0, texts), CheckBlank())
        view.draw(desk.session.frame)
        spoken = cells(part.table.model(), SPOKEN)
        assert all(spoken[row][column].endswith(", correct") for row, column in open_cells)
        assert part.said.text() == "All correct."
        assert not part.table.grab().isNull()


def test_nothing_is_said_of_what_is_hidden(view: ResultsView) -> None:
    desk = Desk(KINDS["everything"])
    desk.session.select(Selection(Role.A, query=2, key=1))
    desk.do(BlankOut(Stage.P))
    frame = desk.session.frame
    hidden = np.concatenate([frame.table(stage).ravel() for stage in frame.look.hidden])
    secrets = {
        text
        for value in hidden[np.isfinite(hidden) & (np.abs(hidden) > 0.01) & (hidden < 1.0)]
        if not np.isclose(value, frame.scene.X).any()
        for text in (full_number(value), display_number(value, 3))
    }
    assert len(secrets) > 100
    for tab in ResultsTab:
        desk.do(ChangeLook({"tab": tab}))
        view.draw(desk.session.frame)
        seen = [table for table in view.findChildren(QTableView) if table.isVisibleTo(view)]
        for table in seen:
            for role in (TEXT, SPOKEN, TIP):
                said = " ".join(" ".join(row) for row in cells(table.model(), role))
                assert not [secret for secret in secrets if secret in said]
    [section] = sentences(desk.session.frame)
    assert not section.caption


def test_a_look_that_hides_nothing_shows_the_tables_again(view: ResultsView) -> None:
    desk = Desk(KINDS["two heads, Wo"])
    view.draw(desk.session.frame)
    assert view.heads.isVisibleTo(view)
    desk.do(BlankOut(Stage.A))
    view.draw(desk.session.frame)
    assert not view.heads.isVisibleTo(view)  # maps of A
    desk.do(BlankOut(Stage.Y))
    view.draw(desk.session.frame)
    assert view.heads.isVisibleTo(view)
    desk.do(BlankOut(None))
    view.draw(desk.session.frame)
    assert view.matrices.outputs.isVisibleTo(view)
    assert desk.session.look == Look()
