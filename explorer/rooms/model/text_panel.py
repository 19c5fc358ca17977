"""The text that the model is run on: typed, counted, run."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.kit.icons import icon
from explorer.kit.labels import plain_label, plain_line, show_ink, show_text
from explorer.kit.layouts import put, set_spacing
from explorer.kit.theme import Theme
from explorer.rooms.model.base import ModelView
from explorer.rooms.model.text_box import Mark, TextBox
from explorer.session.model.frame import ModelChange, ModelFrame
from explorer.session.model.intents import EditText, PinToken, RunText
from explorer.text import _, displayable, plain_tip

_SHOWN = 64  # characters of an example in the menu: two differ in their last word


def note_of(frame: ModelFrame) -> str:
    """Return what is said of the text: too long, longer than it was made for, or old."""
    info, count = frame.info, frame.count
    if info is None:
        return ""
    if frame.cut is not None and count is not None and count > info.positions:
        return _("the last {left} are left out").format(left=count - info.positions)
    if info.made_for and count is not None and count > info.made_for:
        return _("made for {fewer} tokens").format(fewer=info.made_for)
    if frame.stale and info.runs and frame.progress.what != "running":
        return _("Run to update") if frame.text.strip() else _("No text yet")
    return ""


class TextPanel(ModelView):
    """Box, count, Run and examples."""

    concerns: ClassVar[ModelChange] = (
        ModelChange.MODEL
        | ModelChange.RUN
        | ModelChange.TEXT
        | ModelChange.LOOK
        | ModelChange.PROGRESS
    )

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._frame = ModelFrame()
        self._title = plain_line(parent=self, text=_("Text"))
        self.count = plain_line(parent=self)
        self.box = TextBox(theme, self)
        self.box.setAccessibleName(_("Text to run"))
        self.box.setPlaceholderText(_("Type a text"))
        self.run = QPushButton(_("Run it"), self)
        self.run.setProperty("kind", "primary")
        self.run.setToolTip(plain_tip(_("Run the text through the model (Ctrl+Enter)")))
        self._keys = QLabel("Ctrl Enter", self)
        self._keys.setProperty("ink", "ink3")
        self.examples = QToolButton(self)
        self.examples.setText(_("examples"))
        self.examples.setAccessibleName(_("Texts to try"))
        self.examples.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.examples.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the arrow after the name
        self.examples.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self)
        menu.setLayoutDirection(self.layoutDirection())
        for text in EXAMPLES:
            shown = displayable(text.replace("\n", " "), _SHOWN)
            action = menu.addAction(shown.replace("&", "&&"))
            action.setData(text)
        menu.triggered.connect(lambda action: self._take_example(action.data()))
        self.examples.setMenu(menu)
        self.note = plain_label("ink2", self)
        self.note.hide()
        self.box.edited.connect(lambda text: self.intent.emit(EditText(text)))
        self.box.run_asked.connect(lambda: self.intent.emit(RunText()))
        self.box.pressed_at.connect(self._pin)
        self.run.clicked.connect(lambda: self.intent.emit(RunText()))
        self._top, self._bottom = QHBoxLayout(), QHBoxLayout()
        put(self._top, self._title, None, self.count)
        put(self._bottom, self.run, self._keys, None, self.examples)
        self._column = QVBoxLayout(self)
        put(self._column, self._top, self.box, self.note, self._bottom)
        self.setFocusProxy(self.box)
        self.retheme(theme)

    def draw(self, frame: ModelFrame) -> None:
        """Show the text, its count and what is marked in it."""
        self._frame = frame
        info = frame.info
        self.box.show_text(frame.text)
        self.box.setReadOnly(info is not None and not info.runs)
        self.box.show_marks(self._marks(frame))
        too_long = frame.cut is not None
        show_text(self.note, note_of(frame))
        show_ink(self.note, "err" if too_long else "ink2")
        show_ink(self.count, "err" if too_long else "ink3")
        self.count.setText(self._counted(frame))
        self.run.setEnabled(info is not None and info.runs and bool(frame.text.strip()))
        self.examples.setEnabled(info is None or info.runs)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        super().retheme(theme)
        px = theme.px
        self._title.setFont(theme.font(14, 600))
        for label in (self.count, self._keys, self.note):
            label.setFont(theme.font(13))
        self.count.setProperty("ink", "ink3")
        self.note.setProperty("ink", "ink2")
        self.box.retheme(theme)
        self.run.setMinimumWidth(px(76))
        self.run.setFixedHeight(px(30))
        self.run.setFont(theme.font(14, 500))
        self.run.setIcon(icon("play", theme, "on_sel"))
        self.run.setIconSize(QSize(px(14), px(14)))
        self.examples.setFont(theme.font(13))
        self.examples.setIcon(icon("chevron-down", theme))
        self.examples.setIconSize(QSize(px(14), px(14)))
        set_spacing(self._column, px(16), px(12), px(16), px(2), gap=px(8))
        self._bottom.setSpacing(px(6))

    # --- inside ----------------------------------------------------------------------------------

    def _counted(self, frame: ModelFrame) -> str:
        info, count = frame.info, frame.count
        if info is None or count is None:
            return ""
        if not info.positions or not info.runs:
            return _("{count} tokens").format(count=count)
        return _("{count} of {most} tokens").format(count=count, most=info.positions)

    def _marks(self, frame: ModelFrame) -> list[Mark]:
        marks = []
        if frame.run is not None and not frame.stale:
            for slot, place in enumerate(frame.look.pinned):
                piece = frame.run.pieces[place] if place < len(frame.run.pieces) else None
                if piece is not None and not piece.special:
                    marks.append(Mark(piece.start, piece.end, self.theme.slot(slot).ink))
        if frame.cut is not None:
            marks.append(Mark(frame.cut, len(frame.text)))
        return marks

    def _pin(self, at: int) -> None:
        """Pin the word that was pressed."""
        frame = self._frame
        if frame.run is None or frame.stale:
            return
        for place, piece in enumerate(frame.run.pieces):
            if not piece.special and piece.start <= at < piece.end:
                self.intent.emit(PinToken(place))
                return

    def _take_example(self, text: str) -> None:
        self.intent.emit(EditText(text))
        self.intent.emit(RunText())


# They are what is run, so they are in the models' language.
EXAMPLES = (
    "The animal did not cross the street because it was too tired",
    # The two words that "it" can mean change places with one word.
    "The animal did not cross the street because it was too wide",
    # Wang et al. 2022, https://arxiv.org/abs/2211.00593
    "When Mary and John went to the shop, John gave a drink to",
    # A verb that agrees with a word further back.
    "The keys to the cabinet are on the table",
    "The lighthouse stood at the end of a narrow pier, and for forty years the same woman had kept"
    " its lamp. Her name was Ingrid, and she had learned the work from her father, who had learned"
    " it from his. Every evening she climbed the ninety-one steps with a can of oil, a cloth and a"
    " small brass clock.\n\n"
    "One autumn a young engineer named Tomas came from the city to replace the lamp with an"
    " electric one. He brought three crates of cable and a machine that hummed. Ingrid watched him"
    " work and said very little. On the third night a storm broke over the coast, and the machine"
    " fell silent. Tomas ran up the stairs with a torch in his hand, but the new lamp would not"
    " light.\n\n"
    "Then he heard her steps behind him. Ingrid had carried up the old lamp, which she had wrapped"
    " in a blanket, together with the oil and the clock. She lit the wick, set it behind the glass"
    " and began to turn the lens by hand.",
)
