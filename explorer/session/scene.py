"""The scene: what a person edits. One immutable value; a change is a new scene."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.attention import Attention, attend

Array = NDArray[np.float64]


class Matrix(StrEnum):
    """The arrays of numbers a person may edit."""

    X = "X"
    WQ = "Wq"
    WK = "Wk"
    WV = "Wv"


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
class Options:
    """How scores are scaled and masked, and how W splits into heads.

    Parameters
    ----------
    scale : "sqrt_dk", "none" or a positive number to divide by
    mask : "none", "causal" or ndarray of bool, shape (T, S); True = may attend
    heads : int
        Into how many heads a W of shape (d, H·d_k) is split by columns.
    """

    scale: Literal["sqrt_dk", "none"] | float = "sqrt_dk"
    mask: Literal["none", "causal"] | NDArray[np.bool_] = "none"
    heads: int = 1

    def __post_init__(self) -> None:
        if isinstance(self.mask, np.ndarray):
            object.__setattr__(self, "mask", frozen_array(self.mask, np.bool_))


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
    options : Options
    title, note : str
        Untrusted plain text.
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

    def __post_init__(self) -> None:
        object.__setattr__(self, "tokens", tuple(self.tokens))
        for name in ("X", *PARAMETERS):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, frozen_array(value))

    @property
    def projected(self) -> bool:
        """Whether Wq, Wk and Wv exist (else Q = K = V = X)."""
        return self.Wq is not None

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
        return self._head_columns(self.Wv)

    def _head_columns(self, W: Array | None) -> int:
        if W is None:
            return self.d_model
        return W.shape[2] if W.ndim == 3 else W.shape[1] // self.options.heads

    @property
    def key_tokens(self) -> tuple[str, ...]:
        """The S tokens that keys and values belong to."""
        return self.tokens if self.context is None else self.context.tokens

    def matrix(self, name: Matrix) -> Array:
        """Return an editable array as it is kept; KeyError where the scene has no such W."""
        value: Array | None = getattr(self, name)
        if value is None:
            raise KeyError(name)
        return value

    def per_head(self, name: str) -> Array | None:
        """Return a W as (H, d, d_k) or a bias as (H, d_k); None where there is none."""
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


def compute(scene: Scene) -> Attention:
    """Return every intermediate of the scene's attention."""
    return attend(
        scene.X,
        *(scene.per_head(name) for name in PROJECTIONS),
        bq=scene.per_head("bq"),
        bk=scene.per_head("bk"),
        bv=scene.per_head("bv"),
        Wo=scene.Wo,
        bo=scene.bo,
        context=None if scene.context is None else scene.context.X,
        mask=scene.options.mask,
        scale=scene.options.scale,
    )
