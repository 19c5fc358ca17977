"""A chain of stations: chips in a row, arrows between them, what an arrow does above it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen, QPolygonF, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.session import INPUTS, Stage
from explorer.text import _, html_escaped
from explorer.views.base import F, FrameView
from explorer.views.run_painter import NO_TOKENS, RunPainter
from explorer.views.runs import Run, Runs, Text
from explorer.views.stage_chip import DETAILS, WORDS, Detail, StageChip, Station
from explorer.views.theme import Theme

HEIGHT = 56  # px at 100 %, like everything below
_MARGIN = 16
_CHIP_HEIGHT, _CHIP_TOP = 34, 11
_GAP = 6
_ARROW_GAP = 6  # between an arrow's ends and the chips
_LEAST_ARROW = 26
_CAPTION_PAD, _LEAST_PAD = 7, 1  # between a caption and its arrow's ends, off the head if possible
_BARB = 5
_CAPTION = 12.5
_CAPTION_Y = 15  # the middle of its letters


@dataclass(frozen=True)
class Arrow:
    """An arrow from the chip at place `start` to the next; other chips stand close together."""

    start: int
    caption: Runs


@dataclass(frozen=True)
class Chain:
    """What a chain shows.

    Parameters
    ----------
    stations : tuple of Station
        Always as many, with the same keys.
    arrows : tuple of Arrow
        From left to right, always between the same chips.
    active : Stage
        Its chip is filled, those of its inputs are outlined.
    """

    stations: tuple[Station, ...]
    arrows: tuple[Arrow, ...]
    active: Stage


def stage_station(stage: Stage, shape: tuple[int, ...] | None, tip: str = "") -> Station:
    """Return a stage of attention as a station; `tip` says more than its name, in plain text."""
    plain = Station(stage, stage.value, _(WORDS[stage]), shape)
    key = list(Stage).index(stage) + 1
    said = html_escaped(_("{name} (key {key})").format(name=plain.name, key=key))
    if tip:
        said += f"<br>{html_escaped(tip)}"
    return Station(plain.key, plain.letter, plain.word, shape, said)


def said(text: str) -> Runs:
    """Return a caption of plain text, which is cut between its words."""
    return tuple(Text(part, "ink3") for part in re.findall(r"\s*\S+\s*$|\s*\S+|\s+", text))


class StationsView(FrameView[F]):
    """A chain that shows where one is and asks to go elsewhere.

    Subclasses say what it shows (`chain`) and what a station's key asks for (`asked`).

    Parameters
    ----------
    start : Chain
        What is shown before the first frame.
    details : tuple of Detail, optional
        How much chips say, the most first; what fits is taken. In compact form the first that
        leaves out all words is the most.
    """

    def __init__(
        self,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        start: Chain,
        details: tuple[Detail, ...] = DETAILS,
    ) -> None:
        super().__init__(theme, parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._details = details
        self._compact = False
        self._shown: Chain | None = None
        self._arrows = start.arrows
        self._pad = theme.px(_CAPTION_PAD)
        self._chips = [StageChip(station, theme, self) for station in start.stations]
        for chip in self._chips:
            chip.clicked.connect(self._clicked)
        self._painter = RunPainter(theme)
        self.setFixedHeight(theme.px(HEIGHT))

    def chain(self, frame: F) -> Chain:
        """Return what the chain shows for a frame."""
        raise NotImplementedError

    def asked(self, stage: Stage) -> object:
        """Return the intent to go to a stage."""
        raise NotImplementedError

    # --- as a view -----------------------------------------------------------------------------

    def draw(self, frame: F) -> None:
        """Show shapes, operators and the active stage."""
        chain = self.chain(frame)
        if chain == self._shown:
            return
        self._shown = chain
        self._arrows = chain.arrows
        for chip, station in zip(self._chips, chain.stations, strict=True):
            chip.show_station(
                station,
                active=station.key is chain.active,
                is_input=station.key in INPUTS[chain.active],
            )
        self.setFocusProxy(self.chip(chain.active))
        self._lay_out()

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; a `draw` follows."""
        super().retheme(theme)
        self._painter = RunPainter(theme)
        self._shown = None
        self.setFixedHeight(theme.px(HEIGHT))

    def set_compact(self, compact: bool) -> None:
        """Leave out the chips' words, or show them again."""
        if compact != self._compact:
            self._compact = compact
            self._lay_out()

    def sizeHint(self) -> QSize:
        """Return the design's size."""
        return QSize(self.theme.px(960), self.theme.px(HEIGHT))

    def chip(self, stage: Stage) -> StageChip:
        """Return the chip of a stage."""
        return next(chip for chip in self._chips if chip.station.key is stage)

    def chips(self) -> list[StageChip]:
        """Return all chips from left to right."""
        return list(self._chips)

    def shown_captions(self) -> list[tuple[Runs, QRectF]]:
        """Return the captions as shown, from left to right, each with its rectangle."""
        height = self.theme.px(_CAPTION) * 1.3
        top = self.theme.px(_CAPTION_Y) - height / 2
        pad = self._pad
        return [
            (runs, QRectF((start + end - width) / 2, top, width, height))
            for arrow, (start, end) in zip(self._arrows, self._ends(), strict=True)
            if (runs := self._fitting(arrow.caption, end - start - 2 * pad))
            and (width := self._width(runs))
        ]

    # --- layout --------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        px = self.theme.px
        lengths = len(self._arrows)
        gaps = (len(self._chips) - 1 - lengths) * px(_GAP)
        least = lengths * (px(_LEAST_ARROW) + 2 * px(_ARROW_GAP))
        room = self.width() - 2 * px(_MARGIN) - gaps
        allowed = [d for d in self._details if not (self._compact and d.active_word)]
        for detail in allowed:
            widths = [chip.width_for(self.theme, detail) for chip in self._chips]
            if sum(widths) + least <= room:
                break
        after = {
            arrow.start: length
            for arrow, length in zip(self._arrows, self._share(room - sum(widths)), strict=True)
        }
        x: float = px(_MARGIN)
        for place, (chip, width) in enumerate(zip(self._chips, widths, strict=True)):
            left = round(x)
            x += width
            chip.setGeometry(QRect(left, px(_CHIP_TOP), round(x) - left, px(_CHIP_HEIGHT)))
            chip.show_detail(self.theme, detail)
            x += after.get(place, px(_GAP))
        self.update()

    def _share(self, room: float) -> list[float]:
        """Return the arrows' lengths: as captions need them, the longest giving way first."""
        texts = [self._width(arrow.caption) for arrow in self._arrows]
        gap = self.theme.px(_ARROW_GAP)
        pads = [self.theme.px(pad) for pad in (_CAPTION_PAD, _LEAST_PAD)]
        fits = sum(texts) + len(texts) * 2 * (gap + pads[0]) <= room
        self._pad = pads[0] if fits else pads[1]
        needs = [text + 2 * (gap + self._pad) for text in texts]
        spare = room - sum(needs)
        if spare >= 0:
            return [need + spare / len(needs) for need in needs]
        lengths = [0.0] * len(needs)
        by_need = sorted(range(len(needs)), key=needs.__getitem__)
        for left, index in zip(range(len(needs), 0, -1), by_need, strict=True):
            lengths[index] = min(needs[index], room / left)
            room -= lengths[index]
        return lengths

    def _ends(self) -> list[tuple[float, float]]:
        """Return where each arrow starts and ends."""
        gap = self.theme.px(_ARROW_GAP)
        return [
            (
                self._chips[arrow.start].geometry().right() + 1 + gap,
                self._chips[arrow.start + 1].geometry().left() - gap,
            )
            for arrow in self._arrows
        ]

    def _width(self, runs: Runs) -> float:
        return sum(self._painter.width(run, _CAPTION) for run in runs)

    def _fitting(self, caption: Runs, width: float) -> Runs:
        """Return a caption, cut with an ellipsis where it is too long, or nothing."""
        if self._width(caption) <= width + 0.5:  # lengths are shared out in fractions
            return caption
        ellipsis = Text("…", "ink3")
        kept: list[Run] = list(caption)
        while kept and self._width((*kept, ellipsis)) > width:
            kept.pop()
        # "÷ …" or a subscript's letter alone would say less than nothing.
        return (*kept, ellipsis) if len(kept) > 1 else ()

    # --- events --------------------------------------------------------------------------------

    @Slot()
    def _clicked(self) -> None:
        chip = self.sender()
        if isinstance(chip, StageChip) and isinstance(chip.station.key, Stage):
            self.intent.emit(self.asked(chip.station.key))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to a station by its number, or move the focus along the chain."""
        stages = list(Stage)
        number = event.key() - Qt.Key.Key_1
        if (
            0 <= number < len(stages)
            and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        ):
            self.intent.emit(self.asked(stages[number]))
            self.chip(stages[number]).setFocus()
            return
        focused = next((i for i, s in enumerate(stages) if self.chip(s).hasFocus()), None)
        target = {
            Qt.Key.Key_Left: max((focused or 0) - 1, 0),
            Qt.Key.Key_Right: min((focused or 0) + 1, len(stages) - 1),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: len(stages) - 1,
        }.get(Qt.Key(event.key()))
        if focused is None or target is None:
            super().keyPressEvent(event)
        else:
            self.chip(stages[target]).setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share out the new width."""
        super().resizeEvent(event)
        self._lay_out()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the arrows and their captions."""
        theme, px = self.theme, self.theme.px
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), theme.color("win"))
        painter.fillRect(0, self.height() - 1, self.width(), 1, theme.color("line"))
        painter.setPen(QPen(theme.color("ctl"), 1.25 * theme.percent / 100))
        y = px(_CHIP_TOP) + px(_CHIP_HEIGHT) / 2
        barb = px(_BARB)
        for start, end in self._ends():
            painter.drawLine(QPointF(start, y), QPointF(end, y))
            painter.drawPolyline(
                QPolygonF(
                    [QPointF(end - barb, y - barb), QPointF(end, y), QPointF(end - barb, y + barb)]
                )
            )
        for runs, box in self.shown_captions():
            x = box.left()
            for run in runs:
                self._painter.paint(painter, run, QPointF(x, px(_CAPTION_Y)), NO_TOKENS, _CAPTION)
                x += self._painter.width(run, _CAPTION)
