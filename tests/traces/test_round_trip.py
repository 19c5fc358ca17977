"""A run of any shape: recorded, seen, saved, opened, and read by other programs."""

from __future__ import annotations

import itertools
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors import safe_open
from safetensors.numpy import load_file, save_file

from explorer.traces import Config, Corpus, Trace, TraceFile, array_spec, parse_corpus, save_trace
from explorer.traces.schema import shape_of
from tests.traces.made import CONFIG, CORPUS, Arrays, saved, spooled, step_of


@st.composite
def configs(draw: st.DrawFn) -> Config:
    heads = draw(st.integers(1, 3))
    return Config(
        heads=heads,
        d_model=heads * draw(st.integers(1 + (heads == 1), 3)),
        layers=draw(st.integers(1, 3)),
        feed_forward=draw(st.none() | st.integers(1, 5)),
        causal=draw(st.booleans()),
        use_position=draw(st.booleans()),
    )


words = st.sampled_from(["a", "b", "早", "🐟", "<b>", '"', "\\"])
corpora = st.lists(st.lists(words, min_size=2, max_size=5), min_size=1, max_size=4).map(
    lambda lines: parse_corpus("\n".join(map(" ".join, lines)))
)


def assert_holds(trace: Trace, steps: dict[int, Arrays], corpus: Corpus) -> None:
    tokens, lengths, targets = corpus.encoded(corpus.first_samples)
    assert trace.tokens.tolist() == tokens.tolist()
    assert trace.lengths.tolist() == lengths.tolist()
    assert trace.targets is not None
    assert trace.targets.tolist() == targets.tolist()
    assert trace.epochs.tolist() == list(steps)
    assert [trace.words(i) for i in range(len(tokens))] == [line[:-1] for line in corpus.lines]
    assert [trace.target(i) for i in range(len(tokens))] == [line[-1] for line in corpus.lines]
    for i, arrays in enumerate(steps.values()):
        for name, array in arrays.items():
            found = trace.array(name, i)
            spec = array_spec(name)
            assert spec is not None
            assert found.shape == shape_of(spec.shape[1:], trace.sizes)
            assert found.dtype == np.float32
            assert not found.flags.writeable
            np.testing.assert_array_equal(found, array)


@settings(max_examples=30)
@given(configs(), corpora, st.integers(1, 4))
def test_what_was_recorded_is_there_again(config: Config, corpus: Corpus, count: int) -> None:
    steps = {3 * i: step_of(config, corpus, i) for i in range(count)}
    with tempfile.TemporaryDirectory() as folder:
        spool = spooled(Path(folder) / "run", steps, config, corpus)
        assert_holds(spool, steps, corpus)
        path = Path(folder) / "run.safetensors"
        file = save_trace(spool, path)
        assert_holds(file, steps, corpus)
        assert file.run == spool.run
        assert file.sizes == spool.sizes
        assert file.names == spool.names
        elsewhere = load_file(path)
        for name in file.names:
            first = elsewhere[name]
            assert first.tobytes() == b"".join(map(bytes, spool.chunks(name)))
            if name in steps[0]:
                np.testing.assert_array_equal(first[-1], list(steps.values())[-1][name])
        with safe_open(path, "np") as opened:
            assert opened.metadata()["format"] == "attention-explorer/trace"
            assert opened.metadata()["version"] == "1"
        spool.close()
        file.close()


def test_every_part_of_every_array_by_its_indices(tmp_path: Path) -> None:
    config = Config(layers=2)
    file = saved(tmp_path / "a.safetensors", config)
    arrays = step_of(config, CORPUS, seed=1)
    for sample, layer, head in itertools.product((None, 0, 5), (None, 0, 1), (None, 0, 1)):
        for name, whole in arrays.items():
            spec = array_spec(name)
            assert spec is not None
            chosen = {"N": sample, "L": layer, "H": head}
            index = tuple(
                slice(None) if (i := chosen.get(axis)) is None else i for axis in spec.shape[1:]
            )
            found = file.array(name, 1, sample, layer, head)
            np.testing.assert_array_equal(found, whole[index], err_msg=name)
            np.testing.assert_array_equal(
                file.step(1).array(name, sample, layer, head), whole[index]
            )


@pytest.mark.parametrize("place", [(3,), (-1,), (0, 6), (0, 0, 1), (0, 0, 0, 2), (0, -1, 0, 0)])
def test_an_index_beyond_an_axis(tmp_path: Path, place: tuple[int, ...]) -> None:
    file = saved(tmp_path / "a.safetensors")
    with pytest.raises(IndexError):
        file.array("weights", *place)


def test_names_that_are_not_there(tmp_path: Path) -> None:
    file = saved(tmp_path / "a.safetensors")
    for name in ("nothing", "tokens", "scalar.loss", "param.layers.1.Wq"):
        with pytest.raises(KeyError):
            file.array(name, 0)
    with pytest.raises(KeyError):
        file.scalars("reward")


def test_steps_by_epoch(tmp_path: Path) -> None:
    file = saved(tmp_path / "a.safetensors")
    assert file.epochs.tolist() == [0, 5, 10]
    assert [file.step_at(epoch) for epoch in (0, 4, 5, 9, 10, 999)] == [0, 0, 1, 1, 2, 2]
    assert file.step(2).epoch == 10
    with pytest.raises(IndexError):
        file.step(3)


def test_scalars_are_there_for_epochs_that_were_not_recorded(tmp_path: Path) -> None:
    losses = [1.0, 0.5, float("nan"), float("inf"), 0.1]
    spool = spooled(tmp_path / "run", {0: step_of()}, losses=losses)
    file = save_trace(spool, tmp_path / "a.safetensors")
    for trace in (spool, file):
        assert trace.scalars("epoch").tolist() == [0, 1, 2, 3, 4]
        np.testing.assert_array_equal(trace.scalars("loss"), np.float32(losses))
        np.testing.assert_allclose(trace.scalars("accuracy"), [1, 1 / 2, 1 / 3, 1 / 4, 1 / 5])


@pytest.mark.parametrize("wide", [np.float16, np.float64])
def test_other_widths_of_floats_are_read(tmp_path: Path, wide: type) -> None:
    file = saved(tmp_path / "a.safetensors")
    arrays = load_file(tmp_path / "a.safetensors")
    other = {
        name: array.astype(wide) if array.dtype == np.float32 else array.astype(np.int64)
        for name, array in arrays.items()
    }
    save_file(other, tmp_path / "b.safetensors", dict(file.metadata))
    again = TraceFile(tmp_path / "b.safetensors")
    for name in step_of():
        found = again.array(name, 1)
        assert found.dtype == (np.float32 if wide is np.float16 else np.float64)
        np.testing.assert_array_equal(found, arrays[name][1].astype(wide).astype(found.dtype))
    assert again.tokens.tolist() == file.tokens.tolist()


def test_attention_alone_is_a_trace(tmp_path: Path) -> None:
    metadata = {
        "format": "attention-explorer/trace",
        "version": "1",
        "run": '{"vocabulary": ["a", "b"]}',
    }
    arrays = {
        "epochs": np.array([0]),
        "tokens": np.array([[0, 1, 0]]),
        "lengths": np.array([2]),
        "weights": np.full((1, 1, 2, 12, 3, 3), 1 / 3, np.float32),
    }
    save_file(arrays, tmp_path / "a.safetensors", metadata)
    file = TraceFile(tmp_path / "a.safetensors")
    assert file.names == arrays.keys()
    assert (file.targets, file.samples, file.basis, file.run.config) == (None, None, None, None)
    assert file.words(0) == ("a", "b")
    assert file.target(0) is None
    assert file.sizes["H"] == 12
    assert file.array("weights", 0, 0, 1, 11).shape == (3, 3)


def test_config_and_corpus_are_kept_with_the_run(tmp_path: Path) -> None:
    file = saved(tmp_path / "a.safetensors")
    assert file.run.config == CONFIG
    assert file.run.corpus == CORPUS.sentences
    assert parse_corpus("\n".join(file.run.corpus)) == CORPUS
