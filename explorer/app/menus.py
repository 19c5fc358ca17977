"""The documents' menus and the menu behind the three dots."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QMenu, QWidget, QWidgetAction

from explorer.app.actions import CENTRES
from explorer.app.document import Document
from explorer.app.sharing import SceneExports
from explorer.exporters import WHOLE
from explorer.resources import example, examples
from explorer.session import read_scene
from explorer.session.views import picture_titles
from explorer.text import Problem, _, displayable, language, languages, of_example, plain_tip

if TYPE_CHECKING:
    from explorer.app.sweep import SweepDocument
    from explorer.app.train import TraceDocument

_LOW_ROWS = "QMenu::item { padding-top: 3px; padding-bottom: 3px; }"
_SCROLLING = "QMenu { menu-scrollable: 1; }"
_HEADING = 12  # px around a menu's heading

# The examples from the simplest to the most, by their files' names.
STORY = (
    "cat-likes-fish",
    "your-journey",
    "zao-shang-hao",
    "plain-average",
    "tired-animal",
    "two-heads",
    "translation",
    "order-regained",
    "flattened-wk",
    "batch-of-three",
)


def fill_scene_menu(
    menu: QMenu,
    actions: Mapping[str, QAction],
    document: Document,
    recent: Sequence[str],
    open_file: Callable[[Path], object],
    fill_lessons: Callable[[QMenu], None],
    exports: SceneExports,
) -> None:
    """Fill Explore's document menu: examples, lessons, recent files, file commands, exports."""
    menu.setToolTipsVisible(True)
    add_heading(menu, _("Examples"))
    for path in sorted(examples(), key=_place):
        title, note = example_words(path)
        action = menu.addAction(plain_item(title), partial(document.open_example, path))
        action.setToolTip(plain_tip(note))
    _add_lessons(menu, fill_lessons)
    _add_recent(menu, recent, open_file)
    menu.addSeparator()
    for key in ("new", "open", "save", "save_as", "revert", "worksheet", "share", "moving"):
        menu.addAction(actions[key])
    for title, act in ((_("Copy the scene as"), exports.copy), (_("Export as"), exports.save)):
        inner = menu.addMenu(title)
        for exporter in WHOLE:
            inner.addAction(_(exporter.title), partial(act, exporter))


def _add_lessons(menu: QMenu, fill: Callable[[QMenu], None]) -> None:
    """Add the menu of lessons, filled each time it opens."""
    inner = menu.addMenu(_("Lessons"))
    inner.aboutToShow.connect(partial(fill_within_screen, inner, fill))


def fill_run_menu(
    menu: QMenu,
    actions: Mapping[str, QAction],
    document: TraceDocument,
    recent: Sequence[str],
    open_file: Callable[[Path], object],
    fill_lessons: Callable[[QMenu], None],
) -> None:
    """Fill Train's document menu: the example, runs not saved, lessons, recent files, commands."""
    add_heading(menu, _("Examples"))
    for name, title in document.examples.items():
        menu.addAction(_(title), partial(document.play_example, name))
    unsaved = document.unsaved_runs()
    if unsaved:
        add_heading(menu, _("Runs not saved"))
        for description, run in unsaved:
            menu.addAction(plain_item(description), partial(document.open_run, run))
    menu.addSeparator()
    _add_lessons(menu, fill_lessons)
    _add_recent(menu, recent, open_file)
    menu.addSeparator()
    for key in ("open", "save", "save_as", "share", "moving", "sweep"):
        menu.addAction(actions[key])


def fill_sweep_menu(
    menu: QMenu,
    actions: Mapping[str, QAction],
    document: SweepDocument,
    fill_lessons: Callable[[QMenu], None],
) -> None:
    """Fill Sweep's document menu: the example, sweeps that are kept, lessons, commands."""
    add_heading(menu, _("Examples"))
    menu.addAction(_("rates and heads"), document.open_example)
    kept = document.kept()
    if kept:
        add_heading(menu, _("Sweeps"))
        for path in kept:
            menu.addAction(plain_item(displayable(path.name)), partial(document.open, path))
    menu.addSeparator()
    _add_lessons(menu, fill_lessons)
    menu.addSeparator()
    for key in ("open", "save"):
        menu.addAction(actions[key])


def fill_model_menu(
    menu: QMenu,
    actions: Mapping[str, QAction],
    recent: Sequence[str],
    open_file: Callable[[Path], object],
    fill_lessons: Callable[[QMenu], None],
) -> None:
    """Fill Model's menu: models found on this computer, lessons, recent files, commands."""
    from explorer.models.found import found_models

    menu.setToolTipsVisible(True)
    add_heading(menu, _("Examples"))
    menu.addAction(_("tiny stories"), partial(open_file, example("stories")))
    found = found_models()
    if found:
        add_heading(menu, _("On this computer"))
        for model in found:
            action = menu.addAction(plain_item(model.name), partial(open_file, model.folder))
            action.setToolTip(plain_tip(displayable(str(model.folder))))
    menu.addSeparator()
    _add_lessons(menu, fill_lessons)
    _add_recent(menu, recent, open_file)
    menu.addSeparator()
    for key in ("open_model", "open"):
        menu.addAction(actions[key])


def add_heading(menu: QMenu, text: str) -> None:
    """Add a heading; a style sheet leaves the words of Qt's own sections out."""
    if menu.actions():
        menu.addSeparator()
    label = QLabel(text, menu)
    label.setProperty("ink", "ink3")
    label.setContentsMargins(_HEADING, _HEADING // 2, _HEADING, 0)
    heading = QWidgetAction(menu)
    heading.setDefaultWidget(label)
    menu.addAction(heading)


def add_note(menu: QMenu, text: str) -> None:
    """Add a sentence that is no command."""
    menu.addAction(plain_item(text, 120)).setEnabled(False)


def _add_recent(menu: QMenu, recent: Sequence[str], open_file: Callable[[Path], object]) -> None:
    if not recent:
        return
    from explorer.models.folders import model_name

    add_heading(menu, _("Recent"))
    for path in map(Path, recent):
        action = menu.addAction(plain_item(model_name(path)), partial(open_file, path))
        action.setToolTip(plain_tip(displayable(str(path))))


def _place(path: Path) -> tuple[int, str]:
    """Return where an example stands among the others; one that is not in the story comes last."""
    told = path.stem in STORY
    return STORY.index(path.stem) if told else len(STORY), path.stem


def example_words(path: Path) -> tuple[str, str]:
    """Return the title and the note of an example in the language in use; its file's name where it
    has none."""
    try:
        scene = read_scene(path)
    except Problem:
        return path.stem, ""
    return of_example(scene.title) or path.stem, of_example(scene.note)


def more_menu(
    owner: QWidget,
    actions: Mapping[str, QAction],
    pictures: Callable[[], Collection[str]],
    copy: Callable[[str], None],
    save: Callable[[str], None],
) -> QMenu:
    """Return the menu of pages in the middle, pictures, text sizes, motion and help.

    pictures : returns the names of what pictures can be taken of now
    """
    menu = QMenu(owner)
    menu.addAction(actions["present"])
    menu.addAction(actions["freeze"])
    menu.addAction(actions["room"])
    menu.addSeparator()
    for centre in CENTRES:
        menu.addAction(actions[centre.value])
    menu.addSeparator()
    for title, act in ((_("Copy a picture"), copy), (_("Save a picture"), save)):
        inner = menu.addMenu(title)
        inner.aboutToShow.connect(partial(_fill_pictures, inner, pictures, act))
    menu.addAction(actions["figure"])
    menu.addSeparator()
    for key in ("larger", "smaller", "normal"):
        menu.addAction(actions[key])
    menu.addSeparator()
    menu.addAction(actions["field"])
    menu.addAction(actions["reduce_motion"])
    menu.addSeparator()
    inner = menu.addMenu(_("Help"))
    inner.addAction(actions["glossary"])
    inner.addAction(actions["shortcuts"])
    menu.addSeparator()
    menu.addAction(actions["quit"])
    return menu


def language_menu(owner: QWidget, speak: Callable[[str], None]) -> QMenu:
    """Return the menu of languages, each by its own name; the one in use is checked."""
    menu = QMenu(owner)
    # Filled when it is opened: a language's own name stands in its catalogue.
    menu.aboutToShow.connect(partial(_fill_languages, menu, speak))
    return menu


def _fill_languages(menu: QMenu, speak: Callable[[str], None]) -> None:
    menu.clear()
    for code, name in languages().items():
        action = menu.addAction(plain_item(name), partial(speak, code))
        action.setCheckable(True)
        action.setChecked(code == language())


def _fill_pictures(
    menu: QMenu, pictures: Callable[[], Collection[str]], act: Callable[[str], None]
) -> None:
    menu.clear()
    there = pictures()
    for view, name in picture_titles().items():
        if view in there:
            menu.addAction(_(name), partial(act, view))


def fill_within_screen(menu: QMenu, fill: Callable[[QMenu], None]) -> None:
    """Fill a menu; keep it on the screen with lower rows, else with one column that scrolls."""
    menu.setStyleSheet("")
    fill(menu)
    for sheet in _LOW_ROWS, _SCROLLING:
        if menu.sizeHint().width() > menu.screen().availableGeometry().width():
            menu.setStyleSheet(sheet)


def plain_item(text: str, limit: int = 60) -> str:
    """Return a text as a menu shows it, its letters all there."""
    return displayable(text, limit).replace("&", "&&")
