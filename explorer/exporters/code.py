"""The scene as a short program that computes the same numbers with NumPy or PyTorch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from explorer.attention import Variant
from explorer.session import PROJECTIONS, Frame, Scene, Stage, stages_of
from explorer.text import plain_text

MOST_LINES = 21
MOST_ENTERING = 10  # more, where Q and K are normalised or turned
# Above this many numbers the program reads them from the scene's file.
_MOST_INLINE = 300
_LONGEST_COMMENT = 60
_ROOT = "K.shape[-1] ** 0.5"

Line = tuple[str, frozenset[Stage]]
PARAMETER_GROUPS = (
    (("Wq", "Wk", "Wv"), (Stage.Q, Stage.K, Stage.V)),
    (("bq", "bk", "bv"), (Stage.Q, Stage.K, Stage.V)),
    (("Wo", "bo"), (Stage.Y, Stage.Y)),
)
_PROJECTED = frozenset({Stage.Q, Stage.K, Stage.V})


@dataclass(frozen=True)
class Code:
    """A program, line by line.

    Parameters
    ----------
    lines : tuple of str
        At most 20, and 10 more where Q and K are normalised or turned.
    stages : tuple of frozenset of Stage
        For each line the stations of the chain that it computes, or holds the numbers of.
    """

    lines: tuple[str, ...]
    stages: tuple[frozenset[Stage], ...]

    @property
    def text(self) -> str:
        """The whole program, as it is copied and run."""
        return "\n".join(self.lines) + "\n"


def numpy_script(frame: Frame) -> str:
    """Return the NumPy program of a frame's scene, with all its numbers; see `code`."""
    return code(frame.scene, inline=True).text


def code(
    scene: Scene, torch: bool = False, file: str = "scene.json", *, inline: bool = False
) -> Code:
    """Return the program of a scene, in float64.

    It leaves `Q`, `K`, `V`, `scores`, `weights` and `output` behind, all but the last with a head
    axis in front where W has one or is split into several heads; `X` is X + P where there is a
    position, and not there where Q, K and V are given. Of several sequences it is that of the shown
    one. A mistake made on purpose is made there too, and a comment says so.

    Parameters
    ----------
    torch : bool
        PyTorch instead of NumPy.
    file : str
        Where a scene too large to be written out (more than 300 numbers) is read from.
    inline : bool
        Write it out in any case.
    """
    lines: list[Line] = []
    for compact, apart in ((False, True), (True, True), (True, False)):
        writer = Writer(scene, torch, file, compact=compact, apart=apart, inline=inline)
        lines = list(writer.lines())
        options = scene.options
        entering = options.rotary is not None or options.qk_norm is not None
        if len(lines) <= MOST_LINES + MOST_ENTERING * entering:
            break
    return Code(tuple(text for text, _stages in lines), tuple(stages for _text, stages in lines))


class Writer:
    """Writes a program.

    Parameters
    ----------
    compact : bool
        Whether parameters of one kind share a line.
    apart : bool
        Whether the heads' outputs, these side by side, and the output after Wo have lines of their
        own.
    inline : bool
        Whether all numbers are written out, however many there are.
    """

    def __init__(
        self,
        scene: Scene,
        torch: bool,
        file: str = "",
        *,
        compact: bool = False,
        apart: bool = True,
        inline: bool = True,
    ) -> None:
        self.scene = scene
        self.compact = compact
        self.apart = apart
        # Where the file has the tokens, X, the context and the mask of the shown sequence.
        self.sequence = f'scene["sequences"][{scene.shown}]' if scene.others else "scene"
        self.torch = torch
        self.file = file
        self.array = "torch.tensor" if torch else "np.array"
        self.inline = inline or _count(scene) <= _MOST_INLINE
        # A file written by hand may hold whole numbers, which PyTorch multiplies with no others.
        self.as_float = ".double()" if torch and not self.inline else ""
        self.stacked = scene.Wq is not None and scene.Wq.ndim == 3
        self.heads = self.stacked or scene.heads > 1
        self.library = "torch" if torch else "np"
        self.variant = scene.options.variant

    def lines(self) -> Iterator[Line]:
        """Yield the whole program."""
        yield from self._imports()
        yield from self.data()
        yield "", frozenset()
        yield from self.steps()
        there = stages_of(self.scene)
        yield "print(output)", frozenset({there[-1]})

    def steps(self) -> Iterator[Line]:
        """Yield what is computed, from the projections to the output."""
        yield from self._projections()
        yield from self._normalised()
        yield from self._turned()
        yield from self._attention()

    def _imports(self) -> Iterator[Line]:
        if not self.inline:
            yield "import json", frozenset()
        yield ("import torch" if self.torch else "import numpy as np"), frozenset()
        if self.torch:
            yield "torch.set_default_dtype(torch.float64)", frozenset()
        if not self.inline:
            yield f'with open({self.file!r}, encoding="utf-8") as file:', frozenset()
            yield "    scene = json.load(file)", frozenset()

    def data(self) -> Iterator[Line]:
        """Yield the scene's numbers, and what is done to X before anything else."""
        yield from self.inputs()
        yield from self.position()
        yield from self.parameters()
        yield from self.mask()

    def inputs(self) -> Iterator[Line]:
        """Yield X and the context, or the given Q, K and V."""
        scene = self.scene
        number = f"sequence {scene.shown + 1} of {len(scene.sequences)}:" if scene.others else ""
        named = (*filter(None, [number]), *scene.tokens)
        if scene.context is not None and scene.V is not None:
            yield self._assigned("Q", scene.X, 'scene["Q"]', named), frozenset({Stage.Q})
            keys = scene.context
            yield self._assigned("K", keys.X, 'scene["K"]', keys.tokens), frozenset({Stage.K})
            yield self._assigned("V", scene.V, 'scene["V"]'), frozenset({Stage.V})
            return
        X = self._assigned("X", scene.X, f'{self.sequence}["X"]', named)
        yield X, frozenset({Stage.X})
        if scene.context is not None:
            context = scene.context
            stages = frozenset({Stage.K, Stage.V})
            yield (
                self._assigned(
                    "context", context.X, f'{self.sequence}["context"]["X"]', context.tokens
                ),
                stages,
            )

    def parameters(self) -> Iterator[Line]:
        """Yield the projections and biases."""
        for names, stages in PARAMETER_GROUPS:
            yield from self._parameters(names, stages)

    def mask(self) -> Iterator[Line]:
        """Yield the mask, where there is one."""
        scene = self.scene
        mask = scene.options.mask
        if isinstance(mask, np.ndarray):
            place = self.sequence if scene.others else 'scene["options"]'
            yield self._assigned("mask", mask, f'{place}["mask"]'), frozenset({Stage.S})
        elif mask == "causal":
            queries, keys = len(scene.tokens), len(scene.key_tokens)
            made = (
                f"torch.ones({queries}, {keys}, dtype=torch.bool).tril()"
                if self.torch
                else f"np.tri({queries}, {keys}, dtype=bool)"
            )
            yield f"mask = {made}", frozenset({Stage.S})

    def position(self) -> Iterator[Line]:
        """Yield what is added to X, where something is."""
        position, (tokens, d) = self.scene.options.position, self.scene.X.shape
        if isinstance(position, np.ndarray):
            own = self._array(position[:tokens], f'scene["options"]["position"][:{tokens}]')
            yield f"X = X + {own}  # position", frozenset({Stage.P})
        elif position == "sinusoidal":
            of, columns = self.library, f"{self.library}.arange({d})"
            exponent = f"({columns} - {columns} % 2) / {d}"
            waves = f"{of}.where({columns} % 2 == 0, {of}.sin(angle), {of}.cos(angle))"
            stages = frozenset({Stage.P})
            yield f"angle = {of}.arange({tokens})[:, None] / 10000.0 ** ({exponent})", stages
            yield f"X = X + {waves}  # position", stages

    def _parameters(self, names: tuple[str, ...], stages: tuple[Stage, ...]) -> Iterator[Line]:
        """Give each array a line of its own; all of them one if read from a file, or compact."""
        there = [
            (name, stage)
            for name, stage in zip(names, stages, strict=True)
            if getattr(self.scene, name) is not None
        ]
        if self.compact and self.inline and there:
            yield (
                ", ".join(name for name, _stage in there)
                + " = "
                + ", ".join(self._array(getattr(self.scene, name), "") for name, _stage in there),
                frozenset(stage for _name, stage in there),
            )
        elif self.inline or len(there) == 1:
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
        made = self._array(values, read)
        comment = plain_text(" ".join(tokens), _LONGEST_COMMENT)
        return f"{name} = {made}" + (f"  # {comment}" if comment else "")

    def _array(self, values: Any, read: str) -> str:
        """Return an array's numbers, or where it is read from."""
        made = f"{self.array}({repr(values.tolist()) if self.inline else read})"
        return made if values.dtype == np.bool_ else made + self.as_float

    def _projections(self) -> Iterator[Line]:
        keys = "X" if self.scene.context is None else "context"
        if self.scene.given:
            return
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
            heads = self.scene.heads
            if self.variant is Variant.HEADS_MIXED and self.heads:
                apart = ".swapaxes(0, 1)" if self.stacked else ""
                made = f"({made}){apart}.reshape({heads}, len({rows}), -1)"
                made += "  # wrong on purpose: no transpose"
            elif self.heads and not self.stacked:
                # (T, H·d_k) to (H, T, d_k)
                made = f"({made}).reshape(len({rows}), {heads}, -1).swapaxes(0, 1)"
            yield f"{stage} = {made}", frozenset({stage})

    def _normalised(self) -> Iterator[Line]:
        norm = self.scene.options.qk_norm
        if norm is not None:
            for stage, name, gain in ((Stage.Q, "query", norm.query), (Stage.K, "key", norm.key)):
                numbers = self._array(gain, f'scene["options"]["qk_norm"]["{name}"]')
                size = f"(({stage} * {stage}).mean(-1)[..., None] + {norm.epsilon!r}) ** 0.5"
                yield f"{stage} = {stage} / {size} * {numbers}", frozenset({stage})

    def _turned(self) -> Iterator[Line]:
        rotary, of = self.scene.options.rotary, self.library
        if rotary is None:
            return
        stages = frozenset({Stage.R})
        dims, half = rotary.dims, rotary.dims // 2
        stretched = f" / {rotary.factor!r}" if rotary.scaling == "linear" else ""
        yield f"turn = {rotary.base!r} ** (-{of}.arange(0, {dims}, 2) / {dims}){stretched}", stages
        if rotary.scaling == "llama3":
            waves = f"{rotary.original!r} * turn / (2 * {of}.pi) - {rotary.low!r}"
            blend = f"{of}.clip(({waves}) / {rotary.high - rotary.low!r}, 0, 1)"
            yield f"blend = {blend}", stages
            yield f"turn = turn * (blend + (1 - blend) / {rotary.factor!r})", stages
        places = max(len(self.scene.tokens), len(self.scene.key_tokens))
        yield f"angle = {of}.arange({places})[:, None] * turn", stages
        yield "def turned(rows):  # rotary positions", stages
        first, second, both = f":{half}", f"{half}:{dims}", "z.real, z.imag"
        if rotary.pairing == "neighbours":
            first, second = f"0:{dims}:2", f"1:{dims}:2"
            both = f"{of}.stack([z.real, z.imag], -1).reshape(*z.shape[:-1], {dims})"
        pairs = f"(rows[..., {first}] + 1j * rows[..., {second}])"
        yield f"    z = {pairs} * {of}.exp(1j * angle[:rows.shape[-2]])", stages
        yield f"    return {of}.concatenate([{both}, rows[..., {dims}:]], -1)", stages
        yield "Q, K = turned(Q), turned(K)", stages

    def _attention(self) -> Iterator[Line]:
        scores, remark = self._scores()
        mask = self.scene.options.mask
        if not isinstance(mask, str) or mask != "none":
            scores = f"{self.library}.where(mask, {scores}, -{self._infinity})"
        yield f"scores = {scores}{remark}", frozenset({Stage.S})
        for line in self._softmax(isinstance(mask, np.ndarray) and not mask.any(axis=1).all()):
            yield line, frozenset({Stage.A})
        yield from self._outputs()

    def _outputs(self) -> Iterator[Line]:
        """Yield O, the heads side by side, and what comes after Wo; as one line unless apart."""
        made, remark = "weights @ V", ""
        if self.variant is Variant.OUTPUT_SCALED:
            made, remark = f"weights @ V * {_ROOT}", "  # wrong on purpose: × √d"
        steps = [(Stage.O, "O", made)]
        if self.heads:
            steps.append((Stage.C, "C", "{}.swapaxes(0, 1).reshape(len(X), -1)"))
        if self.scene.Wo is not None:
            bias = "" if self.scene.bo is None else " + bo"
            steps.append((Stage.Y, "Y", f"{{}} @ Wo{bias}"))
        there = stages_of(self.scene)
        waiting: frozenset[Stage] = frozenset()  # of what is not yet written
        for place, (stage, name, step) in enumerate(steps):
            made = step.format(made)
            waiting |= {stage} & {*there}
            if place == len(steps) - 1:
                yield f"output = {made}{remark}", waiting or frozenset({there[-1]})
            elif self.apart and stage in there:
                yield f"{name} = {made}{remark}", waiting
                made, remark, waiting = name, "", frozenset()
            elif stage is Stage.O and (self.heads or remark):
                made = f"({made})"

    def _scores(self) -> tuple[str, str]:
        """Return the scores before the mask, and a remark on what is wrong about them."""
        product = "Q @ K.swapaxes(1, 2)" if self.heads else "Q @ K.T"
        options = self.scene.options
        temperature = "" if options.temperature == 1 else f" / {options.temperature!r}"
        match self.variant:
            case Variant.AVERAGE:
                return f"{self.library}.zeros_like({product})", "  # a plain average"
            case Variant.MULTIPLIED:
                return f"{product} * {_ROOT}{temperature}", "  # wrong on purpose: × √d, not ÷"
            case Variant.UNSCALED:
                return f"{product}{temperature}", "  # wrong on purpose: ÷ √d forgotten"
            case Variant.SOFTMAX_FIRST:
                return f"{product}{temperature}", ""
        if options.scale == "sqrt_dk":
            return f"{product} / {_ROOT}{temperature}", ""
        divisor = "" if options.scale == "none" else f" / {options.scale!r}"
        return f"{product}{divisor}{temperature}", ""

    @property
    def _infinity(self) -> str:
        return "torch.inf" if self.torch else "np.inf"

    def _softmax(self, masked_rows: bool) -> tuple[str, ...]:
        """Return the lines of the softmax; a row with every key masked is to be all zeros."""
        after = ""
        if self.variant is Variant.SOFTMAX_FIRST:
            after = f" / {_ROOT}  # wrong on purpose: ÷ √d after the softmax"
        if self.torch:
            zeros = ".nan_to_num()" if masked_rows else ""
            return (f"weights = scores.softmax(-1){zeros}{after}",)
        largest, total = "scores.max(-1, keepdims=True)", "e.sum(-1, keepdims=True)"
        if masked_rows:
            largest, total = f"np.maximum({largest}, -1e308)", f"np.maximum({total}, 1)"
        return f"e = np.exp(scores - {largest})", f"weights = e / {total}{after}"


def _count(scene: Scene) -> int:
    names = ("X", "V", *PROJECTIONS, "bq", "bk", "bv", "Wo", "bo")
    arrays = [getattr(scene, name) for name in names]
    if scene.context is not None:
        arrays.append(scene.context.X)
    arrays += [
        option
        for option in (scene.options.mask, scene.options.position)
        if isinstance(option, np.ndarray)
    ]
    if (norm := scene.options.qk_norm) is not None:
        arrays += [norm.query, norm.key]
    return sum(array.size for array in arrays if array is not None)
