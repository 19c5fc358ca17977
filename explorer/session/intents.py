"""Intents: what a person wants, as values. Views emit them; the presenter carries them out."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from explorer.session.frame import Cell
from explorer.session.look import Edges, ResultsTab, Selection, Space, Stage
from explorer.session.scene import Matrix


class Phase(StrEnum):
    """Where in a gesture an intent stands. One gesture is one undo entry."""

    BEGIN = "begin"
    MOVE = "move"
    END = "end"
    CANCEL = "cancel"


# --- numbers -------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class MoveToken:
    """Move a token's row of X so that its point lies at (x, y) of the plane."""

    token: int
    x: float
    y: float
    phase: Phase


@dataclass(frozen=True)
class TypeCell:
    """Put a typed text into a cell, which is marked where the text is no number."""

    cell: Cell
    text: str


@dataclass(frozen=True)
class RevertCell:
    """Drop the invalid text of a cell and show its last valid value again."""

    cell: Cell


@dataclass(frozen=True)
class NudgeCell:
    """Add `delta` to a cell (wheel, Alt with an arrow key); nudges in a row are one undo entry."""

    cell: Cell
    delta: float


@dataclass(frozen=True)
class PasteCells:
    """Put a pasted block at a cell: rows of numbers parted by tabs, semicolons or spaces."""

    cell: Cell
    text: str


@dataclass(frozen=True)
class ApplyPreset:
    """Fill a matrix from a named preset (see `explorer.session.presets`)."""

    matrix: Matrix
    preset: str


# --- tokens and shapes ---------------------------------------------------------------------------


@dataclass(frozen=True)
class AddToken:
    """Add a token after row `after` (at the end by default)."""

    after: int | None = None


@dataclass(frozen=True)
class RemoveToken:
    """Remove a token."""

    token: int


@dataclass(frozen=True)
class RenameToken:
    """Give a token another name."""

    token: int
    name: str


@dataclass(frozen=True)
class ReorderToken:
    """Move a token to another place in the order."""

    token: int
    place: int


@dataclass(frozen=True)
class Resize:
    """Change d_model, d_k or d_v; only those that are given."""

    d_model: int | None = None
    d_k: int | None = None
    d_v: int | None = None


@dataclass(frozen=True)
class AddProjections:
    """Give a scene without W identity Wq, Wk and Wv."""


@dataclass(frozen=True)
class SetScale:
    """Choose the scale option."""

    scale: str | float


@dataclass(frozen=True)
class SetMask:
    """Choose the mask option, "none" or "causal"."""

    mask: str


# --- looking -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ShowStage:
    """Make a station of the chain the active one; sets the shown spaces and edges too."""

    stage: Stage


@dataclass(frozen=True)
class ShowSpaces:
    """Draw these spaces; `added` names the one just switched on."""

    spaces: frozenset[Space]
    added: Space | None = None


@dataclass(frozen=True)
class ShowEdges:
    """Choose what edges show."""

    edges: Edges


@dataclass(frozen=True)
class ShowScaled:
    """Show scaled or raw scores."""

    scaled: bool


@dataclass(frozen=True)
class ShowHead:
    """Choose a head, counted from 0."""

    head: int


@dataclass(frozen=True)
class ShowTab:
    """Choose the right panel's page."""

    tab: ResultsTab


@dataclass(frozen=True)
class ShowTorchCode:
    """Show the code as PyTorch or as NumPy."""

    torch: bool


@dataclass(frozen=True)
class OpenOptions:
    """Fold or unfold the options."""

    open: bool


@dataclass(frozen=True)
class Select:
    """Select a thing, or nothing."""

    selection: Selection | None


@dataclass(frozen=True)
class Hover:
    """Point at a thing, or at nothing any more."""

    selection: Selection | None


@dataclass(frozen=True)
class CopyText:
    """Put a text on the clipboard."""

    text: str
