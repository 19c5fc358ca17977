"""A view is drawn and painted when something of its concern changed, and at no other time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QWidget

from explorer.app.main import make_window
from explorer.session import (
    Cell,
    Centre,
    Edges,
    Invalid,
    Matrix,
    ResultsTab,
    Role,
    Selection,
    Space,
    Stage,
    edits,
)
from explorer.text import Message
from tests.window.conftest import Person

ONE_WINDOW = True  # which begins anew for each test

CAT_CLOUD = Selection(Role.A, 0, 3)
WK = Cell(Matrix.WK, 0, 1)
EVERY = {"chain", "inputs", "plane", "results", "strip"}


class Watch(QObject):
    """Counts draws of each view, and paints in it, in the grids and in the top bar."""

    def __init__(self, person) -> None:
        super().__init__()
        self._person = person
        page, window = person.window.explore_page, person.window
        self.drawn: Counter[str] = Counter()
        self.painted: Counter[str] = Counter()
        self._names: dict[QWidget, str] = {window.topbar: "topbar"}
        for name in EVERY:
            view = getattr(page, name)
            self._names[view] = name
            view.draw = self._counting(name, view.draw)
        self._names[page.inputs.tokens] = "X"
        for matrix, block in page.inputs.weights.items():
            self._names[block.grid] = matrix.value

    def _counting(self, name: str, draw: Callable[[object], None]) -> Callable[[object], None]:
        def counted(frame: object) -> None:
            self.drawn[name] += 1
            draw(frame)

        return counted

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and isinstance(watched, QWidget):
            part: QWidget | None = watched
            while part is not None:
                if part in self._names:
                    self.painted[self._names[part]] += 1
                part = part.parentWidget()
        return False

    def during(self, action: Callable[[], object]) -> None:
        """Count from here on, until all is painted that `action` brings about."""
        self._person.settle()
        self._person.settle()
        self._person.window.clock.flush()
        self.drawn.clear()
        self.painted.clear()
        action()
        self._person.settle()
        self._person.settle()


@pytest.fixture
def person(qtbot) -> Person:
    """Somebody at a window that no screen shows: the window system asks it to paint nothing."""
    window = make_window()
    qtbot.addWidget(window, before_close_func=lambda w: w.session.mark_saved(w.session.scene))
    window.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    window.resize(1440, 900)
    window.show()
    somebody = Person(window)
    somebody.settle()
    return somebody


@pytest.fixture
def watch(person) -> Iterator[Watch]:
    watching = Watch(person)
    QApplication.instance().installEventFilter(watching)
    yield watching
    QApplication.instance().removeEventFilter(watching)


def edit_cell(person, cell: Cell, value: float) -> None:
    made = edits.set_cells(person.session.scene, cell, [[value]])
    person.session.edit(Message("change it"), made)


def look(person, **changes) -> None:
    person.session.look_at(replace(person.session.look, **changes))


# What happens; which views are drawn, once each; which parts stay unpainted.
CASES = {
    "nothing": (lambda person: None, set(), EVERY | {"topbar"}),
    "hover": (
        lambda person: person.session.hover(CAT_CLOUD),
        EVERY - {"chain"},
        {"chain", "Wq", "Wk", "Wv", "topbar"},
    ),
    "selection": (
        lambda person: person.session.select(CAT_CLOUD),
        EVERY - {"chain"},
        {"chain", "Wq", "Wk", "Wv", "topbar"},
    ),
    "edges": (
        lambda person: look(person, edges=Edges.SCORES),
        EVERY,
        {"chain", "X", "Wq", "Wk", "Wv", "strip", "topbar"},
    ),
    "stage": (
        lambda person: look(person, stage=Stage.Q),
        EVERY,
        {"X", "Wq", "Wk", "Wv", "strip", "topbar"},
    ),
    "page": (
        lambda person: look(person, tab=ResultsTab.PAIRS),
        {"inputs", "results"},
        EVERY - {"results"} | {"topbar"},
    ),
    "X": (
        lambda person: edit_cell(person, Cell(Matrix.X, 0, 0), 0.7),
        EVERY,
        {"chain", "Wq", "Wk", "Wv", "strip"},
    ),
    "Wk": (
        lambda person: edit_cell(person, WK, 0.5),
        EVERY,
        {"chain", "X", "Wq", "Wv", "strip"},
    ),
    "invalid": (
        lambda person: person.session.set_invalid({WK: Invalid("much", Message("Type a number"))}),
        {"inputs", "results", "strip"},
        {"chain", "plane", "topbar"},
    ),
    "saved": (
        lambda person: person.session.mark_saved(person.session.scene),
        set(),
        EVERY,
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_only_what_is_concerned_is_drawn_and_painted(person, watch, case):
    act, drawn, unpainted = CASES[case]
    watch.during(lambda: act(person))

    assert watch.drawn == Counter(drawn)
    assert not {part: watch.painted[part] for part in unpainted if watch.painted[part]}


def test_pointing_at_the_same_thing_again_draws_nothing(person, watch):
    person.session.hover(CAT_CLOUD)
    person.session.select(CAT_CLOUD)

    def again() -> None:
        person.session.hover(CAT_CLOUD)
        person.session.select(CAT_CLOUD)
        person.session.look_at(person.session.look)
        person.session.edit(Message("change nothing"), person.session.scene)

    watch.during(again)

    assert not watch.drawn
    assert not watch.painted


def test_each_move_of_a_drag_is_drawn_once_and_leaves_the_weights_alone(person, watch):
    start = person.point(Space.X, 0)
    person.press(start)
    person.move(start + QPoint(-10, -10))
    person.settle()
    watch.during(lambda: person.move(start + QPoint(-30, -20)))

    assert person.session.in_gesture
    assert watch.drawn == Counter(EVERY)
    assert {"X", "plane", "results"} <= set(watch.painted)
    assert not {"chain", "Wq", "Wk", "Wv", "strip"} & set(watch.painted)
    person.release(start + QPoint(-30, -20))


def test_changes_within_one_screen_frame_are_drawn_together(person, watch):
    def three() -> None:
        for value in (0.5, 0.3, 0.4):
            edit_cell(person, WK, value)

    watch.during(three)

    # The first at once, the others together with the next frame of the screen.
    assert watch.drawn == Counter(dict.fromkeys(EVERY, 2))


def test_what_is_hidden_is_not_drawn_and_catches_up_when_it_is_shown(person, watch):
    person.window.resize(960, 640)
    person.settle()
    inputs = person.window.explore_page.inputs
    assert not inputs.isVisible()
    watch.during(lambda: [edit_cell(person, WK, value) for value in (0.4, 0.3)])

    assert watch.drawn["inputs"] == 0
    assert watch.painted["inputs"] == 0
    assert watch.drawn["plane"] == 2

    watch.during(lambda: person.window.resize(1440, 900))

    assert inputs.isVisible()
    assert watch.drawn["inputs"] == 1
    grid = inputs.weights[Matrix.WK].grid
    assert grid.model().index(0, 1).data() == "0.3"
    watch.during(lambda: person.window.resize(960, 640))
    assert watch.drawn["inputs"] == 0
    watch.during(lambda: person.window.resize(1440, 900))
    assert watch.drawn["inputs"] == 0  # it missed nothing


def test_what_goes_behind_is_not_drawn_once_more_and_what_comes_once(person, watch):
    page = person.window.explore_page
    watch.during(lambda: look(person, centre=Centre.COMPARE))
    assert page.main_picture == "compare"
    assert watch.drawn == Counter(EVERY - {"plane"})

    compare, drawn = page.page(Centre.COMPARE), []
    compare.draw = drawn.append
    watch.during(lambda: look(person, centre=Centre.PLANE))
    assert watch.drawn == Counter(EVERY)
    assert not drawn
    watch.during(lambda: look(person, centre=Centre.COMPARE))
    assert watch.drawn["plane"] == 0
    assert len(drawn) == 1


def test_what_a_drag_leaves_unpainted_is_as_if_painted_anew(person):
    person.session.look_at(
        replace(
            person.session.look,
            spaces=frozenset({Space.X, Space.K, Space.V, Space.O}),
            edges=Edges.ATTENTION,
        )
    )
    person.session.select(CAT_CLOUD)
    person.settle()
    window, start = person.window, person.point(Space.X, 0)
    person.press(start)
    for x, y in ((-5, 0), (40, 60), (-200, -250), (-210, 20 - start.y()), (-300, 24 - start.y())):
        person.move(start + QPoint(x, y))
        person.settle()
        shown = window.backingStore().paintDevice()
        assert isinstance(shown, QImage)
        anew = QImage(shown.size(), shown.format())
        anew.setDevicePixelRatio(shown.devicePixelRatio())
        window.render(anew)
        assert shown == anew
    person.release(start)
