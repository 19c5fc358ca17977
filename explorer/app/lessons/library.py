"""Lessons in the document's menu: those shipped, those of a teacher's folder, and handouts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import msgspec
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QMenu, QWidget

from explorer.app.dialogs import QtDialogs, file_stem
from explorer.app.menus import add_heading, add_note, plain_item
from explorer.app.progress import progress
from explorer.app.settings import SettingsStore, path_text
from explorer.lessons.lesson import Lesson, said_in
from explorer.lessons.lesson_index import lessons_in, title_of
from explorer.resources import lessons
from explorer.session.scene_file import write_bytes
from explorer.text import N_, Problem, _, displayable, in_a_row, language, ngettext, plain_tip


class Library:
    """Fills the menu of lessons, and does what it asks for.

    Parameters
    ----------
    over : QWidget
        The page over which is asked and waited.
    settings : SettingsStore
        Remembers the folder.
    dialogs : QtDialogs
    open_lesson : callable
        Begins a lesson.
    played : Lesson or None
        The one that is open.
    go_on : callable
        Opens the last lesson where it was left.
    copy_step : callable or None
        Copies what is shown as a step; None where no scene is shown.
    """

    def __init__(
        self,
        over: QWidget,
        settings: SettingsStore,
        dialogs: QtDialogs,
        open_lesson: Callable[[Path], object],
        played: Lesson | None,
        go_on: Callable[[], object],
        copy_step: Callable[[], None] | None,
    ) -> None:
        self._over, self._settings, self._dialogs = over, settings, dialogs
        self._open, self._played, self._go_on = open_lesson, played, go_on
        self._copy_step = copy_step

    def fill(self, menu: QMenu) -> None:
        """Fill the menu with what there is now."""
        menu.clear()
        menu.setToolTipsVisible(True)
        now = self._settings.settings
        last = Path(now.last_lesson) if now.last_lesson else None
        if self._played is None and last is not None and last.is_file():
            said = _("Continue: {title}, page {page}").format(
                title=title_of(last, language()), page=now.last_page + 1
            )
            menu.addAction(plain_item(said), partial(self._go_on))
            menu.addSeparator()
        for number, path in enumerate(lessons(), 1):
            text = plain_item(f"{number}  {title_of(path, language())}")
            action = menu.addAction(text, partial(self._open, path))
            action.setCheckable(True)
            action.setChecked(path.name in now.read_lessons)
        self._add_folder(menu)
        menu.addSeparator()
        menu.addAction(_("Folder of lessons…"), partial(self.choose_folder))
        copying = menu.addAction(_("Copy this view as a lesson step"))
        copying.setEnabled(self._copy_step is not None)
        if self._copy_step is not None:
            copying.triggered.connect(partial(self._copy_step))
        menu.addSeparator()
        for text, answers in (
            (_("Handout as PDF…"), False),
            (_("Handout with answers as PDF…"), True),
            (_("Share the lesson as a page…"), None),
        ):
            act = self.share if answers is None else partial(self.save_handout, answers)
            action = menu.addAction(text, act)
            action.setEnabled(self._played is not None)
            if not action.isEnabled():
                action.setToolTip(plain_tip(_("Open a lesson first")))

    def choose_folder(self) -> None:
        """Ask for the folder whose lessons are offered from now on."""
        before = self._settings.settings.lessons
        folder = self._dialogs.ask_lessons(Path(before) if before else Path.home())
        if folder is not None:
            text = path_text(folder)
            self._settings.update(lambda now: msgspec.structs.replace(now, lessons=text))

    def save_handout(self, answers: bool = False) -> None:
        """Write the open lesson as a PDF where one says; nothing where none is open."""
        lesson = self._played
        if lesson is None:
            return
        path = self._dialogs.ask_handout(file_stem(said_in(language(), lesson.title)))
        if path is None:
            return
        from explorer.app.handout.handout import write_handout

        try:
            with progress(_("Writing the handout"), self._over) as told:
                wrong = write_handout(lesson, path, paper=usual_paper(), answers=answers, told=told)
                if wrong:
                    raise Problem(N_("{reason}"), reason=in_a_row(map(str, wrong)))
        except Problem as problem:
            self._dialogs.tell(problem)

    def share(self) -> None:
        """Save the open lesson as a page where one says; nothing where none is open."""
        lesson = self._played
        if lesson is None:
            return
        path = self._dialogs.ask_page(file_stem(said_in(language(), lesson.title)))
        if path is None:
            return
        from explorer.app.lessons.shared import lesson_page

        try:
            with progress(_("Writing the page"), self._over) as told:
                made, wrong = lesson_page(lesson, told)
                write_bytes(made, path)
                if wrong:
                    raise Problem(N_("{reason}"), reason=in_a_row(map(str, wrong)))
        except Problem as problem:
            self._dialogs.tell(problem)

    def _add_folder(self, menu: QMenu) -> None:
        """Add the lessons of the folder, under its name; or why there are none."""
        if not self._settings.settings.lessons:
            return
        folder = Path(self._settings.settings.lessons)
        add_heading(menu, displayable(folder.name or str(folder), 40))
        try:
            found = lessons_in(folder)
        except Problem as problem:
            add_note(menu, str(problem))
            return
        for path in found.lessons:
            action = menu.addAction(
                plain_item(title_of(path, language())), partial(self._open, path)
            )
            action.setToolTip(plain_tip(displayable(path.name)))
        if not found.lessons:
            add_note(menu, _("There are no lessons in this folder."))
        if found.more:
            said = ngettext(
                "There are more: only {count} is listed.",
                "There are more: only {count} are listed.",
                len(found.lessons),
            )
            add_note(menu, said.format(count=len(found.lessons)))


def usual_paper() -> str:
    """Return the kind of paper that is usual where the user is."""
    american = QLocale.MeasurementSystem.ImperialUSSystem
    return "letter" if QLocale.system().measurementSystem() is american else "a4"
