"""What the user is doing: the scene, edits of it, the selection, undo, and the one Session."""

from explorer.session.frame import Cell, Change, Drag, Frame, Invalid
from explorer.session.look import (
    INPUTS,
    ROLE_OF_MATRIX,
    STAGE_EDGES,
    STAGE_SPACES,
    Edges,
    Look,
    ResultsTab,
    Role,
    Selection,
    Space,
    Stage,
)
from explorer.session.resolve import fitting_look, resolve, space_dimension, spaces_agree
from explorer.session.scene import (
    PROJECTIONS,
    Array,
    Context,
    Matrix,
    Options,
    Scene,
    compute,
    frozen_array,
)

__all__ = [
    "INPUTS",
    "PROJECTIONS",
    "ROLE_OF_MATRIX",
    "STAGE_EDGES",
    "STAGE_SPACES",
    "Array",
    "Cell",
    "Change",
    "Context",
    "Drag",
    "Edges",
    "Frame",
    "Invalid",
    "Look",
    "Matrix",
    "Options",
    "ResultsTab",
    "Role",
    "Scene",
    "Selection",
    "Space",
    "Stage",
    "compute",
    "fitting_look",
    "frozen_array",
    "resolve",
    "space_dimension",
    "spaces_agree",
]
