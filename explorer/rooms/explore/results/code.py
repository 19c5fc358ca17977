"""The code page: the scene as a short program, the active stage's lines marked."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Protocol

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QFontDatabase, QPainter, QPaintEvent, QTextCursor, QTextFormat
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from explorer.kit.labels import plain_line
from explorer.kit.layouts import put, set_spacing
from explorer.kit.segments import Segment, Segments
from explorer.kit.table.painting import PADDING
from explorer.kit.theme import Theme
from explorer.session import Frame, Scene, Stage
from explorer.session.intents import ChangeLook, CopyText
from explorer.text import _


class Code(Protocol):
    """A program.

    Attributes
    ----------
    lines : sequence of str
    stages : sequence of collections of Stage
        For each line the stations of the chain that it computes, or holds the numbers of.
    text : str
        The whole program, as it is copied.
    """

    @property
    def lines(self) -> Sequence[str]: ...

    @property
    def stages(self) -> Sequence[Collection[Stage]]: ...

    @property
    def text(self) -> str: ...


CodeOf = Callable[[Scene, bool], Code]  # from the scene and whether PyTorch is wanted


class CodeText(QPlainTextEdit):
    """Lines of plain text, some of them marked by a fill and a bar at the left."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.marked: tuple[int, ...] = ()
        self._theme = Theme()
        self.setReadOnly(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setTabChangesFocus(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(_("Code"))

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        font.setPixelSize(theme.px(12))
        self.setFont(font)
        self.document().setDocumentMargin(theme.px(10))
        canvas, ink = theme.palette.canvas, theme.palette.ink1
        self.setStyleSheet(
            f"QPlainTextEdit {{ background: {canvas}; border: none;"
            f" border-radius: 0; padding: 2px; }}"
            f" QPlainTextEdit:focus {{ border: 2px solid {ink}; padding: 0; }}"
        )

    def show_lines(self, lines: Sequence[str], marked: tuple[int, ...]) -> None:
        """Show a program; the place one has scrolled to is kept."""
        text = "\n".join(lines)
        if text != self.toPlainText():
            places = [bar.value() for bar in (self.horizontalScrollBar(), self.verticalScrollBar())]
            self.setPlainText(text)
            self.horizontalScrollBar().setValue(places[0])
            self.verticalScrollBar().setValue(places[1])
        self.marked = marked
        selections = []
        for line in marked:
            selection = QTextEdit.ExtraSelection()
            selection.cursor = QTextCursor(self.document().findBlockByNumber(line))
            selection.format.setBackground(self._theme.color("hover"))
            selection.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
            selections.append(selection)
        self.setExtraSelections(selections)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        with QPainter(self.viewport()) as painter:
            for line in self.marked:
                block = self.document().findBlockByNumber(line)
                rect = self.blockBoundingGeometry(block).translated(self.contentOffset())
                bar = QRectF(0, rect.top(), self._theme.px(3), rect.height())
                painter.fillRect(bar, self._theme.color("ink1"))


class CodePage(QWidget):
    """The code with its language and a copy button.

    Parameters
    ----------
    code : callable
    """

    intent = Signal(object)

    def __init__(self, code: CodeOf, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._code = code
        self._made: tuple[Scene, bool] | None = None
        self._shown: Code | None = None
        self._caption = plain_line(text=_("Code"))
        self.languages = Segments(
            [Segment(False, "NumPy"), Segment(True, "PyTorch")],
            _("Language of the code"),
            theme,
            exclusive=True,
        )
        self.languages.picked.connect(
            lambda torch: self.intent.emit(ChangeLook({"torch_code": bool(torch)}))
        )
        self.copy = QPushButton(_("Copy"))
        self.copy.clicked.connect(self._copied)
        self.text = CodeText()
        self._top = put(QHBoxLayout(), self._caption, None, self.languages, self.copy)
        self._column = put(QVBoxLayout(self), self._top, (self.text, 1))
        self.retheme(theme)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        pad = theme.px(PADDING)
        set_spacing(self._column, 0, theme.px(14), 0, 0, gap=theme.px(12))
        set_spacing(self._top, pad, 0, pad, 0, gap=theme.px(8))
        self._caption.setFont(theme.font(14, 600))
        self.copy.setFont(theme.font(14, 500))
        self.languages.retheme(theme)
        self.text.retheme(theme)

    def draw(self, frame: Frame) -> None:
        """Show the frame's scene as code."""
        torch = frame.look.torch_code
        if self._made is None or self._made[0] is not frame.scene or self._made[1] != torch:
            self._made = (frame.scene, torch)
            self._shown = self._code(frame.scene, torch)
        assert self._shown is not None
        stages = self._shown.stages
        active = tuple(i for i, own in enumerate(stages) if frame.look.stage in own)
        self.languages.show_checked({torch})
        self.text.show_lines(self._shown.lines, active)

    def _copied(self) -> None:
        if self._shown is not None:
            self.intent.emit(CopyText(self._shown.text))
