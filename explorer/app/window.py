"""The main window: parts joined, commands wired, what is in front and its document shown."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QByteArray, QSize, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import QMainWindow, QMenu, QStackedWidget, QWidget

from explorer.app import PROGRAM
from explorer.app.actions import (
    CENTRES,
    WindowKeys,
    make_actions,
    name_actions,
    name_undo,
    shortcut_groups,
)
from explorer.app.appearance import Appearance
from explorer.app.dialogs import QtDialogs
from explorer.app.document import Document
from explorer.app.language import speak
from explorer.app.moving.films import GestureRecorder
from explorer.app.opening import Opening
from explorer.app.pictures import PictureTaker
from explorer.app.playing import Playing
from explorer.app.presenting import Presenting
from explorer.app.room import ExploreRoom, Surroundings
from explorer.app.rooms import Rooms
from explorer.app.settings import SettingsStore
from explorer.app.sharing import SceneExports
from explorer.app.shortcuts import ShortcutsSheet
from explorer.app.topbar import Content, TopBar
from explorer.kit.arrangement import LEAST_HEIGHT, LEAST_WIDTH
from explorer.kit.garbage import no_collection
from explorer.kit.motion import allow_motion
from explorer.kit.theme import Theme
from explorer.resources import lessons
from explorer.rooms.explore.page import ExplorePage
from explorer.session import Centre, Change, Session
from explorer.session.views import picture_titles
from explorer.text import Problem, _, language, of_example

if TYPE_CHECKING:
    from explorer.app.model import ModelRoom
    from explorer.app.sweep import SweepRoom
    from explorer.app.train import TrainRoom


class MainWindow(QMainWindow):
    """Attention Explorer's window.

    Parameters
    ----------
    session : Session
    document : Document
    dialogs : QtDialogs
        Asks its questions over this window.
    settings : SettingsStore
    theme : Theme
        The first one; later ones follow the settings and the system.
    """

    def __init__(
        self,
        session: Session,
        document: Document,
        dialogs: QtDialogs,
        settings: SettingsStore,
        theme: Theme,
    ) -> None:
        super().__init__()
        self.session, self.document = session, document
        self._dialogs = dialogs
        self._settings = settings
        # What is connected to its parts holds a closed window until Qt deletes it.
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumSize(LEAST_WIDTH, LEAST_HEIGHT)
        self.setAcceptDrops(True)
        self.appearance = Appearance(settings, theme, self)
        self.picture_taker = PictureTaker(
            self.seen_pictures,
            lambda: self.explore_page.plane.finish_motion(),
            lambda: self.rooms.front.document.title,
            dialogs,
            self.tell,
        )
        self.actions_by_name = make_actions(
            self,
            {
                "new": lambda: self.opening.new(),
                "open": self.open_file,
                "open_model": lambda: self.opening.open_model(),
                "save": lambda: self.rooms.front.document.save(),
                "save_as": lambda: self.rooms.front.document.save_as(),
                "revert": document.revert,
                "copy_picture": lambda: self.picture_taker.copy(self.rooms.front.page.main_picture),
                "save_picture": lambda: self.picture_taker.save(self.rooms.front.page.main_picture),
                "worksheet": self.show_worksheet,
                "share": self.share,
                "moving": self.show_moving,
                "figure": self.show_figure,
                "sweep": lambda: self.rooms.show_sweep(),
                "quit": self.close,
                "undo": lambda: self.rooms.front.session.undo(),
                "redo": lambda: self.rooms.front.session.redo(),
                "explore": lambda: self.rooms.show_explore(),
                "train": self._choose_train,
                "model": lambda: self.rooms.show_model(again=True),
                **{centre.value: partial(self._show_centre, centre) for centre in CENTRES},
                "present": lambda: self.presenting.present(),
                "freeze": lambda: self.presenting.freeze(),
                "room": lambda: self.presenting.check_room(),
                "theme": self.appearance.toggle_theme,
                "larger": partial(self.appearance.scale_text, 1),
                "smaller": partial(self.appearance.scale_text, -1),
                "normal": partial(self.appearance.scale_text, 0),
                "field": lambda: self.explore.toggle_field(),
                "reduce_motion": self.appearance.toggle_motion,
                "glossary": self.show_glossary,
                "shortcuts": self.show_shortcuts,
            },
        )
        for key in ("field", "freeze", "reduce_motion", *CENTRES):
            self.actions_by_name[key].setCheckable(True)
        self._make_content()
        stack = self._content.stack
        self.explore = ExploreRoom(self._around(stack), session, document)
        self.clock = self.explore.clock
        self.gestures = GestureRecorder(session)
        self.rooms = Rooms(
            self.explore,
            stack,
            self._make_train,
            self._make_sweep,
            self._make_model,
            self._content.finish,
        )
        self.playing = Playing(self.rooms, settings, dialogs, self.tell, self)
        self.presenting = Presenting(
            self.rooms,
            self.playing,
            self.appearance,
            lambda: self._content.above_pages(),
            self,
        )
        self.opening = Opening(
            self.rooms,
            settings,
            self.playing.open,
            self.playing.fill_menu,
            SceneExports(session, lambda: document.title, dialogs, self.tell),
            self.tell,
        )
        self._keys = WindowKeys(self.rooms, self.playing.turn_by_key, self.show_shortcuts, self)
        self.presenting.changed.connect(self._show_presented)
        self.appearance.theme_changed.connect(self._apply_theme)
        self.appearance.moved.connect(self._allow_motion)
        self.rooms.changed.connect(self._show_mode)
        self.rooms.made_anew.connect(self.playing.move)
        self.playing.changed.connect(self._show_mode)
        session.changed.connect(self._on_change)
        document.changed.connect(self._show_document)
        self._allow_motion()
        self._show_presented()
        self._show_mode()
        self.explore_page.take_focus()

    def _make_content(self) -> None:
        """Make everything inside the window but the pages."""
        self._content = Content(
            self.theme,
            self.actions_by_name,
            self.picture_taker,
            self._fill_menu,
            self.speak,
            lambda menu: self.playing.fill_menu(menu),
            lambda: self.rooms.front.clock.flush(),
            self,
        )
        self.setCentralWidget(self._content)

    def _fill_menu(self, menu: QMenu) -> None:
        self.opening.fill_menu(menu, self.actions_by_name)

    def _around(self, stack: QStackedWidget) -> Surroundings:
        return Surroundings(
            self.theme,
            stack,
            self._dialogs,
            self._settings,
            self.picture_taker.offer,
            teach=lambda intent: self.playing.handle(intent),
            edit_copy=lambda scene: self.opening.open_copy(scene),
            show_sweep=lambda: self.rooms.show_sweep(),
        )

    def _make_train(self, stack: QStackedWidget) -> TrainRoom:
        from explorer.app.train import TrainRoom

        room = TrainRoom(self._around(stack))
        room.allow_motion(self.appearance.moves)
        return room

    def _make_sweep(self, stack: QStackedWidget) -> SweepRoom:
        from explorer.app.sweep import SweepRoom

        return SweepRoom(
            self._around(stack),
            lambda *asked: self.rooms.show_train().train_run(*asked),
            self.rooms.show_train,
        )

    def _make_model(self, stack: QStackedWidget) -> ModelRoom:
        from explorer.app.model import ModelRoom

        room = ModelRoom(self._around(stack), self._open_chosen)
        room.allow_motion(self.appearance.moves)
        return room

    def _open_chosen(self, path: Path | None) -> None:
        if path is not None:
            self.opening.open(path)

    # --- what there is ---------------------------------------------------------------------------

    @property
    def theme(self) -> Theme:
        """What the window wears."""
        return self.appearance.theme

    @property
    def topbar(self) -> TopBar:
        """The bar on top."""
        return self._content.topbar

    @property
    def explore_page(self) -> ExplorePage:
        """Explore's views."""
        return self.explore.page

    @property
    def train(self) -> TrainRoom | None:
        """Train; None where it was not shown yet."""
        return self.rooms.train

    @property
    def model(self) -> ModelRoom | None:
        """Model; None where it was not shown yet."""
        return self.rooms.model

    def pictures(self) -> dict[str, QWidget]:
        """Return what pictures can be taken of in front, by name: "window", "plane", …"""
        return {"window": self, **self.rooms.front.page.pictures()}

    def seen_pictures(self) -> dict[str, QWidget]:
        """Return those of them that are on the screen: only what is seen is drawn."""
        return {name: part for name, part in self.pictures().items() if part.isVisible()}

    def flush(self) -> None:
        """Do now what waits for the next turns and the next frame, in every room."""
        self._content.finish()
        for room in self.rooms:
            room.clock.flush()

    # --- commands --------------------------------------------------------------------------------

    def show_train(self, *, warm: bool = True) -> TrainRoom:
        """Bring Train to the front, and its training process up where it is wanted warm."""
        return self.rooms.show_train(warm=warm)

    def _choose_train(self) -> None:
        """Bring Train to the front as it was left; the first time its example is played."""
        if self.rooms.train is not None:
            self.rooms.show_last_train()
            return
        self.rooms.make_train()
        # To make the page and to show it takes long at once. What has 0 ms to wait is done at once.
        QTimer.singleShot(1, self, self._show_example)

    def _show_example(self) -> None:
        room = self.rooms.show_train()
        if room.session.frame.example:
            room.document.play_example()

    def _show_centre(self, centre: Centre) -> None:
        """Show a page in Explore's middle; where it is seen already, the plane again."""
        seen = self.rooms.name == "explore" and self.session.look.centre is centre
        self.rooms.show_centre(Centre.PLANE if seen else centre)

    def open_file(self, path: Path | None = None) -> bool:
        """Open a file, by default one that is asked for; return whether that was done."""
        return self.opening.open(path)

    def welcome(self) -> None:
        """Offer three ways to begin."""
        from explorer.app.welcome import Welcome

        def welcome_in(code: str) -> None:
            self.speak(code)
            self.welcome()

        first = lessons()[0]
        Welcome(
            self.theme,
            lambda: self.playing.open(first),
            self._choose_train,
            welcome_in,
            self,
        ).open()

    def show_worksheet(self) -> None:
        """Open the dialog that makes worksheets."""
        from explorer.app.worksheet.dialog import WorksheetDialog

        WorksheetDialog(
            self.theme, self, self._dialogs.ask_worksheets, self.opening.open_sheet
        ).open()

    def share(self) -> None:
        """Save the scene, or the run in front, as a page that needs no installation."""
        from explorer.app.sharing import share_run, share_scene

        if self.rooms.name == "train":
            room = self.rooms.show_train(warm=False)
            share_run(room.session.frame, self._dialogs, room.page, room.document.title)
        else:
            share_scene(self.session, self._dialogs, self.tell)

    def show_moving(self) -> None:
        """Open the dialog that saves a picture that moves, where something here can."""
        from explorer.app.moving.offer import show_moving

        show_moving(self, self.rooms, self.playing, self.gestures, self._dialogs)

    def show_figure(self) -> None:
        """Open the dialog that saves one view of the room in front as a figure for a paper."""
        from explorer.app.figure import making_figure
        from explorer.app.figure_dialog import FigureDialog

        room, title = self.rooms.front, self.rooms.front.document.title
        there = room.page.pictures()
        FigureDialog(
            self.theme,
            self,
            {name: _(text) for name, text in picture_titles().items() if name in there},
            room.page.main_picture,
            lambda view: self._dialogs.ask_figure(title, view),
            lambda view, path, figure: making_figure(room, view, path, figure, title),
        ).open()

    def show_glossary(self) -> None:
        """Open the glossary."""
        from explorer.app.glossary import show_glossary  # not needed before the window is seen

        show_glossary(self.theme, self)

    def show_shortcuts(self) -> None:
        """Show the sheet of shortcuts."""
        ShortcutsSheet(shortcut_groups(), self.theme, self).open()

    def tell(self, problem: Problem) -> None:
        """Show a problem in the bar over the picture."""
        self.rooms.tell(problem)

    def offer_recovery(self) -> bool:
        """Offer what windows that ended before their time left unsaved; return whether it came."""
        return self.opening.recover()

    def speak(self, code: str) -> None:
        """Say everything in another language, and keep it so.

        Sentences are read where parts are made, so parts are made anew around what is open: scene,
        run, undo, selection and look stay as they are.
        """
        self._settings.update(lambda settings: replace(settings, language=code))
        if code == language():
            return
        self.presenting.leave()
        self._content.finish()
        focused = self.rooms.outdate()
        with no_collection():
            speak(code)
            name_actions(self.actions_by_name)
            self._content.make_head(self.theme)
            self._show_mode()
        self._content.in_turns(self.rooms.speak(focused))

    # --- showing ---------------------------------------------------------------------------------

    def _show_mode(self) -> None:
        name = self.rooms.name
        self.topbar.show_mode(name)
        self.actions_by_name["revert"].setEnabled(name == "explore")
        of_a_model = name == "model"  # it is read only
        for key in ("save", "save_as", "share"):
            self.actions_by_name[key].setEnabled(not of_a_model)
        self.actions_by_name["moving"].setEnabled(not of_a_model or self.playing.pages > 0)
        in_sweep = self.rooms.front is self.rooms.sweep
        self.actions_by_name["figure"].setEnabled(not in_sweep)
        if in_sweep:  # Save writes its table
            for key in ("save_as", "share", "moving"):
                self.actions_by_name[key].setEnabled(False)
        self._show_look()
        self._show_history()

    def _show_history(self) -> None:
        edited = self.rooms.front.session
        name_undo(self.actions_by_name, edited.undo_name, edited.redo_name)
        self._show_document()

    def _show_document(self) -> None:
        document = self.rooms.front.document
        name, modified = document.title, document.modified
        note = "" if self.rooms.name != "explore" else of_example(self.session.scene.note)
        self.topbar.show_document(name, modified, note)
        self.setWindowTitle(f"{name}[*] – {PROGRAM}")
        self.setWindowModified(modified)

    def _show_look(self) -> None:
        look = self.session.look
        self.actions_by_name["field"].setChecked(look.field)
        for centre in CENTRES:
            seen = self.rooms.name == "explore" and look.centre is centre
            self.actions_by_name[centre].setChecked(seen)

    def _show_presented(self) -> None:
        action = self.actions_by_name["freeze"]
        action.setEnabled(self.presenting.audience is not None)
        action.setChecked(self.presenting.frozen)

    def _on_change(self, change: Change) -> None:
        if Change.LOOK in change:
            self._show_look()
        if Change.DOCUMENT in change:
            self._show_history()

    def _allow_motion(self) -> None:
        """Let everything move, or be there at once."""
        self.actions_by_name["reduce_motion"].setChecked(self.appearance.reduced)
        moves = self.appearance.moves
        allow_motion(self, moves)
        self.rooms.allow_motion(moves)
        self.presenting.allow_motion(moves)

    def _apply_theme(self, theme: Theme) -> None:
        self._content.in_turns()
        self._content.retheme(theme)
        self._show_document()
        self.rooms.retheme(theme)
        self.playing.show()
        self.presenting.retheme(theme)

    # --- keys, drops, closing --------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take the keys that nothing with the focus wanted."""
        if not self._keys.take(event):
            super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept files."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open a dropped file."""
        event.acceptProposedAction()
        # A question asked now would hold up the program that the files were dragged from.
        QTimer.singleShot(0, partial(self.opening.drop, event.mimeData().urls()))

    def restore(self) -> None:
        """Take the size and place of the last time; at first what the screen has room for."""
        geometry = self._settings.settings.geometry
        if not geometry or not self.restoreGeometry(QByteArray.fromBase64(geometry.encode())):
            usual, room = QSize(1440, 900), self.screen().availableSize()
            self.resize(usual.boundedTo(room * 0.9))
            if self.size() != usual:
                self.setWindowState(Qt.WindowState.WindowMaximized)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask about unsaved changes, once; remember the window's place."""
        if not self.rooms.may_close():
            event.ignore()
            return
        self.presenting.leave()
        geometry = self.saveGeometry().toBase64().toStdString()
        look = self.session.look
        self._settings.update(
            lambda settings: replace(
                settings, geometry=geometry, tab=look.tab, torch_code=look.torch_code
            )
        )
        self.rooms.close()
        event.accept()
