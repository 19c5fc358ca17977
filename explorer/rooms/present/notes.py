"""What a presenter sees on the laptop: the audience's view, notes of the page, and controls."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from explorer.kit.theme import Theme
from explorer.session.lesson import Notes
from explorer.text import _, plain_tip

_TALL, _TEXT, _NEXT, _TIME = 150, 17, 15, 22  # px at 100 %


class NotesBar(QWidget):
    """Lies over the page while the audience looks at another screen."""

    turned = Signal(int)
    freeze_asked = Signal()
    blank_asked = Signal()
    leave_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("notes-bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setProperty("panel", True)
        self.setAccessibleName(_("Notes for presenting"))
        self.view = _View(self)
        self.text, self.hint, self.next = (self._label(ink) for ink in ("ink1", "ink2", "ink2"))
        self.time = self._label("ink1")
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

    def show_view(self, picture: QPixmap, seconds: int, *, frozen: bool, blank: bool) -> None:
        """Show what the audience sees, for how long already, and what lies over it."""
        self.view.show_picture(picture)
        self.time.setText(f"{seconds // 60}:{seconds % 60:02}")
        self.freeze_button.setChecked(frozen)
        self.blank_button.setChecked(blank)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        px = theme.px
        self._row.setContentsMargins(px(16), px(10), px(16), px(10))
        self._row.setSpacing(px(20))
        self._words.setSpacing(px(6))
        self._controls.setSpacing(px(6))
        self.view.setFixedSize(QSize(px(_TALL * 16 // 9), px(_TALL)))
        for label, size, weight in (
            (self.text, _TEXT, 400),
            (self.hint, _NEXT, 400),
            (self.next, _NEXT, 500),
            (self.time, _TIME, 600),
        ):
            label.setFont(theme.font(size, weight))
        for button in self.findChildren(QPushButton):
            button.setFont(theme.font(14, 500))

    def _label(self, ink: str) -> QLabel:
        label = QLabel(self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        label.setProperty("ink", ink)
        return label

    def _button(self, text: str, key: str, act: object) -> QPushButton:
        button = QPushButton(text, self)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setToolTip(plain_tip(f"{text} ({key})" if key else text))
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
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        size = self._picture.size().scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
        where = QRect(0, 0, size.width(), size.height())
        painter.drawPixmap(where, self._picture)
        painter.setPen(self.palette().mid().color())
        painter.drawRect(where.adjusted(0, 0, -1, -1))
        painter.end()
