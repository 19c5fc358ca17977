"""What a trace holds at one step, read when first asked for and then kept."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from explorer.attention import Attention, Projection, softmax
from explorer.attention.arrays import read_only
from explorer.session.copy_head import head_scene
from explorer.session.frame import Frame
from explorer.session.look import Look, Selection
from explorer.session.resolve import resolve
from explorer.session.scene import Array, Scene
from explorer.text import displayable
from explorer.traces import Step


class Link(NamedTuple):
    """An edge of the word graph: from the word that asks to the word that is asked.

    Parameters
    ----------
    query, key : int
        Places in the vocabulary.
    weight : float
        The largest over the positions (and samples) concerned.
    """

    query: int
    key: int
    weight: float


@dataclass(frozen=True, eq=False)
class StepValues:
    """One recorded step, one layer of it.

    Everything is as recorded, in float32, read from the file when first asked for. What the trace
    does not hold is None.

    Parameters
    ----------
    step : Step
    layer : int
        Counted from 0.
    basis : Projection or None
        The axes of the word graph.
    """

    step: Step
    layer: int
    basis: Projection | None

    @property
    def epoch(self) -> int:
        """After how many passes over the corpus it was recorded."""
        return self.step.epoch

    @cached_property
    def weights(self) -> Array:
        """The weights of every sample and head, shape (N, H, T, T); padding is 0."""
        return self.step.array("weights", layer=self.layer)

    @cached_property
    def probabilities(self) -> Array | None:
        """The softmax of the logits, shape (N, V)."""
        if "logits" not in self.step.trace.names:
            return None
        return softmax(self.step.array("logits").astype(np.float64))

    @cached_property
    def embedding(self) -> Array | None:
        """The vocabulary's rows, shape (V, d)."""
        if "param.embedding" not in self.step.trace.names:
            return None
        return self.step.array("param.embedding")

    @cached_property
    def points(self) -> Array | None:
        """The words in the axes of the word graph, shape (V, 3)."""
        if self.embedding is None or self.basis is None:
            return None
        return self.basis.project(self.embedding)

    def sample_weights(self, sample: int, head: int | None) -> Array:
        """Return the weights of a sample's real positions, shape (T, T); head None: the average."""
        length = int(self.step.trace.lengths[sample])
        maps = self.weights[sample, :, :length, :length]
        return maps.mean(axis=0) if head is None else maps[head]

    def links(self, sample: int, head: int | None, least: float = 0.0) -> tuple[Link, ...]:
        """Return the chosen sample's edges between words, the largest weight of each pair.

        least : edges below this weight are left out
        """
        return self._links(np.array([sample]), head, least)

    def other_links(
        self, sample: int, head: int | None, least: float = 0.0, most: int | None = None
    ) -> tuple[Link, ...]:
        """Return the edges of all other samples, at most so many: then the strongest."""
        count = len(self.step.trace.lengths)
        return self._links(np.delete(np.arange(count), sample), head, least, most)

    def _links(
        self, samples: Array, head: int | None, least: float, most: int | None = None
    ) -> tuple[Link, ...]:
        trace = self.step.trace
        if not len(samples):
            return ()
        maps = self.weights[samples]
        maps = maps.mean(axis=1) if head is None else maps[:, head]
        tokens = trace.tokens[samples]
        real = np.arange(tokens.shape[1]) < trace.lengths[samples][:, None]
        pairs = real[:, :, None] & real[:, None, :] & (maps >= least)
        queries = np.broadcast_to(tokens[:, :, None], maps.shape)[pairs]
        keys = np.broadcast_to(tokens[:, None, :], maps.shape)[pairs]
        words = len(trace.run.vocabulary)
        flat, inverse = np.unique(queries * words + keys, return_inverse=True)
        largest = np.zeros(len(flat))
        np.maximum.at(largest, inverse, maps[pairs])
        if most is not None and len(flat) > most:
            strongest = np.sort(np.argpartition(largest, -most)[-most:])
            flat, largest = flat[strongest], largest[strongest]
        return tuple(
            Link(pair // words, pair % words, weight)
            for pair, weight in zip(flat.tolist(), largest.tolist(), strict=True)
        )

    def head_frame(
        self,
        sample: int,
        head: int,
        look: Look,
        selection: Selection | None = None,
        hover: Selection | None = None,
    ) -> Frame | None:
        """Return one head's attention as a frame that Explore's views can draw.

        Its numbers are the recorded ones. None where the trace holds only weights.
        """
        trace = self.step.trace
        if not {"x", "q", "k", "v", "scores", "head_output"} <= trace.names:
            return None
        scene = head_scene(trace, self.step.index, sample, self.layer, head, exact=False)
        attention = self._recorded(sample, head, scene)
        return resolve(scene, look, selection, hover, attention=attention)

    def weights_frame(
        self,
        sample: int,
        head: int | None,
        look: Look,
        selection: Selection | None = None,
        hover: Selection | None = None,
    ) -> Frame:
        """Return the weights of a head, or the average, as a frame; all else in it is 0."""
        trace = self.step.trace
        words = trace.words(sample)
        X = read_only(np.zeros((len(words), 1)))
        rows = read_only(X[None])
        weights = read_only(self.sample_weights(sample, head)[None].astype(np.float64))
        attention = Attention(
            X=X,
            context=X,
            Q=rows,
            K=rows,
            V=rows,
            raw=read_only(np.zeros_like(weights)),
            scores=read_only(np.zeros_like(weights)),
            weights=weights,
            head_output=rows,
            output=X,
            mask=None,
            divisor=1.0,
        )
        scene = Scene(tokens=tuple(displayable(word) or "·" for word in words), X=X)
        return resolve(scene, look, selection, hover, attention=attention)

    def _recorded(self, sample: int, head: int, scene: Scene) -> Attention:
        length = len(scene.tokens)

        def part(name: str) -> Array:
            rows = self.step.array(name, sample, self.layer, head)[:length]
            rows = rows[:, :length] if name in ("scores", "weights") else rows
            return read_only(rows[None].astype(np.float64))

        Q, K, weights, head_output = part("q"), part("k"), part("weights"), part("head_output")
        return Attention(
            X=scene.X,
            context=scene.X if scene.context is None else scene.context.X,
            Q=Q,
            K=K,
            V=part("v"),
            raw=read_only(Q @ K.swapaxes(1, 2)),
            scores=part("scores"),
            weights=weights,
            head_output=head_output,
            output=head_output[0],
            mask=read_only(np.tri(length, dtype=bool)) if scene.options.mask == "causal" else None,
            divisor=math.sqrt(Q.shape[-1]),
        )
