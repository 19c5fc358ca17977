"""Points of one head's vectors in a plane: of its queries and keys, or of its values."""

from __future__ import annotations

import re

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from explorer.attention import Projection
from explorer.kit.canvas.drawing import Drawing, Line, Marker, Text
from explorer.kit.canvas.placement import FREE, Anchor, Surroundings, boxes_of, leader, place_labels
from explorer.kit.canvas.text import word
from explorer.kit.canvas.widget import Canvas
from explorer.kit.plane.camera import Margins, fit
from explorer.kit.plane.grid import grid
from explorer.kit.table.painting import LEFT, draw_text, text_width
from explorer.kit.theme import Theme
from explorer.rooms.model.row import pointed_row, row_of, token_colours, token_name
from explorer.session import Array, Space
from explorer.session.model.frame import ModelFrame
from explorer.session.model.intents import HoverPair, SelectPair, StepPair
from explorer.text import _

_TITLE, _SIDE, _BELOW, _ABOVE = 50, 48, 40, 24  # px at 100 %, as all below, around the points
_PAD = 16
_POINT, _QUERY, _NAMED = 11, 10, 18  # a key or value, a query, and a token with a colour
_REACH = 16  # half of a target
_SIZE = 14  # of names
_ALL_NAMED = 24  # points; of more only coloured, selected and hovered ones have names
_THINNEST, _WIDTH = 1.0, 8.0  # of the lines to the strongest keys
Point = tuple[Space, int]


class SpacePane(Canvas):
    """Points under a title; a click on a query asks, one on a key or value selects it."""

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(theme, name, parent)
        self._frame = ModelFrame()
        self._points: dict[Space, Array] = {}
        self._captions: tuple[str, ...] = ()  # the longest that has room is shown
        self._keep: dict[Point, int | None] = {}
        self._kept_for: object = None

    def draw(
        self, frame: ModelFrame, theme: Theme, projection: Projection, vectors: dict[Space, Array]
    ) -> None:
        """Show vectors, (T, d) for each space, in the plane of a projection."""
        self._frame, self.theme = frame, theme
        self._points = {space: projection.project(rows) for space, rows in vectors.items()}
        percent = round(100 * float(projection.explained.sum()))
        self._captions = ()
        if not projection.exact:
            self._captions = (
                _("PCA of {count} dimensions, {percent} % of the variance").format(
                    count=len(projection.mean), percent=percent
                ),
                _("PCA, {percent} % of the variance").format(percent=percent),
                f"PCA, {percent} %",
            )
        self._compose()

    def point_at(self, space: Space, place: int) -> QPointF:
        """Return where a token's point is drawn; outside of all where it is not."""
        for marker in self.shown.markers:
            if (marker.space, marker.row) == (space, place):
                return QPointF(marker.x, marker.y)
        return QPointF(-1, -1)

    @property
    def names(self) -> list[str]:
        """The names that stand beside points."""
        return [text.word.text for text in self.shown.texts if text.word.font.bold()]

    # --- the drawing -----------------------------------------------------------------------------

    def _shown_rows(self, space: Space) -> Array:
        queries, keys = self._frame.shown
        return queries if space is Space.Q else keys

    def _compose(self) -> None:
        theme, frame = self.theme, self._frame
        if frame.run is None or not self._points:
            self.show_drawing(Drawing(), theme)
            return
        shown = {space: self._shown_rows(space) for space in self._points}
        cloud = np.concatenate([self._points[space][rows] for space, rows in shown.items()])
        if not len(cloud):
            self.show_drawing(Drawing(), theme)
            return
        px = theme.px
        margins = Margins(px(_SIDE), px(_TITLE + _ABOVE), px(_SIDE), px(_BELOW))
        camera = fit(cloud, self.width(), self.height(), margins)
        lines, ticks = grid(camera, theme, px(_TITLE))
        at = {space: camera.to_screen(self._points[space]) for space in self._points}
        markers = self._markers(at, shown)
        names, leaders = self._names(markers, len(cloud))
        scale = theme.percent / 100
        drawing = Drawing(
            grid=lines,
            shapes=(*self._relations(at), *leaders),
            markers=tuple(markers),
            texts=(*ticks, *names),
            scale=scale,
        )
        self.show_drawing(drawing, theme)

    def _markers(self, at: dict[Space, Array], shown: dict[Space, Array]) -> list[Marker]:
        """Return all points, those with a colour above the others."""
        theme, frame = self.theme, self._frame
        colours, scale = token_colours(theme, frame), theme.percent / 100
        plain: list[Marker] = []
        named: list[Marker] = []
        for space, rows in shown.items():
            for place in rows.tolist():
                x, y = at[space][place].tolist()
                colour = colours.get(place)
                size = _NAMED if colour else _QUERY if space is Space.Q else _POINT
                hovered = (space, place) in self._hovered
                marker = Marker(
                    space, place, x, y, size * scale, colour or theme.neutral_token, hovered=hovered
                )
                (named if colour or hovered else plain).append(marker)
        return plain + named

    @property
    def _hovered(self) -> set[Point]:
        query, key = self._frame.hover
        found = {(Space.Q, query)} if query is not None else set()
        if key is not None:
            found |= {(Space.K, key), (Space.V, key)}
        return found

    def _relations(self, at: dict[Space, Array]) -> list[Line]:
        """Return lines from the query to its strongest keys, as wide as the weights."""
        row = pointed_row(self._frame)
        if row is None or Space.Q not in at or Space.K not in at:
            return []
        theme = self.theme
        colours = token_colours(theme, self._frame)
        known = colours.get(row.query)
        ink = QColor(known.fill if known else theme.palette.ctl)
        start = tuple(at[Space.Q][row.query].tolist())
        made = []
        for key in reversed(row.strongest):
            weight = float(row.weights[key])
            shade = QColor(ink)
            shade.setAlphaF(0.25 + 0.6 * min(weight, 1.0))
            width = (_THINNEST + _WIDTH * weight) * theme.percent / 100
            made.append(Line((start, tuple(at[Space.K][key].tolist())), shade, width))
        return made

    def _names(self, markers: list[Marker], count: int) -> tuple[list[Text], list[Line]]:
        """Return names in free places, tied to their points where they are far."""
        theme, frame = self.theme, self._frame
        scale = theme.percent / 100
        cursor, colours = frame.cursor, token_colours(theme, frame)
        firm = {(Space.Q, cursor.query), (Space.K, cursor.key), (Space.V, cursor.key)}
        firm |= self._hovered
        named = [
            marker
            for marker in reversed(markers)
            if count <= _ALL_NAMED or marker.row in colours or (marker.space, marker.row) in firm
        ]
        words, anchors = [], []
        for marker in named:
            key = marker.space is not Space.Q
            text = word(theme, token_name(frame, marker.row, key=key), _SIZE, 600)
            words.append(text)
            required = (marker.space, marker.row) in firm
            anchors.append(
                Anchor(
                    marker.x,
                    marker.y,
                    marker.diameter / 2,
                    text.width,
                    text.height,
                    required,
                    wide=True,
                    pointed=required,
                )
            )
        halves = [(m, m.diameter / 2) for m in markers]
        boxes = boxes_of((m.x - r, m.y - r, m.x + r, m.y + r) for m, r in halves)
        top = theme.px(_TITLE)
        around = Surroundings(
            (4.0, top + 4.0, self.width() - 4.0, self.height() - 24.0 * scale),
            boxes,
            np.empty((0, 4)),
            np.empty((0, 0, 2)),
            np.empty(0),
        )
        # Hovering moves no name.
        made_for = (frame.head, frame.look, cursor, theme, self.width(), self.height())
        if made_for != self._kept_for:
            self._kept_for, self._keep = made_for, {}
        keep = [self._keep.get((m.space, m.row), FREE) for m in named]
        placed = place_labels(anchors, around, scale, keep)
        texts, ties = [], []
        for marker, text, anchor, place in zip(named, words, anchors, placed, strict=True):
            self._keep[marker.space, marker.row] = place.number
            if place.number is None:
                continue
            known = colours.get(marker.row)
            ink = theme.color("ink2") if known is None else QColor(known.ink)
            texts.append(Text(text, *place.rect[:2], ink))
            tie = leader(anchor, place.rect, scale)
            if tie:
                ties.append(Line(tie, theme.color("ctl"), scale))
        return texts, ties

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._compose()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        theme, px = self.theme, self.theme.px
        with QPainter(self) as painter:
            painter.fillRect(0, 0, self.width(), px(_TITLE), theme.color("canvas"))
            line = QRectF(px(_PAD), px(6), self.width() - 2 * px(_PAD), px(22))
            whole = self.accessibleName()
            titles = whole, re.split("[:：]", whole)[0]  # what it shows, without more about it
            title = next((t for t in titles if text_width(theme, t, 13, 600) <= line.width()), "")
            draw_text(painter, theme, title, line, theme.color("ink1"), 13, 600, LEFT)
            below = line.translated(0, px(20))
            fitting = (
                each for each in self._captions if text_width(theme, each, 12) <= below.width()
            )
            said = next(fitting, "")
            draw_text(painter, theme, said, below, theme.color("ink3"), 12, 400, LEFT)

    # --- the mouse and the keys ------------------------------------------------------------------

    def thing_at(self, at: QPointF) -> Point | None:
        """Return the nearest point within reach."""
        near: tuple[float, Point] | None = None
        for marker in self.shown.markers:
            away = float(np.hypot(marker.x - at.x(), marker.y - at.y()))
            if away <= self.theme.px(_REACH) and (near is None or away < near[0]):
                near = away, (marker.space, marker.row)
        return None if near is None else near[1]

    def hover(self, thing: object) -> None:
        """Point at a token in every view."""
        if not isinstance(thing, tuple):
            self.intent.emit(HoverPair())
        elif thing[0] is Space.Q:
            self.intent.emit(HoverPair(thing[1]))
        else:
            self.intent.emit(HoverPair(self._frame.cursor.query, thing[1]))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Ask, or select a key of what asks."""
        thing = self.thing_at(event.position())
        if event.button() != Qt.MouseButton.LeftButton or thing is None:
            return
        if thing[0] is Space.Q:
            row = row_of(self._frame, thing[1])
            strongest = () if row is None else row.strongest
            self.intent.emit(SelectPair(thing[1], strongest[0] if strongest else None))
        elif self._frame.cursor.query is not None:
            self.intent.emit(SelectPair(self._frame.cursor.query, thing[1]))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to the next larger or smaller weight."""
        step = {Qt.Key.Key_BracketLeft: 1, Qt.Key.Key_BracketRight: -1}.get(Qt.Key(event.key()))
        if step is None or self._frame.cursor.query is None:
            event.ignore()
        else:
            self.intent.emit(StepPair(step))
