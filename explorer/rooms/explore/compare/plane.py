"""One side's plane: points and edges seen through a camera that both sides share."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QAccessible, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from explorer.kit.canvas.drawing import Text, for_audience
from explorer.kit.canvas.text import word
from explorer.kit.canvas.widget import Canvas
from explorer.kit.labels import plain_label
from explorer.kit.layouts import fill
from explorer.kit.plane.camera import Camera
from explorer.kit.plane.compose import compose
from explorer.kit.plane.placed_frame import Layout, points_on_screen
from explorer.kit.plane.words import captions, summary
from explorer.kit.table.painting import elided
from explorer.kit.theme import Theme
from explorer.rooms.explore.plane.interaction import Interaction, PointList, Scenery
from explorer.session import Frame, Space
from explorer.session.intents import MovePoint
from explorer.text import _, as_sentences

_LEAST = 200  # px at 100 %
_THICKNESS = 0.6  # of edges: points stand closer than on the plane


class SidePlane(QWidget):
    """A plane without a bar, whose camera is given to it.

    What is dragged here moves in the scene on the table. Points of Q, K and V can be dragged where
    they are the table's own; X always.
    """

    intent = Signal(object)
    camera_moved = Signal(object)  # a Camera
    fit_asked = Signal()
    resized = Signal()

    def __init__(self, name: str, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._table: Frame | None = None
        self._frame: Frame | None = None
        self._camera = Camera()
        self._layout = Layout()
        self._presented = False
        self._canvas = Canvas(theme, name, self)
        self._canvas.drawing_due.connect(self._redraw)
        self._points = PointList(self)
        self._notice = plain_label(parent=self)
        self._notice.setObjectName("side-notice")
        self._notice.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._notice.hide()
        self._interaction = Interaction(self._canvas)
        self._interaction.taken.connect(self._canvas.catch_up)
        self._interaction.intent.connect(self._ask)
        self._interaction.camera_moved.connect(self.camera_moved)
        self._interaction.camera_moved.connect(self._canvas.catch_up)  # the next step starts there
        self._interaction.fit_asked.connect(self.fit_asked)
        self._interaction.said.connect(self._say)
        fill(QVBoxLayout(self), self._canvas)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        self.retheme(theme)

    def be_presented(self) -> None:
        """Keep the ground of every text clear: for an audience."""
        self._presented = True

    def viewport(self) -> QWidget:
        """Return the widget that takes the mouse and the keys."""
        return self._canvas

    @property
    def busy(self) -> bool:
        """Whether a token is being dragged here."""
        return self._interaction.busy

    def show_frame(self, frame: Frame, table: Frame, camera: Camera) -> None:
        """Show a side's frame beside that of the scene on the table, seen through a camera."""
        self._frame, self._table = frame, table
        self._camera = camera.resized(self.width(), self.height())
        said = as_sentences([summary(frame), *captions(frame)])
        if said != self._canvas.accessibleDescription():
            self._canvas.setAccessibleDescription(said)
        if frame.drag is None or QAccessible.isActive():
            self._points.show_points(frame)
        self._canvas.expect_drawing()  # several sizes and frames may come before it is painted
        if frame.drag is not None:
            self._canvas.catch_up()  # what is dragged is under the mouse at once

    def seen(self, frame: Frame, camera: Camera) -> np.ndarray:
        """Return which of a frame's points are inside the view."""
        placed = points_on_screen(frame, camera.resized(self.width(), self.height()))
        x, y = np.concatenate(list(placed.values())).T
        inside: np.ndarray = (x >= 0) & (x <= self.width()) & (y >= 0) & (y <= self.height())
        return inside

    def screen_point(self, space: Space, index: int) -> QPointF:
        """Return where a point is drawn, in pixels of `viewport()`."""
        if self._frame is None:
            raise LookupError("nothing has been drawn yet")
        x, y = points_on_screen(self._frame, self._camera)[space][index].tolist()
        return QPointF(x, y)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; a drawing follows."""
        self._theme = theme
        colour, px = theme.palette, theme.px
        self.setMinimumHeight(px(_LEAST))
        self._notice.setFont(theme.font(13))
        self._notice.setStyleSheet(
            f"#side-notice {{ color: {colour.ink1}; background: {colour.raised};"
            f" border: 1px solid {colour.ctl}; border-radius: {px(6)}px;"
            f" padding: {px(4)}px {px(8)}px; }}"
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Tell that what is seen is to be drawn anew."""
        super().resizeEvent(event)
        self.resized.emit()

    def _redraw(self) -> None:
        frame = self._frame
        if frame is None:
            return
        keep = self._layout if frame.drag is not None else None
        drawing, self._layout = compose(
            frame, self._theme, self._camera, 0.0, keep, thickness=_THICKNESS
        )
        texts = tuple(self._fitting(text) for text in drawing.texts)
        drawing = drawing._replace(texts=texts)
        if self._presented:
            drawing = for_audience(drawing, self._theme.color("canvas"))
        self._interaction.show_scenery(Scenery(frame, drawing, self._camera))
        self._canvas.show_drawing(drawing, self._theme)

    def _ask(self, intent: object) -> None:
        if isinstance(intent, MovePoint) and not self._is_the_tables(intent.space):
            self._say(_("These are not the points of the current scene: drag a token of X."))
            return
        self.intent.emit(intent)

    def _is_the_tables(self, space: Space) -> bool:
        if self._frame is None or self._table is None:
            return False
        return np.array_equal(self._frame.points(space), self._table.points(space))

    def _fitting(self, text: Text) -> Text:
        """Return a caption shortened where it is wider than the plane; other texts as they are."""
        if text.background is None or text.x >= 0:
            return text
        pad, style = self._theme.px(8), (13, 400)
        whole = text.word.text
        shown = elided(self._theme, whole, *style, max(self.width() - 2 * pad, 1))
        return text._replace(word=word(self._theme, shown, *style), x=float(pad))

    def _say(self, text: str) -> None:
        self._notice.setText(text)
        self._notice.setVisible(bool(text))
        if text:
            pad = self._theme.px(8)
            width = min(self._notice.sizeHint().width(), self.width() - 2 * pad)
            self._notice.resize(width, self._notice.heightForWidth(width))
            self._notice.move(
                (self.width() - width) // 2, self.height() - self._notice.height() - pad
            )
