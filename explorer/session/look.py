"""How the scene is looked at: stage, spaces, edges, selection. Never part of a scene file."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from explorer.session.scene import Matrix


class Stage(StrEnum):
    """The chain's stations: the seven of `CHAIN`, and three that only some scenes have."""

    X = "X"
    Q = "Q"
    K = "K"
    V = "V"
    S = "S"
    A = "A"
    O = "O"  # noqa: E741 - the blackboard's letter
    P = "X + P"  # where there is a position
    C = "C"  # the heads' outputs side by side, where there are several
    Y = "Y"  # the output after Wo, where there is one


CHAIN = (Stage.X, Stage.Q, Stage.K, Stage.V, Stage.S, Stage.A, Stage.O)  # keys 1 to 7


class Space(StrEnum):
    """Sets of points that can be drawn."""

    X = "X"
    Q = "Q"
    K = "K"
    V = "V"
    O = "O"  # noqa: E741
    P = "X + P"  # the input with its position
    Y = "Y"  # the output after Wo


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


class Centre(StrEnum):
    """What stands in the middle of Explore."""

    PLANE = "plane"
    COMPARE = "compare"  # the scene under two settings
    SQRT_D = "sqrt_d"  # why scores are divided by √d


class Comparison(StrEnum):
    """Which setting differs between the two sides that are compared."""

    SCALE = "scale"
    MASK = "mask"
    HEADS = "heads"
    PROJECTIONS = "projections"
    POSITION = "position"
    MISTAKE = "mistake"  # where one is made


@dataclass(frozen=True)
class Trial:
    """What the laboratory of √d shows.

    Parameters
    ----------
    width : int
        How many columns the random queries and keys have, 1 to 512.
    own : bool
        Whether the scene's own Q and K are shown instead.
    """

    width: int = 64
    own: bool = False


INPUTS: dict[Stage, tuple[Stage, ...]] = {
    Stage.X: (),
    Stage.Q: (Stage.X,),
    Stage.K: (Stage.X,),
    Stage.V: (Stage.X,),
    Stage.S: (Stage.Q, Stage.K),
    Stage.A: (Stage.S,),
    Stage.O: (Stage.A, Stage.V),
    Stage.P: (Stage.X,),
    Stage.C: (Stage.O,),
    Stage.Y: (Stage.C,),
}

STAGE_SPACES: dict[Stage, frozenset[Space]] = {
    Stage.X: frozenset({Space.X}),
    Stage.Q: frozenset({Space.X, Space.Q}),
    Stage.K: frozenset({Space.X, Space.K}),
    Stage.V: frozenset({Space.X, Space.V}),
    Stage.S: frozenset({Space.Q, Space.K}),
    Stage.A: frozenset({Space.Q, Space.K}),
    Stage.O: frozenset({Space.V, Space.O}),
    Stage.P: frozenset({Space.X, Space.P}),
    Stage.C: frozenset({Space.V, Space.O}),
    Stage.Y: frozenset({Space.Y}),
}

STAGE_EDGES: dict[Stage, Edges] = {
    Stage.S: Edges.SCORES,
    Stage.A: Edges.ATTENTION,
    Stage.O: Edges.ATTENTION,
    Stage.C: Edges.ATTENTION,
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
    position_open : bool
        Whether the rows of a sinusoidal position, which cannot be edited, are unfolded below X.
    average : bool
        Whether A and its edges show the mean over all heads instead of the chosen one's.
    field : bool
        Whether the plane is tinted, while a token is dragged, by the selected pair's weight.
    movements : frozenset of Matrix
        Which of Wq, Wk and Wv are shown as movements of the plane.
    centre : Centre
        What stands in the middle.
    comparison : Comparison
    trial : Trial
    painting : bool
        Whether the mouse paints the mask in A instead of selecting its cells.
    veiled : bool
        Whether what is computed is hidden until it has been predicted.
    met : frozenset of Stage, or None
        Which stations a lesson has shown so far; None where no lesson is open.
    """

    stage: Stage = Stage.X
    spaces: frozenset[Space] = frozenset({Space.X})
    edges: Edges = Edges.NONE
    scaled: bool = False
    head: int = 0
    tab: ResultsTab = ResultsTab.MATRICES
    torch_code: bool = False
    options_open: bool = False
    position_open: bool = False
    average: bool = False
    field: bool = True
    movements: frozenset[Matrix] = frozenset()
    centre: Centre = Centre.PLANE
    comparison: Comparison = Comparison.SCALE
    trial: Trial = Trial()
    painting: bool = False
    veiled: bool = False
    met: frozenset[Stage] | None = None

    def at_stage(self, stage: Stage) -> Look:
        """Return the look with another active station, and the spaces and edges that go with it."""
        edges = STAGE_EDGES.get(stage, Edges.NONE)
        return replace(self, stage=stage, spaces=STAGE_SPACES[stage], edges=edges)

    def with_pages_of(self, other: Look) -> Look:
        """Return the look with the panels as open as in another: nothing else depends on them."""
        return replace(
            self,
            tab=other.tab,
            torch_code=other.torch_code,
            options_open=other.options_open,
            position_open=other.position_open,
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
    P = "X + P"
    C = "C"
    Y = "Y"
    BQ = "bq"
    BK = "bk"
    BV = "bv"
    WO = "Wo"
    BO = "bo"
    CONTEXT = "context"
    POSITION = "position"


@dataclass(frozen=True)
class Selection:
    """One selected (or hovered) thing: a cell, an edge, a pair row, a token, a sum.

    The cell of S or A, the edge, the pair row and the sum are the same value (role, query, key),
    whichever of them was clicked. `query` alone is a token as a row; `column` counts the columns of
    X, Q, K, V, O or a W (whose rows are in `query`; that of a bias is 0).

    Parameters
    ----------
    role : Role
        What was pointed at. Rows of K, V and the context are tokens of the context: they stand in
        `key`.
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
        """Whether a cell of a W or of a bias is meant (its row is a row of that, no token)."""
        return self.role in _WEIGHT_ROLES


ROLE_OF_MATRIX = {matrix: Role(matrix.value) for matrix in Matrix}
_WEIGHT_ROLES = frozenset(
    role
    for matrix, role in ROLE_OF_MATRIX.items()
    if matrix not in (Matrix.X, Matrix.CONTEXT, Matrix.POSITION)
)
