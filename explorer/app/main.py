"""Starts the program: everything is made and joined here.

Qt and what needs it are imported inside functions: PySide reads the source of every module that is
imported after it, and `open_window` imports them while no garbage is looked for.
"""

from __future__ import annotations

import gc
import sys
import traceback
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from explorer.app import PROGRAM
from explorer.app.settings import SettingsStore, settings_file
from explorer.resources import example
from explorer.session import Look, Role, Selection, Session, Stage, read_scene
from explorer.text import N_, Problem

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from explorer.app.window import MainWindow
    from explorer.kit.theme import Theme

Hook = Callable[[type[BaseException], BaseException, TracebackType | None], None]
FIRST_SCENE = "cat-likes-fish.json"
_LATER = 1000  # ms after which a room that was made is seen


def application() -> QApplication:
    """Return the one QApplication, made and named where there is none yet."""
    from PySide6.QtWidgets import QApplication

    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        return existing
    made = QApplication(sys.argv[:1])
    made.setApplicationName("attention-explorer")
    made.setApplicationDisplayName(PROGRAM)
    return made


def make_window() -> MainWindow:
    """Return the window, not yet shown, with the first example on the table."""
    early: list[Problem] = []
    made: list[MainWindow] = []

    def tell(problem: Problem) -> None:
        if made:
            made[0].tell(problem)
        else:
            early.append(problem)

    from explorer.app.language import chosen_language, speak
    from explorer.kit.theme import Theme

    settings = SettingsStore(tell)
    chosen = settings.settings
    speak(chosen_language(chosen))
    session = Session(read_scene(example(FIRST_SCENE)))
    session.look_at(Look(tab=chosen.tab, torch_code=chosen.torch_code))
    dark = chosen.theme == "dark" or (chosen.theme == "system" and system_is_dark())
    window = assemble(session, settings, Theme(dark, chosen.percent))
    made.append(window)
    for problem in early:
        window.tell(problem)
    return window


def assemble(session: Session, settings: SettingsStore, theme: Theme) -> MainWindow:
    """Return a window on a session, not yet shown, with its dialogs, document and recovery."""
    made: list[MainWindow] = []

    def tell(problem: Problem) -> None:
        made[0].tell(problem)

    from explorer.app.dialogs import QtDialogs
    from explorer.app.document import Document
    from explorer.app.recovery import Recovery
    from explorer.app.window import MainWindow

    dialogs = QtDialogs(lambda: made[0].rooms.front.page if made else None, tell)
    document = Document(session, dialogs, settings, Recovery())
    made.append(MainWindow(session, document, dialogs, settings, theme))
    return made[0]


def system_is_dark() -> bool:
    """Return whether the desktop asks for dark windows."""
    from PySide6.QtCore import Qt

    return application().styleHints().colorScheme() == Qt.ColorScheme.Dark


def open_window(path: Path | None = None) -> MainWindow:
    """Return the window, shown, with the first example or a file on the table.

    A file that cannot be opened is told in the window, over the first example.
    """
    from PySide6.QtCore import QTimer

    if gc.isenabled():
        gc.freeze()  # what is loaded by now lives as long as the program
    else:  # another window was open before, which may not have been collected yet
        _set_aside()

    from explorer.kit.garbage import collect_between_events, no_collection
    from explorer.kit.memory import give_back_memory

    collect_between_events(application())
    give_back_memory(application())
    with no_collection():
        window = make_window()
    # Of scores a reader sees those that go into the softmax; QKᵀ has a switch of its own.
    window.session.look_at(replace(window.session.look, scaled=True))
    if path is None:
        _begin(window.session)
    else:
        window.open_file(path)
    sys.excepthook = hook = _tell_bugs_to(window)
    window.restore()
    window.show()
    gc.freeze()
    window.rooms.made.connect(partial(QTimer.singleShot, _LATER, window, _set_aside))
    window.destroyed.connect(partial(_forget_window, hook))
    return window


def _begin(session: Session) -> None:
    """Show the first scene where dragging pays: its edges and numbers follow at once."""
    session.look_at(session.look.at_stage(Stage.A))
    session.select(Selection(Role.X, 0))


def _set_aside() -> None:
    """Leave what there is by now out of every later look for garbage: most of it lives long.

    Looking through it would take 30 ms at a change of theme, and at every tenth frame while a token
    is dragged.
    """
    gc.collect()
    gc.freeze()


def _forget_window(hook: Hook) -> None:
    """Let go of a window that was closed: it would stay for ever, and be told of mistakes."""
    gc.unfreeze()
    if sys.excepthook is hook:
        sys.excepthook = sys.__excepthook__


def run(path: Path | None = None) -> int:
    """Open the window, with a file if one is given, and return the exit status at its end."""
    from PySide6.QtCore import QTimer

    app = application()
    first = path is None and not settings_file().exists()
    window = open_window(path)
    QTimer.singleShot(0, window, partial(_greet, window, first=first))
    from explorer.app.preload import Preloader, preload_work

    Preloader(window, chain(preload_work(), [_set_aside]))
    return app.exec()


def _greet(window: MainWindow, *, first: bool) -> None:
    """Offer what was left unsaved; where nothing was and this is the first start, ways to begin."""
    left = window.offer_recovery()
    if first and not left:
        window.welcome()


def _tell_bugs_to(window: MainWindow) -> Hook:
    """Return an excepthook that says so in the window, and prints the traceback for a report."""

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        traceback.print_exception(kind, error, trace)
        if issubclass(kind, KeyboardInterrupt):
            window.close()
            return
        window.tell(
            Problem(
                N_("The program failed ({error}). Your numbers are unchanged; save them."),
                error=f"{kind.__name__}: {error}",
            )
        )

    return hook
