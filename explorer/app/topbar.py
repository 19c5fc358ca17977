"""The bar on top: what is open, undo and redo, theme, more, and presenting it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QAction, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QMenu,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.app.menus import fill_within_screen, language_menu, more_menu
from explorer.app.pictures import PictureTaker
from explorer.kit.garbage import no_collection
from explorer.kit.icons import SIDE, icon
from explorer.kit.layouts import as_panel, fill, hairline, lay_out, set_spacing
from explorer.kit.style import finish
from explorer.kit.theme import Theme
from explorer.text import _, displayable, joined, language, noted, own_name, plain_tip

_CLOSE = 540  # px at 100 %: in a narrower bar names stand closer
_APART = 8  # px before the button that presents
_LEAST_NAME = 80  # px at 100 %: as much of the document's name is seen, or its sign alone
_NAME, _WIDEST_NAME = 280, 290  # px of the document's name, at 100 % and at any scale
MODES = ("explore", "train", "model")  # the commands that bring a page to the front


class TopBar(QWidget):
    """Logo, the page's name, the document's menu and the commonest commands.

    Parameters
    ----------
    theme : Theme
    actions : mapping of str to QAction
        The window's commands.
    document_menu, more_menu, language_menu, lesson_menu : QMenu
        Shown by the document's name, by the button with three dots, by the language's name, and by
        "Lessons".
    """

    def __init__(
        self,
        theme: Theme,
        actions: Mapping[str, QAction],
        document_menu: QMenu,
        more_menu: QMenu,
        language_menu: QMenu,
        lesson_menu: QMenu,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        as_panel(self)
        self._theme = theme
        self._close = False
        self._logo = QLabel(self)
        self._modes = {key: self._mode_button(actions[key]) for key in MODES}
        self._name = self._button(None)
        self._name.setObjectName("document")
        self._name.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._name.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the arrow after the name
        self._name.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._name.setMenu(document_menu)
        document_menu.setLayoutDirection(self.layoutDirection())  # not its button's
        self._name.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._undo, self._redo = self._button(actions["undo"]), self._button(actions["redo"])
        self._dark = self._button(actions["theme"])
        self._language = self._button(None)
        self._language.setObjectName("language")
        name = own_name(language())
        self._language.setText(name[:2].upper())
        self._language.setAccessibleName(_("Language: {name}").format(name=name))
        self._language.setToolTip(_("Language: {name}").format(name=name))
        self._language.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._language.setMenu(language_menu)
        self._more = self._button(None)
        self._more.setAccessibleName(_("More"))
        self._more.setToolTip(_("More"))
        self._more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._more.setMenu(more_menu)
        self._lessons = self._button(None)
        self._lessons.setObjectName("lessons")
        self._lessons.setText(_("Lessons"))
        self._lessons.setToolTip(_("Lessons"))
        self._lessons.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._lessons.setMenu(lesson_menu)
        self._present = self._button(actions["present"])
        self._present.setObjectName("present")
        self._present.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        keys = actions["present"].shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        tip = _("Show it to an audience, large ({keys})").format(keys=keys)
        self._present.setToolTip(plain_tip(tip))
        self._layout = QHBoxLayout(self)
        self._layout.addWidget(self._logo)
        for mode in self._modes.values():
            self._layout.addWidget(mode)
        self._layout.addWidget(self._lessons)
        self._layout.addStretch(1)
        for button in (
            self._name,
            self._undo,
            self._redo,
            self._language,
            self._dark,
            self._more,
        ):
            self._layout.addWidget(button)
        self._layout.addSpacing(_APART)
        self._layout.addWidget(self._present)
        self.retheme(theme)

    def _button(self, action: QAction | None) -> QToolButton:
        button = _CommandButton(self)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        if action is not None:
            button.setDefaultAction(action)
            action.changed.connect(button.take_name)
            button.take_name()
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        return button

    def _mode_button(self, action: QAction) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName("mode")
        button.setCheckable(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setText(action.text())
        button.setToolTip(plain_tip(noted(action.text(), action.shortcut().toString())))
        button.clicked.connect(action.trigger)
        return button

    def show_mode(self, key: str) -> None:
        """Show which page is in front."""
        for name, button in self._modes.items():
            button.setChecked(name == key)

    def show_document(self, name: str, modified: bool, note: str = "") -> None:
        """Show the name of what is open, with a dot where it has unsaved changes.

        note : what is said about it, in the tooltip
        """
        full = displayable(name)
        shown = self._name.fontMetrics().elidedText(
            full, Qt.TextElideMode.ElideRight, min(self._theme.px(_NAME), _WIDEST_NAME)
        )
        self._name.setText((shown + (" •" if modified else "")).replace("&", "&&"))
        state = _("unsaved changes") if modified else _("saved")
        self._name.setAccessibleName(joined((full, state)))
        said = noted(full, state)
        self._name.setToolTip(plain_tip(f"{said}\n{note}" if note else said))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show commands by their signs alone where there is no room for words."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        if self._close is not (self.width() < self._theme.px(_CLOSE)):
            self.retheme(self._theme)  # which fits it too
            return
        style = Qt.ToolButtonStyle
        narrow = self.width() < self._needed()
        for part in (self._logo, self._redo):
            part.setVisible(not narrow)
        for button in (self._present, self._name):
            wanted = style.ToolButtonIconOnly if narrow else style.ToolButtonTextBesideIcon
            if button.toolButtonStyle() is not wanted:
                button.setToolButtonStyle(wanted)

    def _needed(self) -> int:
        """Return the width that all words need, the document's name cut short."""
        layout = self._layout
        parts = [self._logo, *self._modes.values(), self._lessons, self._undo, self._redo]
        parts += [self._language, self._dark, self._more]
        wide = sum(part.sizeHint().width() for part in parts) + self._theme.px(_LEAST_NAME)
        style = self._present.toolButtonStyle()
        self._present.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        wide += self._present.sizeHint().width() + _APART
        self._present.setToolButtonStyle(style)
        margins = layout.contentsMargins()
        return wide + layout.spacing() * layout.count() + margins.left() + margins.right()

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        self._close = close = self.width() < theme.px(_CLOSE)
        side = theme.px(SIDE)
        self.setFixedHeight(theme.px(48))
        left, right = (theme.px(4),) * 2 if close else (theme.px(16), theme.px(12))
        set_spacing(self._layout, left, 0, right, 0, gap=theme.px(1 if close else 4))
        logo = theme.px(24)
        self._logo.setPixmap(icon("logo", theme, "ink1").pixmap(QSize(logo, logo)))
        colour, pad = theme.palette, theme.px(2 if close else 6)
        for mode in self._modes.values():
            mode.setFont(theme.font(15, 600))
            mode.setFixedHeight(theme.px(48))
            mode.setStyleSheet(
                f"#mode {{ border: none; border-radius: 0; border-bottom: 2px solid transparent;"
                f" background: transparent;"
                f" color: {colour.ink2}; padding: 2px {pad}px 0 {pad}px; }}"
                f" #mode:checked {{ color: {colour.ink1}; border-bottom-color: {colour.ink1}; }}"
                f" #mode:hover {{ color: {colour.ink1}; background: {colour.hover}; }}"
                f' #mode[ringed="true"]:focus {{ border: 2px solid {colour.ink1};'
                f" padding: 0 {pad - 2}px; }}"
            )
        self._name.setFont(theme.font(14, 500))
        self._lessons.setFont(theme.font(15, 600))
        self._language.setFont(theme.font(13, 600))
        for button, name in (
            (self._name, "chevron-down"),
            (self._undo, "undo"),
            (self._redo, "redo"),
            (self._dark, "sun" if theme.dark else "moon"),
            (self._more, "more"),
            (self._present, "present"),
        ):
            if button.defaultAction() is not None:
                button.defaultAction().setIcon(icon(name, theme))
            else:
                button.setIcon(icon(name, theme))
            button.setIconSize(QSize(side, side))
        self._present.setFont(theme.font(14, 500))
        self._present.setStyleSheet(
            f"#present {{ color: {colour.ink1}; background: {colour.raised};"
            f" border: 1px solid {colour.ctl}; border-radius: {theme.px(6)}px;"
            f" padding: {theme.px(5)}px {theme.px(6)}px {theme.px(5)}px {theme.px(9)}px; }}"
            f" #present:hover {{ background: {colour.hover}; }}"
            f" #present:disabled {{ color: {colour.ctl}; border-color: {colour.line2}; }}"
            f' #present[ringed="true"]:focus {{ border: 2px solid {colour.ink1};'
            f" padding: {theme.px(5) - 1}px {theme.px(6) - 1}px {theme.px(5) - 1}px"
            f" {theme.px(9) - 1}px; }}"
        )
        self._name.setIconSize(QSize(theme.px(14), theme.px(14)))
        self._fit()  # in the new letters


class _CommandButton(QToolButton):
    """A button without a text, or with one of its own."""

    def take_name(self) -> None:
        """Take the name of what its command does now."""
        self.setAccessibleName(self.defaultAction().text().replace("&&", "&"))


class Content(QWidget):
    """The top bar with its menus, and a place for pages.

    Parameters
    ----------
    theme : Theme
    actions : mapping of str to QAction
        The window's commands.
    pictures : PictureTaker
        Takes the pictures that a menu offers.
    fill_document : callable
        Fills the document's menu, each time it is opened.
    speak : callable
        Takes the code of another language.
    fill_lessons : callable
        Fills the menu of lessons, each time it is opened.
    draw : callable
        Draws what waits in the page in front.
    """

    def __init__(
        self,
        theme: Theme,
        actions: Mapping[str, QAction],
        pictures: PictureTaker,
        fill_document: Callable[[QMenu], None],
        speak: Callable[[str], None],
        fill_lessons: Callable[[QMenu], None],
        draw: Callable[[], None],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._draw = draw
        self._steps: Iterator[None] = iter(())
        self._stepping = False
        self._turn = QTimer(self)
        self._turn.timeout.connect(self._step)
        self._actions, self._pictures, self._speak = actions, pictures, speak
        self._fill_document, self._fill_lessons = fill_document, fill_lessons
        self._head: QWidget | None = None
        self._column = fill(QVBoxLayout(self))
        self.make_head(theme)
        self.stack = QStackedWidget(self)
        self._column.addWidget(self.stack, 1)

    def make_head(self, theme: Theme) -> None:
        """Make the bar and its menus, in the language in use, in place of those there were."""
        before, pictures = self._head, self._pictures
        head = self._head = QWidget(self)
        document = QMenu(head)
        document.aboutToShow.connect(partial(fill_within_screen, document, self._fill_document))
        taught = QMenu(head)
        taught.aboutToShow.connect(partial(fill_within_screen, taught, self._fill_lessons))
        more = more_menu(head, self._actions, pictures.parts, pictures.copy, pictures.save)
        languages = language_menu(head, self._speak)
        self.topbar = TopBar(theme, self._actions, document, more, languages, taught, head)
        self._above = fill(QVBoxLayout(head), self.topbar, hairline(head))
        self._column.insertWidget(0, head)
        head.lower()  # among the parts too it comes before the pages
        finish(head, theme)
        if before is not None:
            before.hide()
            before.deleteLater()

    def above_pages(self) -> QVBoxLayout:
        """Return the column above the pages, at whose end something can be put."""
        return self._above

    def in_turns(self, steps: Iterable[None] = ()) -> None:
        """Take the steps of a long change, then draw and paint, each in its own turn of the loop.

        Nothing is painted meanwhile; what is left of a change before is done at once.
        """
        self.finish()
        self.setUpdatesEnabled(False)
        self._steps = chain(self._steps, steps, self._drawing())
        self._turn.start()

    def finish(self) -> None:
        """Take at once the steps that are left; nothing where it is a step that asks for it."""
        while self._turn.isActive() and not self._stepping:
            self._step()

    def _step(self) -> None:
        ended = self._stepping = True  # also by a mistake, or nothing would be painted any more
        try:
            with no_collection():  # a step walks widgets
                ended = next(self._steps, self) is self
        finally:
            self._stepping = False
            if ended:
                self._turn.stop()
                self._steps = iter(())
                self.setUpdatesEnabled(True)

    def _drawing(self) -> Iterator[None]:
        self._draw()
        yield
        lay_out()  # what was drawn may want another place, and so is painted once

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale: all but the pages."""
        assert self._head is not None
        finish(self._head, theme)
        self.topbar.retheme(theme)
