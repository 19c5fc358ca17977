"""The main window: parts joined, commands wired, theme and document shown."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QByteArray, QEvent, QSize, Qt, QTimer, QUrl
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QShortcut,
)
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QMainWindow,
    QMenu,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from explorer.app.actions import make_actions, name_actions, shortcut_groups
from explorer.app.arrangement import LEAST_HEIGHT, LEAST_WIDTH
from explorer.app.bench import Bench
from explorer.app.clock import FrameClock
from explorer.app.dialogs import QtDialogs
from explorer.app.document import Document
from explorer.app.glossary import show_glossary
from explorer.app.kinds import any_run_left, is_lesson, is_trace
from explorer.app.language import speak
from explorer.app.menus import fill_run_menu, fill_scene_menu, language_menu, more_menu
from explorer.app.pictures import copy_picture, offer_pictures, save_picture
from explorer.app.presenter import Presenter
from explorer.app.settings import SettingsStore
from explorer.app.topbar import TopBar
from explorer.app.workspace import Workspace
from explorer.session import CHAIN, Centre, Change, Frame, Scene, Session, Stage, intents
from explorer.session.lesson import Notes
from explorer.text import N_, Problem, _, displayable, language, of_example
from explorer.views.base import View
from explorer.views.motion import let_move
from explorer.views.shortcuts import ShortcutsSheet
from explorer.views.style import animates, dress, finish, prepare
from explorer.views.theme import SCALES, Theme

if TYPE_CHECKING:
    from explorer.app.lessons.classroom import Classroom
    from explorer.app.present.presentation import Presentation, Shown
    from explorer.app.train.document import TraceDocument
    from explorer.app.train.page import TrainPage
    from explorer.session.lab import Lab, LabFrame
    from explorer.session.lesson import Sheet

PROGRAM = "Attention Explorer"


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
        self.theme = theme
        _application().setStyleSheet("")  # where there was a window before this one
        prepare(_application(), theme)
        # What is connected to its parts holds a closed window until Qt deletes it.
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumSize(LEAST_WIDTH, LEAST_HEIGHT)
        self.setAcceptDrops(True)
        self.actions_by_name = make_actions(
            self,
            {
                "new": self.new_scene,
                "open": self.open_file,
                "save": lambda: self.shown_document.save(),
                "save_as": lambda: self.shown_document.save_as(),
                "revert": document.revert,
                "copy_picture": lambda: self.copy_picture(self._hero),
                "save_picture": lambda: self.save_picture(self._hero),
                "quit": self.close,
                "undo": lambda: self._edited.undo(),
                "redo": lambda: self._edited.redo(),
                "explore": self.show_explore,
                "train": self.show_train,
                "compare": partial(self.show_centre, Centre.COMPARE),
                "sqrt_d": partial(self.show_centre, Centre.SQRT_D),
                "present": self.present,
                "freeze": self.freeze,
                "room": self.check_room,
                "theme": self.toggle_theme,
                "larger": partial(self.scale_text, 1),
                "smaller": partial(self.scale_text, -1),
                "normal": partial(self.scale_text, 0),
                "field": self.toggle_field,
                "reduce_motion": self.toggle_motion,
                "glossary": lambda: show_glossary(self.theme, self),
                "shortcuts": self.show_shortcuts,
            },
        )
        self._classroom: Classroom | None = None  # made when the first lesson is opened
        self.presentation: Presentation | None = None  # made when it is first shown
        self.train: TrainPage | None = None  # made when it is first shown
        self._make_content()
        self._presenter = Presenter(
            session, dialogs.ask_reading, self._tell_tried, QGuiApplication.clipboard().setText
        )
        self.clock = FrameClock(session, parent=self)
        self._join_workspace()
        for number, stage in enumerate(CHAIN, 1):
            shortcut = QShortcut(QKeySequence(f"Alt+{number}"), self)
            shortcut.activated.connect(partial(self._show_stage, stage))
        self.actions_by_name["freeze"].setEnabled(False)
        for key in ("field", "freeze", "reduce_motion"):
            self.actions_by_name[key].setCheckable(True)
        self._apply_motion()
        session.changed.connect(self._on_change)
        document.changed.connect(self._show_document)
        document.leaving.connect(self._take_keys)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow_system)
        self._on_change(Change.DOCUMENT | Change.LOOK)
        self._show_mode()
        finish(_application(), theme)
        self.workspace.take_keys()

    def _make_content(self) -> None:
        """Make everything inside the window, in the language in use."""
        content = QWidget(self)
        document_menu = self._document_menu()
        commands = more_menu(
            self, self.actions_by_name, self.pictures, self.copy_picture, self.save_picture
        )
        spoken = language_menu(self, self.speak)
        self.topbar = TopBar(
            self.theme, self.actions_by_name, document_menu, commands, spoken, content
        )
        self._menus = (document_menu, commands, spoken)
        self._stack = QStackedWidget(content)
        self.workspace = Workspace(self.theme, self._stack)
        self._stack.addWidget(self.workspace)
        column = self._column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        line = QFrame(content)
        line.setProperty("hairline", True)
        line.setFixedHeight(1)
        for part, stretch in ((self.topbar, 0), (line, 0), (self._stack, 1)):
            column.addWidget(part, stretch)
        self.setCentralWidget(content)

    def _take_keys(self) -> None:
        self.workspace.take_keys()

    def _join_workspace(self) -> None:
        for view in self.workspace.views:
            self._join(view)
        self.workspace.made.connect(self._join_page)
        offer_pictures(self.workspace.pictures(), self.copy_picture, self.save_picture)

    def _join(self, view: View) -> None:
        """Draw one of Explore's views, and carry out what it asks for."""
        view.intent.connect(self._carry_out)
        self.clock.add(view)

    def _carry_out(self, intent: object) -> None:
        """Carry out what a view of Explore asks for, the lesson's page or another."""
        if self._classroom is None or not self._classroom.player.handle(intent):
            self._presenter.handle(intent)

    def _carry_out_in_train(self, intent: object) -> None:
        """Carry out what a page about Train asks for."""
        if self._classroom is None or not self._classroom.player.handle(intent):
            self.show_train(warm=False).presenter.handle(intent)

    def _join_page(self, view: View, name: str) -> None:
        """Join a view that was made later, and offer pictures of it."""
        self._join(view)
        offer_pictures({name: view}, self.copy_picture, self.save_picture)

    # --- lessons ---------------------------------------------------------------------------------

    def open_lesson(self, path: Path) -> bool:
        """Begin a lesson in Explore; return whether that was done."""
        if self._classroom is None:
            from explorer.app.lessons.classroom import Classroom
            from explorer.app.lessons.player import Player
            from explorer.app.lessons.tables import RunTable, SceneTable

            scenes = SceneTable(self.session, self._presenter.handle, self.show_explore)
            runs = RunTable(partial(self.show_train, warm=False))
            player = Player(scenes, runs, self.document, self.tell, self)
            self._classroom = Classroom(player, runs, self.workspace, self.clock.redraw)
            player.changed.connect(self._redraw_presented)
        return self._classroom.open(path)

    def _fill_lessons(self, menu: QMenu) -> None:
        from explorer.app.lessons.library import Library

        played = None if self._classroom is None else self._classroom.player.lesson
        Library(self, self._settings, self._dialogs, self.open_lesson, played).fill(menu)

    # --- presenting ------------------------------------------------------------------------------

    def present(self) -> None:
        """Show the scene, the run, or the lesson that is open, to an audience."""
        if self.presentation is None:
            from explorer.app.present.presentation import Presentation

            self.presentation = Presentation(
                self, self.session, self._presentable, self._tell_notes, lambda: (self._column, 2)
            )
            self.presentation.changed.connect(self._show_presented)
            self.presentation.room_asked.connect(self.check_room)
        moves = not self._settings.settings.reduce_motion and animates()
        self.presentation.show("train" if self.training else "explore", self.theme, moves=moves)

    def _presentable(self, name: str) -> Shown:
        """Return what can be shown to an audience: of Train, or of Explore."""
        from explorer.app.present.presentation import Shown
        from explorer.views.present import PresentLab, PresentPage

        if name == "explore":
            return Shown(
                lambda theme, over: PresentPage(theme, self._tell_sheet, over),
                self.clock,
                self._carry_out,
            )
        train = self.show_train(warm=False)
        return Shown(
            lambda theme, over: PresentLab(theme, self._tell_lab_sheet, over),
            train.clock,
            self._carry_out_in_train,
        )

    def check_room(self) -> None:
        """Ask for the room's measures, and offer the text scale that it needs."""
        from explorer.app.present.room_check import check_room

        audience = None if self.presentation is None else self.presentation.audience
        check_room(self.theme, self, audience, self._set_percent)

    def freeze(self) -> None:
        """Keep the audience's picture while something else is prepared, or show that."""
        if self.presentation is not None and self.presentation.audience is not None:
            self.presentation.audience.freeze()

    def _show_presented(self) -> None:
        audience = None if self.presentation is None else self.presentation.audience
        action = self.actions_by_name["freeze"]
        action.setEnabled(audience is not None)
        action.setChecked(audience is not None and audience.veil.still is not None)

    def _redraw_presented(self) -> None:
        if self.presentation is not None:
            if self._classroom is not None and self._classroom.player.playing:
                in_train = self._classroom.player.in_train
                self.presentation.turn_to("train" if in_train else "explore")
            self.presentation.redraw()

    def _tell_sheet(self, frame: Frame) -> Sheet | None:
        return None if self._classroom is None else self._classroom.player.sheet(frame)

    def _tell_lab_sheet(self, frame: LabFrame) -> Sheet | None:
        about = self._classroom is not None and self._classroom.player.in_train
        return self._classroom.player.sheet(frame) if self._classroom and about else None

    def _tell_notes(self) -> Notes:
        if self._classroom is not None and self._classroom.player.playing:
            return self._classroom.player.notes
        return Notes(of_example(self.session.scene.note))

    # --- workspaces ------------------------------------------------------------------------------

    @property
    def training(self) -> bool:
        """Whether Train is in front."""
        return self.train is not None and self._stack.currentWidget() is self.train.bench

    @property
    def bench(self) -> Bench:
        """The workspace in front."""
        return self.train.bench if self.train is not None and self.training else self.workspace

    @property
    def shown_document(self) -> Document | TraceDocument:
        """The document of the workspace in front."""
        return self.train.document if self.train is not None and self.training else self.document

    @property
    def _edited(self) -> Session | Lab:
        """What undo and redo are about."""
        return self.train.lab if self.train is not None and self.training else self.session

    def show_explore(self) -> None:
        """Bring Explore to the front."""
        self._stack.setCurrentWidget(self.workspace)
        self._show_mode()

    def show_centre(self, centre: Centre) -> None:
        """Bring Explore to the front, with a page in its middle."""
        self.show_explore()
        self._presenter.handle(intents.ShowCentre(centre))

    def show_train(self, *, warm: bool = True) -> TrainPage:
        """Bring Train to the front, made where there is none yet.

        warm : whether to start the training process, so that the first run begins at once
        """
        if self.train is None:
            from explorer.app.train.page import TrainPage

            self.train = TrainPage(
                self.theme, self._stack, self._dialogs, self._settings, self._edit_copy
            )
            self.train.document.changed.connect(self._on_lab_change)
            self._join_train(self.train)
            self._apply_motion()
        self._stack.setCurrentWidget(self.train.bench)
        if warm:
            self.train.runner.warm()
        self.train.bench.graph.viewport().setFocus()
        self._show_mode()
        return self.train

    def _join_train(self, train: TrainPage) -> None:
        offer_pictures(train.bench.pictures(), self.copy_picture, self.save_picture)
        self._stack.addWidget(train.bench)

    def _show_mode(self) -> None:
        self.topbar.show_mode("train" if self.training else "explore")
        self.actions_by_name["revert"].setEnabled(not self.training)
        self._show_history()

    def _edit_copy(self, scene: Scene) -> None:
        if self.document.open_copy(scene):
            self.show_explore()

    def new_scene(self) -> None:
        """Start a new scene in Explore."""
        if self.document.new():
            self.show_explore()

    def open_file(self, path: Path | None = None) -> bool:
        """Open a scene or a run, by default one that is asked for; return whether that was done.

        A file is known by its content.
        """
        path = path or self.document.ask_open()
        if path is None:
            return False
        if is_trace(path):
            return self.show_train().document.open(path)
        if is_lesson(path):
            return self.open_lesson(path)
        if not self.document.open(path):
            return False
        self.show_explore()
        return True

    def drop(self, urls: Sequence[QUrl]) -> None:
        """Open the first of the dropped files."""
        paths = [Path(url.toLocalFile()) for url in urls if url.isLocalFile()]
        if not paths:
            self.tell(Problem(N_("Only files on this computer can be dropped here.")))
        elif self.open_file(paths[0]) and len(paths) > 1:
            template = N_("A window shows one file: of those dropped, {file} was opened.")
            self.tell(Problem(template, file=displayable(paths[0].name)))

    def _document_menu(self) -> QMenu:
        menu = QMenu(self)

        def fill() -> None:
            menu.clear()
            recent = self._settings.settings.recent
            if self.train is not None and self.training:
                fill_run_menu(
                    menu,
                    self.actions_by_name,
                    self.train.document,
                    recent,
                    self.open_file,
                    self._fill_lessons,
                )
            else:
                fill_scene_menu(
                    menu,
                    self.actions_by_name,
                    self.document,
                    recent,
                    self.open_file,
                    self._fill_lessons,
                )

        menu.aboutToShow.connect(fill)
        return menu

    @property
    def _hero(self) -> str:
        """The view that the picture commands mean."""
        return "graph" if self.training else self.workspace.hero

    # --- telling ---------------------------------------------------------------------------------

    def tell(self, problem: Problem) -> None:
        """Show a problem in the bar over the picture."""
        self.bench.error_bar.tell(problem.message)

    def _tell_tried(self, problem: Problem) -> None:
        """Show why something could not be done, until something else is done."""
        self.workspace.error_bar.tell(problem.message, passing=True)

    def show_shortcuts(self) -> None:
        """Show the sheet of shortcuts."""
        ShortcutsSheet(shortcut_groups(), self.theme, self).open()

    def _show_document(self) -> None:
        document = self.shown_document
        name, modified = document.title, document.modified
        note = "" if self.training else of_example(self.session.scene.note)
        self.topbar.show_document(name, modified, note)
        self.setWindowTitle(f"{name}[*] – {PROGRAM}")
        self.setWindowModified(modified)

    def _on_lab_change(self) -> None:
        if self.training:
            self._show_history()

    def _on_change(self, change: Change) -> None:
        if change & Change.RESULT:
            self.workspace.error_bar.forget_passing()
        if Change.LOOK in change:
            self.workspace.show_centre(self.session.look.centre)
            self.actions_by_name["field"].setChecked(self.session.look.field)
        if Change.DOCUMENT in change:
            self._show_history()

    def _show_history(self) -> None:
        edited = self._edited
        for key, word, name in (
            ("undo", _("Undo"), edited.undo_name),
            ("redo", _("Redo"), edited.redo_name),
        ):
            action = self.actions_by_name[key]
            action.setEnabled(name is not None)
            action.setText(word if name is None else f"{word} {name}".replace("&", "&&"))
        self._show_document()

    # --- pictures --------------------------------------------------------------------------------

    def pictures(self) -> dict[str, QWidget]:
        """Return what pictures can be taken of in front, by name: "window", "plane", …"""
        return {"window": self, **self.bench.pictures()}

    def copy_picture(self, view: str) -> None:
        """Put the picture of a view on the clipboard."""
        self.workspace.plane.finish_motion()
        copy_picture(self.pictures()[view])

    def save_picture(self, view: str) -> None:
        """Save the picture of a view where the person says."""
        self.workspace.plane.finish_motion()
        path = self._dialogs.ask_picture(self.shown_document.title, view)
        if path is None:
            return
        try:
            save_picture(self.pictures()[view], path, self.shown_document.title, density=2.0)
        except Problem as problem:
            self.tell(problem)

    # --- theme -----------------------------------------------------------------------------------

    def toggle_theme(self) -> None:
        """Change from light to dark or back, and keep it so."""
        self._set_theme(Theme(not self.theme.dark, self.theme.percent))

    def scale_text(self, steps: int) -> None:
        """Make the text larger (1), smaller (−1) or as at first (0), and keep it so."""
        at = SCALES.index(self.theme.percent)
        self._set_percent(SCALES[min(max(at + steps, 0), len(SCALES) - 1)] if steps else 100)

    def _set_percent(self, percent: int) -> None:
        self._set_theme(Theme(self.theme.dark, percent))

    def toggle_field(self) -> None:
        """Tint the plane while a token is dragged and a pair selected, or not."""
        self._presenter.handle(intents.ShowField(not self.session.look.field))

    def toggle_motion(self) -> None:
        """Let things move or not, and keep it so."""
        reduced = not self._settings.settings.reduce_motion
        self._settings.update(lambda settings: replace(settings, reduce_motion=reduced))
        self._apply_motion()

    def _apply_motion(self) -> None:
        reduced = self._settings.settings.reduce_motion
        self.actions_by_name["reduce_motion"].setChecked(reduced)
        self.workspace.plane.set_motion(not reduced and animates())
        let_move(self, not reduced and animates())
        if self.presentation is not None:
            self.presentation.let_move(not reduced and animates())
        if self.train is not None:
            self.train.bench.graph.reduce_motion(reduced or not animates())

    def _set_theme(self, theme: Theme) -> None:
        dark_changed = theme.dark != self.theme.dark
        name = "dark" if theme.dark else "light"
        self._settings.update(
            lambda settings: replace(
                settings, percent=theme.percent, theme=name if dark_changed else settings.theme
            )
        )
        self._wear(theme)

    def _follow_system(self, scheme: Qt.ColorScheme) -> None:
        if self._settings.settings.theme == "system":
            self._wear(Theme(scheme == Qt.ColorScheme.Dark, self.theme.percent))

    def _wear(self, theme: Theme) -> None:
        self.theme = theme
        dress(_application(), theme)
        self.topbar.retheme(theme)
        self._show_document()
        self.workspace.retheme(theme)
        for view in self.workspace.views:
            self.clock.redraw(view)
        if self._classroom is not None:
            self._classroom.show()
        if self.presentation is not None:
            self.presentation.retheme(theme)
        if self.train is not None:
            self.train.retheme(theme)

    # --- language --------------------------------------------------------------------------------

    def speak(self, code: str) -> None:
        """Say everything in another language, and keep it so.

        Sentences are read where parts are made, so every part is made anew around what is open:
        scene, run, undo, selection and look stay as they are.
        """
        self._settings.update(lambda settings: replace(settings, language=code))
        if code == language():
            return
        if self.presentation is not None:
            self.presentation.leave()
        speak(code)
        name_actions(self.actions_by_name)
        training, workspace, menus = self.training, self.workspace, self._menus
        workspace.take_keys()  # what is half typed is taken
        workspace.put_left_away()
        for view in workspace.views:
            self.clock.remove(view)
        content = self.takeCentralWidget()
        content.hide()
        self._make_content()
        self._join_workspace()
        self.workspace.error_bar.take_over(workspace.error_bar)
        if self.train is not None:
            self.train.make_bench(self.theme, self._stack)
            self._join_train(self.train)
        if self._classroom is not None:
            self._classroom.move_to(self.workspace)
        self._on_change(Change.DOCUMENT | Change.LOOK)
        self._apply_motion()
        if self.train is not None and training:
            self._stack.setCurrentWidget(self.train.bench)
        self._show_mode()
        self._settle()
        self.workspace.plane.take_view(workspace.plane)
        finish(_application(), self.theme)
        (
            self.train.bench.graph.viewport().setFocus
            if training and self.train
            else self.workspace.take_keys
        )()
        for old in (content, *menus):
            old.deleteLater()

    def _settle(self) -> None:
        """Let every part have its place now."""
        content = self.centralWidget()
        content.show()
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        self.clock.flush()

    # --- keys, drops, closing --------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take the keys that nothing with the focus wanted: 1–7, Esc and ?."""
        plain = event.modifiers() in (
            Qt.KeyboardModifier.NoModifier,
            Qt.KeyboardModifier.KeypadModifier,
        )
        stages = list(CHAIN)
        number = event.key() - Qt.Key.Key_1
        if plain and 0 <= number < len(stages):
            self._show_stage(stages[number])
        elif plain and event.key() == Qt.Key.Key_Escape:
            if not self.bench.put_left_away():
                self._handle(intents.Select(None))
        elif event.text() == "?":
            self.show_shortcuts()
        elif plain and self._turned(event.key()):
            pass
        else:
            super().keyPressEvent(event)

    def _turned(self, key: int) -> bool:
        """Turn a page of the lesson where the key says so; return whether it did."""
        return self._classroom is not None and self._classroom.player.turn_by_key(key)

    def _show_stage(self, stage: Stage) -> None:
        if self.train is not None and self.training:
            self.train.show_stage(stage)
        else:
            self._presenter.handle(intents.ShowStage(stage))

    def _handle(self, intent: object) -> None:
        """Have an intent carried out by the presenter of the workspace in front."""
        if self.train is not None and self.training:
            self.train.presenter.handle(intent)
        else:
            self._presenter.handle(intent)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept files."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open a dropped file."""
        event.acceptProposedAction()
        # A question asked now would hold up the program that the files were dragged from.
        QTimer.singleShot(0, partial(self.drop, event.mimeData().urls()))

    def offer_recovery(self) -> None:
        """Offer what windows that ended before their time left unsaved: scenes, then runs."""
        self.document.recover()
        was_training = self.training
        if any_run_left() and not self.show_train().document.recover() and not was_training:
            self.show_explore()  # of what was left, nothing was wanted or it is in use

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
        if not self.document.may_close() or not (
            self.train is None or self.train.document.may_close()
        ):
            event.ignore()
            return
        if self.presentation is not None:
            self.presentation.leave()
        if self.train is not None:
            self.train.close()
        geometry = self.saveGeometry().toBase64().toStdString()
        look = self.session.look
        self._settings.update(
            lambda settings: replace(
                settings, geometry=geometry, tab=look.tab, torch_code=look.torch_code
            )
        )
        self.document.close()
        event.accept()


def _application() -> QApplication:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    return application
