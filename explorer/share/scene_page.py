"""A scene as a page that computes its attention itself."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np

from explorer.session import Look, Role, Scene, Selection, Stage, at_sequence, resolve
from explorer.session.frame import Frame
from explorer.session.scene_file import dump_scene
from explorer.share.page import MOST_BYTES, page
from explorer.share.still import still

MOST_TOKENS, MOST_COLUMNS = 16, 8  # of what is computed in the page
SCRIPTS = ("attend.js", "plane.js", "scene.js")
# The stage of the page by the chain's.
STAGES = {
    **dict.fromkeys((Stage.X, Stage.P), "X"),
    **dict.fromkeys((Stage.Q, Stage.K, Stage.R, Stage.V), "QK"),
    Stage.S: "S",
    Stage.A: "A",
    **dict.fromkeys((Stage.O, Stage.C, Stage.Y), "O"),
}


def is_live(scene: Scene) -> bool:
    """Return whether a scene is small enough to be computed in a page."""
    tokens = [len(one.tokens) for one in scene.sequences]
    contexts = [one.context for one in scene.sequences if one.context is not None]
    tokens += [len(one.tokens) for one in contexts]
    columns = [scene.d_model, scene.d_k, scene.d_v, *(one.X.shape[1] for one in contexts)]
    return max(tokens) <= MOST_TOKENS and max(columns) <= MOST_COLUMNS


def scene_page(scene: Scene, look: Look | None = None, selection: Selection | None = None) -> bytes:
    """Return the page of a scene, opened as it is looked at; by default as its file says.

    Up to 16 tokens × 8 columns it is computed in the page; else it is a still picture with its
    tables, and says so. At most 120 kB.
    """
    if look is None and scene.view is not None:
        look, selection = scene.view.look, scene.view.selection
    look = look or Look(scaled=True).at_stage(Stage.A)
    frame = opened(resolve(scene, look, selection))
    texts = (scene.title, scene.note)
    if is_live(scene):
        data = {"scene": scene_data(scene), "view": view_data(frame), "note": scene.note}
        made = page(
            scene.title, still(frame), data, (*SCRIPTS, "scene_page.js"), "scenePage", texts
        )
        if len(made) <= MOST_BYTES:
            return made
    return page(scene.title, still(frame, (MOST_TOKENS, MOST_COLUMNS)))


def scene_data(scene: Scene) -> dict[str, Any]:
    """Return a scene as its file has it, without what the page has no use for."""
    told: dict[str, Any] = json.loads(dump_scene(scene.replace(title="", note="", view=None)))
    return told


def view_data(frame: Frame) -> dict[str, Any]:
    """Return how a page opens: stage, sequence, head, scaling, the selected pair, the colours."""
    scene, chosen = frame.scene, frame.selection
    assert chosen is not None
    slots = [
        list(resolve(at_sequence(scene, place), frame.look).slots)
        for place in range(len(scene.sequences))
    ]
    slots[scene.shown] = list(frame.slots)
    stage = STAGES[frame.look.stage]
    return {
        "stage": "QK" if scene.given and stage == "X" else stage,
        "sequence": scene.shown,
        "head": frame.look.head,
        "scaled": frame.look.scaled,
        "query": chosen.query,
        "key": chosen.key,
        "slots": slots,
        "hidden": sorted(frame.look.hidden),
    }


def opened(frame: Frame) -> Frame:
    """Return a frame as a page opens: with a pair selected."""
    return replace(frame, selection=_pair(frame))


def _pair(frame: Frame) -> Selection:
    """Return the selected pair; of a token alone, or of nothing, with the largest other weight."""
    chosen = frame.selection
    query = 0 if chosen is None or chosen.in_weights else chosen.query or 0
    key = None if chosen is None or chosen.in_weights else chosen.key
    if key is None:
        weights = frame.attention.of_head(frame.look.head).weights.copy()
        if frame.scene.context is None and len(weights) > 1:
            np.fill_diagonal(weights, -1.0)
        if chosen is None and weights[query].max() <= 0.0:  # as the first one of a causal mask
            query = len(weights) - 1
        key = int(np.argmax(weights[query]))
    return Selection(Role.A, query, key)
