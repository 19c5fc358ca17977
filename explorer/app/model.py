"""Model as the window sees it: what is open as a document, and the room with its views."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QStackedWidget, QWidget

from explorer.app.dialogs import QtDialogs
from explorer.app.document import FileDocument
from explorer.app.room import Room, Surroundings
from explorer.app.settings import SettingsStore, path_text, without_recent
from explorer.kit.clock import FrameClock
from explorer.kit.theme import Theme
from explorer.processes import TEMPORARY
from explorer.resources import example
from explorer.rooms.model.page import ModelPage
from explorer.rooms.model.presenter import ModelPresenter
from explorer.rooms.model.runner import ModelRunner
from explorer.session import Stage
from explorer.session.intents import ShowStage
from explorer.session.model.frame import ModelChange
from explorer.session.model.session import ModelSession
from explorer.text import Problem, _, display_number

EXAMPLE = "stories"
FIRST_TEXT = "When Mary and John went to the shop, John gave a drink to"


class ModelDocument(FileDocument):
    """What is open in Model: read only, so nothing of it is ever unsaved."""

    modified = False

    def __init__(
        self,
        session: ModelSession,
        dialogs: QtDialogs,
        settings: SettingsStore,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(dialogs, settings, parent)
        self._session = session
        self._dialogs: QtDialogs = dialogs
        session.changed.connect(self._on_change)

    @property
    def title(self) -> str:
        """The name on screen: "MiniLM-L6 · 6 × 12 · 22.7 M"."""
        info = self._session.frame.info
        if info is None:
            return _("no model")
        parts = [info.title, f"{info.layers} × {info.heads}"]
        if info.parameters:
            parts.append(_count(info.parameters))
        return " · ".join(parts)

    @property
    def last(self) -> Path:
        """What was open the last time; the example where it is there no more."""
        path = self._settings.settings.model
        return Path(path) if path and Path(path).exists() else example(EXAMPLE)

    def ask_folder(self) -> Path | None:
        """Ask for a model's folder; None to leave it."""
        return self._dialogs.ask_model(self._folder())

    def opened(self, path: Path) -> None:
        """Remember what was opened."""
        if path.parent.name.startswith(TEMPORARY) or path == example(EXAMPLE):
            return  # one goes with the window, the other stands in the menu
        self._remember(path)
        text = path_text(path)
        self._settings.update(lambda settings: replace(settings, model=text))

    def failed(self, path: Path) -> None:
        """Forget what cannot be opened, where it is gone."""
        if not path.exists():
            self._settings.update(partial(without_recent, path=path))

    def save(self) -> bool:
        """Do nothing: there is nothing to save."""
        return False

    def save_as(self) -> bool:
        """Do nothing: there is nothing to save."""
        return False

    def may_close(self) -> bool:
        """Return True: nothing is lost."""
        return True

    def _on_change(self, change: ModelChange) -> None:
        if change & (ModelChange.MODEL | ModelChange.SWITCHES | ModelChange.TEXT):
            self.changed.emit()


class ModelRoom(Room[ModelPage]):
    """Model: the session of a model and a text, with its views and its process; made when first
    shown.

    Parameters
    ----------
    around : Surroundings
    open_path : callable
        Opens a file or a folder wherever it belongs; asks for one where it is None.
    """

    page_class = ModelPage

    def __init__(self, around: Surroundings, open_path: Callable[[Path | None], object]) -> None:
        super().__init__(around)
        self.session = ModelSession()
        self.document = ModelDocument(self.session, around.dialogs, around.settings, self)
        self.runner = ModelRunner(
            self.session,
            self.tell,
            self.document.opened,
            around.edit_copy,
            self._on_failure,
            self,
        )
        self.presenter = ModelPresenter(
            self.session,
            self.runner,
            self.tell,
            QGuiApplication.clipboard().setText,
            lambda path: open_path(Path(path) if path else self.document.ask_folder()),
        )
        self.clock = FrameClock(self.session, ModelChange.ALL, self, self._arrange)
        self.put_page(around.theme, around.stack)
        self.session.changed.connect(self._on_change)

    @property
    def untouched(self) -> bool:
        """Whether nothing is open here or about to be, and nothing was typed."""
        frame = self.session.frame
        return frame.info is None and not frame.text and not self.runner.busy

    def make_page(self, theme: Theme, stack: QStackedWidget) -> None:
        """Make the views anew, with those in front that the frame asks for."""
        super().make_page(theme, stack)
        self.page.show_frame(self.session.frame)

    def other_page(self, theme: Theme, parent: QWidget) -> ModelPage:
        """Return the room's views once more, with the same in the middle; nobody draws them yet."""
        page = super().other_page(theme, parent)
        page.show_frame(self.session.frame)
        return page

    def tell(self, problem: Problem, passing: bool = True, details: str = "") -> None:
        """Show a problem in the bar over the picture; one that passes, until the next run."""
        self.page.error_bar.tell(problem.message, passing=passing, details=details)

    def open(self, path: Path, failed: Callable[[], object] = lambda: None) -> bool:
        """Begin to open a model folder or a file of arrays; return True.

        failed : called where it cannot be opened, once the bar over the picture says why
        """
        self.page.error_bar.hide()
        self._failed = failed
        self.runner.open(path.absolute())
        return True

    def open_last(self) -> None:
        """Open what was open the last time, or the example, on a text where there is none yet."""
        if not self.session.frame.text:
            self.session.edit(FIRST_TEXT)
        self.open(self.document.last)

    def show_stage(self, stage: Stage) -> None:
        """Make a station of the chain the active one."""
        self.handle(ShowStage(stage))

    def allow_motion(self, wanted: bool) -> None:
        """Let things move, or be there at once."""
        for view in self.page.views:
            view.set_motion(wanted)

    def close(self) -> None:
        """End the process."""
        self.runner.close()

    def _on_failure(self, path: Path) -> None:
        self.document.failed(path)
        self._failed()

    def _arrange(self, _change: ModelChange) -> None:
        self.page.show_frame(self.session.frame)

    def _on_change(self, change: ModelChange) -> None:
        if ModelChange.RUN in change:
            self.page.error_bar.forget_passing()  # what it said of another text is over


def _count(parameters: int) -> str:
    """Return how many numbers a model has, in short."""
    for size, sign in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if parameters >= size:
            return f"{display_number(parameters / size, 1)} {sign}"
    return str(parameters)
