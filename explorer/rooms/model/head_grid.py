"""Every head of a run as a thumbnail: layers by heads, or sorted."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QMenu, QScrollBar, QSizePolicy, QWidget

from explorer.attention import max_pooled
from explorer.kit.painted import ARROWS, PaintedWidget, is_alone
from explorer.kit.pieces import head_name
from explorer.kit.table.painting import LEFT, RIGHT, draw_outline, draw_text, text_width
from explorer.kit.theme import Theme
from explorer.models.switches import Put
from explorer.rooms.model.head_places import (
    EDGE,
    MARGIN,
    NUMBERS,
    PITCH_X,
    PITCH_Y,
    SIDE,
    TOP,
    Arranged,
    Place,
    Title,
    arranged,
    shown_heads,
)
from explorer.rooms.model.words import kind_name
from explorer.session import Array
from explorer.session.model.frame import ModelFrame, Order
from explorer.session.model.intents import EditHeadCopy, GoToHead, KeepHead, SwitchHead
from explorer.text import _

_BAR = 10
_FADED = 0.6  # of the ground over a head that is off
_AROUND = 2.5  # from a thumbnail to its outline


def pictures(theme: Theme, tiles: Array, side: int) -> QImage:
    """Return the thumbnails of all heads in one image: layer l and head h at (l, h) · side.

    Each has its own maximum, and the MAXIMUM of a block where it has more cells than pixels.

    tiles : (L, H, t, s)
    side : of one, in the screen's own pixels
    """
    layers, heads = tiles.shape[:2]
    small = max_pooled(tiles, side, side)
    most = small.max(axis=(-2, -1), keepdims=True)
    small = small / np.where(most > 0, most, 1)
    rows, columns = (np.arange(side) * small.shape[axis] // side for axis in (-2, -1))
    whole = small[:, :, rows][:, :, :, columns].transpose(1, 2, 0, 3)
    return theme.weights_map.picture(whole.reshape(heads * side, layers * side), 1.0)


class HeadGrid(PaintedWidget):
    """Thumbnails of all heads: a click or an arrow key goes to one; a menu keeps or copies it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, _("All heads"), parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self._frame = ModelFrame()
        self.arranged = Arranged(True)
        self._for: object = None  # what the arrangement was made for
        self._seen: Place | None = None  # the head that was brought into sight
        self._shown: set[Place] = set()
        self._image: tuple[object, QImage] | None = None
        self.down = QScrollBar(Qt.Orientation.Vertical, self)
        self.across = QScrollBar(Qt.Orientation.Horizontal, self)
        for bar in (self.down, self.across):
            bar.valueChanged.connect(self.update)
            bar.hide()

    def draw(self, frame: ModelFrame) -> None:
        """Show the heads of a frame."""
        self._frame = frame
        look = frame.look
        wanted = frame.run, frame.info, look.order, look.kinds, look.kept, self.theme
        changing = (
            frame.pair if look.order is Order.PAIR else None,
            frame.repeats if look.kinds else None,
        )
        if self._for is None or not _same(self._for, (*wanted, *changing)):
            self._for = *wanted, *changing
            self.arranged, self._shown = arranged(self.theme, frame), shown_heads(frame)
            self._seen = None
            self._fit()
        self._bring_into_sight()
        self._say()
        self.update()

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; a `draw` follows."""
        super().retheme(theme)
        self._for = self._image = None

    @property
    def selected(self) -> Place:
        """The head at the cursor."""
        return self._frame.cursor.layer, self._frame.cursor.head

    def box(self, layer: int, head: int) -> QRectF:
        """Return where a head's thumbnail is, in px of this widget; may be out of sight."""
        return self.arranged.places[layer, head].translated(self._offset)

    # --- layout ----------------------------------------------------------------------------------

    @property
    def _area(self) -> QRectF:
        """Where thumbnails are seen."""
        px, by_layer = self.theme.px, self.arranged.by_layer
        left, top = (px(EDGE), px(TOP) + px(3)) if by_layer else (px(MARGIN), px(3))
        right = self.width() - px(_BAR) - 2
        low = self.height() - (px(_BAR) if not self.across.isHidden() else 1)
        return QRectF(left, top, max(right - left, 1), max(low - top, 1))

    @property
    def _offset(self) -> QPointF:
        return self._area.topLeft() - QPointF(self.across.value(), self.down.value())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
        self._seen = None
        self._bring_into_sight()

    def _fit(self) -> None:
        """Give the scroll bars their places and ranges; one that is not needed is hidden."""
        px, made, side = self.theme.px, self.arranged, round(self.theme.px(_BAR))
        outline = px(3)  # of the last thumbnails
        self.across.setVisible(made.width > self._area.width() + outline)
        area = self._area
        self.down.setVisible(made.height + outline > area.height())
        self.down.setGeometry(self.width() - side, round(area.top()), side, round(area.height()))
        self.across.setGeometry(round(area.left()), self.height() - side, round(area.width()), side)
        for bar, whole, room, step in (
            (self.down, made.height, area.height(), PITCH_Y),
            (self.across, made.width, area.width(), PITCH_X),
        ):
            bar.setRange(0, max(0, round(whole + outline - room)))
            bar.setPageStep(round(room))
            bar.setSingleStep(px(step))

    def _bring_into_sight(self) -> None:
        if self.selected == self._seen or self.selected not in self.arranged.places:
            return
        self._seen = self.selected
        box, area = self.arranged.places[self.selected], self._area
        for bar, low, high, room in (
            (self.down, box.top(), box.bottom(), area.height()),
            (self.across, box.left(), box.right(), area.width()),
        ):
            if low < bar.value():
                bar.setValue(round(low) - 4)
            elif high > bar.value() + room:
                bar.setValue(round(high - room) + 4)

    # --- texts -----------------------------------------------------------------------------------

    def _say(self) -> None:
        """Tell screen readers which head is looked at."""
        if self._frame.run is None:
            self.setAccessibleDescription("")
            return
        layer, head = self.selected
        kind = kind_name(self._frame, self._frame.run.kinds[layer][head])
        said = _("{head}, {kind}").format(head=self._called(layer, head), kind=kind)
        if said != self.accessibleDescription():
            self.setAccessibleDescription(said)

    def text_at(self, at: QPointF) -> str:
        """Return which head is at a point."""
        found = self.thing_at(at)
        return self._called(*found) if isinstance(found, tuple) else ""

    def _called(self, layer: int, head: int) -> str:
        name, run = head_name(layer, head), self._frame.run
        off = run is not None and (layer, head) in run.off
        return _("{head}, off").format(head=name) if off else name

    # --- painting --------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            theme, made = self.theme, self.arranged
            area, offset = self._area, self._offset
            if made.by_layer and made.places:
                self._paint_numbers(painter, area, offset)
            around = theme.px(4)
            painter.setClipRect(area.adjusted(-around, -around, around, around))
            for title in made.titles:
                self._paint_title(painter, title, offset)
            seen = self.rect()
            image, side = self._tiles()
            frames = []
            for place, box in made.places.items():
                where = box.translated(offset)
                if not seen.intersects(where.toAlignedRect()):
                    continue
                if image is not None and place in self._shown:
                    layer, head = place
                    painter.drawImage(where, image, QRectF(layer * side, head * side, side, side))
                frames.append(where.adjusted(-0.5, -0.5, 0.5, 0.5))
            painter.setPen(QPen(theme.color("line"), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRects(frames)
            self._paint_marks(painter, offset)
            painter.setClipping(False)
            self.paint_ring(painter)

    def _paint_title(self, painter: QPainter, title: Title, offset: QPointF) -> None:
        theme, where = self.theme, title.where.translated(offset)
        ink = theme.color(title.ink)
        draw_text(painter, theme, title.text, where, ink, 13, title.weight, title.align)
        if title.after:
            left = text_width(theme, title.text, 13, title.weight) + theme.px(5)
            where = where.adjusted(left, 0, 0, 0)
            draw_text(painter, theme, title.after, where, theme.color("ink3"), 13, align=LEFT)

    def _tiles(self) -> tuple[QImage | None, int]:
        """Return the image of all heads, made once a run, and the side of one in its pixels."""
        side = max(1, round(self.theme.px(SIDE) * self.devicePixelRatioF()))
        run = self._frame.run
        if run is None:
            return None, side
        if self._image is None or self._image[0] != (id(run.tiles), side):
            self._image = (id(run.tiles), side), pictures(self.theme, run.tiles, side)
        return self._image[1], side

    def _paint_marks(self, painter: QPainter, offset: QPointF) -> None:
        """Mark the heads that are off or kept in sight, and outline the one that is looked at."""
        theme, made = self.theme, self.arranged
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        run = self._frame.run
        for place in made.places.keys() & (run.off if run is not None else ()):
            box = made.places[place].translated(offset)
            painter.fillRect(box, theme.color("canvas", _FADED))
            painter.setPen(QPen(theme.color("ink1"), 1.5))
            painter.drawLine(box.bottomLeft(), box.topRight())
        painter.setPen(QPen(theme.color("canvas"), 1))
        painter.setBrush(theme.color("ink1"))
        for place in self._frame.look.kept:
            if place in made.places:
                corner = made.places[place].translated(offset).topRight()
                painter.drawEllipse(corner + QPointF(-2, 2), theme.px(3), theme.px(3))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        if self._frame.run is not None and self.selected in made.places:
            by = _AROUND * theme.percent / 100
            box = made.places[self.selected].translated(offset).adjusted(-by, -by, by, by)
            draw_outline(painter, theme, box, 2.25)

    def _paint_numbers(self, painter: QPainter, area: QRectF, offset: QPointF) -> None:
        """Write the numbers of layers above and of heads at the left; they do not scroll along."""
        theme, px = self.theme, self.theme.px
        layer, head = self.selected if self._frame.run is not None else (-1, -1)
        wide = max(places[0] for places in self.arranged.places) + 1
        high = max(places[1] for places in self.arranged.places) + 1

        def style(chosen: bool) -> tuple[QColor, float, int]:
            return theme.color("ink1" if chosen else "ink3"), 13, 600 if chosen else 400

        draw_text(
            painter, theme, _("head"), QRectF(px(MARGIN), 0, px(40), px(TOP)),
            theme.color("ink3"), 13, 400, LEFT,
        )  # fmt: skip
        half = px(SIDE) / 2
        painter.setClipRect(QRectF(area.left() - 3, 0, area.width() + 3, px(TOP)))
        for number in range(wide):
            x = self.arranged.places[number, 0].left() + offset.x()
            where = QRectF(x - half, 0, 4 * half, px(TOP))
            draw_text(painter, theme, str(number + 1), where, *style(number == layer))
        painter.setClipRect(QRectF(0, area.top(), area.left(), area.height()))
        for number in range(high):
            y = self.arranged.places[0, number].top() + offset.y()
            where = QRectF(0, y, px(NUMBERS), 2 * half)
            draw_text(painter, theme, str(number + 1), where, *style(number == head), RIGHT)
        painter.setClipping(False)

    # --- mouse and keys --------------------------------------------------------------------------

    def thing_at(self, at: QPointF) -> object:
        """Return the head at a point."""
        around = self.theme.px(4)
        if not self._area.adjusted(-around, -around, around, around).contains(at):
            return None
        inside = at - self._offset
        return next(
            (
                place
                for place, box in self.arranged.places.items()
                if place in self._shown and box.adjusted(-2, -2, 2, 2).contains(inside)
            ),
            None,
        )

    def mousePressEvent(self, event: QMouseEvent) -> None:
        found = self.thing_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and isinstance(found, tuple):
            self._go(found)

    def _go(self, place: Place) -> None:
        if place != self.selected:
            self.intent.emit(GoToHead(*place))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll; sideways too."""
        bar = self.across if event.angleDelta().x() or self.down.isHidden() else self.down
        if bar.isHidden():
            event.ignore()
        else:
            turned = event.angleDelta().x() or event.angleDelta().y()
            bar.setValue(bar.value() - round(turned / 120 * 3 * bar.singleStep()))
            event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to the next head in a direction."""
        step = ARROWS.get(Qt.Key(event.key()))
        if step is None or not is_alone(event) or not self._shown:
            event.ignore()
            return
        event.accept()
        found = self._next(*step)
        if found is not None:
            self._go(found)

    def _next(self, y: int, x: int) -> Place | None:
        """Return the nearest head in a direction, in the same row or column; sorted, in order."""
        places = self.arranged.places
        order = [place for place in places if place in self._shown]
        if self.selected not in places:
            return order[0] if order else None
        if not self.arranged.by_layer and x:
            order = sorted({*order, self.selected}, key=list(places).index)
            at = order.index(self.selected) + x
            return order[at] if 0 <= at < len(order) else None
        here = places[self.selected].center()
        ahead = []
        for place in order:
            away = places[place].center() - here
            along, aside = (away.x() * x, away.y()) if x else (away.y() * y, away.x())
            if along > 1 and (not self.arranged.by_layer or abs(aside) < 1):
                ahead.append((along + 3 * abs(aside), place))
        return min(ahead)[1] if ahead else None

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer to keep a head in sight, to switch it off, and to edit a copy of it."""
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        found = self.thing_at(QPointF(event.pos())) if by_mouse else self.selected
        if self._frame.run is None or not isinstance(found, tuple):
            return
        menu = self.menu_of(*found)
        box = self.box(*found).bottomLeft().toPoint()
        menu.popup(event.globalPos() if by_mouse else self.mapToGlobal(box))

    def menu_of(self, layer: int, head: int) -> QMenu:
        """Return the menu of a head, which deletes itself when it is closed."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        keep = menu.addAction(_("Keep in sight"))
        keep.setCheckable(True)
        keep.setChecked((layer, head) in self._frame.look.kept)
        keep.triggered.connect(lambda: self.intent.emit(KeepHead(layer, head)))
        off = (layer, head) in self._frame.switches.off
        switch = menu.addAction(_("Switch head on") if off else _("Switch head off"))
        switch.setEnabled(self._frame.info is not None and self._frame.info.runs)
        switch.triggered.connect(
            lambda: self.intent.emit(SwitchHead(layer, head, None if off else Put.ZEROS))
        )
        copy = menu.addAction(_("Edit a copy in Explore"))
        copy.triggered.connect(lambda: self._copy((layer, head)))
        return menu

    def _copy(self, place: Place) -> None:
        self._go(place)
        self.intent.emit(EditHeadCopy())


def _same(before: object, after: tuple[object, ...]) -> bool:
    """Return whether two tuples hold the same values; arrays and runs by identity."""
    return isinstance(before, tuple) and all(
        one is other or (not hasattr(one, "tiles") and one == other)
        for one, other in zip(before, after, strict=True)
    )
