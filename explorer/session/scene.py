"""The scene: what a person edits. One immutable value; a change is a new scene."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.attention import Attention, QKNorm, Rotary, Variant, attend, sinusoidal

if TYPE_CHECKING:
    from explorer.session.scene_view import View

Array = NDArray[np.float64]


class Matrix(StrEnum):
    """The arrays of numbers a person may edit."""

    X = "X"
    WQ = "Wq"
    WK = "Wk"
    WV = "Wv"
    BQ = "bq"
    BK = "bk"
    BV = "bv"
    WO = "Wo"
    BO = "bo"
    CONTEXT = "context"  # the rows of the context's X
    POSITION = "position"  # rows of one's own in the options
    V = "V"  # where Q, K and V are given


Mask = Literal["none", "causal"] | NDArray[np.bool_]

PROJECTIONS = (Matrix.WQ, Matrix.WK, Matrix.WV)
PARAMETERS = ("Wq", "Wk", "Wv", "bq", "bk", "bv", "Wo", "bo")


def frozen_array(values: ArrayLike, dtype: type = np.float64) -> NDArray[Any]:
    """Return a read-only copy of `values` (the array itself where it is read-only already)."""
    array: NDArray[Any] = np.asarray(values, dtype=dtype)
    if array.flags.writeable:
        array = array.copy()
        array.setflags(write=False)
    return array


@dataclass(frozen=True, eq=False)
class Context:
    """The tokens that K and V come from in cross-attention.

    Parameters
    ----------
    tokens : tuple of str
        S names.
    X : ndarray, shape (S, d_context)
        Their rows.
    """

    tokens: tuple[str, ...]
    X: Array

    def __post_init__(self) -> None:
        object.__setattr__(self, "tokens", tuple(self.tokens))
        object.__setattr__(self, "X", frozen_array(self.X))


@dataclass(frozen=True, eq=False)
class Sequence:
    """One of several sequences of a scene, which all have the same W.

    Parameters
    ----------
    tokens, X, context : as of a scene
    mask : as of its options
    """

    tokens: tuple[str, ...]
    X: Array
    context: Context | None = None
    mask: Mask = "none"

    def __post_init__(self) -> None:
        object.__setattr__(self, "tokens", tuple(self.tokens))
        object.__setattr__(self, "X", frozen_array(self.X))
        if isinstance(self.mask, np.ndarray):
            object.__setattr__(self, "mask", frozen_array(self.mask, np.bool_))


@dataclass(frozen=True, eq=False)
class Options:
    """How scores are scaled and masked, how W splits into heads, and what else is chosen.

    Parameters
    ----------
    scale : "sqrt_dk", "none" or a positive number to divide by
    mask : "none", "causal" or ndarray of bool, shape (T, S); True = may attend
        That of the shown sequence.
    heads : int
        Into how many heads a W of shape (d, H·d_k) is split by columns.
    temperature : float
        A positive number that scores are divided by after the scale.
    position : "none", "sinusoidal" or ndarray, shape (T, d_model)
        What is added to X, though not to a context. Rows of one's own are as many as the longest
        sequence has tokens; a shorter one takes the first.
    variant : Variant
        "none", the plain average, or a mistake made on purpose.
    rotary : Rotary or None
        By which Q and K turn before they are multiplied; positions count from 0.
    qk_norm : QKNorm or None
        How Q and K are normalised before that.
    """

    scale: Literal["sqrt_dk", "none"] | float = "sqrt_dk"
    mask: Mask = "none"
    heads: int = 1
    temperature: float = 1.0
    position: Literal["none", "sinusoidal"] | Array = "none"
    variant: Variant = Variant.NONE
    rotary: Rotary | None = None
    qk_norm: QKNorm | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "variant", Variant(self.variant))
        if isinstance(self.mask, np.ndarray):
            object.__setattr__(self, "mask", frozen_array(self.mask, np.bool_))
        if isinstance(self.position, np.ndarray):
            object.__setattr__(self, "position", frozen_array(self.position))


@dataclass(frozen=True, eq=False)
class Scene:
    """One attention computation, ready to be edited.

    Parameters
    ----------
    tokens : tuple of str
        T names; duplicates allowed.
    X : ndarray, shape (T, d_model)
        One row a token.
    Wq, Wk, Wv : ndarray or None, shape (d_model, H·d_k) or (H, d_model, d_k)
        All three or none (none: Q = K = V = X). Kept in the form they came in.
    bq, bk, bv : ndarray or None
        Biases, shape (H·d_k,) beside a two-dimensional W, else (H, d_k).
    Wo, bo : ndarray or None, shapes (H·d_v, d_out), (d_out,)
    context : Context or None
        Other tokens for K and V.
    V : ndarray or None, shape (S, d_v)
        Values of their own, where Q, K and V are given: X then holds the queries and the context
        the keys, and there is no Wq, Wk and Wv.
    options : Options
    title, note : str
        Untrusted plain text.
    others : tuple of Sequence
        The sequences that are not shown, in order; tokens, X, context and the mask of the options
        are those of the shown one.
    view : View or None
        How its file says that it is to be looked at when it is opened; no part of its content.
    shown : int
        Which of all sequences is shown, counted from 0.
    """

    tokens: tuple[str, ...]
    X: Array
    Wq: Array | None = None
    Wk: Array | None = None
    Wv: Array | None = None
    bq: Array | None = None
    bk: Array | None = None
    bv: Array | None = None
    Wo: Array | None = None
    bo: Array | None = None
    context: Context | None = None
    options: Options = field(default_factory=Options)
    title: str = ""
    note: str = ""
    others: tuple[Sequence, ...] = ()
    shown: int = 0
    V: Array | None = None
    view: View | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "tokens", tuple(self.tokens))
        for name in ("X", "V", *PARAMETERS):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, frozen_array(value))

    @property
    def projected(self) -> bool:
        """Whether Wq, Wk and Wv exist (else Q = K = V = X)."""
        return self.Wq is not None

    @property
    def given(self) -> bool:
        """Whether Q, K and V are given: as X, as the context's X, and as V."""
        return self.V is not None

    @property
    def heads(self) -> int:
        """Number of heads H."""
        return self.Wq.shape[0] if self.Wq is not None and self.Wq.ndim == 3 else self.options.heads

    @property
    def d_model(self) -> int:
        """Number of columns of X."""
        return self.X.shape[1]

    @property
    def d_k(self) -> int:
        """Number of columns of one head's Q and K."""
        return self._head_columns(self.Wk)

    @property
    def d_v(self) -> int:
        """Number of columns of one head's V."""
        return self._head_columns(self.Wv) if self.V is None else self.V.shape[1]

    def _head_columns(self, W: Array | None) -> int:
        if W is None:
            return self.d_model
        return W.shape[2] if W.ndim == 3 else W.shape[1] // self.options.heads

    @property
    def key_tokens(self) -> tuple[str, ...]:
        """The S tokens that keys and values belong to."""
        return self.tokens if self.context is None else self.context.tokens

    @property
    def sequences(self) -> tuple[Sequence, ...]:
        """All sequences in order, the shown one among them."""
        shown = Sequence(self.tokens, self.X, self.context, self.options.mask)
        return (*self.others[: self.shown], shown, *self.others[self.shown :])

    @property
    def arrays(self) -> Iterator[NDArray[Any]]:
        """All arrays that it holds, those of the sequences that are not shown too."""
        kept = [getattr(self, name) for name in PARAMETERS]
        kept += [self.V, self.options.position]
        for sequence in self.sequences:
            kept += [sequence.X, sequence.context and sequence.context.X, sequence.mask]
        yield from (each for each in kept if isinstance(each, np.ndarray))

    def array(self, name: Matrix) -> Array | None:
        """Return an editable array as it is kept; None where the scene has none."""
        if name is Matrix.CONTEXT:
            return None if self.context is None else self.context.X
        if name is Matrix.POSITION:
            position = self.options.position
            return None if isinstance(position, str) else position
        value: Array | None = getattr(self, name)
        return value

    def matrix(self, name: Matrix) -> Array:
        """Return an editable array as it is kept; KeyError where the scene has none."""
        value = self.array(name)
        if value is None:
            raise KeyError(name)
        return value

    def with_array(self, name: Matrix, values: Array) -> Scene:
        """Return the scene with other numbers for an array it has."""
        if name is Matrix.CONTEXT:
            assert self.context is not None
            return self.replace(context=dataclasses.replace(self.context, X=values))
        if name is Matrix.POSITION:
            return self.replace(options=dataclasses.replace(self.options, position=values))
        return self.replace(**{name: values})

    def per_head(self, name: str) -> Array | None:
        """Return Wq, Wk or Wv as (H, d, d_k), a bias of theirs as (H, d_k); None where none is."""
        value: Array | None = getattr(self, name)
        if value is None:
            return None
        if name[0] == "W":
            if value.ndim == 3:
                return value
            return value.reshape(value.shape[0], self.heads, -1).transpose(1, 0, 2)
        return value.reshape(self.heads, -1)

    def replace(self, **changes: Any) -> Scene:
        """Return the scene with some fields changed; every other array is shared."""
        return dataclasses.replace(self, **changes)


def at_sequence(scene: Scene, place: int) -> Scene:
    """Return the scene with another of its sequences shown; nothing else changes."""
    if place == scene.shown:
        return scene
    sequences = scene.sequences
    chosen = sequences[place]
    return scene.replace(
        tokens=chosen.tokens,
        X=chosen.X,
        context=chosen.context,
        options=dataclasses.replace(scene.options, mask=chosen.mask),
        others=(*sequences[:place], *sequences[place + 1 :]),
        shown=place,
    )


_OF_A_SEQUENCE = ("tokens", "X", "context", "options", "others", "shown", "view")
_SHARED = [each.name for each in dataclasses.fields(Scene) if each.name not in _OF_A_SEQUENCE]
_OPTIONS = [each.name for each in dataclasses.fields(Options) if each.name != "mask"]


def same_content(one: Scene, other: Scene) -> bool:
    """Return whether two scenes are the same but for the sequence that is shown.

    Arrays count by identity: an edit that puts the old numbers back has made another scene.
    """
    if one is other:
        return True
    if one.shown == other.shown and one.X is not other.X:  # as at every move of a drag
        return False
    if any(getattr(one, name) is not getattr(other, name) for name in _SHARED):
        return False
    if any(getattr(one.options, name) is not getattr(other.options, name) for name in _OPTIONS):
        return False
    return len(one.others) == len(other.others) and all(
        getattr(mine, name) is getattr(its, name)
        for mine, its in zip(one.sequences, other.sequences, strict=True)
        for name in ("tokens", "X", "context", "mask")
    )


def position_rows(scene: Scene) -> Array | None:
    """Return what is added to X, shape (T, d_model), or None where nothing is."""
    position = scene.options.position
    if isinstance(position, np.ndarray):
        return position[: len(scene.tokens)]
    return None if position == "none" else _sinusoidal(*scene.X.shape)


def placed_rows(scene: Scene) -> Array:
    """Return X + P, shape (T, d_model); the scene's own X where there is no position."""
    position = position_rows(scene)
    return scene.X if position is None else scene.X + position


def compute(scene: Scene) -> Attention:
    """Return every intermediate of the shown sequence's attention, from X + P on."""
    options = scene.options
    return attend(
        placed_rows(scene),
        *(scene.per_head(name) for name in PROJECTIONS),
        bq=scene.per_head("bq"),
        bk=scene.per_head("bk"),
        bv=scene.per_head("bv"),
        Wo=scene.Wo,
        bo=scene.bo,
        context=None if scene.context is None else scene.context.X,
        mask=options.mask,
        scale=options.scale,
        temperature=options.temperature,
        variant=options.variant,
        rotary=options.rotary,
        qk_norm=options.qk_norm,
        V=scene.V,
    )


@lru_cache(maxsize=8)
def _sinusoidal(T: int, d: int) -> Array:
    return sinusoidal(T, d)
