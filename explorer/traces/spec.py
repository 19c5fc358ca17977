"""What a run is asked to be: its configuration, what it records, and the sizes that follow."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_type_hints

import msgspec

from explorer.text import N_, Listing, Message, Problem

FORMAT = "attention-explorer/trace"
VERSION = "1"
MOST_SAMPLES = 64  # recorded samples of a run


class Config(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of one training run; `check` tells whether they can be.

    feed_forward : int or None
        Width of the feed-forward layer; None for 2·d_model.
    batch_size : int or None
        Sentences an optimizer step; None for the whole corpus.
    every_place : bool
        Whether each place of a sentence predicts the next word, not only the last one; needs
        `causal`.
    keep_state : bool
        Whether each recorded step keeps what a fork goes on from, where it is small enough.
    """

    d_model: int = 16
    heads: int = 2
    learning_rate: float = 0.0015
    epochs: int = 200
    watch_every: int = 5
    use_position: bool = True
    seed: int = 7
    layers: int = 1
    feed_forward: int | None = None
    causal: bool = False
    position_kind: Literal["learned", "sinusoidal"] = "learned"
    initialisation: Literal["pytorch", "xavier", "he"] = "pytorch"
    dropout: float = 0.0
    optimizer: Literal["adam", "sgd"] = "adam"
    batch_size: int | None = None
    device: Literal["auto", "cpu", "cuda", "mps"] = "auto"
    keep_state: bool = True
    every_place: bool = False

    @property
    def d_k(self) -> int:
        """The width of one head's queries, keys and values."""
        return self.d_model // self.heads

    @property
    def feed_forward_width(self) -> int:
        """The width of the feed-forward layer, 2·d_model unless chosen."""
        return 2 * self.d_model if self.feed_forward is None else self.feed_forward


@dataclass(frozen=True)
class Limit:
    """What a parameter is called on screen and the numbers it may be, both ends included."""

    label: str
    least: float
    most: float


LIMITS = {
    "d_model": Limit(N_("D Model"), 2, 128),
    "heads": Limit(N_("Heads"), 1, 8),
    "learning_rate": Limit(N_("Learning Rate"), 1e-5, 1),
    "epochs": Limit(N_("Epochs"), 1, 100_000),
    "watch_every": Limit(N_("Watch Every"), 1, 1000),
    "seed": Limit(N_("Seed"), 0, 2**32 - 1),
    "layers": Limit(N_("Layers"), 1, 4),
    "feed_forward": Limit(N_("Feed-forward Width"), 1, 1024),
    "dropout": Limit(N_("Dropout"), 0, 0.9),
    "batch_size": Limit(N_("Batch Size"), 1, 5000),
}
LABELS = {field: limit.label for field, limit in LIMITS.items()} | {
    "use_position": N_("Use Position"),
    "causal": N_("Causal"),
    "every_place": N_("Predict Every Place"),
    "position_kind": N_("Position"),
    "initialisation": N_("Initialisation"),
    "optimizer": N_("Optimizer"),
    "device": N_("Device"),
    "keep_state": N_("Keep State for Forks"),
}
SAMPLES_LABEL = N_("Recorded Sentences")  # of the corpus; not of the configuration
_TYPES = get_type_hints(Config)
_MAY_BE_NONE = ("feed_forward", "batch_size")
_NOT_WHOLE = ("learning_rate", "dropout")


class ConfigProblem(Problem):
    """A value that a parameter cannot have.

    Attributes
    ----------
    field : str
        The name of the parameter in `Config`.
    """

    def __init__(self, field: str, template: str, /, **args: object) -> None:
        super().__init__(template, **args)
        self.field = field


def check(config: Config) -> None:
    """Raise a ConfigProblem naming the first parameter, its value and what is allowed."""
    for field in config.__struct_fields__:
        check_field(field, getattr(config, field))
    if config.d_model % config.heads:
        raise ConfigProblem(
            "heads",
            N_("{heads_label} must divide {width_label}: {width} / {heads} leaves a remainder."),
            heads_label=Message(LABELS["heads"]),
            width_label=Message(LABELS["d_model"]),
            width=config.d_model,
            heads=config.heads,
        )
    if config.every_place and not config.causal:
        raise ConfigProblem(
            "every_place",
            N_("{label} needs {causal}: otherwise a word would see the one it predicts."),
            label=Message(LABELS["every_place"]),
            causal=Message(LABELS["causal"]),
        )


def check_field(field: str, value: Any) -> None:
    """Raise a ConfigProblem where a parameter cannot have a value, whatever the others are."""
    if field not in LIMITS:
        allowed = get_args(_TYPES[field]) or (True, False)
        check_choice(field, Message(LABELS[field]), value, allowed)
    elif value is not None or field not in _MAY_BE_NONE:
        check_number(field, LIMITS[field], value, whole=field not in _NOT_WHOLE)


def check_choice(field: str, label: Message, value: Any, allowed: Sequence[object]) -> None:
    """Raise a ConfigProblem where a value is none of some texts, or of true and false."""
    if not any(type(value) is type(choice) and value == choice for choice in allowed):
        raise ConfigProblem(
            field,
            N_("{label} must be one of {allowed}, but is {value}."),
            label=label,
            allowed=Listing.of(allowed),
            value=value,
        )


def check_number(field: str, limit: Limit, value: Any, *, whole: bool = True) -> None:
    """Raise a ConfigProblem where a value is no number within the limit."""
    fine = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    if not fine or (whole and value != int(value)) or not limit.least <= value <= limit.most:
        template = N_("{label} must be a number from {least} to {most}, but is {value}.")
        if whole:
            template = N_("{label} must be a whole number from {least} to {most}, but is {value}.")
        raise ConfigProblem(
            field,
            template,
            label=Message(limit.label),
            least=f"{limit.least:g}" if not whole else limit.least,
            most=limit.most,
            value=value,
        )


def recorded_epochs(config: Config, first: int = 0) -> tuple[int, ...]:
    """Return the epochs of a run that are recorded: its first, every Watch Every, and the last."""
    step = config.watch_every
    every = (first, *range((first // step + 1) * step, config.epochs + 1, step))
    return every if every[-1] == config.epochs else (*every, config.epochs)


class Fork(msgspec.Struct, frozen=True, kw_only=True):
    """Where a run that continues another one begins.

    parent : str
        The other run's `Run.id`; empty where that was not known.
    epoch : int
        The parent's recorded epoch that it goes on from.
    """

    parent: str = ""
    epoch: int


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """What a trace says of itself, kept as one JSON text in the file's metadata.

    config : Config or None
        None in a trace that this program did not train.
    corpus : tuple of str
        The sentences, words separated by single spaces; empty where there is none.
    vocabulary : tuple of str
        What tokens, targets and logits count in. Untrusted plain text, like the corpus.
    device : str
        Where it was trained, for example "cpu".
    versions : mapping of str to str
        Of the programs that made it.
    created : str
        When, in ISO 8601 with its offset from UTC.
    id : str
        What a fork calls its parent by; empty where there is none.
    fork : Fork or None
        None in a run that began untrained.
    """

    config: Config | None = None
    corpus: tuple[str, ...] = ()
    vocabulary: tuple[str, ...]
    device: str = ""
    versions: dict[str, str] = {}
    created: str = ""
    id: str = ""
    fork: Fork | None = None
