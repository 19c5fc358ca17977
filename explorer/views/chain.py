"""The chain from X to O: the map of the computation, and the way to go through it."""

from __future__ import annotations

from itertools import pairwise
from typing import ClassVar

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen, QPolygonF, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.session import INPUTS, Change, Frame, Stage
from explorer.session.intents import ShowStage
from explorer.text import _
from explorer.views.base import View
from explorer.views.run_painter import NO_TOKENS, RunPainter
from explorer.views.runs import Place, Run, Runs, Text
from explorer.views.stage_chip import DETAILS, StageChip
from explorer.views.strip.words import divided_by
from explorer.views.theme import Theme

HEIGHT = 56  # px at 100 %, like everything below
_MARGIN = 16
_CHIP_HEIGHT, _CHIP_TOP = 34, 11
_GAP = 6
_ARROW_GAP = 6  # between an arrow's ends and the chips
_LEAST_ARROW = 26
_CAPTION_PAD = 7  # between a caption and its arrow's ends, so that it stays off the head
_BARB = 5
_CAPTION = 12.5
_CAPTION_Y = 15  # the middle of its letters

# Between which chips there is an arrow; the others stand close together.
_ARROWS = ((Stage.X, Stage.Q), (Stage.V, Stage.S), (Stage.S, Stage.A), (Stage.A, Stage.O))


class ChainView(View):
    """X → Q, K, V → S → A → O, with what turns one into the next written above the arrows."""

    concerns: ClassVar[Change] = Change.RESULT | Change.LOOK

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setAccessibleName(_("Steps of attention"))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._chips = {stage: StageChip(stage, theme, self) for stage in Stage}
        for chip in self._chips.values():
            chip.clicked.connect(self._clicked)
        self._compact = False
        self._captions: tuple[Runs, ...] = ((),) * len(_ARROWS)
        self._shown: object = None
        self._painter = RunPainter(theme)
        self.setFixedHeight(theme.px(HEIGHT))

    # --- as a view -----------------------------------------------------------------------------

    def draw(self, frame: Frame) -> None:
        """Show shapes, operators and the active stage."""
        shapes = _shapes(frame)
        captions = _captions(frame)
        active = frame.look.stage
        shown = (shapes, captions, active)
        if shown == self._shown:
            return
        self._shown = shown
        self._captions = captions
        for stage, chip in self._chips.items():
            chip.show_state(shapes[stage], active=stage is active, is_input=stage in INPUTS[active])
            tabbed = Qt.FocusPolicy.StrongFocus if stage is active else Qt.FocusPolicy.ClickFocus
            chip.setFocusPolicy(tabbed)
        self.setFocusProxy(self._chips[active])
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
        return self._chips[stage]

    def shown_captions(self) -> list[tuple[Runs, QRectF]]:
        """Return the captions as shown, from left to right, each with its rectangle."""
        height = self.theme.px(_CAPTION) * 1.3
        top = self.theme.px(_CAPTION_Y) - height / 2
        pad = self.theme.px(_CAPTION_PAD)
        return [
            (runs, QRectF((start + end - width) / 2, top, width, height))
            for caption, (start, end) in zip(self._captions, self._arrows(), strict=True)
            if (runs := self._fitting(caption, end - start - 2 * pad))
            and (width := self._width(runs))
        ]

    # --- layout --------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        px = self.theme.px
        gaps = (len(Stage) - 1 - len(_ARROWS)) * px(_GAP)
        least = len(_ARROWS) * (px(_LEAST_ARROW) + 2 * px(_ARROW_GAP))
        room = self.width() - 2 * px(_MARGIN) - gaps
        detail = DETAILS[-1]
        for detail in DETAILS[1:] if self._compact else DETAILS:
            widths = {s: c.width_for(self.theme, detail) for s, c in self._chips.items()}
            if sum(widths.values()) + least <= room:
                break
        arrows = self._share(room - sum(widths.values()))
        x: float = px(_MARGIN)
        for stage, after in pairwise([*Stage, None]):
            chip = self._chips[Stage(stage)]
            left = round(x)
            x += widths[chip.stage]
            chip.setGeometry(QRect(left, px(_CHIP_TOP), round(x) - left, px(_CHIP_HEIGHT)))
            chip.show_detail(self.theme, detail)
            pair = (stage, after)
            x += arrows[_ARROWS.index(pair)] if pair in _ARROWS else px(_GAP)
        self.update()

    def _share(self, room: float) -> list[float]:
        """Return the arrows' lengths: as captions need them, the longest giving way first."""
        around = 2 * self.theme.px(_ARROW_GAP) + 2 * self.theme.px(_CAPTION_PAD)
        needs = [self._width(caption) + around for caption in self._captions]
        spare = room - sum(needs)
        if spare >= 0:
            return [need + spare / len(needs) for need in needs]
        lengths = [0.0] * len(needs)
        by_need = sorted(range(len(needs)), key=needs.__getitem__)
        for left, index in zip(range(len(needs), 0, -1), by_need, strict=True):
            lengths[index] = min(needs[index], room / left)
            room -= lengths[index]
        return lengths

    def _arrows(self) -> list[tuple[float, float]]:
        gap = self.theme.px(_ARROW_GAP)
        return [
            (
                self._chips[a].geometry().right() + 1 + gap,
                self._chips[b].geometry().left() - gap,
            )
            for a, b in _ARROWS
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
        if isinstance(chip, StageChip):
            self.intent.emit(ShowStage(chip.stage))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to a station by its number, or move the focus along the chain."""
        stages = list(Stage)
        number = event.key() - Qt.Key.Key_1
        if (
            0 <= number < len(stages)
            and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        ):
            self.intent.emit(ShowStage(stages[number]))
            self._chips[stages[number]].setFocus()
            return
        focused = next((i for i, s in enumerate(stages) if self._chips[s].hasFocus()), None)
        target = {
            Qt.Key.Key_Left: max((focused or 0) - 1, 0),
            Qt.Key.Key_Right: min((focused or 0) + 1, len(stages) - 1),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: len(stages) - 1,
        }.get(Qt.Key(event.key()))
        if focused is None or target is None:
            super().keyPressEvent(event)
        else:
            self._chips[stages[target]].setFocus()

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
        for start, end in self._arrows():
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


def _shapes(frame: Frame) -> dict[Stage, tuple[int, int]]:
    """Return the shape of each stage's array for the chosen head."""
    result = frame.attention
    arrays = {
        Stage.X: frame.scene.X,
        Stage.Q: result.Q[0],
        Stage.K: result.K[0],
        Stage.V: result.V[0],
        Stage.S: result.scores[0],
        Stage.A: result.weights[0],
        Stage.O: result.head_output[0],
    }
    return {stage: (array.shape[0], array.shape[1]) for stage, array in arrays.items()}


def _captions(frame: Frame) -> tuple[Runs, ...]:
    """Return what turns X into Q, K, V; these into S; S into A; and A into O."""
    return _projecting(frame), _scoring(frame), _said(_("softmax")), _said("× V")


def _projecting(frame: Frame) -> Runs:
    scene = frame.scene
    crossed = scene.context is not None
    if not scene.projected:
        return _said(_("Q = X; K = V = context")) if crossed else _said("Q = K = V = X")
    runs = [*_said("× "), *_w("q")]
    runs += _said(_("; context × ")) if crossed else _said(" ")
    runs += [*_w("k"), *_said(" "), *_w("v")]
    if any(bias is not None for bias in (scene.bq, scene.bk, scene.bv)):
        runs += _said(" + b")
    if scene.heads > 1:
        runs += _said(
            _(", head {head} of {heads}").format(head=frame.look.head + 1, heads=scene.heads)
        )
    return tuple(runs)


def _scoring(frame: Frame) -> Runs:
    runs = [*_said("QK"), Text("T", "ink3", place=Place.SUPER)]
    scaling = divided_by(frame)
    if scaling:
        runs += _said(f" {scaling}")
    if isinstance(frame.scene.options.mask, str):
        if frame.scene.options.mask == "causal":
            runs += _said(_(", causal"))
    elif frame.attention.mask is not None:
        runs += _said(_(", masked"))
    return tuple(runs)


def _w(letter: str) -> Runs:
    return Text("W", "ink3"), Text(letter, "ink3", place=Place.SUB)


def _said(text: str) -> Runs:
    return (Text(text, "ink3"),)


if __name__ == "__main__":
    from explorer.views.preview import preview

    preview(ChainView)
