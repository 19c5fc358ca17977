"""The document's menu and the menu behind the three dots."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from explorer.app.document import Document
from explorer.app.settings import SettingsStore
from explorer.resources import examples
from explorer.session import read_scene
from explorer.text import N_, Problem, _, displayable

# What pictures can be taken of, in the order of the menus.
PICTURES: tuple[tuple[str, str], ...] = (
    ("window", N_("Window")),
    ("plane", N_("Plane")),
    ("scores", N_("Scores")),
    ("weights", N_("Attention")),
    ("outputs", N_("Outputs")),
    ("inputs", N_("Numbers")),
    ("chain", N_("Chain")),
    ("strip", N_("Arithmetic")),
)


def document_menu(
    owner: QWidget,
    actions: Mapping[str, QAction],
    document: Document,
    settings: SettingsStore,
) -> QMenu:
    """Return the menu of examples, recent files and file commands, filled when it opens."""
    menu = QMenu(owner)

    def fill() -> None:
        menu.clear()
        menu.addSection(_("Examples"))
        for path in examples():
            menu.addAction(_plain(example_title(path)), partial(document.open_example, path))
        recent = [Path(text) for text in settings.settings.recent]
        if recent:
            menu.addSection(_("Recent"))
            for path in recent:
                action = menu.addAction(_plain(path.name), partial(document.open, path))
                action.setToolTip(_plain(str(path)))
        menu.addSeparator()
        for key in ("new", "open", "save", "save_as", "revert"):
            menu.addAction(actions[key])

    menu.aboutToShow.connect(fill)
    return menu


def example_title(path: Path) -> str:
    """Return the title of an example scene; its file's name where it cannot be read."""
    try:
        return read_scene(path).title or path.stem
    except Problem:
        return path.stem


def more_menu(
    owner: QWidget,
    actions: Mapping[str, QAction],
    copy: Callable[[str], None],
    save: Callable[[str], None],
) -> QMenu:
    """Return the menu of pictures, text sizes and help."""
    menu = QMenu(owner)
    for title, act in ((_("Copy a picture"), copy), (_("Save a picture"), save)):
        pictures = menu.addMenu(title)
        for view, name in PICTURES:
            pictures.addAction(_(name), partial(act, view))
    menu.addSeparator()
    for key in ("larger", "smaller", "normal"):
        menu.addAction(actions[key])
    menu.addSeparator()
    menu.addAction(actions["shortcuts"])
    menu.addSeparator()
    menu.addAction(actions["quit"])
    return menu


def _plain(text: str) -> str:
    return displayable(text, limit=60).replace("&", "&&")
