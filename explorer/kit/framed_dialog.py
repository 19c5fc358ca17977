"""A modal dialog over the window: a frame with a title, closed by Esc."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from explorer.kit.labels import plain_line, show_ink
from explorer.kit.layouts import set_spacing
from explorer.kit.style import finish
from explorer.kit.theme import Theme

MARGIN, GAP = 24, 16  # px at 100 %
WIDEST = 860
_BESIDE = 0.75  # of the width: buttons that take more have what is said above them
_AIR = 24  # between the dialog and the window's edge, px


class FramedDialog(QDialog):
    """Asks for attention until it is closed.

    Parameters
    ----------
    title : str
        Plain text, translated.
    parent : QWidget
        The window, which it stays within.
    widest : int
        px at 100 %.
    """

    def __init__(self, title: str, theme: Theme, parent: QWidget, *, widest: int = WIDEST) -> None:
        super().__init__(parent, Qt.WindowType.Dialog | Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(True)
        self.setWindowTitle(title)
        self.theme, self._window = theme, parent
        finish(self, theme)
        parent.installEventFilter(self)
        px = theme.px
        self.frame = QFrame(self)
        self.frame.setObjectName("sheet")
        self.frame.setStyleSheet(f"#sheet {{ border: 1px solid {theme.palette.ctl}; }}")
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self.frame)
        self.column = QVBoxLayout(self.frame)
        set_spacing(self.column, px(MARGIN), px(GAP), px(MARGIN), px(GAP), gap=px(12))
        self.column.addWidget(self.label(title, 18, 600))
        room = parent.size()
        self.most_width = min(px(widest), room.width() - 2 * _AIR)
        self.most_height = room.height() - 2 * _AIR

    def label(self, text: str, size: float, weight: int, ink: str = "ink1") -> QLabel:
        """Return a label of plain text."""
        label = plain_line(ink, self.frame, text)
        label.setFont(self.theme.font(size, weight))
        return label

    def put_buttons(self, *asked: tuple[str, Callable[[], object]]) -> list[QPushButton]:
        """Add a line for `say`, with buttons, and return these; the last one is the usual one."""
        line = QHBoxLayout()
        self.said = self.label("", 13, 400, "ink2")
        self.said.setWordWrap(True)
        buttons = [QPushButton(text, self.frame) for text, _act in asked]
        if sum(button.sizeHint().width() for button in buttons) < _BESIDE * self.most_width:
            line.addWidget(self.said, 1)
        else:
            self.column.addWidget(self.said)
            line.addStretch()
        buttons[-1].setProperty("kind", "primary")
        for button, (_text, act) in zip(buttons, asked, strict=True):
            button.setAutoDefault(False)
            button.clicked.connect(act)
            line.addWidget(button)
        self.column.addLayout(line)
        return buttons

    def say(self, text: str, *, wrong: bool = False) -> None:
        """Say how things are, or what is wrong."""
        show_ink(self.said, "err" if wrong else "ink2")
        self.said.setText(text)

    def take_size(self, width: int, height: int) -> None:
        """Take a size, in the middle of the window."""
        self.resize(width, height)
        self._stand_in_the_middle()

    def _stand_in_the_middle(self) -> None:
        centre = self._window.mapToGlobal(self._window.rect().center())
        self.move(centre - self.rect().center())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay in the middle: a desktop may place or enlarge the window when both are open."""
        if event.type() in (QEvent.Type.Move, QEvent.Type.Resize):
            self._stand_in_the_middle()
        return False
