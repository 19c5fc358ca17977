"""What is inside the window, in the language in use: the bar on top, the pages below it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QMenu, QStackedWidget, QVBoxLayout, QWidget

from explorer.app.menus import language_menu, more_menu
from explorer.app.pictures import PictureTaker
from explorer.app.topbar import TopBar
from explorer.kit.theme import Theme


class Content(QWidget):
    """The top bar with its menus, and a place for pages.

    Sentences are read where parts are made, so there is another one for another language.

    Parameters
    ----------
    theme : Theme
    actions : mapping of str to QAction
        The window's commands.
    pictures : PictureTaker
        Takes the pictures that a menu offers.
    fill : callable
        Fills the document's menu, each time it is opened.
    speak : callable
        Takes the code of another language.
    """

    def __init__(
        self,
        theme: Theme,
        actions: Mapping[str, QAction],
        pictures: PictureTaker,
        fill: Callable[[QMenu], None],
        speak: Callable[[str], None],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        document = QMenu(self)
        document.aboutToShow.connect(lambda: fill(document))
        more = more_menu(self, actions, pictures.parts, pictures.copy, pictures.save)
        self.topbar = TopBar(theme, actions, document, more, language_menu(self, speak), self)
        line = QFrame(self)
        line.setProperty("hairline", True)
        line.setFixedHeight(1)
        self.stack = QStackedWidget(self)
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for part, stretch in ((self.topbar, 0), (line, 0), (self.stack, 1)):
            column.addWidget(part, stretch)

    def above_pages(self) -> tuple[QVBoxLayout, int]:
        """Return where something can be put above the pages: a column, the place in it."""
        return self._column, self._column.indexOf(self.stack)
