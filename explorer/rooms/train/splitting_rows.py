"""The rows below the corpus text that say how it becomes sentences of tokens."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.kit.layouts import fill
from explorer.kit.small_inputs import CalmCombo, StepField
from explorer.kit.theme import Theme
from explorer.rooms.train.parameter_rows import Emit, ParameterRow
from explorer.session.train import TrainFrame
from explorer.session.train.intents import SetSplitting
from explorer.text import _
from explorer.traces import SPLITTING_LABELS, SPLITTING_LIMITS


class _Row(ParameterRow):
    """The row for a field of Splitting."""

    def _label(self) -> str:
        return SPLITTING_LABELS[self.field]

    def _input(self, field: str, name: str, choices: object) -> QWidget:
        if field in SPLITTING_LIMITS:
            line = StepField(name, arrows=False)
            line.committed.connect(lambda text: self._emit(SetSplitting(field, text)))
            return line
        combo = CalmCombo(name)
        names = {"words": _("Words"), "characters": _("Characters"), "pairs": _("Byte pairs")}
        self.offer(combo, names)
        combo.activated.connect(self._choose)
        return combo

    def _choose(self, index: int) -> None:
        assert isinstance(self.input, CalmCombo)
        wanted = self.input.itemData(index)
        if self._frame is not None:
            self._show_value(self._frame)  # the frame alone says what is chosen
        self._emit(SetSplitting(self.field, wanted))

    def draw(self, frame: TrainFrame) -> None:
        """Show the frame's value, or what was typed and why it cannot be."""
        self._frame = frame
        self._show_value(frame)
        self._say(frame.problems.get(self.field, (None, None))[1])

    def _show_value(self, frame: TrainFrame) -> None:
        value = getattr(frame.splitting, self.field)
        if isinstance(self.input, StepField):
            typed = frame.problems.get(self.field, (None, None))[0]
            text = "" if value is None else str(value)
            self.input.show_text(text if typed is None else typed, wrong=typed is not None)
        elif isinstance(self.input, CalmCombo):
            self.input.setCurrentIndex(self.input.findData(value))


class SplittingRows(QWidget):
    """What a token is, how many of them are learned, and into which lengths a text is cut."""

    def __init__(self, theme: Theme, emit: Emit, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = fill(QVBoxLayout(self))
        self.rows = {field: _Row(field, theme, emit) for field in ("tokens", *SPLITTING_LIMITS)}
        for row in self.rows.values():
            column.addWidget(row)
        context = self.rows["context"]
        context.set_placeholder(_("lines"))
        context.input.setToolTip(
            _("Cut the text into sentences of this many tokens and the one after them")
        )
        self.retheme(theme)

    def draw(self, frame: TrainFrame) -> None:
        """Show the frame's values."""
        for row in self.rows.values():
            row.draw(frame)
        self.rows["vocabulary"].setVisible(frame.splitting.tokens == "pairs")

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        for row in self.rows.values():
            row.retheme(theme, compact=True)
            row.label.setFont(theme.font(13))
