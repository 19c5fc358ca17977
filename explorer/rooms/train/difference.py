"""By how much B's numbers differ from A's: the attention of every head, and a head's matrices."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.kit.grids import Grid, Grids, GridsView, change_domain
from explorer.kit.labels import plain_label, show_text
from explorer.kit.layouts import fill, put, set_spacing
from explorer.kit.run_words import SampleWords, sample_words
from explorer.kit.scrolling import ColumnArea
from explorer.kit.theme import Theme
from explorer.rooms.train.base import TrainView
from explorer.session import Array
from explorer.session.train import TrainChange, TrainFrame
from explorer.text import Problem, _, display_number

_CELL = 56  # px at 100 %


def head_pair(frame: TrainFrame) -> tuple[Array, Array] | None:
    """Return the weights of every head at the cursor in A and B, (H, T, T) each; None where these
    cannot be set against each other. Raises Problem.
    """
    other = frame.other
    if other is None or frame.values is None or other.values is None or other.lacks_sample:
        return None
    pair = []
    for each in (frame, other):
        assert each.trace is not None
        assert each.values is not None
        length = int(each.trace.lengths[each.cursor.sample])
        pair.append(each.values.weights[each.cursor.sample, :, :length, :length])
    first, second = (np.asarray(maps, np.float64) for maps in pair)
    return (first, second) if first.shape == second.shape else None


def largest_change(frame: TrainFrame) -> str:
    """Return the largest change of a weight as a sentence, or why there is none. Raises Problem."""
    pair = head_pair(frame)
    if pair is None:
        return _("The heads of the two runs cannot be compared: their shapes differ.")
    change = pair[1] - pair[0]
    if not change.any():
        return _("All weights of the two runs are the same here.")
    head, query, key = np.unravel_index(np.abs(change).argmax(), change.shape)
    before, after = (display_number(float(maps[head, query, key]), 2) for maps in pair)
    numbers = {"head": int(head) + 1, "query": frame.words[query], "before": before, "after": after}
    if query == key:
        return _("Largest: head {head}, {query} to itself {before} → {after}").format(**numbers)
    return _("Largest: head {head}, {query} to {key} {before} → {after}").format(
        key=frame.words[key], **numbers
    )


def pair_grids(frame: TrainFrame, words: SampleWords) -> Grids:
    """Return A's and B's weights and B − A, a row for each head. Raises Problem."""
    pair = head_pair(frame)
    if pair is None:
        return Grids()
    change = pair[1] - pair[0]
    domain = change_domain(change)
    rows = tuple(
        (
            _("Head {head}").format(head=head + 1),
            (Grid(first, False), Grid(second, False), Grid(third, True, domain)),
        )
        for head, (first, second, third) in enumerate(zip(*pair, change, strict=True))
    )
    return Grids(("A", "B", "B \u2212 A"), rows, words.words, words.colours)


class DifferenceView(TrainView):
    """B − A as matrices with signs."""

    concerns: ClassVar[TrainChange] = TrainChange.ALL

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.said = plain_label("ink1")
        self.heads = GridsView(theme, _("Change of attention"), _CELL)
        self.vectors = GridsView(theme, _("Change of Q, K, V and O"), _CELL)
        self.heads.intent.connect(self.intent)
        self._note = plain_label("ink3")
        self._note.hide()
        self.said.hide()
        body = QWidget()
        self._column = put(QVBoxLayout(body), self.said, self.heads, self._note, self.vectors, None)
        self.area = ColumnArea()
        self.area.setWidget(body)
        fill(QVBoxLayout(self), self.area)
        self.retheme(theme)

    def draw(self, frame: TrainFrame) -> None:
        """Show the differences at the cursor."""
        shown = Grids()
        vectors: tuple[tuple[str, tuple[Grid, ...]], ...] = ()
        try:
            said = largest_change(frame)
            shown = pair_grids(frame, sample_words(self.theme, frame))
            vectors = self._vectors(frame)
        except Problem as problem:
            said = str(problem.message)
        show_text(self.said, said)
        self.heads.show_grids(shown, frame.selection, frame.hover)
        self.vectors.show_grids(Grids((), vectors), None, None)
        note = ""
        if vectors:
            note = _("B \u2212 A of head {head}: queries, keys, values and output").format(
                head=(frame.cursor.head or 0) + 1
            )
        show_text(self._note, note)
        self._column.activate()

    def _vectors(self, frame: TrainFrame) -> tuple[tuple[str, tuple[Grid, ...]], ...]:
        """Return the changes of Q, K, V and O of the chosen head, where shapes agree."""
        other = frame.other
        if other is None or frame.values is None or other.values is None or other.lacks_sample:
            return ()
        changes: list[tuple[str, Array]] = []
        for letter, name in (("Q", "q"), ("K", "k"), ("V", "v"), ("O", "head_output")):
            parts = []
            for each in (frame, other):
                assert each.values is not None
                trace, cursor = each.values.step.trace, each.cursor
                if name not in trace.names:
                    return ()
                rows = each.values.step.array(
                    name, cursor.sample, cursor.layer, 0 if cursor.head is None else cursor.head
                )
                parts.append(rows[: int(trace.lengths[cursor.sample])].astype(np.float64))
            if parts[0].shape != parts[1].shape:
                return ()
            changes.append((letter, parts[1] - parts[0]))
        domain = change_domain(*(change for _letter, change in changes))
        return tuple((letter, (Grid(change, True, domain),)) for letter, change in changes)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; a `draw` follows."""
        super().retheme(theme)
        px = theme.px
        for part in (self.heads, self.vectors):
            part.retheme(theme)
        self.said.setFont(theme.font(15))
        self._note.setFont(theme.font(13))
        set_spacing(self._column, px(16), px(8), px(16), px(16), gap=px(8))
