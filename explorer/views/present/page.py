"""The page for an audience: title, formula, a sentence, shares, and the plane."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import ClassVar, NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QWidget

from explorer.session import Change, Frame, Stage, stations
from explorer.session.intents import ShowStage
from explorer.session.lesson import Sheet, TurnTo
from explorer.text import Problem, _, displayable, html_escaped, of_example
from explorer.views.base import View
from explorer.views.formula import FormulaView, drawn
from explorer.views.motion import PAGE, fade
from explorer.views.plane import PlaneView
from explorer.views.present import wording
from explorer.views.present.cross import Cross
from explorer.views.present.share_bar import ShareBar
from explorer.views.present.sizes import LEAST, Sizes
from explorer.views.present.steps import HEIGHT, Steps
from explorer.views.theme import Theme

_LEFT, _MARGIN, _TOP, _BOTTOM = 460, 40, 34, 28  # px of the drawn page
_INSET = 36  # of the buttons below
_EDGE = 12  # kept free at the right of a wide formula
_SHARED = (Stage.A, Stage.O, Stage.C, Stage.Y)
_LONGEST = 90  # letters of a title
_LINE = 120  # % of the font's own

TellSheet = Callable[[Frame], Sheet | None]


class _Size(NamedTuple):
    """Sizes of what the left side holds, in px of the drawn page."""

    title: int
    formula: int
    text: int
    space: int


# Each is taken where there is no room for the one before.
_SMALLER = (
    _Size(44, 44, 26, 26),
    _Size(38, 40, 26, 20),
    _Size(34, 36, 25, 16),
    _Size(30, 32, 23, 12),
    _Size(26, 28, 20, 8),
)


class _Said(NamedTuple):
    """What the left side says."""

    title: str
    text: str
    formula: str
    at: int
    pages: int


class PresentPage(View):
    """Shows the page of a lesson, or where there is none the scene's active stage.

    Parameters
    ----------
    theme : Theme
        Light or dark; sizes come from the window's.
    tell : callable
        Returns the lesson's sheet beside a frame, or None.
    """

    concerns: ClassVar[Change] = Change.ALL & ~(Change.PAGES | Change.INVALID | Change.ORIGINAL)
    closed = Signal()
    turned = Signal()  # another page is shown

    def __init__(self, theme: Theme, tell: TellSheet, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._tell = tell
        self._frame: Frame | None = None
        self._before: object = None
        self._said = _Said("", "", "", 0, 1)
        self._sizes = Sizes(theme.dark)
        self.left = QWidget(self)
        self.title, self.text = (_label(self.left, name) for name in ("title", "text"))
        self.formula = FormulaView(self._sizes.theme, _SMALLER[0].formula, self.left)
        self.formula.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.bar = ShareBar(self._sizes, self.left)
        self.steps = Steps(self.left)
        self.plane = PlaneView(self._sizes.plane, self)
        self.plane.be_presented()
        self.plane.setMinimumSize(0, 0)
        self.plane.viewport().setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.cross = Cross(self)
        self.cross.clicked.connect(self.closed)
        self.plane.intent.connect(self.intent)
        self.steps.turned.connect(self.turn)
        self.steps.chosen.connect(lambda stage: self.intent.emit(ShowStage(stage)))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    # --- as a view -------------------------------------------------------------------------------

    def draw(self, frame: Frame) -> None:
        """Show the frame; another page comes within a moment."""
        sheet = self._tell(frame)
        page = (frame.look.stage, None if sheet is None else (sheet.title, sheet.place))
        if self._before is not None and page != self._before:
            fade(self.left, PAGE)
            self.turned.emit()
        self._before, self._frame = page, frame
        self._said = _of_lesson(sheet) if sheet is not None else _of_scene(frame)
        self._show_left(frame)
        self.plane.draw(frame)

    def retheme(self, theme: Theme) -> None:
        """Take another theme."""
        super().retheme(theme)
        self._measure()

    def turn(self, by: int) -> None:
        """Ask for the next page of the lesson, or the next stage; nothing at the ends."""
        frame, at = self._frame, self._said.at + by
        if frame is None or not 0 <= at < self._said.pages:
            return
        if self._tell(frame) is not None:
            self.intent.emit(TurnTo(at))
        else:
            self.intent.emit(ShowStage(stations(frame.scene)[at]))

    # --- sizes -----------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take the sizes that the window's size asks for."""
        super().resizeEvent(event)
        self._measure()

    def _measure(self) -> None:
        sizes = self._sizes = Sizes.of(self.theme.dark, self.width(), self.height())
        width = sizes.px(_LEFT)
        self.left.setGeometry(0, 0, width, self.height())
        self.plane.setGeometry(width, 0, self.width() - width, self.height())
        side = sizes.px(48)
        self.cross.setGeometry(self.width() - side - sizes.px(12), sizes.px(12), side, side)
        self.cross.wear(sizes)
        self.formula.retheme(sizes.theme)
        self.plane.retheme(sizes.plane)
        inset, height = sizes.px(_INSET), sizes.px(HEIGHT)
        self.steps.setGeometry(
            inset, self.height() - sizes.px(_BOTTOM) - height, width - 2 * inset, height
        )
        self.steps.arrange(sizes)
        if self._frame is not None:
            self._show_left(self._frame)
            self.plane.draw(self._frame)
        self.update()

    # --- the left side ---------------------------------------------------------------------------

    def _show_left(self, frame: Frame) -> None:
        said = self._said
        self.steps.show_steps(frame.look.stage, said.at, said.pages)
        query = self._shared(frame)
        self.bar.setVisible(query is not None)
        if query is not None:
            self.bar.show_row(frame, query, self._sizes)
        self.title.setText(displayable(said.title, _LONGEST))
        self.text.setText(_coloured(said.text, frame, self._sizes.theme))
        tokens = _token_inks(frame, self._sizes.theme)
        # Without the formula where it leaves no room, or has none.
        for tex in dict.fromkeys((said.formula, "")):
            for size in _SMALLER:
                if self._arrange(size, tex, tokens):
                    return

    def _arrange(self, size: _Size, formula: str, tokens: dict[str, str]) -> bool:
        """Lay the left side out from above; return whether there is room for all of it."""
        sizes, margin = self._sizes, self._sizes.px(_MARGIN)
        width, y = self.left.width() - 2 * margin, sizes.px(_TOP)
        space = sizes.px(size.space)
        for label, font in (
            (self.title, sizes.font(size.title, 700)),
            (self.text, sizes.font(size.text)),
        ):
            label.setFont(font)
        over = margin - sizes.px(_EDGE)
        fits = self._draw_formula(formula, sizes.px(size.formula), width + over, tokens)
        shown = [self.title, self.formula, self.text, self.bar]
        for part in shown:
            if part.isHidden():
                continue
            if part is self.bar:
                wide, height = self.bar.width_needed(sizes, width), self.bar.height_needed(sizes)
                y += sizes.px(4)
            else:
                wide = width + (over if part is self.formula else 0)
                height = part.heightForWidth(wide)
            part.setGeometry(margin, y, wide, height)
            y += height + space
        widest = _widest_word(self.title) <= width
        return fits and widest and y <= self.steps.y()

    def _draw_formula(self, tex: str, size: int, width: int, tokens: dict[str, str]) -> bool:
        """Draw the formula at most so large, its scripts `LEAST` at least; return if that fits."""
        self.formula.hide()
        if not tex:
            return True
        try:
            made = drawn(tex, size, self._sizes.theme.palette.ink1, tokens)
            script = made.smallest / size
            fitting = max(
                min(size, int(size * (width - 2) / made.width)), math.ceil(LEAST / script)
            )
            if made.width / size * fitting > width:
                return False
            self.formula.set_size(fitting)
            self.formula.show_formula(tex, tokens)
        except Problem:
            return True  # the lesson's panel says what is wrong with it
        self.formula.show()
        return True

    def _shared(self, frame: Frame) -> int | None:
        """Return whose shares are shown; None where they are not what this page is about."""
        if frame.look.veiled or frame.look.stage not in _SHARED:
            return None
        return wording.asking(frame)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the ground of the left side and its edge."""
        theme = self._sizes.theme
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color("canvas"))
        painter.fillRect(self.left.geometry(), theme.color("win"))
        edge = self.left.width() - 1
        painter.fillRect(edge, 0, 1, self.height(), theme.color("line"))
        painter.end()


def _of_lesson(sheet: Sheet) -> _Said:
    text = sheet.fault or sheet.short or (" ".join(sheet.questions[:1]) or sheet.text)
    return _Said(sheet.title, text, sheet.formula, sheet.place, sheet.count)


def _of_scene(frame: Frame) -> _Said:
    there = stations(frame.scene)
    stage = frame.look.stage
    at = there.index(stage) if stage in there else 0
    title = of_example(frame.scene.title) or _("Attention")
    return _Said(title, wording.sentence(frame), wording.formula(frame), at, len(there))


def _label(parent: QWidget, name: str) -> QLabel:
    label = QLabel(parent)
    label.setObjectName(f"present-{name}")
    label.setTextFormat(Qt.TextFormat.PlainText if name == "title" else Qt.TextFormat.RichText)
    label.setWordWrap(True)
    label.setProperty("ink", "ink1")
    label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
    return label


def _widest_word(label: QLabel) -> int:
    metrics = label.fontMetrics()
    return max(map(metrics.horizontalAdvance, label.text().split()), default=0)


def _token_inks(frame: Frame, theme: Theme) -> dict[str, str]:
    """Return the ink of every token by its name."""
    queries, keys = theme.token_colours(frame)
    named = [
        *zip(frame.scene.key_tokens, keys, strict=True),
        *zip(frame.scene.tokens, queries, strict=True),
    ]
    return {name: colour.ink for name, colour in named}


def _coloured(text: str, frame: Frame, theme: Theme) -> str:
    """Return a text as HTML in which the selected tokens have their colours."""
    thing = frame.selection
    inks: dict[str, str] = {}
    if thing is not None and not thing.in_weights:
        queries, keys = theme.token_colours(frame)
        for at, names, colours in (
            (thing.key, frame.scene.key_tokens, keys),
            (thing.query, frame.scene.tokens, queries),
        ):
            if at is not None and at < len(names):
                inks[displayable(names[at])] = colours[at].ink
    found = "|".join(re.escape(name) for name in sorted(inks, key=len, reverse=True) if name)
    parts = re.split(rf"(?<!\w)({found})(?!\w)", displayable(text)) if found else [text]
    said = "".join(
        f'<b style="color:{inks[part]}">{html_escaped(part)}</b>' if odd else html_escaped(part)
        for odd, part in ((n % 2, part) for n, part in enumerate(parts))
    )
    return f'<p style="line-height:{_LINE}%">{said}</p>'
