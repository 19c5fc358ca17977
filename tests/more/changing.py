"""Changes theme and text scale many times while windows come and go.

`python -m tests.more.changing 300`, in a process of its own: what goes wrong here ends it. Prints
how often it changed them.
"""

from __future__ import annotations

import faulthandler
import gc
import random
import sys
import weakref

from PySide6.QtCore import QDeadlineTimer, QEvent
from PySide6.QtWidgets import QApplication, QLabel

from explorer.app.main import application, open_window
from explorer.app.window import MainWindow
from explorer.kit.memory import close_fonts, resident
from explorer.kit.theme import SCALES

MOST_BYTES = 48 * 2**20  # once every theme and every view was shown
CENTRES = ("compare", "sqrt_d", "train", "explore")
POLISHED = (QEvent.Type.StyleChange, QEvent.Type.FontChange, QEvent.Type.PaletteChange)


class Watching(QLabel):
    """Collects garbage in the midst of Qt's walk through all widgets."""

    def event(self, event: QEvent) -> bool:
        if event.type() in POLISHED:
            gc.collect()
        return super().event(event)


def leave_garbage() -> None:
    """Leave widgets behind that only a reference cycle holds."""
    for _ in range(20):
        label = QLabel("garbage")
        label.itself = label  # type: ignore[attr-defined]
        label.ensurePolished()


def held() -> int:
    """Return the memory in use once what can go has gone, whenever the program did so itself."""
    close_fonts()
    return resident()


def close(window: MainWindow) -> None:
    window.session.mark_saved(window.session.scene)
    window.close()


def change(times: int, seed: int = 0) -> None:
    """Change theme or text scale so often, and what is shown between."""
    chance = random.Random(seed)
    app = application()
    windows = [open_window()]
    opened = [weakref.ref(windows[0])]
    early = 0
    watching = Watching("watching")
    watching.show()
    for done in range(times):
        appearance = chance.choice(windows).appearance
        leave_garbage()
        if chance.random() < 0.5:
            appearance.toggle_theme()
        else:
            appearance.scale_text_to(chance.choice(SCALES))
        chance.choice(windows).actions_by_name[chance.choice(CENTRES)].trigger()
        if done % 10 == 9:  # another window, and the one before it goes
            windows.append(open_window())
            opened.append(weakref.ref(windows[-1]))
            close(windows.pop(0))
        if done % 3 == 0:
            app.processEvents()
        if done % 5 == 0:
            QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        if done == times // 3:
            early = held()
    grown = held() - early
    assert grown <= MOST_BYTES, grown
    for window in windows:
        close(window)
    windows.clear()
    del appearance, window
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    until = QDeadlineTimer(60_000)
    while any(window() is not None for window in opened) and not until.hasExpired():
        app.processEvents()
        gc.collect()
    assert not until.hasExpired(), "a closed window is still there"
    print(times)


if __name__ == "__main__":
    faulthandler.enable()
    change(int(sys.argv[1]))
