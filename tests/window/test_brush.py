"""Painting the mask in A with the mouse and the keyboard, in the real window."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTableView

from explorer.kit.table.part import HeatPart
from explorer.resources import example
from explorer.rooms.explore.options.score_groups import MaskGroup
from explorer.session import ResultsTab, Scene, read_scene
from explorer.session.intents import ChangeLook, SetMask, ShowPainting
from tests.inks import has_ink
from tests.window.conftest import LEFT, NO_KEY, Person
from tests.window.unfolded import Options

ONE_WINDOW = True  # which begins anew for each test


def part(person: Person) -> HeatPart:
    return person.window.explore_page.results.matrices.weights


def visible(person: Person) -> list[list[bool]]:
    mask = person.session.frame.attention.mask
    shape = person.session.frame.weights.shape
    return (np.ones(shape, bool) if mask is None else mask).tolist()


def take_brush(person: Person) -> QTableView:
    """Switch the brush on with a click, and return the table of A."""
    brush = part(person).brush
    assert brush is not None
    assert not brush.isChecked()
    person.click(brush, brush.rect().center())
    assert brush.isChecked()
    return part(person).table


def centre(table: QTableView, query: int, key: int) -> QPoint:
    return table.visualRect(table.model().index(query, key)).center()


def stroke(person: Person, table: QTableView, *cells: tuple[int, int]) -> None:
    """Draw over cells, without letting go at the end."""
    first, *rest = (centre(table, *cell) for cell in cells)
    QTest.mousePress(table.viewport(), LEFT, NO_KEY, first)
    for place in rest:
        QTest.mouseMove(table.viewport(), place)
    person.settle()


def release(person: Person, table: QTableView, query: int, key: int) -> None:
    QTest.mouseRelease(table.viewport(), LEFT, NO_KEY, centre(table, query, key))
    person.settle()


def colours(image: QImage, table: QTableView, query: int, key: int) -> set[str]:
    """Return the colours within a cell of a table's picture."""
    cell = table.visualRect(table.model().index(query, key)).adjusted(3, 3, -3, -3)
    return {
        image.pixelColor(x, y).name()
        for x in range(cell.left(), cell.right())
        for y in range(cell.top(), cell.bottom())
    }


def test_another_scene_is_not_painted_upon(person: Person) -> None:
    take_brush(person)
    person.window.open_file(example("tired-animal.json"))
    person.settle()
    brush = part(person).brush
    assert brush is not None
    assert not brush.isChecked()
    before = person.session.scene
    person.click(part(person).table.viewport(), centre(part(person).table, 0, 1))
    assert person.session.scene is before


def test_a_stroke_masks_its_cells_and_is_undone_at_once(person: Person) -> None:
    before = person.session.scene
    table = take_brush(person)
    # From the first to the last of three cells: the one between is on the way.
    stroke(person, table, (0, 1), (0, 3))
    assert visible(person)[0] == [True, False, False, False]
    release(person, table, 0, 3)
    stroke(person, table, (2, 0))
    release(person, table, 2, 0)
    weights = person.session.frame.weights
    assert weights[0].tolist() == [1.0, 0.0, 0.0, 0.0]
    assert weights[2, 0] == 0.0
    assert person.session.selection is None
    for _ in range(2):
        person.key(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert person.session.scene is before
    assert person.session.frame.attention.mask is None


def test_a_stroke_gives_all_its_cells_what_the_first_gets(person: Person) -> None:
    person.window.explore.handle(SetMask("causal"))
    person.settle()
    table = take_brush(person)
    stroke(person, table, (0, 3), (3, 3))  # down a column that is masked but for its last cell
    release(person, table, 3, 3)
    assert [row[3] for row in visible(person)] == [True] * 4
    assert visible(person)[0] == [True, False, False, True]


def test_two_presses_in_a_row_are_two_strokes(person: Person) -> None:
    table = take_brush(person)
    at = centre(table, 2, 2)
    person.click(table.viewport(), at)
    assert visible(person)[2] == [True, True, False, True]
    where = QPointF(at), QPointF(table.viewport().mapToGlobal(at))
    second = QMouseEvent(QEvent.Type.MouseButtonDblClick, *where, LEFT, LEFT, NO_KEY)
    QCoreApplication.sendEvent(table.viewport(), second)
    release(person, table, 2, 2)
    assert person.session.frame.attention.mask is None
    assert person.session.undo_name is not None
    assert part(person).editors[0].line is None


def test_esc_gives_a_stroke_up(person: Person) -> None:
    before = person.session.scene
    table = take_brush(person)
    stroke(person, table, (1, 0), (1, 2))
    assert visible(person)[1] == [False, False, False, True]
    person.key(Qt.Key.Key_Escape)
    assert person.session.scene is before
    release(person, table, 1, 2)
    assert person.session.scene is before
    assert person.session.undo_name is None


def test_what_is_painted_is_in_view(person: Person) -> None:
    person.window.resize(960, 640)
    person.window.explore.handle(ChangeLook({"tab": ResultsTab.POINTS}))
    person.settle()
    assert not part(person).isVisible()
    person.window.explore.handle(ShowPainting(True))
    person.settle()
    table = part(person).table
    assert table.isVisible()
    stroke(person, table, (0, 0))
    release(person, table, 0, 0)
    assert visible(person)[0] == [False, True, True, True]


def test_without_the_brush_a_click_selects(person: Person) -> None:
    table = part(person).table
    person.click_cell(table, 0, 3)
    assert person.session.selection is not None
    assert person.session.selection.pair == (0, 3)
    assert person.session.frame.attention.mask is None


def test_m_turns_the_selected_cell_over(person: Person) -> None:
    table = part(person).table
    person.click_cell(table, 1, 2)
    person.keys("m")
    assert visible(person)[1] == [True, True, False, True]
    assert person.session.undo_name is not None
    person.keys("m")
    assert person.session.frame.attention.mask is None


@pytest.mark.parametrize("dark", [False, True])
def test_masked_cells_are_hatched_and_hold_no_number(person: Person, dark: bool) -> None:
    if person.window.theme.dark != dark:
        person.window.appearance.toggle_theme()
    table = take_brush(person)
    stroke(person, table, (1, 0), (1, 3))
    release(person, table, 1, 3)
    stroke(person, table, (0, 2))
    release(person, table, 0, 2)
    person.session.select(None)
    person.picture()
    image, palette = table.grab().toImage(), person.window.theme.palette
    hatch = {palette.canvas.lower(), palette.axis.lower()}
    assert colours(image, table, 0, 2) == hatch
    words = colours(image, table, 1, 1) | colours(image, table, 1, 2)
    assert has_ink(words, palette.ink3)
    texts = [table.model().index(i, j).data() for i in range(4) for j in range(4)]
    assert texts[2] == ""
    assert texts[4:8] == [""] * 4
    assert "0.000" not in texts
    words = person.window.explore_page.results.matrices.weights.title.visible_text
    assert "rows sum to 1 or are all masked" in words


def test_the_mask_of_cross_attention_is_painted(person: Person) -> None:
    scene = read_scene(example("translation.json"))
    assert scene.context is not None
    context = scene.context
    longer = (*context.tokens, "!"), np.vstack([context.X, [[0.5, -0.5]]])
    person.session.open(scene.replace(context=type(context)(*longer)))
    person.settle()
    table = take_brush(person)
    stroke(person, table, (0, 3), (2, 3))
    release(person, table, 2, 3)
    assert [row[3] for row in visible(person)] == [False] * 3
    assert [row[:3] for row in visible(person)] == [[True] * 3] * 3


def test_the_mask_is_painted_at_full_size_too(person: Person) -> None:
    rng = np.random.default_rng(3)
    scene = Scene(tuple(f"t{i}" for i in range(24)), rng.normal(size=(24, 2)))
    person.session.open(scene)
    person.settle()
    full = part(person).title.full
    person.click(full, full.rect().center())
    table = take_brush(person)
    assert table is part(person).full
    stroke(person, table, (1, 1), (1, 3))
    release(person, table, 1, 3)
    assert visible(person)[1][:5] == [True, False, False, False, True]


def test_without_a_mask_a_click_on_a_cell_selects_it_again(person: Person) -> None:
    options = Options(person)
    choice = options.group(MaskGroup).choice
    options.push(choice.button("own"))
    assert person.session.look.painting
    options.push(choice.button("none"))
    assert not person.session.look.painting
