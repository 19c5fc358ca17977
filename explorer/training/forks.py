"""A run continued from a recorded step: all that its loop needs to go on as if never left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from explorer.text import N_, Message, Problem
from explorer.traces import LABELS, Config, Corpus, Fork, Trace, check, state_names
from explorer.training.parameters import Floats, parameter_blocks

# What the shapes of the parameters follow from: a fork keeps these.
KEPT = ("d_model", "heads", "layers", "feed_forward", "use_position", "position_kind")
NOT_KEPT = N_(
    "{file} keeps no state at its steps, so it cannot be forked: train it again with “{label}” on."
)


@dataclass(frozen=True, eq=False)
class ForkPoint:
    """Where a run goes on from.

    fork : Fork
    parameters : (M,) float32, as `ParameterBlocks` places them
    mean, square : (M,) float32, or None
        Adam's averages of the gradient and of its square; None starts empty.
    steps : float
        Optimizer steps that Adam has done.
    order, dropout : 16-bit parts of the generators' states (`parts`), or None
        None starts from the seed.
    """

    fork: Fork
    parameters: Floats
    mean: Floats | None = None
    square: Floats | None = None
    steps: float = 0.0
    order: Floats | None = None
    dropout: Floats | None = None


def parts(state: NDArray[Any]) -> Floats:
    """Return the bytes of a generator's state as numbers 0 to 65535, which float32 holds exactly.

    Their low byte comes first.
    """
    return np.frombuffer(state.tobytes(), dtype="<u2").astype(np.float32)


def whole(numbers: Floats) -> bytes:
    """Return the bytes that `parts` took apart."""
    return numbers.astype("<u2").tobytes()


def order_parts(generator: np.random.Generator) -> Floats:
    """Return the state of the generator (PCG64) that shuffles the sentences, as `parts`."""
    state: Any = generator.bit_generator.state
    numbers = []
    for name in ("state", "inc"):
        numbers += [state["state"][name] & (2**64 - 1), state["state"][name] >> 64]
    return parts(np.array([*numbers, state["has_uint32"], state["uinteger"]], dtype="<u8"))


def order_of(numbers: Floats) -> np.random.Generator:
    """Return the generator whose state `order_parts` gave."""
    low, high, inc_low, inc_high, has, integer = map(int, np.frombuffer(whole(numbers), "<u8"))
    generator = np.random.Generator(np.random.PCG64())
    generator.bit_generator.state = {
        "bit_generator": "PCG64",
        "state": {"state": high << 64 | low, "inc": inc_high << 64 | inc_low},
        "has_uint32": has,
        "uinteger": integer,
    }
    return generator


def can_fork(trace: Trace) -> bool:
    """Return whether a trace keeps at its steps what a fork goes on from."""
    return trace.run.config is not None and "state.order" in trace.names


def corpus_of(trace: Trace) -> Corpus:
    """Return the corpus of a run, with the words and the places that its model has."""
    lines = tuple(tuple(sentence.split(" ")) for sentence in trace.run.corpus)
    return Corpus(lines, trace.run.vocabulary, trace.sizes.get("P", 0))


def forked_corpus(trace: Trace, corpus: Corpus) -> Corpus:
    """Return a corpus as the model of a trace can go on with it.

    Raises Problem where it has a word more, or a longer sentence.
    """
    mine = corpus_of(trace)
    if more := sorted(set(corpus.vocabulary) - set(mine.vocabulary)):
        raise Problem(
            N_("The run does not know the word “{word}”: a fork has the same words."), word=more[0]
        )
    if corpus.longest > mine.longest:
        raise Problem(
            N_("A fork cannot have longer sentences than its run: at most {most} words."),
            most=mine.longest + 1,
        )
    return Corpus(corpus.lines, mine.vocabulary, mine.room)


def fork_config(trace: Trace, epoch: int, changes: Mapping[str, Any]) -> Config:
    """Return the parameters of a fork from a recorded epoch: the run's own but for some changes.

    Raises Problem where the epoch is not recorded, or it is no run of this program.
    """
    if trace.run.config is None or epoch not in trace.epochs:
        raise Problem(
            N_("{file} holds no epoch {epoch} of a run: the nearest is {nearest}."),
            file=trace.title,
            epoch=epoch,
            nearest=int(trace.epochs[np.abs(trace.epochs - epoch).argmin()]),
        )
    return replace(trace.run.config, **changes)


def fork_point(trace: Trace, step: int, config: Config) -> ForkPoint:
    """Return what a fork from a recorded step goes on from, with these parameters.

    An optimizer of another kind starts empty, and another seed draws anew.

    Raises
    ------
    Problem
        The state was not kept, `config` has other shapes or no epoch left, or the step cannot be
        read.
    """
    before = trace.run.config
    if before is None or not can_fork(trace):
        label = Message(LABELS["keep_state"])
        raise Problem(NOT_KEPT, file=trace.title, label=label)
    check(config)
    for field in KEPT:
        if getattr(config, field) != getattr(before, field):
            raise Problem(
                N_("A fork keeps {label}: it is {value} in the run."),
                label=Message(LABELS[field]),
                value=getattr(before, field),
            )
    epoch = int(trace.epochs[step])
    if epoch >= config.epochs:
        raise Problem(
            N_("The fork begins at epoch {epoch}, so {label} must be larger."),
            epoch=epoch,
            label=Message(LABELS["epochs"]),
        )
    model = parameter_blocks(config, corpus_of(trace))
    parameters = np.zeros(model.size, np.float32)
    for name, view in model.named(parameters).items():
        view[...] = trace.array(f"param.{name}", step)
    state: dict[str, Any] = {}
    for name in state_names(before):
        key = name.removeprefix("state.")
        if name not in trace.names:
            raise Problem(N_("{array} is missing."), array=name)
        random = key in ("order", "dropout")
        if config.seed == before.seed if random else config.optimizer == before.optimizer:
            state[key] = trace.array(name, step)
    for key in ("mean", "square"):
        if key in state and state[key].shape != parameters.shape:
            raise Problem(N_("{array} is not as this program writes it."), array=f"state.{key}")
    if "steps" in state:
        state["steps"] = float(state["steps"][0])
    return ForkPoint(Fork(parent=trace.run.id, epoch=epoch), parameters, **state)
