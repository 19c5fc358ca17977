"""What is offered at the first start, and only then."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QWidget

from explorer.app import main
from explorer.app.settings import settings_file
from explorer.app.welcome import Welcome
from explorer.text import language


def offered(person) -> Welcome:
    person.window.welcome()
    person.settle()
    [sheet] = [each for each in person.window.findChildren(Welcome) if each.isVisible()]
    assert person.window.frameGeometry().contains(sheet.frameGeometry())
    for card in sheet.cards:
        assert all(card.rect().contains(part.geometry()) for part in card.findChildren(QWidget))
    return sheet


@pytest.mark.parametrize("card", range(3))
def test_each_card_leads_where_it_says(person, card: int) -> None:
    window = person.window
    sheet = offered(person)
    chosen = sheet.cards[card]
    person.click(chosen, chosen.rect().center())
    person.settle()
    assert not [each for each in window.findChildren(Welcome) if each.isVisible()]
    assert window.playing.page == ("explore" if card == 0 else None)
    assert window.rooms.training == (card == 2)


def test_it_speaks_another_language_and_closes(person) -> None:
    sheet = offered(person)
    person.click(sheet.languages["zh"], sheet.languages["zh"].rect().center())
    assert language() == "zh"
    [sheet] = [each for each in person.window.findChildren(Welcome) if each.isVisible()]
    assert list(sheet.languages) == ["en"]
    person.click(sheet.languages["en"], sheet.languages["en"].rect().center())
    assert language() == "en"
    [sheet] = [each for each in person.window.findChildren(Welcome) if each.isVisible()]
    person.click(sheet.close_button, sheet.close_button.rect().center())
    assert not [each for each in person.window.findChildren(Welcome) if each.isVisible()]


def test_it_stays_in_the_middle_of_a_window_that_is_placed_later(person) -> None:
    sheet, window = offered(person), person.window
    for moved in (lambda: window.move(70, 40), lambda: window.resize(1024, 768)):
        moved()
        person.settle()
        away = sheet.frameGeometry().center() - window.mapToGlobal(window.rect().center())
        assert away.manhattanLength() <= 1


# Last: a window that the program itself opens takes back, when it is closed, what keeps a search
# for garbage short.
def test_only_a_first_start_offers_them(qapp: QApplication, monkeypatch) -> None:
    shown: list[bool] = []

    def look() -> int:
        qapp.processEvents()
        found = [w for w in qapp.topLevelWidgets() if isinstance(w, Welcome) and w.isVisible()]
        shown.append(bool(found))
        for sheet in found:
            sheet.reject()
        for window in [w for w in qapp.topLevelWidgets() if type(w).__name__ == "MainWindow"]:
            window.close()
            window.deleteLater()
        qapp.processEvents()
        return 0

    monkeypatch.setattr(qapp, "exec", look, raising=False)
    monkeypatch.setattr(main, "application", lambda: qapp)
    assert not settings_file().exists()
    main.run()
    assert settings_file().exists()
    main.run()
    assert shown == [True, False]
