"""From what the person set to what is drawn: one pure function."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from explorer.attention import MISTAKES, Attention, Projection, align, fit_projection
from explorer.session.frame import Cell, Drag, Frame, Invalid, is_turned, of_head
from explorer.session.look import (
    CHAIN,
    INPUTS,
    STAGE_SPACES,
    Blank,
    Comparison,
    Look,
    Selection,
    Space,
    Stage,
)
from explorer.session.scene import Array, Scene, compute, placed_rows
from explorer.session.slots import slots_of

_NOTHING_INVALID: Mapping[Cell, Invalid] = {}


def resolve(
    scene: Scene,
    look: Look | None = None,
    selection: Selection | None = None,
    hover: Selection | None = None,
    *,
    drag: Drag | None = None,
    invalid: Mapping[Cell, Invalid] = _NOTHING_INVALID,
    previous: Frame | None = None,
    attention: Attention | None = None,
    axes: Projection | None = None,
) -> Frame:
    """Return the frame that shows `scene` under `look`.

    Parameters
    ----------
    previous : Frame, optional
        The frame before: its attention is taken over where the scene is the same, its axes stand
        still while a token is dragged, new axes are aligned to it, the original scene is its, and
        tokens keep the colours they have in it.
    attention : Attention, optional
        Of the scene, where it is known already (as it was recorded); else it is computed.
    axes : Projection, optional
        Of another frame, to be seen through where the shown points are as wide.
    """
    look = look or Look()
    same = previous is not None and previous.scene is scene
    if attention is None:
        attention = previous.attention if previous is not None and same else compute(scene)
    dragging = previous is not None and drag is not None and previous.drag is not None
    ended = previous is not None and drag is None and previous.drag is not None
    width = space_dimension(scene, next(iter(look.shown), Space.X))
    if axes is not None and len(axes.mean) == width:
        projection = axes
    elif previous is not None and (
        dragging or (same and not ended and _same_points(look, previous))
    ):
        projection = previous.projection
    else:
        projection = _project(scene, attention, look, previous)
    if previous is not None and dragging:
        score_domain, largest_weight = previous.score_domain, previous.weight_domain
    else:
        tables = attention.of_head(look.head)
        score_domain = _score_domain(tables.scores if look.scaled else tables.raw)
        largest_weight = weight_domain(attention.mean_weights if look.average else tables.weights)
    return Frame(
        scene=scene,
        attention=attention,
        look=look,
        selection=selection,
        hover=hover,
        projection=projection,
        score_domain=score_domain,
        weight_domain=largest_weight,
        drag=drag,
        invalid=invalid,
        original=scene if previous is None else previous.original,
        slots=slots_of(scene, look, attention, previous),
    )


def spaces_agree(scene: Scene, spaces: frozenset[Space]) -> bool:
    """Return whether all of `spaces` have one dimension, so that they can be drawn together."""
    return len({space_dimension(scene, space) for space in spaces}) <= 1


def space_dimension(scene: Scene, space: Space) -> int:
    """Return the number of columns of a space's points."""
    if space in (Space.X, Space.P):
        return scene.d_model
    if space is Space.Y:
        return scene.heads * scene.d_v if scene.Wo is None else scene.Wo.shape[1]
    return scene.d_k if space in (Space.Q, Space.K) else scene.d_v


def stages_of(scene: Scene) -> tuple[Stage, ...]:
    """Return the stages that a scene goes through, in order."""
    first, *rest = CHAIN
    position = scene.options.position
    placed = not (isinstance(position, str) and position == "none")
    found = [*rest] if scene.given else [first, *([Stage.P] if placed else []), *rest]
    if scene.options.rotary is not None:
        found.insert(found.index(Stage.S), Stage.R)
    if scene.heads > 1:
        found.append(Stage.C)
    if scene.Wo is not None:
        found.append(Stage.Y)
    return tuple(found)


def inputs_of(scene: Scene, stage: Stage) -> tuple[Stage, ...]:
    """Return the stations that a scene's stage is made from; rows of a context are none."""
    there = stages_of(scene)
    if scene.given and stage is Stage.Q:
        return ()
    if stage in (Stage.K, Stage.V) and scene.context is not None:
        return ()
    if stage in (Stage.Q, Stage.K, Stage.V) and Stage.P in there:
        return (Stage.P,)
    if stage is Stage.S and Stage.R in there:
        return (Stage.R,)
    if stage is Stage.Y and Stage.C not in there:
        return (Stage.O,)
    return INPUTS[stage]


_INSTEAD = {
    Stage.X: Stage.Q,
    Stage.P: Stage.X,
    Stage.R: Stage.S,
    Stage.C: Stage.O,
    Stage.Y: Stage.O,
}  # where a scene has none


def space_exists(scene: Scene, space: Space) -> bool:
    """Return whether a scene has points of a space: not all have X, X + P, an output after Wo."""
    if space in (Space.X, Space.P, Space.Y):
        return Stage(space) in stages_of(scene)
    return True


def fitting_look(scene: Scene, look: Look) -> Look:
    """Return `look` with what the scene does not have left out: heads, spaces that do not agree.

    Where spaces differ in dimension, those that agree with the last of the chain stay. The scale is
    compared where there is no mistake to be compared.
    """
    while look.stage not in stages_of(scene):  # X + P leads to X, X where it is not there to Q
        look = look.at_stage(_INSTEAD[look.stage])
    spaces = frozenset(s for s in look.spaces if space_exists(scene, s))
    spaces = spaces or STAGE_SPACES[look.stage]
    if not spaces_agree(scene, spaces):
        dimension = space_dimension(scene, [space for space in Space if space in spaces][-1])
        spaces = frozenset(s for s in spaces if space_dimension(scene, s) == dimension)
    comparison = look.comparison
    if comparison is Comparison.MISTAKE and scene.options.variant not in MISTAKES:
        comparison = Comparison.SCALE
    head = min(look.head, scene.heads - 1)
    blank = look.blank if look.blank is not None and _fits(look.blank, scene) else None
    return replace(look, head=head, spaces=spaces, comparison=comparison, blank=blank)


def table_shape(scene: Scene, stage: Stage) -> tuple[int, int]:
    """Return how many rows and columns a stage's table has, of one head; C of all."""
    queries, keys = len(scene.tokens), len(scene.key_tokens)
    if stage in (Stage.S, Stage.A):
        return queries, keys
    if stage is Stage.R:
        rotary = scene.options.rotary
        return queries, 0 if rotary is None else rotary.dims // 2
    if stage is Stage.C:
        return queries, scene.heads * scene.d_v
    return keys if stage in (Stage.K, Stage.V) else queries, space_dimension(scene, Space(stage))


def _fits(blank: Blank, scene: Scene) -> bool:
    """Return whether a scene has a table that is filled in, with what of it is."""
    if blank.table not in stages_of(scene):
        return False
    rows, columns = table_shape(scene, blank.table)
    return (blank.row or 0) < rows and (blank.column or 0) < columns


def _same_points(look: Look, previous: Frame) -> bool:
    turned = is_turned(previous.attention, look) is is_turned(previous.attention, previous.look)
    return turned and previous.look.shown == look.shown and previous.look.head == look.head


def _project(scene: Scene, attention: Attention, look: Look, previous: Frame | None) -> Projection:
    of_heads = (Space.Q, Space.K, Space.V, Space.O)
    turned = is_turned(attention, look)
    rows = {space: of_head(attention, space, look.head, turned=turned) for space in of_heads}
    rows[Space.X] = scene.X
    if Space.P in look.shown:
        rows[Space.P] = placed_rows(scene)
    if Space.Y in look.shown:
        rows[Space.Y] = attention.output
    shown = [rows[space] for space in Space if space in look.shown]
    points = np.concatenate(shown) if shown else scene.X
    projection = fit_projection(points)
    if previous is not None and len(previous.projection.mean) == len(projection.mean):
        return align(projection, previous.projection)
    return projection


def _score_domain(scores: Array) -> float:
    finite = scores[np.isfinite(scores)]
    largest = float(np.abs(finite).max()) if finite.size else 0.0
    return max(0.5, math.ceil(largest * 2 - 1e-9) / 2)


def weight_domain(weights: Array) -> float:
    """Return the weight that has the full colour: 1 for up to 8 keys, else about the largest."""
    return 1.0 if weights.shape[1] <= 8 else domain_of(float(weights.max()))


def domain_of(largest: float) -> float:
    """Return a weight rounded up to a tenth, and a smaller one to its first digit."""
    power = 10.0 if largest <= 0 else 10.0 ** max(1, -math.floor(math.log10(largest)))
    return max(1.0, math.ceil(largest * power - 1e-6)) / power
