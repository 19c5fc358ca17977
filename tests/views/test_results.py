"""The results panel: real mouse and keyboard in, intents, texts and pixels out."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QContextMenuEvent, QImage, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from explorer.attention import Variant
from explorer.exporters.code import code
from explorer.exporters.tables import FORMATS
from explorer.session import (
    Cell,
    Context,
    Frame,
    Invalid,
    Look,
    Matrix,
    Options,
    ResultsTab,
    Role,
    Scene,
    Selection,
    Stage,
    compute,
    resolve,
    stations,
)
from explorer.session.intents import (
    CopyText,
    Hover,
    Select,
    ShowAverage,
    ShowHead,
    ShowScaled,
    ShowTab,
    ShowTorchCode,
)
from explorer.text import Message, full_number
from explorer.text.numbers import MINUS
from explorer.views.preview import SAMPLE
from explorer.views.results import ResultsView
from explorer.views.results.cells import CellTable
from explorer.views.results.heat import HeatTable
from explorer.views.results.outputs import OutputsTable
from explorer.views.results.sources import shortened
from explorer.views.theme import SCALES, Theme
from tests.scenes import scenes

PAIR = Selection(Role.S, 0, 3)
LEFT = Qt.MouseButton.LeftButton


def scene_of(tokens: int, width: int, *, keys: int | None = None, heads: int = 1) -> Scene:
    rng = np.random.default_rng(7)
    context = None
    if keys is not None:
        names = tuple(f"key{j}" for j in range(keys))
        context = Context(names, rng.normal(size=(keys, width)))
    shape = (width, width) if heads == 1 else (heads, width, width)
    return Scene(
        tuple(f"token{i}" for i in range(tokens)),
        rng.normal(size=(tokens, width)),
        *(rng.normal(size=shape) for _ in range(3)),
        context=context,
    )


LARGE = scene_of(64, 8)
CROSSED = scene_of(3, 2, keys=5)
HEADS = scene_of(4, 3, heads=4)
HOLED = SAMPLE.replace(
    options=Options(
        mask=np.array([[1, 1, 1, 0], [0, 0, 0, 0], [1, 0, 1, 1], [1, 1, 1, 1]], dtype=bool)
    )
)
AWKWARD = {
    "one": Scene(("cat",), np.array([[0.3]])),
    "holed": HOLED,
    "all masked": SAMPLE.replace(options=Options(mask=np.zeros((4, 4), dtype=bool))),
    "huge": SAMPLE.replace(X=SAMPLE.X * 1e25),
    "tiny": SAMPLE.replace(X=SAMPLE.X * 1e-30),
    "equal tokens": SAMPLE.replace(tokens=("cat",) * 4, X=np.ones((4, 2))),
    "strange tokens": SAMPLE.replace(tokens=("w" * 40, "早上好", "<b>&amp;", "🐟\u202e!")),
    "8": scene_of(8, 3),
    "12": scene_of(12, 3),
    "64": LARGE,
    "crossed": CROSSED,
    "flat": scene_of(3, 2, keys=64),
    "tall": scene_of(64, 2, keys=3),
    "heads": HEADS,
}


class Panel:
    """A panel on the screen with the intents it has emitted."""

    def __init__(self, qtbot: QtBot, scene: Scene, theme: Theme, size: tuple[int, int]) -> None:
        self.theme = theme
        self.view = ResultsView(theme, code=code, copy_as=FORMATS)
        qtbot.addWidget(self.view)
        self.view.resize(*size)
        self.intents: list[object] = []
        self.view.intent.connect(self.intents.append)
        with qtbot.waitExposed(self.view):
            self.view.show()
        self.scene = scene
        self.frame = self.draw()
        QApplication.processEvents()
        self.draw()  # the first was before the panel had its size

    def draw(
        self,
        selection: Selection | None = None,
        hover: Selection | None = None,
        look: Look | None = None,
    ) -> Frame:
        self.frame = resolve(self.scene, look, selection, hover)
        self.view.draw(self.frame)
        QApplication.processEvents()
        return self.frame

    @property
    def s(self) -> HeatTable:
        table = self.view.matrices.scores.fitted
        assert isinstance(table, HeatTable)
        return table

    @property
    def a(self) -> HeatTable:
        table = self.view.matrices.weights.fitted
        assert isinstance(table, HeatTable)
        return table

    @property
    def o(self) -> OutputsTable:
        table = self.view.matrices.outputs.fitted
        assert isinstance(table, OutputsTable)
        return table

    def last(self) -> object:
        assert self.intents, "no intent was emitted"
        return self.intents[-1]


def panel(
    qtbot: QtBot,
    scene: Scene = SAMPLE,
    theme: Theme | None = None,
    size: tuple[int, int] = (348, 704),
) -> Panel:
    return Panel(qtbot, scene, theme or Theme(), size)


def click(table: CellTable, row: int, column: int) -> None:
    QTest.mouseClick(
        table.viewport(),
        LEFT,
        Qt.KeyboardModifier.NoModifier,
        table.visualRect(table.model().index(row, column)).center(),
    )


def focus(qtbot: QtBot, table: CellTable) -> None:
    table.window().activateWindow()
    table.setFocus()
    qtbot.waitUntil(table.hasFocus)


def texts(table: CellTable) -> list[list[str]]:
    model = table.model()
    return [
        [model.index(i, j).data() for j in range(model.columnCount())]
        for i in range(model.rowCount())
    ]


def picture(widget: QWidget) -> QImage:
    return widget.grab().toImage()


def number(value: float) -> str:
    return f"{value:.3f}".replace("-", MINUS)


def value_of(text: str) -> float:
    return float(text.replace(MINUS, "-"))


def is_rounded(text: str, value: float) -> bool:
    """Whether a text is a number to three decimals, or to two digits where it has an exponent."""
    tolerance = (
        0.051 * 10.0 ** int(text.partition("e")[2].replace(MINUS, "-")) if "e" in text else 5.01e-4
    )
    return abs(value_of(text) - value) <= tolerance


# --- what is shown -------------------------------------------------------------------------------


def test_the_example_shows_its_numbers_to_the_digit(qtbot: QtBot) -> None:
    shown = panel(qtbot)
    assert texts(shown.s) == [
        ["1.00", "0.60", "0.20", "−0.62"],
        ["0.60", "0.60", "0.60", "0.06"],
        ["0.20", "0.60", "1.00", "0.74"],
        ["−0.62", "0.06", "0.74", "1.162"],
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
    assert "held" not in title.visible_text
    shown.view.draw(resolve(SAMPLE, invalid=invalid))
    assert "held" in title.visible_text
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
        assert shown.last() == ShowScaled(True)


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


# --- one selection everywhere --------------------------------------------------------------------


def outlined(shown: Panel, table: CellTable, row: int, column: int) -> bool:
    """Whether the middle of the cell's left edge is drawn in the selection's ink."""
    rect = table.visualRect(table.model().index(row, column))
    ink = shown.theme.color("ink1")
    image = picture(table)
    around = range(rect.left() - 2, rect.left() + 2)
    return any(image.pixelColor(x, rect.center().y()) == ink for x in around)


@pytest.mark.parametrize("role", [Role.S, Role.A])
def test_a_selected_pair_is_outlined_in_every_table(qtbot: QtBot, role: Role) -> None:
    shown = panel(qtbot)
    o_segment = 2 + 3  # two outputs, then the keys
    places = ((shown.s, 0, 3), (shown.a, 0, 3), (shown.o, 0, o_segment))
    assert not any(outlined(shown, *place) for place in places)
    shown.draw(Selection(role, 0, 3))
    assert all(outlined(shown, *place) for place in places)
    assert not outlined(shown, shown.s, 2, 1)


def test_a_selected_row_is_outlined_as_a_whole(qtbot: QtBot) -> None:
    shown = panel(qtbot, theme=Theme(dark=True))
    shown.draw(Selection(Role.O, 3))
    assert outlined(shown, shown.s, 3, 0)
    assert outlined(shown, shown.a, 3, 0)
    assert not outlined(shown, shown.a, 3, 2)  # inside the row


def test_selecting_moves_no_number(qtbot: QtBot) -> None:
    shown = panel(qtbot, scene_of(8, 3))
    before = shown.s.grid
    shown.draw(PAIR)
    assert shown.s.grid == before


# --- mouse ---------------------------------------------------------------------------------------


def test_clicks_select(qtbot: QtBot) -> None:
    shown = panel(qtbot)
    click(shown.s, 0, 3)
    assert shown.last() == Select(Selection(Role.S, 0, 3))
    click(shown.a, 2, 1)
    assert shown.last() == Select(Selection(Role.A, 2, 1))
    click(shown.o, 1, 1)
    assert shown.last() == Select(Selection(Role.O, 1, column=1))
    click(shown.o, 3, 2 + 2)
    assert shown.last() == Select(Selection(Role.A, 3, 2))


def test_names_select_rows_and_columns(qtbot: QtBot) -> None:
    shown = panel(qtbot)
    viewport, none = shown.a.viewport(), Qt.KeyboardModifier.NoModifier
    QTest.mouseClick(viewport, LEFT, none, shown.a.grid.row_name(2).center().toPoint())
    assert shown.last() == Select(Selection(Role.A, query=2))
    QTest.mouseClick(viewport, LEFT, none, shown.a.grid.column_name(1).center().toPoint())
    assert shown.last() == Select(Selection(Role.A, key=1))
    QTest.mouseClick(shown.o.viewport(), LEFT, none, QPoint(30, 10))
    assert shown.last() == Select(Selection(Role.O, query=0))


def move(table: CellTable, point: QPoint) -> None:
    """Move the mouse over a table, by the very event that the window system would send."""
    viewport = table.viewport()
    event = QMouseEvent(
        QEvent.Type.MouseMove,
        QPointF(point),
        QPointF(viewport.mapToGlobal(point)),
        Qt.MouseButton.NoButton,
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QCoreApplication.sendEvent(viewport, event)


def test_hover_is_told_only_when_it_changes(qtbot: QtBot) -> None:
    shown = panel(qtbot)
    cell = shown.s.visualRect(shown.s.model().index(1, 2))
    for offset in (QPoint(0, 0), QPoint(3, 1), QPoint(5, 4)):
        move(shown.s, cell.center() + offset)
    assert shown.intents == [Hover(Selection(Role.S, 1, 2))]
    move(shown.s, QPoint(2, 2))
    move(shown.s, QPoint(3, 3))
    assert shown.intents[1:] == [Hover(None)]
    move(shown.s, cell.center())
    QCoreApplication.sendEvent(shown.s, QEvent(QEvent.Type.Leave))
    assert shown.last() == Hover(None)


def test_tooltips_have_every_digit_and_take_no_token_for_html(qtbot: QtBot) -> None:
    shown = panel(qtbot, SAMPLE.replace(tokens=("<b>cat", "&amp;", "fish", "cloud")))
    tip = shown.a.tip_at((0, 1))
    assert full_number(shown.frame.weights[0, 1]) in tip
    assert "&lt;b&gt;cat → &amp;amp;" in tip
    assert shown.a.tip_at((None, 1)) == "<qt>&amp;amp;</qt>"


# --- keyboard ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "key", "expected"),
    [
        (None, Qt.Key.Key_Right, Selection(Role.S, 0, 0)),
        (PAIR, Qt.Key.Key_Left, Selection(Role.S, 0, 2)),
        (PAIR, Qt.Key.Key_Right, Selection(Role.S, 0, 3)),
        (PAIR, Qt.Key.Key_Down, Selection(Role.S, 1, 3)),
        (PAIR, Qt.Key.Key_Up, Selection(Role.S, 0, 3)),
        (PAIR, Qt.Key.Key_Home, Selection(Role.S, 0, 0)),
        (Selection(Role.A, 2, 1), Qt.Key.Key_End, Selection(Role.S, 2, 3)),
        (Selection(Role.X, 1), Qt.Key.Key_Down, Selection(Role.S, 2)),
        (Selection(Role.X, 1), Qt.Key.Key_Right, Selection(Role.S, 1, 0)),
    ],
)
def test_arrow_keys_move_the_cell(
    qtbot: QtBot, start: Selection | None, key: Qt.Key, expected: Selection
) -> None:
    shown = panel(qtbot)
    shown.draw(start)
    shown.s.setFocus()
    qtbot.keyClick(shown.s, key)
    assert shown.intents == [Select(expected)]


def test_keys_reach_the_weights_behind_an_output(qtbot: QtBot) -> None:
    shown = panel(qtbot)
    shown.draw(Selection(Role.O, 1, column=1))
    qtbot.keyClick(shown.o, Qt.Key.Key_Right)
    assert shown.last() == Select(Selection(Role.A, 1, 0))


def test_other_keys_are_left_to_the_window(qtbot: QtBot) -> None:
    shown = panel(qtbot)
    pressed: list[int] = []
    shown.view.keyPressEvent = lambda event: pressed.append(event.key())  # type: ignore[method-assign]
    for key in (Qt.Key.Key_1, Qt.Key.Key_Escape):
        qtbot.keyClick(shown.s, key)
    assert pressed == [Qt.Key.Key_1, Qt.Key.Key_Escape]
    assert shown.intents == []


def test_tab_goes_from_table_to_table(qtbot: QtBot) -> None:
    shown = panel(qtbot)
    focus(qtbot, shown.s)
    order = [QApplication.focusWidget()]
    for _ in range(5):
        qtbot.keyClick(order[-1], Qt.Key.Key_Tab)
        order.append(QApplication.focusWidget())
    weights, outputs = shown.view.matrices.weights, shown.view.matrices.outputs
    buttons = [weights.title.fill, weights.brush]
    assert order == [shown.s, *buttons, shown.a, outputs.title.fill, shown.o]


def test_the_block_is_copied(qtbot: QtBot) -> None:
    shown = panel(qtbot)
    qtbot.keyClick(shown.s, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    copied = shown.last()
    assert isinstance(copied, CopyText)
    rows = [[float(cell) for cell in line.split("\t")] for line in copied.text.splitlines()]
    assert np.array_equal(rows, shown.frame.shown_scores)


def test_the_menu_copies_in_every_format(qtbot: QtBot) -> None:
    shown = panel(qtbot)
    centre = shown.o.viewport().rect().center()
    where = shown.o.viewport().mapToGlobal(centre)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, centre, where)
    QCoreApplication.sendEvent(shown.o.viewport(), event)
    [menu] = shown.o.findChildren(QMenu)
    texts = [action.text() for action in menu.actions()]
    assert texts[-len(FORMATS) :] == [f"Copy as {name}" for name in FORMATS]
    menu.actions()[texts.index("Copy as NumPy")].trigger()
    menu.close()
    assert shown.last() == CopyText(FORMATS["NumPy"]("O", shown.frame.attention.head_output[0]))


def test_the_selected_cell_is_kept_in_view(qtbot: QtBot) -> None:
    shown = panel(qtbot, LARGE, size=(348, 400))
    focus(qtbot, shown.a)
    bar = shown.view.area.verticalScrollBar()
    bar.setValue(0)
    shown.draw(Selection(Role.A, 60, 5))
    centre = shown.a.visualRect(shown.a.model().index(60, 5)).center()
    assert (
        shown.view.area.viewport()
        .rect()
        .contains(shown.a.viewport().mapTo(shown.view.area.viewport(), centre))
    )


# --- the panel -----------------------------------------------------------------------------------


def test_tabs_ask_for_a_page(qtbot: QtBot) -> None:
    shown = panel(qtbot)
    for tab in (ResultsTab.POINTS, ResultsTab.PAIRS, ResultsTab.CODE):
        qtbot.mouseClick(shown.view.tabs.button(tab), LEFT)
        assert shown.last() == ShowTab(tab)
        shown.draw(look=Look(tab=tab))
        assert not shown.s.isVisible()


def test_a_head_is_chosen(qtbot: QtBot) -> None:
    shown = panel(qtbot, HEADS)
    heads = shown.view.heads
    assert heads.isVisible()
    names = [button.accessibleName() for button in heads.buttons]
    assert names == ["Head 1", "Head 2", "Head 3", "Head 4", "Average"]
    assert [button.isChecked() for button in heads.buttons] == [True, False, False, False, False]
    qtbot.mouseClick(heads.buttons[2], LEFT)
    assert shown.last() == ShowHead(2)
    qtbot.keyClick(heads.buttons[0], Qt.Key.Key_Right)
    assert shown.last() == ShowHead(1)
    qtbot.keyClick(heads.buttons[0], Qt.Key.Key_End)
    assert shown.last() == ShowAverage(True)
    shown.draw(look=Look(head=2))
    result = compute(HEADS)
    assert texts(shown.a)[0][0] == f"{result.weights[2, 0, 0]:.3f}"
    assert value_of(texts(shown.o)[0][0]) == pytest.approx(result.head_output[2, 0, 0], abs=5e-4)
    assert not panel(qtbot).view.heads.isVisible()


def test_everything_fits_at_the_design_size(qtbot: QtBot) -> None:
    shown = panel(qtbot, size=(348, 680))
    assert shown.view.area.verticalScrollBar().maximum() == 0


def test_compact_rows_are_lower(qtbot: QtBot) -> None:
    shown = panel(qtbot, size=(332, 572))
    assert shown.s.grid.cell(0, 0).height() == 33
    shown.view.set_compact(True)
    assert shown.s.grid.cell(0, 0).height() == 29
    qtbot.waitUntil(lambda: shown.view.area.verticalScrollBar().maximum() == 0)


def test_a_narrow_window_shows_one_table_at_a_time(qtbot: QtBot) -> None:
    shown = panel(qtbot, size=(300, 500))
    shown.view.set_tabbed(True)
    tables = (shown.s, shown.a, shown.o)
    assert [table.isVisible() for table in tables] == [True, False, False]
    shown.draw(look=Look(stage=Stage.O))
    assert [table.isVisible() for table in tables] == [False, False, True]
    button = shown.view.matrices.tabs.button(Stage.A)
    qtbot.mouseClick(button, LEFT)
    assert [table.isVisible() for table in tables] == [False, True, False]


# --- holds for every scene -----------------------------------------------------------------------


@pytest.mark.parametrize("tab", list(ResultsTab))
@pytest.mark.parametrize("name", AWKWARD)
def test_awkward_scenes_are_drawn_twice_alike_and_silently(
    qtbot: QtBot, name: str, tab: ResultsTab
) -> None:
    scene = AWKWARD[name]
    shown = panel(qtbot, scene, Theme(dark=True))
    last = len(scene.tokens) - 1, len(scene.key_tokens) - 1
    selection, hover = Selection(Role.A, *last), Selection(Role.O, last[0], column=0)
    pictures = []
    for _ in range(2):
        shown.draw(selection, hover, Look(tab=tab, scaled=True))
        pictures.append(picture(shown.view))
    assert pictures[0] == pictures[1]
    assert shown.intents == []


@pytest.mark.parametrize("percent", SCALES)
@pytest.mark.parametrize("dark", [False, True])
def test_another_theme_or_text_scale_is_taken(qtbot: QtBot, percent: int, dark: bool) -> None:
    fresh = panel(qtbot, theme=Theme(dark, percent), size=(700, 1400))
    shown = panel(qtbot, size=(700, 1400))
    shown.view.retheme(fresh.theme)
    for each in (shown, fresh):
        each.view.setFocus()  # away from the buttons, so that none wears the ring of the focus
        each.draw(PAIR)
    assert picture(shown.view) == picture(fresh.view)


def test_a_stale_selection_marks_nothing(qtbot: QtBot) -> None:
    shown = panel(qtbot)
    nothing = picture(shown.view)
    shown.draw(Selection(Role.S, 7, 9), Selection(Role.O, 12, column=5))
    assert picture(shown.view) == nothing


def test_every_table_and_cell_has_an_accessible_name(qtbot: QtBot) -> None:
    shown = panel(qtbot)
    names = []
    for table in (shown.s, shown.a, shown.o):
        interface = QAccessible.queryAccessibleInterface(table)
        names.append(interface.text(QAccessible.Text.Name))
        assert interface.childCount() > table.model().rowCount() * table.model().columnCount()
    assert names == ["S, scores", "A, attention", "O, output"]
    spoken = Qt.ItemDataRole.AccessibleTextRole
    assert shown.s.model().index(0, 3).data(spoken) == "S, cat to cloud, −0.62"
    assert shown.o.model().index(3, 0).data(spoken) == "O, cloud, column 1, −0.029"
    assert shown.o.model().index(3, 2).data(spoken) == "O, cloud made of cat, 0.114"


def test_a_closed_panel_leaves_nothing_behind(qtbot: QtBot) -> None:
    view = ResultsView(Theme(), code=code, copy_as=FORMATS)
    view.show()
    view.draw(resolve(SAMPLE))
    gone = weakref.ref(view)
    view.close()
    view.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    del view
    gc.collect()
    assert gone() is None


# --- code ----------------------------------------------------------------------------------------


def test_the_code_page_marks_the_active_stage(qtbot: QtBot) -> None:
    shown = panel(qtbot)
    page = shown.view.code
    assert page is not None
    program = code(SAMPLE)
    for stage in stations(SAMPLE):
        shown.draw(look=Look(tab=ResultsTab.CODE, stage=stage))
        assert page.text.toPlainText() == "\n".join(program.lines)
        expected = [i for i, stages in enumerate(program.stages) if stage in stages]
        assert expected
        assert list(page.text.marked) == expected
    image = picture(page.text.viewport())
    ink = shown.theme.color("ink1")
    bars = {y for y in range(image.height()) if image.pixelColor(1, y) == ink}
    assert bars


def test_the_code_page_asks_for_the_other_language_and_copies(qtbot: QtBot) -> None:
    shown = panel(qtbot)
    page = shown.view.code
    assert page is not None
    shown.draw(look=Look(tab=ResultsTab.CODE))
    qtbot.mouseClick(page.languages.button(True), LEFT)
    assert shown.last() == ShowTorchCode(True)
    shown.draw(look=Look(tab=ResultsTab.CODE, torch_code=True))
    assert "import torch" in page.text.toPlainText()
    qtbot.mouseClick(page.copy, LEFT)
    assert shown.last() == CopyText(code(SAMPLE, True).text)
