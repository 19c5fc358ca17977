"""The left panel: what it shows of a frame, and what its controls ask for."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QSpinBox
from pytestqt.qtbot import QtBot

from explorer.kit.style import apply_theme, finish, prepare
from explorer.kit.theme import Theme
from explorer.rooms.explore.inputs.view import InputsView
from explorer.rooms.explore.options.score_groups import MaskGroup, ScaleGroup
from explorer.rooms.explore.options.shape_groups import DimensionsGroup
from explorer.session import (
    Cell,
    Change,
    Context,
    Invalid,
    Look,
    Matrix,
    Options,
    Role,
    Scene,
    Selection,
    Sequence,
    resolve,
)
from explorer.session.intents import (
    AddProjections,
    AddToken,
    ApplyPreset,
    ChangeLook,
    Hover,
    Pin,
    Resize,
    Select,
    SetMask,
    SetScale,
    TypeCell,
)
from explorer.text import Message
from tests.sampled import checkered, first_alone
from tests.showing import to_front

LEFT = Qt.MouseButton.LeftButton
CATS = Scene(
    tokens=("cat", "likes", "fish", "cloud"),
    X=[[1, 0], [0.5, 0.5], [0, 1], [-0.8, 0.9]],
    Wq=np.eye(2),
    Wk=[[1, 0.2], [0.2, 1]],
    Wv=[[0.9, 0.1], [0.1, 0.9]],
)
MESSAGE = Message("Type a number, for example 0.5")


class Panel:
    """A shown panel and everything it says."""

    def __init__(self, view: InputsView) -> None:
        self.view = view
        self.said: list[object] = []
        view.intent.connect(self.said.append)

    def draw(self, scene: Scene = CATS, look: Look | None = None, **more: object) -> None:
        self.view.draw(resolve(scene, look, **more))
        QApplication.processEvents()

    def texts(self) -> list[str]:
        """Return the texts of all labels that can be seen."""
        labels = self.view.findChildren(QLabel)
        return [label.text() for label in labels if label.isVisible() and label.text()]


@pytest.fixture
def make(qtbot: QtBot) -> Callable[..., Panel]:
    def panel(theme: Theme | None = None, height: int = 704) -> Panel:
        theme = theme or Theme()
        prepare(theme)
        view = InputsView(theme)
        finish(view, theme)
        qtbot.addWidget(view)
        view.resize(view.width(), height)
        view.draw(resolve(CATS))
        with qtbot.waitExposed(view):
            view.show()
        to_front(view)
        return Panel(view)

    return panel


def numbers(panel: Panel, matrix: Matrix) -> list[list[str]]:
    grid = panel.view.tokens if matrix is Matrix.X else panel.view.weights[matrix].grid
    model = grid.cells
    columns = range(grid.numbers.first, model.columnCount())
    return [
        [model.index(row, column).data() for column in columns] for row in range(model.rowCount())
    ]


def test_the_numbers_of_the_picture(make: Callable[..., Panel]) -> None:
    panel = make()
    assert numbers(panel, Matrix.X) == [
        ["1.0", "0.0"],
        ["0.5", "0.5"],
        ["0.0", "1.0"],
        ["−0.8", "0.9"],
    ]
    assert numbers(panel, Matrix.WK) == [["1.0", "0.2"], ["0.2", "1.0"]]
    names = [panel.view.weights[name].preset.text() for name in panel.view.weights]
    assert names == ["identity", "slight mix", "smoothing"]
    assert {"X", "tokens", "Options", "÷ √d · no mask"} <= set(panel.texts())


def test_the_geometry_of_the_picture(make: Callable[..., Panel]) -> None:
    view = make().view
    assert view.width() == 256

    def place(widget: object) -> tuple[int, int, int]:
        at = widget.mapTo(view, QPoint(0, 0))
        return at.x(), at.x() + widget.width(), widget.height()

    assert place(view.tokens) == (16, 240, 120)
    left, right, height = place(view.weights[Matrix.WQ].grid)
    assert (right, height) == (240, 60)
    assert 112 <= left <= 120
    bottom = view.options.mapTo(view, QPoint(0, view.options.height())).y()
    assert 0 <= view.height() - bottom <= 8


def test_concerns_leave_out_the_file() -> None:
    assert not InputsView.concerns & Change.DOCUMENT
    for change in (Change.TOKENS, Change.X, Change.WEIGHTS, Change.OPTIONS, Change.INVALID):
        assert change in InputsView.concerns


def test_typing_into_a_w_names_matrix_and_head(make: Callable[..., Panel]) -> None:
    panel = make()
    scene = CATS.replace(
        **{name: np.arange(16.0).reshape(2, 8) for name in ("Wq", "Wk", "Wv")},
        options=Options(heads=4),
    )
    panel.draw(scene, Look(head=2))
    assert numbers(panel, Matrix.WV) == [["4.0", "5.0"], ["12.0", "13.0"]]
    assert "head 3 of 4" in panel.texts()
    grid = panel.view.weights[Matrix.WV].grid
    at = grid.visualRect(grid.cells.index(1, 0)).center()
    QTest.mouseClick(grid.viewport(), LEFT, pos=at)
    QTest.keyClicks(grid, "7")
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    assert TypeCell(Cell(Matrix.WV, 1, 0, 2), "7") in panel.said
    panel.draw(CATS)
    assert not any("head" in text for text in panel.texts())


def test_an_invalid_cell_is_explained_below_its_own_grid(make: Callable[..., Panel]) -> None:
    panel = make()
    cell = Cell(Matrix.WK, 0, 1)
    panel.draw(invalid={cell: Invalid("o.2", MESSAGE)})
    block = panel.view.weights[Matrix.WK]
    assert block.message.isVisible()
    assert block.message.text() == str(MESSAGE)
    assert block.message.textFormat() is Qt.TextFormat.PlainText
    assert not panel.view.rows.message.isVisible()
    assert not panel.view.weights[Matrix.WQ].message.isVisible()
    assert numbers(panel, Matrix.WK)[0] == ["1.0", "o.2"]
    panel.draw()
    assert not block.message.isVisible()
    assert numbers(panel, Matrix.WK)[0] == ["1.0", "0.2"]


def test_a_scene_without_w_says_so_and_offers_them(make: Callable[..., Panel]) -> None:
    panel = make()
    panel.draw(Scene(tokens=("早", "上"), X=np.eye(2)))
    assert "No projections: Q = K = V = X" in panel.texts()
    assert not any(block.isVisible() for block in panel.view.weights.values())
    QTest.mouseClick(panel.view.add_projections, LEFT)
    QTest.mouseClick(panel.view.rows.add_token, LEFT)
    assert panel.said == [AddProjections(), AddToken()]
    panel.draw()
    assert not panel.view.add_projections.isVisible()


def test_the_context_is_shown_and_its_rows_are_keys(make: Callable[..., Panel]) -> None:
    panel = make()
    scene = CATS.replace(context=Context(("le", "chat"), np.eye(2)))
    panel.draw(scene, selection=Selection(Role.S, query=0, key=1))
    assert "context, for K and V" in panel.texts()
    grid = panel.view.context.grid
    assert grid.isVisible()
    assert grid.pointing.selected_row == 1
    assert panel.view.tokens.pointing.selected_row == 0
    panel.draw()
    assert not grid.isVisible()


def test_presets_are_asked_for_by_the_menu(make: Callable[..., Panel]) -> None:
    panel = make()
    menu = panel.view.weights[Matrix.WQ].preset.menu()
    labels = [action.text() for action in menu.actions()]
    assert labels == ["identity", "zeros", "random", "the scene's own"]
    menu.actions()[2].trigger()
    assert panel.said == [ApplyPreset(Matrix.WQ, "random")]


# --- options -------------------------------------------------------------------------------------


def test_the_options_unfold_by_the_frame_alone(make: Callable[..., Panel]) -> None:
    panel = make()
    options = panel.view.options
    QTest.mouseClick(options.header, LEFT)
    assert panel.said == [ChangeLook({"options_open": True})]
    assert not options.body.isVisible()
    panel.draw(look=Look(options_open=True))
    assert options.body.isVisible()
    QTest.mouseClick(options.header, LEFT)
    assert panel.said[-1] == ChangeLook({"options_open": False})


def test_unfolded_options_are_brought_into_sight(make: Callable[..., Panel]) -> None:
    panel = make(height=400)
    panel.draw(look=Look(options_open=True))
    options = panel.view.options
    assert options.body.mapTo(panel.view, QPoint(0, 0)).y() == 0
    scale = options.groups[ScaleGroup].choice
    assert scale.visibleRegion().boundingRect() == scale.rect()


def test_scale_mask_and_dimensions_go_out(make: Callable[..., Panel]) -> None:
    panel = make()
    panel.draw(look=Look(options_open=True))
    groups = panel.view.options.groups
    QTest.mouseClick(groups[ScaleGroup].choice.button("none"), LEFT)
    QTest.mouseClick(groups[MaskGroup].choice.button("causal"), LEFT)
    box = groups[DimensionsGroup].boxes["d_k"]
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Up)
    assert panel.said == [SetScale("none"), SetMask("causal"), Resize(d_k=3)]


def test_a_number_typed_as_dimension_goes_out_when_finished(make: Callable[..., Panel]) -> None:
    panel = make()
    panel.draw(look=Look(options_open=True))
    box = panel.view.options.groups[DimensionsGroup].boxes["d_model"]
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, "12")
    assert panel.said == []
    QTest.keyClick(box, Qt.Key.Key_Return)
    assert panel.said == [Resize(d_model=12)]


def test_without_w_only_d_model_can_change(make: Callable[..., Panel]) -> None:
    panel = make()
    panel.draw(Scene(tokens=("a",), X=np.ones((1, 5))), Look(options_open=True))
    boxes = panel.view.options.groups[DimensionsGroup].boxes
    assert [box.value() for box in boxes.values()] == [5, 5, 5]
    assert [box.isEnabled() for box in boxes.values()] == [True, False, False]
    assert "add Wq, Wk and Wv" in boxes["d_k"].toolTip()


# --- any frame -----------------------------------------------------------------------------------


def random_scene(T: int, d: int, **more: object) -> Scene:
    rng = np.random.default_rng(T * 100 + d)
    weights = {name: rng.normal(size=(d, d)) for name in ("Wq", "Wk", "Wv")}
    names = tuple(f"token {i}" for i in range(T))
    return Scene(**{"tokens": names, "X": rng.normal(size=(T, d)), **weights, **more})


EVERYTHING = random_scene(
    3,
    4,
    tokens=("a" * 40, "早上好世界你好早上好", "<b>x</b>&\u202e"),
    **{name: np.random.default_rng(1).normal(size=(4, 8)) for name in ("Wq", "Wk", "Wv")},
    **{name: np.ones(8) for name in ("bq", "bk", "bv")},
    Wo=np.full((8, 12), 0.123456),
    bo=np.full(12, -1e-9),
    context=Context(("b" * 40, "x"), np.ones((2, 4))),
    options=Options(heads=4, position=np.full((5, 4), 1 / 3), mask=np.zeros((3, 2), bool)),
    others=(Sequence(("早",) * 5, np.ones((5, 4)), Context(("y",), np.ones((1, 4)))),),
)

SCENES = {
    "T=4": CATS,
    "everything": EVERYTHING,
    "sinusoidal": random_scene(12, 6, options=Options(position="sinusoidal", scale=1 / 3)),
    "T=1, d=1": random_scene(1, 1),
    "T=12": random_scene(12, 2),
    "d=3": random_scene(6, 3),
    "d=8": random_scene(3, 8),
    "T=64, d=64": random_scene(64, 64),
    "names": random_scene(3, 2, tokens=("a" * 40, "早上好世界你好早上好", "<b>x</b>&\u202e")),
    "huge": random_scene(2, 2, X=[[1e50, -1e50], [1e-50, 123456.789]]),
    "masked": random_scene(2, 2, options=Options(mask=np.zeros((2, 2), bool))),
}


def settle() -> None:
    """Let layouts hear of each other: a grid tells its height only when it has got its width."""
    for _round in range(4):
        QApplication.processEvents()


@pytest.mark.parametrize(("name", "percent"), checkered(SCENES, [100, 150]))
def test_every_frame_is_drawn_twice_alike_and_says_nothing(
    make: Callable[..., Panel], name: str, percent: int
) -> None:
    panel = make(Theme(dark=percent > 100, percent=percent))
    look = Look(options_open=True, position_open=True)
    frame = resolve(SCENES[name], look, Selection(Role.X, 0, column=0))
    panel.view.draw(frame)
    settle()
    first = panel.view.grab().toImage()
    panel.view.draw(frame)
    settle()
    assert panel.view.grab().toImage() == first
    assert panel.said == []


@pytest.mark.parametrize("percent", first_alone([200, 150, 125, 100]))
@pytest.mark.parametrize("name", SCENES)
def test_nothing_is_wider_than_the_panel(
    make: Callable[..., Panel], name: str, percent: int
) -> None:
    panel = make(Theme(percent=percent))
    panel.draw(SCENES[name], Look(options_open=True, position_open=True))
    column = panel.view.rows.parentWidget()
    assert column.width() <= panel.view.width()
    for child in (panel.view.tokens, panel.view.options, *panel.view.options.groups.values()):
        right = child.mapTo(panel.view, QPoint(child.width(), 0)).x()
        assert right <= panel.view.width()
    for spin in panel.view.findChildren(QSpinBox):
        assert spin.lineEdit().width() >= spin.fontMetrics().horizontalAdvance(spin.text())


def test_a_theme_and_text_scale_can_change_while_shown(make: Callable[..., Panel]) -> None:
    panel = make()
    dark = Theme(dark=True, percent=150)
    apply_theme(panel.view, dark)
    panel.view.retheme(dark)
    panel.draw()
    assert panel.view.width() == 384
    assert panel.view.tokens.rowHeight(0) == 45
    fresh = make(dark, panel.view.height())
    fresh.draw()
    panel.view.clearFocus()
    changed, new = (each.view.tokens.grab().toImage() for each in (panel, fresh))
    assert changed == new


def test_draws_of_a_drag_touch_only_the_moved_row(make: Callable[..., Panel]) -> None:
    panel = make()
    rows: list[tuple[int, int]] = []
    grids = [panel.view.tokens, *(block.grid for block in panel.view.weights.values())]
    for grid in grids:
        grid.cells.dataChanged.connect(lambda a, b: rows.append((a.row(), b.row())))
        grid.cells.modelReset.connect(lambda: rows.append((-1, -1)))
    X = CATS.X.copy()
    X[3] = 0.1, 0.2
    panel.draw(CATS.replace(X=X))
    assert rows == [(3, 3)]
    panel.draw(CATS.replace(X=X), hover=Selection(Role.A, query=1, key=2))
    assert rows == [(3, 3)]


def test_three_columns_need_no_scrolling_and_keep_two_decimals(make: Callable[..., Panel]) -> None:
    for percent in (100, 125, 150, 200):
        panel = make(Theme(percent=percent))
        names = ("Your", "journey", "starts", "with", "one", "step")
        panel.draw(random_scene(6, 3, tokens=names, X=np.full((6, 3), -0.57)))
        grid = panel.view.tokens
        assert not grid.horizontalScrollBar().isVisible()
        for column in range(1, 4):
            index = grid.cells.index(1, column)
            assert grid.is_whole(index)


def test_a_closed_panel_dies(qapp: QApplication) -> None:
    view = InputsView(Theme())
    view.draw(resolve(EVERYTHING, Look(options_open=True)))
    gone = weakref.ref(view)
    lasting = (view.tokens, view.options, *view.weights.values())
    made = (view.context, view.position, view.output, view.sequences, *view.options.groups.values())
    parts = [weakref.ref(part) for part in (*lasting, *made)]
    del lasting, made
    view.deleteLater()
    del view
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    assert gone() is None
    assert not any(part() for part in parts)


def test_many_tokens_are_a_list_that_is_searched_and_pins(make: Callable[..., Panel]) -> None:
    panel = make()
    scene = random_scene(24, 12)
    panel.draw(scene, selection=Selection(Role.X, query=22))
    rows = panel.view.rows
    assert rows.shown is rows.list, "of eight tokens and fewer the numbers are shown"
    names, listed = rows.list.list, rows.list.list.names
    assert listed.rowCount() == 24
    assert names.currentIndex().row() == 22
    coloured = [row for row, slot in enumerate(resolve(scene).slots) if slot >= 0]
    assert (listed.pinned, listed.automatic) == (frozenset(), frozenset(coloured))
    assert len(coloured) == 6
    spoken = listed.index(coloured[0]).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken.endswith(", automatic")
    assert not rows.list.unpin.isEnabled(), "nobody pinned anything yet"
    assert panel.said == []

    QTest.keyClicks(rows.list.search, scene.tokens[7].upper())
    shown = [row for row in range(24) if not names.isRowHidden(row)]
    assert shown == [row for row in range(24) if scene.tokens[7] in scene.tokens[row]]
    QTest.keyClick(rows.list.search, Qt.Key.Key_Escape)
    assert not any(names.isRowHidden(row) for row in range(24))
    QTest.keyClicks(rows.list.search, scene.tokens[7])
    place = names.visualRect(listed.index(7))
    QTest.mouseClick(names.viewport(), LEFT, pos=place.center())
    QTest.mouseClick(names.viewport(), LEFT, pos=place.topRight() - QPoint(12, -8))
    names.setFocus()
    QTest.keyClick(names, Qt.Key.Key_P)
    assert [said for said in panel.said if not isinstance(said, Hover)] == [
        Select(Selection(Role.X, query=7)),
        Pin(7),
        Pin(7),
    ]
    panel.draw(scene, Look(pinned=(7,)), selection=Selection(Role.X, query=7))
    assert (listed.pinned, listed.automatic) == ({7}, frozenset())
    QTest.mouseClick(rows.list.unpin, LEFT)
    assert panel.said[-1] == Pin(None)

    QTest.keyClick(names, Qt.Key.Key_Return)
    assert rows.shown is rows.grid, "its numbers are opened in place of the list"
    assert rows.grid.visualRect(rows.grid.cells.index(7, 1)).top() >= 0
    QTest.mouseClick(rows.turn, LEFT)
    assert rows.shown is rows.list

    wide = panel.view.weights[Matrix.WQ]
    assert wide.grid.isHidden(), "of twelve columns the numbers are folded away"
    QTest.mouseClick(wide.fold, LEFT)
    assert wide.grid.isVisible()
    panel.draw()
    assert rows.shown is rows.grid
    assert wide.fold.isHidden()


def test_what_an_option_brings_moves_neither_it_nor_the_line_below(
    make: Callable[..., Panel],
) -> None:
    panel = make(height=500)
    panel.draw(look=Look(options_open=True))
    options = panel.view.options
    line = options.header.mapToGlobal(QPoint(0, 0))
    assert options.header.visibleRegion().boundingRect() == options.header.rect()
    field = options.groups[DimensionsGroup].boxes["d_model"]
    field.setFocus()
    before = field.mapToGlobal(QPoint(0, 0))
    with_position = CATS.replace(options=Options(position="sinusoidal"))
    for scene in (with_position, CATS, CATS.replace(bq=[0, 0], bk=[0, 0], bv=[0, 0]), CATS):
        panel.draw(scene, Look(options_open=True, position_open=True))
        assert field.mapToGlobal(QPoint(0, 0)) == before
        assert options.header.mapToGlobal(QPoint(0, 0)) == line
