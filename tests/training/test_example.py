"""The example trace is what it says: a recorded run of the usual session."""

from __future__ import annotations

import numpy as np

from explorer.resources import example
from explorer.traces import DEFAULT_CORPUS, Config, TraceFile, parse_corpus
from explorer.training.loop import train

PATH = example("tiny-transformer.safetensors")


def test_the_example_is_a_run_of_the_usual_parameters() -> None:
    corpus = parse_corpus(DEFAULT_CORPUS)
    trace = TraceFile(PATH)
    assert trace.run.config == Config()
    assert trace.run.corpus == corpus.sentences
    assert trace.basis is not None
    assert PATH.stat().st_size < 3 * 2**20
    losses = trace.scalars("loss")
    # Another machine's arithmetic may differ in the last bits, and these grow from step to step.
    for epoch in train(Config(device="cpu"), corpus):
        np.testing.assert_allclose(epoch.loss, losses[epoch.number], rtol=0.01)
        if epoch.arrays is not None:
            step = trace.step_at(epoch.number)
            assert trace.epochs[step] == epoch.number
            for name in ("weights", "x", "output", "logits", "param.embedding"):
                np.testing.assert_allclose(epoch.arrays[name], trace.array(name, step), atol=0.01)
    trace.close()
