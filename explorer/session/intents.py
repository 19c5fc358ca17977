"""Intents: what a person wants, as values. Views emit them; the presenter carries them out."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from explorer.attention import QKNorm, Rotary, Variant
from explorer.session.frame import Cell
from explorer.session.look import (
    LookChanges,
    Selection,
    Space,
    Stage,
)
from explorer.session.scene import Matrix


class Phase(StrEnum):
    """Where in a gesture an intent stands. One gesture is one undo entry."""

    BEGIN = "begin"
    MOVE = "move"
    END = "end"
    CANCEL = "cancel"


class Intent(msgspec.Struct, frozen=True):
    """Base of the intents: values that are compared by what they hold.

    Structs rather than dataclasses, which each take a quarter of a millisecond at every start.
    """


# --- numbers -------------------------------------------------------------------------------------


class MoveToken(Intent, frozen=True):
    """Move a token's row of X so that its point lies at (x, y) of the plane."""

    token: int
    x: float
    y: float
    phase: Phase


class MovePoint(Intent, frozen=True):
    """Move a point of Q, K, V or X + P to (x, y) of the plane, or as near as X can bring it."""

    space: Space
    row: int
    x: float
    y: float
    phase: Phase


class ShapeMatrix(Intent, frozen=True):
    """Give one head's W other numbers, row by row: a basis vector or a slider was moved."""

    matrix: Matrix
    head: int
    values: tuple[tuple[float, ...], ...]
    phase: Phase


class AimCell(Intent, frozen=True):
    """Work out what would give a cell of A, or of the raw scores, a typed value.

    `moves` is what may change: X (the query's row), Wq or Wk. Nothing changes before `AcceptAim`.
    """

    query: int
    key: int
    text: str
    weight: bool
    moves: Matrix = Matrix.X


class AcceptAim(Intent, frozen=True):
    """Make the worked-out change."""


class DropAim(Intent, frozen=True):
    """Leave everything as it is, and the wanted value aside."""


class TypeCell(Intent, frozen=True):
    """Put a typed text into a cell, which is marked where the text is no number."""

    cell: Cell
    text: str


class RevertCell(Intent, frozen=True):
    """Drop the invalid text of a cell and show its last valid value again."""

    cell: Cell


class NudgeCell(Intent, frozen=True):
    """Add `delta` to a cell (wheel, Alt with an arrow key); nudges in a row are one undo entry."""

    cell: Cell
    delta: float


class PasteCells(Intent, frozen=True):
    """Put a pasted block at a cell: rows of numbers parted by tabs, semicolons or spaces."""

    cell: Cell
    text: str


class ApplyPreset(Intent, frozen=True):
    """Fill a matrix from a named preset (see `explorer.session.presets`)."""

    matrix: Matrix
    preset: str


# --- tokens and shapes ---------------------------------------------------------------------------


class AddToken(Intent, frozen=True):
    """Add a token after row `after` (at the end by default).

    `context` means the tokens of the context, here and below.
    """

    after: int | None = None
    context: bool = False


class RemoveToken(Intent, frozen=True):
    """Remove a token."""

    token: int
    context: bool = False


class RenameToken(Intent, frozen=True):
    """Give a token another name."""

    token: int
    name: str
    context: bool = False


class ReorderToken(Intent, frozen=True):
    """Move a token to another place in the order."""

    token: int
    place: int
    context: bool = False


class ShuffleTokens(Intent, frozen=True):
    """Put the tokens into another order, and say what that does to the outputs."""


class Resize(Intent, frozen=True):
    """Change d_model, d_k or d_v; only those that are given."""

    d_model: int | None = None
    d_k: int | None = None
    d_v: int | None = None


class AddProjections(Intent, frozen=True):
    """Give a scene without W identity Wq, Wk and Wv."""


class SetScale(Intent, frozen=True):
    """Choose the scale option."""

    scale: str | float


class SetMask(Intent, frozen=True):
    """Choose the mask: "none", "causal" or "own", at first as it is, to be painted."""

    mask: str


class SetPadding(Intent, frozen=True):
    """Hide just these keys from every query."""

    keys: frozenset[int]


class PaintMask(Intent, frozen=True):
    """Let queries attend to keys, or not, cell by cell; a stroke of the brush is one undo entry."""

    cells: tuple[tuple[int, int], ...]
    may_attend: bool
    phase: Phase


class SetTemperature(Intent, frozen=True):
    """Choose the temperature; a drag of the slider is one undo entry."""

    temperature: float
    phase: Phase


class SetHeads(Intent, frozen=True):
    """Choose how many heads there are, with a W each or one W split by its columns."""

    heads: int
    split: bool


class SetBias(Intent, frozen=True):
    """Add bq, bk, bv or bo (all 0 at first), or take it away."""

    bias: Matrix
    on: bool


class SetOutput(Intent, frozen=True):
    """Add Wo (the identity at first), or take it and bo away."""

    on: bool


class SetContext(Intent, frozen=True):
    """Let K and V come from tokens of their own (a copy at first), or not."""

    on: bool


class SetPosition(Intent, frozen=True):
    """Choose what is added to X: "none", "sinusoidal" or "own" rows, at first the present ones."""

    position: str


class SetRotary(Intent, frozen=True):
    """Choose by what Q and K turn before the product; None for nothing."""

    rotary: Rotary | None


class SetQKNorm(Intent, frozen=True):
    """Choose how Q and K are normalised before the product; None for not at all."""

    norm: QKNorm | None


class SetVariant(Intent, frozen=True):
    """Choose the plain average, one of the mistakes, or none of them."""

    variant: Variant


class RemoveProjections(Intent, frozen=True):
    """Let Q = K = V = X, without heads, biases, scale or variant."""


class AddSequence(Intent, frozen=True):
    """Add a copy of the shown sequence, and show it."""


class RemoveSequence(Intent, frozen=True):
    """Remove the shown sequence."""


class ShowSequence(Intent, frozen=True):
    """Show another of the scene's sequences, counted from 0. No edit."""

    place: int


# --- looking -------------------------------------------------------------------------------------


class ChangeLook(Intent, frozen=True):
    """Look otherwise: other values of fields of Look from which nothing else follows."""

    changes: LookChanges


class ShowStage(Intent, frozen=True):
    """Make a station of the chain the active one; sets the shown spaces and edges too."""

    stage: Stage


class ShowSpaces(Intent, frozen=True):
    """Draw these spaces; `added` names the one just switched on."""

    spaces: frozenset[Space]
    added: Space | None = None


class ShowStrongest(Intent, frozen=True):
    """Choose how many edges of the pointed query are drawn among many tokens."""

    count: int


class Pin(Intent, frozen=True):
    """Give a token a colour of its own among many, or take it; without one, choose anew.

    token : counted from 0, those of a context after the others
    """

    token: int | None


class ShowHead(Intent, frozen=True):
    """Choose a head, counted from 0, and show its A instead of the mean over all."""

    head: int


class ShowPainting(Intent, frozen=True):
    """Let the mouse paint the mask in A, or select its cells."""

    painting: bool


class ShowMovement(Intent, frozen=True):
    """Show Wq, Wk or Wv as a transformation of the plane, or not."""

    matrix: Matrix
    shown: bool


class BlankOut(Intent, frozen=True):
    """Hide a results table, one row or one cell of it, to be filled in by hand; None reveals it."""

    table: Stage | None
    row: int | None = None
    column: int | None = None


class FillCells(Intent, frozen=True):
    """Put typed texts into the table that is filled in, row by row from a cell on."""

    row: int
    column: int
    texts: tuple[tuple[str, ...], ...]


class CheckBlank(Intent, frozen=True):
    """Say which of the cells filled in are right."""


class Select(Intent, frozen=True):
    """Select a thing, or nothing."""

    selection: Selection | None


class Hover(Intent, frozen=True):
    """Point at a thing, or at nothing any more."""

    selection: Selection | None


class CopyText(Intent, frozen=True):
    """Put a text on the clipboard."""

    text: str
