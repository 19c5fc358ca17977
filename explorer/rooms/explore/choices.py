"""From an intent to the edit it asks for: a name for the undo history, and the scene as it is then.

Pure functions. Those of a gesture (a brush, a slider, a basis vector) carry a phase, which the
presenter sees to.
"""

from __future__ import annotations

import numpy as np

from explorer.session import (
    Array,
    Context,
    Matrix,
    Scene,
    edits,
    forms,
    intents,
    masks,
    token_edits,
)
from explorer.text import N_, Message, displayable

_LONGEST = 24  # letters of a token's name in the name of an edit


def named(template: str, scene: Scene, token: int, *, context: bool = False) -> Message:
    """Return the name of an edit of one token."""
    tokens = scene.key_tokens if context else scene.tokens
    return Message(template, {"token": displayable(tokens[token], _LONGEST)})


def edit_of(scene: Scene, intent: object) -> tuple[Message, Scene] | None:
    """Return the edit that an intent asks for; None where it asks for none. Raises Problem."""
    return _edit_of_tokens(scene, intent) or _edit_of_options(scene, intent)


def step_of(scene: Scene, intent: object) -> tuple[Message, Scene] | None:
    """Return the step of a gesture that an intent asks for; None where it asks for none."""
    match intent:
        case intents.PaintMask(cells, may_attend, _phase):
            return Message(N_("paint the mask")), masks.set_mask_cells(scene, cells, may_attend)
        case intents.SetTemperature(temperature, _phase):
            name = Message(N_("change the temperature"))
            return name, edits.set_temperature(scene, temperature)
        case intents.ShapeMatrix(matrix, head, values, _phase):
            made = edits.set_head_matrix(scene, matrix, head, np.array(values, np.float64))
            return Message(N_("shape {matrix}"), {"matrix": str(matrix)}), made
        case _:
            return None


def _edit_of_tokens(scene: Scene, intent: object) -> tuple[Message, Scene] | None:
    match intent:
        case intents.AddToken(after, context):
            return Message(N_("add a token")), token_edits.add_token(scene, after, context=context)
        case intents.RemoveToken(token, context):
            name = named(N_("remove {token}"), scene, token, context=context)
            return name, token_edits.remove_token(scene, token, context=context)
        case intents.RenameToken(token, text, context):
            name = named(N_("rename {token}"), scene, token, context=context)
            return name, token_edits.rename_token(scene, token, text, context=context)
        case intents.ReorderToken(token, place, context):
            name = named(N_("reorder {token}"), scene, token, context=context)
            return name, token_edits.reorder_token(scene, token, place, context=context)
        case intents.AddSequence():
            return Message(N_("add a sequence")), forms.add_sequence(scene)
        case intents.RemoveSequence():
            return Message(N_("remove a sequence")), forms.remove_sequence(scene)
        case intents.SetContext(on):
            context_now = Context(scene.tokens, scene.X) if on else None
            if on == (scene.context is not None):
                return Message(N_("add a context")), scene
            name = Message(N_("add a context") if on else N_("remove the context"))
            return name, forms.set_context(scene, context_now)
        case _:
            return None


def _edit_of_options(scene: Scene, intent: object) -> tuple[Message, Scene] | None:
    match intent:
        case intents.Resize(d_model, d_k, d_v):
            made = edits.resize(scene, d_model=d_model, d_k=d_k, d_v=d_v)
            return Message(N_("change dimensions")), made
        case intents.AddProjections():
            return Message(N_("add Wq, Wk and Wv")), edits.add_projections(scene)
        case intents.RemoveProjections():
            return Message(N_("remove Wq, Wk and Wv")), forms.without_projections(scene)
        case intents.SetScale(scale):
            return Message(N_("change the scale")), edits.set_scale(scene, scale)
        case intents.SetMask(mask):
            return Message(N_("change the mask")), _with_mask(scene, mask)
        case intents.SetPadding(keys):
            return Message(N_("change the padding")), masks.set_padding(scene, keys)
        case intents.SetHeads(heads, split):
            return Message(N_("change the heads")), forms.set_heads(scene, heads, split=split)
        case intents.SetBias(bias, on):
            name = N_("add {matrix}") if on else N_("remove {matrix}")
            return Message(name, {"matrix": str(bias)}), forms.set_bias(scene, str(bias), on)
        case intents.SetOutput(on):
            name = N_("add {matrix}") if on else N_("remove {matrix}")
            return Message(name, {"matrix": "Wo"}), forms.set_output(scene, on)
        case intents.SetPosition(position):
            rows = own_position(scene) if position == "own" else position
            return Message(N_("change the position")), edits.set_position(scene, rows)
        case intents.SetRotary(rotary):
            return Message(N_("change the rotary positions")), edits.set_rotary(scene, rotary)
        case intents.SetQKNorm(norm):
            return Message(N_("change the norm of Q and K")), edits.set_qk_norm(scene, norm)
        case intents.SetVariant(variant):
            return Message(N_("change the variant")), edits.set_variant(scene, variant)
        case _:
            return None


def _with_mask(scene: Scene, mask: str) -> Scene:
    if mask != "own":
        return edits.set_mask(scene, mask)
    table = not isinstance(scene.options.mask, str)
    return scene if table else edits.set_mask(scene, masks.visible(scene))


def own_position(scene: Scene) -> Array:
    """Return the position as rows of one's own: the present ones, for the longest sequence."""
    own = scene.array(Matrix.POSITION)
    if own is not None:
        return own
    return edits.position_for(scene, max(len(each.tokens) for each in scene.sequences))
