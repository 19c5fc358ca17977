"""A person at the window: what is dragged, typed and clicked shows what `attend` gives."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication

from explorer.attention import attend, breakdown
from explorer.resources import example
from explorer.session import Edges, Matrix, Scene, Space, Stage, read_scene
from explorer.text import display_number

ONE_WINDOW = True  # which begins anew for each test


def texts(table) -> list[list[str]]:
    """Return what a results table shows."""
    model = table.model()
    return [
        [model.index(row, column).data() for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def expected(person, name: str, decimals: int) -> list[list[str]]:
    scene = person.session.scene
    result = attend(scene.X, scene.Wq, scene.Wk, scene.Wv)
    return [[display_number(v, decimals) for v in row] for row in getattr(result, name)[0]]


def shown_weights(person):
    return texts(person.window.explore_page.results.matrices.weights.fitted)


def test_it_opens_calm_on_the_first_example(person):
    assert person.session.scene.tokens == ("cat", "likes", "fish", "cloud")
    assert person.session.look.spaces == {Space.X}
    assert person.session.look.edges is Edges.NONE
    assert person.session.selection is None
    assert "Choose a cell, a token or an edge" in person.window.explore_page.strip.plain_text()
    assert not person.window.actions_by_name["undo"].isEnabled()


def test_the_numbers_of_the_book_stand_in_the_tables(person):
    matrices = person.window.explore_page.results.matrices

    assert texts(matrices.scores.fitted) == [
        ["1.00", "0.60", "0.20", "−0.62"],
        ["0.60", "0.60", "0.60", "0.06"],
        ["0.20", "0.60", "1.00", "0.74"],
        ["−0.620", "0.060", "0.740", "1.162"],
    ]
    assert shown_weights(person) == [
        ["0.379", "0.286", "0.215", "0.120"],
        ["0.272", "0.272", "0.272", "0.185"],
        ["0.180", "0.239", "0.317", "0.264"],
        ["0.114", "0.185", "0.299", "0.403"],
    ]
    assert [row[:2] for row in texts(matrices.outputs.fitted)] == [
        ["0.429", "0.462"],
        ["0.291", "0.543"],
        ["0.147", "0.615"],
        ["−0.029", "0.666"],
    ]


def test_a_drag_is_followed_by_tables_strip_and_edges_and_undone_to_the_same_pixels(person):
    person.key(Qt.Key.Key_5, widget=person.plane.viewport())
    person.session.look_at(replace(person.session.look, spaces=frozenset({Space.X, Space.K})))
    start = person.point(Space.X, 0)
    person.click(person.plane.viewport(), start)
    before = person.picture()

    person.drag(start, start + QPoint(-90, -60))
    moved = person.session.scene.X[0]

    assert moved[0] < 0.95
    assert moved[1] > 0.05
    assert shown_weights(person) == expected(person, "weights", 3)
    said = person.window.explore_page.strip.plain_text()
    for key in range(4):
        weight = breakdown(person.session.frame.attention, 0, key).weight
        assert display_number(weight, 3) in said
    assert person.picture() != before
    assert person.window.actions_by_name["undo"].text() == "Undo move cat"

    person.key(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert person.picture() == before


def test_during_a_drag_everything_follows_before_the_button_is_released(person):
    start = person.point(Space.X, 0)
    person.press(start)
    for step in range(1, 6):
        person.move(start + QPoint(-12 * step, -9 * step))
    person.settle()

    assert person.session.in_gesture
    assert shown_weights(person) == expected(person, "weights", 3)
    person.release(start + QPoint(-60, -45))
    assert not person.session.in_gesture


def test_escape_gives_a_drag_up(person):
    before = person.session.scene
    start = person.point(Space.X, 0)
    person.press(start)
    person.move(start + QPoint(-40, -40))
    person.move(start + QPoint(-80, -80))
    person.key(Qt.Key.Key_Escape, widget=person.plane.viewport())
    person.release(start + QPoint(-80, -80))

    assert person.session.scene is before


def test_in_a_pca_plane_too_undo_and_redo_bring_back_the_same_pixels(person):
    person.session.open(read_scene(example("your-journey.json")))
    for _round in range(3):  # until every table has its room
        person.settle()
    pictures = [person.picture()]
    for token, by in ((1, QPoint(-90, 70)), (4, QPoint(60, -120))):
        start = person.point(Space.X, token)
        person.drag(start, start + by)
        pictures.append(person.picture())
    control = Qt.KeyboardModifier.ControlModifier
    for picture in (pictures[1], pictures[0]):
        person.key(Qt.Key.Key_Z, control)
        assert person.picture() == picture
    for picture in pictures[1:]:
        person.key(Qt.Key.Key_Z, control | Qt.KeyboardModifier.ShiftModifier)
        assert person.picture() == picture


def test_undo_gives_the_first_drag_up(person):
    before = person.session.scene
    undo = person.window.actions_by_name["undo"]
    start = person.point(Space.X, 0)
    person.press(start)
    person.move(start + QPoint(-40, -40))
    person.move(start + QPoint(-80, -80))
    assert undo.text() == "Undo move cat"
    person.key(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert person.session.scene is before
    person.move(start + QPoint(-90, -90))
    person.release(start + QPoint(-90, -90))

    assert person.session.scene is before
    assert not undo.isEnabled()


def test_a_typed_number_changes_everything(person):
    grid = person.window.explore_page.inputs.weights[Matrix.WK].grid
    person.click_cell(grid, 0, 1)
    person.keys("0,5")
    person.key(Qt.Key.Key_Return)

    assert person.session.scene.Wk[0, 1] == 0.5
    assert shown_weights(person) == expected(person, "weights", 3)


def test_a_matrix_says_that_it_was_edited_until_it_is_saved(person):
    person.session.open(read_scene(example("your-journey.json")))
    person.settle()
    block = person.window.explore_page.inputs.weights[Matrix.WK]
    assert block.preset.text() == "own"
    person.click_cell(block.grid, 0, 1)
    person.keys("0,5")
    person.key(Qt.Key.Key_Return)
    assert block.preset.text() == "edited"
    person.key(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert block.preset.text() == "own"
    person.key(Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    assert block.preset.text() == "edited"

    person.session.mark_saved(person.session.scene)
    person.settle()
    assert block.preset.text() == "own"


def test_a_word_instead_of_a_number_is_marked_and_results_are_held(person):
    grid = person.window.explore_page.inputs.weights[Matrix.WK].grid
    before = shown_weights(person)
    person.click_cell(grid, 0, 1)
    person.keys("much")
    person.key(Qt.Key.Key_Return)

    assert person.session.frame.held
    assert grid.model().index(0, 1).data() == "much"
    assert shown_weights(person) == before
    person.click_cell(grid, 0, 1)
    person.key(Qt.Key.Key_Escape, widget=grid)
    assert not person.session.frame.held


def test_a_token_added_is_named_at_once(person):
    inputs, before = person.window.explore_page.inputs, person.session.scene
    person.click(inputs.rows.add_token, inputs.rows.add_token.rect().center())
    assert QApplication.focusWidget().selectedText() == "token 5"
    assert person.session.selection is None
    person.keys("dog")
    person.key(Qt.Key.Key_Return)
    assert person.session.scene.tokens[-1] == "dog"
    assert QApplication.focusWidget() is inputs.tokens
    for name in ("token 5", "cloud"):  # one step back each
        person.key(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        assert person.session.scene.tokens[-1] == name
    assert person.session.scene is before


def test_a_token_added_keeps_its_name_where_none_is_given(person):
    inputs = person.window.explore_page.inputs
    inputs.rows.add_token.setFocus()
    person.key(Qt.Key.Key_Space)
    person.keys("dog")
    person.key(Qt.Key.Key_Escape)
    assert person.session.scene.tokens[-1] == "token 5"
    assert QApplication.focusWidget() is inputs.tokens
    person.session.hover(None)
    person.settle()
    assert QApplication.focusWidget() is inputs.tokens


def test_a_token_added_to_many_is_named_where_it_can_be_seen(newcomer):
    # Of many tokens a window goes on to show the numbers.
    inputs = newcomer.window.explore_page.inputs
    newcomer.session.open(Scene(tuple(f"t{i}" for i in range(20)), np.eye(20, 2)))
    newcomer.settle()
    newcomer.click(inputs.rows.add_token, inputs.rows.add_token.rect().center())
    editor = QApplication.focusWidget()
    assert editor.selectedText() == "token 21"
    assert inputs.tokens.viewport().rect().contains(editor.geometry())


def test_digits_in_a_cell_are_numbers_and_elsewhere_stages(person):
    grid = person.window.explore_page.inputs.tokens
    person.click_cell(grid, 0, 1)
    person.keys("5")
    person.key(Qt.Key.Key_Return)
    assert person.session.scene.X[0, 0] == 5.0
    assert person.session.look.stage is Stage.X

    person.plane.viewport().setFocus()
    person.key(Qt.Key.Key_5)
    assert person.session.look.stage is Stage.S
    person.key(Qt.Key.Key_7, Qt.KeyboardModifier.AltModifier)
    assert person.session.look.stage is Stage.O


def test_one_selection_everywhere(person):
    person.key(Qt.Key.Key_5, widget=person.plane.viewport())
    matrices = person.window.explore_page.results.matrices
    person.click_cell(matrices.weights.fitted, 0, 3)

    assert person.session.selection is not None
    assert person.session.selection.pair == (0, 3)
    assert "−0.62" in person.window.explore_page.strip.plain_text().replace("-", "−")
    chip = person.plane.chip_rect(0, 3)
    assert not chip.isEmpty()
    person.key(Qt.Key.Key_Escape)
    assert person.session.selection is None

    person.click(person.plane.viewport(), chip.center())
    assert person.session.selection is not None
    assert person.session.selection.pair == (0, 3)


def test_clicking_the_chain_goes_there(person):
    chip = person.window.explore_page.chain.chip(Stage.O)
    person.click(chip, chip.rect().center())

    assert person.session.look.stage is Stage.O
    assert person.session.look.spaces == {Space.V, Space.O}


def test_other_spaces_do_not_drag_and_say_why(person):
    person.key(Qt.Key.Key_2, widget=person.plane.viewport())
    person.session.look_at(person.session.look.at_stage(Stage.O))
    person.settle()
    before = person.session.scene
    start = person.point(Space.O, 1)
    person.press(start)
    person.move(start + QPoint(30, 30))
    person.move(start + QPoint(60, 60))

    assert person.session.scene is before
    assert person.plane.findChild(type(person.plane._notice), "notice").isVisible()
    person.release(start + QPoint(60, 60))


@pytest.mark.parametrize(
    ("size", "percent"),
    [((960, 640), 100), ((960, 640), 125), ((1024, 768), 100), ((1920, 1080), 200)],
)
def test_small_windows_keep_the_picture_and_bring_the_numbers_on_demand(person, size, percent):
    person.window.appearance.scale_text_to(percent)
    person.window.resize(*size)
    person.settle()
    page = person.window.explore_page

    assert (person.window.width(), person.window.height()) == size
    assert person.plane.viewport().width() >= 480
    assert not page.inputs.isVisible()
    person.click(page.rail, page.rail.children()[1].geometry().center())
    button = page.rail.findChildren(type(page.rail.children()[1]))[0]
    person.click(button, button.rect().center())
    assert page.inputs.isVisible()
    person.key(Qt.Key.Key_Escape, widget=person.window)
    assert not page.inputs.isVisible()


def test_light_and_dark_show_the_same_numbers(person):
    light = person.picture()
    person.key(Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)

    assert person.window.theme.dark
    assert person.picture() != light
    assert shown_weights(person) == expected(person, "weights", 3)
    person.key(Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    assert person.picture() == light


def test_the_grid_copies_and_takes_a_block(person):
    grid = person.window.explore_page.inputs.tokens
    person.click_cell(grid, 0, 1)
    QApplication.clipboard().setText("9\t8\n7\t6")
    person.key(Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier, widget=grid)

    assert person.session.scene.X[:2].tolist() == [[9.0, 8.0], [7.0, 6.0]]
    person.key(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    np.testing.assert_array_equal(person.session.scene.X[0], [1.0, 0.0])


def test_what_is_pasted_over_a_list_of_tokens_goes_to_the_tokens(person):
    rows, clipboard = person.window.explore_page.inputs.rows, QApplication.clipboard()
    names = ["I", "went", "to", "the", "bank", "because", "it", "was", "near"]
    person.click_cell(rows.grid, 0, 1)
    clipboard.setText(" ".join(names))
    person.key(Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert person.session.scene.tokens == tuple(names)

    assert QApplication.focusWidget() is rows.list.list  # a list stands where the numbers were
    clipboard.setText("9\t8\n7\t6")
    person.key(Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert person.session.scene.X[:2].tolist() == [[9.0, 8.0], [7.0, 6.0]]

    rows.list.search.setFocus()
    clipboard.setText("5\t4\n3\t2")
    person.key(Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert person.session.scene.X[:2].tolist() == [[5.0, 4.0], [3.0, 2.0]]
    assert rows.list.search.text() == ""

    clipboard.setText("bank")  # a name is looked for
    person.key(Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert rows.list.search.text() == "bank"
    assert person.session.scene.tokens == tuple(names)


def test_the_tab_key_goes_round_the_parts_in_the_order_of_reading(person):
    window, page = person.window, person.window.explore_page
    parts = (window.topbar, *page.parts)
    page.chain.setFocus()
    first, visited = QApplication.focusWidget(), []
    for _ in range(80):
        focused = QApplication.focusWidget()
        part = next(part for part in parts if part.isAncestorOf(focused) or part is focused)
        if not visited or visited[-1] is not part:
            visited.append(part)
        person.key(Qt.Key.Key_Tab)
        if QApplication.focusWidget() is first:
            break

    assert QApplication.focusWidget() is first
    assert visited == [
        page.chain,
        page.left,
        page.middle,
        page.results,
        page.strip,
        window.topbar,
    ]


def test_a_sentence_about_what_was_tried_goes_with_the_next_thing_done(person):
    bar = person.window.explore_page.error_bar
    grid = person.window.explore_page.inputs.tokens
    for _ in range(4):
        person.click_cell(grid, 0, 0)
        person.key(Qt.Key.Key_Delete, widget=grid)
    assert "last token" in bar.sentence

    person.key(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert not bar.sentence
