"""From what the person set to what is drawn: one pure function."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from explorer.attention import Attention, Projection, align, fit_projection
from explorer.session.frame import Cell, Drag, Frame, Invalid
from explorer.session.look import STAGE_SPACES, Look, Selection, Space
from explorer.session.scene import Array, Scene, compute

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
) -> Frame:
    """Return the frame that shows `scene` under `look`.

    Parameters
    ----------
    previous : Frame, optional
        The frame before: its attention is taken over where the scene is the same, its axes stand
        still while a token is dragged, new axes are aligned to it, and the original scene is its.
    attention : Attention, optional
        Of the scene, where it is known already (as it was recorded); else it is computed.
    """
    look = look or Look()
    same = previous is not None and previous.scene is scene
    if attention is None:
        attention = previous.attention if previous is not None and same else compute(scene)
    dragging = previous is not None and drag is not None and previous.drag is not None
    ended = previous is not None and drag is None and previous.drag is not None
    if previous is not None and (dragging or (same and not ended and _same_points(look, previous))):
        projection = previous.projection
    else:
        projection = _project(scene, attention, look, previous)
    if previous is not None and dragging:
        score_domain, largest_weight = previous.score_domain, previous.weight_domain
    else:
        scores = attention.scores if look.scaled else attention.raw
        score_domain = _score_domain(scores[look.head])
        largest_weight = weight_domain(attention.weights[look.head])
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
    )


def spaces_agree(scene: Scene, spaces: frozenset[Space]) -> bool:
    """Return whether all of `spaces` have one dimension, so that they can be drawn together."""
    return len({space_dimension(scene, space) for space in spaces}) <= 1


def space_dimension(scene: Scene, space: Space) -> int:
    """Return the number of columns of a space's points."""
    if space is Space.X:
        return scene.d_model
    return scene.d_k if space in (Space.Q, Space.K) else scene.d_v


def fitting_look(scene: Scene, look: Look) -> Look:
    """Return `look` with what the scene does not have left out: heads, spaces that do not agree.

    Where spaces differ in dimension, those that agree with the last of the chain stay.
    """
    spaces = look.spaces or STAGE_SPACES[look.stage]
    if not spaces_agree(scene, spaces):
        dimension = space_dimension(scene, [space for space in Space if space in spaces][-1])
        spaces = frozenset(s for s in spaces if space_dimension(scene, s) == dimension)
    return replace(look, head=min(look.head, scene.heads - 1), spaces=spaces)


def _same_points(look: Look, previous: Frame) -> bool:
    return previous.look.spaces == look.spaces and previous.look.head == look.head


def _project(scene: Scene, attention: Attention, look: Look, previous: Frame | None) -> Projection:
    rows = {
        Space.X: scene.X,
        Space.Q: attention.Q[look.head],
        Space.K: attention.K[look.head],
        Space.V: attention.V[look.head],
        Space.O: attention.head_output[look.head],
    }
    shown = [rows[space] for space in Space if space in look.spaces]
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
    if weights.shape[1] <= 8:
        return 1.0
    return max(0.1, math.ceil(float(weights.max()) * 10 - 1e-9) / 10)
