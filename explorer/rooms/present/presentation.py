"""Presenting from a main window: where the audience's window opens, what the laptop shows then,
and what is left behind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from PySide6.QtCore import QElapsedTimer, QEvent, QObject, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QGuiApplication,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
    QScreen,
)
from PySide6.QtWidgets import (
    QApplication,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from explorer.kit.clock import FrameClock
from explorer.kit.labels import plain_label, show_ink
from explorer.kit.layouts import as_panel
from explorer.kit.motion import allow_motion
from explorer.kit.style import size_tips
from explorer.kit.theme import Theme
from explorer.rooms.present.audience import Audience, takes_letters
from explorer.rooms.present.slide import Slide
from explorer.session import Session
from explorer.session.lesson import Notes
from explorer.text import _, noted, plain_tip

_TALL, _TEXT, _NEXT, _TIME = 150, 17, 15, 22  # px at 100 %
_WORDS, _LEAST_VIEW = 280, 80  # widths, px at 100 %


class NotesBar(QWidget):
    """Lies over the page while the audience looks at another screen."""

    turned = Signal(int)
    freeze_asked = Signal()
    blank_asked = Signal()
    leave_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("notes-bar")
        as_panel(self)
        self.setAccessibleName(_("Notes for presenting"))
        self.view = _View(self)
        self.text, self.hint, self.next = (
            plain_label(ink, self) for ink in ("ink1", "ink2", "ink2")
        )
        self.time = plain_label("ink1", self)
        self.time.setAccessibleName(_("Time since the start"))
        self.back_button = self._button(_("Previous"), "", lambda: self.turned.emit(-1))
        self.on_button = self._button(_("Next"), "", lambda: self.turned.emit(1))
        self.freeze_button = self._button(_("Freeze"), "F", self.freeze_asked.emit)
        self.blank_button = self._button(_("Black"), "B", self.blank_asked.emit)
        self.leave_button = self._button(_("Leave"), "F5", self.leave_asked.emit)
        for button in (self.freeze_button, self.blank_button):
            button.setCheckable(True)
        self._row = QHBoxLayout(self)
        self._words = QVBoxLayout()
        for label, stretch in ((self.text, 0), (self.hint, 0), (self.next, 0)):
            self._words.addWidget(label, stretch)
        self._words.addStretch(1)
        self._controls = QGridLayout()
        self._controls.addWidget(self.time, 0, 0, 1, 2)
        for place, button in enumerate(
            (self.back_button, self.on_button, self.freeze_button, self.blank_button)
        ):
            self._controls.addWidget(button, 1 + place // 2, place % 2)
        self._controls.addWidget(self.leave_button, 3, 0, 1, 2)
        self._controls.setRowStretch(4, 1)
        self._row.addWidget(self.view, 0, Qt.AlignmentFlag.AlignTop)
        self._row.addLayout(self._words, 1)
        self._row.addLayout(self._controls)
        self.retheme(theme)

    def show_notes(self, notes: Notes) -> None:
        """Show the notes of a page."""
        self.text.setText(notes.text)
        self.hint.setText(notes.hint)
        self.hint.setVisible(bool(notes.hint))
        self.next.setText(_("Next: {step}").format(step=notes.next))
        self.next.setVisible(bool(notes.next))

    def show_view(
        self, picture: QPixmap, seconds: int, until: int | None, *, frozen: bool, blank: bool
    ) -> None:
        """Show what the audience sees, for how long already and until when, and what lies over."""
        self.view.show_picture(picture)
        self.time.setText(_clock(seconds) + ("" if until is None else f" / {_clock(until)}"))
        late = until is not None and seconds > until
        said = "" if until is None else _("This page should be done by then")
        self.time.setToolTip(plain_tip(said))
        show_ink(self.time, "err" if late else "ink1")
        self.freeze_button.setChecked(frozen)
        self.blank_button.setChecked(blank)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme, px = theme, theme.px
        self._row.setContentsMargins(px(16), px(10), px(16), px(10))
        self._row.setSpacing(px(20))
        self._words.setSpacing(px(6))
        self._controls.setSpacing(px(6))
        for label, size, weight in (
            (self.text, _TEXT, 400),
            (self.hint, _NEXT, 400),
            (self.next, _NEXT, 500),
            (self.time, _TIME, 600),
        ):
            label.setFont(theme.font(size, weight))
        for button in self.findChildren(QPushButton):
            button.setFont(theme.font(14, 500))
        self._share_out()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the words the room that they need first."""
        super().resizeEvent(event)
        self._share_out()

    def _share_out(self) -> None:
        """Show the audience's view as wide as the words leave room for it."""
        px = self._theme.px
        taken = self._controls.sizeHint().width() + 2 * px(16) + 2 * px(20)
        width = min(px(_TALL * 16 // 9), self.width() - taken - px(_WORDS))
        self.view.setFixedSize(QSize(max(1, width), max(1, width * 9 // 16)))
        self.view.setVisible(width >= px(_LEAST_VIEW))

    def _button(self, text: str, key: str, act: object) -> QPushButton:
        button = QPushButton(text, self)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setToolTip(plain_tip(noted(text, key) if key else text))
        button.clicked.connect(act)
        return button


class _View(QWidget):
    """The audience's view, small."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._picture = QPixmap()
        self.setAccessibleName(_("What the audience sees"))

    def show_picture(self, picture: QPixmap) -> None:
        """Show another picture."""
        self._picture = picture
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the picture within a thin frame."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            size = self._picture.size().scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
            where = QRect(0, 0, size.width(), size.height())
            painter.drawPixmap(where, self._picture)
            painter.setPen(self.palette().mid().color())
            painter.drawRect(where.adjusted(0, 0, -1, -1))


_EACH = 400  # ms between pictures of the audience's view


class Shown(NamedTuple):
    """Something that can be presented.

    Parameters
    ----------
    make : callable
        Returns its page, as a child of a window.
    clock : FrameClock
        Draws it.
    handle : callable
        Carries out an intent.
    """

    make: Callable[[Theme, QWidget], Slide[Any]]
    clock: FrameClock
    handle: Callable[[object], None]


class Presentation(QObject):
    """Opens the audience's window, and gives the focus back when it is left.

    Where the audience has a screen of its own, the main window shows notes and controls.

    Parameters
    ----------
    window : QWidget
        The main window.
    session : Session
    find : callable
        Returns what can be presented, by its name.
    tell_notes : callable
        Returns the notes of what is presented.
    place : callable
        Returns the column in the main window at whose end the notes are put.
    """

    changed = Signal()  # whether there is an audience, and whether its picture is kept still
    room_asked = Signal()
    keys_asked = Signal()
    scaled = Signal(int)

    def __init__(
        self,
        window: QWidget,
        session: Session,
        find: Callable[[str], Shown],
        tell_notes: Callable[[], Notes],
        place: Callable[[], QVBoxLayout],
    ) -> None:
        super().__init__(window)
        self._window, self._session = window, session
        self._find, self._tell_notes, self._place = find, tell_notes, place
        self._theme, self._moves = Theme(), True
        self._pages: dict[str, tuple[Slide[Any], Shown]] = {}
        self.audience: Audience | None = None
        self.notes: NotesBar | None = None
        self._since = QElapsedTimer()
        self._lesson, self._begun = "", 0.0  # when, in seconds, that lesson's first page began
        self._looking = QTimer(self)
        self._looking.setInterval(_EACH)
        self._looking.timeout.connect(self._look)

    def show(self, name: str, theme: Theme, *, moves: bool) -> None:
        """Open the audience's window: on the other screen where there is one.

        moves : whether things may move
        """
        self._theme, self._moves = theme, moves
        if self.audience is not None:
            self.turn_to(name)
            self.audience.activateWindow()
            return
        audience = self.audience = Audience(self._session, theme, self._window)
        audience.left.connect(self._leave)
        audience.changed.connect(self._tell_change)
        audience.room_asked.connect(self.room_asked)
        audience.keys_asked.connect(self.keys_asked)
        audience.scaled.connect(self.scaled)
        screen = screen_for(self._window)
        audience.setGeometry(screen.geometry())
        audience.showFullScreen()
        self.turn_to(name)
        self._since.start()
        self._lesson, self._begun = "", 0.0
        if screen is not self._window.screen():
            self._show_notes(theme)
        audience.hovered.connect(self._size_tips)
        _application().focusChanged.connect(self._listen)
        self._listen(None, self._window.focusWidget() or self._window)
        audience.activateWindow()
        self.changed.emit()

    def turn_to(self, name: str) -> None:
        """Show something else to the audience; nothing where there is none."""
        if self.audience is None:
            return
        if name in self._pages:
            self.audience.show_page(self._pages[name][0])
            return
        shown = self._find(name)
        page = shown.make(self._theme, self.audience)
        page.intent.connect(shown.handle)
        page.closed.connect(self.audience.close)
        page.turned.connect(self.audience.overlay.clear)
        self._pages[name] = page, shown
        self.audience.show_page(page)
        shown.clock.add(page)
        self.allow_motion(self._moves)

    def redraw(self) -> None:
        """Draw the pages again although nothing of their numbers changed (a lesson's page)."""
        for page, shown in self._pages.values():
            shown.clock.redraw(page)
        self._look()

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        if self.audience is not None:
            self.audience.retheme(theme)
            self.redraw()
            self._size_tips()
        if self.notes is not None:
            self.notes.retheme(theme)

    def allow_motion(self, wanted: bool) -> None:
        """Let things move, or be there at once."""
        self._moves = wanted
        if self.audience is not None:
            allow_motion(self.audience, wanted)
        for page, _shown in self._pages.values():
            page.set_motion(wanted)

    def leave(self) -> None:
        """Close the audience's window; nothing where there is none."""
        if self.audience is not None:
            self.audience.close()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Freeze and blank from the main window too, unless a cell or a text field has the focus.

        What has the focus there is watched, and nothing else.
        """
        if (
            self.audience is None
            or event.type() != QEvent.Type.KeyPress
            or not isinstance(event, QKeyEvent)
            or event.modifiers() != Qt.KeyboardModifier.NoModifier
        ):
            return False
        act = {
            Qt.Key.Key_F: self.audience.freeze,
            Qt.Key.Key_B: self.audience.blank,
        }.get(Qt.Key(event.key()))
        if act is not None and not event.isAutoRepeat():
            act()
        return act is not None

    # --- inside ----------------------------------------------------------------------------------

    def _show_notes(self, theme: Theme) -> None:
        column = self._place()
        parent = column.parentWidget()
        assert parent is not None
        notes = self.notes = NotesBar(theme, parent)
        column.addWidget(notes)
        notes.turned.connect(self._turn)
        assert self.audience is not None
        notes.freeze_asked.connect(self.audience.freeze)
        notes.blank_asked.connect(self.audience.blank)
        notes.leave_asked.connect(self.leave)
        self._look()
        self._looking.start()

    def _size_tips(self) -> None:
        """Let tooltips be as large as the texts of the window that the mouse is in."""
        audience, theme = self.audience, self._theme
        if audience is not None and audience.underMouse():
            theme = audience.page.sizes.picture
        size_tips(theme)

    def _listen(self, before: QWidget | None, now: QWidget | None) -> None:
        """Watch what has the focus in the main window, where no letters are typed into it."""
        if before is not None:
            before.removeEventFilter(self)
        if now is not None and now.window() is self._window and not takes_letters(now):
            now.installEventFilter(self)

    def _turn(self, by: int) -> None:
        if self.audience is not None:
            self.audience.page.turn(by)

    def _tell_change(self) -> None:
        self._look()
        self.changed.emit()

    def _look(self) -> None:
        """Show the presenter what the audience sees by now."""
        audience, notes = self.audience, self.notes
        if audience is None or notes is None:
            return
        told, seconds = self._tell_notes(), self._since.elapsed() // 1000
        if told.lesson != self._lesson:  # a class may take several, and begin within one
            self._lesson, self._begun = told.lesson, seconds - 60 * (told.since or 0.0)
        notes.show_notes(told)
        overlay = audience.overlay
        notes.show_view(
            audience.grab(),
            seconds,
            None if told.until is None else round(self._begun + 60 * told.until),
            frozen=overlay.still is not None,
            blank=overlay.blank,
        )

    def _leave(self) -> None:
        audience, self.audience = self.audience, None
        if audience is None:
            return
        _application().focusChanged.disconnect(self._listen)
        self._listen(self._window.focusWidget() or self._window, None)
        self._size_tips()
        self._looking.stop()
        for page, shown in self._pages.values():
            shown.clock.remove(page)
        self._pages.clear()
        audience.deleteLater()
        if self.notes is not None:
            self.notes.hide()
            self.notes.deleteLater()
            self.notes = None
        self._session.hover(None)
        self._window.activateWindow()  # which remembers what had the focus
        self.changed.emit()


def _clock(seconds: int) -> str:
    return f"{seconds // 60}:{seconds % 60:02}"


def screen_for(window: QWidget) -> QScreen:
    """Return another screen than the window's; its own where there is only one."""
    own = window.screen()
    others = [screen for screen in QGuiApplication.screens() if screen is not own]
    return others[0] if others else own


def _application() -> QApplication:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    return application
