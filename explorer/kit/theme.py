"""Colours, type and sizes: the one place where the design's numbers stand."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontInfo, QFontMetricsF, QImage, QRawFont

from explorer.attention import max_pooled
from explorer.kit.drawing_cache import drawing_cache
from explorer.session import Frame

SCALES = (100, 125, 150, 200)


@dataclass(frozen=True)
class Palette:
    """The neutral colours of one theme, as #RRGGBB."""

    canvas: str
    win: str
    raised: str
    hover: str
    ink1: str
    on_sel: str
    ink2: str
    ink3: str
    ctl: str
    line2: str
    line: str
    axis: str
    grid: str
    err: str
    run_b: str  # of the second of two runs, never of a token
    ok: str
    cell_dark: str  # dark text on a coloured cell


LIGHT = Palette(
    canvas="#FFFFFF",
    win="#F4F5F8",
    raised="#FFFFFF",
    hover="#E9ECF1",
    ink1="#161C26",
    on_sel="#FFFFFF",
    ink2="#454F61",
    ink3="#5F6979",
    ctl="#828B9C",
    line2="#C5CBD6",
    line="#E0E4EA",
    axis="#B9C0CC",
    grid="#EEF0F4",
    err="#B3261E",
    run_b="#0A7380",
    ok="#1C744A",
    cell_dark="#161C26",
)
DARK = Palette(
    canvas="#0F131A",
    win="#181D27",
    raised="#1F2531",
    hover="#252C39",
    ink1="#EEF1F6",
    on_sel="#0F131A",
    ink2="#B7C0CE",
    ink3="#8F9AAB",
    ctl="#6F7B8E",
    line2="#3A4354",
    line="#2A3140",
    axis="#475166",
    grid="#1A202B",
    err="#FF8A80",
    run_b="#4FC3CC",
    ok="#5CC796",
    cell_dark="#05070B",
)


@dataclass(frozen=True)
class TokenColour:
    """A token's fill (markers, edges, bars) and ink (text, marker outline), as #RRGGBB.

    square : whether its dot in tables is a square: a token of the context
    """

    fill: str
    ink: str
    square: bool = False


TokenColours = tuple[list[TokenColour], list[TokenColour]]  # of the queries' and the keys' tokens

_SLOTS: tuple[tuple[TokenColour, TokenColour], ...] = tuple(
    (TokenColour(fill, light), TokenColour(dark_fill, dark))
    for fill, light, dark_fill, dark in (
        ("#0072B2", "#00609A", "#0072B2", "#58AEEA"),
        ("#D55E00", "#AC4A00", "#D55E00", "#F58A47"),
        ("#009E73", "#007655", "#009E73", "#34B98C"),
        ("#CC79A7", "#9A4C79", "#CC79A7", "#DE94BD"),
        ("#E69F00", "#8A5E00", "#E69F00", "#F0B030"),
        ("#56B4E9", "#1C6C93", "#56B4E9", "#8FD2F7"),
        ("#F0E442", "#706900", "#F0E442", "#F0E442"),
        ("#55606F", "#3E4856", "#DDE2EA", "#EEF1F6"),
    )
)
SLOTS = len(_SLOTS)  # tokens that can have a colour of their own

_ATTENTION = {
    False: "FFFFFF F0EFFB E2E0F7 D1CEF4 BFBBF1 ABA6EC 9790E7 "
    "7E77D9 665DCB 4F48B0 3A3294 292275 191356",
    True: "1B212C 21253B 2A2B53 35336B 423B85 52469E 6352B9 "
    "7766CB 8C7ADD A595E6 BDB0EF D8CDF6 F1EBFD",
}
_NEGATIVE = {
    False: "FFFFFF FBF3E3 F6E6C7 F0D7AA EBC88E E4B56D DDA14A "
    "CC8C35 BB781E A66618 925512 7D4811 693A10",
    True: "1B212C 322419 412B18 523418 643D17 784B1A 8C591C "
    "A36B20 BA7E23 CF973C E4B154 F0D08D FEEEC1",
}
_LEVELS = 256


def _ramp(stops: str) -> NDArray[np.uint8]:
    """Return a lookup table (256, 3), interpolated between the stops in sRGB."""
    rgb = np.array([[int(s[i : i + 2], 16) for i in (0, 2, 4)] for s in stops.split()], float)
    at = np.linspace(0, len(rgb) - 1, _LEVELS)
    table = np.stack([np.interp(at, np.arange(len(rgb)), rgb[:, c]) for c in range(3)], axis=1)
    return np.rint(table).astype(np.uint8)


def luminance(colour: ArrayLike) -> NDArray[np.float64]:
    """Return the relative luminance of sRGB colours (…, 3) with channels 0–255 (WCAG 2.x)."""
    c = np.asarray(colour, np.float64) / 255
    linear = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    return np.asarray(linear @ np.array([0.2126, 0.7152, 0.0722]))


def contrast(a: ArrayLike, b: ArrayLike) -> NDArray[np.float64]:
    """Return the contrast ratios of sRGB colours (…, 3) with channels 0–255 (WCAG 2.x)."""
    one, other = luminance(a) + 0.05, luminance(b) + 0.05
    return np.asarray(np.maximum(one, other) / np.minimum(one, other))


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mixed(front: QColor, back: QColor, share: float) -> QColor:
    """Return `front` at an opacity of `share` upon `back`, as an opaque colour.

    So that the parts of one thing may overlap without showing it.
    """
    return front if share >= 1.0 else _mixed(front.rgb(), back.rgb(), share)


# Hundreds of edges in a frame share a few colours.
@lru_cache(maxsize=1024)
def _mixed(front: int, back: int, share: float) -> QColor:
    over, under = QColor(front), QColor(back)
    return QColor(
        round(over.red() * share + under.red() * (1 - share)),
        round(over.green() * share + under.green() * (1 - share)),
        round(over.blue() * share + under.blue() * (1 - share)),
    )


class Colormap:
    """Cell fills and the text colour that can be read on each of them.

    Parameters
    ----------
    table : ndarray of uint8, shape (n, 3)
        From the lowest value to the highest.
    low, high : float
        The values at its ends, in units of the domain.
    dark_text : str
        The theme's dark text on cells.
    """

    def __init__(self, table: NDArray[np.uint8], low: float, high: float, dark_text: str) -> None:
        self.table = table
        self._low, self._high = low, high
        self._fills = [QColor(*map(int, row)) for row in table]
        opaque = np.full((len(table), 1), 255, np.uint8)
        self._packed = np.ascontiguousarray(np.hstack([table, opaque])).view(np.uint32)[:, 0]
        white, dark, black = QColor("#FFFFFF"), QColor(dark_text), QColor("#000000")
        self._texts = [
            white if with_white >= 4.5 else dark if with_dark >= 4.5 else black
            for with_white, with_dark in zip(
                contrast((255, 255, 255), table), contrast(_rgb(dark_text), table), strict=True
            )
        ]

    def _index(self, value: float, domain: float) -> int:
        share = (value / domain - self._low) / (self._high - self._low)
        return int(min(max(share, 0.0), 1.0) * (len(self.table) - 1) + 0.5)

    def ends(self, domain: float) -> tuple[float, float]:
        """Return the values at the ends of the colours."""
        return self._low * domain, self._high * domain

    def fill(self, value: float, domain: float) -> QColor:
        """Return the cell's colour for a finite value, with `domain` as full strength."""
        return self._fills[self._index(value, domain)]

    def text(self, value: float, domain: float) -> QColor:
        """Return the text colour that reads at 4.5:1 or more on `fill(value, domain)`."""
        return self._texts[self._index(value, domain)]

    @property
    def signed(self) -> bool:
        """Whether it has colours for negative values."""
        return self._low < 0

    def picture(
        self,
        values: NDArray[np.float64],
        domain: float,
        hidden: NDArray[np.bool_] | None = None,
        most: tuple[int, int] | None = None,
    ) -> QImage:
        """Return a picture of one pixel a value, transparent where `hidden`.

        Parameters
        ----------
        values : ndarray, shape (rows, columns)
            Finite, or −inf where hidden.
        most : (int, int), optional
            Rows and columns that are seen; of more values each block's largest is,
            where the colours have signs the one farthest from 0.
        """
        if most is not None and (values.shape[0] > most[0] or values.shape[1] > most[1]):
            if hidden is not None:
                values = np.where(hidden, -np.inf, values)
            values = max_pooled(values, *most, signed=self.signed)
            hidden = None if hidden is None else np.isneginf(values)
        top = len(self.table) - 1
        steps = top / (self._high - self._low)
        at = values * (steps / domain)
        at += 0.5 - self._low * steps
        np.clip(at, 0.5, top + 0.5, out=at)
        pixels = self._packed[at.astype(np.uint16)]
        if hidden is not None:
            pixels[hidden] = 0
        rows, columns = values.shape
        format_ = QImage.Format.Format_RGBA8888
        return QImage(pixels.tobytes(), columns, rows, 4 * columns, format_).copy()


# The width of a text in Inter, for which the design's panels were measured, in its size of type.
_MEASURED = "The attention weights of each token"
_WIDTHS = {400: 17.0, 500: 17.0, 600: 17.4, 700: 17.4}
_NARROWEST = 80  # percent: below, letters look squeezed


@lru_cache(maxsize=1)
def ui_family() -> str:
    """Return the family of the interface font: Inter where installed, else the system's own."""
    if "Inter" in QFontDatabase.families():
        return "Inter"
    return QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).family()


# Where a font is looked for by a letter alone, Han characters may come out in their Japanese forms.
_CHINESE = (
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "Source Han Sans SC",
    "Microsoft YaHei",
    "PingFang SC",
)


# What some families lack, as Noto Sans does; a Chinese font would bring signs of another size.
_SIGNS = "−√→"
_WITH_SIGNS = ("DejaVu Sans", "Noto Sans Math")


@lru_cache(maxsize=1)
def ui_families() -> tuple[str, ...]:
    """Return the family of the interface font, and after it those for what it may lack.

    These are one for signs such as −, where they are missing, and the one for Chinese, where known.
    """
    # Beside others a family is taken by its own name alone: "Sans Serif" would be passed over.
    family = QFontInfo(QFont(ui_family())).family()
    own = QRawFont.fromFont(QFont(family))
    whole = all(own.supportsCharacter(ord(sign)) for sign in _SIGNS)
    beside = (() if whole else _WITH_SIGNS, _CHINESE)
    found = [next(filter(QFontDatabase.hasFamily, names), None) for names in beside]
    others = [name for name in found if name is not None]
    return (family, *others) if others else (ui_family(),)


@lru_cache(maxsize=16)
def ui_stretch(weight: int = 400) -> int:
    """Return the stretch, in percent, that makes the interface font no wider than the design's.

    100 for most; less for wide ones such as DejaVu Sans, whose texts would not fit the panels.
    """
    font = QFont(ui_family())
    font.setPixelSize(14)
    font.setWeight(QFont.Weight(weight))
    most = 14 * _WIDTHS[min(max(weight // 100 * 100, 400), 700)]
    stretch = min(100, int(100 * most / QFontMetricsF(font).horizontalAdvance(_MEASURED)))
    # Between the faces a font brings, its width does not follow the stretch exactly.
    for narrower in range(stretch, _NARROWEST, -1):
        font.setStretch(narrower)
        if QFontMetricsF(font).horizontalAdvance(_MEASURED) <= most:
            return narrower
    return _NARROWEST


@dataclass(frozen=True)
class Theme:
    """Light or dark at one text scale.

    Parameters
    ----------
    dark : bool
    percent : int
        Text scale; multiplies type, row heights and markers together.
    least : int
        No text is smaller, in px: before an audience.
    """

    dark: bool = False
    percent: int = 100
    least: int = 1

    @property
    def palette(self) -> Palette:
        """The neutral colours."""
        return DARK if self.dark else LIGHT

    def px(self, size: float) -> int:
        """Return a size of the design (px at 100 %) at this text scale, in whole pixels."""
        pixels = round(size * self.percent / 100)
        return pixels if pixels > 1 else 1

    def smaller(self, percent: float) -> Theme:
        """Return the same in smaller type, for what has no room; the least text is halved at most.

        percent : the text scale; the theme's own where it is smaller
        """
        if percent >= self.percent:
            return self
        least = max(round(self.least * percent / self.percent), self.least // 2, 1)
        return replace(self, percent=round(percent), least=least)

    def color(self, name: str, opacity: float = 1.0) -> QColor:
        """Return a palette colour by its field name, or a #RRGGBB colour, with an opacity.

        All who ask share it: to change it, copy it.
        """
        shared = _named(name if name.startswith("#") else getattr(self.palette, name))
        if opacity >= 1.0:
            return shared
        colour = QColor(shared)
        colour.setAlphaF(opacity)
        return colour

    def font(self, size: float = 14, weight: int = 400) -> QFont:
        """Return the interface font with tabular figures; `size` in px at 100 %."""
        return QFont(_font(max(self.px(size), self.least), weight))

    def slot(self, index: int) -> TokenColour:
        """Return token colour slot `index` (0–7)."""
        return _SLOTS[index % SLOTS][self.dark]

    @cached_property
    def neutral_token(self) -> TokenColour:
        """The colour of tokens beyond eight that are neither pinned nor pointed at."""
        return TokenColour(fill=self.palette.line2, ink=self.palette.ink2)

    def is_neutral(self, colour: TokenColour) -> bool:
        """Return whether it is the colour of tokens that have none of their own."""
        neutral = self.neutral_token
        return colour is neutral or (colour.fill, colour.ink) == (neutral.fill, neutral.ink)

    def token_colours(self, frame: Frame) -> tuple[list[TokenColour], list[TokenColour]]:
        """Return the colours of the queries' tokens and of the keys' tokens.

        Up to eight tokens each keep a slot of their own; beyond, the frame says which do. Pointed
        ones take the slots that are free, and the rest stay neutral.
        """
        queries, keys = len(frame.scene.tokens), len(frame.scene.key_tokens)
        crossed = frame.scene.context is not None
        total = queries + keys if crossed else queries
        if total <= SLOTS:
            colours = [self.slot(i) for i in frame.slots or range(total)]
        else:
            colours = [self.neutral_token] * total
            taken = {place: slot for place, slot in enumerate(frame.slots) if slot >= 0}
            free = (slot for slot in range(SLOTS) if slot not in taken.values())
            pointed = [frame.selection, frame.hover]
            marked = [
                place
                for thing in pointed
                if thing is not None and not thing.in_weights
                for place in (
                    thing.query,
                    None if thing.key is None else thing.key + (queries if crossed else 0),
                )
                if place is not None and place < total and place not in taken
            ]
            for place, slot in zip(dict.fromkeys(marked), free, strict=False):
                taken[place] = slot
            for place, slot in taken.items():
                colours[place] = self.slot(slot)
        return colours[:queries], colours[queries:] if crossed else colours

    def token_inks(self, frame: Frame) -> dict[str, str]:
        """Return the ink of every token by its name; of two called alike, a query's."""
        queries, keys = self.token_colours(frame)
        named = [
            *zip(frame.scene.key_tokens, keys, strict=True),
            *zip(frame.scene.tokens, queries, strict=True),
        ]
        return {name: colour.ink for name, colour in named}

    @cached_property
    def weights_map(self) -> Colormap:
        """The colormap of attention weights: 0 … domain."""
        return _colormaps(self.dark)[0]

    @cached_property
    def scores_map(self) -> Colormap:
        """The colormap of scores: −domain … domain, indigo attracts, amber repels."""
        return _colormaps(self.dark)[1]


@lru_cache(maxsize=128)
def _named(colour: str) -> QColor:
    return QColor(colour)


@drawing_cache(128)
def _font(pixels: int, weight: int) -> QFont:
    font = QFont(list(ui_families()))
    font.setPixelSize(pixels)
    font.setWeight(QFont.Weight(weight))
    font.setStretch(ui_stretch(weight))
    font.setFeature(QFont.Tag("tnum"), 1)
    return font


@lru_cache(maxsize=2)
def _colormaps(dark: bool) -> tuple[Colormap, Colormap]:
    attention, negative = _ramp(_ATTENTION[dark]), _ramp(_NEGATIVE[dark])
    text = (DARK if dark else LIGHT).cell_dark
    both = np.concatenate([negative[:0:-1], attention])
    return Colormap(attention, 0.0, 1.0, text), Colormap(both, -1.0, 1.0, text)
