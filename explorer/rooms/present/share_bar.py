"""How 1 is shared among tokens, as lengths of a bar with the tokens' names below."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from explorer.kit.theme import Theme, TokenColour
from explorer.rooms.present.sizes import Sizes
from explorer.session import Frame
from explorer.text import _, display_number, displayable

_HEIGHT, _GAP, _RADIUS, _NAME = 48, 6, 4, 22  # px of the drawn page
_AIR = 5  # between names
_OVER = 12  # by which a name may stand out at the right
LONGEST = 14  # letters of a name


class Share(NamedTuple):
    """One token's part of the bar."""

    name: str
    share: float
    colour: TokenColour


def shares_of(frame: Frame, query: int, theme: Theme) -> tuple[Share, ...]:
    """Return a token's weights."""
    names = [displayable(token, LONGEST) for token in frame.scene.key_tokens]
    row = np.nan_to_num(frame.weights[query]).tolist()
    return tuple(map(Share, names, row, theme.token_colours(frame)[1]))


class ShareBar(QWidget):
    """Draws shares as lengths; the whole width of the bar is 1."""

    def __init__(self, sizes: Sizes, parent: QWidget) -> None:
        super().__init__(parent)
        self._sizes, self._shares = sizes, tuple[Share, ...]()

    def show_shares(self, shares: tuple[Share, ...], sizes: Sizes) -> None:
        """Show how 1 is shared."""
        self._sizes, self._shares = sizes, shares
        told = [f"{each.name} {display_number(each.share, 3)}" for each in shares]
        self.setAccessibleName(_("Shares: {shares}").format(shares=", ".join(told)))
        self.update()

    def height_needed(self, sizes: Sizes) -> int:
        """Return the height of bar and names."""
        return round(sizes.px(_HEIGHT + _GAP) + QFontMetricsF(sizes.font(_NAME, 600)).height() + 1)

    def width_needed(self, sizes: Sizes, width: int) -> int:
        """Return the width of bar and names for a bar of a width."""
        return width + sizes.px(_OVER)

    def segments(self) -> list[QRectF]:
        """Return where each token's part is."""
        edges = np.concatenate([[0.0], np.cumsum([each.share for each in self._shares])])
        edges = edges * (self.width() - self._sizes.px(_OVER))
        height = self._sizes.px(_HEIGHT)
        return [
            QRectF(left, 0, right - left, height)
            for left, right in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)
        ]

    def names(self) -> list[tuple[Share, QRectF]]:
        """Return the names that have room, each with its rectangle: those of large shares first."""
        metrics = QFontMetricsF(self._sizes.font(_NAME, 600))
        top, air = self._sizes.px(_HEIGHT + _GAP), self._sizes.px(_AIR)
        placed: list[tuple[Share, QRectF]] = []
        parts = sorted(
            zip(self._shares, self.segments(), strict=True), key=lambda part: -part[0].share
        )
        for share, part in parts:
            width = metrics.horizontalAdvance(share.name)
            left = min(max(0.0, part.center().x() - width / 2), self.width() - width)
            box = QRectF(left, top, width, metrics.height())
            around = box.adjusted(-air, 0, air, 0)
            if share.share > 0 and left >= 0 and not any(around.intersects(b) for _s, b in placed):
                placed.append((share, box))
        return placed

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint bar and names."""
        sizes = self._sizes
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        radius = sizes.px(_RADIUS)
        for share, part in zip(self._shares, self.segments(), strict=True):
            if part.width() > 1:
                painter.setPen(QPen(QColor(share.colour.ink), 1.5))
                painter.setBrush(QColor(share.colour.fill))
                painter.drawRoundedRect(part.adjusted(0.75, 0.75, -0.75, -0.75), radius, radius)
        painter.setFont(sizes.font(_NAME, 600))
        ascent = QFontMetricsF(painter.font()).ascent()
        for share, box in self.names():
            painter.setPen(QColor(share.colour.ink))
            painter.drawText(box.topLeft() + QRectF(0, ascent, 0, 0).topLeft(), share.name)
        painter.end()
