"""Training, epoch by epoch: a generator that knows no thread and no process."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from explorer.text import N_, Listing, Problem
from explorer.traces import Config, Corpus, keeps_state, recorded_epochs, usual_samples
from explorer.traces.corpus import NO_TARGET
from explorer.traces.schema import repeated_length
from explorer.training.forks import ForkPoint, order_of, order_parts, parts, whole
from explorer.training.libraries import CPU, Device
from explorer.training.network import (
    Batch,
    LayerForward,
    Network,
    as_batch,
    judged,
    whole_corpus,
)
from explorer.training.optimizer import Optimizer
from explorer.training.recording import JUDGED, StepRow, head_scores, repeated_texts
from explorer.training.shapes import sentences_a_pass, work

# Work is parameters times tokens of the corpus: in proportion to the arithmetic of an epoch.
# Below these a second thread, and a graphics card, take longer to start than they save.
WORK_FOR_THREADS = 5_000_000
WORK_FOR_ACCELERATOR = 20_000_000
_LEARNING = 0.75  # of an epoch's time; the rest looks at the whole corpus


@dataclass(frozen=True)
class Epoch:
    """The model after `number` passes over the corpus.

    loss, accuracy : over the whole corpus; a loss that is not finite ends the run
    gradient : the Euclidean norm of the loss's gradient by all parameters, averaged over the
        optimizer steps of the pass that ended here; nan before the first
    arrays : the step by the names of a trace, or None where the epoch is not recorded or its loss
        is not finite; always the same views of `buffer`
    buffer : (size,) float32; the next recorded epoch writes over it: copy what shall last
    """

    number: int
    loss: float
    accuracy: float
    gradient: float
    arrays: Mapping[str, NDArray[Any]] | None
    buffer: NDArray[np.float32]


def fetched(tensor: Tensor) -> NDArray[Any]:
    """Return a tensor's numbers in main memory; on the CPU these are the tensor's own."""
    return tensor.cpu().numpy()


def devices() -> tuple[Device, ...]:
    """Return where training can run here: the CPU first."""
    found = [CPU]
    if torch.cuda.is_available():
        found.append(Device("cuda", torch.cuda.get_device_name()))
    if torch.backends.mps.is_available():
        found.append(Device("mps", "Apple GPU"))
    return tuple(found)


def chosen_device(config: Config, corpus: Corpus) -> Device:
    """Return the device a run uses: the one asked for, or by size where that is "auto".

    "auto" is an accelerator, where there is one, from a work of 20 million on (parameters times
    tokens of the corpus, padding included), and the CPU below.

    Raises Problem where the device asked for is not there.
    """
    here = {device.kind: device for device in devices()}
    if config.device == "auto":
        accelerators = [device for kind, device in here.items() if kind != "cpu"]
        if accelerators and work(config, corpus) >= WORK_FOR_ACCELERATOR:
            return accelerators[0]
        return here["cpu"]
    if config.device not in here:
        raise Problem(
            N_("There is no {device} device here: choose {others} or auto."),
            device=config.device,
            others=Listing.of(here),
        )
    return here[config.device]


def train(
    config: Config,
    corpus: Corpus,
    *,
    samples: Sequence[int] | None = None,
    start: ForkPoint | None = None,
    between: Callable[[float], bool] = lambda _share: True,
) -> Iterator[Epoch]:
    """Yield epoch 0 (untrained), 1, ... and do the next pass only when the next is asked for.

    A fork begins with the epoch of its `start`.

    Parameters
    ----------
    samples : sequence of int or None
        The recorded lines of the corpus, counted from 0; None for the usual ones.
    between : callable
        Called within an epoch, after each pass of some sentences, with the share of the epoch that
        is done; False ends the run there.

    Raises
    ------
    Problem
        There is no such device, or its memory does not suffice.
    """
    device = chosen_device(config, corpus)
    small = work(config, corpus) < WORK_FOR_THREADS
    # One core is the window's.
    torch.set_num_threads(1 if small else max(1, (os.cpu_count() or 1) - 1))
    first = start.fork.epoch if start else 0
    with memory_told(device):
        run = _Run(config, corpus, torch.device(device.kind), samples, start, between)
        recorded = frozenset(recorded_epochs(config, first))
        with suppress(_Stopped):
            for number in range(first, config.epochs + 1):
                epoch = run.look(number, number in recorded)
                yield epoch
                if not math.isfinite(epoch.loss) or number == config.epochs:
                    return
                run.learn()


@contextmanager
def memory_told(device: Device) -> Iterator[None]:
    """Turn every way in which memory runs out into one sentence."""
    try:
        yield
    except (torch.OutOfMemoryError, MemoryError, RuntimeError) as error:
        if type(error) is RuntimeError and "can't allocate memory" not in str(error):
            raise
        raise Problem(
            N_(
                "The memory of {device} does not suffice for this model: "
                "choose a smaller batch size or a smaller model."
            ),
            device=device.name,
        ) from error


class _Stopped(Exception):
    """The run ends within an epoch."""


class _Run:
    """One model in training: looked at, then taught, epoch by epoch."""

    def __init__(
        self,
        config: Config,
        corpus: Corpus,
        device: torch.device,
        samples: Sequence[int] | None,
        start: ForkPoint | None,
        between: Callable[[float], bool],
    ) -> None:
        self._between = between
        self._network = Network(config, corpus, device)
        self._corpus = whole_corpus(config, corpus, device)
        self._size = min(config.batch_size or len(self._corpus), len(self._corpus))
        # More do not go through the model at once; their gradients are added up.
        self._at_once = min(self._size, sentences_a_pass(config, corpus))
        self._asked = self._corpus.asked
        self._order = np.random.default_rng((config.seed, 1))
        self._dropout: torch.Generator | None = None
        if config.dropout:
            self._dropout = torch.Generator(device).manual_seed(config.seed)
        flat = self._network.flat
        self._optimizer = Optimizer(
            config.optimizer, flat, self._network.gradient, config.learning_rate
        )
        adam = self._optimizer.state
        if start is not None:
            self._go_on(start, adam)

        chosen = tuple(usual_samples(config, corpus) if samples is None else samples)
        self._everything = chosen == tuple(range(len(self._corpus)))
        self._chosen = torch.tensor(chosen, device=device)
        tokens, lengths, _targets = corpus.encoded(chosen)
        self._tokens = tokens.shape[1]
        self._following: Tensor | None = None  # of the recorded sentences
        if config.every_place:
            after = torch.from_numpy(corpus.following(chosen).astype(np.int64))
            self._following = after.to(device)
            self._rows = torch.arange(len(chosen), device=device)
            self._last = torch.from_numpy(lengths.astype(np.int64) - 1).to(device)
        self._repeated: Batch | None = None  # on which heads are scored
        if config.every_place and repeated_length(corpus):
            self._repeated = as_batch(repeated_texts(corpus), device)
        keeps = keeps_state(config, corpus, start.fork.epoch if start else 0)
        random = {name: len(state) for name, state in self._random()} if keeps else {}
        row = StepRow(
            self._network.parameter_blocks, config, corpus, chosen, random, bool(adam) and keeps
        )
        self._kept = [flat, *(adam.values() if keeps else ())]
        self._drawn = row.random
        self._written = False  # whether the random state stands in the row
        self._row = torch.empty(row.size, device=device)
        self._parts: list[Tensor] = []  # the row's parts in the shapes they are copied from
        self._padding = None if row.padding is None else torch.from_numpy(row.padding).to(device)
        # Where a step stands off the device: on the CPU that is the row itself.
        self._here = device.type == "cpu"
        self._host = self._row.numpy() if self._here else np.empty(row.size, np.float32)
        self._arrays = row.arrays(self._host)

        self._loss: Tensor | None = None  # of the whole corpus, while its gradient can be asked
        self._norm = self._row.new_full((), math.nan)  # of the gradient in the last pass

    @torch.no_grad()
    def _go_on(self, start: ForkPoint, adam: Mapping[str, Tensor]) -> None:
        """Take the state that a fork begins with."""

        def put(target: Tensor, numbers: NDArray[np.float32]) -> None:
            target.copy_(torch.from_numpy(np.array(numbers)))

        put(self._network.flat, start.parameters)
        if adam and start.mean is not None and start.square is not None:
            put(adam["exp_avg"], start.mean)
            put(adam["exp_avg_sq"], start.square)
            adam["step"].fill_(start.steps)
        if start.order is not None:
            self._order = order_of(start.order)
        if self._dropout is not None and start.dropout is not None:
            state = torch.frombuffer(bytearray(whole(start.dropout)), dtype=torch.uint8)
            # Another device draws other numbers in any case.
            if len(state) == len(self._dropout.get_state()):
                self._dropout.set_state(state)

    def _random(self) -> Iterator[tuple[str, NDArray[np.float32]]]:
        """Yield the state of each generator as `parts`, by its name in a trace."""
        yield "order", order_parts(self._order)
        if self._dropout is not None:
            yield "dropout", parts(self._dropout.get_state().numpy())

    def look(self, number: int, record: bool) -> Epoch:
        """Run the whole corpus through the model as it stands, and return what came of it."""
        places: Tensor | slice = slice(None)
        if self._at_once == len(self._corpus) and self._dropout is None:
            # The pass that is shown is the very pass that teaches.
            logits, layers = self._network.forward(self._corpus)
            self._loss, right = judged(logits, self._corpus)
            loss = self._loss.detach()
            if not self._everything:
                places = self._chosen
        else:
            loss, right = self._evaluated()
            if record:
                with torch.no_grad():
                    logits, layers = self._network.forward(self._corpus.take(self._chosen))
        last = torch.stack((loss, right, self._norm))
        if record:
            self._pack(logits, layers, places, last)
        # One transfer an epoch: of the step, which ends with these numbers, or of them alone.
        numbers = fetched(self._row if record else last)
        mean, hits, norm = numbers[-JUDGED:].tolist()
        epoch = number, mean, hits / self._asked, norm
        # A loss that is not a number means that parameters are not: nothing to be shown.
        if not record or not math.isfinite(epoch[1]):
            return Epoch(*epoch, None, self._host)
        if not self._here:
            self._host[:] = numbers
        # Where the pass that is shown teaches, nothing is drawn: on the CPU it stands there.
        if self._drawn and (self._loss is None or not self._here or not self._written):
            self._written = True
            self._host[: self._drawn] = np.concatenate([state for _name, state in self._random()])
        return Epoch(*epoch, self._arrays, self._host)

    def learn(self) -> None:
        """Do one pass over the corpus: one step of the optimizer for each batch."""
        if self._loss is not None:
            self._norm = self._step(self._loss)
            self._loss = None
            return
        order = torch.from_numpy(self._order.permutation(len(self._corpus)))
        order = order.to(self._row.device)
        norms = []
        for start in range(0, len(order), self._size):
            batch = order[start : start + self._size]
            self._network.gradient.zero_()
            self._add_gradient(batch, start)
            norms.append(self._descend())
        self._norm = torch.stack(norms).mean()

    def _step(self, loss: Tensor) -> Tensor:
        """Do one step of the optimizer, and return the norm of the gradient that it follows."""
        self._network.gradient.zero_()
        torch.autograd.backward(loss)
        return self._descend()

    def _add_gradient(self, places: Tensor, before: int) -> None:
        """Work out the gradient of a batch, some of its sentences at a time.

        before : sentences that the epoch has done before
        """
        parts = [self._corpus.take(part) for part in torch.split(places, self._at_once)]
        asked = sum(part.asked for part in parts) if len(parts) > 1 else 0
        for part in parts:
            loss, _right = judged(self._network.forward(part, self._dropout)[0], part)
            torch.autograd.backward(loss if len(parts) == 1 else loss * (part.asked / asked))
            before += len(part)
            self._tell(_LEARNING * before / len(self._corpus))

    def _tell(self, share: float) -> None:
        """Say how much of the epoch is done. Raises _Stopped."""
        if not self._between(share):
            raise _Stopped

    def _descend(self) -> Tensor:
        """Follow the gradient, and return its norm."""
        norm = torch.linalg.vector_norm(self._network.gradient)
        self._optimizer.step()
        return norm

    @torch.no_grad()
    def _evaluated(self) -> tuple[Tensor, Tensor]:
        """Return the mean loss and the number of right predictions over the whole corpus."""
        total, right = self._row.new_zeros(2)
        for start in range(0, len(self._corpus), self._at_once):
            batch = self._corpus.take(slice(start, start + self._at_once))
            loss, correct = judged(self._network.forward(batch)[0], batch)
            total += loss * batch.asked
            right += correct
            self._tell(_LEARNING + (1 - _LEARNING) * (start + len(batch)) / len(self._corpus))
        return total / self._asked, right

    def _scores(self, repeated: Batch) -> Tensor:
        """Return the scores of all heads, (2, L, H)."""
        _logits, layers = self._network.forward(repeated)
        scores = head_scores(fetched(torch.stack([layer.weights for layer in layers])))
        return torch.from_numpy(scores).to(self._row.device)

    @torch.no_grad()
    def _pack(
        self,
        logits: Tensor,
        layers: list[LayerForward],
        places: Tensor | slice,
        last: Tensor,
    ) -> None:
        """Copy a step into the row, in the order of `StepRow`."""
        found = list(self._kept)
        for layer in layers:
            found += layer.parts(places, self._tokens)
        logits = logits if isinstance(places, slice) else logits[places]
        if self._following is not None:
            # Of all places there is the loss, of the last one the logits.
            logits = logits[:, : self._tokens]
            flat, after = logits.flatten(0, 1), self._following.flatten()
            losses = functional.cross_entropy(flat, after, ignore_index=NO_TARGET, reduction="none")
            logits = logits[self._rows, self._last]
            found += (logits, losses)
            if self._repeated is not None:
                found.append(self._scores(self._repeated))
        else:
            found.append(logits)
        found.append(last)
        if not self._parts:
            pieces = self._row[self._drawn :].split_with_sizes([part.numel() for part in found])
            self._parts = [a.view(b.shape) for a, b in zip(pieces, found, strict=True)]
        # One call for all of them: a view and a copy each would take twice as long.
        torch._foreach_copy_(self._parts, found)
        if self._padding is not None:
            self._row.masked_fill_(self._padding, 0)
