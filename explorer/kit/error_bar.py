"""The bar over the page that says what went wrong. Never modal; data stays on screen."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QWidget

from explorer.kit.icons import SIDE, icon
from explorer.kit.labels import plain_label
from explorer.kit.layouts import as_panel, set_spacing
from explorer.kit.theme import Theme
from explorer.text import Message, _, displayable


class ErrorBar(QWidget):
    """One sentence with a mark and a button that puts it away; details where there are some."""

    moved = Signal()  # what stands below: the bar is there, or no more, or of another height

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        as_panel(self)
        self.setObjectName("error-bar")
        self._mark = QLabel(self)
        self._text = plain_label(parent=self)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.more = QToolButton(self)
        self.more.setProperty("kind", "link")
        self.more.setText(_("Details"))
        self.more.setCheckable(True)
        self.more.toggled.connect(lambda _shown: self._show_text())
        self._close = QToolButton(self)
        self._close.setAccessibleName(_("Close this message"))
        self._close.clicked.connect(self.hide)
        self._layout = QHBoxLayout(self)
        self._layout.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignTop)
        self._layout.addWidget(self._text, 1)
        self._layout.addWidget(self.more, 0, Qt.AlignmentFlag.AlignTop)
        self._layout.addWidget(self._close, 0, Qt.AlignmentFlag.AlignTop)
        self._passing, self._details = False, ""
        self._message: Message | None = None
        self.retheme(theme)
        self.hide()

    def tell(self, message: Message, *, passing: bool = False, details: str = "") -> None:
        """Show one sentence in place of the one before.

        passing : whether it is about something that was just tried, so that the next thing done
            puts it away
        details : what is shown below the sentence when asked for, untrusted plain text
        """
        self._passing, self._message, self._details = passing, message, details
        self.more.setVisible(bool(details))
        self.more.setChecked(False)
        self._show_text()
        self.setAccessibleName(displayable(str(message), limit=600))
        self.show()

    def _show_text(self) -> None:
        sentence = displayable(str(self._message), limit=600)
        more = displayable(self._details, limit=2000) if self.more.isChecked() else ""
        self._text.setText(f"{sentence}\n{more}" if more else sentence)

    def take_over(self, other: ErrorBar) -> None:
        """Tell what another bar tells, in the language in use."""
        if other._message is not None and not other.isHidden():
            self.tell(other._message, passing=other._passing, details=other._details)
            self.more.setChecked(other.more.isChecked())

    def forget_passing(self) -> None:
        """Put a sentence away that was about something just tried."""
        if self._passing:
            self.hide()

    @property
    def sentence(self) -> str:
        """What is told now; empty where the bar is put away."""
        return "" if self.isHidden() else displayable(str(self._message), limit=600)

    @property
    def text(self) -> str:
        """All that is seen: the sentence, and the details where they are unfolded."""
        return "" if self.isHidden() else self._text.text()

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        side = theme.px(SIDE)
        self._mark.setPixmap(icon("warning", theme, "err").pixmap(QSize(side, side)))
        self._close.setIcon(icon("close", theme))
        self._close.setIconSize(QSize(side, side))
        self._mark.setFixedHeight(self._close.sizeHint().height())  # level with the first line
        self._text.setFont(theme.font(14, 500))
        self.more.setFont(theme.font(13))
        self.more.setFixedHeight(self._close.sizeHint().height())
        margin = theme.px(8)
        set_spacing(self._layout, theme.px(16), margin, margin, margin, gap=theme.px(12))
        colour = theme.palette
        self.setStyleSheet(
            f"#error-bar {{ background: {colour.raised}; border-bottom: 2px solid {colour.err}; }}"
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Tell that it takes another place."""
        super().resizeEvent(event)
        self.moved.emit()

    def showEvent(self, event: QShowEvent) -> None:
        """Tell that it takes a place."""
        super().showEvent(event)
        self.moved.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        """Tell that it takes no place any more."""
        super().hideEvent(event)
        self.moved.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Put the bar away with Esc."""
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)
