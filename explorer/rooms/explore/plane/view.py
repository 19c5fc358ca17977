"""The plane: tokens as points, and edges between them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QAccessible, QResizeEvent
from PySide6.QtWidgets import QWidget

from explorer.kit.base import LEAST_MIDDLE, View, only_numbers_differ, only_selection_differs
from explorer.kit.canvas.drawing import Tint, chip_rect, for_audience
from explorer.kit.canvas.widget import Canvas
from explorer.kit.labels import plain_label
from explorer.kit.motion import fade, finish_motions
from explorer.kit.plane.basis import tips
from explorer.kit.plane.camera import Camera, Margins, fit
from explorer.kit.plane.compose import Composed, compose
from explorer.kit.plane.field import Field
from explorer.kit.plane.geometry import caption_lines, turned_through
from explorer.kit.plane.placed_frame import Layout, Pose, points_on_screen
from explorer.kit.plane.words import captions, shuffle_text, summary, why_held
from explorer.kit.theme import Theme
from explorer.rooms.explore.plane.bar import PlaneBar
from explorer.rooms.explore.plane.interaction import Interaction, PointList, Scenery
from explorer.rooms.explore.plane.motion import Motion, departure, pose_of, shuffled_pose
from explorer.session import Change, Frame, Look, Matrix, Space
from explorer.text import _, as_sentences

_SIDE, _ABOVE, _BELOW = 89.0, 44.0, 72.0  # px kept around fitted points, for labels
_WIDEST, _AROUND = 560, 32  # px of a notice, and around its words
_SIDES = 0.65, 1.2  # times the room on the left and on the right, before an audience
_TICKS = 36  # px of the numbers below it
_CLEAR = 16  # px between a caption and the lowest point: its marker
_NAMED, _MARKED = 90, 24  # px about a point where its name and its marker are
_HEAP = 5  # times as large everything has room, where it is one
_ROOM = 32.0  # px at 100 % that a point keeps from the edges of a view of everything: its name
_SPAN_IN, _SPAN_OUT = 1e-5, 1e3  # how far one may zoom, in views of what fits


class PlaneView(View):
    """Tokens in the plane of X, Q, K, V or O; points that are not outputs can be dragged.

    It fits what is shown when it first draws, when the shape or the shown spaces change, and where
    something of it, or all of what somebody looks at, would leave the view, or shrink to a heap in
    a view of everything; apart from that only the person moves it.
    """

    concerns: ClassVar[Change] = (
        Change.RESULT | Change.LOOK | Change.SELECTION | Change.HOVER | Change.PLANE | Change.NOTES
    )

    moved = Signal()  # the person moved the camera

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setObjectName("plane")
        self.setMinimumSize(*LEAST_MIDDLE)
        self._frame: Frame | None = None
        self._camera = Camera()
        self._fitted_scale = self._camera.scale
        self._presented = False
        self._fits = True  # whether the person has not moved the camera since it was fitted
        self._kind: object = None
        self._checked: Frame | None = None  # the last one that was seen to be in view, or fitted
        self._layout = Layout()
        self._field = Field()
        self._drawing_of: Scenery | None = None
        self._canvas = Canvas(theme, _("Plane"), self)
        self._canvas.setObjectName("plane-canvas")
        self._canvas.drawing_due.connect(self._redraw)
        self._bar = PlaneBar(theme, self)
        self._points = PointList(self)
        self._notice = plain_label(parent=self)
        self._notice.setObjectName("notice")
        self._notice.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._notice.hide()
        self._said = ""  # why something cannot be done
        self._read: object = None  # the shuffle whose notice was seen and clicked away
        self._motion = Motion(self)
        self._motion.moved.connect(self._redraw)
        self._interaction = Interaction(self._canvas)
        self._interaction.taken.connect(self.finish_motion)
        self._interaction.intent.connect(self.intent)
        self._interaction.camera_moved.connect(self._move_camera)
        self._interaction.fit_asked.connect(self.fit)
        self._interaction.said.connect(self._say)
        self._bar.intent.connect(self.intent)
        self._bar.fit_asked.connect(self.fit)
        self._apply_theme()
        self._arrange()

    def be_presented(self) -> None:
        """Leave the controls out, and keep the ground of every text clear: for a large room."""
        self._presented = True
        self._bar.hide()
        self._arrange()

    def viewport(self) -> QWidget:
        """Return the widget that takes the mouse and the keys."""
        return self._canvas

    def take_over(self, other: PlaneView) -> None:
        """Look from where another plane looked from."""
        self._read = other._read
        if not other._fits:
            self._camera = other._camera.resized(self.width(), self.height())
            self._fitted_scale, self._fits = other._fitted_scale, False
            self._redraw()

    def draw(self, frame: Frame) -> None:
        """Show the frame; a step of the chain lets the points move to it."""
        before, self._frame = self._frame, frame
        pose = self._pose_to_leave(before, frame)
        if frame.drag is not None or (pose is None and _other_points(before, frame)):
            self._motion.finish()  # what is under way leads to a picture that is gone
        if not only_numbers_differ(before, frame) and self._bar.draw(frame):
            self._arrange()
        kind = _kind(frame)
        if self._kind is None or (kind != self._kind and not _held(frame)):
            self._kind = kind
            self._fit_camera()
        elif not (_held(frame) or _stands_alike(self._checked, frame)):
            # A view that showed everything goes on doing so; one that somebody chose stays.
            seen = self._seen(frame, _ROOM).all() if self._fits else self._seen(frame).any()
            most = _HEAP * self._camera.scale
            heap = self._fits and self._fitted([self._extent(frame)]).scale > most
            self._checked = frame
            if heap or not seen:
                self._fit_camera()
        if _held(frame):
            finish_motions(self._canvas)
        elif pose is None and only_selection_differs(before, frame):
            fade(self._canvas)
        if pose is not None:
            self._layout = self._composed(frame, self._camera).layout
            end = pose_of(frame, self._camera)
            self._motion.begin(departure(pose, end, frame), end)
        self._redraw()
        self._show_notice()
        said = as_sentences((summary(frame), self._notice.text()))
        if said != self._canvas.accessibleDescription():
            self._canvas.setAccessibleDescription(said)
        # Names cost more than the drawing: while a token is dragged only a screen reader pays.
        if frame.drag is None or QAccessible.isActive():
            self._points.show_points(frame)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        super().retheme(theme)
        self._checked = None
        self._bar.retheme(theme)
        self._apply_theme()
        self._arrange()

    def set_motion(self, wanted: bool) -> None:
        """Let points move from one step of the chain to the next, or be there at once."""
        self._motion.wanted = wanted
        if not wanted:
            self.finish_motion()

    def finish_motion(self) -> None:
        """Show at once where points that move will be."""
        if self._motion.finish():
            self._redraw()

    def fit(self) -> None:
        """Show everything that is drawn."""
        self._motion.finish()
        self._fit_camera()
        self._redraw()

    def keep_in_sight(self) -> None:
        """Show everything from now on, until somebody moves; stay where all of it is seen."""
        self._fits = True
        if self._frame is not None and not self._seen(self._frame).all():
            self.fit()

    def hold(self, frames: Iterable[Frame]) -> Callable[[], None]:
        """Show everything of all these frames from one place; return what ends that.

        As with one frame, a view of everything that does so already stays, and so does one that
        somebody chose.
        """
        before = self._camera, self._fitted_scale, self._fits
        if self._fits:
            extents, seen = [], True
            for frame in frames:
                extents.append(self._extent(frame))
                seen = seen and bool(self._seen(frame, _ROOM).all())
            camera = self._fitted(extents)
            if not seen or camera.scale > _HEAP * self._camera.scale:
                self._camera = camera
            self._fits = False

        def let_go() -> None:
            camera, self._fitted_scale, self._fits = before
            self._camera, self._checked = camera.resized(self.width(), self.height()), None

        return let_go

    def look_at(self, x: float, y: float, zoom: float) -> None:
        """Show a point of the plane in the middle, enlarged from where everything is shown."""
        self.fit()
        scale = self._camera.scale * zoom
        self._camera = replace(self._camera, x=x, y=y, scale=scale)
        self._fits = False
        self._redraw()

    @property
    def looked_from(self) -> tuple[float, float, float] | None:
        """What `look_at` takes to show what is seen now; None where everything is shown."""
        if self._fits:
            return None
        return self._camera.x, self._camera.y, self._camera.scale / self._fitted_scale

    def screen_point(self, space: Space, index: int) -> QPointF:
        """Return where a point is drawn just now, in pixels of `viewport()`."""
        frame, pose = self._shown_frame(), self._motion.pose
        if pose is None:
            x, y = points_on_screen(frame, self._camera)[space][index].tolist()
        else:
            ((x, y),) = pose.camera.to_screen(pose.at[space][index : index + 1]).tolist()
        return QPointF(x, y)

    def handle_point(self, matrix: Matrix, row: int) -> QPointF:
        """Return where the name of a basis vector is drawn, in pixels of `viewport()`."""
        self._canvas.catch_up()
        handles = () if self._drawing_of is None else self._drawing_of.drawing.handles
        for handle in handles:
            if (handle.matrix, handle.row) == (matrix, row):
                return QPointF(handle.x, handle.y)
        raise LookupError("that vector is not drawn")

    def plane_point(self, at: QPointF) -> tuple[float, float]:
        """Return the point of the plane under a pixel of `viewport()`."""
        return self._camera.to_plane(at.x(), at.y())

    def chip_rect(self, query: int, key: int) -> QRectF:
        """Return where a pair's value is drawn, in pixels of `viewport()`; empty where not."""
        return chip_rect(self._canvas.shown, query, key)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep what is seen in the middle, or everything in view if it was."""
        super().resizeEvent(event)
        self._motion.finish()
        self._arrange()
        self._camera, self._checked = self._camera.resized(self.width(), self.height()), None
        if self._fits and not self._interaction.busy:
            self._fit_camera()
        self._canvas.expect_drawing()

    def _shown_frame(self) -> Frame:
        if self._frame is None:
            raise LookupError("nothing has been drawn yet")
        return self._frame

    def _arrange(self) -> None:
        self._canvas.setGeometry(self.rect())
        self._bar_height = 0 if self._presented else self._bar.arrange(self.width(), self.height())
        self._bar.setGeometry(0, 0, self.width(), self._bar_height)
        self._place_notice()

    def _apply_theme(self) -> None:
        colour, px = self.theme.palette, self.theme.px
        self._notice.setFont(self.theme.font(14))
        self._notice.setStyleSheet(
            f"#notice {{ color: {colour.ink1}; background: {colour.raised};"
            f" border: 1px solid {colour.ctl}; border-radius: {px(6)}px;"
            f" padding: {px(6)}px {px(10)}px; }}"
        )

    def _fit_camera(self) -> None:
        if self._frame is not None:
            self._camera = self._fitted([self._extent(self._frame)])
            self._checked = self._frame
            self._fitted_scale = self._camera.scale
            self._fits = True

    def _extent(self, frame: Frame) -> tuple[NDArray[np.float64], int]:
        """Return the points that are to be seen, shape (n, 2), and the px to be free below."""
        shown = [
            frame.projection.project(frame.points(space))
            for space in Space
            if space in frame.look.shown
        ]
        shown.append(turned_through(frame))
        if frame.projection.exact:
            shown += [np.zeros((1, 2)), tips(frame)]  # vectors start at the origin
        below = self._below(frame) + (self.theme.px(_CLEAR) if captions(frame) else 0)
        return np.concatenate(shown), below

    def _fitted(self, extents: Sequence[tuple[NDArray[np.float64], int]]) -> Camera:
        """Return the view that shows everything."""
        points, below = zip(*extents, strict=True)
        side = min(self.theme.px(_SIDE), self.width() * 0.18)
        # Names, and values of short edges, stand on the right, mostly.
        left, right = (side * share for share in (_SIDES if self._presented else (1, 1)))
        margins = Margins(
            left,
            self._bar_height + min(self.theme.px(_ABOVE), self.height() * 0.1),
            right,
            max(min(self.theme.px(_BELOW), self.height() * 0.16), *below),
        )
        return fit(np.concatenate(points), self.width(), self.height(), margins)

    def _seen(self, frame: Frame, room: float = 0.0) -> NDArray[np.bool_]:
        """Return which points, turns and basis vectors' ends are so many px inside, at 100 %."""
        ends = self._camera.to_screen(np.concatenate([tips(frame), turned_through(frame)]))
        x, y = np.concatenate([*points_on_screen(frame, self._camera).values(), ends]).T
        least = min(self.theme.px(room), self.width() * 0.08, self.height() * 0.08)
        right, bottom = self.width() - least, self.height() - least
        return (x >= least) & (x <= right) & (y >= least) & (y <= bottom)

    def _move_camera(self, camera: Camera) -> None:
        zoom = camera.scale / self._fitted_scale
        if 1 / _SPAN_OUT <= zoom <= 1 / _SPAN_IN:
            self._motion.finish()
            self._camera = camera
            self._fits = False
            self.moved.emit()
            self._redraw()

    def _redraw(self) -> None:
        frame = self._frame
        if frame is None:
            return
        pose = self._motion.pose
        camera = self._camera if pose is None else pose.camera
        keep = self._layout if _held(frame) or pose is not None else None
        tint = None if pose is not None else self._field.tint(frame, self.theme, camera)
        drawing, layout = self._composed(frame, camera, keep, pose, tint)
        if self._presented:
            drawing = for_audience(drawing, self.theme.color("canvas"))
        if pose is None:
            self._layout = layout
        self._drawing_of = Scenery(frame, drawing, camera)
        self._interaction.show_scenery(self._drawing_of)
        self._canvas.show_drawing(drawing, self.theme, covered=self._bar_height)

    def _composed(
        self,
        frame: Frame,
        camera: Camera,
        keep: Layout | None = None,
        pose: Pose | None = None,
        tint: Tint | None = None,
    ) -> Composed:
        return compose(
            frame,
            self.theme,
            camera,
            self._bar_height,
            keep,
            pose=pose,
            tint=tint,
            presented=self._presented,
        )

    def _pose_to_leave(self, before: Frame | None, after: Frame) -> Pose | None:
        """Return where points are when they set out for another frame; None where they do not.

        They do so at a step of the chain and when tokens are shuffled, and on their way also
        wherever else they are to go.
        """
        if (
            not (self._motion.wanted and self.isVisible())
            or before is None
            or self._interaction.busy
        ):
            return None
        now, same = self._motion.pose, before.scene is after.scene
        if after.shuffled is not None and after.shuffled is not before.shuffled and not same:
            return shuffled_pose(now or pose_of(before, self._camera), after)
        stepped = _step(before.look) != _step(after.look)
        if after.drag is None and ((same and stepped) or (now is not None and not same)):
            return now or pose_of(before, self._camera)
        return None

    def _say(self, text: str) -> None:
        """Tell why something cannot be done; what was told before is done with."""
        self._said = text
        if self._frame is not None:
            self._read = self._frame.shuffled
        self._show_notice()

    def _show_notice(self) -> None:
        frame = self._frame
        text = self._said
        if not text and frame is not None:
            text = why_held(frame)
            if not text and frame.shuffled is not self._read:
                text = shuffle_text(frame)
        if text != self._notice.text():
            self._notice.setText(text)
            self._notice.setVisible(bool(text))
            self._place_notice()

    def _place_notice(self) -> None:
        """Put the notice in the middle below or above, or in a corner: where it covers least."""
        if not self._notice.text():
            return
        edge = self.theme.px(16)
        widest = min(self.theme.px(_WIDEST), self.width() - 2 * edge)
        line = self._notice.fontMetrics().horizontalAdvance(self._notice.text())
        width = min(line + self.theme.px(_AROUND), widest)
        height = self._notice.heightForWidth(width)
        below = 0 if self._frame is None else self._below(self._frame)
        top, bottom = self._bar_height + edge, self.height() - height - below
        left, right = self.theme.px(44), self.width() - width - edge
        middle = (self.width() - width) // 2
        places = [QRectF(x, y, width, height) for x in (middle, left, right) for y in (bottom, top)]
        self._notice.setGeometry(min(places, key=self._covered).toRect())

    def _below(self, frame: Frame) -> int:
        """Return how much room ticks and captions take, in px."""
        lines = caption_lines(frame, self.theme, self.width())
        return self.theme.px(_TICKS) + round(sum(line.height for line in lines))

    def _covered(self, rect: QRectF) -> int:
        """Return how many points, where they are when all stands still, a rectangle would cover."""
        if self._frame is None:
            return 0
        # Most names stand to the right of their points.
        left, around = self.theme.px(_NAMED), self.theme.px(_MARKED)
        room = rect.adjusted(-left, -around, around, around)
        points = points_on_screen(self._frame, self._camera).values()
        return sum(room.contains(x, y) for each in points for x, y in each.tolist())


def _held(frame: Frame) -> bool:
    """Return whether a gesture is going on, in which nothing is arranged anew."""
    return frame.drag is not None or frame.gesture


def _stands_alike(before: Frame | None, after: Frame) -> bool:
    """Return whether all that is fitted stands where it did, so that the camera need not move."""
    return (
        before is not None
        and before.scene is after.scene
        and before.projection is after.projection
        and before.look == after.look
    )


def _other_points(before: Frame | None, after: Frame) -> bool:
    """Return whether other points or edges are shown than before, or elsewhere."""
    if before is None:
        return False
    return before.scene is not after.scene or _step(before.look) != _step(after.look)


def _step(look: Look) -> object:
    """Return what a look must differ in for points or edges to move."""
    return look.shown, look.edges, look.head, look.scaled


def _kind(frame: Frame) -> object:
    """Return what makes two frames the same kind of picture, for which the camera stands still."""
    shapes = tuple(frame.points(space).shape for space in Space if space in frame.look.shown)
    return frame.look.shown, shapes, frame.look.head
