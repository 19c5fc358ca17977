"""The frame: everything a view is handed to draw; views keep no other state of the scene."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Flag, auto
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from explorer.attention import Attention, Projection, Pull
from explorer.session.look import Look, Selection, Space, Stage
from explorer.session.scene import Array, Matrix, Scene, placed_rows
from explorer.text import Message

if TYPE_CHECKING:
    from explorer.session.backwards import OrderCause, Proposal


class Change(Flag):
    """What kind of data changed; a view names the kinds that concern it."""

    TOKENS = auto()  # names, number or order of tokens (of the context too)
    X = auto()
    WEIGHTS = auto()  # Wq, Wk, Wv, Wo and the biases
    OPTIONS = auto()  # scale, mask, heads
    LOOK = auto()  # stage, spaces, edges, scaling, head
    PAGES = auto()  # which page of the results is open, and whether the options are
    SELECTION = auto()
    HOVER = auto()
    INVALID = auto()  # cells whose text is no number
    PLANE = auto()  # the projection onto the plane, or a drag beginning or ending
    NOTES = auto()  # a wanted value and what would give it; what shuffling did
    DOCUMENT = auto()  # title, note, file, undo history
    ORIGINAL = auto()  # the scene as opened or saved, by which presets are named

    RESULT = TOKENS | X | WEIGHTS | OPTIONS  # whatever changes the attention
    ALL = RESULT | LOOK | PAGES | SELECTION | HOVER | INVALID | PLANE | NOTES | DOCUMENT | ORIGINAL


class Cell(NamedTuple):
    """The address of one editable number.

    Row and column count within the head's own block (d, d_k), whether W keeps its heads along an
    axis or side by side in its columns; `head` is 0 for X.
    """

    matrix: Matrix
    row: int
    column: int
    head: int = 0


@dataclass(frozen=True)
class Invalid:
    """What was typed into a cell although it is no number.

    Parameters
    ----------
    text : str
        As typed.
    message : Message
        What is expected instead.
    """

    text: str
    message: Message


@dataclass(frozen=True, eq=False)
class Drag:
    """A point being dragged.

    Parameters
    ----------
    token : int
        Its row; of the context for K and V in a scene with one.
    start : ndarray, shape (d,)
        The row of its space when the drag began: where the ghost stands.
    space : Space
        X, X + P, Q, K or V.
    pull : Pull or None
        For Q, K and V: how far the point can follow the hand, as X can reach it.
    """

    token: int
    start: Array
    space: Space = Space.X
    pull: Pull | None = None


@dataclass(frozen=True, eq=False)
class Aiming:
    """A wanted value of a cell of S or A, and what would give it.

    Parameters
    ----------
    query, key : int
    target : float
    weight : bool
        Whether a cell of A is meant, not a raw score.
    moves : Matrix
        What may change for it: X (the query's row), Wq or Wk.
    outcome : Proposal or Message
        The change to be accepted or not, or why there is none.
    """

    query: int
    key: int
    target: float
    weight: bool
    moves: Matrix
    outcome: Proposal | Message


@dataclass(frozen=True, eq=False)
class Shuffled:
    """What shuffling the tokens did to the outputs.

    Parameters
    ----------
    order : tuple of int
        The old place of each token.
    difference : float
        The largest difference between the outputs and the same rows, in the new order, before.
    present, causes : tuple of OrderCause
        By what the order could have mattered, and what of it did.
    """

    order: tuple[int, ...]
    difference: float
    present: tuple[OrderCause, ...] = ()
    causes: tuple[OrderCause, ...] = ()


def is_turned(attention: Attention, look: Look) -> bool:
    """Return whether Q and K are shown as they enter the product.

    Not at their own stages, where rotary positions turn them at a stage that is still to come.
    """
    return attention.rotary is None or look.stage not in (Stage.Q, Stage.K)


def of_head(attention: Attention, space: Space, head: int, *, turned: bool) -> Array:
    """Return the rows of Q, K, V or O of a head, (T or S, d).

    turned : whether Q and K are wanted as they enter the product, after rotary positions
    """
    if space is Space.O:
        return attention.of_head(head).head_output
    found = {Space.Q: attention.Q, Space.K: attention.K, Space.V: attention.V}[space]
    if attention.projected is not None and attention.rotary is not None and not turned:
        before = {Space.Q: attention.projected[0], Space.K: attention.projected[1]}
        found = before.get(space, found)
    return found[head]


@dataclass(frozen=True, eq=False)
class Frame:
    """What is shown now.

    Parameters
    ----------
    scene : Scene
    attention : Attention
        `compute(scene)`.
    look : Look
    selection, hover : Selection or None
        Hover, where there is one, is drawn as well; leaving restores the selection.
    projection : Projection
        From the space of the shown points to the plane.
    score_domain : float
        Colours and edge widths of scores run from minus to plus this (frozen during a drag).
    weight_domain : float
        Colours of the weights run from 0 to this.
    drag : Drag or None
    aiming : Aiming or None
        Until it is accepted or not, or the scene changes.
    shuffled : Shuffled or None
        Until the scene changes again.
    slots : tuple of int
        By which colour each token goes, the queries' before those of a context: its place, but that
        a token keeps its own in another order. −1 for those of more than eight that have none.
    gesture : bool
        Whether a gesture is going on: a drag, a slider, a brush. Until it ends nothing is arranged
        anew.
    invalid : mapping of Cell to Invalid
        Where it is not empty, results are those of the last valid values ("waiting for a number").
    original : Scene
        As it was opened, made or last saved: what presets and Revert go back to.
    """

    scene: Scene
    attention: Attention
    look: Look
    selection: Selection | None
    hover: Selection | None
    projection: Projection
    score_domain: float
    weight_domain: float
    drag: Drag | None
    invalid: Mapping[Cell, Invalid]
    original: Scene
    aiming: Aiming | None = None
    shuffled: Shuffled | None = None
    gesture: bool = False
    slots: tuple[int, ...] = ()

    @property
    def held(self) -> bool:
        """Whether results are held at the last valid values."""
        return bool(self.invalid)

    @property
    def pointed(self) -> Selection | None:
        """The hovered thing, or else the selected one."""
        return self.hover if self.hover is not None else self.selection

    @property
    def turned(self) -> bool:
        """Whether Q and K are shown as they enter the product: see `is_turned`."""
        return is_turned(self.attention, self.look)

    def points(self, space: Space) -> Array:
        """Return the rows of a space for the chosen head, shape (T or S, d)."""
        if space is Space.X:
            return self.scene.X
        result = self.attention
        if space is Space.Y:
            return result.output
        if space is Space.P:
            return placed_rows(self.scene)
        return of_head(result, space, self.look.head, turned=self.turned)

    def table(self, stage: Stage) -> Array:
        """Return a stage's table as the look asks for it, shape (rows, columns)."""
        if stage is Stage.S:
            return self.shown_scores
        if stage is Stage.A:
            return self.weights
        if stage is Stage.R:
            return self.angles
        if stage in (Stage.Q, Stage.K):
            return of_head(self.attention, Space(stage), self.look.head, turned=False)
        return self.concatenated if stage is Stage.C else self.points(Space(stage))

    def names(self, space: Space) -> tuple[str, ...]:
        """Return the tokens that the rows of a space belong to."""
        return self.scene.key_tokens if space in (Space.K, Space.V) else self.scene.tokens

    @property
    def shown_scores(self) -> Array:
        """The chosen head's scores as the look asks for them, shape (T, S).

        Raw ones are before scaling and mask, scaled ones −inf where masked.
        """
        tables = self.attention.of_head(self.look.head)
        return tables.scores if self.look.scaled else tables.raw

    @property
    def averaged(self) -> bool:
        """Whether `weights` are the mean over several heads."""
        return self.look.average and self.attention.heads > 1

    @property
    def weights(self) -> Array:
        """The chosen head's weights, or the mean over all heads, shape (T, S)."""
        if self.averaged:
            return self.attention.mean_weights
        return self.attention.of_head(self.look.head).weights

    @property
    def concatenated(self) -> Array:
        """The outputs of all heads side by side, shape (T, H·d_v)."""
        heads = self.attention.head_output
        return heads.transpose(1, 0, 2).reshape(heads.shape[1], -1)

    @property
    def angles(self) -> Array:
        """By how much each token turns each pair of columns, in radians, shape (T, dims / 2)."""
        rotary = self.scene.options.rotary
        return (
            np.zeros((self.attention.queries, 0))
            if rotary is None
            else rotary.angles(self.attention.queries)
        )

    def masked(self, query: int, key: int) -> bool:
        """Return whether the query may not attend to the key."""
        mask = self.attention.mask
        return mask is not None and not bool(mask[query, key])
