"""The scene as a short program that computes the same numbers with NumPy or PyTorch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from explorer.session import Scene, Stage
from explorer.text import displayable

MOST_LINES = 20
# Above this many numbers the program reads them from the scene's file.
_MOST_INLINE = 300
_LONGEST_COMMENT = 60

_Line = tuple[str, frozenset[Stage]]
_PROJECTED = frozenset({Stage.Q, Stage.K, Stage.V})


@dataclass(frozen=True)
class Code:
    """A program, line by line.

    Parameters
    ----------
    lines : tuple of str
        At most 20.
    stages : tuple of frozenset of Stage
        For each line the stations of the chain that it computes, or holds the numbers of.
    """

    lines: tuple[str, ...]
    stages: tuple[frozenset[Stage], ...]

    @property
    def text(self) -> str:
        """The whole program, as it is copied and run."""
        return "\n".join(self.lines) + "\n"


def code(scene: Scene, torch: bool = False, file: str = "scene.json") -> Code:
    """Return the program of a scene, in float64.

    It leaves `Q`, `K`, `V`, `scores`, `weights` and `output` behind, all but the last with a head
    axis in front where W has one or is split into several heads.

    Parameters
    ----------
    torch : bool
        PyTorch instead of NumPy.
    file : str
        Where a scene too large to be written out (more than 300 numbers) is read from.
    """
    writer = _Writer(scene, torch, file)
    lines = list(writer.lines())
    return Code(tuple(text for text, _stages in lines), tuple(stages for _text, stages in lines))


class _Writer:
    def __init__(self, scene: Scene, torch: bool, file: str) -> None:
        self.scene = scene
        self.torch = torch
        self.file = file
        self.array = "torch.tensor" if torch else "np.array"
        self.inline = _count(scene) <= _MOST_INLINE
        # A file written by hand may hold whole numbers, which PyTorch multiplies with no others.
        self.as_float = ".double()" if torch and not self.inline else ""
        self.stacked = scene.Wq is not None and scene.Wq.ndim == 3
        self.heads = self.stacked or scene.heads > 1

    def lines(self) -> Iterator[_Line]:
        yield from self._imports()
        yield from self._data()
        yield "", frozenset()
        yield from self._projections()
        yield from self._attention()

    def _imports(self) -> Iterator[_Line]:
        if not self.inline:
            yield "import json", frozenset()
        yield ("import torch" if self.torch else "import numpy as np"), frozenset()
        if self.torch:
            yield "torch.set_default_dtype(torch.float64)", frozenset()
        if not self.inline:
            yield f'with open({self.file!r}, encoding="utf-8") as file:', frozenset()
            yield "    scene = json.load(file)", frozenset()

    def _data(self) -> Iterator[_Line]:
        scene = self.scene
        yield self._assigned("X", scene.X, 'scene["X"]', scene.tokens), frozenset({Stage.X})
        if scene.context is not None:
            context = scene.context
            stages = frozenset({Stage.K, Stage.V})
            yield (
                self._assigned("context", context.X, 'scene["context"]["X"]', context.tokens),
                stages,
            )
        yield from self._parameters(("Wq", "Wk", "Wv"), (Stage.Q, Stage.K, Stage.V))
        yield from self._parameters(("bq", "bk", "bv"), (Stage.Q, Stage.K, Stage.V))
        yield from self._parameters(("Wo", "bo"), (Stage.O, Stage.O))
        mask = scene.options.mask
        if isinstance(mask, np.ndarray):
            yield self._assigned("mask", mask, 'scene["options"]["mask"]'), frozenset({Stage.S})
        elif mask == "causal":
            queries, keys = len(scene.tokens), len(scene.key_tokens)
            made = (
                f"torch.ones({queries}, {keys}, dtype=torch.bool).tril()"
                if self.torch
                else f"np.tri({queries}, {keys}, dtype=bool)"
            )
            yield f"mask = {made}", frozenset({Stage.S})

    def _parameters(self, names: tuple[str, ...], stages: tuple[Stage, ...]) -> Iterator[_Line]:
        """Give each array a line of its own, or all of them one where they are read from a file."""
        there = [
            (name, stage)
            for name, stage in zip(names, stages, strict=True)
            if getattr(self.scene, name) is not None
        ]
        if self.inline or len(there) == 1:
            for name, stage in there:
                values = getattr(self.scene, name)
                yield self._assigned(name, values, f'scene["{name}"]'), frozenset({stage})
        elif there:
            left = ", ".join(name for name, _stage in there)
            each = ", ".join(f'"{name}"' for name, _stage in there)
            yield (
                f"{left} = ({self.array}(scene[name]){self.as_float} for name in ({each}))",
                frozenset(stage for _name, stage in there),
            )

    def _assigned(self, name: str, values: Any, read: str, tokens: tuple[str, ...] = ()) -> str:
        made = f"{self.array}({repr(values.tolist()) if self.inline else read})"
        if values.dtype != np.bool_:
            made += self.as_float
        comment = displayable(" ".join(tokens), _LONGEST_COMMENT)
        return f"{name} = {made}" + (f"  # {comment}" if comment else "")

    def _projections(self) -> Iterator[_Line]:
        keys = "X" if self.scene.context is None else "context"
        if not self.scene.projected:
            if keys == "X":
                yield "Q = K = V = X", _PROJECTED
            else:
                yield "Q = X", frozenset({Stage.Q})
                yield "K = V = context", frozenset({Stage.K, Stage.V})
            return
        for stage, rows in ((Stage.Q, "X"), (Stage.K, keys), (Stage.V, keys)):
            small = stage.lower()
            made = f"{rows} @ W{small}"
            if getattr(self.scene, f"b{small}") is not None:
                made += f" + b{small}" + ("[:, None]" if self.stacked else "")
            if self.heads and not self.stacked:
                # (T, H·d_k) to (H, T, d_k)
                made = f"({made}).reshape(len({rows}), {self.scene.heads}, -1).swapaxes(0, 1)"
            yield f"{stage} = {made}", frozenset({stage})

    def _attention(self) -> Iterator[_Line]:
        scale = self.scene.options.scale
        scores = "Q @ K.swapaxes(1, 2)" if self.heads else "Q @ K.T"
        if scale == "sqrt_dk":
            scores += " / K.shape[-1] ** 0.5"
        elif scale != "none":
            scores += f" / {scale!r}"
        mask = self.scene.options.mask
        if not isinstance(mask, str) or mask != "none":
            scores = f"{'torch' if self.torch else 'np'}.where(mask, {scores}, -{self._infinity})"
        yield f"scores = {scores}", frozenset({Stage.S})
        for line in self._softmax(isinstance(mask, np.ndarray) and not mask.any(axis=1).all()):
            yield line, frozenset({Stage.A})
        output = "weights @ V"
        if self.heads:
            output = f"({output}).swapaxes(0, 1).reshape(len(X), -1)"
        if self.scene.Wo is not None:
            output += " @ Wo"
        if self.scene.bo is not None:
            output += " + bo"
        yield f"output = {output}", frozenset({Stage.O})

    @property
    def _infinity(self) -> str:
        return "torch.inf" if self.torch else "np.inf"

    def _softmax(self, masked_rows: bool) -> tuple[str, ...]:
        """Return the lines of the softmax; a row with every key masked is to be all zeros."""
        if self.torch:
            return ("weights = scores.softmax(-1)" + (".nan_to_num()" if masked_rows else ""),)
        largest, total = "scores.max(-1, keepdims=True)", "e.sum(-1, keepdims=True)"
        if masked_rows:
            largest, total = f"np.maximum({largest}, -1e308)", f"np.maximum({total}, 1)"
        return f"e = np.exp(scores - {largest})", f"weights = e / {total}"


def _count(scene: Scene) -> int:
    arrays = [
        getattr(scene, name) for name in ("X", "Wq", "Wk", "Wv", "bq", "bk", "bv", "Wo", "bo")
    ]
    if scene.context is not None:
        arrays.append(scene.context.X)
    if isinstance(scene.options.mask, np.ndarray):
        arrays.append(scene.options.mask)
    return sum(array.size for array in arrays if array is not None)
