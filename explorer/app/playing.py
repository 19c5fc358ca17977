"""Lessons as the window sees them: what they take is loaded when the first one is opened."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from PySide6.QtCore import QFileSystemWatcher, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QMenu, QWidget

from explorer.app.dialogs import QtDialogs
from explorer.app.moving.films import Film
from explorer.app.rooms import Rooms
from explorer.app.settings import SettingsStore, path_text, with_recent
from explorer.kit.base import FrameView
from explorer.kit.copying import put_on_clipboard
from explorer.resources import lessons
from explorer.session import Frame
from explorer.session.lesson import Notes, TurnTo
from explorer.text import Message, Problem, language, of_example

if TYPE_CHECKING:
    from explorer.app.lessons.classroom import Classroom
    from explorer.app.lessons.player import Player
    from explorer.lessons.lesson import Lesson
    from explorer.session.lesson import Sheet
    from explorer.session.model.frame import ModelFrame
    from explorer.session.train import TrainFrame


_WRITTEN = 150  # ms after which a file that changed is read: by then it is written


class Playing(QObject):
    """Plays lessons on the rooms, one at a time.

    Parameters
    ----------
    rooms : Rooms
    settings : SettingsStore
        Remembers the folder of lessons.
    dialogs : QtDialogs
    tell : callable
        Shows a problem.
    over : QWidget
        The main window, over which is asked and waited.
    """

    changed = Signal()  # the lesson's page, or whether there is one

    def __init__(
        self,
        rooms: Rooms,
        settings: SettingsStore,
        dialogs: QtDialogs,
        tell: Callable[[Problem], None],
        over: QWidget,
    ) -> None:
        super().__init__(over)
        self._rooms, self._settings, self._dialogs = rooms, settings, dialogs
        self._tell = tell
        self._classroom: Classroom | None = None
        self._watcher = QFileSystemWatcher(self)
        self._saved = QTimer(self, interval=_WRITTEN, singleShot=True)
        self._saved.timeout.connect(self._reload)
        self._watcher.fileChanged.connect(self._written)
        self._filmed = False  # nobody reads the pages that are turned

    def open(self, source: Path | Lesson) -> bool:
        """Begin a lesson, of a file or as it is; return whether that was done."""
        if self._classroom is None:
            self._classroom = self._made_classroom()
        done = self._classroom.open(source)
        if done:
            self._follow_file(source if isinstance(source, Path) else None)
        return done

    def _follow_file(self, path: Path | None) -> None:
        """Take a lesson of one's own among the recent files, and read it anew when it is saved."""
        self._saved.stop()  # what was written to the lesson before is not read any more
        if self._watcher.files():
            self._watcher.removePaths(self._watcher.files())
        if path is not None and path not in lessons() and path.is_file():
            self._settings.update(partial(with_recent, path=path))
            self._watcher.addPath(str(path))

    @Slot(str)
    def _written(self, path: str) -> None:
        player = self._player
        if player is not None and player.lesson is not None and Path(path) == player.lesson.path:
            self._saved.start()

    def _reload(self) -> None:
        """Read the open lesson again; an editor may have put another file into its place."""
        player = self._player
        if player is None or player.lesson is None:
            return
        path = player.lesson.path
        if path.is_file() and not self._filmed:
            self._watcher.addPath(str(path))
            self._rooms.front.page.error_bar.hide()  # it spoke of what stood in the file before
            player.reload()

    def _made_classroom(self) -> Classroom:
        from explorer.app.lessons.classroom import Classroom
        from explorer.app.lessons.player import Player
        from explorer.app.lessons.tables import ModelTable, RunTable, SceneTable

        rooms, explore = self._rooms, self._rooms.explore
        scenes = SceneTable(explore.session, explore.handle, rooms.show_explore)
        runs = RunTable(partial(rooms.show_train, warm=False))
        models = ModelTable(rooms.show_model)
        player = Player(scenes, runs, models, explore.document, self._tell, self)
        classroom = Classroom(player, runs, models, explore)
        player.changed.connect(self.changed)
        player.changed.connect(self._remember)
        player.followed.connect(self.open, Qt.ConnectionType.QueuedConnection)
        return classroom

    def _remember(self) -> None:
        """Keep which lesson is open on which page, and which were read to their last."""
        player = self._player
        if player is None or player.lesson is None or player.place < 0 or self._filmed:
            return
        path, place = player.lesson.path, player.place
        if not path.is_file():
            return  # a worksheet's, or its file is gone: it could not be opened again
        now = self._settings.settings
        read = now.read_lessons
        if place == player.count - 1 and path.name not in read:
            read = (*read, path.name)[-200:]
        kept = path_text(path), place, read
        if kept != (now.last_lesson, now.last_page, now.read_lessons):
            self._settings.update(
                lambda found: msgspec.structs.replace(
                    found, last_lesson=kept[0], last_page=kept[1], read_lessons=kept[2]
                )
            )

    def go_on(self) -> bool:
        """Open the last lesson on its last page; return whether that was done."""
        now = self._settings.settings
        place = now.last_page
        return self.open(Path(now.last_lesson)) and self.handle(TurnTo(place))

    def fill_menu(self, menu: QMenu) -> None:
        """Fill the menu of lessons."""
        from explorer.app.lessons.library import Library

        played = None if self._player is None else self._player.lesson
        copy = self.copy_step if self._rooms.name == "explore" else None
        Library(
            self._rooms.front.page,
            self._settings,
            self._dialogs,
            self.open,
            played,
            self.go_on,
            copy,
        ).fill(menu)

    def copy_step(self) -> None:
        """Put a step that shows what Explore shows on the clipboard, to be pasted into a lesson."""
        from explorer.lessons.schema import Pan
        from explorer.lessons.written import scene_name, step_text

        explore = self._rooms.explore
        looked = explore.page.plane.looked_from
        camera = None if looked is None else Pan(*looked)
        name = scene_name(explore.session.scene, explore.document.path)
        put_on_clipboard(step_text(explore.session.frame, name, camera, language()))

    @property
    def _player(self) -> Player | None:
        return None if self._classroom is None else self._classroom.player

    @property
    def page(self) -> str | None:
        """What the lesson's page is about, "explore", "train" or "model"; None without a lesson."""
        player = self._player
        if player is None or not player.playing:
            return None
        return {"scene": "explore", "trace": "train", "model": "model"}[player.kind]

    @property
    def notes(self) -> Notes:
        """What a presenter wants of the lesson's page; the scene's note where no lesson is open."""
        player = self._player
        if player is None or not player.playing:
            return Notes(of_example(self._rooms.explore.session.scene.note))
        return player.notes

    @property
    def settled(self) -> bool:
        """Whether all that the lesson's page shows has come."""
        return self._player is None or self._player.settled

    @property
    def fault(self) -> Message | None:
        """What is wrong with the page of the lesson that is open; None where nothing is."""
        return None if self._player is None else self._player.fault

    def sheet(self, frame: Frame) -> Sheet | None:
        """Return the lesson's page beside a frame of Explore; None where no lesson is open."""
        return None if self._player is None else self._player.sheet(frame)

    def train_sheet(self, frame: TrainFrame) -> Sheet | None:
        """Return the lesson's page beside a frame of Train; None where it is not about Train."""
        player = self._player
        return None if player is None or player.kind != "trace" else player.sheet(frame)

    def model_sheet(self, frame: ModelFrame) -> Sheet | None:
        """Return the lesson's page beside a frame of Model; None where it is not about Model."""
        player = self._player
        return None if player is None or player.kind != "model" else player.sheet(frame)

    def handle(self, intent: object) -> bool:
        """Carry out what a lesson's page asks for; return whether it was that."""
        return self._player is not None and self._player.handle(intent)

    def turn_by_key(self, key: int) -> bool:
        """Turn a page of the lesson where the key says so; return whether it did."""
        return self._player is not None and self._player.turn_by_key(key)

    @property
    def pages(self) -> int:
        """How many pages the open lesson has; 0 where none is open."""
        player = self._player
        return player.count if player is not None and player.playing else 0

    def film(self) -> Film:
        """Return the pages of the open lesson as a film."""
        player, front = self._player, self._rooms.front
        assert player is not None
        place, count = player.place, player.count
        back = self._rooms.explore.session.aside()
        self._filmed = True

        def restore() -> None:
            player.handle(TurnTo(place))
            self._rooms.show_room(front)
            back()
            self._filmed = False

        return Film(lambda at: player.handle(TurnTo(at)), count, restore, lambda: player.settled)

    def aim(self, picture: FrameView[Any]) -> None:
        """Look at a picture from where the lesson's page says; nothing where it does not."""
        if self._classroom is not None:
            self._classroom.aim(picture)

    def show(self) -> None:
        """Show the lesson's page in what the rooms wear by now."""
        if self._classroom is not None:
            self._classroom.show()

    def move(self) -> None:
        """Show the lesson beside views that were made anew."""
        if self._classroom is not None:
            self._classroom.move()
