"""What all parts of the graph's drawing share, worked out once from a frame."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from explorer.kit.run_words import word_colours
from explorer.kit.theme import Theme, TokenColour, mixed
from explorer.rooms.train.graph.camera import Extent, OrbitCamera, Viewport
from explorer.rooms.train.graph.graph_edges import (
    GraphEdge,
    GraphEdges,
    Pointed,
    graph_edges_of,
    pointed,
    sample_tokens,
)
from explorer.session.train import RunState, TrainFrame
from explorer.text import Problem, _

Array = NDArray[np.float64]

CONTENT = 9  # how many parts of `concerning` the edges and colours depend on


def concerning(frame: TrainFrame, theme: Theme) -> tuple[object, ...]:
    """Return all that the picture depends on; what is hovered comes last."""
    return (
        theme,
        frame.trace,
        frame.values,
        frame.cursor,
        frame.look.threshold,
        frame.shows_others,
        frame.word,
        frame.selection,
        frame.epoch,
        frame.following_values,
        frame.playback.between,
        frame.playback.moving,
        frame.basis,
        frame.look.tsne,
        frame.layout,
        frame.progress.state,
        (frame.hover, frame.hover_word),
    )


def same(a: object, b: object) -> bool:
    """Return whether two parts of `concerning` are the same; arrays are so only by identity."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return a is b
    return a is b or bool(a == b)


def places_of(frame: TrainFrame) -> Array | None:
    """Return where the words are, shape (V, 3); None where that is not known. Raises Problem."""
    if frame.look.tsne:
        if frame.layout is None or frame.trace is None:
            return None
        return np.column_stack([frame.layout, np.zeros(len(frame.layout))])
    return frame.points


def axes_of(frame: TrainFrame) -> int:
    """Return how many axes the words spread over: 3, or 2 where the model has no third."""
    basis = frame.basis
    return 3 if basis is None or basis.components[2].any() else 2


def missing(frame: TrainFrame) -> str:
    """Return why there is nothing to be seen; empty where there is."""
    if frame.trace is None:
        starting = frame.progress.state is RunState.STARTING
        return _("The run is starting…") if starting else _("No run yet")
    if frame.values is None:
        return _("Nothing is recorded yet")
    if "param.embedding" not in frame.trace.names and not (
        frame.look.tsne and frame.layout is not None
    ):
        return _("This trace holds no embedding, so its words cannot be placed.")
    if (frame.layout if frame.look.tsne else frame.basis) is None:
        return _("Laying out…")
    return ""


FADED = 0.35  # opacity of what is unrelated to the hovered thing
_ROOMY = (700.0, 500.0)  # px at 100 %: in smaller views markers and edges are smaller too
_SMALLEST = 0.6
ALL_NAMED = 40  # words; of more, only those concerned have a drop line, and all that fit a name
_TRAIL = 32  # steps of a trail at the most
_MOST_TRAILED = 2**18  # bytes of a step's embedding; of larger ones there are no trails
RANKED = 60  # words that may have a name besides


@dataclass(frozen=True, eq=False)
class Content:
    """What is drawn of a frame, whatever the camera and the words' places.

    Parameters
    ----------
    edges : GraphEdges
    colours : list of TokenColour
        Of each word.
    said : frozenset of int
        The words of the chosen sample and the predicted one, which are larger.
    word : int or None
        The selected word.
    selected : Pointed or None
        What is selected in the sample.
    ranked : tuple of int
        Of a crowded graph the words that occur most often, which have names where these fit.
    earlier : mapping of int to ndarray, shape (V, 3)
        Where the words were at earlier steps, from the first on; none in t-SNE.
    """

    frame: TrainFrame
    theme: Theme
    edges: GraphEdges
    colours: list[TokenColour]
    said: frozenset[int]
    word: int | None
    selected: Pointed | None
    ranked: tuple[int, ...] = ()
    earlier: Mapping[int, Array] = field(default_factory=dict)

    @classmethod
    def of(cls, frame: TrainFrame, theme: Theme, before: Content | None = None) -> Content:
        """Return what is drawn of a frame; `before` was drawn last. Raises Problem."""
        graph_edges = graph_edges_of(frame)
        said = set(sample_tokens(frame))
        if graph_edges.predicted is not None:
            said.add(graph_edges.predicted)
        chosen = pointed(frame.selection, frame)
        colours = word_colours(theme, frame)
        ranked = _ranked(frame) if len(colours) > ALL_NAMED else ()
        found = frozenset(said)
        earlier = _earlier(frame, before)
        return cls(frame, theme, graph_edges, colours, found, frame.word, chosen, ranked, earlier)

    @cached_property
    def trail(self) -> Array:
        """Where the words were at earlier steps, shape (S, V, 3)."""
        rows = list(self.earlier.values())
        return np.stack(rows) if rows else np.zeros((0, 0, 3))

    @cached_property
    def ranked_words(self) -> frozenset[int]:
        """Those that are ranked."""
        return frozenset(self.ranked)

    @property
    def crowded(self) -> bool:
        """Whether only the words concerned surely have names, and drop lines."""
        return len(self.colours) > ALL_NAMED

    def concerned(self, hover: Pointed | None) -> frozenset[int]:
        """Return the words of the sample, the selected and hovered ones and those tied to them."""
        trace, found = self.frame.trace, set(self.said)
        if trace is not None and trace.targets is not None:
            found.add(int(trace.targets[self.frame.cursor.sample]))
        words = {self.word, *(hover or ()), *(self.selected or ())} - {None}
        for word in words:
            assert word is not None
            found.add(word)
        if self.word is not None:
            for graph_edge in self.edges.all:
                if self.word in (graph_edge.query, graph_edge.key):
                    found |= {graph_edge.query, graph_edge.key}
        return frozenset(found)


def _earlier(frame: TrainFrame, before: Content | None) -> dict[int, Array]:
    """Return where the words were at steps before the shown one, evenly chosen, (V, 3) each."""
    trace, basis, step = frame.trace, frame.basis, frame.cursor.step
    entry = None if trace is None else trace.entries.get("param.embedding")
    if trace is None or basis is None or entry is None or frame.look.tsne:
        return {}
    if entry.nbytes > _MOST_TRAILED * entry.shape[0]:
        return {}
    known: Mapping[int, Array] = {}
    if before is not None and before.frame.trace is trace and before.frame.basis is basis:
        known = before.earlier
    # A power of two: of a run that grows, the steps are among those from before.
    stride = 1 << max(0, -(-len(frame.recorded) // _TRAIL) - 1).bit_length()
    try:
        return {
            at: known[at] if at in known else basis.project(trace.array("param.embedding", at))
            for at in range(0, step, stride)
        }
    except Problem:  # one of those steps cannot be shown
        return {}


def _ranked(frame: TrainFrame) -> tuple[int, ...]:
    """Return the words that the recorded sentences have most often, at most `RANKED`."""
    trace = frame.trace
    if trace is None:
        return ()
    real = np.arange(trace.tokens.shape[1]) < trace.lengths[:, None]
    counts = np.bincount(trace.tokens[real].astype(int), minlength=len(frame.vocabulary))
    if trace.targets is not None:
        counts += np.bincount(trace.targets.astype(int), minlength=len(counts))
    found: list[int] = np.argsort(-counts, kind="stable")[:RANKED].tolist()
    return tuple(found)


@dataclass(frozen=True)
class Layout:
    """Where labels and chips stand, kept while the graph moves so that nothing jumps.

    Parameters
    ----------
    labels : mapping of word to int or None
        The number of the label's place; None where it is left out.
    chips : mapping of graph_edge to int or None
    """

    labels: Mapping[int, int | None] = field(default_factory=dict)
    chips: Mapping[tuple[int, int, int], int | None] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class PlacedFrame:
    """A frame as it is about to be drawn.

    Parameters
    ----------
    places : ndarray, shape (V, 3)
        The words in space.
    at : ndarray, shape (V, 3)
        The same in pixels, and how near.
    extent : Extent
    axes : int
        How many axes there are to be drawn: 3 for space, 2 for a plane, 0 for t-SNE.
    hover : Pointed or None
    related : frozenset of int
        The words that belong to what is hovered.
    concerned : frozenset of int
        The words that are named however many there are.
    marks : float
        What sizes of markers and edges are multiplied by: the text scale, or less in a small view.
    """

    content: Content
    camera: OrbitCamera
    places: Array
    at: Array
    extent: Extent
    axes: int
    hover: Pointed | None
    related: frozenset[int]
    concerned: frozenset[int]
    canvas: QColor
    neutral: TokenColour
    marks: float

    @classmethod
    def of(
        cls,
        content: Content,
        camera: OrbitCamera,
        places: Array,
        extent: Extent,
        axes: int,
        hover: Pointed | None,
        room: Viewport,
    ) -> PlacedFrame:
        """Return the frame with its words placed."""
        scale = content.theme.percent / 100
        tight = min(room.width / (_ROOMY[0] * scale), room.height / (_ROOMY[1] * scale), 1.0)
        related: set[int] = set()
        if hover is not None:
            related |= {word for word in hover if word is not None}
            if hover.pair is None:
                for graph_edge in content.edges.all:
                    if hover.touches(graph_edge):
                        related |= {graph_edge.query, graph_edge.key}
        return cls(
            content,
            camera,
            places,
            camera.to_screen(places),
            extent,
            axes,
            hover,
            frozenset(related),
            content.concerned(hover),
            content.theme.color("canvas"),
            content.theme.neutral_token,
            scale * max(tight, _SMALLEST),
        )

    @property
    def theme(self) -> Theme:
        """The theme."""
        return self.content.theme

    @property
    def scale(self) -> float:
        """The text scale: what sizes of text are multiplied by."""
        return self.theme.percent / 100

    def colour(self, word: int) -> TokenColour:
        """Return a word's colour for marks: neutral words have an outline that is seen."""
        return self.marked(self.content.colours[word])

    def marked(self, colour: TokenColour) -> TokenColour:
        """Return the colour of the mark of a word of a colour."""
        return self._neutral_mark if colour == self.neutral else colour

    @cached_property
    def _neutral_mark(self) -> TokenColour:
        return TokenColour(self.neutral.fill, self.theme.palette.ctl)

    def edge_colour(self, word: int) -> QColor:
        """Return the colour of the edges that leave a word."""
        colour = self.content.colours[word]
        return QColor(self.theme.palette.ctl if colour == self.neutral else colour.fill)

    def word_share(self, word: int) -> float:
        """Return the opacity that hovering leaves a word."""
        return 1.0 if self.hover is None or word in self.related else FADED

    def edge_share(self, graph_edge: GraphEdge) -> float:
        """Return the opacity that hovering leaves an edge and its chip."""
        return 1.0 if self.hover is None or self.hover.touches(graph_edge) else FADED

    def mixed(self, colour: QColor, share: float) -> QColor:
        """Return `colour` at an opacity of `share` upon the canvas, as an opaque colour."""
        return mixed(colour, self.canvas, share)
