"""A chain of links: chips in a row, arrows between them, what an arrow does above it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Slot
from PySide6.QtGui import (
    QHelpEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from explorer.kit.base import F, FrameView
from explorer.kit.painted import is_alone
from explorer.kit.stage_chip import DETAILS, Arrow, Chain, ChainLink, Detail, StageChip
from explorer.kit.text_runs import NO_TOKENS, Run, RunPainter, Runs, Text, as_html, plain
from explorer.kit.theme import Theme
from explorer.session import CHAIN, Stage
from explorer.text import joined_long
from explorer.text.numbers import MINUS

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


def _filled(kept: list[float], needs: list[float], room: float) -> list[float]:
    """Return `kept` with what room is left shared out, the smallest needs met first."""
    lengths = list(kept)
    left = room - sum(kept)
    wants = [need - own for need, own in zip(needs, kept, strict=True)]
    by_want = sorted(range(len(wants)), key=wants.__getitem__)
    for waiting, index in zip(range(len(wants), 0, -1), by_want, strict=True):
        given = max(min(wants[index], left / waiting), 0.0)
        lengths[index] += given
        left -= given
    return lengths


class ChainBase(FrameView[F]):
    """A chain that shows where one is and asks to go elsewhere.

    Subclasses say what it shows (`chain`) and what a link's key asks for (`asked`).

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
        self._chips = [self._made(link) for link in start.links]
        self._idle: list[StageChip] = []  # hidden, for links that are not there now
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
        self._take_chips(chain.links)
        for chip, link in zip(self._chips, chain.links, strict=True):
            chip.show_link(
                link,
                active=link.key is chain.active,
                is_input=link.key in chain.inputs,
                ahead=link.key in chain.ahead,
            )
        active = self.chip(chain.active)
        self.setFocusProxy(active)
        for chip in self._idle:
            if chip.hasFocus():
                active.setFocus()
            chip.hide()
        captions = (plain(arrow.caption, MINUS) for arrow in chain.arrows)
        self.setAccessibleDescription(joined_long(captions))
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
        return next(chip for chip in self._chips if chip.link.key is stage)

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
            if (runs := self._fitting(arrow, end - start - 2 * pad))
            and (width := self._width(runs))
        ]

    # --- the chips -----------------------------------------------------------------------------

    def _made(self, link: ChainLink) -> StageChip:
        chip = StageChip(link, self.theme, self)
        chip.clicked.connect(self._clicked)
        return chip

    def _take_chips(self, links: tuple[ChainLink, ...]) -> None:
        """Have a chip for each link: the one it had before, so that the focus stays with it."""
        there = [chip.link.key for chip in self._chips]
        if there == [link.key for link in links]:
            return
        spare, chips = [*self._chips, *self._idle], []
        for link in links:
            chip = next((c for c in spare if c.link.key == link.key), None)
            if chip is None:
                chip = self._made(link)
            else:
                spare.remove(chip)
            chip.show()
            chip.raise_()  # the order in which screen readers meet them
            chips.append(chip)
        self._chips, self._idle = chips, spare

    # --- layout --------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        px = self.theme.px
        gaps = (len(self._chips) - 1 - len(self._arrows)) * px(_GAP)
        room = self.width() - 2 * px(_MARGIN) - gaps
        detail, widths = self._said_with(room)
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

    def _said_with(self, room: float) -> tuple[Detail, list[int]]:
        """Return the most that chips can say beside whole captions, and how wide that makes them.

        Where captions have to be cut in any case, they get all the room there is.
        """
        px = self.theme.px
        allowed = [d for d in self._details if not (self._compact and d.active_word)]
        sized = [
            (detail, [chip.width_for(self.theme, detail) for chip in self._chips])
            for detail in allowed
        ]
        for detail, widths in sized:
            captions = self._needs(px(_CAPTION_PAD if detail.word else _LEAST_PAD))
            if sum(widths) + sum(captions) <= room:
                return detail, widths
        return sized[-1]

    def _share(self, room: float) -> list[float]:
        """Return the arrows' lengths: as captions need them, the longest giving way first."""
        needs = self._needs(self.theme.px(_CAPTION_PAD))
        fits = sum(needs) <= room
        self._pad = self.theme.px(_CAPTION_PAD if fits else _LEAST_PAD)
        needs = self._needs(self._pad)
        spare = room - sum(needs)
        if spare >= 0:
            return [need + spare / len(needs) for need in needs]
        leasts = self._leasts()
        kept = [
            least if arrow.short and sum(leasts) <= room else 0.0
            for arrow, least in zip(self._arrows, leasts, strict=True)
        ]
        lengths = _filled(kept, needs, room)
        # A caption that is not whole gives way to its short form, and its room to the others.
        needs = [
            least if least and length < need else need
            for least, length, need in zip(kept, lengths, needs, strict=True)
        ]
        lengths = _filled(kept, needs, room)
        rest = (room - sum(lengths)) / len(lengths)
        return [length + rest for length in lengths]

    def _needs(self, pad: float) -> list[float]:
        """Return how long the arrows are with whole captions, so much before and after each."""
        around = 2 * (self.theme.px(_ARROW_GAP) + pad)
        return [self._width(arrow.caption) + around for arrow in self._arrows]

    def _leasts(self) -> list[float]:
        """Return how long the arrows are in any case."""
        px = self.theme.px
        return [
            max(px(_LEAST_ARROW), self._width(arrow.short) + 2 * px(_LEAST_PAD) + 1)
            + 2 * px(_ARROW_GAP)
            for arrow in self._arrows
        ]

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

    def _fitting(self, arrow: Arrow, width: float) -> Runs:
        """Return a caption, its short form or one cut with an ellipsis, or nothing."""
        for whole in (arrow.caption, arrow.short):
            # Lengths are shared out in fractions, and chips stand on whole pixels.
            if whole and self._width(whole) <= width + 1.01:
                return whole
        ellipsis = Text("…", "ink3")
        kept: list[Run] = list(arrow.caption)
        while kept and self._width((*kept, ellipsis)) > width:
            kept.pop()
        # "÷ …" or a subscript's letter alone would say less than nothing.
        return (*kept, ellipsis) if len(kept) > 1 else ()

    # --- events --------------------------------------------------------------------------------

    @Slot()
    def _clicked(self) -> None:
        chip = self.sender()
        if isinstance(chip, StageChip) and isinstance(chip.link.key, Stage):
            self.intent.emit(self.asked(chip.link.key))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to a link by its number, or move the focus along the chain."""
        number = event.key() - Qt.Key.Key_1
        stages = [key for chip in self._chips if isinstance(key := chip.link.key, Stage)]
        if 0 <= number < len(CHAIN) and is_alone(event):
            self.intent.emit(self.asked(CHAIN[number]))
            if CHAIN[number] in stages:  # not every chain has all links
                self.chip(CHAIN[number]).setFocus(Qt.FocusReason.ShortcutFocusReason)
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
            self.chip(stages[target]).setFocus(Qt.FocusReason.ShortcutFocusReason)

    def event(self, event: QEvent) -> bool:
        """Show a caption in full where the pointer rests on its arrow."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            for arrow, (start, end) in zip(self._arrows, self._ends(), strict=True):
                if start <= event.x() <= end and arrow.caption:
                    QToolTip.showText(event.globalPos(), as_html(arrow.caption), self)
                    return True
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share out the new width."""
        super().resizeEvent(event)
        self._lay_out()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the arrows and their captions."""
        theme, px = self.theme, self.theme.px
        with QPainter(self) as painter:
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
                        [
                            QPointF(end - barb, y - barb),
                            QPointF(end, y),
                            QPointF(end - barb, y + barb),
                        ]
                    )
                )
            for runs, box in self.shown_captions():
                x = box.left()
                for run in runs:
                    self._painter.paint(
                        painter, run, QPointF(x, px(_CAPTION_Y)), NO_TOKENS, _CAPTION
                    )
                    x += self._painter.width(run, _CAPTION)
