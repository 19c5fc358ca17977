"""Pictures by the right mouse button, in one menu with what a view offers itself."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pypdf import PdfReader
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu, QWidget

from explorer.app.dialogs import QtDialogs
from explorer.kit.table.titles import Title
from explorer.resources import lessons
from explorer.session import Centre, Stage

ONE_WINDOW = True  # which begins anew for each test

NO_KEY = Qt.KeyboardModifier.NoModifier


class Menus:
    """Waits for a menu, keeps what it offers, and takes one of its entries, or puts it away."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._wanted: str | None = None
        self._timer = QTimer(interval=5)
        self._timer.timeout.connect(self._look)

    def choose(self, wanted: str | None) -> None:
        self._wanted, self.texts = wanted, []
        self._timer.start()

    def _look(self) -> None:
        menu = QApplication.activePopupWidget()
        if not isinstance(menu, QMenu) or not menu.isVisible():
            return
        self._timer.stop()
        self.texts = [action.text() for action in menu.actions() if not action.isSeparator()]
        chosen = [action for action in menu.actions() if action.text() == self._wanted]
        if chosen:
            menu.setActiveAction(chosen[0])  # a click counts only where the mouse has moved
            QTest.keyClick(menu, Qt.Key.Key_Return)
        else:
            menu.close()


@pytest.fixture
def right_click(person, qtbot) -> Callable[..., list[str]]:
    """Ask for the menu of a widget and choose from what opens; return what there was."""
    menus = Menus()

    def act(widget: QWidget, at: QPoint | None = None, choose: str | None = None) -> list[str]:
        person.settle()
        place = widget.mapTo(person.window, at or widget.rect().center())
        menus.choose(choose)
        # What the window system makes of the right button, sent here to where the mouse would be:
        # without a screen it goes to where the mouse was last.
        part, there = person.window.childAt(place), person.window.mapToGlobal(place)
        asked = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, part.mapFromGlobal(there), there)
        QApplication.sendEvent(part, asked)
        qtbot.waitUntil(lambda: bool(menus.texts))
        qtbot.waitUntil(lambda: QApplication.activePopupWidget() is None)
        person.settle()
        return menus.texts

    return act


@pytest.fixture
def saved(monkeypatch, tmp_path):
    """Answer the question where to save, by the view's name; the suffix can be changed."""
    answer = {"suffix": ".png"}
    monkeypatch.setattr(
        QtDialogs, "ask_picture", lambda _self, _title, view: tmp_path / (view + answer["suffix"])
    )

    def path(name: str):
        return tmp_path / (name + answer["suffix"])

    path.answer = answer
    return path


def places(person) -> dict[str, tuple[QWidget, QPoint | None]]:
    page = person.window.explore_page
    matrices = page.results.matrices
    titles = {name: getattr(matrices, name).findChild(Title) for name in ("scores", "outputs")}
    return {
        "plane": (person.plane.viewport(), None),
        "strip": (page.strip, QPoint(4, 4)),
        "chain": (page.chain.chip(Stage.K), None),
        "scores": (titles["scores"], QPoint(40, 10)),
        "outputs": (titles["outputs"], QPoint(40, 10)),
        "weights": (matrices.weights.fitted.viewport(), None),
        "inputs": (page.inputs.tokens.viewport(), None),
    }


VIEWS = ["plane", "strip", "chain", "scores", "outputs", "weights", "inputs"]


@pytest.mark.parametrize("view", VIEWS)
def test_each_view_offers_to_save_its_own_picture(person, right_click, saved, view):
    widget, at = places(person)[view]
    texts = right_click(widget, at, "Save picture…")

    assert texts.count("Copy picture") == texts.count("Save picture…") == 1
    part = person.window.pictures()[view]
    assert QImage(str(saved(view))).size() == part.size() * 2


def test_each_plot_offers_its_numbers_and_says_why_they_cannot_be_saved(
    person, right_click, saved, monkeypatch, tmp_path
):
    monkeypatch.setattr(
        QtDialogs, "ask_numbers", lambda _self, _title, view: tmp_path / f"{view}.csv"
    )
    person.window.actions_by_name[Centre.SQRT_D].trigger()
    person.settle()
    page = person.window.pictures()["sqrt_d"]
    right_click(page.sheet, choose="Save numbers as CSV…")
    first = (tmp_path / "sqrt_d.csv").read_text("utf-8").splitlines()[0]
    assert first.startswith("q·k,weight without ÷ √d,")
    for kind in (".png", ".svg", ".pdf"):
        saved.answer["suffix"] = kind
        texts = right_click(page.sheet, choose="Save picture…")
        assert saved("sqrt_d").stat().st_size > 1000
        assert texts.count("Save numbers as CSV…") == 1
    (tmp_path / "sqrt_d.csv").unlink()
    (tmp_path / "sqrt_d.csv").mkdir()
    right_click(page.sheet, choose="Save numbers as CSV…")
    bar = person.window.explore_page.error_bar
    assert bar.isVisible()
    assert bar.accessibleName() == "sqrt_d.csv cannot be saved: it is not a file."
    room = person.window.show_train(warm=False)
    page = room.page
    person.settle()
    shown = room.session.frame.shows_others
    right_click(page.graph.viewport(), choose="Edges of all sentences")
    assert room.session.frame.shows_others is not shown
    right_click(page.timeline.chart, choose="Save numbers as CSV…")
    rows = (tmp_path / "timeline.csv").read_text("utf-8").splitlines()
    assert rows[0] == "epoch,loss,accuracy"
    assert len(rows) > 100


@pytest.mark.parametrize("view", VIEWS)
def test_each_view_offers_to_copy_its_own_picture(person, right_click, view):
    widget, at = places(person)[view]
    right_click(widget, at, "Copy picture")

    part = person.window.pictures()[view]
    assert QGuiApplication.clipboard().image().size() == part.size() * 2


def test_the_page_of_a_lesson_can_be_copied(person, right_click):
    person.window.playing.open(lessons()[0])
    person.settle()
    right_click(person.window.explore_page.lesson, QPoint(5, 300), "Copy picture")
    picture = QGuiApplication.clipboard().image()
    assert picture.size() == 2 * person.window.explore_page.lesson.size()


def test_tables_keep_what_they_offer_themselves(person, right_click):
    texts = right_click(*places(person)["weights"], "Copy as NumPy")
    assert texts[:5] == [
        "Fill in A by hand",
        "Fill in this row of A by hand",
        "Predict this number of A",
        "Make this…",
        "Mask",
    ]
    assert texts[5].startswith("Copy as")
    assert QGuiApplication.clipboard().text().startswith("A = ")


def test_grids_keep_what_they_offer_themselves(person, right_click):
    texts = right_click(*places(person)["inputs"], None)
    assert texts[0].startswith("Copy as")
    assert "Paste" in texts


def test_the_strip_keeps_what_it_offers_itself(person, right_click):
    assert right_click(*places(person)["strip"], "Copy")[0] == "Copy"
    assert "Choose a cell" in QGuiApplication.clipboard().text()


def test_an_svg_is_drawn_in_vectors(person, right_click, saved):
    saved.answer["suffix"] = ".svg"
    person.key(Qt.Key.Key_5, widget=person.plane.viewport())
    widget, _at = places(person)["plane"]
    right_click(widget, QPoint(20, widget.height() // 2), "Save picture…")

    text = saved("plane").read_text()
    assert "<image" not in text
    assert text.count("<path") > 20


def test_a_picture_taken_while_points_travel_shows_where_they_go(person):
    person.key(Qt.Key.Key_5, widget=person.plane.viewport())
    person.window.picture_taker.copy("plane")
    still = QGuiApplication.clipboard().image()
    person.key(Qt.Key.Key_1, widget=person.plane.viewport())
    QTest.keyClick(person.plane.viewport(), Qt.Key.Key_5)
    person.window.picture_taker.copy("plane")

    assert QGuiApplication.clipboard().image() == still


def test_a_pdf_is_a_page_as_large_as_the_part_whose_text_can_be_copied(person, saved):
    saved.answer["suffix"] = ".pdf"
    person.window.picture_taker.save("inputs")
    part = person.window.pictures()["inputs"]
    [page] = PdfReader(saved("inputs")).pages
    assert (page.mediabox.width, page.mediabox.height) == pytest.approx(
        (0.75 * part.width(), 0.75 * part.height()), abs=1
    )
    text = page.extract_text()
    assert all(token in text for token in person.session.scene.tokens)


def test_every_kind_of_picture_is_offered(monkeypatch, person):
    offered = []
    monkeypatch.setattr(QFileDialog, "setNameFilters", lambda _self, names: offered.extend(names))
    monkeypatch.setattr(QFileDialog, "exec", lambda _self: 0)
    person.window.picture_taker.save("plane")
    assert offered == ["Pictures (*.png *.svg *.pdf)"]


def test_a_picture_of_what_is_not_shown_any_more_is_none(person, monkeypatch):
    asked: list[str] = []
    monkeypatch.setattr(QtDialogs, "ask_picture", lambda _self, _title, view: asked.append(view))
    taker = person.window.picture_taker
    for take in (taker.copy, taker.save):
        take("lesson")  # the panel of a lesson that was never opened

    assert asked == []


def test_what_has_no_size_yet_has_no_picture_and_says_so(person):
    window = person.window
    empty = QWidget(window)
    empty.resize(300, 0)
    window.picture_taker.parts = lambda: {"empty": empty}
    for take in (window.picture_taker.copy, window.picture_taker.save):
        window.explore_page.error_bar.hide()
        take("empty")
        assert window.explore_page.error_bar.isVisible()
