"""How the scene is looked at: stage, spaces, edges, selection. Never part of a scene file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple, TypedDict

from explorer.session.scene import Matrix
from explorer.session.views import Centre


class Stage(StrEnum):
    """The chain's stations: the seven of `CHAIN`, and four that only some scenes have."""

    X = "X"
    Q = "Q"
    K = "K"
    V = "V"
    S = "S"
    A = "A"
    O = "O"  # noqa: E741 - the blackboard's letter
    P = "X + P"  # where there is a position
    R = "R"  # Q and K turned, where there are rotary positions
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
    Stage.R: (Stage.Q, Stage.K),
    Stage.C: (Stage.O,),
    Stage.Y: (Stage.C,),
}

# What cannot be seen without giving a stage away: itself, and all that is made of it.
_OF_SCORES = frozenset({Stage.S, Stage.A, Stage.O, Stage.C, Stage.Y})
_OF_OUTPUTS = frozenset({Stage.O, Stage.C, Stage.Y})
AFTER: dict[Stage, frozenset[Stage]] = {
    Stage.P: frozenset({Stage.P, Stage.Q, Stage.K, Stage.V}) | _OF_SCORES,
    Stage.Q: frozenset({Stage.Q}) | _OF_SCORES,
    Stage.K: frozenset({Stage.K}) | _OF_SCORES,
    Stage.V: frozenset({Stage.V}) | _OF_OUTPUTS,
    Stage.R: frozenset({Stage.R}),  # angles: they depend on no token
    Stage.S: _OF_SCORES,
    Stage.A: frozenset({Stage.A}) | _OF_OUTPUTS,
    Stage.O: _OF_OUTPUTS,
    Stage.C: _OF_OUTPUTS,
    Stage.Y: frozenset({Stage.Y}),
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
    Stage.R: frozenset({Space.Q, Space.K}),
    Stage.C: frozenset({Space.V, Space.O}),
    Stage.Y: frozenset({Space.Y}),
}

STAGE_EDGES: dict[Stage, Edges] = {
    Stage.S: Edges.SCORES,
    Stage.A: Edges.ATTENTION,
    Stage.O: Edges.ATTENTION,
    Stage.C: Edges.ATTENTION,
}


# Of a table that there is several times: of which head (0 where of all), and whether it is scaled.
Version = tuple[int, bool]


class Entry(NamedTuple):
    """What was typed into a cell of a table that is filled in by hand."""

    version: Version
    row: int
    column: int
    text: str


@dataclass(frozen=True)
class Blank:
    """A results table that is hidden, whole or in part, to be filled in by hand.

    Parameters
    ----------
    table : Stage
        Any but X.
    row, column : int or None
        Of the only row, or of the only cell, that is hidden; both None for the whole table.
    within : float
        How far a number may lie from the computed one, such as by rounding on paper.
    entries : frozenset of Entry
        What has been typed so far, into each of the table's versions.
    checked : frozenset of Entry
        Those that stood in the table when it was last checked.
    asked : frozenset of Version
        The versions that were checked.
    """

    table: Stage
    row: int | None = None
    column: int | None = None
    within: float = 0.0
    entries: frozenset[Entry] = frozenset()
    checked: frozenset[Entry] = frozenset()
    asked: frozenset[Version] = frozenset()

    def covers(self, row: int, column: int) -> bool:
        """Return whether a cell is among those that are hidden."""
        return self.row in (None, row) and self.column in (None, column)

    def texts(self, version: Version) -> dict[tuple[int, int], str]:
        """Return what stands in the cells of a version."""
        return _texts(self.entries, version)

    def checked_texts(self, version: Version) -> dict[tuple[int, int], str]:
        """Return what stood in the cells of a version when the table was last checked."""
        return _texts(self.checked, version)

    def filled(self, version: Version, texts: Mapping[tuple[int, int], str]) -> Blank:
        """Return the table with other texts in some cells; an empty one clears its cell."""
        kept = {e for e in self.entries if e.version != version or (e.row, e.column) not in texts}
        typed = {Entry(version, *place, text) for place, text in texts.items() if text}
        return replace(self, entries=frozenset(kept | typed))

    def check(self, version: Version) -> Blank:
        """Return the table with the cells of a version checked as they are."""
        return replace(self, checked=self.entries, asked=self.asked | {version})


class Veil(NamedTuple):
    """What a later question asks and no view shows yet: a table, or one row or cell of it.

    `shape` : whether the table's shape is asked, which others may have too
    """

    table: Stage
    row: int | None = None
    column: int | None = None
    shape: bool = False

    @property
    def whole(self) -> bool:
        """Whether the whole table is meant, and with it all that is made of it."""
        return self.row is None and self.column is None


def _texts(entries: frozenset[Entry], version: Version) -> dict[tuple[int, int], str]:
    return {(row, column): text for of, row, column, text in entries if of == version}


STRONGEST = 5  # edges of one query at first
MOST_STRONGEST = 20


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
    veils : frozenset of Veil
        What else is hidden until it has been asked.
    unnamed : bool
        Whether a mistake that is made on purpose is not named, so that it can be found.
    met : frozenset of Stage or None
        The stages that a lesson has shown so far; None without a lesson.
    blank : Blank or None
        The table that is filled in by hand.
    pinned : tuple of int
        The tokens, counted from 0, that keep a colour of their own among many, in the order of
        those colours; empty where those with the largest weights do.
    strongest : int
        How many edges of the pointed query are drawn where there are more than eight tokens.
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
    veils: frozenset[Veil] = frozenset()
    unnamed: bool = False
    met: frozenset[Stage] | None = None
    blank: Blank | None = None
    pinned: tuple[int, ...] = ()
    strongest: int = STRONGEST

    @property
    def hidden(self) -> frozenset[Stage]:
        """The stages whose numbers are shown nowhere until they were predicted or filled in."""
        found = AFTER[Stage.S] if self.veiled else frozenset()
        for veil in self.veils:
            if veil.whole:
                found |= AFTER[veil.table]
            elif veil.table is Stage.A:  # the bars beside the outputs are weights
                found |= _OF_OUTPUTS
        return found if self.blank is None else found | AFTER[self.blank.table]

    def hides(self, table: Stage, row: int | None = None, column: int | None = None) -> bool:
        """Return whether a cell of a table is hidden; of a table or a row, whether any is."""
        return table in self.hidden or any(
            veil.table is table
            and (row is None or veil.row in (None, row))
            and (column is None or veil.column in (None, column))
            for veil in self.veils
        )

    @property
    def shown(self) -> frozenset[Space]:
        """The spaces whose points are drawn: those that are not hidden; X where all would be."""
        if not self.hidden:
            return self.spaces
        left = (space for space in self.spaces if Stage(space.value) not in self.hidden)
        return frozenset(left) or frozenset({Space.X})

    def version(self, table: Stage) -> Version:
        """Return which of a table's versions is shown."""
        if table in (Stage.P, Stage.R, Stage.C, Stage.Y) or (table is Stage.A and self.average):
            return 0, False
        return self.head + 1, table is Stage.S and self.scaled

    def at_stage(self, stage: Stage) -> Look:
        """Return the look with another active station, and the spaces and edges that go with it."""
        edges = STAGE_EDGES.get(stage, Edges.NONE)
        return replace(self, stage=stage, spaces=STAGE_SPACES[stage], edges=edges)

    def hiding_nothing(self) -> Look:
        """Return the look without what a lesson's page hides."""
        return replace(self, veiled=False, veils=frozenset(), unnamed=False, blank=None, met=None)

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
    R = "R"
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


class LookChanges(TypedDict, total=False):
    """What of a Look can change by itself."""

    edges: Edges
    scaled: bool
    tab: ResultsTab
    torch_code: bool
    options_open: bool
    position_open: bool
    average: bool
    field: bool
    centre: Centre
    comparison: Comparison
    trial: Trial


ROLE_OF_MATRIX = {matrix: Role(matrix.value) for matrix in Matrix}
_WEIGHT_ROLES = frozenset(
    role
    for matrix, role in ROLE_OF_MATRIX.items()
    if matrix not in (Matrix.X, Matrix.CONTEXT, Matrix.POSITION, Matrix.V)
)
