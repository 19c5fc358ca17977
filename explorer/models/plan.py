"""What a family of models is: sizes, kinds of layers, and where each weight lies.

All families are one Transformer with different choices: `Plan` holds the choices, and
`explorer/models/forward.py` computes them. A family is one file that turns a configuration into a
plan, and one line of the table in `explorer/models/families/__init__.py`.

Roles of weights are names such as "3.query.weight": the layer, counted from 0, and what it is.
Matrices are (out, in), as torch's `Linear` has them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from explorer.attention.entering import ROPE_TYPES, Rotary
from explorer.models.config import Config
from explorer.models.functions import ACTIVATIONS
from explorer.models.weights import WeightPlace
from explorer.text import N_, Problem

Array = NDArray[Any]


@dataclass(frozen=True)
class Plan:
    """The choices of one model.

    Attributes
    ----------
    family : str
        As `model_type` names it.
    width, layers, heads, key_heads, head_width, vocabulary : int
        Of the residual stream; how many; H, H_kv; columns of Q and K a head; words.
    positions : int
        How many tokens it can take.
    causal : bool
        Whether a token sees only itself and those before it.
    windows : tuple
        For each layer how many tokens are seen at most, the token itself among them; None is all.
    norm : "layer" or "rms"
    order : "after", "before" or "parallel"
        Where the norms stand: after each part (BERT), before it (GPT-2), or before both parts,
        which take the same stream (GPT-NeoX).
    scale : float
        What Q Kᵀ is multiplied by.
    padding : int or None
        RoBERTa's: positions count from the padding's number + 1, without the padding.
    parts : mapping of str to WeightPlace
        Where the weights of each role lie; a role that is not there is not used by the model.
    """

    family: str
    width: int
    layers: int
    heads: int
    head_width: int
    inner: int
    vocabulary: int
    positions: int
    causal: bool
    norm: str
    epsilon: float
    order: str
    activation: str
    scale: float
    parts: Mapping[str, WeightPlace] = field(repr=False)
    key_heads: int = 0
    windows: tuple[int | None, ...] = ()
    rotary: Rotary | None = None
    padding: int | None = None

    def __post_init__(self) -> None:
        if not self.key_heads:
            object.__setattr__(self, "key_heads", self.heads)
        if not self.windows:
            object.__setattr__(self, "windows", (None,) * self.layers)

    @property
    def has_logits(self) -> bool:
        """Whether the model gives a score for each word of the vocabulary."""
        return "head.weight" in self.parts


@dataclass(frozen=True)
class Family:
    """A family of models.

    prefix : what names of tensors begin with where the model has a head on top
    layer : what those of layers begin with, up to the layer's number
    describe : makes the plan from the configuration and the names of the tensors
    """

    prefix: str
    layer: str
    describe: Callable[[Config, Collection[str]], Plan]


Parts = dict[str, WeightPlace]


def linear(role: str, name: str, rows: int, columns: int, *, bias: bool = True) -> Parts:
    """Return the parts of a linear map that is kept as torch's `Linear` keeps it."""
    parts = {f"{role}.weight": WeightPlace(f"{name}.weight", (rows, columns))}
    if bias:
        parts[f"{role}.bias"] = WeightPlace(f"{name}.bias", (rows,))
    return parts


def norm(role: str, name: str, width: int, *, bias: bool = True) -> Parts:
    """Return the parts of a normalisation."""
    parts = {f"{role}.gain": WeightPlace(f"{name}.weight", (width,))}
    if bias:
        parts[f"{role}.bias"] = WeightPlace(f"{name}.bias", (width,))
    return parts


def table(role: str, name: str, rows: int, columns: int) -> Parts:
    """Return the part of a table of vectors."""
    return {role: WeightPlace(f"{name}.weight", (rows, columns))}


def head_width(config: Config, width: str, heads: str) -> int:
    """Return the columns a head has where all heads together have the model's. Raises Problem."""
    wide, many = config.count(width), config.count(heads)
    if wide % many:
        raise Problem(
            N_('config.json: "{width}" is {found}, which {heads} heads do not divide.'),
            width=width,
            found=wide,
            heads=many,
        )
    return wide // many


def activation(config: Config, name: str, default: str) -> str:
    """Return the activation's name. Raises Problem."""
    return config.choice(name, ACTIVATIONS, default)


def read_rotary(config: Config, head: int, *, partial: float | None = None) -> Rotary:
    """Return the rotary positions that a configuration asks for, in its old or its new form.

    head : columns of a head
    partial : which part of them turns by default; None where the family always turns all

    Raises
    ------
    Problem
        Where it asks for another kind.
    """
    group = "rope_parameters" if config.has("rope_parameters") else "rope_scaling"
    rope = config.group(group)
    kind_field = "rope_type" if rope.has("rope_type") else "type"
    kind = rope.choice(kind_field, ROPE_TYPES, "default")
    base = "rope_theta" if partial is None else "rotary_emb_base"
    theta = rope.number("rope_theta", config.number(base, 10000.0))
    part_field = "partial_rotary_factor"
    part = 1.0
    if partial is not None:
        older = config.number("rotary_pct", partial)
        part = rope.number(part_field, config.number(part_field, older))
    else:
        for place in (config, rope):
            if place.fields.get(part_field, 1.0) not in (1.0, None):
                raise place.refused(part_field)
    dims = int(head * part)
    if dims > head or dims < 2 or dims % 2:
        if config.has("rotary_pct"):
            raise config.refused("rotary_pct")
        raise (rope if rope.has(part_field) else config).refused(part_field)
    if kind == "default":
        return Rotary(dims, theta)
    factor = rope.number("factor")
    if kind == "linear":
        return Rotary(dims, theta, kind, factor)
    low, high = rope.number("low_freq_factor"), rope.number("high_freq_factor")
    if high <= low:
        raise rope.refused("high_freq_factor")
    original = rope.number(
        "original_max_position_embeddings", float(config.count("max_position_embeddings"))
    )
    return Rotary(dims, theta, kind, factor, low, high, original)


def rows_of(index: Any) -> Callable[[Array], Array]:
    """Return what picks rows of a tensor that several roles share."""
    return lambda array: array[index]


def causal_head(
    config: Config,
    names: Collection[str],
    tokens: WeightPlace,
    *,
    tied: bool,
    name: str = "lm_head",
) -> Parts:
    """Return the part that makes logits; none for a base model. Raises Problem.

    tied : whether it is the table of tokens where the configuration does not say
    """
    architectures = config.texts("architectures")
    own = f"{name}.weight"
    if architectures and not any("LM" in each for each in architectures) and own not in names:
        return {}
    if config.flag("tie_word_embeddings", tied):
        return {"head.weight": tokens}
    return {"head.weight": WeightPlace(own, tokens.shape)}


def masked_head(
    names: Collection[str],
    tokens: WeightPlace,
    dense: str,
    norm_name: str,
    decoder: str,
    biases: tuple[str, ...],
) -> Parts:
    """Return the parts that make the logits of a masked language model; none for a base model."""
    if f"{dense}.weight" not in names:
        return {}
    words, width = tokens.shape
    own = f"{decoder}.weight"
    bias = next((each for each in biases if each in names), biases[0])
    return {
        **linear("head.dense", dense, width, width),
        **norm("head.norm", norm_name, width),
        "head.weight": WeightPlace(own, tokens.shape) if own in names else tokens,
        "head.bias": WeightPlace(bias, (words,)),
    }
