"""Where a lesson stands beside what it speaks of, what it outlines, and what has the focus ring."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QTextLayout
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from explorer.kit.canvas.drawing import Drawing, chip_rect
from explorer.kit.focus_ring import is_ringed
from explorer.kit.segments import Segments
from explorer.lessons.lesson_index import lesson_called, title_of
from explorer.lessons.read import read_lesson
from explorer.lessons.steps import kind_of
from explorer.resources import lessons
from explorer.rooms.lesson.panel import Outline
from explorer.rooms.lesson.reading import Reading
from explorer.session import Centre, Space
from explorer.session.lesson import TurnTo
from explorer.session.views import EXPLORE, TRAIN, highlights
from explorer.text import titled
from tests.overlaps import overlaps
from tests.sampled import EVERY_FOURTH, EVERY_OTHER

ONE_WINDOW = True  # which begins anew for each test


def test_a_lesson_that_opens_shows_no_focus_until_a_key_moves_it(person, panel):
    def ringed() -> set[QWidget]:
        return {each for each in person.window.findChildren(QWidget) if is_ringed(each)}

    assert ringed() == set()
    person.key(Qt.Key.Key_Tab)
    assert ringed() == {QApplication.focusWidget()}
    button = panel.next
    person.push(button)
    assert button.hasFocus()
    assert ringed() == set()
    person.key(Qt.Key.Key_Backtab)
    assert ringed() == {QApplication.focusWidget()}


def test_parts_a_step_speaks_of_are_outlined(person, panel):
    explore = person.window.explore_page
    numbers = explore.left.choice.button("numbers")  # X lies behind the lesson
    assert set(person.outlined()) == {explore.plane.viewport(), numbers}
    for _step in range(4):
        person.push(panel.next)
    assert set(person.outlined()) == {explore.plane.viewport(), explore.results.matrices.scores}
    person.push(panel.next)
    assert not person.outlined()


def test_what_is_outlined_behind_the_lesson_is_whole_and_in_sight_when_it_is_shown(person):
    person.window.resize(1024, 768)
    person.window.open_file(lessons()[0])
    explore = person.window.explore_page
    for _step in range(4):
        person.push(explore.lesson.next)
    person.push(explore.left.choice.button("numbers"))
    grid = explore.inputs.tokens
    outlines = [each for each in explore.findChildren(Outline) if each.isVisible()]
    [outline] = [each for each in outlines if each.target is grid]
    around = outline.parentWidget()
    assert outline.geometry().contains(QRect(grid.mapTo(around, QPoint()), grid.size()))
    assert around.rect().contains(outline.geometry()), "its sides were cut off"
    assert outline.visibleRegion().boundingRect() == outline.rect(), "it was scrolled out of sight"


def test_every_part_that_can_be_named_can_be_outlined(person):
    window = person.window
    for centre in Centre:
        window.rooms.show_centre(centre)
    train = window.show_train(warm=False)
    for page, specs in ((window.explore_page, EXPLORE), (train.page, TRAIN)):
        missing = {name for name in highlights(specs) if page.part(name) is None}
        assert missing <= {"Wo"}  # which this scene has not


def test_a_part_of_the_laboratory_is_scrolled_to_where_it_is_spoken_of(person):
    window = person.window
    window.resize(1024, 768)
    window.appearance.scale_text_to(125)
    assert window.open_file(lesson_called("why-divide-by-root-d"))
    window.playing.handle(TurnTo(6))
    person.settle()
    [part] = person.outlined()
    assert part is window.explore_page.part("gradient")
    assert part.height() > 90
    assert part.visibleRegion().boundingRect() == part.rect()


def test_on_a_small_screen_the_lesson_stays_and_nothing_it_speaks_of_lies_beneath(person, panel):
    explore = person.window.explore_page
    for size, theme in ((1024, 768), False), ((960, 640), True):
        person.window.resize(*size)
        person.settle()
        if theme:
            person.window.appearance.toggle_theme()
            person.settle()
        assert panel.isVisible()
        assert not explore.rail.isVisible()
        edge = explore.left.mapTo(explore, explore.left.rect().topRight()).x()
        picture = person.plane.viewport()
        start = picture.mapTo(explore, picture.rect().topLeft()).x()
        # At the least size of the window there is no room for all.
        assert start > edge if size[0] == 1024 else start > edge - 32
        assert {person.point(Space.X, n).x() > edge - start for n in range(4)} == {True}
        person.click(picture, picture.rect().center())
        assert panel.isVisible()


def test_esc_clears_the_selection_and_leaves_the_lesson_where_it_is(person, panel):
    person.window.resize(1024, 768)
    person.settle()
    for _page in range(4):
        person.push(panel.next)
    assert person.session.selection is not None
    for _press in range(2):
        person.key(Qt.Key.Key_Escape, widget=person.plane.viewport())
        assert person.session.selection is None
        assert panel.isVisible()


@pytest.mark.parametrize(
    ("percent", "size"),
    [(125, (1024, 768)), (125, (960, 691)), (150, (1024, 768)), (200, (1024, 768))],
)
def test_a_lesson_stands_beside_the_picture_and_never_over_it(
    person, panel, percent: int, size: tuple[int, int]
):
    window = person.window
    window.resize(*size)
    window.appearance.scale_text_to(percent)
    person.settle()
    page = window.explore_page
    for _page in range(4):
        person.push(panel.next)
    plane, left = page.plane, page.left
    if not plane.isVisible():
        person.push(page.turns.button("picture"))
    edge = left.mapTo(window, left.rect().topRight()).x()
    assert plane.mapTo(window, QPoint()).x() >= edge
    assert plane.width() >= 430
    assert plane.height() >= 400
    low = plane.mapTo(window, plane.rect().bottomRight())
    assert window.rect().contains(low)
    bottom = page.bottom
    assert not bottom.isVisible() or low.y() <= bottom.mapTo(window, QPoint()).y()
    assert left.height() == page.body.height()
    person.push(page.turns.button("tables"))
    assert page.results.matrices.isVisible()
    assert not plane.isVisible()
    assert left.height() == page.body.height()
    asks = next(path for path in lessons() if path.stem.endswith("who-asks-who-answers"))
    assert window.open_file(asks)  # its first page speaks of X, which stands in neither
    person.settle()
    assert plane.isVisible()
    person.push(panel.close_button)
    assert plane.isVisible()
    # Without it there is room for both, but in the largest text.
    assert page.results.isVisible() == (percent < 200)
    assert page.turns.isVisible() == (percent == 200)


def pictures(person, percent: int, first: int) -> Iterator[tuple[str, Drawing]]:
    """Yield the plane of each page of every fourth lesson, and what it is called."""
    window = person.window
    window.resize(1024, 768)
    window.appearance.scale_text_to(percent)
    page, plane = window.explore_page, person.plane
    for path in lessons()[first::4]:
        lesson = read_lesson(path)
        kinds = [kind_of(lesson, place) for place in range(len(lesson.steps))]
        if set(kinds) != {"scene"}:
            continue
        assert window.playing.open(path)
        for place in range(len(kinds)):
            window.playing.handle(TurnTo(place))
            person.settle()
            if not plane.isVisible() and page.turns.isVisible():
                person.push(page.turns.button("picture"))
            if plane.isVisible():
                yield f"{path.stem}, page {place + 1}", plane.viewport().shown


@pytest.mark.parametrize("first", EVERY_FOURTH)
@pytest.mark.parametrize("percent", [125, 150])
def test_nothing_in_a_lesson_s_picture_stands_upon_anything_else(person, percent, first):
    values = []
    for name, drawing in pictures(person, percent, first):
        assert not list(overlaps(drawing)), name
        values.append(len(drawing.chips))
    assert len(values) > 30
    assert sum(values) > 30


@pytest.mark.parametrize("first", EVERY_FOURTH)
def test_in_the_largest_text_the_controls_hide_no_value(person, first):
    values = 0
    for name, drawing in pictures(person, 200, first):
        controls = [
            QRectF(QRect(each.mapTo(person.plane, QPoint()), each.size()))
            for each in person.plane.findChildren(Segments)
            if each.isVisible()
        ]
        for chip in drawing.chips:
            rect = chip_rect(drawing, chip.query, chip.key)
            assert not any(rect.intersects(each) for each in controls), f"{name}: {chip.word.text}"
            values += 1
    assert values > 20


@pytest.mark.parametrize("percent", [125, 200])
@pytest.mark.parametrize(("name", "place"), [("four-heads", 4), ("how-far-apart", 6)])
def test_the_cell_a_page_speaks_of_is_in_sight_where_its_table_is_not(
    qtbot, person, name, place, percent
):
    window = person.window
    window.resize(1024, 768)
    window.appearance.scale_text_to(percent)
    window.playing.open(lesson_called(name))
    window.playing.handle(TurnTo(place))
    person.settle()
    table = window.explore_page.results.matrices.weights.table

    def in_sight() -> bool:
        return table.viewport().visibleRegion().boundingRect().contains(table.selected_rect())

    assert table.selected_rect().isValid()
    qtbot.waitUntil(in_sight)  # the table takes its height in a later turn


def test_buttons_for_parts_that_take_turns_are_as_wide_as_their_words(person):
    window = person.window
    window.resize(1024, 768)
    window.appearance.scale_text_to(125)
    turns = window.explore_page.turns
    seen = set()
    for name in ("one-word-to-the-end", "attention-is-a-graph"):
        window.playing.open(lesson_called(name))
        for place in range(7):
            window.playing.handle(TurnTo(place))
            person.settle()
            buttons = [turns.button(key) for key in ("picture", "tables", "bottom")]
            shown = [button for button in buttons if button.isVisible()]
            assert turns.width() == turns.sizeHint().width()
            assert all(button.width() >= button.sizeHint().width() for button in shown)
            seen.add(len(shown))
    assert seen == {2, 3}


def test_the_lesson_and_the_numbers_stand_together(person, panel):
    page = person.window.explore_page
    person.push(page.left.choice.button("numbers"))
    person.push(page.left.choice.button("both"))
    assert panel.isVisible()
    assert page.inputs.isVisible()
    above, below = page.left.pages.sizes()
    assert abs(above - below) <= 1  # whatever was shown alone before
    person.push(panel.next)
    assert page.inputs.isVisible()
    person.push(page.left.choice.button("lesson"))
    assert not page.inputs.isVisible()


def test_a_line_of_code_that_is_pressed_outlines_what_it_computes(person):
    window = person.window
    window.playing.open(lesson_called("single-head-in-code"))
    window.playing.handle(TurnTo(3))  # the scores' line is marked
    person.settle()
    code = window.explore_page.lesson.code
    assert code.isVisible()
    [marked] = code.code.marked
    assert "transpose" in code.code.lines[marked]
    rows = [line for line, _text in code.laid.rows]
    row = rows.index(marked - 1)
    person.click(code, QPoint(code.width() // 2, round((row + 0.5) * code.laid.height)))
    person.settle()
    assert code.code.marked == {marked - 1}
    targets = {each.target for each in window.findChildren(Outline) if not each.isHidden()}
    assert window.explore_page.part("Wv") in targets
    window.playing.handle(TurnTo(4))
    person.settle()
    assert "0.5" in code.code.lines[min(code.code.marked)]


@pytest.mark.parametrize("first", EVERY_OTHER)
@pytest.mark.parametrize("code", ["en", "zh"])
def test_code_and_question_stand_together_on_a_small_screen(person, code: str, first: int):
    window = person.window
    window.resize(1024, 768)
    window.appearance.scale_text_to(125)
    window.speak(code)
    window.flush()  # the panel is made anew
    with_code = [path for path in lessons() if read_lesson(path).code]
    for path in with_code[(first + (code == "zh")) % 2 :: 2]:
        lesson = read_lesson(path)
        window.playing.open(path)
        panel = window.explore_page.lesson
        for page, step in enumerate(lesson.steps):
            window.playing.handle(TurnTo(page))
            person.settle()
            assert panel.code.isVisible() == (step.code is not None)
            if panel.code.isVisible():
                made = panel.code.laid
                assert made.size >= person.window.theme.px(13)
                assert {line for line, _text in made.rows} >= made.code.marked
                if made.code.marked:
                    assert_seen(panel.code)
            for part in (panel.question, panel.task):
                if part.isVisible():
                    assert_seen(part)
        middle = window.explore_page.middle
        assert middle.width() >= 430 or not middle.isVisible()


def assert_seen(part) -> None:
    """Fail where a part is scrolled away or cut."""
    assert part.visibleRegion().boundingRect() == part.rect()


def test_an_open_lesson_leaves_the_window_idle(person):
    window = person.window
    window.resize(1024, 768)
    window.playing.open(lesson_called("scores-by-hand"))
    for page in range(4):
        window.playing.handle(TurnTo(page))
        person.settle()
        asked: list[None] = []
        [reading] = window.explore_page.lesson.findChildren(Reading)
        for column in (reading.above, reading.below):
            column.asked.connect(lambda asked=asked: asked.append(None))
        for _pass in range(20):
            QApplication.processEvents()
        assert len(asked) < 5, "the page is laid out again and again"


def test_in_large_text_a_button_leads_to_the_question_and_what_is_said_of_an_answer_is_seen(person):
    window = person.window
    window.resize(1024, 768)
    window.appearance.scale_text_to(200)
    window.open_file(lesson_called("your-journey"))
    window.playing.handle(TurnTo(2))
    person.settle()
    panel = window.explore_page.lesson
    [reading] = panel.findChildren(Reading)

    def in_sight(widget: QWidget) -> bool:
        top = widget.mapTo(reading, QPoint())
        return reading.rect().contains(QRect(top, widget.size()))

    assert reading.way.isVisible()
    person.push(reading.way)
    assert not reading.way.isVisible()
    assert in_sight(panel.question.field)
    person.push(panel.question.field)
    person.keys("7")
    person.key(Qt.Key.Key_Return)
    assert in_sight(panel.question.tell)
    window.appearance.scale_text_to(100)
    person.settle()
    assert not reading.way.isVisible()
    assert in_sight(panel.close_button)


def test_a_lesson_that_wants_room_in_the_midst_of_a_layout_gets_it_afterwards(person):
    window = person.window
    window.resize(1024, 768)
    window.appearance.scale_text_to(125)
    assert window.open_file(lesson_called("train-and-read-the-trace"))
    person.settle()
    page = window.train.page
    below = page.turns.button("bottom")
    assert page.turns.isVisible()
    assert below.isHidden()
    page.lesson.height_wanted.emit(5000)
    assert below.isHidden(), "parts that are being placed must not be taken out of their layout"
    person.settle()
    assert below.isVisible()
    assert not page.timeline.isVisible()


def test_no_title_leaves_one_or_two_characters_alone(person):
    broken, font = 0, person.window.theme.font(18, 600)
    for text in (titled(title_of(path, "zh")) for path in lessons()):
        for width in range(120, 300, 10):
            layout = QTextLayout(text, font)
            layout.beginLayout()
            while (line := layout.createLine()).isValid():
                line.setLineWidth(width)
                last = text[line.textStart() : line.textStart() + line.textLength()]
            layout.endLayout()
            broken += layout.lineCount() > 1
            assert layout.lineCount() == 1 or len(last.replace("\u2060", "")) >= 3, text
    assert broken > 50


def test_a_title_in_the_panel_and_before_an_audience_is_kept_together(person):
    window = person.window
    window.speak("zh")
    assert window.open_file(lesson_called("query-key-value"))
    person.settle()
    window.presenting.present()
    window.presenting.audience.showNormal()
    window.presenting.audience.resize(1024, 768)
    person.settle()
    shown = titled("三个角色：查询、键、值")
    for part in (window.explore_page.lesson, window.presenting.audience):
        [title] = [label for label in part.findChildren(QLabel) if label.text() == shown]
        last = shown.partition("：")[2]
        assert title.fontMetrics().horizontalAdvance(last) <= title.width(), "it is cut off"
    window.presenting.leave()
    window.speak("en")
