"""What the user is doing: the scene, edits of it, the selection, undo, and the one Session."""

from explorer.session.checks import check_scene
from explorer.session.frame import Cell, Change, Drag, Frame, Invalid
from explorer.session.history import History
from explorer.session.listeners import Listeners
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
from explorer.session.scene_file import dump_scene, parse_scene, read_scene, write_scene
from explorer.session.session import Session

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
    "History",
    "Invalid",
    "Listeners",
    "Look",
    "Matrix",
    "Options",
    "ResultsTab",
    "Role",
    "Scene",
    "Selection",
    "Session",
    "Space",
    "Stage",
    "check_scene",
    "compute",
    "dump_scene",
    "fitting_look",
    "frozen_array",
    "parse_scene",
    "read_scene",
    "resolve",
    "space_dimension",
    "spaces_agree",
    "write_scene",
]
