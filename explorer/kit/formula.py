"""Formulas: LaTeX drawn in the theme's colours, crisp at any scale, and copied as LaTeX."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QByteArray, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence, QPainter, QPaintEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.kit.context_menu import offer_actions
from explorer.kit.drawing_cache import drawing_cache
from explorer.kit.focus_ring import is_ringed
from explorer.kit.theme import Theme
from explorer.text import N_, Problem, _, displayable

LONGEST = 500  # characters
# The library's time doubles with every group inside another: this much of it is a quarter second.
_MOST_WORK = 1000
_PARTS = re.compile(r"\\[A-Za-z]+|\\.|.", re.DOTALL)
_OPENING, _CLOSING = ("{", r"\left", r"\begin"), ("}", r"\right", r"\end")
_MOST_EMS = 100  # wide, and high
_TYPESET = 20.0  # px: the size at which each is set, once for all sizes
_LONGEST_QUOTE = 60
# What reaches beyond the formula's letters: colours that no theme has, links, styles.
_OTHERS = re.compile(r"\\(?:text)?color(?:box)?\b|\\(?:fcolorbox|href|style|class)\b")
_UNKNOWN = re.compile(r"<mi[^>]*>(\\[A-Za-z]+)</mi>")  # to the library it is a letter
_HALF_TOKEN = re.compile(r"\\token(?![A-Za-z])(?!\{[^{}]*\}\s*\{)")
TOKEN = re.compile(r"\\token\{([^{}]*)\}")  # what colours a token, and its name


@dataclass(frozen=True)
class Formula:
    """A drawn formula.

    Parameters
    ----------
    svg : bytes
        The same for every size.
    width, height : float
        In pixels, as drawn at the size that was asked for.
    smallest : float
        The font size in pixels of its smallest script.
    """

    svg: bytes
    width: float
    height: float
    smallest: float


def drawn(tex: str, size: float, colour: str, tokens: Mapping[str, str]) -> Formula:
    r"""Return a formula as a picture.

    Parameters
    ----------
    tex : str
        LaTeX; `\token{cat}{q}` has the colour of the token cat.
    size : float
        Font size in pixels.
    colour : str
        #RRGGBB of all that is no token's.
    tokens : mapping of str to str
        The colours of tokens by name; those of others stay as the formula is.

    Raises
    ------
    Problem
        Where it does not parse, or would take long.
    """
    if len(tex) > LONGEST:
        raise Problem(N_("A formula has up to {most} characters."), most=LONGEST)
    # Its font has no other letters, and would draw boxes for them; a token's name is not drawn.
    if not TOKEN.sub("", tex).isascii():
        raise Problem(N_("A formula is written in ASCII: Greek letters as \\alpha, for example."))
    if other := _OTHERS.search(tex):
        raise Problem(
            N_(
                "{command} cannot be used in a formula: tokens are coloured by \\token{{cat}}{{q}}."
            ),
            command=other[0],
        )
    if _work(tex) > _MOST_WORK:
        raise Problem(N_("The formula has too many brackets inside one another: simplify it."))
    if _HALF_TOKEN.search(tex):
        raise Problem(
            N_("The formula does not parse: \\token has two pairs of braces, \\token{{cat}}{{q}}.")
        )
    coloured = TOKEN.sub(lambda m: rf"\textcolor{{{tokens.get(m[1], colour)}}}", tex)
    try:
        made = _typeset(coloured, colour)
    except Problem:
        raise
    except Exception:  # its parser raises whatever its lists and dictionaries do
        raise Problem(
            N_("The formula does not parse: {tex}"), tex=displayable(tex, _LONGEST_QUOTE)
        ) from None
    by = size / _TYPESET
    return replace(
        made, width=by * made.width, height=by * made.height, smallest=by * made.smallest
    )


@drawing_cache(128)
def _typeset(tex: str, colour: str) -> Formula:
    from ziamath.config import config
    from ziamath.zmath import Latex

    _check_pairs(_PARTS.findall(tex))
    config.svg2 = False  # QtSvg draws the newer form wrongly
    made = Latex(tex, size=_TYPESET, color=colour)
    if unknown := _UNKNOWN.search(made.mathmlstr()):
        raise Problem(N_("The formula has {command}, which is not a command."), command=unknown[1])
    width, height = made.getsize()
    if not (0 < width <= _MOST_EMS * _TYPESET and 0 < height <= _MOST_EMS * _TYPESET):
        raise Problem(N_("The formula is too large to be read: shorten it."))
    return Formula(made.svg().encode(), width, height, min(_sizes(made.node)))


def _check_pairs(parts: list[str]) -> None:
    """Raise Problem where a bracket lacks its other; the library would draw the one too many."""
    for opening, closing in zip(_OPENING, _CLOSING, strict=True):
        found, others = parts.count(opening), parts.count(closing)
        if found != others:
            raise Problem(
                N_("The formula does not parse: it has {found} × {opening}, {others} × {closing}."),
                found=found,
                opening=opening,
                others=others,
                closing=closing,
            )


def _work(tex: str) -> int:
    """Return what drawing a formula will cost: its parts, each doubled by every group around it."""
    depth = work = 0
    for part in _PARTS.findall(tex):
        depth += (part in _OPENING) - (part in _CLOSING)
        work += 1 << max(depth, 0)
    return work


def _sizes(node: Any) -> Iterator[float]:
    """Return the font sizes in a formula's tree."""
    if getattr(node, "glyphsize", None) is not None:
        yield float(node.glyphsize)
    for part in getattr(node, "nodes", ()):
        yield from _sizes(part)


class FormulaView(QWidget):
    """A formula, as large as it is, or as small as its place asks for.

    A screen reader gets the LaTeX; it is copied by Ctrl+C and from the menu.
    """

    def __init__(self, theme: Theme, size: float, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._size = theme, size
        self._tex = ""
        self._tokens: dict[str, str] = {}
        self._formula: Formula | None = None
        self._renderer = QSvgRenderer(self)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        copy = QAction(_("Copy as LaTeX"), self)
        copy.setShortcut(QKeySequence.StandardKey.Copy)
        copy.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        copy.triggered.connect(self._copy)
        self.addAction(copy)
        offer_actions(self)

    @property
    def tex(self) -> str:
        """The LaTeX that is shown."""
        return self._tex

    @property
    def smallest(self) -> float:
        """The font size in pixels of the smallest script, as it is seen; 0 without a formula."""
        made = self._formula
        return 0.0 if made is None else made.smallest * self._share(self.width())

    def show_formula(self, tex: str, tokens: Mapping[str, str]) -> None:
        """Show a formula with the colours of its tokens. Raises Problem where it does not parse."""
        if (tex, tokens) == (self._tex, self._tokens) and self._formula is not None:
            return
        made = drawn(tex, self._theme.px(self._size), self._theme.palette.ink1, tokens)
        self._tex, self._tokens, self._formula = tex, dict(tokens), made
        self._renderer.load(QByteArray(made.svg))
        self.setAccessibleName(_("Formula: {tex}").format(tex=TOKEN.sub("", tex)))
        self.updateGeometry()
        self.update()

    def set_size(self, size: float) -> None:
        """Take another font size, in px at 100 %; for what is shown next."""
        if size != self._size:
            self._size, self._formula = size, None

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        self._theme, self._formula = theme, None
        if self._tex:
            self.show_formula(self._tex, self._tokens)

    def sizeHint(self) -> QSize:
        """Return the formula's own size."""
        if self._formula is None:
            return QSize(0, 0)
        return QSize(round(self._formula.width + 1), round(self._formula.height + 1))

    def hasHeightForWidth(self) -> bool:
        """A wide formula is made smaller, and so lower."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height at a width."""
        return round(self.sizeHint().height() * self._share(width)) + 2

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the formula from the left, in the middle of its height."""
        if self._formula is None:
            return
        share = self._share(self.width())
        width, height = self._formula.width * share, self._formula.height * share
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._renderer.render(painter, QRectF(0, (self.height() - height) / 2, width, height))
            if is_ringed(self):
                painter.setPen(self._theme.color("ink1"))
                painter.drawLine(QPointF(0, self.height() - 1), QPointF(width, self.height() - 1))

    def _share(self, width: int) -> float:
        own = self.sizeHint().width()
        return min(1.0, width / own) if own else 1.0

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(TOKEN.sub("", self._tex))
