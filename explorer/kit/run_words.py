"""The words of a run in views of Train: their colours, the sample's, and the likeliest next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.kit.table import painting
from explorer.kit.table.painting import LEFT, draw_text
from explorer.kit.theme import SLOTS, Theme, TokenColour
from explorer.session.slots import UNPINNED, slots_of_few
from explorer.session.train import TrainFrame
from explorer.text import displayable, plain_tip


def word_colours(theme: Theme, frame: TrainFrame) -> list[TokenColour]:
    """Return the colour of each word of the shown vocabulary.

    Up to eight words each keep a slot of their own, words as drawn in the design theirs, the others
    in the vocabulary's order. Beyond, the chosen sample's words, its target and the selected word
    take slots in this order and the rest stay neutral.
    """
    vocabulary = frame.vocabulary
    if len(vocabulary) <= SLOTS:
        return [theme.slot(slot) for slot in slots_of_few(vocabulary, [UNPINNED] * len(vocabulary))]
    colours = [theme.neutral_token] * len(vocabulary)
    for slot, word in enumerate(_coloured(frame)[:SLOTS]):
        colours[word] = theme.slot(slot)
    return colours


def _coloured(frame: TrainFrame) -> list[int]:
    """Return the words that take a slot where there are more words than slots."""
    trace, sample = frame.trace, frame.cursor.sample
    if trace is None:
        return []
    words = trace.tokens[sample, : trace.lengths[sample]].tolist()
    if trace.targets is not None:
        words.append(int(trace.targets[sample]))
    if frame.word is not None:
        words.append(frame.word)
    return list(dict.fromkeys(words))


_ALL = 12  # words of a vocabulary whose words are all shown
_MOST = 8  # words shown of a larger one, besides the target


@dataclass(frozen=True)
class Bar:
    """One word's bar.

    Parameters
    ----------
    word : int
        Its place in the vocabulary.
    name : str
        As it is shown.
    probability : float
    is_target : bool
    colour : TokenColour
    """

    word: int
    name: str
    probability: float
    is_target: bool
    colour: TokenColour


def bars(theme: Theme, frame: TrainFrame) -> tuple[Bar, ...]:
    """Return the bars at the cursor, the likeliest first; none where there are no probabilities.

    Of a vocabulary of more than twelve words the eight likeliest and the target. Raises Problem
    where the step cannot be read.
    """
    trace, values, sample = frame.trace, frame.values, frame.cursor.sample
    probabilities = None if values is None else values.probabilities
    if trace is None or probabilities is None:
        return ()
    share = probabilities[sample]
    order = np.argsort(-share, kind="stable")
    target = None if trace.targets is None else int(trace.targets[sample])
    shown = order.tolist()
    if len(shown) > _ALL:
        shown = shown[:_MOST]
        if target is not None and target not in shown:
            shown.append(target)
    colours, words = word_colours(theme, frame), frame.vocabulary
    return tuple(
        Bar(word, displayable(words[word]), float(share[word]), word == target, colours[word])
        for word in shown
    )


_SIZES = (22, 19, 17)  # of the title, px at 100 %
_WEIGHT = 600
_HEIGHT, _LINE = 34, 24
_MOST_LINES = 3
_ARROW, _ELLIPSIS = "→", "…"
_SPACE, _ARROW_SPACE = 7, 9  # between words, and around the arrow
_LEAST = 24  # what a word is never cut below

_Part: TypeAlias = tuple[str, QColor, int]  # a text, its colour, the space before it


@dataclass(frozen=True)
class SampleWords:
    """A sample's words and what comes after them.

    Parameters
    ----------
    words : tuple of str
        As they are shown.
    colours : list of TokenColour
        Of each word.
    target : str or None
        As it is shown; None where the trace does not say.
    target_colour : TokenColour or None
    """

    words: tuple[str, ...] = ()
    colours: tuple[TokenColour, ...] = ()
    target: str | None = None
    target_colour: TokenColour | None = None

    @property
    def sentence(self) -> str:
        """The sample as one line of text: "cat likes → fish"."""
        given = " ".join(self.words)
        return given if self.target is None else f"{given} {_ARROW} {self.target}"


def sample_words(theme: Theme, frame: TrainFrame) -> SampleWords:
    """Return the words of the chosen sample, in the colours that they have everywhere."""
    trace, sample = frame.trace, frame.cursor.sample
    if trace is None:
        return SampleWords()
    every = word_colours(theme, frame)
    colours = tuple(every[token] for token in trace.tokens[sample, : trace.lengths[sample]])
    words = tuple(displayable(word) for word in frame.words)
    target = trace.target(sample)
    if target is None or trace.targets is None:
        return SampleWords(words, colours)
    return SampleWords(words, colours, displayable(target), every[int(trace.targets[sample])])


class SentenceTitle(QWidget):
    """A sample as a title: smaller where it is long, in lines, then without its first words."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._theme = theme
        self._shown = SampleWords()
        self.retheme(theme)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme = theme
        self._fit()

    def show_words(self, words: SampleWords) -> None:
        """Show another sample."""
        if words != self._shown:
            self._shown = words
            self.setToolTip(plain_tip(words.sentence))
            self.setAccessibleName(words.sentence)
            self._fit()

    @property
    def visible_text(self) -> str:
        """What can be read: words that do not fit are cut or left out."""
        _size, lines = self._fitting()
        return " ".join(text for parts in lines for text, _colour, _before in parts)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()

    def _fit(self) -> None:
        """Take the height of the lines."""
        _size, lines = self._fitting()
        self.setFixedHeight(self._theme.px(_HEIGHT + _LINE * (len(lines) - 1)))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            size, lines = self._fitting()
            height = self.height() / len(lines)
            for number, parts in enumerate(lines):
                left = 0.0
                for text, colour, before in parts:
                    left += before
                    weight = 400 if text in (_ARROW, _ELLIPSIS) else _WEIGHT
                    where = QRectF(left, number * height, self.width(), height)
                    draw_text(painter, self._theme, text, where, colour, size, weight, LEFT)
                    left += painting.text_width(self._theme, text, size, weight)

    def _fitting(self) -> tuple[int, list[list[_Part]]]:
        """Return the size of type, and the parts of each line."""
        theme, shown = self._theme, self._shown
        room = self.width()
        size = _SIZES[-1]
        for size in _SIZES:
            parts = self._parts(shown.words, shown.colours, cut=False)
            if self._width(parts, size) <= room:
                return size, [parts]
        for first in range(len(shown.words)):
            lines = self._lines(
                self._parts(shown.words[first:], shown.colours[first:], cut=first > 0), size
            )
            if len(lines) <= _MOST_LINES and all(self._width(line, size) <= room for line in lines):
                return size, lines
        # Even the last word and the target are too long together.
        parts = self._parts(shown.words[-1:], shown.colours[-1:], cut=len(shown.words) > 1)
        while (over := self._width(parts, size) - room) > 0:
            widths = [painting.text_width(theme, text, size, _WEIGHT) for text, _c, _b in parts]
            longest = max(range(len(parts)), key=widths.__getitem__)
            text, colour, before = parts[longest]
            width = max(int(widths[longest] - max(over / 2, 1)), theme.px(_LEAST))
            shorter = painting.elided(theme, text, size, _WEIGHT, width)
            if shorter == text:
                break
            parts[longest] = shorter, colour, before
        return size, [parts]

    def _lines(self, parts: Sequence[_Part], size: int) -> list[list[_Part]]:
        """Return parts in lines as wide as the title; the arrow stays with the target."""
        lines: list[list[_Part]] = [[]]
        for number, (text, colour, before) in enumerate(parts):
            taken = [*lines[-1], (text, colour, before)]
            ahead = [*taken, parts[number + 1]] if text == _ARROW else taken
            if lines[-1] and self._width(ahead, size) > self.width():
                lines.append([(text, colour, 0)])
            else:
                lines[-1] = taken
        return lines

    def _parts(
        self, words: Sequence[str], colours: Sequence[TokenColour], *, cut: bool
    ) -> list[_Part]:
        theme, shown = self._theme, self._shown
        faint = theme.color("ink3")
        space, around = theme.px(_SPACE), theme.px(_ARROW_SPACE)
        parts = [(_ELLIPSIS, faint, 0)] if cut else []
        for word, colour in zip(words, colours, strict=True):
            parts.append((word, QColor(colour.ink), space if parts else 0))
        if shown.target is not None and shown.target_colour is not None:
            parts.append((_ARROW, faint, around))
            parts.append((shown.target, QColor(shown.target_colour.ink), around))
        return parts

    def _width(self, parts: Sequence[_Part], size: int) -> float:
        return sum(
            before + painting.text_width(self._theme, text, size, _WEIGHT)
            for text, _colour, before in parts
        )
