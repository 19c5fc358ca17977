"""What all parts of the plane's drawing share, worked out once from a frame."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from explorer.kit.plane import relations
from explorer.kit.plane.camera import Camera
from explorer.kit.plane.relations import Flow
from explorer.kit.theme import SLOTS, Theme, TokenColour, TokenColours, mixed
from explorer.session import Frame, Matrix, Selection, Space

Array = NDArray[np.float64]


class Pose(NamedTuple):
    """Where everything stands at one moment.

    Parameters
    ----------
    camera : Camera
    at : mapping of Space to ndarray, shape (T or S, 2)
        The shown points in the plane, in the order of painting.
    flow : Flow or None
        Between which points the edges run.
    widths : ndarray, shape (T, S)
        Of all edges that could be drawn, px at 100 %.
    arrival : float
        Opacity of the edges and their values, 0 where they are yet to come.
    """

    camera: Camera
    at: Mapping[Space, Array]
    flow: Flow | None
    widths: Array
    arrival: float = 1.0


def between(start: Pose, end: Pose, share: float) -> Pose:
    """Return the pose a share of the way from `start`, made by `departure`, to `end`."""

    def mix(a: float, b: float) -> float:
        return a + (b - a) * share

    camera = replace(
        end.camera,
        x=mix(start.camera.x, end.camera.x),
        y=mix(start.camera.y, end.camera.y),
        scale=1 / mix(1 / start.camera.scale, 1 / end.camera.scale),
    )
    at = {space: here + (end.at[space] - here) * share for space, here in start.at.items()}
    widths = start.widths + (end.widths - start.widths) * share
    return Pose(camera, at, end.flow, widths, mix(start.arrival, end.arrival))


Pair = tuple[int, int]

FADED = 0.35  # opacity of what is unrelated to the hovered thing


@dataclass(frozen=True)
class Layout:
    """The choices of one drawing, kept while a token is dragged so that nothing jumps.

    Parameters
    ----------
    bends : mapping of (query, key) to float
    chips : mapping of (query, key) to int or None
        The number of the chip's place; None where it is left out.
    labels : mapping of (space, row) to int or None
        The same for the points' names.
    handles : mapping of (matrix, row) to int
        The same for the basis vectors' names.
    """

    bends: Mapping[Pair, float] = field(default_factory=dict)
    chips: Mapping[Pair, int | None] = field(default_factory=dict)
    labels: Mapping[tuple[Space, int], int | None] = field(default_factory=dict)
    handles: Mapping[tuple[Matrix, int], int] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class PlacedFrame:
    """A frame as it is about to be drawn.

    Parameters
    ----------
    keep : Layout
        Choices to be kept where they still apply.
    at : mapping of Space to ndarray, shape (T or S, 2)
        The shown points in pixels, in the order of painting.
    selection, hover : Selection or None
        Where they mean tokens.
    flow : Flow or None
        Between which points the edges run.
    values : ndarray, shape (T, S)
        What the edges show.
    focus : (Space, row) or None
        The point that the selection is about.
    queries, keys : list of TokenColour
    canvas : QColor
    pose : Pose, optional
        Where points and edges are while they move; else they stand where the frame says.
    thickness : float
        What edges are multiplied by: less than 1 where there is little room between the points.
    presented : bool
        Whether it is read from afar: names are larger.
    """

    frame: Frame
    theme: Theme
    camera: Camera
    keep: Layout
    at: Mapping[Space, Array]
    selection: Selection | None
    hover: Selection | None
    flow: Flow | None
    values: Array
    focus: tuple[Space, int] | None
    queries: list[TokenColour]
    keys: list[TokenColour]
    canvas: QColor
    pose: Pose | None = None
    thickness: float = 1.0
    presented: bool = False

    @classmethod
    def of(
        cls,
        frame: Frame,
        theme: Theme,
        camera: Camera,
        keep: Layout,
        colours: TokenColours | None = None,
        pose: Pose | None = None,
        thickness: float = 1.0,
        presented: bool = False,
    ) -> PlacedFrame:
        """Return a frame with its points placed; tokens have the theme's colours by default."""
        queries, keys = colours or theme.token_colours(frame)
        selection = relations.points_at(frame.selection)
        return cls(
            frame,
            theme,
            camera,
            keep,
            points_on_screen(frame, camera) if pose is None else _on_screen(pose.at, camera),
            selection,
            relations.points_at(frame.hover),
            relations.possible_flow(frame, frame.look.edges),
            relations.edge_values(frame),
            relations.focus(frame, selection),
            queries,
            keys,
            theme.color("canvas"),
            pose,
            thickness,
            presented,
        )

    @cached_property
    def scale(self) -> float:
        """The text scale: what sizes of the design are multiplied by."""
        return self.theme.percent / 100

    def colour(self, space: Space, row: int) -> TokenColour:
        """Return the colour of a point's token."""
        return self.colours(space)[row]

    def colours(self, space: Space) -> list[TokenColour]:
        """Return the colours of a space's points."""
        return self.keys if space in (Space.K, Space.V) else self.queries

    def is_crowded(self, space: Space) -> bool:
        """Return whether a space has more points than there are colours."""
        return len(self.at[space]) > SLOTS

    def is_small(self, space: Space, row: int) -> bool:
        """Return whether a point is one of many and its token has no colour of its own."""
        return row in self._small[space]

    @cached_property
    def _small(self) -> dict[Space, frozenset[int]]:
        neutral = self.theme.neutral_token
        return {
            space: frozenset(
                row
                for row, colour in enumerate(self.colours(space))
                if colour is neutral or self.theme.is_neutral(colour)
            )
            if self.is_crowded(space)
            else frozenset()
            for space in self.at
        }

    def mixed(self, colour: QColor, share: float) -> QColor:
        """Return `colour` at an opacity of `share` upon the canvas, as an opaque colour."""
        return mixed(colour, self.canvas, share)

    def share(self, pair: Pair) -> float:
        """Return the opacity that hovering leaves an edge and its chip."""
        unrelated = self.hover is not None and not relations.is_related_pair(self.hover, *pair)
        return FADED if unrelated else 1.0

    @property
    def arrival(self) -> float:
        """The opacity of edges and chips as such: less than 1 while they come in."""
        return 1.0 if self.pose is None else self.pose.arrival


def points_in_plane(frame: Frame) -> dict[Space, Array]:
    """Return every shown space's points, (T or S, 2) in the plane, in the order of painting."""
    return {
        space: frame.projection.project(frame.points(space))
        for space in (Space.V, Space.K, Space.Y, Space.O, Space.P, Space.X, Space.Q)
        if space in frame.look.shown
    }


def points_on_screen(frame: Frame, camera: Camera) -> dict[Space, Array]:
    """Return the same points in pixels."""
    return _on_screen(points_in_plane(frame), camera)


def _on_screen(at: Mapping[Space, Array], camera: Camera) -> dict[Space, Array]:
    return {space: camera.to_screen(points) for space, points in at.items()}


def is_pair(thing: Selection | None, pair: Pair) -> bool:
    """Return whether a thing is just this pair."""
    return thing is not None and thing.pair == pair
