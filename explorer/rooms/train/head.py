"""The head whose Q, K and V are shown, as a frame that Explore's pieces can draw."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from explorer.kit.labels import plain_label
from explorer.kit.layouts import put
from explorer.kit.mosaic import Tile, tiles_of
from explorer.kit.run_words import sample_words
from explorer.kit.theme import Theme, TokenColours
from explorer.session import Edges, Frame, Look, Stage
from explorer.session.train import TrainFrame
from explorer.session.train.intents import EditCopy
from explorer.text import Problem, _, joined, listed, plain_tip

NEEDED = ("x", "q", "k", "v", "scores", "head_output")
# Scores as they are recorded: scaled and masked.
LOOK = Look(stage=Stage.A, edges=Edges.ATTENTION, scaled=True)


@dataclass(frozen=True, eq=False)
class Head:
    """One head of the chosen sample.

    Parameters
    ----------
    frame : Frame
        Its arrays, as a scene with one head; `look.head` is 0.
    number, heads : int
        Which one it is, counted from 0, of how many; −1 for their average.
    colours : pair of lists of TokenColour
        The sample's words have theirs.
    epoch : int
        Of the numbers; where a step cannot be shown, they are those of the last good one.
    note : str
        Why this head is shown although another tile is chosen; empty where it is the chosen one.
    only_weights : bool
        Whether its weights alone are known.
    """

    frame: Frame
    number: int
    heads: int
    colours: TokenColours
    epoch: int
    note: str
    only_weights: bool = False

    @property
    def title(self) -> str:
        """What it is called."""
        if self.number < 0:
            return _("Average over {heads} heads").format(heads=self.heads)
        return _("Head {head} of {heads}").format(head=self.number + 1, heads=self.heads)


def shown_head(theme: Theme, frame: TrainFrame) -> Head | str:
    """Return the chosen head (the first where the average is), or what there is to say instead."""
    trace, values, cursor = frame.trace, frame.values, frame.cursor
    if trace is None or values is None:
        return nothing_yet(frame)
    missing = [name for name in NEEDED if name not in trace.names]
    if missing:
        return _("This trace does not hold {arrays}, so there are no vectors to show.").format(
            arrays=listed(missing)
        )
    number = 0 if cursor.head is None else cursor.head
    try:
        shown = values.head_frame(cursor.sample, number, LOOK, frame.selection, frame.hover)
    except Problem as problem:
        return str(problem.message)
    assert shown is not None
    colours = list(sample_words(theme, frame).colours)
    note = ""
    if cursor.head is None and trace.sizes["H"] > 1:
        note = _("The average has no Q, K and V of its own: they belong to one head.")
    return Head(shown, number, trace.sizes["H"], (colours, colours), values.epoch, note)


def shown_numbers(theme: Theme, frame: TrainFrame) -> Head | str:
    """Return the chosen head; its weights, or their average, where a trace holds only weights."""
    trace, values, cursor = frame.trace, frame.values, frame.cursor
    if trace is None or values is None or all(name in trace.names for name in NEEDED):
        return shown_head(theme, frame)
    number = -1 if cursor.head is None else cursor.head
    if trace.sizes["H"] == 1:
        number = 0
    try:
        pointed = frame.selection, frame.hover
        shown = values.weights_frame(cursor.sample, cursor.head, LOOK, *pointed)
    except Problem as problem:
        return str(problem.message)
    colours = list(sample_words(theme, frame).colours)
    missing = listed(name for name in NEEDED if name not in trace.names)
    note = _("This trace does not hold {arrays}.").format(arrays=missing)
    heads = trace.sizes["H"]
    return Head(shown, number, heads, (colours, colours), values.epoch, note, only_weights=True)


def nothing_yet(frame: TrainFrame) -> str:
    """Return what there is to say where a frame has no numbers at all."""
    if frame.bad is not None:
        return str(frame.bad)
    return _("No run yet.") if frame.trace is None else _("Nothing has been recorded yet.")


def head_tiles(frame: TrainFrame) -> tuple[Tile, ...]:
    """Return the map of every head and, last, that of the average where there are several.

    Raises Problem.
    """
    values, sample = frame.values, frame.cursor.sample
    if values is None:
        return ()
    heads = values.weights.shape[1]
    hidden = _masked(frame, heads)
    maps = [values.sample_weights(sample, head) for head in (*range(heads), None)]
    tiles = tiles_of(maps, [*hidden, np.asarray(hidden.all(axis=0))])
    return tiles if heads > 1 else tiles[:1]


def _masked(frame: TrainFrame, heads: int) -> NDArray[np.bool_]:
    """Return what each head may not see, (H, T, T): as the scores tell, else as the run says."""
    trace, values, cursor = frame.trace, frame.values, frame.cursor
    assert trace is not None
    assert values is not None
    length = int(trace.lengths[cursor.sample])
    if "scores" in trace.names:
        try:
            scores = values.step.array("scores", cursor.sample, values.layer)
        except Problem:
            pass  # the numbers are said to be bad where they are shown
        else:
            return np.asarray(np.isneginf(scores[:, :length, :length]))
    config = trace.run.config
    hidden = np.zeros((length, length), dtype=bool)
    if config is not None and config.causal:
        hidden = ~np.tri(length, dtype=bool)
    return np.broadcast_to(hidden, (heads, length, length))


class HeadHeading(QWidget):
    """Which head is shown, and a button that opens a copy of it in Explore."""

    intent = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title, self._note = plain_label(), plain_label("ink3")
        self.copy_button = QPushButton(_("Edit a copy"))
        self.copy_button.setToolTip(
            plain_tip(_("Open this head at this epoch in Explore, where it can be dragged"))
        )
        self.copy_button.clicked.connect(lambda: self.intent.emit(EditCopy()))
        self._texts = put(QVBoxLayout(), self._title, self._note)
        self._row = QHBoxLayout(self)
        self._row.addLayout(self._texts, 1)
        self._row.addWidget(self.copy_button, 0, Qt.AlignmentFlag.AlignVCenter)
        self.retheme(theme)

    @property
    def visible_text(self) -> str:
        """What can be read."""
        labels = (self._title, self._note)
        return " ".join(label.text() for label in labels if label.isVisibleTo(self))

    def draw(self, frame: TrainFrame, head: Head | str) -> None:
        """Name the head, or say why there is none."""
        if isinstance(head, str):
            self._title.setText(head)
            note = ""
        else:
            parts = [head.title]
            layers = 1 if frame.trace is None else frame.trace.sizes["L"]
            if layers > 1:
                layer = frame.cursor.layer + 1
                parts.append(_("layer {layer} of {layers}").format(layer=layer, layers=layers))
            parts.append(_("epoch {epoch}").format(epoch=head.epoch))
            self._title.setText(joined(parts))
            note = head.note
        self._note.setText(note)
        self._note.setVisible(bool(note))
        self.copy_button.setVisible(not isinstance(head, str) and not head.only_weights)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        px = theme.px
        self._title.setFont(theme.font(14, 600))
        self._note.setFont(theme.font(13))
        self.copy_button.setFont(theme.font(13, 500))
        self._texts.setSpacing(px(2))
        self._row.setContentsMargins(px(16), px(4), px(16), px(8))
