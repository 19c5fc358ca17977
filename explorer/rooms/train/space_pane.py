"""One pane of the Q K V spaces: points of one or two spaces under a title."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QAccessible, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from explorer.attention import Projection, align, fit_projection
from explorer.kit.canvas.drawing import Drawing
from explorer.kit.canvas.widget import Canvas
from explorer.kit.markers import marker_path
from explorer.kit.mosaic import moved_pair
from explorer.kit.plane.camera import Margins, fit
from explorer.kit.plane.compose import compose
from explorer.kit.plane.picking import meaning, pick
from explorer.kit.plane.placed_frame import Layout
from explorer.kit.plane.words import point_names
from explorer.kit.table.painting import LEFT, draw_text, elided, text_width
from explorer.kit.theme import Theme
from explorer.rooms.train.head import Head
from explorer.session import Array, Edges, Frame, Role, Selection, Space
from explorer.session.intents import Hover, Select
from explorer.text import joined_long, labelled, listed
from explorer.traces import BadStep, Trace

MOST_STEPS = 9  # evenly spaced, the first and the last among them
MATCHING, MIXING = ("q", "k"), ("v", "head_output")


@dataclass(frozen=True, eq=False)
class Axes:
    """Two axes for two arrays, and how far their points reach.

    Parameters
    ----------
    projection : Projection
    low, high : ndarray, shape (2,)
        Corners of the rectangle around all points so far.
    """

    projection: Projection
    low: Array
    high: Array

    def reaching(self, points: Array) -> Axes:
        """Return the same axes, reaching as far as points (N, 2) too."""
        low, high = np.minimum(self.low, points.min(axis=0)), np.maximum(self.high, points.max(0))
        if (low >= self.low).all() and (high <= self.high).all():
            return self
        return replace(self, low=low, high=high)

    @property
    def corners(self) -> Array:
        """The two corners, shape (2, 2)."""
        return np.stack([self.low, self.high])


def fit_axes(
    trace: Trace,
    recorded: int,
    place: tuple[int, int, int],
    arrays: tuple[str, str],
    previous: Axes | None = None,
) -> Axes:
    """Return the axes that show most of how two arrays' rows lie over the whole run.

    Parameters
    ----------
    recorded : int
        How many of the trace's steps to look at.
    place : (sample, layer, head)
    previous : Axes, optional
        Earlier ones of the same place, which the axes are turned to lie closest to.

    Raises Problem where the arrays cannot be read.
    """
    sample, layer, head = place
    length = int(trace.lengths[sample])
    rows = []
    bad: BadStep | None = None
    for step in np.unique(np.linspace(0, recorded - 1, MOST_STEPS).round().astype(int)):
        try:
            found = [trace.array(name, int(step), sample, layer, head)[:length] for name in arrays]
        except BadStep as problem:
            bad = problem
        else:
            rows += found
    if not rows:
        assert bad is not None
        raise bad
    points = np.concatenate(rows)
    projection = fit_projection(points)
    if previous is not None:
        projection = align(projection, previous.projection)
    drawn = projection.project(points)
    axes = Axes(projection, drawn.min(axis=0), drawn.max(axis=0))
    # Vectors of two numbers start at the origin.
    return axes.reaching(np.zeros((1, 2))) if projection.exact else axes


TITLE = 40  # px at 100 %, as all below
_PAD, _GAP, _MARKER = 16, 8, 14
_SIDE, _ABOVE, _BELOW = 64, 26, 58  # kept around the points, for labels
_ROOMY = (340, 270)  # what is drawn is smaller in a smaller pane,
_SMALLEST = 0.75  # but not more than so
_THICKNESS = 0.55  # of the plane's edges: a quarter of its room
_NAME_SHARE = 0.22  # of a pane's width that a name may take


class SpacePane(Canvas):
    """The points of some spaces; a click selects a token, an edge or a pair.

    Parameters
    ----------
    spaces : tuple of Space
    words : str
        What can be seen.
    """

    def __init__(
        self, spaces: tuple[Space, ...], words: str, theme: Theme, parent: QWidget | None = None
    ) -> None:
        name = labelled(listed(space.value for space in spaces), words)
        super().__init__(theme, name, parent)
        self.words = words
        self._spaces, self._free = spaces, 0
        self._head: Head | None = None
        self._axes: Axes | None = None
        self._layout = Layout()
        self.drawing = Drawing()

    @property
    def short_name(self) -> str:
        """Its spaces' letters, such as Q→K."""
        return "→".join(space.value for space in self._spaces)

    def keep_free(self, width: int) -> None:
        """Leave so many pixels of the title free, at its end."""
        if width != self._free:
            self._free = width
            self.update()

    def draw(self, head: Head, axes: Axes, theme: Theme, *, keep: bool) -> None:
        """Show a head's points.

        Parameters
        ----------
        keep : bool
            Whether names and values stay in the places they have.
        """
        look = replace(head.frame.look, spaces=frozenset(self._spaces), edges=self._edges(head))
        frame = replace(head.frame, look=look, projection=axes.projection)
        self._head, self._axes = replace(head, frame=frame), axes
        self._redraw(theme, keep=keep)
        if QAccessible.isActive():
            self.setAccessibleDescription(joined_long(point_names(frame)))

    def _edges(self, head: Head) -> Edges:
        """Return what edges show: attention; where values are mixed, for a chosen query alone."""
        pointed = head.frame.pointed
        mixing = Space.O in self._spaces
        chosen = pointed is not None and not pointed.in_weights and pointed.query is not None
        return Edges.ATTENTION if chosen or not mixing else Edges.NONE

    def _redraw(self, theme: Theme, *, keep: bool) -> None:
        head, axes = self._head, self._axes
        if head is None or axes is None:
            return
        top = theme.px(TITLE)
        scaled = self._scaled(theme)
        side = min(scaled.px(_SIDE), self.width() * 0.18)
        margins = Margins(side, top + scaled.px(_ABOVE), side, scaled.px(_BELOW))
        camera = fit(axes.corners, self.width(), self.height(), margins)
        kept = self._layout if keep else None
        frame = self._with_short_names(head.frame, scaled)
        self.drawing, self._layout = compose(
            frame, scaled, camera, top, kept, head.colours, thickness=_THICKNESS
        )
        self.show_drawing(self.drawing, theme)

    def _scaled(self, theme: Theme) -> Theme:
        """Return the theme with smaller text and markers where the pane is small."""
        wide, high = (theme.px(size) for size in _ROOMY)
        share = min(self.width() / wide, self.height() / high, 1.0)
        return replace(theme, percent=round(theme.percent * max(share, _SMALLEST)))

    def _with_short_names(self, frame: Frame, theme: Theme) -> Frame:
        room = max(int(self.width() * _NAME_SHARE), 1)
        tokens = tuple(elided(theme, name, 17, 600, room) for name in frame.scene.tokens)
        if tokens == frame.scene.tokens:
            return frame
        return replace(frame, scene=frame.scene.replace(tokens=tokens))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._redraw(self.theme, keep=False)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        theme, px = self.theme, self.theme.px
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.fillRect(0, 0, self.width(), px(TITLE), theme.color("canvas"))
            middle, left = px(TITLE) / 2, float(px(_PAD))
            letters = sum(text_width(theme, space.value, 13, 600) for space in self._spaces)
            beside = letters + len(self._spaces) * px(_MARKER + 2 * _GAP)
            if left + beside > self.width() - self._free:
                return  # the choice beside it says the same
            for space in self._spaces:
                painter.save()
                painter.translate(
                    left + px(_MARKER) / 2, middle + (px(1) if space is Space.Q else 0)
                )
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(theme.color("ink2"))
                painter.drawPath(marker_path(space, px(_MARKER) * 0.9))
                painter.restore()
                left += px(_MARKER + _GAP)
                left = self._write(painter, space.value, left, "ink1", 600) + px(_GAP)
            self._write(painter, self.words, left, "ink3", 400)

    def _write(self, painter: QPainter, text: str, left: float, ink: str, weight: int) -> float:
        """Write a text of the title; return where it ends."""
        theme = self.theme
        room = self.width() - self._free - left - theme.px(_GAP)
        shown = elided(theme, text, 13, weight, max(int(room), 1))
        wide, line = text_width(theme, shown, 13, weight), theme.px(TITLE)
        where = QRectF(left, 0, self.width(), line)
        draw_text(painter, theme, shown, where, theme.color(ink), 13, weight, LEFT)
        return left + wide

    # --- mouse and keys --------------------------------------------------------------------------

    def thing_at(self, at: QPointF) -> Selection | None:
        """Return what pointing at a pixel means."""
        if self._head is None:
            return None
        frame = self._head.frame
        # A key pointed at after a query is their weight, also where no edges are drawn.
        weighed = replace(frame, look=replace(frame.look, edges=Edges.ATTENTION))
        return meaning(pick(self.drawing, at.x(), at.y()), weighed)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._head is not None:
            self.intent.emit(Select(self.thing_at(event.position())))

    def hover(self, thing: object) -> None:
        self.intent.emit(Hover(thing if isinstance(thing, Selection) else None))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        pair = None
        if self._head is not None:
            frame = self._head.frame
            pair = moved_pair(frame.selection, len(frame.weights), event)
        if pair is None:
            event.ignore()
        else:
            self.intent.emit(Select(Selection(Role.A, *pair)))
