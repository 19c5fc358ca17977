"""The frame: everything a view is handed to draw; views keep no other state of the scene."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Flag, auto
from typing import NamedTuple

from explorer.attention import Attention, Projection
from explorer.session.look import Look, Selection, Space
from explorer.session.scene import Array, Matrix, Scene
from explorer.text import Message


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
    DOCUMENT = auto()  # title, note, file, undo history
    ORIGINAL = auto()  # the scene as opened or saved, by which presets are named

    RESULT = TOKENS | X | WEIGHTS | OPTIONS  # whatever changes the attention
    ALL = RESULT | LOOK | PAGES | SELECTION | HOVER | INVALID | PLANE | DOCUMENT | ORIGINAL


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
    """A token being dragged.

    Parameters
    ----------
    token : int
    start : ndarray, shape (d_model,)
        Its row of X when the drag began: where the ghost stands.
    """

    token: int
    start: Array


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
    invalid : mapping of Cell to Invalid
        Where it is not empty, results are those of the last valid values ("held").
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

    @property
    def held(self) -> bool:
        """Whether results are held at the last valid values."""
        return bool(self.invalid)

    @property
    def pointed(self) -> Selection | None:
        """The hovered thing, or else the selected one."""
        return self.hover if self.hover is not None else self.selection

    def points(self, space: Space) -> Array:
        """Return the rows of a space for the chosen head, shape (T or S, d)."""
        if space is Space.X:
            return self.scene.X
        result = self.attention
        head = self.look.head
        return {
            Space.Q: result.Q,
            Space.K: result.K,
            Space.V: result.V,
            Space.O: result.head_output,
        }[space][head]

    def names(self, space: Space) -> tuple[str, ...]:
        """Return the tokens that the rows of a space belong to."""
        return self.scene.key_tokens if space in (Space.K, Space.V) else self.scene.tokens

    @property
    def shown_scores(self) -> Array:
        """The chosen head's scores as the look asks for them, shape (T, S).

        Raw ones are before scaling and mask, scaled ones −inf where masked.
        """
        result = self.attention
        return (result.scores if self.look.scaled else result.raw)[self.look.head]

    @property
    def weights(self) -> Array:
        """The chosen head's weights, shape (T, S)."""
        return self.attention.weights[self.look.head]

    def masked(self, query: int, key: int) -> bool:
        """Return whether the query may not attend to the key."""
        mask = self.attention.mask
        return mask is not None and not bool(mask[query, key])
