"""How the scene is looked at: stage, spaces, edges, selection. Never part of a scene file."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from explorer.session.scene import Matrix


class Stage(StrEnum):
    """The chain's stations, in order; keys 1 to 7."""

    X = "X"
    Q = "Q"
    K = "K"
    V = "V"
    S = "S"
    A = "A"
    O = "O"  # noqa: E741 - the blackboard's letter


class Space(StrEnum):
    """Sets of points that can be drawn."""

    X = "X"
    Q = "Q"
    K = "K"
    V = "V"
    O = "O"  # noqa: E741


class Edges(StrEnum):
    """What the plane's edges show."""

    NONE = "none"
    SCORES = "scores"
    ATTENTION = "attention"


class ResultsTab(StrEnum):
    """The right panel's pages."""

    MATRICES = "matrices"
    POINTS = "points"
    PAIRS = "pairs"
    CODE = "code"


INPUTS: dict[Stage, tuple[Stage, ...]] = {
    Stage.X: (),
    Stage.Q: (Stage.X,),
    Stage.K: (Stage.X,),
    Stage.V: (Stage.X,),
    Stage.S: (Stage.Q, Stage.K),
    Stage.A: (Stage.S,),
    Stage.O: (Stage.A, Stage.V),
}

STAGE_SPACES: dict[Stage, frozenset[Space]] = {
    Stage.X: frozenset({Space.X}),
    Stage.Q: frozenset({Space.X, Space.Q}),
    Stage.K: frozenset({Space.X, Space.K}),
    Stage.V: frozenset({Space.X, Space.V}),
    Stage.S: frozenset({Space.Q, Space.K}),
    Stage.A: frozenset({Space.Q, Space.K}),
    Stage.O: frozenset({Space.V, Space.O}),
}

STAGE_EDGES: dict[Stage, Edges] = {
    Stage.S: Edges.SCORES,
    Stage.A: Edges.ATTENTION,
    Stage.O: Edges.ATTENTION,
}


@dataclass(frozen=True)
class Look:
    """What is drawn, apart from the numbers themselves.

    Parameters
    ----------
    stage : Stage
        The chain's active station.
    spaces : frozenset of Space
        Drawn together on the plane (only spaces of one dimension).
    edges : Edges
    scaled : bool
        Whether the scores table and score edges show scaled instead of raw scores.
    head : int
        The chosen head, counted from 0.
    tab : ResultsTab
        The right panel's page.
    torch_code : bool
        Whether the code page shows PyTorch instead of NumPy.
    options_open : bool
        Whether the Options of the left panel are unfolded.
    """

    stage: Stage = Stage.X
    spaces: frozenset[Space] = frozenset({Space.X})
    edges: Edges = Edges.NONE
    scaled: bool = False
    head: int = 0
    tab: ResultsTab = ResultsTab.MATRICES
    torch_code: bool = False
    options_open: bool = False

    def at_stage(self, stage: Stage) -> Look:
        """Return the look with another active station, and the spaces and edges that go with it."""
        edges = STAGE_EDGES.get(stage, Edges.NONE)
        return replace(self, stage=stage, spaces=STAGE_SPACES[stage], edges=edges)

    def with_pages_of(self, other: Look) -> Look:
        """Return the look with the panels as open as in another: nothing else depends on them."""
        return replace(
            self, tab=other.tab, torch_code=other.torch_code, options_open=other.options_open
        )


class Role(StrEnum):
    """The table (or space) that the selected value belongs to."""

    X = "X"
    WQ = "Wq"
    WK = "Wk"
    WV = "Wv"
    Q = "Q"
    K = "K"
    V = "V"
    S = "S"
    A = "A"
    O = "O"  # noqa: E741


@dataclass(frozen=True)
class Selection:
    """One selected (or hovered) thing: a cell, an edge, a pair row, a token, a sum.

    The cell of S or A, the edge, the pair row and the sum are the same value (role, query, key),
    whichever of them was clicked. `query` alone is a token as a row; `column` counts the columns of
    X, Q, K, V, O or a W (whose rows are in `query`).

    Parameters
    ----------
    role : Role
        What was pointed at. K and V rows are tokens of the context: they stand in `key`.
    query, key, column : int or None
        Counted from 0.
    """

    role: Role
    query: int | None = None
    key: int | None = None
    column: int | None = None

    @property
    def pair(self) -> tuple[int, int] | None:
        """(query, key) where both are known, else None."""
        if self.query is None or self.key is None:
            return None
        return self.query, self.key

    @property
    def in_weights(self) -> bool:
        """Whether a cell of Wq, Wk or Wv is meant (its row is a row of W, no token)."""
        return self.role in (Role.WQ, Role.WK, Role.WV)


ROLE_OF_MATRIX = {
    Matrix.X: Role.X,
    Matrix.WQ: Role.WQ,
    Matrix.WK: Role.WK,
    Matrix.WV: Role.WV,
}
