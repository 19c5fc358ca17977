"""Every matrix of a scene as a table with names, for the exporters and the command `compute`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from explorer.attention import Attention
from explorer.session import Array, Scene, position_rows
from explorer.text import _

_PROJECTIONS = ("Wq", "Wk", "Wv")
_BIASES = ("bq", "bk", "bv")
INTERMEDIATES = ("Q", "K", "V", "raw", "scores", "weights", "head_output", "output")
_BY_KEY = ("raw", "scores", "weights")  # their columns are the keys' tokens
_OF_KEYS = ("K", "V")  # their rows are the keys' tokens


@dataclass(frozen=True, eq=False)
class NamedMatrix:
    """A matrix.

    Parameters
    ----------
    name : str
        As code calls it: "Wq", "scores", "X + P".
    array : ndarray, shape (rows, columns)
    rows, columns : tuple of str
        Names; none where they are only numbered.
    head, heads : int
        Whose it is, from 1, of how many; 0 where it is no head's.
    """

    name: str
    array: Array
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    head: int = 0
    heads: int = 0

    @property
    def title(self) -> str:
        """The name, and of several heads whose it is."""
        if self.heads < 2:
            return self.name
        return _("{name}, head {head} of {heads}").format(
            name=self.name, head=self.head, heads=self.heads
        )


def given(scene: Scene) -> Iterator[NamedMatrix]:
    """Yield what a scene is made of, of the shown sequence; W as it keeps its heads."""
    if scene.given:
        return  # Q, K and V are among the results
    yield NamedMatrix("X", scene.X, scene.tokens)
    if scene.context is not None:
        yield NamedMatrix("context", scene.context.X, scene.context.tokens)
    for name in (*_PROJECTIONS, *_BIASES):
        array = getattr(scene, name)
        if array is None:
            continue
        plain = 1 if name in _BIASES else 2
        if array.ndim == plain:
            yield NamedMatrix(name, np.atleast_2d(array))
            continue
        for head, each in enumerate(array, start=1):
            yield NamedMatrix(name, np.atleast_2d(each), head=head, heads=len(array))
    for name in ("Wo", "bo"):
        array = getattr(scene, name)
        if array is not None:
            yield NamedMatrix(name, np.atleast_2d(array))


def placed(scene: Scene, attention: Attention) -> Iterator[NamedMatrix]:
    """Yield the position and X with it, where there is one."""
    position = position_rows(scene)
    if position is not None:
        yield NamedMatrix("P", position, scene.tokens)
        yield NamedMatrix("X + P", attention.X, scene.tokens)


def results(scene: Scene, attention: Attention) -> Iterator[NamedMatrix]:
    """Yield every intermediate result, a head after the other."""
    for name in INTERMEDIATES:
        array = getattr(attention, name)
        rows = scene.key_tokens if name in _OF_KEYS else scene.tokens
        if name == "output":
            yield NamedMatrix(name, array, rows)
            continue
        columns = scene.key_tokens if name in _BY_KEY else ()
        for head, values in enumerate(array, start=1):
            yield NamedMatrix(name, values, rows, columns, head, len(array))


def everything(scene: Scene, attention: Attention) -> Iterator[NamedMatrix]:
    """Yield what is given, the position and the results."""
    yield from given(scene)
    yield from placed(scene, attention)
    yield from results(scene, attention)
