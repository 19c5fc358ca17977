"""Files of arrays, `.npz` or `.safetensors`: attention of any program, read into a run.

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

A layer needs weights, or scores, or q and k. Nothing is unpickled, and sizes are checked before
anything is read.
"""

from __future__ import annotations

import json
import math
import re
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy

from explorer.models.functions import softmax
from explorer.models.run import Array, Layer, Run
from explorer.models.weights import decoded
from explorer.text import N_, Message, Problem, displayable
from explorer.traces.container import read_contents
from explorer.traces.files import ReadFile

MOST_BYTES = 2**30  # of all arrays that are read
MOST_TOKENS = 8192
MOST_LAYERS = 1024
_MASKED = -1e30
_ROLES = ("weights", "scores", "q", "k", "v", "scale", "mask")
_OF_ALL = ("scale", "mask")  # what may be said once for all layers
_BIG = ("weights", "scores", "q")  # what a layer begins with
_ALIASES = {"attentions": "weights", "attention": "weights"}
_NAME = re.compile(r"([a-z]+)(?:[._](\d{1,4}))?")
_HOOK = re.compile(r"blocks\.(\d{1,4})\.attn\.hook_(pattern|attn_scores|q|k|v|rot_q|rot_k)")
_HOOKS = {"pattern": "weights", "attn_scores": "scores"}
_FLOATS = {"F64", "F32", "F16", "BF16"}

Found = dict[tuple[str, int | None], tuple[str, Array]]


@dataclass(frozen=True, eq=False)
class ArrayLayer(Layer):
    """A layer whose arrays are given; those that are not are made of the others where possible."""

    given: Mapping[str, Array]

    @property
    def heads(self) -> int:
        """How many heads there are."""
        return len(next(self.given[name] for name in _BIG if name in self.given))

    @property
    def lengths(self) -> tuple[int, int]:
        """How many queries and keys there are, T and S."""
        for name in ("weights", "scores"):
            if name in self.given:
                return self.given[name].shape[1:]
        return self.given["q"].shape[1], self.given["k"].shape[1]

    @property
    def q(self) -> Array | None:
        """Queries as they enter the product, (H, T, d_k)."""
        return self.given.get("q")

    @property
    def k(self) -> Array | None:
        """Keys as they enter the product, repeated where heads share them, (H, S, d_k)."""
        return self.given.get("k")

    @property
    def v(self) -> Array | None:
        """Values, repeated where heads share them, (H, S, d_v)."""
        return self.given.get("v")

    @property
    def scores(self) -> Array | None:
        """After scale and mask, −inf where masked, (H, T, S)."""
        q, k = self.q, self.k
        if "scores" in self.given or q is None or k is None:
            return self.given.get("scores")
        scale = self.given.get("scale", np.array(1 / math.sqrt(q.shape[-1])))
        scores = q * scale.astype(q.dtype) @ k.swapaxes(-1, -2)
        mask = self.given.get("mask")
        if mask is None:
            return scores
        return np.where(mask, scores, -np.inf) if mask.dtype == bool else scores + mask

    @property
    def weights(self) -> Array:
        """The softmax of each row of scores, (H, T, S)."""
        if "weights" in self.given:
            return self.given["weights"]
        scores = self.scores
        assert scores is not None
        return softmax(scores)

    @property
    def head_output(self) -> Array | None:
        """Weights times V, (H, T, d_v)."""
        return None if self.v is None else self.weights @ self.v


@dataclass(frozen=True, eq=False)
class ArrayRun(Run):
    """A run that was given as arrays."""

    layers: tuple[ArrayLayer, ...]
    tokens: tuple[str, ...]
    key_tokens: tuple[str, ...]
    special: tuple[bool, ...] = ()
    remarks: tuple[Message, ...] = ()


def read_arrays(
    path: str | Path,
    *,
    tokens: Sequence[str] | None = None,
    key_tokens: Sequence[str] | None = None,
    sample: int = 1,
) -> ArrayRun:
    """Read a file of arrays into a run.

    Parameters
    ----------
    path : a .npz or .safetensors file
    tokens, key_tokens : sequence of str, optional
        In place of those in the file; without any they are numbered.
    sample : int
        Which sample of a batch, from 1.

    Raises
    ------
    Problem
        One sentence that names the file, the array and the reason.
    """
    path = Path(path)
    file = ReadFile(path)
    try:
        start = file.read(0, min(4, file.size))
        arrays, names = (_npz if start[:2] == b"PK" else _safetensors)(file)
        told: dict[str, Sequence[str]] = dict(names)
        if tokens is not None:
            told = {"tokens": tokens}
        if key_tokens is not None:
            told["key_tokens"] = key_tokens
        return run_of(
            arrays, tokens=told.get("tokens"), key_tokens=told.get("key_tokens"), sample=sample
        )
    except Problem as problem:
        raise Problem(N_("{file}: {reason}"), file=file.name, reason=problem.message) from None
    finally:
        file.close()


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
                N_("{first} and {second} are the same thing: leave one of them out."),
                first=displayable(other, 64),
                second=displayable(name, 64),
            )
        found[role.removeprefix("rot_"), number] = name, array
    return found


def _by_layer(found: Found, sample: int) -> dict[int, dict[str, tuple[str, Array]]]:
    """Return the arrays of each layer, counted from 0, with a head axis. Raises Problem."""
    numbered = {number for _role, number in found if number is not None}
    stacked = [
        name for (role, number), (name, _array) in found.items() if number is None and role in _BIG
    ]
    if numbered and stacked:
        raise Problem(
            N_("{array} has no layer's number, but others have: number all of them, or none."),
            array=displayable(stacked[0], 64),
        )
    if not numbered and not stacked:
        raise Problem(
            N_(
                "No array is called weights, scores, q or attentions.0: name them as"
                " docs/models.md tells."
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
            raise Problem(
                N_("{array} must hold numbers, at least one."), array=displayable(name, 64)
            )
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
                N_("{array} holds values that are no numbers."), array=displayable(name, 64)
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
    first = next(role for role in _BIG if role in made)
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


def _wrong_shape(name: str, array: Array, wanted: str) -> Problem:
    return Problem(
        N_("{array} has the shape {found}, but {wanted} is expected."),
        array=displayable(name, 64),
        found=" × ".join(map(str, array.shape)) or "1",
        wanted=wanted,
    )


def _safetensors(file: ReadFile) -> tuple[dict[str, Array], dict[str, list[str]]]:
    contents = read_contents(file.read, file.size)
    wanted = {name: entry for name, entry in contents.entries.items() if known(name)}
    _check_size(entry.nbytes for entry in wanted.values())
    arrays = {}
    for name, entry in wanted.items():
        if entry.dtype == "BOOL":
            data = np.frombuffer(file.read(entry.start, entry.nbytes), np.uint8)
            arrays[name] = (data != 0).reshape(entry.shape)
        elif entry.dtype in _FLOATS:
            arrays[name] = decoded(file.read(entry.start, entry.nbytes), entry)
        else:
            raise _wrong_type(name, entry.dtype)
    names = {}
    for what in ("tokens", "key_tokens"):
        if what in contents.metadata:
            try:
                told = json.loads(contents.metadata[what])
            except (ValueError, RecursionError):
                told = None
            if not isinstance(told, list) or not all(isinstance(each, str) for each in told):
                raise Problem(N_("{what} in its metadata must be a list of texts."), what=what)
            names[what] = told
    return arrays, names


def _npz(file: ReadFile) -> tuple[dict[str, Array], dict[str, list[str]]]:
    arrays, names = {}, {}
    try:
        with zipfile.ZipFile(_Readable(file)) as archive:
            members = {
                info.filename.removesuffix(".npy"): info
                for info in archive.infolist()
                if info.filename.endswith(".npy")
            }
            texts = {"tokens", "key_tokens"}
            wanted = {n: info for n, info in members.items() if known(n) or n in texts}
            _check_size(info.file_size for info in wanted.values())
            for name, info in wanted.items():
                with archive.open(info) as member:
                    array = _npy(name, member, info.file_size)
                if name in texts:
                    if array.dtype.kind != "U" or array.ndim != 1:
                        raise Problem(N_("{array} must be a row of texts."), array=name)
                    names[name] = array.tolist()
                elif array.dtype.kind not in "fiub":
                    raise _wrong_type(name, array.dtype.name)
                else:
                    arrays[name] = array
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        NotImplementedError,
        RuntimeError,
        ValueError,
        OSError,
    ) as error:
        raise Problem(
            N_("This is no file of arrays ({reason})."), reason=displayable(str(error), 120)
        ) from None
    return arrays, names


def _npy(name: str, member: IO[bytes], size: int) -> Array:
    """Return one array; its header is compared with the size before the numbers are inflated."""
    version = npy.read_magic(member)
    read: dict[tuple[int, int], Callable[..., Any]] = {
        (1, 0): npy.read_array_header_1_0,
        (2, 0): npy.read_array_header_2_0,
    }
    if version not in read:
        raise ValueError(f"version {version}")
    shape, by_column, dtype = read[version](member)
    if dtype.hasobject:
        raise Problem(
            N_("{array} is pickled, which is never opened: save it as numbers."),
            array=displayable(name, 64),
        )
    count = math.prod(shape)
    if min(shape, default=0) < 0 or dtype.kind not in "fiubU" or count * dtype.itemsize > size:
        raise Problem(
            N_("{array} does not have as many bytes as its type and shape need."),
            array=displayable(name, 64),
        )
    data = member.read(count * dtype.itemsize)
    array = np.frombuffer(data, dtype, count)
    return array.reshape(shape, order="F" if by_column else "C")


def _check_size(sizes: Iterable[int]) -> None:
    total = sum(sizes)
    if total > MOST_BYTES:
        raise Problem(
            N_("Its arrays take {found} MiB, but at most {most} are possible."),
            found=total // 2**20,
            most=MOST_BYTES // 2**20,
        )


def _wrong_type(name: str, dtype: str) -> Problem:
    return Problem(
        N_("{array} has the type {found}, but must have one of {allowed}."),
        array=displayable(name, 64),
        found=dtype,
        allowed="F64, F32, F16, BF16",
    )


class _Readable(BytesIO):
    """A file that is read by place, as `zipfile` wants it: nothing is held but the place."""

    def __init__(self, file: ReadFile) -> None:
        super().__init__()
        self._file, self._place = file, 0

    def seek(self, offset: int, whence: int = 0) -> int:
        start = (0, self._place, self._file.size)[whence]
        self._place = max(0, start + offset)
        return self._place

    def tell(self) -> int:
        return self._place

    def read(self, size: int | None = -1) -> bytes:
        left = max(0, self._file.size - self._place)
        count = left if size is None or size < 0 else min(size, left)
        data = self._file.read(self._place, count) if count else b""
        self._place += len(data)
        return data
