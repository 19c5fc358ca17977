"""The left panel of a page, with a lesson while one is open, and the rail that stands in for it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QSplitter, QToolButton, QVBoxLayout, QWidget

from explorer.kit.icons import icon
from explorer.kit.layouts import as_panel, fill, put, set_spacing
from explorer.kit.markers import marker_icon
from explorer.kit.segments import Segment, Segments
from explorer.kit.theme import Theme
from explorer.session import Space
from explorer.text import _, plain_tip


class LeftPanel(QWidget):
    """Shows the lesson, the numbers or both, and where there is a lesson the choice.

    Parameters
    ----------
    theme : Theme
    name : str
        What the page of numbers is called.
    """

    turned = Signal()  # the lesson is shown, the numbers, or both

    def __init__(self, theme: Theme, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        as_panel(self)
        self.pages = QSplitter(Qt.Orientation.Vertical, self)
        self.pages.setChildrenCollapsible(False)
        self.choice = Segments(
            [
                Segment("lesson", _("Lesson")),
                Segment("numbers", name),
                Segment("both", _("Both"), tooltip=_("The lesson above the numbers")),
            ],
            _("Left panel"),
            theme,
            exclusive=True,
            own=True,
            pad=6,  # three names stand in the narrowest panel
            parent=self,
        )
        self.choice.picked.connect(self._show)
        self._bar = put(QHBoxLayout(), self.choice, None)
        column = fill(QVBoxLayout(self), self._bar)
        self._over = QHBoxLayout()
        put(column, self._over, (self.pages, 1))
        self._numbers: QWidget = self.pages
        self._lesson: QWidget | None = None
        self._head: QWidget | None = None
        self.choice.hide()
        self.retheme(theme)

    def put(self, numbers: QWidget, head: QWidget | None = None) -> None:
        """Take the page of numbers, which is always there, and what stands over it."""
        self._head = head
        if head is not None:
            put(self._over, head, None)
            self._space()
        self._numbers = numbers
        self.pages.addWidget(numbers)
        self.setFocusProxy(numbers)

    @property
    def height_over_pages(self) -> int:
        """How much of its height the choice takes, px."""
        return self.height() - self.pages.height()

    def hides(self, widget: QWidget) -> bool:
        """Return whether a widget is among the numbers while the lesson is shown."""
        among = self._numbers is widget or self._numbers.isAncestorOf(widget)
        return among and self._numbers.isHidden()

    def add_lesson(self, lesson: QWidget) -> None:
        """Take the page of lessons."""
        self._lesson = lesson
        lesson.hide()
        self.pages.insertWidget(0, lesson)

    def show_lesson(self) -> None:
        """Show the lesson's page, and the choice between the two."""
        self.choice.show()
        self._space()
        self._show("lesson")

    def leave_lesson(self) -> None:
        """Show the numbers alone again."""
        self.choice.hide()
        self._space()
        self._show("numbers")

    def take_over(self, before: LeftPanel) -> None:
        """Choose what is shown before its shares of the height are taken over."""
        self.choice.take_over(before.choice)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        self.choice.retheme(theme)
        self._space()

    def _space(self) -> None:
        px = self._theme.px
        shown = not self.choice.isHidden()
        self._bar.setContentsMargins(*((px(16), px(10), px(16), 0) if shown else (0, 0, 0, 0)))
        headed = self._head is not None and not self._head.isHidden()
        self._over.setContentsMargins(*((px(16), px(12), px(16), 0) if headed else (0, 0, 0, 0)))

    def _show(self, key: object) -> None:
        if self._lesson is None:
            key = "numbers"
        else:
            self._lesson.setVisible(key != "numbers")
        self._numbers.setVisible(key != "lesson")
        if key == "both":
            self.pages.setSizes([self.pages.height()] * 2)  # halves, whichever was shown before
        if self._head is not None:
            self._head.setVisible(key != "lesson")
            self._space()
        self.choice.show_checked({key})
        self.turned.emit()


class Rail(QWidget):
    """What the panel holds, one below the other; a click asks for the panel.

    Parameters
    ----------
    theme : Theme
    entries : sequence of (Space or str, str)
        A role's marker or an icon's name, and a short name.
    """

    asked = Signal()

    def __init__(
        self,
        theme: Theme,
        entries: Sequence[tuple[Space | str, str]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        as_panel(self)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self._layout = QVBoxLayout(self)
        self._buttons: list[tuple[Space | str, QToolButton]] = []
        for sign, name in ((sign, _(name)) for sign, name in entries):
            button = QToolButton(self)
            button.setText(name)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
            of_matrix = isinstance(sign, Space)
            told = _("Show the numbers of {name}") if of_matrix else _("Show the panel {name}")
            button.setAccessibleName(told.format(name=name))
            button.setToolTip(plain_tip(told.format(name=name)))
            button.clicked.connect(self.asked)
            self._layout.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
            self._buttons.append((sign, button))
        self._layout.addStretch(1)
        self.retheme(theme)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        set_spacing(self._layout, 0, theme.px(12), 0, theme.px(12), gap=theme.px(8))
        side = theme.px(16)
        for sign, button in self._buttons:
            if isinstance(sign, Space):
                drawn = marker_icon(sign, theme.color("ink2"), theme.color("ink1"), side)
            else:
                drawn = icon(sign, theme)
            button.setIcon(drawn)
            button.setIconSize(QSize(side, side))
            button.setFont(theme.font(12, 500))
            button.setFixedSize(theme.px(38), theme.px(44))
