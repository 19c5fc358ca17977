"""The sentences of a corpus as a list: words in their colours, the target's probability."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    QStringListModel,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QKeyEvent,
    QPainter,
    QPen,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from explorer.kit.drawing_cache import drawing_cache
from explorer.kit.fold import INSET
from explorer.kit.table.painting import LEFT, RIGHT, draw_box, draw_text
from explorer.kit.theme import Theme, TokenColour
from explorer.session import Array
from explorer.session.train import TrainFrame
from explorer.text import _, display_number, displayable, joined, plain_tip
from explorer.traces import Corpus, Trace

_LONGEST = 400  # of a sentence read aloud or shown in a tooltip, in characters


@dataclass(frozen=True, eq=False)
class CorpusRows:
    """Sentences as lines of words separated by spaces, untrusted plain text.

    Parameters
    ----------
    sentences : sequence of str
    samples : mapping of int to int
        The recorded sample of a row; rows without one were not recorded.
    targets : bool
        Whether the last word of a sentence is what the others predict.
    """

    sentences: Sequence[str] = ()
    samples: Mapping[int, int] = field(default_factory=dict)
    targets: bool = True

    @classmethod
    def of(cls, trace: Trace | None, corpus: Corpus | None) -> CorpusRows:
        """Return the sentences of a trace, or else those of the next run."""
        if trace is None:
            return cls(corpus.sentences if corpus is not None else ())
        if trace.run.corpus and trace.samples is not None:
            rows = {int(row): sample for sample, row in enumerate(trace.samples)}
            return cls(trace.run.corpus, rows)
        count = len(trace.lengths)
        words = [[*trace.words(sample), trace.target(sample)] for sample in range(count)]
        return cls(
            tuple(" ".join(word for word in line if word is not None) for line in words),
            {sample: sample for sample in range(count)},
            trace.targets is not None,
        )

    def words(self, row: int) -> tuple[list[str], str | None]:
        """Return a row's words and its target."""
        words = self.sentences[row].split()
        return (words[:-1], words[-1]) if self.targets else (words, None)

    def said(self, row: int) -> str:
        """Return a row's sentence on one line."""
        words, target = self.words(row)
        if target is None:
            return displayable(" ".join(words), _LONGEST)
        # Each set apart: the arrow leads from the left to the right in every script, as painted.
        *given, last = (displayable(word, _LONGEST_WORD) for word in (*words, target))
        return displayable(f"{' '.join(given)} → {last}", _LONGEST)


@dataclass(frozen=True, eq=False)
class Predictions:
    """What a step predicts.

    target : (N,); the probability of each sample's target
    right : (N,) bool; whether it is the likeliest word
    """

    target: Array
    right: Array

    @classmethod
    def of(cls, frame: TrainFrame) -> Predictions | None:
        """Return the shown step's, or None where it holds no logits or no targets."""
        trace, values = frame.trace, frame.values
        if trace is None or values is None or trace.targets is None:
            return None
        probabilities = values.probabilities
        if probabilities is None:
            return None
        at = np.arange(len(trace.targets))
        return cls(probabilities[at, trace.targets], probabilities.argmax(axis=1) == trace.targets)

    def said(self, sample: int) -> str:
        """Return a sample's prediction in words."""
        text = _("probability of the target {p}").format(
            p=display_number(float(self.target[sample]), 2)
        )
        return joined((text, _("correct") if self.right[sample] else ""))


ROW, COMPACT_ROW = 31, 27  # px at 100 %
_TICK = 9
_ARROW = "→"
_LONGEST_WORD = 64
_LINE, _MOST_LINES = 20, 6  # a sentence is shown whole, but in a corpus that is long itself
_LEAST = 3  # sentences in view
_MOST_WRAPPED = 300  # sentences; of more each has one line
_PREDICTED = _TICK + 9 + 30 + 12  # right of the words

Index = QModelIndex | QPersistentModelIndex


class _Model(QStringListModel):
    """The rows, and what is predicted for those that were recorded.

    Qt's own list counts them: a view asks for the count of thousands of rows very often.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.rows = CorpusRows()
        self.predictions: Predictions | None = None
        self.colours: Mapping[str, TokenColour] = {}

    def show_rows(self, rows: CorpusRows) -> None:
        """Take other sentences."""
        if rows is not self.rows:
            self.rows = rows
            self.setStringList(list(rows.sentences))

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Return that recorded sentences can be chosen."""
        if index.row() in self.rows.samples:
            return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return Qt.ItemFlag.NoItemFlags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return what is said of a sentence; painting does not ask here."""
        if not index.isValid():
            return None
        sample = self.rows.samples.get(index.row())
        if role == Qt.ItemDataRole.ToolTipRole:
            text = self.rows.said(index.row())
            if sample is None and self.rows.samples:
                text = _("{sentence} (not recorded)").format(sentence=text)
            return plain_tip(text)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            text = self.rows.said(index.row())
            if sample is None or self.predictions is None:
                return text
            return joined((text, self.predictions.said(sample)))
        return None


class _Painter(QStyledItemDelegate):
    """Paints a row."""

    def __init__(self, model: _Model, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self.theme = theme
        self.height = ROW
        self.width = 0  # of the list

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return a row's size."""
        more = len(self._lines(index.row())) - 1
        return QSize(self.theme.px(120), self.theme.px(self.height + more * _LINE))

    def _lines(self, row: int) -> tuple[tuple[str, ...], ...]:
        """Return a row's words by lines; the target follows the last."""
        px, model = self.theme.px, self._model
        words, target = model.rows.words(row)
        if len(model.rows.sentences) > _MOST_WRAPPED or not self.width:
            return (tuple(words),)
        room = self.width - 2 * (px(INSET) + 1) - px(_PREDICTED)
        return _broken(self.theme, tuple(words), target, room)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint words, probability and tick; the chosen row is outlined."""
        theme, model = self.theme, self._model
        state: QStyle.StateFlag = option.state
        box = QRectF(option.rect)
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        hovered = bool(state & QStyle.StateFlag.State_MouseOver)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if chosen or hovered:
            fill, edge = theme.color("raised" if chosen else "hover"), theme.color("ink1")
            inside = box.adjusted(1, 1, -1, -1)
            draw_box(painter, inside, theme.px(5), fill, edge if chosen else None, 2)
        inner = box.adjusted(theme.px(INSET) + 1, 0, -theme.px(INSET) - 1, 0)
        sample = model.rows.samples.get(index.row())
        if sample is not None and model.predictions is not None:
            self._paint_prediction(painter, inner, model.predictions, sample)
            inner.setRight(inner.right() - theme.px(_PREDICTED))
        lines, high, weight = self._lines(index.row()), theme.px(_LINE), 600 if chosen else 400
        target = model.rows.words(index.row())[1]
        top = inner.center().y() - len(lines) * high / 2
        for place, words in enumerate(lines):
            line = QRectF(inner.left(), top + place * high, inner.width(), high)
            end = target if place == len(lines) - 1 else None
            for x, shown, word in _placed(theme, words, end, line.width(), weight):
                ink, bold = (self._ink(word), weight) if word else (theme.color("ink3"), 400)
                where = line.adjusted(x, 0, 0, 0)
                draw_text(painter, theme, shown, where, ink, 14, bold, LEFT)
        painter.restore()

    def _paint_prediction(
        self, painter: QPainter, inner: QRectF, predictions: Predictions, sample: int
    ) -> None:
        theme, middle = self.theme, inner.center().y()
        tick = theme.px(_TICK)
        if predictions.right[sample]:
            pen = QPen(theme.color("ink2"), 1.5 * theme.percent / 100)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
            painter.setPen(pen)
            right = inner.right()
            points = ((right - tick, 0.05), (right - 0.62 * tick, 0.4), (right, -0.35))
            painter.drawPolyline(QPolygonF([QPointF(x, middle + y * tick) for x, y in points]))
        number = display_number(float(predictions.target[sample]), 2)
        beside = inner.adjusted(0, 0, -tick - theme.px(9), 0)
        draw_text(painter, theme, number, beside, theme.color("ink1"), 14, align=RIGHT)

    def _ink(self, text: str) -> QColor:
        colour = self._model.colours.get(text)
        return self.theme.color("ink2" if colour is None else colour.ink)


@drawing_cache(1024)
def _broken(
    theme: Theme, words: tuple[str, ...], target: str | None, room: int
) -> tuple[tuple[str, ...], ...]:
    """Return words by lines that have room for them; the target follows the last."""
    metrics = QFontMetricsF(theme.font(14, 600))  # as the chosen one has it
    space = metrics.horizontalAdvance(" ")
    last = 0.0
    if target is not None:
        last = metrics.horizontalAdvance(f"{_ARROW}  {displayable(target, _LONGEST_WORD)}")
    wide = [metrics.horizontalAdvance(displayable(each, _LONGEST_WORD)) for each in words]
    lines: list[list[str]] = [[]]
    x = 0.0
    for place, (each, width) in enumerate(zip(words, wide, strict=True)):
        ends = width + (space + last if place == len(words) - 1 else 0.0)
        if lines[-1] and x + ends > room and len(lines) < _MOST_LINES:
            lines.append([])
            x = 0.0
        lines[-1].append(each)
        x += width + space
    return tuple(map(tuple, lines))


@drawing_cache(1024)
def _placed(
    theme: Theme, words: tuple[str, ...], target: str | None, room: float, weight: int
) -> tuple[tuple[float, str, str], ...]:
    """Return the words of a line from the left, as many as there is room for; the target always.

    Of each: where it begins, what is shown of it, and the word itself.
    """
    metrics = QFontMetricsF(theme.font(14, weight))
    space, x = metrics.horizontalAdvance(" "), 0.0
    placed = []
    end, arrow = "", 0.0
    if target is not None:
        end = displayable(target, _LONGEST_WORD)
        arrow = metrics.horizontalAdvance(_ARROW) + 2 * space
        most = max(room - arrow - 4 * space, 0.0) * (0.6 if words else 1.0)
        end = metrics.elidedText(end, Qt.TextElideMode.ElideRight, most)
        room -= arrow + metrics.horizontalAdvance(end)
    for place, text in enumerate(words):
        shown = displayable(text, _LONGEST_WORD)
        width = metrics.horizontalAdvance(shown)
        left = room - x
        rest = metrics.horizontalAdvance(" …") if place < len(words) - 1 else 0.0
        whole = width + rest <= left
        if not whole:
            shown = metrics.elidedText(shown + "…", Qt.TextElideMode.ElideRight, left)
            width = metrics.horizontalAdvance(shown)
        placed.append((x, shown, text))
        x += width + space
        if not whole:
            break
    if target is not None:
        placed.append((x, _ARROW, ""))
        placed.append((x + arrow - space, end, target))
    return tuple(placed)


class CorpusList(QListView):
    """Shows the sentences and asks for another sample by click or arrow keys."""

    asked = Signal(int)  # a sample

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._showing = False
        self._model = _Model(self)
        self._painter = _Painter(self._model, theme, self)
        self.setModel(self._model)
        self.setItemDelegate(self._painter)
        self.setAccessibleName(_("Sentences"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setStyleSheet("QListView { background: transparent; border: none; }")
        self.selectionModel().currentChanged.connect(self._chosen)
        self.retheme(theme)

    def draw(
        self,
        rows: CorpusRows,
        predictions: Predictions | None,
        colours: Mapping[str, TokenColour],
        sample: int | None,
    ) -> None:
        """Show sentences, predictions, and which of them is chosen; emits nothing."""
        self._showing, others = True, rows is not self._model.rows
        self.setUniformItemSizes(len(rows.sentences) > _MOST_WRAPPED)
        self._model.show_rows(rows)
        self._model.predictions, self._model.colours = predictions, colours
        row = _row_of(rows, sample)
        index = self._model.index(row) if row is not None else QModelIndex()
        if index != self.currentIndex():
            self.setCurrentIndex(index)
        self._showing = False
        if others:
            self._make_room()
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Break the sentences anew."""
        # Always as beside a scroll bar: one that breaks sentences would make itself needed.
        before, bar = self._painter.width, self.verticalScrollBar().sizeHint().width()
        self._painter.width = self.width() - bar
        super().resizeEvent(event)
        if before != self._painter.width:
            self._make_room()

    def _make_room(self) -> None:
        """Have three sentences in view at the least."""
        px, row = self._painter.theme.px, self._painter.height
        first = range(min(_LEAST, self._model.rowCount()))
        needed = sum(self.sizeHintForRow(place) for place in first)
        self.setMinimumHeight(max(px(_LEAST * row), min(needed, px(_LEAST * (row + 3 * _LINE)))))
        self.updateGeometry()  # more sentences may fill more than that

    def needed(self, most: int) -> int:
        """Return the height of all sentences, or `most` where that is less; in px."""
        needed = 0
        for place in range(self._model.rowCount()):
            if needed >= most:
                break
            needed += self.sizeHintForRow(place)
        return min(needed, most)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave Space to the timeline: the chosen sentence stays chosen."""
        if event.key() == Qt.Key.Key_Space:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def _chosen(self, current: QModelIndex, _before: QModelIndex) -> None:
        sample = self._model.rows.samples.get(current.row())
        if not self._showing and sample is not None:
            self.asked.emit(sample)

    def retheme(self, theme: Theme, compact: bool = False) -> None:
        """Take another theme, text scale or height of rows."""
        self._painter.theme = theme
        self._painter.height = COMPACT_ROW if compact else ROW
        self.verticalScrollBar().setSingleStep(theme.px(self._painter.height))
        self._make_room()
        self.scheduleDelayedItemsLayout()
        self.viewport().update()

    def sizeHint(self) -> QSize:
        """Return room for a few sentences; what room there is more is taken too."""
        return QSize(self._painter.theme.px(200), self.minimumHeight())


def _row_of(rows: CorpusRows, sample: int | None) -> int | None:
    found: Sequence[int] = [row for row, each in rows.samples.items() if each == sample]
    return found[0] if found else None
