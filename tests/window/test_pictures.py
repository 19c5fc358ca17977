"""Pictures from the menu: those of the workspace in front."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication, QMenu

from explorer.app.pictures import image_of
from explorer.views.lab.chain import LabChainView


def offered(person, title: str) -> dict[str, object]:
    """Return the actions of a menu of pictures by their texts, opened as a person does."""
    [menu] = [each for each in person.window.findChildren(QMenu) if each.title() == title]
    menu.popup(person.window.mapToGlobal(person.window.rect().center()))
    QApplication.processEvents()
    menu.close()
    return {action.text(): action for action in menu.actions()}


def test_the_menus_offer_what_is_in_front(person) -> None:
    for title in ("Copy a picture", "Save a picture"):
        person.window.show_explore()
        explore = set(offered(person, title))
        assert {"Window", "Plane", "Scores", "Chain", "Arithmetic"} <= explore
        person.window.show_train(warm=False)
        train = set(offered(person, title))
        assert {"Window", "Word graph", "Q K V spaces", "Timeline", "Chain"} <= train
        assert explore & train == {"Window", "Chain"}


def test_a_picture_of_the_chain_is_of_the_one_in_front(person) -> None:
    train = person.window.show_train(warm=False)
    person.settle()
    train.clock.flush()
    offered(person, "Copy a picture")["Chain"].trigger()
    copied = QApplication.clipboard().image()
    chain = train.bench.chain
    assert isinstance(chain, LabChainView)
    assert copied == image_of(chain, 2.0).convertToFormat(copied.format())
