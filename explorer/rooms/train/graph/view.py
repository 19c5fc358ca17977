"""The word graph: the vocabulary in space, and what its words give one another as edges."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QElapsedTimer, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QAction, QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from explorer.kit.canvas.drawing import Drawing, chip_rect, for_audience
from explorer.kit.canvas.widget import Canvas, NameList
from explorer.kit.labels import plain_label
from explorer.kit.motion import FLIGHT, Glide, may_move
from explorer.kit.theme import Theme
from explorer.rooms.train.base import TrainView
from explorer.rooms.train.graph.camera import (
    OVERHEAD,
    Cloud,
    Extent,
    OrbitCamera,
    Stance,
    Viewport,
)
from explorer.rooms.train.graph.compose import compose
from explorer.rooms.train.graph.graph_edges import Kind, Pointed, hovered
from explorer.rooms.train.graph.interaction import Interaction, Scenery
from explorer.rooms.train.graph.placed_frame import (
    CONTENT,
    Content,
    Layout,
    PlacedFrame,
    axes_of,
    concerning,
    missing,
    places_of,
    same,
)
from explorer.rooms.train.graph.words import summary, word_names
from explorer.session.train import TrainChange, TrainFrame
from explorer.session.train.intents import ChangeTrainLook, Train
from explorer.text import Problem, _

Array = NDArray[np.float64]

_SIDE, _ABOVE, _BELOW = 54.0, 34.0, 16.0  # px kept around the words, for names
_BELOW_PLANE = 44.0  # where the name of an axis stands below
_SETTLE = 150  # ms after the last move, until everything is placed and painted well again
_FRAME = 16  # ms between pictures of the slow turn
_SPEED = 8.0  # degrees a second


class GraphView(TrainView):
    """The words of a run where PCA or t-SNE puts them, and the attention between them.

    How it is turned belongs to the view alone: no number depends on it.
    """

    turning_changed = Signal(bool)  # whether it turns by itself now
    moved = Signal()  # the person moved the graph
    looked = Signal()  # it is looked at from elsewhere, by hand or by itself, or shows more
    concerns: ClassVar[TrainChange] = (
        TrainChange.NUMBERS
        | TrainChange.RECORDED
        | TrainChange.MOTION
        | TrainChange.PLAYBACK
        | TrainChange.PROGRESS
        | TrainChange.LOOK
        | TrainChange.SELECTION
        | TrainChange.HOVER
    )

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setObjectName("graph")
        self.setMinimumSize(360, 200)
        self._shown: tuple[object, ...] = ()  # what the last draw depended on
        self._frame = TrainFrame()
        self._content: Content | None = None
        self._places: Array | None = None
        self._solid = True
        self._stances = {True: Stance(), False: OVERHEAD}
        self._cloud = Cloud()
        self._pair = Cloud()  # of two runs in the same axes, which their two graphs share
        self._extent: Extent | None = None
        self._layout = Layout()
        self._drawing = Drawing()
        self._pointed: Pointed | None = None
        self._passing = self._reduced = self._presented = False
        self._canvas = Canvas(theme, _("Word graph"), self)
        self._canvas.drawing_due.connect(self._settle)
        self._canvas.setObjectName("graph-canvas")
        self._names = NameList(_("Words of the graph"), self)
        self._notice = plain_label("ink3")
        self._notice.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._train = QPushButton(_("Train"))
        self._train.setProperty("kind", "primary")
        self._train.clicked.connect(lambda: self.intent.emit(Train()))
        self._centre = QVBoxLayout(self._canvas)
        self._centre.addStretch()
        self._centre.addWidget(self._notice)
        self._centre.addWidget(self._train, 0, Qt.AlignmentFlag.AlignHCenter)
        self._centre.addStretch()
        self._interaction = Interaction(self._canvas)
        self._interaction.intent.connect(self.intent)
        self._interaction.stance_changed.connect(self._take_stance)
        self._interaction.pointed.connect(self._point)
        self._interaction.released.connect(self._settle)
        self._interaction.reset_asked.connect(self.reset)
        self._interaction.turn_asked.connect(lambda: self.set_turning(not self.turning))
        self._others = QAction(_("Edges of all sentences"), self)
        self._others.setCheckable(True)
        self._others.triggered.connect(lambda on: self.intent.emit(ChangeTrainLook({"others": on})))
        self.viewport().addAction(self._others)  # to whose menu pictures add theirs
        self._settling = QTimer(self)
        self._settling.setSingleShot(True)
        self._settling.setInterval(_SETTLE)
        self._settling.timeout.connect(self._settle)
        self._turning = QTimer(self)
        self._turning.setInterval(_FRAME)
        self._turning.timeout.connect(self._turn_on)
        self._since = QElapsedTimer()
        self._turns = False
        self._way = Stance(), Stance()  # from where to where it goes by itself
        self._flight = Glide(FLIGHT, self)
        self._flight.valueChanged.connect(self._fly)
        self._flight.finished.connect(self._settle)
        self.setFocusProxy(self._canvas)
        self._apply_theme()

    # --- what it shows ---------------------------------------------------------------------------

    def draw(self, frame: TrainFrame) -> None:
        """Show the frame."""
        shown = concerning(frame, self.theme)
        if len(shown) == len(self._shown) and all(map(same, shown, self._shown)):
            return
        before, self._shown, self._frame = self._shown, shown, frame
        self._others.setChecked(frame.shows_others)
        self._passing = frame.playback.moving
        try:
            self._places = places_of(frame)
            if self._places is not None and not self._is_content(before, shown):
                self._content = Content.of(frame, self.theme, self._content)
        except Problem as problem:
            self._places = None
            self._say(str(problem))
        else:
            self._say(missing(frame), train=frame.trace is None)
        if self._places is None:
            self._content = None
            self._show(Drawing(), None)
        else:
            self._solid = not frame.look.tsne and axes_of(frame) == 3
            # Hovering moves nothing, and neither does the next of many pictures.
            hovers = bool(before) and all(map(same, before[:-1], shown[:-1]))
            self._redraw(keep=hovers or self._is_moving)
        self._describe()

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale."""
        super().retheme(theme)
        self._apply_theme()

    def be_presented(self) -> None:
        """Keep the ground of every text clear: for an audience."""
        self._presented = True

    def viewport(self) -> QWidget:
        """Return the widget that takes the mouse and the keys."""
        return self._canvas

    def screen_point(self, word: int) -> QPointF:
        """Return where a word is drawn, in pixels of `viewport()`. Raises LookupError."""
        for marker in self._drawing.markers:
            if marker.row == word:
                return QPointF(marker.x, marker.y)
        raise LookupError(word)

    def chip_rect(self, query: int, key: int) -> QRectF:
        """Return where the value of an edge between two words is drawn; empty where not."""
        return chip_rect(self._drawing, query, key)

    @property
    def drawing(self) -> Drawing:
        """What is painted now."""
        return self._drawing

    # --- how it is seen --------------------------------------------------------------------------

    def take_view(self, other: GraphView) -> None:
        """Look from where another graph looked from."""
        self._stances = dict(other._stances)

    def pair_with(self, other: GraphView) -> None:
        """Show a second run as large as another graph shows the first, from where that looks."""
        self._pair = other._pair
        self.take_view(other)

    def take_over(self, other: GraphView) -> None:
        """Look from where another graph looks from, and turn as that does."""
        self.follow(other)
        self.set_turning(other.turning)

    def follow(self, other: GraphView) -> None:
        """Look from where another graph looks from now, at as much as it shows beside this one."""
        paired = self._pair is other._pair and self._frame.spread is other._frame.spread
        if self._stances != other._stances or (paired and self._extent is not other._extent):
            self.take_view(other)
            self._settling.start()
            self._redraw(keep=True)

    @property
    def stance(self) -> Stance:
        """Where it is looked at from."""
        return self._stances[self._solid]

    def look_from(self, azimuth: float, elevation: float, zoom: float) -> None:
        """Go to where the middle of the words is seen so; degrees. A plane is only zoomed."""
        self.set_turning(False)
        self._way = self._stances[True], Stance(azimuth, elevation, zoom)
        self._stances[False] = replace(OVERHEAD, zoom=zoom)
        self._flight.stop()
        if may_move(self):
            self._flight.start()
        else:
            self._fly()
            self._settle()

    def spare_page_keys(self, spare: bool) -> None:
        """Leave Page Up and Page Down to the window, or select words with them again."""
        self._interaction.spares_page_keys = spare

    def reset(self) -> None:
        """Look at everything from where a picture begins."""
        self._flight.stop()
        self._stances = {True: Stance(), False: OVERHEAD}
        self._settle()
        self.looked.emit()

    @property
    def turning(self) -> bool:
        """Whether the graph turns by itself."""
        return self._turns

    def set_turning(self, turning: bool) -> None:
        """Turn slowly from now on, or stand still; it never turns with reduced motion."""
        turning = turning and not self._reduced
        if turning == self._turns:
            return
        self._turns = turning
        self._run_clock()
        if not turning:
            self._settle()
        self.turning_changed.emit(turning)

    def set_motion(self, wanted: bool) -> None:
        """Allow motion that nobody asked for, or not."""
        self._reduced = not wanted
        if not wanted:
            self.set_turning(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the picture to the new size."""
        super().resizeEvent(event)
        self._canvas.setGeometry(self.rect())
        self._set_margins()
        self._layout = Layout()
        self._canvas.expect_drawing()

    def showEvent(self, event: QShowEvent) -> None:
        """Turn on where it was turning."""
        super().showEvent(event)
        self._run_clock()

    def hideEvent(self, event: QHideEvent) -> None:
        """Turn no further while nobody sees it."""
        super().hideEvent(event)
        self._turning.stop()

    # --- inside ----------------------------------------------------------------------------------

    @property
    def _is_moving(self) -> bool:
        """Whether the next picture follows at once."""
        return (
            self._passing
            or self._interaction.busy
            or self._settling.isActive()
            or self._turning.isActive()
            or self._flight.share < 1.0
        )

    def _is_content(self, before: tuple[object, ...], shown: tuple[object, ...]) -> bool:
        """Return whether the edges and colours drawn last are those of this frame too."""
        if self._content is None or not before:
            return False
        return all(map(same, before[:CONTENT], shown[:CONTENT]))

    def _run_clock(self) -> None:
        if self._turns and self.isVisible():
            self._since.start()
            self._turning.start()
        else:
            self._turning.stop()

    def _turn_on(self) -> None:
        seconds = min(self._since.restart() / 1000, 0.1)
        if self._solid and self._content is not None and not self._interaction.busy:
            self._stances[True] = self.stance.turned(_SPEED * seconds, 0.0)
            self._redraw(keep=True)
            self.looked.emit()

    def _fly(self) -> None:
        start, end = self._way
        self._stances[True] = start.towards(end, self._flight.share)
        self._redraw(keep=True)
        self.looked.emit()

    def _take_stance(self, stance: Stance) -> None:
        self._flight.stop()
        self._stances[self._solid] = stance
        self.moved.emit()
        self._settling.start()
        self._redraw(keep=True)
        self.looked.emit()

    def _settle(self) -> None:
        """Place names and values anew once the graph stands still."""
        self._settling.stop()
        self._redraw(keep=self._is_moving)

    def _point(self, thing: Pointed | None) -> None:
        self._pointed = thing
        self._redraw(keep=True)

    def _redraw(self, keep: bool) -> None:
        frame, content, places = self._frame, self._content, self._places
        if content is None or places is None:
            return
        px = self.theme.px
        axes = 0 if frame.look.tsne else axes_of(frame)
        shared = bool(frame.spread) and not frame.look.tsne
        extent = (self._pair if shared else self._cloud).extent(frame, places)
        grown, self._extent = shared and extent is not self._extent, extent
        room = Viewport(
            self._canvas.width(),
            self._canvas.height(),
            min(px(_SIDE), self.width() * 0.16),
            min(px(_ABOVE), self.height() * 0.12),
            min(px(_BELOW if self._solid else _BELOW_PLANE), self.height() * 0.12),
        )
        camera = OrbitCamera.of(self.stance, extent, room, flat=not self._solid)
        hover = self._pointed or hovered(frame)
        placed = PlacedFrame.of(content, camera, places, extent, axes, hover, room)
        kept = self._layout if keep else Layout()
        drawing, self._layout = compose(
            placed, room.width, room.height, kept, moving=self._is_moving
        )
        if self._presented:
            drawing = for_audience(drawing, self.theme.color("canvas"))
        own = content.edges.own
        targets = drawing._replace(
            edges=tuple(
                edge
                for edge, graph_edge in zip(drawing.edges, content.edges.all, strict=True)
                if graph_edge.kind is Kind.BOLD and (graph_edge.query, graph_edge.key) in own
            ),
            chips=tuple(c for c in drawing.chips if not c.pill and (c.query, c.key) in own),
        )
        self._show(drawing, Scenery(frame, targets, self.stance, camera, self._solid))
        if grown:
            self.looked.emit()

    def _show(self, drawing: Drawing, scenery: Scenery | None) -> None:
        self._drawing = drawing
        self._interaction.show_scenery(scenery)
        self._canvas.show_drawing(drawing, self.theme)

    def _say(self, text: str, train: bool = False) -> None:
        self._notice.setText(text)
        self._notice.setVisible(bool(text))
        self._train.setVisible(train)

    def _describe(self) -> None:
        content = self._content
        said = self._notice.text() if content is None else summary(content)
        if said != self._canvas.accessibleDescription():
            self._canvas.setAccessibleDescription(said)
        if QAccessible.isActive():
            self._names.show_names([] if content is None else word_names(content))

    def _apply_theme(self) -> None:
        self._notice.setFont(self.theme.font(14))
        self._train.setFont(self.theme.font(14, 500))
        self._set_margins()

    def _set_margins(self) -> None:
        """Keep what is said in the middle in lines that are easily read."""
        px = self.theme.px
        side = max(px(16), (self.width() - px(420)) // 2)
        self._centre.setContentsMargins(side, 0, side, 0)
        self._centre.setSpacing(px(16))
