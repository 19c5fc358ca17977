"""Which of several sequences is shown, above the tokens."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QWidget

from explorer.kit.small_inputs import CalmCombo
from explorer.kit.theme import Theme
from explorer.session import Frame, Scene
from explorer.session.intents import ShowSequence
from explorer.text import _, displayable

_LONGEST = 60  # letters of what a sequence is called


class SequencePicker(QWidget):
    """A choice of the scene's sequences, each by its place and its tokens."""

    intent = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._names: list[str] = []
        self._shown = 0
        self.combo = CalmCombo(_("Shown sequence"), self)
        self.combo.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.combo.setMinimumContentsLength(8)
        self.combo.activated.connect(self._ask)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.combo)
        self.retheme(theme)

    def draw(self, frame: Frame) -> None:
        """Show the frame's sequences; emits nothing."""
        scene = frame.scene
        names = sequence_names(scene)
        if names != self._names:
            self._names = names
            self.combo.clear()
            self.combo.addItems(names)
        self._shown = scene.shown
        if self.combo.currentIndex() != scene.shown:
            self.combo.setCurrentIndex(scene.shown)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self.combo.setFont(theme.font(14))

    def _ask(self, place: int) -> None:
        self.combo.setCurrentIndex(self._shown)  # the frame alone says which is shown
        if place != self._shown:
            self.intent.emit(ShowSequence(place))


def sequence_names(scene: Scene) -> list[str]:
    """Return what each sequence is called in a list, such as "1 of 3: the cat sits"."""
    count = len(scene.others) + 1
    return [
        _("{n} of {all}: {tokens}").format(
            n=place, all=count, tokens=displayable(" ".join(sequence.tokens), _LONGEST)
        )
        for place, sequence in enumerate(scene.sequences, 1)
    ]
