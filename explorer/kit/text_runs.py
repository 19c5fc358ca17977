"""Text in runs of different ink and weight, and how they are measured and painted."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from string import Formatter

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from explorer.kit.canvas.text import Word, draw_word, word
from explorer.kit.markers import paint_marker
from explorer.kit.theme import Theme, TokenColour
from explorer.session import Frame, Role, Selection, Space
from explorer.text import html_escaped
from explorer.text.numbers import MINUS


@dataclass(frozen=True, slots=True)
class TokenInk:
    """A token's colour.

    Parameters
    ----------
    token : int
        Counted from 0.
    key : bool
        Whether a token of the context (a row of K and V) is meant.
    """

    token: int
    key: bool = False


Ink = str | TokenInk  # a palette colour by its field name, or a token's


class Place(Enum):
    """Where a text stands on its line."""

    LINE = auto()
    SUB = auto()
    SUPER = auto()


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of plain text, safe to show (see `explorer.text.displayable`)."""

    text: str
    ink: Ink = "ink1"
    weight: int = 400
    place: Place = Place.LINE


@dataclass(frozen=True, slots=True)
class Chip:
    """A value on its colour: a score (Role.S) or a weight (Role.A).

    Parameters
    ----------
    text : str
        The value as shown.
    value : float
        Chooses the colour.
    selection : Selection
        What a click on it selects; its `role` chooses the colormap.
    """

    text: str
    value: float
    selection: Selection

    @property
    def is_score(self) -> bool:
        """Whether it has the colours of scores instead of those of weights."""
        return self.selection.role is Role.S


@dataclass(frozen=True, slots=True)
class Marker:
    """A role's marker."""

    space: Space
    ink: Ink


@dataclass(frozen=True, slots=True)
class More:
    """Where a sum is folded: a button that shows all its terms."""

    text: str


Run = Text | Chip | Marker | More
Runs = tuple[Run, ...]


def spliced(template: str, ink: Ink = "ink1", **fields: Runs) -> Runs:
    """Return a translated template as runs, its `{name}` fields replaced by other runs."""
    runs: list[Run] = []
    for text, name, _spec, _conversion in Formatter().parse(template):
        if text:
            runs.append(Text(text, ink))
        if name:
            runs.extend(fields[name])
    return tuple(runs)


def plain(runs: Runs, minus: str = "-") -> str:
    """Return runs as one line of plain text, as in `q_cat` and `e^-0.438`."""
    parts = []
    for run in runs:
        match run:
            case Text(text, place=Place.SUB):
                parts.append(f"_{text}")
            case Text(text, place=Place.SUPER):
                parts.append(f"^({text})" if " " in text else f"^{text}")
            case Text(text):
                parts.append(text)
            case Chip(text) | More(text):
                parts.append(f" {text} ")
    said = " ".join("".join(parts).replace(MINUS, minus).split())
    # Beside the margins of chips.
    return said.replace(" ,", ",").replace(" ，", "，").replace("， ", "，").replace("( ", "(")


def as_html(runs: Runs) -> str:
    """Return the texts among runs as HTML for a tooltip."""
    tags = {Place.LINE: "{}", Place.SUB: "<sub>{}</sub>", Place.SUPER: "<sup>{}</sup>"}
    texts = (run for run in runs if isinstance(run, Text))
    html = "".join(tags[run.place].format(html_escaped(run.text)) for run in texts)
    return f"<qt>{html}</qt>"


LINE, CAPTION = 17.0, 13.0  # px at 100 %
_SMALL = 0.76  # size of sub- and superscripts
_LOWERED, _RAISED = 0.24, -0.36  # their baseline, in sizes of the text they stand by
_CHIP_HEIGHT, _CHIP_PAD, _CHIP_MARGIN, _CHIP_RADIUS = 26, 7, 4, 5
_MARKER, _MARKER_GAP = 15, 9
_OUTSET = 2.0  # by how much a selected chip grows


@dataclass(frozen=True)
class Colours:
    """What colours depend on besides the theme.

    Parameters
    ----------
    queries, keys : list of TokenColour
    score_domain, weight_domain : float
        Full strength of a score's and of a weight's colour.
    selected, hovered : (query, key) or None
        The pair whose chips carry an outline.
    """

    queries: list[TokenColour]
    keys: list[TokenColour]
    score_domain: float
    weight_domain: float
    selected: tuple[int, int] | None
    hovered: tuple[int, int] | None

    @classmethod
    def of(cls, theme: Theme, frame: Frame) -> Colours:
        """Return the colours for a frame."""
        queries, keys = theme.token_colours(frame)
        return cls(
            queries,
            keys,
            frame.score_domain,
            frame.weight_domain,
            *(None if thing is None else thing.pair for thing in (frame.selection, frame.hover)),
        )

    def token(self, ink: Ink, theme: Theme) -> TokenColour:
        """Return fill and ink of a token, or twice a palette colour."""
        if isinstance(ink, str):
            colour = getattr(theme.palette, ink)
            return TokenColour(colour, colour)
        return (self.keys if ink.key else self.queries)[ink.token]


NO_TOKENS = Colours([], [], 1.0, 1.0, None, None)


class RunPainter:
    """Measures and paints runs.

    Parameters
    ----------
    theme : Theme
    """

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._figures: dict[tuple[float, int], float] = {}

    def width(self, run: Run, size: float = LINE) -> float:
        """Return a run's width in px on a line of text of that size (px at 100 %)."""
        px = self._theme.px
        match run:
            case Text(text, _, weight, place):
                own = size if place is Place.LINE else size * _SMALL
                return self._word(text, own, weight).width
            case Chip(text):
                # Wide enough for the selected state, so that selecting it moves nothing.
                wide = self._word(text, size, 600).width
                return wide + 2 * px(_CHIP_PAD) + 2 * px(_CHIP_MARGIN)
            case Marker():
                return px(_MARKER) + px(_MARKER_GAP)
            case More(text):
                wide = self._word(text, CAPTION, 500).width
                return wide + 2 * px(_CHIP_PAD) + 2 * px(_CHIP_MARGIN)

    def paint(
        self, painter: QPainter, run: Run, at: QPointF, colours: Colours, size: float = LINE
    ) -> None:
        """Paint a run with its left end at `at`, whose y is the middle of the line's figures.

        A `More` is not painted: it is a button.
        """
        match run:
            case Text(text, ink, weight, place):
                small = place is not Place.LINE
                own = size * _SMALL if small else size
                baseline = self._baseline(at, size, weight)
                if small:
                    shift = _LOWERED if place is Place.SUB else _RAISED
                    baseline += shift * self._theme.px(size)
                laid, own_ink = self._word(text, own, weight), colours.token(ink, self._theme).ink
                draw_word(painter, laid, at.x(), baseline - laid.ascent, QColor(own_ink))
            case Chip():
                self._paint_chip(painter, run, at, colours, size)
            case Marker(space, ink):
                colour = colours.token(ink, self._theme)
                diameter = self._theme.px(_MARKER)
                painter.save()
                painter.translate(at.x() + diameter / 2, at.y())
                paint_marker(
                    painter,
                    space,
                    diameter - 1.5,
                    QColor(colour.fill),
                    QColor(colour.ink),
                    scale=self._theme.percent / 150,
                )
                painter.restore()

    def box(self, run: Chip | More, at: QPointF, size: float = LINE) -> QRectF:
        """Return the box of a chip (or button) painted at `at`, on whole pixels."""
        px = self._theme.px
        width = round(self.width(run, size)) - 2 * px(_CHIP_MARGIN)
        height = 2 * px(_CHIP_HEIGHT / 2 * size / LINE)
        return QRectF(round(at.x()) + px(_CHIP_MARGIN), round(at.y()) - height // 2, width, height)

    def _paint_chip(
        self, painter: QPainter, run: Chip, at: QPointF, colours: Colours, size: float
    ) -> None:
        theme = self._theme
        ramp = theme.scores_map if run.is_score else theme.weights_map
        domain = colours.score_domain if run.is_score else colours.weight_domain
        rect = self.box(run, at, size)
        scale = theme.percent / 100
        selected = run.selection.pair == colours.selected
        painter.setBrush(ramp.fill(run.value, domain))
        if selected:
            painter.setPen(QPen(theme.color("ink1"), 2.25 * scale))
            grown = _OUTSET * scale
            outline = rect.adjusted(-grown, -grown, grown, grown)
        elif run.selection.pair == colours.hovered:
            painter.setPen(QPen(theme.color("ink1"), 1.25 * scale))
            outline = rect
        else:
            painter.setPen(Qt.PenStyle.NoPen)
            outline = rect
        radius = theme.px(_CHIP_RADIUS)
        painter.drawRoundedRect(outline, radius, radius)
        weight = 600 if selected else 500
        text = self._word(run.text, size, weight)
        left, baseline = rect.center().x() - text.width / 2, self._baseline(at, size, weight)
        draw_word(painter, text, left, baseline - text.ascent, ramp.text(run.value, domain))

    def _word(self, text: str, size: float, weight: int) -> Word:
        return word(self._theme, text, size, weight)

    def _baseline(self, at: QPointF, size: float, weight: int) -> float:
        """Return the baseline of figures whose middle is at a point."""
        height = self._figures.get((size, weight))
        if height is None:
            height = QFontMetricsF(self._theme.font(size, weight)).capHeight()
            self._figures[size, weight] = height
        return at.y() + height / 2
