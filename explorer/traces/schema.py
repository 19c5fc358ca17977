"""The arrays of a trace: the kind of numbers of each, its shape in letters, whether it must be.

Letters: E recorded epochs, N samples, L layers, H heads, T tokens, d = d_model, d_k, d_v, V words
of the vocabulary, P positions, f width of the feed-forward layer, C epochs with scalars, M numbers
of all parameters, R and G parts of the states of random generators. A product is written `H*d_v`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from explorer.traces.corpus import Corpus
from explorer.traces.spec import Config, recorded_epochs

INTEGERS = ("I32", "I64")
FLOATS = ("F32", "F16", "F64")


@dataclass(frozen=True)
class ArraySpec:
    """What one array of a trace must be.

    kind : "integer" (I32 or I64), "float" (F32; F16 and F64 are read) or "number" (either)
    shape : letters, the axis of each dimension
    required : whether a file without it is no trace
    """

    kind: Literal["integer", "float", "number"]
    shape: tuple[str, ...]
    required: bool = False

    @property
    def dtypes(self) -> tuple[str, ...]:
        """The allowed types by their names in a safetensors header; the first is written."""
        return {"integer": INTEGERS, "float": FLOATS, "number": (*FLOATS, *INTEGERS)}[self.kind]

    @property
    def per_step(self) -> bool:
        """Whether there is one for each recorded step."""
        return self.shape[0] == "E"


def _spec(
    kind: Literal["integer", "float", "number"], axes: str, required: bool = False
) -> ArraySpec:
    return ArraySpec(kind, tuple(axes.split()), required)


_FIXED = {
    "epochs": _spec("integer", "E", True),
    "tokens": _spec("integer", "N T", True),
    "lengths": _spec("integer", "N", True),
    "targets": _spec("integer", "N"),
    "samples": _spec("integer", "N"),
    "x": _spec("float", "E N L T d"),
    "q": _spec("float", "E N L H T d_k"),
    "k": _spec("float", "E N L H T d_k"),
    "v": _spec("float", "E N L H T d_v"),
    "head_output": _spec("float", "E N L H T d_v"),
    "scores": _spec("float", "E N L H T T"),
    "weights": _spec("float", "E N L H T T", True),
    "output": _spec("float", "E N L T d"),
    "logits": _spec("float", "E N V"),
    "losses": _spec("float", "E N T"),
    "repeats.induction": _spec("float", "E L H"),
    "repeats.previous": _spec("float", "E L H"),
    "state.mean": _spec("float", "E M"),
    "state.square": _spec("float", "E M"),
    "state.steps": _spec("float", "E 1"),
    "state.order": _spec("float", "E R"),
    "state.dropout": _spec("float", "E G"),
    "basis.mean": _spec("float", "d"),
    "basis.components": _spec("float", "3 d"),
    "basis.explained": _spec("float", "3"),
}
_PARAMETERS = {
    "embedding": "V d",
    "position": "P d",
    "Wout": "d V",
    "bout": "V",
}
_LAYER_PARAMETERS = {
    "Wq": "H d d_k",
    "Wk": "H d d_k",
    "Wv": "H d d_v",
    "bq": "H d_k",
    "bk": "H d_k",
    "bv": "H d_v",
    "Wo": "H*d_v d",
    "bo": "d",
    "norm1.gain": "d",
    "norm1.bias": "d",
    "W1": "d f",
    "b1": "f",
    "W2": "f d",
    "b2": "d",
    "norm2.gain": "d",
    "norm2.bias": "d",
}
_SCALAR = _spec("number", "C")
_LAYER = re.compile(r"layers\.(\d{1,3})\.(.+)", re.ASCII)

REQUIRED = tuple(name for name, spec in _FIXED.items() if spec.required)
# Bytes of all states for forks that a run keeps; one that would take more keeps none.
MOST_STATE = 256 * 10**6
# Bytes that a step holds of the sentences that are recorded when none are picked.
MOST_STEP = 16 * 10**6
# 16-bit parts of a generator's state: of the order of sentences (six 64-bit numbers), and of
# dropout, which on a graphics card has few.
ORDER_PARTS, DROPOUT_PARTS = 24, 2528
# What is recorded besides where every place predicts, the last two where a text is long enough.
OF_PLACES = ("losses", "repeats.induction", "repeats.previous")
# Of how many random tokens, repeated, heads are scored on, at most and at least; of fewer a score
# says little.
MOST_REPEATED, _LEAST_REPEATED = 50, 8
# What every recorded step holds besides `param.…`.
ACTIVATIONS = tuple(
    name
    for name, spec in _FIXED.items()
    if len(spec.shape) > 2 and spec.per_step and name not in OF_PLACES
)


def scalar_dtype(name: str) -> str:
    """Return the type in which `scalar.<name>` is written."""
    return "I64" if name == "epoch" else "F32"


@lru_cache(maxsize=4096)
def array_spec(name: str) -> ArraySpec | None:
    """Return what an array of this name must be; None for a name that a trace does not know."""
    if name in _FIXED:
        return _FIXED[name]
    group, _dot, rest = name.partition(".")
    if group == "scalar" and rest:
        return _SCALAR
    if group == "param":
        layer = _LAYER.fullmatch(rest)
        axes = _LAYER_PARAMETERS.get(layer[2]) if layer else _PARAMETERS.get(rest)
        return None if axes is None else _spec("float", f"E {axes}")
    return None


def layer_of(name: str) -> int | None:
    """Return the layer that a `param.layers.i.…` belongs to; None for any other array."""
    layer = _LAYER.fullmatch(name.removeprefix("param."))
    return int(layer[1]) if layer else None


def parameter_names(config: Config) -> tuple[str, ...]:
    """Return the names of a model's parameters, without `param.`, in the order of the forward pass.

    A sinusoidal position is computed, not learned, and so is no parameter.
    """
    learned = config.use_position and config.position_kind == "learned"
    return (
        "embedding",
        *(("position",) if learned else ()),
        *(f"layers.{i}.{name}" for i in range(config.layers) for name in _LAYER_PARAMETERS),
        "Wout",
        "bout",
    )


def parameter_shapes(config: Config, corpus: Corpus) -> dict[str, tuple[int, ...]]:
    """Return the shape of each parameter of the model that `config` makes for a corpus."""
    sizes = _sizes(config, corpus, corpus.first_samples)
    return {
        name: shape_of(spec.shape[1:], sizes)
        for name in parameter_names(config)
        if (spec := array_spec(f"param.{name}")) is not None
    }


def shape_of(axes: Iterable[str], sizes: Mapping[str, int]) -> tuple[int, ...]:
    """Return the numbers that the letters of a shape stand for. Raises KeyError."""
    return tuple(
        math.prod(int(letter) if letter.isdigit() else sizes[letter] for letter in axis.split("*"))
        for axis in axes
    )


def state_names(config: Config) -> tuple[str, ...]:
    """Return the names of the arrays that a fork goes on from, besides the parameters."""
    adam = ("state.mean", "state.square", "state.steps")
    return (
        *(adam if config.optimizer == "adam" else ()),
        "state.order",
        *(("state.dropout",) if config.dropout else ()),
    )


def keeps_state(config: Config, corpus: Corpus, first: int = 0) -> bool:
    """Return whether a run that begins at epoch `first` keeps state: asked for, and small enough.

    All its states together may take `MOST_STATE` bytes.
    """
    sizes = _sizes(config, corpus, (0,))
    numbers = sum(_numbers(name, sizes | {"E": 1}) for name in state_names(config))
    return config.keep_state and 4 * numbers * len(recorded_epochs(config, first)) <= MOST_STATE


def usual_samples(config: Config, corpus: Corpus) -> tuple[int, ...]:
    """Return the lines that are recorded unless others are picked, counted from 0.

    The first 64, or fewer where what a step holds of them would take more than `MOST_STEP` bytes.
    """
    sizes = _sizes(config, corpus, (0,)) | {"E": 1, "T": corpus.longest}
    most = MOST_STEP // (4 * sum(_numbers(name, sizes) for name in ACTIVATIONS))
    return corpus.first_samples[: max(1, most)]


def expected_bytes(
    config: Config, corpus: Corpus, samples: Sequence[int] | None = None, first: int = 0
) -> int:
    """Return the size of the trace that a whole run leaves, to within its header.

    `samples` are the recorded lines, counted from 0; None for `usual_samples`. A fork begins at an
    epoch `first`.
    """
    chosen = usual_samples(config, corpus) if samples is None else samples
    sizes = _sizes(config, corpus, chosen)
    sizes["E"] = len(recorded_epochs(config, first))
    names = (
        *(name for name in _FIXED if not name.startswith(("basis.", "state.", *OF_PLACES))),
        *(OF_PLACES[: 3 if repeated_length(corpus) else 1] if config.every_place else ()),
        *(f"param.{name}" for name in parameter_names(config)),
        *(state_names(config) if keeps_state(config, corpus, first) else ()),
    )
    numbers = sum(_numbers(name, sizes) for name in names)
    # `epochs` and `scalar.epoch` take 8 bytes a number; the loss, the accuracy and the norm of the
    # gradient 4 each.
    return 4 * (numbers + sizes["E"]) + (8 + 3 * 4) * (config.epochs - first + 1)


def repeated_length(corpus: Corpus) -> int:
    """Return how many random tokens a text of them has; 0 where too few fit twice."""
    most = min(MOST_REPEATED, corpus.longest // 2, len(corpus.vocabulary))
    return most if most >= _LEAST_REPEATED else 0


def _numbers(name: str, sizes: Mapping[str, int]) -> int:
    spec = array_spec(name)
    assert spec is not None
    return math.prod(shape_of(spec.shape, sizes))


def _sizes(config: Config, corpus: Corpus, samples: Sequence[int]) -> dict[str, int]:
    tokens, _lengths, _targets = corpus.encoded(samples)
    sizes = {
        "E": len(recorded_epochs(config)),
        "N": tokens.shape[0],
        "T": tokens.shape[1],
        "L": config.layers,
        "H": config.heads,
        "d": config.d_model,
        "d_k": config.d_k,
        "d_v": config.d_k,
        "V": len(corpus.vocabulary),
        "P": corpus.longest,
        "f": config.feed_forward_width,
        "R": ORDER_PARTS,
        "G": DROPOUT_PARTS,
    }
    names = parameter_names(config)
    return sizes | {"M": sum(_numbers(f"param.{name}", sizes | {"E": 1}) for name in names)}
