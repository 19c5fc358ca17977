"""One stage of a chain as a chip, and what stands between two of them."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QWidget

from explorer.kit.canvas.text import draw_word, word
from explorer.kit.focus_ring import is_ringed
from explorer.kit.markers import marker_path
from explorer.kit.table.painting import draw_box
from explorer.kit.text_runs import Runs, Text
from explorer.kit.theme import Theme
from explorer.session import CHAIN, INPUTS, Space, Stage
from explorer.session.wording import STAGE_WORDS
from explorer.text import _, joined, plain_tip

_PAD, _WORD_GAP, _MARKER = 12, 8, 14  # px at 100 %
_LETTER, _WORD, _SHAPE = (15.0, 700), (14.0, 400), (13.0, 400)
_MARKERS: dict[Hashable, Space] = {Stage(space.value): space for space in Space}


@dataclass(frozen=True)
class ChainLink:
    """What one chip of a chain says.

    Parameters
    ----------
    key : hashable
        What it is asked for by; None for one that cannot be gone to.
    letter : str
        Of the blackboard; where there is none, the word is never left out.
    word : str
    shape : tuple of int, or None
        Of its array; None where there is none to be told.
    tip : str
        A tooltip, plain text.
    """

    key: Hashable
    letter: str
    word: str
    shape: tuple[int, ...] | None
    tip: str = ""

    @property
    def name(self) -> str:
        """Its accessible name, such as "S, scores, 4 by 4"."""
        parts = [self.letter, self.word]
        if self.shape is not None:
            parts.append(_(" by ").join(map(str, self.shape)))
        return joined(parts)


@dataclass(frozen=True)
class Detail:
    """How much a chip says besides its letter; `active_word` is that of the active one alone."""

    word: bool
    active_word: bool
    shape: bool
    marker: bool


DETAILS = (
    Detail(word=True, active_word=True, shape=True, marker=True),
    Detail(word=False, active_word=True, shape=True, marker=True),
    Detail(word=False, active_word=False, shape=True, marker=True),
    Detail(word=False, active_word=False, shape=True, marker=False),
    Detail(word=False, active_word=False, shape=False, marker=True),
    Detail(word=False, active_word=False, shape=False, marker=False),
)


class StageChip(QAbstractButton):
    """One link: its marker, letter, word and shape.

    Parameters
    ----------
    link : ChainLink
        What it says at first.
    """

    def __init__(self, link: ChainLink, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.link = link
        self.setCheckable(True)
        if self._can_be_reached:  # its key stays what it is
            self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
            self.setCursor(Qt.CursorShape.PointingHandCursor)
        else:
            self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._theme = theme
        self._is_input = self._ahead = False
        self._detail = DETAILS[0]

    def show_link(
        self, link: ChainLink, *, active: bool, is_input: bool, ahead: bool = False
    ) -> None:
        """Show what the link says now: whether it is active, its input, or still to come."""
        self.link, self._is_input, self._ahead = link, is_input, ahead and not active
        self.setChecked(active)
        self.setToolTip(plain_tip(link.tip))
        name = (
            _("{name}, selected") if active else _("{name}, still to come") if ahead else "{name}"
        )
        self.setAccessibleName(name.format(name=link.name))
        if self._can_be_reached:
            tabbed = Qt.FocusPolicy.StrongFocus if active else Qt.FocusPolicy.ClickFocus
            self.setFocusPolicy(tabbed)
        self.update()

    @property
    def _can_be_reached(self) -> bool:
        return self.link.key is not None

    def show_detail(self, theme: Theme, detail: Detail) -> None:
        """Take a theme, and how much to say."""
        self._theme, self._detail = theme, detail
        self.update()

    def width_for(self, theme: Theme, detail: Detail) -> int:
        """Return the width it needs to say so much."""
        px = theme.px
        width = 2 * px(_PAD)
        if detail.marker and self.link.key in _MARKERS:
            width += px(_MARKER) + px(_WORD_GAP)
        texts = self._texts(detail)
        width += px(_WORD_GAP) * (len(texts) - 1)
        return width + sum(round(word(theme, text, *style).width) for text, style, _ink in texts)

    def _texts(self, detail: Detail) -> list[tuple[str, tuple[float, int], str]]:
        link, texts = self.link, []
        if link.letter:
            texts.append((link.letter, _LETTER, "ink1"))
        worded = detail.word or (detail.active_word and self.isChecked())
        if worded or not link.letter:
            texts.append((link.word, _WORD, "ink2"))
        if detail.shape and link.shape is not None:
            shape = ",".join(map(str, link.shape))
            texts.append((f"[{shape}]", _SHAPE, "ink3"))
        return texts

    def nextCheckState(self) -> None:
        """Leave the state alone: it is said by the frame."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Press on Space or Enter; the chain does the rest."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        elif event.key() == Qt.Key.Key_Space:
            super().keyPressEvent(event)
        else:
            event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the chip."""
        theme, px = self._theme, self._theme.px
        active = self.isChecked()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            faint = "ink3" if self._ahead else ""
            outlined = (self._is_input or is_ringed(self)) and not active
            width = 2.0 if outlined else 1.0
            hovered = self.underMouse() and self._can_be_reached
            edge = "ink1" if outlined or active else "ctl" if hovered else "line2"
            fill = "ink1" if active else "hover" if hovered else "win" if faint else "raised"
            box = QRectF(self.rect()).adjusted(width / 2, width / 2, -width / 2, -width / 2)
            radius = px(8) - width / 2
            draw_box(painter, box, radius, theme.color(fill), theme.color(edge), width)
            if is_ringed(self):
                ring = theme.color("on_sel" if active else "ink1")
                draw_box(painter, box.adjusted(3, 3, -3, -3), radius - 3, edge=ring)
            x: float = px(_PAD)
            middle = self.height() / 2
            space = _MARKERS.get(self.link.key)
            if self._detail.marker and space is not None:
                size = px(_MARKER)
                painter.save()
                painter.translate(x + size / 2, middle + (size * 0.1 if space is Space.Q else 0))
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(theme.color("on_sel" if active else faint or "ink2"))
                painter.drawPath(marker_path(space, size))
                painter.restore()
                x += size + px(_WORD_GAP)
            baseline = middle + word(theme, "X", *_LETTER).ascent * 0.375
            for text, style, ink in self._texts(self._detail):
                laid = word(theme, text, *style)
                colour = theme.color("on_sel" if active else faint or ink)
                draw_word(painter, laid, x, baseline - laid.ascent, colour)
                x += round(laid.width) + px(_WORD_GAP)


@dataclass(frozen=True)
class Arrow:
    """An arrow from the chip at place `start` to the next; other chips stand close together.

    Parameters
    ----------
    start : int
    caption : tuple of Run
        Cut where there is no room for it.
    short : tuple of Run
        Instead of a cut caption; room is kept for it. Without it nothing is kept.
    """

    start: int
    caption: Runs
    short: Runs = ()


@dataclass(frozen=True)
class Chain:
    """What a chain shows.

    Parameters
    ----------
    links : tuple of ChainLink
    arrows : tuple of Arrow
        From left to right.
    active : Stage
        Its chip is filled.
    inputs : tuple of Stage
        Their chips are outlined.
    ahead : tuple of Stage
        Their chips are faint: a lesson has not come to them yet.
    """

    links: tuple[ChainLink, ...]
    arrows: tuple[Arrow, ...]
    active: Stage
    inputs: tuple[Stage, ...]
    ahead: tuple[Stage, ...] = ()


def stage_link(
    stage: Stage, shape: tuple[int, ...] | None, tip: str = "", word: str = ""
) -> ChainLink:
    """Return a stage of attention as a link; `tip` says more than its name, in plain text."""
    link = ChainLink(stage, stage.value, word or _(STAGE_WORDS[stage]), shape)
    told = link.name
    if stage in CHAIN:
        key = CHAIN.index(stage) + 1
        told = _("{name} (key {key})").format(name=link.name, key=key)
    if tip:
        told += f"\n{tip}"
    return replace(link, tip=told)


# Arrows of a whole chain: words → X, X → Q, V → S, S → A, A → O, O → what comes after.
_ARROWS = (0, 1, 4, 5, 6, 7)


def end_link(name: str, count: int | None, tip: str) -> ChainLink:
    """Return the first or the last chip of a whole chain, which is no stage: nobody can go there.

    count : of its words; None where there is none to be told
    """
    return ChainLink(None, "", name, None if count is None else (count,), tip)


def whole_chain(
    stages: list[ChainLink],
    ends: tuple[ChainLink, ChainLink],
    captions: tuple[Runs, ...],
    active: Stage,
    shorts: Mapping[int, Runs] | None = None,
) -> Chain:
    """Return the stages from X to O between two ends, with a caption above each of six arrows.

    shorts : the short forms of some captions, by their place
    """
    forms = ((shorts or {}).get(place, ()) for place in range(len(captions)))
    arrows = tuple(Arrow(*arrow) for arrow in zip(_ARROWS, captions, forms, strict=True))
    return Chain((ends[0], *stages, ends[1]), arrows, active, INPUTS[active])


def said(text: str, ink: str = "ink3") -> Runs:
    """Return a caption of plain text, which is cut between its words."""
    return tuple(Text(part, ink) for part in re.findall(r"\s*\S+\s*$|\s*\S+|\s+", text))
