"""Presenting a model: what stands in its middle, large, and the keys that go from head to head."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocumentFragment
from PySide6.QtTest import QTest

from explorer.models.switches import Put
from explorer.session.model.intents import (
    ChangeModelLook,
    GoToHead,
    SelectPair,
    ShowEffects,
    SwitchHead,
)
from explorer.session.views import ModelCentre
from tests.window.conftest import Person

DIGITS = dict.fromkeys(map(ord, "0123456789"))


@pytest.fixture
def presented(person: Person, qtbot):
    """Return the audience's page, the room, and what waits until nothing is awaited."""
    window = person.window
    room = window.rooms.show_model(again=True)

    def settle() -> None:
        qtbot.waitUntil(lambda: not room.runner.busy, timeout=60_000)
        room.clock.flush()
        person.settle()

    settle()
    room.handle(GoToHead(2, 1))
    room.handle(SelectPair(14, 4))
    settle()
    person.key(Qt.Key.Key_F5, widget=window)
    settle()
    return window.presenting.audience, room, settle


def test_a_head_is_presented_and_keys_go_through_heads_weights_and_views(presented) -> None:
    audience, room, settle = presented
    page, frame = audience.page, room.session.frame
    weights = frame.head.arrays.weights[14]
    assert page.left.title.accessibleName() == "Layer 3 head 2"
    assert f"<b>{weights[4]:.3f}</b>" in page.left.text.text()
    assert frame.run.text in page.left.text.text()
    told = page.left.bar.accessibleName()
    assert f"John {weights[4]:.3f}" in told
    assert page.views[ModelCentre.MATRIX].isVisible()
    assert not page.views[ModelCentre.MATRIX].caption.isVisible()
    QTest.keyClick(page, Qt.Key.Key_Right)
    settle()
    ordered = (-weights).argsort(kind="stable").tolist()
    assert room.session.frame.cursor.key == ordered[ordered.index(4) + 1]
    QTest.keyClick(page, Qt.Key.Key_PageDown)
    settle()
    assert page.left.title.accessibleName() == "Layer 3 head 3"
    for centre in (ModelCentre.TEXT, ModelCentre.FLOW, ModelCentre.SPACES, ModelCentre.NEXT):
        QTest.keyClick(page, Qt.Key.Key_T)
        settle()
        assert room.session.frame.look.centre is centre
        assert page.views[centre].isVisible()
    room.handle(GoToHead(3, 3))
    settle()
    QTest.keyClick(page, Qt.Key.Key_PageDown)  # it was the last
    settle()
    assert (room.session.frame.cursor.layer, room.session.frame.cursor.head) == (3, 3)


def test_what_is_expected_next_is_told_with_heads_off(presented) -> None:
    audience, room, settle = presented
    room.handle(ChangeModelLook({"centre": ModelCentre.NEXT}))
    room.handle(SwitchHead(2, 1, Put.ZEROS))
    settle()
    first = room.session.frame.next.rows[0]
    said = audience.page.left.text.text()
    assert audience.page.left.title.accessibleName() == "Next token"
    assert f"{first.text.strip()}</b> {first.probability:.3f}" in said
    assert "1 head is off" in said


def test_what_each_head_alone_does_stands_there_where_it_is_asked_for(presented) -> None:
    audience, room, settle = presented
    room.handle(ChangeModelLook({"centre": ModelCentre.NEXT}))
    room.handle(ShowEffects(True))
    settle()
    shown, changes = audience.page.effects, room.session.frame.effects.changes
    assert shown.isVisible()
    place, least = shown.largest.rows[0]
    assert changes[place] == least == changes.min()
    assert shown.of.text() == "change of p of Mary"
    for only_at_the_computer in (shown.word, shown.stop):
        assert not only_at_the_computer.isVisible()
    foot = shown.largest.mapTo(audience.page, shown.largest.rect().bottomLeft())
    assert foot.y() < audience.page.height()
    room.handle(ShowEffects(False))
    settle()
    assert audience.page.views[ModelCentre.NEXT].isVisible()


def test_what_a_question_hides_gives_its_room_to_the_text_it_is_about(presented) -> None:
    audience, room, settle = presented
    room.session.look_at(veiled=True)
    settle()
    page, run = audience.page, room.session.frame.run
    assert page.hidden.isVisible()
    assert not any(view.isVisible() for view in page.views.values())
    assert page.hidden.heightForWidth(page.hidden.width()) <= page.hidden.height()
    written = QTextDocumentFragment.fromHtml(page.hidden.text()).toPlainText()
    places = {
        str(place + 1) for place, piece in enumerate(run.pieces) if piece.text.strip() == "John"
    }
    assert all(f"John{place}" in written for place in places)
    assert "".join(written.split("\n")[0].translate(DIGITS)) == run.text
    assert written.endswith("Hidden until you have answered")
    room.session.look_at(veiled=False)
    settle()
    assert page.views[ModelCentre.MATRIX].isVisible()
