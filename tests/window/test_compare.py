"""The scene under two settings: what is dragged on one side moves on both, as `attend` has it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QScrollArea, QToolButton

from explorer.attention import attend
from explorer.resources import example
from explorer.rooms.explore.compare import CompareView
from explorer.session import Centre, Comparison, Role, Scene, Selection, Space, Stage, read_scene
from explorer.session.edits import set_variant
from explorer.text import Message, display_number

ONE_WINDOW = True  # which begins anew for each test

CTRL = Qt.KeyboardModifier.ControlModifier
LEFT, NO_KEY = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def beside(person) -> CompareView:
    """The page that the shortcut opens."""
    person.key(Qt.Key.Key_K, CTRL)
    page = person.window.explore_page.centre.currentWidget()
    assert isinstance(page, CompareView)
    return page


def pick(person, page: CompareView, comparison: Comparison) -> None:
    button = page.header.picker.button(comparison)
    person.click(button, button.rect().center())
    assert person.session.look.comparison is comparison


def drag(person, plane, space: Space, row: int, by: tuple[int, int]) -> None:
    start = plane.screen_point(space, row).toPoint()
    end = start + QPoint(*by)
    QTest.mousePress(plane.viewport(), LEFT, NO_KEY, start)
    for place in (start + QPoint(by[0] // 2, by[1] // 2), end):
        QTest.mouseMove(plane.viewport(), place)
        QApplication.processEvents()
    QTest.mouseRelease(plane.viewport(), LEFT, NO_KEY, end)
    person.settle()


def texts(table) -> list[list[str]]:
    model = table.model()
    return [
        [model.index(row, column).data() for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def said(rows) -> list[list[str]]:
    return [[display_number(value, 3) for value in row] for row in rows]


def shows(side, result, head: int = 0) -> bool:
    """Return whether a side's tables show the weights and the output of an attention."""
    weights = np.where(np.isfinite(result.scores[head]), result.weights[head], np.nan)
    expected = [
        ["" if np.isnan(value) else display_number(value, 3) for value in row] for row in weights
    ]
    tables = side.tables
    return texts(tables.weights.table) == expected and texts(tables.outputs.table) == said(
        result.output
    )


def both(scene, comparison: Comparison):
    """What `attend` gives for each side of the first example."""
    W = [scene.Wq, scene.Wk, scene.Wv]
    halves = [np.stack([part[:, :1], part[:, 1:]]) for part in W]
    angle = np.arange(4.0)
    position = np.stack([np.sin(angle), np.cos(angle)], axis=1)
    plain = attend(scene.X, *W)
    return {
        Comparison.SCALE: (attend(scene.X, *W, scale="none"), plain),
        Comparison.MASK: (plain, attend(scene.X, *W, mask="causal")),
        Comparison.HEADS: (plain, attend(scene.X, *halves)),
        Comparison.PROJECTIONS: (attend(scene.X), plain),
        Comparison.POSITION: (plain, attend(scene.X + position, *W)),
    }[comparison]


def test_a_token_dragged_on_either_side_moves_on_both_and_is_undone(person, beside):
    before = person.session.scene
    for plane, token in ((beside.left.plane, 0), (beside.right.plane, 3)):
        drag(person, plane, Space.X, token, (-30, -24))
        scene = person.session.scene
        assert not np.allclose(scene.X[token], before.X[token], atol=0.05)
        left, right = both(scene, Comparison.SCALE)
        assert shows(beside.left, left)
        assert shows(beside.right, right)
        places = [side.plane.screen_point(Space.X, token) for side in (beside.left, beside.right)]
        assert places[1] == places[0]
        person.key(Qt.Key.Key_Z, CTRL)
        assert person.session.scene is before
        left, right = both(before, Comparison.SCALE)
        assert shows(beside.left, left)
        assert shows(beside.right, right)
    assert not person.window.actions_by_name["undo"].isEnabled()


def test_both_sides_follow_while_the_token_is_in_the_hand(person, beside):
    plane = beside.left.plane
    start = plane.screen_point(Space.X, 1).toPoint()
    QTest.mousePress(plane.viewport(), LEFT, NO_KEY, start)
    QTest.mouseMove(plane.viewport(), start + QPoint(12, 0))
    QTest.mouseMove(plane.viewport(), start + QPoint(40, 10))
    QApplication.processEvents()
    person.window.clock.flush()
    scene = person.session.scene
    assert person.session.in_gesture
    left, right = both(scene, Comparison.SCALE)
    assert shows(beside.left, left)
    assert shows(beside.right, right)
    person.key(Qt.Key.Key_Escape, widget=plane.viewport())
    np.testing.assert_array_equal(person.session.scene.X[1], (0.5, 0.5))
    QTest.mouseRelease(plane.viewport(), LEFT, NO_KEY, start)


def test_both_sides_tables_are_laid_out_alike_in_any_width(person, beside):
    person.window.appearance.scale_text_to(125)
    for width in range(1024, 1032):
        person.window.resize(width, 768)
        person.settle()
        left, right = (side.tables.weights.table for side in (beside.left, beside.right))
        assert left.width() == right.width()
        assert left.grid == right.grid


@pytest.mark.parametrize(
    ("key", "centre"),
    [(Qt.Key.Key_K, Centre.COMPARE), (Qt.Key.Key_L, Centre.SQRT_D)],
)
def test_a_pages_shortcut_leads_to_it_and_back_and_the_menu_says_which_is_seen(person, key, centre):
    entry = person.window.actions_by_name[centre]
    for _ in range(2):
        person.key(key, CTRL)
        assert person.session.look.centre is centre
        assert entry.isChecked()
        person.key(key, CTRL)
        assert person.session.look.centre is Centre.PLANE
        assert not entry.isChecked()
    person.key(key, CTRL)
    person.window.show_train(warm=False)
    assert not entry.isChecked()
    person.key(key, CTRL)  # from another room it leads there, though nothing else is looked at
    assert person.window.rooms.front is person.window.explore
    assert person.session.look.centre is centre
    assert entry.isChecked()


@pytest.mark.parametrize(
    ("comparison", "left", "right"),
    [
        (Comparison.SCALE, "not scaled", "÷ √2"),
        (Comparison.MASK, "no mask", "causal mask"),
        (Comparison.HEADS, "1 head", "2 heads"),
        (Comparison.PROJECTIONS, "no projections: Q = K = V = X", "with Wq, Wk and Wv"),
        (Comparison.POSITION, "no position", "sinusoidal position"),
    ],
)
def test_every_comparison_shows_what_attend_gives(person, beside, comparison, left, right):
    pick(person, beside, Comparison.MASK)
    pick(person, beside, comparison)
    assert (beside.left.title.text(), beside.right.title.text()) == (left, right)
    results = both(person.session.scene, comparison)
    for side, result in zip((beside.left, beside.right), results, strict=True):
        assert shows(side, result)
    differences = np.abs(results[1].weights[0] - results[0].weights[0])
    query, key = np.unravel_index(differences.argmax(), differences.shape)
    names = person.session.scene.tokens
    place = f"A[{names[query]}, {names[key]}]"
    numbers = [display_number(result.weights[0][query, key], 3) for result in results]
    assert f"Largest difference: {place} {numbers[0]} → {numbers[1]}, " in beside.difference.text()
    assert not person.window.actions_by_name["undo"].isEnabled()


def test_the_same_numbers_are_said_to_be_the_same(person, beside):
    same = person.session.scene.replace(Wk=np.eye(2), Wv=np.eye(2))
    person.session.open(same, person.session.look)
    pick(person, beside, Comparison.PROJECTIONS)
    assert beside.difference.text() == "Both sides compute the same numbers."


def test_a_cell_or_a_point_of_either_side_selects_in_both(person, beside, qtbot):
    table = beside.right.tables.weights.table
    person.click_cell(table, 0, 3)
    assert person.session.selection == Selection(Role.A, query=0, key=3)
    assert beside.left.tables.weights.table.currentIndex() == (
        beside.left.tables.weights.table.model().index(0, 3)
    )
    QTest.mouseMove(table.viewport(), table.visualRect(table.model().index(3, 2)).center())
    qtbot.waitUntil(
        lambda: person.session.frame.hover == Selection(Role.A, query=3, key=2), timeout=30_000
    )
    person.click_cell(beside.left.tables.outputs.table, 2, 1)
    assert person.session.selection == Selection(Role.O, query=2, column=1)
    assert "fish" in person.window.explore_page.strip.plain_text()
    person.click(beside.right.plane.viewport(), beside.right.plane.screen_point(Space.X, 1))
    assert person.session.selection is not None
    assert person.session.selection.query == 1


def test_the_numbers_of_a_side_are_copied(person, beside):
    table = beside.left.tables.weights.table
    person.click_cell(table, 0, 0)
    person.key(Qt.Key.Key_C, CTRL, table)
    rows = QApplication.clipboard().text().strip().split("\n")
    copied = [[float(number) for number in row.split("\t")] for row in rows]
    left, _right = both(person.session.scene, Comparison.SCALE)
    np.testing.assert_allclose(copied, left.weights[0], rtol=1e-12)


def test_the_facts_of_each_side_stand_below_it(person, beside):
    pick(person, beside, Comparison.PROJECTIONS)
    assert beside.left.facts.rows == [
        ("Projections", "none"),
        ("Learnable parameters", "0"),
        ("Scaling", "÷ √2"),
        ("Output width d_out", "2, that of X"),
    ]
    assert beside.right.facts.rows == [
        ("Projections", "Wq, Wk, Wv"),
        ("Learnable parameters", "12"),
        ("Scaling", "÷ √2"),
        ("Output width d_out", "2, chosen by Wv"),
    ]


def test_the_chain_says_what_the_planes_show(person, beside):
    person.key(Qt.Key.Key_6)
    assert person.session.look.stage is Stage.A
    for side in (beside.left, beside.right):
        place = side.plane.screen_point(Space.Q, 0)
        assert side.plane.rect().contains(place.toPoint())


def test_both_planes_are_seen_through_one_camera(person, beside):
    before = beside.right.plane.screen_point(Space.X, 0)
    empty = QPoint(8, beside.left.plane.height() - 8)
    QTest.mousePress(beside.left.plane.viewport(), LEFT, NO_KEY, empty)
    QTest.mouseMove(beside.left.plane.viewport(), empty + QPoint(20, -10))
    QTest.mouseMove(beside.left.plane.viewport(), empty + QPoint(30, -20))
    QTest.mouseRelease(beside.left.plane.viewport(), LEFT, NO_KEY, empty + QPoint(30, -20))
    after = beside.right.plane.screen_point(Space.X, 0)
    assert (after - before).toPoint() == QPoint(30, -20)
    person.key(Qt.Key.Key_F, widget=beside.right.plane.viewport())
    assert (beside.left.plane.screen_point(Space.X, 0) - before).manhattanLength() < 1


def test_what_cannot_be_compared_says_why(person, beside):
    person.session.open(read_scene(example("zao-shang-hao.json")), person.session.look)
    pick(person, beside, Comparison.HEADS)
    assert beside.refusal.isVisible()
    assert beside.refusal.text() == "Heads split Wq, Wk and Wv: add these first."
    assert not beside.left.plane.isVisible()
    pick(person, beside, Comparison.MASK)
    assert not beside.refusal.isVisible()
    assert beside.left.plane.isVisible()


def test_a_mistake_is_compared_while_it_is_made(person, beside):
    button = beside.header.picker.button(Comparison.MISTAKE)
    assert not button.isVisible()
    wrong = set_variant(person.session.scene, "softmax_first")
    person.session.edit(Message("make a mistake"), wrong)
    person.settle()
    assert button.isVisible()
    assert not beside.finding.isVisible()
    person.click(button, button.rect().center())
    W = [wrong.Wq, wrong.Wk, wrong.Wv]
    assert shows(beside.left, attend(wrong.X, *W))
    assert shows(beside.right, attend(wrong.X, *W, variant="softmax_first"))
    assert beside.right.title.text() == "mistake: softmax first, ÷ √d afterwards"
    assert beside.finding.isVisible()
    assert "A row of A sums to 0.707, not to 1." in beside.finding.text()
    person.key(Qt.Key.Key_Z, CTRL)
    assert person.session.look.comparison is Comparison.SCALE
    assert not button.isVisible()
    assert not beside.finding.isVisible()


def test_the_options_of_a_mistake_lead_to_its_comparison(person):
    wrong = set_variant(person.session.scene, "multiplied")
    person.session.edit(Message("make a mistake"), wrong)
    person.session.look_at(replace(person.session.look, options_open=True))
    person.settle()
    page = person.window.explore_page
    compare = next(
        button
        for button in page.inputs.findChildren(QToolButton)
        if button.text() == "Compare" and button.isVisibleTo(page)
    )
    area = next(
        each for each in page.inputs.findChildren(QScrollArea) if each.isAncestorOf(compare)
    )
    area.ensureWidgetVisible(compare)
    person.click(compare, compare.rect().center())
    assert person.session.look.comparison is Comparison.MISTAKE
    page = page.centre.currentWidget()
    assert isinstance(page, CompareView)
    assert page.right.title.text() == "mistake: × √d instead of ÷ √d"
    assert "the softmax saturates sooner" in page.finding.text()


def test_one_goes_back_to_the_plane(person, beside):
    person.click(beside.header.back, beside.header.back.rect().center())
    assert person.session.look.centre is Centre.PLANE
    assert person.plane.isVisible()
    assert not beside.isVisible()


@pytest.mark.parametrize(("size", "percent"), [((960, 640), 100), ((1440, 900), 150)])
@pytest.mark.parametrize("name", ["cat-likes-fish", "two-heads", "tired-animal", "translation"])
def test_nothing_is_cut_off_in_a_small_window(person, beside, size, percent, name):
    while person.window.theme.percent < percent:
        person.window.appearance.scale_text(1)
    person.window.resize(*size)
    person.session.open(read_scene(example(f"{name}.json")), person.session.look)
    for comparison in (Comparison.POSITION, Comparison.HEADS):
        pick(person, beside, comparison)
        assert beside.left.plane.size().height() == beside.right.plane.size().height()
        for side in (beside.left, beside.right):
            assert side.plane.height() >= side.plane.minimumHeight()
            for titled in (side.tables.weights, side.tables.outputs):
                table = titled.table
                assert titled.rect().contains(table.geometry())
                page = beside.area.widget()
                corner = titled.mapTo(page, titled.rect().bottomRight())
                assert page.rect().contains(corner)
        for label in (beside.difference, beside.legend):
            assert label.heightForWidth(label.width()) <= label.height()
        assert beside.rect().contains(beside.header.back.geometry())


def test_outputs_that_are_narrower_than_a_name_have_none(person, beside):
    rng = np.random.default_rng(3)
    tokens = tuple(f"token{place}" for place in range(128))
    w = rng.normal(size=(3, 64, 64)) / 8
    scene = Scene(tokens, rng.normal(size=(128, 64)), *w)
    person.window.resize(1024, 768)
    person.window.appearance.scale_text_to(150)
    person.session.open(scene, person.session.look)
    person.settle()  # more tokens have a colour than there are columns
    for side in (beside.left, beside.right):
        table = side.tables.outputs.table
        assert table.grid.width < 4 * 64
        assert not table.grab().isNull()
        assert not table.grid.tilted


def test_a_query_is_dragged_where_it_is_the_tables_own_and_nowhere_else(person, beside):
    pick(person, beside, Comparison.HEADS)
    person.key(Qt.Key.Key_2)
    before = person.session.scene
    notice = beside.right.plane.findChild(QLabel, "side-notice")
    drag(person, beside.right.plane, Space.Q, 0, (-30, 0))
    assert person.session.scene is before
    assert notice.isVisible()
    assert "drag a token of X" in notice.text()
    # Wq is the identity, so the row of X goes where its query goes.
    start = beside.left.plane.screen_point(Space.Q, 0)
    drag(person, beside.left.plane, Space.Q, 0, (-30, -24))
    assert not np.allclose(person.session.scene.X[0], before.X[0], atol=0.05)
    landed = beside.left.plane.screen_point(Space.Q, 0)
    assert (landed - start).toPoint() == QPoint(-30, -24)
    left, right = both(person.session.scene, Comparison.HEADS)
    assert shows(beside.left, left)
    assert shows(beside.right, right)
    person.key(Qt.Key.Key_Z, CTRL)
    assert person.session.scene is before


def test_in_a_small_window_the_planes_are_whole_and_every_comparison_keeps_its_name(person, beside):
    window = person.window
    window.appearance.scale_text_to(150)
    window.resize(1024, 747)
    person.settle()
    header, viewport = beside.header, beside.area.viewport()
    plane = beside.left.plane
    assert viewport.rect().contains(plane.rect().translated(plane.mapTo(viewport, QPoint())))
    names = [header.choice.itemText(place) for place in range(header.choice.count())]
    assert names == ["Scaling", "Mask", "Heads", "Projections", "Position"]
    assert not header.picker.isVisible()
    header.choice.setFocus()
    person.key(Qt.Key.Key_Down)
    assert person.session.look.comparison is Comparison.MASK
    assert header.choice.currentText() == "Mask"
    beside.area.ensureWidgetVisible(beside.difference)
    assert not beside.difference.visibleRegion().isEmpty()
    window.appearance.scale_text_to(100)
    person.settle()
    assert header.picker.isVisible()
    assert not header.choice.isVisible()
    beside.area.verticalScrollBar().setValue(0)
    assert not beside.difference.visibleRegion().isEmpty()
