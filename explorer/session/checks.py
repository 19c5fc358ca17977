"""What a scene must be: counts that agree, shapes that multiply, numbers and sizes within limits.

The sentences name the field as it stands in a scene file, such as `X[2][1]`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.attention import PAIRINGS, ROPE_TYPES
from explorer.session.scene import PARAMETERS, PROJECTIONS, Array, Matrix, Scene, at_sequence
from explorer.text import N_, Listing, Problem
from explorer.text.numbers import LARGEST
from explorer.text.plain import LONGEST_NAME, is_token

MOST_TOKENS = 512
MOST_COLUMNS = 8192  # d, d_k, d_v and the width of Wo
MOST_HEADS = 64
MOST_NUMBERS = 8_000_000
MOST_SEQUENCES = 64
# Scores of the largest numbers, divided by both of these, are still within float64.
SMALLEST_DIVISOR = 1e-50
SMALLEST_TEMPERATURE = 1e-20

_BIAS_OF = {Matrix.WQ: "bq", Matrix.WK: "bk", Matrix.WV: "bv"}


class BeyondLimits(Problem):
    """A scene that is larger than one may be."""


def check_scene(scene: Scene) -> None:
    """Raise a Problem naming the first field that is not as a scene needs it."""
    check_sizes(scene)
    if scene.given:
        _check_given(scene)
    for place in range(len(scene.others) + 1):
        _check_sequence(at_sequence(scene, place), _prefix(scene, place))
    _check_options(scene)
    _check_output(scene)
    for field, array in _arrays(scene):
        check_numbers(field, array)
    for field, text in (("title", scene.title), ("note", scene.note)):
        try:
            text.encode()
        except UnicodeEncodeError:
            raise Problem(
                N_("{field} holds characters that cannot be written."), field=field
            ) from None


def check_sizes(scene: Scene) -> None:
    """Raise BeyondLimits where a scene is larger than one may be."""
    if len(scene.others) >= MOST_SEQUENCES:
        raise BeyondLimits(
            N_("{field} has {found} entries, but at most {most} are possible."),
            field="sequences",
            found=len(scene.others) + 1,
            most=MOST_SEQUENCES,
        )
    for field, names in _token_lists(scene):
        if len(names) > MOST_TOKENS:
            raise BeyondLimits(
                N_("{field} has {found} entries, but at most {most} are possible."),
                field=field,
                found=len(names),
                most=MOST_TOKENS,
            )
    if scene.heads > MOST_HEADS:
        raise BeyondLimits(
            N_("{heads} heads are too many: at most {most} are possible."),
            heads=scene.heads,
            most=MOST_HEADS,
        )
    for field, array in _arrays(scene):
        split = scene.heads if field in PROJECTIONS and array.ndim == 2 else 1
        if field[0] != "b" and array.shape[-1] > MOST_COLUMNS * split:
            raise BeyondLimits(
                N_("{field} has {found} columns, but at most {most} are possible."),
                field=field,
                found=array.shape[-1],
                most=MOST_COLUMNS * split,
            )
    numbers = sum(array.size for _, array in _arrays(scene))
    if numbers > MOST_NUMBERS:
        raise BeyondLimits(
            N_("A scene may hold {most} numbers in all, but this would be {found}."),
            most=MOST_NUMBERS,
            found=numbers,
        )


def check_numbers(field: str, values: Array) -> None:
    """Raise a Problem naming the first entry that is not finite or beyond ±1e50."""
    fine = np.abs(values) <= LARGEST
    if not fine.all():
        place = np.argwhere(~fine)[0]
        raise Problem(
            N_("{field} must be a number between −1e50 and 1e50."),
            field=field + "".join(f"[{i}]" for i in place),
        )


def check_tokens(field: str, names: Sequence[str]) -> None:
    """Raise a Problem where there is no token, or naming the first whose name cannot be one."""
    if not names:
        raise Problem(N_("{field} must name at least one token."), field=field)
    for i, name in enumerate(names):
        if not is_token(name):
            raise Problem(
                N_("{field}[{place}] must have 1 to {most} characters and no control characters."),
                field=field,
                place=i,
                most=LONGEST_NAME,
            )


def _prefix(scene: Scene, place: int) -> str:
    """Return what the fields of a sequence are called in a file, in front of their own names."""
    return f"sequences[{place}]." if scene.others else ""


def _check_sequence(scene: Scene, prefix: str) -> None:
    """Check the shown sequence: its counts, its mask, and whether W multiplies its rows."""
    rows, key_tokens, keys = _names(scene, prefix)
    check_tokens(prefix + "tokens", scene.tokens)
    _check_rows(rows, scene.X, prefix + "tokens", len(scene.tokens))
    _check_mask(scene, prefix or "options.")
    if scene.context is not None:
        tokens, X = key_tokens, keys
        check_tokens(tokens, scene.context.tokens)
        _check_rows(X, scene.context.X, tokens, len(scene.context.tokens))
    if scene.others:
        first = scene.sequences[0].X
        _check_columns(prefix + "X", scene.X, "sequences[0].X", first)
    _check_projections(scene, prefix)


def _check_mask(scene: Scene, prefix: str) -> None:
    mask, field = scene.options.mask, prefix + "mask"
    if isinstance(mask, np.ndarray):
        shape = (len(scene.tokens), len(scene.key_tokens))
        _check_shape(field, mask, shape, "tokens")
    elif mask not in ("none", "causal"):
        raise Problem(
            N_('{field} must be "none", "causal" or rows of true and false.'), field=field
        )


def _check_options(scene: Scene) -> None:
    scale, temperature, position = (
        scene.options.scale,
        scene.options.temperature,
        scene.options.position,
    )
    if isinstance(scale, str):
        fine = scale in ("sqrt_dk", "none")
    else:
        fine = math.isfinite(scale) and SMALLEST_DIVISOR <= scale <= LARGEST
    if not fine:
        raise Problem(N_('options.scale must be "sqrt_dk", "none" or a number from 1e−50 to 1e50.'))
    if not SMALLEST_TEMPERATURE <= temperature <= LARGEST:
        raise Problem(N_("options.temperature must be a number from 1e−20 to 1e50."))
    if isinstance(position, np.ndarray):
        longest = max(len(sequence.tokens) for sequence in scene.sequences)
        _check_shape("options.position", position, (longest, scene.X.shape[1]), "X")
    elif position not in ("none", "sinusoidal"):
        raise Problem(N_('options.position must be "none", "sinusoidal" or rows of numbers.'))

    _check_rotary(scene)
    _check_norm(scene)


def _check_rotary(scene: Scene) -> None:
    rotary = scene.options.rotary
    if rotary is None:
        return
    if rotary.dims % 2 or not 2 <= rotary.dims <= scene.d_k:
        raise Problem(
            N_("options.rotary.dims must be an even number from 2 to the {width} columns of Q."),
            width=scene.d_k,
        )
    for field, known in (("scaling", ROPE_TYPES), ("pairing", PAIRINGS)):
        if getattr(rotary, field) not in known:
            raise Problem(
                N_("{field} must be {expected}."),
                field=f"options.rotary.{field}",
                expected=Listing.quoted(known),
            )
    for field in ("base", "factor", "low", "high", "original"):
        number = getattr(rotary, field)
        if not SMALLEST_DIVISOR <= number <= LARGEST:
            raise Problem(
                N_("{field} must be a number from 1e−50 to 1e50."), field=f"options.rotary.{field}"
            )
    if rotary.high <= rotary.low:
        raise Problem(N_("options.rotary.high must be larger than options.rotary.low."))


def _check_norm(scene: Scene) -> None:
    norm = scene.options.qk_norm
    if norm is None:
        return
    for field in ("query", "key"):
        gain = getattr(norm, field)
        _check_shape(f"options.qk_norm.{field}", gain, (scene.d_k,), "Q")
        check_numbers(f"options.qk_norm.{field}", gain)
    if not SMALLEST_DIVISOR <= norm.epsilon <= LARGEST:
        raise Problem(
            N_("{field} must be a number from 1e−50 to 1e50."), field="options.qk_norm.epsilon"
        )


def _check_given(scene: Scene) -> None:
    """Check that a scene whose Q, K and V are given has nothing that they would be made from."""
    options = scene.options
    beside = {name: getattr(scene, name) is not None for name in PARAMETERS if name[1] != "o"}
    beside |= {
        "sequences": bool(scene.others),
        "options.position": isinstance(options.position, np.ndarray) or options.position != "none",
        "options.rotary": options.rotary is not None,
        "options.qk_norm": options.qk_norm is not None,
    }
    found = next((field for field, there in beside.items() if there), None)
    if found is not None:
        raise Problem(
            N_("{field} cannot be given beside Q, K and V: these are as they enter the product."),
            field=found,
        )
    if scene.context is None:
        raise Problem(N_("{field} is missing."), field="K")


def _names(scene: Scene, prefix: str) -> tuple[str, str, str]:
    """Return what rows, tokens of keys and keys are called in a file."""
    if scene.given:
        return "Q", "key_tokens", "K"
    return prefix + "X", prefix + "context.tokens", prefix + "context.X"


def _check_projections(scene: Scene, prefix: str) -> None:
    missing = [name for name in PROJECTIONS if getattr(scene, name) is None]
    if len(missing) == 3:
        _check_plain(scene, prefix)
        return
    if missing:
        raise Problem(N_("{field} is missing: Wq, Wk and Wv go together."), field=missing[0])
    wq, wk, wv = (scene.matrix(name) for name in PROJECTIONS)
    if not wq.ndim == wk.ndim == wv.ndim:
        raise Problem(
            N_("Wq, Wk and Wv must take the same form: one matrix each, or one a head each.")
        )
    heads = scene.heads
    if wq.ndim == 3:
        for name in PROJECTIONS:
            if len(scene.matrix(name)) != heads:
                raise Problem(
                    N_("{field} must have as many heads as Wq: {wanted}, not {found}."),
                    field=name,
                    wanted=heads,
                    found=len(scene.matrix(name)),
                )
        if scene.options.heads not in (1, heads):
            raise Problem(
                N_("options.heads must be as many as Wq, Wk and Wv have: {wanted}, not {found}."),
                found=scene.options.heads,
                wanted=heads,
            )
    queries_from = keys_from = prefix + "X"
    keys = scene.X
    if scene.context is not None:
        keys_from, keys = prefix + "context.X", scene.context.X
    for name, other, rows in zip(
        PROJECTIONS, (queries_from, keys_from, keys_from), (scene.X, keys, keys), strict=True
    ):
        matrix = scene.matrix(name)
        if matrix.shape[-2] != rows.shape[1]:
            raise Problem(
                N_("{field} must have a row for each column of {other}: {wanted}, not {found}."),
                field=name,
                wanted=rows.shape[1],
                other=other,
                found=matrix.shape[-2],
            )
        if matrix.ndim == 2 and matrix.shape[1] % heads:
            raise Problem(
                N_(
                    "The columns of {field}, {found} in all, cannot be divided among {heads} heads."
                ),
                found=matrix.shape[1],
                field=name,
                heads=heads,
            )
    _check_columns("Wk", wk, "Wq", wq)
    for name, bias_name in _BIAS_OF.items():
        bias, matrix = getattr(scene, bias_name), scene.matrix(name)
        if bias is not None:
            _check_shape(bias_name, bias, (*matrix.shape[:-2], matrix.shape[-1]), name)


def _check_plain(scene: Scene, prefix: str) -> None:
    """Check a scene without W, where Q = X and K = V = the context or X."""
    for field in _BIAS_OF.values():
        if getattr(scene, field) is not None:
            raise Problem(N_("{field} needs Wq, Wk and Wv, which are missing."), field=field)
    if scene.options.heads != 1:
        raise Problem(N_("{field} needs Wq, Wk and Wv, which are missing."), field="options.heads")
    if scene.context is not None:
        rows, _tokens, keys = _names(scene, prefix)
        _check_columns(keys, scene.context.X, rows, scene.X)
    if scene.V is not None and scene.context is not None:
        _check_rows("V", scene.V, "key_tokens", len(scene.context.tokens))


def _check_output(scene: Scene) -> None:
    if scene.Wo is None:
        if scene.bo is not None:
            raise Problem(N_("bo needs Wo, which is missing."))
        return
    if scene.Wv is None:
        width = scene.d_v
    else:
        width = scene.Wv.shape[-1] * (scene.heads if scene.Wv.ndim == 3 else 1)
    if len(scene.Wo) != width:
        raise Problem(
            N_("Wo must have a row for each column of all heads' outputs: {wanted}, not {found}."),
            wanted=width,
            found=len(scene.Wo),
        )
    if scene.bo is not None:
        _check_shape("bo", scene.bo, scene.Wo.shape[1:], "Wo")


def _check_rows(field: str, rows: Array, names_field: str, names: int) -> None:
    if len(rows) != names:
        raise Problem(
            N_("{field} must have a row for each entry of {other}: {wanted}, not {found}."),
            field=field,
            wanted=names,
            other=names_field,
            found=len(rows),
        )


def _check_columns(field: str, array: Array, other: str, like: Array) -> None:
    if array.shape[-1] != like.shape[-1]:
        raise Problem(
            N_("{field} must have as many columns as {other}: {wanted}, not {found}."),
            field=field,
            wanted=like.shape[-1],
            other=other,
            found=array.shape[-1],
        )


def _check_shape(field: str, array: NDArray[Any], wanted: tuple[int, ...], other: str) -> None:
    if array.shape != wanted:
        raise Problem(
            N_("{field} must have the shape {wanted} to fit {other}, but has {found}."),
            field=field,
            wanted=" × ".join(map(str, wanted)),
            other=other,
            found=" × ".join(map(str, array.shape)),
        )


def _arrays(scene: Scene) -> Iterable[tuple[str, Array]]:
    for place, sequence in enumerate(scene.sequences):
        rows, _tokens, keys = _names(scene, _prefix(scene, place))
        yield rows, sequence.X
        if sequence.context is not None:
            yield keys, sequence.context.X
    if scene.V is not None:
        yield "V", scene.V
    for field in PARAMETERS:
        if (array := getattr(scene, field)) is not None:
            yield field, array
    if isinstance(scene.options.position, np.ndarray):
        yield "options.position", scene.options.position


def _token_lists(scene: Scene) -> Iterable[tuple[str, tuple[str, ...]]]:
    for place, sequence in enumerate(scene.sequences):
        prefix = _prefix(scene, place)
        yield prefix + "tokens", sequence.tokens
        if sequence.context is not None:
            yield _names(scene, prefix)[1], sequence.context.tokens
