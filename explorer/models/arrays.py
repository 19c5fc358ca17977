"""Named arrays, as a `.npz` or `.safetensors` file has them: attention of any program as a run.

An array's name says what it is, and where several layers are numbered, which layer it is of:

    weights, attentions     (T, S), (H, T, S) or (L, H, T, S)       rows sum to 1
    scores                  the same shapes; −1e30 and less is −inf
    q                       (T, d), (H, T, d) or (L, H, T, d)
    k, v                    the same with S rows; with fewer heads, each is shared by a group
    weights.3, q.3, ...     of the layer with the number 3, counted from 0: one axis less
    scale, scale.3          what q kᵀ is multiplied by; 1/√d where it is not there
    mask, mask.3            (T, S) or (H, T, S): true where seen, or numbers added to the scores
    tokens, key_tokens      names: an array of texts in .npz, a JSON list in safetensors' metadata

A cache of TransformerLens is known by its own names: `blocks.3.attn.hook_pattern`,
`hook_attn_scores` (batch, H, T, S), `hook_q`, `hook_k`, `hook_v`, `hook_rot_q`, `hook_rot_k`
(batch, T, H, d); the rotated ones go before the others. Everywhere a batch axis may stand in front:
one sample is read.

A layer needs weights, or scores, or q and k.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from explorer.models.array_run import LEADING, ArrayLayer, ArrayRun
from explorer.models.run import Array
from explorer.text import N_, Problem, displayable

MOST_TOKENS = 8192
MOST_LAYERS = 1024
_MASKED = -1e30
_ROLES = ("weights", "scores", "q", "k", "v", "scale", "mask")
_OF_ALL = ("scale", "mask")  # what may be said once for all layers
_ALIASES = {"attentions": "weights", "attention": "weights"}
_NAME = re.compile(r"([a-z]+)(?:[._](\d{1,4}))?")
_HOOK = re.compile(r"blocks\.(\d{1,4})\.attn\.hook_(pattern|attn_scores|q|k|v|rot_q|rot_k)")
_HOOKS = {"pattern": "weights", "attn_scores": "scores"}

Found = dict[tuple[str, int | None], tuple[str, Array]]


def run_of(
    arrays: Mapping[str, Any],
    *,
    tokens: Sequence[str] | None = None,
    key_tokens: Sequence[str] | None = None,
    sample: int = 1,
) -> ArrayRun:
    """Return the run that named arrays are; the names are those of files. Raises Problem.

    arrays : arrays or tensors; also a list of one a layer, as `output_attentions` gives them
    """
    single: dict[str, Array] = {}
    for name, value in arrays.items():
        if isinstance(value, list | tuple):
            single |= {f"{name}.{i}": to_numpy(each) for i, each in enumerate(value)}
        else:
            single[name] = value if isinstance(value, np.ndarray) else to_numpy(value)
    found = _sorted(single)
    layers = tuple(
        ArrayLayer(_checked(number, layer)) for number, layer in _by_layer(found, sample).items()
    )
    queries, keys = layers[0].lengths
    for number, layer in enumerate(layers, start=1):
        if layer.lengths != (queries, keys):
            raise Problem(
                N_(
                    "Layer {number} has {found} tokens, but layer 1 has {wanted}: keep layers of"
                    " one text in one file."
                ),
                number=number,
                found=" × ".join(map(str, layer.lengths)),
                wanted=f"{queries} × {keys}",
            )
    own = _names(tokens, queries, "tokens")
    same = queries == keys and key_tokens is None
    other = own if same else _names(key_tokens, keys, "key_tokens")
    return ArrayRun(layers, own, other, (False,) * keys)


def to_numpy(value: Any) -> Array:
    """Return a copy of a tensor, or of anything that NumPy takes; half precision as float32."""
    if hasattr(value, "detach"):
        value = value.detach().cpu()
        if value.is_floating_point() and value.element_size() < 4:
            value = value.float()
        value = value.numpy()
    array = np.array(value, order="C")
    if array.dtype.kind in "iu" or array.dtype == np.float16:
        array = array.astype(np.float32)
    return array


def known(name: str) -> bool:
    """Return whether an array of this name would be read."""
    return _place(name) is not None


def _place(name: str) -> tuple[str, int | None] | None:
    """Return the role that a name means, and the layer's number if there is one."""
    if hook := _HOOK.fullmatch(name):
        kind = hook[2]
        return _HOOKS.get(kind, kind), int(hook[1])
    if plain := _NAME.fullmatch(name):
        role = _ALIASES.get(plain[1], plain[1])
        if role in _ROLES:
            return role, None if plain[2] is None else int(plain[2])
    return None


def _sorted(arrays: Mapping[str, Array]) -> Found:
    """Return the arrays by role and layer, those of TransformerLens with the axes in our order."""
    found: Found = {}
    for name, array in arrays.items():
        place = _place(name)
        if place is None:
            continue
        role, number = place
        if name.startswith("blocks.") and role.removeprefix("rot_") in ("q", "k", "v"):
            if array.ndim < 3:
                raise _wrong_shape(name, array, "batch × T × H × d")
            array = array.swapaxes(-3, -2)
        if (role.removeprefix("rot_"), number) in found and not role.startswith("rot_"):
            other = found[role, number][0]
            if "rot_" in other:
                continue
            raise Problem(
                N_("{first} and {second} are the same thing: leave out one of them."),
                first=displayable(other, 64),
                second=displayable(name, 64),
            )
        found[role.removeprefix("rot_"), number] = name, array
    return found


def _by_layer(found: Found, sample: int) -> dict[int, dict[str, tuple[str, Array]]]:
    """Return the arrays of each layer, counted from 0, with a head axis. Raises Problem."""
    numbered = {number for _role, number in found if number is not None}
    stacked = [
        name
        for (role, number), (name, _array) in found.items()
        if number is None and role in LEADING
    ]
    if numbered and stacked:
        raise Problem(
            N_("{array} has no layer's number, but others have: number all of them, or none."),
            array=displayable(stacked[0], 64),
        )
    if not numbered and not stacked:
        raise Problem(
            N_(
                "No array is called weights, scores, q or attentions.0: see docs/models.md for "
                "the names."
            )
        )
    layers: dict[int, dict[str, tuple[str, Array]]] = {number: {} for number in sorted(numbered)}
    for (role, number), (name, array) in found.items():
        if number is None and role in _OF_ALL:
            continue
        if number is not None:
            fitted = array if role == "scale" else _with_heads(name, array, 3, sample)
            layers[number][role] = name, fitted
            continue
        whole = _with_heads(name, array, 4, sample)
        if len(whole) > MOST_LAYERS:
            raise _wrong_shape(name, array, "L × H × T × …")
        if not len(whole):
            raise _no_numbers(name)
        for i, part in enumerate(whole):
            layers.setdefault(i, {})[role] = name, part
    for role in _OF_ALL:
        if (role, None) in found:
            name, array = found[role, None]
            fitted = array if role == "scale" else _with_heads(name, array, 3, sample)
            for layer in layers.values():
                layer.setdefault(role, (name, fitted))
    return layers


def _with_heads(name: str, array: Array, axes: int, sample: int) -> Array:
    """Return an array with exactly `axes` axes: ones put in front, or a batch's sample taken."""
    if array.ndim == axes + 1:
        batch = 1 if axes == 4 else 0  # a stack of layers has its batch after the layers
        if not 1 <= sample <= array.shape[batch]:
            raise Problem(
                N_("{array} has no sample {sample}: they go from 1 to {most}."),
                array=displayable(name, 64),
                sample=sample,
                most=array.shape[batch],
            )
        return array.take(sample - 1, axis=batch)
    if not 2 <= array.ndim <= axes:
        raise _wrong_shape(
            name, array, "T × S, H × T × S" + ("" if axes == 3 else ", L × H × T × S")
        )
    return array.reshape((1,) * (axes - array.ndim) + array.shape)


def _checked(number: int, layer: Mapping[str, tuple[str, Array]]) -> dict[str, Array]:
    """Return the arrays of a layer by role, their shapes fitted to each other. Raises Problem."""
    made: dict[str, Array] = {}
    for role, (name, array) in layer.items():
        if array.dtype.kind not in "fiub" or array.size == 0:
            raise _no_numbers(name)
        if role == "mask" and array.dtype.kind in "iu":
            raise Problem(
                N_("{array} must hold true and false, or numbers that are added to the scores."),
                array=displayable(name, 64),
            )
        if role != "mask" or array.dtype != bool:
            array = np.asarray(array, np.float64 if array.dtype == np.float64 else np.float32)
        if role in ("scores", "mask") and array.dtype != bool:
            array = np.where(array <= _MASKED, np.float32(-np.inf), array)
        fine = np.isfinite(array)
        if role in ("scores", "mask"):
            fine |= np.isneginf(array)
        if not fine.all():
            raise Problem(
                N_("{array} holds values that are not numbers."), array=displayable(name, 64)
            )
        if role == "weights" and (array.min() < -1e-4 or array.max() > 1.001):
            raise Problem(
                N_(
                    "{array} holds {value}, but weights lie between 0 and 1: call what is before"
                    " the softmax scores."
                ),
                array=displayable(name, 64),
                value=float(array.min() if array.min() < -1e-4 else array.max()),
            )
        made[role] = array
    if "scale" in made and made["scale"].size != 1:
        raise _wrong_shape(layer["scale"][0], layer["scale"][1], "1")
    if "scale" in made:
        made["scale"] = made["scale"].reshape(())
    if not made.keys() & {"weights", "scores"} and not {"q", "k"} <= made.keys():
        raise Problem(
            N_("Layer {number} has neither weights nor scores, nor q and k together."),
            number=number + 1,
        )
    _fit(layer, made)
    return made


def _fit(layer: Mapping[str, tuple[str, Array]], made: dict[str, Array]) -> None:
    first = next(role for role in LEADING if role in made)
    heads, queries = made[first].shape[:2]
    keys = made["k"].shape[1] if first == "q" else made[first].shape[2]
    if max(queries, keys) > MOST_TOKENS:
        raise Problem(
            N_("{array} has {found} tokens, but at most {most} are possible."),
            array=displayable(layer[first][0], 64),
            found=max(queries, keys),
            most=MOST_TOKENS,
        )
    columns = made["q"].shape[2] if "q" in made else None
    for role, array in made.items():
        shown = layer[role][0], layer[role][1]
        if role in ("weights", "scores") and array.shape != (heads, queries, keys):
            raise _wrong_shape(*shown, f"{heads} × {queries} × {keys}")
        if role == "q" and array.shape[:2] != (heads, queries):
            raise _wrong_shape(*shown, f"{heads} × {queries} × d")
        if role in ("k", "v"):
            wide = columns if role == "k" and columns is not None else array.shape[2]
            if array.shape[1:] != (keys, wide) or heads % len(array):
                raise _wrong_shape(*shown, f"{heads} × {keys} × {wide}")
            if len(array) != heads:
                made[role] = np.repeat(array, heads // len(array), axis=0)
        masks = (1, queries, keys), (heads, queries, keys)
        if role == "mask" and array.shape not in masks:
            raise _wrong_shape(*shown, f"{queries} × {keys}")


def _names(told: Sequence[str] | None, count: int, what: str) -> tuple[str, ...]:
    if told is None:
        return tuple(str(i + 1) for i in range(count))
    names = tuple(map(str, told))
    if len(names) != count:
        raise Problem(
            N_("There are {found} {what}, but the arrays have {wanted}."),
            found=len(names),
            what=what,
            wanted=count,
        )
    return names


def _no_numbers(name: str) -> Problem:
    return Problem(N_("{array} must hold numbers, at least one."), array=displayable(name, 64))


def _wrong_shape(name: str, array: Array, wanted: str) -> Problem:
    return Problem(
        N_("{array} has the shape {found}, but {wanted} is expected."),
        array=displayable(name, 64),
        found=" × ".join(map(str, array.shape)) or "1",
        wanted=wanted,
    )
