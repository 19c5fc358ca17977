"""The main window: parts joined, commands wired, theme and document shown."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace
from PySide6.QtCore import QByteArray, Qt, QTimer
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QShortcut,
)
from PySide6.QtWidgets import QApplication, QFrame, QMainWindow, QVBoxLayout, QWidget

from explorer.app.actions import make_actions, shortcut_groups
from explorer.app.arrangement import LEAST_HEIGHT, LEAST_WIDTH
from explorer.app.clock import FrameClock
from explorer.app.dialogs import QtDialogs
from explorer.app.document import Document
from explorer.app.menus import document_menu, more_menu
from explorer.app.pictures import copy_picture, save_picture
from explorer.app.presenter import Presenter
from explorer.app.settings import SettingsStore
from explorer.app.topbar import TopBar
from explorer.app.workspace import Workspace
from explorer.session import Change, Session, Stage, intents
from explorer.text import Problem, _
from explorer.views.shortcuts import ShortcutsSheet
from explorer.views.style import dress
from explorer.views.theme import SCALES, Theme

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
        self._dress()  # before there are widgets whose fonts it would touch
        # What is connected to its parts holds a closed window until Qt deletes it.
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumSize(LEAST_WIDTH, LEAST_HEIGHT)
        self.setAcceptDrops(True)
        self.actions_by_name = make_actions(
            self,
            {
                "new": document.new,
                "open": document.open,
                "save": document.save,
                "save_as": document.save_as,
                "revert": document.revert,
                "copy_picture": partial(self.copy_picture, "plane"),
                "save_picture": partial(self.save_picture, "plane"),
                "quit": self.close,
                "undo": session.undo,
                "redo": session.redo,
                "theme": self.toggle_theme,
                "larger": partial(self.scale_text, 1),
                "smaller": partial(self.scale_text, -1),
                "normal": partial(self.scale_text, 0),
                "shortcuts": self.show_shortcuts,
            },
        )
        content = QWidget(self)
        self.topbar = TopBar(
            theme,
            self.actions_by_name,
            document_menu(self, self.actions_by_name, document, settings),
            more_menu(self, self.actions_by_name, self.copy_picture, self.save_picture),
            content,
        )
        self.workspace = Workspace(theme, content)
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        line = QFrame(content)
        line.setProperty("hairline", True)
        line.setFixedHeight(1)
        for part, stretch in ((self.topbar, 0), (line, 0), (self.workspace, 1)):
            column.addWidget(part, stretch)
        self.setCentralWidget(content)
        self._presenter = Presenter(
            session, dialogs.ask_reading, self.tell, QGuiApplication.clipboard().setText
        )
        self.clock = FrameClock(session, parent=self)
        for view in self.workspace.views:
            view.intent.connect(self._presenter.handle)
            self.clock.add(view)
        for number, stage in enumerate(Stage, 1):
            shortcut = QShortcut(QKeySequence(f"Alt+{number}"), self)
            shortcut.activated.connect(partial(self._show_stage, stage))
        session.changed.connect(self._on_change)
        document.changed.connect(self._show_document)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow_system)
        self._on_change(Change.DOCUMENT)
        self.workspace.plane.viewport().setFocus()

    # --- telling ---------------------------------------------------------------------------------

    def tell(self, problem: Problem) -> None:
        """Show a problem in the bar over the picture."""
        self.workspace.error_bar.tell(problem.message)

    def show_shortcuts(self) -> None:
        """Show the sheet of shortcuts."""
        ShortcutsSheet(shortcut_groups(), self.theme, self).open()

    def _show_document(self) -> None:
        name, modified = self.document.title, self.session.modified
        self.topbar.show_document(name, modified)
        self.setWindowTitle(f"{name}[*] – {PROGRAM}")
        self.setWindowModified(modified)

    def _on_change(self, change: Change) -> None:
        if Change.DOCUMENT not in change:
            return
        history = self.session.history
        for key, word, name in (
            ("undo", _("Undo"), history.undo_name),
            ("redo", _("Redo"), history.redo_name),
        ):
            action = self.actions_by_name[key]
            action.setEnabled(name is not None)
            action.setText(word if name is None else f"{word} {name}".replace("&", "&&"))
        self._show_document()

    # --- pictures --------------------------------------------------------------------------------

    def pictures(self) -> dict[str, QWidget]:
        """Return what pictures can be taken of, by name: "window", "plane", "weights", …"""
        return {"window": self, **self.workspace.pictures()}

    def copy_picture(self, view: str) -> None:
        """Put the picture of a view on the clipboard."""
        copy_picture(self.pictures()[view])

    def save_picture(self, view: str) -> None:
        """Save the picture of a view where the person says."""
        path = self._dialogs.ask_picture(self.document.title, view)
        if path is None:
            return
        try:
            save_picture(self.pictures()[view], path, self.document.title, density=2.0)
        except Problem as problem:
            self.tell(problem)

    # --- theme -----------------------------------------------------------------------------------

    def toggle_theme(self) -> None:
        """Change from light to dark or back, and keep it so."""
        self._set_theme(Theme(not self.theme.dark, self.theme.percent))

    def scale_text(self, steps: int) -> None:
        """Make the text larger (1), smaller (−1) or as at first (0), and keep it so."""
        at = SCALES.index(self.theme.percent)
        wanted = SCALES[min(max(at + steps, 0), len(SCALES) - 1)] if steps else 100
        self._set_theme(Theme(self.theme.dark, wanted))

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
        self._dress()
        self.topbar.retheme(theme)
        self._show_document()
        self.workspace.retheme(theme)
        for view in self.workspace.views:
            self.clock.redraw(view)

    def _dress(self) -> None:
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        dress(application, self.theme)

    # --- keys, drops, closing --------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take the keys that nothing with the focus wanted: 1–7, Esc and ?."""
        plain = event.modifiers() in (
            Qt.KeyboardModifier.NoModifier,
            Qt.KeyboardModifier.KeypadModifier,
        )
        stages = list(Stage)
        number = event.key() - Qt.Key.Key_1
        if plain and 0 <= number < len(stages):
            self._show_stage(stages[number])
        elif plain and event.key() == Qt.Key.Key_Escape:
            if not self.workspace.put_left_away():
                self._presenter.handle(intents.Select(None))
        elif event.text() == "?":
            self.show_shortcuts()
        else:
            super().keyPressEvent(event)

    def _show_stage(self, stage: Stage) -> None:
        self._presenter.handle(intents.ShowStage(stage))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept files."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open a dropped file."""
        event.acceptProposedAction()
        # A question asked now would hold up the program that the files were dragged from.
        QTimer.singleShot(0, partial(self.document.drop, event.mimeData().urls()))

    def offer_recovery(self) -> None:
        """Offer what windows that ended before their time left unsaved."""
        self.document.recover()

    def restore(self) -> None:
        """Take the size and place that the window had the last time."""
        geometry = self._settings.settings.geometry
        if not geometry or not self.restoreGeometry(QByteArray.fromBase64(geometry.encode())):
            self.resize(1440, 900)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask about unsaved changes, once; remember the window's place."""
        if not self.document.may_close():
            event.ignore()
            return
        geometry = self.saveGeometry().toBase64().toStdString()
        look = self.session.look
        self._settings.update(
            lambda settings: replace(
                settings, geometry=geometry, tab=look.tab, torch_code=look.torch_code
            )
        )
        self.document.close()
        event.accept()
